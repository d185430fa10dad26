"""WXF: ``C2.5``, ``H8+7``, ``R+.3``, and how soldiers sharing a file are told apart.

Who, action, target. *Who* is the piece letter and its file, counted from the mover's own right; *action* is
``+`` forward, ``-`` backward, ``.`` (elsewhere ``=``) sideways; *target* is a distance along a file, or the
file arrived at. `parse` reads every dialect; `write` knows two.

Dialect ``wxf`` (default) is the federation's own: "Official xiangqi piece names and notation", Asian Xiangqi
Federation 1980/82 (C. W. Huang), names revised 1995, adopted by the World Xiangqi Federation in 1997,
http://www.wxf.org/xq/computer/wxf_notation.html:

* sideways is ``.``; with two like pieces on a file ``+`` (front) or ``-`` (rear) takes the place of the file
  digit: ``R+.3``, ``C--1``. Always, even where only one of them could make the move; advisors and elephants
  go without, because their direction decides.
* three soldiers on a file: ``P+.4``, ``P3.4`` (the middle one, as if it stood alone), ``P-.4``; four:
  ``++.4``, ``P+.4``, ``P-.4``, ``--.4``; five: ``++.4``, ``P+.4``, ``P3.4``, ``P-.4``, ``--.4``.
* two files with two or more soldiers: the file takes the place of the letter: ``3+.4``, ``33.4``, ``3-.4``,
  ``7+.6``, ``7-.6``. **One departure**: the middle soldier is written ``21`` on file 1 and ``23`` on file 3
  ("the second of that file") where the page has ``11`` and ``33``, because other programs would take those
  for the front and the rear soldier. ``21`` and ``23`` have only one reading. The page's form is read too.

Dialect ``fairy`` is Fairy-Stockfish's, found in engine-match records:

* sideways is ``=``; of two pieces on a file, one gets ``+`` or ``-`` only if the other, moved alike, would
  stay on the board and in its zone, whether that move is possible or not; else the file stays: ``R7-2``.
* three or more soldiers on a file, or two files with two or more: the soldier's place from the front, then
  its file, ``12=3``. So ``33`` is the *rear* of three here and the *middle* one in the federation's: a
  reader that has not been told the dialect must not choose.

Neither covers drops, promotions, the pieces of other games, or the larger stacks that drops make possible;
such moves are written as coordinates, ``R@d4``, ``a8a9q``, which every reader here takes among WXF moves.
"""

from __future__ import annotations

from typing import Final

from notation import coordinate, descriptor
from notation.context import Context, Relative, relative
from notation.descriptor import FOREMOST, FRONT, PAIR, REAR, REARMOST

DIALECTS: Final = ("wxf", "fairy")

PIECES: Final = frozenset("KGAEBMHNRCPSTQ")
_ACTIONS: Final = {
    ".": descriptor.TRAVERSE,
    "=": descriptor.TRAVERSE,
    "+": descriptor.FORWARD,
    "-": descriptor.BACKWARD,
}
_SIGNS: Final = {"+": FRONT, "-": REAR}
_DIGITS: Final = {str(digit): digit for digit in range(1, 10)}


def parse(text: str) -> int:
    """The descriptor of a WXF move of any dialect; 0 when ``text`` is not one.

    ``text`` is folded and bare (see `notation.spelling`). Every move has four signs: two for who, one for the
    action, one for the target.
    """
    if len(text) != 4:
        return 0
    first, second = text[0], text[1]
    action = _ACTIONS.get(text[2])
    target = _DIGITS.get(text[3])
    if action is None or target is None:
        return 0
    letter = first.upper()
    if letter in PIECES:
        if second in _DIGITS:
            return descriptor.relative(letter, _DIGITS[second], action, target)
        if second in _SIGNS:
            return descriptor.relative(letter, 0, action, target, _SIGNS[second])
        return 0
    if first in _SIGNS and second.upper() in PIECES:
        return descriptor.relative(second.upper(), 0, action, target, _SIGNS[first])
    if action == descriptor.BACKWARD:  # without a letter it is a soldier, and soldiers never retreat
        return 0
    if first in _DIGITS:
        if second in _SIGNS:
            return descriptor.relative("", _DIGITS[first], action, target, _SIGNS[second])
        if second in _DIGITS:
            return descriptor.relative("", _DIGITS[first], action, target, PAIR, _DIGITS[second])
        return 0
    if first == second and first in _SIGNS:
        return descriptor.relative("", 0, action, target, FOREMOST if first == "+" else REARMOST)
    return 0


def write(context: Context, dialect: str = "wxf") -> str:
    """The move in WXF capitals, in one of `DIALECTS`; in coordinates where WXF has no words for it."""
    move = relative(context)
    if move is None:
        return coordinate.write(context)
    if dialect == "wxf":
        who, sideways = _federation(context.piece, move), "."
    elif dialect == "fairy":
        who, sideways = _fairy(context.piece, move), "="
    else:
        raise ValueError(f"no WXF dialect {dialect!r}; there are {', '.join(DIALECTS)}")
    if who is None:
        return coordinate.write(context)
    return f"{who}{(sideways, '+', '-')[move.action]}{move.target}"


def _federation(piece: str, move: Relative) -> str | None:
    number, place, stack = move.number, move.place, move.stack
    if stack == 1 or (stack == 2 and piece in "AE" and not move.mirrored):
        return f"{piece}{number}"
    if move.stacks > 1:
        if piece != "P" or stack > 3:
            return None
        middle = f"2{number}" if number in (1, 3) else f"{number}{number}"
        return (f"{number}+", middle, f"{number}-")[place - 1 if stack == 3 else (place - 1) * 2]
    if stack > (5 if piece == "P" else 3):
        return None
    return _ONE_FILE[stack][place - 1].format(piece=piece, number=number)


_ONE_FILE: Final = {
    2: ("{piece}+", "{piece}-"),
    3: ("{piece}+", "{piece}{number}", "{piece}-"),
    4: ("++", "{piece}+", "{piece}-", "--"),
    5: ("++", "{piece}+", "{piece}{number}", "{piece}-", "--"),
}


def _fairy(piece: str, move: Relative) -> str | None:
    if piece == "P" and (move.stack > 2 or (move.stack == 2 and move.stacks > 1)):
        return f"{move.place}{move.number}" if move.place < 10 else None
    if move.stack > 2 or (move.mirrored and move.stacks > 1):
        return None
    if move.mirrored:
        return f"{piece}{'+-'[move.place - 1]}"
    return f"{piece}{move.number}"
