# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Comments: the figures that engines write there, and the words that are left; the twin of `notation.remark`."""

import cython
from cython import address, cast, cfunc, declare, exceptval, inline, nogil, pointer, struct
from cython.cimports.libc.math import NAN
from cython.cimports.libc.string import memchr, memcmp
from cython.cimports.notation.containers._pgn.lines import (
    Size,
    Text,
    digit,
    ends_line,
    is_break,
    is_digit,
    read_whole,
    trim_back,
    trim_front,
)

_TEN = declare(cython.double[19])  # its powers, up to MOST_DIGITS
for _power in range(MOST_DIGITS + 1):
    _TEN[_power] = 10.0**_power

Score = struct(value=cython.double, mate=cython.longlong, is_mate=cython.bint, is_pointed=cython.bint)


@cfunc
@nogil
@exceptval(check=False)
def complete(known: pointer(Figures), said: pointer(cython.const[Figures])) -> cython.void:
    """Take from ``said`` what is not ``known`` yet."""
    if known.evaluation != known.evaluation:
        known.evaluation = said.evaluation
    if known.seconds != known.seconds:
        known.seconds = said.seconds
    if known.mate == 0:
        known.mate = said.mate
    if known.depth == -1:
        known.depth = said.depth


# ---------------------------------------------------------------------------------------------------------
# Match programs: ``+0.35/9 0.012s``


@cfunc
@nogil
@exceptval(check=False)
def read_common(t: Text, p: Size, e: Size, said: pointer(Figures), line_start: pointer(Size)) -> Size:
    """The commonest comment in one pass, ``{+0.35/9 0.012s}``, whose brace is before ``p``: the place after it.

    0 for any other. ``line_start`` gets where a line begins in it, 0 for nowhere.
    """
    value: cython.uint
    depth: cython.uint
    time: cython.uint
    score: cython.double
    scale: Size
    s: Size
    minus: cython.bint
    if e - p < COMMON:
        return 0
    minus = t[p] == b"-"
    p += minus or t[p] == b"+"
    s = p
    p = _digits(t, p, 6, address(value), 0)
    if p == s or t[p] != b".":
        return 0
    s = p + 1
    p = _digits(t, s, 2, address(value), value)
    if p != s + 2 or t[p] != b"/":
        return 0
    s = p + 1
    p = _digits(t, s, 3, address(depth), 0)
    if p == s or (t[p] != b" " and t[p] != b"\n"):
        return 0
    line_start[0] = p + 1 if t[p] == b"\n" else 0
    s = p + 1
    p = _digits(t, s, 6, address(time), 0)
    if p == s or t[p] != b".":
        return 0
    s = p + 1
    p = _digits(t, s, 3, address(time), time)
    scale = p - s
    if scale == 0 or t[p] != b"s" or t[p + 1] != b"}":
        return 0
    score = value
    said.evaluation = cast(cython.float, (-score if minus else score) / 100)
    said.depth = cast(cython.short, depth)
    said.seconds = cast(cython.float, cast(cython.double, time) / _TEN[scale])
    return p + 2


@cfunc
@nogil
@inline
@exceptval(check=False)
def _digits(t: Text, p: Size, most: Size, value: pointer(cython.uint), so_far: cython.uint) -> Size:
    """The place after ``most`` digits at ``p`` or fewer, which go on with the number ``so_far``."""
    e: Size = p + most
    while p < e and is_digit(t[p]):
        so_far = so_far * 10 + digit(t[p])
        p += 1
    value[0] = so_far
    return p


@cfunc
@nogil
@exceptval(check=False)
def read_figures(t: Text, s: Size, e: Size, said: pointer(Figures)) -> Size:
    """An engine's figures at the front of ``s:e``, not empty: the place after them; ``s`` if there are none."""
    minus: cython.bint = t[s] == b"-"
    signed: cython.bint = minus or t[s] == b"+"
    score: Score
    depth: cython.longlong = -1
    spent: cython.double = NAN
    p: Size = _read_score(t, s + signed, e, address(score))
    if p == 0:
        return s
    p = _read_depth(t, p, e, address(depth))
    # a sign, a point or mate, a depth: two of them make a score
    if signed + (score.is_mate or score.is_pointed) + (depth >= 0) < 2:
        return s
    p = _read_time(t, p, e, address(spent))
    # the figures end here, or at a blank, or at a comma
    if p < e and t[p] > b" " and t[p] != b",":
        return s
    p = trim_front(t, p, e)
    if p < e and t[p] == b",":
        p = trim_front(t, p + 1, e)
    if score.is_mate:
        if (score.mate & 1) != minus:  # plies, as match programs count; else moves
            score.mate = (score.mate + 1) // 2
        score.mate = min(score.mate, MOST)
        said.mate = cast(cython.short, -score.mate if minus else score.mate)
    else:
        said.evaluation = cast(cython.float, -score.value if minus else score.value)
    said.depth = cast(cython.short, min(depth, MOST))
    said.seconds = cast(cython.float, spent)
    return p


