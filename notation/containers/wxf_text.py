"""The WXF text format, as game servers and engine programs write it: a header of keys, the moves in braces.

    FORMAT  WXF
    RED     PlayerA ; 2700 ;;
    BLACK   PlayerB ; 2590 ;;
    RESULT  1-0 (resign:PlayerB)
    DATE    2019-09-18 23:53:50
    EVENT   Club Game ; 25m/300s/30s
    START{
     1. C2.5 h8+7   2. H2+3 p3+1 }END

No specification is public; keys and fields are those of files by XieXie, PlayOK and Club Xiangqi. What stands
between the braces is movetext like that of a PGN file, and `pgn` reads it. Bare lists of WXF moves without a header
are PGN movetext to begin with. A file may hold several games one after the other.
"""

from __future__ import annotations

import io
import os
import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from notation import encoding as encodings
from notation.containers import pgn, wide
from notation.containers.cut import WHOLE, Cut, opened
from notation.containers.signs import WXF_FORMAT, WXF_START
from notation.finding import Finding
from notation.record import RESULTS, GameRecord, Place, RecordBatch
from notation.remark import tidy
from notation.tags import value_of

TAGS: Final = {
    "BLACK": "Black",
    "DATE": "Date",
    "EVENT": "Event",
    "FEN": "FEN",
    "FORMAT": "Format",
    "GAME": "Title",
    "OPENING": "Opening",
    "PLACE": "Site",
    "RED": "Red",
    "RESULT": "Result",
    "ROUND": "Round",
    "SITE": "Site",
    "TIME": "Time",
}
"""The keys of the header and the tags they become; further keys keep their name, capitalised."""

_SECOND: Final = {"RED": "RedElo", "BLACK": "BlackElo", "EVENT": "TimeControl"}
"""Where the second of the fields between semicolons goes."""

_END: Final = re.compile(rb"\}[ \t]*END\b", re.IGNORECASE)
_KEY: Final = re.compile(rb"[ \t]*([A-Z]{3,12})(?:[ \t]+(.*?))?[ \t]*$", re.DOTALL)
_REMARK: Final = re.compile(rb"/\*(.*?)(?:\*/|\Z)", re.DOTALL)
_NOT_BREAK: Final = bytes(c if c in b"\r\n" else 32 for c in range(256))
_CLOCK: Final = re.compile(r"\d+\s*[hms'+/:]")


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """Cut ``source`` between games into pieces of ``target_bytes`` or a little more, in order."""
    with opened(source) as file:
        shown = encodings.evident(file.read(4096))
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if shown and shown != "utf-8":
            yield Cut(last=size)
            return
        hint = encodings.file_hint(source)
        first, line, index, games = 0, 1, 0, 0
        for block in _blocks(_lines(file)):
            if games and block.start - first >= target_bytes:
                yield Cut(first, block.start, line, index, games, hint, False)
                first, line, index, games = block.start, block.line, index + games, 0
            games += 1
        yield Cut(first, size, line, index, games, hint, True)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Read every game of a ``cut``; parameters and faults as in `pgn.read`."""
    return wide.read(source, encoding, cut, _read)


def _read(data: bytes, encoding: str | None, cut: Cut) -> RecordBatch:
    """Every game of ``data``, which is in ``encoding`` if one is given."""
    file = _File(data, cut, encoding, None if encoding else cut.hint or encodings.file_hint(data))
    for block in _blocks(_lines(file.data)):
        if not file.records:
            file.before(block)
        file.add(block)
    return file.batch()


# -- where games begin and end -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Block:
    """One game: bytes ``start:stop``, its first ``line`` (from 0 here), ``moves`` between the braces (or None),
    and whether the braces are closed."""

    start: int
    line: int
    stop: int = 0
    moves: tuple[int, int] | None = None
    closed: bool = False


def _lines(text: bytes | IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines of ``text`` with their first bytes; breaks are LF, CR LF or CR. Marks of files are not in them."""
    start = 0
    for line in io.BytesIO(text) if isinstance(text, bytes) else text:
        if line.startswith(encodings.UTF8_MARK):
            start, line = start + 3, line[3:]
        for part in line.splitlines(keepends=True) if b"\r" in line.rstrip(b"\r\n") else (line,):
            yield start, part
            start += len(part)


