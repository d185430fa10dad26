"""What each side does on the plies of a stretch of play: checks, threats of mate, attacks. Facts, no law.

The compiled `adjudicator._conduct` looks at the boards and gives every attack as one word; here are its parts by
name. What a rule book makes of them is in `adjudicator.verdict`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from adjudicator import _conduct, _replay
from adjudicator.compile import tables
from adjudicator.moves import NOWHERE, move_text
from adjudicator.ruleset import Ruleset
from adjudicator.setup import Start

QUIET: tuple[str, ...] = _conduct.QUIET
"""What a move is that neither checks nor chases nor threatens mate."""

NONE = 255

FLAGS: dict[str, int] = _conduct.FLAGS
"""How an attack stands, bit by bit; what each means is said in ``_conduct.pxd``."""

VALUES = {"chariot": 20, "cannon": 10, "horse": 10, "advisor": 4, "elephant": 4, "soldier": 2, "general": 200}
"""What pieces are worth in an exchange, by name: CXA 1999, 25.3 (a chariot is two of horse and
cannon, which are alike, as are advisor and elephant). Other pieces are worth nothing."""

MATE_CHECKS = 3
"""How many checks a threat of mate may take, and a run of checks that wins a piece."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One piece bears on another: an attack word of the kernel, taken apart.

    Points are kernel numbers. ``attacker`` and ``target`` are identities: where the piece stood in the start
    position. ``kind`` and ``target_kind`` are numbers in the rule set's order, from 1.
    """

    word: int

    @property
    def start(self) -> int:
        return self.word & 127

    @property
    def to(self) -> int:
        return self.word >> 7 & 127

    @property
    def attacker(self) -> int:
        return self.word >> 14 & 127

    @property
    def target(self) -> int:
        return self.word >> 21 & 127

    @property
    def kind(self) -> int:
        return self.word >> 28 & 15

    @property
    def target_kind(self) -> int:
        return self.word >> 32 & 15

    @property
    def side(self) -> int:
        """0 Red, 1 Black: whose attack it is."""
        return self.word >> 36 & 1

    @property
    def flags(self) -> int:
        return self.word >> 37

    def has(self, *names: str) -> bool:
        """Whether all of the flags ``names`` are set."""
        wanted = sum(FLAGS[name] for name in names)
        return self.flags & wanted == wanted


@dataclass(frozen=True, slots=True)
class Notes:
    """What was noted of stretches of play, as flat columns: those that `_conduct.note` describes.

    ``game`` has a first row per stretch and one more; moves are in ``move`` as text where that is given, else in
    ``start``, ``to`` and ``kind``.
    """

    rules: Ruleset
    columns: Mapping[str, Any]

    def conduct(self, number: int) -> Conduct:
        """The ``number``-th stretch."""
        begin, end = self.columns["game"][number], self.columns["game"][number + 1]
        first = self.columns["ply"][begin]
        return Conduct(self, first, begin - first, first + end - begin - 1)

    def move(self, row: int) -> str:
        """The move that led to the position of ``row``, in coordinates; "" for a start position."""
        columns = self.columns
        if "move" in columns:
            return columns["move"][row] or ""
        if not columns["ply"][row]:
            return ""
        start, to, kind = columns["start"][row], columns["to"][row], columns["kind"][row]
        return move_text(self.rules, (NOWHERE if start == NONE else start, to, kind))


class Conduct:
    """The facts of a stretch of play, from the position after ply ``first`` to that after ply ``last``."""

    __slots__ = ("_at", "_base", "_by_side", "_notes", "_side", "_words", "first", "last")

    def __init__(self, notes: Notes, first: int, base: int, last: int):
        self.first, self.last = first, last
        self._notes = notes
        self._base = base  # row of ply 0, were it there
        self._by_side: dict[int, tuple[list[int], list[int]]] = {}
        self._at, self._words, self._side = (notes.columns[name] for name in ("at", "words", "side"))

    def mover(self, ply: int) -> int:
        """0 Red, 1 Black: who played ``ply``."""
        return self._side[self._base + ply]

    def attacks(self, ply: int) -> Sequence[int]:
        """The words of all attacks of both sides after ``ply``."""
        row = self._base + ply
        return self._words[self._at[row] : self._at[row + 1]]

    def words(self, ply: int, side: int) -> list[int]:
        """The attacks of ``side`` after ``ply``."""
        known = self._by_side.get(ply)
        if known is None:
            known = self._by_side[ply] = [], []
            for word in self.attacks(ply):
                known[word >> 36 & 1].append(word)
        return known[side]

    def repeats(self, last: range, span: range) -> bool:
        """Whether ``span`` is nothing but rounds like its last plies ``last``."""
        words = memoryview(self._words)

        def raw(ply: int) -> bytes:
            row = self._base + ply
            return words[self._at[row] : self._at[row + 1]].tobytes()

        return len(span) % len(last) == 0 and all(
            raw(ply) == raw(ply - len(last)) for ply in span[len(last) :]
        )

    def check(self, ply: int) -> bool:
        """Whether ``ply`` gives check, as the rule set counts it."""
        return bool(self._notes.columns["check"][self._base + ply])

    def kill(self, ply: int) -> int:
        """In how few checks the side that moved would mate if it could move again; 0: it would not, or it checks."""
        return self._notes.columns["kill"][self._base + ply]

    def quiet(self, ply: int) -> str:
        """What the move is if it is nothing heavier: a word of QUIET."""
        return QUIET[self._notes.columns["quiet"][self._base + ply]]

    def moved(self, ply: int) -> int:
        """The identity of the piece that moved on ``ply``."""
        return self._notes.columns["moved"][self._base + ply]

    def active(self, first: int, last: int, *chases: Any) -> int:
        """Who might have offended on every one of the plies ``first … last``: see `_conduct.active`."""
        return _conduct.active(self._notes.columns, self._base, first, last, *chases)

    def move(self, ply: int) -> str:
        """The move in coordinates."""
        return self._notes.move(self._base + ply)


@lru_cache(maxsize=64)
def values(rules: Ruleset) -> bytes:
    """`VALUES` by kind of piece, as the kernel takes them."""
    worth = [VALUES.get(piece.name, 0) for piece in rules.pieces]
    return bytes([0, *worth]).ljust(16, b"\0")


def note(
    rules: Ruleset,
    starts: Sequence[tuple[Start, int]],
    rows: Sequence[int],
    firsts: Sequence[int],
    lasts: Sequence[int],
    plies: Mapping[str, Any],
) -> Notes:
    """The conduct of games from the position after a ply to that after a later one.

    For each game ``starts`` has the start position and who moves first, ``rows`` its first row in ``plies`` (columns as
    `_replay.replay` gives them), ``firsts`` and ``lasts`` the plies.
    """
    begins = [(start.pieces, side, start.since_capture, start.held, start.iron) for start, side in starts]
    counting = _replay.FLAGS["wide_check" if rules.wide_checks else "check"]
    columns = _conduct.note(
        tables(rules),
        begins,
        array("q", rows),
        array("i", firsts),
        array("i", lasts),
        {name: plies[name] for name in ("from", "to", "piece", "promotion", "flags")},
        counting,
        values(rules),
        kinds(rules).get("soldier", 0),
        MATE_CHECKS,
    )
    return Notes(rules, columns)


def suits(rules: Ruleset) -> bool:
    """Whether conduct can be told under ``rules``: captures take their target and nothing else, for good."""
    return not rules.explodes and not rules.reserves


def kinds(rules: Ruleset) -> dict[str, int]:
    """The kernel's number of each kind of piece, by name."""
    return {piece.name: kind for kind, piece in enumerate(rules.pieces, start=1)}


def piece_word(rules: Ruleset, kind: int, point: int, side: int, language: str = "en") -> str:
    """ "chariot b9", "车b9": a piece and where it stands."""
    piece = rules.pieces[kind - 1]
    where = rules.point_name(point)
    if language == "en":
        return f"{piece.name} {where}"
    return f"{_BY_SIDE.get(piece.name, (piece.chinese, piece.chinese))[side]}{where}"


_BY_SIDE = {"general": "帅将", "advisor": "仕士", "elephant": "相象", "soldier": "兵卒"}
"""Pieces that are written one way for Red and another for Black."""


def unpack(words: Iterable[int]) -> list[Attack]:
    return [Attack(word) for word in words]
