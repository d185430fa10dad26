# Layouts and functions that the compiled modules share. A piece is its type (1..15) plus 16 for
# Black; 0 is an empty point. A point is rank * files + file.

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    POINTS = 128      # board array; the last entry is the leg of a step that has none: always empty
    NOWHERE = 127     # that leg; and the origin of a drop
    ABSENT = 255      # a general that is not on the board
    MOST_MEN = 64     # pieces of a side on the board; who has so many drops no more
    MOST_HELD = 60    # of a kind in reserve
    MOST_IRON = 8     # iron pieces
    MOST_MOVES = 1024 # more than any position here allows, drops included
    # How a piece rides a line: to an empty point, to an enemy, and over one screen. The same bits, shifted by
    # SLANTED, tell how it rides diagonals.
    RIDE_QUIET = 1
    RIDE_CAPTURE = 2
    HOP_QUIET = 4
    HOP_CAPTURE = 8
    SLANTED = 4
    # What a step may do.
    QUIET = 1
    CAPTURE = 2
    # Kinds and markers of a written move: notation.descriptor.
    COORDINATE = 1
    RELATIVE = 2
    ALGEBRAIC = 3
    DROP = 4
    FRONT = 6
    REAR = 7
    MIDDLE = 8
    FOREMOST = 9
    REARMOST = 10
    PAIR = 11
    # How it is read: where ranks start, and what two digits of a soldier mean.
    RANKS_FROM_0 = 1
    PLACE_THEN_FILE = 2
    EITHER_PLACE = 4

cdef enum:
    # What a capture does besides taking its target.
    REPLACE = 0        # the capturer stands there now
    VANISH = 1         # the capturer goes too
    BLAST = 2          # and so does what stands beside it, unless it is spared

cdef struct Seat:
    # Where a point is on a line (a rank, file or diagonal): the points of the line stand at the places from 1 to
    # `points`, place p being point `zero` + p * `stride`.
    uint8_t line
    uint8_t place
    uint8_t points
    uint8_t stride
    int16_t zero

cdef struct Rules:
    int files
    int ranks
    int points
    int types
    uint8_t file_of[128]
    uint8_t rank_of[128]
    int ways                   # a point lies on a rank and a file (2), and on two diagonals if some piece rides them
    Seat seat[128][4]          # by point and way; a rank's line has the rank's number
    uint8_t rides[32]          # by piece: RIDE_QUIET | …, and the same for diagonals << SLANTED
    uint8_t may[2][32]         # by side to move and what stands on a point: QUIET, CAPTURE or 0 for an own piece
    uint8_t legs[32]           # by piece: something can stand in the way of its steps
    uint8_t royal[32]
    uint8_t letter_type[32]    # letter A=1..Z=26 -> type; 0 (no letter written) -> the soldier's type
    int facing                 # generals attack each other along an open file
    int needed                 # a side without its general has lost and has no move
    int diagonals              # some piece rides diagonals
    int blasts                 # some capture takes more than its target
    int holds                  # there are reserves
    int creations              # how often a player may create one position; 0: as often as he likes
    uint8_t effect[32]         # by capturing piece: REPLACE, VANISH or BLAST
    uint8_t spared[32]         # by piece: stays when a capture explodes beside it
    uint8_t beside[128][4]     # orthogonal neighbours, NOWHERE beyond the edge
    uint8_t around[128][8]     # all eight
    uint8_t keeps[16]          # by kind: captured, it enters the capturer's reserve
    uint16_t drop[32][10]      # by piece and rank: files where it may be dropped, bit = file
    uint8_t shuns[32]          # the piece beside which this one may not be dropped, or 0
    uint8_t promotes[32][128]  # by piece and point reached: must promote there
    uint8_t promotion[32][8]   # by piece: kinds it may promote to, 0 after the last
    uint8_t royal_kind         # the kind of the general
    uint8_t prize_kind         # the kind whose capture pays out, or 0
    uint8_t prizes             # how many of it a side starts with
    uint8_t won[8][4]          # n-th capture: kinds for the capturer's reserve, 0 after the last
    uint8_t given[8][4]        # n-th capture: kinds for the loser's reserve
    uint32_t* step             # to | leg << 8 | modes << 16 | moves << 24: more than one where it promotes
    uint32_t step_at[32 * 128 + 1]
    uint32_t* source           # from | leg << 8 | modes << 16 | piece << 24: steps that arrive at a point
    uint32_t source_at[2 * 128 + 1]
    uint64_t key[32][128]      # position key of a piece on a point
    uint64_t key_held[32][64]  # and of so many of a piece in reserve
    uint64_t key_side

