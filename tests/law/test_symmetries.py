"""A verdict is a property of the cycle: not of the mirror, the colours, where it began, or what went before."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudicator import Game, Position, RuleBook
from adjudicator.ruling import WINNERS
from properties.strategies import mirror_fen, mirror_move, swap_fen, swap_move

from .lines import BY_REPETITION, vectors
from .loops import games, round_from

BOOKS = ("site", "axf", "cxa", "fairy", "pikafish", "chessdb")
SWAPPED = {"red": "black", "black": "red"}
# Rounds that are alike, with a verdict: whole lines of the vectors cut to one round.
ROUNDS = [
    (row["fen"], row["moves"][:first], row["moves"][first:second])
    for row in vectors()
    if len(row.get("occurrences", ())) == 3
    for first, second, third in [row["occurrences"]]
    if row["moves"][first:second] == row["moves"][second:third]
]


def ruled(fen, moves, book):
    game = Game(fen)
    for move in moves:
        game.push(move)
    ruling = game.ruling(RuleBook.load(book, {"limit.plies": 0}))
    if ruling.verdict:  # told in full for the reasons; the result came by the short way
        assert WINNERS[ruling.verdict.winner] == ruling.result
    return ruling.result if ruling.reason in BY_REPETITION else None


@st.composite
def loops(draw):
    """A position and a round from it: of the vectors, where chases abound, or made at random."""
    if draw(st.booleans()):
        fen, lead, moves = draw(st.sampled_from(ROUNDS))
        position = Position(fen)
        for move in lead:
            position.push(move)
        return position.fen(), list(moves)
    _, _, fens = draw(st.sampled_from(games()))
    fen = draw(st.sampled_from(fens))
    moves = round_from(Position(fen), random.Random(draw(st.integers(0, 1 << 32))))
    assume(moves)
    return fen, moves


@given(loop=loops(), book=st.sampled_from(BOOKS))
def test_mirror_and_colours(loop, book):
    fen, moves = loop
    result = ruled(fen, moves * 2, book)
    mirrored = [mirror_move(move, "xiangqi") for move in moves]
    assert ruled(mirror_fen(fen), mirrored * 2, book) == result
    swapped = [swap_move(move, "xiangqi") for move in moves]
    assert ruled(swap_fen(fen), swapped * 2, book) == SWAPPED.get(result, result)


@given(loop=loops(), book=st.sampled_from(BOOKS), data=st.data())
def test_any_start_within_the_cycle(loop, book, data):
    fen, moves = loop
    cut = data.draw(st.integers(1, len(moves) - 1))
    position = Position(fen)
    for move in moves[:cut]:
        position.push(move)
    turned = [*moves[cut:], *moves[:cut]]
    assert ruled(position.fen(), turned * 2, book) == ruled(fen, moves * 2, book)


@given(
    game=st.sampled_from(games()),
    # Fairy-Stockfish counts the move that led into the cycle: what went before matters to it.
    book=st.sampled_from([book for book in BOOKS if book != "fairy"]),
    seed=st.integers(0, 1 << 32),
    data=st.data(),
)
def test_an_unrelated_prefix(game, book, seed, data):
    start, moves, fens = game
    played = data.draw(st.integers(1, len(fens)))
    round_ = round_from(Position(fens[played - 1]), random.Random(seed))
    assume(round_)
    whole = Game(start)
    for move in [*moves[:played], *round_ * 2]:
        whole.push(move)
    ruling = whole.ruling(RuleBook.load(book, {"limit.plies": 0}))
    assume(ruling.ply == played + 8)
    assert ruling.result == ruled(fens[played - 1], round_ * 2, book)


@pytest.mark.parametrize("book", BOOKS)
def test_rounds_with_and_without_an_offence_are_among_them(book):
    results = {ruled(*_from(*each), book) for each in ROUNDS[::5]}
    assert "draw" in results and results & {"red", "black"}


def _from(fen, lead, moves):
    return fen, [*lead, *moves * 2]
