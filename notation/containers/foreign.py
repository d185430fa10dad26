"""Known formats that are not read: one finding names the format, where its bytes read as text would give dozens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from notation import encoding as encodings
from notation.containers.cut import WHOLE, Cut
from notation.finding import Finding
from notation.record import RecordBatch

DHTMLXQ: Final = re.compile(rb"\[DhtmlXQ_(?:movelist|binit)\]\s*(?:\d\d|\[/)", re.IGNORECASE)
"""The moves of a DhtmlXQ record, or its start position, wherever they stand in a text."""
_TAG_PAIR: Final = re.compile(rb'^[ \t]*\[\w+\s+"', re.MULTILINE)
_PAGE: Final = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype html|html)\b", re.IGNORECASE | re.DOTALL
)


def is_page(head: bytes) -> bool:
    """Whether ``head`` begins an HTML page, and shows no game."""
    head = head.removeprefix(encodings.UTF8_MARK)
    return bool(_PAGE.match(head)) and not any(shown.search(head) for shown in (_TAG_PAIR, DHTMLXQ))


def is_manifest(head: bytes) -> bool:
    """Whether ``head`` begins like the ``manifest.json`` of a run of caipan."""
    return bool(re.match(rb'\s*\{\s*"caipan"\s*:', head))


_RECORDS: Final = "save its games as PGN first", "请先另存为 PGN"
_ARCHIVE: Final = "unpack it first", "请先解压"
_RUN: Final = "give the records that it was made from", "请给出原来的棋谱"

FORMATS: Final[dict[str, tuple[Callable[[bytes], object], tuple[str, str]]]] = {
    "HTML": (is_page, _RECORDS),
    "7z": (lambda head: head.startswith(b"7z\xbc\xaf\x27\x1c"), _ARCHIVE),
    "bzip2": (re.compile(rb"BZh[1-9]1AY&SY").match, _ARCHIVE),
    "gzip in an archive": (lambda head: head.startswith(b"\x1f\x8b\x08"), _ARCHIVE),
    "RAR": (lambda head: head.startswith(b"Rar!\x1a\x07"), _ARCHIVE),
    "tar": (lambda head: head[257:262] == b"ustar", _ARCHIVE),
    "xz": (lambda head: head.startswith(b"\xfd7zXZ\0"), _ARCHIVE),
    "zip in an archive": (lambda head: head.startswith((b"PK\3\4", b"PK\5\6")), _ARCHIVE),
    "Parquet": (lambda head: head.startswith(b"PAR1"), _RUN),
    "manifest.json": (is_manifest, _RUN),
}
"""How each format begins, and what is to be done with it, in English and Chinese."""


def finding(head: bytes) -> Finding | None:
    """A ``foreign-format`` for a file that begins with ``head``; None when it is of no format known here."""
    head = head.removeprefix(encodings.UTF8_MARK)
    for name, (begins, advice) in FORMATS.items():
        if begins(head):
            return Finding("foreign-format", details=unread(name, advice), byte=0)
    return None


def unread(name: str, advice: tuple[str, str] = _RECORDS) -> dict[str, str]:
    """What a ``foreign-format`` of that name says."""
    return {"format": name, "advice": advice[0], "advice_zh": advice[1]}


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """One cut without games: the beginning of ``source``, which tells the format."""
    yield Cut(last=1024, games=0)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """No record, and the finding."""
    found = finding(source if isinstance(source, bytes) else cut.of(source))
    return RecordBatch(findings=[found] if found else [])
