"""The front of all move notations: text to descriptor, and a resolved move back to text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from notation import algebraic, chinese, coordinate, wxf
from notation.context import Context
from notation.descriptor import CHECK
from notation.spelling import fold, undecorate

COORDINATES: Final = frozenset({"coordinate", "iccs", "uci"})
DIALECTS: Final = {
    "wxf": wxf.DIALECTS,
    "chinese": chinese.DIALECTS,
    "chinese-traditional": chinese.DIALECTS,
    "iccs": (),
    "uci": (),
    "algebraic": (),
    "long": (),
}
NOTATIONS: Final = tuple(DIALECTS)

# A capital that is a piece, a rank, a small file: "A9e8", "A9xe8"; but not "A9E8", "A9-e8", "a9e8".
_PIECE_FIRST: Final = re.compile(rf"[{algebraic.PIECES}][0-9]{{1,2}}x?[a-o]")


@lru_cache(maxsize=1 << 16)  # the few thousand tokens of an archive come back in every batch
def parse(token: str, notation: str | None = None) -> int:
    """The descriptor of a move token, 0 when no notation reads it. Never raises, whatever the text.

    ``notation`` names what the record claims to be written in (a name of `NOTATIONS` or one that `heard`
    gives); it decides only what two notations could both read: ``A9e8`` is an advisor unless coordinates
    were declared.
    """
    return _hear(token, notation)[0]


@lru_cache(maxsize=1 << 16)
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


def write(context: Context, notation: str, dialect: str | None = None) -> str:
    """The move of ``context`` in one of `NOTATIONS`, in the first of its `DIALECTS` unless another is named.

    Read back (`parse`) and resolved on the same board, the text gives the same move; only the WXF dialect
    ``fairy`` and the rank base of coordinates may have to be told to the reader. Raises ValueError for an
    unknown notation or dialect.
    """
    if notation not in DIALECTS:
        raise ValueError(f"no notation {notation!r}; there are {', '.join(NOTATIONS)}")
    if dialect is not None and dialect not in DIALECTS[notation]:
        known = ", ".join(DIALECTS[notation]) or "none"
        raise ValueError(f"{notation} has no dialect {dialect!r}; dialects: {known}")
    if notation == "wxf":
        return wxf.write(context, dialect or "wxf")
    if notation.startswith("chinese"):
        traditional = notation == "chinese-traditional"
        return chinese.write(context, traditional=traditional, digits=dialect or "half-width")
    return _SQUARE_WRITERS[notation](context)


_SQUARE_WRITERS: Final = {
    "iccs": coordinate.write_iccs,
    "uci": coordinate.write,
    "algebraic": algebraic.write,
    "long": algebraic.write_long,
}
