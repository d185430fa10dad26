"""How fast PGN is read and cut: `python tests/bench/bench_pgn.py FILE.pgn` prints rates, best of five runs.

The file is repeated to some 30 MB. The counts are checked against the single file's.
"""

import sys
import time
from pathlib import Path

from notation.containers import pgn


def best(work, runs: int = 5):
    took = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        took.append(time.perf_counter() - start)
    return min(took), result


def main(path: str) -> None:
    once = Path(path).read_bytes()
    if not once.endswith(b"\n\n"):
        once += b"\n"
    alone = pgn.read(once)
    times = max(1, 30_000_000 // len(once))
    data = once * times
    took, batch = best(lambda: pgn.read(data))
    assert len(batch) == len(alone) * times and len(batch.token) == len(alone.token) * times
    assert batch.lexemes == alone.lexemes
    rate = len(data) / took / 1e6
    print(f"read   {rate:7.0f} MB/s   {took / max(1, len(batch.token)) * 1e6:.3f} µs a ply")
    took, shards = best(lambda: list(pgn.split(data, 1 << 22)))
    assert sum(shard.games for shard in shards) == len(batch)
    print(f"split  {len(data) / took / 1e6:7.0f} MB/s   {len(shards)} shards")


if __name__ == "__main__":
    main(*sys.argv[1:])
