"""What a report counts: the games of a run with how they ended, the records left out and why, and their plies.

Everything is a polars query over the run's own tables. The plies of all games are read once, for the few that weigh
and pair them; those of the games that are looked at ply by ply once more, and are then held. Which first moves are
a book's, and why a record says that a game is over, is asked of the plies with comments alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar, overload

import polars as pl

from adjudicator import Ruleset
from adjudicator.ruling import STOPPED
from pipeline import schemas, store
from pipeline.reports import matches, statistics
from pipeline.rulings import NoRun, Stored

OUTCOMES = ("red", "draw", "black")
T = TypeVar("T")

MIN_PLIES = 2
"""Plies that a record needs to count: both sides have moved."""

MANY = 2_000_000
"""Plies beyond which games are weighed by a sample of their positions."""

THINNED = 16
"""Of so many positions one is in that sample."""

MOST_GAMES = 10_000
"""Games that are looked at ply by ply; of more, about so many are a `Facts.sample`."""

MOST_BOOK = 20
"""Plies at the beginning of a game that are asked whether they are marked as a book's; a longer book counts as so
many."""

SHORTEST_CLOCK = 60
"""Plies without a capture below which no clock draws that reports compare with or books have."""

BLACK_FIRST = (pl.col("start_fen").str.splitn(" ", 3).struct.field("field_1") == "b").fill_null(False)
"""Whether Black makes the first move of a game."""

EXCLUSIONS = (
    "other-variant",
    *STOPPED,
    "no-move",
    "one-side",
    "too-short",
    "conflicting",
    "unfinished",
    "duplicate",
)
"""Why a record is not counted, the first that fits: it names another variant that is known (a name that nobody knows
may be an event's or a site's own word for this game); `STOPPED` of the claim statuses; no move; the second side never
moved; fewer plies than asked for; two results claimed; none; the same game as an earlier record that counts, or that is
left out like it."""

CLAIMED = matches.OFF_BOARD | {f"claimed-{name}": said for name, said in matches.ON_BOARD.items()}
"""Reasons that a record may state: those of the board are others than those by which the rules end a game."""

NO_GAME_LOST = ("other-variant", "duplicate")
"""Of the `EXCLUSIONS` those that take no game of these rules out of the count."""


class once(cached_property[T]):
    """A property that is found out once: other threads that ask for it meanwhile wait."""

    def __init__(self, found: Callable[[Any], T]):
        super().__init__(found)
        self._finding = RLock()

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> once[T] | T:
        with self._finding:
            return super().__get__(instance, owner)


@dataclass(frozen=True)
class Facts:
    """A finished run as its figures need it. ``min_plies`` plies make a game; ``copies`` counts repeated games, too."""

    stored: Stored
    min_plies: int = MIN_PLIES
    copies: bool = False
    step: int = 1
    """Of the records, every so manieth is looked at: more than 1 in a `sample`."""
    whole: Facts | None = None
    """Of what these are a `sample`."""

    @property
    def run(self) -> Path:
        return self.stored.run

    @once
    def rules(self) -> Ruleset:
        return self.stored.rules

    def scan(self, table: str) -> pl.LazyFrame:
        """One of the run's tables."""
        paths = [store.part_path(self.run, table, number) for number in self.stored.parts]
        if not paths:
            return pl.DataFrame(schemas.schema(table).empty_table()).lazy()
        found = pl.scan_parquet(paths)
        return found if self.step == 1 else found.filter(pl.col("record") % self.step == 0)

    @once
    def sample(self) -> Facts:
        """These facts; of very many games those of a part, which says as much of how games go and takes less time."""
        step = self._lengths.height // MOST_GAMES | 1  # odd: of pairs, games with either colour come
        return self if step == 1 else Facts(self.stored, self.min_plies, self.copies, step, self)

    def _of_whole(self, frame: pl.DataFrame) -> pl.DataFrame:
        return frame.filter(pl.col("record") % self.step == 0)

    @once
    def records(self) -> pl.DataFrame:
        """Every record: who, ``outcome`` and its ``reason``, ``plies``, and ``excluded``, null for those that count."""
        if self.whole is not None:
            return self._of_whole(self.whole.records)
        return explained(self._judged, self._last_words())

    @once
    def _judged(self) -> pl.DataFrame:
        """The `records` without the reasons that only they state: their plies need not be read for it."""
        if self.whole is not None:
            return self._of_whole(self.whole._judged)
        found = self.scan("games").select(_COLUMNS).with_columns(pl.col(pl.Categorical).cast(pl.String))
        return judged(found, self.min_plies, self.copies).collect()

    @property
    def any_counts(self) -> bool:
        """Whether there is a record that counts."""
        return self._judged["excluded"].null_count() > 0

    def _last_words(self) -> pl.LazyFrame:
        """By record its last ``comment``, and the last ply after which a position stood three times (``thrice``)."""
        said = (
            self._remarks.lazy()
            .unique("record", keep="last")
            .select("record", pl.col("comment").cast(pl.String))
        )
        thrice = self.scan("moves").filter(pl.col("occurrence") >= 3).select("record", "ply")
        last = thrice.collect(engine="streaming").lazy().group_by("record").agg(thrice=pl.col("ply").max())
        return said.join(last, on="record", how="full", coalesce=True)

    @once
    def played(self) -> pl.DataFrame:
        """The records that count."""
        if self.whole is not None:
            return self._of_whole(self.whole.played)
        return self.records.lazy().filter(pl.col("excluded").is_null()).select(_OF_GAMES).collect()

    @once
    def games(self) -> pl.DataFrame:
        """Those `played`, with ``weight``, how much of each is its own (`statistics.weights`), ``book``, how many moves
        of a book each begins with, and ``pair``, the same for two games on one opening with colours exchanged
        (`matches.paired`); plies say all of it."""
        if self.whole is not None:
            return self._of_whole(self.whole.games)
        second = (
            self.first_plies.lazy().filter(pl.col("ply") == 2).select("record", second_key="position_key")
        )
        counted = self._judged.lazy().filter(pl.col("excluded").is_null())
        met = counted.select("record", "event", "round", "red", "black", "start_fen").with_columns(
            book_key=pl.lit(None, pl.UInt64), left_out=pl.lit(None, pl.String)
        )
        met = met.join(second, on="record", how="left", maintain_order="left")
        pairs = matches.paired(met.collect(), self.rules.start).select("record", "pair")
        weights = statistics.weights(self._keys.lazy().filter(self._weighing & _PLAYED), distinct=True)
        found = pairs.join(weights, on="record", how="left", maintain_order="left")
        weight = found["weight"].fill_null(found["weight"].mean() or 1.0)
        booked = self.played.join(self.books, on="record", how="left", maintain_order="left")
        return booked.with_columns(found["pair"], pl.col("book").fill_null(0), weight)

    @once
    def books(self) -> pl.DataFrame:
        """How many moves of a book (``book``) the games begin with that begin with any."""
        early = self._remarks.lazy().filter(pl.col("ply") <= MOST_BOOK).filter(matches.BOOK)
        return matches.leading(early.select("record", "ply").collect())

    @once
    def _remarks(self) -> pl.DataFrame:
        """The plies that have a ``comment``, in their order."""
        found = self.scan("moves").filter(pl.col("comment").is_not_null()).select("record", "ply", "comment")
        return found.collect(engine="streaming")

    @once
    def happened(self) -> pl.DataFrame:
        """These `games`, with `EVENTS` counted up to their end: a record may go on after it."""
        games = self.games
        longer = games.filter(pl.col("plies_replayed") > pl.col("plies")).select("record", end="plies")
        if not longer.height:
            return games
        taken = pl.col("captured").is_not_null()
        blasting = [piece.letter for piece in self.rules.pieces if self.rules.blasts(piece)]
        after = (
            self.scan("moves")
            .filter(pl.col("record").is_in(longer["record"].implode()))
            .join(longer.lazy(), on="record")
            .filter(pl.col("ply") > pl.col("end"))
            .group_by("record")
            .agg(
                captures_after=taken.sum(),
                explosions_after=(taken & pl.col("piece").cast(pl.String).is_in(blasting)).sum(),
                drops_after=pl.col("drop").sum(),
                checks_after=pl.col("check").sum(),
            )
        )
        found = games.join(after.collect(), on="record", how="left", maintain_order="left")
        return games.with_columns(found[name] - found[f"{name}_after"].fill_null(0) for name in EVENTS)

    @property
    def thinned(self) -> bool:
        """Whether games are weighed by a part of their positions that chance chose."""
        return int(self._lengths["plies"].sum()) > MANY

    @property
    def _weighing(self) -> pl.Expr:
        first = pl.col("occurrence") == 1
        # Keys are hashes: of them one in so many is a fair sample, and of copies it takes the same positions.
        return first & (pl.col("position_key") % THINNED == 0) if self.thinned else first

    @once
    def _keys(self) -> pl.DataFrame:
        """The plies that pair and weigh games, the first two and the `_weighing`, `_with_lengths`."""
        wanted = self.scan("moves").filter((pl.col("ply") <= 2) | self._weighing)
        return self._with_lengths(wanted.select("record", "ply", "occurrence", "from", "to", "position_key"))

    @once
    def _lengths(self) -> pl.DataFrame:
        """The counted games' ``plies``, and whether Black moved first (``turned``)."""
        counted = self._judged.lazy().filter(pl.col("excluded").is_null())
        return counted.select("record", "plies", turned=BLACK_FIRST).collect()

    @once
    def first_plies(self) -> pl.DataFrame:
        """The first two plies of the counted games: ``from``, ``to`` and ``position_key``."""
        return self._keys.lazy().filter(pl.col("ply") <= 2, _PLAYED).drop("occurrence").collect()

    @once
    def moves(self) -> pl.DataFrame:
        """All plies of games so few, as of a `sample`, that they can be held, `_with_lengths`."""
        columns = [
            *_MOVES,
            *(_EXPLODING if self.rules.explodes else ()),
            *(_DROPPING if self.rules.reserves else ()),
        ]
        return self._with_lengths(self.scan("moves").select(*dict.fromkeys(columns)))

    def few(self, condition: pl.Expr, *columns: str | pl.Expr) -> pl.DataFrame:
        """The `moves` of counted games up to their end that meet ``condition``: ``record``, ``ply``, ``plies`` and the
        ``columns`` named."""
        found = self.moves.lazy().filter(condition, _PLAYED)
        return found.select("record", "ply", "plies", *columns).collect()

    def _with_lengths(self, moves: pl.LazyFrame) -> pl.DataFrame:
        """``moves`` in their order, with ``plies`` and ``turned`` of `_lengths`: 0 and null of what does not count."""
        found = moves.collect(engine="streaming")
        # Records are ordinals: their games are found by place, which is ten times as fast as a join.
        return found.with_columns(self._by_record.select(pl.all().gather(found["record"])))

    @once
    def _by_record(self) -> pl.DataFrame:
        """`_lengths` by place: the row is the record."""
        known, last = self._lengths, self._judged["record"].max() or 0
        rows = pl.DataFrame({"record": pl.int_range(int(last) + 1, dtype=pl.UInt32, eager=True)})  # type: ignore[arg-type]
        placed = rows.join(known, on="record", how="left", maintain_order="left")
        return placed.select(pl.col("plies").fill_null(0), "turned")

    @once
    def doubtful(self) -> pl.Series:
        """Records that another clock or rule book may end otherwise: a position stood three times, or the clock ran
        for long or, in this run, out."""
        drawn = self.played.filter(pl.col("reason") == "no-capture")["record"].implode()
        long = (
            (pl.col("occurrence") >= 3)
            | (pl.col("plies_since_capture") >= SHORTEST_CLOCK)
            | pl.col("record").is_in(drawn)
        )
        return (
            self.moves.lazy()
            .filter(long, pl.col("plies") > 0)
            .select(pl.col("record").unique().sort())
            .collect()["record"]
        )


