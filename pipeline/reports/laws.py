"""Which rules decide games, and what the results would be under other options."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl
import pyarrow as pa

from adjudicator.conduct import suits
from adjudicator.rulebook import RuleBook
from adjudicator.ruling import no_capture_limit
from pipeline import rulings, schemas
from pipeline.reports import charts
from pipeline.reports.balance import cautioned, mixing, reason_word, selected, with_starts
from pipeline.reports.facts import OUTCOMES, Facts
from pipeline.reports.figures import Column, Figure, interval, marks, named, sampled, share_of, with_shares
from pipeline.reports.words import Words

CLOCKS = (60, 120, 0)
"""Limits of plies without a capture to compare with; 0: none."""
BOOKS = ("site", "site-draw", "axf", "wxf", "cxa")
"""Rule books to compare with; those beyond the second judge chases, which not every rule set can tell."""
_FOLD = 3
"""The fewest occurrences on which any book rules."""


def laws(facts: Facts, words: Words) -> Iterator[Figure | None]:
    """Rules that bite."""
    decided = cautioned(rules_that_decide(facts, words), selected(facts, words).brief)
    yield mixing(decided, with_starts(facts.played, facts.rules), words)
    found = mixing(options(facts.sample, words), with_starts(facts.sample.played, facts.rules), words)
    yield sampled(found, facts, words)


def rules_that_decide(facts: Facts, words: Words) -> Figure | None:
    """How often each rule ended a game, of all that count; records stopped by an illegal move stand beside them."""
    games = facts.games
    if not games.height:
        return None
    worth = pl.lit(games["weight"].sum())
    counted = (
        games.select("record", "outcome", rule=pl.when("ruled").then("reason").otherwise(pl.lit("none")))
        .group_by("rule")
        .agg(
            pl.len().alias("share_games"),
            pl.lit(games.height, pl.UInt32).alias("share_n"),
            worth.alias("share_worth"),
            *((pl.col("outcome") == outcome).sum().alias(outcome) for outcome in OUTCOMES),
            named(),
        )
        .sort([pl.col("rule") == "none", "share_games", "rule"], descending=[False, True, False])
    )
    frame = with_shares(counted, "share").select(
        "rule", pl.col("share_games").alias("decided"), *OUTCOMES, *interval("share"),
        pl.col("share_n").alias("n"), "games",
    )  # fmt: skip
    labels = [words("no-rule") if rule == "none" else reason_word(rule, words) for rule in frame["rule"]]
    board = 1 - sum(row["share"] for row in frame.iter_rows(named=True) if row["rule"] == "none")
    return Figure(
        "rules",
        words("rules-finding", share=words.percent(board), n=words.count(games.height)),
        frame,
        (
            Column("what", words("rule")),
            Column("decided", words("games"), "count"),
            Column("red", words("red"), "count"),
            Column("draw", words("draw"), "count"),
            Column("black", words("black"), "count"),
            Column("share", words("share-of-games"), "share"),
            Column("games", words("for-example"), "games"),
        ),
        words("rules-note"),
        partial(
            charts.bars,
            marks(frame, "share"),
            labels=labels,
            tones=["soft" if rule == "none" else "plain" for rule in frame["rule"]],
            words=words,
            label=words("share-of-games"),
        ),
        frame.with_columns(pl.Series("what", labels)),
    )


def options(facts: Facts, words: Words) -> Figure | None:
    """The results with the clock or the rule book changed, ruled again from the stored plies."""
    games = facts.games
    if not games.height:
        return None
    games = games.select(
        "record", "outcome", "weight", "ruled", "stopped", "plies", "plies_replayed", "claimed"
    )
    rows = [_row("as-played", words("as-played"), games, games)]
    variants = _variants(facts, words)
    # Only games in which a position stood three times or the clock ran for long can end otherwise.
    part = _Doubtful(facts) if len(facts.doubtful) else None
    for name, label, book in variants:
        rows.append(_row(name, label, games, _ruled_again(games, part, book)))
    frame = pl.concat(rows)
    changed = frame.filter(pl.col("changed") > 0)
    if changed.height:
        most = changed.sort("changed", descending=True).row(0, named=True)
        finding = words(
            "options-finding",
            option=most["label"],
            changed=words.count(most["changed"]),
            open=words("options-open", open=words.count(most["open"])) if most["open"] else "",
            n=words.count(games.height),
        )
    else:
        finding = words("options-alike", n=words.count(games.height))
    return Figure(
        "options",
        finding,
        frame.drop("label"),
        (
            Column("label", words("option")),
            Column("red", words("red"), "count"),
            Column("draw", words("draw"), "count"),
            Column("black", words("black"), "count"),
            Column("open", words("would-go-on"), "count"),
            Column("changed", words("changed"), "count"),
            Column("share", words("red-of-decided"), "share"),
            Column("games", words("games-changed"), "games"),
        ),
        words("options-note"),
        None,
        frame,
    )


def _variants(facts: Facts, words: Words) -> list[tuple[str, str, RuleBook]]:
    """Options to compare with: name, what they are called, and the book that has them."""
    rules, own = facts.rules, facts.stored.head["book"]["id"]
    given = facts.stored.book_options
    book = RuleBook.load(own, given)
    limit = no_capture_limit(rules, book)
    found = [
        (
            f"no-capture-{plies}",
            words("clock-option", plies=plies) if plies else words("no-clock-option"),
            RuleBook.load(own, given | {"limit.plies": plies}),
        )
        for plies in CLOCKS
        if plies != limit
    ]
    if not rules.creations:  # where a third creation is illegal, no book has anything to rule on
        for name in BOOKS if suits(rules) else BOOKS[:2]:
            if name != own:
                found.append((f"book-{name}", words("book-option", book=name), RuleBook.load(name, given)))
    return found


class _Doubtful(rulings.Part):
    """The facts of the records that can end otherwise, whatever part of the run they are in."""

    def __init__(self, facts: Facts):
        self._facts = facts
        super().__init__(facts.run, 0, facts.rules)

    def read(self, table: str, columns: list[str]) -> pa.Table:
        """Columns of one of the run's tables, as its parts have them."""
        held = {"games": self._facts.records, "moves": self._facts.moves}.get(table)
        rows = held.lazy() if held is not None and {*columns} <= {*held.columns} else self._facts.scan(table)
        doubtful = pl.col("record").is_in(self._facts.doubtful.implode())
        found = rows.filter(doubtful).select(columns)
        schema = schemas.schema(table)
        words = [name for name in columns if pa.types.is_dictionary(schema.field(name).type)]
        plain = found.with_columns(pl.col(words).cast(pl.String)).collect().to_arrow()
        return pa.table(
            [_as(plain[name].combine_chunks(), schema.field(name).type) for name in columns], names=columns
        )


