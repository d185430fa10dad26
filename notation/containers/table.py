"""Tables (CSV) whose first line names their columns: of a row for each game, or of a row for each move.

    red,black,result,moves                  event;red;black;fen;moves
    甲,乙,1-0,"h2e2 h9g7 h0g2"               残局;;;3k5/9/…/4K4 w;炮二平五 将5平6

    game_id,move_index,move,outcome
    BhBxaEr3,0,h2h6,RED_WINS

What is between quotes may go on over several lines. No table is specified anywhere; the names are those that people and
programs give their columns, ElephantChess among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from notation import encoding as encodings
from notation.containers.rows import is_fen, moves_in, of_another

_SEPARATORS: Final = ",;\t|"
_MOVES: Final = (
    "moves",
    "move",
    "movelist",
    "movetext",
    "pgn",
    "iccs",
    "uci",
    "wxf",
    "着法",
    "着法列表",
    "棋谱",
)
_GAME: Final = ("gameid", "game", "id", "gameno", "局号", "编号")
_PLY: Final = ("moveindex", "ply", "plyindex", "movenumber", "moveno", "着数", "序号")
_TAGS: Final = {
    "FEN": ("fen", "startfen", "initialfen", "startingfen", "局面"),
    "Title": ("title", "name", "标题", "名称"),
    "Event": ("event", "tournament", "赛事", "比赛"),
    "Site": ("site", "place", "地点"),
    "Date": ("date", "日期"),
    "Round": ("round", "轮次"),
    "Red": ("red", "redplayer", "redname", "white", "红方", "红"),
    "RedElo": ("redelo", "redrating", "redelobefore"),
    "Black": ("black", "blackplayer", "blackname", "黑方", "黑"),
    "BlackElo": ("blackelo", "blackrating", "blackelobefore"),
    "Result": ("result", "outcome", "winner", "结果", "胜负"),
    "Termination": ("termination", "gamestatus", "endreason", "结束"),
    "TimeControl": ("timecontrol",),
    "Variant": ("variant", "棋种"),
}
"""The tags that columns become, by their names in small letters without gaps."""
_RESULTS: Final = {
    **dict.fromkeys(("red", "red wins", "red won", "red win", "红", "红方"), "1-0"),
    **dict.fromkeys(("black", "black wins", "black won", "black win", "黑", "黑方"), "0-1"),
    **dict.fromkeys(("draw", "drawn", "平局"), "1/2-1/2"),
}
_GAP: Final = re.compile(r"[\s_.-]+")
_INSIDE: Final = re.compile('(?:[^"]+|"")*')
_COMMENT: Final = re.compile(r"\{[^}]*\}")
_SHOWN: Final = 1 << 14
"""So many bytes show whether there is a table."""
_SAMPLE: Final = 3
"""So many rows show what stands in a column."""
MOST_LINES: Final = 1000
"""A quote that is not closed after so many is taken for a sign."""


class Cell(NamedTuple):
    """What a cell says, and where: lines, and of each the columns from and to, from 0."""

    text: str
    pieces: list[tuple[int, int, int]]


class Columns(NamedTuple):
    """What stands in which column of a table; ``each`` says that a row is a move."""

    separator: str
    moves: int
    each: bool
    game: int | None
    ply: int | None
    tags: dict[str, int]


class Row(NamedTuple):
    """A row: the line that it begins on and the one behind it, and its cells."""

    line: int
    stop: int
    cells: list[Cell]

    def text(self, column: int | None) -> str:
        return "" if column is None or column >= len(self.cells) else self.cells[column].text.strip()


def rows(lines: Sequence[str], separator: str) -> Iterator[Row]:
    """The rows of a table; empty lines are none."""
    number = 0
    while number < len(lines):
        if not lines[number].strip():
            number += 1
            continue
        row = _row(lines, number, separator)
        yield row
        number = row.stop


def _row(lines: Sequence[str], number: int, separator: str) -> Row:
    cells: list[Cell] = []
    line, place = number, 0
    while True:
        cell = _quoted(lines, line, place) if lines[line].startswith('"', place) else None
        if cell:
            line, _, place = cell.pieces[-1]
            place += 1
        stop = lines[line].find(separator, place)
        stop = len(lines[line]) if stop < 0 else stop
        cells.append(cell or Cell(lines[line][place:stop], [(line, place, stop)]))
        if stop == len(lines[line]):
            return Row(number, line + 1, cells)
        place = stop + 1


def _quoted(lines: Sequence[str], line: int, begin: int) -> Cell | None:
    """The cell with a quote at ``begin``; None when the quote is not closed."""
    said: list[str] = []
    pieces: list[tuple[int, int, int]] = []
    for number in range(line, min(line + MOST_LINES, len(lines))):
        inside = _INSIDE.match(lines[number], 0 if pieces else begin + 1)
        assert inside
        said.append(inside[0].replace('""', '"'))
        pieces.append((number, *inside.span()))
        if inside.end() < len(lines[number]):
            return Cell("\n".join(said), pieces)
    return None


def begin(head: bytes) -> bool:
    """Whether ``head`` begins with a table of moves."""
    if of_another(head):
        return False
    head = encodings.legible(head)[:_SHOWN]
    text = "" if b"\0" in head else encodings.decode(head).text.decode("utf-8", "replace")
    return columns(text.splitlines()) is not None


def columns(lines: Sequence[str]) -> Columns | None:
    """What the first of ``lines`` says of the columns, where it names one of moves and there are moves in it."""
    first = _plain(next(filter(str.strip, lines), ""))
    if not any(name in first for name in _MOVES):
        return None
    return next(filter(None, (_columns(lines, separator) for separator in _SEPARATORS)), None)


def _columns(lines: Sequence[str], separator: str) -> Columns | None:
    head, *some = islice(rows(lines, separator), 1 + _SAMPLE)
    names = [_plain(cell.text) for cell in head.cells]

    def column(called: Sequence[str]) -> int | None:
        return next((names.index(name) for name in called if name in names), None)

    tags = {tag: at for tag, called in _TAGS.items() if (at := column(called)) is not None}
    game, ply = column(_GAME), column(_PLY)
    for moves in (names.index(name) for name in _MOVES if name in names):
        counts = [moves_in(_COMMENT.sub(" ", row.text(moves))) for row in some]
        if max(counts, default=0) > 1:
            return Columns(separator, moves, False, game, ply, tags)
        if counts[:1] == [1] and (
            ply is not None or len({row.text(game) for row in some[:2]}) < len(some[:2])
        ):
            return Columns(separator, moves, True, game, ply, tags)
        if counts[:1] == [1] and is_fen(some[0].text(tags.get("FEN"))):
            return Columns(separator, moves, False, game, ply, tags)
    return None


def _plain(name: str) -> str:
    return _GAP.sub("", name.removeprefix("\ufeff").strip().lower())


def games(lines: Sequence[str], known: Columns, headed: bool) -> Iterator[list[Row]]:
    """The rows of each game, which stand together; of ``lines`` that are ``headed`` the first row is none."""
    game: list[Row] = []
    for row in islice(rows(lines, known.separator), headed, None):
        if game and _another(game[-1], row, known):
            yield game
            game = []
        game.append(row)
    if game:
        yield game


def tags(game: Sequence[Row], known: Columns) -> dict[str, str]:
    """What the rows of a game say, each tag where it is first filled; results as they are written elsewhere."""
    said = {name: next(filter(None, (row.text(at) for row in game)), "") for name, at in known.tags.items()}
    said = {name: " ".join(text.split()) for name, text in said.items() if text}
    if result := said.get("Result"):
        said["Result"] = _RESULTS.get(result.replace("_", " ").lower(), result)
    if (number := game[0].text(known.game)) and not {"Title", "Event"} & said.keys():
        said["Title"] = number
    return said


def _another(before: Row, row: Row, known: Columns) -> bool:
    """Whether another game begins with ``row``."""
    if not known.each:
        return True
    if known.game is not None:
        return row.text(known.game) != before.text(known.game)
    ply, last = row.text(known.ply), before.text(known.ply)
    numbered = all(word.isdecimal() and len(word) <= _LONGEST_NUMBER for word in (ply, last))
    return numbered and int(ply) <= int(last)


_LONGEST_NUMBER: Final = 9
"""Digits of a ply."""
