"""Chinese chess with the jumping cannon, sentence by sentence of its rule sheet (seed 004). Each test quotes those that
it holds."""

import sys

import pytest
from sentences import goes, played, unheld

from adjudicator import Game, IllegalMove, Position, Ruleset, adjudicate
from conftest import shared
from notation.record import GameRecord

JUMP, MODERN = "jump-cannon", "jump-cannon-modern"
NOT_TESTED = {
    "Chinese chess. How Chinese chess is played. The rules. The board. The pieces. Moving and capturing. "
    "General. Advisor. Elephant. Horse. Chariot. Cannon. Soldier. The generals. Check and mate. No move. "
    "No endless repetition. In this version. The cannon must always jump. New game": "headings",
    "The pieces show the Chinese characters; the button above the board switches to letters.": "the page's drawing",
    "The machine counts material and a little position a few moves ahead.": "the page's engine",
    "It is an opponent for beginners and decent amateurs, not a master.": "the page's engine",
}


def test_every_sentence_is_held_or_listed():
    text = shared("seeds/004_417f49b9bdf227eb.txt").read_text("utf-8")
    assert unheld(text, sys.modules[__name__]) == []


# -- the board and the pieces --------------------------------------------------------------------------------


def test_the_board():
    """Nine lines across and ten lines up, and the pieces stand on the points where the lines cross."""
    rules = Ruleset.load(JUMP)
    assert (rules.files, rules.ranks) == (9, 10)


@pytest.mark.parametrize(
    "piece, point, over",
    [
        pytest.param("R", "e5", {"e6", "e7"}, id="chariot"),
        pytest.param("H", "e5", {"d7", "f7"}, id="horse"),
        pytest.param("P", "e5", {"e6"}, id="soldier"),
        pytest.param("E", "e5", set(), id="elephant"),
    ],
)
def test_the_river(piece, point, over):
    """The river runs across the middle; every piece except the elephant crosses it as if the lines went
    straight through."""
    targets = goes(JUMP, f"3k5/9/9/9/9/4{piece}4/9/9/9/5K3 w", point).split()
    assert {target for target in targets if target[1] in "67"} >= over
    assert any(int(target[1:]) > 5 for target in targets) is bool(over)


def test_the_fort():
    """At each end is a fort of three by three points, marked with diagonals."""
    rules = Ruleset.load(JUMP)
    assert {rules.point_name(point) for point in rules.palace} == {
        f"{f}{r}" for f in "def" for r in (1, 2, 3)
    }


def test_sixteen_pieces():
    """Each player has sixteen: a general (G), two advisors (A), two elephants (E), two horses (H), two chariots
    (R), two cannons (C) and five soldiers (S)."""
    letters = [Position(None, JUMP).piece_at(f"{file}{rank}") for file in "abcdefghi" for rank in (1, 3, 4)]
    counts = {letter: letters.count(letter) for letter in "KAEHRCP"}
    assert counts == {"K": 1, "A": 2, "E": 2, "H": 2, "R": 2, "C": 2, "P": 5}
    # The sheet's letters are read as well.
    sheet = "rheagaehr/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/RHEAGAEHR w"
    assert Position(sheet, JUMP).key == Position(None, JUMP).key


def test_the_back_line():
    """On the back line, from the edge in: chariot, horse, elephant, advisor, the general in the middle, then
    advisor, elephant, horse, chariot."""
    position = Position(None, JUMP)
    assert [position.piece_at(f"{file}1") for file in "abcdefghi"] == list("RHEAKAEHR")
    assert [position.piece_at(f"{file}10") for file in "abcdefghi"] == list("rheakaehr")


def test_cannons_and_soldiers():
    """The cannons stand on the third line in front of the horses, and the soldiers on the fourth line, on every
    other point."""
    position = Position(None, JUMP)
    for line, letter, files in ((3, "C", "bh"), (8, "c", "bh"), (4, "P", "acegi"), (7, "p", "acegi")):
        assert [file for file in "abcdefghi" if position.piece_at(f"{file}{line}") == letter] == list(files)


def test_red_moves_first():
    """Red always moves first."""
    assert Position(None, JUMP).side == "red"


# -- moving --------------------------------------------------------------------------------------------------


