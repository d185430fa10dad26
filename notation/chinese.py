"""Four-character Chinese moves: 炮二平五, 馬8进7, 前车平四, 后七平六, 一兵平五, 前兵七平六."""

from __future__ import annotations

from functools import cache
from typing import Final

from notation import coordinate, descriptor
from notation.context import Context, Relative, relative
from notation.descriptor import FRONT, MIDDLE, REAR
from notation.lexicon import lexicon

DIALECTS: Final = ("half-width", "full-width")
_ORDINALS: Final = 5


def parse(text: str) -> int:
    """The descriptor of a Chinese move in any mixture of scripts; 0 when ``text`` is not one.

    ``text`` is folded and bare (see `notation.spelling`). Digits of any script serve either side.
    """
    if not 4 <= len(text) <= 5:
        return 0
    signs = _signs()
    shape, values = "", []
    for character in text:
        sign = signs.get(character)
        if sign is None:
            return 0
        shape += sign[0]
        values.append(sign[1])
    order = _SHAPES.get(shape)
    if order is None:
        return 0
    said = dict(zip(order, values, strict=True))
    marker = said.get("place") or said.get("nth", 0)
    if order[0] == "nth" and marker > _ORDINALS:
        return 0
    piece = chr(said["piece"]) if "piece" in said else ""
    number = said.get("number", 0)
    return descriptor.relative(piece, number, said["action"], said["target"], marker, words=True)


# P piece, n number, w place word, a action; and what each sign then says.
_SHAPES = {
    "Pnan": ("piece", "number", "action", "target"),
    "wPan": ("place", "piece", "action", "target"),
    "Pwan": ("piece", "place", "action", "target"),
    "nPan": ("nth", "piece", "action", "target"),
    "wnan": ("place", "number", "action", "target"),
    "nnan": ("nth", "number", "action", "target"),
    "wPnan": ("place", "piece", "number", "action", "target"),
    "nPnan": ("nth", "piece", "number", "action", "target"),
}


@cache
def _signs() -> dict[str, tuple[str, int]]:
    words = lexicon()
    pieces = {word: ord(letter) for word, letter in words.pieces.items()}
    tables = (("P", pieces), ("n", words.numbers), ("a", words.actions), ("w", words.places))
    return {character: (shape, value) for shape, table in tables for character, value in table.items()}


def write(context: Context, *, traditional: bool = False, digits: str = "half-width") -> str:
    """The move in Chinese; in coordinates where those words do not fit it.

    Red counts in Chinese numerals, Black in ``digits`` (one of `DIALECTS`). Two like pieces on a file are 前
    and 后, always, except advisors and elephants, whose direction decides; three are 前 中 后. Four or five
    soldiers on a file, and soldiers doubled on two files, are numbered 一 to 五, the mover's right file
    first and from the front, in Chinese numerals for both sides.
    """
    move = relative(context)
    who = move and _who(context, move, traditional, digits)
    if not move or not who:
        return coordinate.write(context)
    row = _digits(context.side, digits)
    return who + lexicon().written_actions[traditional][move.action] + row[move.target - 1]


def _who(context: Context, move: Relative, traditional: bool, digits: str) -> str | None:
    words = lexicon()
    piece = words.written_pieces[traditional][context.piece][context.side]
    if move.stack == 1 or (move.stack == 2 and context.piece in "AE" and not move.mirrored):
        return piece + _digits(context.side, digits)[move.number - 1]
    if move.stacks == 1 and move.stack <= 3:
        places = (FRONT, REAR) if move.stack == 2 else (FRONT, MIDDLE, REAR)
        return words.written_places[traditional][places[move.place - 1]] + piece
    if context.piece != "P" or move.ordinal > _ORDINALS:
        return None
    return words.written_digits["chinese"][move.ordinal - 1] + piece


def _digits(side: int, digits: str) -> str:
    if digits not in DIALECTS:
        raise ValueError(f"no digits {digits!r}; there are {', '.join(DIALECTS)}")
    return lexicon().written_digits["chinese" if side == 0 else digits]
