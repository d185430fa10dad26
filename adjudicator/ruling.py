"""Rulings: how a game ended under a rule set and a rule book, with the reason a person can check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator import _replay
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from notation.record import BLACK_WON, DRAWN, RED_WON, RESULTS, UNFINISHED

WINNERS = ("red", "black", "draw", "*")
"""Results by the kernel's number."""

REASONS: dict[int, str | None] = {number: name for name, number in _replay.ENDS.items()} | {0: None}
"""Reasons by the kernel's number; None: nothing on the board has ended the game."""

REASON_WORDS = {
    "general-gone": ("the general is gone", "将帅被除"),
    "checkmate": ("checkmate", "将死"),
    "stalemate": ("no legal move", "困毙"),
    "repetition": ("the position is repeated", "重复局面"),
    "perpetual-check": ("perpetual check", "长将"),
    "mutual-perpetual-check": ("both sides check perpetually", "双方长将"),
    "no-capture": ("no capture within the limit", "自然限着"),
}
"""Every reason of a ruling, in English and Chinese."""

CLAIMS = {
    "agrees": "the record's result is what the rules give at its last ply",
    "contradicts": "the rules give another result at its last ply",
    "unverifiable": "nothing on the board ends the game (resignation, time, agreement …)",
    "played-on": "the rules ended the game before its last ply",
    "illegal-move": "a move is illegal or cannot be told from others; the game stops there",
    "unreadable": "a move cannot be read; the game stops there",
    "no-start": "the start position cannot be played",
    "no-claim": "the record claims no result",
    "conflicting": "the record's tag and the end of its moves claim different results",
}
"""Claim status: the record's own result against the ruling."""

_OUTCOMES = {RED_WON: "red", BLACK_WON: "black", DRAWN: "draw", UNFINISHED: "*"}
_ORDER = {"general": 1, "mate": 2, "repetition": 4, "no-capture": 7}


def law(rules: Ruleset, book: RuleBook) -> dict[str, Any]:
    """What `_replay.find_ends` rules by."""
    return {
        "order": [_ORDER[name] for name in rules.precedence],
        "limit": rules.no_capture_limit,
        "fold": book.fold,
        "last_cycle": book.span == "last_cycle",
        "perpetual_check": book.perpetual_check == "loses",
        "wide_checks": rules.wide_checks,
        "stalemate_draws": rules.stalemate == "draw",
    }


def outcome_of(terminator: int, tag: str | None) -> str | None:
    """The result that a record claims: "red", "black", "draw", "*", None, or "conflicting".

    A result after the moves and one in the tag that differ conflict; ``*`` and silence yield to the other.
    """
    after = _OUTCOMES.get(terminator)
    before = _OUTCOMES.get(RESULTS.get((tag or "").strip(), 0))
    decided = {said for said in (after, before) if said not in (None, "*")}
    if len(decided) > 1:
        return "conflicting"
    return decided.pop() if decided else after or before


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a game ended. ``result`` is "red", "black", "draw" or "*"; ``reason`` a key of REASON_WORDS or None.

    ``ply`` is where it became binding (0: at the start). For repetitions ``occurrences`` are the plies at
    which the position stood, up to the one that binds, and ``conduct`` what each side did in the span
    judged: ``{"red": ["check", "quiet", …], "black": […]}``.
    """

    result: str
    reason: str | None
    ply: int | None
    rules: Ruleset
    book: RuleBook
    occurrences: tuple[int, ...] = ()
    conduct: dict[str, list[str]] | None = None

    def explain(self, language: str = "en") -> str:
        """The ruling as a sentence that a player can check against the record."""
        return _english(self) if language == "en" else _chinese(self)


_RESULT_WORDS = {
    "red": ("Red wins", "红胜"),
    "black": ("Black wins", "黑胜"),
    "draw": ("draw", "和棋"),
    "*": ("open", "未决"),
}


def _english(ruling: Ruling) -> str:
    if ruling.reason is None:
        return "open: nothing on the board has ended the game"
    result, words = _RESULT_WORDS[ruling.result][0], REASON_WORDS[ruling.reason][0]
    text = f"{result}: {words}, at ply {ruling.ply}"
    if ruling.reason == "no-capture":
        text = (
            f"{result}: {ruling.rules.no_capture_limit} plies without a capture, reached at ply {ruling.ply}"
        )
    if ruling.occurrences:
        *before, last = ruling.occurrences
        text = f"{result}: {_ordinal(len(ruling.occurrences))} occurrence of the position after ply {last}"
        text += f" (before at {', '.join(map(str, before))})"
        for side, acts in (ruling.conduct or {}).items():
            text += f"; {side.capitalize()}'s moves in the cycle: {', '.join(acts) or 'none'}"
        if ruling.reason == "perpetual-check":
            loser = "Black" if ruling.result == "red" else "Red"
            text += f"; {loser} alone checked on every move and loses"
        elif ruling.reason == "mutual-perpetual-check":
            text += "; both checked on every move"
        text += f" [book {ruling.book.id}: {ruling.book.source}]"
    return text + "."


def _chinese(ruling: Ruling) -> str:
    if ruling.reason is None:
        return "未决:棋盘上尚未终局。"
    result, words = _RESULT_WORDS[ruling.result][1], REASON_WORDS[ruling.reason][1]
    text = f"{result}:{words},第 {ruling.ply} 着"
    if ruling.occurrences:
        text += f";同一局面出现于第 {'、'.join(map(str, ruling.occurrences))} 着后"
        for side, acts in (ruling.conduct or {}).items():
            name = "红方" if side == "red" else "黑方"
            text += f";{name}:{'、'.join('将' if act == 'check' else '闲' for act in acts)}"
        text += f"(规则书 {ruling.book.id})"
    return text + "。"


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}.get(n, f"{n}th")


def ruling_at(
    rules: Ruleset,
    book: RuleBook,
    result: str,
    reason: str | None,
    ply: int | None,
    cycle: int | None,
    keys: Sequence[int],
    checks: Sequence[bool],
    first_side: int,
) -> Ruling:
    """A ruling with its reasons, from a game's facts.

    ``keys`` are position keys from the start position on (one more than plies), ``checks`` whether each ply
    gave check, ``cycle`` the ply that opens the span judged, as `_replay.find_ends` gives them.
    """
    if cycle is None or ply is None:
        return Ruling(result, reason, ply, rules, book)
    occurrences = tuple(p for p in range(ply + 1) if keys[p] == keys[ply])
    conduct: dict[str, list[str]] = {"red": [], "black": []}
    for p in range(cycle + 1, ply + 1):
        side = "black" if (first_side + p - 1) % 2 else "red"
        conduct[side].append("check" if checks[p - 1] else "quiet")
    return Ruling(result, reason, ply, rules, book, occurrences, conduct)