def test_one_piece_on_a_point():
    """One piece stands on each point. A piece captures by moving onto a point held by an enemy piece; capturing
    is never compulsory."""
    fen = "3k5/9/9/9/9/R1p6/9/9/P8/5K3 w"
    assert goes(JUMP, fen, "a5") == "a10 a3 a4 a6 a7 a8 a9 b5 c5"  # not a2, where its own soldier stands
    game = played(JUMP, fen, "a5c5")
    assert game.moves[0].captured == "P" and game.final_fen.startswith("3k5/9/9/9/9/2R6/")


def test_only_the_cannon_jumps():
    """No piece jumps over others except the cannon."""
    jumps = {piece.name for piece in Ruleset.load(JUMP).pieces if any(move.hop for move in piece.moves)}
    free = {
        piece.name
        for piece in Ruleset.load(JUMP).pieces
        if any(move.leap and not move.leg for move in piece.moves)
    }
    assert (jumps, free) == ({"cannon"}, set())


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("3k5/9/9/9/9/9/9/9/4K4/9 w", "e2", "e1 e3 f2", id="forward, backward, sideways"),
        pytest.param("3k5/9/9/9/9/9/9/5K3/9/9 w", "f3", "e3 f2", id="not out of the fort"),
    ],
)
def test_the_general(fen, point, targets):
    """One point straight forward, backward or sideways, and never out of the fort."""
    assert goes(JUMP, fen, point) == targets


def test_the_advisor():
    """One point diagonally, inside the fort."""
    assert goes(JUMP, "3k5/9/9/9/9/9/9/9/4A4/5K3 w", "e2") == "d1 d3 f3"
    assert goes(JUMP, "3k5/9/9/9/9/9/9/5A3/9/5K3 w", "f3") == "e2"


@pytest.mark.parametrize(
    "fen, targets",
    [
        pytest.param("3k5/9/9/9/9/9/9/4E4/9/5K3 w", "c1 c5 g1 g5", id="two points"),
        pytest.param("3k5/9/9/9/9/9/3p1P3/4E4/9/5K3 w", "c1 g1", id="the point between"),
    ],
)
def test_the_elephant(fen, targets):
    """Exactly two points diagonally. The point in between must be empty, and the elephant never crosses the
    river."""
    assert goes(JUMP, fen, "e3") == targets
    assert goes(JUMP, "3k5/9/9/9/9/2E6/9/9/9/5K3 w", "c5") == "a3 e3"


@pytest.mark.parametrize(
    "fen, targets",
    [
        pytest.param("3k5/9/9/9/9/4H4/9/9/9/5K3 w", "c4 c6 d3 d7 f3 f7 g4 g6", id="free"),
        pytest.param(
            "3k5/9/9/9/4p4/4H4/9/9/9/5K3 w", "c4 c6 d3 f3 g4 g6", id="an enemy on the straight point"
        ),
        pytest.param("3k5/9/9/9/9/3PH4/9/9/9/5K3 w", "d3 d7 f3 f7 g4 g6", id="one's own"),
    ],
)
def test_the_horse(fen, targets):
    """One point straight, then one point diagonally outwards. If a piece stands on the straight point, the
    horse cannot go that way."""
    assert goes(JUMP, fen, "e5") == targets


def test_the_chariot():
    """Any distance along a line, like the rook in chess."""
    fen = "3k5/9/4p4/9/9/2P1R4/9/9/9/5K3 w"
    assert goes(JUMP, fen, "e5") == "d5 e1 e2 e3 e4 e6 e7 e8 f5 g5 h5 i5"


