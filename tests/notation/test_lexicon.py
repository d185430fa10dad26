"""The words of move text: one meaning each, and everything written is read."""

import pytest

import notation
from notation.lexicon import lexicon, piece_letter


def test_no_character_has_two_meanings():
    words = lexicon()
    tables = (words.pieces, words.numbers, words.actions, words.places)
    assert len(set().union(*tables)) == sum(map(len, tables))


def test_what_is_written_is_read():
    words = lexicon()
    for traditional in (False, True):
        for letter, pair in words.written_pieces[traditional].items():
            assert [words.pieces.get(word, letter) for word in pair] == [letter, letter]
        assert [words.actions[word] for word in words.written_actions[traditional]] == [0, 1, 2]
        for code, word in words.written_places[traditional].items():
            assert words.places[word] == code
    for row in words.written_digits.values():
        assert [words.numbers[digit] for digit in row] == list(range(1, 10))


@pytest.mark.parametrize(
    "name, letter",
    [
        ("chariot", "R"),
        ("Rook", "R"),
        ("treasure", "T"),
        ("砲", "C"),
        ("傌", "H"),
        (" soldier ", "P"),
        ("dragon", None),
    ],
)
def test_pieces_have_names(name, letter):
    assert piece_letter(name) == letter


def test_the_front_lists_what_it_offers():
    assert all(hasattr(notation, name) for name in notation.__all__)
