"""Endings, the ply at which they bind, claims, and the words for them."""

import pytest

from adjudicator import Game, Ruleset, adjudicate
from notation.record import GameRecord

CHECKS = "4k4/9/9/9/9/9/9/9/9/5K2R w - - 0 1"
CHECKING = ["i1i10", "e10e9", "i10i9", "e9e10", "i9i10", "e10e9", "i10i9", "e9e10", "i9i10"]
QUIET = "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1"
SHUFFLE = ["f1f2", "d10d9", "f2f1", "d9d10"]
MUTUAL = "9/4c4/5k3/5r3/9/9/4C4/9/4K4/5R3 w - - 0 1"
MUTUAL_CHECKS = ["e4f4", "f7e7", "f4e4", "e7f7", "e4f4", "f7e7", "f4e4", "e7f7"]


def ruled(fen, moves, book=None, rules="xiangqi"):
    game = Game(fen, rules)
    for move in moves:
        game.push(move)
    return game.ruling(book)


@pytest.mark.parametrize(
    "fen, moves, book, expected",
    [
        pytest.param(CHECKS, CHECKING, "site", ("black", "perpetual-check", 9), id="the checker loses"),
        pytest.param(CHECKS, CHECKING, "site-draw", ("draw", "repetition", 9), id="every repetition a draw"),
        pytest.param(CHECKS, CHECKING, "none", ("*", None, None), id="no repetition rule"),
        pytest.param(
            QUIET, SHUFFLE * 2, "site", ("draw", "repetition", 8), id="the start counts as an occurrence"
        ),
        pytest.param(QUIET, SHUFFLE, "site", ("*", None, None), id="twice is not three times"),
        pytest.param(MUTUAL, MUTUAL_CHECKS, "site", ("draw", "mutual-perpetual-check", 8), id="both check"),
        pytest.param(
            "4k4/9/5P3/9/9/9/9/9/9/3R1K3 w - - 0 1",
            ["f8f9"],
            None,
            ("red", "stalemate", 1),
            id="no move loses",
        ),
        pytest.param(
            "3k5/9/9/9/9/9/9/9/R8/R4K3 w - - 119 80",
            ["a1b1"],
            None,
            ("draw", "no-capture", 1),
            id="the clock of the FEN",
        ),
    ],
)
def test_endings(fen, moves, book, expected):
    ruling = ruled(fen, moves, book)
    assert (ruling.result, ruling.reason, ruling.ply) == expected


def test_mate_comes_before_the_clock_on_one_ply():
    ruling = ruled("3k5/R8/9/9/9/9/9/9/9/1R3K3 w - - 119 80", ["b1b10"])
    assert (ruling.result, ruling.reason) == ("red", "checkmate")


def test_options_of_rule_set_and_book_can_be_set():
    rules = Ruleset.load("xiangqi", {"fold": 5})
    assert ruled(QUIET, SHUFFLE * 3, rules=rules).reason is None
    assert ruled(QUIET, SHUFFLE * 4, rules=rules).ply == 16
    assert (
        ruled(QUIET, SHUFFLE, rules=Ruleset.load("xiangqi", {"no_capture_limit": 4})).reason == "no-capture"
    )


@pytest.mark.parametrize(
    "span, expected",
    [("first_to_third", ("draw", "repetition")), ("last_cycle", ("black", "perpetual-check"))],
)
def test_the_span_decides_which_loops_are_judged(span, expected):
    quiet, checking = ["e1e2", "d10d9", "e2e1", "d9d10"], ["e1d1", "d10e10", "d1e1", "e10d10"]
    rules = Ruleset.load("xiangqi", {"span": span})
    ruling = ruled("3k5/9/9/9/9/9/9/9/9/4RK3 w - - 0 1", quiet + checking, rules=rules)
    assert (ruling.result, ruling.reason) == expected
    assert (ruling.ply, ruling.occurrences) == (8, (0, 4, 8))


def test_a_ruling_explains_itself():
    text = ruled(CHECKS, CHECKING, "site").explain()
    assert "third occurrence of the position after ply 9 (before at 1, 5)" in text
    assert "Red's moves in the cycle: check, check, check, check" in text
    assert "Black's moves in the cycle: quiet, quiet, quiet, quiet" in text
    assert "长将" in ruled(CHECKS, CHECKING, "site").explain("zh")


@pytest.mark.parametrize(
    "moves, result, expected",
    [
        pytest.param(CHECKING, "0-1", "agrees", id="claims what the rules give"),
        pytest.param(CHECKING, "1-0", "contradicts", id="claims another result"),
        pytest.param(CHECKING[:-1], "1-0", "unverifiable", id="resignation"),
        pytest.param([*CHECKING, "e10e9"], "0-1", "played-on", id="plays on past the end"),
        pytest.param(CHECKING[:2], "*", "no-claim", id="no result"),
        pytest.param([*CHECKING[:2], "a1a2"], "1-0", "illegal-move", id="illegal move"),
        pytest.param([*CHECKING[:2], "resigns"], "1-0", "unreadable", id="no move at all"),
    ],
)
def test_claims(moves, result, expected):
    record = GameRecord(tags={"FEN": CHECKS, "Result": result}, tokens=moves, fen=CHECKS, result=result)
    (found,) = adjudicate([record])
    assert found.claim == expected


@pytest.mark.parametrize(
    "result, expected",
    [
        pytest.param("0-1", {"played-on": "note"}, id="to the same result"),
        pytest.param("*", {"played-on": "note"}, id="to no result"),
        pytest.param("1-0", {"played-on": "note", "result-contradicts": "warning"}, id="to another result"),
        pytest.param("1/2-1/2", {"played-on": "note", "result-contradicts": "warning"}, id="to a draw"),
    ],
)
def test_a_record_that_plays_on_to_another_result_contradicts(result, expected):
    moves = [*CHECKING, "e10e9"]
    record = GameRecord(tags={"FEN": CHECKS, "Result": result}, tokens=moves, fen=CHECKS, result=result)
    (found,) = adjudicate([record])
    assert found.claim == "played-on"
    told = [finding for finding in found.findings if finding.code in ("played-on", "result-contradicts")]
    assert {finding.code: finding.severity for finding in told} == expected
    assert {finding.ply for finding in told} == {found.ply}


def test_replay_goes_on_past_the_end_and_annotates_what_comes_later():
    record = GameRecord(tags={"FEN": QUIET}, tokens=SHUFFLE * 4, fen=QUIET)
    (found,) = adjudicate([record])
    assert (found.result, found.ply, len(found.moves)) == ("draw", 8, 16)
    assert found.moves[15].occurrence == 5
    assert "played-on" in [finding.code for finding in found.findings]
