"""Six Fortresses, sentence by sentence of Gary K. Gifford's page (seed 002). Each test quotes those that it holds."""

import sys

import pytest
from sentences import board, goes, played, unheld

from adjudicator import IllegalMove, InvalidFen, Position, Ruleset, adjudicate
from conftest import shared
from notation.record import GameRecord

SIX = "six-fortresses"
NOT_TESTED = {
    "Six Fortresses. SIX FORTRESSES. By Gary K. Gifford. Intro: Setup. Pieces. Rules. Notes. IMPORTANT: "
    "Be careful. (c) August 2006 by Gary K.": "headings and the author",
    "As in above diagram.": "the diagram is lost; the start position is inferred",
    "(Pending CV upload bug fix)": "of the lost diagram",
    "Preset is here: /play/pbm/play.php?game%3DSix+Fortresses%26settings%3Ddefault": "the site",
    "You use them like mini-1-move Queens.": "a comparison",
    "To be added later, should questions arise.": "nothing was added",
    "Six Fortresses (c) August 2006 by Gary K.": "the author",
}


def test_every_sentence_is_held_or_listed():
    text = shared("seeds/002_910bb0c178f1ad84.txt").read_text("utf-8")
    assert unheld(text, sys.modules[__name__]) == []


# -- the board and the set-up --------------------------------------------------------------------------------


def test_the_board():
    """Six Fortresses is played on a 9x9 checkered board."""
    rules = Ruleset.load(SIX)
    assert (rules.files, rules.ranks) == (9, 9)


def test_three_fortresses_a_side():
    """Each side has three fortresses to protect."""
    start = Position(None, SIX)
    assert [point for point in ("b1", "e1", "h1") if start.piece_at(point) == "X"] == ["b1", "e1", "h1"]
    assert [point for point in ("b9", "e9", "h9") if start.piece_at(point) == "x"] == ["b9", "e9", "h9"]


@pytest.mark.parametrize(
    "letter, number",
    [("P", 9), ("R", 2), ("N", 2), ("B", 2), ("Q", 2), ("W", 2), ("F", 2), ("I", 1), ("X", 3), ("K", 0)],
)
def test_the_quantities(letter, number):
    """At the start of the game there are these pieces in the quantities shown are visible for each side:
    Knights – 2 Bishops – 2 Queens – 2"""
    placement = board(Position(None, SIX).fen())
    assert (placement.count(letter), placement.count(letter.lower())) == (number, number)


def test_the_set_up_is_inferred():
    """At the start of the game there are these pieces in the quantities shown are visible for each side:"""
    assert [name for name in Ruleset.ids() if Ruleset.load(name).inferred] == [SIX]
    # A record's own FEN wins.
    fen = "xwfx1fwx1/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/XWFX1FWX1 w - - 0 1"
    (game,) = adjudicate([GameRecord(fen=fen, tokens=["e3e4"])], SIX)
    assert game.start_fen == fen and len(game.moves) == 1


def test_relocation():
    """At the start of the game, Wazirs and Ferz can be relocated to any non-fortress space on the player's own
    first rank. This does not count as a turn. At start of game, Wazirs and Ferz can be relocated to nay
    non-fortress space on the first rank. Wazirs and Ferz may be repositioned prior to starting the game. They
    can be relocated to any non-fortress space on the player's own first rank."""
    # A relocated set-up is a start position: both sides' pieces stand anew, and White moves first.
    fen = "fxw1xwfx1/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/WX1FXWFX1 w - - 0 1"
    (game,) = adjudicate([GameRecord(fen=fen, tokens=["e3e4"])], SIX)
    assert game.start_fen == fen and not game.findings
    assert (game.moves[0].ply, game.moves[0].side) == (1, "red")


def test_no_two_on_a_square():
    """But you cannot put two pieces on the same square."""
    # A FEN has one letter for a square; a rank with a piece too many is refused.
    with pytest.raises(InvalidFen):
        Position("1xfwxwfx1/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/WXFFXWWFX1 w", SIX)


