"""Start positions: what a FEN may say, and every way in which it cannot be."""

import pytest

from adjudicator import InvalidFen, Position, adjudicate
from adjudicator.ruleset import Ruleset
from adjudicator.setup import start_from_fen
from notation.record import GameRecord

XIANGQI = Ruleset.load("xiangqi")


def codes(fen, rules=XIANGQI):
    return [fault.code for fault in start_from_fen(fen, rules).faults]


@pytest.mark.parametrize(
    "fen, found",
    [
        pytest.param("9/9/9/9/9/9/9/9/9/4K4 w", ["missing-general"], id="no black general"),
        pytest.param("3k1k3/9/9/9/9/9/9/9/9/4K4 w", ["general-count"], id="two black generals"),
        pytest.param("4k4/9/9/9/4P4/9/9/9/9/4K4 w", [], id="a soldier between the generals"),
        pytest.param("4k4/9/9/9/9/9/9/9/9/4K4 w", ["generals-face"], id="generals face"),
        pytest.param("4k4/9/9/9/4R4/9/9/9/9/3K5 w", ["opponent-in-check"], id="Black in check, Red to move"),
        pytest.param("4k4/9/9/9/9/9/9/9/9/3K1R3 w", [], id="nothing wrong"),
        pytest.param("4k4/9/9/9/9/4K4/9/9/9/9 w", ["piece-location", "generals-face"], id="general afield"),
        pytest.param("3k5/9/9/9/9/9/9/9/4B4/3BK4 w", ["piece-location"] * 2, id="elephants off their points"),
        pytest.param("3k5/9/9/9/9/9/9/RRR6/9/4K4 w", ["too-many-pieces"], id="three chariots"),
        pytest.param("3k5/9/9/9/9/9/9/2P6/9/4K4 w", ["unreachable-soldier"], id="a soldier behind its start"),
        pytest.param(
            "3k5/9/9/9/9/9/9/9/9/4Z4 w", ["fen-unknown-piece", "missing-general"], id="a strange letter"
        ),
        pytest.param("3k5/9/9/9/9/9/9/9/9 w", ["fen-rank-count"], id="nine ranks"),
        pytest.param("3k5/9/9/9/9/9/9/9/9/4K5 w", ["fen-file-count"], id="ten files"),
        pytest.param("startpos", ["fen-not-a-fen"], id="not a FEN"),
        pytest.param(
            "3k5/9/9/9/9/9/9/9/9/4K4[R] w", ["fen-illegal-hand"], id="a reserve where there is none"
        ),
    ],
)
def test_faults(fen, found):
    assert codes(fen) == found


def test_faults_name_the_point_and_the_side():
    (fault,) = start_from_fen("4k4/9/9/9/9/9/9/c8/9/R2B1K3 r - - 0 1", XIANGQI).faults
    assert (fault.code, fault.details["piece"], fault.details["square"]) == (
        "piece-location",
        "red elephant",
        "d1",
    )


@pytest.mark.parametrize(
    "rules, fen, found",
    [
        pytest.param("fortress", "6k/7/A6/7/7/7/7/K6 w", ["piece-location"], id="an advisor afield"),
        pytest.param(
            "fortress", "6k/7/7/7/7/AA5/1A5/K6 w", ["too-many-in-all"], id="advisors dropped at home"
        ),
        pytest.param("fortress", "5ak/7/7/7/7/7/7/K5a w", ["piece-location"], id="a black advisor afield"),
        pytest.param("fortress", "6k/7/7/E6/7/7/7/K6 w", ["piece-location"], id="an elephant over the river"),
        pytest.param("fortress", "6k/7/7/7/E6/7/7/K6 w", [], id="an elephant dropped at home"),
        pytest.param("fortress", "6k/Q6/P6/7/7/7/7/K6 w", [], id="what drops anywhere"),
        pytest.param(
            "fortress-river", "6k/Q6/7/7/7/7/7/K6 w", ["piece-location"], id="a treasure over the river"
        ),
    ],
)
def test_pieces_that_drop_stand_where_they_drop_and_step(rules, fen, found):
    """“Advisors and Elephants keep their normal territory restrictions” (seed 000), a drop included."""
    assert codes(fen, Ruleset.load(rules)) == found


BLOWN_UP = "rn3abnr/9/1c5c1/p3p1p1p/9/2p6/P1P1P1P1P/1C5C1/9/1NBAKABNR"
"""A red chariot has taken the advisor on d10."""


def test_a_game_that_an_explosion_has_ended_is_read_as_it_is_written():
    position = Position(rules="atomic")
    for move in ("a1a2", "c7c6", "a2d2", "c6c5", "d2d10"):
        position.push(move)
    again = Position(position.fen(), "atomic")
    assert again.fen() == position.fen() == f"{BLOWN_UP} b - - 0 3" and again.key == position.key
    assert not (again.legal_moves() or again.is_checkmate() or again.is_stalemate())
    (fault,) = again.faults
    assert fault.message() == (
        "Black is to move without a general: an explosion has ended the game before its first move"
    )


