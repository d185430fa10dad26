"""Rule books compared over the games of one run: whose result changes, how, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from adjudicator.ruleset import RulesetError
from pipeline import parts, rulings
from pipeline.counts import Count


@dataclass(frozen=True, slots=True)
class Comparison:
    """``changed`` has a row for each game with more than one result, ``result`` and so on by book as
    ``result_axf``; ``changes`` counts (book, from, to) against the first of ``books``."""

    books: tuple[str, ...]
    games: int
    changed: pl.DataFrame
    changes: pl.DataFrame


def compare(run: Path, books: Sequence[str]) -> Comparison:
    """Compare the rulings of ``run`` by ``books``, the first of which is the base.

    Raises `rulings.NoRun`, and RulesetError for a book that cannot be used or fewer than two of them.
    """
    by_name = {rulings.name_of(book): book for book in books}
    if len(by_name) < 2:
        raise RulesetError(["give at least two different books to compare"])
    if len(by_name) < len(set(books)):
        raise RulesetError(["two of the books have one name"])
    stored = rulings.Stored.open(run)
    for given in by_name.values():
        stored.rules.rulebook(given)  # refuse a wrong one before the right ones are worked
    columns = ["record", "source", "index", "line", "red", "black", "event"]
    joined = parts.each(stored, lambda part: parts.read(run, "games", part, columns))
    books = tuple(by_name)
    for book, given in by_name.items():
        found = pl.read_parquet(rulings.ruled(run, given), columns=["record", *_COLUMNS])
        joined = joined.join(
            found.rename({name: f"{name}_{book}" for name in _COLUMNS}), on="record", how="left"
        )
    results = [pl.col(f"result_{book}").cast(pl.String) for book in books]
    differs = pl.any_horizontal(*(result != results[0] for result in results[1:]))
    counted = [
        joined.group_by(
            pl.lit(book).alias("book"),
            results[0].alias("from"),
            pl.col(f"result_{book}").cast(pl.String).alias("to"),
            pl.col(f"reason_{book}").cast(pl.String).alias("reason"),
        ).agg(pl.len().alias("games"))
        for book in books[1:]
    ]
    changes = pl.concat(counted).filter(pl.col("from") != pl.col("to"))
    return Comparison(
        books,
        joined.height,
        joined.filter(differs).sort("record"),
        changes.sort(
            ["book", "games", "from", "to", "reason"], descending=[False, True, False, False, False]
        ),
    )


_COLUMNS = ("result", "reason", "end_ply", "disputed")


def report(found: Comparison, most: int = 20) -> list[str]:
    """The comparison as lines of text: at ``most`` so many games, then the sums."""
    base = found.books[0]
    lines = []
    for row in found.changed.head(most).iter_rows(named=True):
        players = " – ".join(filter(None, (row["red"], row["black"])))
        head = f"{row['source']}:{row['line']}  game {row['index'] + 1}" + (f"  {players}" if players else "")
        said = []
        for book in found.books:
            words = row[f"result_{book}"]
            if row[f"reason_{book}"]:
                words += f" ({row[f'reason_{book}']}, ply {row[f'end_ply_{book}']})"
            if row[f"disputed_{book}"]:
                words += f", disputed: {row[f'disputed_{book}']}"
            said.append(f"{book} {words}")
        lines += [head, *(f"  {text}" for text in said)]
    if found.changed.height > most:
        lines.append(f"… {found.changed.height - most:,} more: --list N shows them, --json has them all")
    games = Count.of(found.games)
    lines.append(f"{games} {games:game|games}, {found.changed.height:,} with different results")
    for row in found.changes.iter_rows(named=True):
        why = f" ({row['reason']})" if row["reason"] else ""
        lines.append(f"{row['games']:>7,}  {base} {row['from']} → {row['book']} {row['to']}{why}")
    return lines
