"""What each side does on the plies of a stretch of play: checks, threats of mate, attacks. Facts, no law.

The compiled `adjudicator._conduct` looks at the boards and gives every attack as one word; here are its parts by
name. What a rule book makes of them is in `adjudicator.verdict`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adjudicator import _conduct
from adjudicator.compile import tables
from adjudicator.moves import Move
from adjudicator.ruleset import Ruleset
from adjudicator.setup import Start

FLAGS: dict[str, int] = _conduct.FLAGS
"""How an attack stands, bit by bit; what each means is said in ``_conduct.pxd``."""

VALUES = {"chariot": 20, "cannon": 10, "horse": 10, "advisor": 4, "elephant": 4, "soldier": 2, "general": 200}
"""What pieces are worth in an exchange, by name: CXA 1999, detail rules 8 and 10 (a chariot is two of horse and
cannon, which are alike, as are advisor and elephant). Other pieces are worth nothing."""

MATE_CHECKS = 3
"""How many checks a threat of mate may take."""


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
class Conduct:
    """The facts of a stretch of play, from the position after ply ``first`` on.

    ``attacks`` has, for each position, the words of all attacks of both sides; ``kills`` in how few checks
    the side that just moved would mate if it could move again (0: it would not, or it gives check); ``movers``
    the identity of the piece that moved, ``checks`` whether it gives check. ``first_side`` moved on ply 1.
    """

    first: int
    first_side: int
    attacks: Sequence[Sequence[int]]
    kills: Sequence[int]
    movers: Sequence[int]
    checks: Sequence[bool]

    @property
    def last(self) -> int:
        """The last ply that is told of."""
        return self.first + len(self.checks) - 1

    def mover(self, ply: int) -> int:
        """0 Red, 1 Black: who played ``ply``."""
        return (self.first_side + ply - 1) & 1

    def words(self, ply: int, side: int) -> list[int]:
        """The attacks of ``side`` after ``ply``."""
        return [word for word in self.attacks[ply - self.first] if word >> 36 & 1 == side]

    def check(self, ply: int) -> bool:
        return self.checks[ply - self.first]

    def kill(self, ply: int) -> int:
        return self.kills[ply - self.first]

    def moved(self, ply: int) -> int:
        """The identity of the piece that moved on ``ply``."""
        return self.movers[ply - self.first]


@lru_cache(maxsize=64)
def values(rules: Ruleset) -> bytes:
    """`VALUES` by kind of piece, as the kernel takes them."""
    worth = [VALUES.get(piece.name, 0) for piece in rules.pieces]
    return bytes([0, *worth]).ljust(16, b"\0")


def note(
    rules: Ruleset,
    start: Start,
    side: int,
    moves: Iterable[Move],
    first: int,
    checks: Sequence[bool],
) -> Conduct:
    """The conduct in a game from ``start``, ``side`` to move, from the position after ply ``first`` to the end.

    ``checks`` tells for every ply from 0 on whether it gives check as the rule set counts it.
    """
    words = array("I", (begin | to << 8 | kind << 16 for begin, to, kind in moves))
    begin = start.pieces, side, start.since_capture, start.held, start.iron
    rows, attacks, kills, movers = _conduct.attacks_along(
        tables(rules), begin, words, first, values(rules), MATE_CHECKS
    )
    listed = [attacks[rows[i] : rows[i + 1]] for i in range(len(kills))]
    return Conduct(first, side, listed, kills, movers, list(checks[first : len(words) + 1]))


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
    faces = piece.chinese
    return f"{faces[0] if side or len(faces) < 2 else faces[1]}{where}"


def unpack(words: Iterable[int]) -> list[Attack]:
    return [Attack(word) for word in words]
