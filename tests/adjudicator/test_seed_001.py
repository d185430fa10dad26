"""Atomic xiangqi, sentence by sentence of its rules page (seed 001). Each test quotes the sentences that it holds."""

import sys

import pytest
from sentences import board, goes, played, unheld

from adjudicator import Position, Ruleset, adjudicate
from conftest import shared
from notation.record import GameRecord

NOT_TESTED = {
    "The explosion": "a heading",
    "What goes. What stays. Your general. Their general.": "headings of paragraphs",
    "The cannon shot is the one exception": "a heading",
    "This is the one change from a straight port, and it is there because the straight port has a draw by"
    " repetition that can start on move three and that the defender can never refuse.": "history of the rule",
    "The only defence is to block with a cannon, and with cannons exploding, the block is also a shot "
    "back over the chariot at the attacker's own advisor, so the chariot has to move to the other advisor"
    " file, the cannon follows, and the position repeats.": "of a rule that is not in force",
    "In engine games a side that had lost a chariot could hold the draw this way against a far stronger "
    "opponent.": "history of the rule",
    "The cannon becomes a piece you trade and block with rather than the piece that clears a rank, and "
    "everything else about the explosion stays as it is.": "strategy",
    "The advisors beside each general are the points the game turns on.": "strategy",
    "A threat to blow up the general is check": "a heading",
    "How games end": "a heading",
    "A sample game": "a heading",
    "One of the engine games behind this page: Fairy-Stockfish at ten million nodes as Red against itself"
    " at one million.": "where the game comes from",
    "Where to next": "a heading",
    "Play it against the engine at any of eight strengths, or against a friend with an invite link.": "the site",
    "The launch note is what decides a first game; the design post has the measurements behind the cannon"
    " rule; the study has all twelve engine games, with every explosion marked and a note on the move "
    "that decided each.": "the site",
}


def test_every_sentence_is_held_or_listed():
    text = shared("seeds/001_41cf0d59c18c4741.txt").read_text("utf-8")
    assert unheld(text, sys.modules[__name__]) == []


def after(fen: str, move: str) -> tuple[str, list[str]]:
    """The board after a capture, and the points that it cleared with what stood there."""
    game = played("atomic", fen, move)
    return board(game.final_fen), game.moves[0].explosion


# -- the explosion -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen, move, left, cleared",
    [
        pytest.param(
            "3k5/9/9/4b4/R2hcn3/4n4/9/9/9/5K3 w",
            "a6d6",
            "3k5/9/9/4b4/5n3/4n4/9/9/9/5K3",
            ["d6=h", "e6=c"],
            id="the capturer, the target and a neighbour",
        ),
        pytest.param(
            "3k5/9/9/4c4/3rhb3/4R4/9/9/9/5K3 w",
            "e5e6",
            "3k5/9/9/9/9/9/9/9/9/5K3",
            ["d6=r", "e6=h", "f6=e", "e7=c"],
            id="all neighbours",
        ),
        pytest.param(
            "3k5/9/9/4C4/3Rh1r2/4R4/9/9/9/5K3 w",
            "e5e6",
            "3k5/9/9/9/6r2/9/9/9/9/5K3",
            ["d6=R", "e6=h", "e7=C"],
            id="whichever side they belong to",
        ),
        pytest.param(
            "3k5/9/9/9/9/9/9/9/R8/r3K4 w",
            "a2a1",
            "3k5/9/9/9/9/9/9/9/9/4K4",
            ["a1=r"],
            id="in a corner",
        ),
    ],
)
def test_what_goes(fen, move, left, cleared):
    """The capturing piece, the captured piece, and every piece on the four points orthogonally next to the
    capture point, whichever side they belong to."""
    assert after(fen, move) == (left, cleared)


def test_diagonal_neighbours_stay():
    """Diagonal neighbours."""
    left, cleared = after("3k5/9/9/3c1r3/4h4/3n1R3/9/9/4R4/5K3 w", "e2e6")
    assert (left, cleared) == ("3k5/9/9/3c1r3/9/3n1R3/9/9/9/5K3", ["e6=h"])


