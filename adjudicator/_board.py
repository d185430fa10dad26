# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The board: one generic kernel that reads a rule set's tables and never its name.

Compiled from this file (Cython, pure Python mode); layouts are in ``_board.pxd``. Nothing here allocates
per move or touches a Python object, except `Tables` at the edge. A move is ``from | to << 8 | kind << 16``:
``kind`` is what is promoted to, or dropped when ``from`` is NOWHERE.

A point lies on a rank, a file and, where some piece rides them, two diagonals (`Seat`). Of each line the board keeps
the places of either side as bits, the two places beyond its ends being everyone's: what a rider reaches is the
lowest or highest bit, and whether it captures there is one bit more.

Counting legal replies is the hot path. Away from check a move of any piece but the general is
illegal only if it starts on a *suspect* point (the lone blocker of a line onto the general, one of two
screens before a cannon, the leg of a horse) or lands on a *forbidden* one (it would give a cannon its
screen). `find_danger` lists both; every other move is counted without being made.
"""

import cython
from cython.cimports.libc.stdint import uint8_t, uint16_t, uint32_t, uint64_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy, memset

# Lowest and highest set bit of a line, and how many are set: at most ten points and the two places beyond.
_low = cython.declare(uint8_t[4096])
_high = cython.declare(uint8_t[4096])
_bits = cython.declare(uint8_t[4096])


def _fill_bits() -> None:
    i: cython.int
    for i in range(1, 4096):
        _low[i] = (i & -i).bit_length() - 1
        _high[i] = int(i).bit_length() - 1
        _bits[i] = int(i).bit_count()


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
        k: cython.int
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
        r.needed = plan["needed"]
        r.diagonals = plan["diagonals"]
        r.blasts = plan["blasts"]
        r.holds = plan["holds"]
        r.creations = plan["creations"]
        r.key_side = plan["key_side"]
        r.royal_kind = plan["royal_kind"]
        r.prize_kind = plan["prize_kind"]
        r.prizes = len(plan["won"])
        _draw_lines(r)
        for i in range(32):
            r.may[0][i] = CAPTURE if i > 16 else QUIET if i == 0 else 0
            r.may[1][i] = CAPTURE if 0 < i < 16 else QUIET if i == 0 else 0
        for i in range(128):
            for k in range(8):
                r.around[i][k] = NOWHERE
                r.beside[i][k & 3] = NOWHERE
        for i in range(r.points):
            for k, other in enumerate(plan["beside"][i]):
                r.beside[i][k] = other
            for k, other in enumerate(plan["around"][i]):
                r.around[i][k] = other
        for i, value in plan["letters"].items():
            r.letter_type[i] = value
        for i in plan["keeps"]:
            r.keeps[i] = 1
        for n_th, (won, given) in enumerate(zip(plan["won"], plan["given"], strict=True)):
            for k, kind in enumerate(won):
                r.won[n_th][k] = kind
            for k, kind in enumerate(given):
                r.given[n_th][k] = kind
        for p, piece in plan["pieces"].items():
            r.rides[p] = piece["rides"]
            r.royal[p] = piece["royal"]
            r.effect[p] = piece["effect"]
            r.spared[p] = piece["spared"]
            r.shuns[p] = piece["shuns"]
            for k, kind in enumerate(piece["promotion"]):
                r.promotion[p][k] = kind
            for i in piece["promotes"]:
                r.promotes[p][i] = 1
            for i in piece["drop"]:
                r.drop[p][r.rank_of[i]] |= 1 << r.file_of[i]
            for i in range(r.points):
                r.key[p][i] = piece["keys"][i]
            for k, value in enumerate(piece["held"]):
                r.key_held[p][k] = value
        # By piece, a list over points of [(to, leg, modes), ...].
        steps = {p: piece["steps"] for p, piece in plan["pieces"].items()}
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
                        k = len(plan["pieces"][p]["promotion"]) if r.promotes[p][to] else 1
                        r.step[n] = to | leg << 8 | modes << 16 | k << 24
                        r.legs[p] |= leg != NOWHERE
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


@cython.cfunc
def _draw_lines(r: cython.pointer(Rules)):
    """The ranks, the files, and where pieces ride them the diagonals of the board."""
    lines: dict = {}
    ways = ((1, 0), (0, 1), (1, 1), (-1, 1))
    way: cython.int
    i: cython.int
    point: cython.int
    r.ways = 4 if r.diagonals else 2
    for way, (dx, dy) in enumerate(ways[: r.ways]):
        for i in range(r.points):
            file, rank, along = r.file_of[i], r.rank_of[i], 0
            while 0 <= file - dx < r.files and rank >= dy:
                file, rank, along = file - dx, rank - dy, along + 1
            line = lines.setdefault((way, file, rank), [])
            line.append((i, along + 1))
    for number, ((way, file, rank), seats) in enumerate(lines.items()):
        dx, dy = ways[way]
        for point, place in seats:
            r.seat[point][way].line = number
            r.seat[point][way].place = place
            r.seat[point][way].points = len(seats)
            r.seat[point][way].stride = dy * r.files + dx
            r.seat[point][way].zero = (rank - dy) * r.files + file - dx


# ---- occupancy ---------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _occupy(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), side: cython.int, point: cython.int
) -> cython.void:
    seat: cython.pointer(cython.const[Seat]) = r.seat[point]
    b.line[side][seat[0].line] |= 1 << seat[0].place
    b.line[side][seat[1].line] |= 1 << seat[1].place
    if r.diagonals:
        b.line[side][seat[2].line] |= 1 << seat[2].place
        b.line[side][seat[3].line] |= 1 << seat[3].place


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _vacate(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), side: cython.int, point: cython.int
) -> cython.void:
    seat: cython.pointer(cython.const[Seat]) = r.seat[point]
    b.line[side][seat[0].line] &= ~(1 << seat[0].place)
    b.line[side][seat[1].line] &= ~(1 << seat[1].place)
    if r.diagonals:
        b.line[side][seat[2].line] &= ~(1 << seat[2].place)
        b.line[side][seat[3].line] &= ~(1 << seat[3].place)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _lift(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), point: cython.int) -> cython.void:
    """Clear ``point``, on which a piece stands; the last of its side's list takes its place there."""
    piece: cython.int = b.at[point]
    side: cython.int = piece >> 4
    last: cython.int
    b.count[side] -= 1
    last = b.men[side][b.count[side]]
    b.men[side][b.place[point]] = last
    b.place[last] = b.place[point]
    b.key ^= r.key[piece][point]
    _vacate(r, b, side, point)
    b.at[point] = 0
    if r.royal[piece]:
        b.general[side] = ABSENT


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _stand(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    point: cython.int,
    piece: cython.int,
    place: cython.int,
) -> cython.void:
    """Put ``piece`` on the empty ``point``, at ``place`` of its side's list; who was there goes to the list's end."""
    side: cython.int = piece >> 4
    if place < b.count[side]:
        b.men[side][b.count[side]] = b.men[side][place]
        b.place[b.men[side][place]] = b.count[side]
    b.men[side][place] = point
    b.place[point] = place
    b.count[side] += 1
    b.key ^= r.key[piece][point]
    _occupy(r, b, side, point)
    b.at[point] = piece
    if r.royal[piece]:
        b.general[side] = point


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _go(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    start: cython.int,
    to: cython.int,
    piece: cython.int,
) -> cython.void:
    """Move what stands on ``start`` to the empty ``to``, where it is ``piece``; the list of men keeps its order."""
    side: cython.int = piece >> 4
    b.men[side][b.place[start]] = to
    b.place[to] = b.place[start]
    b.key ^= r.key[b.at[start]][start] ^ r.key[piece][to]
    _vacate(r, b, side, start)
    _occupy(r, b, side, to)
    b.at[start] = 0
    b.at[to] = piece
    if r.royal[piece]:
        b.general[side] = to


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), point: cython.int, piece: cython.int
) -> cython.void:
    """Place ``piece`` on ``point``, or clear the point when it is 0."""
    if b.at[point]:
        _lift(r, b, point)
    if piece:
        _stand(r, b, point, piece, b.count[piece >> 4])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hold(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    side: cython.int,
    kind: cython.int,
    by: cython.int,
) -> cython.void:
    """Add ``by`` (1 or -1) pieces of ``kind`` to a side's reserve."""
    piece: cython.int = kind | side << 4
    b.key ^= r.key_held[piece][b.held[side][kind] & 63]
    b.held[side][0] -= b.held[side][kind] != 0
    b.held[side][kind] += by
    b.held[side][0] += b.held[side][kind] != 0
    b.key ^= r.key_held[piece][b.held[side][kind] & 63]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _remove(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    u: cython.pointer(Undo),
    point: cython.int,
) -> cython.void:
    u.point[u.changes] = point
    u.stood[u.changes] = b.at[point]
    u.place[u.changes] = b.place[point]
    u.changes += 1
    _lift(r, b, point)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t, u: cython.pointer(Undo)
) -> cython.void:
    """Make a pseudo-legal move; ``u`` remembers what `take_back` needs."""
    start: cython.int = move & 127
    to: cython.int = (move >> 8) & 127
    kind: cython.int = move >> 16
    us: cython.int = b.side
    piece: cython.int
    captured: cython.int = b.at[to]
    i: cython.int
    point: cython.int
    u.start = NOWHERE
    u.to = to
    u.changes = 0
    u.since_capture = b.since_capture
    u.key = b.key
    u.irons = b.irons
    if r.holds:
        memcpy(u.held, b.held, cython.sizeof(b.held))
    if b.irons:
        memcpy(u.iron, b.iron, cython.sizeof(b.iron))
        for i in range(b.irons - 1, -1, -1):
            point = b.iron[i] & 127
            if point == start or point == to:  # noqa: SIM109
                b.irons -= 1
                b.iron[i] = b.iron[b.irons]
    b.since_capture = 0 if captured else b.since_capture + 1
    if start == NOWHERE:
        hold(r, b, us, kind, -1)
        _stand(r, b, to, kind | us << 4, b.count[us])
    else:
        piece = b.at[start]
        if captured and r.effect[piece] != REPLACE:
            _remove(r, b, u, start)
            _remove(r, b, u, to)
            if r.effect[piece] == BLAST:
                for i in range(4):
                    point = r.beside[to][i]
                    if b.at[point] and not r.spared[b.at[point]]:
                        _remove(r, b, u, point)
        else:
            if captured:
                _remove(r, b, u, to)
            u.start = start
            u.piece = piece
            _go(r, b, start, to, kind | us << 4 if kind else piece)
        if captured and r.holds:
            if r.keeps[captured & 15]:
                hold(r, b, us, captured & 15, 1)
            if (captured & 15) == r.prize_kind:
                _pay(r, b, us, captured)
    b.side ^= 1
    b.key ^= r.key_side


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pay(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), us: cython.int, captured: cython.int
) -> cython.void:
    """What the capture of a prize piece puts into the reserves, by how many of them are left."""
    taken: cython.int = r.prizes
    i: cython.int
    for i in range(b.count[us ^ 1]):
        taken -= b.at[b.men[us ^ 1][i]] == captured
    if taken < 1:
        return
    for i in range(4):
        if r.won[taken - 1][i]:
            hold(r, b, us, r.won[taken - 1][i], 1)
        if r.given[taken - 1][i]:
            hold(r, b, us ^ 1, r.given[taken - 1][i], 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_back(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), u: cython.pointer(cython.const[Undo])
) -> cython.void:
    """Undo the last `play`."""
    i: cython.int
    b.side ^= 1
    if u.start != NOWHERE:
        _go(r, b, u.to, u.start, u.piece)
    elif not u.changes:
        _lift(r, b, u.to)  # a drop
    for i in range(u.changes - 1, -1, -1):
        _stand(r, b, u.point[i], u.stood[i], u.place[i])
    if r.holds:
        memcpy(b.held, u.held, cython.sizeof(b.held))
    if u.irons:
        memcpy(b.iron, u.iron, cython.sizeof(b.iron))
    b.irons = u.irons
    b.since_capture = u.since_capture
    b.key = u.key


