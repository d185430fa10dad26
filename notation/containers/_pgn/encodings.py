# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What tells the encodings of bytes apart: ASCII, strict UTF-8, and how well pairs of bytes make Chinese."""

from array import array

import cython
from cython import address, cast, cfunc, declare, exceptval, inline, nogil
from cython.cimports.libc.string import memcpy
from cython.cimports.notation.containers._pgn.lines import Size, Text, is_digit
from cython.cimports.notation.containers._pgn.stores import Store, drop, push8, take

_HIGH = declare(cython.ulonglong, 0x8080808080808080)


@cfunc
@nogil
@exceptval(check=False)
def find_high(t: Text, i: Size, n: Size) -> Size:
    """The first byte of 128 or more at or after ``i``, or ``n``."""
    w: cython.ulonglong[4]
    while i + 32 <= n:
        memcpy(w, t + i, 32)
        if (w[0] | w[1] | w[2] | w[3]) & _HIGH:
            break
        i += 32
    while i + 8 <= n:
        memcpy(w, t + i, 8)
        if w[0] & _HIGH:
            break
        i += 8
    while i < n and t[i] < 128:
        i += 1
    return i


@cfunc
@nogil
@exceptval(check=False)
def find_bad(t: Text, i: Size, n: Size) -> Size:
    """The first byte at or after ``i`` that is not strict UTF-8, or ``n``."""
    more: Size
    while i < n:
        if t[i] < 128:
            i = find_high(t, i, n)
            continue
        more = _following(t[i])
        if more == 0 or i + more >= n or not _follow(t + i, more):
            return i
        i += more + 1
    return n


@cfunc
@nogil
@inline
@exceptval(check=False)
def _following(c: cython.uchar) -> Size:
    """How many bytes follow the first one of a character; 0 when none begins with it."""
    if 0xC2 <= c <= 0xDF:
        return 1
    if 0xE0 <= c <= 0xEF:
        return 2
    return 3 if 0xF0 <= c <= 0xF4 else 0


@cfunc
@nogil
@inline
@exceptval(check=False)
def _follow(t: Text, more: Size) -> cython.bint:
    """Whether ``more`` bytes of a character follow its first, and it is neither overlong, a surrogate, nor too high."""
    i: Size
    for i in range(1, more + 1):
        if (t[i] & 0xC0) != 0x80:
            return False
    if t[0] == 0xE0:
        return t[1] >= 0xA0
    if t[0] == 0xED:
        return t[1] < 0xA0
    if t[0] == 0xF0:
        return t[1] >= 0x90
    return t[0] != 0xF4 or t[1] < 0x90


def first_high(data: cython.const[cython.uchar][::1], start: Size = 0, stop: Size = -1) -> int:
    """The first byte of 128 or more in ``data[start:stop]``; ``stop`` (or the length) when all are ASCII."""
    n: Size = data.shape[0]
    if stop < 0 or stop > n:
        stop = n
    if start < 0 or start >= stop:
        return stop
    found: Size
    with nogil:
        found = find_high(address(data[0]), start, stop)
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
        found = find_bad(address(data[0]), start, stop)
    return found


@cfunc
def check_spans(begins: cython.longlong[::1], ends: cython.longlong[::1], size: Size):
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
    found: Store = Store(cython.NULL, 0, 0)
    enough: cython.bint = True
    i: Size
    count: Size = bounds.shape[0] - 1
    t: Text
    if count <= 0 or data.shape[0] == 0:
        return array("B")
    check_spans(bounds[:count], bounds[1:], data.shape[0])
    t = address(data[0])
    with nogil:
        for i in range(count):
            enough = push8(address(found), _class(t, bounds[i], bounds[i + 1]))
            if not enough:
                break
    if not enough:
        drop(address(found))
        raise MemoryError
    return take("B", address(found))


@cfunc
@nogil
@exceptval(check=False)
def _class(t: Text, i: Size, n: Size) -> cython.int:
    i = find_high(t, i, n)
    if i == n:
        return ASCII
    if find_bad(t, i, n) < n:
        return NOT_UTF8
    while i < n and t[i] < 0xE0:
        i += 1
    return LONG if i < n else SHORT


def weigh_pairs(
    data: cython.const[cython.uchar][::1], weights: cython.const[cython.uchar][::1], four: cython.bint
):
    """(score, characters, faults) of ``data`` read as a double-byte encoding.

    ``weights`` has 65536 entries, one per byte pair; -128 marks a pair that is no character. ``four``:
    GB18030's four-byte characters are taken as such (weight 0).
    """
    t: Text
    weight: cython.p_const_schar
    n: Size = data.shape[0]
    i: Size = 0
    score: cython.longlong = 0
    characters: cython.longlong = 0
    faults: cython.longlong = 0
    x: cython.int
    if n == 0:
        return 0, 0, 0
    t = address(data[0])
    weight = cast(cython.p_const_schar, address(weights[0]))
    with nogil:
        while True:
            i = find_high(t, i, n)
            if i >= n:
                break
            if i + 1 >= n:
                faults += 1
                break
            if four and is_digit(t[i + 1]):
                if i + 3 < n and t[i + 2] >= 0x81 and is_digit(t[i + 3]):
                    characters += 1
                    i += 4
                else:
                    faults += 1
                    i += 1
                continue
            x = weight[t[i] * 256 + t[i + 1]]
            if x == NO_CHARACTER:
                faults += 1
                i += 1
                continue
            score += x
            characters += 1
            i += 2
    return score, characters, faults
