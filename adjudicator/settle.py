"""Find out what a record means when its text alone does not say: replay every reading, keep what stays legal.

The kernel plays a record as long as each token has one legal meaning. Where that stops short, the record is
played here again as a set of lines: a token with several meanings splits a line, a line without a legal
meaning ends, lines that come to the same position run on as one. What is left open is the numbering of
ranks, the order of two digits that name a soldier, which of several pieces is meant, and who moves first when
the FEN does not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from adjudicator._board import Tables
from adjudicator._cursor import Cursor
from adjudicator.moves import Move
from adjudicator.setup import Start
from notation import descriptor

MOST_LINES = 64
"""Lines kept at a time; of more, the first stay (a record so vague settles nothing)."""


@dataclass(slots=True)
class Line:
    """One way to read a record so far.

    ``choices`` holds every ply (from 1) at which the token had several legal meanings, with all of them;
    ``open`` those of them that the rest of the record has not decided.
    """

    side: int
    reading: int
    cursor: Cursor
    moves: list[Move] = field(default_factory=list)
    choices: dict[int, list[Move]] = field(default_factory=dict)
    open: dict[int, set[Move]] = field(default_factory=dict)

    def note_open(self, other: Line) -> None:
        """``other`` reads the record as well: the first ply where they part is undecided."""
        for ply, (mine, its) in enumerate(zip(self.moves, other.moves, strict=False), start=1):
            if mine != its:
                self.open.setdefault(ply, {mine}).add(its)
                break
        for ply, moves in other.open.items():
            self.open.setdefault(ply, set()).update(moves)


@dataclass(slots=True)
class Settled:
    """The line that reads furthest (the first of several) and whether a token was left that none could play."""

    line: Line
    rivals: list[Line]
    stopped: bool


def settle(
    start: Start, tables: Tables, sides: Iterable[int], readings: Sequence[int], said: Iterable[int]
) -> Settled:
    """Play the descriptors ``said`` from ``start`` with every side of ``sides`` first, under every reading."""
    lines = [Line(side, reading, start.cursor(tables, side)) for side in sides for reading in readings]
    stopped = False
    for ply, word in enumerate(said, start=1):
        following = []
        found = [sorted(line.cursor.meanings(word, line.reading)) for line in lines]
        if word & descriptor.CAPTURE:
            found = _captures(lines, found)
        for line, meanings in zip(lines, found, strict=True):
            if len(meanings) == 1:
                line.cursor.push(*meanings[0])
                line.moves.append(meanings[0])
                following.append(line)
            else:
                following += [_fork(line, ply, move, meanings) for move in meanings]
        if not following:
            stopped = True
            break
        lines = _merge(following)[:MOST_LINES] if len(following) > 1 else following
    best = lines[0]
    rivals = [line for line in lines[1:] if line.moves != best.moves]
    for rival in rivals:
        best.note_open(rival)
    return Settled(best, rivals, stopped)


def _captures(lines: list[Line], found: list[list[Move]]) -> list[list[Move]]:
    """The meanings that take something, where a capture is written and any line has one."""
    taking = []
    for line, meanings in zip(lines, found, strict=True):
        pieces = line.cursor.pieces()
        taking.append([move for move in meanings if pieces[move[1]]])
    return taking if any(taking) else found


def _fork(line: Line, ply: int, move: Move, meanings: list[Move]) -> Line:
    cursor = line.cursor.copy()
    cursor.push(*move)
    choices = {**line.choices, ply: meanings}
    opened = {known: set(moves) for known, moves in line.open.items()}
    return Line(line.side, line.reading, cursor, [*line.moves, move], choices, opened)


def _merge(lines: list[Line]) -> list[Line]:
    """One line for each position under each numbering of ranks; what differs on the way stays open."""
    seen: dict[tuple[int, int, frozenset[int]], Line] = {}
    for line in lines:
        key = line.reading & descriptor.RANKS_FROM_0, line.cursor.key, frozenset(line.cursor.iron())
        first = seen.setdefault(key, line)
        if first is not line and first.moves != line.moves:
            first.note_open(line)
    return list(seen.values())