# -- the pieces ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param(None, "e3", "e4", id="no double step"),
        pytest.param("x8/9/9/9/3ppp3/4P4/9/9/X8 w", "e4", "d5 f5", id="takes diagonally, is blocked ahead"),
        pytest.param("x8/9/9/9/3PpP3/4P4/9/9/X8 w", "e4", "", id="not its own"),
        pytest.param("x8/9/9/9/9/4p4/9/9/X8 b", "e4", "e3", id="Black's goes down"),
        pytest.param("x8/9/9/3Pp4/9/9/9/9/X8 w", "d6", "d7", id="no capture in passing"),
    ],
)
def test_pawns(fen, point, targets):
    """Pawns – 9 Move as chess pawns; except no initial 2-step move."""
    assert goes(SIX, fen, point) == targets


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("x8/4P4/9/9/9/9/9/9/X8 w", "e8", "e9b e9n e9q e9r", id="stepping"),
        pytest.param("x2n5/4P4/9/9/9/9/9/9/X8 w", "e8", "d9b d9n d9q d9r e9b e9n e9q e9r", id="taking"),
        pytest.param("x8/9/4P4/9/9/9/9/9/X8 w", "e7", "e8", id="not before"),
        pytest.param("x8/9/9/9/9/9/9/4p4/X8 b", "e2", "e1b e1n e1q e1r", id="Black's"),
    ],
)
def test_promotion(fen, point, targets):
    """Promote on the last rank to R, N, B, or Q."""
    assert goes(SIX, fen, point) == targets


def test_rooks():
    """Rooks – 2 no castling"""
    fen = "x8/9/4p4/9/9/2P1R4/9/9/X8 w"
    assert goes(SIX, fen, "e4") == "d4 e1 e2 e3 e5 e6 e7 f4 g4 h4 i4"
    # King and rook on the first rank with nothing between: the King steps, and no more.
    assert goes(SIX, "x8/9/9/9/9/9/9/9/4K3R w", "e1") == "d1 d2 e2 f1 f2"


def test_knights():
    """Knights – 2"""
    assert goes(SIX, "x8/9/9/3PPP3/3PNP3/3PPP3/9/9/X8 w", "e5") == "c4 c6 d3 d7 f3 f7 g4 g6"


def test_bishops():
    """Bishops – 2"""
    assert goes(SIX, "x8/9/1p7/9/3B5/9/1P7/9/X8 w", "d5") == "b7 c4 c6 e4 e6 f3 f7 g2 g8 h1 h9"


def test_queens():
    """Queens – 2"""
    fen = "x8/9/9/9/9/2p6/9/P7P/Q1P5X w"
    assert goes(SIX, fen, "a1") == "b1 b2 c3 d4 e5 f6 g7 h8 i9"


@pytest.mark.parametrize(
    "letter, targets",
    [
        pytest.param("W", "d5 e4 e6 f5", id="Wazir -2:  Orthoganally, 1 Step."),
        pytest.param("F", "d4 d6 f4 f6", id="Ferz-2: Diagonally, 1 step."),
        pytest.param("I", "d4 d5 d6 e4 e6 f4 f5 f6", id="King's Imposter – 1  Moves like a King."),
        pytest.param("X", "", id="Fortresses CAN NOT MOVE."),
    ],
)
def test_the_short_steppers(letter, targets):
    """Wazir -2: Orthoganally, 1 Step. Ferz-2: Diagonally, 1 step. King's Imposter – 1 Moves like a King. No
    castling. Fortresses CAN NOT MOVE."""
    assert goes(SIX, f"x8/9/9/9/4{letter}4/9/9/9/X8 w", "e5") == targets


def test_the_imposter_is_not_royal():
    """Check and Checkmate do not apply to the Imposter."""
    game = played(SIX, "x3i4/9/9/9/9/9/9/9/X3R4 w", "e1e9")
    assert (game.moves[0].captured, game.result) == ("I", "*")
    position = Position("x3i4/9/9/9/9/9/9/9/X3R4 b", SIX)
    assert not position.is_check() and "e9e8" in position.legal_moves()


def test_a_fortress_does_not_attack():
    """Fortresses - 3 These each include additional pieces as described in the rules."""
    position = Position("4k4/4X4/9/9/9/9/9/9/4X4 b", SIX)
    assert not position.is_check() and "e9e8" in position.legal_moves()
    position.push("e9e8")
    assert position.reserves() == {"red": {"I": 1}, "black": {"R": 1, "N": 1}}


# -- captures and what they pay ------------------------------------------------------------------------------


def test_ordinary_captures_leave_the_game():
    """When pieces are captured they are removed from the game as in regular Fide chess."""
    for kind in "pnbrqwfi":
        game = played(SIX, f"x8/9/4{kind}4/9/9/9/9/9/X3R4 w", "e1e7")
        assert board(game.final_fen) == "x8/9/4R4/9/9/9/9/9/X8"