def _blocks(lines: Iterable[tuple[int, bytes]]) -> Iterator[_Block]:
    """The games: each begins with its first key, and ends where the next begins."""
    block: _Block | None = None
    number = stop = 0
    for number, (start, line) in enumerate(lines):
        stop = start + len(line)
        if block is not None and block.moves is not None and not block.closed:
            # Inside the braces, unless a new header shows that they were never closed.
            if not WXF_FORMAT.match(line):
                _look_for_end(block, start, line)
                continue
        begun = WXF_START.match(line)
        fresh = block is None or block.moves is not None or (WXF_FORMAT.match(line) and start > block.start)
        if fresh and (begun or WXF_FORMAT.match(line) or _is_key(line)):
            if block is not None:
                block.stop = start
                yield block
            block = _Block(start, number + 1)
        if begun and block is not None:
            block.moves = (start + begun.end(), stop)
            _look_for_end(block, start + begun.end(), line[begun.end() :])
    if block is not None:
        block.stop = stop
        yield block


def _look_for_end(block: _Block, start: int, line: bytes) -> None:
    assert block.moves is not None
    end = _END.search(line)
    block.closed = end is not None
    block.moves = block.moves[0], start + (end.start() if end else len(line))


def _is_key(line: bytes) -> bool:
    key = _KEY.match(line)
    return key is not None and key[1].decode() in TAGS


# -- one file ------------------------------------------------------------------------------------------------


