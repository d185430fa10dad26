"""Which encoding a record is written in: UTF-8, GB18030 or Big5, and UTF-16 where a file's front shows it.

The choice is made game by game, from the game's own bytes and a *hint* drawn once from its file. Both are
pure functions of bytes, so a file cut into shards is read as the whole file is. Every choice is by evidence:
what is strict UTF-8 is UTF-8; else the words of the game itself (炮, 進, ９ …) under either double-byte
encoding weigh most, then how common the other characters are there, then the hint.
"""

from __future__ import annotations

import codecs
import mmap
import re
from collections import deque
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import category

from notation.containers import _pgn
from notation.containers.cut import opened

UTF8_MARK = codecs.BOM_UTF8
SAMPLE = 1 << 16
"""A hint is drawn from this many bytes of lines that are not ASCII."""

_CODECS = {"gb18030": "gb18030", "big5": "big5hkscs"}
# Words of the game, in either script, and what moves are written with.
_GAME_WORDS = (
    "车車俥马馬傌炮砲包相仕帅帥兵象士将將卒进進退平前后後中一二三四五六七八九１２３４５６７８９"
    "棋红紅黑胜勝负負和局赛賽"
)
_GAME_WEIGHT = 8
_FAULT = -12
_HINT = 6


class Decoded(NamedTuple):
    """``text`` in UTF-8; ``fault``: the first of the raw bytes that does not fit ``encoding``, or None."""

    text: bytes
    encoding: str
    fault: int | None


