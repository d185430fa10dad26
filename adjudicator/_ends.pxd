# Codes of ends and clocks; `adjudicator._ends` gives them names for Python.

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

cdef enum:
    # The `winner` of a game that no side has won.
    W_DRAW = 2
    W_OPEN = 3