@pytest.mark.parametrize(
    "fen, move, left, cleared",
    [
        pytest.param(
            "3k5/9/9/4p4/3prP3/9/9/4R4/9/5K3 w",
            "e3e6",
            "3k5/9/9/4p4/3p1P3/9/9/9/9/5K3",
            ["e6=r"],
            id="beside the blast they stay, of either side",
        ),
        pytest.param(
            "3k5/9/9/9/3cp4/9/9/4R4/9/5K3 w",
            "e3e6",
            "3k5/9/9/9/9/9/9/9/9/5K3",
            ["d6=c", "e6=p"],
            id="captured itself it goes, and its neighbour too",
        ),
        pytest.param(
            "3k5/9/9/3Pc4/4r4/9/9/9/9/5K3 w",
            "d7e7",
            "3k5/9/9/9/9/9/9/9/9/5K3",
            ["e6=r", "e7=c"],
            id="a soldier that captures explodes",
        ),
        pytest.param(
            "3k5/9/9/3Pp4/4p4/9/9/9/9/5K3 w",
            "d7e7",
            "3k5/9/9/9/4p4/9/9/9/9/5K3",
            ["e7=p"],
            id="soldier takes soldier beside a soldier",
        ),
    ],
)
def test_soldiers(fen, move, left, cleared):
    """Soldiers: an explosion never removes a soldier, so a soldier leaves the board only by being captured
    itself, though a soldier that captures explodes like anything else."""
    assert after(fen, move) == (left, cleared)


@pytest.mark.parametrize(
    "fen, move, legal",
    [
        pytest.param("3k5/9/9/9/9/9/9/9/R3n4/4K4 w", "a2e2", False, id="the point before the general"),
        pytest.param("3k5/9/9/9/9/9/9/9/9/R2nK4 w", "a1d1", False, id="the point at its side"),
        pytest.param("3k5/9/9/9/9/9/9/R3n4/9/4K4 w", "a3e3", True, id="two points away"),
        pytest.param("3k5/9/9/9/9/9/9/9/R2n5/4K4 w", "a2d2", True, id="diagonally next to it"),
        pytest.param("3k5/9/9/9/9/9/9/C2Pn4/9/4K4 w", "a3e3", True, id="a cannon's shot has no blast"),
        pytest.param("3k5/9/9/9/9/9/9/9/C2Pn4/4K4 w", "a2e2", True, id="not even beside the general"),
    ],
)
def test_your_general(fen, move, legal):
    """You cannot capture next to your own general; the blast would take it."""
    assert (move in Position(fen, "atomic").legal_moves()) is legal


def test_a_general_never_captures():
    """So a general never captures."""
    assert goes("atomic", "3k5/9/9/9/9/9/9/9/4p4/3pKp3 w", "e1") == ""
    assert goes("xiangqi", "3k5/9/9/9/9/9/9/9/4p4/3pKp3 w", "e1") == "e2 f1"
    assert goes("atomic", "3k5/9/9/9/9/9/9/9/9/4K4 w", "e1") == "e2 f1"


@pytest.mark.parametrize(
    "fen, move, won",
    [
        pytest.param("3ak4/9/9/9/9/9/9/9/9/3R1K3 w", "d1d10", True, id="the advisor beside it"),
        pytest.param("4k4/4p4/9/4R4/9/9/9/9/9/5K3 w", "e7e9", True, id="a soldier before it"),
        pytest.param("4k4/3a5/9/9/9/9/9/9/9/3R1K3 w", "d1d9", False, id="diagonally next to it"),
        pytest.param("4k4/9/4a4/9/9/9/9/9/4R4/5K3 w", "e2e8", False, id="two points away"),
        pytest.param("3ak4/9/9/9/9/9/9/3P5/9/3C1K3 w", "d1d10", False, id="a cannon's shot"),
    ],
)
def test_their_general(fen, move, won):
    """A capture next to the enemy general wins on the spot."""
    game = played("atomic", fen, move)
    assert game.moves[0].lethal is won
    assert ((game.result, game.reason) == ("red", "general-gone")) is won


def test_a_win_outranks_ones_own_check():
    """A capture next to the enemy general wins on the spot."""
    in_check = "3ak4/9/3R5/9/9/9/4P4/9/5R3/3rKn3 w"
    position = Position(in_check, "atomic")
    assert position.is_check() and "d8d10" in position.legal_moves()
    assert "f2f1" not in position.legal_moves()  # beside one's own general
    assert played("atomic", in_check, "d8d10").reason == "general-gone"


# -- the cannon shot -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen, move, left, cleared",
    [
        pytest.param(
            "3k5/9/9/4c4/3rhn3/4n4/9/4C4/9/5K3 w",
            "e3e6",
            "3k5/9/9/4c4/3r1n3/4n4/9/9/9/5K3",
            ["e6=h"],
            id="neither the screen beside the target nor the others",
        ),
        pytest.param(
            "3k5/9/9/9/4h4/9/4P4/9/4C4/5K3 w",
            "e2e6",
            "3k5/9/9/9/9/9/4P4/9/9/5K3",
            ["e6=h"],
            id="one's own screen stays",
        ),
    ],
)
def test_the_cannon_shot(fen, move, left, cleared):
    """A cannon's capture does not explode. It removes only the cannon and its target: nothing beside the target
    is touched, and neither is the screen the cannon fired over."""
    assert after(fen, move) == (left, cleared)


