"""Run the pipeline over a file, a few times in this process, and print what each run took, as lines of JSON.

Every run writes to a folder of its own: ext4 looks long for an inode that was not freed in the last minute.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import sys
import time
from pathlib import Path

from pipeline import run

OURS = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def main(path: str, out: str, jobs: str, times: str) -> None:
    for number in range(int(times)):
        before, wall = _cpu(), time.perf_counter()
        summary = run.adjudicate([path], rules="xiangqi", out=Path(out) / str(number), jobs=int(jobs))
        wall = time.perf_counter() - wall
        for child in multiprocessing.active_children():
            child.join()
        own, workers = (after - spent for after, spent in zip(_cpu(), before, strict=True))
        peaks = [resource.getrusage(who).ru_maxrss << 10 for who in OURS]
        said = {"wall": wall, "cpu": own + workers / int(jobs), "plies": summary.plies, "peaks": peaks}
        print(json.dumps(said), flush=True)


def _cpu() -> list[float]:
    """Seconds of CPU that this process has used, and its children that have ended."""
    return [sum(resource.getrusage(who)[:2]) for who in OURS]


if __name__ == "__main__":
    main(*sys.argv[1:])