@cython.cfunc
def set_up(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    pieces: bytes,
    side: cython.int,
    since_capture: cython.int,
    held: tuple,
    iron: tuple,
):
    """Make ``b`` the position of `Cursor`'s arguments; ValueError when it holds more than a board has room for."""
    i: cython.int
    k: cython.int
    ends: cython.int
    memset(b, 0, cython.sizeof(Board))
    for i in range(r.points):
        for k in range(r.ways):
            ends = 1 | 2 << r.seat[i][k].points
            b.line[0][r.seat[i][k].line] = ends
            b.line[1][r.seat[i][k].line] = ends
    b.general[0] = ABSENT
    b.general[1] = ABSENT
    for i in range(r.points):
        if pieces[i]:
            if b.count[pieces[i] >> 4] == MOST_MEN:
                raise ValueError(f"more than {MOST_MEN} pieces of one side")
            put(r, b, i, pieces[i])
    for i in range(2):
        for k, count in held[i].items():
            if count > MOST_HELD:
                raise ValueError(f"more than {MOST_HELD} of a kind in reserve")
            hold(r, b, i, k, count)
    if len(iron) > MOST_IRON:
        raise ValueError(f"more than {MOST_IRON} iron pieces")
    for i in range(len(iron)):
        b.iron[i] = iron[i]
    b.irons = len(iron)
    b.side = side
    b.since_capture = since_capture
    if side:
        b.key ^= r.key_side