def test_contact_explodes_range_does_not():
    """The shot is at range; the explosion is on contact."""
    kinds = {piece.letter for piece in Ruleset.load("atomic").pieces}
    for letter, fen in {
        "R": "3k5/9/9/9/3ch4/4R4/9/9/9/5K3 w",
        "H": "3k5/9/9/9/3ch4/9/3H5/9/9/5K3 w",
        "P": "3k5/9/9/9/3ch4/4P4/9/9/9/5K3 w",
    }.items():
        (move,) = [move for move in Position(fen, "atomic").legal_moves() if move.endswith("e6")]
        assert after(fen, move)[1] == ["d6=c", "e6=h"] and letter in kinds


# Seed 001's own example: a chariot bears on one advisor, a cannon blocks, the chariot hops to the other advisor's file.
HOP = "4k4/5r3/9/9/9/9/4P4/3C5/9/3AKA3 w"


def test_a_chariot_on_the_advisors_file_threatens():
    """A chariot on the file of an advisor threatens to blow up the general."""
    game = played("atomic", HOP, "d3b3", "f9d9")
    assert (game.moves[1].check, game.moves[1].wide_check) == (False, True)


def test_the_hop_that_remains_loses():
    """A quiet shot leaves the block standing but harmless, and the check rule below makes the hop that remains
    a loss for the side making it."""
    hops = ["d3f3", "f9d9", "f3d3", "d9f9"] * 2
    game = played("atomic", HOP, *hops)
    assert [ply.wide_check for ply in game.moves] == [False, True] * 4
    assert not any(ply.check for ply in game.moves)
    assert (game.result, game.reason, game.ply) == ("red", "perpetual-check", 8)


# -- check ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen, move, legal",
    [
        pytest.param("3k5/9/9/9/4r4/9/9/9/4N4/4K4 w", "e2c3", False, id="a chariot would attack it"),
        pytest.param("4k4/9/9/9/9/9/9/9/4N4/4K4 w", "e2c3", False, id="the generals would face"),
        pytest.param(
            "4k4/9/9/9/9/9/R3n4/9/9/4K4 w",
            "a4e4",
            False,
            id="the blast takes what stood between the generals",
        ),
        pytest.param(
            "3k5/9/9/4r4/9/R2nN4/9/9/9/4K4 w", "a5d5", False, id="the blast opens a line onto the general"
        ),
        pytest.param("3k5/9/9/4r4/9/R2nP4/9/9/9/4K4 w", "a5d5", True, id="a soldier still stands there"),
        pytest.param("3k5/9/9/9/9/R2nr4/9/9/9/4K4 w", "a5d5", True, id="the blast takes the attacker"),
        pytest.param("3k5/9/9/9/4r4/9/9/9/9/4K4 w", "e1e2", False, id="it stays in check"),
        pytest.param("3ak4/9/9/9/9/9/9/9/8r/3R1K3 b", "i2i3", True, id="wide check alone does not bind"),
    ],
)
def test_the_general_as_in_xiangqi(fen, move, legal):
    """Xiangqi's rules about the general stand. A move may not leave your general where a piece attacks it, and
    the two generals may not face each other down an open file."""
    assert (move in Position(fen, "atomic").legal_moves()) is legal


def test_checkmate_wins():
    """Checkmate wins."""
    game = played("atomic", "3k5/8R/9/9/9/9/9/9/R8/4K4 w", "a2a10")
    assert (game.result, game.reason) == ("red", "checkmate")


def test_no_legal_move_loses():
    """A player with no legal move loses."""
    game = played("atomic", "3k5/9/9/9/4R4/9/9/9/R8/5K3 w", "a2a9")
    assert (game.result, game.reason, game.moves[0].check) == ("red", "stalemate", False)