def evident(head: bytes) -> str | None:
    """The encoding that the front of a file shows, by a byte-order mark or by the NULs of UTF-16, or None.

    Two stray bytes may look like the mark of UTF-16: ``head`` should be long enough to show the text after.
    """
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8"
    for name, marks in (
        ("utf-32", (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
        ("utf-16", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
    ):
        if head.startswith(marks):
            text = head[:4096].decode(name, "replace")
            if sum("\t" <= c < "\x7f" for c in text) * 20 >= len(text):
                return name
    nul = head.find(0, 0, _FIRST_ASCII)
    if nul < 0:
        return None
    # Another text may follow soon.
    wide = next(filter(None, (_unmarked_utf16(head[:size]) for size in (4096, 1024, 256))), None)
    before = head[: nul - nul % 2]
    if wide and len(before) > 16 and not _CHINESE.fullmatch(before.decode(wide, "ignore")):
        return None
    return wide


def _unmarked_utf16(head: bytes) -> str | None:
    """UTF-16 without a mark: beside ASCII, of which every record has much, there are NULs, on one side.

    Which, is told by blanks and dots: 一 and 开 in the other order of bytes are the letter N and the sign _.
    """
    if len(head) < 16 or _LONG_ASCII.search(head):
        return None
    texts = {name: head.decode(name, "ignore") for name in ("utf-16-le", "utf-16-be")}
    counts = {name: sum(map(text.count, _SIGNS)) for name, text in texts.items()}
    name = max(counts, key=lambda name: counts[name])
    text = texts[name]
    ascii = sum("\t" <= c < "\x7f" for c in text)
    if ascii * 5 < len(text) or counts[name] <= 4 * min(counts.values()) or _CONTROL.search(text):
        return None
    # From the next byte on, ASCII reads alike in the other order; other characters do not.
    shifted = head[1:].decode(_OTHER_ORDER[name], "ignore")
    return name if _strange(text) <= _strange(shifted) + 2 else None


def _strange(text: str) -> int:
    """How many characters are such as records have few of, or none."""
    return len(_rubbish().findall(text)) + sum("\x80" <= c <= "\xff" for c in text)


@cache
def _rubbish() -> re.Pattern[str]:
    """A character that is not assigned, private, or half of one."""
    codes = (chr(code) for code in range(0x10000))
    return re.compile("[" + "".join(c for c in codes if category(c) in ("Cn", "Co", "Cs")) + "]")


_FIRST_ASCII = 512
"""In so many bytes of UTF-16 something is ASCII: a first line may be Chinese alone."""
_CHINESE = re.compile(r"[\u2010-\u203b\u2e80-\u9fff\uff00-\uffef·]*")
_OTHER_ORDER = {"utf-16-le": "utf-16-be", "utf-16-be": "utf-16-le"}
_LONG_ASCII = re.compile(rb"[\t-~]{24}")
_SIGNS = '\t\n\r .,"[]'
_CONTROL = re.compile(r"[\0-\x08\x0e-\x19\x1b-\x1f]")


class Stretch(NamedTuple):
    """The bytes ``start:stop`` of a source, text in ``encoding``; None: not in UTF-16 or UTF-32."""

    start: int
    stop: int
    encoding: str | None


def stretches(data: bytes) -> list[Stretch]:
    """The texts of a source one after the other, in UTF-16 or UTF-32 or not.

    Files that were put one after another may differ in their encodings, and behind a lost byte the other order fits.
    """
    found: list[Stretch] = []
    start, name = 0, evident(data[:4096])
    while start < len(data) or not found:
        if name in (None, "utf-8"):
            stop = turn(data, start, len(data))
            name = None
        else:
            size = 1 << 13
            while (stop := start + _reach(data[start : start + size], name)) == start + size:
                size *= 4
        found.append(Stretch(start, stop, name))
        places = (stop, stop + 1) if name else (stop,)
        start, name = next(
            ((place, name) for place in places if (name := evident(data[place : place + 4096]))), (stop, None)
        )
    return found


def turn(data: bytes | mmap.mmap, start: int, stop: int) -> int:
    """The first place behind ``start`` and before ``stop`` at which text in UTF-16 or UTF-32 follows on other text;
    ``stop`` if there is none."""
    place, tried = start, 0
    while tried < _MOST_TRIED and (nul := data.find(b"\0", place, stop)) >= 0:
        tried += 1
        low = max(start, nul - _FIRST_ASCII)
        marks = (data.rfind(mark, low, nul + 1) for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        places = [*marks, data.rfind(b"\n", low, nul) + 1, nul - 1, nul]
        for begin in places:
            if low < begin and evident(data[begin : begin + 4096]) not in (None, "utf-8"):
                return begin
        after = _NULS.match(data, nul, stop)
        place = after.end() if after else nul + 1
    return stop


_MOST_TRIED = 64
"""Stretches with NULs that are looked at for text: in what is no text there may be any number."""
_NULS = re.compile(rb"(?:[^\0]{0,64}+\0)++")


def _reach(data: bytes, name: str) -> int:
    """Where the text in ``name``, UTF-16 or UTF-32, with which ``data`` begins turns into something else."""
    width = 4 if name.startswith("utf-32") else 2

    def after_ascii(place: int) -> int:
        """The place behind the last NUL before ``place``: wide text mostly ends with a line, or a result."""
        place = data.rfind(b"\0", 0, place) + 1
        return place + -place % width

    plain = _PLAIN_TEXT.search(data, width)
    stop = max(width, after_ascii(plain.start())) if plain else len(data)
    if width == 4:
        return stop
    if name == "utf-16":
        name = "utf-16-be" if data.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    text = data[: stop - stop % 2].decode(name, "surrogatepass")

    def byte(place: int) -> int:
        return len(text[:place].encode(name, "surrogatepass"))

    if turned := _TURNED.search(text, 1):
        stop = byte(turned.start())
        text = text[: turned.start()]
    recent: deque[int] = deque(maxlen=_MUCH_RUBBISH)
    for rubbish in _rubbish().finditer(text):
        recent.append(rubbish.start())
        if len(recent) == _MUCH_RUBBISH and recent[-1] - recent[0] < 8 * _MUCH_RUBBISH:
            place = byte(recent[0])
            if data.find(0, place, place + 512) < 0:
                return max(width, after_ascii(place))
            recent.clear()
    return stop


_PLAIN_TEXT = re.compile(rb'[\t\n\r -~]{64}|\[[A-Za-z]\w+ +"[^"\0\r\n]{0,200}"\]')
"""What only text in single bytes has."""
_TURNED = re.compile(
    "\ufffe?[" + "".join(chr(c << 8) for c in b"\t\n\r" + bytes(range(32, 127)) if c != 48) + "]{8}"
)
"""ASCII in the other order of bytes, except for 0, which is a wide blank."""
_MUCH_RUBBISH = 8


def legible(head: bytes) -> bytes:
    """The front of a file without its mark, and in UTF-8 where ASCII is not ASCII."""
    name = evident(head)
    if name and name != "utf-8":
        head = head.decode(name, "ignore").encode()
    return head.removeprefix(UTF8_MARK)


def file_hint(source: bytes | str | Path) -> str:
    """The encoding of a file by its first 64 KB of lines that are not ASCII ("utf-8" when all are)."""
    sample = bytearray()
    with opened(source) as file:
        data, place = b"", 0  # what is at hand of the file, and from where on it has not been looked at
        while len(sample) < SAMPLE:
            high = _pgn.first_high(data, place)
            if len(data) - high < _LINE and (more := file.read(_CHUNK)):
                data, place = data[max(place, high - _LINE) :] + more, 0
                continue
            if high == len(data):
                break
            start = max(data.rfind(b"\n", place, high) + 1, place, high - _LINE)
            place = data.find(b"\n", high, high + _LINE) + 1 or min(high + _LINE, len(data))
            sample += data[start:place]
    return decide(bytes(sample), None) if sample else "utf-8"


_LINE = 4096  # bytes on either side that are taken for the line of a byte
_CHUNK = 1 << 20


def decide(raw: bytes, hint: str | None = None) -> str:
    """ "ascii", "utf-8", "gb18030" or "big5" for the bytes of one game; ``hint`` is its file's encoding."""
    high = _pgn.first_high(raw)
    if high == len(raw):
        return "ascii"
    strict = _pgn.bad_utf8(raw, high) == len(raw)
    if strict and _has_long(raw, high):
        return "utf-8"
    scores = {}
    for name in ("gb18030", "big5"):
        score, characters, faults = _pgn.weigh_pairs(raw, _weights(name), name == "gb18030")
        scores[name] = score + _FAULT * faults + (_HINT if hint == name and characters else 0)
    best = max(scores, key=lambda name: scores[name])
    if strict:
        # Two-byte sequences only: Latin, Greek or Cyrillic letters, or a few double-byte characters.
        needed = _HINT if hint == best else _GAME_WEIGHT
        return best if scores[best] >= needed and hint != "utf-8" else "utf-8"
    text = raw[high:].decode("utf-8", "replace")
    # Three bytes that fit UTF-8 by accident are rare, so any Chinese character speaks for it.
    unicode_score = sum(_GAME_WEIGHT if c in _GAME_WORDS else 3 for c in _EASTERN.findall(text))
    if hint == "utf-8":
        unicode_score += _HINT
    if unicode_score >= scores[best]:
        unicode_score += _FAULT * len(_MISFITS.findall(text))
    return "utf-8" if unicode_score >= scores[best] else best


_EASTERN = re.compile("[⺀-\ufffc\ufffe-\U0010ffff]")
_MISFITS = re.compile("\ufffd+")


def belied(data: bytes, given: str) -> str | None:
    """The encoding that ``data`` plainly is in, if that is another than ``given``.

    It is plain by a mark at its front, by being strict UTF-8 with Chinese in it, or, where bytes do not fit what was
    given, by what they fit best.
    """
    given = known(given)
    base = given.removesuffix("-sig")
    if shown := evident(data[:4096]):
        return None if base.startswith(shown) else shown
    high = _pgn.first_high(data)
    if high == len(data):
        return None
    strict = _pgn.bad_utf8(data, high) == len(data) and _has_long(data, high)
    found = "utf-8" if strict else file_hint(data)
    if found == base:
        return None
    return found if strict or decode(data, encoding=given).fault is not None else None


def decode(raw: bytes, hint: str | None = None, encoding: str | None = None) -> Decoded:
    """``raw`` in UTF-8, by ``encoding`` or as `decide` finds; bytes that do not fit stay as ``\\xNN``."""
    name = encoding or decide(raw, hint)
    if name in ("ascii", "utf-8") and misfit(raw, name) == len(raw):
        return Decoded(raw, name, None)
    codec = _CODECS.get(name, name)
    try:
        return Decoded(raw.decode(codec).encode("utf-8", "backslashreplace"), name, None)
    except UnicodeDecodeError as error:
        text = raw.decode(codec, "backslashreplace")
        return Decoded(text.encode("utf-8", "backslashreplace"), name, error.start)


def misfit(raw: bytes, encoding: str) -> int:
    """The first byte that does not fit ``encoding``, "ascii" or "utf-8"; the length of ``raw`` if all do."""
    return _pgn.first_high(raw) if encoding == "ascii" else _pgn.bad_utf8(raw)


def escaped(raw: bytes) -> str:
    """Bytes that do not fit as findings write them: ``\\xc4``."""
    return "".join(f"\\x{byte:02x}" for byte in raw)


def encode(text: str, encoding: str, errors: str = "strict") -> bytes:
    """``text`` in ``encoding`` as the reader understands its name ("big5" with the Hong Kong characters)."""
    return text.encode(_CODECS.get(encoding, encoding), errors)


def known(encoding: str) -> str:
    """The usual name of ``encoding``; LookupError when Python has no such text encoding."""
    name = codecs.lookup(encoding).name
    if not codecs.lookup(encoding)._is_text_encoding:
        raise LookupError(f"not a text encoding: {encoding}")
    aliases = {"gb2312": "gb18030", "gbk": "gb18030", "cp950": "big5", "big5hkscs": "big5"}
    return aliases.get(name, name)


def _has_long(raw: bytes, start: int) -> bool:
    """Whether strict UTF-8 ``raw`` has a character of three bytes or more: Chinese, full-width signs."""
    return raw[start:].translate(None, _NOT_LONG) != b""


_NOT_LONG = bytes(b for b in range(256) if b < 0xE0)


@cache
def _weights(name: str) -> bytes:
    """How much each byte pair speaks for the encoding ``name``: 65536 signed bytes, -128 for no character."""
    codec = _CODECS[name]
    weights = bytearray(b"\x80" * 65536)
    for lead in range(0x81, 0xFF):
        for trail in range(0x40, 0xFF):
            try:
                bytes((lead, trail)).decode(codec)
            except UnicodeDecodeError:
                continue
            weights[lead << 8 | trail] = _rank(name, lead, trail) & 0xFF
    for word in _GAME_WORDS:
        try:
            pair = word.encode(codec)
        except UnicodeEncodeError:
            continue
        if len(pair) == 2:
            weights[pair[0] << 8 | pair[1]] = _GAME_WEIGHT
    return bytes(weights)


def _rank(name: str, lead: int, trail: int) -> int:
    """1 for the frequent planes of an encoding, 0 for the less frequent ones, below 0 for what is rare."""
    if name == "gb18030":
        if trail < 0xA1 or lead < 0xA1 or 0xAA <= lead <= 0xAF or lead > 0xF7:
            return -1  # not in GB 2312
        return 1 if lead <= 0xD7 else 0
    if 0xA1 <= lead <= 0xC6:
        return 1
    return -1 if 0xC9 <= lead <= 0xF9 else -3
