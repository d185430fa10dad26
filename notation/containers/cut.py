"""Pieces of a source that hold whole records: what containers cut, and what they read by themselves."""

from __future__ import annotations

import mmap
import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Cut:
    """The bytes ``first:last`` of a source, a run of whole records (``last`` None: to its end).

    Their first line is ``line`` (from 1), their first record ``index`` (from 0); ``games`` is their number, -1 where
    they were not counted. ``hint`` is what the reader is to know of the source as a whole: of PGN its encoding, of
    other formats what stands around the records. ``final`` says that the source ends here. ``starts``, where a
    container looks for them once for all, are the bytes of the source at which the records begin, and the lines.
    """

    first: int = 0
    last: int | None = None
    line: int = 1
    index: int = 0
    games: int = -1
    hint: str | None = None
    final: bool = True
    starts: tuple[array[int], array[int]] | None = None

    def of(self, source: bytes | str | Path) -> bytes:
        """The bytes of this cut of ``source``: bytes, or the path of a file."""
        if isinstance(source, bytes):
            return source[self.first : self.last]
        with open(source, "rb") as file:
            file.seek(self.first)
            return file.read(-1 if self.last is None else self.last - self.first)

    def checked(self, data: bytes) -> bytes:
        """``data``, as long as this cut is. Raises ValueError when it is not: the source was changed meanwhile."""
        if self.last is not None and len(data) != self.last - self.first:
            raise ValueError(
                f"{len(data)} bytes for the cut {self.first}:{self.last}; was the source changed?"
            )
        return data


WHOLE: Final = Cut()
"""All of a source."""


@contextmanager
def mapped(source: bytes | str | Path) -> Iterator[bytes | mmap.mmap]:
    """``source`` itself, when it is bytes, or else the file at that path, mapped into memory."""
    if isinstance(source, bytes):
        yield source
        return
    with open(source, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:  # cannot be mapped
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data
