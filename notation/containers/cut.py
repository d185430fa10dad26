"""Pieces of a source that hold whole records: what containers cut, and what they read by themselves."""

from __future__ import annotations

import io
import mmap
import os
import sys
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

HEAD_BYTES: Final = 1 << 16
"""How much of a file's beginning tells what it is."""
PAGE_BYTES: Final = 4 << 20
"""The same of a saved web page: games may stand far down in it."""
AT_ONCE: Final = 1 << 20
"""Bytes that are read of a file at once."""

_UNRESERVED: Final = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
_OWN: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _UNRESERVED
"""Memory of one's own, which is not there before it is written to."""
_PAGE: Final = 2 << 20
"""It comes, and goes, in pages of this size where the system has them: small ones take longer than what is read."""


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


def size_of(source: bytes | str | Path) -> int:
    """How many bytes ``source`` has, bytes or a file at that path."""
    return len(source) if isinstance(source, bytes) else Path(source).stat().st_size


def opened(source: bytes | str | Path) -> IO[bytes]:
    """``source``, bytes or a file at that path, to be read from its beginning."""
    return io.BytesIO(source) if isinstance(source, bytes) else open(source, "rb")


class Pages:
    """The bytes of a source at their places: ``data``, as long as the source is, of which only what `read_to` came to
    and was not `let_go` is there.

    A file is read, and not mapped into memory: then another program that cuts it short would end this process.
    """

    def __init__(self, source: bytes | str | Path):
        self.data: bytes | mmap.mmap
        self._file: io.FileIO | None = None
        if isinstance(source, bytes):
            self.data = source
        else:
            self._file = io.FileIO(source)
            size = os.fstat(self._file.fileno()).st_size
            self.data = b""
            if size:
                self.data = mmap.mmap(-1, size, flags=_OWN)
                if hasattr(mmap, "MADV_HUGEPAGE"):
                    self.data.madvise(mmap.MADV_HUGEPAGE)
        self._read = len(source) if isinstance(source, bytes) else 0
        self._gone = 0

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file:
            self._file.close()

    def read_to(self, stop: int) -> int:
        """Have everything before ``stop``, or before the end: the place before which it is there.

        Raises OSError when the file ends before it should.
        """
        while self._read < min(stop, len(self.data)):
            assert self._file is not None
            with memoryview(self.data) as view, view[self._read : self._read + AT_ONCE] as place:
                count = self._file.readinto(place)
            if not count:
                raise OSError("it was cut short while it was read")
            self._read += count
        return self._read

    def let_go(self, stop: int) -> None:
        """Give up the memory of everything before ``stop``."""
        stop = stop // _PAGE * _PAGE
        if isinstance(self.data, bytes) or stop <= self._gone or not hasattr(mmap, "MADV_DONTNEED"):
            return
        self.data.madvise(mmap.MADV_DONTNEED, self._gone, stop - self._gone)
        self._gone = stop
