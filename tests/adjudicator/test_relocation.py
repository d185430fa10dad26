"""Relocation in Six Fortresses: seed 002, “Wazirs and Ferz may be repositioned prior to starting the game”."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator import Position, Ruleset, adjudicate
from adjudicator.relocation import relocate
from adjudicator.setup import array_of
from notation.containers import pgn
from notation.finding import MOST_ALIKE
from notation.record import GameRecord
from pipeline import run
from pipeline.convert import convert
from reference import IllegalMove, State

SIX = Ruleset.load("six-fortresses")
START = SIX.start
WHITE, BLACK = "1XFWXWFX1 w", "1xfwxwfx1/"


def played(**record):
    (game,) = adjudicate([GameRecord(**record)], "six-fortresses")
    return game


@pytest.mark.parametrize(
    "moves, white, black",
    [
        pytest.param("d1a1", "WXF1XWFX1", "1xfwxwfx1", id="a wazir to the corner"),
        pytest.param("d1a1 c1d1", "WX1FXWFX1", "1xfwxwfx1", id="a ferz to the point that the wazir left"),
        pytest.param("d1c1, c1d1", "1XWFXWFX1", "1xfwxwfx1", id="two change places"),
        pytest.param("f9i9 g1a1", "FXFWXW1X1", "1xfwx1fxw", id="both sides"),
        pytest.param("d9a9; f9i9; d1a1; f1i1", "WXF1X1FXW", "wxf1x1fxw", id="all wazirs"),
    ],
)
@pytest.mark.parametrize("how", ["tag", "moves"])
def test_wazirs_and_ferzes_are_relocated(moves, white, black, how):
    words = moves.replace(",", "").replace(";", "").split()
    turns = ["c3c4", "c7c6"]
    record = (
        {"tags": {"Relocation": moves}, "tokens": turns} if how == "tag" else {"tokens": [*words, *turns]}
    )
    game = played(**record)
    rows = game.start_fen.split()[0].split("/")
    assert (rows[8], rows[0]) == (white, black)
    assert [ply.move for ply in game.moves] == turns and not game.findings
    assert (
        game.record.tokens == turns
        and game.record.tags["Relocation"].replace(",", "").replace(";", "").split() == words
    )


def test_it_does_not_count_as_a_turn():
    game = played(tokens=["d1a1", "f9i9", "c3c4"])
    assert [(ply.ply, ply.side, ply.move) for ply in game.moves] == [(1, "red", "c3c4")]
    assert game.start_fen.endswith("w - - 0 1")


@pytest.mark.parametrize(
    "moves, why",
    [
        pytest.param("d1b1", "a fortress stands on b1", id="onto a fortress"),
        pytest.param("d1a1 f1a1", "a wazir stands on a1", id="two pieces on one square"),
        pytest.param("d1c1", "a ferz stands on c1", id="onto a piece that stays"),
        pytest.param("d1a2", "a2 is not of its own first rank", id="off the first rank"),
        pytest.param("d1d9", "d9 is not of its own first rank", id="to the other side's"),
        pytest.param("b1a1", "a fortress is not relocated", id="a fortress"),
        pytest.param("a2a1", "a rook is not relocated", id="a rook"),
        pytest.param("a1i1", "no piece stands on a1", id="an empty point"),
        pytest.param("d1a1 d1i1", "the piece is relocated twice", id="a piece twice"),
        pytest.param("wazir", "it is not two points", id="no move"),
        pytest.param("d1k1", "it is not two points", id="off the board"),
    ],
)
def test_what_cannot_be_relocated_is_a_finding_and_nothing_is(moves, why):
    game = played(tags={"Relocation": moves}, tokens=["c3c4"])
    (finding,) = game.findings
    assert (finding.code, finding.ply) == ("illegal-relocation", 0)
    assert finding.details["why"] == why and finding.text in moves
    assert finding.message("zh")
    assert game.start_fen == START and len(game.moves) == 1


def test_the_first_faults_of_many_are_told():
    game = played(tags={"Relocation": "d1a1 " * 12_000}, tokens=["c3c4"])
    assert [finding.code for finding in game.findings] == ["illegal-relocation"] * MOST_ALIKE + ["and-more"]
    assert game.findings[-1].details == {"kind": "illegal-relocation", "count": 11_999 - MOST_ALIKE}
    game = played(tags={"Relocation": "x" * 60_000}, tokens=["c3c4"])
    assert len(game.findings[0].message()) < 1000


def test_a_fen_says_the_relocation_itself():
    fen = START.replace(WHITE, "WXF1XWFX1 w")
    game = played(fen=fen, tokens=["c3c4"])
    assert game.start_fen == fen and not game.findings


def test_a_wazir_on_its_way_is_not_relocated():
    """From another position than the start the same words are a turn."""
    fen = "4k4/9/9/9/9/9/9/9/3W1K3 w - - 0 30"
    game = played(fen=fen, tokens=["d1c1"])
    assert [ply.move for ply in game.moves] == ["d1c1"]


def test_no_turn_from_the_start_looks_like_a_relocation():
    for side in ("w", "b"):
        moves = Position(START.replace(" w ", f" {side} "), SIX).legal_moves()
        assert not [move for move in moves if move[1] == move[3] and move[1] in "19"]


def test_other_games_relocate_nothing():
    (game,) = adjudicate([GameRecord(tags={"Relocation": "h3e3"}, tokens=["h3e3"])])
    (finding,) = game.findings
    assert finding.details["why"] == "a cannon is not relocated" and len(game.moves) == 1


HOME = ["c1", "d1", "f1", "g1"]


@given(st.dictionaries(st.sampled_from(HOME), st.sampled_from("abcdefghi"), max_size=4))
def test_relocations_are_those_of_the_reference(places):
    words = [f"{start}{file}1" for start, file in places.items()]
    after, faults = relocate(array_of(SIX), " ".join(words), SIX)
    try:
        expected = State.start("six-fortresses").relocated(*words)
    except IllegalMove:
        assert faults and after == array_of(SIX)
    else:
        assert not faults
        assert Position(expected.fen(), SIX).cursor.pieces() == after


RECORD = """\
[Event "Relocated"]
[Variant "six-fortresses"]
[Result "*"]

{before} d1a1 {the wazir} f9i9 1. c3c4 {a pawn} (1. d3d4 {another}) 1... c7c6 2. b3b4 *
"""


def test_tables_and_conversion_begin_with_the_first_turn(tmp_path):
    source, out = tmp_path / "six.pgn", tmp_path / "again.pgn"
    source.write_text(RECORD)
    run.adjudicate([source], rules="six-fortresses", out=tmp_path / "run", jobs=1)
    games = pl.read_parquet(tmp_path / "run" / "games")
    assert games.select("plies_recorded", "plies_replayed").rows() == [(3, 3)]
    convert(source, out, "uci", rules="six-fortresses")
    (record,) = pgn.games(out)
    assert record.tags["Relocation"] == "d1a1 f9i9"
    assert record.tokens == ["c3c4", "c7c6", "b3b4"]
    assert record.comments[0] == ["before", "the wazir"] and record.comments[1] == ["a pawn"]
    assert [(line.from_ply, line.moves) for line in record.variations] == [(1, ["d3d4"])]
    before, after = (next(adjudicate(path, "six-fortresses")) for path in (source, out))
    assert before.start_fen == after.start_fen and before.game_id == after.game_id
