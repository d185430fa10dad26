# What engines write into comments.

from libc.math cimport NAN

from notation.containers._pgn.lines cimport Size, Text

cdef enum:
    COMMON = 32                # bytes that `read_common` may look at: 1 + 6 + 1 + 4 + 1 + 3 + 1 + 6 + 1 + 4 + 2, and some
    MOST = 32767               # moves to mate, and depth
    MOST_DIGITS = 18           # of a decimal that count
    HIGHEST = 100000           # whole numbers grow no more once they are so high

cdef struct Figures:
    float evaluation           # pawns; NaN: none
    float seconds              # NaN: none
    short mate                 # moves; 0: none
    short depth                # -1: none

cdef inline void clear(Figures* said) noexcept nogil:
    said.evaluation = said.seconds = NAN
    said.mate = 0
    said.depth = -1

cdef inline bint says_nothing(const Figures* said) noexcept nogil:
    return said.depth == -1 and said.mate == 0 and said.evaluation != said.evaluation and said.seconds != said.seconds

cdef void complete(Figures* known, const Figures* said) noexcept nogil
cdef Size read_common(Text t, Size p, Size e, Figures* said, Size* line_start) noexcept nogil
cdef Size read_figures(Text t, Size s, Size e, Figures* said) noexcept nogil
cdef void read_commands(Text t, Size s, Size e, Figures* said) noexcept nogil
cdef Size read_command(Text t, Size s, Size e, Figures* said) noexcept nogil
cdef Size copy_words(Text t, Size s, Size e, unsigned char* out) noexcept nogil
