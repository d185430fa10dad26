"""CBF, one record of CCBridge (象棋桥) as XML, with comments and variations.

    <ChineseChessRecord Version="1.0">
     <Head><Name>…</Name><Red>…</Red> … <RecordResult>1</RecordResult><FEN>… w - - 0 1</FEN></Head>
     <MoveList>
      <Move value="00-00"><![CDATA[said before the first move]]></Move>
      <Move value="77-47" /> … <Move value="70-62" end="1" />
     </MoveList>
    </ChineseChessRecord>

Points are those of `digits`. Moves stand in preorder, as in `ccbridge`, and ``end`` closes a line. No specification is
public, and no file with variations was at hand: any other attribute that is 1 is taken to say, as the sign in CBR does,
that another move stands instead of this one.

XML that declares entities is not read on from there; of that, and of what is broken, the moves before are kept.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from xml.parsers import expat

from notation import encoding as encodings
from notation.containers import digits, wide
from notation.containers.cut import WHOLE, Cut, size_of
from notation.containers.drafts import MOST_MOVES, Draft
from notation.finding import Finding, shown
from notation.record import Place, RecordBatch

ROOT: Final = b"ChineseChessRecord"
_TAGS: Final = {
    "Name": "Title",
    "From": "Source",
    "Contest": "Event",
    "Round": "Round",
    "Group": "Group",
    "Table": "Board",
    "Date": "Date",
    "Site": "Site",
    "TimeRule": "TimeControl",
    "Red": "Red",
    "RedTeam": "RedTeam",
    "RedTime": "RedTime",
    "RedRating": "RedElo",
    "Black": "Black",
    "BlackTeam": "BlackTeam",
    "BlackTime": "BlackTime",
    "BlackRating": "BlackElo",
    "Referee": "Referee",
    "Recorder": "Recorder",
    "Commentator": "Annotator",
    "Creator": "Author",
    "ECCO": "ECCO",
    "ResultType": "Termination",
    "FEN": "FEN",
}
"""The tags that elements of the head become; the number of the result is another."""
_BEFORE: Final = "00-00"
"""Stands for a move where there is none yet."""
_DECLARATION: Final = re.compile(rb"\A\s*<\?xml\b[^>]*>")
_NO_CHARACTERS: Final = bytes(32 if byte < 32 and byte not in b"\t\n\r" else byte for byte in range(256))
_BREAK: Final = re.compile(rb"\r\n?|\n")
_ENDS: Final = [
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
]
"""What is wrong when the end is missing."""
LONGEST_MOVE: Final = 400
DEEPEST: Final = 64
"""So deep elements may be nested."""


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """One cut: the file is one record."""
    yield Cut(last=size_of(source))


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """The record of ``source``; parameters and faults as in `pgn.read`."""
    return wide.read(source, encoding, cut, lambda data, name, piece: _File(data, name, piece).batch())


@dataclass(slots=True)
class _Element:
    """An element that begins at byte ``start``, what it says, and of a move whether its line ends with it and another
    stands instead of it."""

    name: str
    start: int
    value: str = ""
    ends: bool = False
    has_other: bool = False
    said: list[str] = field(default_factory=list)

    def text(self) -> bytes:
        return "".join(self.said).encode()


class _Refused(Exception):
    """Why the text is not read on, in English and Chinese."""


class _File:
    """The record of a text; all its places are bytes of the text in UTF-8 until the batch is made."""

    def __init__(self, data: bytes, given: str | None, cut: Cut):
        self.cut, self.size = cut, len(data)
        self.decoded = encodings.decode(data, encoding=given)
        text = self.decoded.text
        if text.startswith(encodings.UTF8_MARK):
            text = b"   " + text[3:]
        # It is in UTF-8 now, whatever its declaration says.
        text = _DECLARATION.sub(lambda said: re.sub(rb"[^\r\n]", b" ", said[0]), text)
        self.text = text.translate(_NO_CHARACTERS)
        self.lines = array("Q", [0, *(found.end() for found in _BREAK.finditer(self.text))])
        self.open: list[_Element] = []
        self.moves: list[_Element] = []
        self.reached = 0
        self.made = Draft(0, cut.first, board=False)
        self.made.line, self.made.written_in = cut.line, self.decoded.encoding
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self.begins
        self.parser.EndElementHandler = self.ends
        self.parser.CharacterDataHandler = self.says
        self.parser.EntityDeclHandler = self.declares

    def batch(self) -> RecordBatch:
        self.parse()
        if self.moves and self.moves[0].value != _BEFORE:
            self.moves.insert(0, _Element("Move", self.moves[0].start))
        self.made.tree(self.node, 0)
        if self.reached < len(self.moves) <= MOST_MOVES:
            self.made.fault("not-moves", self.moves[self.reached].start)
        record = self.made.record("utf-8")
        record.index = self.cut.index
        record.fen = record.tags.get("FEN")
        batch = RecordBatch.from_records([record])
        batch.text, batch.end, batch.rank_base = (
            self.text,
            array("Q", [self.cut.first + self.size]),
            array("b", [1]),
        )
        places = [*self.places(self.made.places)]
        batch.token_line = array("I", (line for line, _ in places))
        batch.token_column = array("I", (column for _, column in places))
        batch.findings = self.made.findings
        for finding in batch.findings:
            finding.line, finding.column, finding.byte = self.place(finding.byte or 0)
        if self.decoded.fault is not None:
            byte = self.cut.first + self.decoded.fault
            details = {"encoding": self.decoded.encoding}
            batch.findings.insert(0, Finding("mixed-encoding", 0, byte=byte, details=details))
        batch.tag_finder = self.tag_place
        return batch

    # ---- XML -------------------------------------------------------------------------------------------

    def parse(self) -> None:
        try:
            self.parser.Parse(self.text, True)
        except _Refused as error:
            why, why_zh = error.args
            self.made.fault("malformed-xml", self.parser.CurrentByteIndex, why=why, why_zh=why_zh)
        except expat.ExpatError as error:
            if error.code in _ENDS:
                where = "list of moves" if self.moves else "game header"
                self.made.fault("truncated-file", len(self.text), where=where)
            else:
                self.made.fault(
                    "malformed-xml", self.parser.ErrorByteIndex, why=expat.ErrorString(error.code)
                )
        while self.open:
            self.ends("")

    def begins(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) == DEEPEST:
            raise _Refused(f"elements are nested deeper than {DEEPEST}", f"元素嵌套超过 {DEEPEST} 层")
        element = _Element(name, self.parser.CurrentByteIndex)
        self.open.append(element)
        if name == "Move" and len(self.moves) <= MOST_MOVES:
            element.value = attributes.pop("value", "")[:LONGEST_MOVE].strip()
            element.ends = attributes.pop("end", "") == "1"
            element.has_other = "1" in attributes.values()
            self.moves.append(element)

    def says(self, text: str) -> None:
        if self.open:
            self.open[-1].said.append(text)

    def ends(self, name: str) -> None:
        element = self.open.pop()
        if not self.open or self.open[-1].name != "Head":
            return
        text = element.text().strip()
        if element.name == "RecordResult":
            self.made.result = int(text) if len(text) == 1 and text.isdigit() else 0
        elif text and element.name in _TAGS:
            self.made.tags.setdefault(_TAGS[element.name], (text, element.start))

    def declares(self, *declaration: object) -> None:
        raise _Refused("it declares entities", "含有实体声明")

    # ---- moves -----------------------------------------------------------------------------------------

    def node(self, place: int, ply: int) -> tuple[int, bool, bool] | None:
        """A move of the tree, as `Draft.tree` asks for it; their places are their numbers."""
        if place == len(self.moves):
            return None
        move = self.moves[place]
        if ply:
            word = move.value.replace("-", "", 1)
            self.made.move(ply, digits.move(word.encode()) or shown(move.value), move.start)
        self.made.say(ply, move.text(), move.start)
        self.reached = place + 1
        return self.reached, not move.ends, move.has_other

    # ---- places ----------------------------------------------------------------------------------------

    def places(self, ascending: array[int]) -> Iterator[tuple[int, int]]:
        """Line and column of each of the bytes."""
        line = column = before = 0
        for at in ascending:
            if line != (line := bisect_right(self.lines, at)):
                before, column = self.lines[line - 1], 1
            column += len(self.text[before:at].decode("utf-8", "replace"))
            before = at
            yield self.cut.line + line - 1, column

    def place(self, at: int) -> Place:
        """Line, column and byte in the source of byte ``at`` of the text."""
        ((line, column),) = self.places(array("Q", [at]))
        if self.decoded.encoding not in ("ascii", "utf-8"):
            before = self.decoded.text[:at].decode("utf-8", "replace")
            at = len(encodings.encode(before, self.decoded.encoding, "replace"))
        return line, column, self.cut.first + at

    def tag_place(self, batch: RecordBatch, game: int, name: str) -> Place | None:
        return self.place(self.made.tags[name][1]) if name in self.made.tags else None
