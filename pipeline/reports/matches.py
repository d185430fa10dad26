"""The games of engine matches in a finished run: who met whom, what the record says, what the rules say, which games
are pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
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

OTHER_SIDE = "wrong-side"
"""The finding that a record stops at a move which the other side could have made: nobody knows who made it."""

ON_REPETITION = frozenset({"perpetual-check", "perpetual-chase", "perpetual-kill", "perpetual-attack"})
"""Reasons of a ruling that cost a side the game for how it repeated moves."""

OTHER_GAME = pl.col("other_variant").is_not_null()
"""Whether a record of the games table is one of another game than the run's: no move need break a rule for that."""

LEFT_OUT = (
    *("other variant", "no move", "too short", "no result", "unnamed", "same name", "copy", "same moves"),
)
"""Why a game is left out, in the order in which it is asked."""

OFF_BOARD = {
    "length": r"(?i)\b(ply|move|length) limit\b|\bmaximum (game )?length\b|步数上限",
    "adjudication": r"(?i)adjudicat|裁定",
    "resignation": r"(?i)\bresign(s|ed|ation)?\b|认输|認輸|投子",
    "time": r"(?i)\b(on time|by time|out of time|timed out|time ?(forfeit|loss|out|over|limit))\b|^time$|超时|超時",
    "agreement": r"(?i)\bagree(d|ment)?\b|议和|議和|提和|协议",
    "abandoned": r"(?i)abandon|forfeit|unterminated|弃权|棄權",
    "illegal-move": r"(?i)\billegal move\b|rules infraction|违例|違例|犯规",
}
"""Why a game is over that the board does not end, by what its Termination tag or last comment says: the first that
fits."""

ON_BOARD = {
    "repetition": r"(?i)\brepetition|\bperpetual|重复|重複|长将|長將|长捉|長捉",
    "no-capture": r"(?i)\b(50|fifty|60|sixty)[- ]moves?\b|自然限着|自然限著",
}
"""Ends that a record may claim of which the board knows, likewise: another book may not know them."""

UNSTATED = "unstated"
"""Reason of a result that only the record claims, and does not explain."""

ALONE = (*OFF_BOARD, *ON_BOARD, OTHER_SIDE, "unread", UNSTATED)
"""Why results stand that rest on the record alone."""

BOOK = pl.col("comment").cast(pl.String).str.contains(r"(?i)^\W*book\b")
"""Whether a move is marked as one of a book by its comment; null without one."""


def games(
    runs: Sequence[Path],
    book: str,
    *,
    illegal: str = "void",
    min_plies: int = 2,
    copies: bool | None = None,
) -> pl.DataFrame:
    """The games of the finished ``runs``, which are of one rule set, as ruled by ``book``, a row for each record, in
    their order. ``record`` goes on from run to run.

    ``recorded`` and ``ruled`` are "red", "black", "draw" or null. The recorded result stands unless the board gives
    another; after an illegal move there is none (``illegal`` "void"), or the side that made it loses ("loses").
    ``rests_on`` says what the result as ruled rests on: "rules", or the "record" alone, and then ``stated`` why (a key
    of ALONE); null where there is none.
    ``left_out`` is a key of LEFT_OUT, or null. Games with the players, colours, moves and result of an earlier one are
    left out, too: they tell nothing new, whether a file or an engine repeats itself. With ``copies`` they count;
    with False all games that have the moves of an earlier one are left out. ``repeated`` says which games that count
    have them.
    ``pair`` numbers pairs of games, null for games alone. ``illegal``, ``timeout`` and ``repeater`` name the side that
    made an illegal move, lost on time, or loses for how it repeated moves.

    Raises `rulings.NoRun` and `RulesetError`.
    """
    stored = [Stored.open(run) for run in runs]
    found: list[pl.DataFrame] = []
    for one in stored:
        told = parts.each(one, partial(_told, one.run)).join(_ruled(one.run, book), on="record", how="left")
        before = sum(frame.height for frame in found)
        found.append(told.sort("record").with_columns(pl.col("record") + pl.lit(before, pl.UInt32)))
    judged = _judged(pl.concat(found, how="vertical_relaxed"), illegal).with_columns(
        left_out=_left_out(min_plies)
    )
    judged = judged.with_columns(left_out=_copies(copies))
    judged = judged.with_columns(repeated=_again("game_id"))
    return paired(judged, stored[0].rules.start)


def _told(run: Path, part: int | None) -> pl.DataFrame:
    """What the records of one part say: tags, marks of their moves, and the illegal move at which one stops (``fault``,
    its code, ``why`` and ``why_zh``), or whether it stops at one of the side that is not to move (``other_side``)."""
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
    findings = parts.read(run, "findings", part, ["record", "code", "message", "message_zh"])
    faults = (
        findings.filter(pl.col("code").is_in(list(MOVERS_FAULT)))
        .unique("record", keep="last")
        .select("record", fault="code", why="message", why_zh="message_zh")
    )
    others = findings.filter(pl.col("code") == OTHER_SIDE).select("record", other_side=True).unique()
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
        .join(others, on="record", how="left", maintain_order="left")
    )