def judged(games: pl.LazyFrame, min_plies: int = MIN_PLIES, copies: bool = False) -> pl.LazyFrame:
    """Rows of the games table with ``outcome`` (red, black, draw or null), the ``reason`` of the ruling, ``plies``,
    ``stopped`` (whether a move, or the start, cannot be played) and ``excluded``.

    The result is that of the ruling, or the record's own where nothing on the board ends the game. So what stops a
    record after the rules ended its game takes nothing away.
    """
    ruled = pl.col("result") != "*"
    stopped = pl.col("claim").is_in(STOPPED)
    claimed = pl.col("claimed").is_in(OUTCOMES)
    outcome = pl.when(ruled).then("result").when(claimed).then("claimed")
    plies = pl.coalesce("end_ply", "plies_replayed")
    excluded = (
        pl.when(matches.OTHER_GAME)
        .then(pl.lit("other-variant"))
        .when(~ruled & stopped)
        .then("claim")
        .when(pl.col("plies_replayed") == 0)
        .then(pl.lit("no-move"))
        .when(~ruled & (pl.col("plies_replayed") == 1) & (min_plies > 1))
        .then(pl.lit("one-side"))
        .when(~ruled & (pl.col("plies_replayed") < min_plies))
        .then(pl.lit("too-short"))
        .when(~ruled & (pl.col("claimed") == "conflicting"))
        .then(pl.lit("conflicting"))
        .when(outcome.is_null())
        .then(pl.lit("unfinished"))
    )
    # What a record that stops goes on to repeat nobody knows, but for one whose game the rules had ended before.
    known = pl.coalesce("duplicate_of", "record").cast(pl.UInt64)
    game = pl.when(ruled & stopped).then("game_id").otherwise(known)
    # Of a game's records the first that counts is the one that does, and of those left out the first is named.
    alike = pl.struct(game, excluded.is_null())
    again = ~alike.is_first_distinct() & (not copies)
    return games.with_columns(
        outcome=outcome,
        reason=pl.when(ruled).then("reason"),
        ruled=ruled,
        stopped=stopped.fill_null(False),
        plies=plies,
        excluded=pl.when(again).then(pl.lit("duplicate")).otherwise(excluded),
    )


