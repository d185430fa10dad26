"""Rulings: how a game ended under a rule set and a rule book, with the reason a person can check."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from adjudicator import _replay
from adjudicator.acts import Act, acts
from adjudicator.conduct import suits
from adjudicator.repeats import Repeats
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.setup import SIDES
from adjudicator.verdict import Side, Verdict, judge
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
    "perpetual-chase": ("perpetual chase", "长捉"),
    "mutual-perpetual-chase": ("both sides chase perpetually", "双方长捉"),
    "perpetual-kill": ("perpetual threat of mate", "长杀"),
    "mutual-perpetual-kill": ("both sides threaten mate perpetually", "双方长杀"),
    "perpetual-attack": ("perpetual attack by checks, threats of mate or chases", "长打"),
    "mutual-perpetual-attack": ("both sides attack perpetually", "双方长打"),
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
        "order": [_ORDER[name] for name in book.precedence or rules.precedence],
        "limit": no_capture_limit(rules, book),
        "checks": book.limit.checks,
        "discount": _replay.DISCOUNTS[book.limit.discount],
        "fold": book.fold,
        "last_cycle": book.span == "last_cycle",
        "perpetual_check": book.perpetual_check == "loses",
        "wide_checks": rules.wide_checks,
        "stalemate_draws": rules.stalemate == "draw",
    }


def no_capture_limit(rules: Ruleset, book: RuleBook) -> int:
    """Plies without a capture that draw, by the book or, where it leaves that open, by the rule set; 0: none do."""
    return rules.no_capture_limit if book.limit.plies < 0 else book.limit.plies


def other_results(verdict: Verdict | None) -> str | None:
    """The results that other readings of the book come to: "draw", "draw or red"; None when there are none."""
    if verdict is None or not verdict.others:
        return None
    return " or ".join(sorted({WINNERS[other.winner] for other in verdict.others}))


@lru_cache(maxsize=1 << 10)
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


def claim_of(stopped: str | None, claimed: str | None, result: str, end: int | None, played: int) -> str:
    """The claim status (a key of CLAIMS) of a record that claims ``claimed`` and played ``played`` plies, ruled
    ``result`` at ply ``end``; ``stopped`` is the status of one that did not play to its end.

    >>> claim_of(None, "red", "draw", 41, 60), claim_of(None, "red", "red", 60, 60)
    ('played-on', 'agrees')
    """
    if stopped:
        return stopped
    if end is not None and end < played:
        return "played-on"
    if claimed == "conflicting":
        return "conflicting"
    if claimed in (None, "*"):
        return "no-claim"
    if end is None:
        return "unverifiable"
    return "agrees" if claimed == result else "contradicts"


STOPPED = ("unreadable", "illegal-move", "no-start")
"""Claim statuses of records that did not play to their end, whatever the ruling."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a game ended. ``result`` is "red", "black", "draw" or "*"; ``reason`` a key of REASON_WORDS or None.

    ``ply`` is where it became binding (0: at the start). For repetitions ``occurrences`` are the plies at
    which the position stood, up to the one that binds, ``acts`` what every ply of the span judged does, and
    ``verdict`` what the book made of it (None where it looks at checks only).
    """

    result: str
    reason: str | None
    ply: int | None
    rules: Ruleset
    book: RuleBook
    occurrences: tuple[int, ...] = ()
    acts: tuple[Act, ...] = ()
    verdict: Verdict | None = None

    @property
    def conduct(self) -> dict[str, list[str]] | None:
        """The class of each side's moves in the span: ``{"red": ["chase", "idle", …], "black": […]}``."""
        if not self.occurrences:
            return None
        return {side: ["+".join(act.kinds) for act in self.acts if act.side == side] for side in SIDES}

    @property
    def disputed(self) -> bool:
        """Whether another reading of the book comes to another result."""
        return self.verdict is not None and self.verdict.disputed

    @property
    def others(self) -> list[dict[str, str]]:
        """The other readings: their result, reason, the contested point and who reads it so."""
        if self.verdict is None:
            return []
        return [
            {
                "result": WINNERS[other.winner],
                "reason": other.reason,
                "point": other.reading.point,
                "point_zh": other.reading.point_zh,
                "source": other.reading.source,
            }
            for other in self.verdict.others
        ]

    @property
    def clauses(self) -> list[str]:
        """The book's clauses that decide."""
        keys = [self.reason or ""]
        if self.reason == "perpetual-chase" and self.verdict:
            loser = SIDES[1 - self.verdict.winner]
            standings = [threat.standing for act in self.acts if act.side == loser for threat in act.threats]
            keys += [_CLAUSES.get(standing, standing) for standing in dict.fromkeys(standings)]
            if any(threat.uncovered for act in self.acts if act.side == loser for threat in act.threats):
                keys.append("uncovered")
        elif self.reason == "repetition" and self.verdict:
            excuses = [
                side.excuse for side in self.verdict.sides if side.excuse not in ("", "quiet", "no-check")
            ]
            keys += excuses or ["quiet"]
        return list(dict.fromkeys(clause for key in keys if (clause := self.book.clause(key))))

    def explain(self, language: str = "en") -> str:
        """The ruling as a paragraph that a player can check against the record."""
        return _english(self) if language == "en" else _chinese(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return {
            "result": self.result,
            "reason": self.reason,
            "ply": self.ply,
            "rules": self.rules.id,
            "book": self.book.id,
            "occurrences": list(self.occurrences),
            "conduct": self.conduct,
            "acts": [act.to_dict() for act in self.acts],
            "offences": {
                side: {"offence": found.offence, "excuse": found.excuse or None}
                for side, found in zip(SIDES, self.verdict.sides, strict=True)
            }
            if self.verdict
            else None,
            "clauses": self.clauses,
            "disputed": self.disputed,
            "others": self.others,
            "explanation": self.explain(),
            "explanation_zh": self.explain("zh"),
        }


_CLAUSES = {"greater": "lesser", "no-return": "like", "exchange": "unprotected"}

_RESULT_WORDS = {
    "red": ("Red wins", "红胜"),
    "black": ("Black wins", "黑胜"),
    "draw": ("draw", "和棋"),
    "*": ("open", "未决"),
}
_SIDES_ZH = {"red": "红方", "black": "黑方"}

_OFFENCES = {
    "check": ("checked on every move", "步步将军"),
    "chase": ("chased {pieces} on every move", "步步捉{pieces}"),
    "kill": ("threatened mate on every move", "步步叫杀"),
    "mixed": ("checked, threatened mate or chased on every move", "步步是打(将、杀、捉)"),
}
_EXCUSES = {
    "kill": ("threatened mate on every move, which this book allows", "长杀,此规则允许"),
    "mixed": (
        "checked, chased or threatened mate in turn, which this book allows",
        "将、杀、捉交替,此规则允许",
    ),
    "targets": ("chased on every move, but no single piece throughout", "步步捉,但非捉同一子"),
    "general-or-soldier": (
        "attacked with nothing but the general or a soldier on some moves, which is allowed",
        "有的着法只是帅(将)、兵(卒)捉子,允许",
    ),
    "no-check": ("did not check on every move", "未步步将军"),
    "quiet": ("made moves that are neither check nor chase", "有闲着"),
}


def _english(ruling: Ruling) -> str:
    if ruling.reason is None:
        return "open: nothing on the board has ended the game"
    result, words = _RESULT_WORDS[ruling.result][0], REASON_WORDS[ruling.reason][0]
    text = f"{result}: {words}, at ply {ruling.ply}"
    if ruling.reason == "no-capture":
        text = f"{result}: {_limit(ruling)} plies without a capture, reached at ply {ruling.ply}"
        if ruling.book.limit.discount != "none":
            text += f" (checks of one side beyond {ruling.book.limit.checks} do not count)"
    if ruling.occurrences:
        *before, last = ruling.occurrences
        text = f"{result}: {_ordinal(len(ruling.occurrences))} occurrence of the position after ply {last}"
        text += f" (before at {', '.join(map(str, before))})"
        for side in SIDES:
            text += f"; {side.capitalize()}'s moves in the cycle: {_told(ruling, side, 'en') or 'none'}"
        text += f"; {_judged(ruling)}" if ruling.verdict else _checked(ruling)
        if clauses := ruling.clauses:
            text += f" [book {ruling.book.id}, {ruling.book.date}: {'; '.join(clauses)}]"
        else:
            text += f" [book {ruling.book.id}, {ruling.book.date}: {ruling.book.source}]"
        if ruling.disputed:
            text += ". Disputed: " + "; ".join(
                f"{_RESULT_WORDS[other['result']][0]} ({REASON_WORDS[other['reason']][0]}) if {other['point']}"
                f" ({other['source']})"
                for other in ruling.others
            )
    return text + "."


def _chinese(ruling: Ruling) -> str:
    if ruling.reason is None:
        return "未决:棋盘上尚未终局。"
    result, words = _RESULT_WORDS[ruling.result][1], REASON_WORDS[ruling.reason][1]
    text = f"{result}:{words},第 {ruling.ply} 着"
    if ruling.reason == "no-capture":
        text += f",连续 {_limit(ruling)} 着无吃子"
    if ruling.occurrences:
        text += f";同一局面出现于第 {'、'.join(map(str, ruling.occurrences))} 着后"
        for side in SIDES:
            text += f";{_SIDES_ZH[side]}:{_told(ruling, side, 'zh') or '无'}"
        if ruling.verdict:
            text += f";{_judged(ruling, 'zh')}"
        text += f"(规则书 {ruling.book.id},{ruling.book.date})"
        if ruling.disputed:
            text += "。有争议:" + ";".join(
                f"若{other['point_zh']},则判{_RESULT_WORDS[other['result']][1]}" for other in ruling.others
            )
    return text + "。"


def _limit(ruling: Ruling) -> int:
    return no_capture_limit(ruling.rules, ruling.book)


def _told(ruling: Ruling, side: str, language: str) -> str:
    """A side's moves in the cycle; a move that comes again is told once, with all its plies."""
    mine = [act for act in ruling.acts if act.side == side]
    if not ruling.verdict:
        if language == "en":
            return ", ".join("+".join(act.kinds) for act in mine)
        return "、".join(act.words("zh") for act in mine)
    plies: dict[tuple[str, str], list[int]] = {}
    for act in mine:
        plies.setdefault((act.move, act.words(language)), []).append(act.ply)
    if language == "en":
        return ", ".join(f"{move} ({', '.join(map(str, at))}) {said}" for (move, said), at in plies.items())
    return "、".join(f"第 {'、'.join(map(str, at))} 着 {move} {said}" for (move, said), at in plies.items())


def _checked(ruling: Ruling) -> str:
    """What checks alone came to."""
    if ruling.reason == "perpetual-check":
        loser = "Black" if ruling.result == "red" else "Red"
        return f"; {loser} alone checked on every move and loses"
    return "; both checked on every move" if ruling.reason == "mutual-perpetual-check" else ""


def _judged(ruling: Ruling, language: str = "en") -> str:
    """What each side did on the whole, and what follows."""
    assert ruling.verdict
    column = 0 if language == "en" else 1
    said = []
    for name, side in zip(SIDES, ruling.verdict.sides, strict=True):
        if side.offence == "none":
            words = _EXCUSES[side.excuse or "quiet"][column]
        else:
            words = _OFFENCES[side.offence][column].format(pieces=_pieces(ruling, name, side, language))
        said.append(f"{name.capitalize()} {words}" if language == "en" else f"{_SIDES_ZH[name]}{words}")
    if ruling.result == "draw":
        return "; ".join(said) if language == "en" else ";".join(said)
    loser = "black" if ruling.result == "red" else "red"
    if language == "en":
        return f"{'; '.join(said)}; {loser.capitalize()} loses"
    return f"{';'.join(said)};{_SIDES_ZH[loser]}负"


def _pieces(ruling: Ruling, name: str, side: Side, language: str) -> str:
    """The pieces that a side chased throughout: "the chariot (h8, i8)"."""
    assert ruling.verdict
    where: dict[int, tuple[str, str, list[str]]] = {}
    for act in ruling.acts:
        for threat in act.threats if act.side == name else ():
            if threat.identity in side.targets:
                kind, _, point = threat.target.rpartition(" ")
                chinese = threat.target_zh.removesuffix(point)
                points = where.setdefault(threat.identity, (kind, chinese, []))[2]
                if point not in points:
                    points.append(point)
    if language == "en":
        return " and ".join(f"the {kind} ({', '.join(points)})" for kind, _, points in where.values())
    return "、".join(f"{kind}({'、'.join(points)})" for _, kind, points in where.values())


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}.get(n, f"{n}th")


