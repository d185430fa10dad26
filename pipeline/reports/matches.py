"""The games of engine matches in a finished run: who met whom, what the record says, what the rules say, which games
are pairs."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from pipeline import rulings
from pipeline.rulings import Stored

MOVERS_FAULT = frozenset(
    {
        "illegal-move",
        "blast-own-general",
        "drop-beside-fortress",
        "drop-on-occupied",
        "drop-outside-region",
        "general-captures",
        "iron-piece",
        "king-not-placed",
        "not-in-hand",
        "promotion-impossible",
        "third-creation",
    }
)
"""Findings that say that a side made an illegal move; what else stops a record (ambiguous, unreadable) is its fault."""

ON_REPETITION = frozenset({"perpetual-check", "perpetual-chase", "perpetual-kill", "perpetual-attack"})
"""Reasons of a ruling that cost a side the game for how it repeated moves."""

LEFT_OUT = {
    "copy": "the same game once more (players, colours, event, date, round and moves)",
    "unnamed": "a player has no name",
    "same name": "both players have one name",
    "no move": "no move",
    "too short": "too few moves: the second side never moved, or fewer than --min-plies",
    "no result": "unfinished: neither the record nor the rules give a result",
}
"""Why a game is left out, in the order in which it is asked."""

_TIME = r"(?i)\b(on time|time forfeit|time loss|out of time|timeout)\b|^time$|超时|超時"
_ILLEGAL = r"(?i)illegal|违例|違例"
_BOOK = r"(?i)^\W*book\b"


def games(run: Path, book: str, *, illegal: str = "void", min_plies: int = 2) -> pl.DataFrame:
    """The games of the finished run in ``run`` as ruled by ``book``, a row for each record, in their order.

    ``recorded`` and ``ruled`` are "red", "black", "draw" or null. The recorded result stands unless the board gives
    another; after an illegal move there is none (``illegal`` "void"), or the side that made it loses ("loses").
    ``left_out`` is a key of LEFT_OUT, or null. ``pair`` numbers pairs of games, null for games alone. ``illegal``,
    ``timeout`` and ``repeater`` name the side that made an illegal move, lost on time, or loses for how it repeated.

    Raises `rulings.NoRun` and `RulesetError`.
    """
    stored = Stored.open(run)
    frame = (
        pl.scan_parquet(run / "games" / "part-*.parquet")
        .select(
            *("record", "game_id", "source", "index", "line", "event", "date", "round", "red", "black"),
            *("start_fen", "claimed", "termination", "plies_recorded", "plies_replayed"),
        )
        .join(_ruled(run, book), on="record", how="left")
        .join(_marks(run), on="record", how="left")
        .join(_faults(run), on="record", how="left")
        .with_columns(pl.col(pl.Categorical).cast(pl.String))
        .sort("record")
        .collect(engine="streaming")
    )
    frame = frame.with_columns(
        *(pl.col(name).str.strip_chars().replace({"?": None, "": None}) for name in ("red", "black")),
        recorded=pl.col("claimed").replace({"*": None, "conflicting": None}),
        board=pl.col("result").replace({"*": None}),
    )
    loser = pl.col("recorded").replace_strict({"red": "black", "black": "red"}, default=None)
    to_move = (pl.col("start_fen").str.split(" ").list.get(1, null_on_oob=True) == "b").cast(pl.UInt32)
    mover = (
        pl.when((pl.col("plies_replayed") + to_move) % 2 == 0).then(pl.lit("red")).otherwise(pl.lit("black"))
    )
    stopped = pl.col("board").is_null() & pl.col("fault").is_not_null()
    told = pl.concat_str("termination", "last_comment", separator=" ", ignore_nulls=True)
    frame = frame.with_columns(
        illegal=pl.when(stopped).then(mover).when(told.str.contains(_ILLEGAL)).then(loser),
        timeout=pl.when(told.str.contains(_TIME)).then(loser),
        repeater=pl.when(pl.col("reason").is_in(list(ON_REPETITION))).then(
            pl.col("board").replace_strict({"red": "black", "black": "red"}, default=None)
        ),
    )
    lost = pl.col("illegal").replace_strict({"red": "black", "black": "red"}, default=None)
    frame = frame.with_columns(
        ruled=pl.when(pl.col("board").is_not_null())
        .then("board")
        .when(stopped)
        .then(lost if illegal == "loses" else None)
        .otherwise("recorded"),
        reason=pl.when(stopped).then("fault").otherwise("reason"),
        ply=pl.when(stopped).then(pl.col("plies_replayed") + 1).otherwise("end_ply"),
    )
    frame = frame.with_columns(left_out=_left_out(min_plies))
    return _paired(frame, stored.rules.start)


def _ruled(run: Path, book: str) -> pl.LazyFrame:
    return pl.scan_parquet(rulings.ruled(run, book)).select(
        "record", "result", "reason", "end_ply", "disputed", "clauses", "explanation"
    )


def _faults(run: Path) -> pl.LazyFrame:
    """The illegal move at which a record stops: ``fault``, its code, and ``why``."""
    return (
        pl.scan_parquet(run / "findings" / "part-*.parquet")
        .select("record", "ply", code=pl.col("code").cast(pl.String), why="message")
        .filter(pl.col("code").is_in(list(MOVERS_FAULT)))
        .group_by("record")
        .agg(fault=pl.col("code").last(), why=pl.col("why").last())
    )


def _marks(run: Path) -> pl.LazyFrame:
    """What the moves say of a game: ``book_key``, the position after its leading book moves, ``second_key``, that after
    the second move, and ``last_comment``."""
    plies = pl.scan_parquet(run / "moves" / "part-*.parquet").select(
        "record", "ply", "position_key", comment=pl.col("comment").cast(pl.String)
    )
    of_book = pl.col("comment").str.contains(_BOOK)
    booked = (
        plies.filter(of_book)
        .group_by("record")
        .agg(pl.col("ply").max(), pl.len().alias("marked"), pl.col("position_key").sort_by("ply").last())
        .filter(pl.col("ply") == pl.col("marked"))
        .select("record", book_key="position_key")
    )
    second = plies.filter(pl.col("ply") == 2).select("record", second_key="position_key")
    last = (
        plies.filter(pl.col("comment").is_not_null())
        .group_by("record")
        .agg(last_comment=pl.col("comment").sort_by("ply").last())
    )
    return second.join(booked, on="record", how="full", coalesce=True).join(
        last, on="record", how="full", coalesce=True
    )


def _left_out(min_plies: int) -> pl.Expr:
    again = pl.struct("game_id", "red", "black", "event", "date", "round").is_first_distinct().not_()
    reasons = {
        "no move": pl.col("plies_recorded") == 0,
        "too short": (pl.col("plies_recorded") < min_plies) & pl.col("board").is_null(),
        "no result": pl.col("recorded").is_null() & pl.col("ruled").is_null(),
        "unnamed": pl.col("red").is_null() | pl.col("black").is_null(),
        "same name": pl.col("red") == pl.col("black"),
        "copy": again & (pl.col("plies_replayed") > 0),
    }
    return pl.coalesce(*(pl.when(holds).then(pl.lit(why)) for why, holds in reasons.items()))


# -- pairs -------------------------------------------------------------------------------------------


def _paired(frame: pl.DataFrame, start: str) -> pl.DataFrame:
    """``frame`` with ``pair``, the same number for two games of the same players on one opening with colours reversed.

    The opening of a game is its start position, where that is not the usual ``start``, and the moves marked as book by
    their comments. Games of one event and round ("7", or "7.1" and "7.2") pair first; then those of one event whose
    opening is known, the first with one colour with the first with the other. In a round, games whose opening nobody
    marks must share their first two moves.
    """
    known = pl.col("book_key").is_not_null() | (pl.col("start_fen") != start)
    opening = pl.struct("start_fen", pl.when(known).then("book_key").otherwise("second_key").alias("key"))
    table = frame.select(
        "record",
        "event",
        opening=opening,
        known=known,
        round=pl.col("round").str.replace(r"\.\d+$", ""),
        one=pl.min_horizontal("red", "black"),
        two=pl.max_horizontal("red", "black"),
        first=pl.col("red") < pl.col("black"),
        counts=pl.col("left_out").is_null(),
    ).filter("counts")
    in_rounds = _matched(table.filter(pl.col("round").is_not_null()), "round")
    rest = table.filter("known").join(in_rounds, on="record", how="anti")
    pairs = pl.concat([in_rounds, _matched(rest)])
    return frame.join(pairs, on="record", how="left", maintain_order="left")


def _matched(table: pl.DataFrame, *more: str) -> pl.DataFrame:
    """The games of ``table`` that have a partner: ``record`` and ``pair``, the first record of the two."""
    alike = ["event", "one", "two", "opening", *more]
    nth = table.with_columns(nth=pl.int_range(pl.len()).over([*alike, "first"]))
    return (
        nth.with_columns(
            pair=pl.col("record").min().over([*alike, "nth"]), size=pl.len().over([*alike, "nth"])
        )
        .filter(pl.col("size") == 2)
        .select("record", "pair")
    )