def explained(records: pl.DataFrame, last: pl.LazyFrame) -> pl.DataFrame:
    """`judged` records, whose ``reason`` is told, too, where no rule ended the game: what its Termination tag or its
    last comment states, else that the last position stood three times.

    ``last`` has these by record, ``comment`` and ``thrice``, where there are any.
    """
    ends = records.lazy().filter(~pl.col("ruled") & pl.col("outcome").is_not_null())
    ends = (
        ends.select("record", "plies_replayed", "termination")
        .join(last, on="record", how="left")
        .collect()
        .lazy()
    )
    texts = ends.select("termination", "comment").unique()  # which are few
    told = texts.with_columns(told=matches.stated(CLAIMED, "termination", "comment"))
    repeated = (pl.col("told") == matches.UNSTATED) & (pl.col("thrice") == pl.col("plies_replayed"))
    found = ends.join(told, on=["termination", "comment"], how="left", nulls_equal=True).select(
        "record", told=pl.when(repeated).then(pl.lit("claimed-repetition")).otherwise("told")
    )
    joined = records.lazy().join(found, on="record", how="left", maintain_order="left")
    return joined.with_columns(reason=pl.coalesce("reason", "told")).drop("told").collect()


EVENTS = ("captures", "explosions", "drops", "checks")
"""What is counted by game."""