def _as(column: pa.Array, kind: pa.DataType) -> pa.Array:
    if not pa.types.is_dictionary(kind):
        return column.cast(kind)
    words = column.cast(kind.value_type).dictionary_encode()
    return pa.DictionaryArray.from_arrays(words.indices.cast(kind.index_type), words.dictionary)


def _ruled_again(games: pl.DataFrame, part: rulings.Part | None, book: RuleBook) -> pl.DataFrame:
    """``games``, those of ``part`` as ``book`` ends them; ``outcome`` is null where play would have gone on."""
    columns = rulings.no_rulings()
    if part is not None:
        part.rule(book, False, columns)
    again = pl.DataFrame(
        {"record": columns["record"], "again": columns["result"]},
        schema={"record": pl.UInt32, "again": pl.String},
    )
    # The record's own result stands, unless it was the rule's, or nobody could play on to it.
    own = ~pl.col("ruled") | ((pl.col("plies") < pl.col("plies_replayed")) & ~pl.col("stopped"))
    claimed = pl.when(own & pl.col("claimed").is_in(OUTCOMES)).then("claimed")
    return games.join(again, on="record", how="left", maintain_order="left").with_columns(
        outcome=pl.when(pl.col("again").is_null())
        .then("outcome")
        .when(pl.col("again") != "*")
        .then("again")
        .otherwise(claimed)
    )


def _row(name: str, label: str, before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    changed = after.with_columns(before=before["outcome"]).filter(
        pl.col("outcome").ne_missing(pl.col("before"))
    )
    won = pl.when(pl.col("outcome").is_in(["red", "black"])).then(pl.col("outcome") == "red")
    counted = after.select(
        pl.lit(name).alias("option"),
        pl.lit(label).alias("label"),
        *((pl.col("outcome") == outcome).sum().alias(outcome) for outcome in OUTCOMES),
        pl.col("outcome").is_null().sum().alias("open"),
        pl.lit(changed.height, pl.UInt32).alias("changed"),
        *share_of(won, "share"),
        games=pl.lit(changed.select(named()).to_series().implode()),
    )
    return with_shares(counted, "share").select(
        "option",
        "label",
        *OUTCOMES,
        "open",
        "changed",
        *interval("share"),
        pl.col("share_n").alias("n"),
        "games",
    )
