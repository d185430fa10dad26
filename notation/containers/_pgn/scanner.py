# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# ruff: noqa: B007
# (a C variable is declared by its annotation alone; any() and joined conditions cost calls here)
"""The compiled half of the PGN reader: where games begin, and what stands in them.

Two machines over bytes, both without the GIL and without a Python object per move:

`Splitter` finds where games begin. It looks at line starts only, in the bytes as stored (UTF-8, GB18030 or
Big5: none of them hides a line end, a blank or a quote inside a character), and walks the text between
only where a line start leaves the question open. It alone decides on boundaries, so a file cut at
boundaries gives the same games as the whole.

`Scanner` reads games of known bounds, in UTF-8, into flat arrays (`RecordBatch`), or one game into a list
of events (`GameRecord`).
"""

import os
import re
from array import array

import cython
from cython import address, cast, cfunc, declare, exceptval, inline, nogil, pointer, sizeof, struct
from cython.cimports.cpython.array import clone
from cython.cimports.cpython.unicode import PyUnicode_DecodeUTF8
from cython.cimports.libc.math import NAN
from cython.cimports.libc.string import memchr, memcmp, memcpy
from cython.cimports.notation.containers._pgn.lines import Size, Text
from cython.cimports.notation.containers._pgn.stores import (
    Store,
    Table,
    drop,
    hash_of,
    intern,
    push8,
    push32,
    push64,
    reserve,
    table_drop,
    take,
)

_HIGH = declare(cython.ulonglong, 0x8080808080808080)
_ONES = declare(cython.ulonglong, 0x0101010101010101)

# ---------------------------------------------------------------------------------------------------------
# Small readers that both machines share


@cfunc
@nogil
@inline
@exceptval(check=False)
def _is_digit(c: cython.uchar) -> cython.bint:
    return 48 <= c <= 57


@cfunc
@nogil
@inline
@exceptval(check=False)
def _is_letter(c: cython.uchar) -> cython.bint:
    return 97 <= (c | 32) <= 122


@cfunc
@nogil
@exceptval(check=False)
def _is_called(name: Text, letters: cython.p_const_char, n: Size) -> cython.bint:
    """Whether the ``n`` characters of ``name`` are ``letters``, small ones, in any case."""
    i: Size
    for i in range(n):
        if (name[i] | 32) != letters[i]:
            return False
    return True


@cfunc
@nogil
@inline
@exceptval(check=False)
def _is_blank(c: cython.uchar) -> cython.bint:
    """Blank within a line: white space and control characters."""
    return c <= 32 and c != 10 and c != 13


@cfunc
@nogil
@exceptval(check=False)
def _line_end(t: Text, i: Size, n: Size) -> Size:
    """The place of the line break at or after ``i``, or ``n``."""
    while i < n and t[i] != 10 and t[i] != 13:
        i += 1
    return i


@cfunc
@nogil
@inline
@exceptval(check=False)
def _next_line(t: Text, e: Size, n: Size) -> Size:
    """The start of the line after the break at ``e``."""
    if e >= n:
        return n
    if t[e] == 13 and e + 1 < n and t[e + 1] == 10:
        return e + 2
    return e + 1


@cfunc
@nogil
@exceptval(check=False)
def _tag_open(t: Text, i: Size, n: Size, name: pointer(Size)) -> Size:
    """With ``[`` at ``i``: the place after the opening quote of a tag pair, else 0.

    ``name`` gets the bounds of the name.
    """
    j: Size = i + 1
    s: Size
    while j < n and (t[j] == 32 or t[j] == 9):
        j += 1
    if j >= n or not (_is_letter(t[j]) or t[j] >= 128):
        return 0
    s = j
    while j < n and t[j] > 32 and t[j] != 34:
        # A bracket may be the second byte of a Big5 or GBK character, never of an ASCII name.
        if (t[j] == 91 or t[j] == 93) and t[j - 1] < 128:
            return 0
        j += 1
        if j - s > 255:
            return 0
    name[0] = s
    name[1] = j
    while j < n and (t[j] == 32 or t[j] == 9):
        j += 1
    if j < n and t[j] == 34:
        return j + 1
    return 0


@cfunc
@nogil
@exceptval(check=False)
def _bracket_line(t: Text, i: Size, n: Size) -> Size:
    """With ``[`` at ``i``: the place of the ``]`` that ends a line that may be a damaged tag; else 0."""
    e: Size
    if i + 1 >= n or not (_is_letter(t[i + 1]) or t[i + 1] >= 128):
        return 0
    e = _line_end(t, i, n)
    while e > i and t[e - 1] <= 32:
        e -= 1
    if e - 1 > i and t[e - 1] == 93:
        return e - 1
    return 0


_WHOLE = declare(cython.int, 0)
_BROKEN = declare(cython.int, 1)


