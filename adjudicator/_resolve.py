# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Written moves on the board: from a descriptor to the legal moves that it can mean.

Compiled from this file (Cython, pure Python mode). The layout of a descriptor is that of `notation.descriptor`.
"""

import cython
from cython.cimports.adjudicator._board import (
    ALGEBRAIC,
    COORDINATE,
    DROP,
    EITHER_PLACE,
    FOREMOST,
    FRONT,
    MIDDLE,
    NOWHERE,
    PAIR,
    PLACE_THEN_FILE,
    RANKS_FROM_0,
    REAR,
    REARMOST,
    RELATIVE,
    Board,
    Rules,
    is_legal,
    piece_moves,
)
from cython.cimports.libc.stdint import uint8_t, uint32_t


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def resolve(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    said: uint32_t,
    reading: cython.int,
    out: cython.pointer(uint32_t),
) -> cython.int:
    """Write every legal move that ``said`` can mean to ``out`` (room for MOST_MOVES); return how many.

    ``reading`` tells what the text leaves open: RANKS_FROM_0, and for two-digit soldiers PLACE_THEN_FILE
    or EITHER_PLACE. One move is an answer, none is illegal, several are ambiguous.
    """
    kind: cython.int = said & 7
    base: cython.int = 1 if reading & RANKS_FROM_0 else 2
    file: cython.int = cython.cast(cython.int, (said >> 11) & 15) - 1
    rank: cython.int = cython.cast(cython.int, (said >> 15) & 15) - base
    start_file: cython.int
    start_rank: cython.int
    start: cython.int
    to: cython.int
    piece: cython.int
    promotion: cython.int
    i: cython.int
    j: cython.int
    n: cython.int
    count: cython.int = 0
    moves: uint32_t[64]
    if kind == RELATIVE:
        count = _relative(r, b, said, reading, False, out)
        return count if count else _relative(r, b, said, reading, True, out)
    if kind != COORDINATE and kind != ALGEBRAIC and kind != DROP:
        return 0
    if file < 0 or file >= r.files or rank < 0 or rank >= r.ranks:
        return 0
    to = rank * r.files + file
    promotion = r.letter_type[(said >> 19) & 31] if (said >> 19) & 31 else 0
    if kind != DROP and (said >> 19) & 31 and not promotion:
        return 0  # to a piece that this game does not have
    if kind == DROP:
        out[0] = NOWHERE | to << 8 | cython.cast(uint32_t, r.letter_type[(said >> 24) & 31]) << 16
        return is_legal(r, b, out[0])
    start_file = cython.cast(cython.int, (said >> 3) & 15) - 1
    start_rank = cython.cast(cython.int, (said >> 7) & 15)
    if kind == COORDINATE:
        start_rank -= base
        if start_file < 0 or start_file >= r.files or start_rank < 0 or start_rank >= r.ranks:
            return 0
        out[0] = (start_rank * r.files + start_file) | to << 8 | cython.cast(uint32_t, promotion) << 16
        return is_legal(r, b, out[0])
    piece = r.letter_type[(said >> 24) & 31] | b.side << 4
    if start_rank:
        start_rank -= base
    else:
        start_rank = -1
    for i in range(b.count[b.side]):
        start = b.men[b.side][i]
        if b.at[start] != piece:
            continue
        if start_file >= 0 and r.file_of[start] != start_file:
            continue
        if (said >> 7) & 15 and r.rank_of[start] != start_rank:
            continue
        n = piece_moves(r, b, start, moves)
        for j in range(n):
            if cython.cast(cython.int, moves[j] >> 8) == (to | promotion << 8) and is_legal(r, b, moves[j]):
                out[count] = moves[j]
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _relative(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    said: uint32_t,
    reading: cython.int,
    loose: cython.bint,
    out: cython.pointer(uint32_t),
) -> cython.int:
    """`resolve` for WXF and Chinese: which pieces, then which of their moves.

    With three or five soldiers on a file the plain file digit names the middle one (WXF notation page,
    "Tandem pawns" I and II); ``loose`` drops that and lets legality decide.
    """
    us: cython.int = b.side
    piece: cython.int = r.letter_type[(said >> 24) & 31] | us << 4
    number: cython.int = (said >> 3) & 15
    marker: cython.int = (said >> 7) & 15
    action: cython.int = (said >> 11) & 3
    target: cython.int = (said >> 15) & 15
    second: cython.int = (said >> 19) & 15
    word: cython.bint = (said >> 23) & 1
    forward: cython.int = -1 if us else 1
    points: uint8_t[64]
    moves: uint32_t[64]
    n: cython.int = 0
    i: cython.int
    j: cython.int
    k: cython.int
    f: cython.int
    mates: cython.int
    place: cython.int
    order: cython.int
    there: cython.int
    across: cython.int
    ahead: cython.int
    count: cython.int = 0
    fits: cython.bint
    if (piece & 15) == 0:
        return 0
    for i in range(b.count[us]):
        if b.at[b.men[us][i]] == piece:
            points[n] = b.men[us][i]
            n += 1
    for i in range(n):
        f = r.file_of[points[i]]
        there = f + 1 if us else r.files - f  # the file's number from the mover's right
        if marker == 0 and number != there:
            continue
        mates = 0  # like pieces on the file, this one included
        place = 1  # from the front
        for j in range(n):
            if r.file_of[points[j]] == f:
                mates += 1
                if (
                    forward
                    * (
                        cython.cast(cython.int, r.rank_of[points[j]])
                        - cython.cast(cython.int, r.rank_of[points[i]])
                    )
                    > 0
                ):
                    place += 1
        if marker == 0:
            if not loose and mates > 1 and mates & 1 and place != (mates + 1) // 2:
                continue
        elif mates < 2:
            continue
        elif marker == PAIR:
            fits = False
            if not reading & PLACE_THEN_FILE or reading & EITHER_PLACE:
                # The federation's: the file, then the plain file digit of the middle soldier.
                fits = number == there and second == number and mates & 1 and place == (mates + 1) // 2
            if reading & (PLACE_THEN_FILE | EITHER_PLACE) and second == there and number == place:
                fits = True
            if not fits:
                continue
        else:
            if number and number != there:
                continue
            if marker == FRONT:
                fits = place == (2 if mates > 3 and not word else 1)
            elif marker == REAR:
                fits = place == (mates - 1 if mates > 3 and not word else mates)
            elif marker == MIDDLE:
                fits = mates & 1 and place == (mates + 1) // 2
            elif marker == FOREMOST:
                fits = place == 1
            elif marker == REARMOST:
                fits = place == mates
            elif number:
                fits = place == marker
            else:  # 一兵 … 五兵: over all files with several, right file first, front to rear
                order = place
                for j in range(r.files):
                    if (j < f) if us else (j > f):
                        k = 0
                        for across in range(n):
                            k += r.file_of[points[across]] == j
                        if k > 1:
                            order += k
                fits = order == marker
            if not fits:
                continue
        k = piece_moves(r, b, points[i], moves)
        for j in range(k):
            across = (moves[j] >> 8) & 127
            ahead = forward * (
                cython.cast(cython.int, r.rank_of[across]) - cython.cast(cython.int, r.rank_of[points[i]])
            )
            across = r.file_of[across]
            if action == 0:
                fits = ahead == 0 and target == (across + 1 if us else r.files - across)
            else:
                fits = ahead > 0 if action == 1 else ahead < 0
                if ahead < 0:
                    ahead = -ahead
                fits = fits and target == (ahead if across == f else (across + 1 if us else r.files - across))
            if fits and is_legal(r, b, moves[j]):
                out[count] = moves[j]
                count += 1
    return count
