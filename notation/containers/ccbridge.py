"""CBR and CBL of CCBridge 3 (象棋桥): one record, or a library of them, with variations and comments.

A record is a header of fixed fields, texts in UTF-16 that end with a NUL, then the board, point by point from Black's
back rank, then the moves as a tree in preorder. What stands between the fields is whatever the program's memory held.
A library has a header and an index with an entry for each of its slots of 4096 bytes, which follow; a record begins
with a slot and takes as many as it needs. Records that the index does not list are read, too.

The format was never published; it is read as files show it, and as cchess and vschess agree on it. Of the older records
(version 1) no file was at hand: they are read as vschess reads them, with points as in the older libraries (`cbl`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct
from typing import IO, Final, NamedTuple

from notation.containers import drafts
from notation.containers.cut import AT_ONCE, WHOLE, Cut, opened, size_of
from notation.containers.drafts import FILES, Draft, point
from notation.containers.foreign import unread
from notation.finding import Finding, limited, shown
from notation.record import RecordBatch

RECORD: Final = b"CCBridge Record\0"
LIBRARY: Final = b"CCBridgeLibrary\0"

# -- records ---------------------------------------------------------------------------------------------------

VERSION: Final = 19
_TEXTS: Final = {
    "Title": (180, 128),
    "Source": (564, 64),
    "Event": (692, 64),
    "Round": (756, 64),
    "Group": (820, 32),
    "Board": (852, 32),
    "Date": (884, 64),
    "Site": (948, 64),
    "TimeControl": (1012, 64),
    "Red": (1076, 64),
    "RedTeam": (1140, 64),
    "RedTime": (1204, 64),
    "RedElo": (1268, 32),
    "Black": (1300, 64),
    "BlackTeam": (1364, 64),
    "BlackTime": (1428, 64),
    "BlackElo": (1492, 32),
    "Referee": (1524, 64),
    "Recorder": (1588, 64),
    "Annotator": (1652, 64),
    "Author": (1780, 64),
    "Termination": (2080, 32),
}
"""Where texts stand in a header of version 2, and the room that they have."""
_ADDED: Final = ("Referee", "Recorder")
"""What version 1 does not have; nor does it have the 128 bytes before the title."""
RESULT: Final = 2076
FIRST_MOVER: Final = 2112
BOARD: Final = 2120
TREE: Final = 2214
LEAST: Final = TREE - 256
"""Bytes of the shortest header."""
_POINTS: Final = 90
_PIECES: Final = {
    side + number: piece
    for side, pieces in ((0x10, "RNBAKCP"), (0x20, "rnbakcp"))
    for number, piece in enumerate(pieces, 1)
}
_NO_PIECE: Final = (0, 1)
_LAST, _HAS_OTHER, _HAS_COMMENT = 1, 2, 4
_SIGNS: Final = _LAST | _HAS_OTHER | _HAS_COMMENT

# -- libraries -------------------------------------------------------------------------------------------------

SLOTS: Final = 60
NAME: Final = (64, 512)
INDEX: Final = 66624
ENTRY: Final = Struct("<5I80s128s48x")
"""In the index: a state, the first slot of a record, how many it takes, its bytes, 0; its identifier and its title."""
SLOT: Final = 4096


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """Cut ``source`` at records into pieces of ``target_bytes`` or a little more, in order."""
    size = size_of(source)
    with opened(source) as file:
        library = _Library.of(file)
        if library is None:
            yield Cut(last=size, games=sum(1 for _ in _starts(file)), hint=_Hint().text())
            return
        first = index = games = 0
        starts = set()
        for start in _starts(file):
            starts.add(start)
            if games and start - first >= target_bytes:
                yield Cut(first, start, 0, index, games, _Hint(library.name).text(), False)
                first, index, games = start, index + games, 0
            games += 1
        yield Cut(first, size, 0, index, games, _Hint(library.name, library.missing(starts)).text())


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Every record of a ``cut``; their texts are in UTF-16, whatever ``encoding`` says."""
    data = source if isinstance(source, bytes) else cut.of(source)
    if cut.hint is None:
        (cut,) = split(data, len(data) + 1)
    hint = _Hint.of(cut.hint or "")
    with opened(data) as file:
        starts = [*_starts(file)]
    stops = [*starts, len(data)][1:]
    made = [
        _Record(data[start:stop], cut.first + start, index, hint.library).draft()
        for index, (start, stop) in enumerate(zip(starts, stops, strict=True))
    ]
    batch = drafts.batch(made, "utf-16-le", cut.index)
    batch.findings += limited(
        Finding("missing-record", text=shown(title), byte=byte, details={"place": place})
        for byte, title, place in hint.missing
    )
    if not made and cut.final:
        batch.findings.append(Finding("no-games", byte=0))
    return batch


class _Hint(NamedTuple):
    """What a piece is to know of its source: the name of the library, and of the records that are in its index and
    nowhere else the byte of the entry, the title, and where the record ought to be."""

    library: str = ""
    missing: Sequence[tuple[int, str, int]] = ()

    def text(self) -> str:
        return json.dumps(self)

    @classmethod
    def of(cls, text: str) -> _Hint:
        return cls(*json.loads(text))


def _starts(file: IO[bytes]) -> Iterator[int]:
    """Where records begin in ``file``; what looks like one within the header of another is what memory held."""
    file.seek(0)
    before, place, least = b"", 0, 0
    while block := file.read(AT_ONCE):
        text = before + block
        place -= len(before)
        found = text.find(RECORD)
        while found >= 0:
            if place + found >= least:
                yield place + found
                least = place + found + LEAST
            found = text.find(RECORD, found + len(RECORD))
        place += len(text)
        before = text[1 - len(RECORD) :]


