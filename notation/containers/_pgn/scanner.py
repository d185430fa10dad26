# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# (a C variable is declared by its annotation alone; any() and joined conditions cost calls here)
"""What stands in games of known bounds, in UTF-8: flat arrays of many (`RecordBatch`), or the events of one."""

import os
import re
from array import array

import cython
from cython import address, cast, cfunc, declare, exceptval, nogil, pointer, sizeof, struct
from cython.cimports.cpython.array import clone
from cython.cimports.cpython.unicode import PyUnicode_DecodeUTF8
from cython.cimports.libc.math import NAN
from cython.cimports.libc.string import memchr, memcmp, memcpy
from cython.cimports.notation.containers._pgn.encodings import check_spans, find_high
from cython.cimports.notation.containers._pgn.lines import (
    Size,
    Tag,
    Text,
    bare_tag,
    bracket_line,
    is_blank,
    is_called,
    is_digit,
    line_end,
    tag_close,
    tag_open,
)
from cython.cimports.notation.containers._pgn.stores import (
    Store,
    Table,
    drop,
    intern,
    push8,
    push32,
    push64,
    reserve,
    table_drop,
    take,
)
from cython.cimports.notation.containers._pgn.words import (
    NO_SIGN,
    RANK_0,
    RANK_10,
    SHAPED,
    WIDE_BLANK,
    WIDE_CLOSING,
    WIDE_GOOD,
    WIDE_OPENING,
    WIDE_STAR,
    is_shaped,
    look_at,
    read_glyph,
    read_glyph_back,
    read_number,
    result_of,
    skip_dots,
    wide_sign,
)

_ONES = declare(cython.ulonglong, 0x0101010101010101)

FAULTS = (
    "bad-tag",
    "duplicate-tag",
    "empty-game",
    "long-token",
    "missing-terminator",
    "move-number",
    "not-moves",
    "ply-count",
    "result-mismatch",
    "text-after-end",
    "text-before-moves",
    "unclosed-comment",
    "unclosed-variation",
    "unopened-comment",
    "unopened-variation",
    "nested-comment",
    "long-game",
)
"""Finding codes by the number that `Scanner.faults` carries."""

_BAD_TAG = declare(cython.int, 0)
_DUPLICATE_TAG = declare(cython.int, 1)
_EMPTY_GAME = declare(cython.int, 2)
_LONG_TOKEN = declare(cython.int, 3)
_MISSING_TERMINATOR = declare(cython.int, 4)
_MOVE_NUMBER = declare(cython.int, 5)
_NOT_MOVES = declare(cython.int, 6)
_PLY_COUNT = declare(cython.int, 7)
_RESULT_MISMATCH = declare(cython.int, 8)
_TEXT_AFTER_END = declare(cython.int, 9)
_TEXT_BEFORE_MOVES = declare(cython.int, 10)
_UNCLOSED_COMMENT = declare(cython.int, 11)
_UNCLOSED_VARIATION = declare(cython.int, 12)
_UNOPENED_COMMENT = declare(cython.int, 13)
_UNOPENED_VARIATION = declare(cython.int, 14)
_NESTED_COMMENT = declare(cython.int, 15)
_LONG_GAME = declare(cython.int, 16)

EVENTS = ("token", "comment", "line comment", "nag", "open", "close", "terminator", "again")
"""Kinds of `Scanner.events`; "again": the words so far were no moves."""

_TOKEN = declare(cython.int, 0)
_COMMENT = declare(cython.int, 1)
_LINE_COMMENT = declare(cython.int, 2)
_NAG = declare(cython.int, 3)
_OPEN = declare(cython.int, 4)
_CLOSE = declare(cython.int, 5)
_TERMINATOR = declare(cython.int, 6)
_AGAIN = declare(cython.int, 7)

# Classes of bytes in the move text
_PLAIN = declare(cython.int, 0)
_BLANK = declare(cython.int, 1)
_BREAK = declare(cython.int, 2)
_SIGN = declare(cython.int, 3)
_WIDE = declare(cython.int, 4)

MOST_FAULTS = 100
_MOST_FAULTS = declare(cython.int, 100)
LONGEST_TOKEN = 200
_LONGEST = declare(cython.int, 200)
MOST_PLIES = 1000000  # a hundred times the longest game: memory is bounded, whatever a file holds
_MOST_PLIES = declare(cython.int, 1000000)
MOST_UNSHAPED = 10000
_UNSHAPED = declare(cython.int, 10000)

Row = struct(
    token=cython.uint,
    line=cython.uint,
    column=cython.uint,
    comment=cython.int,
    evaluation=cython.float,
    seconds=cython.float,
    mate=cython.short,
    depth=cython.short,
    nag=cython.uchar,
)

Fault = struct(
    code=cython.int,
    game=cython.int,
    ply=cython.int,
    line=cython.int,
    column=cython.int,
    other=cython.int,
    start=cython.longlong,
    end=cython.longlong,
)

_TEN = declare(cython.double[19])
for _power in range(19):
    _TEN[_power] = 10.0**_power


