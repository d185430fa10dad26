# What a side could win: by captures on one point, by mate, by a run of checks. Shared by the compiled modules.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from adjudicator._board cimport Board, Rules

cdef struct Set:
    # A set of points, one bit each.
    uint64_t low
    uint64_t high

cdef struct Asked:
    # What exchanges and searches go by.
    uint8_t value[16]          # worth of each kind of piece in an exchange
    int soldier                # the kind that is worth something only beyond the river, and cannot be given for a gain
    int checks                 # length of a run of checks
    int ruin                   # length of the mates that a winning capture may run into
    int nodes                  # bound of each search for mate
    int run_nodes              # and of each search for what a run of checks wins

cdef inline bint has(Set s, int point) noexcept nogil:
    return (s.low >> point & 1) if point < 64 else (s.high >> (point - 64) & 1)

cdef inline bint some(Set s) noexcept nogil:
    return s.low != 0 or s.high != 0

cdef inline Set minus(Set s, Set other) noexcept nogil:
    s.low &= ~other.low
    s.high &= ~other.high
    return s

cdef Set checks_on(const Rules* r, Board* b, int side) noexcept nogil
cdef bint exposed(const Rules* r, Board* b, int side, Set before, bint royal) noexcept nogil
cdef bint crossed(const Rules* r, const Board* b, int point) noexcept nogil
cdef bint reaches(const Rules* r, const Board* b, int start, int to) noexcept nogil
cdef int exchange(const Rules* r, Board* b, int point, const Set* standing, const uint8_t* value) noexcept nogil
cdef int mates(const Rules* r, Board* b, int checks, int* nodes) noexcept nogil
cdef int wins_by_checks(const Rules* r, Board* b, const Asked* asked, uint32_t* out, int room) noexcept nogil