_COLUMNS = (
    "record",
    "game_id",
    "source",
    "index",
    "line",
    "event",
    "round",
    "red",
    "black",
    "termination",
    "start_fen",
    "handicap",
    "other_variant",
    "plies_replayed",
    "result",
    "reason",
    "end_ply",
    "claimed",
    "claim",
    *EVENTS,
    "duplicate_of",
)
_OF_GAMES = (
    *("record", "outcome", "reason", "ruled", "stopped", "plies", "plies_replayed", "claimed"),
    *("start_fen", "handicap", "red", "black", *EVENTS),
)
"""What figures ask of games: names and places of many games are heavy."""

_PLAYED = pl.col("ply") <= pl.col("plies")
"""Not after the end of a counted game."""

_MOVES = (
    *("record", "ply", "to", "captured", "check", "legal_replies", "position_key"),
    *("occurrence", "plies_since_capture", "mate", "stalemate"),
)
_EXPLODING = ("piece", "explosion", "lethal", "wide_check")
_DROPPING = ("piece", "drop")
"""What is asked of `Facts.moves`: of all games, and of those of rule sets with explosions and reserves."""


@contextmanager
def readable(run: Path) -> Iterator[None]:
    """Turn what polars says of a missing or damaged part of ``run`` into `NoRun`."""
    try:
        yield
    except (pl.exceptions.ComputeError, FileNotFoundError) as error:
        first: Any = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise NoRun(
            f"{run}: a table cannot be read ({first}); adjudicate with the same command again to mend it"
        ) from None
