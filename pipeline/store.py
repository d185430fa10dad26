"""Parquet parts: the only place that writes or rewrites them.

A part appears by rename once it is whole, so a reader running at the same time never meets half of one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.schemas import TABLES

ROW_GROUP = 1 << 20

# Statistics of dictionary columns cost as much as the columns; joins and lookups use these two.
_STATISTICS = ["record", "game_id"]

# Small numbers in wide types: their bytes apart pack in half the time, and a seventh of the whole smaller.
_SPLIT = {"legal_replies", "plies_since_capture", "depth", "evaluation", "seconds"}


def write_part(table: pa.Table, path: Path) -> str:
    """Write ``table`` to ``path`` (by rename) and return the digest of its bytes."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, **_layout(table.schema)) as writer:
        writer.write_table(table, row_group_size=ROW_GROUP)
    data = sink.getvalue()
    write_whole(path, data)
    return digest(data)


def write_all(tables: Iterable[pa.Table], schema: pa.Schema, path: Path) -> None:
    """Write ``tables`` one after the other to ``path`` (by rename), a row group for each."""
    with whole_file(path) as file, pq.ParquetWriter(file, schema, **_layout(schema)) as writer:
        for table in tables:
            writer.write_table(table, row_group_size=ROW_GROUP)


def _layout(schema: pa.Schema) -> dict[str, Any]:
    """How the columns of ``schema`` are stored."""
    return {
        "compression": "zstd",
        "compression_level": 1,
        # Elsewhere one would be built value by value, and mostly thrown away.
        "use_dictionary": [field.name for field in schema if pa.types.is_dictionary(field.type)],
        "use_byte_stream_split": [name for name in schema.names if name in _SPLIT],
        "write_statistics": _STATISTICS,
        "write_batch_size": 1 << 16,
        # Pages of a megabyte, as Parquet means them: 20,000 rows, Arrow's default, are only kilobytes here.
        "max_rows_per_page": ROW_GROUP,
    }


def write_whole(path: Path, data: bytes | pa.Buffer) -> None:
    """Put ``data`` at ``path`` in one step."""
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

    Reads four narrow columns of every part, in several passes when there are many games, and rewrites only
    the parts whose column changes; memory is bounded by `_BUCKET` games and one part.
    """
    first = _first_records(paths)
    count, rewritten = 0, {}
    for path in paths:
        with pq.ParquetFile(path) as file:
            keys = file.read(_KEYS)
        place = pc.index_in(keys["game_id"], value_set=first["game_id"])
        original = pc.take(first["record"], place)
        later = pc.and_(pc.greater(keys["record"], original), pc.greater(keys["plies_replayed"], _ZERO))
        column = pc.if_else(pc.fill_null(later, pa.scalar(False)), original, pa.scalar(None, pa.uint32()))
        count += len(column) - column.null_count
        if not column.equals(keys["duplicate_of"]):
            with pq.ParquetFile(path) as file:
                games = file.read()
            at = games.schema.get_field_index("duplicate_of")
            rewritten[path] = write_part(games.set_column(at, games.schema.field(at), column), path)
    return count, rewritten


_KEYS = ["record", "game_id", "plies_replayed", "duplicate_of"]
_ZERO = pa.scalar(0, pa.uint32())
_BUCKET = 4_000_000


def _first_records(paths: list[Path]) -> pa.Table:
    """game_id and first record of every game that occurs more than once with at least one ply."""
    buckets = 1 + sum(pq.read_metadata(path).num_rows for path in paths) // _BUCKET
    kind = pa.schema([("game_id", pa.uint64()), ("record", pa.uint32())])
    found = [kind.empty_table()]
    for bucket in range(buckets if paths else 0):
        keys = pa.concat_tables([_keys(path, bucket, buckets) for path in paths])
        counted = keys.group_by("game_id").aggregate([("record", "min"), ("record", "count")])
        twice = counted.filter(pc.greater(counted["record_count"], 1))
        found.append(pa.table([twice["game_id"], twice["record_min"]], schema=kind))
    return pa.concat_tables(found).combine_chunks()


def _keys(path: Path, bucket: int, buckets: int) -> pa.Table:
    """record and game_id of the games of one part with moves, those of one bucket of many."""
    with pq.ParquetFile(path) as file:
        table = file.read(_KEYS)
    table = table.filter(pc.greater(table["plies_replayed"], _ZERO)).select(["record", "game_id"])
    if buckets > 1:
        share = pc.shift_right(table["game_id"], pa.scalar(40, pa.uint64()))
        share = pc.subtract(share, pc.multiply(pc.divide(share, buckets), buckets))
        table = table.filter(pc.equal(share, bucket))
    return table
