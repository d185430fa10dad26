"""Tables of words and figures, as text for a terminal and as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A title and a table below it, whose first column holds words, the others figures; and a ``note`` on it."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""

    def text(self) -> list[str]:
        rows = [self.head, *self.rows]
        widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                _padded(cell, width, at) for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        lines += [self.note] if self.note else []
        return [self.title, *(f"  {line.rstrip()}" for line in lines)]

    def markdown(self) -> list[str]:
        rows = [self.head, *self.rows]
        ruler = ["---", *["---:"] * (len(self.head) - 1)]
        head, *body = [f"| {' | '.join(map(escaped, row))} |" for row in rows]
        note = ["", escaped(self.note)] if self.note else []
        return [f"## {escaped(self.title)}", "", head, f"| {' | '.join(ruler)} |", *body, *note]


def _width(text: str) -> int:
    """Columns of a terminal: a Chinese character fills two."""
    return len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)


def _padded(cell: str, width: int, column: int) -> str:
    space = " " * (width - _width(cell))
    return space + cell if column else cell + space


def escaped(text: str) -> str:
    """``text`` as plain words in Markdown."""
    return re.sub(r"([\\`*_\[\]<>|#&])", r"\\\1", text)


def name(text: str, longest: int = 40) -> str:
    """A name on one line, without characters that steer a terminal, and not too long for a table."""
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
