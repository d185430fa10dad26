"""JSON that may be broken: where the records of a text stand, and what one of them says member by member.

`scan` looks at brackets, strings and line ends alone, so that a fault costs the record it is in and a text of any size
takes no more memory than what it is nested in. `Passage` reads one record with the place of everything in it.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from notation import encoding as encodings

LISTS: Final = ("games", "boards")
"""Members whose elements are records, with moves or without."""

EVENTS: Final = {
    "room-created",
    "seat-assigned",
    "seat-vacated",
    "clock-started",
    "clock-paused",
    "clock-resumed",
    "clock-expired",
    "move-played",
    "pause",
    "resume",
    "seat-resigned",
    "seat-forfeited",
    "game-adjudicated",
    "game-aborted",
}
"""Types of events that are known; an object of another type is an event if it names its room."""

# -- where records stand -----------------------------------------------------------------------------------


class Frame:
    """An object or array that is open: where it begins, and the member that it is.

    ``fields`` are its members that are no objects or arrays, as written. ``game``: it has a list of moves; ``holds``:
    records have been found in it; ``junk``: where something stands that is no JSON, or -1.
    """

    __slots__ = ("array", "fields", "game", "holds", "junk", "key", "pending", "start")

    def __init__(self, start: int, is_array: bool, key: str):
        self.start = start
        self.array = is_array
        self.key = key
        self.fields: dict[str, str] = {}
        self.pending = ""
        self.game = self.holds = False
        self.junk = -1


class Item(NamedTuple):
    """A game or an event: bytes ``start:stop``, in the frames ``outer``; ``room`` is that of an event, which may open
    it."""

    start: int
    stop: int
    outer: tuple[Frame, ...]
    room: str | None
    opens: bool = False


class Around(NamedTuple):
    """What surrounds a run of bytes: whether every line of the file stands for itself; how many characters stand
    before the run in its line; the frames open there; and what frames that it leaves open say later, by their start."""

    lines: bool
    column: int = 0
    frames: tuple[Frame, ...] = ()
    later: Mapping[int, dict[str, str]] = {}

    def hint(self) -> str:
        frames = [[frame.start, frame.array, frame.key, frame.fields] for frame in self.frames]
        return json.dumps([self.lines, self.column, frames, list(self.later.items())])

    @classmethod
    def told(cls, hint: str) -> Around:
        lines, column, frames, later = json.loads(hint)
        opened = []
        for start, is_array, key, fields in frames:
            opened.append(Frame(start, is_array, key))
            opened[-1].fields = fields
        return cls(lines, column, tuple(opened), dict(later))


_STRING: Final = rb'"(?:[^"\\\n]|\\[^\n])*+"'


@cache
def _patterns(lines: bool) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """What the scanner stops at: a member with its plain value, a string, a bracket, where lines matter their end; and
    a list of moves that it may skip."""
    blank, not_end, end = (rb"[ \t\r]*+", rb"\n", rb"|\n") if lines else (rb"[ \t\r\n]*+", rb"", rb"")
    stop = rb"(%s)%s:%s(%s|[-+.\w]++)?|%s|[{}\[\]]%s" % (_STRING, blank, blank, _STRING, _STRING, end)
    plain = rb'[^\[\]{}"%s]*+' % not_end
    inner = rb"%s(?:%s%s)*+" % (plain, _STRING, plain)
    moves = rb"\[%s(?:(?:%s|\{%s\})%s)*+\]" % (plain, _STRING, inner, plain)
    return re.compile(stop), re.compile(moves)


_JUNK: Final = re.compile(rb"[^-+.\w\s,:]")
_STRAY: Final = re.compile(rb"[^\s,\xef\xbb\xbf]|\xef(?!\xbb\xbf)|(?<!\xef)\xbb|(?<!\xef\xbb)\xbf")
"""What may not stand between the scanner's stops: in a frame, and outside of all, where marks of files may stand."""

_NEAR: Final = 64
"""Frames that are looked at for what holds of a record, or for the beginning of what a bracket ends."""


