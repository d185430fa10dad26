"""Parquet parts: by rename, readable by everybody, duplicates marked."""

import random

import polars
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from pipeline import store
from pipeline.schemas import TABLES, VERSION, schema


def rows(table, columns):
    """A table of ``table``'s schema with ``columns``; the rest is filled with zeros, blanks and nulls."""
    n = len(next(iter(columns.values())))

    def filled(column):
        if column.name in columns:
            values = columns[column.name]
        elif column.nullable:
            values = [None] * n
        elif pa.types.is_list(column.type) or pa.types.is_map(column.type):
            values = [[]] * n
        elif pa.types.is_boolean(column.type):
            values = [False] * n
        else:
            values = [0 if pa.types.is_integer(column.type) else ""] * n
        return pa.array(values, column.type)

    return pa.table([filled(column) for column in schema(table)], schema=schema(table))


@pytest.mark.parametrize("table", TABLES)
def test_a_part_comes_back_as_it_was(tmp_path, table):
    written = rows(table, {"source" if table != "moves" else "token": ["a", "b", "a", "c"]})
    digest = store.write_part(written, tmp_path / "part.parquet")
    assert store.part_digest(tmp_path / "part.parquet") == digest
    assert [path.name for path in tmp_path.iterdir()] == ["part.parquet"]
    file = pq.ParquetFile(tmp_path / "part.parquet")
    assert file.read().to_pylist() == written.to_pylist()
    assert file.schema_arrow.metadata[b"caipan_schema"] == str(VERSION).encode()
    column = file.schema_arrow.field(0)
    assert column.metadata[b"meaning"]
    assert polars.read_parquet(tmp_path / "part.parquet").columns == written.column_names


def test_two_readers_find_rows_by_repeating_text(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "ROW_GROUP", 2)
    names = ["kilo", "mike", "alfa", "zulu", "foxtrot"]
    path = tmp_path / "part.parquet"
    store.write_part(rows("games", {"red": names, "record": range(5)}), path)
    assert pq.ParquetFile(path).num_row_groups == 3
    assert pq.read_table(path)["red"].to_pylist() == names
    assert polars.read_parquet(path)["red"].to_list() == names
    for number, name in enumerate(names):
        arrow = pyarrow.dataset.dataset(path).to_table(filter=pyarrow.dataset.field("red") == name)
        assert arrow["record"].to_pylist() == [number]
        found = polars.scan_parquet(path).filter(polars.col("red").cast(polars.String) == name).collect()
        assert found["record"].to_list() == [number]


@pytest.mark.parametrize("bucket", [4_000_000, 3], ids=["one pass", "many passes"])
def test_later_records_of_a_game_name_the_first(tmp_path, monkeypatch, bucket):
    monkeypatch.setattr(store, "_BUCKET", bucket)
    ids = [random.Random(1).getrandbits(64) for _ in range(4)]
    ids = [5, 6, 5, 7, 8, 6, 5, ids[0], ids[0], 9]
    plies = [1, 2, 1, 3, 0, 2, 1, 8, 8, 0]
    paths = []
    for part in range(2):
        part_of = slice(5 * part, 5 * part + 5)
        columns = {"record": range(10)[part_of], "game_id": ids[part_of], "plies_replayed": plies[part_of]}
        paths.append(tmp_path / f"part-{part:05}.parquet")
        store.write_part(rows("games", columns), paths[-1])
    before = paths[0].read_bytes()
    count, rewritten = store.mark_duplicates(paths)
    marked = [record for path in paths for record in pq.read_table(path)["duplicate_of"].to_pylist()]
    assert marked == [None, None, 0, None, None, 1, 0, None, 7, None]
    assert count == 4
    assert rewritten == {path: store.part_digest(path) for path in paths}
    assert paths[0].read_bytes() != before
    assert store.mark_duplicates(paths) == (4, {})


def test_games_without_moves_are_not_duplicates(tmp_path):
    path = tmp_path / "part.parquet"
    store.write_part(rows("games", {"record": [0, 1], "game_id": [3, 3]}), path)
    assert store.mark_duplicates([path]) == (0, {})


def test_records_that_stop_neither_repeat_nor_are_repeated(tmp_path):
    path = tmp_path / "part.parquet"
    claims = ["illegal-move", "agrees", "unreadable", "no-start", "no-claim"]
    columns = {"record": range(5), "game_id": [3] * 5, "plies_replayed": [4] * 5, "claim": claims}
    store.write_part(rows("games", columns), path)
    assert store.mark_duplicates([path])[0] == 1
    assert pq.read_table(path)["duplicate_of"].to_pylist() == [None, None, None, None, 1]


def test_only_our_parts_are_cleaned_away(tmp_path):
    for name in (
        "games/part-00001.parquet",
        "games/.part-00002.parquet.9.tmp",
        "games/mine.txt",
        "moves/a.parquet",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    store.clean(tmp_path, keep=set())
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["games/mine.txt", "moves/a.parquet"]
