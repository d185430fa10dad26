"""DhtmlXQ records, as the viewer of that name shows them in web pages and forums, and bare digits of moves.

    [DhtmlXQ]
    [DhtmlXQ_title]Red – Black[/DhtmlXQ_title]
    [DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]
    [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]
    [DhtmlXQ_move_0_2_1]10227967[/DhtmlXQ_move_0_2_1]
    [DhtmlXQ_comment1_3]of ply 3 in branch 1[/DhtmlXQ_comment1_3]
    [/DhtmlXQ]

What the digits say, `digits` knows. ``move_P_N_K`` is branch K, beside ply N of branch P; the main line is branch 0.
No specification is public; tags are those of the pages of dpxq.com and of programs that write the like.

A record begins with the first tag, with a new wrapper, or with a tag that the record before has already: but the moves
may come after an empty ``movelist``. A record that says the same as the one before, or repeats no more than its moves
and position, is that one, shown again. Where in a page the tags stand, and what is between them, does not matter.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes

from notation import encoding as encodings
from notation.containers import digits, wide
from notation.containers._pgn import MOST_PLIES
from notation.containers.cut import WHOLE, Cut
from notation.finding import Finding, limited, shown
from notation.record import GameRecord, Place, RecordBatch, Variation

TAGS: Final = {
    "black": "Black",
    "blackname": "Black",
    "blackteam": "BlackTeam",
    "date": "Date",
    "event": "Event",
    "length": "PlyCount",
    "place": "Site",
    "red": "Red",
    "redname": "Red",
    "redteam": "RedTeam",
    "result": "Result",
    "round": "Round",
    "title": "Title",
}
"""The tags they become; others keep their name, capitalised."""

RESULTS: Final = {"W": "1-0", "L": "0-1", "D": "1/2-1/2"}
"""How a game ended for Red, in letters that are no results elsewhere."""

_MARK: Final = re.compile(rb"\[(/?)DhtmlXQ(?:_(\w+)|iFrame)?\]", re.IGNORECASE)
_LINE: Final = 4096
"""So many bytes before a record its line is looked for."""
_BREAK: Final = re.compile(rb"\r\n?|\n")
_GAP: Final = re.compile(rb"\s+|<[^<>]{0,400}>|&(?:nbsp|ensp|emsp|#160);|\xc2\xa0", re.IGNORECASE)
"""What may stand between digits."""
_WORD: Final = re.compile(rb"\d{4}|\d{1,3}|\D+")
_BRANCH: Final = re.compile(r"move_(\d{1,9})_(\d{1,9})_(\d{1,9})")
_COMMENT: Final = re.compile(r"comment(?:(\d{1,9})_)?(\d{1,9})")
_LINE_BREAK: Final = re.compile(r"\|\||<br\s*/?>|\r\n?", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]\w{1,31});", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[^!-~]|%(?![0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})")
"""What a text that is escaped as in addresses does not have."""
LONGEST_ADDRESS: Final = 1 << 14
_WIDE_ESCAPE: Final = re.compile(r"%u([0-9A-Fa-f]{4})")
_CONTROL: Final = dict.fromkeys([*range(9), 11, 12, *range(14, 32)])


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """Cut ``source`` between records into pieces of ``target_bytes`` or a little more, in order; but not in a line
    that has tags of two records."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    if _is_wide(encoding or encodings.evident(data[:4096])):
        yield Cut(last=len(data))
        return
    hint = encodings.file_hint(data)
    first, line, index, games = 0, 1, 0, 0
    for record in _records(data):
        if games and record.start - first >= target_bytes:
            begin = data.rfind(b"\n", max(first, record.start - _LINE), record.start) + 1
            if begin and not any(mark[2] for mark in _MARK.finditer(data, begin, record.start)):
                yield Cut(first, begin, line, index, games, hint, False)
                line += sum(1 for _ in _BREAK.finditer(data, first, begin))
                first, index, games = begin, index + games, 0
        games += 1
    yield Cut(first, len(data), line, index, games, hint)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Read every record of a ``cut``; parameters and faults as in `pgn.read`."""
    return wide.read(source, encoding, cut, lambda data, name, piece: _File(data, name, piece).batch())


def _is_wide(encoding: str | None) -> bool:
    """Whether ASCII is not ASCII in ``encoding``."""
    return encoding is not None and encodings.encode("\n[]", encoding, "replace") != b"\n[]"


# -- where records and their tags are -------------------------------------------------------------------------


@dataclass(slots=True)
class _Tag:
    """A tag that begins at byte ``start``; its value is ``first:stop``."""

    start: int
    first: int
    stop: int
    closed: bool = True


@dataclass(slots=True)
class _Record:
    """The tags of one record by their names, in small letters, and the bytes ``start:stop`` that they take."""

    start: int
    stop: int = 0
    tags: dict[str, _Tag] = field(default_factory=dict)


def _tags(data: bytes) -> Iterator[tuple[str, _Tag]]:
    """Every tag with its name, and "" for the beginning of a wrapper.

    What is not closed before another mark ends there, or with its line.
    """
    name, tag = "", None
    for mark in _MARK.finditer(data):
        word = (mark[2] or b"").decode().lower()
        closes = bool(mark[1])
        if tag is not None:
            yield name, _closed(data, tag, mark.start(), closes and word == name)
            tag = None
        if not closes and word:
            name, tag = word, _Tag(mark.start(), mark.end(), 0)
        elif not closes:
            yield "", _Tag(mark.start(), mark.end(), mark.end())
    if tag is not None:
        yield name, _closed(data, tag, len(data), False)


def _closed(data: bytes, tag: _Tag, stop: int, closed: bool) -> _Tag:
    end = None if closed else _BREAK.search(data, tag.first, stop)
    tag.stop, tag.closed = end.start() if end else stop, closed
    return tag


def _records(data: bytes) -> Iterator[_Record]:
    """The records of ``data``, each once."""
    before: dict[str, bytes] | None = None
    for record in _all_records(data):
        values = {name: data[tag.first : tag.stop].strip() for name, tag in record.tags.items()}
        said = {name: value for name, value in values.items() if value}
        again = before is not None and said.items() <= before.items()
        if not again or (said != before and not said.keys() <= {"binit", "movelist"}):
            yield record
            before = said


def _all_records(data: bytes) -> Iterator[_Record]:
    record: _Record | None = None
    for name, tag in _tags(data):
        if record is not None and (not name or _has(record, name, data)):
            yield record
            record = None
        if name:
            record = record or _Record(tag.start)
            record.tags[name] = tag
            record.stop = tag.stop
    if record is not None:
        yield record
    elif not _MARK.search(data) and digits.begin(data):
        first = len(data) - len(data.removeprefix(encodings.UTF8_MARK).lstrip())
        stop = len(data.rstrip())
        yield _Record(first, stop, {"movelist": _Tag(first, first, stop)})


def _has(record: _Record, name: str, data: bytes) -> bool:
    """Whether ``record`` has a tag of that name that is not waiting for its moves."""
    tag = record.tags.get(name)
    return tag is not None and (name != "movelist" or bool(_GAP.sub(b"", data[tag.first : tag.stop])))


# -- one file ---------------------------------------------------------------------------------------------------


class _File:
    """The records of one file, or of a piece of one, as they are gathered.

    ``data`` is the source; where ASCII is not ASCII (``wide``) it is the source in UTF-8. Each record is decoded by
    itself, so that it does not matter where the file is cut.
    """

    def __init__(self, data: bytes, given: str | None, cut: Cut):
        self.cut, self.given, self.data = cut, given, data
        self.findings: list[Finding] = []
        self.records: list[GameRecord] = []
        self.places: list[tuple[int, int]] = []
        self.stops = array("Q")
        self.tags: dict[tuple[int, str], int] = {}
        self.found: list[Finding] = []  # of the record at work
        self.encoding = given or "ascii"
        self.wide = _is_wide(given)
        self.hint = None if given else cut.hint or encodings.file_hint(data)
        self.reached = 0, 0, 0  # byte of data, the line that it is on, and the characters before it there
        self.counted = 0, 0  # byte of data, and its byte in the source
        if self.wide:
            self.data, _, fault = encodings.decode(data, encoding=given)
            if fault is not None:
                self.findings.append(self.misfit(data[fault : fault + 1], byte=cut.first + fault))
        mark = len(encodings.UTF8_MARK) * self.data.startswith(encodings.UTF8_MARK)
        self.lines = array("Q", [mark])
        self.lines.extend(array("Q", (found.end() for found in _BREAK.finditer(self.data))))

    def batch(self) -> RecordBatch:
        for record in _records(self.data):
            self.add(record)
        batch = RecordBatch.from_records(self.records)
        batch.text, batch.end = self.data, self.stops
        batch.token_line = array("I", (line for line, _ in self.places))
        batch.token_column = array("I", (column for _, column in self.places))
        batch.rank_base = array("b", bytes([1]) * len(batch))
        batch.findings += self.findings
        batch.tag_finder = self.tag_place
        if not self.records and self.cut.final and self.cut.first == 0:
            batch.findings.append(Finding("no-games", line=1, column=1, byte=0))
        return batch

    def add(self, found: _Record) -> None:
        """Read one record."""
        raw = self.data[found.start : found.stop]
        if not self.wide:
            _, self.encoding, fault = encodings.decode(raw, self.hint, self.given)
            if fault is not None:
                at = found.start + fault
                self.find(
                    "mixed-encoding", at, encodings.escaped(self.data[at : at + 1]), encoding=self.encoding
                )
        line, _, byte = self.place(found.start)
        record = GameRecord(
            encoding=self.encoding, index=self.cut.index + len(self.records), offset=byte, line=line
        )
        self.stops.append(self.byte(found.stop))
        for tag in found.tags.values():
            if not tag.closed:
                cut_short = self.cut.final and tag.stop == len(self.data)
                text = shown(self.data[tag.start : tag.first].decode())
                self.find("truncated-file" if cut_short else "unclosed-tag", tag.start, text, where="record")
        first = self.moves(record, found.tags.get("movelist"))
        self.start(record, found.tags.get("binit"), first)
        lines = self.branches(record, found.tags)
        for name, tag in found.tags.items():
            if comment := _COMMENT.fullmatch(name):
                self.comment(lines.get(int(comment[1] or 0)), int(comment[2]), name, tag)
            elif name not in ("movelist", "binit") and not _BRANCH.fullmatch(name):
                self.tag(record, name, tag)
        record.result = record.tags.get("Result")
        self.length(record, found.tags.get("length"))
        self.findings += limited(self.found)
        self.found = []
        self.records.append(record)

    # ---- what tags say -----------------------------------------------------------------------------

    def moves(self, record: GameRecord, tag: _Tag | None) -> bytes:
        """The main line; returns the digits of the first point."""
        first = b""
        for number, (at, word) in enumerate(self.words(tag)):
            if number == MOST_PLIES:
                self.find("long-game", at)
                break
            first = first or word[:2]
            record.tokens.append(self.token(word))
            line, column, _ = self.place(at, False)
            self.places.append((line, column))
        return first

    def words(self, tag: _Tag | None) -> Iterator[tuple[int, bytes]]:
        """The moves of ``tag`` with their bytes, and what else stands between gaps there."""
        if tag is None:
            return
        run, starts, places = self.run(tag)
        number = 0
        for word in _WORD.finditer(run):
            while number + 1 < len(starts) and starts[number + 1] <= word.start():
                number += 1
            yield places[number] + word.start() - starts[number], word[0]

    def run(self, tag: _Tag) -> tuple[bytes, array[int], array[int]]:
        """The value of ``tag`` without gaps; where in it the parts between gaps begin, and where in the data."""
        parts, starts, places = [], array("Q"), array("Q")
        size, at = 0, tag.first
        for gap in chain(_GAP.finditer(self.data, tag.first, tag.stop), (None,)):
            stop = gap.start() if gap else tag.stop
            if stop > at:
                parts.append(self.data[at:stop])
                starts.append(size)
                places.append(at)
                size += stop - at
            at = gap.end() if gap else stop
        return b"".join(parts), starts, places

    def token(self, word: bytes) -> str:
        """A move as coordinates; what is none, as written."""
        return digits.move(word) or shown(self.decoded(word[:400]))

    def start(self, record: GameRecord, tag: _Tag | None, first: bytes) -> None:
        """The start position; the side to move is that of the piece on the point ``first``, where one is."""
        run, starts, places = self.run(tag) if tag else (b"", array("Q"), array("Q"))
        board, faults = digits.placed(run) if run else (digits.USUAL_BOARD, [])
        for index, fault in faults:
            part = bisect_right(starts, index) - 1
            self.told(fault, places[part] + index - starts[part])
        side = int(board[first].islower()) if first in board else None
        if board != digits.USUAL_BOARD or side:
            record.fen = record.tags["FEN"] = digits.fen(board, side)
            place = tag.start if tag else record.offset
            self.tags[len(self.records), "FEN"] = place

    def branches(self, record: GameRecord, tags: dict[str, _Tag]) -> dict[int, Variation]:
        """Hang every branch on its parent; returns the lines of the game by their numbers."""
        lines = {0: Variation(1, record.tokens, record.comments, {}, record.variations)}
        branches: dict[int, tuple[int, str, Variation]] = {}
        for name, tag in tags.items():
            if not (named := _BRANCH.fullmatch(name)):
                continue
            parent, ply, number = map(int, named.groups())
            if number in branches or not number:
                self.misplaced(name, tag, f"number {number} is taken", f"编号 {number} 已有")
                continue
            branch = Variation(ply)
            for at, word in self.words(tag):
                branch.moves.append(self.token(word))
                if not digits.move(word):
                    self.find("unreadable-token", at, branch.moves[-1], ply + len(branch.moves) - 1)
            if branch.moves:
                branches[number] = parent, name, branch
        children: dict[int, list[int]] = {}
        for number, (parent, _, _) in branches.items():
            children.setdefault(parent, []).append(number)
        work = [0]
        while work:
            parent = work.pop()
            line = lines[parent]
            for number in children.get(parent, ()):
                _, name, branch = branches.pop(number)
                if line.from_ply <= branch.from_ply < line.from_ply + len(line.moves):
                    line.variations.append(branch)
                    lines[number] = branch
                    work.append(number)
                else:
                    why = f"line {parent} has no ply {branch.from_ply}"
                    self.misplaced(name, tags[name], why, f"第 {parent} 支没有第 {branch.from_ply} 着")
        for parent, name, _ in branches.values():
            self.misplaced(name, tags[name], f"line {parent} is not in the game", f"棋谱中没有第 {parent} 支")
        return lines

    def comment(self, line: Variation | None, ply: int, name: str, tag: _Tag) -> None:
        """A comment of a ``ply``; of one that the ``line`` does not reach, at its nearest."""
        text = "\n".join(filter(None, map(str.strip, self.text(tag).split("\n"))))
        if line is None and text:
            self.misplaced(name, tag, "there is no such line", "没有这一支")
        elif line is not None and text:
            last = line.from_ply - 1 + len(line.moves)
            line.comments.setdefault(max(line.from_ply - 1, min(ply, last)), []).append(text)

    def tag(self, record: GameRecord, name: str, tag: _Tag) -> None:
        value = " ".join(self.text(tag).split())
        key = TAGS.get(name, name.capitalize())
        if not value or (key in record.tags and not name.endswith("name")):  # team and name come together
            return
        record.tags[key] = RESULTS.get(value, value) if key == "Result" else value
        self.tags[len(self.records), key] = tag.start

    def length(self, record: GameRecord, tag: _Tag | None) -> None:
        plies, said = len(record.tokens), record.tags.get("PlyCount", "")
        if tag and said.isdecimal() and said.lstrip("0") != str(plies or ""):
            self.find("ply-count", tag.start, ply=plies, claimed=shown(said), found=plies)

    # ---- text, places, findings ---------------------------------------------------------------------

    def decoded(self, raw: bytes) -> str:
        name = "utf-8" if self.wide else self.encoding
        return encodings.decode(raw, encoding=name).text.decode("utf-8", "replace")

    def text(self, tag: _Tag) -> str:
        """The value of ``tag`` for people: without escapes, breaks of lines as ``\\n``."""
        text = _LINE_BREAK.sub("\n", self.decoded(self.data[tag.first : tag.stop]))
        text = _ENTITY.sub(lambda entity: unescape(entity[0]), text).strip()
        if "%" in text and len(text) < LONGEST_ADDRESS and not _PLAIN.search(text):
            text = encodings.decode(unquote_to_bytes(text)).text.decode()
            text = _WIDE_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text.translate(_CONTROL)

    def tag_place(self, batch: RecordBatch, game: int, name: str) -> Place | None:
        at = self.tags.get((game, name))
        self.encoding = batch.encoding[game]
        return None if at is None else self.place(at)

    def place(self, at: int, counted: bool = True) -> Place:
        """Line, column and byte in the source of byte ``at`` of the data; quick for places asked in order."""
        line = bisect_right(self.lines, at)
        known, last, column = self.reached
        if line != last or at < known:
            known, column = self.lines[max(0, line - 1)], 0
        between = self.data[known:at]
        column += len(between) if between.isascii() else len(self.decoded(between))
        self.reached = at, line, column
        return self.cut.line + max(0, line - 1), column + 1, self.byte(at) if counted else 0

    def byte(self, at: int) -> int:
        """The byte of the source that byte ``at`` of the data stands at."""
        if not self.wide or self.given is None:
            return self.cut.first + at
        mark = len(encodings.encode("", self.given))
        known, byte = self.counted if self.counted[0] <= at else (0, 0)
        between = self.data[known:at].decode("utf-8", "replace")
        byte += len(encodings.encode(between, self.given, "replace")) - mark
        self.counted = at, byte
        return self.cut.first + mark + byte

    def misfit(self, raw: bytes, byte: int) -> Finding:
        return Finding(
            "mixed-encoding", text=encodings.escaped(raw), byte=byte, details={"encoding": self.encoding}
        )

    def misplaced(self, name: str, tag: _Tag, why: str, why_zh: str) -> None:
        self.find("bad-branch", tag.start, shown(name), why=why, why_zh=why_zh)

    def find(
        self, code: str, at: int, text: str | None = None, ply: int | None = None, **details: object
    ) -> None:
        self.told(Finding(code, ply=ply, text=text, details=details), at)

    def told(self, finding: Finding, at: int) -> None:
        """``finding`` is of the record at work, and of byte ``at`` of the data."""
        finding.game = len(self.records)
        finding.line, finding.column, finding.byte = self.place(at)
        self.found.append(finding)
