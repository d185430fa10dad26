"""Engine matches scored again: as recorded and as ruled, with what the difference does to Elo."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pipeline.reports import matches, strength
from pipeline.reports.statistics import Estimate
from pipeline.reports.strength import Bounds, Sprt
from pipeline.rulings import Stored


class NoSuchEngine(ValueError):
    """An engine is asked for that plays in no game."""


class UnlikeRuns(ValueError):
    """Runs under different rules, or by different books, were to be scored as one match."""


ACCOUNTS = ("recorded", "ruled")


@dataclass(frozen=True, slots=True)
class Standing:
    """One account of the games between two engines, seen from the first: ``pairs`` counts pairs of games by its points
    0, ½, 1, 1½, 2 and ``singles`` the games alone, as losses, draws and wins."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]
    singles: tuple[int, ...]
    elo: Estimate
    superiority: float | None
    sprt: Sprt | None

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game; NaN without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two engines and both accounts of their games; ``changed`` counts the games on which they differ, ``alone`` those
    whose result as ruled rests on the record alone."""

    first: str
    second: str
    recorded: Standing
    ruled: Standing
    changed: int
    alone: int


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine over all its games: wins, draws and losses in both accounts, and games in which it made an illegal
    move, lost on time, or threw away what the record gives it: it loses as ruled, for how it repeated moves."""

    name: str
    games: int
    recorded: tuple[int, int, int]
    ruled: tuple[int, int, int]
    illegal_moves: int
    time_losses: int
    thrown_by_repetition: int


@dataclass(frozen=True, slots=True)
class Rescored:
    """Matches scored again under one rule set and book. ``table`` has a row for each record: `matches.games`."""

    rules: str
    fingerprint: str
    book: str
    bounds: Bounds | None
    table: pl.DataFrame
    pairings: tuple[Pairing, ...]
    engines: tuple[Engine, ...]

    @property
    def counted(self) -> pl.DataFrame:
        return self.table.filter(pl.col("left_out").is_null())

    @property
    def changed(self) -> pl.DataFrame:
        """The games counted whose result as ruled is not the one recorded."""
        return self.counted.filter(pl.col("recorded").ne_missing(pl.col("ruled")))

    @property
    def confirmed(self) -> int:
        """Games counted whose recorded result the rules give, too."""
        agrees = pl.col("recorded").eq(pl.col("ruled")) & (pl.col("rests_on") == "rules")
        return self.counted.filter(agrees).height

    @property
    def alone(self) -> pl.DataFrame:
        """The games counted whose result rests on the record alone: nothing in the rules gives it."""
        return self.counted.filter(pl.col("rests_on") == "record")

    @property
    def left_out(self) -> dict[str, int]:
        """How many records are left out, by the keys of `matches.LEFT_OUT`."""
        counts = dict(self.table["left_out"].drop_nulls().value_counts().iter_rows())
        return {why: counts[why] for why in matches.LEFT_OUT if why in counts}


def rescore(
    runs: Sequence[Path],
    *,
    book: str | None = None,
    bounds: Bounds | None = None,
    engine: str | None = None,
    illegal: str = "void",
    min_plies: int = 2,
    copies: bool | None = None,
) -> Rescored:
    """Score the matches of the finished ``runs`` again as one, by ``book`` (default: the runs' own).

    ``bounds`` asks for a sequential test of each pairing. ``engine`` comes first in its pairings; otherwise engines
    come in the order in which they first play. The other options are those of `matches.games`.

    Raises `rulings.NoRun`, `RulesetError`, `NoSuchEngine`, and `UnlikeRuns`.
    """
    rules, own = _common([Stored.open(run) for run in runs], book)
    book = book or own
    table = matches.games(runs, book, illegal=illegal, min_plies=min_plies, copies=copies)
    counted = table.filter(pl.col("left_out").is_null())
    names = _names(counted, engine)
    return Rescored(
        rules["id"],
        rules["fingerprint"],
        book,
        bounds,
        table,
        tuple(_pairings(counted, names, bounds)),
        tuple(_engines(counted, names)),
    )


def _common(stored: Sequence[Stored], book: str | None) -> tuple[Any, str]:
    """The rules that all of ``stored`` are under, and their own book."""
    first = stored[0]
    for other in stored[1:]:
        for part in ("rules", "book") if book is None else ("rules",):
            one, two = ({**run.head[part], "from": None} for run in (first, other))
            if one != two:
                names = " and ".join(f"{run.run} ({run.head[part]['id']})" for run in (first, other))
                advice = (
                    "score them apart" if part == "rules" else "name one with --book, or score them apart"
                )
                what = "rules" if part == "rules" else "books"
                raise UnlikeRuns(f"runs under different {what} are no one match: {names}; {advice}")
    return first.head["rules"], first.book