@pytest.mark.parametrize(
    "fen, direct, wide",
    [
        pytest.param("4k4/9/9/9/4R4/9/9/9/9/3K5 b", True, True, id="a piece attacks the general"),
        pytest.param("3ak4/9/9/9/9/9/9/9/9/3R1K3 b", False, True, id="and one the piece beside it"),
        pytest.param("4k4/4p4/9/4R4/9/9/9/9/9/5K3 b", False, True, id="a soldier beside it will do"),
        pytest.param("4k4/3a5/9/9/9/9/9/9/9/3R1K3 b", False, False, id="diagonally beside: no"),
        pytest.param("3ak4/3P5/9/9/9/9/9/9/9/3R1K3 b", False, True, id="a soldier that attacks the advisor"),
        pytest.param("3ak4/3N5/9/9/9/9/9/9/9/3R1K3 b", False, False, id="the way to the advisor is blocked"),
        pytest.param("3ak4/9/9/9/9/9/9/3P5/9/3C1K3 b", False, False, id="a cannon's shot takes no neighbour"),
        pytest.param("3Rk4/9/9/9/9/9/9/9/9/3R1K3 b", True, True, id="the attacker's own piece is no target"),
        pytest.param("4kN3/9/9/9/9/9/9/9/9/3K1R3 b", False, False, id="guarded by the attacker or not"),
    ],
)
def test_wide_check(fen, direct, wide):
    """One thing is wider than in xiangqi. Your general is in check whenever the opponent could remove it with
    their next move, and under these rules that includes taking the piece beside it."""
    position = Position(fen, "atomic")
    assert (position.is_check(), position.is_wide_check()) == (direct, wide)


def test_a_pinned_piece_threatens_all_the_same():
    """Your general is in check whenever the opponent could remove it with their next move, and under these
    rules that includes taking the piece beside it."""
    # The chariot on e8 shields its general from e10; blowing up the other one outranks that.
    assert Position("4r4/3k5/3aR4/9/9/9/9/9/9/4K4 b", "atomic").is_wide_check()


def test_bearing_on_the_advisor():
    """A chariot bearing on your advisor is bearing on your general."""
    position = Position("3aka3/9/9/9/9/9/9/9/9/3K3R1 w", "atomic")
    position.push("h1h10")
    assert position.is_wide_check() and not position.is_check()
    position = Position("3aka3/9/9/9/9/9/9/9/9/3K3R1 w", "xiangqi")
    position.push("h1h10")
    assert not position.is_wide_check()


def test_wide_checks_count_for_repetition():
    """The board shows this as check, and it matters for the repetition rule below: a player who gives this kind
    of check on every move of a repeated cycle loses, as a player giving ordinary perpetual check does under
    xiangqi's tournament rules."""
    hops = ["d3f3", "f9d9", "f3d3", "d9f9"] * 2
    assert played("atomic", HOP, *hops).result == "red"
    assert played("xiangqi", HOP, *hops).result == "draw"


# -- how games end -------------------------------------------------------------------------------------------


def test_the_four_ways_to_win():
    """You win by blowing up the enemy general, by checkmate, by leaving the opponent with no legal move, or
    when the opponent gives perpetual check in the wide sense above."""
    blown = played("atomic", "3ak4/9/9/9/9/9/9/9/9/3R1K3 w", "d1d10")
    mated = played("atomic", "3k5/8R/9/9/9/9/9/9/R8/4K4 w", "a2a10")
    stuck = played("atomic", "3k5/9/9/9/4R4/9/9/9/R8/5K3 w", "a2a9")
    chased = played("atomic", HOP, *["d3f3", "f9d9", "f3d3", "d9f9"] * 2)
    games = [blown, mated, stuck, chased]
    assert [game.result for game in games] == ["red"] * 4
    assert [game.reason for game in games] == ["general-gone", "checkmate", "stalemate", "perpetual-check"]


@pytest.mark.parametrize("how", ["time forfeit", "resignation", "abandoned"])
def test_other_ends(how):
    """Games also end by timeout, resignation, or abandonment, the same as any other game here."""
    record = GameRecord(tokens=["h3e3"], tags={"Result": "0-1", "Termination": how})
    (game,) = adjudicate([record], "atomic")
    assert (game.result, game.claimed, game.claim) == ("*", "black", "unverifiable")


@pytest.mark.parametrize("clock, result", [(58, "*"), (59, "draw")])
def test_sixty_plies(clock, result):
    """Two rules draw. Sixty consecutive plies without a capture is a draw, the same limit as xiangqi here."""
    for rules in ("atomic", "xiangqi-60"):
        game = played(rules, f"3k5/9/9/9/9/9/9/9/R8/5K3 w - - {clock} 40", "a2b2")
        assert game.result == result
        assert game.reason == ("no-capture" if result == "draw" else None)


QUIET = ["a2a3", "d10d9", "a3a2", "d9d10"]
CHECKS = ["a9a10", "d10d9", "a10a9", "d9d10"]


