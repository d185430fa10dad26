"""The repeated games of a batch: where they came back to a position, what was done in between, and the verdicts.

Everything is told from the plies as they were replayed, or as they were stored; only games that reach a repetition are
looked at, and boards only when nothing is stored of their conduct.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator import _ends, _replay
from adjudicator.conduct import Conduct, Notes, note, suits
from adjudicator.cycles import Cycle
from adjudicator.moves import NOWHERE, move_text
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.setup import Start
from adjudicator.verdict import Verdict, judge

NONE = 255
FOLD = 3
"""The occurrence at which nearly every book rules: what a run stores conduct for."""
NEVER = 1 << 30

_REPETITION = _ends.ENDS["repetition"]
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
        return Cycle(_ends.occurrences(self.plies["position_key"], self.rows[game], key, ply))

    def conduct(self, game: int, cycle: Cycle) -> Conduct:
        """What was done in ``cycle``, and on the move that led into it."""
        known = self.known.get(game)
        opens = max(0, cycle.occurrences[0] - 1)
        if known is None or known.first > opens or known.last < cycle.closes:
            known = self.known[game] = self._note([game], [opens], [cycle.closes]).conduct(0)
        return known

    def _note(self, games: Sequence[int], firsts: Sequence[int], lasts: Sequence[int]) -> Notes:
        starts = [self.start(game)[:2] for game in games]
        return note(self.rules, starts, [self.rows[game] for game in games], firsts, lasts, self.plies)

    def note_all(self, keys: Sequence[int], fold: int = FOLD) -> tuple[Sequence[int], Notes]:
        """The games in which a position stands for the ``fold``-th time, and their conduct up to the first such ply;
        ``keys`` are the keys of the start positions."""
        games, opens, closes = _ends.find_repeats(
            self.rows,
            self.plies["position_key"],
            self.plies["occurrence"],
            keys,
            fold if suits(self.rules) else NEVER,
        )
        notes = self._note(games, [max(0, ply - 1) for ply in opens], closes)
        self.known |= {game: notes.conduct(number) for number, game in enumerate(games)}
        return games, notes

    def checks(self, game: int) -> list[bool]:
        """For every ply of ``game``, from the start position on, whether it gives check as the rule set counts it."""
        counting = _WIDE if self.rules.wide_checks else _CHECK
        flags = self.plies["flags"][self.rows[game] : self.rows[game + 1]]
        return [False, *(bool(flag & counting) for flag in flags)]

    def move(self, game: int, ply: int) -> str:
        """A ply of ``game`` in coordinates."""
        p, row = self.plies, self.rows[game] + ply - 1
        if p["flags"][row] & _DROP:
            return move_text(self.rules, (NOWHERE, p["to"][row], p["piece"][row] + 1))
        kind = p["promotion"][row] + 1 if p["promotion"][row] != NONE else 0
        return move_text(self.rules, (p["from"][row], p["to"][row], kind))

    def judge(self, ends: Mapping[str, Any], book: RuleBook) -> dict[int, Verdict]:
        """The verdicts on the games that `_ends.find_ends` found ended by a repetition that checks do not decide."""
        if not (book.judges_conduct and suits(self.rules)):
            return {}
        verdicts = {}
        for game, end in enumerate(ends["end"]):
            if end == _REPETITION:
                cycle = self.cycle(game, ends["ply"][game])
                verdicts[game] = judge(self.conduct(game, cycle), cycle, book, self.rules)
        return verdicts
