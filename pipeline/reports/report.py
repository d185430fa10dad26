"""A report: the figures of each run, what they say in short, and the games that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import polars as pl

from pipeline import __version__
from pipeline.reports import boards
from pipeline.reports.artist import Artist
from pipeline.reports.balance import balance
from pipeline.reports.course import course
from pipeline.reports.diversity import diversity
from pipeline.reports.facts import MIN_PLIES, Facts, readable
from pipeline.reports.figures import Column, Figure, Part, interval, share_of, with_shares
from pipeline.reports.laws import laws
from pipeline.reports.words import Words
from pipeline.rulings import Stored

IN_SHORT = (
    "first_move",
    "results",
    "reasons",
    "ahead",
    "lengths",
    "explosions",
    "drops",
    "recovery",
    "options",
    "worth",
)
"""Figures whose finding leads the report, in this order."""


@dataclass(frozen=True, slots=True)
class Section:
    """What one run says. ``title`` is that of its rule set, ``games`` has the games that its figures name."""

    name: str
    title: str
    facts: Facts
    parts: list[Part]
    games: pl.DataFrame

    @property
    def heading(self) -> str:
        """The title of its rule set, and what run of several it is."""
        return self.title if self.name == _slug(self.facts.rules.id) else f"{self.title} – {self.name}"

    @property
    def figures(self) -> list[Figure]:
        return [figure for part in self.parts for figure in part.figures]

    def in_short(self) -> list[Figure]:
        by_name = {figure.name: figure for figure in self.figures}
        return [by_name[name] for name in IN_SHORT if name in by_name]


@dataclass(frozen=True, slots=True)
class Report:
    """Sections of one run each, and what can be said of them together (None for one run)."""

    title: str
    words: Words
    sections: list[Section]
    across: Figure | None
    version: str = __version__


def report(
    runs: Sequence[Path],
    *,
    language: str = "en",
    title: str | None = None,
    min_plies: int = MIN_PLIES,
    copies: bool = False,
    artist: Artist | None = None,
) -> Report:
    """The report of finished runs, a section for each. Raises `rulings.NoRun`, and RulesetError for rules gone.

    An ``artist`` draws the charts from when each can be; otherwise whoever shows them does.
    """
    words = Words(language)
    sections: list[Section] = []
    found = [Facts(Stored.open(run), min_plies, copies) for run in runs]
    for facts, name in zip(found, _names(found), strict=True):
        with readable(facts.run):
            sections.append(_section(facts, words, name, artist))
    if title is None:
        title = (
            words("title", rules=sections[0].title)
            if len(sections) == 1
            else words("title-several", n=len(sections))
        )
    together = {section.name: section.facts.games for section in sections}
    return Report(title, words, sections, across(together, words) if len(sections) > 1 else None)


def _names(found: Sequence[Facts]) -> list[str]:
    """What the section of each run is called: by its rule set; runs of one rule set by their folders."""
    ids = [facts.rules.id for facts in found]
    names: list[str] = []
    for facts, rules in zip(found, ids, strict=True):
        wanted = _slug(rules if ids.count(rules) == 1 else facts.run.resolve().name)
        name, number = wanted, 2
        while name in names:
            name, number = f"{wanted}-{number}", number + 1
        names.append(name)
    return names


def _slug(name: str) -> str:
    """``name``, which whoever wrote the rule file or made the run chose, as a place in the page and a folder."""
    return re.sub(r"\W+", "-", name).strip("-") or "run"


def _section(facts: Facts, words: Words, name: str, artist: Artist | None) -> Section:
    # Reading and counting release Python's lock, so all is done beside each other, what takes longest first.
    with ThreadPoolExecutor() as pool:
        if facts.any_counts:
            pool.submit(getattr, facts.sample, "moves")
            pool.submit(getattr, facts, "games")
            pool.submit(getattr, facts, "records")
            made = {
                make: pool.submit(_part, make, facts, words, artist)
                for make in (course, laws, balance, diversity)
            }
            parts = [made[make].result() for make in (balance, course, laws, diversity)]
        else:
            parts = [_part(diversity, facts, words, artist)]
    title = facts.rules.chinese_title if words.language == "zh" else facts.rules.title
    return Section(name, title, facts, [part for part in parts if part.figures], _named(facts, parts))


def _part(
    make: Callable[[Facts, Words], Iterator[Figure | None]], facts: Facts, words: Words, artist: Artist | None
) -> Part:
    figures = (figure for figure in make(facts, words) if figure is not None)
    return Part(
        make.__name__,
        words(make.__name__),
        [_in_work(figure, artist) if artist else figure for figure in figures],
    )


def _in_work(figure: Figure, artist: Artist) -> Figure:
    """``figure`` with its chart in the hands of ``artist``; maps take no time and stay."""
    quick = isinstance(figure.draw, partial) and figure.draw.func is boards.heat
    if figure.draw is None or quick or not figure.rows:
        return figure
    return replace(figure, draw=artist.draw(figure.draw))


def _named(facts: Facts, parts: Sequence[Part]) -> pl.DataFrame:
    """The games that figures name."""
    numbers: set[int] = set()
    for part in parts:
        for figure in part.figures:
            for row in figure.rows:
                numbers.update(row.get("games") or ())
    return facts.records.filter(pl.col("record").is_in(sorted(numbers))).sort("record")


def across(games: Mapping[str, pl.DataFrame], words: Words) -> Figure:
    """Decided against drawn by run. Nothing is added up by seat: Red of one game is not Red of another."""
    frame = pl.concat(
        with_shares(counted.select(*share_of(pl.col("outcome") != "draw", "share")), "share").select(
            pl.lit(name).alias("run"),
            pl.col("share_games").alias("decisive"),
            (pl.col("share_n") - pl.col("share_games")).alias("draw"),
            *interval("share"),
            pl.col("share_n").alias("n"),
        )
        for name, counted in games.items()
    )
    sums = frame.select(pl.lit(words("together")).alias("run"), pl.col("decisive", "draw", "n").sum())
    return Figure(
        "across",
        words("across-finding", **{name: words.count(sums[name][0]) for name in ("decisive", "draw", "n")}),
        frame,
        (
            Column("run", words("run")),
            Column("n", words("games"), "count"),
            Column("decisive", words("decisive"), "count"),
            Column("draw", words("drawn"), "count"),
            Column("share", words("share-decided"), "share"),
        ),
        words("across-note"),
        None,
        pl.concat([frame, sums], how="diagonal"),
    )
