"""Cycles of every shape: long and odd ones, rounds that differ, several positions that come back."""

import math

import pytest

from adjudicator import Game, RuleBook
from adjudicator.conduct import suits
from adjudicator.ruleset import Ruleset

CHARIOTS = "4k3r/4a4/9/9/9/9/9/9/4A4/R3K4 w - - 0 1"
ROUND = "a1a2 i10i9 a2a1 i9i10 "
# Walks of a chariot that come back to where they began, so many moves long.
WALKS = {
    2: "a1a2 a2a1",
    3: "a1a2 a2a3 a3a1",
    4: "a1a2 a2a3 a3a4 a4a1",
    5: "a1a2 a2a3 a3a4 a4a5 a5a1",
    6: "a1a2 a2a3 a3a4 a4a5 a5a6 a6a1",
}
BOOKS = [name for name in RuleBook.ids() if RuleBook.load(name).fold]


def opposite(move):
    """The move seen from the other side of the board."""
    return "".join(f"i{11 - int(rank)}" for rank in move.split("a")[1:])


def played(fen, moves):
    """The game of these moves, and what gives its ruling under a book."""
    game = Game(fen)
    for move in moves.split():
        game.push(move)
    return game, lambda book: game.ruling(RuleBook.load(book, {"limit.plies": 0}))


def walks(red, black, plies):
    mine, theirs = WALKS[red].split(), list(map(opposite, WALKS[black].split()))
    return " ".join(
        mine[ply // 2 % len(mine)] if ply % 2 == 0 else theirs[ply // 2 % len(theirs)] for ply in range(plies)
    )


@pytest.mark.parametrize("red, black", [(2, 2), (2, 3), (3, 3), (3, 4), (4, 5), (5, 3), (5, 6)])
def test_two_walks_come_together_when_both_are_done(red, black):
    period = 2 * math.lcm(red, black)
    _, ruled = played(CHARIOTS, walks(red, black, 2 * period))
    for book in BOOKS:
        ruling = ruled(book)
        assert (ruling.result, ruling.reason) == ("draw", "repetition"), ruling.explain()
        assert ruling.occurrences == (0, period, 2 * period)
    _, ruled = played(CHARIOTS, walks(red, black, 2 * period - 1))
    assert ruled("axf").reason is None


def test_the_shortest_round_is_two_moves_of_each_side():
    """After two plies only one piece of each side has moved, and neither is back."""
    start = CHARIOTS.split()[:2]
    game = Game(CHARIOTS)
    came_back = []
    for move in ROUND.split():
        game.push(move)
        came_back.append(game.fen().split()[:2] == start)
    assert came_back == [False, False, False, True]


def test_a_capture_ends_every_cycle():
    fen = "4k3r/4a4/9/9/p8/9/9/9/4A4/R3K4 w - - 0 1"
    lead, again = ROUND + "a1a6 i10i9 ", "a6a5 i9i10 a5a6 i10i9 "
    _, ruled = played(fen, lead + again)
    assert ruled("axf").reason is None
    _, ruled = played(fen, lead + again * 2)
    assert ruled("axf").occurrences == (5, 9, 13)


def test_rounds_that_differ_are_judged_as_a_whole():
    _, ruled = played(CHARIOTS, ROUND + "a1a3 i10i8 a3a2 i8i9 a2a1 i9i10")
    assert ruled("axf").occurrences == (0, 4, 10)
    assert [act.ply for act in ruled("axf").acts] == list(range(1, 11))


def test_the_position_that_comes_first_for_the_third_time_rules():
    """The position after ply 2 stands at 2, 6 and 10; that of the start only at 0, 4 and 8."""
    _, ruled = played(CHARIOTS, ROUND * 3)
    assert ruled("axf").occurrences == (0, 4, 8)


def test_a_chase_in_one_round_and_none_in_the_other():
    """Books that look at the last round alone come to another result, and the Asian book says so."""
    fen = "3k5/9/R8/7c1/9/9/9/9/9/5K3 w - - 0 1"
    idle, chase = "f1f2 d10d9 f2f1 d9d10 ", "a8a7 h7h8 a7a8 h8h7 "
    _, ruled = played(fen, idle + chase)
    assert ruled("axf").result == ruled("cxa").result == "draw"
    assert ruled("chessdb").result == "black"
    assert [other["result"] for other in ruled("axf").others] == ["black"]
    assert [other["result"] for other in ruled("cxa").others] == ["black"]
    _, ruled = played(fen, chase + idle)
    assert ruled("chessdb").result == "draw" and not ruled("axf").disputed


def test_a_check_that_another_piece_uncovers_is_a_check():
    """The horse goes to and fro before its chariot: every other move is a check."""
    fen = "4k4/9/9/9/9/4N4/9/9/4R4/5K3 w - - 0 1"
    _, ruled = played(fen, "e5c6 e10d10 c6e5 d10e10 " * 2)
    assert ruled("site").conduct == {"red": ["check", "quiet"] * 2, "black": ["quiet"] * 4}
    assert ruled("axf").result == "draw"
    assert ruled("cxa").conduct["red"][0] == "check"


@pytest.mark.parametrize("rules", ["atomic", "fortress", "six-fortresses"])
@pytest.mark.parametrize("book", ["axf", "cxa"])
def test_where_captures_do_more_only_checks_are_looked_at(rules, book):
    """Explosions and drops are beyond what conduct can tell: a federation's book judges checks there."""
    assert not suits(Ruleset.load(rules))
    game = Game(rules=rules)
    rounds = {
        "atomic": "b3b4 b8b7 b4b3 b7b8",
        "fortress": "d2e2 c8c3 e2d2 c3c8",
        "six-fortresses": "b2c4 h8g6 c4b2 g6h8",
    }
    for move in rounds[rules].split() * 2:
        game.push(move)
    ruling = game.ruling(book)
    assert (ruling.result, ruling.reason, ruling.verdict) == ("draw", "repetition", None)
    assert "quiet" in ruling.explain() and "闲" in ruling.explain("zh")
