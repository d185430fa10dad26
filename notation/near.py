"""Moves that a word may be a slip for: texts that differ from it in one character."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from notation.lexicon import lexicon
from notation.notations import heard, parse
from notation.spelling import fold

_LONGEST: Final = 8
_ASCII: Final = "0123456789abcdefghiABCDEFGHIKNPRkmnpr+-.=@"


def near(word: str, notation: str | None) -> Iterator[tuple[str, int]]:
    """Texts that are ``word`` but for one character (another, one more or one less), each with its descriptor.

    They are read as ``notation``, a name that `heard` gives; None takes any.
    """
    word = fold(word)
    if not 2 <= len(word) <= _LONGEST:
        return
    for text in _edits(word, _ASCII if word.isascii() and notation != "chinese" else _words()):
        if (said := parse(text)) and notation in (None, heard(text)):
            yield text, said


def _edits(word: str, characters: str) -> Iterator[str]:
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield from (before + character + after[1:] for character in characters if character != after[0])
            yield before + after[1:]
        yield from (before + character + after for character in characters)


@cache
def _words() -> str:
    """The characters of Chinese moves."""
    words = lexicon()
    return "".join(dict.fromkeys([*words.pieces, *words.actions, *words.numbers, *words.places]))
