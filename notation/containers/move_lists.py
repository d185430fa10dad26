"""Bare lists of moves, and positions with moves, as programs keep them: no tags, a game a line or one in a file.

    iaxeugSr;h2e2,h9g7,h0g2,i9h9            a name, and moves between commas or semicolons: a game a line
    炮双兵胜双象|2b1C1b2/3PP4/…/5K3 w|f0e0    a name, a FEN and moves between bars: a game a line
    h2e2h9g7b0c2                            coordinates of four characters run together, a game a line
    2b1kabn1/4aR3/…/4K3c w                  a FEN, and below it the moves as in a PGN file without tags

A line of coordinates may have the FEN of its start below it. No specification is public; the forms are those of
ElephantChess, ChessQ, chinese-qipu and cchess. Moves that are apart by blanks, without a FEN, are `pgn`'s. Where moves
stand in tables, `table` knows.

The moves are read by `pgn`: each line is put into movetext in which it keeps its columns, and what is found there is
placed where it stands in the source.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from notation import encoding as encodings
from notation.containers import pgn, table, wide
from notation.containers.cut import WHOLE, Cut
from notation.containers.lines import Lines
from notation.containers.rows import CONTINUED, FOUR, FURTHER, GAPS, RUN_WORD, is_fen, is_list, is_run, row
from notation.finding import Finding, limited, shown
from notation.record import Place, RecordBatch


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """Cut ``source`` between records into pieces of ``target_bytes`` or a little more, in order."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    name = encoding or encodings.evident(data[:4096])
    if name and name != "utf-8":
        yield Cut(last=len(data))
        return
    hint = encodings.file_hint(data)
    text = Lines(data, hint)
    if found := table.columns(text.rows):
        hint = f"{hint} {json.dumps(found)}"
    first, line, index = 0, 1, 0
    for record in _records(text.rows, found, True)[0]:
        start = text.start[record.line]
        if start - first >= target_bytes:
            games = len(read(data[first:start], cut=Cut(first, start, line, index, hint=hint)))
            yield Cut(first, start, line, index, games, hint, False)
            first, line, index = start, record.line + 1, index + games
    yield Cut(first, len(data), line, index, hint=hint)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Read every record of a ``cut``; parameters and faults as in `pgn.read`."""
    return wide.read(source, encoding, cut, _read)


def _read(data: bytes, encoding: str | None, cut: Cut) -> RecordBatch:
    """Every record of ``data``, which is in ``encoding`` if one is given."""
    hint, _, columns = (cut.hint or encodings.file_hint(data)).partition(" ")
    text = Lines(data, encoding or hint)
    known = (
        table.columns(text.rows)
        if cut.hint is None
        else table.Columns(*json.loads(columns))
        if columns
        else None
    )
    records, skipped = _records(text.rows, known, cut.first == 0)
    page = _Page(text, cut)
    for record in records:
        page.add(record)
    return page.batch(skipped)


# -- where records begin and end -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Record:
    """A record as it stands in the source, lines counted from 0: ``line`` is its first, ``body`` lists those with
    moves and the columns between which the moves stand."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    fen: str | None = None
    fen_line: int | None = None
    body: list[tuple[int, int, int | None]] = field(default_factory=list)
    below: bool = False
    """The moves, which may be as in a PGN file, of a FEN up to the next one, or of a table."""


def _records(
    rows: Sequence[str], known: table.Columns | None, headed: bool
) -> tuple[list[_Record], list[int]]:
    """The records, and the lines that are none: of a table whose columns are ``known``, its names first where it is
    ``headed``, or of lists."""
    return _of_table(rows, known, headed) if known else _of_lists(rows)


def _of_table(rows: Sequence[str], known: table.Columns, headed: bool) -> tuple[list[_Record], list[int]]:
    records: list[_Record] = []
    skipped: list[int] = []
    for game in table.games(rows, known, headed):
        told = [row for row in game if len(row.cells) > known.moves]
        skipped += [row.line for row in game if len(row.cells) <= known.moves]
        if not told:
            continue
        line, tags = told[0].line, table.tags(told, known)
        body = [piece for row in told for piece in row.cells[known.moves].pieces]
        records.append(_Record(line, tags, tags.pop("FEN", None), line, [*body], below=True))
    return records, skipped


def _of_lists(rows: Sequence[str]) -> tuple[list[_Record], list[int]]:
    """A line says by itself whether a record begins with it, but for the FEN below moves."""
    records: list[_Record] = []
    skipped: list[int] = []
    last: _Record | None = None
    continued = False
    for number, line in enumerate(rows):
        if not line.strip():
            continue
        if is_fen(line):
            if last is not None and not last.below and last.fen is None:
                last.fen, last.fen_line = line.strip(), number
            else:
                last = _Record(number, fen=line.strip(), fen_line=number, below=True)
                records.append(last)
            continued = False
        elif last is not None and (last.below or continued or FURTHER.match(line)):
            last.body.append((number, 0, None))
            continued = bool(CONTINUED.search(line))
        elif found := row(line):
            fen_line = number if found.fen else None
            last = _Record(number, {"Title": found.title}, found.fen, fen_line, [(number, found.moves, None)])
            records.append(last)
            continued = bool(CONTINUED.search(line)) and found.moves < len(line.rstrip())
        elif is_run(line) or is_list(line):
            last = _Record(number, body=[(number, 0, None)])
            records.append(last)
            continued = False
        else:
            skipped.append(number)
    return records, skipped


