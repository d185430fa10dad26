"""Fortress xiangqi, sentence by sentence of its rules page (seed 000). Each test quotes the sentences that it holds."""

import sys

import pytest
from sentences import goes, played, unheld

from adjudicator import Position, Ruleset, adjudicate
from conftest import shared
from notation.record import GameRecord

FORTRESS = Ruleset.load("fortress")
NOT_TESTED = {
    "Board and setup": "a heading",
    "The pieces": "a heading",
    "Capture, hold, drop": "a heading",
    "How games end": "a heading",
    "A sample game": "a heading; its moves are not on the page",
    "Play on Mistboard": "a heading",
    "In the diagrams below, a green dot marks a quiet destination, a green ring marks a capture, and a "
    "red cross marks a point the piece cannot reach.": "the page's drawings",
    "It is a flexible defender near the palace and an attacker after it advances or returns as a drop.": "strategy",
    "Fortress Xiangqi is playable on Mistboard.": "the site",
    "Play against an engine or challenge a friend.": "the site",
    "No account required.": "the site",
}


def test_every_sentence_is_held_or_listed():
    text = shared("seeds/000_f41ed2fff4c1f868.txt").read_text("utf-8")
    assert unheld(text, sys.modules[__name__]) == []


# -- board and set-up ----------------------------------------------------------------------------------------


def test_the_board():
    """The board is 7 files (a to g) by 8 ranks, with a river between ranks 4 and 5."""
    assert (FORTRESS.files, FORTRESS.ranks) == (7, 8)
    assert [FORTRESS.point_name(point) for point in (0, 6, 49, 55)] == ["a1", "g1", "a8", "g8"]
    # The river is what an elephant does not cross, from either bank.
    assert goes("fortress", "6k/7/7/7/3E3/7/7/K6 w", "d4") == "b2 f2"
    assert goes("fortress", "6k/7/7/3e3/7/7/7/K6 b", "d5") == "b7 f7"


def test_the_palaces():
    """Each side has a 3 by 3 palace, but the two palaces sit in opposite corners: Red holds the bottom left (a1
    to c3) and Black holds the top right (e6 to g8)."""
    red = {f"{file}{rank}" for file in "abc" for rank in (1, 2, 3)}
    black = {f"{file}{rank}" for file in "efg" for rank in (6, 7, 8)}
    assert {FORTRESS.point_name(point) for point in FORTRESS.palace} == red
    last = FORTRESS.files * FORTRESS.ranks - 1
    assert {FORTRESS.point_name(last - point) for point in FORTRESS.palace} == black
    drops = goes("fortress", "6k/7/7/7/7/7/7/K6[Aa] b", "A@")
    assert set(drops.split()) == black - {"g8"}


def test_the_setup_is_symmetrical():
    """The whole setup has 180 degree rotational symmetry."""
    start = Position(None, "fortress").fen().split()[0]
    assert start == start[::-1].swapcase()


def test_red_moves_first():
    """Red moves first."""
    assert Position(None, "fortress").side == "red"


def test_both_reserves_are_shown():
    """This is open information: both players see the whole board and both reserves."""
    position = Position("6k/7/7/7/7/7/7/K6[RRpq] w", "fortress")
    assert position.reserves() == {"red": {"R": 2}, "black": {"P": 1, "T": 1}}
    game = played("fortress", "6k/7/7/7/7/7/7/K6[RRpq] w", "R@d4")
    assert game.moves[0].reserves == "[Rpq]" and "[Rpq]" in game.final_fen


# -- the pieces ----------------------------------------------------------------------------------------------


