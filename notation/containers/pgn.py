"""PGN and plain move text: read with tolerance, cut into pieces, written.

    batch = pgn.read("games.pgn")               # RecordBatch: flat arrays
    for record in pgn.games("games.pgn"): ...   # GameRecord, one at a time, in bounded memory
    for cut in pgn.split("games.pgn", 1 << 24):
        batch = pgn.read("games.pgn", cut=cut)

No fault of a file raises: what is wrong stands in ``RecordBatch.findings``. Where one game ends and the next
begins is decided by `_pgn.Splitter` alone, so pieces hold the same games as the whole file.
"""

from __future__ import annotations

import codecs
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from notation import encoding as encodings
from notation.containers import _pgn, wide
from notation.containers.cut import WHOLE, Cut, Pages
from notation.finding import Finding, shown
from notation.record import RESULTS, GameRecord, Place, RecordBatch, Variation
from notation.remark import tidy
from notation.tags import Tags, value_of

_pgn.teach_results(RESULTS)

WINDOW = 1 << 20
"""Bytes that the splitter looks at before it lets go of them."""


def read(source: bytes | str | Path, *, encoding: str | None = None, cut: Cut = WHOLE) -> RecordBatch:
    """Read every game of a ``cut``: ``source`` is its bytes, or the path of the file that it is cut from.

    ``encoding`` overrides detection. Raises LookupError for an unknown one, OSError when the file cannot be read.
    """
    return wide.read(source, encoding, cut, _read_any, anywhere=True)


def _read_any(data: bytes, encoding: str | None, cut: Cut) -> RecordBatch:
    """Every game of ``data``, which is in ``encoding`` if one is given; one in which ASCII is not ASCII is decoded."""
    if encoding is None or not _is_wide(encoding):
        return _read(data, encoding, cut)
    decoded = encodings.decode(data, encoding=encoding)
    batch = _read(decoded.text, "utf-8", replace(cut, first=0, hint=None, starts=None))
    _relocate(batch, encoding, cut.first)
    if decoded.fault is not None:
        _insert(batch, _mixed(encoding, None, data, decoded.fault, cut.first, None))
    return batch


def games(path: str | Path, *, encoding: str | None = None) -> Iterator[GameRecord]:
    """The games of a file one by one, a few megabytes in memory at a time."""
    for cut in split(path, 1 << 22, encoding=encoding):
        batch = read(path, encoding=encoding, cut=cut)
        for i in range(len(batch)):
            yield batch.record(i)


def split(source: bytes | str | Path, target_bytes: int, *, encoding: str | None = None) -> Iterator[Cut]:
    """Cut ``source`` at game starts into pieces of ``target_bytes`` or a little more, in order.

    They tile the whole of it. UTF-16 and UTF-32 are not cut: they give one piece, with what else is behind them.
    """
    with Pages(source) as pages:
        yield from _split(source, pages, max(1, target_bytes), encoding)


def _split(source: bytes | str | Path, pages: Pages, target: int, encoding: str | None) -> Iterator[Cut]:
    data = pages.data
    size = len(data)
    pages.read_to(4096)
    if _is_wide(encoding or encodings.evident(data[:4096]) or "ascii"):
        yield Cut(last=size)
        return
    whole = cache(lambda: encodings.file_hint(source))

    def hint(stop: int) -> str:
        return "ascii" if high >= stop else whole()

    splitter = _pgn.Splitter(data, pages.read_to)
    first, line, index = 0, 1, 0  # of the piece in hand
    starts, lines = array("q"), array("q")  # what begins in it
    words = 0  # 1 if what begins first is no game, but words ahead of the first game
    judged = ended = False
    passed = high = 0  # the piece is looked through up to here, and up to here is ASCII
    while not ended:
        ended = splitter.advance(min(size, splitter.position + WINDOW))
        more = splitter.take()
        starts += more[0]
        lines += more[1]
        if encoding is None and b"\0" in data[passed : splitter.position]:
            pages.read_to(splitter.position + 4096)
            if encodings.turn(data, passed, splitter.position) < splitter.position:
                yield Cut(first, size, line, index, -1, whole())
                return
        if high == passed:
            high = _pgn.first_high(data, passed, splitter.position)
        if starts and not judged and (len(starts) > 1 or ended):
            judged = True
            stop = starts[1] if len(starts) > 1 else size
            words = not (splitter.first_has_tags or _is_game(data[starts[0] : stop], hint(stop), encoding))
        k = bisect_left(starts, first + target)
        while k < len(starts):
            if k <= words:  # no game yet
                k += 1
                continue
            stop, begun = starts[k], (starts[:k], lines[:k])
            yield Cut(first, stop, line, index, k - words, hint(stop), False, begun)
            first, line, index = stop, lines[k], index + k - words
            starts, lines, words = starts[k:], lines[k:], 0
            if high < first:
                high = _pgn.first_high(data, first, splitter.position)
            k = bisect_left(starts, first + target)
        passed = splitter.position
        pages.let_go(starts[-1] if starts else passed)  # the splitter may go back to where a game begins
    # Who reads all of a source finds out what its encoding is.
    told = hint(size) if first or high >= size else None
    yield Cut(first, size, line, index, max(0, len(starts) - words), told, True, (starts, lines))