# ---- attacks -------------------------------------------------------------------------------------
# `_ahead` and `_behind` are the nearest occupied places of a line beyond a place on either side: a piece, or the end
# of the line, which always counts as occupied.


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _occupied(b: cython.pointer(cython.const[Board]), seat: cython.pointer(cython.const[Seat])) -> cython.int:
    """The occupied places of a point's line, a bit for each."""
    return b.line[0][seat.line] | b.line[1][seat.line]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _ahead(occupied: cython.int, place: cython.int) -> cython.int:
    return place + 1 + _low[occupied >> (place + 1)]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _behind(occupied: cython.int, place: cython.int) -> cython.int:
    return _high[occupied & ((1 << place) - 1)]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _rides(r: cython.pointer(cython.const[Rules]), piece: cython.int, way: cython.int) -> cython.int:
    """How ``piece`` rides the lines of a way: RIDE_QUIET | …"""
    return r.rides[piece] >> ((way >> 1) * SLANTED)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _struck(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    point: cython.int,
    by: cython.int,
    blasting: cython.bint,
) -> cython.bint:
    """Whether ``by`` could capture on ``point`` by a pseudo-legal move, were an enemy there.

    With ``blasting`` only captures that explode count, and none by a general, which would go too.
    """
    seat: cython.pointer(cython.const[Seat])
    occupied: cython.int
    hit: cython.int
    piece: cython.int
    way: cython.int
    forward: cython.int
    i: cython.uint
    entry: uint32_t
    for way in range(r.ways):
        seat = cython.address(r.seat[point][way])
        occupied = _occupied(b, seat)
        for forward in range(2):
            hit = seat.place
            hit = _ahead(occupied, hit) if forward else _behind(occupied, hit)
            if hit == 0 or hit > seat.points:
                continue
            piece = b.at[seat.zero + hit * seat.stride]
            if (piece >> 4) == by:
                if _rides(r, piece, way) & RIDE_CAPTURE and (not blasting or r.effect[piece] == BLAST):
                    return True
                if way == 1 and r.facing and r.royal[piece] and r.royal[b.at[point]]:
                    return True
            hit = _ahead(occupied, hit) if forward else _behind(occupied, hit)
            if hit == 0 or hit > seat.points:
                continue
            piece = b.at[seat.zero + hit * seat.stride]
            if (piece >> 4) == by and _rides(r, piece, way) & HOP_CAPTURE:
                if not blasting or r.effect[piece] == BLAST:
                    return True
    for i in range(r.source_at[by * 128 + point], r.source_at[by * 128 + point + 1]):
        entry = r.source[i]
        if b.at[entry & 127] == entry >> 24 and not b.at[(entry >> 8) & 127] and entry & (CAPTURE << 16):
            if not blasting or (r.effect[entry >> 24] == BLAST and not r.royal[entry >> 24]):
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def attacked(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    point: cython.int,
    by: cython.int,
) -> cython.bint:
    """Whether ``by`` could capture an enemy on ``point`` by a pseudo-legal move.

    A general is attacked by the other facing it (rulesets.md, xiangqi: "a facing general attacks the other").
    """
    return _struck(r, b, point, by, False)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def threatened(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(cython.const[Board]), side: cython.int
) -> cython.bint:
    """Whether a capture beside ``side``'s general would blow it up: wide check that is not direct.

    rulesets.md, atomic: the opponent, were it to move, has a legal move that removes the general. A blast that
    takes the opponent's own general as well is not legal; any other that takes this one is.
    """
    general: cython.int = b.general[side]
    own: cython.int = b.general[side ^ 1]
    i: cython.int
    j: cython.int
    point: cython.int
    near: cython.bint
    if not r.blasts or general == ABSENT:
        return False
    for i in range(4):
        point = r.beside[general][i]
        if not b.at[point] or (b.at[point] >> 4) != side:
            continue
        near = False
        for j in range(4):
            if r.beside[point][j] == own:
                near = True
        if not near and _struck(r, b, point, side ^ 1, True):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _between(
    seat: cython.pointer(cython.const[Seat]),
    one: cython.int,
    other: cython.int,
    points: cython.pointer(uint8_t),
    n: cython.int,
) -> cython.int:
    """Append the points between two places of a line to the ``n`` in ``points``; return how many there are then."""
    i: cython.int
    for i in range(min(one, other) + 1, max(one, other)):
        points[n] = seat.zero + i * seat.stride
        n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _note_checker(d: cython.pointer(Danger), point: cython.int) -> cython.void:
    """A piece that checks; taking it is a cure."""
    d.checker[d.checkers] = point
    d.checkers += 1
    d.cure[d.cures] = point
    d.cures += 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _note_suspect(d: cython.pointer(Danger), point: cython.int) -> cython.void:
    d.suspect[d.suspects] = point
    d.suspects += 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _look(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    d: cython.pointer(Danger),
    us: cython.int,
    general: cython.int,
    way: cython.int,
    forward: cython.bint,
) -> cython.void:
    """Note what one side of a line through ``general`` does to it: see `find_danger`."""
    seat: cython.pointer(cython.const[Seat]) = cython.address(r.seat[general][way])
    occupied: cython.int = _occupied(b, seat)
    place: cython.int = seat.place
    points: cython.int = seat.points
    facing: cython.bint = r.facing and way == 1
    one: cython.int = _ahead(occupied, place) if forward else _behind(occupied, place)
    two: cython.int
    three: cython.int
    if one == 0 or one > points:
        return
    one_point: cython.int = seat.zero + one * seat.stride
    first: cython.int = b.at[one_point]
    if (first >> 4) != us:
        if _rides(r, first, way) & RIDE_CAPTURE or (facing and r.royal[first]):
            _note_checker(d, one_point)
            d.cures = _between(seat, place, one, d.cure, d.cures)
        elif _rides(r, first, way) & HOP_CAPTURE:
            # A cannon with an open line: whoever steps between becomes its screen.
            d.forbidden = _between(seat, place, one, d.forbid, d.forbidden)
    two = _ahead(occupied, one) if forward else _behind(occupied, one)
    if two == 0 or two > points:
        return
    two_point: cython.int = seat.zero + two * seat.stride
    second: cython.int = b.at[two_point]
    if (second >> 4) != us:
        if (first >> 4) == us and (_rides(r, second, way) & RIDE_CAPTURE or (facing and r.royal[second])):
            _note_suspect(d, one_point)
        if _rides(r, second, way) & HOP_CAPTURE:
            _note_checker(d, two_point)
            d.cures = _between(seat, place, one, d.cure, d.cures)
            d.cures = _between(seat, one, two, d.cure, d.cures)
            if (first >> 4) == us:  # the screen may step aside
                _note_suspect(d, one_point)
    three = _ahead(occupied, two) if forward else _behind(occupied, two)
    if three == 0 or three > points:
        return
    third: cython.int = b.at[seat.zero + three * seat.stride]
    if (third >> 4) != us and _rides(r, third, way) & HOP_CAPTURE:
        if (first >> 4) == us:
            _note_suspect(d, one_point)
        if (second >> 4) == us:
            _note_suspect(d, two_point)


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
    way: cython.int
    i: cython.uint
    entry: uint32_t
    leg: cython.int
    d.checkers = 0
    d.suspects = 0
    d.forbidden = 0
    d.cures = 0
    if point == ABSENT:
        return
    _look(r, b, d, us, point, 0, True)
    _look(r, b, d, us, point, 0, False)
    _look(r, b, d, us, point, 1, True)
    _look(r, b, d, us, point, 1, False)
    for way in range(2, r.ways):
        _look(r, b, d, us, point, way, True)
        _look(r, b, d, us, point, way, False)
    for i in range(r.source_at[(us ^ 1) * 128 + point], r.source_at[(us ^ 1) * 128 + point + 1]):
        entry = r.source[i]
        if b.at[entry & 127] == entry >> 24 and entry & (CAPTURE << 16):
            leg = (entry >> 8) & 127
            if not b.at[leg]:
                _note_checker(d, entry & 127)
                if leg != NOWHERE:
                    d.cure[d.cures] = leg
                    d.cures += 1
            elif (b.at[leg] >> 4) == us:
                _note_suspect(d, leg)


