# Codes that the replay writes; `adjudicator._replay` gives them names for Python.

cdef enum:
    # How a game's replay ended: the `status` of a game.
    ALL_PLAYED = 0
    UNREADABLE = 1
    ILLEGAL = 2
    AMBIGUOUS = 3
    NOT_STARTED = 4
    OUT_OF_MEMORY = 5

cdef enum:
    # The `flags` column, bit by bit.
    F_DROP = 1
    F_CHECK = 2
    F_WIDE = 4
    F_DISCOVERED = 8
    F_DOUBLE = 16
    F_FACING = 32
    F_MATE = 64
    F_STALEMATE = 128
    F_CAPTURE = 256
    F_GENERAL_GONE = 512
    F_OVERWRITTEN = 1024

cdef enum:
    NONE = 255         # no point, no piece

cdef enum:
    # The `reading` of a game.
    R_FROM_0 = 1
    R_FIND_OUT = 2
    R_BOTH = 4

cdef enum:
    # What ended a game, and the order of tests on one ply.
    E_UNFINISHED = 0
    E_GENERAL = 1
    E_CHECKMATE = 2
    E_STALEMATE = 3
    E_REPETITION = 4
    E_PERPETUAL_CHECK = 5
    E_MUTUAL_PERPETUAL_CHECK = 6
    E_NO_CAPTURE = 7

cdef enum:
    # How many plies the checks beyond those allowed take off the count without captures.
    D_NONE = 0
    D_REPLIES = 1      # themselves and the replies to them
    D_LARGER = 2       # two for every one of the side that gave more
    D_SMALLER = 3      # two for every one of the side that gave fewer: either side may claim
