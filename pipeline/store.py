"""Parquet parts: the only place that writes or rewrites them.

A part appears by rename once it is whole, so a reader running at the same time never meets half of one.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from adjudicator.ruling import STOPPED
from pipeline.schemas import TABLES

ROW_GROUP = 1 << 20

# Statistics of dictionary columns cost as much as the columns; joins and lookups use these two.
_STATISTICS = ["record", "game_id"]

# Small numbers in wide types: their bytes apart pack in half the time, and a seventh of the whole smaller.
_SPLIT = {"legal_replies", "plies_since_capture", "depth", "evaluation", "seconds"}

# Rows up to which zstd takes longer to prepare itself, for every column anew, than to pack them.
_FEW = 1 << 14

# Nothing left to pack: hashes, and numbers of words already packed to their bits.
_PACKED = {"position_key", "side", "from", "to", "promotion", "piece", "captured", "token"}


def write_part(table: pa.Table, path: Path) -> str:
    """Write ``table`` to ``path`` (by rename) and return the digest of its bytes."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, **_layout(table.schema, table.num_rows)) as writer:
        writer.write_table(table, row_group_size=ROW_GROUP)
    data = sink.getvalue()
    write_whole(path, data)
    return digest(data)


def write_all(tables: Iterable[pa.Table], schema: pa.Schema, path: Path) -> None:
    """Write ``tables`` one after the other to ``path`` (by rename), a row group for each."""
    with whole_file(path) as file, pq.ParquetWriter(file, schema, **_layout(schema)) as writer:
        for table in tables:
            writer.write_table(table, row_group_size=ROW_GROUP)


def _layout(schema: pa.Schema, rows: int = ROW_GROUP) -> dict[str, Any]:
    """How so many ``rows`` of the columns of ``schema`` are stored."""
    zstd = rows > _FEW
    packs = [leaf for field in schema if field.name not in _PACKED for leaf in _leaves(field)]
    return {
        "compression": dict.fromkeys(_PACKED, "none") | dict.fromkeys(packs, "zstd" if zstd else "snappy"),
        "compression_level": dict.fromkeys(packs, 1) if zstd else None,
        # Elsewhere one would be built value by value, and mostly thrown away.
        "use_dictionary": [field.name for field in schema if pa.types.is_dictionary(field.type)],
        "use_byte_stream_split": [name for name in schema.names if name in _SPLIT],
        "write_statistics": _STATISTICS,
        "write_batch_size": ROW_GROUP,
        # Pages of a megabyte, as Parquet means them: 20,000 rows, Arrow's default, are only kilobytes here.
        "max_rows_per_page": ROW_GROUP,
    }


def _leaves(field: pa.Field) -> list[str]:
    """What Parquet calls the columns that ``field`` becomes."""
    if pa.types.is_map(field.type):
        return [f"{field.name}.key_value.key", f"{field.name}.key_value.value"]
    return [f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name]


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


STANDARD_OUTPUT = Path("-")
"""The path that stands for what the command writes to the next one."""


@contextmanager
def text_file(path: Path) -> Iterator[BinaryIO]:
    """As `whole_file`; what ends in ``.gz`` is packed by gzip, and `STANDARD_OUTPUT` is written there."""
    if path == STANDARD_OUTPUT:
        with tempfile.TemporaryFile() as kept:
            yield cast(BinaryIO, kept)
            kept.seek(0)
            shutil.copyfileobj(kept, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return
    with whole_file(path) as file:
        if path.suffix.lower() != ".gz":
            yield file
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:  # the same bytes for the same text
            yield cast(BinaryIO, packed)


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

    Of a record that stops at a move or a start that cannot be played nobody knows what it would have repeated: such
    records neither repeat others nor are repeated.

    Reads five narrow columns of every part, in several passes when there are many games, and rewrites only
    the parts whose column changes; memory is bounded by `_BUCKET` games and one part.
    """
    keys = _Keys(paths)
    first = _first_records(paths, keys)
    count, rewritten = 0, {}
    for path in paths:
        own = keys[path]
        place = pc.index_in(own["game_id"], value_set=first["game_id"])
        original = pc.take(first["record"], place)
        later = pc.and_(pc.greater(own["record"], original), _whole(own))
        column = pc.if_else(pc.fill_null(later, False), original, pa.scalar(None, pa.uint32()))
        count += len(column) - column.null_count
        if not column.equals(own["duplicate_of"]):
            with pq.ParquetFile(path) as file:
                games = file.read()
            at = games.schema.get_field_index("duplicate_of")
            rewritten[path] = write_part(games.set_column(at, games.schema.field(at), column), path)
    return count, rewritten


_ZERO = pa.scalar(0, pa.uint32())
_BUCKET = 4_000_000


class _Keys:
    """The columns of games parts that tell what repeats what; read once while they are few."""

    COLUMNS = ("record", "game_id", "plies_replayed", "claim", "duplicate_of")

    def __init__(self, paths: list[Path]):
        self.rows = 0
        self._held: dict[Path, pa.Table] = {}
        for path in paths:
            if self.rows < _BUCKET:
                self._held[path] = self._read(path)
                self.rows += self._held[path].num_rows
            else:
                self.rows += pq.read_metadata(path).num_rows

    def __getitem__(self, path: Path) -> pa.Table:
        return self._held[path] if path in self._held else self._read(path)

    def _read(self, path: Path) -> pa.Table:
        with pq.ParquetFile(path) as file:
            return file.read(list(self.COLUMNS), use_threads=False)


def _whole(keys: pa.Table) -> pa.ChunkedArray:
    """Which records have moves, and were replayed to their end."""
    stopped = pc.is_in(keys["claim"], value_set=pa.array(STOPPED, pa.string()))
    return pc.and_(pc.greater(keys["plies_replayed"], _ZERO), pc.invert(stopped))


def _first_records(paths: list[Path], keys: _Keys) -> pa.Table:
    """game_id and first record of every game that `_whole` records have more than once."""
    buckets = 1 + keys.rows // _BUCKET
    kind = pa.schema([("game_id", pa.uint64()), ("record", pa.uint32())])
    found = [kind.empty_table()]
    for bucket in range(buckets if paths else 0):
        games = pa.concat_tables([_played(keys[path], bucket, buckets) for path in paths]).combine_chunks()
        if not games.num_rows:
            continue
        # In the order of the records, games are numbered as they occur first: there the number is a new one.
        numbers = games["game_id"].combine_chunks().dictionary_encode().indices
        most = pc.cumulative_max(numbers)
        first = pa.concat_arrays([pa.array([True], pa.bool_()), pc.greater(most[1:], most[:-1])])
        twice = pc.greater(pc.value_counts(numbers).field("counts"), pa.scalar(1, pa.int64()))
        found.append(games.filter(first).select(kind.names).cast(kind).filter(twice))
    return pa.concat_tables(found).combine_chunks()


def _played(keys: pa.Table, bucket: int, buckets: int) -> pa.Table:
    """record and game_id of the `_whole` games of one part, those of one bucket of many."""
    table = keys.filter(_whole(keys)).select(["record", "game_id"])
    if buckets > 1:
        share = pc.shift_right(table["game_id"], pa.scalar(40, pa.uint64()))
        share = pc.subtract(share, pc.multiply(pc.divide(share, buckets), buckets))
        table = table.filter(pc.equal(share, bucket))
    return table