def scan(data: bytes, around: Around, base: int, fault: Callable[[str, int], None]) -> Iterator[Item]:
    """The games and events of ``data``, each as soon as it is closed; a game within a game is part of it.

    ``base`` is where ``data`` begins in its file: frames are known by their place there. Faults go to ``fault``: their
    code, and where.
    """
    token, plain_moves = _patterns(around.lines)
    stack = list(around.frames)
    game = -1  # the depth of the game that is open
    place = 0

    def close(stop: int) -> Item | None:
        nonlocal game
        frame = stack.pop()
        if frame.holds and stack:
            stack[-1].holds = True
        if game >= 0:
            if len(stack) > game:
                return None
            game = -1
        elif frame.array:
            return None
        fields = frame.fields
        event = "type" in fields and ("roomId" in fields or text_of(fields["type"]) in EVENTS)
        listed = bool(stack) and stack[-1].array and stack[-1].key in LISTS and not frame.holds
        if frame.game or event or listed:
            if stack:
                stack[-1].holds = True
            room = text_of(fields.get("roomId")) if event and not frame.game else None
            opens = room is not None and text_of(fields["type"]) == "room-created"
            return Item(frame.start - base, stop, tuple(stack[-_NEAR:]), room, opens)
        if frame.junk >= 0:
            fault("malformed-json", frame.junk)
        elif around.lines and not stack and not frame.holds:
            fault("not-a-record", frame.start - base)
        if stack and not stack[-1].array and frame.key in ("tour", "tournament", "round"):
            said = next((fields[k] for k in ("name", "slug", "id") if k in fields), None)
            stack[-1].fields |= {frame.key: said} if said else {}
        return None

    while found := token.search(data, place):
        if not stack:
            if junk := _STRAY.search(data, place, found.start()):
                fault("malformed-json", junk.start())
        elif game < 0 and stack[-1].junk < 0 and (junk := _JUNK.search(data, place, found.start())):
            stack[-1].junk = junk.start()
        place = found.end()
        sign = found[0]
        if found[1]:
            if not stack or stack[-1].array:
                continue
            key = found[1][1:-1].decode("utf-8", "replace")
            frame, value = stack[-1], found[2]
            frame.pending = "" if value else key
            if value and game < 0:
                frame.fields.setdefault(key, value.decode("utf-8", "replace"))
            if key == "moves" and (value[:1] if value else data[place : place + 1]) in (b'"', b"["):
                frame.game = True
                game = len(stack) - 1 if game < 0 else game
                if skipped := plain_moves.match(data, place):
                    place = skipped.end()
        elif sign in (b"{", b"["):
            key = "" if not stack or stack[-1].array else stack[-1].pending
            stack.append(Frame(base + found.start(), sign == b"[", key))
        elif sign in (b"}", b"]"):
            fitting = (d for d in range(1, 1 + min(_NEAR, len(stack))) if stack[-d].array == (sign == b"]"))
            closed = next(fitting, 0)
            if closed != 1 and game < 0:
                fault("malformed-json", found.start())
            for _ in range(closed):
                if item := close(place):
                    yield item
        elif sign == b"\n":
            while stack:
                stack[-1].junk = found.start()
                if item := close(found.start()):
                    yield item
    for frame in stack:
        frame.fields |= around.later.get(frame.start, {})
    unclosed = [frame for frame in stack if frame.start >= base and frame.start not in around.later]
    if unclosed:
        fault("truncated-file", len(data))
    for _ in unclosed:
        if item := close(len(data)):
            yield item


def in_lines(data: bytes) -> bool:
    """Whether each line is JSON by itself: the first is a whole object and others follow, or, the first being broken,
    the two after it are."""
    whole: list[bool] = []
    place = 3 if data[:3] == encodings.UTF8_MARK else 0
    while len(whole) < 3 and place < len(data):
        stop = data.find(b"\n", place) + 1 or len(data)
        line = data[place:stop].strip()
        place = stop
        if line:
            whole.append(line[:1] == b"{" and _is_json(line))
            if len(whole) == 1 and line[:1] != b"{":
                return False
    return len(whole) > 1 and (whole[0] or (len(whole) > 2 and whole[1] and whole[2]))


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


@dataclass(slots=True)
class Unit:
    """Records that must stay together: a game, or rooms whose events are mixed."""

    start: int
    stop: int
    outer: tuple[Frame, ...]
    games: int = 1


def together(items: Iterator[Item]) -> list[Unit]:
    """What ``items`` come to, in the order of the text."""
    rooms: dict[str, Unit] = {}
    found: list[Unit] = []
    for item in items:
        if item.room is not None and item.room in rooms and not item.opens:
            unit = rooms[item.room]
            unit.stop = item.stop
            if item.start < unit.start:  # a broken event may hold the one that opens its room
                unit.start, unit.outer = item.start, item.outer
            continue
        found.append(Unit(item.start, item.stop, item.outer))
        if item.room is not None:
            rooms[item.room] = found[-1]
    units: list[Unit] = []
    for unit in found:
        while units and unit.start < units[-1].stop:
            last = units.pop()
            first = min(last, unit, key=lambda either: either.start)
            unit = Unit(first.start, max(last.stop, unit.stop), first.outer, last.games + unit.games)
        units.append(unit)
    return units


