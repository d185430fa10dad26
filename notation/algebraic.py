"""Moves in the manner of chess: ``Cbe3``, ``A10e9``, ``Hxf9``, ``exe5``; long: ``Cb3–e3``, ``Rh1×h8†``."""

from __future__ import annotations

import re
from typing import Final

from notation import coordinate, descriptor
from notation.context import Context

PIECES: Final = "ABCEFGHIKMNPQRSTWX"
_RANK: Final = "1[0-4]|[0-9]"
_MOVE: Final = re.compile(
    rf"([{PIECES}])?([a-o])?({_RANK})?([-x:])?([a-o])({_RANK})(?:=([A-Za-z])|\(=?([A-Z])\)|([A-Z]))?"
)


def parse(text: str) -> int:
    """The descriptor of an algebraic move; 0 when ``text`` is not one.

    ``text`` is folded and bare (see `notation.spelling`). Pieces are capitals and files small letters, so the
    case tells ``A9e8`` (the advisor on rank 9) from the coordinates ``a9e8`` and ``A9E8``. Without a letter
    the move is a soldier's, and then only its file may be written before the target.
    """
    match = _MOVE.fullmatch(text)
    if match is None:
        return 0
    piece, from_file, from_rank, sign, to_file, to_rank, *promotion = match.groups()
    if piece is None and from_rank is not None and from_file is None:
        return 0
    becomes = next(filter(None, promotion), "")
    return descriptor.algebraic(
        piece or "",
        ord(to_file) - 97,
        int(to_rank),
        ord(from_file) - 97 if from_file else -1,
        int(from_rank) if from_rank else -1,
        becomes.upper(),
        capture=sign in ("x", ":"),
    )


def write(context: Context) -> str:
    """``Cbe3``, ``A10e9``, ``Rxb10+``: ranks from 1, the letter always, and no more origin than is needed.

    The file tells rivals apart if it can, else the rank, else both are written. Soldiers have their letter
    too, ``Pc5``, as in the web archives; the engine interfaces that leave it out are only read.
    """
    to = _square(context.to_file, context.to_rank)
    if context.is_drop:
        return coordinate.write(context)
    promotion = f"={context.promotion}" if context.promotion else ""
    sign = "#" if context.mate else "+" if context.check else ""
    return f"{context.piece}{_origin(context)}{'x' * context.capture}{to}{promotion}{sign}"


def write_long(context: Context) -> str:
    """``Cb3–e3``, ``Rh1×h8†``: letters G A E H R C S, the whole origin, † for check."""
    if context.is_drop:
        return coordinate.write(context)
    piece = _LONG_LETTERS.get(context.piece, context.piece)
    origin, to = _square(context.from_file, context.from_rank), _square(context.to_file, context.to_rank)
    promotion = f"={context.promotion}" if context.promotion else ""
    sign = "†" if context.check or context.mate else ""
    return f"{piece}{origin}{'×' if context.capture else '–'}{to}{promotion}{sign}"


_LONG_LETTERS: Final = {"K": "G", "P": "S"}


def _origin(context: Context) -> str:
    if not context.rivals:
        return ""
    file, rank = context.from_file, context.from_rank
    if all(other != file for other, _ in context.rivals):
        return chr(97 + file)
    if all(other != rank for _, other in context.rivals):
        return str(rank + 1)
    return _square(file, rank)


def _square(file: int, rank: int) -> str:
    return f"{chr(97 + file)}{rank + 1}"
