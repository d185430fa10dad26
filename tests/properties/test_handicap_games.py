"""Handicap games of the kernel are those of the reference: what is protected, and what is legal at every ply."""

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator import Position
from reference import State
from reference.state import point_text

HEAVY = ["a1", "i1", "b1", "h1", "b3", "h3", "a10", "i10", "b10", "h10", "b8", "h8"]
"""The chariots, horses and cannons of the start position."""
REST = ["c1", "d1", "f1", "g1", "a4", "c4", "e4", "g4", "i4", "c10", "d10", "e7", "a7"]


@st.composite
def handicaps(draw):
    """A start position without some pieces, most of them such as protect others."""
    gone = draw(st.lists(st.sampled_from(HEAVY), min_size=1, max_size=3, unique=True))
    gone += draw(st.lists(st.sampled_from(REST), max_size=1))
    start = State.start("xiangqi")
    board = {point: piece for point, piece in start.board.items() if point_text(point) not in gone}
    return type(start)(board=board)


@settings(max_examples=40)
@given(handicaps(), st.lists(st.integers(0, 1 << 16), min_size=1, max_size=40), st.booleans())
def test_games_of_the_kernel_are_those_of_the_reference(start, choices, greedy):
    state = start.with_odds()
    position = Position(start.fen(), handicap="odds")
    assert not position.faults
    for choice in choices:
        assert position.iron() == sorted(map(point_text, state.protected))
        moves = state.legal_moves()
        assert position.legal_moves() == sorted(moves)
        if not moves:
            break
        captures = [move for move in sorted(moves) if state.apply(move).clock == 0]
        chosen = (
            captures if greedy and captures else sorted(moves)
        )  # captures come near the iron pieces soonest
        move = chosen[choice % len(chosen)]
        state = state.apply(move)
        position.push(move)
    again = Position(position.fen(), handicap=position.handicap or "none")
    assert again.iron() == position.iron() and again.legal_moves() == position.legal_moves()


@settings(max_examples=20)
@given(handicaps(), st.integers(1, 2))
def test_counts_are_those_of_the_reference(start, depth):
    position = Position(start.fen(), handicap="odds")
    assert position.perft(1) == len(start.with_odds().legal_moves())
    if depth == 2:
        position.push(position.legal_moves()[0])
        state = start.with_odds()
        assert position.perft(1) == len(state.apply(min(state.legal_moves())).legal_moves())