# -- one record's text --------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A member of an object (``key`` names it) or an element of an array: its value, which stands at ``start:stop``.

    What is no JSON has the value None, and ``why`` says in English and Chinese what is wrong at ``fault``.
    """

    key: str
    value: Any
    start: int
    stop: int
    why: tuple[str, str] | None = None
    fault: int = 0


_SEPARATOR: Final = re.compile(r"[ \t\r\n]*+(,?)[ \t\r\n]*+")
_SIGN: Final = re.compile(r'"(?:[^"\\\n]|\\[^\n])*+"|[{}\[\],]')
_NAME: Final = re.compile(r'"((?:[^"\\\n]|\\[^\n])*+)"[ \t\r\n]*+:[ \t\r\n]*+')
_MOVE: Final = re.compile(r'"move"[ \t\r\n]*+:[ \t\r\n]*+')
_DECODER: Final = json.JSONDecoder(strict=False)


class Passage:
    """The text of a game or an event, with its first line, the characters before it there, and its first byte.

    ``misfits`` are characters at which a byte that does not fit the encoding stands as ``\\xNN``.
    """

    def __init__(self, text: str, line: int, column: int, start: int, misfits: Sequence[int] = ()):
        self.text = text
        self.line = line
        self.column = column
        self.start = start
        self.misfits = misfits
        self.breaks = [found.start() for found in re.finditer("\n", text)] if "\n" in text else []

    def place(self, where: int) -> tuple[int, int]:
        """Line and column, from 1, of a character."""
        above = bisect_right(self.breaks, where - 1)
        if above == 0:
            return self.line, self.column + where + 1
        return self.line + above, where - self.breaks[above - 1]

    def event(self) -> tuple[dict[str, Any], Part | None, list[Part]]:
        """The members of an event, its move, and what is broken in it."""
        try:
            said = _DECODER.decode(self.text)
        except (ValueError, RecursionError):
            parts = list(self.members(1))
            said = {part.key: part.value for part in reversed(parts) if part.key}
            move = next((part for part in parts if part.key == "move"), None)
            return said, move, [part for part in parts if part.why]
        found = _MOVE.search(self.text) if "move" in said else None
        if found is None:
            return said, None, []
        return said, Part("move", said["move"], found.end(), len(self.text) - 1), []

    def members(self, place: int) -> Iterator[Part]:
        """The members of the object whose first one begins at ``place``; a list of moves is left unread."""
        yield from self._parts(place, "}")

    def elements(self, place: int) -> Iterator[Part]:
        yield from self._parts(place, "]")

    def _parts(self, place: int, closing: str) -> Iterator[Part]:
        text = self.text
        count = 0
        while True:
            gap = _SEPARATOR.match(text, place)
            assert gap is not None
            before, place = place, gap.end()
            ends = place >= len(text) or text[place] in "}]"
            why = None
            if not text[place : place + 1]:
                why = f"{closing} is missing at the end", f"末尾缺少 {closing}"
            elif ends and text[place] != closing:
                why = f"{text[place]} where {closing} is due", f"{text[place]} 应为 {closing}"
            elif count and not ends and not gap[1]:
                why = "a comma is missing", "缺少逗号"
            elif gap[1] and (ends or not count):
                why = "a comma too many", "多余的逗号"
            if ends:
                if why:
                    yield Part("", None, place, place, why, before)
                return
            count += 1
            part = self._part(place, closing)
            yield part._replace(why=why, fault=before) if why and not part.why else part
            place = part.stop

    def _part(self, place: int, closing: str) -> Part:
        text, key = self.text, ""
        if closing == "}":
            name = _NAME.match(text, place)
            if name is None:
                return self._broken("", place, place, ("a name and a colon are due", "此处应为名称和冒号"))
            key, place = plain(f'"{name[1]}"') or name[1], name.end()
            if key == "moves" and text[place : place + 1] == "[":
                return Part(key, None, place, self._skip(place))
        try:
            value, stop = _DECODER.raw_decode(text, place)
        except RecursionError:
            return self._broken(key, place, place, ("nested too deeply", "嵌套过深"))
        except json.JSONDecodeError as error:
            return self._broken(key, place, error.pos, (error.msg, "语法错误"))
        except ValueError as error:  # a number too long for Python
            return self._broken(key, place, place, (str(error), "数字过长"))
        return Part(key, value, place, stop)

    def _broken(self, key: str, place: int, fault: int, why: tuple[str, str]) -> Part:
        return Part(key, None, place, self._skip(place), why, fault)

    def _skip(self, place: int) -> int:
        """Where a value that begins at ``place`` ends, by its brackets and strings alone; always further on."""
        depth = 0
        for sign in _SIGN.finditer(self.text, place):
            match sign[0]:
                case "{" | "[":
                    depth += 1
                case "}" | "]":
                    depth -= 1
                    if depth == 0:
                        return sign.end()
                    if depth < 0:
                        return max(sign.start(), place + 1)
                case "," if depth == 0:
                    return max(sign.start(), place + 1)
        return len(self.text)


def passed(text: bytes, line: int, column: int) -> tuple[int, int]:
    """The line after ``text``, and how many characters stand before it there."""
    begin = text.rfind(b"\n") + 1
    return line + text.count(b"\n"), (0 if begin else column) + len(text[begin:].decode("utf-8", "replace"))


def plain(written: str) -> Any:
    """The value of ``written``, None if it has none."""
    try:
        return json.loads(written, strict=False)
    except ValueError:
        return None


def text_of(written: str | None) -> str:
    """A name or number as text, empty for anything else."""
    value = plain(written) if written else None
    return clean(str(value)) if isinstance(value, str | int) else ""


def clean(text: str) -> str:
    """``text`` without halves of surrogate pairs, which JSON can say and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