# ---- moves ---------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _list_between(
    seat: cython.pointer(cython.const[Seat]),
    one: cython.int,
    other: cython.int,
    start: cython.int,
    out: cython.pointer(uint32_t),
    count: cython.int,
) -> cython.int:
    """Append the moves from ``start`` to the points between two places of a line."""
    i: cython.int
    for i in range(min(one, other) + 1, max(one, other)):
        out[count] = start | (seat.zero + i * seat.stride) << 8
        count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _list_line(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    rides: cython.int,
    us: cython.int,
    start: cython.int,
    way: cython.int,
    out: cython.pointer(uint32_t),
    count: cython.int,
) -> cython.int:
    """Append a piece's moves along one line to the ``count`` of ``out``; return how many there are then."""
    seat: cython.pointer(cython.const[Seat]) = cython.address(r.seat[start][way])
    occupied: cython.int = _occupied(b, seat)
    own: cython.int = b.line[us][seat.line]
    forward: cython.int
    near: cython.int
    far: cython.int
    for forward in range(2):
        near = _ahead(occupied, seat.place) if forward else _behind(occupied, seat.place)
        if rides & RIDE_QUIET:
            count = _list_between(seat, seat.place, near, start, out, count)
        if rides & RIDE_CAPTURE and not own >> near & 1:
            out[count] = start | (seat.zero + near * seat.stride) << 8
            count += 1
        if not rides & (HOP_QUIET | HOP_CAPTURE) or near == 0 or near > seat.points:
            continue
        far = _ahead(occupied, near) if forward else _behind(occupied, near)
        if rides & HOP_QUIET:
            count = _list_between(seat, near, far, start, out, count)
        if rides & HOP_CAPTURE and not own >> far & 1:
            out[count] = start | (seat.zero + far * seat.stride) << 8
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def must_place(r: cython.pointer(cython.const[Rules]), b: cython.pointer(cython.const[Board])) -> cython.bint:
    """Whether the side to move holds its general, which it must place: that is its turn."""
    return r.royal_kind != 0 and b.held[b.side][r.royal_kind] > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def piece_moves(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    point: cython.int,
    out: cython.pointer(uint32_t),
) -> cython.int:
    """Write the pseudo-legal moves of the piece on ``point`` to ``out``; return how many.

    Iron pieces count as capturable here; `is_safe` knows them.
    """
    piece: cython.int = b.at[point]
    us: cython.int = piece >> 4
    count: cython.int = 0
    way: cython.int
    i: cython.uint
    entry: uint32_t
    if r.rides[piece]:
        for way in range(r.ways):
            if _rides(r, piece, way) & 15:
                count = _list_line(r, b, _rides(r, piece, way), us, point, way, out, count)
    for i in range(r.step_at[piece * 128 + point], r.step_at[piece * 128 + point + 1]):
        entry = r.step[i]
        if not b.at[(entry >> 8) & 127] and (entry >> 16) & r.may[us][b.at[entry & 127]]:
            out[count] = point | (entry & 127) << 8
            count += 1
    return _promote(r, piece, out, count) if r.promotion[piece][0] else count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _promote(
    r: cython.pointer(cython.const[Rules]),
    piece: cython.int,
    out: cython.pointer(uint32_t),
    count: cython.int,
) -> cython.int:
    """Put every move that must promote once for each kind it may promote to."""
    n: cython.int = count
    i: cython.int
    k: cython.int
    for i in range(n):
        if r.promotes[piece][(out[i] >> 8) & 127]:
            for k in range(1, 8):
                if not r.promotion[piece][k]:
                    break
                out[count] = out[i] | cython.cast(uint32_t, r.promotion[piece][k]) << 16
                count += 1
            out[i] |= cython.cast(uint32_t, r.promotion[piece][0]) << 16
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_drop(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    piece: cython.int,
    point: cython.int,
) -> cython.bint:
    """Whether ``piece`` may be dropped on ``point``, its general's safety aside."""
    i: cython.int
    if b.at[point] or not (r.drop[piece][r.rank_of[point]] >> r.file_of[point]) & 1:
        return False
    if b.count[piece >> 4] == MOST_MEN:
        return False
    if r.shuns[piece]:
        for i in range(8):
            if b.at[r.around[point][i]] == r.shuns[piece]:
                return False
    return True


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _count_line(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    rides: cython.int,
    us: cython.int,
    start: cython.int,
    way: cython.int,
) -> cython.int:
    """How many moves `_list_line` would append."""
    seat: cython.pointer(cython.const[Seat]) = cython.address(r.seat[start][way])
    own: cython.int = b.line[us][seat.line]
    place: cython.int = seat.place
    occupied: cython.int
    ahead: cython.int
    behind: cython.int
    count: cython.int = 0
    if (own >> (place - 1) & 5) == 5 and not rides & (HOP_QUIET | HOP_CAPTURE):
        return 0  # hemmed in by its own: most often so in an opening
    occupied = _occupied(b, seat)
    ahead = _ahead(occupied, place)
    behind = _behind(occupied, place)
    if rides & RIDE_QUIET:
        count = ahead - behind - 2
    if rides & RIDE_CAPTURE:
        count += 2 - (own >> ahead & 1) - (own >> behind & 1)
    if not rides & (HOP_QUIET | HOP_CAPTURE):
        return count
    if ahead <= seat.points:
        place = _ahead(occupied, ahead)
        if rides & HOP_QUIET:
            count += place - ahead - 1
        if rides & HOP_CAPTURE:
            count += not own >> place & 1
    if behind:
        place = _behind(occupied, behind)
        if rides & HOP_QUIET:
            count += behind - place - 1
        if rides & HOP_CAPTURE:
            count += not own >> place & 1
    return count


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _count_piece(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(cython.const[Board]), point: cython.int
) -> cython.int:
    """How many pseudo-legal moves the piece on ``point`` has: what `piece_moves` would list."""
    moves: uint32_t[64]
    piece: cython.int = b.at[point]
    us: cython.int = piece >> 4
    count: cython.int = 0
    rides: cython.int
    legs: cython.bint = r.legs[piece]
    i: cython.uint
    entry: uint32_t
    if r.rides[piece]:
        if r.promotion[piece][0]:
            return piece_moves(r, b, point, moves)
        rides = r.rides[piece]
        if rides & 15:
            count = _count_line(r, b, rides & 15, us, point, 0) + _count_line(r, b, rides & 15, us, point, 1)
        if rides >> SLANTED:
            rides >>= SLANTED
            count += _count_line(r, b, rides, us, point, 2) + _count_line(r, b, rides, us, point, 3)
    for i in range(r.step_at[piece * 128 + point], r.step_at[piece * 128 + point + 1]):
        entry = r.step[i]
        if legs and b.at[(entry >> 8) & 127]:
            continue
        if (entry >> 16) & r.may[us][b.at[entry & 127]]:
            count += entry >> 24
    return count


