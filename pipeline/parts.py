"""Tables of a finished run as polars frames, a part at a time: a part holds whole games, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from pipeline import schemas, store
from pipeline.rulings import Stored, damaged


def read(run: Path, table: str, part: int | None, columns: Sequence[str]) -> pl.DataFrame:
    """``columns`` of one part of a table, words as plain text; of no part, no rows. Raises `NoRun`."""
    if part is None:
        schema = schemas.schema(table)
        frame = pl.DataFrame(pl.from_arrow(schema.empty_table().select(list(columns))))
    else:
        path = store.part_path(run, table, part)
        try:
            frame = pl.read_parquet(path, columns=list(columns))
        except (OSError, pl.exceptions.PolarsError):
            raise damaged(path) from None
    return frame.select(columns).with_columns(pl.col(pl.Categorical).cast(pl.String))


def each(stored: Stored, shape: Callable[[int | None], pl.DataFrame]) -> pl.DataFrame:
    """What ``shape`` makes of every part of a run, one below the other; a run without games has none, and no rows."""
    numbers: list[int | None] = [*stored.parts] or [None]
    return pl.concat([shape(number) for number in numbers])
