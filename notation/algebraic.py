"""Moves in the manner of chess: ``Cbe3``, ``A10e9``, ``Hxf9``, ``exe5``; long: ``Cb3–e3``, ``Rh1×h8†``."""

from __future__ import annotations

import re
from typing import Final

from notation import descriptor

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