def _is_game(raw: bytes, hint: str, encoding: str | None) -> bool:
    """Whether ``raw``, before the second game start, is a game, and not some words ahead of the first."""
    text, bounds, _ = _in_utf8(raw, array("q", [0, len(raw)]), [encoding or "ascii"], encoding, hint)
    found = _pgn.Scanner(text).scan(bounds[:-1], bounds[1:], array("q", [1]), True)
    return bool(found["kept"])


def _is_wide(encoding: str) -> bool:
    """Whether ASCII is not ASCII in ``encoding``: such text is not cut, and decoded before it is looked at."""
    return codecs.lookup(encoding).name.startswith(("utf-16", "utf-32", "utf-7"))


def _read(data: bytes, encoding: str | None, cut: Cut) -> RecordBatch:
    base = cut.first
    if cut.starts is None:
        splitter = _pgn.Splitter(data)
        splitter.advance(len(data))
        starts, lines = splitter.take()
        del splitter
        lines = array("q", [cut.line - 1 + line for line in lines])
    else:
        starts, lines = array("q", [start - base for start in cut.starts[0]]), cut.starts[1]
    bounds = starts + array("q", [len(data)])
    names: list[str] = [encoding or "ascii"] * len(starts)
    text, begins, mixed = _in_utf8(data, bounds, names, encoding, cut.hint)

    scanned = _pgn.Scanner(text).scan(begins[:-1], begins[1:], lines, base == 0)
    skip = 0 if scanned["kept"] else 1
    count = len(starts) - skip
    span = scanned["span"]
    batch = RecordBatch(
        text=text,
        offset=array("Q", [start + base for start in bounds[skip:-1]]) if count else array("Q"),
        end=array("Q", [stop + base for stop in bounds[skip + 1 :]]) if count else array("Q"),
        line=array("I", lines[skip:]),
        index=array("I", range(cut.index, cut.index + count)),
        encoding=names[skip:],
        first_byte=span[0::2],
        last_byte=span[1::2],
        tags=Tags(**scanned["tags"]),
        reader=record_at,
        tag_finder=tag_place,
        **{name: scanned[name] for name in _ARRAYS},
    )
    _find(batch, scanned["faults"], data, bounds, skip, mixed, cut)
    return batch


_ARRAYS = (
    "lexemes",
    "comments",
    "token",
    "first_token",
    "evaluation",
    "mate",
    "depth",
    "seconds",
    "nag",
    "comment",
    "token_line",
    "token_column",
    "terminator",
    "variations",
    "rank_base",
)