@cfunc
@nogil
@exceptval(check=False)
def _tag_close(t: Text, q: Size, n: Size, value_end: pointer(Size)) -> Size:
    """The place after the tag whose value begins at ``q``.

    ``value_end[0]`` gets the end of the value, ``value_end[1]`` whether the tag is broken.

    Inner quotes may stand bare: the value ends at a quote and bracket that end the line or precede another
    tag; failing those, at the first quote and bracket. A value may run over a few lines, not over an empty
    one and not over another tag. A tag that never ends is broken and ends with its line.
    """
    names: Size[2]
    e: Size
    i: Size
    j: Size
    k: Size
    b: Size
    after: Size = 0
    lines: cython.int
    value_end[1] = 0
    i = q
    while i < n and t[i] != 10 and t[i] != 13:
        if t[i] != 34:
            i += 1
            continue
        j = i + 1
        while j < n and _is_blank(t[j]):
            j += 1
        if j < n and t[j] == 93:
            k = j + 1
            while k < n and _is_blank(t[k]):
                k += 1
            if k >= n or t[k] == 10 or t[k] == 13:
                value_end[0] = i
                return j + 1
            b = i
            while b > q and t[b - 1] == 92:
                b -= 1
            if (i - b) % 2 == 0:
                if t[k] == 91 and _tag_open(t, k, n, names):
                    value_end[0] = i
                    return j + 1
                if not after:
                    after = j + 1
                    value_end[0] = i
        i += 1
    e = i
    if after:
        return after
    b = e
    while b > q and t[b - 1] <= 32:
        b -= 1
    if not (b > q and t[b - 1] == 93):
        i = e
        for lines in range(16):
            i = _next_line(t, i, n)
            if i >= n or i - q > 4096:
                break
            k = i
            while k < n and _is_blank(t[k]):
                k += 1
            if k >= n or t[k] == 10 or t[k] == 13 or (t[k] == 91 and _tag_open(t, k, n, names)):
                break
            j = _line_end(t, i, n)
            while i < j:
                if t[i] == 34:
                    k = i + 1
                    while k < j and _is_blank(t[k]):
                        k += 1
                    if k < j and t[k] == 93:
                        value_end[0] = i
                        return k + 1
                i += 1
    value_end[1] = 1
    i = b
    if i > q and t[i - 1] == 93:
        i -= 1
    while i > q and (t[i - 1] <= 32 or t[i - 1] == 34):
        i -= 1
    value_end[0] = i
    return b


@cfunc
@nogil
@exceptval(check=False)
def _looks_like_move(t: Text, s: Size, e: Size) -> cython.bint:
    """Whether an ASCII word has the outward shape of a move: short, of letters, digits and a few signs."""
    letters: cython.int = 0
    digits: cython.int = 0
    c: cython.uchar
    i: Size
    while e > s and (t[e - 1] == 43 or t[e - 1] == 35 or t[e - 1] == 33 or t[e - 1] == 63):
        e -= 1
    if e - s < 2 or e - s > 10:
        return False
    for i in range(s, e):
        c = t[i]
        if _is_letter(c):
            letters += 1
        elif _is_digit(c):
            digits += 1
        elif not (c == 43 or c == 45 or c == 46 or c == 61 or c == 64):
            return False
    return 1 <= digits <= 5 and letters <= 4 and (letters > 0 or digits >= 2)


@cfunc
@nogil
@exceptval(check=False)
def _first_high(t: Text, i: Size, n: Size) -> Size:
    """The first byte of 128 or more at or after ``i``, or ``n``."""
    w: cython.ulonglong
    while i + 8 <= n:
        memcpy(address(w), t + i, 8)
        if w & _HIGH:
            break
        i += 8
    while i < n and t[i] < 128:
        i += 1
    return i


@cfunc
@nogil
@exceptval(check=False)
def _bad_utf8(t: Text, i: Size, n: Size) -> Size:
    """The first byte that is not strict UTF-8, or ``n``."""
    c: cython.uchar
    d: cython.uchar
    while True:
        if i >= n:
            return n
        c = t[i]
        if c < 128:
            i = _first_high(t, i, n)
            continue
        if 0xC2 <= c <= 0xDF:
            if i + 2 > n or (t[i + 1] & 0xC0) != 0x80:
                return i
            i += 2
        elif 0xE0 <= c <= 0xEF:
            if i + 3 > n or (t[i + 1] & 0xC0) != 0x80 or (t[i + 2] & 0xC0) != 0x80:
                return i
            d = t[i + 1]
            if (c == 0xE0 and d < 0xA0) or (c == 0xED and d >= 0xA0):
                return i
            i += 3
        elif 0xF0 <= c <= 0xF4:
            if (
                i + 4 > n
                or (t[i + 1] & 0xC0) != 0x80
                or (t[i + 2] & 0xC0) != 0x80
                or (t[i + 3] & 0xC0) != 0x80
            ):
                return i
            d = t[i + 1]
            if (c == 0xF0 and d < 0x90) or (c == 0xF4 and d >= 0x90):
                return i
            i += 4
        else:
            return i


def first_high(data: cython.const[cython.uchar][::1], start: Size = 0, stop: Size = -1) -> int:
    """The first byte of 128 or more in ``data[start:stop]``; ``stop`` (or the length) when all are ASCII."""
    n: Size = data.shape[0]
    if stop < 0 or stop > n:
        stop = n
    if start < 0 or start >= stop:
        return stop
    found: Size
    with nogil:
        found = _first_high(address(data[0]), start, stop)
    return found


def bad_utf8(data: cython.const[cython.uchar][::1], start: Size = 0, stop: Size = -1) -> int:
    """The first byte of ``data[start:stop]`` that is not strict UTF-8; ``stop`` (or the length) if none."""
    n: Size = data.shape[0]
    if stop < 0 or stop > n:
        stop = n
    if start < 0 or start >= stop:
        return stop
    found: Size
    with nogil:
        found = _bad_utf8(address(data[0]), start, stop)
    return found


@cfunc
def _check_spans(begins: cython.longlong[::1], ends: cython.longlong[::1], size: Size):
    """Raise ValueError unless all spans lie, in order, within ``size`` bytes."""
    i: Size
    place: cython.longlong = 0
    for i in range(begins.shape[0]):
        if not (place <= begins[i] <= ends[i] <= size):
            raise ValueError("a game lies outside of the text")
        place = begins[i]


def classes(data: cython.const[cython.uchar][::1], bounds: cython.longlong[::1]):
    """What each span between consecutive ``bounds`` is (an array of uint8).

    0: ASCII; 1: strict UTF-8 with a character of three bytes or more; 2: strict UTF-8 with characters of
    two bytes at most; 3: not UTF-8.
    """
    found: Store
    found.data = cython.NULL
    found.size = 0
    found.room = 0
    ok: cython.bint = True
    i: Size
    k: Size
    n: Size
    kind: cython.int
    count: Size = bounds.shape[0] - 1
    t: Text
    if count <= 0 or data.shape[0] == 0:
        return array("B")
    _check_spans(bounds[:count], bounds[1:], data.shape[0])
    t = address(data[0])
    with nogil:
        for i in range(count):
            n = bounds[i + 1]
            k = _first_high(t, bounds[i], n)
            kind = 0
            if k < n:
                kind = 3
                if _bad_utf8(t, k, n) == n:
                    while k < n and t[k] < 0xE0:
                        k += 1
                    kind = 1 if k < n else 2
            if not push8(address(found), kind):
                ok = False
                break
    if not ok:
        drop(address(found))
        raise MemoryError
    return take("B", address(found))


