"""A word that is no move, but for one character would be a legal one: the finding names what it may be."""

import pytest

from adjudicator import adjudicate


@pytest.mark.parametrize(
    "moves, suggestion, candidates",
    [
        pytest.param("炮二平五 马8进7 马二进三 卒7近1", "卒7进1", ["g7g6"], id="Chinese"),
        pytest.param(
            "炮二平五 馬８進７ 馬二進三 卒７近１", "卒7進1", ["g7g6"], id="in the record's own script"
        ),
        pytest.param("炮二平五 馬8進7 馬二進三 卒7進11", "卒7進1", ["g7g6"], id="one too many"),
        pytest.param("炮二平五 马8进", "马8进7, 马8进9", ["h10g8", "h10i8"], id="one too few, two moves"),
        pytest.param("C2=5 h8+7 H2t3", "H2+3", ["h1g3"], id="WXF"),
        pytest.param("h2e2 h9g7 h0g2 g6g55", "g6g5", ["g7g6"], id="coordinates"),
        pytest.param("h2e2 h7x7", None, [], id="too many are near"),
        pytest.param("h2e2 castles", None, [], id="nothing is near"),
        pytest.param("h3e3 马8进x7", None, [], id="another notation than the record's"),
        pytest.param("炮二平五 卒7近2", None, [], id="near, but illegal"),
    ],
)
def test_slips(moves, suggestion, candidates):
    (game,) = adjudicate(f"1. {moves} *".encode(), rules="xiangqi")
    (found,) = (finding for finding in game.findings if finding.code == "unreadable-token")
    assert (found.suggestion, [*found.candidates]) == (suggestion, candidates)