@pytest.mark.parametrize(
    "fen, white, black",
    [
        pytest.param("x3x2x1/9/9/9/9/9/9/9/R1X1X2X1 w", {"B": 1, "N": 1}, {"I": 1}, id="first"),
        pytest.param("x3x4/9/9/9/9/9/9/9/R1X1X2X1 w", {"N": 1, "R": 1}, {"I": 1}, id="second"),
        pytest.param("x8/9/9/9/9/9/9/9/R1X1X2X1 w", {"N": 1, "Q": 1}, {"K": 1}, id="third"),
    ],
)
def test_the_three_pay_outs(fen, white, black):
    """When a captured Fortress is removed from the board, you get pieces that you can drop (as in Shogi) and
    your opponent gets a King's Imposter to drop (or real King if it was his last remaining Fortress). When the
    first enemy Fortress is captured you get a Bishop and Knight of your color to drop as in Shogi, on your
    following turn or after. Your opponent gets a King's Imposter to drop. When the second enemy Fortress is
    captured you get a Knight and Rook to drop. Your opponent gets a King's Imposter. When the third enemy
    Fortress is captured you get a Knight and Queen to drop. Your opponent gets his real King which he must
    place on the board."""
    position = Position(fen, SIX)
    position.push("a1a9")
    assert position.reserves() == {"red": white, "black": black}


def test_black_is_paid_alike():
    """When the first enemy Fortress is captured you get a Bishop and Knight of your color to drop as in Shogi,
    on your following turn or after."""
    position = Position("r1x1x2x1/9/9/9/9/9/9/9/X3X2X1 b", SIX)
    position.push("a9a1")
    assert position.reserves() == {"red": {"I": 1}, "black": {"B": 1, "N": 1}}
    assert not any("@" in move and move[0] not in "I" for move in position.legal_moves())


def test_drops_wait_as_long_as_wanted():
    """When the first enemy Fortress is captured you get a Bishop and Knight of your color to drop as in Shogi,
    on your following turn or after."""
    waiting = played(
        SIX, "x3x2x1/9/9/9/9/9/9/9/R1X1X2X1 w", "a1a9", "I@e5", "a9a8", "e5e6", "a8a7", "e6e7", "B@b5"
    )
    assert waiting.moves[-1].move == "B@b5" and waiting.moves[-1].reserves == "[N]"


def test_one_item_a_turn():
    """You can only drop one item per turn."""
    position = Position("x8/9/9/9/9/9/9/9/X8[BN] w", SIX)
    position.push("B@e5")
    assert position.side == "black" and position.reserves()["red"] == {"N": 1}
    assert "B@e6" not in position.legal_moves()


def test_bishops_of_one_colour():
    """You can have more than 1 Bishop on the same color diagonal."""
    fen = "x8/9/9/9/4B4/9/9/9/X8[B] w"
    assert len(goes(SIX, fen, "B@").split()) == 81 - 3
    assert {"d4", "f6"} <= set(goes(SIX, fen, "B@").split())  # on e5's own diagonal


@pytest.mark.parametrize(
    "fen, point, allowed",
    [
        pytest.param("4x4/9/9/9/9/9/9/9/4X4[I] w", "d8", False, id="a diagonal neighbour"),
        pytest.param("4x4/9/9/9/9/9/9/9/4X4[I] w", "e8", False, id="an orthogonal one"),
        pytest.param("4x4/9/9/9/9/9/9/9/4X4[I] w", "e7", True, id="one space between"),
        pytest.param("4x4/9/9/9/9/9/9/9/4X4[I] w", "c9", True, id="one space aside"),
        pytest.param("4x4/9/9/9/9/9/9/9/4X4[I] w", "e2", True, id="beside its own fortress"),
        pytest.param("4x4/9/9/9/9/9/9/9/4X4[i] b", "d1", False, id="Black's"),
        pytest.param("x8/9/9/9/9/9/9/9/4X4[I] w", "i1", True, id="no edge is a neighbour of the other"),
        pytest.param("8x/9/9/9/9/9/9/9/4X4[I] w", "a8", True, id="nor the next rank's end"),
    ],
)
def test_where_an_imposter_may_be_dropped(fen, point, allowed):
    """When dropped, they cannot be dropped next to an enemy fortress. IMPOSTER KINGS CANNOT BE DROPPED ADJACENT
    TO AN ENEMY FORTRESS. THERE MUST BE AT LEAST 1 SPACE BETWEEN AN IMPOSTER KING AND AN ENEMY FORTRESS
    IMMEDIATELY FOLLOWING AN IMPOSTER KING DROP."""
    assert (point in goes(SIX, fen, "I@").split()) is allowed
    # Walking up to one is allowed: the rule speaks of the drop alone.
    assert "e8" in goes(SIX, "4x4/9/4I4/9/9/9/9/9/4X4 w", "e7").split()


