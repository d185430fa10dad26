"""Text without a list of moves: one finding says what it seems to be, where reading it as moves would give dozens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from notation import encoding as encodings
from notation.containers.cut import HEAD_BYTES, WHOLE, Cut, opened
from notation.finding import Finding
from notation.notations import parse
from notation.record import RecordBatch

_COMMENT: Final = re.compile(r"\{[^}]*\}")
_NUMBER: Final = re.compile(r"\d{1,3}[.．。、]+")
_QUOTED: Final = re.compile(r'"[^"]*"')
_GLUED: Final = re.compile(r"\s*\d{4,}(\D{4})")


def _table(text: str) -> bool:
    """Lines with equally many commas, semicolons or tabs, two at least."""
    lines = [_QUOTED.sub("", line) for line in text.splitlines()[:4] if line.strip()][:3]
    counts = [{line.count(sign) for line in lines} for sign in ",;\t"]
    return len(lines) > 1 and any(len(found) == 1 and min(found) > 1 for found in counts)


def _book(text: str) -> bool:
    """Lines in which numbers stand before moves without a blank, as in the opening books of programs."""
    found = [line for line in map(_GLUED.match, text.splitlines()[:20]) if line]
    return len(found) > 4 and 2 * sum(bool(parse(line[1])) for line in found) > len(found)


_DIGITS: Final = re.compile(r"\s*(?:\d{4}\s*){2,}")
_PLAIN: Final = "moves are read as coordinates such as h2e2", "着法须写作 h2e2 一类的坐标"
_FORMS: Final = (
    "what is read is PGN, WXF text, JSON, DhtmlXQ, and lists of moves such as h2e2 h9g7, a game a line",
    "可读 PGN、WXF 文本、JSON、DhtmlXQ,以及 h2e2 h9g7 一类的着法(每行一局)",
)

_NAMES: Final = (
    "a table is read where its first line names a column of moves, such as red,black,result,moves",
    "首行写明着法一列的表格可读,例如 red,black,result,moves",
)

SHAPES: Final[tuple[tuple[Callable[[str], object], tuple[str, str], tuple[str, str]], ...]] = (
    (re.compile(r"\s*[\[{]\s*[\"\[{]").match, ("JSON of another kind than is read", "另一类 JSON"), _FORMS),
    (re.compile(r"\s*<[?!A-Za-z]").match, ("XML or HTML", "XML 或 HTML"), _FORMS),
    (_DIGITS.fullmatch, ("digits run together, as DhtmlXQ writes moves", "DhtmlXQ 一类的数字着法"), _PLAIN),
    (re.compile(r"\s*\d[\s\d]+").fullmatch, ("a list of numbers", "一列数字"), _PLAIN),
    (_table, ("a table (CSV)", "表格(CSV)"), _NAMES),
    (_book, ("an opening book of numbered lines", "逐行编号的开局库"), _FORMS),
)
"""What text that is no list of moves looks like, how that is called, and what would be read instead, in English and
Chinese."""


def recognises(head: bytes, name: str) -> bool:
    """Whether ``head`` is text of one of `SHAPES`, or one in which neither a move follows another nor one has a
    number."""
    text = _text(head)
    return text is not None and (any(looks(text) for looks, _, _ in SHAPES) or not _shows_moves(text))


def _shows_moves(text: str) -> bool:
    before = False
    for word in _COMMENT.sub(" ", text).split():
        bare = _NUMBER.sub("", word, count=1)
        move = bool(bare and parse(bare))
        if move and (before or len(bare) < len(word)):
            return True
        before = move or not bare
    return False


def why(head: bytes) -> tuple[str, str]:
    """What ``head`` seems to be, and what would be read instead, in English and Chinese."""
    text = _text(head) or ""
    if not text.strip():
        return "it is empty", "文件为空"
    prose = "text in which no move follows another", "没有连续着法的文字"
    (kind, kind_zh), (advice, advice_zh) = next(
        ((kind, advice) for looks, kind, advice in SHAPES if looks(text)), (prose, _FORMS)
    )
    return f"it seems to be {kind}; {advice}", f"似为{kind_zh};{advice_zh}"


def _text(head: bytes) -> str | None:
    head = encodings.legible(head)
    return None if b"\0" in head else encodings.decode(head).text.decode("utf-8", "replace")


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """One cut without games: the beginning of ``source``, which tells what it is."""
    with opened(source) as file:
        yield Cut(last=len(file.read(HEAD_BYTES)), games=0)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """No record, and the finding."""
    data = source if isinstance(source, bytes) else cut.of(source)
    english, chinese = why(data[:HEAD_BYTES])
    details = {"because": f": {english}", "because_zh": f":{chinese}"}
    return RecordBatch(findings=[Finding("no-games", details=details, line=1, column=1, byte=0)])
