# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Lines and tag pairs, ``[Name "value"]``, in bytes as they are stored.

These may be in UTF-8, GB18030 or Big5: none of them hides a line end, a blank or a quote inside a character.
Predicates of bytes are in ``lines.pxd``.
"""

import cython
from cython import address, cfunc, exceptval, nogil, pointer


@cfunc
@nogil
@exceptval(check=False)
def line_end(t: Text, i: Size, n: Size) -> Size:
    """The place of the line break at or after ``i``, or ``n``."""
    while i < n and not is_break(t[i]):
        i += 1
    return i


@cfunc
@nogil
@exceptval(check=False)
def tag_open(t: Text, i: Size, n: Size, tag: pointer(Tag)) -> cython.bint:
    """With ``[`` at ``i``: whether a tag pair begins there; ``tag`` gets its name and where its value begins."""
    j: Size = i + 1
    while j < n and (t[j] == b" " or t[j] == b"\t"):
        j += 1
    if j >= n or not (is_letter(t[j]) or t[j] >= 128):
        return False
    tag.name = j
    while j < n and t[j] > b" " and t[j] != b'"':
        # A bracket may be the second byte of a Big5 or GBK character, never of an ASCII name.
        if (t[j] == b"[" or t[j] == b"]") and t[j - 1] < 128:
            return False
        j += 1
        if j - tag.name > LONGEST_NAME:
            return False
    tag.name_end = j
    while j < n and (t[j] == b" " or t[j] == b"\t"):
        j += 1
    tag.value = j + 1
    return j < n and t[j] == b'"'


@cfunc
@nogil
@exceptval(check=False)
def tag_close(t: Text, n: Size, tag: pointer(Tag)) -> Size:
    """The place after the tag whose value begins at ``tag.value``; ``tag`` gets its end, and whether it is broken.

    Inner quotes may stand bare: the value ends at a quote and bracket that end the line or precede another
    tag; failing those, at the first quote and bracket. A value may run over a few lines, not over an empty
    one and not over another tag. A tag that never ends is broken and ends with its line.
    """
    q: Size = tag.value
    e: Size
    b: Size
    after: Size = _closed_on_line(t, n, tag)
    tag.broken = False
    if after:
        return after
    e = line_end(t, q, n)
    b = trim_back(t, q, e)
    if b == q or t[b - 1] != b"]":
        after = _closed_below(t, e, n, tag)
        if after:
            return after
    tag.broken = True
    e = b - 1 if b > q and t[b - 1] == b"]" else b
    while e > q and (t[e - 1] <= b" " or t[e - 1] == b'"'):
        e -= 1
    tag.value_end = e
    return b


@cfunc
@nogil
@exceptval(check=False)
def _closed_on_line(t: Text, n: Size, tag: pointer(Tag)) -> Size:
    """The place after the bracket that closes ``tag`` on its line, or 0."""
    q: Size = tag.value
    other: Tag
    after: Size = 0  # the first quote and bracket
    i: Size = q
    j: Size
    k: Size
    while i < n and not is_break(t[i]):
        if t[i] != b'"':
            i += 1
            continue
        j = skip_blanks(t, i + 1, n)
        if j < n and t[j] == b"]":
            k = skip_blanks(t, j + 1, n)
            if (
                k >= n
                or is_break(t[k])
                or (not _is_escaped(t, q, i) and t[k] == b"[" and tag_open(t, k, n, address(other)))
            ):
                tag.value_end = i
                return j + 1
            if not after and not _is_escaped(t, q, i):
                after = j + 1
                tag.value_end = i
        i += 1
    return after


@cfunc
@nogil
@exceptval(check=False)
def _is_escaped(t: Text, q: Size, i: Size) -> cython.bint:
    """Whether an odd number of backslashes stands before ``i``, from ``q`` on."""
    b: Size = i
    while b > q and t[b - 1] == b"\\":
        b -= 1
    return (i - b) % 2 == 1


@cfunc
@nogil
@exceptval(check=False)
def _closed_below(t: Text, e: Size, n: Size, tag: pointer(Tag)) -> Size:
    """The place after the quote and bracket that close ``tag`` on one of the lines after the break at ``e``, or 0."""
    other: Tag
    i: Size = e
    k: Size
    lines: cython.int = 0
    while lines < MOST_LINES:
        lines += 1
        i = next_line(t, i, n)
        if i >= n or i - tag.value > FARTHEST:
            return 0
        k = skip_blanks(t, i, n)
        if k >= n or is_break(t[k]) or (t[k] == b"[" and tag_open(t, k, n, address(other))):
            return 0
        e = line_end(t, i, n)
        while i < e:
            if t[i] == b'"':
                k = skip_blanks(t, i + 1, e)
                if k < e and t[k] == b"]":
                    tag.value_end = i
                    return k + 1
            i += 1
    return 0


@cfunc
@nogil
@exceptval(check=False)
def bracket_line(t: Text, i: Size, n: Size) -> Size:
    """With ``[`` at ``i``: the place of the ``]`` that ends a line that may be a damaged tag; else 0."""
    e: Size
    if i + 1 >= n or not (is_letter(t[i + 1]) or t[i + 1] >= 128):
        return 0
    e = trim_back(t, i, line_end(t, i, n)) - 1
    return e if e > i and t[e] == b"]" else 0


@cfunc
@nogil
@exceptval(check=False)
def bare_tag(t: Text, i: Size, n: Size, tag: pointer(Tag)) -> Size:
    """With a `bracket_line` at ``i``: the place after it. A tag without quotes, or with other ones, is broken."""
    e: Size = bracket_line(t, i, n)
    s: Size = i + 1
    tag.name = s
    while s < e and t[s] > b" ":
        s += 1
    tag.name_end = s
    tag.value_end = e
    while s < tag.value_end and _pads(t[s]):
        s += 1
    tag.value = s
    while tag.value_end > s and _pads(t[tag.value_end - 1]):
        tag.value_end -= 1
    tag.broken = True
    return e + 1


@cfunc
@nogil
@exceptval(check=False)
def _pads(c: cython.uchar) -> cython.bint:
    return c <= b" " or c == b"'" or c == b'"'


@cfunc
@nogil
@exceptval(check=False)
def is_called(
    t: Text, tag: pointer(cython.const[Tag]), letters: cython.p_const_char, count: Size
) -> cython.bint:
    """Whether the name of ``tag`` is the ``count`` small ``letters``, in any case."""
    i: Size
    if tag.name_end - tag.name != count:
        return False
    for i in range(count):
        if (t[tag.name + i] | 32) != letters[i]:
            return False
    return True