@cfunc
@nogil
@exceptval(check=False)
def _read_score(t: Text, p: Size, e: Size, score: pointer(Score)) -> Size:
    """The place after ``12``, ``12.34`` or ``M5`` at ``p``; 0 when there is none."""
    j: Size
    k: Size
    if p >= e:
        return 0
    score.is_mate = t[p] == b"M"
    score.is_pointed = False
    if score.is_mate:
        j = read_whole(t, p + 1, e, HIGHEST, address(score.mate))
        return j if j > p + 1 else 0
    j = _read_decimal(t, p, e, address(score.value))
    for k in range(p, j):
        score.is_pointed |= t[k] == b"."
    return j if j > p else 0


@cfunc
@nogil
@exceptval(check=False)
def _read_depth(t: Text, p: Size, e: Size, depth: cython.p_longlong) -> Size:
    """The place after ``/9`` or ``/9/14`` at ``p``, or ``p``; ``depth`` gets the first number if there is one."""
    deepest: cython.longlong
    if _has_depth(t, p, e):
        p = read_whole(t, p + 1, e, HIGHEST, depth)
        if _has_depth(t, p, e):
            p = read_whole(t, p + 1, e, HIGHEST, address(deepest))
    return p


@cfunc
@nogil
@inline
@exceptval(check=False)
def _has_depth(t: Text, p: Size, e: Size) -> cython.bint:
    return p + 1 < e and t[p] == b"/" and is_digit(t[p + 1])


@cfunc
@nogil
@exceptval(check=False)
def _read_time(t: Text, p: Size, e: Size, spent: cython.p_double) -> Size:
    """The place after a time at ``p``, when a blank goes before and nothing but its unit follows; else ``p``."""
    time: cython.double = 0
    j: Size
    k: Size = trim_front(t, p, e)
    if not (p < k < e and is_digit(t[k])):
        return p
    j = _read_clock(t, k, e, address(time))
    if j + 1 < e and t[j] == b"m" and t[j + 1] == b"s":
        time /= 1000
        j += 2
    elif j < e and t[j] == b"s":
        j += 1
    if j < e and t[j] > b" " and t[j] != b",":
        return p
    spent[0] = time
    return j


@cfunc
@nogil
@exceptval(check=False)
def _read_decimal(t: Text, s: Size, e: Size, value: cython.p_double) -> Size:
    """Read ``12`` or ``12.34`` at ``s``; the place after it, ``s`` when there is none."""
    whole: cython.ulonglong = 0
    scale: cython.int = 0
    digits: cython.int = 0
    j: Size = s
    while j < e and is_digit(t[j]):
        if digits < MOST_DIGITS:
            whole = whole * 10 + digit(t[j])
            digits += 1
        j += 1
    if j == s:
        return s
    if j + 1 < e and t[j] == b"." and is_digit(t[j + 1]):
        j += 1
        while j < e and is_digit(t[j]):
            if digits < MOST_DIGITS:
                whole = whole * 10 + digit(t[j])
                digits += 1
                scale += 1
            j += 1
    value[0] = cast(cython.double, whole) / _TEN[scale]
    return j


@cfunc
@nogil
@exceptval(check=False)
def _read_clock(t: Text, s: Size, e: Size, value: cython.p_double) -> Size:
    """Read ``h:mm:ss``, ``m:ss`` or seconds at ``s``; the place after, ``s`` when there is none."""
    part: cython.double = 0
    j: Size = _read_decimal(t, s, e, address(part))
    colons: cython.int = 0
    k: Size
    if j == s:
        return s
    value[0] = part
    while colons < 2 and j < e and t[j] == b":":
        k = _read_decimal(t, j + 1, e, address(part))
        if k == j + 1:
            break
        value[0] = value[0] * 60 + part
        j = k
        colons += 1
    return j


