"""What a report counts: the games of a run with how they ended, the records left out and why, and their plies.

Everything is a polars query over the run's own tables. Plies are never held as a whole: what figures ask of them is
counted while they stream by.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from adjudicator import Ruleset
from adjudicator.ruling import STOPPED
from pipeline import schemas, store
from pipeline.reports import matches, statistics
from pipeline.rulings import NoRun, Stored

OUTCOMES = ("red", "draw", "black")

MIN_PLIES = 2
"""Plies that a record needs to count: both sides have moved."""

MANY = 2_000_000
"""Plies beyond which games are weighed by a sample of their positions."""

MOST_GAMES = 10_000
"""Games that are looked at ply by ply; of more, about so many are a `Facts.sample`."""

SHORTEST_CLOCK = 60
"""Plies without a capture below which no clock draws that reports compare with or books have."""

BLACK_FIRST = (pl.col("start_fen").str.split(" ").list.get(1, null_on_oob=True) == "b").fill_null(False)
"""Whether Black makes the first move of a game."""

UNSTATED = "unstated"
"""Reason of a result that only the record claims, and does not explain."""

_TERMINATIONS = {
    "adjudication": ("adjudicat", "裁定"),
    "resignation": ("resign", "认输", "認輸", "投子"),
    "time": ("time", "超时", "超時"),
    "agreement": ("agree", "议和", "議和", "提和", "协议"),
    "abandoned": ("abandon", "forfeit", "unterminated", "弃权", "棄權"),
    "illegal-move": ("illegal", "infraction", "违例", "犯规"),
}
"""Reasons by what a Termination tag says, the first that fits."""

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
moved; fewer plies than asked for; two results claimed; none; the same game as an earlier record that counts."""


@dataclass(frozen=True)
class Facts:
    """A finished run as its figures need it. ``min_plies`` plies make a game; ``copies`` counts repeated games, too."""

    stored: Stored
    min_plies: int = MIN_PLIES
    copies: bool = False
    step: int = 1
    """Of the records, every so manieth is looked at: more than 1 in a `sample`."""

    @property
    def run(self) -> Path:
        return self.stored.run

    @cached_property
    def rules(self) -> Ruleset:
        return self.stored.rules

    def scan(self, table: str) -> pl.LazyFrame:
        """One of the run's tables."""
        paths = [store.part_path(self.run, table, number) for number in self.stored.parts]
        if not paths:
            return pl.DataFrame(schemas.schema(table).empty_table()).lazy()
        found = pl.scan_parquet(paths)
        return found if self.step == 1 else found.filter(pl.col("record") % self.step == 0)

    @cached_property
    def sample(self) -> Facts:
        """These facts; of very many games those of a part, which says as much of how games go and takes less time."""
        step = self.games.height // MOST_GAMES | 1  # odd: of pairs, games with either colour come
        if step == 1:
            return self
        part = Facts(self.stored, self.min_plies, self.copies, step)
        part.__dict__["records"] = self.records.filter(pl.col("record") % step == 0)
        part.__dict__["games"] = self.games.filter(pl.col("record") % step == 0)
        return part

    @cached_property
    def records(self) -> pl.DataFrame:
        """Every record: who, ``outcome`` and its ``reason``, ``plies``, and ``excluded``, null for those that count."""
        found = self.scan("games").select(_COLUMNS).with_columns(pl.col(pl.Categorical).cast(pl.String))
        return judged(found, self.min_plies, self.copies).collect()

    @cached_property
    def games(self) -> pl.DataFrame:
        """The records that count, with ``weight``, how much of each is its own (`statistics.weights`), and ``pair``,
        the same for two games on one opening with colours exchanged (`matches.paired`)."""
        games = self.records.filter(pl.col("excluded").is_null()).drop("excluded")
        second = self.first_plies.filter(pl.col("ply") == 2).select("record", second_key="position_key")
        # What joins carry is narrow: names and places of many games are heavy.
        narrow = games.select("record", "event", "round", "red", "black", "start_fen").with_columns(
            book_key=pl.lit(None, pl.UInt64), left_out=pl.lit(None, pl.String)
        )
        narrow = matches.paired(narrow.join(second, on="record", how="left"), self.rules.start)
        narrow = narrow.select("record", "pair").join(self._weights(), on="record", how="left").sort("record")
        weight = narrow["weight"].fill_null(narrow["weight"].mean() or 1.0)
        return games.sort("record").with_columns(narrow["pair"], weight)

    def _weights(self) -> pl.DataFrame:
        """`statistics.weights` of the counted games; of many, from a part of their positions that chance chose."""
        first = pl.col("occurrence") == 1
        if self._lengths["plies"].sum() > MANY:
            # Keys are hashes: one in sixteen is a fair sample, and of copies it takes the same positions.
            first &= pl.col("position_key") % 16 == 0
        return statistics.weights(self.few(first, "position_key"), distinct=True)

    @cached_property
    def _lengths(self) -> pl.DataFrame:
        """The counted games' ``plies``, and whether Black moved first (``turned``)."""
        turned = BLACK_FIRST
        counted = self.records.filter(pl.col("excluded").is_null())
        return counted.select("record", "plies", turned=turned)

    def plies(self, *columns: str) -> pl.LazyFrame:
        """The counted games' plies up to their end: ``record``, ``ply``, the ``columns`` named, and `_lengths`."""
        wanted = dict.fromkeys(("record", "ply", *columns))
        played = self.scan("moves").select(*wanted).join(self._lengths.lazy(), on="record")
        return played.filter(pl.col("ply") <= pl.col("plies"))

    def few(self, condition: pl.Expr, *columns: str | pl.Expr, **more: pl.Expr) -> pl.DataFrame:
        """The counted games' plies that meet ``condition``, in order and as a whole: as `plies` has them."""
        found = self.scan("moves").filter(condition).select("record", "ply", *columns, **more).collect()
        # Records are ordinals: their ends are found by place, which is ten times as fast as a join.
        plies = self._ends.gather(found["record"]).alias("plies")
        return found.with_columns(plies).filter(pl.col("ply") <= pl.col("plies"))

    @cached_property
    def _ends(self) -> pl.Series:
        """The counted games' ``plies`` by record; 0 for other records."""
        known, last = self._lengths, self.records["record"].max() or 0
        none = pl.Series([0], dtype=pl.UInt32).new_from_index(0, int(last) + 1)  # type: ignore[arg-type]
        return none.scatter(known["record"], known["plies"])

    @cached_property
    def first_plies(self) -> pl.DataFrame:
        """The first two plies of the counted games: ``from``, ``to`` and ``position_key``."""
        return self.few(pl.col("ply") <= 2, "from", "to", "position_key")

    @cached_property
    def doubtful(self) -> pl.Series:
        """Records that another clock or rule book may end otherwise: a position stood three times, or the clock ran."""
        long = (pl.col("occurrence") >= 3) | (pl.col("plies_since_capture") >= SHORTEST_CLOCK)
        found = self.scan("moves").filter(long).select(pl.col("record").unique().sort())
        return found.collect(engine="streaming")["record"]


