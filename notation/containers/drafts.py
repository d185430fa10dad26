"""Records in the making, for formats of bytes: pieces on points, moves as a tree in preorder, texts in one encoding."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from notation import encoding as encodings
from notation.fen import EMPTY, Setup, write_fen
from notation.finding import Finding
from notation.record import GameRecord, RecordBatch, Variation

PIECES: Final = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
"""The pieces of the usual start, in the order in which these formats name them."""
FILES: Final = 9
RANKS: Final = 10
START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
MOST_MOVES: Final = 1_000_000
"""Of one record; seven times what the largest tree known has."""
_RESULTS: Final = ("*", "1-0", "0-1", "1/2-1/2")
"""By the numbers that these formats have for them; others say nothing."""
_ORIGIN: Final = re.compile(r"([a-i])(\d+)")


def point(file: int, rank: int) -> str:
    """The point on ``file`` and ``rank``, both from 0, as moves name it; what is off the board makes no move."""
    return f"{chr(97 + file)}{rank + 1}" if 0 <= file < FILES and 0 <= rank < RANKS else f"?{file}.{rank}"


@dataclass(slots=True)
class _Line:
    """The main line or a variation, the line that it hangs on, its first ply, and its comments by ply."""

    line: GameRecord | Variation
    parent: _Line | None = None
    first: int = 1
    said: dict[int, tuple[bytes, int]] = field(default_factory=dict)

    @property
    def moves(self) -> list[str]:
        return self.line.tokens if isinstance(self.line, GameRecord) else self.line.moves


class Draft:
    """A record of which a format tells the parts; `record` makes it. Texts are bytes, and come with their places in the
    source, of which the record takes the bytes ``start:stop``. ``findings`` are of game ``index`` of the batch."""

    def __init__(self, index: int = 0, start: int = 0, board: bool = True):
        self.index = index
        self.stop = start
        self.findings: list[Finding] = []
        self.points: dict[tuple[int, int], str] = {}
        self.tags: dict[str, tuple[bytes, int]] = {}
        self.result = 0
        """The number of the result."""
        self.black_first: bool | None = None
        """What the format says; where there are moves, the first of them tells."""
        self.places = array("Q")
        """Of the moves of the main line."""
        self.board = board
        """Whether the format tells where the pieces stand."""
        self.line = 0
        """Where the record begins, in formats with lines."""
        self.written_in = ""
        """The encoding of the source, where texts come here in another."""
        self._record = GameRecord(index=index, offset=start)
        self._line = _Line(self._record)
        self._lines = [self._line]
        self._ply = 0

    def fault(
        self, code: str, byte: int, ply: int | None = None, text: str | None = None, **details: object
    ) -> None:
        self.findings.append(Finding(code, self.index, ply, text, details=details, byte=byte))

    def put(self, piece: str, file: int, rank: int, byte: int) -> None:
        """A piece stands on a point."""
        if there := self.points.get((file, rank)):
            self.fault("piece-on-piece", byte, 0, piece, square=point(file, rank), on=there)
        self.points[file, rank] = piece

    def move(self, ply: int, text: str, byte: int) -> None:
        """The next move of the tree: it goes on where the one before stopped, or stands instead of an earlier one."""
        if ply != self._ply + 1:
            above = self._line
            while above.parent and ply <= above.first:
                above = above.parent
            beside = Variation(ply)
            above.line.variations.append(beside)
            self._line = _Line(beside, above, ply)
            self._lines.append(self._line)
        self._ply = ply
        self._line.moves.append(text)
        if self._line.parent is None:
            self.places.append(byte)

    def tree(self, node: Callable[[int, int], tuple[int, bool, bool] | None], place: int) -> None:
        """Read moves that stand in preorder from ``place`` on, with what is said before the first as ply 0.

        ``node`` reads the one of a ply at a place, and says where the next stands, whether the line goes on, and
        whether there is another move instead of this one; None when nothing can be read there.
        """
        others: list[int] = []
        ply = 0
        for _ in range(MOST_MOVES):
            read = node(place, ply)
            if read is None:
                return
            place, goes_on, has_other = read
            if has_other and ply:
                others.append(ply)
            if goes_on:
                ply += 1
            elif others:
                ply = others.pop()
            else:
                return
        self.fault("long-game", place, ply)

    def say(self, ply: int, text: bytes, byte: int) -> None:
        """A comment on ``ply`` of the line that the last move belongs to."""
        if text:
            self._line.said[ply] = text, byte

    def record(self, encoding: str | None) -> GameRecord:
        """The record, its texts in ``encoding`` or in the one that they all fit best."""
        record = self._record
        record.line = self.line
        said = [text for line in self._lines for text, _ in line.said.values()]
        tagged = [text for text, _ in self.tags.values()]
        # All of it is one text: the shortest of its parts could be in any encoding.
        record.encoding = encoding or encodings.decide(b"\n".join(tagged + said), "gb18030")
        for name, (raw, byte) in self.tags.items():
            if text := self._decoded(raw, byte).strip():
                record.tags[name] = text
        result = _RESULTS[self.result if self.result < len(_RESULTS) else 0]
        record.result = record.tags["Result"] = result
        for line in self._lines:
            for ply, (raw, byte) in line.said.items():
                if text := self._decoded(raw, byte, ply).replace("\r\n", "\n").strip():
                    line.line.comments[ply] = [text]
        record.fen = self._fen()
        record.encoding = self.written_in or record.encoding
        return record

    def _decoded(self, raw: bytes, byte: int, ply: int | None = None) -> str:
        found = encodings.decode(raw, encoding=self._record.encoding)
        if found.fault is not None:
            text = encodings.escaped(raw[found.fault : found.fault + 1])
            self.fault("mixed-encoding", byte + found.fault, ply, text, encoding=self._record.encoding)
        return found.text.decode("utf-8", "replace").replace("\0", "")

    def _fen(self) -> str | None:
        """The start position, None for the usual one."""
        if not self.board:
            return None
        rows = [
            "".join(self.points.get((file, rank), EMPTY) for file in range(FILES)) for rank in range(RANKS)
        ]
        side = None if self.black_first is None else int(self.black_first)
        if first := _ORIGIN.match(next(iter(self._record.tokens), "")):
            mover = self.points.get((ord(first[1]) - 97, int(first[2]) - 1))
            side = int(mover.islower()) if mover else side
        fen = write_fen(Setup(rows, side), {})
        return fen if side or fen.split()[0] != START else None


def batch(drafts: Sequence[Draft], encoding: str | None, first: int = 0) -> RecordBatch:
    """The records of ``drafts``, in their order; that of index 0 is number ``first`` of its source."""
    records = [draft.record(encoding) for draft in drafts]
    for record in records:
        record.index += first
    made = RecordBatch.from_records(records)
    made.rank_base = array("b", [1]) * len(made)  # ranks count from 1 here, whatever ranks the moves show
    made.end = array("Q", (draft.stop for draft in drafts))
    made.token_byte = array("Q", (place for draft in drafts for place in draft.places))
    made.findings = [finding for draft in drafts for finding in draft.findings]
    return made