def _in_utf8(
    data: bytes,
    bounds: array[int],
    names: list[str],
    encoding: str | None,
    hint: str | None,
) -> tuple[bytes, array[int], list[tuple[int, int]]]:
    """``data`` in UTF-8, the bounds of the games there, and (game, byte) of what does not fit its encoding.

    Writes each game's encoding into ``names``.
    """
    ascii_alone = hint == "ascii"  # as the whole of a cut's source was found to be
    kinds = array("B", bytes(len(names))) if ascii_alone else _pgn.classes(data, bounds)
    mixed: list[tuple[int, int]] = []
    changed: dict[int, bytes] = {}
    for sign in (b"\0", encodings.UTF8_MARK) if any(kinds) else (b"\0",):  # ASCII has no mark
        place = data.find(sign, bounds[0])
        while place >= 0 and len(kinds):
            i = bisect_right(bounds, place) - 1
            whole = data[bounds[i] : bounds[i + 1]]
            raw = _MARKS.sub(_blanks_first, _legible(whole))
            if raw != whole:
                changed[i] = raw
                kinds[i] = _pgn.classes(raw, array("q", [0, len(raw)]))[0] if raw else 0
            place = data.find(sign, bounds[i + 1])
    if not any(kinds) and not changed:
        return data, bounds, mixed
    if encoding in (None, "utf-8"):
        for i, kind in enumerate(kinds):
            if kind == 1:
                names[i] = "utf-8"
        wide = [i for i, kind in enumerate(kinds) if kind > 1]
    else:
        wide = [i for i, kind in enumerate(kinds) if kind]
    # A hint is drawn from the same bytes as the choice where one game is all there is.
    alone = len(names) == 1 and bounds[0] == 0 and len(data) <= encodings.SAMPLE
    if wide and hint is None and encoding is None and not alone:
        hint = encodings.file_hint(data)
    for i in wide:
        raw = changed.get(i, data[bounds[i] : bounds[i + 1]])
        decoded = encodings.decode(raw, hint, encoding)
        names[i] = decoded.encoding
        if decoded.fault is not None:
            mixed.append((i, bounds[i] + decoded.fault))
        if decoded.text is not raw and decoded.text != raw:
            changed[i] = decoded.text
    if not changed:
        return data, bounds, mixed
    pieces = [changed[i] if i in changed else data[bounds[i] : bounds[i + 1]] for i in range(len(names))]
    begins = array("q", [0])
    for piece in pieces:
        begins.append(begins[-1] + len(piece))
    return b"".join(pieces), begins, mixed


_TAG = re.compile(rb'\[[A-Za-z][A-Za-z0-9_]+ +"')
_CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1a\x1b")


_MARKS = re.compile(rb"(\r\n?|\n)([\t\v\f ]*)((?:" + encodings.UTF8_MARK + rb")+)")
"""Marks of files that were put one after another, with the line break before them."""


def _blanks_first(marks: re.Match[bytes]) -> bytes:
    """Blanks in the place of marks, before the line break: all that stands in lines stays where it is."""
    return b" " * len(marks[3]) + marks[2] + marks[1]


def _legible(raw: bytes) -> bytes:
    """A game's bytes up to where they turn into binary data (NULs, many controls, no more tags)."""
    nul = raw.find(0)
    if nul < 0:
        return raw
    rest = raw[nul:]
    controls = len(rest) - len(rest.translate(None, _CONTROLS))
    return raw[:nul] if controls >= 64 and controls * 50 > len(rest) and not _TAG.search(rest) else raw


def _find(
    batch: RecordBatch,
    faults: list[tuple[int, ...]],
    data: bytes,
    bounds: array[int],
    skip: int,
    mixed: list[tuple[int, int]],
    cut: Cut,
) -> None:
    """Put the faults of the scanner, and those of the bytes, into words."""
    found = batch.findings
    base_offset = cut.first
    binary = data.find(0)
    while binary >= 0:
        game = max(0, bisect_left(bounds, binary + 1) - 1)
        found.append(_place(Finding("binary-data"), batch, game - skip, data, binary, base_offset))
        if game + 1 >= len(bounds):
            break
        binary = data.find(0, max(bounds[game + 1], binary + 1))
    for game, byte in mixed:
        name = batch.encoding[game - skip] if game >= skip else "utf-8"
        found.append(_mixed(name, game - skip if game >= skip else None, data, byte, base_offset, batch))
    if skip and len(batch):
        head = data[bounds[0] : bounds[1]]
        words = encodings.decode(head).text.decode("utf-8", "replace").strip()
        found.append(
            Finding("text-before-game", text=shown(words), line=1, column=1, byte=base_offset + bounds[0])
        )
    places = _Places(batch)
    for code, game, ply, line, column, start, end, other in faults:
        name = _pgn.FAULTS[code]
        text = shown(batch.text[start : min(end, start + 400)].decode("utf-8", "replace"))
        details: dict[str, object] = {}
        if name == "result-mismatch":
            details = {"tag": value_of(batch.tags[game], "Result"), "terminator": text}
        elif name == "move-number":
            details = {"expected": other}
        elif name == "ply-count":
            details = {"claimed": other, "found": ply}
        found.append(
            Finding(
                name,
                game=game,
                ply=ply,
                text=text or None,
                details=details,
                line=line,
                column=column,
                byte=places.byte_of(game, start),
            )
        )
    if cut.final and len(batch):
        last = len(batch) - 1
        inside = {"unclosed-comment": "comment", "unclosed-variation": "variation"}
        for finding in reversed(found):
            if finding.game == last and finding.code in inside:
                found.append(
                    Finding(
                        "truncated-file",
                        game=last,
                        details={"where": inside[finding.code]},
                        line=finding.line,
                        column=finding.column,
                        byte=base_offset + len(data),
                    )
                )
                break
    if not len(batch) and base_offset == 0:
        found.append(Finding("no-games", line=1, column=1, byte=0))


