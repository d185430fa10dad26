"""The front of all move notations: text to descriptor, and a resolved move back to text."""

from __future__ import annotations

import re
from typing import Final

from notation import algebraic, chinese, coordinate, wxf
from notation.descriptor import CHECK
from notation.spelling import fold, undecorate

COORDINATES: Final = frozenset({"coordinate", "iccs", "uci"})

# A capital that is a piece, a rank, a small file: "A9e8", "A9xe8"; but not "A9E8", "A9-e8", "a9e8".
_PIECE_FIRST: Final = re.compile(rf"[{algebraic.PIECES}][0-9]{{1,2}}x?[a-o]")


def parse(token: str, notation: str | None = None) -> int:
    """The descriptor of a move token, 0 when no notation reads it. Never raises, whatever the text.

    ``notation`` names what the record claims to be written in (a name of `NOTATIONS` or one that `heard`
    gives); it decides only what two notations could both read: ``A9e8`` is an advisor unless coordinates
    were declared.
    """
    return _hear(token, notation)[0]


def heard(token: str, notation: str | None = None) -> str | None:
    """How `parse` reads ``token``: "coordinate", "drop", "wxf", "chinese", "algebraic", or None."""
    return _hear(token, notation)[1]


def _hear(token: str, notation: str | None) -> tuple[int, str | None]:
    text, check = undecorate(fold(token))
    if not text.isascii():
        packed, name = chinese.parse(text), "chinese"
    elif len(text) == 4 and text[2] in ".=+-" and (packed := wxf.parse(text)):
        name = "wxf"
    else:
        packed, name = _hear_squares(text, notation)
    if not packed:
        return 0, None
    return packed | check * CHECK, name


def _hear_squares(text: str, notation: str | None) -> tuple[int, str]:
    packed = coordinate.parse(text)
    if packed and (notation in COORDINATES or not _PIECE_FIRST.match(text)):
        return packed, "coordinate"
    if heard := algebraic.parse(text):
        return heard, "algebraic"
    if packed:
        return packed, "coordinate"
    return coordinate.parse_drop(text), "drop"
