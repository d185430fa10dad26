"""What a record leaves open is found out by replaying it, and told."""

import pytest

from adjudicator import adjudicate
from notation.record import GameRecord

SOLDIERS = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w - - 0 1"


@pytest.mark.parametrize(
    "fen, tokens, moves, found",
    [
        pytest.param(
            SOLDIERS, ["33.4"], ["g7f7"], [("ambiguous-dialect", 1, ("g6f6", "g7f7"))], id="digits left open"
        ),
        pytest.param(
            SOLDIERS,
            ["33.4", "d10d9", "f7f8"],
            ["g7f7", "d10d9", "f7f8"],
            [("ambiguity-settled", 1, ("g6f6", "g7f7"))],
            id="file, then place: the next move tells",
        ),
        pytest.param(
            SOLDIERS,
            ["33.4", "d10d9", "f6f7"],
            ["g6f6", "d10d9", "f6f7"],
            [("ambiguity-settled", 1, ("g6f6", "g7f7"))],
            id="place, then file: the next move tells",
        ),
        pytest.param(SOLDIERS, ["13=4"], ["g8f8"], [], id="digits with one meaning"),
        pytest.param(
            "3k5/9/9/9/9/9/R8/R8/9/4K4 w - - 0 1",
            ["a3b3"],
            ["a3b3"],
            [("ambiguous-coordinate-base", 1, ("a3b3", "a4b4"))],
            id="ranks from 0 or 1",
        ),
        pytest.param(
            "3k5/9/9/9/9/9/R8/R8/9/4K4 w - - 0 1",
            ["a3b3", "d9d8", "a4a5"],
            ["a4b4", "d10d9", None],
            [("illegal-move", 3, None)],
            id="ranks from 0: the reading that goes further counts",
        ),
    ],
)
def test_readings(fen, tokens, moves, found):
    (game,) = adjudicate([GameRecord(fen=fen, tokens=tokens)])
    assert [ply.move for ply in game.moves] == [move for move in moves if move]
    assert [(f.code, f.ply) for f in game.findings] == [(code, ply) for code, ply, _ in found]
    for finding, (_, _, candidates) in zip(game.findings, found, strict=True):
        assert candidates is None or tuple(sorted(finding.candidates)) == candidates


@pytest.mark.parametrize(
    "fen, token, found",
    [
        pytest.param(
            "4k4/9/9/9/4p4/4P4/9/9/9/3K5 w - - 0 1", "exe6", [], id="a soldier takes as a pawn does"
        ),
        pytest.param(
            "4k4/9/9/9/4P4/9/9/9/9/3K5 w - - 0 1", "ed6", ["over-disambiguated"], id="a soldier steps"
        ),
        pytest.param(
            "4k4/9/9/9/4p4/4R4/9/9/9/3K5 w - - 0 1", "Rexe6", ["over-disambiguated"], id="a chariot"
        ),
    ],
)
def test_more_written_than_needed(fen, token, found):
    (game,) = adjudicate([GameRecord(fen=fen, tokens=[token, "h10"], tags={"Format": "x"})])
    assert [f.code for f in game.findings if f.severity == "note"] == found


def test_a_missing_side_is_told():
    fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
    for tokens, side in ((["h3e3", "h10g8"], "red"), (["h10g8"], "black")):
        (game,) = adjudicate([GameRecord(fen=fen, tokens=tokens)])
        assert [(f.code, f.details["side"]) for f in game.findings] == [("fen-side", side)]
        assert len(game.moves) == len(tokens)