@pytest.mark.parametrize(
    "rank, targets",
    [
        pytest.param("C8", "", id="nothing to jump"),
        pytest.param("CP7", "c5 d5 e5 f5 g5 h5 i5", id="its own screen"),
        pytest.param("C2p5", "e5 f5 g5 h5 i5", id="the enemy's, further off"),
        pytest.param("Cp4p2", "c5 d5 e5 f5 g5", id="takes the first piece beyond"),
        pytest.param("Cp4P2", "c5 d5 e5 f5", id="not its own"),
        pytest.param("CpP3p2", "", id="the piece beyond the screen is its own"),
        pytest.param("Cpp3p2", "c5", id="never two: it takes the second piece and goes no further"),
    ],
)
def test_the_cannon(rank, targets):
    """Along a line like the chariot, but it must always jump over exactly one piece, its own or the enemy's —
    the screen. It lands on any empty point beyond the screen, or takes the first piece beyond it. It never
    jumps two, and with nothing to jump over it cannot move."""
    assert goes(JUMP, f"3k5/9/9/9/9/{rank}/9/9/9/5K3 w", "a5") == targets


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("3k5/9/9/9/9/2P6/9/9/9/5K3 w", "c5", "c6", id="before the river"),
        pytest.param("3k5/9/9/9/2P6/9/9/9/9/5K3 w", "c6", "b6 c7 d6", id="after it"),
        pytest.param("2P2k3/9/9/9/9/9/9/9/9/4K4 w", "c10", "b10 d10", id="on the far back line"),
        pytest.param("3k5/9/9/9/9/2p6/9/9/9/5K3 b", "c5", "b5 c4 d5", id="Black's, after the river"),
    ],
)
def test_the_soldier(fen, point, targets):
    """One point forward. Once it has crossed the river it may also move one point sideways. It never moves
    backward or diagonally and is never promoted, so on the far back line it can only move sideways."""
    assert goes(JUMP, fen, point) == targets


@pytest.mark.parametrize(
    "fen, move, legal",
    [
        pytest.param("4k4/9/9/9/9/9/4P4/9/9/3K5 w", "d1e1", True, id="something stands between"),
        pytest.param("4k4/9/9/9/9/9/9/9/9/3K5 w", "d1e1", False, id="nothing does"),
        pytest.param("4k4/9/9/9/9/9/4R4/9/9/4K4 w", "e4d4", False, id="moving away the last piece"),
        pytest.param("4k4/9/9/9/4p4/9/4R4/9/9/4K4 w", "e4d4", True, id="another is still between"),
    ],
)
def test_the_generals(fen, move, legal):
    """The two generals may never face each other on the same file with nothing between them. Moving away the
    last piece between them would put your own general in check, and that is not allowed."""
    assert (move in Position(fen, JUMP).legal_moves()) is legal


# -- check, mate, no move ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen, checkers",
    [
        pytest.param("3k5/9/9/9/9/9/9/9/9/3R1K3 b", ["d1"], id="an enemy piece"),
        pytest.param("3k5/9/3p5/9/9/9/9/9/9/3C1K3 b", ["d1"], id="a cannon over a screen"),
        pytest.param("3k5/9/9/9/9/9/9/9/9/3C1K3 b", [], id="a cannon with nothing to jump"),
        pytest.param("3k5/9/9/9/9/9/9/9/9/3K5 b", ["d1"], id="the generals face each other"),
    ],
)
def test_check(fen, checkers):
    """Your general is in check when an enemy piece threatens it, or when the generals face each other."""
    assert Position(fen, JUMP).checkers() == checkers


@pytest.mark.parametrize(
    "fen, replies",
    [
        pytest.param("3k5/9/9/r8/9/9/9/9/9/r4K3 w", ["f1f2"], id="move the general"),
        pytest.param("3k5/9/9/9/9/9/9/R8/9/r4K3 w", ["a3a1", "f1f2"], id="take the attacker"),
        pytest.param("3k5/9/9/9/9/9/9/2R6/9/r4K3 w", ["c3c1", "f1f2"], id="put a piece in between"),
    ],
)
def test_out_of_check(fen, replies):
    """You must get out of check: take the attacker, move the general, or put a piece in between — and against a
    cannon you may also move the screen away."""
    assert Position(fen, JUMP).legal_moves() == replies


def test_the_screen_moves_away():
    """You must get out of check: take the attacker, move the general, or put a piece in between — and against a
    cannon you may also move the screen away."""
    targets = goes(JUMP, "4k4/9/9/9/9/4c4/9/3P5/4R4/3AKA3 w", "e2")
    assert targets == "a2 b2 c2 d2 e5 f2 g2 h2 i2"  # aside, or taking the cannon; not along the file


