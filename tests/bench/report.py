"""A report against adjudicating its games: ``python -m tests.bench.report``.

Engine games, 40 times and every time a ply shorter, and all of them once more as in a mirror, are a file of 3.8 million
plies; three of it are adjudicated by as many workers as there are processors. Then a report of them is made, as a page,
in a process of its own. What it takes for a single game (Python's start, libraries) is told apart.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pipeline import run
from tests.bench import archives
from tests.bench.clock import Time

BAR = 0.1
"""Of the time that adjudicating took."""
MEMORY = 1000
"""Megabytes at most."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.report", description=__doc__)
    parser.add_argument("--files", type=int, default=3, help="files of 3.8 million plies [default: 3]")
    measure(parser.parse_args().files)


def measure(files: int) -> None:
    """Adjudicate so many ``files``, report them, and print what both took."""
    with tempfile.TemporaryDirectory(prefix="caipan-bench-") as name:
        room = Path(name)
        games = [room / f"games{number}.pgn" for number in range(files)]
        made = 2 * files * archives.lengthened(archives.find()["UCI"], 40, games[0])
        text = games[0].read_text("utf-8")
        for path in games:
            path.write_text(text + _mirrored(text), encoding="utf-8")
        before = Time.now()
        summary = run.adjudicate(games, rules="xiangqi", out=room / "run")
        whole = Time.now() - before
        assert summary.plies == made, (summary.plies, made)
        print(
            f"adjudicate  {made:,} plies, {os.cpu_count()} processors  {whole.wall:.2f} s  CPU {whole.cpu:.2f} s"
        )
        run.adjudicate([_one(room)], rules="xiangqi", out=room / "one", jobs=1)
        start, _ = _report(room / "one", room)
        took, memory = _report(room / "run", room)
        print(f"report of one game            {start.wall:.2f} s  CPU {start.cpu:.2f} s")
        print(f"report      {memory} MB at most  {took.wall:.2f} s  CPU {took.cpu:.2f} s")
        games_alone = took - start
        print(
            f"its games alone               {games_alone.wall:.2f} s  CPU {games_alone.cpu:.2f} s: "
            f"{games_alone.wall / whole.wall:.3f} of adjudicating (bar {BAR}), CPU {games_alone.cpu / whole.cpu:.3f}"
        )
        assert memory < MEMORY, memory


def _mirrored(text: str) -> str:
    """The games with left and right exchanged."""

    def turn(found: re.Match[str]) -> str:
        if found[1]:
            return '[FEN "' + "/".join(row[::-1] for row in found[1].split("/"))
        return found[0].translate(_TURNED)

    return re.sub(r'\[FEN "([^ "]+)|\b[a-i]\d+[a-i]\d+\b', turn, text)


_TURNED = str.maketrans("abcdefghi", "ihgfedcba")


def _one(room: Path) -> Path:
    path = room / "one.pgn"
    path.write_text(
        '[Red "A"]\n[Black "B"]\n[Result "1-0"]\n\nh3e3 h10g8 h1g3 i10h10 1-0\n', encoding="utf-8"
    )
    return path


def _report(folder: Path, room: Path) -> tuple[Time, int]:
    """Time of the command over ``folder``, and the most memory that it held, in megabytes."""
    command = [
        sys.executable,
        "-m",
        "pipeline",
        "report",
        str(folder),
        "--copies",
        "--out",
        str(room / "report.html"),
    ]
    before = Time.now()
    child = subprocess.Popen(command, cwd=archives.ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    took = Time.now() - before
    return Time(took.wall, used.ru_utime + used.ru_stime), used.ru_maxrss >> 10


if __name__ == "__main__":
    main()
