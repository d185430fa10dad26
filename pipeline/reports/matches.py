"""The games of engine matches in a finished run: who met whom, what the record says, what the rules say, which games
are pairs."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from adjudicator.ruling import STOPPED
from pipeline import parts, rulings
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

OTHER_GAME = pl.col("other_variant").is_not_null()
"""Whether a record of the games table is one of another game than the run's: no move need break a rule for that."""

LEFT_OUT = {
    "other variant": "names another game than that of the rules",
    "no move": "no move",
    "too short": "too few moves: the second side never moved, or fewer than --min-plies",
    "no result": "unfinished: neither the record nor the rules give a result",
    "unnamed": "a player has no name",
    "same name": "both players have one name",
    "copy": "the same players, moves and result as an earlier game; --copies counts them, too",
}
"""Why a game is left out, in the order in which it is asked."""

_TIME = r"(?i)\b(on time|time forfeit|time loss|out of time|timeout)\b|^time$|超时|超時"
_ILLEGAL = r"(?i)\billegal move\b|rules infraction|违例|違例"
_BOOK = r"(?i)^\W*book\b"


def games(
    run: Path, book: str, *, illegal: str = "void", min_plies: int = 2, copies: bool = False
) -> pl.DataFrame:
    """The games of the finished run in ``run`` as ruled by ``book``, a row for each record, in their order.

    ``recorded`` and ``ruled`` are "red", "black", "draw" or null. The recorded result stands unless the board gives
    another; after an illegal move there is none (``illegal`` "void"), or the side that made it loses ("loses").
    ``left_out`` is a key of LEFT_OUT, or null; without ``copies`` games with the players, colours, moves and result of
    an earlier one are left out, too: they tell nothing new, whether a file or an engine repeats itself.
    ``pair`` numbers pairs of games, null for games alone. ``illegal``, ``timeout`` and ``repeater`` name the side that
    made an illegal move, lost on time, or loses for how it repeated moves.

    Raises `rulings.NoRun` and `RulesetError`.
    """
    stored = Stored.open(run)
    found = parts.each(stored, lambda part: _told(run, part)).join(_ruled(run, book), on="record", how="left")
    judged = _judged(found.sort("record"), illegal).with_columns(left_out=_left_out(min_plies, copies))
    return paired(judged, stored.rules.start)


def _told(run: Path, part: int | None) -> pl.DataFrame:
    """What the records of one part say: tags, marks of their moves, and the illegal move at which one stops (``fault``,
    its code, and ``why``)."""
    columns = ["record", "game_id", "source", "index", "line", "event", "date", "round", "red", "black"]
    columns += [
        "start_fen",
        "other_variant",
        "claimed",
        "claim",
        "termination",
        "plies_recorded",
        "plies_replayed",
    ]
    faults = (
        parts.read(run, "findings", part, ["record", "code", "message"])
        .filter(pl.col("code").is_in(list(MOVERS_FAULT)))
        .unique("record", keep="last")
        .select("record", fault="code", why="message")
    )
    fields = pl.col("start_fen").str.split(" ")
    return (
        parts.read(run, "games", part, columns)
        .with_columns(
            *(pl.col(side).str.strip_chars().replace({"?": None, "": None}) for side in ("red", "black")),
            recorded=pl.col("claimed").replace({"*": None, "conflicting": None}),
            black_first=fields.list.get(1, null_on_oob=True) == "b",
        )
        .join(_marks(run, part), on="record", how="left", maintain_order="left")
        .join(faults, on="record", how="left", maintain_order="left")
    )


def _marks(run: Path, part: int | None) -> pl.DataFrame:
    """What the moves say of a game: ``book_key``, the position after its leading book moves, ``second_key``, that after
    the second move, and ``last_comment``."""
    plies = parts.read(run, "moves", part, ["record", "ply", "position_key", "comment"])
    said = plies.filter(pl.col("comment").is_not_null())
    booked = (
        said.filter(pl.col("comment").str.contains(_BOOK))
        .group_by("record", maintain_order=True)
        .agg(pl.len(), pl.col("ply", "position_key").last())
        .filter(pl.col("ply") == pl.col("len"))
        .select("record", book_key="position_key")
    )
    second = plies.filter(pl.col("ply") == 2).select("record", second_key="position_key")
    last = said.unique("record", keep="last", maintain_order=True).select("record", last_comment="comment")
    joined = second.join(booked, on="record", how="full", coalesce=True)
    return joined.join(last, on="record", how="full", coalesce=True)