def test_the_pieces_of_xiangqi():
    """The Chariot, Cannon, Horse, Elephant, Advisor, and General move as they do in xiangqi. The Soldier is the
    one standard piece with a changed move, and the Treasure is new."""
    here = {piece.name: piece.moves for piece in FORTRESS.pieces}
    there = {piece.name: piece.moves for piece in Ruleset.load("xiangqi").pieces}
    assert {name for name in there if here[name] != there[name]} == {"soldier"}
    assert here.keys() - there.keys() == {"treasure"}


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param(
            "6k/7/7/7/7/3R3/7/1K5 w", "d3", "a3 b3 c3 d1 d2 d4 d5 d6 d7 d8 e3 f3 g3", id="open lines"
        ),
        pytest.param("6k/3p3/7/7/7/3R3/7/1K5 w", "d3", "a3 b3 c3 d1 d2 d4 d5 d6 d7 e3 f3 g3", id="takes d7"),
        pytest.param("6k/3p3/3P3/7/7/3R3/7/1K5 w", "d3", "a3 b3 c3 d1 d2 d4 d5 e3 f3 g3", id="no jump"),
    ],
)
def test_the_chariot(fen, point, targets):
    """Chariot: slides any distance orthogonally, the strongest piece on the board. Here it can take the soldier
    on d7."""
    assert goes("fortress", fen, point) == targets


@pytest.mark.parametrize(
    "fen, targets",
    [
        pytest.param("6k/7/7/7/7/7/3C3/1K5 w", "a2 b2 c2 d1 d3 d4 d5 d6 d7 d8 e2 f2 g2", id="open lines"),
        pytest.param(
            "6k/3r3/7/7/7/7/3C3/1K5 w", "a2 b2 c2 d1 d3 d4 d5 d6 e2 f2 g2", id="no screen, no capture"
        ),
        pytest.param("6k/3r3/7/3P3/7/7/3C3/1K5 w", "a2 b2 c2 d1 d3 d4 d7 e2 f2 g2", id="own screen"),
        pytest.param("6k/3r3/7/3p3/7/7/3C3/1K5 w", "a2 b2 c2 d1 d3 d4 d7 e2 f2 g2", id="enemy screen"),
        pytest.param("6k/3r3/3p3/3P3/7/7/3C3/1K5 w", "a2 b2 c2 d1 d3 d4 d6 e2 f2 g2", id="exactly one"),
        pytest.param("6k/3R3/7/3P3/7/7/3C3/1K5 w", "a2 b2 c2 d1 d3 d4 e2 f2 g2", id="not its own"),
    ],
)
def test_the_cannon(fen, targets):
    """Cannon: moves like the Chariot on open lines, but captures only by jumping exactly one screen piece,
    friend or enemy. On the right, the cannon on d2 takes the chariot on d7 over its own soldier screen."""
    assert goes("fortress", fen, "d2") == targets


@pytest.mark.parametrize(
    "fen, targets",
    [
        pytest.param("6k/7/7/7/3N3/7/7/K6 w", "b3 b5 c2 c6 e2 e6 f3 f5", id="all eight"),
        pytest.param(
            "6k/7/7/3p3/3N3/7/7/K6 w", "b3 b5 c2 e2 f3 f5", id="an enemy on d5: neither forward move"
        ),
        pytest.param("6k/7/7/3P3/3N3/7/7/K6 w", "b3 b5 c2 e2 f3 f5", id="one's own soldier on d5 as well"),
        pytest.param(
            "6k/7/7/2p1p2/3N3/7/7/K6 w", "b3 b5 c2 c6 e2 e6 f3 f5", id="the diagonal point blocks nothing"
        ),
    ],
)
def test_the_horse(fen, targets):
    """Horse: steps one point orthogonally, then one point diagonally outward. If the orthogonal step is
    occupied, that whole direction is blocked. On the right, the soldier on d5 takes away both forward
    destinations."""
    assert goes("fortress", fen, "d4") == targets


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("6k/7/7/7/7/7/3E3/K6 w", "d2", "b4 f4", id="exactly two, diagonally"),
        pytest.param("6k/7/7/7/7/4p2/3E3/K6 w", "d2", "b4", id="the eye, an enemy's"),
        pytest.param("6k/7/7/7/7/2P1P2/3E3/K6 w", "d2", "", id="both eyes, one's own"),
        pytest.param("6k/7/7/7/1E5/7/7/K6 w", "b4", "d2", id="not over the river to d6"),
    ],
)
def test_the_elephant(fen, point, targets):
    """Elephant: moves exactly two points diagonally, is blocked by an occupied midpoint (the elephant eye), and
    can never cross the river."""
    assert goes("fortress", fen, point) == targets


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("6k/7/7/7/7/7/1A5/2K4 w", "b2", "a1 a3 c3", id="one point, diagonally"),
        pytest.param("6k/7/7/7/7/2A4/7/K6 w", "c3", "b2", id="not out of the palace"),
        pytest.param("4k2/7/4a2/7/7/7/7/K6 b", "e6", "f7", id="Black's palace"),
    ],
)
def test_the_advisor(fen, point, targets):
    """Advisor: moves one point diagonally and stays inside the palace."""
    assert goes("fortress", fen, point) == targets


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("6k/7/7/7/7/7/1K5/7 w", "b2", "a2 b1 b3 c2", id="one point, orthogonally"),
        pytest.param("6k/7/7/7/7/2K4/7/7 w", "c3", "b3 c2", id="not out of the palace"),
        pytest.param("7/7/4k2/7/7/7/7/K6 b", "e6", "e7 f6", id="Black's palace"),
    ],
)
def test_the_general(fen, point, targets):
    """General: moves one point orthogonally and stays inside the palace."""
    assert goes("fortress", fen, point) == targets


