"""Wins by force: the kernel's search against a plain one that tries everything."""

import random

import pytest

from adjudicator import Game, Position, Ruleset

PLENTY = 10**8


def is_lost(position: Position) -> bool:
    """Whether the side to move has lost on the board."""
    rules = position.rules
    own = "K" if position.side == "red" else "k"
    if own not in position.fen().split("[")[0].split()[0]:
        if rules.needs_general:
            return True
        return bool(position.reserves()[position.side].get("K")) and not position.legal_moves()
    return not position.legal_moves() and (position.is_check() or rules.stalemate == "loss")


def wins(position: Position, plies: int) -> bool:
    for move in position.legal_moves():
        position.push(move)
        won = is_lost(position) or (plies > 1 and loses(position, plies - 1))
        position.pop()
        if won:
            return True
    return False


def loses(position: Position, plies: int) -> bool:
    moves = position.legal_moves()
    for move in moves:
        position.push(move)
        lost = not is_lost(position) and wins(position, plies - 1)
        position.pop()
        if not lost:
            return False
    return bool(moves)


def is_won(position: Position, move: str) -> bool:
    """Whether a move wins within three plies."""
    position.push(move)
    won = loses(position, 2)
    position.pop()
    return won


def endings(rules: Ruleset, count: int):
    """The last positions of games by chance that end on the board."""
    dice = random.Random(f"{rules.id} endings")
    while count:
        game = Game(rules=rules)
        for _ in range(160):
            legal = game.position.legal_moves()
            if not legal or is_lost(game.position):
                break
            game.push(dice.choice(legal))
        if is_lost(game.position):
            count -= 1
            for _ in range(3):
                game.pop()
                yield Position(game.fen(), rules)


@pytest.mark.parametrize("rules", [name for name in Ruleset.ids() if name != "six-fortresses"])
def test_the_search_finds_what_a_plain_one_finds(rules):
    ruleset = Ruleset.load(rules)
    found = []
    for position in endings(ruleset, 4):
        for plies in (1, 2, 3):
            if plies == 3 and len(position.legal_moves()) > 30:
                continue
            plain = wins(position, plies) if plies % 2 else loses(position, plies)
            answer, tried = position.cursor.forces(plies, PLENTY, stalemate=ruleset.stalemate == "loss")
            assert (answer, tried > 0) == (plain, True), (position.fen(), plies)
            found.append(plain)
    assert {True, False} == set(found)


@pytest.mark.parametrize(
    "fen",
    [
        "k8/9/9/9/9/9/9/9/1R6R w - - 0 1",
        "k8/2K6/9/9/9/9/9/9/1Q7 w - - 0 1",
        "9/9/2k6/9/1P7/9/9/6R2/8K[Q] w - - 0 1",
        "9/9/9/9/9/9/9/8R/RRRRRRRR1[k] w - - 0 1",
    ],
)
def test_the_search_knows_kings_that_may_be_off_the_board(fen):
    position = Position(fen, "six-fortresses")
    for plies in (1, 3):
        found, _ = position.cursor.forces(plies, PLENTY, stalemate=False)
        assert found == wins(position, plies)


def test_a_king_that_cannot_be_placed_is_mated():
    """rulesets.md, six-fortresses: "must be placed and cannot: that is checkmate"; without a King there is neither."""
    position = Position("9/9/9/9/9/9/9/8R/RRRRRRRR1[k] w - - 0 1", "six-fortresses")
    assert position.context("i2i1").mate
    position.push("i2i1")
    assert position.is_checkmate() and not position.is_stalemate()
    gone = Position("9/9/9/9/9/9/9/9/R8 b - - 0 1", "six-fortresses")
    assert gone.legal_moves() == [] and not gone.is_checkmate() and not gone.is_stalemate()


IN_TWO = "9/4k4/9/C8/9/9/9/9/9/R4K3 w - - 0 1"  # with a quiet move first


def test_a_quiet_move_is_found():
    assert wins(Position(IN_TWO), 3) and not wins(Position(IN_TWO), 1)


def test_deeper_than_broad_only_checks_are_tried():
    cursor = Position(IN_TWO).cursor
    assert [cursor.forces(plies, PLENTY)[0] for plies in (1, 3)] == [False, True]
    assert [cursor.forces(plies, PLENTY, broad=1)[0] for plies in (1, 3, 5)] == [False] * 3


def test_what_might_end_the_game_first_is_no_proof():
    position = Position(IN_TWO)
    assert [position.cursor.forces(3, PLENTY, limit=limit)[0] for limit in (1, 2, 3)] == [False, False, True]
    move = next(move for move in position.legal_moves() if is_won(position, move))
    position.push(move)
    assert position.cursor.forces(2, PLENTY)[0]
    assert not position.cursor.forces(2, PLENTY, seen=(position.key,))[0]


def test_the_budget_is_kept():
    assert Position().cursor.forces(7, 1000, broad=7) == (False, 1000)