def _marks(run: Path, part: int | None) -> pl.DataFrame:
    """What the moves say of a game: ``book_key``, the position after its leading book moves, ``second_key``, that after
    the second move, ``last_comment``, and ``thrice``, the last ply after which a position stood three times."""
    plies = parts.read(run, "moves", part, ["record", "ply", "position_key", "occurrence", "comment"])
    said = plies.filter(pl.col("comment").is_not_null())
    booked = (
        leading(said.filter(BOOK))
        .join(plies, left_on=["record", "book"], right_on=["record", "ply"])
        .select("record", book_key="position_key")
    )
    second = plies.filter(pl.col("ply") == 2).select("record", second_key="position_key")
    last = said.unique("record", keep="last", maintain_order=True).select("record", last_comment="comment")
    thrice = plies.filter(pl.col("occurrence") >= 3).group_by("record").agg(thrice=pl.col("ply").max())
    joined = second
    for more in (booked, last, thrice):
        joined = joined.join(more, on="record", how="full", coalesce=True)
    return joined


def leading(marked: pl.DataFrame) -> pl.DataFrame:
    """How many moves of a book (``book``) the games begin with that begin with any, from the plies so ``marked``, in
    their order."""
    # While none is missing, rows and plies go on alike.
    unbroken = pl.int_range(pl.len(), dtype=pl.Int64) - pl.col("ply").cast(pl.Int64)
    runs = marked.group_by("record", unbroken.alias("run")).agg(
        first=pl.col("ply").min(), book=pl.col("ply").max()
    )
    return runs.filter(pl.col("first") == 1).select("record", "book")


def _ruled(run: Path, book: str) -> pl.DataFrame:
    columns = [
        "record",
        "result",
        "reason",
        "end_ply",
        "disputed",
        "clauses",
        "explanation",
        "explanation_zh",
    ]
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
        illegal=pl.when(stopped).then(mover).when(_says(OFF_BOARD["illegal-move"], *_TOLD)).then(loser),
        timeout=pl.when(_says(OFF_BOARD["time"], *_TOLD)).then(loser),
        repeater=pl.when(pl.col("reason").is_in(list(ON_REPETITION))).then(_other(pl.col("board"))),
    )
    after = _other(pl.col("illegal")) if illegal == "loses" else pl.lit(None, pl.String)
    by_rules = pl.coalesce("board", pl.when(stopped).then(after))
    alone = by_rules.is_null() & ~stopped & pl.col("recorded").is_not_null()
    unread = pl.col("claim").is_in(STOPPED)
    repeated = pl.col("thrice") == pl.col("plies_replayed")
    told = stated(OFF_BOARD | ON_BOARD, *_TOLD)
    told = pl.when((told == UNSTATED) & repeated).then(pl.lit("repetition")).otherwise(told)
    return games.with_columns(
        ruled=pl.when(alone).then("recorded").otherwise(by_rules),
        reason=pl.when(stopped).then("fault").otherwise("reason"),
        ply=pl.when(stopped).then(pl.col("plies_replayed") + 1).otherwise("end_ply"),
        rests_on=pl.when(alone).then(pl.lit("record")).when(by_rules.is_not_null()).then(pl.lit("rules")),
        stated=pl.when(alone).then(
            pl.when("other_side").then(pl.lit(OTHER_SIDE)).when(unread).then(pl.lit("unread")).otherwise(told)
        ),
    )


def _other(side: pl.Expr) -> pl.Expr:
    return side.replace_strict({"red": "black", "black": "red"}, default=None, return_dtype=pl.String)


_TOLD = ("termination", "last_comment")
"""Columns that say how a game ended."""


def stated(reasons: Mapping[str, str], *columns: str) -> pl.Expr:
    """The first of ``reasons``, patterns by name, that one of the ``columns`` says; else UNSTATED."""
    told = (pl.when(_says(pattern, *columns)).then(pl.lit(name)) for name, pattern in reasons.items())
    return pl.coalesce(*told, pl.lit(UNSTATED))


def _says(pattern: str, *columns: str) -> pl.Expr:
    """Whether one of the ``columns`` says so."""
    return pl.any_horizontal(pl.col(text).str.contains(pattern).fill_null(False) for text in columns)


def _left_out(min_plies: int) -> pl.Expr:
    reasons = {
        "other variant": OTHER_GAME,
        "no move": pl.col("plies_recorded") == 0,
        "too short": (pl.col("plies_recorded") < min_plies) & pl.col("board").is_null(),
        "no result": pl.col("recorded").is_null() & pl.col("ruled").is_null(),
        "unnamed": pl.col("red").is_null() | pl.col("black").is_null(),
        "same name": pl.col("red") == pl.col("black"),
    }
    return pl.coalesce(*(pl.when(holds).then(pl.lit(why)) for why, holds in reasons.items()))


def _copies(copies: bool | None) -> pl.Expr:
    """``left_out`` with the games that are left out for an earlier one."""
    copy = _again("game_id", "red", "black", "recorded") & (not copies)
    moves = _again("game_id") & (copies is False)
    return pl.when(copy).then(pl.lit("copy")).when(moves).then(pl.lit("same moves")).otherwise("left_out")


def _again(*columns: str) -> pl.Expr:
    """Whether an earlier game that counts has the same ``columns``; only games that are whole can be compared."""
    whole = (pl.col("plies_replayed") > 0) & ~pl.col("claim").is_in(STOPPED)
    game = pl.when(pl.col("left_out").is_null() & whole).then(pl.struct(columns))
    return game.is_not_null() & ~game.is_first_distinct()


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
