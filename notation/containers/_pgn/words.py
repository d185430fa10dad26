# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Words of the move text: results, move numbers, signs of praise and blame, and what looks like a move.

A word is ``t[s:e]``, never empty. Splitters look at stored bytes, which need not be UTF-8, by `ascii_result` and
`looks_like_move`; all else is UTF-8.
"""

import cython
from cython import cast, cfunc, declare, exceptval, inline, nogil
from cython.cimports.libc.string import memcmp
from cython.cimports.notation.containers._pgn.encodings import find_high
from cython.cimports.notation.containers._pgn.lines import (
    Size,
    Text,
    digit,
    is_digit,
    is_letter,
    trim_back,
    trim_front,
)

# Results that are not ASCII
_words = declare(cython.p_const_uchar[MOST_RESULTS])
_lengths = declare(cython.int[MOST_RESULTS])
_codes = declare(cython.int[MOST_RESULTS])
_word_count = declare(cython.int, 0)
_known_lengths = declare(cython.ulonglong, 0)  # bit n: some word has n bytes
_kept_words: list = []


def teach_results(results: dict) -> None:
    """Take the results that are not ASCII from ``results`` (word -> terminator code)."""
    global _word_count, _known_lengths
    _word_count = 0
    _known_lengths = 0
    _kept_words.clear()
    for word, code in results.items():
        raw: bytes = word.encode()
        if raw.isascii() or _word_count == MOST_RESULTS or len(raw) > LONGEST_RESULT:
            continue
        _kept_words.append(raw)
        _words[_word_count] = cast(Text, cast(cython.p_char, raw))
        _lengths[_word_count] = len(raw)
        _codes[_word_count] = code
        _known_lengths |= cast(cython.ulonglong, 1) << len(raw)
        _word_count += 1


@cfunc
@nogil
@exceptval(check=False)
def result_of(t: Text, s: Size, e: Size) -> cython.int:
    """Terminator code of the word ``s:e``, which blanks may surround, or 0."""
    code: cython.int
    s = trim_front(t, s, e)
    e = trim_back(t, s, e)
    if s == e or e - s > LONGEST_RESULT:
        return 0
    code = ascii_result(t, s, e)
    if code == 0 and (t[s] >= 0xE0 or t[s] == b"1") and _known_lengths >> (e - s) & 1:
        return _wide_result(t + s, e - s)
    return code


@cfunc
@nogil
@exceptval(check=False)
def ascii_result(t: Text, s: Size, e: Size) -> cython.int:
    """Terminator code of a result written in ASCII (and ½), else 0."""
    n: Size = e - s
    t += s
    if n == 1:
        return UNFINISHED if t[0] == b"*" else 0
    if n == 3:
        if memcmp(t, b"1-0", 3) == 0 or memcmp(t, b"1:0", 3) == 0:
            return RED_WON
        if memcmp(t, b"0-1", 3) == 0 or memcmp(t, b"0:1", 3) == 0:
            return BLACK_WON
        if memcmp(t, b"1/2", 3) == 0:
            return DRAWN
        if memcmp(t, b"0-0", 3) == 0:
            return OTHER
    elif n == 7:
        if memcmp(t, b"1/2-1/2", 7) == 0 or memcmp(t, b"0.5-0.5", 7) == 0:
            return DRAWN
    elif (n == 2 and memcmp(t, b"\xc2\xbd", 2) == 0) or (n == 5 and memcmp(t, b"\xc2\xbd-\xc2\xbd", 5) == 0):
        return DRAWN
    return 0


@cfunc
@nogil
@exceptval(check=False)
def _wide_result(s: Text, n: Size) -> cython.int:
    i: cython.int
    for i in range(_word_count):
        if _lengths[i] == n and memcmp(_words[i], s, n) == 0:
            return _codes[i]
    return 0


@cfunc
@nogil
@exceptval(check=False)
def wide_sign(t: Text, p: Size, n: Size) -> cython.int:
    """What the wide sign at ``p`` is: ``NO_SIGN`` for all that means nothing between moves."""
    w: cython.int
    if t[p] == 0xC2:
        return WIDE_BLANK if p + 1 < n and t[p + 1] == 0xA0 else NO_SIGN
    if p + 2 >= n:
        return NO_SIGN
    w = _three(t, p)
    if FULL_0 <= w <= FULL_9:
        return WIDE_DIGIT + w - FULL_0
    if w in (IDEOGRAPHIC_SPACE, FILE_MARK):
        return WIDE_BLANK
    if w in (ELLIPSIS, TWO_DOTS, IDEOGRAPHIC_COMMA, IDEOGRAPHIC_STOP, FULL_STOP):
        return WIDE_DOTS
    if w == FULL_OPENING:
        return WIDE_OPENING
    if w == FULL_CLOSING:
        return WIDE_CLOSING
    if w == FULL_STAR:
        return WIDE_STAR
    if w == FULL_EXCLAMATION:
        return WIDE_GOOD
    if w == FULL_QUESTION:
        return WIDE_BAD
    return NO_SIGN


@cfunc
@nogil
@inline
@exceptval(check=False)
def _three(t: Text, p: Size) -> cython.int:
    """Three bytes as one number."""
    return (t[p] << 16) | (t[p + 1] << 8) | t[p + 2]


@cfunc
@nogil
@exceptval(check=False)
def skip_dots(t: Text, s: Size, e: Size) -> Size:
    """The place after leading dots of every width."""
    while s < e:
        if t[s] == b".":
            s += 1
        elif t[s] >= 0xE2 and wide_sign(t, s, e) == WIDE_DOTS:
            s += 3
        else:
            break
    return s


@cfunc
@nogil
@exceptval(check=False)
def read_number(t: Text, s: Size, e: Size, value: cython.p_longlong) -> Size:
    """The place after a move number with its dots at ``s``; ``s`` when there is none.

    Digits alone are a number up to three of them. ``33.4`` is no number: two soldiers' files, WXF.
    """
    j: Size = s
    digits: cython.int = 0
    number: cython.int
    value[0] = 0
    while j < e:
        if is_digit(t[j]):
            number = digit(t[j])
            j += 1
        elif t[j] == 0xEF:
            number = wide_sign(t, j, e) - WIDE_DIGIT
            if number < 0:
                break
            j += 3
        else:
            break
        digits += 1
        if value[0] < HIGHEST:
            value[0] = value[0] * 10 + number
    if digits == 0:
        return s
    if j == e:
        return e if digits <= 3 else s
    if digits == 2 and _names_soldiers(t, j, e, value[0]):
        return s
    e = skip_dots(t, j, e)
    return e if e > j else s


@cfunc
@nogil
@exceptval(check=False)
def _names_soldiers(t: Text, j: Size, e: Size, value: cython.longlong) -> cython.bint:
    """Whether the two digits before ``j`` may be files of soldiers: a dot and one more digit end the word."""
    if e - j == 2:
        return value >= 11 and value % 10 != 0 and t[j] == b"." and b"1" <= t[j + 1] <= b"9"
    return (
        e - j == 6
        and t[j] == 0xEF
        and wide_sign(t, j, e) == WIDE_DOTS
        and wide_sign(t, j + 3, e) > WIDE_DIGIT
    )


@cfunc
@nogil
@exceptval(check=False)
def read_glyph(t: Text, s: Size, e: Size, glyph: cython.p_int) -> Size:
    """Leading ``!`` and ``?``: the place after them, and their NAG (0: more than two, or none)."""
    n: cython.int = 0
    first: cython.int = 0
    second: cython.int = 0
    while s < e:
        if t[s] == b"!" or t[s] == b"?":
            second = 1 if t[s] == b"!" else 2
            s += 1
        elif t[s] == 0xEF and WIDE_GOOD <= wide_sign(t, s, e) <= WIDE_BAD:
            second = wide_sign(t, s, e) - WIDE_GOOD + 1
            s += 3
        else:
            break
        if n == 0:
            first = second
        n += 1
    if n == 1:
        glyph[0] = first
    elif n == 2:
        glyph[0] = first + 2 if first == second else first + 4  # !! 3, ?? 4, !? 5, ?! 6
    else:
        glyph[0] = 0
    return s


@cfunc
@nogil
@exceptval(check=False)
def read_glyph_back(t: Text, s: Size, e: Size, glyph: cython.p_int) -> Size:
    """Trailing ``!`` and ``?``: where they begin, and their NAG; ``e`` and 0 if none or too many."""
    j: Size = e
    n: cython.int = 0
    glyph[0] = 0
    while j > s:
        if t[j - 1] == b"!" or t[j - 1] == b"?":
            j -= 1
        elif j - 3 >= s and t[j - 3] == 0xEF and WIDE_GOOD <= wide_sign(t, j - 3, e) <= WIDE_BAD:
            j -= 3
        else:
            break
        n += 1
    if n == 0 or n > 2 or j == s:
        return e
    read_glyph(t, j, e, glyph)
    return j


@cfunc
@nogil
@exceptval(check=False)
def looks_like_move(t: Text, s: Size, e: Size) -> cython.bint:
    """Whether an ASCII word has the outward shape of a move: short, of letters, digits and a few signs."""
    letters: cython.int = 0
    digits: cython.int = 0
    i: Size
    while e > s and t[e - 1] in b"+#!?":
        e -= 1
    if e - s < 2 or e - s > 10:
        return False
    for i in range(s, e):
        if is_letter(t[i]):
            letters += 1
        elif is_digit(t[i]):
            digits += 1
        elif t[i] not in b"+-.=@":
            return False
    return 1 <= digits <= 5 and letters <= 4 and (letters > 0 or digits >= 2)


@cfunc
@nogil
@exceptval(check=False)
def is_shaped(t: Text, s: Size, e: Size) -> cython.bint:
    """Whether a word has the outward shape of a move in some notation."""
    i: Size
    w: cython.int
    if t[s] < 128 and t[e - 1] < 128 and find_high(t, s, e) == e:
        return looks_like_move(t, s, e)
    if e - s < 4 or e - s > 24:
        return False
    for i in range(s, e - 2):
        w = _three(t, i)
        if w in (FORWARD, FORWARD_TRADITIONAL, BACKWARD, SIDEWAYS) or FULL_0 <= w <= FULL_9:
            return True
    return False


@cfunc
@nogil
@exceptval(check=False)
def look_at(t: Text, s: Size, e: Size) -> cython.int:
    """What is to be known of a new lexeme."""
    i: Size
    flag: cython.int = KNOWN
    if is_shaped(t, s, e):
        flag |= SHAPED
    for i in range(s, e - 1):
        if is_letter(t[i]):
            if t[i + 1] == b"0":
                flag |= RANK_0
            elif t[i + 1] == b"1" and i + 2 < e and t[i + 2] == b"0":
                flag |= RANK_10
    return flag
