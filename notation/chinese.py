"""Four-character Chinese moves: 炮二平五, 馬8进7, 前车平四, 后七平六, 一兵平五, 前兵七平六."""

from __future__ import annotations

from functools import cache

from notation import descriptor
from notation.lexicon import lexicon

_ORDINALS = 5


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