def test_the_finding_of_such_a_drop():
    """When dropped, they cannot be dropped next to an enemy fortress."""
    (game,) = adjudicate([GameRecord(fen="4x4/9/9/9/9/9/9/9/4X4[I] w", tokens=["I@d8"])], SIX)
    assert [finding.code for finding in game.findings] == ["drop-beside-fortress"]


def test_a_released_imposter_may_mate():
    """If your King is on the board, before capturing a fortress check to see that your opponent won't be able
    to drop his released King's Imposter to deliver checkmate to your real King."""
    # The rook on i2 keeps White's King on its rank and guards the Imposter that comes to b2.
    game = played(SIX, "R3x2x1/9/9/9/9/9/9/8r/K8 w", "a9e9", "I@b2")
    assert game.moves[0].captured == "X"
    assert game.moves[1].drop and game.moves[1].mate
    assert (game.result, game.reason) == ("black", "checkmate")


# -- the King ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fortresses", ["x3x2x1", "x8"])
def test_no_mate_while_a_fortress_stands(fortresses):
    """The last of your fortresses captured holds your King. Therefore, as long as you have 1 fortress remaining
    you cannot be checkmated."""
    position = Position(f"{fortresses}/RRRRRRRRR/9/9/9/9/9/9/4X4 b", SIX)
    assert not position.is_check()
    game = played(SIX, f"{fortresses}/RRRRRRRRR/RRRRRRRRR/9/9/9/9/9/Q3X4 w", "a1a2")
    assert game.result == "*" and not (game.moves[0].mate or game.moves[0].stalemate)


def test_the_king_must_be_placed():
    """That placement counts as his turn."""
    fen = "x7n/9/9/9/9/9/9/9/R7X w"
    position = Position(fen, SIX)
    position.push("a1a9")
    replies = position.legal_moves()
    assert all(move.startswith("K@") for move in replies)
    with pytest.raises(IllegalMove, match="must be placed first"):
        position.push("i9g8")
    attacked = {f"a{rank}" for rank in range(1, 9)} | {f"{file}9" for file in "bcdefgh"}
    assert {move[2:] for move in replies} == (
        {f"{file}{rank}" for file in "abcdefghi" for rank in range(1, 10)} - attacked - {"a9", "i9", "i1"}
    )
    position.push("K@e5")
    assert position.side == "red" and position.reserves() == {"red": {"N": 1, "Q": 1}, "black": {}}


def test_a_king_without_a_place_is_mated():
    """Your opponent gets his real King which he must place on the board."""
    # Ranks of rooks look up and down at every empty square.
    fen = "xRRRRRRRR/R8/RRRRRRRRR/9/RRRRRRRRR/9/RRRRRRRRR/9/RRRRRRRRX w"
    game = played(SIX, fen, "a8a9")
    assert game.moves[0].mate and (game.result, game.reason) == ("red", "checkmate")


def test_the_end():
    """Play proceeds until a King is checkmated, stalemated, or a draw is agreed."""
    mate = played(SIX, "4k4/R8/9/9/9/9/9/9/1R2X4 w", "b1b9")
    assert (mate.result, mate.reason) == ("red", "checkmate")
    stuck = played(SIX, "k8/9/2Q6/9/9/9/9/9/4X4 w", "c7b7")
    assert (stuck.result, stuck.reason, stuck.moves[0].stalemate) == ("draw", "stalemate", True)
    shuffle = ["b2c4", "b8c6", "c4b2", "c6b8"] * 3
    endless = played(SIX, None, *shuffle)
    assert endless.result == "*" and endless.moves[-1].occurrence == 4
    (agreed,) = adjudicate([GameRecord(tokens=shuffle[:3], tags={"Result": "1/2-1/2"})], SIX)
    assert (agreed.claimed, agreed.claim) == ("draw", "unverifiable")


def test_a_drop_may_mate_a_king():
    """Play proceeds until a King is checkmated, stalemated, or a draw is agreed."""
    game = played(SIX, "4k4/R8/9/9/9/9/9/9/4X4[R] w", "R@a9")
    assert game.moves[0].drop and game.moves[0].mate