@pytest.mark.parametrize(
    "rules, fen, found",
    [
        pytest.param("atomic", f"{BLOWN_UP} b", [], id="the side to move lost it"),
        pytest.param("atomic", f"{BLOWN_UP} w", ["missing-general"], id="who lost it does not let the other move"),
        pytest.param("atomic", BLOWN_UP, ["missing-general"], id="nobody said to move"),
        pytest.param("atomic", "9/9/9/9/9/9/9/9/9/9 b", ["missing-general"] * 2, id="both are gone"),
        pytest.param("xiangqi", f"{BLOWN_UP} b", ["missing-general"], id="nothing explodes"),
        pytest.param("atomic", "4r4/9/9/9/9/9/9/9/9/4K4 b", [], id="who won may stand in check"),
    ],
)  # fmt: skip
def test_a_general_may_be_gone_only_of_the_side_to_move_by_an_explosion(rules, fen, found):
    start = start_from_fen(fen, Ruleset.load(rules))
    assert [fault.code for fault in start.faults] == (found or ["general-gone"])
    assert start.playable == (not found)


@pytest.mark.parametrize("moves, claim", [([], "agrees"), (["b8b3"], "illegal-move")])
def test_a_record_that_starts_so_is_over_at_its_start(moves, claim):
    record = GameRecord(fen=f"{BLOWN_UP} b - - 0 3", tags={"Result": "1-0"}, tokens=moves)
    (game,) = adjudicate([record], "atomic")
    assert (game.result, game.reason, game.ply, game.claim) == ("red", "general-gone", 0, claim)
    assert game.ruling.explain() == "Red wins: the general is gone, at ply 0."


def test_a_position_that_cannot_be_played_raises_with_every_fault():
    with pytest.raises(InvalidFen) as caught:
        Position("9/9/9/9/9/9/9/9/9/9 w")
    assert [fault.code for fault in caught.value.faults] == ["missing-general", "missing-general"]


def test_a_board_full_of_chariots_is_refused_not_played():
    rank = "RRRRRRRRR"
    fen = "/".join(["3k5", *[rank] * 8, "RRRRKRRRR"]) + " w"
    start = start_from_fen(fen, XIANGQI)
    assert not start.playable
    assert "too-many-pieces" in [fault.code for fault in start.faults]


@pytest.mark.parametrize(
    "rules, board, hand",
    [
        ("fortress", "5k1/7/7/7/7/7/7/K6", "PRcp"),
        ("six-fortresses", "9/9/9/9/9/9/9/9/R7R", "NQk"),
    ],
)
def test_reserves_after_the_side_are_those_in_brackets(rules, board, hand):
    inside, after = Position(f"{board}[{hand}] w - - 3 9", rules), Position(f"{board} w {hand} - 3 9", rules)
    assert after.fen() == inside.fen() and after.reserves() == inside.reserves()
    assert after.legal_moves() == inside.legal_moves()
    assert [fault.code for fault in after.faults] == [fault.code for fault in inside.faults]


def test_letters_after_the_side_are_noted_where_there_are_no_reserves():
    assert codes("3k5/9/9/9/9/9/9/9/9/4K4 w R - 0 1") == ["fen-passed-over"]


def test_a_clock_below_zero_is_told_and_counts_as_none():
    position = Position("3k5/9/9/9/9/9/9/9/9/4K4 w - - -5 12")
    assert position.fen().endswith("w - - 0 12")
    assert [fault.code for fault in position.faults] == ["fen-counter"]


def test_a_reserve_beyond_measure_is_refused():
    fortress = Ruleset.load("fortress")
    start = start_from_fen("5k1/7/7/7/7/7/7/K6[99P] w", fortress)
    assert not start.playable


def test_a_side_may_fill_the_board_and_no_more():
    """The kernel keeps 64 men of a side: one more is refused in a FEN, and not dropped in play."""
    crowd = "/".join(["1RRRRRRRR"] * 7 + ["1RRRRRRR1", "9"])  # 63 rooks
    position = Position(f"{crowd}[RR] w", "six-fortresses")
    assert "R@a1" in position.legal_moves()
    full = Position(f"{crowd.removesuffix('9')}R8[R] w", "six-fortresses")
    assert not any("@" in move for move in full.legal_moves())
    assert full.perft(1) == len(full.legal_moves())
    with pytest.raises(InvalidFen, match="at most 64"):
        Position("/".join(["RRRRRRRRR"] * 8 + ["9"]) + " w", "six-fortresses")
