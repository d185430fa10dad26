"""How much different play the games hold: copies, shared openings, and what the games are worth as observations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from pipeline.reports import charts, statistics
from pipeline.reports.facts import EXCLUSIONS, THINNED, Facts
from pipeline.reports.figures import GAMES_NAMED, Column, Figure, named, sampled
from pipeline.reports.words import Words

OPENING = 40
"""The last ply at which positions are compared: the first four, and then every fourth."""


def diversity(facts: Facts, words: Words) -> Iterator[Figure | None]:
    """What repeats, and which records do not count."""
    if facts.games.height:
        yield worth(facts, words)
        yield sampled(variety(facts.sample, words), facts, words)
    yield excluded(facts, words)


def worth(facts: Facts, words: Words) -> Figure | None:
    """How many games' worth of different play there is."""
    games, records = facts.games, facts.records
    if not games.height:
        return None
    effective = float(games["weight"].sum())
    numbers, copied = records["record"], records["duplicate_of"].is_not_null()
    little = games.select("record", "weight").filter(pl.col("weight") < 0.5)
    least = little.bottom_k(GAMES_NAMED, by=["weight", "record"]).sort("weight", "record")["record"]
    rows = [
        ("records", records.height, []),
        ("copies", int(copied.sum()), numbers.filter(copied).head(GAMES_NAMED).to_list()),
        ("counted", games.height, games["record"].head(GAMES_NAMED).to_list()),
        ("little-own", little.height, least.to_list()),
        ("effective", effective, []),
    ]
    frame = pl.DataFrame(
        {
            "measure": [name for name, _, _ in rows],
            "number": [float(number) for _, number, _ in rows],
            "n": [games.height] * len(rows),
            "games": [named_games for _, _, named_games in rows],
        },
        schema_overrides={"games": pl.List(pl.UInt32)},
    )
    return Figure(
        "worth",
        words(
            "worth-finding",
            n=words.count(games.height),
            worth=words.count(effective),
            share=words.percent(effective / games.height),
        ),
        frame,
        (
            Column("measure", words("measure"), "word"),
            Column("number", words("games"), "count"),
            Column("games", words("for-example"), "games"),
        ),
        f"{words('worth-note')} {words('thinned-note', of=THINNED)}"
        if facts.thinned
        else words("worth-note"),
    )


def variety(facts: Facts, words: Words) -> Figure | None:
    """How many different positions the games that reach a ply have there."""
    ply, shared = pl.col("ply"), pl.len().over("ply", "position_key") > 1
    opening = (ply <= 4) | ((ply <= OPENING) & (ply % 4 == 0))
    found = (
        facts.few(opening, "position_key")
        .with_columns(shared=shared)
        .group_by("ply")
        .agg(
            pl.len().alias("n"),
            pl.col("position_key").n_unique().alias("different"),
            named(pl.col("shared")),
        )
        .sort("ply")
    )
    if not found.height:
        return None
    low, high = statistics.wilson(found["different"], found["n"])
    frame = found.with_columns(
        share=pl.col("different") / pl.col("n"), share_low=pl.Series(low), share_high=pl.Series(high)
    ).select("ply", "different", "share", "share_low", "share_high", "n", "games")
    drawn = frame.filter(pl.col("n") >= min(20, int(frame["n"].max())))  # type: ignore[arg-type]
    line = charts.Line(
        words("different-positions"),
        "plain",
        *(drawn[name].to_list() for name in ("ply", "share", "share_low", "share_high")),
    )
    apart = drawn.filter((pl.col("share") >= 0.95).reverse().cum_min().reverse())
    finding = (
        words("variety-finding", ply=words.count(apart["ply"][0]))
        if apart.height
        else words(
            "variety-never", ply=words.count(drawn["ply"][-1]), share=words.percent(drawn["share"][-1])
        )
    )
    return Figure(
        "variety",
        finding,
        frame,
        (
            Column("ply", words("ply"), "count"),
            Column("n", words("games"), "count"),
            Column("different", words("different-positions"), "count"),
            Column("share", words("share-different"), "share"),
            Column("games", words("games-sharing"), "games"),
        ),
        words("variety-note"),
        partial(charts.lines, [line], across=words("ply"), up=words("different-positions"), percent=True),
    )


def excluded(facts: Facts, words: Words) -> Figure | None:
    """The records that no figure counts, and why."""
    left_out = facts.records.select("record", "excluded").filter(pl.col("excluded").is_not_null())
    if not left_out.height:
        return None
    frame = (
        left_out.group_by("excluded")
        .agg(pl.len().alias("records"), named())
        .with_columns(pl.lit(facts.records.height, pl.UInt32).alias("n"))
        .sort(pl.col("excluded").replace_strict({why: k for k, why in enumerate(EXCLUSIONS)}))
        .select(why="excluded", records="records", n="n", games="games")
    )
    labels = [words(f"excluded-{why}", least=facts.min_plies) for why in frame["why"]]
    return Figure(
        "excluded",
        words("excluded-finding", n=words.count(left_out.height), of=words.count(facts.records.height)),
        frame,
        (
            Column("what", words("why")),
            Column("records", words("records"), "count"),
            Column("games", words("for-example"), "games"),
        ),
        words("excluded-note"),
        None,
        frame.with_columns(pl.Series("what", labels)),
    )
