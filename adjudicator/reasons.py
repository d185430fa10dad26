"""A ruling in words: one paragraph that a player can check against the record, in English or Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudicator.setup import SIDES
from adjudicator.verdict import Side

if TYPE_CHECKING:
    from adjudicator.ruling import Ruling

REASON_WORDS = {
    "general-gone": ("the general is gone", "将帅被除"),
    "checkmate": ("checkmate", "将死"),
    "stalemate": ("no legal move", "困毙"),
    "repetition": ("the position is repeated", "重复局面"),
    "perpetual-check": ("perpetual check", "长将"),
    "mutual-perpetual-check": ("both sides check perpetually", "双方长将"),
    "perpetual-chase": ("perpetual chase", "长捉"),
    "mutual-perpetual-chase": ("both sides chase perpetually", "双方长捉"),
    "perpetual-kill": ("perpetual threat of mate", "长杀"),
    "mutual-perpetual-kill": ("both sides threaten mate perpetually", "双方长杀"),
    "perpetual-attack": ("perpetual attack by checks, threats of mate or chases", "长打"),
    "mutual-perpetual-attack": ("both sides attack perpetually", "双方长打"),
    "no-capture": ("no capture within the limit", "自然限着"),
}
"""Every reason of a ruling, in English and Chinese."""

_RESULTS = {
    "red": ("Red wins", "红胜"),
    "black": ("Black wins", "黑胜"),
    "draw": ("draw", "和棋"),
    "*": ("open", "未决"),
}
_SIDES = {"red": ("Red", "红方"), "black": ("Black", "黑方")}
_OFFENCES = {
    "check": ("checked on every move", "步步将军"),
    "chase": ("chased {pieces} on every move", "步步捉{pieces}"),
    "kill": ("threatened mate on every move", "步步叫杀"),
    "mixed": ("checked, threatened mate or chased on every move", "步步是打（将、杀、捉）"),
}
_EXCUSES = {
    "kill": ("threatened mate on every move, which this book allows", "步步叫杀，此规则允许"),
    "mixed": (
        "checked, chased or threatened mate in turn, which this book allows",
        "将、杀、捉交替，此规则允许",
    ),
    "targets": ("chased on every move, but no single piece throughout", "步步捉，但非捉同一子"),
    "general-or-soldier": (
        "attacked with nothing but the general or a soldier on some moves, which is allowed",
        "有的着法只是帅（将）、兵（卒）捉子，允许",
    ),
    "no-check": ("did not check on every move", "未步步将军"),
    "quiet": ("made quiet moves", "有闲着"),
}
_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def paragraph(ruling: Ruling, language: str = "en") -> str:
    """``ruling`` in ``language``, "en" or "zh"."""
    return _english(ruling) if language == "en" else _chinese(ruling)


def _english(ruling: Ruling) -> str:
    result, reason, book = _RESULTS[ruling.result][0], ruling.reason, ruling.book
    if reason is None:
        return "open: nothing on the board has ended the game"
    if reason == "no-capture":
        text = f"{result}: {ruling.limit} plies without a capture, reached at ply {ruling.ply}"
        if book.limit.discount != "none":
            text += f" (checks of one side beyond {book.limit.checks} do not count)"
    elif not ruling.occurrences:
        text = f"{result}: {REASON_WORDS[reason][0]}, at ply {ruling.ply}"
    else:
        *before, last = ruling.occurrences
        n = len(ruling.occurrences)
        text = f"{result}: {_ORDINALS.get(n, f'{n}th')} occurrence of the position after ply {last}"
        text += f" (before at {', '.join(map(str, before))})"
        for side in SIDES:
            text += f"; {_SIDES[side][0]}'s moves in the cycle: {_moves(ruling, side, 0) or 'none'}"
        text += "".join(f"; {said}" for said in _judged(ruling, 0))
    clauses = "; ".join(ruling.clauses) or (book.source if ruling.occurrences else "")
    if clauses:
        text += f" [book {book.id}, {book.date}: {clauses}]"
    if ruling.disputed:
        text += ". Disputed: " + "; ".join(
            f"{_RESULTS[other['result']][0]} ({REASON_WORDS[other['reason']][0]}) if {other['point']}"
            f" ({other['source']})"
            for other in ruling.others
        )
    return text + "."


def _chinese(ruling: Ruling) -> str:
    result, reason, book = _RESULTS[ruling.result][1], ruling.reason, ruling.book
    if reason is None:
        return "未决：棋盘上尚未终局。"
    text = f"{result}：{REASON_WORDS[reason][1]}，第 {ruling.ply} 着"
    if reason == "no-capture":
        text += f"，连续 {ruling.limit} 着无吃子"
        if book.limit.discount != "none":
            text += f"（一方 {book.limit.checks} 次以外的将军不计）"
    if ruling.occurrences:
        text += f"；同一局面出现于第 {'、'.join(map(str, ruling.occurrences))} 着后"
        for side in SIDES:
            text += f"；{_SIDES[side][1]}：{_moves(ruling, side, 1) or '无'}"
        text += "".join(f"；{said}" for said in _judged(ruling, 1))
    clauses = "；".join(ruling.clauses_in("zh"))
    if clauses or ruling.occurrences:
        text += f"（规则书 {book.id}，{book.date}{'：' if clauses else ''}{clauses}）"
    if ruling.disputed:
        text += "。有争议：" + "；".join(
            f"若{other['point_zh']}，则判{_RESULTS[other['result']][1]}" for other in ruling.others
        )
    return text + "。"


def _moves(ruling: Ruling, side: str, column: int) -> str:
    """A side's moves in the cycle; a move that comes again is told once, with all its plies."""
    mine = [act for act in ruling.acts if act.side == side]
    language = ("en", "zh")[column]
    if not ruling.verdict:
        return (
            "、".join(act.words("zh") for act in mine) if column else ", ".join(act.kinds[0] for act in mine)
        )
    plies: dict[tuple[str, str], list[int]] = {}
    for act in mine:
        plies.setdefault((act.move, act.words(language)), []).append(act.ply)
    if column:
        return "，".join(
            f"第 {'、'.join(map(str, at))} 着 {move} {said}" for (move, said), at in plies.items()
        )
    return ", ".join(f"{move} ({', '.join(map(str, at))}) {said}" for (move, said), at in plies.items())


