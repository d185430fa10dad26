"""How each format begins. What a file is can be told without the module that reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from notation import encoding as encodings
from notation.containers import digits, foreign, rows, table, unknown
from notation.notations import parse

WXF_FORMAT: Final = re.compile(rb"[ \t]*FORMAT[ \t]+WXF\b", re.IGNORECASE)
WXF_START: Final = re.compile(rb"[ \t]*START[ \t]*\{", re.IGNORECASE)
_DHTMLXQ: Final = re.compile(rb"\s*\[DhtmlXQ(?:iFrame|_\w+)?\]", re.IGNORECASE)
_CBF: Final = re.compile(rb"<ChineseChessRecord[\s/>]")
_JSON: Final = re.compile(rb'\s*[\[{]\s*["\[{]')
_JSON_RECORD: Final = re.compile(rb'"moves"\s*:\s*["\[]|"type"\s*:\s*"(?:room-created|move-played)"')
_TAG_PAIR: Final = re.compile(rb'[ \t]*\[[ \t]*\w+[ \t]+"')
_MOVE_NUMBER: Final = re.compile(r"(?<!\S)[!?]*\d+\s*(?:[.．、。]\s*)+")


def _foreign(head: bytes, name: str) -> bool:
    """Known, and not read."""
    return foreign.finding(head) is not None


def _xqf(head: bytes, name: str) -> bool:
    """Its two letters, and the bytes of a header after them."""
    return head.startswith(b"XQ") and b"\0" in head[:64]


def _cbl(head: bytes, name: str) -> bool:
    """The older kind of libraries."""
    return head.startswith(b"CCBridge\x15\0\0\0")


def _ccbridge(head: bytes, name: str) -> bool:
    """A record or a library of the newer kind."""
    return head.startswith((b"CCBridge Record\0", b"CCBridgeLibrary\0"))


def _cbf(head: bytes, name: str) -> bool:
    """XML with the element that holds a record."""
    head = encodings.legible(head).lstrip()
    return head.startswith(b"<") and bool(_CBF.search(head))


def _wxf_text(head: bytes, name: str) -> bool:
    """A ``FORMAT WXF`` line among the first, or a line ``START{``."""
    lines = encodings.legible(head).splitlines()
    first = [line for line in lines if line.strip()][:8]
    return any(map(WXF_FORMAT.match, first)) or any(map(WXF_START.match, lines))


def _json_games(head: bytes, name: str) -> bool:
    """JSON that shows a list of moves or an event of a room."""
    head = encodings.legible(head)
    return bool(_JSON.match(head) and _JSON_RECORD.search(head))


def _dhtmlxq(head: bytes, name: str) -> bool:
    """A DhtmlXQ tag at the beginning, moves or a position in such tags before any tag pair, or moves in digits and
    nothing else."""
    if digits.begin(head):
        return True
    head = encodings.legible(head)
    if _DHTMLXQ.match(head):
        return True
    found = foreign.DHTMLXQ.search(head)
    before = head[: found.start()] if found else b"\0"
    return b"\0" not in before and not any(map(_TAG_PAIR.match, before.splitlines()))


def _open_book(head: bytes, name: str) -> bool:
    """Numbered lines of moves in digits and in words."""
    return rows.begin_book(head)


def _move_lists(head: bytes, name: str) -> bool:
    """A FEN, or moves in one of the forms of lists or in a table, and no tag pair."""
    return (rows.begin(head) or table.begin(head)) and not any(
        map(_TAG_PAIR.match, encodings.legible(head).splitlines())
    )


def _pgn(head: bytes, name: str) -> bool:
    """By its name, a tag pair, or moves at its beginning."""
    if name.lower().endswith(".pgn"):
        return True
    head = encodings.legible(head)
    if b"\0" in head:
        return False
    if any(map(_TAG_PAIR.match, head.splitlines())):
        return True
    first = encodings.decode(head[:400].lstrip()).text.decode("utf-8", "replace")
    words = _MOVE_NUMBER.sub(" ", first).split()[:2]
    return bool(words) and all(map(parse, words))


SIGNS: Final[dict[str, Callable[[bytes, str], bool]]] = {
    "foreign": _foreign,
    "xqf": _xqf,
    "cbl": _cbl,
    "ccbridge": _ccbridge,
    "cbf": _cbf,
    "wxf_text": _wxf_text,
    "json_games": _json_games,
    "dhtmlxq": _dhtmlxq,
    "open_book": _open_book,
    "move_lists": _move_lists,
    "pgn": _pgn,
    "unknown": unknown.recognises,
}
"""The formats, by the names of their modules, in the order in which they are asked whether a file is theirs, which
begins with so many bytes and has that name."""
