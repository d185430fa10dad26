"""Records read, replayed and ruled, one after the other, for people: what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from notation.finding import Finding
from pipeline import shards, sources, stages
from pipeline.stages import Options


@dataclass(slots=True)
class Checked:
    """One record, or with ``game`` None a whole file that has none: what was found and how it is ruled.

    ``line`` is where it begins in ``source``; ``game`` counts from 1, as people do.
    """

    source: str
    line: int | None = None
    game: int | None = None
    title: str = ""
    plies: int = 0
    result: str = "*"
    reason: str | None = None
    end_ply: int | None = None
    claim: str = ""
    claimed: str | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """No finding above a note."""
        return all(finding.severity == "note" for finding in self.findings)


def check(
    paths: Iterable[Path | str],
    *,
    rules: str,
    book: str | None = None,
    settings: Mapping[str, Any] | None = None,
    encoding: str | None = None,
) -> Iterator[Checked]:
    """Every record under ``paths`` in order. Raises as `run.adjudicate` does."""
    options = Options.of(rules, book, settings, encoding)
    ruleset = options.ruleset()
    listing = sources.find(paths)
    plan = shards.plan(listing.sources)
    for finding in [*listing.findings, *plan.findings]:
        yield Checked(finding.source or "", findings=[finding])
    for shard in plan.shards:
        for piece in shard.pieces:
            batch, result = stages.replay(piece, options, ruleset)
            by_game: dict[int | None, list[Finding]] = {}
            for finding in [*batch.findings, *result.findings]:
                by_game.setdefault(finding.game, []).append(finding)
            if None in by_game:
                yield Checked(piece.source.name, findings=by_game[None])
            for game in range(len(batch)):
                tags = batch.tags(game)
                yield Checked(
                    piece.source.name,
                    batch.line[game],
                    batch.index[game] + 1,
                    _title(tags),
                    result.games["plies"][game],
                    result.games["result"][game],
                    result.games["reason"][game],
                    result.games["end_ply"][game],
                    result.games["claim"][game],
                    tags.get("Result"),
                    sorted(by_game.get(game, []), key=lambda finding: finding.ply or 0),
                )


def _title(tags: Mapping[str, str]) -> str:
    players = " – ".join(filter(None, (tags.get("Red", tags.get("White")), tags.get("Black"))))
    return ", ".join(filter(None, (tags.get("Event"), players)))


# -- the report --------------------------------------------------------------------------------------

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "game": "game {game}",
        "ply": "ply {ply}",
        "line": "line {line}",
        "byte": "byte {byte}",
        "read": "read: {text}",
        "possible": "possible: {moves}",
        "perhaps": "perhaps: {suggestion}",
        "ruled": "ruling: {result} ({reason}) at ply {ply} of {plies}",
        "open": "ruling: nothing ended the game in {plies} plies",
        "claim": "the record says {claimed}: {claim}",
        "total": "{games} games, {findings} findings",
    },
    "zh": {
        "game": "第 {game} 局",
        "ply": "第 {ply} 着",
        "line": "第 {line} 行",
        "byte": "第 {byte} 字节",
        "read": "原文:{text}",
        "possible": "可走:{moves}",
        "perhaps": "可能是:{suggestion}",
        "ruled": "裁定:{result}({reason}),第 {ply} 着生效,共 {plies} 着",
        "open": "裁定:{plies} 着内未分胜负",
        "claim": "棋谱记为 {claimed}:{claim}",
        "total": "{games} 局,{findings} 条发现",
        "error": "错误",
        "warning": "警告",
        "note": "提示",
        "red": "红胜",
        "black": "黑胜",
        "draw": "和棋",
        "agrees": "相符",
        "contradicts": "不符",
        "unverifiable": "无法核实",
        "played-on": "终局后继续",
        "illegal-move": "有不合法着法",
        "unreadable": "无法读取",
        "general-captured": "将帅被吃",
        "checkmate": "将死",
        "stalemate": "困毙",
        "repetition": "重复局面",
        "perpetual-check": "长将",
        "mutual-perpetual-check": "双方长将",
        "no-capture": "自然限着",
    },
}


def report(checked: Checked, language: str = "en") -> list[str]:
    """The lines to print about ``checked``, in ``language`` ("en" or "zh")."""
    words = _WORDS[language]
    head = f"{checked.source}:{checked.line}" if checked.line else checked.source
    if checked.game:
        head = "  ".join(filter(None, (head, words["game"].format(game=checked.game), checked.title)))
    lines = [head]
    for finding in checked.findings:
        lines += [f"  {line}" for line in _finding(finding, language)]
    if checked.game:
        lines.append("  " + _ruling(checked, words))
    return lines


def total(games: int, findings: int, language: str = "en") -> str:
    return _WORDS[language]["total"].format(games=games, findings=findings)


def _finding(finding: Finding, language: str) -> list[str]:
    words = _WORDS[language]
    places = []
    if finding.ply is not None:
        places.append(words["ply"].format(ply=finding.ply))
    if finding.line is not None:
        column = f":{finding.column}" if finding.column is not None else ""
        places.append(words["line"].format(line=f"{finding.line}{column}"))
    elif finding.byte is not None:
        places.append(words["byte"].format(byte=finding.byte))
    severity = words.get(finding.severity, finding.severity)
    message = finding.message(language)
    lines = [f"{', '.join([*places, severity])} {finding.code}: {message}"]
    if finding.text and finding.text not in message:
        lines.append("    " + words["read"].format(text=finding.text))
    if finding.candidates and not all(move in message for move in finding.candidates):
        lines.append("    " + words["possible"].format(moves=", ".join(finding.candidates)))
    if finding.suggestion:
        lines.append("    " + words["perhaps"].format(suggestion=finding.suggestion))
    return lines


def _ruling(checked: Checked, words: Mapping[str, str]) -> str:
    def word(text: str) -> str:
        return words.get(text, text)

    if checked.reason:
        text = words["ruled"].format(
            result=word(checked.result), reason=word(checked.reason), ply=checked.end_ply, plies=checked.plies
        )
    else:
        text = words["open"].format(plies=checked.plies)
    if checked.claimed:
        text += "; " + words["claim"].format(claimed=checked.claimed, claim=word(checked.claim))
    return text
