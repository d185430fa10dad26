# What words and signs of the move text are, for both machines.

from notation.containers._pgn.lines cimport Size, Text

cdef enum:
    # What a wide sign is: up to WIDE_STAR it ends a word; from WIDE_DIGIT on it is a digit.
    NO_SIGN = 0
    WIDE_BLANK = 1
    WIDE_OPENING = 2
    WIDE_CLOSING = 3
    WIDE_STAR = 4
    WIDE_DOTS = 5
    WIDE_GOOD = 6              # ！
    WIDE_BAD = 7               # ？
    WIDE_DIGIT = 10

cdef enum:
    # Three bytes of UTF-8 as one number.
    ELLIPSIS = 0xE280A6               # …
    TWO_DOTS = 0xE280A5               # ‥
    IDEOGRAPHIC_SPACE = 0xE38080
    IDEOGRAPHIC_COMMA = 0xE38081      # 、
    IDEOGRAPHIC_STOP = 0xE38082       # 。
    FILE_MARK = 0xEFBBBF
    FULL_EXCLAMATION = 0xEFBC81       # ！
    FULL_OPENING = 0xEFBC88           # （
    FULL_CLOSING = 0xEFBC89           # ）
    FULL_STAR = 0xEFBC8A              # ＊
    FULL_STOP = 0xEFBC8E              # ．
    FULL_0 = 0xEFBC90                 # ０
    FULL_9 = 0xEFBC99                 # ９
    FULL_QUESTION = 0xEFBC9F          # ？
    FORWARD = 0xE8BF9B                # 进
    FORWARD_TRADITIONAL = 0xE980B2    # 進
    BACKWARD = 0xE98080               # 退
    SIDEWAYS = 0xE5B9B3               # 平

cdef enum:
    # Terminators: see `notation.record`.
    RED_WON = 1
    BLACK_WON = 2
    DRAWN = 3
    UNFINISHED = 4
    OTHER = 5
    LONGEST_RESULT = 21        # bytes
    MOST_RESULTS = 80          # that are not ASCII
    HIGHEST = 1000000          # move numbers grow no more once they are so high

cdef enum:
    # What is known of a lexeme.
    RANK_0 = 1                 # it names a rank 0
    RANK_10 = 2
    SHAPED = 4                 # it looks like a move
    KNOWN = 8

cdef int wide_sign(Text t, Size p, Size n) noexcept nogil
cdef int ascii_result(Text t, Size s, Size e) noexcept nogil
cdef int result_of(Text t, Size s, Size e) noexcept nogil
cdef Size skip_dots(Text t, Size s, Size e) noexcept nogil
cdef Size read_number(Text t, Size s, Size e, long long* value) noexcept nogil
cdef Size read_glyph(Text t, Size s, Size e, int* glyph) noexcept nogil
cdef Size read_glyph_back(Text t, Size s, Size e, int* glyph) noexcept nogil
cdef bint looks_like_move(Text t, Size s, Size e) noexcept nogil
cdef bint is_shaped(Text t, Size s, Size e) noexcept nogil
cdef int look_at(Text t, Size s, Size e) noexcept nogil
