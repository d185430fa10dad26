"""The forms of lines in bare lists of moves (`move_lists`) and in opening books (`open_book`)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from notation import encoding as encodings
from notation.containers import digits
from notation.notations import parse
from notation.record import RESULTS

_FEN: Final = re.compile(
    r"\s*([A-Za-z0-9~+]+(?:/[A-Za-z0-9~+]+){4,})(?:\[\w*\])?[-0-9]*"
    r"(?:[ \t]+(?:[A-Za-z]|red|black|white|[红紅黑]|-*\d*|(?:\d{0,2}[A-Za-z])+)){0,6}\s*"
)
_RUN: Final = re.compile(r"(?:[a-i]\d){4,}", re.IGNORECASE)
RUN_WORD: Final = re.compile(rf"(?<!\S){_RUN.pattern}\S*", re.IGNORECASE)
_BREAK: Final = re.compile(r"[;|；｜]")
_COMMAS: Final = ",，、"
_APART: Final = re.compile(rf"[{_COMMAS};|；｜]")
"""What stands between the moves of a list."""
GAPS: Final = str.maketrans(dict.fromkeys(f"{_COMMAS};|；｜", " "))
CONTINUED: Final = re.compile(rf"[{_COMMAS}]\s*$")
_NUMBER: Final = re.compile(r"\d{1,3}[.．。]+")
FURTHER: Final = re.compile(r"\s*(?!1\D)\d{1,3}[.．。]")
"""A move number after the first."""
_BLANK: Final = encodings.UTF8_MARK + b" \t\r\n"
_OTHERS: Final = (b"[", b"{", b"<")
"""How tags, JSON and HTML begin."""
BOOK: Final = re.compile(r"\s*([0-9]{1,5})([0-9]{4})([^\s0-9]\S{3})(.*)")
"""The number of a ply, its move in digits and in words, and a comment."""
_PLIES: Final = 3
"""So many in order show a book."""
FOUR: Final = 4  # characters of a move that is run together with others


def begin(head: bytes) -> bool:
    """Whether ``head`` begins with a FEN or with moves in one of these forms."""
    if of_another(head):
        return False
    head = encodings.legible(head)
    if b"\0" in head:
        return False
    first = [line for line in head[:8192].splitlines() if line.strip()][:3]
    lines = [encodings.decode(line).text.decode("utf-8", "replace") for line in first]
    if not lines:
        return False
    return (
        is_fen(lines[0])
        or is_run(lines[0])
        or (is_fen(lines[1 % len(lines)]) and is_list(lines[0]))
        or any((found := row(line)) and (found.fen or is_list(line[found.moves :], 2)) for line in lines)
    )


def of_another(head: bytes) -> bool:
    """Whether ``head`` begins like tags, JSON or HTML."""
    return head.lstrip(_BLANK)[:1] in _OTHERS


def begin_book(head: bytes) -> bool:
    """Whether ``head`` begins with the first plies of an opening book."""
    head = encodings.legible(head[:2048]).lstrip()
    if not head[:1].isdigit():
        return False
    text = encodings.decode(head).text.decode("utf-8", "replace")
    found = [BOOK.match(row) for row in [row for row in text.splitlines() if row.strip()][:_PLIES]]
    return len(found) == _PLIES and all(
        line and int(line[1]) == ply and digits.move(line[2].encode()) for ply, line in enumerate(found, 1)
    )


def is_fen(text: str) -> bool:
    """Whether ``text`` is a FEN and nothing else: rows of which most are equally long."""
    found = _FEN.fullmatch(text) if text.count("/") >= 4 else None
    if not found:
        return False
    widths = Counter(
        sum(int(run) if run.isdigit() else 1 for run in re.findall(r"\d{1,3}|[A-Za-z]", row))
        for row in found[1].split("/")
    )
    width, count = widths.most_common(1)[0]
    return 5 <= width <= 15 and 2 * count > widths.total()


@dataclass(slots=True)
class Row:
    """A line that is a whole record: its ``title`` and ``fen``, and the column (from 0) at which its moves begin."""

    title: str
    fen: str | None
    moves: int


def row(line: str) -> Row | None:
    """``line`` as a record by itself; None if it is none."""
    if not _APART.search(line):
        return None
    parts = _BREAK.split(line)
    fen = next((k for k, part in enumerate(parts) if is_fen(part)), None)
    begin = fen if fen is not None else next((k for k, part in enumerate(parts) if moves_in(part)), None)
    if begin is None:
        named = len(parts) > 1 and parts[0].strip() and not "".join(parts[1:]).strip()
        return Row(parts[0].strip(), None, len(line)) if named else None
    moves = sum(len(part) + 1 for part in parts[: begin + (fen is not None)])
    title = line[: sum(len(part) + 1 for part in parts[:begin])].strip(" \t;|；｜")
    if fen is not None:
        return Row(title, parts[fen].strip(), min(moves, len(line)))
    return Row(title, None, moves)


def is_list(text: str, least: int = 1) -> bool:
    """Whether every word of ``text`` is a move or a result, and so many are moves."""
    words = _words(text)
    moves = [_weight(word) for word in words]
    return sum(moves) >= least and all(
        count or word in RESULTS for word, count in zip(words, moves, strict=True)
    )


def _words(text: str) -> list[str]:
    """The words of a list without its move numbers."""
    words = text.translate(GAPS).split()
    bare = (_NUMBER.sub("", word, count=1) if word[0].isdigit() else word for word in words)
    return [word for word in bare if word]


def _weight(word: str) -> int:
    """How many moves a word is."""
    return 1 if parse(word) else len(word) // FOUR if _RUN.fullmatch(word) else 0


def moves_in(text: str) -> int:
    """How many moves ``text`` holds, if its words are moves in the main; else 0."""
    moves = [_weight(word) for word in _words(text)]
    return sum(moves) if 2 * sum(map(bool, moves)) >= len(moves) else 0


def is_run(line: str) -> bool:
    """Whether ``line`` is coordinates run together and nothing else."""
    words = line.split()
    return bool(words) and all(_RUN.match(word) for word in words)
