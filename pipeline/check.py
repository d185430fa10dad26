"""Records read, replayed and ruled, one after the other, for people: what is wrong and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from adjudicator import Adjudication
from adjudicator.batch import replay_batch
from adjudicator.ruling import CLAIMS, DECIDED
from notation import handicap
from notation.finding import SEVERITIES, Finding, Severity
from notation.tags import value_of
from pipeline import places, shards, sources
from pipeline.chosen import among
from pipeline.counts import Count
from pipeline.stages import Options


@dataclass(slots=True)
class Checked:
    """One record with its ruling, or, with ``ruled`` None, what is wrong with a whole file.

    ``line`` is where the record begins in ``source``, 0 in a format without lines; ``game`` counts from 1, as people
    do.
    """

    source: str
    findings: list[Finding] = field(default_factory=list)
    line: int | None = None
    game: int | None = None
    ruled: Adjudication | None = None

    @property
    def sound(self) -> bool:
        """No finding above a note."""
        return all(finding.severity == "note" for finding in self.findings)

    def shown(self, severity: Severity) -> list[Finding]:
        """The findings that are at least as grave as ``severity``."""
        grave = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return [finding for finding in self.findings if finding.severity in grave]

    @property
    def left_aside(self) -> bool:
        """Whether this is a file or folder in which no record was looked for."""
        return any(finding.code == "left-aside" for finding in self.findings)


def check(
    paths: Iterable[Path | str],
    *,
    rules: str,
    book: str | None = None,
    settings: Mapping[str, Any] | None = None,
    encoding: str | None = None,
    games: Collection[int] = (),
) -> Iterator[Checked]:
    """Every record under ``paths`` in order; with ``games`` only those, counted from 1 over all of them.

    Raises as `run.adjudicate` does, and `NoSuchGame`.
    """
    options = Options.of(rules, book, settings, encoding)
    ruleset = options.ruleset()
    rulebook = options.rulebook()
    listing = sources.find(paths)
    plan = shards.plan(listing.sources, encoding)
    for finding in [*listing.findings, *plan.findings, *listing.barren(plan.games)]:
        yield Checked(finding.source or "", [finding])
    wanted = frozenset(among(games, sum(shard.games for shard in plan.shards)))
    for shard in plan.shards:
        number = shard.record + 1
        for piece in shard.pieces:
            numbers = range(number, number + piece.games)
            number += piece.games
            if wanted and wanted.isdisjoint(numbers):
                continue
            batch = piece.read(options.encoding)
            result = replay_batch(batch, ruleset, rulebook)
            by_game: dict[int | None, list[Finding]] = {}
            for finding in placed([*batch.findings, *result.findings], piece.source):
                by_game.setdefault(finding.game, []).append(finding)
            if None in by_game:
                yield Checked(piece.source.name, by_game[None])
            for game in range(len(batch)):
                if wanted and numbers.start + game not in wanted:
                    continue
                findings = sorted(by_game.get(game, []), key=lambda finding: finding.place)
                ruled = Adjudication(batch, result, game, ruleset, rulebook, findings)
                yield Checked(piece.source.name, findings, batch.line[game], batch.index[game] + 1, ruled)


def placed(findings: list[Finding], source: sources.Source) -> list[Finding]:
    """``findings`` in ``source``, told whether their bytes are those of a file or of what is unpacked of it."""
    for finding in findings:
        finding.unpacked = source.packed or source.container == "cbl"
    return findings


# -- the report --------------------------------------------------------------------------------------

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "game": "game {game}",
        "ply": "ply {ply}",
        "line": "line {line}",
        "byte": "byte {byte}",
        "unpacked": "byte {byte} unpacked",
        "read": "read: {text}",
        "possible": "possible: {moves}",
        "perhaps": "perhaps: {suggestion}",
        "handicap": "handicap: {text}",
        "replayed": "{played} of {recorded} {recorded:ply|plies} replayed",
        "claim": "claim {claim}: {meaning}",
        "claimed": "the record says {claimed}",
        "aside": "{count} left aside: {names}",
        "more": " and {count} more",
        "total": "{games} {games:game|games}, {findings} {findings:finding|findings}",
    },
    "zh": {
        "game": "第 {game} 局",
        "ply": "第 {ply} 着",
        "line": "第 {line} 行",
        "byte": "第 {byte} 字节",
        "unpacked": "解压后第 {byte} 字节",
        "read": "原文:{text}",
        "possible": "可走:{moves}",
        "perhaps": "可能是:{suggestion}",
        "handicap": "让子:{text}",
        "replayed": "共 {recorded} 着,复演 {played} 着",
        "claim": "棋谱的结果:{meaning}",
        "claimed": "棋谱记为{claimed}",
        "aside": "略过 {count} 项:{names}",
        "more": "等",
        "total": "{games} 局,{findings} 条发现",
        "error": "错误",
        "warning": "警告",
        "note": "提示",
        "red": "红胜",
        "black": "黑胜",
        "draw": "和棋",
        "*": "未完",
        "agrees": "与裁定相符",
        "contradicts": "与裁定不符",
        "unverifiable": "棋盘上没有终局(认输、超时、议和等)",
        "played-on": "规则上终局之后仍在走",
        "illegal-move": "有不合法或不明确的着法,到此为止",
        "unreadable": "有无法读取的着法,到此为止",
        "no-start": "起始局面不能使用",
        "no-claim": "没有记结果",
        "conflicting": "标签与着法末尾的结果互相矛盾",
    },
}


class Reporter:
    """What `caipan check` prints: each record, then what was left aside, and how many there were.

    ``quiet`` shows only records with errors or warnings, and no notes; ``severity`` only findings that are at least as
    grave, and counts those. ``sound`` says afterwards whether there was no finding above a note, shown or not.
    """

    def __init__(self, language: str = "en", quiet: bool = False, severity: Severity | None = None):
        self.language = language
        self.quiet = quiet
        self.severity: Severity = severity or ("warning" if quiet else "note")
        self.sound = True
        self.games = self.findings = 0
        self._chosen = severity is not None
        self._aside: list[Finding] = []

    def lines(self, found: Iterable[Checked]) -> Iterator[str]:
        for checked in self.shown(found):
            yield from report(checked, self.language)
        yield from self.ending()

    def shown(self, found: Iterable[Checked]) -> Iterator[Checked]:
        """Those of ``found`` that are reported one by one, with the findings that are shown; all are counted."""
        for checked in found:
            self.games += checked.game is not None
            self.sound = self.sound and checked.sound
            if not checked.left_aside or self._chosen:
                checked.findings = checked.shown(self.severity)
            self.findings += len(checked.findings)
            if checked.left_aside:
                self._aside += checked.findings  # one line for all of them
            elif checked.findings or (checked.ruled and not self.quiet):
                yield checked

    def ending(self) -> list[str]:
        """The lines below the records, when all of them have been shown."""
        return [*aside(self._aside, self.language), total(self.games, self.findings, self.language)]


def report(checked: Checked, language: str = "en") -> list[str]:
    """The lines to print about ``checked``, in ``language`` ("en" or "zh")."""
    lines = [heading(checked, language)]
    for finding in checked.findings:
        lines += [f"  {line}" for line in about_finding(finding, language)]
    if checked.ruled:
        lines += [f"  {line}" for line in about_ruling(checked.ruled, language)]
    return lines


def heading(checked: Checked, language: str = "en") -> str:
    """Where a record is, and what it is called."""
    if not checked.ruled:
        return places.head(checked.source, checked.line)
    return game_heading(checked.source, checked.line, checked.game, checked.ruled.tags, language)


def game_heading(
    source: str, line: int | None, game: int | None, tags: Mapping[str, str], language: str = "en"
) -> str:
    """Where the record number ``game``, from 1, of ``source`` is, and what its ``tags`` call it."""
    number = _WORDS[language]["game"].format(game=game)
    return "  ".join(filter(None, (places.head(source, line), number, title(tags))))


def total(games: int, findings: int, language: str = "en") -> str:
    return _WORDS[language]["total"].format(games=Count.of(games), findings=Count.of(findings))


def aside(findings: Sequence[Finding], language: str = "en") -> list[str]:
    """A line about what ``findings`` say was left aside, with the first few names; none where nothing was."""
    words = _WORDS[language]
    if not findings:
        return []
    why = "why" if language == "en" else "why_zh"
    told = ", ".join(
        f"{', '.join(str(finding.source) for finding in alike)} ({reason})"
        for reason, alike in groupby(findings[:NAMED], lambda finding: finding.details[why])
    )
    if len(findings) > NAMED:
        told += words["more"].format(count=Count.of(len(findings) - NAMED))
    return [words["aside"].format(count=Count.of(len(findings)), names=told)]


def troubles(findings: Sequence[Finding], language: str = "en") -> list[str]:
    """What ``findings`` about whole files say: a line each, and one about what was left aside."""
    told = [finding for finding in findings if finding.code != "left-aside"]
    left = [finding for finding in findings if finding.code == "left-aside"]
    return [f"{finding.source}: {finding.message(language)}" for finding in told] + aside(left, language)


NAMED = 3
"""So many of the files left aside are named; the findings table has them all."""


def title(tags: Mapping[str, str]) -> str:
    """Event, or what else the record is called, and players, as far as the tags say."""
    red, black = value_of(tags, "Red") or value_of(tags, "White"), value_of(tags, "Black")
    called = value_of(tags, "Event") or value_of(tags, "Title")
    return ", ".join(filter(None, (called, " – ".join(filter(None, (red, black))))))


def about_finding(finding: Finding, language: str = "en") -> list[str]:
    """The lines about one finding: where and what, then hints."""
    words = _WORDS[language]
    where = []
    if finding.ply is not None:
        where.append(words["ply"].format(ply=finding.ply))
    if finding.line is not None:
        column = f":{finding.column}" if finding.column is not None else ""
        where.append(words["line"].format(line=f"{finding.line}{column}"))
    elif finding.byte is not None:
        where.append(words["unpacked" if finding.unpacked else "byte"].format(byte=finding.byte))
    severity = word(finding.severity, language)
    message = finding.message(language)
    hints = [f"    {hint}" for hint in hints_of(finding, language)]
    return [f"{', '.join([*where, severity])} {finding.code}: {message}", *hints]


def hints_of(finding: Finding, language: str = "en") -> list[str]:
    """What a finding says besides its message: what was read, what was possible, what may be meant."""
    words = _WORDS[language]
    message = finding.message(language)
    hints = []
    if finding.text and finding.text not in message:
        hints.append(words["read"].format(text=" ".join(finding.text.split())))
    if finding.candidates and not all(move in message for move in finding.candidates):
        hints.append(words["possible"].format(moves=", ".join(finding.candidates)))
    if finding.suggestion:
        hints.append(words["perhaps"].format(suggestion=finding.suggested(language)))
    return hints


def about_ruling(ruled: Adjudication, language: str = "en") -> list[str]:
    """The lines about a ruling: handicap, the ruling and why, what was replayed, the record's claim last."""
    words = _WORDS[language]
    lines = []
    if ruled.handicap:
        lines.append(words["handicap"].format(text=handicap.write(handicap.read(ruled.handicap), language)))
    lines.append(ruled.ruling.explain(language))
    if len(ruled.moves) < len(ruled.record.tokens):
        lines.append(
            words["replayed"].format(played=len(ruled.moves), recorded=Count.of(len(ruled.record.tokens)))
        )
    meaning = word(ruled.claim, language, CLAIMS[ruled.claim])
    text = words["claim"].format(claim=ruled.claim, meaning=meaning)
    if ruled.claimed in DECIDED and ruled.claim != "agrees":
        text += "; " + words["claimed"].format(claimed=word(ruled.claimed, language))
    return [*lines, text]


def word(name: str, language: str = "en", english: str = "") -> str:
    """A severity, result or claim status in ``language``; in English ``english``, or as it is called."""
    return _WORDS["zh"][name] if language == "zh" else english or name