def _mixed(
    name: str, game: int | None, data: bytes, byte: int, base_offset: int, batch: RecordBatch | None
) -> Finding:
    finding = Finding(
        "mixed-encoding", details={"encoding": name}, text=encodings.escaped(data[byte : byte + 1])
    )
    return _place(finding, batch, game, data, byte, base_offset)


def _place(
    finding: Finding, batch: RecordBatch | None, game: int | None, data: bytes, byte: int, base_offset: int
) -> Finding:
    """Say where in the source ``finding`` is, given its byte in ``data``."""
    finding.byte = base_offset + byte
    line, start = 1, 0
    if batch is not None and game is not None and 0 <= game < len(batch):
        finding.game = game
        line, start = batch.line[game], batch.offset[game] - base_offset
    before = data[start:byte].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    finding.line = line + before.count(b"\n")
    return finding


def _insert(batch: RecordBatch, finding: Finding) -> None:
    batch.findings.insert(0, finding)


class _Places:
    """Bytes of the source for places in a batch's text; quick for places asked in order."""

    def __init__(self, batch: RecordBatch) -> None:
        self.batch = batch
        self.game = -1
        self.where = 0
        self.byte = 0

    def byte_of(self, game: int, where: int) -> int:
        batch = self.batch
        name = batch.encoding[game]
        begin = batch.first_byte[game]
        if name in ("ascii", "utf-8"):
            return batch.offset[game] + where - begin
        if game != self.game or where < self.where:
            self.game, self.where, self.byte = game, begin, batch.offset[game]
        between = batch.text[self.where : where].decode("utf-8", "replace")
        self.byte += len(encodings.encode(between, _UNMARKED.get(name, name), "replace"))
        self.where = where
        return min(self.byte, batch.end[game])


_UNMARKED = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
"""Encodings that write a mark, and those as wide that write none."""


def _relocate(batch: RecordBatch, name: str, first: int) -> None:
    """Turn places in UTF-8 into places in the source's own encoding, for text that was decoded from ``first`` on."""
    text = batch.text
    width = 4 if name.startswith("utf-32") else 2
    codec = _UNMARKED.get(name, name)
    mark = width if name in ("utf-16", "utf-32") else 0
    known, byte = 0, mark

    def place(where: int) -> int:
        nonlocal known, byte
        if where < known:
            known, byte = 0, mark
        byte += len(text[known:where].decode("utf-8", "ignore").encode(codec, "ignore"))
        known = where
        return first + byte

    for i in range(len(batch)):
        batch.offset[i], batch.end[i] = place(batch.offset[i]), place(batch.end[i])
        batch.encoding[i] = name
    for finding in batch.findings:
        if finding.byte is not None:
            finding.byte = place(finding.byte)


# -- one game in full ---------------------------------------------------------------------------------------