# ---------------------------------------------------------------------------------------------------------
# Commands: ``[%eval 0.2,12]``, ``[%eval #-3]``, ``[%emt 0:00:05]``


@cfunc
@nogil
@exceptval(check=False)
def read_commands(t: Text, s: Size, e: Size, said: pointer(Figures)) -> cython.void:
    """What commands anywhere in ``s:e`` say; the last goes before others."""
    found: cython.p_const_void
    while s < e:
        found = memchr(t + s, b"[", e - s)
        if found == cython.NULL:
            return
        s = cast(Text, found) - t
        read_command(t, s, e, said)
        s += 1


@cfunc
@nogil
@exceptval(check=False)
def read_command(t: Text, s: Size, e: Size, said: pointer(Figures)) -> Size:
    """With ``[`` at ``s``: the place after a command there, or 0."""
    if s + 7 > e or t[s + 1] != b"%":
        return 0
    if memcmp(t + s, b"[%emt", 5) == 0 and t[s + 5] <= b" ":
        return _read_spent(t, trim_front(t, s + 6, e), e, said)
    if s + 8 <= e and memcmp(t + s, b"[%eval", 6) == 0 and t[s + 6] <= b" ":
        return _read_evaluation(t, trim_front(t, s + 7, e), e, said)
    return 0


@cfunc
@nogil
@exceptval(check=False)
def _read_spent(t: Text, p: Size, e: Size, said: pointer(Figures)) -> Size:
    value: cython.double = 0
    j: Size = _read_clock(t, p, e, address(value))
    if j == p:
        return 0
    j = _closed(t, j, e)
    if j:
        said.seconds = cast(cython.float, value)
    return j


@cfunc
@nogil
@exceptval(check=False)
def _read_evaluation(t: Text, p: Size, e: Size, said: pointer(Figures)) -> Size:
    value: cython.double = 0
    depth: cython.longlong = -1
    mates: cython.bint = p < e and t[p] == b"#"
    minus: cython.bint
    j: Size
    p += mates
    minus = p < e and t[p] == b"-"
    p += minus or (p < e and t[p] == b"+")
    j = _read_decimal(t, p, e, address(value))
    if j == p:
        return 0
    if j < e and t[j] == b",":
        j = read_whole(t, j + 1, e, MOST, address(depth))
    j = _closed(t, j, e)
    if j == 0:
        return 0
    if mates:
        value = min(value, cast(cython.double, MOST))
        said.mate = cast(cython.short, -value if minus else value)
    else:
        said.evaluation = cast(cython.float, -value if minus else value)
    if depth >= 0:
        said.depth = cast(cython.short, min(depth, MOST))
    return j


@cfunc
@nogil
@inline
@exceptval(check=False)
def _closed(t: Text, p: Size, e: Size) -> Size:
    """The place after a ``]`` that only blanks go before, or 0."""
    p = trim_front(t, p, e)
    return p + 1 if p < e and t[p] == b"]" else 0


# ---------------------------------------------------------------------------------------------------------
# Words


@cfunc
@nogil
@exceptval(check=False)
def copy_words(t: Text, s: Size, e: Size, out: cython.p_uchar) -> Size:
    """Write the words of ``s:e`` to ``out`` without commands, with the blanks of `remark.tidy`; how many bytes.

    ``out`` has room for ``e - s``.
    """
    n: Size = 0
    after: Size
    unused: Figures
    while s < e:
        after = read_command(t, s, e, address(unused)) if t[s] == b"[" else 0
        if after:
            s = after
            if n == 0 or out[n - 1] <= b" ":
                s = trim_front(t, s, e)
        elif is_break(t[s]):
            n = _copy_break(t, s, trim_front(t, s, e), out, n)
            s = trim_front(t, s, e)
        else:
            if n or t[s] > b" ":
                out[n] = t[s]
                n += 1
            s += 1
    return trim_back(out, 0, n)


@cfunc
@nogil
@exceptval(check=False)
def _copy_break(t: Text, s: Size, e: Size, out: cython.p_uchar, n: Size) -> Size:
    """Write a blank for the blanks ``s:e``, a line break if they hold an empty line; how many bytes there are then."""
    breaks: cython.int = 0
    while n and out[n - 1] <= b" " and out[n - 1] != b"\n":
        n -= 1
    if n == 0:
        return 0
    while s < e:
        breaks += ends_line(t, s, e)
        s += 1
    out[n] = b"\n" if breaks > 1 else b" "
    return n + 1