# ---- legality --------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_safe(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t) -> cython.bint:
    """Whether a pseudo-legal move of the side to move is legal: what it leaves its general in, and what it takes."""
    start: cython.int = move & 127
    to: cython.int = (move >> 8) & 127
    captured: cython.int = b.at[to]
    us: cython.int = b.side
    piece: cython.int = (move >> 16) | us << 4 if start == NOWHERE else b.at[start]
    general: cython.int = to if r.royal[piece] else b.general[us]
    safe: cython.bint
    if captured and (b.irons or r.effect[piece] != REPLACE):
        return _is_safe_capture(r, b, move)
    if general == ABSENT:
        return True
    # Only board and occupancy change for the test; lists and key stay behind, and so does the place that a general
    # goes to: its lines are looked at from there.
    if start != NOWHERE:
        b.at[start] = 0
        _vacate(r, b, us, start)
    b.at[to] = piece
    if general != to:
        _occupy(r, b, us, to)
    safe = not attacked(r, b, general, us ^ 1)
    if general != to:
        _vacate(r, b, us, to)
    b.at[to] = captured
    if start != NOWHERE:
        _occupy(r, b, us, start)
        b.at[start] = piece
    return safe


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_safe_capture(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t
) -> cython.bint:
    """`is_safe` for captures that take more than their target, or that may meet an iron piece.

    rulesets.md, atomic: a move that removes the own general is illegal; removing the enemy's wins and outranks
    every other rule; otherwise the own general may not be attacked afterwards. Handicaps: an iron piece may not
    be captured, an iron soldier only with check.
    """
    us: cython.int = b.side
    to: cython.int = (move >> 8) & 127
    i: cython.int
    iron: cython.int = 0
    undo: Undo
    safe: cython.bint
    for i in range(b.irons):
        if (b.iron[i] & 127) == to:
            iron = b.iron[i]
            if iron < IRON_SOLDIER:
                return False
    play(r, b, move, cython.address(undo))
    if b.general[us] == ABSENT and r.needed:
        safe = False
    elif b.general[us ^ 1] == ABSENT and r.needed:
        safe = True
    else:
        safe = b.general[us] == ABSENT or not attacked(r, b, b.general[us], us ^ 1)
        if iron and safe:
            safe = attacked(r, b, b.general[us ^ 1], us)
    take_back(r, b, cython.address(undo))
    return safe


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_banned(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t
) -> cython.bint:
    """Whether a move creates a position that its player has created as often as he may (`Rules.creations`)."""
    undo: Undo
    i: cython.int
    key: uint64_t
    if not b.bans:
        return False
    play(r, b, move, cython.address(undo))
    key = b.key
    take_back(r, b, cython.address(undo))
    for i in range(b.bans):
        if b.banned[i] == key:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_legal(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), move: uint32_t) -> cython.bint:
    """Whether any move at all, from a side's own point or not, is legal."""
    moves: uint32_t[64]
    i: cython.int
    start: cython.int = move & 127
    us: cython.int = b.side
    if r.needed and b.general[us] == ABSENT:
        return False
    if start == NOWHERE:
        i = move >> 16
        if not b.held[us][i] or not may_drop(r, b, i | us << 4, (move >> 8) & 127):
            return False
        if must_place(r, b) and i != r.royal_kind:
            return False
        return is_safe(r, b, move) and not _is_banned(r, b, move)
    if not b.at[start] or (b.at[start] >> 4) != us or must_place(r, b):
        return False
    for i in range(piece_moves(r, b, start, moves)):
        if moves[i] == move:
            return is_safe(r, b, move) and not _is_banned(r, b, move)
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
    find_danger(r, b, cython.address(danger))
    return _legal_moves(r, b, cython.address(danger), out)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _legal_moves(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    d: cython.pointer(cython.const[Danger]),
    out: cython.pointer(uint32_t),
) -> cython.int:
    moves: uint32_t[64]
    us: cython.int = b.side
    general: cython.int = b.general[us]
    count: cython.int = 0
    kept: cython.int = 0
    i: cython.int
    j: cython.int
    n: cython.int
    point: cython.int
    to: cython.int
    tested: cython.bint
    if general == ABSENT and r.needed:
        return 0
    # A general in reserve must be placed: that is the turn.
    for i in range(b.count[us] if not must_place(r, b) else 0):
        if count > MOST_MOVES - 64:
            break  # no game comes near so many
        point = b.men[us][i]
        n = piece_moves(r, b, point, moves)
        tested = point == general or _holds(d.suspect, d.suspects, point)
        for j in range(n):
            to = (moves[j] >> 8) & 127
            if tested or ((r.blasts or b.irons) and b.at[to]):
                if not is_safe(r, b, moves[j]):
                    continue
            elif d.checkers:
                if not _holds(d.cure, d.cures, to) or not is_safe(r, b, moves[j]):
                    continue
            elif _holds(d.forbid, d.forbidden, to):
                continue
            out[count] = moves[j]
            count += 1
    if b.held[us][0]:
        count = _legal_drops(r, b, d, out, count)
    if not b.bans:
        return count
    for i in range(count):
        if not _is_banned(r, b, out[i]):
            out[kept] = out[i]
            kept += 1
    return kept


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _drop_points(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    d: cython.pointer(cython.const[Danger]),
    piece: cython.int,
    files: cython.pointer(uint16_t),
) -> cython.void:
    """Where ``piece`` may be dropped, by rank a bit for each file; in check only points that might cure it.

    A drop only adds a piece: away from check it exposes nothing unless it becomes a cannon's screen.
    """
    cures: uint16_t[10]
    i: cython.int
    k: cython.int
    point: cython.int
    for k in range(r.ranks):
        files[k] = r.drop[piece][k] & ~((b.line[0][k] | b.line[1][k]) >> 1)
        if b.count[piece >> 4] == MOST_MEN:
            files[k] = 0
    if r.shuns[piece]:
        for i in range(b.count[r.shuns[piece] >> 4]):
            point = b.men[r.shuns[piece] >> 4][i]
            if b.at[point] == r.shuns[piece]:
                for k in range(8):
                    if r.around[point][k] != NOWHERE:
                        _strike(r, files, r.around[point][k])
    if r.royal[piece]:
        return
    for i in range(d.forbidden):
        _strike(r, files, d.forbid[i])
    if d.checkers:
        for k in range(r.ranks):
            cures[k] = 0
        for i in range(d.cures):
            cures[r.rank_of[d.cure[i]]] |= 1 << r.file_of[d.cure[i]]
        for k in range(r.ranks):
            files[k] &= cures[k]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _strike(
    r: cython.pointer(cython.const[Rules]), files: cython.pointer(uint16_t), point: cython.int
) -> cython.void:
    files[r.rank_of[point]] &= ~(1 << r.file_of[point])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _legal_drops(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    d: cython.pointer(cython.const[Danger]),
    out: cython.pointer(uint32_t),
    count: cython.int,
) -> cython.int:
    """Append the legal drops to the ``count`` moves of ``out``; return how many there are then."""
    files: uint16_t[10]
    us: cython.int = b.side
    kind: cython.int
    k: cython.int
    rest: cython.int
    move: uint32_t
    royal: cython.bint = must_place(r, b)
    tested: cython.bint = royal or d.checkers
    for kind in range(1, r.types + 1):
        if not b.held[us][kind] or (royal and kind != r.royal_kind):
            continue
        _drop_points(r, b, d, kind | us << 4, files)
        for k in range(r.ranks):
            rest = files[k]
            while rest and count < MOST_MOVES:
                move = NOWHERE | (k * r.files + _low[rest]) << 8 | kind << 16
                rest &= rest - 1
                if not tested or is_safe(r, b, move):
                    out[count] = move
                    count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_drops(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    d: cython.pointer(cython.const[Danger]),
) -> cython.int:
    """How many drops `_legal_drops` would list, away from check and without a general to place."""
    files: uint16_t[10]
    count: cython.int = 0
    kind: cython.int
    k: cython.int
    for kind in range(1, r.types + 1):
        if b.held[b.side][kind]:
            _drop_points(r, b, d, kind | b.side << 4, files)
            for k in range(r.ranks):
                count += _bits[files[k]]
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_legal(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), d: cython.pointer(cython.const[Danger])
) -> cython.int:
    """Number of legal moves of the side to move, given its `find_danger`.

    Where the board alone decides and nothing bears on the general, moves are counted without being listed.
    """
    moves: uint32_t[1024]
    us: cython.int = b.side
    general: cython.int = b.general[us]
    count: cython.int = 0
    i: cython.int
    j: cython.int
    n: cython.int
    point: cython.int
    if d.checkers or d.forbidden or b.bans or b.irons or must_place(r, b):
        return _legal_moves(r, b, d, moves)
    if general == ABSENT and r.needed:
        return 0
    for i in range(b.count[us]):
        point = b.men[us][i]
        if point == general or (d.suspects and _holds(d.suspect, d.suspects, point)):
            n = piece_moves(r, b, point, moves)
            for j in range(n):
                count += is_safe(r, b, moves[j])
        elif r.blasts:
            n = piece_moves(r, b, point, moves)
            for j in range(n):
                count += not b.at[(moves[j] >> 8) & 127] or _is_safe_capture(r, b, moves[j])
        else:
            count += _count_piece(r, b, point)
    return count + _count_drops(r, b, d) if b.held[us][0] else count
