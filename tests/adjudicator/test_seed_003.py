"""Seed 003, “Xiangqi rules”: a test for each sentence, named for it. The last paragraph is `test_handicap`'s."""

import pytest

from adjudicator import Game, IllegalMove, Position, Ruleset, adjudicate
from notation.record import GameRecord

RULES = Ruleset.load("xiangqi")
PALACE = {f"{file}{rank}" for file in "def" for rank in (1, 2, 3)}


def targets(fen, point):
    """Where the piece on ``point`` may go."""
    return {move[len(point) :] for move in Position(fen).legal_moves() if move.startswith(point)}


def alone(piece, point, side="w"):
    """A FEN with one piece besides the generals, which stand out of its way."""
    rows = [["."] * 9 for _ in range(10)]
    for letter, name in (("k", "d10"), ("K", "f1"), (piece, point)):
        rows[int(name[1:]) - 1]["abcdefghi".index(name[0])] = letter
    text = "/".join("".join(row) for row in reversed(rows))
    for run in range(9, 0, -1):
        text = text.replace("." * run, str(run))
    return f"{text} {side}"


# -- the board -----------------------------------------------------------------------------------------------


def test_the_board_has_9_files_and_10_ranks():
    assert (RULES.files, RULES.ranks) == (9, 10)


def test_pieces_sit_on_the_90_points_where_the_lines_cross():
    names = {RULES.point_name(point) for point in range(90)}
    assert names == {f"{file}{rank}" for file in "abcdefghi" for rank in range(1, 11)}


def test_each_side_has_a_palace_a_3_by_3_block():
    assert {RULES.point_name(point) for point in RULES.palace} == PALACE


@pytest.mark.parametrize(
    "piece, reached",
    [
        pytest.param("K", PALACE, id="general"),
        pytest.param("A", {"d1", "f1", "e2", "d3", "f3"}, id="advisor"),
    ],
)
def test_the_general_and_the_two_advisors_must_stay_inside_their_own_palace(piece, reached):
    seen, rest = set(), ["e2"]
    while rest:
        point = rest.pop()
        if point not in seen:
            seen.add(point)
            rest += pseudo(piece, point)
    assert seen == reached


def pseudo(piece, point):
    """Where a red piece steps from ``point`` of an empty board, whatever its general says."""
    kind = next(entry for entry in RULES.pieces if entry.letter == piece)
    return [
        RULES.point_name(to) for motion in kind.moves for to in RULES.board.reach(motion)[RULES.point(point)]
    ]


@pytest.mark.parametrize("piece", ["K", "A", "H", "R", "C"])
def test_the_river_changes_the_move_of_two_pieces_only(piece):
    """All others move from rank 5 and from rank 6 alike, but for the palace and the edge."""
    near, far = pseudo(piece, "e5"), pseudo(piece, "e6")
    if piece in "KA":
        assert near == far == []
    else:
        shifted = {f"{name[0]}{int(name[1:]) + 1}" for name in near if name[0] != "e"}
        assert {name for name in far if name[0] != "e"} >= {name for name in shifted if int(name[1:]) <= 10}


def test_an_elephant_can_never_cross_the_river():
    assert targets(alone("B", "c5"), "c5") == {"a3", "e3"}


def test_a_soldier_gains_a_sideways_move_after_it_crosses_the_river():
    assert targets(alone("P", "c5"), "c5") == {"c6"}
    assert targets(alone("P", "c6"), "c6") == {"c7", "b6", "d6"}


# -- the pieces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen, point, reached",
    [
        pytest.param(
            "3k5/9/9/9/9/9/9/9/4K4/9 w", "e2", {"e1", "e3", "f2"}, id="one point along a line, not facing"
        ),
        pytest.param("3k5/9/9/9/9/9/9/9/5K3/9 w", "f2", {"e2", "f1", "f3"}, id="inside the palace"),
    ],
)
def test_the_general_moves_one_point_along_a_line_and_stays_inside_the_palace(fen, point, reached):
    assert targets(fen, point) == reached


def test_the_advisor_moves_one_point_diagonally_and_stays_inside_the_palace():
    assert targets(alone("A", "e2"), "e2") == {"d1", "d3", "f3"}  # its own general stands on f1
    assert targets(alone("A", "d3"), "d3") == {"e2"}


def test_the_elephant_moves_exactly_two_points_diagonally_and_is_blocked_on_the_midpoint():
    assert targets(alone("B", "e3"), "e3") == {"c1", "c5", "g1", "g5"}
    assert "c1" not in targets("3k5/9/9/9/9/9/9/4B4/3p5/5K3 w", "e3")


def test_the_horse_moves_one_point_along_a_line_then_one_outward_and_the_first_step_blocks_it():
    assert targets(alone("N", "e5"), "e5") == {"d3", "f3", "d7", "f7", "c4", "c6", "g4", "g6"}
    assert targets("3k5/9/9/9/4p4/4N4/9/9/9/5K3 w", "e5") == {"d3", "f3", "c4", "c6", "g4", "g6"}


def test_the_chariot_moves_any_distance_along_a_line_and_cannot_jump():
    assert len(targets(alone("R", "b5"), "b5")) == 17
    assert targets("3k5/9/9/1p7/9/1R2p4/9/9/9/5K3 w", "b5") == {
        *("b1", "b2", "b3", "b4", "b6", "b7"),
        *("a5", "c5", "d5", "e5"),
    }