def test_the_generals_never_share_a_file():
    """One xiangqi rule retires itself here: because the palaces sit in opposite corners, the two generals never
    share a file, so the facing-generals rule never comes into play."""
    files = {point % FORTRESS.files for point in FORTRESS.palace}
    last = FORTRESS.files * FORTRESS.ranks - 1
    assert not files & {(last - point) % FORTRESS.files for point in FORTRESS.palace}


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("6k/7/7/7/3P3/7/7/K6 w", "d4", "c4 d5 e4", id="before the river"),
        pytest.param("6k/7/7/3P3/7/7/7/K6 w", "d5", "c5 d6 e5", id="after the river"),
        pytest.param("3P2k/7/7/7/7/7/7/K6 w", "d8", "c8 e8", id="on the last rank"),
        pytest.param("6k/7/7/3p3/7/7/7/K6 b", "d5", "c5 d4 e5", id="Black's"),
    ],
)
def test_the_soldier(fen, point, targets):
    """Soldier: moves one point forward or sideways, never backward."""
    assert goes("fortress", fen, point) == targets


def test_the_soldier_steps_sideways_in_the_first_move():
    """Unlike a standard xiangqi soldier, it can move sideways from the opening move."""
    assert goes("fortress", None, "d2") == "c2 d3 e2"
    assert goes("xiangqi", None, "e4") == "e5"


def test_the_treasure():
    """Treasure: the one new piece. It steps one point in any of the eight directions, is not confined to the
    palace, and never promotes."""
    assert goes("fortress", "6k/7/7/7/3Q3/7/7/K6 w", "d4") == "c3 c4 c5 d3 d5 e3 e4 e5"
    assert goes("fortress", "6k/7/7/7/7/2Q4/7/K6 w", "c3") == "b2 b3 b4 c2 c4 d2 d3 d4"
    assert goes("fortress", "6k/3Q3/7/7/7/7/7/K6 w", "d7") == "c6 c7 c8 d6 d8 e6 e7 e8"


def test_no_promotions():
    """There are no promotions and no past-river changes. Soldiers move the same on both sides of the river; the
    river only stops the Elephant, which never crosses it."""
    assert not any(piece.promotes_in or piece.promotes_to for piece in FORTRESS.pieces)
    confined = {piece.name for piece in FORTRESS.pieces if any(move.within == "home" for move in piece.moves)}
    assert confined == {"elephant"}
    assert not any(move.origin for piece in FORTRESS.pieces for move in piece.moves)


