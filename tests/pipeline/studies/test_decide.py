"""The move that decided: the witness that speaks, the ply, and the certainty."""

import pytest
from studies_made import study

from adjudicator import Ruleset
from notation.record import GameRecord


def decided(record, rules="xiangqi"):
    game = study([record], rules)["games"][0]
    assert set(game["decided"] or {"en": 0, "zh": 0}) >= {"en", "zh"}
    return game["decided"]


def record(moves, fen=None, comments=None, **tags):
    tags |= {"FEN": fen} if fen else {}
    return GameRecord(tags=tags, tokens=moves.split(), fen=fen, comments=comments or {})


def test_a_forced_mate_is_proved_and_blamed_on_the_move_before():
    # The soldier could take the chariot; after the general's step every reply is mated.
    found = decided(record("d10d9 b3b9 d9d8 a2a8", "3k5/9/9/9/9/9/9/1Rp6/R8/4K4 b - - 0 1"))
    assert (found["ply"], found["kind"], found["certainty"]) == (1, "forced-mate", "proved")
    assert "Black's" in found["en"] and "Red wins by force in at most 2 moves" in found["en"]


def test_a_win_that_was_there_from_the_start_blames_nobody():
    found = decided(record("e1e2 d10d9 a3a8 d9d10 b2b9", "3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1"))
    assert (found["ply"], found["certainty"]) == (1, "proved") and "from the start Red wins" in found["en"]


def test_a_quiet_move_may_be_what_forces():
    # The chariot shuts the general in without a check; then the other one mates.
    found = decided(record("e10d10 b2b9 d10e10 a1a10", "4k4/9/9/9/9/9/9/9/1R7/R4K3 b - - 0 1"))
    assert (found["ply"], found["kind"], found["certainty"]) == (1, "forced-mate", "proved")


@pytest.mark.parametrize(
    "moves, result, words",
    [
        pytest.param(
            "d10d9 b2b8", "1-0", "after this move of Black's, Red wins by force", id="lost at the end"
        ),
        pytest.param(
            "d10d9", "*", "after this move of Black's, Red wins with the next", id="won for the side to move"
        ),
        pytest.param("d10d9 b2b8", "0-1", None, id="the other side is said to have won"),
    ],
)
def test_a_record_that_stops_before_the_mate_is_searched_at_its_end(moves, result, words):
    found = decided(record(moves, "3k5/9/9/9/9/9/9/R8/1R7/4K4 b - - 0 1", Result=result))
    if words is None:
        assert found is None or found["kind"] != "forced-mate"
    else:
        assert words in found["en"] and "The record ends before that" in found["en"]


def test_a_lasting_lead_in_pieces_is_a_hint():
    found = decided(record("h3h10 i10h10 h1g3 b8b1 a1b1", Result="1-0"))
    assert found is None or found["certainty"] == "hint"


def test_evaluations_of_the_record_name_the_ply_before_they_turned():
    figures = ["+0.2", "-0.1", "+0.3", "-0.2", "+4.0", "-4.5", "+5.0", "-6.0"]
    comments = {ply: [f"{figure}/8 0.1s"] for ply, figure in enumerate(figures, start=1)}
    moves = "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6 h1h7 b10c8"
    found = decided(record(moves, comments=comments, Result="1-0"))
    assert (found["ply"], found["certainty"]) == (4, "recorded")
    assert "Black's mistake: Red's own evaluation went from +0.30 to +4.00, seen from Red's" in found["en"]


def test_a_side_does_not_better_its_position_by_its_own_move():
    # Red's engine sees before ply 5 what Black's had seen before ply 4.
    figures = ["+0.2", "-0.1", "+0.3", "-2.5", "+4.0", "-4.5", "+5.0", "-6.0"]
    comments = {ply: [f"{figure}/8 0.1s"] for ply, figure in enumerate(figures, start=1)}
    moves = "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6 h1h7 b10c8"
    found = decided(record(moves, comments=comments, Result="1-0"))
    assert found["ply"] == 4 and "Black's mistake" in found["en"]
    assert "It may have been there earlier: Black's own evaluation before this move already" in found["en"]
    assert "stood at +2.50" in found["en"] and "Red's side" in found["en"]


FROM_MATCHES = [
    pytest.param(
        "2Rakab2/9/9/p3p3p/9/3c2p2/P3c2RP/6r1C/3K5/2BA1AB2 b - - 5 25",
        ["g5g4 -2.18", "h4h5 -1.90", "d5d9 -0.88", "d1e2 -2.46", "g3b3 -0.93", "d2d1 -M2", "b3d3 +M1"],
        ("xiangqi", 6, "after this move of Red's, Black wins with the next move"),
        id="the reply allows the mate, not the mover's own move forces it",
    ),
    pytest.param(
        "5kb2/4a4/2n2an1r/7Cp/p3p1p2/P3P1P1P/9/4B1N1B/4K4/3R5 b - - 3 23",
        ["e9d8 +0.65", "d1d7 +0.32", "f8e9 -0.07", "d7f7 +0.66", "f10e10 -M2", "f7f10 +M1"],
        ("atomic", 5, "after this move of Black's, Red wins with the next move"),
        id="one of two replies",
    ),
]


