"""Random games of every rule set, the kernel beside the reference engine at every ply: legal moves, reserves, ending.

Six Fortresses, which no other engine knows, is played from its start and from positions composed for its rules.
The suite plays the same games every time; CAIPAN_FUZZ=1 plays other ones, and many more.
"""

import os
import random

import pytest

from adjudicator import Position, Ruleset
from reference import Move, State

FUZZ = bool(os.environ.get("CAIPAN_FUZZ"))
SIX = "six-fortresses"
# xiangqi-60 differs from xiangqi in its endings alone.
OTHERS = [name for name in Ruleset.ids() if name in State.registry and name not in ("xiangqi-60", SIX)]

COMPOSED = [
    pytest.param("x3x2x1/9/9/9/9/9/9/9/R1X1X2X1 w", id="a rook takes the first fortress"),
    pytest.param("1x2x4/9/9/9/9/9/9/9/1R1X1X2X w", id="the second"),
    pytest.param("x8/9/9/9/9/9/9/9/R1X1X2X1 w", id="the third, and a King to place"),
    pytest.param("x7n/P8/9/4q4/9/4Q4/9/9/R7X w", id="the third by one of two, under fire"),
    pytest.param("1x7/P8/9/9/9/9/9/9/X8 w", id="a pawn takes a fortress and promotes"),
    pytest.param("xxx6/P1P6/9/9/9/9/9/9/X8 w", id="three in a row before two pawns"),
    pytest.param("4k4/3PPP3/9/9/9/9/9/9/4X4 w", id="pawns about to promote beside a King"),
    pytest.param("x8/9/9/9/9/9/3ppp3/4K4/9 b", id="Black's pawns around a King"),
    pytest.param("9/9/9/4r4/9/9/9/9/4X4[k] b", id="a King to place and nothing in the way"),
    pytest.param("RRRRRRRR1/9/9/9/9/9/9/9/4X4[knq] b", id="a King to place, other pieces must wait"),
    pytest.param("xRRRRRRRR/R8/RRRRRRRRR/9/RRRRRRRRR/9/RRRRRRRRR/9/RRRRRRRRX w", id="a King without a place"),
    pytest.param("4x4/9/9/9/9/9/9/9/4X4[IIii] w", id="imposters in both hands"),
    pytest.param("x2x5/9/2x6/9/9/9/6X2/9/X2X5[Ii] w", id="fortresses all over the board"),
    pytest.param("4k4/R8/9/9/9/9/9/9/4X4[RBNQ] w", id="drops that mate"),
    pytest.param("k8/9/2Q6/9/9/9/9/9/4X4 w", id="a stalemate one move off"),
    pytest.param("k8/2b6/9/4B4/9/2q6/9/9/K8[NRnr] w", id="Kings on the diagonals of bishops"),
    pytest.param("4k4/4w4/4f4/9/4R4/9/4F4/4W4/4K4 b", id="a pinned wazir behind a ferz"),
    pytest.param("3qkq3/3wiw3/9/9/4N4/9/9/3WIW3/3QKQ3 w", id="crowded Kings"),
    pytest.param("k6r1/9/1N7/9/9/9/9/7n1/1R6K[BNRQIbnrqi] b", id="full hands, both Kings near checks"),
    pytest.param("xx7/PP5b1/9/9/4q4/9/9/1B5pp/7XX w", id="pawns, bishops and fortresses in corners"),
    pytest.param("R3x2x1/9/9/9/9/9/9/8r/K8 w", id="a released imposter mates"),
    pytest.param("1xfwxwfx1/rnbqiqbnr/9/9/9/9/9/RNBQIQBNR/1XFWXWFX1 w", id="the start without pawns"),
]


def play(rules: str, fen: str | None, plies: int, choose: random.Random) -> int:
    """A random game, compared at every ply; returns the plies played."""
    state = State.from_fen(fen, rules) if fen else State.start(rules)
    position = Position(state.fen(), rules)
    for ply in range(plies + 1):
        legal = state.legal_moves()
        assert position.legal_moves() == legal, state.fen()
        assert position.perft(1) == len(legal), state.fen()
        held = position.reserves()
        for side, letters in zip(("red", "black"), state.reserves, strict=True):
            assert "".join(letter * held[side][letter] for letter in sorted(held[side])) == letters
        assert position.is_check() == state.in_check()
        over = state.winner() is not None
        assert position.is_checkmate() == (not over and state.is_mated(len(legal))), state.fen()
        assert position.is_stalemate() == (not over and state.is_stalemated(len(legal))), state.fen()
        if not legal or ply == plies:
            return ply
        captures = [move for move in legal if Move.parse(move).target in state.board]
        move = choose.choice(captures if captures and choose.random() < 0.4 else legal)
        state = state.after(Move.parse(move))
        position.push(move)
    raise AssertionError


def seed(name: str) -> random.Random:
    return random.Random(None if FUZZ else name)


@pytest.mark.parametrize("fen", COMPOSED)
def test_composed_positions(fen):
    state = State.from_fen(fen, SIX)
    assert Position(fen, SIX).divide(2) == state.divide(2)
    choose = seed(fen)
    for _ in range(100 if FUZZ else 2):
        play(SIX, fen, 12, choose)


def test_two_hundred_games_of_six_fortresses():
    choose = seed(SIX)
    plies = [play(SIX, None, 20, choose) for _ in range(2000 if FUZZ else 200)]
    assert len(plies) >= 200 and sum(plies) > 3900


@pytest.mark.parametrize("rules", OTHERS)
def test_games(rules):
    choose = seed(rules)
    for _ in range(200 if FUZZ else 3):
        play(rules, None, 30, choose)
