"""Parquet parts: the only place that writes or rewrites them.

A part appears by rename once it is whole, so a reader running at the same time never meets half of one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.schemas import TABLES

ROW_GROUP = 1 << 20

# Near-random or already narrow: a dictionary would only be built to be thrown away.
_PLAIN = {"record", "game_id", "ply", "position_key", "offset", "line", "byte", "index"}
# Statistics of dictionary columns cost as much as the columns; joins and lookups use these two.
_STATISTICS = ["record", "game_id"]


def write_part(table: pa.Table, path: Path) -> str:
    """Write ``table`` to ``path`` (by rename) and return the digest of its bytes."""
    sink = pa.BufferOutputStream()
    names = [
        c
        for c in table.column_names
        if c not in _PLAIN and not pa.types.is_boolean(table.schema.field(c).type)
    ]
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=names,
        write_statistics=_STATISTICS,
    ) as writer:
        writer.write_table(table, row_group_size=ROW_GROUP)
    data = sink.getvalue()
    write_whole(path, data)
    return digest(data)


def write_whole(path: Path, data: bytes | pa.Buffer) -> None:
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write that appears at ``path`` in one step: a temporary name beside it, then a rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def digest(data: bytes | pa.Buffer) -> str:
    return hashlib.sha256(data).hexdigest()


def part_path(out: Path, table: str, part: int) -> Path:
    return out / table / f"part-{part:05d}.parquet"


def part_digest(path: Path) -> str | None:
    """The digest of the part at ``path``, or None when there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def clean(out: Path, keep: set[Path]) -> None:
    """Remove temporary files and parts that are not in ``keep`` from the three tables of ``out``."""
    for table in TABLES:
        for path in sorted((out / table).glob("*")):
            ours = path.suffix == ".tmp" or path.match("part-*.parquet")
            if ours and path not in keep:
                path.unlink()


def mark_duplicates(paths: list[Path]) -> tuple[int, dict[Path, str]]:
    """Fill ``duplicate_of`` in the games parts ``paths``: how many records repeat an earlier one, and the
    digests of the parts rewritten.

    Reads two narrow columns of every part, in several passes when there are many games, and rewrites only
    the parts whose column changes; memory is bounded by `_BUCKET` games and one part.
    """
    first = _first_records(paths)
    count, rewritten = 0, {}
    for path in paths:
        games = pq.read_table(path)
        place = pc.index_in(games["game_id"], value_set=first["game_id"])
        original = pc.take(first["record"], place)
        later = pc.and_(pc.greater(games["record"], original), pc.greater(games["plies_replayed"], 0))
        column = pc.if_else(pc.fill_null(later, False), original, pa.scalar(None, pa.uint32()))
        count += len(column) - column.null_count
        if column.equals(games["duplicate_of"]):
            continue
        at = games.schema.get_field_index("duplicate_of")
        rewritten[path] = write_part(games.set_column(at, games.schema.field(at), column), path)
    return count, rewritten


_BUCKET = 4_000_000


def _first_records(paths: list[Path]) -> pa.Table:
    """game_id and first record of every game that occurs more than once with at least one ply."""
    rows = sum(pq.ParquetFile(path).metadata.num_rows for path in paths)
    buckets = 1 + rows // _BUCKET
    found = []
    for bucket in range(buckets):
        parts = [_keys(path, bucket, buckets) for path in paths]
        if not parts:
            break
        counted = (
            pa.concat_tables(parts).group_by("game_id").aggregate([("record", "min"), ("record", "count")])
        )
        twice = counted.filter(pc.greater(counted["record_count"], 1))
        found.append(twice.select(["game_id", "record_min"]).rename_columns(["game_id", "record"]))
    if not found:
        return pa.table({"game_id": pa.array([], pa.uint64()), "record": pa.array([], pa.uint32())})
    return pa.concat_tables(found).combine_chunks()


def _keys(path: Path, bucket: int, buckets: int) -> pa.Table:
    table = pq.read_table(path, columns=["record", "game_id", "plies_replayed"])
    table = table.filter(pc.greater(table["plies_replayed"], 0)).drop(["plies_replayed"])
    if buckets > 1:
        share = pc.shift_right(table["game_id"], pa.scalar(40, pa.uint64()))
        share = pc.subtract(share, pc.multiply(pc.divide(share, buckets), buckets))
        table = table.filter(pc.equal(share, bucket))
    return table
