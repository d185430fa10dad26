"""Coordinates: ``H2-E2`` (ICCS, ranks 0-9), ``h3e3`` and ``h10g8`` (ranks 1-10), ``a8a9q``, ``R@d4``."""

from __future__ import annotations

import re
from typing import Final

from notation import descriptor
from notation.context import Context

SQUARE: Final = r"([A-Oa-o])(1[0-4]|[0-9])"
_MOVE: Final = re.compile(rf"{SQUARE}([-x:]?){SQUARE}(?:=?([A-Za-z]))?")
_DROP: Final = re.compile(rf"([A-Za-z])[@*]{SQUARE}")


def parse(text: str) -> int:
    """The descriptor of a board move in coordinates, letters in either case; 0 when ``text`` is not one.

    ``text`` is folded and bare (see `notation.spelling`). Ranks stay as written, from 0 or from 1.
    """
    match = _MOVE.fullmatch(text)
    if match is None:
        return 0
    from_file, from_rank, sign, to_file, to_rank, promotion = match.groups()
    return descriptor.coordinate(
        (ord(from_file) | 32) - 97,
        int(from_rank),
        (ord(to_file) | 32) - 97,
        int(to_rank),
        promotion.upper() if promotion else "",
        capture=sign in ("x", ":"),
    )


def parse_drop(text: str) -> int:
    """The descriptor of a drop, ``R@d4``, ``R*d4`` or ``r@d4``; 0 when ``text`` is not one."""
    match = _DROP.fullmatch(text)
    if match is None:
        return 0
    piece, to_file, to_rank = match.groups()
    return descriptor.drop(piece.upper(), (ord(to_file) | 32) - 97, int(to_rank))


def write(context: Context) -> str:
    """``h3e3``, ranks from 1; ``a8a9q`` with a promotion, ``R@d4`` for a drop (a capital for both sides)."""
    to = f"{chr(97 + context.to_file)}{context.to_rank + 1}"
    if context.is_drop:
        return f"{context.piece}@{to}"
    return f"{chr(97 + context.from_file)}{context.from_rank + 1}{to}{context.promotion.lower()}"


def write_iccs(context: Context) -> str:
    """``H2-E2``, ranks from 0; ``A7-A8=Q`` with a promotion, ``R@D3`` for a drop."""
    to = f"{chr(65 + context.to_file)}{context.to_rank}"
    if context.is_drop:
        return f"{context.piece}@{to}"
    promotion = f"={context.promotion}" if context.promotion else ""
    return f"{chr(65 + context.from_file)}{context.from_rank}-{to}{promotion}"