def record_at(batch: RecordBatch, i: int) -> GameRecord:
    """Game ``i`` of a batch that was read from text, with its comments kept apart and its variations."""
    text = batch.text
    tags = batch.tags[i]
    record = GameRecord(
        tags=tags,
        fen=value_of(tags, "FEN") or None,
        result=value_of(tags, "Result") or None,
        encoding=batch.encoding[i],
        index=batch.index[i],
        offset=batch.offset[i],
        line=batch.line[i],
    )
    main = Variation(1, record.tokens, record.comments, record.nags, record.variations)
    lines = [main]
    inner_result: str | None = None
    log = _pgn.Scanner(text).events(batch.first_byte[i], batch.last_byte[i])
    for k in range(0, len(log), 3):
        kind, start, end = log[k : k + 3]
        line = lines[-1]
        ply = line.from_ply + len(line.moves) - 1
        match _pgn.EVENTS[kind]:
            case "token":
                line.moves.append(text[start:end].decode("utf-8", "backslashreplace"))
                inner_result = None
            case "comment" | "line comment":
                words = tidy(text[start:end].decode("utf-8", "backslashreplace"))
                if words:
                    line.comments.setdefault(ply, []).append(words)
            case "nag":
                nags = line.nags.setdefault(ply, [])
                if start not in nags:
                    nags.append(start)
            case "open":
                inner = Variation(max(line.from_ply, ply))
                line.variations.append(inner)
                lines.append(inner)
            case "close":
                lines.pop()
                inner_result = None
            case "terminator":
                words = text[start:end].decode("utf-8", "backslashreplace")
                if len(lines) == 1:
                    record.terminator = words
                else:
                    inner_result = words
            case "again":
                del lines[1:]
                record.terminator = None
                said = [words for texts in record.comments.values() for words in texts]
                for part in (record.tokens, record.comments, record.nags, record.variations):
                    part.clear()
                if said:
                    record.comments[0] = said
    if record.terminator is None and len(lines) > 1:
        record.terminator = inner_result
    return record


def tag_place(batch: RecordBatch, i: int, name: str) -> Place | None:
    """Where the tag ``name`` of game ``i`` of a batch that was read from text begins: line, column, byte."""
    begin = batch.first_byte[i]
    text = batch.text[begin : batch.last_byte[i]]
    found = re.search(
        rb"(?:^|[\r\n\]])[ \t]*(\[)[ \t]*%s[ \t]+\"" % re.escape(name.encode()), text, re.IGNORECASE
    )
    if found is None:
        return None
    where = found.start(1)
    before = text[:where].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return batch.line[i] + before.count(b"\n"), column, _Places(batch).byte_of(i, begin + where)


def records(batch: RecordBatch) -> Iterable[GameRecord]:
    """Every game of ``batch`` in full."""
    return (batch.record(i) for i in range(len(batch)))


# -- writing ------------------------------------------------------------------------------------------------


def write(records: GameRecord | Iterable[GameRecord], *, width: int = 80) -> str:
    """PGN text of one record or of many, in lines of at most ``width`` columns where words allow.

    Reading it gives the same tags, moves, comments, NAGs and variations. Two things cannot be said in PGN: a
    closing brace in a comment of several lines becomes a wide one, and a line break in a tag value a blank. A
    record without a result after its moves gets its Result tag's, else ``*``.
    """
    if isinstance(records, GameRecord):
        return _write_one(records, width, records.tags)
    # Without any tag, nothing would hold the next game apart from this one.
    return "\n".join(_write_one(record, width, record.tags or {"Event": "?"}) for record in records)


def move_label(ply: int, start: tuple[bool, int] = (False, 1)) -> str:
    """How the move at ``ply`` is numbered: ``"1."``, ``"37..."``; ``start`` is `start_of` the game's FEN."""
    black_first, number = start
    half = ply - 1 + black_first
    return f"{number + half // 2}{'...' if half % 2 else '.'}"


def start_of(fen: str | None) -> tuple[bool, int]:
    """Whether Black moves first from ``fen``, and the number of that move; as far as its text says so."""
    fields = (fen or "").split()
    number = fields[-1] if len(fields) > 2 else ""
    return fields[1:2] == ["b"], int(number) if number.isdecimal() and int(number) > 0 else 1


def _write_one(record: GameRecord, width: int, tags: dict[str, str]) -> str:
    tags = dict(tags)
    if record.fen and value_of(tags, "FEN") != record.fen:
        tags |= {"SetUp": "1", "FEN": record.fen}
    head = "".join(f"{tag_pair(name, value)}\n" for name, value in tags.items())
    page = _Page(width)
    for word in _words(record):
        page.add(word)
    result = record.terminator or (record.result if record.result in RESULTS else None) or "*"
    page.add(result)
    return (head + "\n" if head else "") + page.text() + "\n"


def tag_pair(name: str, value: str) -> str:
    """The line of one tag."""
    return f'[{_tag_name(name)} "{_tag_value(value)}"]'


def _tag_name(name: str) -> str:
    kept = "".join(c if c.isalnum() or c in "_-" else "_" for c in name)
    return kept if kept and (kept[0].isalpha() or kept[0] > "\x7f") else f"Tag_{kept}"


