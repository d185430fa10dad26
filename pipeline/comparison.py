"""Rule books compared over the games of one run: whose result changes, how, and how often."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from adjudicator.reasons import REASON_WORDS
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


def told(found: Comparison, most: int | None = None, words: Words | None = None) -> list[dict[str, Any]]:
    """The rows of ``changed``, at ``most`` so many, each with why, by book as ``why_axf``: the ruling in the words of
    `Ruling.explain`, and why a rule by which another book ended the game does not end it by this one. In English,
    or the language of ``words``."""
    words = words or Words()
    rows = found.changed.head(most if most is not None else found.changed.height).to_dicts()
    records = [row["record"] for row in rows]
    by_book = {book: rulings.of_records(found.run, given, records) for book, given in found.books.items()}
    for row in rows:
        ruled = {book: of[row["record"]] for book, of in by_book.items()}
        row |= {f"why_{book}": _why(ruling, ruled.values(), words) for book, ruling in ruled.items()}
    return rows


def _why(ruling: Ruling, others: Iterable[Ruling], words: Words) -> list[str]:
    """Why a book rules as it does, and not as the ``others``."""
    lines = [ruling.explain(words.language)] if ruling.reason else []
    return [*lines, *dict.fromkeys(filter(None, (_not_bound(ruling, other, words) for other in others)))]


def _not_bound(ruling: Ruling, other: Ruling, words: Words) -> str | None:
    """Why the rule by which the ``other`` book ended the game no later does not end it here; None where it does."""
    if other.ply is None or (ruling.ply is not None and ruling.ply < other.ply):
        return None
    if other.reason == "no-capture" != ruling.reason:
        return _no_limit(ruling, other, words)
    if other.occurrences and not ruling.occurrences:
        return _no_repetition(ruling, other, words)
    return None


def _no_limit(ruling: Ruling, other: Ruling, words: Words) -> str:
    book, rules, limit = ruling.book, ruling.rules, ruling.limit
    if not limit:
        return words("books-no-limit")
    if (limit, book.limit.checks, book.limit.discount) == (
        other.limit,
        other.book.limit.checks,
        other.book.limit.discount,
    ):
        return words("books-repetition-first")
    return words("books-limit-not-reached", limit=limit, origin=_origin(book, rules, words))


def _no_repetition(ruling: Ruling, other: Ruling, words: Words) -> str:
    if not ruling.book.fold:
        return words("books-no-repetition")
    if ruling.book.fold > len(other.occurrences):
        return words("books-fold", fold=ruling.book.fold)
    return words("books-captures-first")


def _origin(book: RuleBook, rules: Ruleset, words: Words) -> str:
    """Whose the limit without a capture is: "the book's own, before the 60 of the rule set atomic"."""
    theirs = rules.no_capture_limit
    if book.limit.plies < 0:
        whose = words("books-limit-of-rules", rules=rules.id)
    elif not theirs:
        whose = words("books-limit-alone", rules=rules.id)
    else:
        whose = words("books-limit-before", rules=rules.id, theirs=theirs)
    if book.limit.discount != "none":
        whose += words("books-discount", checks=book.limit.checks)
    return whose


def _result(result: str, words: Words) -> str:
    return words("books-open") if result == "*" else words(f"match-{result}")


def _said(result: str, reason: str | None, words: Words, ply: int | None = None) -> str:
    """ "draw (repetition)", "draw (repetition, ply 41)", "open"."""
    if not reason:
        return words("books-open")
    called = REASON_WORDS[reason][1] if words.language == "zh" else reason
    if ply is None:
        return words("books-result", result=_result(result, words), reason=called)
    return words("match-changed-by", change=_result(result, words), reason=called, ply=ply)


def report(found: Comparison, most: int = 20, language: str = "en") -> list[str]:
    """The comparison as lines of text: at ``most`` so many games, then the sums."""
    words = Words(language)
    base = next(iter(found.books))
    lines = []
    for row in told(found, most, words):
        players = " – ".join(name(row[side]) for side in ("red", "black") if row[side])
        head = places.game(row["source"], row["line"], row["index"], words) + (
            f"  {players}" if players else ""
        )
        lines.append(head)
        for book in found.books:
            reason = row[f"reason_{book}"]
            said = _said(row[f"result_{book}"], reason, words, row[f"end_ply_{book}"])
            if disputed := row[f"disputed_{book}"]:
                others = (_result(result, words) for result in disputed.split(" or "))
                said += words("books-disputed", result=words("match-or").join(others))
            lines += [f"  {book} {said}", *(f"    {why}" for why in row[f"why_{book}"])]
    if found.changed.height > most:
        lines.append(words("books-more", n=Count.of(found.changed.height - most)))
    lines.append(words("books-games", n=Count.of(found.games), changed=Count.of(found.changed.height)))
    for row in found.changes.iter_rows(named=True):
        one, other = _said(row["from"], row["from_reason"], words), _said(row["to"], row["reason"], words)
        lines.append(f"{row['games']:>7,}  {base} {one} → {row['book']} {other}")
    return [*lines, *_limits(found, words)]


def _limits(found: Comparison, words: Words) -> list[str]:
    """The books' limits without a capture, where results turn on them."""
    reasons = [*found.changes["from_reason"], *found.changes["reason"]]
    if "no-capture" not in reasons:
        return []
    rules = rulings.Stored.open(found.run).rules
    lines = [words("books-limits")]
    for id_, given in found.books.items():
        book = rules.rulebook(given)
        limit = no_capture_limit(rules, book)
        origin = _origin(book, rules, words)
        said = words("books-limit", limit=limit, origin=origin) if limit else words("books-none")
        lines.append(f"  {id_} {said}")
    return lines
