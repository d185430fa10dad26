"""CBL, the libraries of the older CCBridge (象棋桥): many records, with variations and comments, packed by zlib.

After ``CCBridge`` come three numbers, the last of them the size unpacked. Inside are the library's title, author and
number of records, and then the records: their size, the pieces, tags, the moves as a tree in preorder with the ply of
each, and a comment for each. Numbers are of four bytes, the lowest first; texts have their length before them. The
format was never published; it is read as libraries show it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from notation.containers import drafts
from notation.containers.cut import WHOLE, Cut, size_of
from notation.containers.drafts import PIECES, Draft, point
from notation.finding import Finding
from notation.record import RecordBatch

PACKED: Final = 20
"""The byte at which what is packed begins."""
LARGEST: Final = 256 << 20
"""Bytes that are unpacked of a library at most."""
_DATES: Final = 2 * 19
"""Bytes of two dates, of when it was made and when it was last changed."""


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """One cut: what is packed is unpacked from its beginning."""
    yield Cut(last=size_of(source))


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Every record of ``source``, the texts of each in ``encoding`` or in the one that they all fit best.

    Places are those of what is unpacked.
    """
    data = source if isinstance(source, bytes) else cut.of(source)
    unpacked = zlib.decompressobj()
    try:
        text, fault = unpacked.decompress(data[PACKED:], LARGEST), not unpacked.eof
    except zlib.error:
        text, fault = _as_far_as_it_goes(data[PACKED:]), True
    library = _Library(text)
    batch = drafts.batch([*library.drafts()], encoding)
    if fault or library.missing:
        details = {"where": "record"}
        batch.findings.insert(0, Finding("truncated-file", details=details, byte=len(text)))
    return batch


def _as_far_as_it_goes(packed: bytes) -> bytes:
    """What comes before the damage."""
    unpacked, found = zlib.decompressobj(), bytearray()
    try:
        for place in range(0, len(packed), 64):
            found += unpacked.decompress(packed[place : place + 64], LARGEST - len(found))
            if len(found) >= LARGEST:
                break
    except zlib.error:
        pass
    return bytes(found)


class _Short(Exception):
    """There is less than a length or a number says."""


class _Library:
    """A library unpacked, read from its beginning on."""

    def __init__(self, data: bytes):
        self.data = data
        self.place = 0
        self.stop = len(data)
        self.missing = False
        """Whether there are fewer records than the library says."""

    def take(self, count: int) -> bytes:
        if count > self.stop - self.place:
            raise _Short
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def text(self) -> tuple[bytes, int]:
        """A text, and where it begins."""
        length = self.number()
        return self.take(length), self.place - length

    def drafts(self) -> Iterator[Draft]:
        try:
            title, *_ = [self.text() for _ in range(5)]
            self.take(_DATES)
            count = self.number()
            self.text()
            for index in range(count):
                size = self.number()
                begin = self.place
                draft = Draft(index, begin - 4)
                self.stop = draft.stop = min(begin + size - 4, len(self.data))
                try:
                    self.record(draft)
                    draft.tags.setdefault("Source", title)
                except _Short:
                    draft.fault("truncated-file", self.place, where="record")
                yield draft
                if size < 36 or begin + size - 4 > len(self.data):
                    raise _Short
                self.place, self.stop = begin + size - 4, len(self.data)
        except _Short:
            self.missing = True

    def record(self, draft: Draft) -> None:
        begin = self.place
        for number, square in enumerate(self.take(32)):
            file, row = (square >> 4) - 1, (square & 15) - 1
            if square:
                draft.put(PIECES[number], file, 9 - row, begin + number)
        self.number()  # what kind of record it is: a game, an opening, an ending
        draft.tags["Event"] = self.text()
        self.number()
        names = ("Title", "Subtitle", "", "Site", "Date", "Red", "Black")
        draft.tags |= {name: text for name in names if (text := self.text()) and name}
        draft.result = self.number()
        draft.tags |= {
            name: text for name in ("Annotator", "", "Author", "") if (text := self.text()) and name
        }
        said, at = self.text()
        draft.say(0, said.replace(b"||", b"\n"), at)
        draft.black_first = self.take(1) == b"\0"
        self.take(_DATES)
        self.moves(draft)

    def moves(self, draft: Draft) -> None:
        """The moves, six bytes each, and after them a line of comment for each; so both are read at once."""
        count = self.number()
        begin = self.place
        moves = self.take(min(6 * count, self.stop - begin))
        last = 0
        for at in range(0, len(moves) - 5, 6):
            ply, origin, target = int.from_bytes(moves[at : at + 2], "little"), moves[at + 2], moves[at + 3]
            if not 1 <= ply <= last + 1:
                draft.fault("move-number", begin + at, last + 1, str(ply), expected=last + 1)
                return
            draft.move(ply, _point(origin) + _point(target), begin + at)
            last = ply
            end = self.data.find(b"\r\n", self.place, self.stop)
            if end >= 0:
                draft.say(ply, self.data[self.place : end].replace(b"||", b"\n"), self.place)
                self.place = end + 2
        if len(moves) < 6 * count:
            raise _Short


def _point(square: int) -> str:
    return point(square >> 4, 9 - (square & 15))
