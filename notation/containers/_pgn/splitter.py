# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where games begin, in the bytes as stored.

Line starts alone are looked at; the text between is walked through only where a line start leaves the question open.
"""

import cython
from cython import address, cast, cfunc, exceptval, inline, nogil, pointer
from cython.cimports.libc.string import memchr
from cython.cimports.notation.containers._pgn.encodings import find_bad
from cython.cimports.notation.containers._pgn.lines import (
    FARTHEST,
    MOST_NAMES,
    Size,
    Tag,
    Text,
    bracket_line,
    ends_line,
    is_break,
    is_digit,
    is_mark,
    line_end,
    next_line,
    read_whole,
    skip_blanks,
    tag_close,
    tag_open,
    trim_front,
)
from cython.cimports.notation.containers._pgn.stores import Store, drop, hash_of, push64, take
from cython.cimports.notation.containers._pgn.words import HIGHEST, ascii_result, looks_like_move


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
    # the line in hand
    pos: Size
    stop: Size  # its break, or the end of the data
    following: Size  # the line after it
    line: cython.longlong
    next_lf: Size
    next_cr: Size
    # the game in hand
    begun: cython.bint
    body: cython.bint  # its tags are over
    after_blank: cython.bint
    paragraph: Size  # where the line after the last blank one begins
    paragraph_line: cython.longlong
    names: cython.ulonglong[MOST_NAMES]  # of its tags: their hashes
    name_count: cython.int
    # the walk through its body
    body_start: Size
    at: Size  # it has come to here
    brace: cython.bint  # into a comment in braces
    slashed: cython.bint  # into one between slashes and stars
    pairs: cython.bint  # bytes are taken in pairs, since they are not UTF-8
    unclosed: Size  # no bracket closes before this place, on its line
    depth: cython.longlong  # of variations
    number: cython.longlong  # the last move number; -1: none
    ended: cython.bint  # there is a result
    just_ended: cython.bint  # and no word after it
    shaped: cython.int  # words that look like moves
    # what is found
    starts: Store
    lines: Store
    short: cython.bint  # of memory
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
            while self.pos < limit and self.pos < self.n:
                self._secure(self.pos)
                self._bound(limit)
                self._read_line()
        if self.error is not None:
            raise self.error
        if self.short:
            raise MemoryError
        return self.pos >= self.n

    def take(self):
        """(starts, lines), int64: the bytes where games begin, and their lines (from 1)."""
        return take("q", address(self.starts)), take("q", address(self.lines))

    # -- data that comes bit by bit ---------------------------------------------------------------------

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _secure(self, i: Size) -> cython.void:
        """Have the line at ``i``, and what follows on it: `tag_close` looks at lines below it."""
        if i >= self.safe and self.have < self.n:
            self._fetch(i)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _fetch(self, i: Size) -> cython.void:
        """Ask for more until the line at ``i`` is there, and what follows on it, or there is no more."""
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
            # the last line break before which all is there, also whether it is of two bytes
            k = self.have - 1
            while k > 0 and k >= known and not is_break(self.t[k - 1]):
                k -= 1
            if k > 0 and k >= known:
                self.safe = max(self.safe, k - 1 - (FARTHEST + 1))
            if self.have >= self.n:
                self.safe = self.n

    # -- lines ------------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _bound(self, limit: Size) -> cython.void:
        """Find where the line at ``pos`` stops. The next break of either kind is looked for once."""
        t: Text = self.t
        i: Size = self.pos
        k: Size
        found: cython.p_const_void
        if self.next_lf < i or (self.next_lf < self.have and t[self.next_lf] != b"\n"):
            k = max(i, self.next_lf)
            found = memchr(t + k, b"\n", self.have - k)
            self.next_lf = self.have if found == cython.NULL else cast(Text, found) - t
        if self.next_cr < i or (self.next_cr < self.next_lf and t[self.next_cr] != b"\r"):
            k = max(self.next_lf, min(limit, self.have))  # mostly there is none far and wide
            found = memchr(t + i, b"\r", k - i)
            self.next_cr = k if found == cython.NULL else cast(Text, found) - t
        self.stop = min(self.next_lf, self.next_cr)
        self.following = next_line(t, self.stop, self.n)

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _read_line(self) -> cython.void:
        """Go over the line in hand, and on to the next, or over all tags that begin on it."""
        t: Text = self.t
        i: Size = trim_front(t, self.pos, self.stop)
        tag: Tag
        if i == self.stop:
            self._step(True)
        elif is_mark(t, i, self.n):
            self.pos = i + 3  # of a file, or of one that was put after another
        elif t[i] == b"[" and tag_open(t, i, self.n, address(tag)):
            self._tag_line(i, address(tag))
        elif t[i] == b"[" and not self.body and bracket_line(t, i, self.n):
            if not self.begun:
                self._begin(self.pos)
            self._step(False)
        else:
            if t[i] != b"%" or i != self.pos or not self.begun:
                self._body_line(i)
            self._step(False)

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _step(self, blank: cython.bint) -> cython.void:
        """On to the line after the one in hand, which is ``blank`` or not."""
        self.after_blank = blank
        self.line += self.stop < self.n
        self.pos = self.following
        if blank:
            self.paragraph = self.pos
            self.paragraph_line = self.line

    @cfunc
    @nogil
    @exceptval(check=False)
    def _step_from(self, i: Size) -> cython.void:
        """On to the line after the one that ``i`` is on, which is the one in hand or below it."""
        if i > self.stop:
            self.stop = line_end(self.t, i, self.n)
            self.following = next_line(self.t, self.stop, self.n)
        self._step(False)

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _body_line(self, i: Size) -> cython.void:
        """A line that is no tag, and what on it begins games: ``i`` is its first sign."""
        t: Text = self.t
        k: Size
        hits: cython.uchar = 0
        if not self.begun:
            self._begin(self.pos)
        if not self.body:
            self._enter_body(self.pos)
        elif t[i] == b"1" and self._is_first_number(i, self.stop):
            if self._has_heading(i):
                self._begin_at(self.paragraph, self.paragraph_line)
                self._enter_body(self.paragraph)
            elif self._restarts(i):
                self._begin(self.pos)
                self._enter_body(self.pos)
        for k in range(i + 2, self.stop):
            hits |= (t[k] == b".") & (t[k - 1] == b"1") & (t[k - 2] <= b" ")
        if hits:
            self._inner(i, self.stop)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _has_heading(self, i: Size) -> cython.bint:
        """Whether another game begins with words, without a move number, between a blank line and ``1.`` at ``i``."""
        number: cython.longlong
        if self.after_blank or self.paragraph <= self.body_start or self.at > self.paragraph:
            return False
        self._walk(self.paragraph)
        number = self.number
        if self._remarking() or self.depth or number < 0 or not (self.ended or number > 1):
            return False
        self._walk(i)
        return self.number == number and not (self._remarking() or self.depth)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _restarts(self, i: Size) -> cython.bint:
        """Whether the number ``1.`` at ``i``, at a line start, is that of another game."""
        self._walk(i)
        if self._remarking() or self.depth or self.number < 0:
            return False
        return self.ended or (self.after_blank and self.number > 1)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _is_first_number(self, i: Size, e: Size) -> cython.bint:
        """Whether ``1.`` stands at ``i`` with something like a move after it."""
        t: Text = self.t
        if i + 1 >= e or t[i] != b"1" or t[i + 1] != b".":
            return False
        i += 2
        if i < e and (t[i] == b"." or is_digit(t[i])):
            return False
        i = skip_blanks(t, i, e)
        if i >= e or t[i] == b"{":
            return True
        if t[i] == b".":
            return False
        while i < e and t[i] > b" ":
            if t[i] >= 128 or is_digit(t[i]):
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
        for k in range(i + 1, e - 1):
            if t[k] == b"1" and t[k + 1] == b"." and t[k - 1] <= b" " and self._is_first_number(k, e):
                self._walk(k)
                if self.just_ended and not self._remarking() and self.depth == 0 and self.number >= 0:
                    self._begin(k)
                    self._enter_body(k)

    # -- tags -------------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _tag_line(self, i: Size, tag: pointer(Tag)) -> cython.void:
        """A line that begins with ``tag``, whose ``[`` is at ``i``, and all tags right after it."""
        t: Text = self.t
        mark: cython.ulonglong = self._mark(tag)
        if self.begun and self.body and not self.after_blank:
            self._walk(self.pos)
            if self._remarking() and not self._closes_comment(i, mark):
                self._step_from(i)
                return
            if not (self._remarking() or self._moves_so_far() or self._is_named(mark)):
                self.body = False  # nothing but comments and words: the header goes on
        if self._tag_begins_game(i):
            self._begin(self.pos)
            if self.total == 1 and t[tag.name] < 128:
                self.tagged = True
        while True:
            if self.name_count < MOST_NAMES:
                self.names[self.name_count] = mark
                self.name_count += 1
            i = self._pass_tag(tag)
            if i >= self.n or is_break(t[i]):
                break
            if t[i] != b"[" or not tag_open(t, i, self.n, tag):
                self._enter_body(i)
                break
            mark = self._mark(tag)
        self._step_from(i)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _tag_begins_game(self, i: Size) -> cython.bint:
        """Whether the tag at ``i`` begins a game: the first, one after a body, or one whose names come again."""
        if self.begun and not self.body:
            return self.after_blank and self.name_count > 0 and self._block_repeats(i)
        return True

    @cfunc
    @nogil
    @exceptval(check=False)
    def _closes_comment(self, i: Size, mark: cython.ulonglong) -> cython.bint:
        """Whether a tag at ``i`` in an open comment begins a game all the same: a block, by a name seen before."""
        t: Text = self.t
        tag: Tag
        k: Size = next_line(t, line_end(t, i, self.n), self.n)
        self._secure(k)
        k = skip_blanks(t, k, self.n)
        return k < self.n and t[k] == b"[" and tag_open(t, k, self.n, address(tag)) and self._is_named(mark)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _pass_tag(self, tag: pointer(Tag)) -> Size:
        """Count the lines of ``tag``; the place after it and the blanks behind it."""
        t: Text = self.t
        i: Size = tag.value
        e: Size
        self._secure(i)
        e = tag_close(t, self.n, tag)
        if e > self.stop:
            while i < e:
                self.line += ends_line(t, i, self.n)
                i += 1
        return skip_blanks(t, e, self.n)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _block_repeats(self, i: Size) -> cython.bint:
        """Whether the block of tag lines that begins with ``[`` at ``i`` names a tag that this game has."""
        t: Text = self.t
        tag: Tag
        while i < self.n and t[i] == b"[" and tag_open(t, i, self.n, address(tag)):
            if self._is_named(self._mark(address(tag))):
                return True
            i = next_line(t, line_end(t, i, self.n), self.n)
            self._secure(i)
            i = skip_blanks(t, i, self.n)
        return False

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _mark(self, tag: pointer(Tag)) -> cython.ulonglong:
        return hash_of(self.t + tag.name, tag.name_end - tag.name, 0)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _is_named(self, mark: cython.ulonglong) -> cython.bint:
        """Whether this game has a tag of that name."""
        i: cython.int
        for i in range(self.name_count):
            if self.names[i] == mark:
                return True
        return False

    # -- games ------------------------------------------------------------------------------------------

    @cfunc
    @nogil
    @exceptval(check=False)
    def _begin(self, where: Size) -> cython.void:
        """A game begins at ``where``, on the line in hand."""
        self._begin_at(where, self.line)

    @cfunc
    @nogil
    @exceptval(check=False)
    def _begin_at(self, where: Size, line: cython.longlong) -> cython.void:
        if not (push64(address(self.starts), where) and push64(address(self.lines), line)):
            self.short = True
        self.total += 1
        self.begun = True
        self.body = False
        self.name_count = 0

    @cfunc
    @nogil
    @exceptval(check=False)
    def _enter_body(self, where: Size) -> cython.void:
        self.body = True
        self.body_start = where
        self.pairs = False
        self._rewind()

    # -- the walk through a body ------------------------------------------------------------------------

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
    @inline
    @exceptval(check=False)
    def _remarking(self) -> cython.bint:
        """Whether the walk has come into an open comment."""
        return self.brace or self.slashed

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _moves_so_far(self) -> cython.bint:
        """Whether the walk has seen moves or a result."""
        return self.ended or self.number >= 0 or self.shaped >= 2

    @cfunc
    @nogil
    @exceptval(check=False)
    def _walk(self, upto: Size) -> cython.void:
        """Read the body up to ``upto`` for open comments and variations, the last number, a result."""
        t: Text = self.t
        p: Size
        if self.at >= upto:
            return
        if not self.pairs and find_bad(t, self.at, upto) < upto:
            self.pairs = True  # the second byte of a pair may look like a brace
            self._rewind()
        p = self.at
        while p < upto:
            if self.slashed:
                p = self._to_slash(p, upto)
            elif self.brace:
                p = self._to_brace(p, upto)
            elif t[p] <= b" ":
                p = self._over_blank(p, upto)
            else:
                p = self._over_sign(p, upto)
        self.at = upto

    @cfunc
    @nogil
    @exceptval(check=False)
    def _to_slash(self, p: Size, upto: Size) -> Size:
        """The place after the star and slash that end a comment, or ``upto``."""
        while p < upto:
            if self.t[p] == b"*" and p + 1 < upto and self.t[p + 1] == b"/":
                self.slashed = False
                return p + 2
            p += 1
        return upto

    @cfunc
    @nogil
    @exceptval(check=False)
    def _to_brace(self, p: Size, upto: Size) -> Size:
        """The place after the brace that ends a comment, or ``upto``."""
        t: Text = self.t
        found: cython.p_const_void
        if not self.pairs:
            found = memchr(t + p, b"}", upto - p)
            if found == cython.NULL:
                return upto
            p = cast(Text, found) - t
        while p < upto:
            if t[p] == b"}":
                self.brace = False
                return p + 1
            p += 2 if self._is_pair(p, upto) else 1
        return upto

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _is_pair(self, p: Size, upto: Size) -> cython.bint:
        """Whether the byte at ``p`` and the next are a character of GB18030 or Big5."""
        return self.pairs and self.t[p] >= 0x81 and p + 1 < upto and self.t[p + 1] >= 0x40

    @cfunc
    @nogil
    @exceptval(check=False)
    def _over_blank(self, p: Size, upto: Size) -> Size:
        """The place after a blank, or a line break and an escaped line."""
        t: Text = self.t
        p += 1
        if is_break(t[p - 1]) and p < upto:
            if is_mark(t, p, upto):
                p += 3
            if p < upto and t[p] == b"%":
                p = line_end(t, p, upto)
        return p

    @cfunc
    @nogil
    @exceptval(check=False)
    def _over_sign(self, p: Size, upto: Size) -> Size:
        """The place after the sign at ``p``, the comment that it begins or the word."""
        c: cython.uchar = self.t[p]
        if c == b"{":
            self.brace = True
        elif c == b"(":
            self.depth += 1
        elif c == b")":
            self.depth -= self.depth > 0
        elif c == b"[":
            return self._over_bracket(p, upto)
        elif c == b";":
            return line_end(self.t, p, upto)
        elif self._opens_slashed(p, upto):
            self.slashed = True
            return p + 2
        elif c != b"}" and c != b"]":
            return self._over_word(p, upto)
        return p + 1

    @cfunc
    @nogil
    @inline
    @exceptval(check=False)
    def _opens_slashed(self, p: Size, upto: Size) -> cython.bint:
        return self.t[p] == b"/" and p + 1 < upto and self.t[p + 1] == b"*"

    @cfunc
    @nogil
    @exceptval(check=False)
    def _over_bracket(self, p: Size, upto: Size) -> Size:
        """The place after a remark in brackets, when it closes on this line; else after the bracket."""
        t: Text = self.t
        j: Size = max(p, self.unclosed)
        while j < upto and t[j] != b"]" and not is_break(t[j]):
            j += 2 if self._is_pair(j, upto) else 1
        self.unclosed = j
        return j + 1 if j < upto and t[j] == b"]" else p + 1

    @cfunc
    @nogil
    @exceptval(check=False)
    def _over_word(self, s: Size, upto: Size) -> Size:
        """The place after the word at ``s``, a number, a result or a move."""
        t: Text = self.t
        e: Size = self._word_end(s, upto)
        j: Size = s
        value: cython.longlong = 0
        if not ascii_result(t, s, e):
            j = read_whole(t, s, e, HIGHEST, address(value))
        if s < j < e and t[j] == b".":
            if self.depth == 0:
                self.number = value
                self.just_ended = False
            while j < e and t[j] == b".":
                j += 1
            if j == e:
                return e
            s = j
        if self.depth == 0:
            self.just_ended = ascii_result(t, s, e) != 0
            if self.just_ended:
                self.ended = True
            elif (t[s] >= 128 and 6 <= e - s <= 40) or looks_like_move(t, s, e):
                self.shaped += 1
        return e

    @cfunc
    @nogil
    @exceptval(check=False)
    def _word_end(self, p: Size, upto: Size) -> Size:
        """The place after the word at ``p``; a star is a word of its own."""
        t: Text = self.t
        if t[p] == b"*":
            return p + 1
        while p < upto:
            if t[p] <= b" " or t[p] in b"{};[]()*" or self._opens_slashed(p, upto):
                break
            p += 2 if self._is_pair(p, upto) else 1
        return min(p, upto)