def _tag_value(value: str) -> str:
    value = re.sub("[\r\n\0]", " ", value)
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _words(record: GameRecord) -> Iterator[str]:
    """The move text word by word; a word that begins with line breaks is to begin a line, or a paragraph."""
    start = start_of(record.fen or value_of(record.tags, "FEN"))
    main = Variation(1, record.tokens, record.comments, record.nags, record.variations)
    # One entry per line being written: (line, its comments and variations by place, place, number wanted)
    stack: list[_Line] = [_Line(main)]
    while stack:
        line = stack[-1]
        if line.waiting:
            inner = line.waiting.pop()
            yield "("
            stack.append(_Line(inner))
            continue
        line.number = line.number or line.branched
        line.branched = False
        if line.place == len(line.moves):
            stack.pop()
            if stack:
                yield ")"
            continue
        if line.place >= 0:
            ply = line.from_ply + line.place
            label = move_label(ply, start)
            if line.number or not label.endswith("..."):
                yield label
            yield line.moves[line.place]
        said = line.said.get(line.place, ())
        yield from (f"${nag}" for nag in line.nags.get(line.place, ()))
        for comment in said:
            yield from _comment_words(comment)
        line.waiting = line.inner.get(line.place, [])[::-1]
        line.branched = bool(line.waiting)
        line.number = line.place < 0 or bool(said)
        line.place += 1


class _Line:
    """A line being written: what stands after its moves, by place (-1: before the first)."""

    __slots__ = ("branched", "from_ply", "inner", "moves", "nags", "number", "place", "said", "waiting")

    def __init__(self, line: Variation) -> None:
        last = len(line.moves) - 1

        def place(ply: int) -> int:
            return max(-1, min(last, ply - line.from_ply))

        self.moves = line.moves
        self.from_ply = line.from_ply
        self.said: dict[int, list[str]] = {}
        for ply, comments in line.comments.items():
            self.said.setdefault(place(ply), []).extend(comments)
        self.nags: dict[int, list[int]] = {}
        for ply, nags in line.nags.items():
            self.nags.setdefault(place(ply), []).extend(nags)
        self.inner: dict[int, list[Variation]] = {}
        for inner in line.variations:
            where = place(inner.from_ply)
            self.inner.setdefault(max(where, 0) if line.moves else -1, []).append(inner)
        self.place = -1
        self.number = True
        self.branched = False
        self.waiting: list[Variation] = []


def _comment_words(comment: str) -> Iterator[str]:
    paragraphs = [kept for part in re.split("[\r\n]+", comment) if (kept := tidy(part))]
    if not paragraphs:
        return
    if len(paragraphs) == 1 and "}" in paragraphs[0]:
        yield "\n;" + paragraphs[0] + "\n"
        return
    paragraphs = [paragraph.replace("}", "｝") for paragraph in paragraphs]
    for i, paragraph in enumerate(paragraphs):
        # Only single blanks may become line ends: reading turns a line end into a single blank.
        words = re.split(r"(?<![ \t\v\f]) (?![ \t\v\f])", paragraph)
        if i == 0:
            words[0] = "{" + words[0]
        elif words[0].startswith("["):
            pass  # after an empty line it would be taken for the next game's tags
        else:
            words[0] = "\n\n" + words[0]
        if i == len(paragraphs) - 1:
            words[-1] += "}"
        yield from words


class _Page:
    """Words filled into lines."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []
        self.line: list[str] = []
        self.used = 0

    def add(self, word: str) -> None:
        if word.startswith("\n"):
            self.end_line()
            if word.startswith("\n\n"):
                self.lines.append("")
            word = word.lstrip("\n")
        own_line = word.endswith("\n")
        word = word.rstrip("\n")
        columns = len(word) if word.isascii() else sum(2 if c > "\u10ff" else 1 for c in word)
        if self.line and self.used + 1 + columns > self.width:
            self.end_line()
        self.used += columns + (1 if self.line else 0)
        self.line.append(word)
        if own_line:
            self.end_line()

    def end_line(self) -> None:
        if self.line:
            self.lines.append(" ".join(self.line))
        self.line, self.used = [], 0

    def text(self) -> str:
        self.end_line()
        return "\n".join(self.lines)