def test_the_third_occurrence():
    """The third occurrence of the same position is a draw, unless one side gave check on every move of the
    repeated cycle: then that side loses, where plain xiangqi on Mistboard would call it a draw."""
    quiet = "3k5/9/9/9/9/9/9/9/R8/5K3 w"
    assert played("atomic", quiet, *QUIET, *QUIET[:3]).result == "*"
    game = played("atomic", quiet, *QUIET * 2)
    assert (game.result, game.reason, game.ply) == ("draw", "repetition", 8)
    checks = "3k5/R8/9/9/9/9/9/9/9/4K4 w"
    game = played("atomic", checks, *CHECKS * 2)
    assert (game.result, game.reason) == ("black", "perpetual-check")
    game = played("xiangqi-60", checks, *CHECKS * 2)
    assert (game.result, game.reason) == ("draw", "repetition")
    one_quiet_move = [*CHECKS, "a9a8", "d10d9", "a8a9", "d9d10"]
    game = played("atomic", checks, *one_quiet_move)
    assert (game.result, game.reason, game.ply) == ("draw", "repetition", 8)


def test_both_sides_check():
    """If both sides did, it is a draw."""
    cannons = ["e6d6", "d4e4", "d6e6", "e4d4"]
    game = played("atomic", "3r5/4k4/9/9/4c4/9/3R5/3K5/4C4/9 b", *cannons * 2)
    assert all(ply.wide_check for ply in game.moves)
    assert (game.result, game.reason, game.ply) == ("draw", "mutual-perpetual-check", 8)


# -- the sample game -----------------------------------------------------------------------------------------

SAMPLE = [
    "b1a3",
    "b8b6",
    "a4a5",
    "i10i8",
    "h3h5",
    "h8d8",
    "a3b5",
    "d10e9",
    "h1g3",
    "b10c8",
    "f1e2",
    "i8f8",
    "h5f5",
    "f8h8",
    "i1h1",
    "c7c6",
    "b5d6",
    "c8d6",
    "h1h7",
    "h8h7",
    "a5a6",
    "b6b5",
    "f5d5",
    "h10g8",
    "g4g5",
    "d8d7",
    "a6b6",
    "e9d8",
    "b6b7",
    "e7e6",
    "d5f5",
    "g7g6",
    "f5f7",
    "a10a9",
    "b7c7",
    "d7d2",
    "f7f9",
    "c10a8",
    "c7c8",
    "g8e7",
    "c8c9",
    "e7f9",
    "g5g6",
    "g10e8",
    "e1f1",
    "i7i6",
    "g3f5",
    "a9a10",
    "f5h6",
    "b5f5",
    "a1a3",
    "f5f8",
    "b3d3",
    "a10a9",
    "c9d9",
    "a9d9",
    "a3b3",
    "f8f9",
    "h6i8",
    "f9b9",
    "i8g9",
    "e10d10",
    "b3b8",
    "e6e5",
    "d3d9",
    "d2d8",
    "b8c8",
    "b9c9",
    "g9e10",
    "e5f5",
    "d9f9",
    "a7a6",
    "f9f10",
    "d10d9",
    "c8d8",
]
"""The study's "Win 3"."""


def test_the_horse_blows_up_its_own_advisor():
    """Red is a pawn and a half up by move 6 and the game stays close until Black's 21…Hxf9, a horse taking a
    cannon on f9 with Black's own advisor on f10 beside it."""
    ply = played("atomic", None, *SAMPLE).moves[41]
    assert (ply.side, ply.piece, ply.move, ply.captured) == ("black", "H", "e7f9", "C")
    assert ply.explosion == ["f9=C", "f10=a"] and not ply.lethal


def test_the_file_opens():
    """The blast takes the advisor, the palace is a piece lighter for nothing, and it never recovers: 30…Cb9
    leaves the general without cover, and on move 38 Red's chariot takes the cannon on d8, next to the general
    on d9."""
    game = played("atomic", None, *SAMPLE)
    assert game.moves[59].move == "f9b9" and game.moves[59].piece == "C"
    last = game.moves[74]
    assert (last.side, last.piece, last.move, last.captured) == ("red", "R", "c8d8", "C")
    assert [ply.ply for ply in game.moves if ply.explosion] == [18, 20, 42, 43, 56, 75]


def test_the_last_blast():
    """The blast takes the general, and the elephant on e8 with it."""
    game = played("atomic", None, *SAMPLE)
    assert game.moves[74].explosion == ["d8=c", "e8=e", "d9=k"] and game.moves[74].lethal
    assert (game.result, game.reason, game.ply) == ("red", "general-gone", 75)
    assert board(game.final_fen) == "4NC3/2c6/b8/9/p1p5p/5p3/2P1P3P/9/4A4/2BA1KB2"
