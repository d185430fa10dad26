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
