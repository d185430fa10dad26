# Where bytes are not ASCII, or not UTF-8.

from notation.containers._pgn.lines cimport Size, Text

cdef enum:
    # Classes of text.
    ASCII = 0
    LONG = 1                   # strict UTF-8, with a character of three bytes or more
    SHORT = 2                  # strict UTF-8, with characters of two bytes at most
    NOT_UTF8 = 3
    NO_CHARACTER = -128        # the weight of a pair of bytes that is none

cdef Size find_high(Text t, Size i, Size n) noexcept nogil
cdef Size find_bad(Text t, Size i, Size n) noexcept nogil
cdef check_spans(long long[::1] begins, long long[::1] ends, Size size)