# -- capture, hold, drop -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", "rncaeqp")
def test_captures_change_colour(kind):
    """When you capture any piece other than the General, it changes to your color and enters your reserve."""
    game = played("fortress", f"6k/7/4{kind}2/7/7/7/7/K3R2 w", "e1e6")
    assert game.final_fen.split()[0] == f"6k/7/4R2/7/7/7/7/K6[{kind.upper()}]"


def test_reserves_have_no_limit():
    """Both reserves are open information, have no size limit, and keep pieces for as long as needed."""
    fen = f"6k/7/7/7/7/7/7/K6[{'R' * 20}{'p' * 15}] w"
    shuffle = ["a1a2", "g8g7", "a2a1", "g7g8"] * 30
    game = played("fortress", fen, *shuffle, book="none")
    assert game.moves[-1].reserves == f"[{'R' * 20}{'p' * 15}]"


def test_a_turn_is_a_move_or_a_drop():
    """On your turn, either move a piece on the board or drop one piece from your reserve onto an empty
    point."""
    position = Position("6k/7/7/3p3/7/7/7/K6[PP] w", "fortress")
    assert (
        len(position.legal_moves()) == 2 + 53
    )  # the general's steps; 56 points less three that are occupied
    assert "P@d5" not in position.legal_moves() and "P@a1" not in position.legal_moves()
    position.push("P@d4")
    assert position.side == "black" and position.reserves()["red"] == {"P": 1}


def test_generals_are_never_captured_or_held():
    """Generals are never captured or held in reserve."""
    with pytest.raises(ValueError, match="K"):
        Position("6k/7/7/7/7/7/7/K6[K] w", "fortress")
    # Black, in check, has only moves that leave it: no ply ends on the general.
    assert goes("fortress", "6k/7/7/7/7/7/7/K5R b", "g8") == "f8"


@pytest.mark.parametrize("fen_letter, letter", [("R", "R"), ("N", "H"), ("C", "C"), ("P", "P"), ("Q", "T")])
def test_drops_on_any_empty_point(fen_letter, letter):
    """Chariots, Horses, Cannons, Soldiers, and Treasures may drop on any empty point."""
    fen = f"6k/7/7/3p3/3P3/7/7/K6[{fen_letter}] w"
    everywhere = {f"{file}{rank}" for file in "abcdefg" for rank in range(1, 9)}
    assert set(goes("fortress", fen, f"{letter}@").split()) == everywhere - {"a1", "d4", "d5", "g8"}


def test_drops_with_a_territory():
    """Advisors and Elephants keep their normal territory restrictions."""
    fen = "6k/7/7/3p3/3P3/7/7/K6[AE] w"
    palace = {f"{file}{rank}" for file in "abc" for rank in (1, 2, 3)}
    half = {f"{file}{rank}" for file in "abcdefg" for rank in range(1, 5)}
    assert set(goes("fortress", fen, "A@").split()) == palace - {"a1"}
    assert set(goes("fortress", fen, "E@").split()) == half - {"a1", "d4"}
    black = "6k/7/7/3p3/3P3/7/7/K6[ae] b"
    half = {f"{file}{rank}" for file in "abcdefg" for rank in range(5, 9)}
    assert set(goes("fortress", black, "E@").split()) == half - {"g8", "d5"}


def test_a_dropped_piece_is_live():
    """A dropped piece is live immediately."""
    position = Position("6k/7/7/7/7/7/7/K6[R] w", "fortress")
    position.push("R@g1")
    assert position.checkers() == ["g1"]


def test_drops_check_and_mate():
    """A drop may give check or deliver checkmate, and a dropped Soldier can step sideways wherever it lands."""
    check = played("fortress", "6k/7/7/7/7/7/7/K6[R] w", "R@g1").moves[0]
    assert (check.drop, check.check, check.mate) == (True, True, False)
    mate = played("fortress", "6k/R6/7/7/7/7/7/K6[R] w", "R@b8")
    assert (mate.moves[0].drop, mate.moves[0].mate, mate.result) == (True, True, "red")
    # In xiangqi a soldier at home could not.
    assert played("fortress", "6k/7/7/7/7/7/7/K6[P] w", "P@d2", "g8g7", "d2c2").moves[2].move == "d2c2"