def test_the_cannon_moves_like_the_chariot_but_captures_only_by_jumping_over_exactly_one_piece():
    assert len(targets(alone("C", "b5"), "b5")) == 17
    one, two = "3k5/1r7/9/1p7/9/1C7/9/9/9/5K3 w", "3k5/1r7/1p7/1p7/9/1C7/9/9/9/5K3 w"
    assert {"b9"} == {to for to in targets(one, "b5") if to in ("b7", "b9")}
    assert {"b8"} == {to for to in targets(two, "b5") if to in ("b7", "b8", "b9")}


def test_the_soldier_moves_one_point_forward_and_never_back():
    assert targets(alone("P", "c4"), "c4") == {"c5"}
    assert targets(alone("P", "a10"), "a10") == {"b10"}
    assert targets(alone("p", "c7", "b"), "c7") == {"c6"}


# -- how games end ------------------------------------------------------------------------------------------------


def test_a_player_gives_check_when_their_next_move_could_capture_the_enemy_general():
    assert Position("3k5/9/9/9/9/9/9/9/9/3R1K3 b").is_check()
    assert not Position("3k5/9/9/3p5/9/9/9/9/9/3R1K3 b").is_check()


def test_checkmate_is_a_check_that_no_move_stops_and_loses():
    game = Game("3k5/R8/9/9/9/9/9/9/9/1R2K4 w")
    game.push("b1b10")
    ruling = game.ruling()
    assert (ruling.result, ruling.reason) == ("red", "checkmate")


def test_the_player_with_no_legal_move_loses_even_without_check():
    game = Game("3k5/9/9/9/9/9/9/9/R8/4K4 w")
    game.push("a2a9")
    assert game.position.is_stalemate()
    ruling = game.ruling()
    assert (ruling.result, ruling.reason) == ("red", "stalemate")


def test_the_generals_may_never_face_each_other_on_an_open_file():
    with pytest.raises(IllegalMove, match="generals would face"):
        Position("4k4/9/9/9/9/9/9/9/9/3K5 w").push("d1e1")


def test_opening_that_file_is_a_move_into_check_and_illegal():
    fen = "4k4/9/9/9/4R4/9/9/9/9/4K4 w"
    assert targets(fen, "e6") == {"e2", "e3", "e4", "e5", "e7", "e8", "e9", "e10"}


CHECKS = ("4k4/9/9/9/9/9/9/9/3R5/5K3 w", ["d2e2", "e10d10", "e2d2", "d10e10"] * 2)


@pytest.mark.parametrize("side", ["red", "black"])
def test_perpetual_check_costs_the_game_for_the_side_giving_check(side):
    fen, moves = CHECKS
    if side == "black":
        fen = "5k3/3r5/9/9/9/9/9/9/9/4K4 b"
        moves = ["d9e9", "e1d1", "e9d9", "d1e1"] * 2
    (game,) = adjudicate([GameRecord(fen=fen, tokens=moves)])
    assert len(game.moves) == 8 and not [f for f in game.findings if f.severity == "error"]
    assert (game.result, game.reason) == ("black" if side == "red" else "red", "perpetual-check")


def test_on_the_third_repeat_of_a_position_the_side_that_gave_check_each_time_loses():
    fen, moves = CHECKS
    (twice,) = adjudicate([GameRecord(fen=fen, tokens=moves[:7])])
    assert twice.result == "*"
    (thrice,) = adjudicate([GameRecord(fen=fen, tokens=[*moves, "e2e3"])])
    assert thrice.reason == "perpetual-check" and thrice.ply == 8


def test_a_position_can_repeat_with_no_rule_broken_by_either_side():
    moves = ["b1c3", "b10c8", "c3b1", "c8b10"] * 2
    (game,) = adjudicate([GameRecord(tokens=moves)])
    assert (game.result, game.reason, game.ply) == ("draw", "repetition", 8)


def test_both_players_can_agree_to_a_draw():
    (game,) = adjudicate([GameRecord(tokens=["h3e3"], terminator="1/2-1/2")])
    assert (game.result, game.claimed, game.claim) == ("*", "draw", "unverifiable")


def test_a_draw_after_60_moves_by_each_side_with_no_capture():
    assert RULES.no_capture_limit == 120
    (game,) = adjudicate([GameRecord(fen="3k5/9/9/9/9/9/9/9/9/R3K4 w - - 119 80", tokens=["a1a2"])])
    assert (game.result, game.reason, game.ply) == ("draw", "no-capture", 1)
    (game,) = adjudicate([GameRecord(fen="3k5/9/9/9/9/9/9/9/9/R3K4 w - - 118 80", tokens=["a1a2"])])
    assert game.result == "*"


def test_perpetual_chase_is_against_the_rules_but_this_site_uses_a_simple_version():
    fen = "3k5/9/9/9/9/9/9/1c7/9/RN2K4 b"
    assert RULES.book == "site"
    moves = ["b3b4", "a1a2", "b4b3", "a2a1"] * 2
    (game,) = adjudicate([GameRecord(fen=fen, tokens=moves)], "xiangqi", "site")
    assert (game.result, game.reason) == ("draw", "repetition")


# -- how moves are written -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "notation, text",
    [
        pytest.param("chinese", "炮二平五", id="Chinese: the piece, and 进, 退 or 平"),
        pytest.param("wxf", "C2=5", id="WXF: a letter, a file number and a direction sign"),
        pytest.param("algebraic", "Che3", id="coordinates, like algebraic chess notation"),
    ],
)
def test_xiangqi_has_three_ways_to_write_down_a_move(notation, text):
    position = Position()
    assert position.parse(text, notation) == position.parse(text) == "h3e3"
    assert position.parse(position.write("h3e3", notation), notation) == "h3e3"
