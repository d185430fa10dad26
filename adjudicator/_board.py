# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The board: one generic kernel that reads a rule set's tables and never its name.

Compiled from this file (Cython, pure Python mode); layouts are in ``_board.pxd``. Nothing here allocates
per move or touches a Python object, except `Tables` and `Cursor` at the edge. A move is
``from | to << 8 | promotion << 16``.

Counting legal replies is the hot path. Away from check a move of any piece but the general is
illegal only if it starts on a *suspect* point (the lone blocker of a line onto the general, one of two
screens before a cannon, the leg of a horse) or lands on a *forbidden* one (it would give a cannon its
screen). `find_danger` lists both; every other move is counted without being made.
"""

import cython
from cython.cimports.libc.stdint import uint8_t, uint32_t, uint64_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy, memset

# Lowest and highest set bit of a line of at most ten points.
_low = cython.declare(uint8_t[1024])
_high = cython.declare(uint8_t[1024])


def _fill_bits() -> None:
    i: cython.int
    for i in range(1, 1024):
        _low[i] = (i & -i).bit_length() - 1
        _high[i] = int(i).bit_length() - 1


_fill_bits()


@cython.cclass
class Tables:
    """A rule set as the kernel sees it. Made by `adjudicator.compile`; read-only afterwards.

    ``plan`` is the mapping that `compile.plan` returns: board size, per piece riding modes and steps,
    keys. Raises ValueError when a board does not fit (at most 10 ranks, 10 files, 15 piece types).
    """

    def __cinit__(self):
        memset(cython.address(self.rules), 0, cython.sizeof(Rules))

    def __init__(self, plan: dict):
        r: cython.pointer(Rules) = cython.address(self.rules)
        i: cython.int
        p: cython.int
        side: cython.int
        if plan["files"] > 10 or plan["ranks"] > 10 or plan["types"] > 15:
            raise ValueError("the kernel knows boards up to 10 by 10 and 15 kinds of piece")
        r.files = plan["files"]
        r.ranks = plan["ranks"]
        r.points = r.files * r.ranks
        r.types = plan["types"]
        for i in range(r.points):
            r.file_of[i] = i % r.files
            r.rank_of[i] = i // r.files
        r.facing = plan["facing"]
        r.key_side = plan["key_side"]
        for p, value in plan["rides"].items():
            r.rides[p] = value
        for p in plan["royal"]:
            r.royal[p] = 1
        for i, value in plan["letters"].items():
            r.letter_type[i] = value
        for p, keys in plan["keys"].items():
            for i in range(r.points):
                r.key[p][i] = keys[i]
        steps = plan["steps"]  # piece -> list over points of [(to, leg, modes), ...]
        total = sum(len(here) for points in steps.values() for here in points)
        r.step = cython.cast(cython.pointer(uint32_t), malloc(4 * (total + 1)))
        r.source = cython.cast(cython.pointer(uint32_t), malloc(4 * (total + 1)))
        if r.step == cython.NULL or r.source == cython.NULL:
            raise MemoryError
        n: cython.uint = 0
        for p in range(32):
            for i in range(128):
                r.step_at[p * 128 + i] = n
                if p in steps and i < r.points:
                    for to, leg, modes in steps[p][i]:
                        r.step[n] = to | leg << 8 | modes << 16
                        n += 1
        r.step_at[32 * 128] = n
        arrivals: dict = {}
        for p, points in steps.items():
            for i, here in enumerate(points):
                for to, leg, modes in here:
                    entry = i | leg << 8 | modes << 16 | p << 24
                    arrivals.setdefault((p >> 4, to), []).append(entry)
        n = 0
        for side in range(2):
            for i in range(128):
                r.source_at[side * 128 + i] = n
                for entry in arrivals.get((side, i), ()):
                    r.source[n] = entry
                    n += 1
        r.source_at[256] = n

    def __dealloc__(self):
        free(self.rules.step)
        free(self.rules.source)


# ---- occupancy ---------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), point: cython.int, piece: cython.int
) -> cython.void:
    """Place ``piece`` on ``point``, or clear the point when it is 0."""
    old: cython.int = b.at[point]
    side: cython.int
    last: cython.int
    if old:
        side = old >> 4
        b.count[side] -= 1
        last = b.men[side][b.count[side]]
        b.men[side][b.place[point]] = last
        b.place[last] = b.place[point]
        b.key ^= r.key[old][point]
        if r.royal[old]:
            b.general[side] = ABSENT
    if piece:
        side = piece >> 4
        b.men[side][b.count[side]] = point
        b.place[point] = b.count[side]
        b.count[side] += 1
        b.key ^= r.key[piece][point]
        if r.royal[piece]:
            b.general[side] = point
        b.row[r.rank_of[point]] |= 1 << r.file_of[point]
        b.column[r.file_of[point]] |= 1 << r.rank_of[point]
    else:
        b.row[r.rank_of[point]] &= ~(1 << r.file_of[point])
        b.column[r.file_of[point]] &= ~(1 << r.rank_of[point])
    b.at[point] = piece


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t, u: cython.pointer(Undo)
) -> cython.void:
    """Make a pseudo-legal move; ``u`` remembers what `take_back` needs."""
    start: cython.int = move & 127
    to: cython.int = (move >> 8) & 127
    u.changes = 2
    u.point[0] = start
    u.piece[0] = b.at[start]
    u.point[1] = to
    u.piece[1] = b.at[to]
    u.since_capture = b.since_capture
    u.key = b.key
    if b.at[to]:
        b.since_capture = 0
    else:
        b.since_capture += 1
    put(r, b, start, 0)
    put(r, b, to, u.piece[0])
    b.side ^= 1
    b.key ^= r.key_side


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_back(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), u: cython.pointer(cython.const[Undo])
) -> cython.void:
    """Undo the last `play`."""
    i: cython.int
    b.side ^= 1
    for i in range(u.changes - 1, -1, -1):
        put(r, b, u.point[i], u.piece[i])
    b.since_capture = u.since_capture
    b.key = u.key


# ---- attacks -------------------------------------------------------------------------------------
# Along a line of n points, `ahead` and `behind` are the nearest occupied coordinates beyond a position
# on either side, n and -1 when there is none.


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _ahead(occupied: cython.int, position: cython.int, n: cython.int) -> cython.int:
    rest: cython.int = occupied >> (position + 1)
    return position + 1 + _low[rest] if rest else n


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _behind(occupied: cython.int, position: cython.int) -> cython.int:
    rest: cython.int = occupied & ((1 << position) - 1)
    return _high[rest] if rest else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def attacked(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    point: cython.int,
    by: cython.int,
) -> cython.bint:
    """Whether ``by`` could capture on ``point`` by a pseudo-legal move, were an enemy there.

    Facing counts (rulesets.md, xiangqi: "a facing general attacks the other").
    """
    f: cython.int = r.file_of[point]
    k: cython.int = r.rank_of[point]
    occupied: cython.int
    hit: cython.int
    piece: cython.int
    turn: cython.int
    i: cython.uint
    entry: uint32_t
    occupied = b.row[k]
    for turn in range(2):
        hit = _ahead(occupied, f, r.files) if turn else _behind(occupied, f)
        if hit < 0 or hit >= r.files:
            continue
        piece = b.at[k * r.files + hit]
        if (piece >> 4) == by and r.rides[piece] & RIDE_CAPTURE:
            return True
        hit = _ahead(occupied, hit, r.files) if turn else _behind(occupied, hit)
        if hit < 0 or hit >= r.files:
            continue
        piece = b.at[k * r.files + hit]
        if (piece >> 4) == by and r.rides[piece] & HOP_CAPTURE:
            return True
    occupied = b.column[f]
    for turn in range(2):
        hit = _ahead(occupied, k, r.ranks) if turn else _behind(occupied, k)
        if hit < 0 or hit >= r.ranks:
            continue
        piece = b.at[hit * r.files + f]
        if (piece >> 4) == by and (r.rides[piece] & RIDE_CAPTURE or (r.facing and r.royal[piece])):
            return True
        hit = _ahead(occupied, hit, r.ranks) if turn else _behind(occupied, hit)
        if hit < 0 or hit >= r.ranks:
            continue
        piece = b.at[hit * r.files + f]
        if (piece >> 4) == by and r.rides[piece] & HOP_CAPTURE:
            return True
    for i in range(r.source_at[by * 128 + point], r.source_at[by * 128 + point + 1]):
        entry = r.source[i]
        if b.at[entry & 127] == entry >> 24 and not b.at[(entry >> 8) & 127] and entry & (CAPTURE << 16):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    d: cython.pointer(Danger),
    us: cython.int,
    occupied: cython.int,
    position: cython.int,
    n: cython.int,
    base: cython.int,
    stride: cython.int,
    forward: cython.bint,
    facing: cython.bint,
) -> cython.void:
    """Note what one line does to the general at ``position`` of it: see `find_danger`."""
    one: cython.int
    two: cython.int
    three: cython.int
    first: cython.int
    second: cython.int
    third: cython.int
    i: cython.int
    low: cython.int
    high: cython.int
    one = _ahead(occupied, position, n) if forward else _behind(occupied, position)
    if one < 0 or one >= n:
        return
    first = b.at[base + one * stride]
    if (first >> 4) != us:
        if r.rides[first] & RIDE_CAPTURE or (facing and r.royal[first]):
            d.checker[d.checkers] = base + one * stride
            d.checkers += 1
            low = position + 1 if forward else one
            high = one if forward else position - 1
            for i in range(low, high + 1):
                d.cure[d.cures] = base + i * stride
                d.cures += 1
        elif r.rides[first] & HOP_CAPTURE:
            # A cannon with an open line: whoever steps between becomes its screen.
            low = position + 1 if forward else one + 1
            high = one - 1 if forward else position - 1
            for i in range(low, high + 1):
                d.forbid[d.forbidden] = base + i * stride
                d.forbidden += 1
    two = _ahead(occupied, one, n) if forward else _behind(occupied, one)
    if two < 0 or two >= n:
        return
    second = b.at[base + two * stride]
    if (second >> 4) != us:
        if (first >> 4) == us and (r.rides[second] & RIDE_CAPTURE or (facing and r.royal[second])):
            d.suspect[d.suspects] = base + one * stride
            d.suspects += 1
        if r.rides[second] & HOP_CAPTURE:
            d.checker[d.checkers] = base + two * stride
            d.checkers += 1
            low = position + 1 if forward else two
            high = two if forward else position - 1
            for i in range(low, high + 1):
                if i != one:
                    d.cure[d.cures] = base + i * stride
                    d.cures += 1
            if (first >> 4) == us:  # the screen may step aside
                d.suspect[d.suspects] = base + one * stride
                d.suspects += 1
    three = _ahead(occupied, two, n) if forward else _behind(occupied, two)
    if three < 0 or three >= n:
        return
    third = b.at[base + three * stride]
    if (third >> 4) != us and r.rides[third] & HOP_CAPTURE:
        if (first >> 4) == us:
            d.suspect[d.suspects] = base + one * stride
            d.suspects += 1
        if (second >> 4) == us:
            d.suspect[d.suspects] = base + two * stride
            d.suspects += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_danger(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(cython.const[Board]), d: cython.pointer(Danger)
) -> cython.void:
    """List checkers, suspects, forbidden points and cures for the side to move.

    Along each line from the general: the first piece may be a checking rider (or the facing general), or
    a cannon that lacks a screen; the second a rider behind a lone blocker, or a cannon behind its
    screen; the third a cannon behind two screens. Of steps (horses, soldiers) the attackers and the legs.
    """
    us: cython.int = b.side
    point: cython.int = b.general[us]
    i: cython.uint
    entry: uint32_t
    leg: cython.int
    d.checkers = 0
    d.suspects = 0
    d.forbidden = 0
    d.cures = 0
    if point == ABSENT:
        return
    f: cython.int = r.file_of[point]
    k: cython.int = r.rank_of[point]
    _look(r, b, d, us, b.row[k], f, r.files, k * r.files, 1, True, False)
    _look(r, b, d, us, b.row[k], f, r.files, k * r.files, 1, False, False)
    _look(r, b, d, us, b.column[f], k, r.ranks, f, r.files, True, r.facing)
    _look(r, b, d, us, b.column[f], k, r.ranks, f, r.files, False, r.facing)
    for i in range(r.source_at[(us ^ 1) * 128 + point], r.source_at[(us ^ 1) * 128 + point + 1]):
        entry = r.source[i]
        if b.at[entry & 127] == entry >> 24 and entry & (CAPTURE << 16):
            leg = (entry >> 8) & 127
            if not b.at[leg]:
                d.checker[d.checkers] = entry & 127
                d.checkers += 1
                d.cure[d.cures] = entry & 127
                d.cures += 1
                if leg != NOWHERE:
                    d.cure[d.cures] = leg
                    d.cures += 1
            elif (b.at[leg] >> 4) == us:
                d.suspect[d.suspects] = leg
                d.suspects += 1


# ---- moves ---------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _line_moves(
    b: cython.pointer(cython.const[Board]),
    rides: cython.int,
    us: cython.int,
    start: cython.int,
    occupied: cython.int,
    position: cython.int,
    n: cython.int,
    base: cython.int,
    stride: cython.int,
    out: cython.pointer(uint32_t),
) -> cython.int:
    count: cython.int = 0
    i: cython.int
    near: cython.int
    far: cython.int
    near = _ahead(occupied, position, n)
    if rides & RIDE_QUIET:
        for i in range(position + 1, near):
            out[count] = start | (base + i * stride) << 8
            count += 1
    if near < n:
        if rides & RIDE_CAPTURE and (b.at[base + near * stride] >> 4) != us:
            out[count] = start | (base + near * stride) << 8
            count += 1
        if rides & (HOP_QUIET | HOP_CAPTURE):
            far = _ahead(occupied, near, n)
            if rides & HOP_QUIET:
                for i in range(near + 1, far):
                    out[count] = start | (base + i * stride) << 8
                    count += 1
            if rides & HOP_CAPTURE and far < n and (b.at[base + far * stride] >> 4) != us:
                out[count] = start | (base + far * stride) << 8
                count += 1
    near = _behind(occupied, position)
    if rides & RIDE_QUIET:
        for i in range(near + 1, position):
            out[count] = start | (base + i * stride) << 8
            count += 1
    if near >= 0:
        if rides & RIDE_CAPTURE and (b.at[base + near * stride] >> 4) != us:
            out[count] = start | (base + near * stride) << 8
            count += 1
        if rides & (HOP_QUIET | HOP_CAPTURE):
            far = _behind(occupied, near)
            if rides & HOP_QUIET:
                for i in range(far + 1, near):
                    out[count] = start | (base + i * stride) << 8
                    count += 1
            if rides & HOP_CAPTURE and far >= 0 and (b.at[base + far * stride] >> 4) != us:
                out[count] = start | (base + far * stride) << 8
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def piece_moves(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    point: cython.int,
    out: cython.pointer(uint32_t),
) -> cython.int:
    """Write the pseudo-legal moves of the piece on ``point`` to ``out``; return how many."""
    piece: cython.int = b.at[point]
    us: cython.int = piece >> 4
    rides: cython.int = r.rides[piece]
    count: cython.int = 0
    f: cython.int
    k: cython.int
    i: cython.uint
    entry: uint32_t
    target: cython.int
    if rides:
        f = r.file_of[point]
        k = r.rank_of[point]
        count = _line_moves(b, rides, us, point, b.row[k], f, r.files, k * r.files, 1, out)
        count += _line_moves(b, rides, us, point, b.column[f], k, r.ranks, f, r.files, out + count)
    for i in range(r.step_at[piece * 128 + point], r.step_at[piece * 128 + point + 1]):
        entry = r.step[i]
        if b.at[(entry >> 8) & 127]:
            continue
        target = b.at[entry & 127]
        if target == 0:
            if entry & (QUIET << 16):
                out[count] = point | (entry & 127) << 8
                count += 1
        elif (target >> 4) != us and entry & (CAPTURE << 16):
            out[count] = point | (entry & 127) << 8
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _count_line(
    b: cython.pointer(cython.const[Board]),
    rides: cython.int,
    us: cython.int,
    occupied: cython.int,
    position: cython.int,
    n: cython.int,
    base: cython.int,
    stride: cython.int,
) -> cython.int:
    count: cython.int = 0
    near: cython.int
    far: cython.int
    near = _ahead(occupied, position, n)
    if rides & RIDE_QUIET:
        count += near - position - 1
    if near < n:
        if rides & RIDE_CAPTURE and (b.at[base + near * stride] >> 4) != us:
            count += 1
        if rides & (HOP_QUIET | HOP_CAPTURE):
            far = _ahead(occupied, near, n)
            if rides & HOP_QUIET:
                count += far - near - 1
            if rides & HOP_CAPTURE and far < n and (b.at[base + far * stride] >> 4) != us:
                count += 1
    near = _behind(occupied, position)
    if rides & RIDE_QUIET:
        count += position - near - 1
    if near >= 0:
        if rides & RIDE_CAPTURE and (b.at[base + near * stride] >> 4) != us:
            count += 1
        if rides & (HOP_QUIET | HOP_CAPTURE):
            far = _behind(occupied, near)
            if rides & HOP_QUIET:
                count += near - far - 1
            if rides & HOP_CAPTURE and far >= 0 and (b.at[base + far * stride] >> 4) != us:
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _count_piece(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(cython.const[Board]), point: cython.int
) -> cython.int:
    """How many pseudo-legal moves the piece on ``point`` has."""
    piece: cython.int = b.at[point]
    us: cython.int = piece >> 4
    rides: cython.int = r.rides[piece]
    count: cython.int = 0
    f: cython.int
    k: cython.int
    i: cython.uint
    entry: uint32_t
    target: cython.int
    if rides:
        f = r.file_of[point]
        k = r.rank_of[point]
        count = _count_line(b, rides, us, b.row[k], f, r.files, k * r.files, 1)
        count += _count_line(b, rides, us, b.column[f], k, r.ranks, f, r.files)
    for i in range(r.step_at[piece * 128 + point], r.step_at[piece * 128 + point + 1]):
        entry = r.step[i]
        if b.at[(entry >> 8) & 127]:
            continue
        target = b.at[entry & 127]
        if target == 0:
            count += (entry >> 16) & QUIET
        elif (target >> 4) != us and entry & (CAPTURE << 16):
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_safe(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t) -> cython.bint:
    """Whether a pseudo-legal move leaves the mover's general unattacked.

    Only board and occupancy change for the test; lists and key stay behind.
    """
    start: cython.int = move & 127
    to: cython.int = (move >> 8) & 127
    piece: cython.int = b.at[start]
    captured: cython.int = b.at[to]
    us: cython.int = piece >> 4
    general: cython.int = to if r.royal[piece] else b.general[us]
    safe: cython.bint
    if general == ABSENT:
        return True
    sf: cython.int = r.file_of[start]
    sk: cython.int = r.rank_of[start]
    tf: cython.int = r.file_of[to]
    tk: cython.int = r.rank_of[to]
    b.at[start] = 0
    b.at[to] = piece
    b.row[sk] &= ~(1 << sf)
    b.column[sf] &= ~(1 << sk)
    b.row[tk] |= 1 << tf
    b.column[tf] |= 1 << tk
    safe = not attacked(r, b, general, us ^ 1)
    if not captured:
        b.row[tk] &= ~(1 << tf)
        b.column[tf] &= ~(1 << tk)
    b.row[sk] |= 1 << sf
    b.column[sf] |= 1 << sk
    b.at[to] = captured
    b.at[start] = piece
    return safe


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_legal(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t) -> cython.bint:
    """Whether any move at all, from a side's own point or not, is legal."""
    moves: uint32_t[64]
    i: cython.int
    start: cython.int = move & 127
    if not b.at[start] or (b.at[start] >> 4) != b.side:
        return False
    for i in range(piece_moves(r, b, start, moves)):
        if moves[i] == move:
            return is_safe(r, b, move)
    return False


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _holds(points: cython.pointer(cython.const[uint8_t]), n: cython.int, point: cython.int) -> cython.bint:
    i: cython.int
    for i in range(n):
        if points[i] == point:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def legal_moves(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), out: cython.pointer(uint32_t)
) -> cython.int:
    """Write all legal moves of the side to move to ``out`` (room for MOST_MOVES); return how many."""
    danger: Danger
    moves: uint32_t[64]
    count: cython.int = 0
    i: cython.int
    j: cython.int
    n: cython.int
    point: cython.int
    to: cython.int
    tested: cython.bint
    find_danger(r, b, cython.address(danger))
    for i in range(b.count[b.side]):
        point = b.men[b.side][i]
        n = piece_moves(r, b, point, moves)
        tested = (
            danger.checkers > 0
            or point == b.general[b.side]
            or _holds(danger.suspect, danger.suspects, point)
        )
        for j in range(n):
            to = (moves[j] >> 8) & 127
            if tested:
                if is_safe(r, b, moves[j]):
                    out[count] = moves[j]
                    count += 1
            elif not _holds(danger.forbid, danger.forbidden, to):
                out[count] = moves[j]
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_legal(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), d: cython.pointer(cython.const[Danger])
) -> cython.int:
    """Number of legal moves of the side to move, given its `find_danger`."""
    moves: uint32_t[64]
    us: cython.int = b.side
    general: cython.int = b.general[us]
    count: cython.int = 0
    i: cython.int
    j: cython.int
    n: cython.int
    point: cython.int
    to: cython.int
    if d.checkers:
        for i in range(b.count[us]):
            point = b.men[us][i]
            n = piece_moves(r, b, point, moves)
            if point == general or _holds(d.suspect, d.suspects, point):
                for j in range(n):
                    count += is_safe(r, b, moves[j])
            else:
                for j in range(n):
                    if _holds(d.cure, d.cures, (moves[j] >> 8) & 127):
                        count += is_safe(r, b, moves[j])
        return count
    for i in range(b.count[us]):
        point = b.men[us][i]
        if point == general or (d.suspects and _holds(d.suspect, d.suspects, point)):
            n = piece_moves(r, b, point, moves)
            for j in range(n):
                count += is_safe(r, b, moves[j])
        elif d.forbidden:
            n = piece_moves(r, b, point, moves)
            for j in range(n):
                to = (moves[j] >> 8) & 127
                count += not _holds(d.forbid, d.forbidden, to)
        else:
            count += _count_piece(r, b, point)
    return count