class _File:
    """The games of one file as they are gathered.

    ``data`` is the source, in which ASCII shows where games are: each is decoded by itself, from the encoding that is
    ``given`` or found with the ``hint``, so that it does not matter where the file is cut. Where ASCII is not ASCII
    (``wide``) it is the source in UTF-8. ``text`` is the game that is being read, in UTF-8, decoded from ``encoding``;
    it begins at byte ``start`` of ``data``.
    """

    def __init__(self, data: bytes, cut: Cut, given: str | None, hint: str | None):
        self.cut = cut
        self.given = given
        self.hint = hint
        self.data = data
        self.text = b""
        self.encoding = given or "ascii"
        self.start = 0
        self.records: list[GameRecord] = []
        self.ends: list[int] = []
        self.bodies: list[RecordBatch | None] = []
        self.tags: dict[tuple[int, str], Place] = {}
        self.findings: list[Finding] = []
        self.wide = given is not None and encodings.encode("\n{}", given, "replace") != b"\n{}"
        if self.wide:
            self.data, _, fault = encodings.decode(data, encoding=given)
            if fault is not None:
                self.misfit(
                    None, cut.line + data.count(b"\n", 0, fault), data[fault : fault + 1], cut.first + fault
                )

    def batch(self) -> RecordBatch:
        batch = RecordBatch.from_records(self.records)
        batch.text = self.data
        batch.end = array("Q", self.ends)
        batch.token_line = array("I")
        batch.token_column = array("I")
        for game, body in enumerate(self.bodies):
            if body is not None:
                batch.token_line.extend(body.token_line)
                batch.token_column.extend(body.token_column)
            assert len(batch.token_line) == batch.first_token[game + 1]
        batch.findings += self.findings
        batch.tag_finder = lambda _, game, name: self.tags.get((game, name))
        if not self.records and self.cut.final and self.cut.first == 0:
            batch.findings.append(Finding("no-games", line=1, column=1, byte=0))
        return batch

    def misfit(self, game: int | None, line: int, raw: bytes, byte: int) -> None:
        details = {"encoding": self.encoding}
        self.findings.append(
            Finding(
                "mixed-encoding", game, None, encodings.escaped(raw), details=details, line=line, byte=byte
            )
        )

    def before(self, block: _Block) -> None:
        """What stands before the first game."""
        self.turn_to(0, block.start)
        words = self.text.removeprefix(encodings.UTF8_MARK).strip()
        if words:
            shown = words[:120].decode("utf-8", "backslashreplace")
            self.find("text-before-game", None, self.cut.line, 0, text=shown)

    def turn_to(self, start: int, stop: int) -> int | None:
        """Read ``data[start:stop]``; the first byte of the source that does not fit its encoding."""
        self.start = start
        raw = self.data[start:stop].removesuffix(encodings.UTF8_MARK)
        if self.wide:
            self.text = raw
            return None
        self.text, self.encoding, fault = encodings.decode(raw, self.hint, self.given)
        return fault

    def in_text(self, block: _Block) -> _Block:
        """``block`` as it stands in ``text``, the text of it alone."""
        first, last = block.moves or (block.stop, block.stop)
        bounds = [len(self.part(block.start, stop)) for stop in (first, last)]
        moves = (bounds[0], bounds[1]) if block.moves else None
        return _Block(0, block.line, len(self.text), moves, block.closed)

    def part(self, start: int, stop: int) -> bytes:
        raw = self.data[start:stop]
        return raw if self.wide else encodings.decode(raw, encoding=self.encoding).text

    def add(self, found: _Block) -> None:
        """Read one game."""
        game = len(self.records)
        line = self.cut.line + found.line - 1
        fault = self.turn_to(found.start, found.stop)
        if fault is not None:
            at = found.start + fault
            below = self.data.count(b"\n", found.start, at)
            self.misfit(game, line + below, self.data[at : at + 1], self.cut.first + at)
        block, text = self.in_text(found), self.text
        record = GameRecord(
            encoding=self.encoding, index=self.cut.index + game, line=line, offset=self.byte(0)
        )
        said: list[str] = []
        self.header(record, said, text[: block.stop if block.moves is None else block.moves[0]], game, line)
        body = self.body(block, record, game, line) if block.moves is not None else None
        if block.moves is None or not block.closed:
            where = "game header" if block.moves is None else "list of moves"
            last = line + text.count(b"\n", 0, max(0, block.stop - 1))
            self.find("truncated-file", game, last, block.stop, details={"where": where})
        else:
            self.tail(block, game, line)
        record.fen = value_of(record.tags, "FEN") or None
        record.result = record.tags.get("Result")
        if said:
            record.comments[0] = said + record.comments.get(0, [])
        self.records.append(record)
        self.bodies.append(body)
        self.ends.append(self.byte(block.stop) if self.wide else self.cut.first + found.stop)

    def header(self, record: GameRecord, said: list[str], text: bytes, game: int, line: int) -> None:
        """Keys to tags, ``/* … */`` to comments before the first move."""
        for remark in _REMARK.finditer(text):
            words = tidy(remark[1].decode("utf-8", "backslashreplace"))
            if words:
                said.append(words)
        # Blanks in the place of remarks keep every byte where it is.
        plain = _REMARK.sub(lambda remark: remark[0].translate(_NOT_BREAK), text)
        for number, (at, row) in enumerate(_lines(plain)):
            row = row.rstrip(b"\r\n")
            if not row.strip() or WXF_START.match(row):
                continue
            shown = row.decode("utf-8", "backslashreplace").strip()
            key = _KEY.match(row)
            if key is None:
                self.find("bad-tag", game, line + number, at, text=shown)
                continue
            written = key[1].decode()
            value = (key[2] or b"").decode("utf-8", "backslashreplace").strip()
            for name, part in _tags(written, value):
                if record.tags.get(name):
                    if part and part != record.tags[name]:
                        self.find("duplicate-tag", game, line + number, at, text=shown)
                else:
                    record.tags[name] = part
                    self.tags[game, name] = (*self.place(line + number, at), self.byte(at))

    def body(self, block: _Block, record: GameRecord, game: int, line: int) -> RecordBatch | None:
        """The moves, read as movetext in their place."""
        assert block.moves is not None
        text = self.text
        first, stop = block.moves
        begin = max(text.rfind(b"\n", 0, first), text.rfind(b"\r", 0, first)) + 1
        blanks = len(text[begin:first].decode("utf-8", "replace"))
        number = line + text.count(b"\n", 0, first)
        # A line of tags inside the braces would begin a game of its own.
        moves = b" " * blanks + text[first:stop].replace(b"[", b" ")
        before = first - blanks + 1  # not 0, where a file begins
        found = pgn.read(moves, encoding="utf-8", cut=Cut(before, line=number))
        if not len(found):
            return None
        inner = found.record(0)
        record.tokens, record.comments, record.nags = inner.tokens, inner.comments, inner.nags
        record.variations, record.terminator = inner.variations, inner.terminator
        for finding in found.findings:
            if finding.code not in ("missing-terminator", "empty-game", "truncated-file"):
                if finding.game in (0, None):
                    finding.game = game
                    finding.byte = None if finding.byte is None else self.byte(finding.byte - 1)
                    self.findings.append(finding)
        if len(found) > 1:
            self.find("text-after-end", game, found.line[1], found.offset[1] - 1)
            kept = found.first_token[1]
            found.token_line, found.token_column = found.token_line[:kept], found.token_column[:kept]
        return found

    def tail(self, block: _Block, game: int, line: int) -> None:
        """What stands between the end of this game and the next."""
        assert block.moves is not None
        end = _END.match(self.text, block.moves[1])
        rest = end.end() if end else block.moves[1]
        words = _REMARK.sub(b"", self.text[rest : block.stop]).strip()
        if words:
            at = self.text.index(words.split()[0], rest)
            row = line + self.text.count(b"\n", 0, at)
            self.find("text-after-end", game, row, at)

    def find(self, code: str, game: int | None, line: int, where: int, **values: object) -> None:
        finding = Finding(code, game, byte=self.byte(where))
        finding.line, finding.column = self.place(line, where)
        for name, value in values.items():
            setattr(finding, name, value)
        self.findings.append(finding)

    def place(self, line: int, where: int) -> tuple[int, int]:
        """``line``, on which byte ``where`` of ``text`` stands, and its column."""
        begin = max(self.text.rfind(b"\n", 0, where), self.text.rfind(b"\r", 0, where)) + 1
        return line, 1 + len(self.text[begin:where].decode("utf-8", "replace"))

    def byte(self, where: int) -> int:
        """The byte of the source that byte ``where`` of ``text`` stands at."""
        if self.encoding in ("ascii", "utf-8"):
            return self.cut.first + self.start + where
        before = (self.data[: self.start] if self.wide else b"") + self.text[:where]
        source = encodings.encode(before.decode("utf-8", "replace"), self.encoding, "replace")
        return self.cut.first + (0 if self.wide else self.start) + len(source)


def _tags(key: str, value: str) -> Iterator[tuple[str, str]]:
    """The tags that one line of the header gives."""
    name = TAGS.get(key, key.capitalize())
    if key == "RESULT":
        yield from _result(value)
        return
    parts = [part.strip() for part in value.split(";")]
    second = _SECOND.get(key)
    if key == "TIME" and len(parts) == 2:
        yield "RedTime", parts[0]
        yield "BlackTime", parts[1]
    elif second is None or (key == "EVENT" and not (len(parts) > 1 and _CLOCK.match(parts[1]))):
        yield name, value
    else:
        yield name, parts[0]
        if len(parts) > 1 and parts[1]:
            yield second, parts[1]
        if rest := "; ".join(part for part in parts[2:] if part):
            yield f"{name}Note", rest


def _result(value: str) -> Iterator[tuple[str, str]]:
    """``1-0 (resign:PlayerB)``: the result, and how it came about."""
    first, _, rest = value.partition(" ")
    if first not in RESULTS:
        yield "Result", value
        return
    yield "Result", first
    if rest := rest.strip():
        yield "Termination", rest.removeprefix("(").removesuffix(")").strip() if rest[0] == "(" else rest