# -- the source, and the page that `pgn` reads -----------------------------------------------------------------


class _Page:
    """Records as PGN, line by line, and where each line comes from."""

    def __init__(self, text: Lines, cut: Cut):
        self.text = text
        self.cut = cut
        self.lines: list[str] = []
        self.sources: list[int] = []
        self.inserted: dict[int, list[int]] = {}
        self.records: list[_Record] = []
        self.begins: list[int] = []  # the line of the page with which each record begins
        self.starts: list[int] = []  # the same of each game that was read

    def add(self, record: _Record) -> None:
        self.records.append(record)
        self.begins.append(len(self.lines))
        tags = {name: value for name, value in record.tags.items() if value}
        if not tags and record.fen is None:
            tags["Title"] = ""  # some tag has to hold records apart
        for name, value in tags.items():
            self.put(pgn.tag_pair(name, value), record.line)
        if record.fen is not None and record.fen_line is not None:
            self.put(pgn.tag_pair("FEN", record.fen), record.fen_line)
        self.put("", record.line)
        for number, begin, stop in record.body:
            line, before = self.text.rows[number][begin:stop], " " * begin
            if not record.below or is_run(line) or is_list(line):
                self.put_apart(before + line.translate(GAPS), number)
            else:
                self.put(before + line, number)
        self.put("", record.line)

    def put(self, line: str, source: int) -> None:
        self.lines.append(line)
        self.sources.append(source)

    def put_apart(self, line: str, source: int) -> None:
        """``line`` with its coordinates that are run together apart."""
        inserted: list[int] = []

        def apart(run: re.Match[str]) -> str:
            word = run[0]
            parts = [word[k : k + FOUR] for k in range(0, len(word), FOUR)]
            for k in range(1, len(parts)):
                inserted.append(run.start() + k * FOUR + len(inserted))
            return " ".join(parts)

        line = RUN_WORD.sub(apart, line)
        if inserted:
            self.inserted[len(self.lines)] = inserted
        self.put(line, source)

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Line and column of the source, from 0, for those of the page."""
        source = self.sources[line]
        column -= bisect_left(self.inserted.get(line, ()), column)
        return source, min(column, len(self.text.rows[source]))

    def batch(self, skipped: list[int]) -> RecordBatch:
        """The records, read; ``skipped`` lines are told."""
        batch = pgn.read("\n".join(self.lines).encode(), encoding="utf-8", cut=Cut(1, final=self.cut.final))
        above = self.cut.line  # lines above this piece, and one
        for k, number in enumerate(batch.token_line if self.inserted else ()):
            if number - 1 in self.inserted:
                batch.token_column[k] = self.place(number - 1, batch.token_column[k] - 1)[1] + 1
        lines = [above + source for source in self.sources]
        batch.token_line = array("I", [lines[number - 1] for number in batch.token_line])
        self.starts = [line - 1 for line in batch.line]
        for finding in batch.findings:
            self.relocate(finding)
        batch.findings = [found for found in batch.findings if found.code != "missing-terminator"]
        for game, begin in enumerate(self.starts):
            record = self.record_at(begin)
            source = self.sources[begin] if begin != self.begins[record] else self.records[record].line
            batch.line[game] = above + source
            batch.offset[game] = self.cut.first + self.text.start[source]
            batch.index[game] = self.cut.index + game
            if not self.text.plain:
                batch.encoding[game] = self.text.encoding
        stops = [*batch.offset[1:], self.cut.first + len(self.text.data)]
        batch.end = array("Q", stops[: len(batch)])
        batch.tag_finder = self.tag_place
        batch.findings += limited(map(self.skipped, skipped))
        if self.text.fault is not None:
            batch.findings.insert(0, self.text.misfit(self.cut))
        if not len(batch) and self.cut.first == 0 and self.cut.final:
            batch.findings.append(Finding("no-games", line=1, column=1, byte=0))
        return batch

    def relocate(self, finding: Finding) -> None:
        """Say where in the source a finding about the page is."""
        if finding.line is None:
            return
        line, column = self.place(finding.line - 1, (finding.column or 1) - 1)
        finding.line = self.cut.line + line
        finding.column = None if finding.column is None else column + 1
        finding.byte = self.cut.first + self.text.byte(line, column)

    def record_at(self, line: int) -> int:
        """Which of the records line ``line`` of the page belongs to."""
        return bisect_right(self.begins, line) - 1

    def tag_place(self, batch: RecordBatch, game: int, name: str) -> Place | None:
        """Where the FEN of ``game`` stands; there are no tags."""
        record = self.records[self.record_at(self.starts[game])]
        if name != "FEN" or record.fen is None or record.fen_line is None:
            return None
        line, column = record.fen_line, max(0, self.text.rows[record.fen_line].find(record.fen))
        return self.cut.line + line, column + 1, self.cut.first + self.text.byte(line, column)

    def skipped(self, line: int) -> Finding:
        said = shown(self.text.rows[line].strip())
        byte = self.cut.first + self.text.start[line]
        return Finding("not-a-record", text=said, line=self.cut.line + line, column=1, byte=byte)