def judged(games: pl.LazyFrame, min_plies: int = MIN_PLIES, copies: bool = False) -> pl.LazyFrame:
    """Rows of the games table with ``outcome`` (red, black, draw or null), ``reason``, ``plies`` and ``excluded``.

    The result is that of the ruling, or the record's own where nothing on the board ends the game.
    """
    ruled = pl.col("result") != "*"
    claimed = pl.col("claimed").is_in(OUTCOMES)
    said = pl.coalesce(pl.col("termination"), pl.lit("")).str.to_lowercase()
    told = [
        pl.when(said.str.contains_any(list(words))).then(pl.lit(name))
        for name, words in _TERMINATIONS.items()
    ]
    reason = pl.when(ruled).then("reason").otherwise(pl.coalesce(*told, pl.lit(UNSTATED)))
    outcome = pl.when(ruled).then("result").when(claimed).then("claimed")
    plies = pl.coalesce("end_ply", "plies_replayed")
    excluded = (
        pl.when(matches.OTHER_GAME)
        .then(pl.lit("other-variant"))
        .when(pl.col("claim").is_in(STOPPED))
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
    # Of a game's records the first that counts is the one that does.
    game = pl.when(excluded.is_null()).then(pl.coalesce("duplicate_of", "record"))
    again = game.is_not_null() & ~game.is_first_distinct() & (not copies)
    return games.with_columns(
        outcome=outcome,
        reason=pl.when(outcome.is_not_null()).then(reason),
        ruled=ruled,
        plies=plies,
        excluded=pl.when(again).then(pl.lit("duplicate")).otherwise(excluded),
    )


_COLUMNS = (
    "record",
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
    "captures",
    "explosions",
    "drops",
    "checks",
    "duplicate_of",
    "other_tags",
)


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
