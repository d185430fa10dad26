"""``caipan adjudicate``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import (
    book_option,
    clean_errors,
    encoding_option,
    jobs_option,
    only_once,
    rules_options,
    strict_option,
)
from pipeline.counts import Count

if TYPE_CHECKING:
    from pipeline.run import Summary


@click.command("adjudicate")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@rules_options
@book_option
@click.option(
    "--out",
    required=True,
    multiple=True,
    callback=only_once,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the tables.",
)
@jobs_option
@encoding_option
@strict_option
@click.option("--force", is_flag=True, help="Replace another run in the same folder.")
@clean_errors
def command(paths, rules, book, settings, out, jobs, encoding, strict, force):
    """Rule on every game of an archive; rulings go to Parquet.

    PATH is a file (a .gz one, too), a folder, a zip archive or a pattern. A run that was stopped is taken up again
    by the same command.

    \b
        caipan adjudicate games.zip more/ --rules xiangqi --book site --out rulings/
    """
    from pipeline import run

    progress = Progress(sys.stderr)
    try:
        summary = run.adjudicate(
            paths,
            rules=rules,
            book=book,
            settings=settings,
            out=out,
            jobs=jobs,
            encoding=encoding,
            force=force,
            progress=progress,
        )
    finally:
        progress.close()
    click.echo("\n".join([*table(summary), f"tables in {summary.out}"]))
    if strict and not summary.sound:
        sys.exit(1)


class Progress:
    """Games per second and time left: a bar that redraws itself on a terminal, a line every few seconds
    elsewhere."""

    TOLD_FROM = 0.1
    """Share done before which nobody knows how long the rest takes."""
    HEED = 0.2
    """Weight of what the last piece of work says of the time left, against what was said before."""

    def __init__(self, stream, every: float = 10.0, clock: Callable[[], float] = time.monotonic):
        self.stream = stream
        self.terminal = stream.isatty()
        self.every = 0.1 if self.terminal else every
        self.clock = clock
        self.start = self.shown = clock()
        self.drawn = False
        self.first: tuple[float, int] | None = None
        self.end: float | None = None

    def __call__(self, done: int, size: int, games: int) -> None:
        now = self.clock()
        left = self.left(done, size, now)
        if now - self.shown < self.every and not (self.terminal and done == size):
            return
        self.shown = now
        rate = games / max(now - self.start, 1e-9)
        text = f"{done / max(size, 1):4.0%}  {rate:,.0f} games/s"
        if left is not None:
            minutes, rest = divmod(round(left), 60)
            text += f"  {minutes}:{rest:02d} left"
        if self.terminal:
            filled = 30 * done // max(size, 1)
            self.stream.write(f"\r[{'#' * filled}{'-' * (30 - filled)}] {text}\x1b[K")
            self.drawn = True
        else:
            self.stream.write(text + "\n")
        self.stream.flush()

    def left(self, done: int, size: int, now: float) -> float | None:
        """Seconds to go; None while nobody knows.

        How fast work is done is told from the first piece on: before, workers start, and each is at one of its own.
        """
        if done == size:
            return 0.0
        if self.first is None:
            self.first = now, done
        began, before = self.first
        if done == before or done < self.TOLD_FROM * size:
            return None
        end = now + (now - began) * (size - done) / (done - before)
        self.end = end if self.end is None else self.end + self.HEED * (end - self.end)
        return max(self.end - now, 0.0)

    def close(self) -> None:
        if self.drawn:
            self.stream.write("\n")
            self.stream.flush()


_WORDS = {
    "en": {
        "games": "{n:game|games}",
        "plies": "{n:ply|plies}",
        "repeat": "{n:game that repeats|games that repeat} an earlier record",
        "contradict": "recorded {n:result|results} that the rules contradict: {end} at the last ply,"
        " {past} in {past:a record|records} played on past the end",
        "results": "results under {rules}, book {book}:",
        "open": "open",
        "reason": "{result} ({reason})",
        "claims": "claims:",
        "findings": "findings:",
        "advice": "{n} {n:record names|records name} another game: use {advice}",
        "none": "no games found: {name}",
    },
    "zh": {
        "games": "局",
        "plies": "着",
        "repeat": "局与前面的棋谱重复",
        "contradict": "局所记的结果与规则不符：末着处 {end} 局，终局之后仍在走 {past} 局",
        "results": "按规则 {rules}、规则书 {book} 的结果：",
        "open": "未完",
        "reason": "{result}（{reason}）",
        "claims": "棋谱所记的结果：",
        "findings": "发现：",
        "advice": "{n} 份棋谱注明的是别的棋种：请用 {advice}",
        "none": "没有棋局：{name}",
    },
}


def table(summary: Summary, language: str = "en") -> list[str]:
    """The summary of a run as lines of text: a column of numbers and what they count, and what was no game."""
    from pipeline import check

    words = _WORDS[language]

    def counted(name: str, number: int, **values: int) -> dict[str, int]:
        told = words[name].format(n=Count.of(number), **{key: Count.of(n) for key, n in values.items()})
        return {told: number}

    copies, contradicted = summary.duplicates, sum(summary.contradicted)
    end, past = summary.contradicted
    claims = {
        claim if language == "en" else check.word(claim, language): n for claim, n in summary.claims.items()
    }
    parts: list[tuple[str, Mapping[str, int]]] = [
        ("", counted("games", summary.games) | counted("plies", summary.plies)),
        ("", counted("repeat", copies) if copies else {}),
        ("", counted("contradict", contradicted, end=end, past=past) if contradicted else {}),
        (
            words["results"].format(rules=summary.rules, book=summary.book),
            {ended(*result, language): n for result, n in summary.results.items()},
        ),
        (words["claims"], claims),
        (words["findings"], summary.findings),
    ]
    width = len(f"{max(summary.games, summary.plies, *summary.findings.values(), 0):,}")
    lines = []
    for title, counts in parts:
        if title and counts:
            lines.append(title)
        rows = sorted(counts.items(), key=lambda item: (-item[1], item[0])) if title else counts.items()
        lines += [f"{number:>{width},}  {name}" for name, number in rows]
    for advice, number in summary.advice.most_common():
        lines.append(words["advice"].format(n=Count.of(number), advice=advice))
    return lines + troubles(summary, language)


def ended(result: str, reason: str | None, language: str = "en") -> str:
    """How a game has ended: "red (checkmate)"."""
    from adjudicator.reasons import REASON_WORDS
    from pipeline import check

    words = _WORDS[language]
    if not reason:
        return words["open"]
    if language == "zh":
        result, reason = check.word(result, language), REASON_WORDS[reason][1]
    return words["reason"].format(result=result, reason=reason)


def troubles(summary: Summary, language: str = "en") -> list[str]:
    """What a run met that was no game: a line each."""
    from pipeline import check

    lines = [_WORDS[language]["none"].format(name=name) for name in summary.without_games]
    return lines + check.troubles(summary.troubles, language)
