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


# A piece among those like it, as WXF and Chinese count: by the mover, files from his right, places from the front.
# ``file`` is the board's and ``number`` the mover's of one file, on which ``stack`` of them stand.
_Place = cython.struct(file=cython.int, number=cython.int, stack=cython.int, place=cython.int)

# What the text of a relative move says; the parts are those of `notation.descriptor`.
_Said = cython.struct(
    number=cython.int,
    marker=cython.int,
    action=cython.int,
    target=cython.int,
    second=cython.int,
    word=cython.bint,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _relative(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    word: uint32_t,
    reading: cython.int,
    loose: cython.bint,
    out: cython.pointer(uint32_t),
) -> cython.int:
    """`resolve` for WXF and Chinese: which pieces, then which of their moves."""
    piece: cython.int = r.letter_type[(word >> 24) & 31] | b.side << 4
    said: _Said
    place: _Place
    points: uint8_t[64]
    moves: uint32_t[64]
    like: cython.int = 0
    count: cython.int = 0
    i: cython.int
    j: cython.int
    if (piece & 15) == 0:
        return 0
    said.number = (word >> 3) & 15
    said.marker = (word >> 7) & 15
    said.action = (word >> 11) & 3
    said.target = (word >> 15) & 15
    said.second = (word >> 19) & 15
    said.word = (word >> 23) & 1
    for i in range(b.count[b.side]):
        if b.at[b.men[b.side][i]] == piece:
            points[like] = b.men[b.side][i]
            like += 1
    for i in range(like):
        place.file = r.file_of[points[i]]
        place.number = _file_number(r, b.side, place.file)
        if said.marker == 0 and said.number != place.number:
            continue  # most pieces are told from others by that
        _find_place(r, b.side, points, like, points[i], cython.address(place))
        if not _is_meant(
            r, b.side, points, like, cython.address(said), cython.address(place), reading, loose
        ):
            continue
        for j in range(piece_moves(r, b, points[i], moves)):
            if _is_step(r, b.side, cython.address(said), points[i], (moves[j] >> 8) & 127) and is_legal(
                r, b, moves[j]
            ):
                out[count] = moves[j]
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _file_number(r: cython.pointer(cython.const[Rules]), side: cython.int, file: cython.int) -> cython.int:
    """A file's number, counted from 1 at the right of ``side``."""
    return file + 1 if side else r.files - file


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _ahead(
    r: cython.pointer(cython.const[Rules]), side: cython.int, start: cython.int, to: cython.int
) -> cython.int:
    """How many ranks ``to`` is in front of ``start``, as ``side`` sees it."""
    ranks: cython.int = cython.cast(cython.int, r.rank_of[to]) - cython.cast(cython.int, r.rank_of[start])
    return -ranks if side else ranks


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _find_place(
    r: cython.pointer(cython.const[Rules]),
    side: cython.int,
    points: cython.pointer(cython.const[uint8_t]),
    like: cython.int,
    point: cython.int,
    place: cython.pointer(_Place),
) -> cython.void:
    """How many of the ``like`` pieces share the file of the one on ``point``, and which of them it is."""
    i: cython.int
    place.stack = 0
    place.place = 1
    for i in range(like):
        if r.file_of[points[i]] == place.file:
            place.stack += 1
            place.place += _ahead(r, side, point, points[i]) > 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _is_meant(
    r: cython.pointer(cython.const[Rules]),
    side: cython.int,
    points: cython.pointer(cython.const[uint8_t]),
    like: cython.int,
    said: cython.pointer(cython.const[_Said]),
    p: cython.pointer(cython.const[_Place]),
    reading: cython.int,
    loose: cython.bint,
) -> cython.bint:
    """Whether the piece at ``p`` is one that ``said`` may mean.

    With three or five soldiers on a file the plain file digit names the middle one (WXF notation page,
    "Tandem pawns" I and II); ``loose`` drops that and lets legality decide.
    """
    middle: cython.bint = p.stack & 1 and p.place == (p.stack + 1) // 2
    many: cython.bint = (
        p.stack > 3 and not said.word
    )  # front and rear are those beside the first and the last
    if said.marker == 0:
        return loose or p.stack < 2 or not p.stack & 1 or middle
    if p.stack < 2:
        return False
    if said.marker == PAIR:
        if reading & (PLACE_THEN_FILE | EITHER_PLACE) and said.second == p.number and said.number == p.place:
            return True
        if reading & PLACE_THEN_FILE and not reading & EITHER_PLACE:
            return False
        # The federation's: the file, then the plain file digit of the middle soldier.
        return said.number == p.number and said.second == p.number and middle
    if said.number and said.number != p.number:
        return False
    if said.marker == FRONT:
        return p.place == (2 if many else 1)
    if said.marker == REAR:
        return p.place == (p.stack - 1 if many else p.stack)
    if said.marker == MIDDLE:
        return middle
    if said.marker == FOREMOST:
        return p.place == 1
    if said.marker == REARMOST:
        return p.place == p.stack
    if said.number:
        return p.place == said.marker
    return _ordinal(r, side, points, like, p) == said.marker


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _ordinal(
    r: cython.pointer(cython.const[Rules]),
    side: cython.int,
    points: cython.pointer(cython.const[uint8_t]),
    like: cython.int,
    p: cython.pointer(cython.const[_Place]),
) -> cython.int:
    """一兵 … 五兵: the place over all files with several like pieces, right file first, front to rear."""
    ordinal: cython.int = p.place
    file: cython.int
    stack: cython.int
    i: cython.int
    for file in range(r.files):
        if _file_number(r, side, file) < p.number:
            stack = 0
            for i in range(like):
                stack += r.file_of[points[i]] == file
            if stack > 1:
                ordinal += stack
    return ordinal


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _is_step(
    r: cython.pointer(cython.const[Rules]),
    side: cython.int,
    said: cython.pointer(cython.const[_Said]),
    start: cython.int,
    to: cython.int,
) -> cython.bint:
    """Whether a move is sideways, forwards or backwards, as ``said``, and goes so far, or to that file."""
    ahead: cython.int = _ahead(r, side, start, to)
    file: cython.int = _file_number(r, side, r.file_of[to])
    if said.action == 0:
        return ahead == 0 and said.target == file
    if (ahead <= 0) if said.action == 1 else (ahead >= 0):
        return False
    if r.file_of[to] == r.file_of[start]:
        return said.target == (ahead if ahead > 0 else -ahead)
    return said.target == file