def _judged(ruling: Ruling, column: int) -> list[str]:
    """What each side did on the whole, and what follows."""
    said = []
    loser = {"red": "black", "black": "red"}.get(ruling.result)
    if ruling.verdict:
        for name, side in zip(SIDES, ruling.verdict.sides, strict=True):
            words = _EXCUSES[side.excuse or "quiet"] if side.offence == "none" else _OFFENCES[side.offence]
            pieces = _pieces(ruling, name, side, column)
            said.append(_of(name, words[column].format(pieces=pieces), column))
    elif ruling.reason == "mutual-perpetual-check":
        said.append(("both checked on every move", "双方步步将军")[column])
    elif loser:
        said.append(_of(loser, ("alone checked on every move and loses", "单方步步将军，负")[column], column))
    if loser and ruling.verdict:
        said.append(_of(loser, ("loses", "负")[column], column))
    return said


def _of(side: str, words: str, column: int) -> str:
    return _SIDES[side][column] + ("" if column else " ") + words


def _pieces(ruling: Ruling, name: str, side: Side, column: int) -> str:
    """The pieces that a side chased throughout: "the chariot (h8, i8)"."""
    where: dict[int, tuple[str, list[str]]] = {}
    for act in ruling.acts:
        for threat in act.threats if act.side == name else ():
            if threat.identity in side.targets:
                kind, _, point = threat.target.rpartition(" ")
                kind = threat.target_zh.removesuffix(point) if column else f"the {kind}"
                points = where.setdefault(threat.identity, (kind, []))[1]
                if point not in points:
                    points.append(point)
    if column:
        return "、".join(f"{kind}（{'、'.join(points)}）" for kind, points in where.values())
    return " and ".join(f"{kind} ({', '.join(points)})" for kind, points in where.values())