def test_checkmate():
    """If nothing helps, it is checkmate, and you have lost."""
    game = played(JUMP, "3k5/8R/9/9/9/9/9/9/R8/4K4 w", "a2a10")
    assert (game.result, game.reason) == ("red", "checkmate")


def test_no_move():
    """If you cannot make any move without putting your general in check, you have lost as well, even when you
    are not in check."""
    game = played(JUMP, "3k5/9/9/9/4R4/9/9/9/R8/5K3 w", "a2a9")
    assert (game.result, game.reason, game.moves[0].check) == ("red", "stalemate", False)


# -- repetition ----------------------------------------------------------------------------------------------

BARE = "3k5/9/9/9/9/9/9/9/9/5K3 w"
CYCLE = ["f1f2", "d10d9", "f2f1", "d9d10"]


def test_no_third_creation():
    """Repetition: a position you have already created twice yourself, you may not create a third time."""
    game = Game(BARE, JUMP)
    for move in CYCLE * 2:
        assert move in game.position.legal_moves()
        game.push(move)
    # Red created the position after f1f2 by plies 1 and 5; the start was created by nobody, then twice by Black.
    assert game.position.legal_moves() == ["f1e1"]
    with pytest.raises(IllegalMove, match="created"):
        game.push("f1f2")
    assert game.ruling().result == "*"
    assert "f1f2" in Position(BARE, JUMP).legal_moves()


def test_the_finding_names_both_creations():
    """Repetition: a position you have already created twice yourself, you may not create a third time."""
    record = GameRecord(fen=BARE, tokens=[*CYCLE * 2, "f1f2"])
    (game,) = adjudicate([record], JUMP)
    (finding,) = (finding for finding in game.findings if finding.severity == "error")
    assert (finding.code, finding.ply, finding.details["plies"]) == ("third-creation", 9, "1, 5")
    assert "1, 5" in finding.message() and "1, 5" in finding.message("zh")
    assert len(game.moves) == 8


def test_perpetual_check_is_limited():
    """A player may not keep bringing back the same position, for example by checking again and again."""
    checks = ["a9a10", "d10d9", "a10a9", "d9d10"]
    game = Game("3k5/R8/9/9/9/9/9/9/9/4K4 w", JUMP)
    for move in checks * 2:
        game.push(move)
    assert "a9a10" not in game.position.legal_moves()  # as after plies 1 and 5
    assert game.ruling().result == "*"


def test_a_side_whose_only_moves_are_forbidden_loses():
    """If you cannot make any move without putting your general in check, you have lost as well, even when you
    are not in check."""
    # The chariots leave Red's general but one move at a time; the third f1f2 would create a position a third time.
    game = played(JUMP, "3k5/9/4r4/9/9/9/9/r8/9/5K3 w", *CYCLE * 2)
    assert game.moves[-1].legal_replies == 0 and not game.moves[-1].check
    assert (game.result, game.reason, game.ply) == ("black", "stalemate", 8)


# -- in this version -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rank, targets",
    [
        pytest.param("C8", "b5 c5 d5 e5 f5 g5 h5 i5", id="like the chariot"),
        pytest.param("C1p3p2", "b5 g5", id="jumps only to capture"),
        pytest.param("C1P3P2", "b5", id="not its own"),
        pytest.param("C1pp5", "b5 d5", id="over exactly one"),
    ],
)
def test_the_modern_cannon(rank, targets):
    """Under modern tournament rules it moves like the chariot when it does not capture, and jumps only to
    capture; you can choose that in «New game»."""
    file_a = {f"a{number}" for number in range(1, 11)}
    found = goes(MODERN, f"3k5/9/9/9/9/{rank}/9/9/9/5K3 w", "a5").split()
    assert [target for target in found if target not in file_a] == targets.split()


@pytest.mark.parametrize(
    "fen, written, move",
    [
        pytest.param(None, "Cb3–b9", "b3b9", id="quiet"),
        pytest.param("3k3r1/9/9/9/9/9/9/9/9/5K1R1 w", "Rh1×h10†", "h1h10", id="a capture that checks"),
    ],
)
def test_the_last_move_as_written(fen, written, move):
    """The last move is written as piece, from, – or ×, to, and † for check."""
    assert Position(fen, JUMP).parse(written) == move
