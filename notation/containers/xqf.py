"""XQF, the format of 象棋演播室 (XQStudio): one record in a file of bytes, with variations and comments.

A header of 1024 bytes holds where the pieces stand, who moves first, the result, titles and players; then the moves
follow as a tree in preorder. From version 11 on bytes are shifted by keys that the header holds, from 12 on the pieces
stand in another order, too. The format was never published; it is read here as the author's XQFRW.pas, eleeye's XQF2PGN
and cchess agree on it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from notation import encoding as encodings
from notation.containers.cut import WHOLE, Cut
from notation.fen import EMPTY, Setup, write_fen
from notation.finding import Finding
from notation.record import GameRecord, RecordBatch, Variation

HEADER: Final = 1024
KEYED: Final = 11
TURNED: Final = 12
"""The first versions with keys, and with the pieces in another order."""
PIECES: Final = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
FILES: Final = 9
RANKS: Final = 10
START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

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
_RESULTS: Final = ("*", "1-0", "0-1", "1/2-1/2")
_SIGNATURE: Final = b"[(C) Copyright Mr. Dong Shiwei.]"
MOST_MOVES: Final = 1_000_000
"""Seven times what the largest tree known has."""


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """One cut: the file is one record."""
    yield Cut(last=len(source) if isinstance(source, bytes) else Path(source).stat().st_size, games=1)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """The record of ``source``, its texts in ``encoding`` or in the one that they all fit best."""
    file = _File(source if isinstance(source, bytes) else cut.of(source))
    record = file.record(encoding)
    batch = RecordBatch.from_records([record])
    batch.rank_base = array("b", [1])  # ranks count from 1 here, whatever ranks the moves show
    batch.end[0] = len(file.data)
    batch.findings = file.findings
    return batch


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


@dataclass(slots=True)
class _Line:
    """A line of the tree, the main line or a variation, with the line it hangs on, and comments as bytes by ply."""

    line: GameRecord | Variation
    parent: _Line | None
    first: int
    said: dict[int, tuple[bytes, int]] = field(default_factory=dict)
    """Comments, and the bytes of the file at which they begin."""

    @property
    def moves(self) -> list[str]:
        return self.line.tokens if isinstance(self.line, GameRecord) else self.line.moves


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
        self.first = 0
        """Where the first move of the main line begins."""
        self.findings: list[Finding] = []

    def fault(
        self, code: str, byte: int, ply: int | None = None, text: str | None = None, **details: object
    ) -> None:
        self.findings.append(Finding(code, 0, ply, text, details=details, line=1, byte=byte))

    def record(self, encoding: str | None) -> GameRecord:
        """All that the file holds."""
        if len(self.data) < HEADER:
            self.fault("truncated-file", len(self.data), where="game header")
        record = GameRecord()
        pieces = self.pieces()
        lines = self.tree(record)
        texts = {name: self.text(*place) for name, place in _TEXTS.items()}
        said = [comment for line in lines for comment, _ in line.said.values()]
        # All of it is one text: the shortest of its parts could be in any encoding.
        record.encoding = encoding or encodings.decide(b"\n".join([*texts.values(), *said]), "gb18030")
        for name, raw in texts.items():
            if raw:
                record.tags[name] = self.decoded(raw, record.encoding, _TEXTS[name][0] + 1)
        record.result = record.tags["Result"] = _RESULTS[
            self.head[51] if self.head[51] < len(_RESULTS) else 0
        ]
        for line in lines:
            for ply, (comment, byte) in line.said.items():
                if text := self.decoded(comment, record.encoding, byte, ply).strip("\0 \r\n\t"):
                    line.line.comments[ply] = [text.replace("\r\n", "\n")]
        rows = ["".join(pieces[file * RANKS + rank] for file in range(FILES)) for rank in range(RANKS)]
        side = self.side(pieces, record)
        fen = write_fen(Setup(rows, side), {})
        if side or fen.split()[0] != START:
            record.fen = fen
        return record

    # ---- the header --------------------------------------------------------------------------------

    def text(self, begin: int, room: int) -> bytes:
        length = min(self.head[begin], room - 1)
        return self.head[begin + 1 : begin + 1 + length].split(b"\0")[0].strip()

    def decoded(self, raw: bytes, encoding: str, byte: int, ply: int | None = None) -> str:
        found = encodings.decode(raw, encoding=encoding)
        if found.fault is not None:
            text = raw[found.fault : found.fault + 1].hex()
            self.fault("mixed-encoding", byte + found.fault, ply, text, encoding=encoding)
        return found.text.decode("utf-8", "replace")

    def pieces(self) -> list[str]:
        """What stands on the points, file by file from Red's left."""
        points = [EMPTY] * (FILES * RANKS)
        for number, stored in enumerate(self.head[16:48]):
            piece = (self.keys.place + 1 + number) % 32 if self.head[2] >= TURNED else number
            place = stored - self.keys.place & 255
            if place >= len(points):
                continue  # it is off the board
            if points[place] != EMPTY:
                self.fault(
                    "piece-on-piece", 16 + number, 0, PIECES[piece], square=_point(place), on=points[place]
                )
            points[place] = PIECES[piece]
        return points

    def side(self, pieces: list[str], record: GameRecord) -> int:
        """The side to move first is the one that does; without a move, the one that the header names."""
        first = self.first if record.tokens else len(pieces)
        if first < len(pieces) and pieces[first] != EMPTY:
            return int(pieces[first].islower())
        return int(self.head[50] == 1)

    # ---- the tree ----------------------------------------------------------------------------------

    def tree(self, record: GameRecord) -> list[_Line]:
        """Read the moves into ``record``; returns its lines, the main line first."""
        main = _Line(record, None, 1)
        lines, others = [main], list[tuple[_Line, int]]()
        line, ply, place = main, 0, 0
        for _ in range(MOST_MOVES):
            node = self.node(place, line, ply)
            if node is None:
                break
            place, goes_on, has_other = node
            if has_other and ply:
                # What stands beside the first move of a variation stands beside the line that this hangs on.
                others.append((line.parent or line if ply == line.first else line, ply))
            if goes_on:
                ply += 1
            elif others:
                parent, ply = others.pop()
                line = _Line(Variation(ply), parent, ply)
                parent.line.variations.append(line.line)  # type: ignore[arg-type]
                lines.append(line)
            else:
                break
        else:
            self.fault("long-game", HEADER + place, ply)
        return lines

    def node(self, place: int, line: _Line, ply: int) -> tuple[int, bool, bool] | None:
        """Read a move, which is ply ``ply`` of ``line``, or what stands before the first (ply 0): the place of the
        next, whether the line goes on, and whether there is another move instead of this one."""
        if len(self.body) < place + 4:
            self.cut_short(ply)
            return None
        sign, at = self.body[place + 2], place
        place += 4
        if self.head[2] < KEYED:
            goes_on, has_other, has_comment = sign & 0xF0, sign & 0x0F, True
        else:
            goes_on, has_other, has_comment = sign & 0x80, sign & 0x40, bool(sign & 0x20)
        if ply:
            origin = self.body[at] - 24 - self.keys.origin & 255
            target = self.body[at + 1] - 32 - self.keys.target & 255
            if ply == 1 and line.parent is None:
                self.first = origin
            line.moves.append(f"{_point(origin)}{_point(target)}")
        if has_comment:
            if len(self.body) < place + 4:
                self.cut_short(ply)
                return None
            length = int.from_bytes(self.body[place : place + 4], "little") - self.keys.length
            place += 4
            left = len(self.body) - place
            if not 0 <= length <= left:
                self.fault("bad-length", HEADER + place - 4, ply, length=length, left=left)
                return None
            if length:
                line.said[ply] = bytes(self.body[place : place + length]), HEADER + place
            place += length
        return place, bool(goes_on), bool(has_other)

    def cut_short(self, ply: int) -> None:
        if len(self.data) >= HEADER:
            self.fault("truncated-file", len(self.data), ply, where="list of moves")


def _point(place: int) -> str:
    """The point numbered ``place``, ranks from 1; what is off the board stays a number, which is no move."""
    file, rank = divmod(place, RANKS)
    return f"{chr(97 + file)}{rank + 1}" if file < FILES else f"?{place}"
