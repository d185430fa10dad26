"""Every game of given files in which a position stands for the third time, and its ruling under each book.

python -m tests.law.corpus ../shared/corpus ../shared/matches/xiangqi.pgn
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from pipeline import rulings, run

BOOKS = ("site", "axf", "wxf", "cxa", "fairy", "pikafish", "chessdb")


def main(paths: list[str]) -> None:
    with TemporaryDirectory() as folder:
        found, whole = repeated(paths, Path(folder) / "run")
    print(f"record  plies  {'  '.join(BOOKS)}  (a ? is disputed; why by axf and cxa)  file, game")
    for row in found.iter_rows(named=True):
        said = "  ".join(f"{row[book]:6}" for book in BOOKS)
        plies = f"{row['cycle'] + 1}–{row['end_ply']}"
        why = f"{row['axf why']}, {row['cxa why']}"
        print(f"{row['record']:5}  {plies:8}  {said}  {why}  {row['source']}, {row['index'] + 1}")
    print(f"{found.height} of {whole} games, each once")
    for book in BOOKS:
        counts = found.group_by(book, f"{book} why").len().sort("len", book, descending=True).rows()
        print(f"{book}: " + ", ".join(f"{n} {result} ({why})" for result, why, n in counts))


def repeated(paths: list[str], out: Path) -> tuple[pl.DataFrame, int]:
    """The games of ``paths`` that are ruled by repetition under some book, later copies of a game left out, with the
    plies judged; and how many games there are."""
    run.adjudicate(paths, rules="xiangqi", out=out, jobs=1)
    games = pl.read_parquet(
        out / "games" / "part-*.parquet", columns=["record", "source", "index", "duplicate_of"]
    ).filter(pl.col("duplicate_of").is_null())
    found = games
    for book in BOOKS:
        ruled = pl.read_parquet(
            rulings.rule(out, book).out,
            columns=["record", "result", "reason", "disputed", "cycle", "end_ply"],
        )
        words = pl.col("result").cast(pl.String) + pl.when(pl.col("disputed").is_null()).then(
            pl.lit("")
        ).otherwise(pl.lit("?"))
        why = pl.col("reason").cast(pl.String).alias(f"{book} why")
        more = ruled.select("record", words.alias(book), why, "cycle", "end_ply")
        found = found.join(more, on="record", suffix=f" {book}")
    cycles = [name for name in found.columns if name.split(" ")[0] == "cycle"]
    return found.filter(pl.any_horizontal(pl.col(cycles).is_not_null())).sort("record"), games.height


if __name__ == "__main__":
    main(sys.argv[1:])
