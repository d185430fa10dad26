"""Ruling again against adjudicating: ``python -m tests.bench.law [COPIES]``.

A million plies of engine games, in which one game in fourteen comes to a third occurrence, are adjudicated once in one
process and then ruled under other books from the stored tables. The answers must be those of adjudicating anew.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import polars as pl

from pipeline import rulings, run
from tests.bench import archives
from tests.bench.clock import Time

BOOKS = ("site", "axf", "cxa", "fairy", "pikafish", "chessdb")


def main(copies: int = 19) -> None:
    with tempfile.TemporaryDirectory(prefix="caipan-bench-") as name:
        room = Path(name)
        archives.repeated(archives.find()["UCI"], copies, room / "games.pgn")
        before = Time.now()
        summary = run.adjudicate([room / "games.pgn"], rules="xiangqi", out=room / "run", jobs=1)
        whole = Time.now() - before
        print(f"adjudicate   {summary.plies:,} plies  {whole.wall:.2f} s  CPU {whole.cpu:.2f} s")
        for book in BOOKS:
            before = Time.now()
            ruled = rulings.rule(room / "run", book)
            took = Time.now() - before
            print(
                f"rule {book:8} {took.wall:.3f} s  CPU {took.cpu:.3f} s  "
                f"{took.wall / whole.wall:.3f} of adjudicating, CPU {took.cpu / whole.cpu:.3f}"
            )
            if copies <= 2:
                run.adjudicate([room / "games.pgn"], rules="xiangqi", book=book, out=room / book, jobs=1)
                assert _told(ruled.out) == _told(room / book / "games" / "part-*.parquet")


def _told(path: Path) -> list[tuple[object, ...]]:
    frame = pl.read_parquet(path, columns=["record", "result", "reason", "end_ply"])
    return frame.with_columns(pl.col(pl.Categorical).cast(pl.String)).sort("record").rows()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
