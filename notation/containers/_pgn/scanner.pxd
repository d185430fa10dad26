# What a scanner knows of the game that it reads.

from notation.containers._pgn.lines cimport Size

cpdef enum:
    MOST_FAULTS = 100          # of a game, of kinds that may come again with every word
    LONGEST_TOKEN = 200
    MOST_PLIES = 1000000       # a hundred times the longest game: memory is bounded, whatever a file holds
    MOST_UNSHAPED = 10000      # words that do not look like moves, and are more than those that do

cdef enum:
    HIGHEST_GLYPH = 255

cdef enum:
    # Places in FAULTS.
    BAD_TAG = 0
    DUPLICATE_TAG = 1
    EMPTY_GAME = 2
    LONG_TOKEN = 3
    MISSING_TERMINATOR = 4
    MOVE_NUMBER = 5
    NOT_MOVES = 6
    PLY_COUNT = 7
    RESULT_MISMATCH = 8
    TEXT_AFTER_END = 9
    TEXT_BEFORE_MOVES = 10
    UNCLOSED_COMMENT = 11
    UNCLOSED_VARIATION = 12
    UNOPENED_COMMENT = 13
    UNOPENED_VARIATION = 14
    NESTED_COMMENT = 15
    LONG_GAME = 16

cdef enum:
    # Places in EVENTS.
    TOKEN = 0
    COMMENT = 1
    LINE_COMMENT = 2
    NAG = 3
    OPEN = 4
    CLOSE = 5
    TERMINATOR = 6
    AGAIN = 7

cdef enum:
    # What a byte may begin in the move text.
    PLAIN = 0
    BLANK = 1
    BREAK = 2
    SIGN = 3
    WIDE = 4                   # a full-width sign

cdef struct Place:
    # Where something stands, with its line.
    Size at
    Size line
    Size line_start

cdef struct Game:
    # The game in hand.
    Place begin
    Size end
    Size first_fault
    # Tags.
    Size tags
    int result                 # that the tag claims
    int result_rank            # 2: the tag is spelled as it should be, 1: in other letters, 0: there is none
    long long plies_claimed    # -1: no tag says a number
    Size plies_claimed_at
    Size plies_claimed_end
    int plies_claimed_rank
    # Words.
    Place first_word           # after the tags; -1: none
    Size plies                 # words outside of variations that may be moves
    Size shaped                # of those, how many look like moves
    Size unshaped              # and how many do not
    int rank_flags             # RANK_0 | RANK_10
    # Move numbers.
    long long number           # the last; -1: none
    Size numbers
    bint misnumbered
    bint fresh_number          # no move since
    bint dropped               # the words before the first number
    # Variations.
    Size level                 # how deep
    Size variations
    Place opened               # where the outermost begins
    int inner_result           # what its moves end with
    # The end.
    int terminator
    Place terminated
    Size terminated_end
    # Brackets.
    Size unclosed              # none closes before this place, on the line in hand
