"""Rulings: how a game ended under a rule set and a rule book, with the reason a person can check."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from adjudicator import _ends
from adjudicator.acts import Act, acts
from adjudicator.conduct import suits
from adjudicator.reasons import paragraph
from adjudicator.repeats import Repeats
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.setup import SIDES
from adjudicator.verdict import Verdict, judge
from notation.record import BLACK_WON, DRAWN, RED_WON, RESULTS, UNFINISHED

WINNERS = ("red", "black", "draw", "*")
"""Results by the kernel's number."""

DECIDED = ("red", "black", "draw")
"""Results that end a game."""

REASONS: dict[int, str | None] = {number: name for name, number in _ends.ENDS.items()} | {0: None}
"""Reasons by the kernel's number; None: nothing on the board has ended the game."""

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
    """What `_ends.find_ends` rules by."""
    return {
        "order": [_ORDER[name] for name in book.precedence or rules.precedence],
        "limit": no_capture_limit(rules, book),
        "checks": book.limit.checks,
        "discount": _ends.DISCOUNTS[book.limit.discount],
        "fold": book.fold,
        "last_cycle": book.span == "last_cycle",
        "perpetual_check": book.perpetual_check == "loses",
        "wide_checks": rules.wide_checks,
        "stalemate_draws": rules.stalemate == "draw",
    }


def no_capture_limit(rules: Ruleset, book: RuleBook) -> int:
    """Plies without a capture that draw, by the book or, where it leaves that open, by the rule set; 0: none do."""
    return rules.no_capture_limit if book.limit.plies < 0 else book.limit.plies


def other_results(verdict: Verdict) -> str | None:
    """The results that other readings of the book come to: "draw", "draw or red"; None when there are none."""
    if not verdict.others:
        return None
    return " or ".join(sorted({WINNERS[other.winner] for other in verdict.others}))


@lru_cache(maxsize=1 << 10)
@lru_cache(maxsize=1024)
def outcome_of(terminator: int, tag: str) -> str | None:
    """The result that a record claims: "red", "black", "draw", "*", None, or "conflicting".

    A result after the moves and one in the tag that differ conflict; ``*`` and silence yield to the other.
    """
    after = _OUTCOMES.get(terminator)
    before = _OUTCOMES.get(RESULTS.get(tag.strip(), 0))
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


@dataclass(frozen=True, slots=True, repr=False)
class Ruling:
    """How a game ended. ``result`` is "red", "black", "draw" or "*"; ``reason`` a key of
    `adjudicator.reasons.REASON_WORDS` or None.

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

    def __repr__(self) -> str:
        why = f" ({self.reason}, ply {self.ply})" if self.reason else ""
        return f"<Ruling {self.result}{why}>"

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
    def limit(self) -> int:
        """Plies without a capture that draw."""
        return no_capture_limit(self.rules, self.book)

    @property
    def clauses(self) -> list[str]:
        """The book's clauses that decide."""
        return self.clauses_in("en")

    def clauses_in(self, language: str) -> list[str]:
        """The book's clauses that decide, in "en" or "zh"."""
        keys = [self.reason or ""]
        if self.reason in ("perpetual-chase", "perpetual-attack") and self.verdict:
            loser = 1 - self.verdict.winner
            targets = self.verdict.sides[loser].targets
            threats = [
                threat
                for act in self.acts
                if act.side == SIDES[loser] and "chase" in act.kinds
                for threat in act.threats
                if not targets or threat.identity in targets
            ]
            keys += [_CLAUSES.get(threat.standing, threat.standing) for threat in threats]
            keys += ["uncovered"] if any(threat.uncovered for threat in threats) else []
        elif self.reason == "repetition" and self.verdict:
            excuses = [side.excuse for side in self.verdict.sides]
            keys += [key for key in excuses if key not in ("", "quiet", "no-check")] or ["quiet"]
        found = [self.book.clause(key, language) for key in dict.fromkeys(keys)]
        return [clause for clause in found if clause]

    def explain(self, language: str = "en") -> str:
        """The ruling as a paragraph that a player can check against the record, in "en" or "zh"."""
        return paragraph(self, language)

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
    is no repetition, as `_ends.find_ends` gives it, ``verdict`` what is known of it already."""
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
