"""Handicaps in files: tables, rulings made again, conversion, and the option of the commands."""

import polars as pl
import pytest
from click.testing import CliRunner

from adjudicator import adjudicate
from pipeline import rulings, run
from pipeline.cli import main

RECORDS = """\
[Event "declared"]
[Handicap "让左马"]
[Result "*"]

1. C2=5 H8+7 2. H2+3 R9=8 *

[Event "even"]
[Handicap "none"]
[Result "*"]

1. C2=5 H8+7 *

[Event "silent"]
[Result "*"]

1. C2=5 H8+7 *

[Event "a cannon chases an iron horse"]
[Handicap "left chariot; iron b1"]
[FEN "3k5/9/9/1c7/9/9/9/9/9/1N2K4 b - - 0 20"]
[Result "*"]

1... b7b8 2. e1e2 b8b7 3. e2e1 b7b8 4. e1e2 b8b7 5. e2e1 b7b8 6. e1e2 b8b7 7. e2e1 *
"""
LACKING = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w - - 0 1"


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "odds.pgn"
    path.write_text(RECORDS, encoding="utf-8")
    return path


def caipan(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)
    return result.exit_code, result.output


def games(out):
    return pl.read_parquet(out / "games").with_columns(pl.col(pl.Categorical).cast(pl.String))


def test_the_games_table_says_which_handicap_was_given(records, tmp_path):
    run.adjudicate([records], rules="xiangqi", out=tmp_path / "out", jobs=1)
    found = games(tmp_path / "out")
    given = ["red left horse; iron e4", None, None, "red left chariot; iron b1"]
    assert found["handicap"].to_list()[:3] == given[:3]
    assert found["handicap"].to_list()[3].endswith("iron b1")
    assert found["start_fen"][0] == LACKING


@pytest.mark.parametrize("book", ["site", "axf", "none"])
def test_rulings_made_again_know_the_iron_pieces(records, tmp_path, book):
    out, again = tmp_path / "out", tmp_path / "again"
    run.adjudicate([records], rules="xiangqi", out=out, jobs=1)
    run.adjudicate([records], rules="xiangqi", book=book, out=again, jobs=1)
    columns = ["result", "reason", "end_ply"]
    ruled = pl.read_parquet(rulings.rule(out, book).out).with_columns(pl.col(pl.Categorical).cast(pl.String))
    assert ruled.select(columns).rows() == games(again).select(columns).rows()


def test_the_option_gives_a_handicap_to_records_that_declare_none(records, tmp_path):
    code, said = caipan("adjudicate", records, "--handicap", "black right cannon", "--out", tmp_path / "out")
    assert code == 0, said
    assert games(tmp_path / "out")["handicap"].to_list()[:3] == [
        "red left horse; iron e4",
        None,
        "black right cannon; iron h8",
    ]


def test_the_option_is_examined():
    code, said = caipan("perft", "1", "--handicap", "left charoit")
    assert code == 2 and "did you mean 'chariot'" in said


def test_a_report_names_the_handicap(records):
    assert "handicap: red left horse; iron e4" in caipan("check", records)[1]
    assert "让子:红方让左马;铁 e4" in caipan("check", records, "--lang", "zh")[1]


def test_a_position_is_shown_with_its_handicap():
    assert "handicap: red left chariot; iron b1" in caipan("show", "--handicap", "让左车")[1]


def test_a_converted_record_keeps_its_handicap_and_says_its_position(records, tmp_path):
    out = tmp_path / "zh.pgn"
    assert caipan("convert", records, "--to", "chinese", "--out", out)[0] == 0
    before, after = list(adjudicate(records)), list(adjudicate(out))
    assert [game.handicap for game in after] == [game.handicap for game in before]
    assert after[0].record.fen == LACKING
    assert after[0].tags["Handicap"] == "让左马"
    assert [[ply.move for ply in game.moves] for game in after] == [
        [ply.move for ply in game.moves] for game in before
    ]


def test_a_converted_record_keeps_a_handicap_that_an_option_gives(records, tmp_path):
    out = tmp_path / "wxf.pgn"
    assert caipan("convert", records, "--to", "wxf", "--handicap", "two chariots", "--out", out)[0] == 0
    silent = list(adjudicate(out))[2]
    assert silent.tags["Handicap"] == silent.handicap == "red two chariots; iron b1 h1"
    assert silent.record.fen.split("/")[-1].startswith("1NBAKABN1 ")


def test_a_study_plays_under_the_handicap(records, tmp_path):
    assert caipan("study", records, "--out", tmp_path / "study.html")[0] == 0
    assert "red left horse; iron e4" in (tmp_path / "study.html").read_text(encoding="utf-8")
