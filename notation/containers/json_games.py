"""JSON records, as documents and as JSON lines: studies, broadcasts, tournaments, and the event logs of servers.

Two shapes make a record, wherever in a file they stand:

    {"red": "A", "black": "B", "result": "1-0", "moves": ["h3e3", {"from": "h10", "to": "g8"}], "notes": {…}}
    {"type": "move-played", "roomId": "r7", "color": "red", "move": {"drop": "chariot", "to": "d4"}}

The first is a *game*: an object with a list ``moves`` (or with the move text as one string). What the objects around
it say of the variant, the event and the round holds for it too. The second is an *event*: those of one room, from
``room-created`` on, are one record, and rooms may be mixed in one log. No specification is public; the names of
fields and events are those of the broadcasts, studies and room logs of Mistboard.

Broken JSON costs what is broken: the scanner that finds the records takes brackets and strings as they come, and
each record is then read member by member.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from notation import encoding as encodings
from notation.containers import pgn, wide
from notation.containers._json import (
    EVENTS,
    Around,
    Frame,
    Item,
    Part,
    Passage,
    clean,
    in_lines,
    passed,
    plain,
    scan,
    together,
)
from notation.containers.cut import WHOLE, Cut
from notation.finding import Finding, shown
from notation.lexicon import piece_letter
from notation.record import RESULTS, GameRecord, Place, RecordBatch
from notation.remark import tidy
from notation.tags import value_of

TAGS: Final = {
    "black": "Black",
    "boardnumber": "Board",
    "date": "Date",
    "event": "Event",
    "fen": "FEN",
    "gamespecid": "Variant",
    "initialfen": "FEN",
    "location": "Site",
    "name": "Title",
    "reason": "Termination",
    "red": "Red",
    "result": "Result",
    "round": "Round",
    "roundid": "Round",
    "rules": "Variant",
    "ruleset": "Variant",
    "site": "Site",
    "startedat": "Date",
    "startfen": "FEN",
    "startsat": "Date",
    "termination": "Termination",
    "timecontrol": "TimeControl",
    "title": "Title",
    "tour": "Event",
    "tourslug": "Event",
    "tournament": "Event",
    "variant": "Variant",
    "white": "Red",
}
"""Members, in small letters without ``_``, and the tags they become; others keep their name, capitalised."""

OUTER: Final = {"Date", "Event", "Round", "Site", "TimeControl", "Variant"}
"""Tags that the objects around a game give it."""

ENDINGS: Final = {
    "seat-resigned": "resignation",
    "clock-expired": "time forfeit",
    "seat-forfeited": "abandoned",
}
"""Events by which the side they name loses."""

MOST_FAULTS: Final = 100
"""So many faults outside of records are told of one file."""

_WON: Final = {"red": "1-0", "white": "1-0", "black": "0-1", "draw": "1/2-1/2"}
_SIDES: Final = {"red": 0, "white": 0, "black": 1}
_GLYPHS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_TEXTS: Final = ("move", "uci", "iccs", "wxf", "san", "token")
"""Members of a move in which it may stand as text."""

_PLAIN: Final = ("ascii", "utf-8")
"""Encodings whose text is scanned as it is stored."""


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """Cut ``source`` between records into pieces of ``target_bytes`` or a little more, in order.

    Rooms whose events are mixed stay together. What is not UTF-8 is not cut. The hint of a piece tells what stands
    around its records.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    yield from _split(data, max(1, target_bytes), encoding)


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Read every record of a ``cut``; parameters and faults as in `pgn.read`."""
    return wide.read(source, encoding, cut, _read)


def _read(data: bytes, encoding: str | None, cut: Cut) -> RecordBatch:
    """Every record of ``data``, which is in ``encoding`` if one is given."""
    name = encoding or ("utf-8" if cut.hint else _encoding(data))
    file = _File(data, name, encoding is not None, cut)
    return file.batch(Around.told(cut.hint) if cut.hint else Around(in_lines(file.text)), cut.final)


def _encoding(data: bytes) -> str:
    return encodings.evident(data[:4096]) or encodings.file_hint(data)


def _split(data: bytes, target: int, encoding: str | None) -> Iterator[Cut]:
    if (encoding or _encoding(data)) not in _PLAIN:
        yield Cut(last=len(data))
        return
    around = Around(in_lines(data))
    units = together(scan(data, around, 0, lambda code, where: None))
    first, line, index, games = 0, 1, 0, 0
    for unit in units:
        if games and unit.start - first >= target:
            later = {frame.start: frame.fields for frame in unit.outer if frame.start >= first}
            hint = around._replace(later=later).hint()
            yield Cut(first, unit.start, line, index, games, hint, False)
            line, column = passed(data[first : unit.start], line, around.column)
            around = around._replace(column=column, frames=unit.outer)
            first, index, games = unit.start, index + games, 0
        games += unit.games
    yield Cut(first, len(data), line, index, games, around.hint(), True)


# -- one file -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Game:
    """A record in the making: the places of its moves (line, column), what surrounds it, who moved last by a log."""

    record: GameRecord
    outer: tuple[Frame, ...]
    places: list[tuple[int, int]] = field(default_factory=list)
    end: int = 0
    moved: int | None = None
    ended: bool = False
    damaged: bool = False


class _File:
    """The records of one file, or of a shard, as they are gathered.

    ``text`` are the bytes of the source as they are, if that is in UTF-8 or ASCII (then bytes that do not fit are told
    of each record, so that it does not matter where the file is cut); else the source in UTF-8. ``fixed``: the encoding
    is that of all records; else a record of plain ASCII is "ascii".
    """

    def __init__(self, data: bytes, encoding: str, fixed: bool, cut: Cut):
        self.encoding = encoding
        self.fixed = fixed
        self.text = data
        self.findings: list[Finding] = []
        self.base = cut.first
        if encoding not in _PLAIN:
            self.text, _, fault = encodings.decode(data, encoding=encoding)
            if fault is not None:
                self.findings.append(self.misfit(data[fault : fault + 1], self.base + fault))
        self.whole = encoding not in _PLAIN or _fits(data, encoding)
        self.first_index = cut.index
        self.games: list[_Game] = []
        self.rooms: dict[str, int] = {}
        self.tags: dict[tuple[int, str], Place] = {}
        self.line = cut.line
        self.column = 0
        self.reached = 0, cut.line, 0  # byte of the text, its line, the characters before it there
        self.encoded = 0, 0  # byte of the text, and its byte in the source

    def batch(self, around: Around, final: bool) -> RecordBatch:
        mark = 3 if self.text.startswith(encodings.UTF8_MARK) else 0
        self.column = around.column
        self.reached = mark, self.line, around.column
        faults: list[tuple[str, int]] = []
        seen = mark
        # Where the text is another encoding's, its frames are told by their places in the text.
        for item in scan(self.text, around, self.base, lambda code, where: faults.append((code, where))):
            if not self.whole:
                self.between(seen, item.start, faults)
                seen = max(seen, item.stop)
            if item.room is None:
                self.add_game(item)
            else:
                self.add_event(item)
        if not self.whole:
            self.between(seen, len(self.text), faults)
        self.reached = mark, self.line, around.column
        for code, where in sorted(faults, key=lambda fault: fault[1])[:MOST_FAULTS]:
            self.scanned(code, where, final)
        for game in self.games:
            _surround(game.record, game.outer)
            game.record.fen = value_of(game.record.tags, "FEN") or None
            game.record.result = game.record.tags.get("Result")
        batch = RecordBatch.from_records(game.record for game in self.games)
        batch.text = self.text
        batch.end = array("Q", (game.end for game in self.games))
        places = [place for game in self.games for place in game.places]
        batch.token_line = array("I", (line for line, _ in places))
        batch.token_column = array("I", (column for _, column in places))
        batch.findings += self.findings
        batch.tag_finder = lambda _, game, name: self.tags.get((game, name))
        if not self.games and final and self.base == 0:
            batch.findings.append(Finding("no-games", line=1, column=1, byte=0))
        return batch

    def scanned(self, code: str, where: int, final: bool) -> None:
        """A fault that the scanner met outside of any record."""
        if code == "truncated-file" and not final:
            return
        line, column = self.reach(where)
        if code == "mixed-encoding":
            finding = self.misfit(self.text[where : where + 1], self.byte(where))
            finding.line, finding.column = line, column + 1
            self.findings.append(finding)
            return
        begin = max(self.text.rfind(b"\n", 0, where) + 1, where - 40)
        row = self.text[begin : begin + 400].split(b"\n")[0].decode("utf-8", "replace").strip()
        finding = Finding(code, text=row[:120] or None, line=line, column=column + 1, byte=self.byte(where))
        if code == "truncated-file":
            finding.details = {"where": "record"}
        elif code == "malformed-json":
            finding.details = {
                "why": "stray text, or brackets that do not fit",
                "why_zh": "多余的文字或括号不匹配",
            }
        self.findings.append(finding)

    def misfit(self, raw: bytes, byte: int) -> Finding:
        """A byte that does not fit the encoding."""
        return Finding(
            "mixed-encoding", text=encodings.escaped(raw), byte=byte, details={"encoding": self.encoding}
        )

    def between(self, start: int, stop: int, faults: list[tuple[str, int]]) -> None:
        """The first byte between two items that does not fit the encoding is a fault."""
        raw = self.text[start:stop]
        if not _fits(raw, self.encoding):
            faults.append(("mixed-encoding", start + encodings.misfit(raw, self.encoding)))

    def begin(self, item: Item, passage: Passage) -> _Game:
        record = GameRecord(
            encoding=self.encoding if self.fixed else "ascii", index=self.first_index + len(self.games)
        )
        record.line, record.offset = passage.line, self.byte(item.start)
        self.games.append(_Game(record, item.outer))
        return self.games[-1]

    def passage(self, item: Item) -> Passage:
        """The text of an item, which knows its places."""
        line, column = self.reach(item.start)
        raw = self.text[item.start : item.stop]
        if self.whole or _fits(raw, self.encoding):
            return Passage(raw.decode(), line, column, item.start)
        text = raw.decode(self.encoding, "backslashreplace")
        escaped = raw.decode(self.encoding, "surrogateescape")
        # Each of the bytes that do not fit is four characters of the text.
        misfits = [found.start() + 3 * n for n, found in enumerate(re.finditer("[\udc80-\udcff]", escaped))]
        return Passage(text, line, column, item.start, misfits)

    def hear(self, item: Item, number: int, passage: Passage) -> None:
        """An item of a game: where it ends, its own encoding, and whether that holds."""
        game = self.games[number]
        game.end = max(game.end, self.byte(item.stop))
        if not passage.text.isascii() or passage.misfits:
            game.record.encoding = self.encoding
        if passage.misfits and not game.damaged:
            game.damaged = True
            where = passage.misfits[0]
            escaped = passage.text[where : where + 4]
            self.find("mixed-encoding", number, passage, where, escaped, encoding=self.encoding)

    def reach(self, where: int) -> tuple[int, int]:
        """The line of a byte of the text and the characters before it there; quick for places asked in order."""
        known, line, column = self.reached
        if where >= known:
            line, column = passed(self.text[known:where], line, column)
            self.reached = where, line, column
            return line, column
        # An event that holds another one is met after it.
        between = self.text[where:known]
        if breaks := between.count(b"\n"):
            begin = self.text.rfind(b"\n", 0, where) + 1
            before, codec = (0, "utf-8") if begin else (self.column, "utf-8-sig")
            return line - breaks, before + len(self.text[begin:where].decode(codec, "replace"))
        return line, column - len(between.decode("utf-8", "replace"))

    def find(self, code: str, game: int, passage: Passage, where: int, text: str, **details: object) -> None:
        line, column, byte = self.place(passage, where)
        finding = Finding(code, game=game, text=shown(text), line=line, column=column, byte=byte)
        finding.details = dict(details)
        self.findings.append(finding)

    def place(self, passage: Passage, where: int) -> Place:
        """Where in the source a character of ``passage`` is."""
        escapes = bisect_left(passage.misfits, where)
        before = len(passage.text[:where].encode("utf-8", "replace")) - 3 * escapes
        return *passage.place(where), self.byte(passage.start + before)

    def byte(self, where: int) -> int:
        """The byte of the source that byte ``where`` of the text in UTF-8 stands at."""
        name = self.encoding
        if name in _PLAIN:
            return self.base + where
        if where < self.encoded[0] or name.startswith("utf-"):  # with a mark at its beginning
            self.encoded = 0, 0
        known, byte = self.encoded
        between = self.text[known:where].decode("utf-8", "replace")
        self.encoded = where, byte + len(encodings.encode(between, name, "replace"))
        return self.base + self.encoded[1]

    # ---- games ----------------------------------------------------------------------------------------

    def add_game(self, item: Item) -> None:
        passage = self.passage(item)
        game = self.begin(item, passage)
        number = len(self.games) - 1
        self.hear(item, number, passage)
        listed = False
        for member in passage.members(1):
            key = member.key
            if member.why:
                self.broken(number, passage, member)
            if key == "moves" and passage.text[member.start : member.start + 1] == "[" and not listed:
                listed = True
                for move in passage.elements(member.start + 1):
                    if move.why:
                        self.broken(number, passage, move)
                    self.add_move(game, number, passage, move)
            elif key == "moves" and isinstance(member.value, str) and not listed:
                listed = True
                self.add_movetext(game, number, passage, member)
            elif key == "moves" and listed:
                self.find("duplicate-tag", number, passage, member.start, "moves")
            elif key in ("notes", "comments"):
                _annotate(game.record, member.value)
            elif key in ("intro", "comment", "description") and isinstance(member.value, str):
                game.record.comments.setdefault(0, []).insert(0, tidy(clean(member.value)))
            elif key:
                _tag(game.record.tags, key, member.value)
                self.tags.setdefault((number, _tag_name(key)), self.place(passage, member.start))
        if not listed:
            self.find("no-move-list", number, passage, 0, passage.text)

    def broken(self, number: int, passage: Passage, part: Part) -> None:
        why, why_zh = part.why or ("", "")
        text = passage.text[part.start : part.stop].strip()
        if part.stop == len(passage.text) and self.findings and self.findings[-1].code == "malformed-json":
            if self.findings[-1].game == number and not text:
                return  # the list was cut, so the record was
        self.find("malformed-json", number, passage, part.fault, text, why=why, why_zh=why_zh)

    def add_move(self, game: _Game, number: int, passage: Passage, part: Part) -> None:
        """One move: its text, and what is said with it."""
        record = game.record
        written = passage.text[part.start : part.stop]
        if written.strip(" \t\r\n,") == "":
            return
        text, missing = _move_text(part.value)
        if not part.why and missing != "":
            at = len(record.tokens) + 1
            if missing is None:
                self.find("drop-with-from", number, passage, part.start, written)
            else:
                self.find("move-fields", number, passage, part.start, written, missing=missing)
            self.findings[-1].ply = at
        record.tokens.append(_word(text or written))
        game.places.append(passage.place(part.start))
        if isinstance(part.value, dict):
            _annotate_ply(record, len(record.tokens), part.value)

    def add_movetext(self, game: _Game, number: int, passage: Passage, member: Part) -> None:
        """Moves that stand in one string, as in a PGN file."""
        inner = pgn.read(clean(member.value).encode(), encoding="utf-8")
        if not len(inner):
            return
        found, record = inner.record(0), game.record
        record.tokens, record.variations, record.terminator = found.tokens, found.variations, found.terminator
        for ply, comments in found.comments.items():
            record.comments.setdefault(ply, []).extend(comments)
        record.nags |= found.nags
        game.places = [passage.place(member.start)] * len(record.tokens)
        for fault in inner.findings:
            if fault.game == 0 and fault.code not in (
                "missing-terminator",
                "empty-game",
                "truncated-file",
                "bad-tag",
            ):
                self.find(fault.code, number, passage, member.start, fault.text or "", **fault.details)
                self.findings[-1].ply = fault.ply

    # ---- events ---------------------------------------------------------------------------------------

    def add_event(self, item: Item) -> None:
        """An event of a log, in the order of the file."""
        passage = self.passage(item)
        room = item.room or ""
        said, move, faults = passage.event()
        kind = _word(str(said.get("type", "")))
        fresh = item.opens or room not in self.rooms
        if fresh:
            self.rooms[room] = len(self.games)
            game = self.begin(item, passage)
            game.record.tags |= {"Room": room} if room else {}
        number = self.rooms[room]
        game = self.games[number]
        self.hear(item, number, passage)
        for part in faults:
            self.broken(number, passage, part)
        if fresh and not item.opens:
            self.find("log-without-start", number, passage, 0, kind)
        if kind == "room-created":
            _create(game.record.tags, said)
        elif kind == "seat-assigned":
            if str(said.get("seat")) in _SIDES:
                _tag(game.record.tags, str(said["seat"]), said.get("clientId"))
        elif kind == "move-played":
            self.played(game, number, passage, said, move)
        elif kind in ENDINGS or kind in ("game-adjudicated", "game-aborted"):
            if game.ended:
                self.refuse(number, passage, "the game had ended", "棋局已经结束")
            game.ended = True
            _end(game.record.tags, kind, said)
        elif kind not in EVENTS:
            self.find("unknown-event", number, passage, 0, kind)

    def played(
        self, game: _Game, number: int, passage: Passage, said: Mapping[str, Any], part: Part | None
    ) -> None:
        side = _SIDES.get(str(said.get("color")))
        if game.ended:
            self.refuse(number, passage, "the game had ended", "棋局已经结束")
        elif side is not None and side == game.moved:
            name, name_zh = (("Red", "红方"), ("Black", "黑方"))[side]
            self.refuse(number, passage, f"{name} moved twice in a row", f"{name_zh}连走两着")
        else:
            game.moved = side
            if part is None:
                self.find("move-fields", number, passage, 0, passage.text, missing="move")
                self.findings[-1].ply = len(game.record.tokens) + 1
                game.record.tokens.append("?")
                game.places.append(passage.place(0))
            else:
                self.add_move(game, number, passage, part)
            _annotate_ply(game.record, len(game.record.tokens), said)

    def refuse(self, number: int, passage: Passage, why: str, why_zh: str) -> None:
        self.find("event-refused", number, passage, 0, passage.text, why=why, why_zh=why_zh)
        self.findings[-1].ply = len(self.games[number].record.tokens)


def _fits(raw: bytes, encoding: str) -> bool:
    return encodings.misfit(raw, encoding) == len(raw)


# -- what members mean --------------------------------------------------------------------------------------


def _move_text(value: Any) -> tuple[str, str | None]:
    """A move as text, and which member is missing where it is none: None where there is one too many."""
    if isinstance(value, str):
        return value, ""
    if not isinstance(value, dict):
        return "", "from, to"
    promotion = _piece(next((value[k] for k in ("promotion", "promote", "promotesTo") if value.get(k)), ""))
    start, to, piece = (_text(value.get(name)) for name in ("from", "to", "drop"))
    drops = _says(value.get("drop"))
    if drops and _says(value.get("from")):
        return "", None
    if drops and to:
        letter = _piece(piece)
        return (f"{letter}@{to}", "") if letter else ("", "drop")
    if start and to:
        return f"{start}{to}{promotion.lower()}", ""
    for name in _TEXTS:
        if isinstance(value.get(name), str) or (name == "move" and isinstance(value.get(name), dict)):
            inner = value[name]
            return _move_text({**inner, "move": None} if isinstance(inner, dict) else inner)
    missing = "" if to else "to"
    if not start and not drops:
        missing = ", ".join(filter(None, ("from", missing)))
    return "", missing


def _says(value: Any) -> bool:
    """Whether a member says anything, be it something that it should not."""
    return bool(value.strip() if isinstance(value, str) else value)


def _text(value: Any) -> str:
    """What a member says; a blank says no more than one that is not there."""
    return value.strip() if isinstance(value, str) else ""


def _piece(name: Any) -> str:
    """The capital of a piece by its letter, or by its name in English or Chinese; empty for anything else."""
    text = str(name).strip()
    if len(text) == 1 and text.isascii() and text.isalpha():
        return text.upper()
    return piece_letter(text) or ""


def _word(text: str) -> str:
    """``text`` as one word of move text: without blanks, quotes and brackets."""
    return re.sub(r"[\s{}()\[\]\";$%]+", "", clean(text))[:80] or "?"


def _annotate(record: GameRecord, notes: Any) -> None:
    """Notes by ply: ``{"6": {"glyph": "!", "text": "…"}}``, ``{"6": "…"}`` or ``[{"ply": 6, "text": "…"}]``."""
    if isinstance(notes, dict):
        pairs = list(notes.items())
    elif isinstance(notes, list):
        pairs = [(note.get("ply"), note) for note in notes if isinstance(note, dict)]
    else:
        pairs = [("0", notes)]
    for ply, note in pairs:
        if str(ply).isdecimal() and len(str(ply)) < 7:
            _annotate_ply(record, int(ply), {"text": note} if isinstance(note, str) else note)


def _annotate_ply(record: GameRecord, ply: int, said: Any) -> None:
    if not isinstance(said, dict):
        return
    for name in ("text", "comment", "note"):
        if isinstance(said.get(name), str) and (words := tidy(clean(said[name]))):
            record.comments.setdefault(ply, []).append(words)
    spent = said.get("thinkTimeMs")
    if isinstance(spent, int | float) and not isinstance(spent, bool) and 0 <= spent < 1e12:
        record.comments.setdefault(ply, []).append(f"[%emt {spent / 1000:.3f}]")
    glyph = said.get("glyph", said.get("nag"))
    nag = _GLYPHS.get(glyph) if isinstance(glyph, str) else glyph
    if isinstance(nag, int) and 0 < nag < 256 and nag not in record.nags.get(ply, ()):
        record.nags.setdefault(ply, []).append(nag)


def _tag_name(key: str) -> str:
    """What the tag of a member is called."""
    return TAGS.get(key.lower().replace("_", ""), key[:1].upper() + key[1:])


def _tag(tags: dict[str, str], key: str, value: Any) -> None:
    """Enter a member as a tag, unless there is one already."""
    name = _tag_name(key)
    if name in ("Red", "Black") and isinstance(value, dict):
        for part, tag in (("name", ""), ("nameEn", "En"), ("federation", "Team"), ("title", "Title")):
            if value.get(part):
                _tag(tags, name + tag, value[part])
        return
    if key == "players" and isinstance(value, dict):
        for side, player in value.items():
            if side in _SIDES:
                _tag(tags, side, player)
        return
    if key == "winner":
        if tags.get("Result") not in RESULTS and str(value) in _WON:
            tags["Result"] = _WON[str(value)]
        return
    if name == "TimeControl" and isinstance(value, dict):
        value = _clock(value)
    elif name in ("Event", "Round") and isinstance(value, dict):
        value = next((value[k] for k in ("name", "slug", "id") if value.get(k)), "")
    elif name == "Date":
        value = _date(value)
    elif name == "Result":
        value = _WON.get(value, value) if isinstance(value, str) else value
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, str | int | float) and str(value) and not tags.get(name):
        tags[name] = clean(str(value))


def _surround(record: GameRecord, outer: tuple[Frame, ...]) -> None:
    """Give ``record`` what the frames around it say, the nearest first."""
    for depth in range(len(outer) - 1, -1, -1):
        frame = outer[depth]
        said: dict[str, str] = {}
        for key, written in frame.fields.items():
            member = key
            if key in ("name", "title"):
                within = frame.key or (outer[depth - 1].key if depth else "")
                member = "round" if within in ("round", "rounds") else "event"
            _tag(said, member, plain(written))
        for name in sorted(said.keys() & OUTER):
            record.tags.setdefault(name, said[name])


def _create(tags: dict[str, str], said: Mapping[str, Any]) -> None:
    """What ``room-created`` tells of the record."""
    origin = said.get("origin")
    if isinstance(origin, dict):
        _tag(tags, "event", origin.get("event"))
    _tag(tags, "date", said.get("at"))
    for key in sorted(said, key="gameSpecId".__ne__):
        if key not in ("type", "at", "roomId", "origin"):
            _tag(tags, key, said[key])


def _end(tags: dict[str, str], kind: str, said: Mapping[str, Any]) -> None:
    """What an event that ends the game tells."""
    if kind in ENDINGS:
        side = _SIDES.get(str(said.get("color")))
        result = "*" if side is None else ("0-1", "1-0")[side]
        why = ENDINGS[kind]
    else:
        winner = said.get("winner")
        ended = "1/2-1/2" if kind == "game-adjudicated" else "*"
        result = _WON.get(str(winner), ended)
        why = said.get("reason") or kind
    tags.setdefault("Result", result)
    _tag(tags, "termination", why)


def _clock(control: Mapping[str, Any]) -> str:
    """``{"initialMs": 300000, "incrementMs": 5000}`` as PGN says it: "300+5"."""
    first, more, days = (control.get(key) for key in ("initialMs", "incrementMs", "daysPerMove"))
    if isinstance(days, int):
        return f"1/{days * 86400}"
    if not isinstance(first, int | float):
        return ""
    return f"{first / 1000:g}" + (f"+{more / 1000:g}" if isinstance(more, int | float) and more else "")


def _date(value: Any) -> str:
    """A date as written; milliseconds since 1970 as ``2026.01.01``, unless they only count from the game's start."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value if isinstance(value, str) else ""
    if value < 1e11:
        return ""
    try:
        return datetime.fromtimestamp(value / 1000, UTC).strftime("%Y.%m.%d")
    except (ValueError, OverflowError, OSError):
        return str(value)
