"""Tags of records as columns of the games table."""

import polars as pl
import pytest

from notation.tags import Tags, value_of
from pipeline import run, stages

HEADS = [
    {"Event": "cup", "Red": "甲", "Black": "乙", "Result": "1-0", "Note": "n"},
    {},
    {"Result": "", "result": "0-1", "Red": " ", "White": "Wu", "BLACK": "Li"},
    {"White": "first", "Red": "second", "Note": "m", "Note2": ""},
    {"Event": "cup", "Red": "甲", "Black": "丙", "Result": "1-0", "Note": "n"},
]
COLUMNS = {
    "event": ["cup", None, None, None, "cup"],
    "red": ["甲", None, "Wu", "first", "甲"],
    "black": ["乙", None, "Li", None, "丙"],
    "result_tag": ["1-0", None, "0-1", None, "1-0"],
    "site": [None] * 5,
    "other_tags": [
        [("Note", "n")],
        [],
        [("result", "0-1"), ("White", "Wu")],
        [("Red", "second"), ("Note", "m"), ("Note2", "")],
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


def test_a_claim_and_its_column_come_from_one_tag(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('[Result ""]\n[result "0-1"]\n\n1. h3e3 *\n')
    run.adjudicate([path], rules="xiangqi", out=tmp_path / "out")
    games = pl.read_parquet(tmp_path / "out" / "games" / "*.parquet")
    assert games.select("result_tag", "claimed").cast(pl.String).row(0) == ("0-1", "black")
