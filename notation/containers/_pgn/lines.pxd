# Bytes, lines and tag pairs, for both machines. Places are of bytes; what is looked at ends before `n`.

ctypedef const unsigned char* Text
ctypedef Py_ssize_t Size

cdef enum:
    # The mark of a file in UTF-8.
    MARK_0 = 0xEF
    MARK_1 = 0xBB
    MARK_2 = 0xBF

cdef enum:
    LONGEST_NAME = 255         # of a tag
    MOST_NAMES = 64            # of a game's tags that another's is compared with
    # How far below its first line a value may end, in lines, and in bytes up to where the line begins.
    MOST_LINES = 16
    FARTHEST = 4096

cdef struct Tag:
    # Where the parts of a tag stand; the value without its quotes.
    Size name
    Size name_end
    Size value
    Size value_end
    bint broken                # not written as it should be

cdef Size line_end(Text t, Size i, Size n) noexcept nogil
cdef bint tag_open(Text t, Size i, Size n, Tag* tag) noexcept nogil
cdef Size tag_close(Text t, Size n, Tag* tag) noexcept nogil
cdef Size bracket_line(Text t, Size i, Size n) noexcept nogil
cdef Size bare_tag(Text t, Size i, Size n, Tag* tag) noexcept nogil
cdef bint is_called(Text t, const Tag* tag, const char* letters, Size count) noexcept nogil

cdef inline bint is_digit(unsigned char c) noexcept nogil:
    return c'0' <= c <= c'9'

cdef inline int digit(unsigned char c) noexcept nogil:
    return c - c'0'

cdef inline bint is_letter(unsigned char c) noexcept nogil:
    return c'a' <= (c | 32) <= c'z'

cdef inline bint is_break(unsigned char c) noexcept nogil:
    return c == c'\n' or c == c'\r'

cdef inline bint is_blank(unsigned char c) noexcept nogil:
    # Blank within a line: white space and control characters.
    return c <= c' ' and not is_break(c)

cdef inline bint is_mark(Text t, Size i, Size n) noexcept nogil:
    return t[i] == MARK_0 and i + 2 < n and t[i + 1] == MARK_1 and t[i + 2] == MARK_2

cdef inline bint ends_line(Text t, Size i, Size n) noexcept nogil:
    # Whether the byte at `i` is a line break, or the last byte of one.
    return t[i] == c'\n' or (t[i] == c'\r' and not (i + 1 < n and t[i + 1] == c'\n'))

cdef inline Size next_line(Text t, Size e, Size n) noexcept nogil:
    # The start of the line after the break at `e`.
    if e >= n:
        return n
    return e + 2 if t[e] == c'\r' and e + 1 < n and t[e + 1] == c'\n' else e + 1

cdef inline Size skip_blanks(Text t, Size i, Size n) noexcept nogil:
    while i < n and is_blank(t[i]):
        i += 1
    return i

cdef inline Size trim_front(Text t, Size s, Size e) noexcept nogil:
    # The first byte of `s:e` that is neither a blank nor a line break, or `e`.
    while s < e and t[s] <= c' ':
        s += 1
    return s

cdef inline Size trim_back(Text t, Size s, Size e) noexcept nogil:
    # The place after the last such byte, or `s`.
    while e > s and t[e - 1] <= c' ':
        e -= 1
    return e

cdef inline Size read_whole(Text t, Size i, Size n, long long most, long long* value) noexcept nogil:
    # The place after the digits at `i`; once the number has come to `most`, more digits do not count.
    value[0] = 0
    while i < n and is_digit(t[i]):
        if value[0] < most:
            value[0] = value[0] * 10 + digit(t[i])
        i += 1
    return i