# ---- written moves -------------------------------------------------------------------------------
# The layout of a written move is that of `notation.descriptor`.


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
    i: cython.int
    j: cython.int
    n: cython.int
    count: cython.int = 0
    moves: uint32_t[64]
    if kind == RELATIVE:
        count = _relative(r, b, said, reading, False, out)
        return count if count else _relative(r, b, said, reading, True, out)
    if kind != COORDINATE and kind != ALGEBRAIC:
        return 0
    if file < 0 or file >= r.files or rank < 0 or rank >= r.ranks:
        return 0
    to = rank * r.files + file
    start_file = cython.cast(cython.int, (said >> 3) & 15) - 1
    start_rank = cython.cast(cython.int, (said >> 7) & 15)
    if kind == COORDINATE:
        start_rank -= base
        if start_file < 0 or start_file >= r.files or start_rank < 0 or start_rank >= r.ranks:
            return 0
        out[0] = (start_rank * r.files + start_file) | to << 8
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
            if cython.cast(cython.int, (moves[j] >> 8) & 127) == to and is_safe(r, b, moves[j]):
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
            if fits and is_safe(r, b, moves[j]):
                out[count] = moves[j]
                count += 1
    return count


# ---- perft ---------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _perft(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), depth: cython.int) -> uint64_t:
    moves: uint32_t[512]
    danger: Danger
    undo: Undo
    nodes: uint64_t = 0
    i: cython.int
    n: cython.int
    if depth == 0:
        return 1
    if depth == 1:
        find_danger(r, b, cython.address(danger))
        return count_legal(r, b, cython.address(danger))
    n = legal_moves(r, b, moves)
    for i in range(n):
        play(r, b, moves[i], cython.address(undo))
        nodes += _perft(r, b, depth - 1)
        take_back(r, b, cython.address(undo))
    return nodes