@cython.final
@cython.cclass
class Scanner:
    """Reads games out of UTF-8 ``text``: `scan` for flat arrays, `events` for one game in full."""

    owner: object
    t: Text
    n: Size
    kind: cython.uchar[256]
    rows: Store  # of Row, one per token
    row: pointer(Row)
    count: Size
    # per game
    first_token: Store
    terminator: Store
    variations: Store
    rank_base: Store
    span: Store
    first_tag: Store
    tags: Store
    faults: Store
    log: Store
    logging: cython.bint
    lexemes: Table
    spoken: Table
    tag_names: Table
    tag_texts: Table
    pool: Store
    short: cython.bint
    noted: Size
    # the game in hand
    game: cython.int
    first: Size
    line: Size
    line_start: Size
    wide: cython.bint
    counted: Size  # characters of this line are counted up to here
    characters: Size
    # the comment in hand
    said_evaluation: cython.double
    said_seconds: cython.double
    said_mate: cython.longlong
    said_depth: cython.longlong
    figures: cython.bint
    pending: Size  # where in the pool the words for the last move begin; -1: none

    def __cinit__(self, text: bytes):
        i: cython.int
        self.owner = text
        self.n = len(text)
        self.t = cast(Text, cast(cython.p_char, text))
        for i in range(256):
            self.kind[i] = _BLANK if i <= 32 or i == 127 else _PLAIN
        self.kind[10] = self.kind[13] = _BREAK
        for c in b"{}();$*[]/":
            self.kind[cast(cython.int, c)] = _SIGN
        self.kind[0xC2] = self.kind[0xE2] = self.kind[0xE3] = self.kind[0xEF] = _WIDE
        seed: bytes = os.urandom(8)
        self.lexemes.seed = self.spoken.seed = int.from_bytes(seed, "little")
        self.tag_names.seed = self.tag_texts.seed = self.lexemes.seed

    def __dealloc__(self):
        self._free()

    @cfunc
    def _free(self) -> cython.void:
        drop(address(self.rows))
        drop(address(self.first_token))
        drop(address(self.terminator))
        drop(address(self.variations))
        drop(address(self.rank_base))
        drop(address(self.span))
        drop(address(self.first_tag))
        drop(address(self.tags))
        drop(address(self.faults))
        drop(address(self.log))
        drop(address(self.pool))
        table_drop(address(self.lexemes))
        table_drop(address(self.spoken))
        table_drop(address(self.tag_names))
        table_drop(address(self.tag_texts))
        self.row = cython.NULL
        self.count = 0

    def scan(
        self,
        begins: cython.longlong[::1],
        ends: cython.longlong[::1],
        lines: cython.longlong[::1],
        doubtful: cython.bint,
    ):
        """Read the games ``text[begins[i]:ends[i]]`` whose first line is ``lines[i]``; the arrays by name.

        ``doubtful``: the first span, if it has no tags, is a game only if it looks like one; ``kept`` tells
        (False: it was left out). ``span`` lists begin and end of the games kept.
        """
        i: Size
        count: Size = begins.shape[0]
        kept: cython.bint = True
        ok: cython.bint = True
        check_spans(begins, ends, self.n)
        self._free()
        self.game = 0
        self.logging = False
        with nogil:
            ok = push64(address(self.first_token), 0) and push64(address(self.first_tag), 0)
            for i in range(count):
                if not self._read(begins[i], ends[i], lines[i], doubtful and i == 0):
                    kept = False
                if self.short:
                    break
        if self.short or not ok:
            self._free()
            self.short = False
            raise MemoryError
        text: bytes = self.owner
        start = cast(cython.p_longlong, self.lexemes.start.data)
        length = cast(cython.p_int, self.lexemes.length.data)
        lexemes = [
            text[start[i] : start[i] + length[i]].decode("utf-8", "backslashreplace")
            for i in range(self.lexemes.count)
        ]
        start = cast(cython.p_longlong, self.spoken.start.data)
        length = cast(cython.p_int, self.spoken.length.data)
        comments = [
            self.pool.data[start[i] : start[i] + length[i]].decode("utf-8", "backslashreplace")
            for i in range(self.spoken.count)
        ]
        faults = []
        fault: pointer(Fault)
        for i in range(self.faults.size // sizeof(Fault)):
            fault = cast(pointer(Fault), self.faults.data) + i
            faults.append(
                (
                    fault.code,
                    fault.game,
                    fault.ply,
                    fault.line,
                    fault.column,
                    fault.start,
                    fault.end,
                    fault.other,
                )
            )
        taken = self._columns()
        taken |= {
            "kept": kept,
            "lexemes": lexemes,
            "comments": comments,
            "faults": faults,
            "first_token": take("q", address(self.first_token)),
            "terminator": take("B", address(self.terminator)),
            "variations": take("I", address(self.variations)),
            "rank_base": take("b", address(self.rank_base)),
            "span": take("q", address(self.span)),
            "tags": self._tag_columns(),
        }
        self._free()
        return taken

    @cfunc
    def _columns(self):
        """The rows as one `array.array` per field, by name; the rows are dropped."""
        n: Size = self.count
        columns = {
            name: clone(array(code), n, zero=False)
            for name, code in (
                ("token", "I"),
                ("token_line", "I"),
                ("token_column", "I"),
                ("evaluation", "f"),
                ("mate", "h"),
                ("depth", "h"),
                ("seconds", "f"),
                ("nag", "B"),
                ("comment", "i"),
            )
        }
        token: cython.uint[::1] = columns["token"]
        line: cython.uint[::1] = columns["token_line"]
        column: cython.uint[::1] = columns["token_column"]
        evaluation: cython.float[::1] = columns["evaluation"]
        mate: cython.short[::1] = columns["mate"]
        depth: cython.short[::1] = columns["depth"]
        seconds: cython.float[::1] = columns["seconds"]
        nag: cython.uchar[::1] = columns["nag"]
        comment: cython.int[::1] = columns["comment"]
        row: pointer(Row) = cast(pointer(Row), self.rows.data)
        i: Size
        with nogil:
            for i in range(n):
                token[i] = row.token
                line[i] = row.line
                column[i] = row.column
                evaluation[i] = row.evaluation
                mate[i] = row.mate
                depth[i] = row.depth
                seconds[i] = row.seconds
                nag[i] = row.nag
                comment[i] = row.comment
                row += 1
        drop(address(self.rows))
        return columns

    @cfunc
    def _tag_columns(self) -> dict:
        """The tags of every game as the columns of `notation.tags.Tags`."""
        games: Size = self.first_tag.size // 8 - 1
        most: Size = self.tags.size // 32
        span: cython.p_longlong = cast(cython.p_longlong, self.tags.data)
        first_tag: cython.p_longlong = cast(cython.p_longlong, self.first_tag.data)
        names: list = []
        texts: list = []
        shapes: dict = {}
        columns = {
            "shape": array("I", bytes(4)) * games,
            "first": array("q", bytes(8)) * (games + 1),
            "value": array("I", bytes(4)) * most,
        }
        called_ = array("i", bytes(4)) * most
        place_ = array("q", bytes(8)) * most
        shape: cython.uint[::1] = columns["shape"]
        first: cython.longlong[::1] = columns["first"]
        value: cython.uint[::1] = columns["value"]
        called: cython.int[::1] = called_
        place: cython.longlong[::1] = place_  # by name: 1 + where it stands in `value`
        g: Size
        k: Size
        n: Size
        begun: Size
        before: Size = 0
        filled: Size = 0
        name: cython.int
        text: cython.int
        for g in range(games):
            begun = filled
            for k in range(4 * first_tag[g], 4 * first_tag[g + 1], 4):
                name = self._tag_text(address(self.tag_names), names, span[k], span[k + 1], False)
                text = self._tag_text(address(self.tag_texts), texts, span[k + 2], span[k + 3], True)
                if place[name] <= begun:
                    called[filled] = name
                    value[filled] = cast(cython.uint, text)
                    filled += 1
                    place[name] = filled
                elif not texts[value[place[name] - 1]].strip():
                    value[place[name] - 1] = cast(cython.uint, text)
            first[g + 1] = filled
            n = filled - begun
            if (
                g
                and n == begun - before
                and (n == 0 or memcmp(address(called[before]), address(called[begun]), 4 * n) == 0)
            ):
                shape[g] = shape[g - 1]
            else:
                shape[g] = shapes.setdefault(called_[begun:filled].tobytes(), len(shapes))
            before = begun
        del shape, first, value, called, place
        columns["value"] = columns["value"][:filled]
        columns["shapes"] = [tuple([names[k] for k in array("i", key)]) for key in shapes]
        columns["texts"] = [*dict.fromkeys(texts)]
        if len(columns["texts"]) < len(texts):  # one text was written in several ways
            numbers = dict(zip(columns["texts"], range(len(texts)), strict=False))
            columns["value"] = array("I", [numbers[texts[k]] for k in columns["value"]])
        return columns

    @cfunc
    def _tag_text(
        self, known: pointer(Table), texts: list, start: Size, end: Size, value: cython.bint
    ) -> cython.int:
        """The number of ``start:end``, a tag's name or ``value``; ``texts`` has each as a string."""
        t: cython.p_const_char = cast(cython.p_const_char, self.t) + start
        n: Size = end - start
        number: cython.int = intern(known, self.t, start, n)
        if number < 0:
            raise MemoryError
        if number == len(texts):
            text = PyUnicode_DecodeUTF8(t, n, b"backslashreplace")
            if value and (
                memchr(t, 92, n) != cython.NULL
                or memchr(t, 10, n) != cython.NULL
                or memchr(t, 13, n) != cython.NULL
            ):
                text = _in_one_line(_ESCAPED.sub(r"\1", text))
            texts.append(text)
        return number

    def events(self, begin: Size, end: Size):
        """What stands in the one game ``text[begin:end]``: an array of int64 triples (kind, start, end).

        Kinds are the places in `EVENTS`. A "nag" has its number for ``start``.
        """
        self._free()
        self.game = 0
        self.logging = True
        with nogil:
            self._read(begin, end, 1, False)
        log = take("q", address(self.log))
        self._free()
        if self.short:
            self.short = False
            raise MemoryError
        return log

    # -- small steps ------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _note(self, code: cython.int, ply: Size, start: Size, end: Size, other: cython.int) -> cython.void:
        """A fault whose text is ``start:end``, on the line in hand."""
        fault: pointer(Fault)
        if self.logging:
            return
        self.noted += 1
        if self.noted > _MOST_FAULTS and code in (
            _BAD_TAG,
            _DUPLICATE_TAG,
            _LONG_TOKEN,
            _NESTED_COMMENT,
            _UNOPENED_COMMENT,
            _UNOPENED_VARIATION,
        ):
            return
        if not reserve(address(self.faults), sizeof(Fault)):
            self.short = True
            return
        fault = cast(pointer(Fault), self.faults.data + self.faults.size)
        fault.code = code
        fault.game = self.game
        fault.ply = cast(cython.int, ply)
        fault.line = cast(cython.int, self.line)
        fault.column = cast(cython.int, self._column(start))
        fault.other = other
        fault.start = start
        fault.end = end
        self.faults.size += sizeof(Fault)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _note_words(self, start: Size, end: Size, line: Size, line_start: Size) -> cython.void:
        """Words before the moves, which begin on another line than the one in hand."""
        this_line: Size = self.line
        this_start: Size = self.line_start
        if start < 0:
            start = end
        else:
            self.line = line
            self.line_start = line_start
        self.counted = self.n  # of no line
        self._note(_TEXT_BEFORE_MOVES, 0, start, end, 0)
        self.line = this_line
        self.line_start = this_start
        self.counted = self.n

    @cfunc
    @nogil
    @exceptval(check=False)
    def _event(self, kind: cython.int, start: Size, end: Size) -> cython.void:
        if not (
            push64(address(self.log), kind)
            and push64(address(self.log), start)
            and push64(address(self.log), end)
        ):
            self.short = True

    @cfunc
    @nogil
    @exceptval(check=False)
    def _column(self, where: Size) -> Size:
        """The column of a byte on the line in hand, in characters, from 1."""
        i: Size
        w: cython.ulonglong
        if not self.wide:
            return where - self.line_start + 1
        if self.counted < self.line_start or self.counted > where:
            self.counted = self.line_start
            self.characters = 0
        i = self.counted
        while i + 8 <= where:
            memcpy(address(w), self.t + i, 8)
            # the bytes 10xxxxxx, which continue a character
            w = (w >> 7) & ~(w >> 6) & _ONES
            self.characters += 8 - cast(Size, (w * _ONES) >> 56)
            i += 8
        while i < where:
            if (self.t[i] & 0xC0) != 0x80:
                self.characters += 1
            i += 1
        self.counted = where if where > self.counted else self.counted
        return self.characters + 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _pass(self, start: Size, end: Size) -> cython.void:
        """Count the line breaks of a stretch that is left behind."""
        t: Text = self.t
        i: Size
        for i in range(start, end):
            if t[i] == 10 or (t[i] == 13 and not (i + 1 < self.n and t[i + 1] == 10)):
                self.line += 1
                self.line_start = i + 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _opens_line(self, where: Size) -> cython.bint:
        """Whether only blanks stand before ``where`` on its line."""
        i: Size = where
        while i > self.line_start:
            i -= 1
            if not is_blank(self.t[i]):
                return False
        return True

    # -- one game ---------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _read(self, lo: Size, hi: Size, line: cython.longlong, doubtful: cython.bint) -> cython.bint:
        """Read the game ``lo:hi``; False when it is none after all (only if ``doubtful``)."""
        t: Text = self.t
        p: Size = lo
        s: Size
        e: Size
        j: Size
        q: Size
        c: cython.uchar
        kind: cython.int
        sign: cython.int
        code: cython.int
        flag: cython.int
        id: cython.int
        value: cython.longlong
        level: cython.longlong = 0  # depth of variations
        opened: Size = 0
        opened_line: Size = 0
        opened_start: Size = 0
        inner_result: cython.int = 0
        variations: cython.longlong = 0
        terminator: cython.int = 0
        terminator_start: Size = 0
        terminator_end: Size = 0
        terminator_line: Size = 0
        terminator_line_start: Size = 0
        result_tag: cython.int = 0
        result_rank: cython.int = 0
        spelled: cython.bint
        ply_rank: cython.int = 0
        ply_count: cython.longlong = -1
        ply_start: Size = 0
        ply_end: Size = 0
        tag_count: cython.longlong = 0
        numbered: cython.longlong = -1
        numbers: cython.longlong = 0
        misnumbered: cython.bint = False
        fresh_number: cython.bint = False
        shaped: cython.longlong = 0
        unshaped: cython.longlong = 0
        dropped: cython.bint = False
        wide_star: cython.bint = False
        worded: Size = -1  # where the first word after the tags begins
        worded_line: Size = line
        worded_start: Size = lo
        unclosed: Size = lo  # no bracket closes before this place, on the line in hand
        bases: cython.int = 0
        tag: Tag
        found: cython.p_const_void
        first_fault: Size = self.faults.size
        plies: Size = 0

        self.first = self.count
        self.noted = 0
        self.pending = -1
        self.line = line
        self.line_start = lo
        self.wide = find_high(t, lo, hi) < hi
        self.counted = lo
        self.characters = 0
        if p < hi and t[p] == 37:
            p = line_end(t, p, hi)
        while p < hi:
            if self.short:
                return True
            c = t[p]
            kind = self.kind[c]
            if kind == _BLANK:
                p += 1
                continue
            if kind == _BREAK:
                if c == 13 and p + 1 < hi and t[p + 1] == 10:
                    p += 1
                p += 1
                self.line += 1
                self.line_start = p
                if p < hi and t[p] == 37:
                    p = line_end(t, p, hi)
                continue
            if kind == _WIDE:
                sign = wide_sign(t, p, hi)
                if sign == WIDE_BLANK:
                    p += 2 if c == 0xC2 else 3
                    continue
                if sign in (WIDE_OPENING, WIDE_CLOSING):
                    c = 40 if sign == WIDE_OPENING else 41
                    kind = _SIGN
                    p += 2  # and one more below
                elif sign == WIDE_STAR:
                    kind = _PLAIN
                    wide_star = True
            if kind == _SIGN:
                if c == 123 or (c == 47 and p + 1 < hi and t[p + 1] == 42):
                    # a comment in braces, or between slashes and stars
                    if c == 123:
                        if level == 0 and not self.logging and self.count > self.first:
                            q = self._quick(p + 1, hi)
                            if q:
                                p = q
                                continue
                        found = memchr(t + p + 1, 125, hi - p - 1)
                        s = p + 1
                        e = hi if found == cython.NULL else cast(Text, found) - t
                        q = e + 1
                    else:
                        s = p + 2
                        e = s
                        while e + 1 < hi and not (t[e] == 42 and t[e + 1] == 47):
                            e += 1
                        q = e + 2
                        if e + 1 >= hi:
                            e = hi
                    if e >= hi:
                        self._note(_UNCLOSED_COMMENT, self.count - self.first, p, hi, 0)
                        e = q = hi
                    if self.logging:
                        self._event(_COMMENT, s, e)
                    elif level == 0:
                        self._comment(s, e)
                        if c == 123 and not self.figures and memchr(t + s, 123, e - s) != cython.NULL:
                            self._note(_NESTED_COMMENT, self.count - self.first, p, e, 0)
                    self._pass(p, q)
                    p = q
                    continue
                if c == 59:
                    e = line_end(t, p, hi)
                    if self.logging:
                        self._event(_LINE_COMMENT, p + 1, e)
                    elif level == 0:
                        self._comment(p + 1, e)
                    p = e
                    continue
                if c == 91 and self._opens_line(p):
                    q = tag.value if tag_open(t, p, hi, address(tag)) else 0
                    if q or (
                        self.count == self.first
                        and numbers == 0
                        and terminator == 0
                        and level == 0
                        and bracket_line(t, p, hi)
                    ):
                        if plies and (numbers or terminator or shaped > 1):
                            # a tag line among the moves that is no boundary
                            self._note(_BAD_TAG, self.count - self.first, p, line_end(t, p, hi), 0)
                            p = line_end(t, p, hi)
                            continue
                        if plies or level or numbers or terminator:
                            # nothing but words so far: the header goes on
                            self._note_words(worded, p, worded_line, worded_start)
                            worded = -1
                            self._forget()
                            level = variations = numbers = 0
                            terminator = 0
                            plies = 0
                            shaped = unshaped = 0
                            bases = 0
                            if self.logging:
                                self._event(_AGAIN, p, p)
                        while True:
                            if q:
                                j = tag_close(t, hi, address(tag))
                            else:
                                j = bare_tag(t, p, hi, address(tag))
                                q = tag.value
                            s = tag.value_end
                            if tag.broken:
                                self._note(_BAD_TAG, 0, p, j, 0)
                            if not self.logging:
                                if self._has_tag(tag_count, tag.name, tag.name_end):
                                    self._note(_DUPLICATE_TAG, 0, p, j, 0)
                                if not (
                                    push64(address(self.tags), tag.name)
                                    and push64(address(self.tags), tag.name_end)
                                    and push64(address(self.tags), q)
                                    and push64(address(self.tags), s)
                                ):
                                    self.short = True
                                    return True
                                if is_called(t, address(tag), b"result", 6):
                                    # The first that says something; in other letters only if none is spelled so.
                                    spelled = memcmp(t + tag.name, b"Result", 6) == 0
                                    if result_rank <= spelled and self._says(q, s):
                                        result_rank = 1 + spelled
                                        result_tag = result_of(t, q, s)
                                elif is_called(t, address(tag), b"plycount", 8):
                                    spelled = memcmp(t + tag.name, b"PlyCount", 8) == 0
                                    if ply_rank <= spelled and self._says(q, s):
                                        ply_rank = 1 + spelled
                                        ply_start = q
                                        ply_end = s
                                        ply_count = self._whole(q, s)
                            tag_count += 1
                            self._pass(p, j)
                            p = j
                            while p < hi and is_blank(t[p]):
                                p += 1
                            if p < hi and t[p] == 91:
                                q = tag.value if tag_open(t, p, hi, address(tag)) else 0
                                if q:
                                    continue
                            break
                        continue
                if c == 91:
                    # brackets among the moves: a remark, when they close on this line
                    e = p + 1
                    if p < unclosed:
                        e = unclosed
                    while e < hi and t[e] != 93 and t[e] != 10 and t[e] != 13:
                        e += 1
                    unclosed = e
                    if e < hi and t[e] == 93:
                        if self.logging:
                            self._event(_COMMENT, p, e + 1)
                        elif level == 0:
                            self._comment(p, e + 1)
                        p = e + 1
                    else:
                        self._note(_BAD_TAG, self.count - self.first, p, e, 0)
                        p += 1
                    continue
                if terminator and level == 0 and c != 42 and c != 93 and c != 125:
                    kind = _PLAIN  # after the end only comments are read
                elif c == 40:
                    if level == 0:
                        opened = p
                        opened_line = self.line
                        opened_start = self.line_start
                    level += 1
                    variations += 1
                    inner_result = 0
                    if self.logging:
                        self._event(_OPEN, p, p + 1)
                    p += 1
                    continue
                elif c == 41:
                    if level > 0:
                        level -= 1
                        if self.logging:
                            self._event(_CLOSE, p, p + 1)
                    else:
                        self._note(_UNOPENED_VARIATION, self.count - self.first, p, p + 1, 0)
                    p += 1
                    continue
                elif c == 93 or c == 125:
                    self._note(_UNOPENED_COMMENT, self.count - self.first, p, p + 1, 0)
                    p += 1
                    continue
                elif c == 36 and p + 1 < hi and is_digit(t[p + 1]):
                    p += 1
                    value = 0
                    while p < hi and is_digit(t[p]):
                        if value < 1000:
                            value = value * 10 + t[p] - 48
                        p += 1
                    self._glyph(value if value < 256 else 255, level)
                    continue

            # a word
            s = p
            if worded < 0:
                worded = p
                worded_line = self.line
                worded_start = self.line_start
            if wide_star:
                wide_star = False
                kind = _SIGN
                p += 3
            elif kind == _SIGN:
                p += 1
                if c != 42:
                    kind = _PLAIN
            if kind != _SIGN:
                while p < hi:
                    kind = self.kind[t[p]]
                    if kind == _PLAIN:
                        p += 1
                    elif kind == _WIDE:
                        sign = wide_sign(t, p, hi)
                        if NO_SIGN < sign <= WIDE_STAR:
                            break
                        p += 1
                    elif kind == _SIGN:
                        c = t[p]
                        # a dollar or a slash that begins neither a glyph nor a comment
                        if (c == 36 and not (p + 1 < hi and is_digit(t[p + 1]))) or (
                            c == 47 and not (p + 1 < hi and t[p + 1] == 42)
                        ):
                            p += 1
                        else:
                            break
                    else:
                        break
            if p == s:
                p += 1
            e = p
            c = t[s]

            if terminator and level == 0:
                code = result_of(t, s, e)
                if code == terminator or skip_dots(t, s, e) == e:
                    continue
                e = line_end(t, s, hi)
                self._note(_TEXT_AFTER_END, self.count - self.first, s, e, 0)
                p = hi
                break

            # `!!12.` and `!!` alone: a sign for the move before
            if c == 33 or c == 63 or (c == 0xEF and wide_sign(t, s, e) >= WIDE_GOOD):
                j = read_glyph(t, s, e, address(code))
                if code and not (j == e and fresh_number and c == 63):
                    self._glyph(code, level)
                    s = j
                    if s == e:
                        continue
                    c = t[s]

            # numbers, dots, results
            if is_digit(c) or c >= 0xC2 or c == 46 or c == 42:
                code = result_of(t, s, e)
                if code:
                    if level > 0:
                        inner_result = code
                        if self.logging:
                            self._event(_TERMINATOR, s, e)
                    else:
                        terminator = code
                        terminator_start = s
                        terminator_end = e
                        terminator_line = self.line
                        terminator_line_start = self.line_start
                        if self.logging:
                            self._event(_TERMINATOR, s, e)
                    continue
                j = read_number(t, s, e, address(value))
                if j > s:
                    if level == 0:
                        if (
                            numbers == 0
                            and (self.count > self.first or (self.logging and plies))
                            and shaped == 0
                            and not dropped
                        ):
                            # words before the first number that are no moves
                            self._note_words(worded, s, worded_line, worded_start)
                            self._forget()
                            plies = 0
                            unshaped = 0
                            bases = 0
                            dropped = True
                            if self.logging:
                                self._event(_AGAIN, s, s)
                        if numbers and value != numbered and value != numbered + 1 and not misnumbered:
                            misnumbered = True
                            self._note(
                                _MOVE_NUMBER,
                                self.count - self.first + 1,
                                s,
                                j,
                                cast(cython.int, numbered + 1),
                            )
                        numbered = value
                        numbers += 1
                        fresh_number = True
                    s = j
                    if s == e:
                        continue
                    if t[s] == 0xEF or t[s] == 33 or t[s] == 63:
                        j = read_glyph(t, s, e, address(code))
                        if code and j < e:
                            s = j
                s = skip_dots(t, s, e)
                if s == e:
                    continue
                if t[s] == 42 or is_digit(t[s]):
                    code = result_of(t, s, e)
                    if code and level == 0:
                        terminator = code
                        terminator_start = s
                        terminator_end = e
                        terminator_line = self.line
                        terminator_line_start = self.line_start
                        if self.logging:
                            self._event(_TERMINATOR, s, e)
                        continue

            # a move
            fresh_number = False
            inner_result = 0
            j = e
            code = 0
            c = t[e - 1]
            if c == 33 or c == 63 or c == 0x81 or c == 0x9F:
                j = read_glyph_back(t, s, e, address(code))
            plies += level == 0
            if plies > _MOST_PLIES:
                self._note(_LONG_GAME, self.count - self.first + 1, s, e, 0)
                break
            if self.logging:
                self._event(_TOKEN, s, j)
                if code:
                    self._event(_NAG, code, e)
                if level == 0:
                    if is_shaped(t, s, j):
                        shaped += 1
                    else:
                        unshaped += 1
                        if unshaped > _UNSHAPED and unshaped > shaped:
                            break
                continue
            if level > 0:
                continue
            if j - s > _LONGEST:
                self._note(_LONG_TOKEN, self.count - self.first + 1, s, j, 0)
                j = s + _LONGEST
                while j > s + 1 and (t[j] & 0xC0) == 0x80:
                    j -= 1
            id = intern(address(self.lexemes), t, s, j - s)
            if id < 0:
                self.short = True
                return True
            flag = cast(cython.p_uchar, self.lexemes.flag.data)[id]
            if flag == 0:
                flag = look_at(t, s, j)
                cast(cython.p_uchar, self.lexemes.flag.data)[id] = cast(cython.uchar, flag)
            bases |= flag
            if flag & SHAPED:
                shaped += 1
            else:
                unshaped += 1
                if unshaped > _UNSHAPED and unshaped > shaped:
                    self._note(_NOT_MOVES, self.count - self.first + 1, s, e, 0)
                    p = hi
                    break
            if self.pending >= 0:
                self._settle()
            if not reserve(address(self.rows), sizeof(Row)):
                self.short = True
                return True
            self.row = cast(pointer(Row), self.rows.data) + self.count
            self.rows.size += sizeof(Row)
            self.row.token = cast(cython.uint, id)
            self.row.line = cast(cython.uint, self.line)
            self.row.column = cast(cython.uint, self._column(s))
            self.row.evaluation = self.row.seconds = NAN
            self.row.mate = 0
            self.row.depth = -1
            self.row.nag = cast(cython.uchar, code)
            self.row.comment = -1
            self.count += 1

        if self.logging:
            return True
        self._settle()
        if doubtful and tag_count == 0:
            # words of some other kind, unless a good part of them looks like moves
            if not (shaped and (shaped >= unshaped or (numbers and shaped * 10 >= unshaped))):
                self._forget()
                self.faults.size = first_fault
                return False
        if level > 0:
            self.line = opened_line
            self.line_start = opened_start
            self.counted = hi
            self._note(_UNCLOSED_VARIATION, self.count - self.first, opened, opened + 1, 0)
            if terminator == 0:
                terminator = inner_result
        if self.count == self.first:
            self.line = line
            self.line_start = lo
            self.counted = hi
            self._note(_EMPTY_GAME, 0, lo, lo, 0)
        if terminator == 0:
            e = hi
            while e > lo and t[e - 1] <= 32:
                e -= 1
            self.line = line
            self.line_start = lo
            self._pass(lo, e)
            self.counted = hi
            self._note(_MISSING_TERMINATOR, self.count - self.first, e, e, 0)
        elif 0 < result_tag < 5 and terminator < 5 and result_tag != terminator and terminator_end:
            self.line = terminator_line
            self.line_start = terminator_line_start
            self.counted = hi
            self._note(
                _RESULT_MISMATCH,
                self.count - self.first,
                terminator_start,
                terminator_end,
                cast(cython.int, result_tag),
            )
        if ply_count >= 0 and ply_count != self.count - self.first:
            self.line = line
            self.line_start = lo
            self._pass(lo, ply_start)
            self.counted = hi
            self._note(_PLY_COUNT, self.count - self.first, ply_start, ply_end, cast(cython.int, ply_count))
        bases &= RANK_0 | RANK_10
        if not (
            push64(address(self.first_token), self.count)
            and push64(address(self.first_tag), self.tags.size // 32)
            and push64(address(self.span), lo)
            and push64(address(self.span), hi)
            and push8(address(self.terminator), terminator)
            and push32(address(self.variations), cast(cython.int, variations))
            and push8(address(self.rank_base), bases - 1)
        ):
            self.short = True
        self.game += 1
        return True

    @cfunc
    @nogil
    @exceptval(check=False)
    def _has_tag(self, tag_count: cython.longlong, s: Size, e: Size) -> cython.bint:
        """Whether one of the last ``tag_count`` tags (64 at most are looked at) is called ``s:e``."""
        span: cython.p_longlong = cast(cython.p_longlong, self.tags.data)
        last: Size = self.tags.size // 8
        i: Size = last - 4 * (tag_count if tag_count < 64 else 64)
        while i < last:
            if span[i + 1] - span[i] == e - s and memcmp(self.t + span[i], self.t + s, e - s) == 0:
                return True
            i += 4
        return False

    @cfunc
    @nogil
    @exceptval(check=False)
    def _whole(self, s: Size, e: Size) -> cython.longlong:
        """The whole number ``s:e``, or -1."""
        value: cython.longlong = 0
        while s < e and self.t[s] <= 32:
            s += 1
        while e > s and self.t[e - 1] <= 32:
            e -= 1
        if s == e or e - s > 9:
            return -1
        while s < e:
            if not is_digit(self.t[s]):
                return -1
            value = value * 10 + self.t[s] - 48
            s += 1
        return value

    @cfunc
    @nogil
    @exceptval(check=False)
    def _says(self, s: Size, e: Size) -> cython.bint:
        """Whether anything but blanks stands in ``s:e``."""
        while s < e and self.t[s] <= 32:
            s += 1
        return s < e

    @cfunc
    @nogil
    @exceptval(check=False)
    def _glyph(self, value: cython.longlong, level: cython.longlong) -> cython.void:
        """A NAG for the last move."""
        if self.logging:
            self._event(_NAG, value, 0)
        elif level == 0 and self.count > self.first and self.row.nag == 0:
            self.row.nag = cast(cython.uchar, value)

    # -- comments ---------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _comment(self, s: Size, e: Size) -> cython.void:
        """Take the comment ``s:e`` for the last move: its figures, and what text remains."""
        t: Text = self.t
        self.figures = False
        if self.count == self.first:
            return
        self.said_evaluation = self.said_seconds = NAN
        self.said_mate = 0
        self.said_depth = -1
        while s < e and t[s] <= 32:
            s += 1
        while e > s and t[e - 1] <= 32:
            e -= 1
        if s == e:
            return
        s = self._figures(s, e)
        self._commands(s, e)
        if self.figures:
            row: pointer(Row) = self.row
            if row.evaluation != row.evaluation:
                row.evaluation = cast(cython.float, self.said_evaluation)
            if row.seconds != row.seconds:
                row.seconds = cast(cython.float, self.said_seconds)
            if row.mate == 0:
                row.mate = cast(cython.short, self.said_mate)
            if row.depth == -1:
                row.depth = cast(cython.short, self.said_depth)
            if s >= e:
                return
            self.figures = False
        self._say(s, e)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _quick(self, p: Size, hi: Size) -> Size:
        """The commonest comment in one pass, ``{+0.35/9 0.012s}``: the place after it, 0 for any other."""
        t: Text = self.t
        row: pointer(Row) = self.row
        value: cython.uint = 0
        score: cython.double
        depth: cython.int
        time: cython.uint = 0
        scale: cython.int = 0
        s: Size
        broken: Size = 0
        minus: cython.bint
        if hi - p < 32:  # room for all that is read below: 1 + 6 + 1 + 4 + 1 + 3 + 1 + 6 + 1 + 4 + 2
            return 0
        minus = t[p] == 45
        if minus or t[p] == 43:
            p += 1
        s = p
        while p - s < 6 and is_digit(t[p]):
            value = value * 10 + t[p] - 48
            p += 1
        if p == s or t[p] != 46:
            return 0
        p += 1
        if not (is_digit(t[p]) and is_digit(t[p + 1])) or t[p + 2] != 47:
            return 0
        value = value * 100 + (t[p] - 48) * 10 + t[p + 1] - 48
        p += 3
        s = p
        depth = 0
        while p - s < 3 and is_digit(t[p]):
            depth = depth * 10 + t[p] - 48
            p += 1
        if p == s or (t[p] != 32 and t[p] != 10):
            return 0
        if t[p] == 10:
            broken = p + 1
        p += 1
        s = p
        while p - s < 6 and is_digit(t[p]):
            time = time * 10 + t[p] - 48
            p += 1
        if p == s or t[p] != 46:
            return 0
        p += 1
        s = p
        while p - s < 3 and is_digit(t[p]):
            time = time * 10 + t[p] - 48
            p += 1
        scale = cast(cython.int, p - s)
        if scale == 0 or t[p] != 115 or t[p + 1] != 125:
            return 0
        if row.depth != -1 or row.mate or row.evaluation == row.evaluation or row.seconds == row.seconds:
            return 0
        if broken:
            self.line += 1
            self.line_start = broken
        score = value
        row.evaluation = cast(cython.float, (-score if minus else score) / 100)
        row.depth = cast(cython.short, depth)
        row.seconds = cast(cython.float, cast(cython.double, time) / _TEN[scale])
        return p + 2

    @cfunc
    @nogil
    @exceptval(check=False)
    def _say(self, s: Size, e: Size) -> cython.void:
        """Keep the words ``s:e`` for the last move, after those it has, with the blanks of `remark.tidy`."""
        t: Text = self.t
        begun: Size = self.pool.size
        breaks: cython.int
        i: Size
        start: Size
        if not reserve(address(self.pool), e - s + 2):
            self.short = True
            return
        if self.pending >= 0:
            self.pool.data[begun] = 32
            self.pool.size += 1
        start = self.pool.size
        while s < e:
            if t[s] == 91 and s + 4 < e and t[s + 1] == 37:
                i = self._command(s, e)
                if i:
                    s = i
                    if (
                        self.pool.size == start
                        or cast(cython.uchar, self.pool.data[self.pool.size - 1]) <= 32
                    ):
                        while s < e and t[s] <= 32:
                            s += 1
                    continue
            if t[s] == 10 or t[s] == 13:
                breaks = 0
                while self.pool.size > start and (
                    cast(cython.uchar, self.pool.data[self.pool.size - 1]) <= 32
                    and self.pool.data[self.pool.size - 1] != 10
                ):
                    self.pool.size -= 1
                while s < e and t[s] <= 32:
                    if t[s] == 10 or (t[s] == 13 and not (s + 1 < e and t[s + 1] == 10)):
                        breaks += 1
                    s += 1
                if self.pool.size > start:
                    self.pool.data[self.pool.size] = 10 if breaks > 1 else 32
                    self.pool.size += 1
                continue
            if self.pool.size > start or t[s] > 32:
                self.pool.data[self.pool.size] = cast(cython.char, t[s])
                self.pool.size += 1
            s += 1
        while self.pool.size > start and cast(cython.uchar, self.pool.data[self.pool.size - 1]) <= 32:
            self.pool.size -= 1
        if self.pool.size == start:
            self.pool.size = begun
            return
        if self.pending < 0:
            self.pending = begun

    @cfunc
    @nogil
    @exceptval(check=False)
    def _settle(self) -> cython.void:
        """Give the words kept for the last move their number."""
        known: Size = self.spoken.count
        id: cython.int
        if self.pending < 0:
            return
        id = intern(
            address(self.spoken), cast(Text, self.pool.data), self.pending, self.pool.size - self.pending
        )
        if id < 0:
            self.short = True
            return
        if self.spoken.count == known:
            self.pool.size = self.pending
        self.row.comment = id
        self.pending = -1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _forget(self) -> cython.void:
        """Drop the moves of this game, and the words kept for the last one."""
        if self.pending >= 0:
            self.pool.size = self.pending
            self.pending = -1
        self.count = self.first
        self.rows.size = self.first * sizeof(Row)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _decimal(self, s: Size, e: Size, value: cython.p_double) -> Size:
        """Read ``12`` or ``12.34`` at ``s``; the place after it, ``s`` when there is none."""
        t: Text = self.t
        whole: cython.ulonglong = 0
        scale: cython.int = 0
        digits: cython.int = 0
        j: Size = s
        while j < e and is_digit(t[j]):
            if digits < 18:
                whole = whole * 10 + t[j] - 48
                digits += 1
            j += 1
        if j == s:
            return s
        if j + 1 < e and t[j] == 46 and is_digit(t[j + 1]):
            j += 1
            while j < e and is_digit(t[j]):
                if digits < 18:
                    whole = whole * 10 + t[j] - 48
                    digits += 1
                    scale += 1
                j += 1
        value[0] = cast(cython.double, whole) / _TEN[scale]
        return j

    @cfunc
    @nogil
    @exceptval(check=False)
    def _clock(self, s: Size, e: Size, value: cython.p_double) -> Size:
        """Read ``h:mm:ss``, ``m:ss`` or seconds at ``s``; the place after, ``s`` when there is none."""
        part: cython.double = 0
        j: Size = self._decimal(s, e, address(part))
        colons: cython.int = 0
        k: Size
        if j == s:
            return s
        value[0] = part
        while colons < 2 and j < e and self.t[j] == 58:
            k = self._decimal(j + 1, e, address(part))
            if k == j + 1:
                break
            value[0] = value[0] * 60 + part
            j = k
            colons += 1
        return j

    @cfunc
    @nogil
    @exceptval(check=False)
    def _figures(self, s: Size, e: Size) -> Size:
        """An engine's figures at the front of ``s:e``: the place after them; ``s`` if there are none."""
        t: Text = self.t
        p: Size = s
        j: Size
        k: Size
        signed: cython.bint = False
        minus: cython.bint = False
        pointed: cython.bint = False
        value: cython.double = 0
        time: cython.double = 0
        spent: cython.double = NAN
        mate: cython.longlong = 0
        depth: cython.longlong = -1
        is_mate: cython.bint = False
        c: cython.uchar = t[p]
        if c == 43 or c == 45:
            signed = True
            minus = c == 45
            p += 1
            if p >= e:
                return s
            c = t[p]
        if c == 77:
            is_mate = True
            j = p + 1
            while j < e and is_digit(t[j]):
                if mate < 100000:
                    mate = mate * 10 + t[j] - 48
                j += 1
            if j == p + 1:
                return s
        elif is_digit(c):
            j = self._decimal(p, e, address(value))
            for k in range(p, j):
                pointed |= t[k] == 46
        else:
            return s
        p = j
        if p + 1 < e and t[p] == 47 and is_digit(t[p + 1]):
            depth = 0
            p += 1
            while p < e and is_digit(t[p]):
                if depth < 100000:
                    depth = depth * 10 + t[p] - 48
                p += 1
            if p + 1 < e and t[p] == 47 and is_digit(t[p + 1]):
                p += 1
                while p < e and is_digit(t[p]):
                    p += 1
        # a sign, a point or mate, a depth: two of them make a score
        if signed + (is_mate or pointed) + (depth >= 0) < 2:
            return s
        # the time, when a blank goes before and nothing but its unit follows
        k = p
        while k < e and t[k] <= 32:
            k += 1
        if k > p and k < e and is_digit(t[k]):
            j = self._clock(k, e, address(time))
            if j + 1 < e and t[j] == 109 and t[j + 1] == 115:
                time /= 1000
                j += 2
            elif j < e and t[j] == 115:
                j += 1
            if j >= e or t[j] <= 32 or t[j] == 44:
                spent = time
                p = j
        # the figures end here, or at a blank, or at a comma
        if p < e and t[p] > 32 and t[p] != 44:
            return s
        while p < e and t[p] <= 32:
            p += 1
        if p < e and t[p] == 44:
            p += 1
            while p < e and t[p] <= 32:
                p += 1
        if is_mate:
            if (mate & 1) != minus:  # plies, as match programs count; else moves
                mate = (mate + 1) // 2
            if mate > 32767:
                mate = 32767
            self.said_mate = -mate if minus else mate
        else:
            self.said_evaluation = -value if minus else value
        self.said_depth = depth if depth < 32767 else 32767
        self.said_seconds = spent
        self.figures = True
        return p

    @cfunc
    @nogil
    @exceptval(check=False)
    def _commands(self, s: Size, e: Size) -> cython.void:
        """The figures of ``[%eval …]`` and ``[%emt …]`` anywhere in a comment."""
        found: cython.p_const_void
        while s + 6 < e:
            found = memchr(self.t + s, 91, e - s)
            if found == cython.NULL:
                return
            s = cast(Text, found) - self.t
            if s + 4 < e and self.t[s + 1] == 37 and self._command(s, e):
                self.figures = True
            s += 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _command(self, s: Size, e: Size) -> Size:
        """Read ``[%eval 0.2,12]``, ``[%eval #-3]`` or ``[%emt 0:00:05]`` at ``s``: the place after or 0."""
        t: Text = self.t
        p: Size
        j: Size
        value: cython.double = 0
        depth: cython.longlong = -1
        minus: cython.bint = False
        mates: cython.bint = False
        timed: cython.bint = False
        if s + 8 <= e and memcmp(t + s, b"[%eval", 6) == 0 and t[s + 6] <= 32:
            p = s + 7
        elif s + 7 <= e and memcmp(t + s, b"[%emt", 5) == 0 and t[s + 5] <= 32:
            p = s + 6
            timed = True
        else:
            return 0
        while p < e and t[p] <= 32:
            p += 1
        if timed:
            j = self._clock(p, e, address(value))
        else:
            if p < e and t[p] == 35:
                mates = True
                p += 1
            if p < e and (t[p] == 43 or t[p] == 45):
                minus = t[p] == 45
                p += 1
            j = self._decimal(p, e, address(value))
        if j == p:
            return 0
        p = j
        if not timed and p < e and t[p] == 44:
            depth = 0
            p += 1
            while p < e and is_digit(t[p]):
                if depth < 32767:
                    depth = depth * 10 + t[p] - 48
                p += 1
        while p < e and t[p] <= 32:
            p += 1
        if p >= e or t[p] != 93:
            return 0
        if timed:
            self.said_seconds = value
            return p + 1
        if mates:
            value = value if value < 32767 else 32767
            self.said_mate = cast(cython.longlong, -value if minus else value)
        else:
            self.said_evaluation = -value if minus else value
        if depth >= 0:
            self.said_depth = depth if depth < 32767 else 32767
        return p + 1


_ESCAPED = re.compile(r'\\([\\"])')


def _in_one_line(value: str) -> str:
    if "\n" in value or "\r" in value:
        return " ".join(part.strip() for part in value.splitlines()).strip()
    return value