def _ruled(run: Path, book: str) -> pl.DataFrame:
    columns = ["record", "result", "reason", "end_ply", "disputed", "clauses", "explanation"]
    return pl.read_parquet(rulings.ruled(run, book), columns=columns).with_columns(
        pl.col(pl.Categorical).cast(pl.String), board=pl.col("result").cast(pl.String).replace({"*": None})
    )


def _judged(games: pl.DataFrame, illegal: str) -> pl.DataFrame:
    """``games`` with the result as ruled, its reason and ply, and which side did what."""
    loser = _other(pl.col("recorded"))
    blacks = (pl.col("plies_replayed") + pl.col("black_first")) % 2 == 1
    mover = pl.when(blacks).then(pl.lit("black")).otherwise(pl.lit("red"))
    stopped = pl.col("board").is_null() & pl.col("fault").is_not_null()
    games = games.with_columns(
        illegal=pl.when(stopped).then(mover).when(_says(_ILLEGAL)).then(loser),
        timeout=pl.when(_says(_TIME)).then(loser),
        repeater=pl.when(pl.col("reason").is_in(list(ON_REPETITION))).then(_other(pl.col("board"))),
    )
    after = _other(pl.col("illegal")) if illegal == "loses" else pl.lit(None, pl.String)
    return games.with_columns(
        ruled=pl.coalesce("board", pl.when(stopped).then(after).otherwise("recorded")),
        reason=pl.when(stopped).then("fault").otherwise("reason"),
        ply=pl.when(stopped).then(pl.col("plies_replayed") + 1).otherwise("end_ply"),
    )


def _other(side: pl.Expr) -> pl.Expr:
    return side.replace_strict({"red": "black", "black": "red"}, default=None, return_dtype=pl.String)


def _says(pattern: str) -> pl.Expr:
    """Whether the Termination tag or the last comment says so."""
    return pl.any_horizontal(
        pl.col(text).str.contains(pattern).fill_null(False) for text in ("termination", "last_comment")
    )


def _left_out(min_plies: int, copies: bool) -> pl.Expr:
    reasons = {
        "other variant": OTHER_GAME,
        "no move": pl.col("plies_recorded") == 0,
        "too short": (pl.col("plies_recorded") < min_plies) & pl.col("board").is_null(),
        "no result": pl.col("recorded").is_null() & pl.col("ruled").is_null(),
        "unnamed": pl.col("red").is_null() | pl.col("black").is_null(),
        "same name": pl.col("red") == pl.col("black"),
    }
    left_out = pl.coalesce(*(pl.when(holds).then(pl.lit(why)) for why, holds in reasons.items()))
    # Of a game's records the first that counts is the one that does.
    whole = (pl.col("plies_replayed") > 0) & ~pl.col("claim").is_in(STOPPED)
    game = pl.when(left_out.is_null() & whole).then(pl.struct("game_id", "red", "black", "recorded"))
    again = game.is_not_null() & ~game.is_first_distinct() & (not copies)
    return pl.when(again).then(pl.lit("copy")).otherwise(left_out)


# -- pairs -------------------------------------------------------------------------------------------


def paired(frame: pl.DataFrame, start: str) -> pl.DataFrame:
    """``frame`` with ``pair``, the same number for two games of the same players on one opening with colours reversed.

    The opening of a game is its start position, where that is not the usual ``start``, and the moves marked as book by
    their comments. Games of one event and round ("7", or "7.1" and "7.2") pair first; then those of one event whose
    opening is known, the first with one colour with the first with the other. In a round, games whose opening nobody
    marks must share their first two moves.
    """
    known = pl.col("book_key").is_not_null() | (pl.col("start_fen") != start)
    table = frame.select(
        "record",
        "event",
        start="start_fen",
        key=pl.when(known).then("book_key").otherwise("second_key"),
        known=known,
        round=pl.col("round").replace({"?": None, "-": None, "": None}).str.replace(r"\.\d+$", ""),
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
    alike = ["event", "one", "two", "start", "key", *more]
    record, first = pl.col("record"), pl.col("first")
    sides = table.lazy().group_by(alike).agg(its=record.filter(first), other=record.filter(~first))
    both = pl.min_horizontal(pl.col("its", "other").list.len())
    found = sides.filter(both > 0).select(pl.col("its", "other").list.head(both)).explode("its", "other")
    found = found.with_columns(pair=pl.min_horizontal("its", "other"))
    return found.unpivot(index="pair", value_name="record").select("record", "pair").collect()