@pytest.mark.parametrize(
    "fen, drops",
    [
        pytest.param("6k/7/7/7/7/7/7/K2r3[P] w", "b1 c1", id="a drop must meet the check"),
        pytest.param("6k/7/7/7/7/1n5/7/K6[P] w", "b2", id="on the horse's leg"),
    ],
)
def test_no_drop_leaves_the_general_in_check(fen, drops):
    """The one limit is the usual one: no move, drop included, may leave your own general in check."""
    assert goes("fortress", fen, "P@") == drops


def test_no_drop_gives_a_cannon_its_screen():
    """The one limit is the usual one: no move, drop included, may leave your own general in check."""
    drops = set(goes("fortress", "6k/7/c6/7/7/7/7/K6[P] w", "P@").split())
    assert not {"a2", "a3", "a4", "a5"} & drops and {"a7", "a8", "b1"} <= drops


# -- how games end -------------------------------------------------------------------------------------------


def test_checkmate_wins():
    """Checkmate wins."""
    game = played("fortress", "6k/R6/7/7/7/7/1R5/K6 w", "b2b8")
    assert (game.result, game.reason) == ("red", "checkmate")


def test_no_legal_move_loses():
    """A player with no legal move also loses, even when not in check."""
    game = played("fortress", "6k/7/5R1/7/7/7/R6/K6 w", "a2a7")
    assert (game.moves[0].check, game.moves[0].legal_replies) == (False, 0)
    assert (game.result, game.reason) == ("red", "stalemate")


def test_no_clock():
    """There is no fifty-move or no-progress draw."""
    game = played("fortress", "6k/7/7/7/7/7/7/KR5 w - - 900 500", "b1c1")
    assert game.result == "*" and game.moves[0].plies_since_capture == 901


CHECKS = ["b8b7", "g7g8", "b7b8", "g8g7"]


def test_perpetual_check_loses():
    """On the third occurrence of the same position, a player who gave check on every one of their moves in the
    repeating cycle loses."""
    game = played("fortress", "1R5/6k/7/7/7/7/7/K6 w", *CHECKS * 2)
    assert (game.result, game.reason, game.ply) == ("black", "perpetual-check", 8)


def test_other_repetitions_are_drawn():
    """If neither player was the sole perpetual checker, the repetition is drawn."""
    quiet = ["a1a2", "g8g7", "a2a1", "g7g8"]
    game = played("fortress", "6k/7/7/7/7/7/7/K6 w", *quiet * 2)
    assert (game.result, game.reason, game.ply) == ("draw", "repetition", 8)
    # With other reserves it is another position.
    game = played(
        "fortress", "6k/7/7/7/7/7/7/K6[P] w", *quiet, "P@d4", "g8g7", "a1a2", "g7g8", "a2a1", "g8g7"
    )
    assert game.result == "*" and max(ply.occurrence for ply in game.moves) == 2


@pytest.mark.parametrize("how", ["time forfeit", "resignation", "abandoned"])
def test_other_ends(how):
    """Games can also end by timeout, resignation, or abandonment."""
    record = GameRecord(tokens=["d2d3"], tags={"Result": "0-1", "Termination": how})
    (game,) = adjudicate([record], "fortress")
    assert (game.result, game.claimed, game.claim) == ("*", "black", "unverifiable")


def test_both_uses_of_the_reserve():
    """This engine game shows both uses of the reserve: an Advisor returns to defend its palace, then Red
    finishes with a mating Soldier drop."""
    game = played("fortress", "6k/R6/7/7/7/7/7/K2r1R1[AP] w", "A@b1", "d1d2", "P@g7")
    advisor, _, soldier = game.moves
    assert (advisor.piece, advisor.drop, advisor.defensive_drop) == ("A", True, True)
    assert (soldier.piece, soldier.drop, soldier.defensive_drop, soldier.mate) == ("P", True, False, True)
