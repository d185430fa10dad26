"""Tags of records as columns of the games table."""

import polars as pl
import pytest

from notation.containers import pgn
from notation.tags import Tags, value_of
from pipeline import check, run, stages

HEADS = [
    {"Event": "cup", "Red": "甲", "Black": "乙", "Result": "1-0", "Note": "n"},
    {},
    {"Result": "", "result": "0-1", "Red": " ", "White": "Wu", "BLACK": "Li"},
    {"White": "first", "Red": "second", "Note": "m", "Note2": ""},
    {"result": "1-0", "EVENT": "o", "Result": "0-1", "WHITE": "Wu", "White": " ", "Event": "e"},
    {"Event": "cup", "Red": "甲", "Black": "丙", "Result": "1-0", "Note": "n"},
]
COLUMNS = {
    "event": ["cup", None, None, None, "e", "cup"],
    "red": ["甲", None, "Wu", "first", "Wu", "甲"],
    "black": ["乙", None, "Li", None, None, "丙"],
    "result_tag": ["1-0", None, "0-1", None, "0-1", "1-0"],
    "site": [None] * 6,
    "other_tags": [
        [("Note", "n")],
        [],
        [("result", "0-1"), ("White", "Wu")],
        [("Red", "second"), ("Note", "m"), ("Note2", "")],
        [("result", "1-0"), ("EVENT", "o"), ("WHITE", "Wu")],
        [("Note", "n")],
    ],
}


@pytest.mark.parametrize("parts", [[HEADS], [HEADS[:2], [], HEADS[2:]], [[head] for head in HEADS]])
def test_columns_have_the_first_tag_that_says_something_and_the_rest_the_others(parts):
    columns = stages._tag_columns(Tags.joined(Tags.of(heads) for heads in parts))
    assert {name: columns[name].to_pylist() for name in COLUMNS} == COLUMNS


def test_no_records_have_no_tags():
    columns = stages._tag_columns(Tags())
    assert all(len(column) == 0 for column in columns.values())


@pytest.mark.parametrize("name", ["Result", "RED", "Note", "white", "Absent"])
def test_tags_are_told_of_many_records_as_of_one(name):
    tags = Tags.of(HEADS)
    assert tags.told(name) == [value_of(head, name) for head in HEADS]
    assert [tags[i] for i in range(len(tags))] == HEADS


@pytest.mark.parametrize(
    ("head", "tag"),
    [
        ('[Result ""]\n[result "0-1"]', "0-1"),
        ('[result "1-0"]\n[Result "0-1"]', "0-1"),
        ('[Result " "]\n[Result "0-1"]', "0-1"),
        ('[RESULT "0-1"]\n[Result " "]\n[result "1-0"]', "0-1"),
    ],
)
def test_a_claim_its_column_and_its_finding_come_from_one_tag(tmp_path, head, tag):
    path = tmp_path / "games.pgn"
    path.write_text(f"{head}\n\n1. h3e3 *\n\n{head}\n\n1. h3e3 1-0\n")
    run.adjudicate([path], rules="xiangqi", out=tmp_path / "out")
    games = pl.read_parquet(tmp_path / "out" / "games" / "*.parquet")
    told = games.select("result_tag", "claimed", "claim").cast(pl.String)
    assert told.row(0)[:2] == (tag, "black")
    assert told.row(1)[::2] == (tag, "conflicting")
    mismatches = [finding for finding in pgn.read(path).findings if finding.code == "result-mismatch"]
    assert [(found.game, found.details["tag"]) for found in mismatches] == [(0, tag), (1, tag)]


def test_a_heading_has_tags_in_any_letters():
    assert check.title({"EVENT": "cup", "red": "A", "Red": " ", "BLACK": "B"}) == "cup, A – B"
    assert check.title({"event": " ", "white": "A"}) == "A"
