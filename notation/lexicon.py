"""The words of `lexicon.toml` as tables."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from notation.descriptor import BACKWARD, FORWARD, FRONT, MIDDLE, REAR, TRAVERSE


class Lexicon(NamedTuple):
    """Reading tables from a character, writing tables from a letter or a code (see `lexicon.toml`)."""

    pieces: dict[str, str]
    names: dict[str, str]
    numbers: dict[str, int]
    actions: dict[str, int]
    places: dict[str, int]
    written_pieces: dict[bool, dict[str, tuple[str, str]]]
    written_actions: dict[bool, tuple[str, str, str]]
    written_places: dict[bool, dict[int, str]]
    written_digits: dict[str, str]


@cache
def lexicon() -> Lexicon:
    """The lexicon, read once. ``written_`` tables of words are keyed by whether they are traditional."""
    import tomllib  # here, because most runs never meet a Chinese token

    data = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text("utf-8"))
    pieces, action, place, digits = data["piece"], data["action"], data["place"], data["digits"]
    actions = ((action["traverse"], TRAVERSE), (action["forward"], FORWARD), (action["backward"], BACKWARD))
    places = ((place["front"], FRONT), (place["middle"], MIDDLE), (place["rear"], REAR))
    spelling = ((False, "simplified", 0), (True, "traditional", -1))
    return Lexicon(
        pieces={word: letter for letter, entry in pieces.items() for word in entry["read"]},
        names={name: letter for letter, entry in pieces.items() for name in entry["names"]},
        numbers={digit: value for row in digits.values() for value, digit in enumerate(row, 1)},
        actions={word: code for words, code in actions for word in words},
        places={word: code for words, code in places for word in words},
        written_pieces={
            old: {letter: tuple(entry[key]) for letter, entry in pieces.items() if key in entry}
            for old, key, _ in spelling
        },
        written_actions={old: tuple(words[at] for words, _ in actions) for old, _, at in spelling},
        written_places={old: {code: words[at] for words, code in places} for old, _, at in spelling},
        written_digits=digits,
    )


def piece_letter(name: str) -> str | None:
    """The WXF capital of an English piece name or a Chinese piece word, None when it is neither."""
    words = lexicon()
    return words.names.get(name.strip().lower()) or words.pieces.get(name.strip())
