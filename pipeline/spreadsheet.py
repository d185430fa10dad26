"""Tables as CSV, in which a spreadsheet finds texts and numbers but no formulas."""

from __future__ import annotations

from typing import BinaryIO

import polars as pl

FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
"""What a text begins with that spreadsheets may compute: https://owasp.org/www-community/attacks/CSV_Injection."""


def write(table: pl.DataFrame, file: BinaryIO) -> None:
    """Write ``table``, which holds no lists, as CSV in UTF-8. A text that begins like a `FORMULA` stands behind a quote
    mark: who wrote a record chose its names. Numbers are as they are."""
    texts = pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String)
    table.with_columns(texts.str.replace(FORMULA, "'$0")).write_csv(file)
