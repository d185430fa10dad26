"""What a figure is: a finding in words, the numbers behind it as a table, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import polars as pl

from pipeline.reports import charts, statistics
from pipeline.reports.facts import Facts
from pipeline.reports.words import Words

Kind = Literal["text", "word", "count", "share", "number", "games"]
"""How a column is written: as it is, by a key of the words, as a number, or as the games that it names."""

GAMES_NAMED = 5
"""Games that a row of a figure names; the table of games has them all."""

NOTABLE = 0.05
"""Share of games without a recorded result from which on readers are warned of them."""


ENOUGH = 20
"""Games, or sides, that a group needs for a finding to speak of it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table that readers see. A ``share`` or ``number`` stands with its interval from the frame's
    ``NAME_low`` and ``NAME_high``, where there are any."""

    name: str
    label: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a report.

    ``name`` is that of its table, ``finding`` the sentence that stands over it, ``note`` how it was made. ``frame`` has
    the numbers: a row a bar, dot or step, ``n`` games in each, and ``games``, a few of them by record. ``draw`` makes
    the picture from it (None: the table says it all); of a long frame only ``shown`` stands on the page. ``members``
    says by ``record`` which group of the figure a game is in.
    """

    name: str
    finding: str
    frame: pl.DataFrame
    columns: Sequence[Column]
    note: str = ""
    draw: Callable[[], str] | None = None
    shown: pl.DataFrame | None = None
    members: pl.DataFrame | None = None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows that readers see."""
        return (self.frame if self.shown is None else self.shown).to_dicts()


@dataclass(frozen=True, slots=True)
class Part:
    """Figures on one question, under a heading."""

    name: str
    heading: str
    figures: list[Figure] = field(default_factory=list)


def sampled(figure: Figure | None, facts: Facts, words: Words) -> Figure | None:
    """``figure`` of ``facts.sample``, whose note says so."""
    if figure is None or facts.sample is facts:
        return figure
    part, of = words.count(facts.sample.played.height), words.count(facts.played.height)
    return replace(figure, note=f"{figure.note} {words('sample-note', n=part, of=of)}")


def named(condition: pl.Expr | None = None) -> pl.Expr:
    """The games that a row names: the first for which ``condition`` holds."""
    records = pl.col("record") if condition is None else pl.col("record").filter(condition)
    return records.unique().sort().head(GAMES_NAMED).alias("games")


def interval(name: str) -> list[str]:
    """The columns of a figure with its interval."""
    return [name, f"{name}_low", f"{name}_high"]


def with_interval(row: dict[str, Any], name: str, words: Words) -> str:
    """A share and its interval, in a sentence."""
    between = words.percents(row[f"{name}_low"], row[f"{name}_high"])
    return words("with-interval", value=words.percent(row[name]), interval=between)


def marks(frame: pl.DataFrame, name: str) -> list[charts.Mark]:
    """The rows of ``frame`` as a chart has them: ``name`` with its interval, and ``n``."""
    return [charts.Mark(*row) for row in frame.select(*interval(name), "n").iter_rows()]


def share_of(condition: pl.Expr, name: str) -> list[pl.Expr]:
    """Aggregations for `with_shares`: how many games meet ``condition`` (of those where it is not null), and what the
    games are worth together."""
    known = condition.is_not_null()
    return [
        condition.sum().alias(f"{name}_games"),
        known.sum().alias(f"{name}_n"),
        pl.col("weight").filter(known).sum().alias(f"{name}_worth"),
    ]


def with_shares(frame: pl.DataFrame, *names: str, confidence: float = statistics.CONFIDENCE) -> pl.DataFrame:
    """Add the share ``name`` with ``name_low`` and ``name_high`` for what `share_of` counted.

    The share is of the games as they are. Wilson's interval is for as many games as they are worth, since games that
    share their moves are not so many observations.
    """
    for name in names:
        k, n, worth = (frame[f"{name}_{part}"].cast(pl.Float64) for part in ("games", "n", "worth"))
        share = k / n
        low, high = statistics.wilson((share * worth).fill_nan(0), worth, confidence)
        frame = frame.with_columns(
            share.alias(name), pl.Series(f"{name}_low", low), pl.Series(f"{name}_high", high)
        )
    return frame
