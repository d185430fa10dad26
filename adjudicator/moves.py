"""Kernel moves in words: ``(from, to, kind)``, where ``from`` NOWHERE is a drop of ``kind``, else ``kind`` is what
the piece is promoted to (0: nothing)."""

from __future__ import annotations

import re

from adjudicator.ruleset import Ruleset
from notation import descriptor

NOWHERE = 127
BLACK = 16
"""Added to a kind of piece: Black's."""

Move = tuple[int, int, int]


def move_text(rules: Ruleset, move: Move) -> str:
    """ "h3e3", "a8a9q" or "R@d4": coordinates with ranks from 1."""
    start, to, kind = move
    letter = rules.pieces[kind - 1].letter if kind else ""
    if start == NOWHERE:
        return f"{letter}@{rules.point_name(to)}"
    return rules.point_name(start) + rules.point_name(to) + letter.lower()


def move_word(rules: Ruleset, move: Move) -> int:
    """The descriptor of `move_text`."""
    start, to, kind = move
    letter = rules.pieces[kind - 1].letter if kind else ""
    file, rank = to % rules.files, to // rules.files + 1
    if start == NOWHERE:
        return descriptor.drop(letter, file, rank)
    return descriptor.coordinate(start % rules.files, start // rules.files + 1, file, rank, letter)


_SQUARES = re.compile(r"(?:[A-Za-z]@|([a-z]\d+))([a-z]\d+)[a-z]?")


def move_points(text: str) -> tuple[str | None, str]:
    """Origin (None: a drop) and target of a coordinate move. Raises ValueError for other text."""
    found = _SQUARES.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a coordinate move")
    return found[1], found[2]
