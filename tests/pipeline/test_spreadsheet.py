"""CSV in which nothing is a formula, whatever a record calls its players."""

import csv
import io

import polars as pl
import pytest
from click.testing import CliRunner

from pipeline import spreadsheet
from pipeline.cli import main

HYPERLINK = '=HYPERLINK("http://x","y")'


def written(table):
    file = io.BytesIO()
    spreadsheet.write(table, file)
    return list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))


@pytest.mark.parametrize(
    "text, cell",
    [
        pytest.param(HYPERLINK, "'" + HYPERLINK, id="a formula"),
        pytest.param("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0", id="plus"),
        pytest.param("-2+3", "'-2+3", id="minus"),
        pytest.param("@SUM(1)", "'@SUM(1)", id="at"),
        pytest.param("\t=1", "'\t=1", id="a tab before"),
        pytest.param("\r=1", "'\r=1", id="a return before"),
        pytest.param("＝1", "'＝1", id="as wide as a Chinese character"),
        pytest.param("A=B", "A=B", id="not the first sign"),
        pytest.param("测试者甲", "测试者甲", id="a name"),
        pytest.param('a"b,c\nd', 'a"b,c\nd', id="signs of CSV itself"),
    ],
)
@pytest.mark.parametrize("kind", [pl.String, pl.Categorical])
def test_a_text_is_no_formula(text, cell, kind):
    assert written(pl.DataFrame({"red": [text, "x"]}, schema={"red": kind})) == [["red"], [cell], ["x"]]


def test_numbers_are_as_they_are():
    table = pl.DataFrame({"ply": [-3, 4], "elo": [-0.5, float("-inf")], "drop": [True, False]})
    assert written(table)[1:] == [["-3", "-0.5", "true"], ["4", "-inf", "false"]]


RECORDS = f"""[Red "{HYPERLINK.replace('"', "'")}"]
[Black "@x"]
[Event "+e"]
[Result "1-0"]

h3e3 h10g8 1-0

[Red "@x"]
[Black "-y"]
[Result "1-0"]

h3h5 h10g8 1-0
"""


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["report", "run", "--tables", "out", "--format", "csv"], id="report"),
        pytest.param(["rescore", "run", "--out", "out/games.csv"], id="rescore"),
        pytest.param(
            ["compare", "=1.pgn", "--rules", "xiangqi", "--rules", "jump-cannon", "--out", "out/games.csv"],
            id="compare",
        ),
    ],
)
def test_hostile_names_are_inert_in_every_table(tmp_path, monkeypatch, words):
    pytest.importorskip("scipy", reason="needs the extra caipan[statistics]")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "=1.pgn").write_text(RECORDS)
    assert CliRunner().invoke(main, ["adjudicate", "=1.pgn", "--out", "run", "--jobs", "1"]).exit_code == 0
    (tmp_path / "out").mkdir()
    assert CliRunner().invoke(main, words).exit_code == 0
    cells = set()
    for path in (tmp_path / "out").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            cells |= {cell for row in csv.reader(file) for cell in row}
    assert {"'=1.pgn", "'@x", "'-y", "'+e"} <= cells
    formulas = {cell for cell in cells if cell[:1] in tuple("=+-@")}
    assert all(float(cell) < 0 for cell in formulas)