@pytest.mark.parametrize("fen, said, meant", FROM_MATCHES)
def test_a_mate_announced_is_searched_for_and_put_down_to_the_loser(fen, said, meant):
    moves, figures = zip(*(ply.split() for ply in said), strict=True)
    comments = {ply: [f"{figure}/7 0.1s"] for ply, figure in enumerate(figures, start=1)}
    rules, ply, words = meant
    found = decided(record(" ".join(moves), fen, comments), rules)
    assert (found["ply"], found["certainty"]) == (ply, "proved") and words in found["en"]


def test_a_mate_that_no_search_proves_is_only_announced():
    figures = ["+0.2", "-0.1", "+0.3", "-0.2", "+M9", "-M8", "+M7", "-M6"]
    comments = {ply: [f"{figure}/8 0.1s"] for ply, figure in enumerate(figures, start=1)}
    moves = "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6 h1h7 b10c8"
    found = decided(record(moves, comments=comments, Result="1-0"))
    assert (found["ply"], found["certainty"]) == (4, "recorded")
    assert "to a mate announced in 5 moves" in found["en"] and "forced" not in found["en"]


def test_evaluations_by_command_are_of_the_position_after_the_ply():
    figures = ["0.2", "0.1", "0.3", "4.0", "4.5", "5.0", "#4", "#3"]
    comments = {ply: [f"[%eval {figure}]"] for ply, figure in enumerate(figures, start=1)}
    moves = "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6 h1h7 b10c8"
    found = decided(record(moves, comments=comments, Result="1-0"))
    assert (found["ply"], found["certainty"]) == (4, "recorded")
    assert "Black's mistake" in found["en"] and "+0.30" in found["en"] and "+4.00" in found["en"]


def test_a_win_let_go_needs_both_sides_figures():
    moves = "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6 h1h7 b10c8"
    agreed = ["+3.0", "-3.0", "+3.0", "-3.0", "+0.1", "-0.1", "+0.1", "+0.0"]
    comments = {ply: [f"{figure}/8 0.1s"] for ply, figure in enumerate(agreed, start=1)}
    found = decided(record(moves, comments=comments, Result="1/2-1/2"))
    assert (found["ply"], found["kind"]) == (3, "evaluation") and "let go" in found["en"]
    assert "it may never have been there" in found["en"]  # Black's engine still saw it after Red's move
    late = ["+0.1", "-0.1", "+3.0", "-3.0", "+3.0", "-3.0", "+3.0", "+0.2"]
    comments = {ply: [f"{figure}/8 0.1s"] for ply, figure in enumerate(late, start=1)}
    found = decided(record(moves, comments=comments, Result="1/2-1/2"))
    assert found["ply"] == 7 and "fell from +3.00 to −0.20" in found["en"]
    comments[8] = ["-3.0/8 0.1s"]  # it never fell
    assert decided(record(moves, comments=comments, Result="1/2-1/2")) is None
    alone = ["+3.0", "+0.1", "+3.0", "+0.1", "+0.1", "-0.1", "+0.1", "+0.0"]
    comments = {ply: [f"{figure}/8 0.1s"] for ply, figure in enumerate(alone, start=1)}
    assert decided(record(moves, comments=comments, Result="1/2-1/2")) is None


def test_a_repetition_is_decided_where_the_ruling_binds():
    cycle = "h1g3 h10g8 g3h1 g8h10 " * 2
    found = decided(record(cycle))
    assert (found["ply"], found["kind"], found["certainty"]) == (8, "repetition", "fact")


def test_a_draw_without_captures_was_decided_by_no_single_ply():
    rules = Ruleset.load("xiangqi", {"no_capture_limit": 4})
    made = record("h3h10 i10h10 h1g3 b10c8 i1h1 h10h9")
    assert study([made], rules)["games"][0]["reason"] == "no-capture"
    assert decided(made, rules) is None


def test_the_biggest_explosion_is_only_a_hint():
    found = decided(record("b3b10 a7a6 c4c5 a6a5 c5c6 i7i6 c6c7", Result="*"), "atomic")
    assert found["kind"] == "explosion" and found["certainty"] == "hint" and found["ply"] == 7


def test_a_cannons_shot_is_not_the_biggest_explosion():
    assert decided(record("b3b10 h8h1 c4c5", Result="*"), "atomic") is None


@pytest.mark.parametrize("moves", ["", "h3e3 h10g8"])
def test_nothing_is_said_where_nothing_is_known(moves):
    assert decided(record(moves)) is None