def weigh_pairs(
    data: cython.const[cython.uchar][::1], weights: cython.const[cython.uchar][::1], four: cython.bint
):
    """(score, characters, faults) of ``data`` read as a double-byte encoding.

    ``weights`` has 65536 entries, one per byte pair; -128 marks a pair that is no character. ``four``:
    GB18030's four-byte characters are taken as such (weight 0).
    """
    t: Text
    w: cython.p_const_schar
    n: Size = data.shape[0]
    i: Size = 0
    score: cython.longlong = 0
    characters: cython.longlong = 0
    faults: cython.longlong = 0
    x: cython.int
    if n == 0:
        return 0, 0, 0
    t = address(data[0])
    w = cast(cython.p_const_schar, address(weights[0]))
    with nogil:
        while True:
            i = _first_high(t, i, n)
            if i >= n:
                break
            if i + 1 >= n:
                faults += 1
                break
            if four and _is_digit(t[i + 1]):
                if i + 3 < n and t[i + 2] >= 0x81 and _is_digit(t[i + 3]):
                    characters += 1
                    i += 4
                else:
                    faults += 1
                    i += 1
                continue
            x = w[t[i] * 256 + t[i + 1]]
            if x == -128:
                faults += 1
                i += 1
                continue
            score += x
            characters += 1
            i += 2
    return score, characters, faults


# ---------------------------------------------------------------------------------------------------------
# Where games begin

_NAMES = declare(cython.int, 64)
_FOLLOWING = declare(Size, 4096 + 1)