cdef struct Board:
    uint8_t at[128]
    uint16_t line[2][64]       # by side, its places on a line, bit = place; the two beyond the ends count as everyone's
    uint8_t men[2][64]         # points of each side's pieces, in no order
    uint8_t place[128]         # where a point stands in its side's list
    uint8_t count[2]
    uint8_t general[2]
    uint8_t held[2][16]        # reserves, by kind; kind 0: how many kinds there are
    uint8_t iron[MOST_IRON]    # points whose piece may not be captured until it moves (IRON_SOLDIER: see below)
    int irons
    int side
    int since_capture
    uint64_t key
    const uint64_t* banned     # positions that the side to move may not create again
    int bans

cdef enum:
    IRON_SOLDIER = 128         # added to a point of `iron`: a capture that gives check is allowed

cdef struct Undo:
    uint8_t start              # of a piece that moved and is still there; NOWHERE: none
    uint8_t to
    uint8_t piece              # as it was before it promoted
    int changes                # other points that changed, in order: what stood there, and its place in its side's list
    uint8_t point[8]
    uint8_t stood[8]
    uint8_t place[8]
    uint8_t held[2][16]
    uint8_t iron[MOST_IRON]
    int irons
    int since_capture
    uint64_t key

cdef struct Danger:
    # What bears on the general of the side to move.
    int checkers
    uint8_t checker[32]
    int suspects               # points whose piece may not move freely (pins, screens, legs)
    uint8_t suspect[32]
    int forbidden              # empty points where any own piece would become a cannon's screen
    uint8_t forbid[32]
    int cures                  # with check: points where a move may meet it
    uint8_t cure[192]

cdef class Tables:
    # A rule set's tables: see the docstring in _board.py.
    cdef Rules rules

cdef int piece_moves(const Rules* r, const Board* b, int point, uint32_t* out) noexcept nogil
cdef int legal_moves(const Rules* r, Board* b, uint32_t* out) noexcept nogil
cdef int count_legal(const Rules* r, Board* b, const Danger* d) noexcept nogil
cdef bint is_safe(const Rules* r, Board* b, uint32_t move) noexcept nogil
cdef bint is_legal(const Rules* r, Board* b, uint32_t move) noexcept nogil
cdef void find_danger(const Rules* r, const Board* b, Danger* d) noexcept nogil
cdef bint attacked(const Rules* r, const Board* b, int point, int by) noexcept nogil
cdef bint threatened(const Rules* r, const Board* b, int side) noexcept nogil
cdef void play(const Rules* r, Board* b, uint32_t move, Undo* u) noexcept nogil
cdef void take_back(const Rules* r, Board* b, const Undo* u) noexcept nogil
cdef void hold(const Rules* r, Board* b, int side, int kind, int by) noexcept nogil
cdef void put(const Rules* r, Board* b, int point, int piece) noexcept nogil
cdef bint must_place(const Rules* r, const Board* b) noexcept nogil
cdef bint may_drop(const Rules* r, const Board* b, int piece, int point) noexcept nogil
cdef set_up(const Rules* r, Board* b, bytes pieces, int side, int since_capture, tuple held, tuple iron)
