"""XQF, the format of 象棋演播室 (XQStudio): one record in a file of bytes, with variations and comments.

A header of 1024 bytes holds where the pieces stand, who moves first, the result, titles and players; then the moves
follow as a tree in preorder. From version 11 on bytes are shifted by keys that the header holds, from 12 on the pieces
stand in another order, too. The format was never published; it is read here as the author's XQFRW.pas, eleeye's XQF2PGN
and cchess agree on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from notation.containers import drafts
from notation.containers.cut import WHOLE, Cut, size_of
from notation.containers.drafts import FILES, PIECES, RANKS, Draft, point
from notation.record import RecordBatch

HEADER: Final = 1024
KEYED: Final = 11
TURNED: Final = 12
"""The first versions with keys, and with the pieces in another order."""

_TEXTS: Final = {
    "Event": (208, 64),
    "Site": (288, 16),
    "Date": (272, 16),
    "Red": (304, 16),
    "Black": (320, 16),
    "Title": (80, 64),
    "Subtitle": (144, 64),
    "TimeControl": (336, 64),
    "RedTime": (400, 16),
    "BlackTime": (416, 16),
    "Annotator": (464, 16),
    "Author": (480, 16),
}
"""Where in the header texts stand, a byte with their length first, and how much room they have."""
_SIGNATURE: Final = b"[(C) Copyright Mr. Dong Shiwei.]"


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """One cut: the file is one record."""
    yield Cut(last=size_of(source), games=1)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """The record of ``source``, its texts in ``encoding`` or in the one that they all fit best."""
    data = source if isinstance(source, bytes) else cut.of(source)
    return drafts.batch([_File(data).draft()], encoding)


@dataclass(frozen=True, slots=True)
class _Keys:
    """How far bytes are shifted: those of places, of origins, of destinations, of lengths of comments, and of all."""

    place: int = 0
    origin: int = 0
    target: int = 0
    length: int = 0
    stream: bytes = bytes(32)

    @classmethod
    def of(cls, head: bytes) -> _Keys:
        """The keys that the header holds."""
        if head[2] < KEYED:
            return cls()
        mask, ors, (total, place, origin, target) = head[3], head[8:12], head[12:16]

        def shift(key: int, by: int) -> int:
            return (54 * key * key + 221) * by & 255

        first = shift(place, place)
        second = shift(origin, first)
        parts = [byte & mask | by for byte, by in zip((total, place, origin, target), ors, strict=True)]
        stream = bytes(sign & parts[k % 4] for k, sign in enumerate(_SIGNATURE))
        return cls(first, second, shift(target, second), (total * 256 + place) % 32000 + 767, stream)


class _File:
    def __init__(self, data: bytes):
        self.data = data
        self.head = data[:HEADER].ljust(HEADER, b"\0")
        self.keys = _Keys.of(self.head)
        self.body = bytearray(data[HEADER:])
        for k, shift in enumerate(self.keys.stream):
            if shift:
                self.body[k::32] = self.body[k::32].translate(
                    bytes(byte - shift & 255 for byte in range(256))
                )
        self.made = Draft()
        self.made.stop = len(data)

    def draft(self) -> Draft:
        """All that the file holds."""
        if len(self.data) < HEADER:
            self.made.fault("truncated-file", len(self.data), where="game header")
        self.pieces()
        for name, (begin, room) in _TEXTS.items():
            length = min(self.head[begin], room - 1)
            text = self.head[begin + 1 : begin + 1 + length].split(b"\0")[0]
            self.made.tags[name] = text, begin + 1
        self.made.result = self.head[51]
        self.made.black_first = self.head[50] == 1
        self.made.tree(self.node, HEADER)
        return self.made

    def pieces(self) -> None:
        for number, stored in enumerate(self.head[16:48]):
            piece = (self.keys.place + 1 + number) % 32 if self.head[2] >= TURNED else number
            file, rank = divmod(stored - self.keys.place & 255, RANKS)
            if file < FILES:  # others are off the board
                self.made.put(PIECES[piece], file, rank, 16 + number)

    def node(self, place: int, ply: int) -> tuple[int, bool, bool] | None:
        """A move of the tree, as `Draft.tree` asks for it."""
        at = place - HEADER
        if len(self.body) < at + 4:
            self.cut_short(ply)
            return None
        start, stop, sign = self.body[at : at + 3]
        if self.head[2] < KEYED:
            goes_on, has_other, has_comment = sign & 0xF0, sign & 0x0F, True
        else:
            goes_on, has_other, has_comment = sign & 0x80, sign & 0x40, bool(sign & 0x20)
        if ply:
            origin, target = start - 24 - self.keys.origin & 255, stop - 32 - self.keys.target & 255
            self.made.move(ply, point(*divmod(origin, RANKS)) + point(*divmod(target, RANKS)), place)
        at += 4
        if has_comment:
            if len(self.body) < at + 4:
                self.cut_short(ply)
                return None
            length = int.from_bytes(self.body[at : at + 4], "little") - self.keys.length
            left = len(self.body) - at - 4
            if not 0 <= length <= left:
                self.made.fault("bad-length", HEADER + at, ply, length=length, left=left)
                return None
            at += 4 + length
            self.made.say(ply, bytes(self.body[at - length : at]), HEADER + at - length)
        return HEADER + at, bool(goes_on), bool(has_other)

    def cut_short(self, ply: int) -> None:
        if len(self.data) >= HEADER:
            self.made.fault("truncated-file", len(self.data), ply, where="list of moves")
