"""Positions as text (FEN): what is written, and whether it has the right shape. Rules come later.

A FEN names rows of pieces from Black's side down, who moves, and two counters. Records write it in many ways:
``h``/``e`` or ``n``/``b``, ``w`` or ``r`` for Red, no side, no counters, the side glued to the last row
(``…KAB2w--01``), reserves in brackets, as one row more or after the side. All of that is read here;
letters are kept as they stand, because only a rule set knows which pieces there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from notation.finding import Finding

EMPTY: Final = "."
_LONGEST: Final = 1000
_SIDES: Final = {
    **dict.fromkeys(("w", "r", "red", "white", "红", "紅"), 0),
    **dict.fromkeys(("b", "black", "黑"), 1),
}
_BOARD: Final = re.compile(r"[A-Za-z0-9~+]*(?:/[A-Za-z0-9~+]*)+")
_GLUED: Final = re.compile(r"(.*?)([wrbWRB]?)(-.*)")
_EXTRA_HAND: Final = re.compile(r"[A-JL-Za-jl-z]*")
_POINTS: Final = str.maketrans({**{str(n): EMPTY * n for n in range(10)}, "~": "", "+": ""})
_SQUARE_RUN: Final = re.compile(r"[0-9]+|[A-Za-z]")
_HAND: Final = re.compile(r"(?:[0-9]{0,2}[A-Za-z])+")
_HELD: Final = re.compile(r"([0-9]{0,2})([A-Za-z])")
_COUNTER: Final = re.compile(r"[0-9]{1,6}")
_ZERO_AND_NUMBER: Final = re.compile(r"0[0-9]{1,4}")


@dataclass(slots=True)
class Setup:
    """A position as written.

    ``rows[rank][file]`` is a letter as written (capital = Red) or ``"."``; rank 0 is Red's first, file 0 his
    left, so ``"".join(rows)`` is indexed by point. ``hands`` are the reserves, Red's in capitals and Black's
    in small letters, in the order written. ``side`` is 0 Red, 1 Black; it, ``clock`` (plies without a
    capture) and ``number`` (of the next move) are None when not written. With ``faults``, the rows are what
    could be read and may have any shape; without, there are ``ranks`` rows of ``files`` points.
    """

    rows: list[str]
    side: int | None = None
    hands: tuple[str, str] = ("", "")
    clock: int | None = None
    number: int | None = None
    faults: list[Finding] = field(default_factory=list)


def parse_fen(text: str, files: int = 9, ranks: int = 10, *, reserves: bool = False) -> Setup:
    """Read a FEN for a board of ``files`` by ``ranks`` points. Never raises; faults are in ``faults``.

    With ``reserves`` letters after the side (``b Rp - 5 40``) are some; without they say nothing, as the
    castling rights that chess programs write there. Faults: ``fen-not-a-fen``, ``fen-rank-count``,
    ``fen-file-count`` (naming the rank, from 1 on Red's side), ``fen-unclosed-hand``, the warning ``fen-counter``
    of counters below zero, and the note ``fen-passed-over`` of words that say nothing, each with ply 0.
    """
    setup = Setup([])

    def fault(code: str, **details: Any) -> None:
        setup.faults.append(Finding(code, ply=0, text=text[:_LONGEST].strip(), details=details))

    board, fields = _split(text)
    board, bracket, hand = board.partition("[")
    if bracket:
        hand, closed, glued = hand.partition("]")
        fields = f"{glued} {fields}"
        if not closed:
            fault("fen-unclosed-hand")
    head, _, last = board.rpartition("/")
    if glue := _GLUED.fullmatch(last):
        last, fields = _unglue(glue[1], glue[2], glue[3], fields, files)
        board = f"{head}/{last}"
    if len(text) > _LONGEST or not _BOARD.fullmatch(board):
        fault("fen-not-a-fen")
        return setup

    rows = board.split("/")
    if len(rows) == ranks + 1 and not bracket and _EXTRA_HAND.fullmatch(rows[-1]):
        hand = rows.pop()
    if last == rows[-1] and last[-1:] in "wrb" and len(_row(last, files)) == files + 1:
        rows[-1], fields = last[:-1], f"{last[-1:]} {fields}"
    if len(rows) != ranks:
        fault("fen-rank-count", found=len(rows), expected=ranks)
    setup.rows = [_row(row, files) for row in reversed(rows)]
    for number, points in zip(range(len(rows), 0, -1), reversed(setup.rows), strict=True):
        if len(points) != files:
            fault("fen-file-count", rank=number, found=len(points), expected=files)
    words, dashes = fields.split(), 2
    words = words[: words.index("moves")] if "moves" in words else words
    if words and (side := _SIDES.get(words[0].lower())) is not None:
        setup.side, words = side, words[1:]
        if reserves and not hand.strip("-") and words and _HAND.fullmatch(words[0]):
            hand, words = words[0], words[1:]
            dashes = 1
    setup.hands = _hands(hand)
    setup.clock, setup.number, below, strange = _counters(words, dashes)
    if below:
        fault("fen-counter", found=" ".join(below))
    if strange:
        fault("fen-passed-over", found=" ".join(strange))
    return setup


def write_fen(setup: Setup, letters: Mapping[str, str] | None = None, *, reserves: bool | None = None) -> str:
    """``setup`` as a FEN with every field, or the board alone when the side is not known.

    ``letters`` respells capitals (``{"H": "N", "E": "B"}``), for both sides. ``reserves`` says whether to
    write the brackets; by default they are written when they hold something.
    """
    respelt = {**(letters or {}), **{a.lower(): b.lower() for a, b in (letters or {}).items()}}
    rows = ("".join(respelt.get(point, point) for point in row) for row in reversed(setup.rows))
    board = "/".join(re.sub(r"\.+", lambda empties: str(len(empties[0])), row) for row in rows)
    hand = "".join(respelt.get(letter, letter) for letter in "".join(setup.hands))
    if reserves or (reserves is None and hand):
        board += f"[{hand}]"
    if setup.side is None:
        return board
    return f"{board} {'wb'[setup.side]} - - {setup.clock or 0} {setup.number or 1}"


def _split(text: str) -> tuple[str, str]:
    board, *fields = text[: _LONGEST + 1].split(maxsplit=1) or [""]
    return board, fields[0] if fields else ""


def _unglue(row: str, side: str, tail: str, fields: str, files: int) -> tuple[str, str]:
    """Cut ``row`` + ``side`` + ``tail`` (as ``KAB2w--01``): the letter is a side unless the row needs it."""
    if side and len(_row(row + side, files)) == files:
        return row + side, f"{tail} {fields}"
    return row, f"{side} {tail} {fields}"


def _row(text: str, files: int) -> str:
    """The points of a row. Digits side by side are one number, unless only their sum fills the row."""
    apart = text.translate(_POINTS)
    if len(apart) == files:  # then no number of several digits would, but for zeros before it
        return apart
    runs = _SQUARE_RUN.findall(text)
    return "".join(EMPTY * min(int(run), _LONGEST) if run.isdigit() else run for run in runs)


def _hands(text: str) -> tuple[str, str]:
    """Red's and Black's letters; a number before a letter repeats it (``2P``)."""
    letters = "".join(letter * min(int(count or 1), 99) for count, letter in _HELD.findall(text))
    return "".join(filter(str.isupper, letters)), "".join(filter(str.islower, letters))


def _counters(words: list[str], dashes: int) -> tuple[int | None, int | None, list[str], list[str]]:
    """Clock and move number from what follows board, side and reserves; those below zero, which are not read; and
    the words that say nothing.

    ``dashes`` fields stand before the counters, perhaps glued to the first (``--01``); a further dash is a minus.
    """
    counters: list[int | None] = []
    below, strange = [], []
    for word in words:
        digits = word.lstrip("-")
        signs = len(word) - len(digits)
        if not digits:
            dashes -= signs
        elif not _COUNTER.fullmatch(digits):
            strange.append(word)
            dashes -= 1
        else:
            if signs and signs != dashes:
                below.append(word)
                counters.append(None)
            elif signs and _ZERO_AND_NUMBER.fullmatch(digits):  # "--01": a clock of 0, then the number
                counters += [0, int(digits[1:])]
            else:
                counters.append(int(digits))
            dashes = 0
    clock, number, *_ = *counters, None, None
    return clock, number, below, strange
