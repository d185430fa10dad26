"""Properties of the reference engine over generated positions and games of every rule set."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from properties.strategies import (
    MIRRORED,
    mirror_fen,
    mirror_move,
    random_games,
    random_positions,
    swap_fen,
    swap_move,
)
from reference import RULES, Game, State
from reference.setup import faults

PARENTS = ("atomic", "fortress", "jump-cannon", "six-fortresses", "xiangqi")
slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
few = settings(max_examples=6, deadline=None, suppress_health_check=slow, derandomize=True, database=None)


@pytest.fixture(params=RULES)
def rules(request):
    return request.param


def transforms(rules):
    yield swap_fen, swap_move, True
    if rules in MIRRORED:
        yield mirror_fen, mirror_move, False


def test_positions_look_alike_turned_and_mirrored(rules):
    @few
    @given(random_positions(rules))
    def check(state):
        for change_fen, change_move, swapped in transforms(rules):
            other = State.from_fen(change_fen(state.fen()), rules)
            assert other.legal_moves() == sorted(change_move(move, rules) for move in state.legal_moves())
            assert other.in_check() == state.in_check()
            assert other.in_wide_check() == state.in_wide_check()
            assert other.side == (1 - state.side if swapped else state.side)
            assert State.from_fen(change_fen(other.fen()), rules) == state

    check()


@pytest.mark.parametrize("rules", PARENTS)
def test_games_are_ruled_alike_turned_and_mirrored(rules):
    @few
    @given(random_games(rules, 14))
    def check(game):
        for change_fen, change_move, swapped in transforms(rules):
            start = State.from_fen(change_fen(game.states[0].fen()), rules)
            other = Game(start, [change_move(move, rules) for move in game.moves])
            for book in ("site", "site-draw", "none"):
                for mine, theirs in zip(game.endings(book), other.endings(book), strict=True):
                    result = (
                        {"red": "black", "black": "red"}.get(mine.result, mine.result)
                        if swapped
                        else mine.result
                    )
                    assert (theirs.ply, theirs.reason, theirs.cycle) == (mine.ply, mine.reason, mine.cycle)
                    assert theirs.result == result

    check()


@pytest.mark.parametrize("rules", PARENTS)
def test_a_prefix_is_played_alike(rules):
    @few
    @given(random_games(rules, 14), st.integers(0, 16))
    def check(game, length):
        prefix = Game(game.states[0], game.moves[:length])
        assert prefix.plies == game.plies[:length]

    check()


def test_set_ups_have_no_faults(rules):
    @few
    @given(random_positions(rules))
    def check(state):
        assert State.from_fen(state.fen(), rules) == state
        assert State.from_fen(state.fen("page"), rules) == state
        assert not state.in_check(1 - state.side)
        if state.ranks == 10:
            assert faults(state) == []

    check()


def test_a_game_adds_up(rules):
    """What is on the board and in hand changes only as the facts tell."""

    @few
    @given(random_games(rules, 14))
    def check(game):
        for facts, before, after in zip(game.plies, game.states, game.states[1:], strict=False):
            assert after.side != before.side and facts.fen == after.fen()
            lost = len(facts.cleared) + facts.capturer_lost if facts.capturer_lost else bool(facts.captured)
            assert len(after.board) == len(before.board) - lost + facts.drop
            assert (after.clock == 0) == bool(facts.captured)
            assert facts.check <= facts.wide_check
            assert facts.facing is False
            if not facts.general_gone:
                assert (facts.replies == 0) == (
                    facts.checkmate or facts.stalemate
                ) or rules == "six-fortresses"

    check()


pyffish_config = """
[sixfortresses:chess]
maxRank = 9
maxFile = 9
castling = false
doubleStep = false
pieceDrops = true
king = k
commoner = i
wazir = w
fers = f
immobile = x
promotionPieceTypes = rnbq
promotionRegionWhite = *9
promotionRegionBlack = *1
mandatoryPawnPromotion = true
startFen = 4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1
"""


def test_six_fortresses_moves_as_a_chess_engine_sees_them():
    """All but the imposter's distance from fortresses and the King that must be placed."""
    engine = pytest.importorskip("pyffish")
    engine.load_variant_config(pyffish_config)

    @settings(few, max_examples=150)
    @given(random_positions("six-fortresses"))
    def check(state):
        if "K" in state.reserves[state.side]:
            return
        placement, *rest = state.fen().split()
        fen = " ".join([placement if "[" in placement else placement + "[]", *rest])
        theirs = [move for move in engine.legal_moves("sixfortresses", fen, []) if not move.startswith("I@")]
        assert sorted(theirs) == [move for move in state.legal_moves() if not move.startswith("I@")]

    check()
