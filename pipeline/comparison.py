"""Rule books compared over the games of one run: whose result changes, how, and how often."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset, RulesetError
from adjudicator.ruling import Ruling, no_capture_limit
from pipeline import parts, places, rulings
from pipeline.chosen import among
from pipeline.counts import Count
from pipeline.reports.sheet import name
from pipeline.reports.words import Words


@dataclass(frozen=True, slots=True)
class Comparison:
    """The ``games`` of a ``run`` by ``books``, which have what was given for them by their name.

    ``changed`` has a row for each game with more than one result, ``result`` and so on by book as ``result_axf``;
    ``changes`` counts (book, from, to) with both reasons, against the first of the books.
    """

    run: Path
    books: dict[str, str]
    games: int
    changed: pl.DataFrame
    changes: pl.DataFrame


def compare(run: Path, books: Sequence[str], games: Collection[int] = ()) -> Comparison:
    """Compare the rulings of ``run`` by ``books``, the first of which is the base; with ``games`` on those alone,
    counted from 1 over all records.

    Raises `rulings.NoRun`, `NoSuchGame`, and RulesetError for a book that cannot be used or fewer than two of them.
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
    if games:
        wanted = [number - 1 for number in among(games, joined.height)]
        joined = joined.filter(pl.col("record").is_in(wanted))
    for book, given in by_name.items():
        found = pl.read_parquet(rulings.ruled(run, given), columns=["record", *_COLUMNS])
        joined = joined.join(
            found.rename({name: f"{name}_{book}" for name in _COLUMNS}), on="record", how="left"
        )
    base = rulings.name_of(books[0])
    results = [pl.col(f"result_{book}").cast(pl.String) for book in by_name]
    differs = pl.any_horizontal(*(result != results[0] for result in results[1:]))
    counted = [
        joined.group_by(
            pl.lit(book).alias("book"),
            results[0].alias("from"),
            pl.col(f"reason_{base}").cast(pl.String).alias("from_reason"),
            pl.col(f"result_{book}").cast(pl.String).alias("to"),
            pl.col(f"reason_{book}").cast(pl.String).alias("reason"),
        ).agg(pl.len().alias("games"))
        for book in [*by_name][1:]
    ]
    changes = pl.concat(counted).filter(pl.col("from") != pl.col("to"))
    order = ["book", "games", "from", "from_reason", "to", "reason"]
    return Comparison(
        run,
        by_name,
        joined.height,
        joined.filter(differs).sort("record"),
        changes.sort(order, descending=[name == "games" for name in order]),
    )


_COLUMNS = ("result", "reason", "end_ply", "disputed")


def told(found: Comparison, most: int | None = None) -> list[dict[str, Any]]:
    """The rows of ``changed``, at ``most`` so many, each with why, by book as ``why_axf``: the ruling in the words of
    `Ruling.explain`, and why a rule by which another book ended the game does not end it by this one."""
    rows = found.changed.head(most if most is not None else found.changed.height).to_dicts()
    records = [row["record"] for row in rows]
    by_book = {book: rulings.of_records(found.run, given, records) for book, given in found.books.items()}
    for row in rows:
        ruled = {book: of[row["record"]] for book, of in by_book.items()}
        row |= {f"why_{book}": _why(ruling, ruled.values()) for book, ruling in ruled.items()}
    return rows


def _why(ruling: Ruling, others: Iterable[Ruling]) -> list[str]:
    """Why a book rules as it does, and not as the ``others``."""
    lines = [ruling.explain()] if ruling.reason else []
    return [*lines, *dict.fromkeys(filter(None, (_not_bound(ruling, other) for other in others)))]


def _not_bound(ruling: Ruling, other: Ruling) -> str | None:
    """Why the rule by which the ``other`` book ended the game no later does not end it here; None where it does."""
    if other.ply is None or (ruling.ply is not None and ruling.ply < other.ply):
        return None
    if other.reason == "no-capture" != ruling.reason:
        return _no_limit(ruling, other)
    if other.occurrences and not ruling.occurrences:
        return _no_repetition(ruling, other)
    return None


def _no_limit(ruling: Ruling, other: Ruling) -> str:
    book, rules, limit = ruling.book, ruling.rules, ruling.limit
    if not limit:
        return "no number of plies without a capture draws"
    if (limit, book.limit.checks, book.limit.discount) == (
        other.limit,
        other.book.limit.checks,
        other.book.limit.discount,
    ):
        return "repetition is tested before captures"
    return f"the limit of {limit} plies without a capture is not reached ({_origin(book, rules)})"


def _no_repetition(ruling: Ruling, other: Ruling) -> str:
    if not ruling.book.fold:
        return "no repetition is ruled on"
    if ruling.book.fold > len(other.occurrences):
        return f"a repetition is ruled on when the position stands {ruling.book.fold} times"
    return "captures are tested before repetition"


def _origin(book: RuleBook, rules: Ruleset) -> str:
    """Whose the limit without a capture is: "the book's own, before the 60 of the rule set atomic"."""
    theirs = rules.no_capture_limit
    if book.limit.plies < 0:
        whose = f"that of the rule set {rules.id}"
    elif not theirs:
        whose = f"the book's own; the rule set {rules.id} has none"
    else:
        whose = f"the book's own, before the {theirs} of the rule set {rules.id}"
    if book.limit.discount != "none":
        whose += f"; checks of one side beyond {book.limit.checks} do not count"
    return whose


def _said(result: str, reason: str | None) -> str:
    """ "draw (repetition)", "open"."""
    return f"{result} ({reason})" if reason else "open"


def report(found: Comparison, most: int = 20) -> list[str]:
    """The comparison as lines of text: at ``most`` so many games, then the sums."""
    base = next(iter(found.books))
    lines = []
    for row in told(found, most):
        players = " – ".join(name(row[side]) for side in ("red", "black") if row[side])
        head = places.game(row["source"], row["line"], row["index"], Words()) + (
            f"  {players}" if players else ""
        )
        lines.append(head)
        for book in found.books:
            reason = row[f"reason_{book}"]
            words = _said(row[f"result_{book}"], reason and f"{reason}, ply {row[f'end_ply_{book}']}")
            if row[f"disputed_{book}"]:
                words += f", disputed: {row[f'disputed_{book}']}"
            lines += [f"  {book} {words}", *(f"    {why}" for why in row[f"why_{book}"])]
    if found.changed.height > most:
        lines.append(f"… {found.changed.height - most:,} more: --list N shows them, --json has them all")
    games = Count.of(found.games)
    lines.append(f"{games} {games:game|games}, {found.changed.height:,} with different results")
    for row in found.changes.iter_rows(named=True):
        one, other = _said(row["from"], row["from_reason"]), _said(row["to"], row["reason"])
        lines.append(f"{row['games']:>7,}  {base} {one} → {row['book']} {other}")
    return [*lines, *_limits(found)]


def _limits(found: Comparison) -> list[str]:
    """The books' limits without a capture, where results turn on them."""
    reasons = [*found.changes["from_reason"], *found.changes["reason"]]
    if "no-capture" not in reasons:
        return []
    rules = rulings.Stored.open(found.run).rules
    lines = ["draws without a capture:"]
    for id_, given in found.books.items():
        book = rules.rulebook(given)
        limit = no_capture_limit(rules, book)
        lines.append(f"  {id_} " + (f"after {limit} plies ({_origin(book, rules)})" if limit else "none"))
    return lines