def ruling_of(
    repeats: Repeats,
    game: int,
    book: RuleBook,
    result: str,
    reason: str | None,
    ply: int | None,
    cycle: int | None,
    verdict: Verdict | None = None,
) -> Ruling:
    """The ruling on ``game`` with its reasons; ``cycle`` is the ply that opens the span judged, None for an end that
    is no repetition, as `_replay.find_ends` gives it, ``verdict`` what is known of it already."""
    rules = repeats.rules
    if cycle is None or ply is None:
        return Ruling(result, reason, ply, rules, book)
    closed = repeats.cycle(game, ply)
    span = closed.span(book.span)
    if book.judges_conduct and suits(rules):
        conduct = repeats.conduct(game, closed)
        if verdict is None or not verdict.span:
            verdict = judge(conduct, closed, book, rules, thorough=True)
        told = tuple(acts(conduct, span, book, rules, verdict))
        return Ruling(result, reason, ply, rules, book, closed.occurrences, told, verdict)
    checks = repeats.checks(game)
    first_side = repeats.start(game)[1]
    told = tuple(
        Act(
            p,
            SIDES[(first_side + p - 1) % 2],
            repeats.move(game, p),
            ("check" if checks[p] else "quiet",),
        )
        for p in span
    )
    return Ruling(result, reason, ply, rules, book, closed.occurrences, told)
