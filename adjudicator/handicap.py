"""Handicaps: what a side gives of its start array, and which pieces that makes iron.

rulesets.md, “Handicaps (odds)”: removal confers protection, as the rule set's ``handicap.protects`` says by points. A
handicap is declared (`notation.handicap` has the words) or inferred from a start position that lacks pieces. The
position rules: where declaration and position differ, there is a finding, and what the position lacks counts. No FEN
tells of iron pieces, so a position travels as its FEN and `text`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from adjudicator.moves import BLACK
from adjudicator.ruleset import Ruleset
from notation import handicap as words
from notation.finding import MOST_ALIKE, Finding, shown
from notation.handicap import Given

EXCEPT_CHECK = 128
"""Added to an iron point: a capture that gives check is allowed (`_board.IRON_SOLDIER`)."""
MOST_IRON = 8
"""Iron pieces that the kernel has room for."""


@dataclass(slots=True)
class Handicap:
    """What holds in a start position: points of the array that ``lack`` their piece, the receiver's first ``moves``,
    and the ``iron`` points for the kernel."""

    lacking: tuple[int, ...] = ()
    moves: int = 0
    iron: tuple[int, ...] = ()
    said: words.Handicap = field(default_factory=words.Handicap)


def settle(
    pieces: bytes, array: bytes, text: str, rules: Ruleset, free: bool
) -> tuple[bytes, Handicap | None, list[Finding]]:
    """The start position, its handicap (None: none is given) and what is wrong with ``text``.

    ``pieces`` and ``array`` are kernel codes by point, of the position and of the rule set's own start; ``text``
    declares a handicap and is empty where none is declared. Where the record has no FEN the position is ``free``:
    what is given is taken off.
    """
    if not text and not rules.infers_handicap:
        return pieces, None, []
    return _Settler(pieces, array, text, rules, free).settle()


class _Settler:
    def __init__(self, pieces: bytes, array: bytes, text: str, rules: Ruleset, free: bool):
        self.pieces = pieces
        self.array = array
        self.text = text
        self.rules = rules
        self.free = free
        self.said = words.read(text)
        self.kinds = {
            letter: kind
            for kind, piece in enumerate(rules.pieces, start=1)
            for letter in (piece.letter, *piece.synonyms)
            if not piece.royal
        }
        self.faults: list[Finding] = []

    def settle(self) -> tuple[bytes, Handicap | None, list[Finding]]:
        said = self.said
        if said.unknown:
            first = said.unknown[:MOST_ALIKE]
            self.fault("handicap-unreadable", words=shown(" ".join(first)))
            self.faults[-1].suggestion = next(filter(None, map(words.nearest, first)), None)
        if said.denied:
            return self.pieces, None, self.faults
        declared = self.declared()
        if self.free:
            self.take_off(declared)
        is_start = all(code in (0, full) for code, full in zip(self.pieces, self.array, strict=True))
        lacking = declared
        if is_start:
            lacking = [p for p, (a, b) in enumerate(zip(self.pieces, self.array, strict=True)) if a != b]
            if said.given and set(lacking) != set(declared):
                self.fault("handicap-mismatch", **self.both(declared, lacking))
        elif said.given and said.iron is None:
            self.fault("handicap-not-start")
        if said.moves > 1 and self.free:
            self.fault("handicap-moves", moves=said.moves)
        protected = self.protected(lacking) if is_start else {}
        iron = self.named(protected) if said.iron is not None else protected
        if len(iron) > MOST_IRON:
            self.fault("handicap-iron", point=f"more than {MOST_IRON} points")
            iron = {}
        if not (lacking or said.moves or iron):
            return self.pieces, None, self.faults
        found = Handicap(tuple(lacking), said.moves, tuple(p | more for p, more in sorted(iron.items())))
        return self.pieces, found, self.faults

    def fault(self, code: str, **details: object) -> None:
        self.faults.append(Finding(code, text=shown(self.text), details=details))

    # ---- what is given ---------------------------------------------------------------------------

    def declared(self) -> list[int]:
        """Points of the array whose pieces the text gives."""
        found: list[int] = []
        for given in self.said.given:
            points = [point for point in self.which(given) if point not in found]
            if not points:
                code = "handicap-not-there" if given.piece in self.kinds else "handicap-unreadable"
                alone = words.Handicap([given])
                self.fault(code, words=words.write(alone), words_zh=words.write(alone, "zh"))
            found += points
        return sorted(found)

    def which(self, given: Given) -> list[int]:
        """The points of the array that ``given`` means."""
        side = given.side if given.side is not None else self.giver()
        if given.piece not in self.kinds:
            return []
        code = self.kinds[given.piece] | side * BLACK
        home = [point for point, full in enumerate(self.array) if full == code]
        home.sort(key=lambda point: _from_left(point, side, self.rules))
        if given.points:
            return [point for point in home if self.rules.point_name(point) in given.points]
        if given.wing:
            home = [point for point in home if _wing(point, side, self.rules) == given.wing]
            if given.wing == "right":
                home.reverse()
        else:  # those that the position lacks; of a pair the left one is meant by custom (让单马)
            home.sort(key=lambda point: self.pieces[point] == code)
        number = given.number or 1
        return home[:number] if number <= len(home) else []

    def giver(self) -> int:
        """Who gives when the text does not say: the side that lacks pieces, else Red."""
        sides = {
            full >> 4 for code, full in zip(self.pieces, self.array, strict=True) if code != full and full
        }
        return 1 if sides == {1} else 0

    def take_off(self, points: list[int]) -> None:
        pieces = bytearray(self.pieces)
        for point in points:
            pieces[point] = 0
        self.pieces = bytes(pieces)

    def both(self, declared: list[int], lacking: list[int]) -> dict[str, str]:
        """Declaration and position side by side, for a finding."""
        details = {}
        for name, points in (("declared", declared), ("lacking", lacking)):
            given = words.Handicap(list(self.described(points)))
            details[name] = words.write(given) or "nothing"
            details[f"{name}_zh"] = words.write(given, "zh") or "不让子"
        return details

    def described(self, points: list[int]) -> Iterator[Given]:
        return described(points, self.array, self.rules)

    # ---- what is protected -------------------------------------------------------------------------

    def protected(self, lacking: list[int]) -> dict[int, int]:
        """Iron points, with what is allowed against them, by what the position lacks."""
        last = len(self.array) - 1
        found = {}
        for rule in self.rules.protections:
            for side in (0, 1):
                gone, kept = ((last - p if side else p) for p in (rule.lacking, rule.iron))
                if (
                    gone in lacking
                    and self.array[gone] >> 4 == side
                    and self.pieces[kept] == self.array[kept]
                ):
                    found[kept] = EXCEPT_CHECK if rule.unless_check else 0
        return found

    def named(self, protected: dict[int, int]) -> dict[int, int]:
        """The iron points that the text names."""
        found: dict[int, int] = {}
        kinds = {self.array[rule.iron] & 15: rule.unless_check for rule in self.rules.protections}
        for name in self.said.iron or ():
            points = self.points_named(name, protected)
            good = [p for p in points if self.pieces[p] & 15 in kinds]
            if not good:
                text = name if isinstance(name, str) else words.write(words.Handicap([name]))
                self.fault("handicap-iron", point=text)
            found |= {p: EXCEPT_CHECK if kinds[self.pieces[p] & 15] else 0 for p in good}
        return found

    def points_named(self, name: Given | str, protected: dict[int, int]) -> list[int]:
        if isinstance(name, str):
            try:
                return [self.rules.point(name)]
            except ValueError:
                return []
        kind = self.kinds.get(name.piece, 0)
        if not name.wing and name.number is None:
            covered = [p for p in protected if self.pieces[p] & 15 == kind]
            if covered:
                return covered
        return [p for p in self.which(name) if self.pieces[p] == self.array[p]]


def _from_left(point: int, side: int, rules: Ruleset) -> int:
    """The file of ``point``, from 0 on the left of its owner ``side``."""
    file = point % rules.files
    return rules.files - 1 - file if side else file


def _wing(point: int, side: int, rules: Ruleset) -> str:
    """The wing that ``point`` stands on as its owner ``side`` sees it: "left", "middle" or "right"."""
    twice, middle = 2 * _from_left(point, side, rules), rules.files - 1
    return "left" if twice < middle else "right" if twice > middle else "middle"


def described(points: list[int] | tuple[int, ...], array: bytes, rules: Ruleset) -> Iterator[Given]:
    """The pieces of ``array`` on ``points`` in the words of a handicap."""
    for code in dict.fromkeys(array[point] for point in sorted(points, key=lambda p: (array[p] >> 4, p))):
        side, kind = code >> 4, code & 15
        home = [point for point, full in enumerate(array) if full == code]
        mine = [point for point in home if point in points]
        letter = rules.pieces[kind - 1].letter
        names = tuple(map(rules.point_name, mine))
        if len(mine) == len(home):
            yield Given(letter, side, number=len(mine))
        elif len({_wing(point, side, rules) for point in home}) == len(home) == 2:
            yield Given(letter, side, wing=_wing(mine[0], side, rules), number=1)
        else:
            yield Given(letter, side, number=len(mine), points=names)


def text(handicap: Handicap | None, iron: tuple[int, ...], array: bytes, rules: Ruleset) -> str | None:
    """The text that declares ``handicap`` with the ``iron`` points that are left; None without one.

    >>> from adjudicator import Position
    >>> Position(handicap="让左车").handicap
    'red left chariot; iron b1'
    """
    if handicap is None:
        return None
    given = list(described(handicap.lacking, array, rules))
    points: list[Given | str] = [
        rules.point_name(point & 127) for point in sorted(iron, key=lambda p: p & 127)
    ]
    return words.write(words.Handicap(given, handicap.moves, points if given or points else None))
