# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What stands in games of known bounds, in UTF-8: flat arrays of many (`RecordBatch`), or the events of one.

Compiled from this file; what is known of a game, faults, events and bounds are in ``scanner.pxd``.
"""

import os

import cython
from cython import address, cast, cfunc, declare, exceptval, inline, nogil, pointer, sizeof
from cython.cimports.libc.string import memchr, memcmp, memcpy, memset
from cython.cimports.notation.containers._pgn.columns import (
    Fault,
    Row,
    fault_list,
    row_columns,
    strings,
    tag_columns,
)
from cython.cimports.notation.containers._pgn.encodings import check_spans, find_high
from cython.cimports.notation.containers._pgn.lines import (
    MOST_NAMES,
    Size,
    Tag,
    Text,
    bare_tag,
    bracket_line,
    ends_line,
    is_blank,
    is_break,
    is_called,
    is_digit,
    line_end,
    next_line,
    read_whole,
    skip_blanks,
    tag_close,
    tag_open,
    trim_back,
    trim_front,
)
from cython.cimports.notation.containers._pgn.remarks import (
    Figures,
    clear,
    complete,
    copy_words,
    read_commands,
    read_common,
    read_figures,
    says_nothing,
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
    OTHER,
    RANK_0,
    RANK_10,
    SHAPED,
    WIDE_BLANK,
    WIDE_CLOSING,
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
"""Finding codes by the number that faults carry."""

EVENTS = ("token", "comment", "line comment", "nag", "open", "close", "terminator", "again")
"""Kinds of `Scanner.events`; "again": the words so far were no moves."""

_ONES = declare(cython.ulonglong, 0x0101010101010101)


@cython.final
@cython.cclass
class Scanner:
    """Reads games out of UTF-8 ``text``: `scan` for flat arrays, `events` for one game in full.

    A reader takes a place in the text and returns the place where reading goes on. One that has no memory says so
    in ``short``, and reading ends.
    """

    owner: object
    t: Text
    n: Size
    kind: cython.uchar[256]
    logging: cython.bint
    short: cython.bint
    seed: cython.ulonglong
    # what is kept of all games
    rows: Store  # of Row, one per token
    lexemes: Table
    spoken: Table
    pool: Store  # the words said
    tags: Store
    faults: Store
    log: Store
    # and of each
    first_token: Store
    first_tag: Store
    span: Store
    terminator: Store
    variations: Store
    rank_base: Store
    # the game in hand
    games: cython.int  # kept before
    first: Size  # its first token
    count: Size  # of tokens so far
    row: pointer(Row)  # the last
    pending: Size  # where in the pool the words for it begin; -1: none
    noted: Size  # faults
    game: Game
    # the line in hand
    line: Size
    line_start: Size
    wide: cython.bint  # some character of the game has several bytes
    counted: Size  # characters of this line are counted up to here
    characters: Size

    def __cinit__(self, text: bytes):
        i: cython.int
        self.owner = text
        self.n = len(text)
        self.t = cast(Text, cast(cython.p_char, text))
        for i in range(256):
            self.kind[i] = BLANK if i <= 32 or i == 127 else PLAIN
        for i in b"\n\r":
            self.kind[i] = BREAK
        for i in b"{}();$*[]/":
            self.kind[i] = SIGN
        for i in (0xC2, 0xE2, 0xE3, 0xEF):
            self.kind[i] = WIDE
        self.seed = int.from_bytes(os.urandom(8), "little")

    def __dealloc__(self):
        self._free()

    @cfunc
    def _free(self) -> cython.void:
        """Drop all that is kept."""
        drop(address(self.rows))
        table_drop(address(self.lexemes))
        table_drop(address(self.spoken))
        drop(address(self.pool))
        drop(address(self.tags))
        drop(address(self.faults))
        drop(address(self.log))
        drop(address(self.first_token))
        drop(address(self.first_tag))
        drop(address(self.span))
        drop(address(self.terminator))
        drop(address(self.variations))
        drop(address(self.rank_base))
        self.row = cython.NULL
        self.count = 0

    @cfunc
    def _start(self, logging: cython.bint) -> cython.void:
        self._free()
        self.lexemes.seed = self.spoken.seed = self.seed
        self.games = 0
        self.short = False
        self.logging = logging

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
        check_spans(begins, ends, self.n)
        self._start(False)
        with nogil:
            self.short = not (push64(address(self.first_token), 0) and push64(address(self.first_tag), 0))
            for i in range(count):
                if self.short:
                    break
                if not self._read(begins[i], ends[i], lines[i], doubtful and i == 0):
                    kept = False
        if self.short:
            self._free()
            raise MemoryError
        taken = row_columns(address(self.rows))
        taken |= {
            "kept": kept,
            "lexemes": strings(address(self.lexemes), self.t),
            "comments": strings(address(self.spoken), cast(Text, self.pool.data)),
            "faults": fault_list(address(self.faults)),
            "tags": tag_columns(self.t, address(self.tags), address(self.first_tag), self.seed),
            "first_token": take("q", address(self.first_token)),
            "terminator": take("B", address(self.terminator)),
            "variations": take("I", address(self.variations)),
            "rank_base": take("b", address(self.rank_base)),
            "span": take("q", address(self.span)),
        }
        self._free()
        return taken

    def events(self, begin: Size, end: Size):
        """What stands in the one game ``text[begin:end]``: an array of int64 triples (kind, start, end).

        Kinds are the places in `EVENTS`. A "nag" has its number for ``start``.
        """
        self._start(True)
        with nogil:
            self._read(begin, end, 1, False)
        log = take("q", address(self.log))
        self._free()
        if self.short:
            raise MemoryError
        return log

    # -- faults and events ------------------------------------------------------------------------------

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _ply(self) -> Size:
        """How many tokens the game in hand has so far."""
        return self.count - self.first

    @cfunc
    @nogil
    @exceptval(check=False)
    def _note(self, code: cython.int, ply: Size, start: Size, end: Size, other: cython.int) -> cython.void:
        """A fault whose text is ``start:end``, on the line in hand."""
        fault: pointer(Fault)
        if self.logging:
            return
        self.noted += 1
        if self.noted > MOST_FAULTS and code in (
            BAD_TAG,
            DUPLICATE_TAG,
            LONG_TOKEN,
            NESTED_COMMENT,
            UNOPENED_COMMENT,
            UNOPENED_VARIATION,
        ):
            return
        if not reserve(address(self.faults), sizeof(Fault)):
            self.short = True
            return
        fault = cast(pointer(Fault), self.faults.data + self.faults.size)
        fault.code = code
        fault.game = self.games
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
    def _event(self, kind: cython.int, start: Size, end: Size) -> cython.void:
        if not (
            push64(address(self.log), kind)
            and push64(address(self.log), start)
            and push64(address(self.log), end)
        ):
            self.short = True

    # -- lines ------------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _mark(self, place: pointer(Place), at: Size) -> cython.void:
        """Remember ``at`` and the line in hand."""
        place.at = at
        place.line = self.line
        place.line_start = self.line_start

    @cfunc
    @nogil
    @exceptval(check=False)
    def _return_to(self, place: pointer(Place)) -> cython.void:
        """Take its line in hand again."""
        self.line = place.line
        self.line_start = place.line_start
        self.counted = self.game.end + 1  # of no line

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
        i: Size
        for i in range(start, end):
            if ends_line(self.t, i, self.n):
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

    @cfunc
    @nogil
    @exceptval(check=False)
    def _line_break(self, p: Size) -> Size:
        p = next_line(self.t, p, self.game.end)
        self.line += 1
        self.line_start = p
        return self._escape(p)

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _escape(self, p: Size) -> Size:
        """At a line start: the place after a line that is escaped by ``%``."""
        if p < self.game.end and self.t[p] == b"%":
            return line_end(self.t, p, self.game.end)
        return p

    # -- one game ---------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _read(self, begin: Size, end: Size, line: cython.longlong, doubtful: cython.bint) -> cython.bint:
        """Read the game ``begin:end``; False when it is none after all (only if ``doubtful``)."""
        p: Size
        kind: cython.int
        self._game_begin(begin, end, line)
        p = self._escape(begin)
        while p < end and not self.short:
            kind = self.kind[self.t[p]]
            if kind == BLANK:
                p += 1
            elif kind == PLAIN:
                p = self._word(p, self._word_end(p))
            elif kind == SIGN:
                p = self._sign(p, self.t[p])
            elif kind == BREAK:
                p = self._line_break(p)
            else:
                p = self._wide(p)
        return self.logging or self.short or self._game_end(doubtful)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _game_begin(self, begin: Size, end: Size, line: cython.longlong) -> cython.void:
        game: pointer(Game) = address(self.game)
        self.first = self.count
        self.noted = 0
        self.pending = -1
        self.line = line
        self.line_start = begin
        self.wide = find_high(self.t, begin, end) < end
        self.counted = begin
        self.characters = 0
        memset(game, 0, sizeof(Game))
        self._mark(address(game.begin), begin)
        game.end = end
        game.first_fault = self.faults.size
        game.plies_claimed = -1
        game.first_word.at = -1
        game.number = -1
        game.unclosed = begin

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _sign(self, p: Size, c: cython.uchar) -> Size:
        """``c`` at ``p``, which may be the last byte of its full-width twin."""
        game: pointer(Game) = address(self.game)
        if c == b"{" or (c == b"/" and self._is_next(p, b"*")):
            return self._comment(p)
        if c == b";":
            return self._line_comment(p)
        if c == b"[":
            return self._bracket(p)
        if game.terminator and game.level == 0 and c not in b"*]}":
            return self._word(p, self._word_end(p))  # after the end only comments are read
        if c == b"(":
            return self._open(p)
        if c == b")":
            return self._close(p)
        if c == b"]" or c == b"}":
            self._note(UNOPENED_COMMENT, self._ply(), p, p + 1, 0)
            return p + 1
        if c == b"$" and p + 1 < game.end and is_digit(self.t[p + 1]):
            return self._numeric_glyph(p)
        return self._word(p, self._word_end(p))

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _is_next(self, p: Size, c: cython.uchar) -> cython.bint:
        return p + 1 < self.game.end and self.t[p + 1] == c

    @cfunc
    @nogil
    @exceptval(check=False)
    def _wide(self, p: Size) -> Size:
        """A byte that may begin a full-width sign."""
        sign: cython.int = wide_sign(self.t, p, self.game.end)
        if sign == WIDE_BLANK:
            return p + (2 if self.t[p] == 0xC2 else 3)
        if sign == WIDE_OPENING:
            return self._sign(p + 2, b"(")
        if sign == WIDE_CLOSING:
            return self._sign(p + 2, b")")
        return self._word(p, p + 3 if sign == WIDE_STAR else self._word_end(p))

    # -- tags -------------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _bracket(self, p: Size) -> Size:
        """A tag, at a line start, or a remark among the moves."""
        t: Text = self.t
        game: pointer(Game) = address(self.game)
        tag: Tag
        quoted: cython.bint
        ended: cython.bint = game.numbers > 0 or game.terminator > 0
        if not self._opens_line(p):
            return self._bracket_remark(p)
        quoted = tag_open(t, p, game.end, address(tag))
        if not quoted:
            if self._ply() or ended or game.level or not bracket_line(t, p, game.end):
                return self._bracket_remark(p)
        if game.plies and (ended or game.shaped > 1):
            # among the moves, and no boundary
            self._note(BAD_TAG, self._ply(), p, line_end(t, p, game.end), 0)
            return line_end(t, p, game.end)
        if game.plies or game.level or ended:
            self._go_on_with_header(p)
        return self._tag_section(p, address(tag), quoted)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _go_on_with_header(self, p: Size) -> cython.void:
        """Nothing but words so far: they were no moves."""
        game: pointer(Game) = address(self.game)
        self._drop_words(p)
        game.first_word.at = -1
        game.level = game.variations = game.numbers = 0
        game.terminator = 0
        game.shaped = 0

    @cfunc
    @nogil
    @exceptval(check=False)
    def _drop_words(self, p: Size) -> cython.void:
        """The words before ``p`` were no moves."""
        game: pointer(Game) = address(self.game)
        here: Place
        self._mark(address(here), p)
        if game.first_word.at < 0:
            game.first_word = here
        self._return_to(address(game.first_word))
        self._note(TEXT_BEFORE_MOVES, 0, game.first_word.at, p, 0)
        self._return_to(address(here))
        self._forget()
        game.plies = 0
        game.unshaped = 0
        game.rank_flags = 0
        if self.logging:
            self._event(AGAIN, p, p)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _tag_section(self, p: Size, tag: pointer(Tag), quoted: cython.bint) -> Size:
        """The tags that begin with ``tag`` at ``p``, as long as only blanks stand between."""
        t: Text = self.t
        e: Size
        while True:
            e = tag_close(t, self.game.end, tag) if quoted else bare_tag(t, p, self.game.end, tag)
            if tag.broken:
                self._note(BAD_TAG, 0, p, e, 0)
            if not self.logging:
                self._keep_tag(tag, p, e)
                if self.short:
                    return e
            self.game.tags += 1
            self._pass(p, e)
            p = skip_blanks(t, e, self.game.end)
            if p >= self.game.end or t[p] != b"[" or not tag_open(t, p, self.game.end, tag):
                return p
            quoted = True

    @cfunc
    @nogil
    @exceptval(check=False)
    def _keep_tag(self, tag: pointer(Tag), p: Size, e: Size) -> cython.void:
        """Keep ``tag``, which stands in ``p:e``, and what it says about the moves."""
        if self._has_tag(tag):
            self._note(DUPLICATE_TAG, 0, p, e, 0)
        if not (
            push64(address(self.tags), tag.name)
            and push64(address(self.tags), tag.name_end)
            and push64(address(self.tags), tag.value)
            and push64(address(self.tags), tag.value_end)
        ):
            self.short = True
            return
        if is_called(self.t, tag, b"result", 6):
            self._heed_result(tag)
        elif is_called(self.t, tag, b"plycount", 8):
            self._heed_ply_count(tag)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _has_tag(self, tag: pointer(Tag)) -> cython.bint:
        """Whether one of the last tags of this game is called like ``tag``."""
        span: cython.p_longlong = cast(cython.p_longlong, self.tags.data)
        last: Size = self.tags.size // 8
        i: Size = last - 4 * min(self.game.tags, MOST_NAMES)
        n: Size = tag.name_end - tag.name
        while i < last:
            if span[i + 1] - span[i] == n and memcmp(self.t + span[i], self.t + tag.name, n) == 0:
                return True
            i += 4
        return False

    # Of several tags the first that says something counts, in other letters only if none is spelled as it should be.

    @cfunc
    @nogil
    @exceptval(check=False)
    def _heed_result(self, tag: pointer(Tag)) -> cython.void:
        spelled: cython.bint = memcmp(self.t + tag.name, b"Result", 6) == 0
        if self.game.result_rank <= spelled and self._says(tag):
            self.game.result_rank = 1 + spelled
            self.game.result = result_of(self.t, tag.value, tag.value_end)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _heed_ply_count(self, tag: pointer(Tag)) -> cython.void:
        spelled: cython.bint = memcmp(self.t + tag.name, b"PlyCount", 8) == 0
        if self.game.plies_claimed_rank <= spelled and self._says(tag):
            self.game.plies_claimed_rank = 1 + spelled
            self.game.plies_claimed_at = tag.value
            self.game.plies_claimed_end = tag.value_end
            self.game.plies_claimed = self._whole(tag.value, tag.value_end)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _says(self, tag: pointer(Tag)) -> cython.bint:
        """Whether anything but blanks is the value of ``tag``."""
        return trim_front(self.t, tag.value, tag.value_end) < tag.value_end

    @cfunc
    @nogil
    @exceptval(check=False)
    def _whole(self, s: Size, e: Size) -> cython.longlong:
        """The whole number ``s:e``, or -1."""
        value: cython.longlong
        s = trim_front(self.t, s, e)
        e = trim_back(self.t, s, e)
        if s == e or e - s > 9 or read_whole(self.t, s, e, 1 << 30, address(value)) < e:
            return -1
        return value

    # -- comments ---------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _comment(self, p: Size) -> Size:
        """A comment in braces, or between slashes and stars."""
        game: pointer(Game) = address(self.game)
        braced: cython.bint = self.t[p] == b"{"
        s: Size = p + 1 if braced else p + 2
        e: Size
        after: Size
        if braced:
            after = self._common_comment(s)
            if after:
                return after
        e = self._brace_end(s) if braced else self._slash_end(s)
        if e < game.end:
            after = e + 1 if braced else e + 2
        else:
            after = game.end
            self._note(UNCLOSED_COMMENT, self._ply(), p, after, 0)
        self._remark(COMMENT, s, e)
        if braced and game.level == 0 and memchr(self.t + s, b"{", e - s) != cython.NULL:
            self._note(NESTED_COMMENT, self._ply(), p, e, 0)
        self._pass(p, after)
        return after

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _common_comment(self, s: Size) -> Size:
        """The place after an engine's figures for the last move, as mostly written; 0: it is another comment."""
        known: pointer(Figures)
        line_start: Size
        after: Size
        if self.logging or self.game.level or self.count == self.first:
            return 0
        known = address(self.row.figures)
        if not says_nothing(known):
            return 0
        after = read_common(self.t, s, self.game.end, known, address(line_start))
        if after and line_start:
            self.line += 1
            self.line_start = line_start
        return after

    @cfunc
    @nogil
    @exceptval(check=False)
    def _brace_end(self, s: Size) -> Size:
        """The place of the brace that closes, or the end of the game."""
        found: cython.p_const_void = memchr(self.t + s, b"}", self.game.end - s)
        return self.game.end if found == cython.NULL else cast(Text, found) - self.t

    @cfunc
    @nogil
    @exceptval(check=False)
    def _slash_end(self, s: Size) -> Size:
        """The place of the star and slash that close, or the end of the game."""
        while s + 1 < self.game.end:
            if self.t[s] == b"*" and self.t[s + 1] == b"/":
                return s
            s += 1
        return self.game.end

    @cfunc
    @nogil
    @exceptval(check=False)
    def _line_comment(self, p: Size) -> Size:
        """A comment to the end of the line."""
        e: Size = line_end(self.t, p, self.game.end)
        self._remark(LINE_COMMENT, p + 1, e)
        return e

    @cfunc
    @nogil
    @exceptval(check=False)
    def _bracket_remark(self, p: Size) -> Size:
        """Brackets among the moves: a remark, when they close on this line."""
        t: Text = self.t
        end: Size = self.game.end
        e: Size = max(p + 1, self.game.unclosed)
        while e < end and t[e] != b"]" and not is_break(t[e]):
            e += 1
        self.game.unclosed = e
        if e < end and t[e] == b"]":
            self._remark(COMMENT, p, e + 1)
            return e + 1
        self._note(BAD_TAG, self._ply(), p, e, 0)
        return p + 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _remark(self, kind: cython.int, s: Size, e: Size) -> cython.void:
        """The comment ``s:e``: for the last move its figures, and the words that are left; or an event."""
        said: Figures
        after: Size
        if self.logging:
            self._event(kind, s, e)
            return
        if self.game.level or self.count == self.first:
            return
        s = trim_front(self.t, s, e)
        e = trim_back(self.t, s, e)
        if s == e:
            return
        clear(address(said))
        after = read_figures(self.t, s, e, address(said))
        read_commands(self.t, after, e, address(said))
        complete(address(self.row.figures), address(said))
        if after < e:
            self._say(after, e)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _say(self, s: Size, e: Size) -> cython.void:
        """Keep the words ``s:e`` for the last move, after those it has."""
        begun: Size = self.pool.size
        more: Size = self.pending >= 0
        out: cython.p_uchar
        n: Size
        if not reserve(address(self.pool), e - s + more):
            self.short = True
            return
        out = cast(cython.p_uchar, self.pool.data + begun)
        n = copy_words(self.t, s, e, out + more)
        if n == 0:
            return
        if more:
            out[0] = b" "
        else:
            self.pending = begun
        self.pool.size += more + n

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

    # -- variations and glyphs --------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _open(self, p: Size) -> Size:
        """A variation begins."""
        game: pointer(Game) = address(self.game)
        if game.level == 0:
            self._mark(address(game.opened), p)
        game.level += 1
        game.variations += 1
        game.inner_result = 0
        if self.logging:
            self._event(OPEN, p, p + 1)
        return p + 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _close(self, p: Size) -> Size:
        """A variation ends."""
        if self.game.level == 0:
            self._note(UNOPENED_VARIATION, self._ply(), p, p + 1, 0)
            return p + 1
        self.game.level -= 1
        if self.logging:
            self._event(CLOSE, p, p + 1)
        return p + 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _numeric_glyph(self, p: Size) -> Size:
        """``$4``"""
        value: cython.longlong
        p = read_whole(self.t, p + 1, self.game.end, 1000, address(value))
        self._glyph(min(value, HIGHEST_GLYPH))
        return p

    @cfunc
    @nogil
    @exceptval(check=False)
    def _glyph(self, value: cython.longlong) -> cython.void:
        """A NAG for the last move."""
        if self.logging:
            self._event(NAG, value, 0)
        elif self.game.level == 0 and self.count > self.first and self.row.nag == 0:
            self.row.nag = cast(cython.uchar, value)

    # -- words ------------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _word_end(self, p: Size) -> Size:
        """The place after the word at ``p``, of one byte or more; a star is a word of its own."""
        t: Text = self.t
        s: Size = p
        kind: cython.int
        if t[p] == b"*":
            return p + 1
        while p < self.game.end:
            kind = self.kind[t[p]]
            if kind != PLAIN and self._ends_word(p, kind):
                break
            p += 1
        return p if p > s else s + 1

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _ends_word(self, p: Size, kind: cython.int) -> cython.bint:
        """Whether the byte at ``p``, of this kind and not plain, is beyond the word before it."""
        c: cython.uchar = self.t[p]
        if kind == WIDE:
            return NO_SIGN < wide_sign(self.t, p, self.game.end) <= WIDE_STAR
        if c == b"$":  # without a number it begins no glyph
            return p + 1 < self.game.end and is_digit(self.t[p + 1])
        return c != b"/" or self._is_next(p, b"*")

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _word(self, s: Size, e: Size) -> Size:
        """The word ``s:e``: signs for the move before, a number, a result, a move, in this order."""
        game: pointer(Game) = address(self.game)
        c: cython.uchar
        if game.first_word.at < 0:
            self._mark(address(game.first_word), s)
        if game.terminator and game.level == 0:
            return self._word_after_end(s, e)
        if self.t[s] in b"!?" or self.t[s] == 0xEF:
            s = self._leading_glyph(s, e)
            if s == e:
                return e
        c = self.t[s]
        if is_digit(c) or c >= 0xC2 or c == b"." or c == b"*":
            s = self._numbering(s, e)
            if s == e:
                return e
        return self._move(s, e)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _word_after_end(self, s: Size, e: Size) -> Size:
        """Dots and the same result once more; anything else ends the game.

        A result in words before any move and number is no end, but a word of a heading: 胡荣华 先胜 柳大华.
        """
        game: pointer(Game) = address(self.game)
        if result_of(self.t, s, e) == game.terminator or skip_dots(self.t, s, e) == e:
            return e
        if game.numbers == 0 and game.shaped == 0 and self.t[game.terminated.at] >= 0x80:
            game.terminator = 0
            return s
        self._note(TEXT_AFTER_END, self._ply(), s, line_end(self.t, s, self.game.end), 0)
        return self.game.end

    @cfunc
    @nogil
    @exceptval(check=False)
    def _leading_glyph(self, s: Size, e: Size) -> Size:
        """The place after ``!!`` alone or before a number: for the move before. After a number, ``?`` is a move."""
        glyph: cython.int
        after: Size = read_glyph(self.t, s, e, address(glyph))
        if glyph == 0 or (after == e and self.game.fresh_number and self.t[s] == b"?"):
            return s
        self._glyph(glyph)
        return after

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _numbering(self, s: Size, e: Size) -> Size:
        """A result, or a number and dots: where the move after them begins, ``e`` when there is none."""
        value: cython.longlong
        after: Size = read_number(self.t, s, e, address(value))
        if after < e and self._result(s, e):
            return e
        if after > s:
            if self.game.level == 0:
                self._move_number(value, s, after)
            if after == e:
                return e
            s = self._signs_after_number(after, e)
        s = skip_dots(self.t, s, e)
        if (
            s < e
            and self.game.level == 0
            and (self.t[s] == b"*" or is_digit(self.t[s]))
            and self._result(s, e)
        ):
            return e
        return s

    @cfunc
    @nogil
    @exceptval(check=False)
    def _result(self, s: Size, e: Size) -> cython.bint:
        """Whether the word is a result, which ends the game or a variation."""
        game: pointer(Game) = address(self.game)
        code: cython.int = result_of(self.t, s, e)
        if code == 0:
            return False
        if game.level > 0:
            game.inner_result = code
        else:
            game.terminator = code
            self._mark(address(game.terminated), s)
            game.terminated_end = e
        if self.logging:
            self._event(TERMINATOR, s, e)
        return True

    @cfunc
    @nogil
    @exceptval(check=False)
    def _move_number(self, value: cython.longlong, s: Size, e: Size) -> cython.void:
        """The number ``s:e`` of a move; words before the first one that look like no moves are none."""
        game: pointer(Game) = address(self.game)
        words: cython.bint = self.count > self.first or (self.logging and game.plies > 0)
        if game.numbers == 0 and words and game.shaped == 0 and not game.dropped:
            self._drop_words(s)
            game.dropped = True
        if game.numbers and value != game.number and value != game.number + 1 and not game.misnumbered:
            game.misnumbered = True
            self._note(MOVE_NUMBER, self._ply() + 1, s, e, cast(cython.int, game.number + 1))
        game.number = value
        game.numbers += 1
        game.fresh_number = True

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _signs_after_number(self, s: Size, e: Size) -> Size:
        """The place after signs between a number and a move, which say nothing."""
        glyph: cython.int
        after: Size
        if self.t[s] not in b"!?" and self.t[s] != 0xEF:
            return s
        after = read_glyph(self.t, s, e, address(glyph))
        return after if glyph and after < e else s

    # -- moves ------------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _move(self, s: Size, e: Size) -> Size:
        """The move ``s:e``, with the signs after it."""
        game: pointer(Game) = address(self.game)
        glyph: cython.int = 0
        c: cython.uchar = self.t[e - 1]
        j: Size = e
        if c == b"!" or c == b"?" or c == 0x81 or c == 0x9F:  # the last bytes of the full-width twins
            j = read_glyph_back(self.t, s, e, address(glyph))
        game.fresh_number = False
        game.inner_result = 0
        game.plies += game.level == 0
        if game.plies > MOST_PLIES:
            self._note(LONG_GAME, self._ply() + 1, s, e, 0)
            return game.end
        if self.logging:
            return self._log_move(s, j, e, glyph)
        if game.level == 0 and not self._keep_move(s, j, glyph):
            self._note(NOT_MOVES, self._ply() + 1, s, e, 0)
            return game.end
        return e

    @cfunc
    @nogil
    @exceptval(check=False)
    def _log_move(self, s: Size, j: Size, e: Size, glyph: cython.int) -> Size:
        """The events of the move ``s:j``, whose signs are ``j:e``."""
        self._event(TOKEN, s, j)
        if glyph:
            self._event(NAG, glyph, e)
        if self.game.level == 0 and not self._counts(is_shaped(self.t, s, j)):
            return self.game.end
        return e

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _counts(self, shaped: cython.bint) -> cython.bint:
        """Count a word that is shaped like a move or not; False when the text is none of moves."""
        game: pointer(Game) = address(self.game)
        if shaped:
            game.shaped += 1
            return True
        game.unshaped += 1
        return game.unshaped <= MOST_UNSHAPED or game.unshaped <= game.shaped

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _keep_move(self, s: Size, e: Size, glyph: cython.int) -> cython.bint:
        """Keep the move ``s:e``; False when the text is none of moves."""
        id: cython.int
        flags: cython.p_uchar
        if e - s > LONGEST_TOKEN:
            e = self._cut(s, e)
        id = intern(address(self.lexemes), self.t, s, e - s)
        if id < 0:
            self.short = True
            return True
        flags = cast(cython.p_uchar, self.lexemes.flag.data) + id
        if flags[0] == 0:
            flags[0] = cast(cython.uchar, look_at(self.t, s, e))
        self.game.rank_flags |= flags[0] & (RANK_0 | RANK_10)
        if not self._counts(flags[0] & SHAPED):
            return False
        if self.pending >= 0:
            self._settle()
        self._add_row(s, id, glyph)
        return True

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _add_row(self, s: Size, id: cython.int, glyph: cython.int) -> cython.void:
        """A row for the move at ``s``, of which nothing has been said yet."""
        row: pointer(Row)
        if not reserve(address(self.rows), sizeof(Row)):
            self.short = True
            return
        row = cast(pointer(Row), self.rows.data) + self.count
        self.rows.size += sizeof(Row)
        row.token = cast(cython.uint, id)
        row.line = cast(cython.uint, self.line)
        row.column = cast(cython.uint, self._column(s))
        row.comment = -1
        row.nag = cast(cython.uchar, glyph)
        clear(address(row.figures))
        self.row = row
        self.count += 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _cut(self, s: Size, e: Size) -> Size:
        """Where a word that is too long is cut, between two characters."""
        self._note(LONG_TOKEN, self._ply() + 1, s, e, 0)
        e = s + LONGEST_TOKEN
        while e > s + 1 and (self.t[e] & 0xC0) == 0x80:
            e -= 1
        return e

    # -- the end of a game ------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _game_end(self, doubtful: cython.bint) -> cython.bint:
        """Keep the game, and note what is wrong with the whole of it; False when it is none after all."""
        game: pointer(Game) = address(self.game)
        self._settle()
        if doubtful and game.tags == 0 and not self._looks_like_game():
            self._forget()
            self.faults.size = game.first_fault
            return False
        if game.level > 0:
            self._return_to(address(game.opened))
            self._note(UNCLOSED_VARIATION, self._ply(), game.opened.at, game.opened.at + 1, 0)
            if game.terminator == 0:
                game.terminator = game.inner_result
        if self.count == self.first:
            self._return_to(address(game.begin))
            self._note(EMPTY_GAME, 0, game.begin.at, game.begin.at, 0)
        self._check_result()
        self._check_ply_count()
        self._keep_game()
        return True

    @cfunc
    @nogil
    @exceptval(check=False)
    def _looks_like_game(self) -> cython.bint:
        """Whether a good part of the words looks like moves."""
        game: pointer(Game) = address(self.game)
        if game.shaped == 0:
            return False
        return game.shaped >= game.unshaped or (game.numbers > 0 and game.shaped * 10 >= game.unshaped)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _check_result(self) -> cython.void:
        """Note that the moves end with no result, or not with the tag's."""
        game: pointer(Game) = address(self.game)
        e: Size
        if game.terminator == 0:
            e = trim_back(self.t, game.begin.at, game.end)
            self._return_to(address(game.begin))
            self._pass(game.begin.at, e)
            self._note(MISSING_TERMINATOR, self._ply(), e, e, 0)
        elif (
            0 < game.result < OTHER
            and game.terminator < OTHER
            and game.result != game.terminator
            and game.terminated_end
        ):
            self._return_to(address(game.terminated))
            self._note(RESULT_MISMATCH, self._ply(), game.terminated.at, game.terminated_end, game.result)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _check_ply_count(self) -> cython.void:
        """Note that there are not as many moves as the tag says."""
        game: pointer(Game) = address(self.game)
        claimed: cython.longlong = game.plies_claimed
        if claimed < 0 or claimed == self._ply():
            return
        self._return_to(address(game.begin))
        self._pass(game.begin.at, game.plies_claimed_at)
        self._note(
            PLY_COUNT,
            self._ply(),
            game.plies_claimed_at,
            game.plies_claimed_end,
            cast(cython.int, claimed),
        )

    @cfunc
    @nogil
    @exceptval(check=False)
    def _keep_game(self) -> cython.void:
        game: pointer(Game) = address(self.game)
        if not (
            push64(address(self.first_token), self.count)
            and push64(address(self.first_tag), self.tags.size // 32)
            and push64(address(self.span), game.begin.at)
            and push64(address(self.span), game.end)
            and push8(address(self.terminator), game.terminator)
            and push32(address(self.variations), cast(cython.int, game.variations))
            and push8(address(self.rank_base), game.rank_flags - 1)
        ):
            self.short = True
        self.games += 1