def _names(counted: pl.DataFrame, engine: str | None) -> list[str]:
    """The engines, ``engine`` first and then in the order in which they first play."""
    names = (
        counted.select(pl.concat_list("red", "black").explode().unique(maintain_order=True))
        .to_series()
        .to_list()
    )
    if engine is None:
        return names
    if engine not in names:
        raise NoSuchEngine(f"no engine is called {engine}; there are {', '.join(names) or 'none'}")
    return [engine, *(name for name in names if name != engine)]


def _pairings(counted: pl.DataFrame, names: Sequence[str], bounds: Bounds | None) -> Iterator[Pairing]:
    order = pl.Enum(names)
    games = counted.select(
        "record",
        "pair",
        "rests_on",
        *ACCOUNTS,
        "red",
        red_place=pl.col("red").cast(order).to_physical(),
        black_place=pl.col("black").cast(order).to_physical(),
    ).with_columns(
        first=pl.min_horizontal("red_place", "black_place"),
        second=pl.max_horizontal("red_place", "black_place"),
    )
    games = games.with_columns(first_red=pl.col("first") == pl.col("red_place"))
    met = (
        games.group_by("first", "second")
        .agg(
            changed=pl.col("recorded").ne_missing(pl.col("ruled")).sum(),
            alone=(pl.col("rests_on") == "record").sum(),
        )
        .sort("first", "second")
    )
    accounts = [_standings(games, met, account, bounds) for account in ACCOUNTS]
    for row, recorded, ruled in zip(met.iter_rows(named=True), *accounts, strict=True):
        yield Pairing(
            names[row["first"]], names[row["second"]], recorded, ruled, row["changed"], row["alone"]
        )


def _standings(games: pl.DataFrame, met: pl.DataFrame, account: str, bounds: Bounds | None) -> list[Standing]:
    """One account of every pairing in ``met``."""
    points = (
        pl.when(pl.col(account) == "draw")
        .then(0.5)
        .otherwise((pl.col(account) == "red") == pl.col("first_red"))
    )
    scored = (
        games.filter(pl.col(account).is_not_null())
        .join(met.with_row_index("pairing"), on=["first", "second"])
        .with_columns(points=points.cast(pl.Float64), whole=pl.len().over("pair") == 2)
        # a pair of which one game has no result is a game alone
        .with_columns(unit=pl.when(pl.col("pair").is_not_null() & pl.col("whole")).then("pair"))
    )
    single = pl.col("unit").is_null()
    kinds = (
        scored.group_by("pairing", single.alias("single"), pl.coalesce("unit", "record").alias("unit"))
        .agg(pl.col("points").sum())
        .select("pairing", kind=(pl.col("points") * 2).cast(pl.Int64) + pl.col("single") * 5)
    )
    counts = np.zeros((met.height, 8), int)
    np.add.at(counts, (kinds["pairing"].to_numpy(), kinds["kind"].to_numpy()), 1)
    outcomes = np.zeros((met.height, 3), int)
    np.add.at(outcomes, (scored["pairing"].to_numpy(), (scored["points"].to_numpy() * 2).astype(int)), 1)
    standings = []
    for row, result, elo in zip(counts, outcomes.tolist(), strength.elo_differences(counts), strict=True):
        losses, draws, wins = result
        standings.append(
            Standing(
                wins,
                draws,
                losses,
                pairs=tuple(row[strength.PAIRS].tolist()),
                singles=tuple(row[strength.SINGLES].tolist()),
                elo=elo,
                superiority=strength.superiority(row) if row.any() else None,
                sprt=strength.sprt(row, bounds) if bounds else None,
            )
        )
    return standings


def _engines(counted: pl.DataFrame, names: Sequence[str]) -> Iterator[Engine]:
    sides = []
    for side, other in (("red", "black"), ("black", "red")):
        mine = [
            pl.col(account).replace_strict({side: "wins", "draw": "draws", other: "losses"}, default=None)
            for account in ACCOUNTS
        ]
        marks = [(pl.col(mark) == side).fill_null(False) for mark in ("illegal", "timeout")]
        thrown = (pl.col("repeater") == side) & pl.col("recorded").ne_missing(pl.lit(other))
        marks.append(thrown.fill_null(False).alias("thrown"))
        sides.append(counted.select(*mine, *marks, name=side))
    both = pl.concat(sides)
    sums = both.group_by("name").agg(
        pl.len().alias("games"),
        *((pl.col(a) == r).sum().alias(f"{a}_{r}") for a in ACCOUNTS for r in ("wins", "draws", "losses")),
        *(pl.col(mark).sum() for mark in ("illegal", "timeout", "thrown")),
    )
    found = {row["name"]: row for row in sums.iter_rows(named=True)}
    for name in names:
        row = found[name]
        recorded, ruled = ((row[f"{a}_wins"], row[f"{a}_draws"], row[f"{a}_losses"]) for a in ACCOUNTS)
        yield Engine(name, row["games"], recorded, ruled, row["illegal"], row["timeout"], row["thrown"])