@cython.final
@cython.cclass
class Splitter:
    """Finds the starts of games in ``data``; call `advance` until it returns True.

    Of data that is not all there yet, ``more`` has what is before a place, and tells up to where it has it now.

    A game begins

    - at a tag pair at a line start, after an empty line, unless so far there are only tags and no tag of the
      block has been named before;
    - at such a line without the empty line, where moves or a result have been read and no comment is open
      (an open comment holds a single tag line, not a block that begins with a name seen before);
    - at the number ``1.`` after a result, or at a line start after an empty line when a higher number went
      before: lists of games without tags.
    """

    owner: object
    view: cython.const[cython.uchar][::1]
    t: Text
    n: Size
    more: object
    error: object
    have: Size  # the data is there before this place
    safe: Size  # what a line that begins before this place is told by is there
    pos: Size
    next_lf: Size
    next_cr: Size
    line: cython.longlong
    begun: cython.bint
    body: cython.bint
    after_blank: cython.bint
    names: cython.ulonglong[64]
    name_count: cython.int
    body_start: Size
    at: Size  # the walk through the body has come to here
    brace: cython.bint
    slashed: cython.bint
    unclosed: Size  # no bracket closes before this place, on its line
    depth: cython.longlong
    number: cython.longlong
    ended: cython.bint
    just_ended: cython.bint
    shaped: cython.int
    pairs: cython.bint
    starts: Store
    lines: Store
    short: cython.bint
    total: Size
    tagged: cython.bint

    def __cinit__(self, data, more=None):
        self.owner = data
        self.more = more
        self.n = len(data)
        self.have = self.safe = 0 if more else self.n
        if self.n:
            self.view = data
            self.t = address(self.view[0])
        self.line = 1
        self.next_lf = -1
        self.next_cr = -1

    def __dealloc__(self):
        drop(address(self.starts))
        drop(address(self.lines))

    @property
    def position(self) -> int:
        return self.pos

    @property
    def first_has_tags(self) -> bool:
        """Whether the first game begins with a tag."""
        return self.tagged

    def advance(self, limit: Size) -> bool:
        """Go on to the first line that starts at or after ``limit``; True at the end of the data.

        Raises what ``more`` raises.
        """
        with nogil:
            self._run(limit)
        if self.error is not None:
            raise self.error
        if self.short:
            raise MemoryError
        return self.pos >= self.n

    def take(self):
        """(starts, lines), int64: the bytes where games begin, and their lines (from 1)."""
        return take("q", address(self.starts)), take("q", address(self.lines))

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _secure(self, i: Size) -> cython.void:
        """Have the line at ``i``, and what follows on it: `_tag_close` looks at lines that begin within 4096 bytes."""
        if i >= self.safe and self.have < self.n:
            self._fetch(i)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _fetch(self, i: Size) -> cython.void:
        t: Text = self.t
        k: Size
        known: Size
        while i >= self.safe and self.have < self.n:
            known = self.have
            with cython.gil:
                try:
                    self.have = self.more(max(i, known) + 1)
                except BaseException as error:  # Ctrl-C, too, which nobody would hear of here
                    self.error = error
                    self.have = self.n
            k = (
                self.have - 1
            )  # the last line break before which all is there, also whether it is of two bytes
            while k > 0 and k >= known and t[k - 1] != 10 and t[k - 1] != 13:
                k -= 1
            if k > 0 and k >= known:
                self.safe = max(self.safe, k - 1 - _FOLLOWING)
            if self.have >= self.n:
                self.safe = self.n

    @cfunc
    @nogil
    @exceptval(check=False)
    def _begin(self, where: Size, line: cython.longlong) -> cython.void:
        if not (push64(address(self.starts), where) and push64(address(self.lines), line)):
            self.short = True
        self.total += 1
        self.begun = True
        self.body = False
        self.name_count = 0

    @cfunc
    @nogil
    @exceptval(check=False)
    def _named(self, name: cython.ulonglong) -> cython.bint:
        i: cython.int
        for i in range(self.name_count):
            if self.names[i] == name:
                return True
        return False

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _remarking(self) -> cython.bint:
        """Whether the walk has come into an open comment."""
        return self.brace or self.slashed

    @cfunc
    @nogil
    @exceptval(check=False)
    def _enter_body(self, where: Size) -> cython.void:
        self.body = True
        self.body_start = where
        self.pairs = False
        self._rewind()

    @cfunc
    @nogil
    @exceptval(check=False)
    def _rewind(self) -> cython.void:
        self.at = self.body_start
        self.brace = False
        self.slashed = False
        self.unclosed = 0
        self.depth = 0
        self.number = -1
        self.ended = False
        self.just_ended = False
        self.shaped = 0

    @cfunc
    @nogil
    @exceptval(check=False)
    def _run(self, limit: Size) -> cython.void:
        t: Text = self.t
        n: Size = self.n
        e: Size
        following: Size
        i: Size
        k: Size
        q: Size
        hits: cython.uchar
        name: Size[2]
        found: cython.p_const_void
        while self.pos < limit and self.pos < n:
            i = self.pos
            self._secure(i)
            if self.next_lf < i or (self.next_lf < self.have and t[self.next_lf] != 10):
                i = max(i, self.next_lf)
                found = memchr(t + i, 10, self.have - i)
                self.next_lf = self.have if found == cython.NULL else cast(Text, found) - t
                i = self.pos
            if self.next_cr < i or (self.next_cr < self.next_lf and t[self.next_cr] != 13):
                k = max(self.next_lf, min(limit, self.have))  # mostly there is none far and wide
                found = memchr(t + i, 13, k - i)
                self.next_cr = k if found == cython.NULL else cast(Text, found) - t
            if self.next_cr < self.next_lf:
                e = self.next_cr
                following = e + 2 if self.next_cr + 1 == self.next_lf and self.next_lf < n else e + 1
            else:
                e = self.next_lf
                following = e + 1 if e < n else n
            while i < e and t[i] <= 32:
                i += 1
            if i == e:
                self.after_blank = True
                self._step(following, e < n)
                continue
            if t[i] == 0xEF and i + 2 < n and t[i + 1] == 0xBB and t[i + 2] == 0xBF:
                self.pos = i + 3  # the mark of a file, or of one that was put after another
                continue
            if t[i] == 91:
                q = _tag_open(t, i, n, name)
                if q:
                    self._tag_line(i, q, name[0], name[1])
                    continue
                if not self.body and _bracket_line(t, i, n):
                    if not self.begun:
                        self._begin(self.pos, self.line)
                    self.after_blank = False
                    self._step(following, e < n)
                    continue
            elif t[i] == 37 and i == self.pos and self.begun:
                self.after_blank = False
                self._step(following, e < n)
                continue
            if not self.begun:
                self._begin(self.pos, self.line)
            if not self.body:
                self._enter_body(self.pos)
            elif t[i] == 49 and self._restarts(i, e):
                self._walk(i)
                if (
                    not self._remarking()
                    and self.depth == 0
                    and self.number >= 0
                    and (self.ended or (self.after_blank and self.number > 1))
                ):
                    self._begin(self.pos, self.line)
                    self._enter_body(self.pos)
            hits = 0
            for k in range(i + 2, e):
                hits |= (t[k] == 46) & (t[k - 1] == 49) & (t[k - 2] <= 32)
            if hits:
                self._inner(i, e)
            self.after_blank = False
            self._step(following, e < n)

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _step(self, following: Size, broken: cython.bint) -> cython.void:
        self.pos = following
        self.line += broken

    @cfunc
    @nogil
    @exceptval(check=False)
    def _tag_line(self, i: Size, q: Size, s: Size, e: Size) -> cython.void:
        """A line that begins with a tag pair: ``[`` at ``i``, value from ``q``, name in ``s:e``."""
        t: Text = self.t
        n: Size = self.n
        name: Size[2]
        value: Size[2]
        mark: cython.ulonglong = hash_of(t + s, e - s, 0)
        k: Size
        begins: cython.bint = False
        if not self.begun:
            begins = True
        elif not self.body:
            if self.after_blank and self.name_count:
                begins = self._block_repeats(i)
        elif self.after_blank:
            begins = True
        else:
            self._walk(self.pos)
            if self._remarking():
                k = _next_line(t, _line_end(t, i, n), n)
                self._secure(k)
                while k < n and _is_blank(t[k]):
                    k += 1
                begins = k < n and t[k] == 91 and _tag_open(t, k, n, name) != 0 and self._named(mark)
                if not begins:
                    self.after_blank = False
                    k = _line_end(t, i, n)
                    self._step(_next_line(t, k, n), k < n)
                    return
            elif self.ended or self.number >= 0 or self.shaped >= 2 or self._named(mark):
                begins = True
            else:
                self.body = False  # nothing but comments and words so far: the header goes on
        if begins:
            self._begin(self.pos, self.line)
            if self.total == 1 and t[s] < 128:
                self.tagged = True
        self.after_blank = False
        while True:
            if self.name_count < _NAMES:
                self.names[self.name_count] = mark
                self.name_count += 1
            self._secure(q)
            k = _tag_close(t, q, n, value)
            while q < k:
                if t[q] == 10 or (t[q] == 13 and not (q + 1 < n and t[q + 1] == 10)):
                    self.line += 1
                q += 1
            while k < n and _is_blank(t[k]):
                k += 1
            if k >= n:
                self.pos = n
                return
            if t[k] == 10 or t[k] == 13:
                self._step(_next_line(t, k, n), True)
                return
            q = _tag_open(t, k, n, name) if t[k] == 91 else 0
            if not q:
                break
            mark = hash_of(t + name[0], name[1] - name[0], 0)
        self._enter_body(k)
        k = _line_end(t, k, n)
        self._step(_next_line(t, k, n), k < n)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _block_repeats(self, i: Size) -> cython.bint:
        """Whether the block of tag lines that begins with ``[`` at ``i`` names a tag that this game has."""
        t: Text = self.t
        name: Size[2]
        while i < self.n and t[i] == 91 and _tag_open(t, i, self.n, name):
            if self._named(hash_of(t + name[0], name[1] - name[0], 0)):
                return True
            i = _next_line(t, _line_end(t, i, self.n), self.n)
            self._secure(i)
            while i < self.n and _is_blank(t[i]):
                i += 1
        return False

    @cfunc
    @nogil
    @exceptval(check=False)
    def _restarts(self, i: Size, e: Size) -> cython.bint:
        """Whether ``1.`` stands at ``i`` with something like a move after it."""
        t: Text = self.t
        if i + 1 >= e or t[i] != 49 or t[i + 1] != 46:
            return False
        i += 2
        if i < e and (t[i] == 46 or _is_digit(t[i])):
            return False
        while i < e and _is_blank(t[i]):
            i += 1
        if i >= e or t[i] == 123:
            return True
        if t[i] == 46:
            return False
        while i < e and t[i] > 32:
            if t[i] >= 128 or _is_digit(t[i]):
                return True
            i += 1
        return False

    @cfunc
    @nogil
    @exceptval(check=False)
    def _inner(self, i: Size, e: Size) -> cython.void:
        """Games that begin inside a line: ``1.`` right after a result."""
        t: Text = self.t
        k: Size
        for k in range(i + 2, e):
            if t[k] == 46 and t[k - 1] == 49 and t[k - 2] <= 32 and self._restarts(k - 1, e):
                self._walk(k - 1)
                if self.just_ended and not self._remarking() and self.depth == 0 and self.number >= 0:
                    self._begin(k - 1, self.line)
                    self._enter_body(k - 1)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _walk(self, upto: Size) -> cython.void:
        """Read the body up to ``upto`` for open comments and variations, the last number, a result."""
        t: Text = self.t
        p: Size
        s: Size
        j: Size
        value: cython.longlong
        c: cython.uchar
        found: cython.p_const_void
        if self.at >= upto:
            return
        if not self.pairs and _bad_utf8(t, self.at, upto) < upto:
            self.pairs = True  # not UTF-8: take high bytes in pairs, whose second may look like a brace
            self._rewind()
        p = self.at
        while p < upto:
            c = t[p]
            if self.slashed:
                if c == 42 and p + 1 < upto and t[p + 1] == 47:
                    self.slashed = False
                    p += 1
                p += 1
                continue
            if self.brace:
                if not self.pairs:
                    found = memchr(t + p, 125, upto - p)
                    if found == cython.NULL:
                        p = upto
                    else:
                        p = cast(Text, found) - t + 1
                        self.brace = False
                elif c == 125:
                    self.brace = False
                    p += 1
                elif c >= 0x81 and p + 1 < upto and t[p + 1] >= 0x40:
                    p += 2
                else:
                    p += 1
                continue
            if c <= 32:
                p += 1
                if (c == 10 or c == 13) and p < upto:
                    if t[p] == 0xEF and p + 2 < upto and t[p + 1] == 0xBB and t[p + 2] == 0xBF:
                        p += 3
                    if p < upto and t[p] == 37:
                        p = _line_end(t, p, upto)
                continue
            if c == 123:
                self.brace = True
                p += 1
                continue
            if c == 125 or c == 93:
                p += 1
                continue
            if c == 47 and p + 1 < upto and t[p + 1] == 42:
                self.slashed = True
                p += 2
                continue
            if c == 59:
                p = _line_end(t, p, upto)
                continue
            if c == 91:
                # a remark, when it closes on this line
                j = p if p >= self.unclosed else self.unclosed
                while j < upto and t[j] != 93 and t[j] != 10 and t[j] != 13:
                    if self.pairs and t[j] >= 0x81 and j + 1 < upto and t[j + 1] >= 0x40:
                        j += 1
                    j += 1
                self.unclosed = j
                p = j + 1 if j < upto and t[j] == 93 else p + 1
                continue
            if c == 40:
                self.depth += 1
                p += 1
                continue
            if c == 41:
                if self.depth > 0:
                    self.depth -= 1
                p += 1
                continue
            s = p
            p += c == 42
            while p < upto and c != 42:
                c = t[p]
                if c <= 32 or c == 123 or c == 125 or c == 59 or c == 91 or c == 93 or 40 <= c <= 42:
                    break
                if c == 47 and p + 1 < upto and t[p + 1] == 42:
                    break
                if self.pairs and c >= 0x81 and p + 1 < upto and t[p + 1] >= 0x40:
                    p += 1
                p += 1
            if p > upto:
                p = upto
            j = s
            value = 0
            if not _ascii_result(t, s, p):
                while j < p and _is_digit(t[j]):
                    if value < 1000000:
                        value = value * 10 + t[j] - 48
                    j += 1
            if j > s and j < p and t[j] == 46:
                if self.depth == 0:
                    self.number = value
                    self.just_ended = False
                while j < p and t[j] == 46:
                    j += 1
                if j == p:
                    continue
                s = j
            if self.depth == 0:
                if _ascii_result(t, s, p):
                    self.ended = True
                    self.just_ended = True
                else:
                    self.just_ended = False
                    if (t[s] >= 128 and 6 <= p - s <= 40) or _looks_like_move(t, s, p):
                        self.shaped += 1
        self.at = upto


