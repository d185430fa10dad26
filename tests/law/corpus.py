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
        out = Path(folder) / "run"
        run.adjudicate(paths, rules="xiangqi", out=out, jobs=1)
        games = pl.read_parquet(out / "games" / "part-*.parquet", columns=["record", "source", "index"])
        repeated = pl.read_parquet(out / "conduct" / "part-*.parquet", columns=["record"]).unique()
        found = games.join(repeated, on="record").sort("record")
        for book in BOOKS:
            ruled = pl.read_parquet(
                rulings.rule(out, book).out, columns=["record", "result", "reason", "disputed"]
            )
            words = pl.col("result").cast(pl.String) + pl.when(pl.col("disputed").is_null()).then(
                pl.lit("")
            ).otherwise(pl.lit("?"))
            why = pl.col("reason").cast(pl.String).alias(f"{book} why")
            found = found.join(ruled.select("record", words.alias(book), why), on="record")
    print("file  game  " + "  ".join(BOOKS) + "  (a ? is disputed; why by axf and cxa)")
    for row in found.iter_rows(named=True):
        said = "  ".join(f"{row[book]:6}" for book in BOOKS)
        print(f"{row['source']}  {row['index'] + 1}  {said}  {row['axf why']}, {row['cxa why']}")
    print(f"{found.height} of {games.height} games")
    for book in BOOKS:
        counts = found.group_by(book, f"{book} why").len().sort("len", descending=True).rows()
        print(f"{book}: " + ", ".join(f"{n} {result} ({why})" for result, why, n in counts))


if __name__ == "__main__":
    main(sys.argv[1:])