@cython.cclass
class Cursor:
    """A position that Python can hold and move: the kernel behind `adjudicator.Position`.

    Points and pieces are kernel numbers; `Position` gives them names. The caller answers for
    legality: `push` plays what it is given.
    """

    tables: Tables
    board: Board
    stack: cython.pointer(Undo)
    depth: cython.int
    room: cython.int

    def __cinit__(self, tables: Tables, pieces: bytes, side: cython.int, since_capture: cython.int = 0):
        i: cython.int
        self.tables = tables
        self.stack = cython.NULL
        memset(cython.address(self.board), 0, cython.sizeof(Board))
        self.board.general[0] = ABSENT
        self.board.general[1] = ABSENT
        for i in range(tables.rules.points):
            if pieces[i]:
                put(cython.address(tables.rules), cython.address(self.board), i, pieces[i])
        self.board.side = side
        self.board.since_capture = since_capture
        if side:
            self.board.key ^= tables.rules.key_side

    def __dealloc__(self):
        free(self.stack)

    def pieces(self) -> bytes:
        """Piece codes by point."""
        return bytes(self.board.at[: self.tables.rules.points])

    @property
    def side(self) -> int:
        return self.board.side

    @property
    def since_capture(self) -> int:
        return self.board.since_capture

    @property
    def key(self) -> int:
        return self.board.key

    def legal(self) -> list:
        """Legal moves as ``(from, to, promotion)``."""
        moves: uint32_t[512]
        n: cython.int = legal_moves(cython.address(self.tables.rules), cython.address(self.board), moves)
        return [(moves[i] & 127, (moves[i] >> 8) & 127, moves[i] >> 16) for i in range(n)]

    def pseudo_legal(self, point: cython.int) -> list:
        """Moves of the piece on ``point`` without regard to its general, as ``(from, to, promotion)``."""
        moves: uint32_t[64]
        n: cython.int = 0
        if self.board.at[point]:
            n = piece_moves(cython.address(self.tables.rules), cython.address(self.board), point, moves)
        return [(moves[i] & 127, (moves[i] >> 8) & 127, moves[i] >> 16) for i in range(n)]

    def checkers(self) -> list:
        """Points of the pieces that attack the general of the side to move."""
        danger: Danger
        find_danger(cython.address(self.tables.rules), cython.address(self.board), cython.address(danger))
        return [danger.checker[i] for i in range(danger.checkers)]

    def is_attacked(self, point: cython.int, by: cython.int) -> bool:
        return attacked(cython.address(self.tables.rules), cython.address(self.board), point, by)

    def general(self, side: cython.int):
        """The point of a side's general, or None."""
        point: cython.int = self.board.general[side]
        return None if point == ABSENT else point

    def push(self, start: cython.int, to: cython.int, promotion: cython.int = 0) -> None:
        self._grow()
        play(
            cython.address(self.tables.rules),
            cython.address(self.board),
            start | to << 8 | promotion << 16,
            cython.address(self.stack[self.depth]),
        )
        self.depth += 1

    def meanings(self, said: uint32_t, reading: cython.int) -> list:
        """Legal moves that a descriptor can mean, as ``(from, to, promotion)``; see `resolve`."""
        moves: uint32_t[512]
        n: cython.int = resolve(
            cython.address(self.tables.rules), cython.address(self.board), said, reading, moves
        )
        return [(moves[i] & 127, (moves[i] >> 8) & 127, moves[i] >> 16) for i in range(n)]

    def pop(self) -> None:
        """Undo the last push; raises IndexError when there is none."""
        if self.depth == 0:
            raise IndexError("no move to take back")
        self.depth -= 1
        take_back(
            cython.address(self.tables.rules),
            cython.address(self.board),
            cython.address(self.stack[self.depth]),
        )

    def perft(self, depth: cython.int) -> int:
        """Number of legal move sequences of ``depth`` plies (GIL released)."""
        nodes: uint64_t
        copy: Board = self.board
        with cython.nogil:
            nodes = _perft(cython.address(self.tables.rules), cython.address(copy), depth)
        return nodes

    @cython.cfunc
    def _grow(self):
        room: cython.int
        bigger: cython.pointer(Undo)
        if self.depth < self.room:
            return
        room = 2 * self.room + 64
        bigger = cython.cast(cython.pointer(Undo), malloc(room * cython.sizeof(Undo)))
        if bigger == cython.NULL:
            raise MemoryError
        if self.depth:
            memcpy(bigger, self.stack, self.depth * cython.sizeof(Undo))
        free(self.stack)
        self.stack = bigger
        self.room = room