class _Library(NamedTuple):
    """The name of a library, and its index: the byte of an entry, the title, and the place of the record after the
    index."""

    name: str
    entries: list[tuple[int, str, int]]

    @classmethod
    def of(cls, file: IO[bytes]) -> _Library | None:
        """The library that ``file`` begins with; None for one that is no library."""
        head = file.read(INDEX)
        if not head.startswith(LIBRARY):
            return None
        slots = int.from_bytes(head[SLOTS : SLOTS + 4], "little")
        entries = []
        for number in range(slots):
            entry = file.read(ENTRY.size)
            if len(entry) < ENTRY.size or RECORD in entry:
                break
            state, slot, count, _, _, _, title = ENTRY.unpack(entry)
            if state and count:
                place = INDEX + slots * ENTRY.size + slot * SLOT
                entries.append((INDEX + number * ENTRY.size, _shown(title), place))
        return cls(_shown(head[NAME[0] : sum(NAME)]), entries)

    def missing(self, starts: set[int]) -> list[tuple[int, str, int]]:
        """The entries whose record is not among ``starts``; none where the number of slots cannot be right."""
        if not any(place in starts for _, _, place in self.entries):
            return []
        return [entry for entry in self.entries if entry[2] not in starts]


class _Record:
    """A record in the bytes ``data``, which stand at ``place`` in the source, of the library ``library``."""

    def __init__(self, data: bytes, place: int, index: int, library: str):
        self.data, self.place, self.library = data, place, library
        self.head = data[:TREE].ljust(TREE, b"\0")
        self.older = self.head[VERSION] == 1
        self.made = Draft(index, place)
        self.made.stop = place + len(data)

    def draft(self) -> Draft:
        """All that the record holds."""
        if self.head[VERSION] not in (1, 2) and not self.is_board():
            details, place = unread(f"CBR {self.head[VERSION]}"), self.place + VERSION
            self.made.findings.append(Finding("foreign-format", self.made.index, details=details, byte=place))
            self.made.board = False
            return self.made
        if len(self.data) < self.at(TREE):
            self.made.fault("truncated-file", self.place + len(self.data), where="game header")
        for name, (begin, room) in _TEXTS.items():
            if not (self.older and name in _ADDED):
                self.made.tags[name] = _text(self.head, self.at(begin), room), self.place + self.at(begin)
        if not self.made.tags["Source"][0]:
            self.made.tags["Source"] = self.library.encode("utf-16-le", "surrogatepass"), 0
        self.made.result = self.head[self.at(RESULT)]
        self.made.black_first = self.head[self.at(FIRST_MOVER)] == 2
        self.board()
        self.made.tree(self.node, self.at(TREE))
        return self.made

    def at(self, place: int) -> int:
        """Where in this record stands what version 2 has at ``place``."""
        if not self.older:
            return place
        added = _TEXTS["Annotator"][0]
        return place - (256 if place >= added else 128)

    def is_board(self) -> bool:
        """Whether there is a board where version 2 has one."""
        points = {*self.head[BOARD : BOARD + _POINTS]} - {*_NO_PIECE}
        return {0x15, 0x25} <= points <= _PIECES.keys()

    def board(self) -> None:
        begin, strange = self.at(BOARD), []
        for number, code in enumerate(self.head[begin : begin + _POINTS]):
            row, file = divmod(number, FILES)
            if code in _PIECES:
                self.made.put(_PIECES[code], file, 9 - row, self.place + begin + number)
            elif code not in _NO_PIECE:
                strange.append((self.place + begin + number, f"{code:#04x}", point(file, 9 - row)))
        if strange:
            place, code_there, there = strange[0]
            why, why_zh = f"{code_there} on {there} is no piece", f"{there} 上的 {code_there} 不是棋子"
            if len(strange) > 1:
                why, why_zh = f"{why}, one of {len(strange)}", f"{why_zh}(共 {len(strange)} 处)"
            self.made.fault("bad-setup", place, 0, why=why, why_zh=why_zh)

    def node(self, at: int, ply: int) -> tuple[int, bool, bool] | None:
        """A move of the tree, as `Draft.tree` asks for it."""
        if len(self.data) < at + 4:
            self.cut_short(ply)
            return None
        signs, _, origin, target = self.data[at : at + 4]
        if signs & ~_SIGNS or (ply and origin == target):
            self.made.fault("not-moves", self.place + at, ply)
            return None
        if ply:
            self.made.move(ply, self.point(origin) + self.point(target), self.place + at)
        at += 4
        if signs & _HAS_COMMENT:
            if len(self.data) < at + 4:
                self.cut_short(ply)
                return None
            length, left = int.from_bytes(self.data[at : at + 4], "little"), len(self.data) - at - 4
            if length > left:
                self.made.fault("bad-length", self.place + at, ply, length=length, left=left)
                return None
            at += 4 + length
            self.made.say(ply, self.data[at - length : at], self.place + at - length)
        return at, not signs & _LAST, bool(signs & _HAS_OTHER)

    def cut_short(self, ply: int) -> None:
        if len(self.data) >= self.at(TREE):
            self.made.fault("truncated-file", self.place + len(self.data), ply, where="list of moves")

    def point(self, square: int) -> str:
        row, file = (square & 15, square >> 4) if self.older else divmod(square, FILES)
        return point(file, 9 - row)


def _text(data: bytes, begin: int, room: int) -> bytes:
    """The text at ``begin``, up to its NUL."""
    field = data[begin : begin + room]
    stop = next((k for k in range(0, len(field) - 1, 2) if not field[k] | field[k + 1]), len(field) & ~1)
    return field[:stop]


def _shown(field: bytes) -> str:
    return _text(field, 0, len(field)).decode("utf-16-le", "replace").strip()