@cfunc
@nogil
@exceptval(check=False)
def _ascii_result(t: Text, s: Size, e: Size) -> cython.int:
    """Terminator code of a result written in ASCII (and ½), else 0."""
    n: Size = e - s
    c: cython.uchar = t[s]
    if n == 1:
        return 4 if c == 42 else 0
    if n == 3:
        if memcmp(t + s, b"1-0", 3) == 0 or memcmp(t + s, b"1:0", 3) == 0:
            return 1
        if memcmp(t + s, b"0-1", 3) == 0 or memcmp(t + s, b"0:1", 3) == 0:
            return 2
        if memcmp(t + s, b"1/2", 3) == 0:
            return 3
        if memcmp(t + s, b"0-0", 3) == 0:
            return 5
    elif n == 7:
        if memcmp(t + s, b"1/2-1/2", 7) == 0 or memcmp(t + s, b"0.5-0.5", 7) == 0:
            return 3
    elif n == 5:
        if memcmp(t + s, b"\xc2\xbd-\xc2\xbd", 5) == 0:
            return 3
    elif n == 2 and c == 0xC2 and t[s + 1] == 0xBD:
        return 3
    return 0


# ---------------------------------------------------------------------------------------------------------
# What stands in a game

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

# What is known of a lexeme
_RANK_0 = declare(cython.int, 1)
_RANK_10 = declare(cython.int, 2)
_SHAPED = declare(cython.int, 4)
_KNOWN = declare(cython.int, 8)

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
        _check_spans(begins, ends, self.n)
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
            if not _is_blank(self.t[i]):
                return False
        return True

    @cfunc
    @nogil
    @exceptval(check=False)
    def _wide(self, p: Size, hi: Size) -> cython.int:
        """What a wide sign at ``p`` is.

        1 blank, 2 dots, 3 ``(``, 4 ``)``, 5 ``*``, 6 ``!``, 7 ``?``, from 10 on a digit; 0 nothing of these.
        """
        t: Text = self.t
        c: cython.uchar = t[p]
        d: cython.uchar
        e: cython.uchar
        if c == 0xC2:
            return 1 if p + 1 < hi and t[p + 1] == 0xA0 else 0
        if p + 2 >= hi:
            return 0
        d = t[p + 1]
        e = t[p + 2]
        if c == 0xE2:
            return 2 if d == 0x80 and (e == 0xA6 or e == 0xA5) else 0
        if c == 0xE3:
            if d == 0x80:
                return 1 if e == 0x80 else 2 if e == 0x81 or e == 0x82 else 0
            return 0
        if c == 0xEF:
            if d == 0xBB:
                return 1 if e == 0xBF else 0
            if d == 0xBC:
                if 0x90 <= e <= 0x99:
                    return 10 + e - 0x90
                if e == 0x8E:
                    return 2
                if e == 0x88:
                    return 3
                if e == 0x89:
                    return 4
                if e == 0x8A:
                    return 5
                if e == 0x81:
                    return 6
                if e == 0x9F:
                    return 7
        return 0

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
        name: Size[2]
        bounds: Size[2]
        found: cython.p_const_void
        first_fault: Size = self.faults.size
        plies: Size = 0

        self.first = self.count
        self.noted = 0
        self.pending = -1
        self.line = line
        self.line_start = lo
        self.wide = _first_high(t, lo, hi) < hi
        self.counted = lo
        self.characters = 0
        if p < hi and t[p] == 37:
            p = _line_end(t, p, hi)
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
                    p = _line_end(t, p, hi)
                continue
            if kind == _WIDE:
                sign = self._wide(p, hi)
                if sign == 1:
                    p += 2 if c == 0xC2 else 3
                    continue
                if sign == 3 or sign == 4:
                    c = 40 if sign == 3 else 41
                    kind = _SIGN
                    p += 2  # and one more below
                elif sign == 5:
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
                    e = _line_end(t, p, hi)
                    if self.logging:
                        self._event(_LINE_COMMENT, p + 1, e)
                    elif level == 0:
                        self._comment(p + 1, e)
                    p = e
                    continue
                if c == 91 and self._opens_line(p):
                    q = _tag_open(t, p, hi, name)
                    if q or (
                        self.count == self.first
                        and numbers == 0
                        and terminator == 0
                        and level == 0
                        and _bracket_line(t, p, hi)
                    ):
                        if plies and (numbers or terminator or shaped > 1):
                            # a tag line among the moves that is no boundary
                            self._note(_BAD_TAG, self.count - self.first, p, _line_end(t, p, hi), 0)
                            p = _line_end(t, p, hi)
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
                                j = _tag_close(t, q, hi, bounds)
                                s = bounds[0]
                                if bounds[1]:
                                    self._note(_BAD_TAG, 0, p, j, 0)
                            else:
                                # [Name value] without quotes, or with other ones
                                e = _bracket_line(t, p, hi)
                                name[0] = q = p + 1
                                while q < e and t[q] > 32:
                                    q += 1
                                name[1] = q
                                s = e
                                while q < s and (t[q] <= 32 or t[q] == 39 or t[q] == 34):
                                    q += 1
                                while s > q and (t[s - 1] <= 32 or t[s - 1] == 39 or t[s - 1] == 34):
                                    s -= 1
                                j = e + 1
                                self._note(_BAD_TAG, 0, p, j, 0)
                            if not self.logging:
                                if self._has_tag(tag_count, name[0], name[1]):
                                    self._note(_DUPLICATE_TAG, 0, p, j, 0)
                                if not (
                                    push64(address(self.tags), name[0])
                                    and push64(address(self.tags), name[1])
                                    and push64(address(self.tags), q)
                                    and push64(address(self.tags), s)
                                ):
                                    self.short = True
                                    return True
                                e = name[1] - name[0]
                                if e == 6 and _is_called(t + name[0], b"result", 6):
                                    # The first that says something; in other letters only if none is spelled so.
                                    spelled = memcmp(t + name[0], b"Result", 6) == 0
                                    if result_rank <= spelled and self._says(q, s):
                                        result_rank = 1 + spelled
                                        result_tag = self._result(q, s)
                                elif e == 8 and _is_called(t + name[0], b"plycount", 8):
                                    spelled = memcmp(t + name[0], b"PlyCount", 8) == 0
                                    if ply_rank <= spelled and self._says(q, s):
                                        ply_rank = 1 + spelled
                                        ply_start = q
                                        ply_end = s
                                        ply_count = self._whole(q, s)
                            tag_count += 1
                            self._pass(p, j)
                            p = j
                            while p < hi and _is_blank(t[p]):
                                p += 1
                            if p < hi and t[p] == 91:
                                q = _tag_open(t, p, hi, name)
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
                elif c == 36 and p + 1 < hi and _is_digit(t[p + 1]):
                    p += 1
                    value = 0
                    while p < hi and _is_digit(t[p]):
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
                        sign = self._wide(p, hi)
                        if sign == 1 or 3 <= sign <= 5:
                            break
                        p += 1
                    elif kind == _SIGN:
                        c = t[p]
                        # a dollar or a slash that begins neither a glyph nor a comment
                        if (c == 36 and not (p + 1 < hi and _is_digit(t[p + 1]))) or (
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
                code = self._result(s, e)
                if code == terminator or self._dots(s, e) == e:
                    continue
                e = _line_end(t, s, hi)
                self._note(_TEXT_AFTER_END, self.count - self.first, s, e, 0)
                p = hi
                break

            # `!!12.` and `!!` alone: a sign for the move before
            if c == 33 or c == 63 or (c == 0xEF and self._wide(s, e) >= 6):
                j = self._signs(s, e, address(code))
                if code and not (j == e and fresh_number and c == 63):
                    self._glyph(code, level)
                    s = j
                    if s == e:
                        continue
                    c = t[s]

            # numbers, dots, results
            if _is_digit(c) or c >= 0xC2 or c == 46 or c == 42:
                code = self._result(s, e)
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
                j = self._number(s, e, address(value))
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
                        j = self._signs(s, e, address(code))
                        if code and j < e:
                            s = j
                s = self._dots(s, e)
                if s == e:
                    continue
                if t[s] == 42 or _is_digit(t[s]):
                    code = self._result(s, e)
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
                j = self._signs_back(s, e, address(code))
            plies += level == 0
            if plies > _MOST_PLIES:
                self._note(_LONG_GAME, self.count - self.first + 1, s, e, 0)
                break
            if self.logging:
                self._event(_TOKEN, s, j)
                if code:
                    self._event(_NAG, code, e)
                if level == 0:
                    if self._shape(s, j):
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
                flag = self._look(s, j)
                cast(cython.p_uchar, self.lexemes.flag.data)[id] = cast(cython.uchar, flag)
            bases |= flag
            if flag & _SHAPED:
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
        bases &= 3
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
            if not _is_digit(self.t[s]):
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
    def _result(self, s: Size, e: Size) -> cython.int:
        """Terminator code of the word ``s:e`` (see `notation.record.RESULTS`), or 0."""
        t: Text = self.t
        n: Size
        code: cython.int
        while s < e and t[s] <= 32:
            s += 1
        while e > s and t[e - 1] <= 32:
            e -= 1
        n = e - s
        if n == 0 or n > 21:
            return 0
        code = _ascii_result(t, s, e)
        if code or (t[s] < 0xE0 and t[s] != 49):
            return code
        return _wide_result(t + s, n)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _dots(self, s: Size, e: Size) -> Size:
        """The place after leading dots of every width."""
        while s < e:
            if self.t[s] == 46:
                s += 1
            elif self.kind[self.t[s]] == _WIDE and self._wide(s, e) == 2:
                s += 3
            else:
                break
        return s

    @cfunc
    @nogil
    @exceptval(check=False)
    def _number(self, s: Size, e: Size, value: cython.p_longlong) -> Size:
        """The place after a move number with its dots at ``s``; ``s`` when there is none.

        Digits alone are a number up to three of them. ``33.4`` is no number: two soldiers' files, WXF.
        """
        t: Text = self.t
        j: Size = s
        digits: cython.int = 0
        sign: cython.int
        value[0] = 0
        while j < e:
            if _is_digit(t[j]):
                sign = t[j] - 48
                j += 1
            elif t[j] == 0xEF:
                sign = self._wide(j, e) - 10
                if sign < 0:
                    break
                j += 3
            else:
                break
            digits += 1
            if value[0] < 1000000:
                value[0] = value[0] * 10 + sign
        if digits == 0:
            return s
        if j == e:
            return e if digits <= 3 else s
        if (
            digits == 2
            and value[0] >= 11
            and value[0] % 10
            and t[j] == 46
            and e - j == 2
            and 49 <= t[j + 1] <= 57
        ):
            return s
        if (
            digits == 2
            and e - j == 6
            and self._wide(j, e) == 2
            and t[j] == 0xEF
            and self._wide(j + 3, e) > 10
        ):
            return s
        e = self._dots(j, e)
        return e if e > j else s

    @cfunc
    @nogil
    @exceptval(check=False)
    def _signs(self, s: Size, e: Size, code: cython.p_int) -> Size:
        """Leading ``!`` and ``?``: the place after them, and their NAG (0: more than two, or none)."""
        n: cython.int = 0
        marks: cython.int[2]
        sign: cython.int
        code[0] = 0
        while s < e:
            if self.t[s] == 33 or self.t[s] == 63:
                sign = 1 if self.t[s] == 33 else 2
                s += 1
            elif self.t[s] == 0xEF:
                sign = self._wide(s, e) - 5
                if sign != 1 and sign != 2:
                    break
                s += 3
            else:
                break
            if n < 2:
                marks[n] = sign
            n += 1
        if n == 1:
            code[0] = marks[0]
        elif n == 2:
            # !! 3, ?? 4, !? 5, ?! 6
            code[0] = marks[0] + 2 if marks[0] == marks[1] else marks[0] + 4
        return s

    @cfunc
    @nogil
    @exceptval(check=False)
    def _signs_back(self, s: Size, e: Size, code: cython.p_int) -> Size:
        """Trailing ``!`` and ``?``: where they begin, and their NAG; ``e`` and 0 if none or too many."""
        t: Text = self.t
        j: Size = e
        n: cython.int = 0
        code[0] = 0
        while j > s:
            if t[j - 1] == 33 or t[j - 1] == 63:
                j -= 1
            elif j - 3 >= s and t[j - 3] == 0xEF and 6 <= self._wide(j - 3, e) <= 7:
                j -= 3
            else:
                break
            n += 1
        if n == 0 or n > 2 or j == s:
            return e
        self._signs(j, e, code)
        return j

    @cfunc
    @nogil
    @exceptval(check=False)
    def _glyph(self, value: cython.longlong, level: cython.longlong) -> cython.void:
        """A NAG for the last move."""
        if self.logging:
            self._event(_NAG, value, 0)
        elif level == 0 and self.count > self.first and self.row.nag == 0:
            self.row.nag = cast(cython.uchar, value)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _shape(self, s: Size, e: Size) -> cython.bint:
        """Whether a word has the outward shape of a move in some notation."""
        t: Text = self.t
        i: Size
        w: cython.int
        if t[s] < 128 and t[e - 1] < 128 and _first_high(t, s, e) == e:
            return _looks_like_move(t, s, e)
        if e - s < 4 or e - s > 24:
            return False
        # 进 退 平 進, or full-width signs and digits
        for i in range(s, e - 2):
            w = (t[i] << 16) | (t[i + 1] << 8) | t[i + 2]
            if w == 0xE8BF9B or w == 0xE98080 or w == 0xE5B9B3 or w == 0xE980B2:
                return True
            if t[i] == 0xEF and t[i + 1] == 0xBC and 0x90 <= t[i + 2] <= 0x99:
                return True
        return False

    @cfunc
    @nogil
    @exceptval(check=False)
    def _look(self, s: Size, e: Size) -> cython.int:
        """Flags of a new lexeme."""
        t: Text = self.t
        i: Size
        flag: cython.int = _KNOWN
        if self._shape(s, e):
            flag |= _SHAPED
        for i in range(s, e - 1):
            if _is_letter(t[i]):
                if t[i + 1] == 48:
                    flag |= _RANK_0
                elif t[i + 1] == 49 and i + 2 < e and t[i + 2] == 48:
                    flag |= _RANK_10
        return flag

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
        while p - s < 6 and _is_digit(t[p]):
            value = value * 10 + t[p] - 48
            p += 1
        if p == s or t[p] != 46:
            return 0
        p += 1
        if not (_is_digit(t[p]) and _is_digit(t[p + 1])) or t[p + 2] != 47:
            return 0
        value = value * 100 + (t[p] - 48) * 10 + t[p + 1] - 48
        p += 3
        s = p
        depth = 0
        while p - s < 3 and _is_digit(t[p]):
            depth = depth * 10 + t[p] - 48
            p += 1
        if p == s or (t[p] != 32 and t[p] != 10):
            return 0
        if t[p] == 10:
            broken = p + 1
        p += 1
        s = p
        while p - s < 6 and _is_digit(t[p]):
            time = time * 10 + t[p] - 48
            p += 1
        if p == s or t[p] != 46:
            return 0
        p += 1
        s = p
        while p - s < 3 and _is_digit(t[p]):
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
        while j < e and _is_digit(t[j]):
            if digits < 18:
                whole = whole * 10 + t[j] - 48
                digits += 1
            j += 1
        if j == s:
            return s
        if j + 1 < e and t[j] == 46 and _is_digit(t[j + 1]):
            j += 1
            while j < e and _is_digit(t[j]):
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
            while j < e and _is_digit(t[j]):
                if mate < 100000:
                    mate = mate * 10 + t[j] - 48
                j += 1
            if j == p + 1:
                return s
        elif _is_digit(c):
            j = self._decimal(p, e, address(value))
            for k in range(p, j):
                pointed |= t[k] == 46
        else:
            return s
        p = j
        if p + 1 < e and t[p] == 47 and _is_digit(t[p + 1]):
            depth = 0
            p += 1
            while p < e and _is_digit(t[p]):
                if depth < 100000:
                    depth = depth * 10 + t[p] - 48
                p += 1
            if p + 1 < e and t[p] == 47 and _is_digit(t[p + 1]):
                p += 1
                while p < e and _is_digit(t[p]):
                    p += 1
        # a sign, a point or mate, a depth: two of them make a score
        if signed + (is_mate or pointed) + (depth >= 0) < 2:
            return s
        # the time, when a blank goes before and nothing but its unit follows
        k = p
        while k < e and t[k] <= 32:
            k += 1
        if k > p and k < e and _is_digit(t[k]):
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
            while p < e and _is_digit(t[p]):
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


_WORDS = declare(cython.p_const_uchar[80])
_WORD_LENGTH = declare(cython.int[80])
_WORD_CODE = declare(cython.int[80])
_word_count = declare(cython.int, 0)
_kept_words: list = []


def teach_results(results: dict) -> None:
    """Take the results that are not ASCII from ``results`` (word -> terminator code)."""
    global _word_count
    _word_count = 0
    _kept_words.clear()
    for word, code in results.items():
        raw: bytes = word.encode()
        if raw.isascii() or _word_count == 80:
            continue
        _kept_words.append(raw)
        _WORDS[_word_count] = cast(Text, cast(cython.p_char, raw))
        _WORD_LENGTH[_word_count] = len(raw)
        _WORD_CODE[_word_count] = code
        _word_count += 1


@cfunc
@nogil
@exceptval(check=False)
def _wide_result(s: Text, n: Size) -> cython.int:
    i: cython.int
    for i in range(_word_count):
        if _WORD_LENGTH[i] == n and memcmp(_WORDS[i], s, n) == 0:
            return _WORD_CODE[i]
    return 0
