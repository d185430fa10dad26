"""The declared tables. ``python -m pipeline.schemas > data/tables.md`` renews their page; read the diff."""

from pathlib import Path

import pytest

from pipeline.schemas import TABLES, describe, schema

PAGE = Path(__file__).resolve().parents[2] / "data" / "tables.md"


def test_the_page_says_what_the_code_says():
    assert PAGE.read_text(encoding="utf-8") == describe()


@pytest.mark.parametrize("table", TABLES)
def test_names_are_snake_case_and_said_once(table):
    names = schema(table).names
    assert len(set(names)) == len(names)
    assert all(name.replace("_", "").isalnum() and name.islower() for name in names)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_has_a_meaning_and_a_reason_for_null(table):
    for column in TABLES[table]:
        assert column.meaning
        assert column.field().nullable == bool(column.null)
