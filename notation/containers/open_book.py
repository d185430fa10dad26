"""The opening book of CCBridge (象棋桥) as text: trees of moves with comments, a move a line.

        17747炮二平五
        27242炮８平５    said of it||in two lines
        17967马二进三

Five characters number the ply, four digits are the move, as `digits` knows them, and four characters are the move in
words; the rest of the line is a comment, in which two bars end a line. A number that steps back begins a variation at
that ply, and 1 a new tree. No specification is public. The words say what the digits say, and are not read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

from notation import encoding as encodings
from notation.containers import digits, drafts, wide
from notation.containers.cut import WHOLE, Cut
from notation.containers.drafts import Draft
from notation.containers.lines import Lines
from notation.containers.rows import BOOK
from notation.finding import Finding, limited, shown
from notation.record import RecordBatch


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """Cut ``source`` between trees into pieces of ``target_bytes`` or a little more, in order."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    name = encoding or encodings.evident(data[:4096])
    if name and name != "utf-8":
        yield Cut(last=len(data))
        return
    hint = encodings.file_hint(data)
    text = Lines(data, hint)
    first, line, index, games = 0, 1, 0, 0
    for number, row in enumerate(text.rows):
        if (found := BOOK.match(row)) and int(found[1]) == 1:
            start = text.start[number]
            if games and start - first >= target_bytes:
                yield Cut(first, start, line, index, games, hint, False)
                first, line, index, games = start, number + 1, index + games, 0
            games += 1
    yield Cut(first, len(data), line, index, hint=hint)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Read every tree of a ``cut``; parameters and faults as in `pgn.read`."""
    return wide.read(source, encoding, cut, _read)


def _read(data: bytes, encoding: str | None, cut: Cut) -> RecordBatch:
    """Every tree of ``data``."""
    text = Lines(data, encoding or cut.hint or encodings.file_hint(data))
    made, skipped = _trees(text, cut)
    batch = drafts.batch(made, "utf-8", cut.index)
    batch.findings += limited(skipped)
    lines, batch.token_byte = batch.token_byte, array("Q")
    batch.token_line = array("I", (cut.line + number for number in lines))
    found = (BOOK.match(text.rows[number]) for number in lines)
    batch.token_column = array("I", (line.end(1) + 1 for line in found if line))
    for finding in batch.findings:
        number = finding.byte or 0
        finding.line, finding.column, finding.byte = cut.line + number, 1, cut.first + text.start[number]
    if text.fault is not None:
        batch.findings.insert(0, text.misfit(cut))
    if not made and cut.first == 0 and cut.final:
        batch.findings.append(Finding("no-games", line=1, column=1, byte=0))
    return batch


def _trees(text: Lines, cut: Cut) -> tuple[list[Draft], list[Finding]]:
    """The trees, and what is in none; the places of both are the numbers of lines."""
    made: list[Draft] = []
    skipped: list[Finding] = []
    last = 0  # ply; 0 where no tree has begun, or one has broken off
    for number, row in enumerate(text.rows):
        line = BOOK.match(row)
        ply = int(line[1]) if line else 0
        if ply == 1:
            made.append(Draft(len(made), cut.first + text.start[number], board=False))
            made[-1].line, made[-1].written_in, last = cut.line + number, text.encoding, 1
        if not line or not last:
            if row.strip():
                skipped.append(Finding("not-a-record", text=shown(row.strip()), byte=number))
        elif not 1 <= ply <= last + 1:
            made[-1].fault("move-number", number, last + 1, line[1], expected=last + 1)
            last = 0
        else:
            made[-1].move(ply, digits.move(line[2].encode()) or line[2], number)
            made[-1].say(ply, line[4].replace("||", "\n").encode(), number)
            last = ply
        if made:
            made[-1].stop = cut.first + text.start[number + 1]
    return made, skipped
