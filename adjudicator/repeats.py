"""The repeated games of a batch: where they came back to a position, what was done in between, and the verdicts.

Everything is told from the plies as they were replayed, or as they were stored; only games that reach a repetition are
looked at, and boards only when nothing is stored of their conduct.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator import _replay
from adjudicator.conduct import Conduct, note, suits
from adjudicator.cycles import Cycle, closed_at
from adjudicator.moves import NOWHERE, Move
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.setup import Start
from adjudicator.verdict import Verdict, judge

NONE = 255
FOLD = 3
"""The occurrence at which nearly every book rules: what a run stores conduct for."""

_REPETITION = _replay.ENDS["repetition"]
_CHECK, _WIDE = _replay.FLAGS["check"], _replay.FLAGS["wide_check"]
_DROP = _replay.FLAGS["drop"]


@dataclass(slots=True)
class Repeats:
    """``plies`` are columns as `_replay.replay` gives them, ``rows`` has n + 1 first rows, ``start`` gives a game's
    start position, who moves first and its key. ``known`` is the conduct found or stored so far, by game.
    """

    rules: Ruleset
    plies: Mapping[str, Any]
    rows: Sequence[int]
    start: Callable[[int], tuple[Start, int, int]]
    known: dict[int, Conduct] = field(default_factory=dict)

    def cycle(self, game: int, ply: int) -> Cycle:
        """The cycle that ``ply`` of ``game`` closes."""
        _, _, key = self.start(game)
        first = self.rows[game]
        return closed_at([key, *self.plies["position_key"][first : first + ply]], ply)

    def conduct(self, game: int, cycle: Cycle) -> Conduct:
        """What was done in ``cycle``, and on the move that led into it."""
        known = self.known.get(game)
        opens = max(0, cycle.occurrences[0] - 1)
        if known is not None and known.first <= opens and known.last >= cycle.closes:
            return known
        start, side, _ = self.start(game)
        moves = self.moves(game, cycle.closes)
        found = note(self.rules, start, side, moves, opens, self.checks(game))
        self.known[game] = found
        return found

    def checks(self, game: int) -> list[bool]:
        """For every ply of ``game``, from the start position on, whether it gives check as the rule set counts it."""
        counting = _WIDE if self.rules.wide_checks else _CHECK
        flags = self.plies["flags"][self.rows[game] : self.rows[game + 1]]
        return [False, *(bool(flag & counting) for flag in flags)]

    def moves(self, game: int, last: int) -> list[Move]:
        """The kernel's moves of ``game`` up to ply ``last``."""
        p = self.plies
        moves = []
        for row in range(self.rows[game], self.rows[game] + last):
            kind = p["promotion"][row] + 1 if p["promotion"][row] != NONE else 0
            if p["flags"][row] & _DROP:
                moves.append((NOWHERE, p["to"][row], p["piece"][row] + 1))
            else:
                moves.append((p["from"][row], p["to"][row], kind))
        return moves

    def note_all(self, fold: int = FOLD) -> dict[int, Conduct]:
        """The conduct of every game up to the first ply at which a position stands for the ``fold``-th time."""
        if not suits(self.rules):
            return {}
        repeated = _replay.find_repeats(self.rows, self.plies["occurrence"], fold)
        return {game: self.conduct(game, self.cycle(game, ply)) for game, ply in repeated.items()}

    def judge(self, ends: Mapping[str, Any], book: RuleBook) -> dict[int, Verdict]:
        """The verdicts on the games that `_replay.find_ends` found ended by a repetition that checks do not decide."""
        if not (book.judges_conduct and suits(self.rules)):
            return {}
        verdicts = {}
        for game, end in enumerate(ends["end"]):
            if end == _REPETITION:
                cycle = self.cycle(game, ends["ply"][game])
                verdicts[game] = judge(self.conduct(game, cycle), cycle, book, self.rules)
        return verdicts
