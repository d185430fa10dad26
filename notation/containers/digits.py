"""Points, positions and moves in digits, as `dhtmlxq` reads them.

A point is two digits: its column, 0 to 8 from the left as Red sees it, and its row, 0 to 9 from Black's back rank. A
position is the points of 32 pieces in a fixed order, ``99`` for one that is off the board; a move is two points.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from notation import encoding as encodings
from notation.containers.cut import HEAD_BYTES
from notation.containers.drafts import PIECES
from notation.fen import EMPTY, Setup, write_fen
from notation.finding import Finding

OFF: Final = b"99"
USUAL: Final = b"0919293949596979891777062646668600102030405060708012720323436383"
LEAST: Final = 16
"""Fewer digits are no game when they stand alone."""
_PLAYED: Final = 32
"""So many digits of those that stand alone have to be moves."""


def on_board(digits: bytes) -> bool:
    """Whether ``digits`` are points of the board, one or several."""
    return digits.isdigit() and not len(digits) % 2 and b"9" not in digits[::2]


@lru_cache(1 << 13)
def move(digits: bytes) -> str | None:
    """Four ``digits`` as coordinates with ranks from 1; None where they are no move."""
    if len(digits) != 4 or not on_board(digits):
        return None
    return _square(digits[:2]) + _square(digits[2:])


def _square(digits: bytes) -> str:
    column, row = digits
    return f"{'abcdefghi'[column - 48]}{58 - row}"


def placed(digits: bytes) -> tuple[dict[bytes, str], list[tuple[int, Finding]]]:
    """The pieces of a position by their points, as far as it can be read; and what is wrong with it, at which digit."""
    board: dict[bytes, str] = {}
    faults: list[tuple[int, Finding]] = []

    def bad(index: int, why: str, why_zh: str) -> None:
        faults.append((index, Finding("bad-setup", ply=0, details={"why": why, "why_zh": why_zh})))

    if len(digits) != len(USUAL):
        bad(0, f"{len(digits)} digits, not {len(USUAL)}", f"共 {len(digits)} 位,应为 {len(USUAL)}")
    for number, piece in enumerate(PIECES):
        point = digits[2 * number : 2 * number + 2]
        if len(point) < 2 or point == OFF:
            continue
        if not on_board(point):
            text = point.decode("ascii", "backslashreplace")
            bad(2 * number, f"{text} is no point of the board", f"{text} 不是棋盘上的点")
            if not point.isdigit():
                break
            continue
        if there := board.get(point):
            details = {"square": _square(point), "on": there}
            faults.append((2 * number, Finding("piece-on-piece", ply=0, text=piece, details=details)))
        board[point] = piece
    return board, faults


USUAL_BOARD: Final = placed(USUAL)[0]


def fen(board: dict[bytes, str], side: int | None) -> str:
    """The position ``board`` with ``side`` to move, where that is known."""
    rows = [
        "".join(board.get(b"%d%d" % (column, row), EMPTY) for column in range(9)) for row in range(9, -1, -1)
    ]
    return write_fen(Setup(rows, side))


def begin(head: bytes) -> bool:
    """Whether ``head`` is digits alone that begin with moves from the usual start: each of a piece of the other side
    than the one before, to a point without one of its own. Long numbers are not."""
    text = encodings.legible(head)
    words = [] if text.translate(None, b"0123456789 \t\r\n") else text.split()
    if not words or len(words[0]) < LEAST or any(len(word) % 4 for word in words[:-1]):
        return False
    run = b"".join(words)
    if len(run) % 4 and len(head) < HEAD_BYTES:
        return False
    return on_board(run[: len(run) // 4 * 4]) and _play(run[:_PLAYED])


def _play(run: bytes) -> bool:
    board, mover = USUAL_BOARD.copy(), ""
    for k in range(0, len(run) - 3, 4):
        piece, to = board.pop(run[k : k + 2], ""), run[k + 2 : k + 4]
        taken = board.get(to)
        if not piece or (mover and piece.isupper() == mover.isupper()):
            return False
        if taken and piece.isupper() == taken.isupper():
            return False
        board[to] = mover = piece
    return True
