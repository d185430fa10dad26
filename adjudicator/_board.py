# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The board: one generic kernel that reads a rule set's tables and never its name.

Compiled from this file (Cython, pure Python mode); layouts are in ``_board.pxd``. Nothing here allocates
per move or touches a Python object, except `Tables` at the edge. A move is ``from | to << 8 | kind << 16``:
``kind`` is what is promoted to, or dropped when ``from`` is NOWHERE.

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
                r.drop[p][i] = 1
            for i in range(r.points):
                r.key[p][i] = piece["keys"][i]
            for k in range(64):
                r.key_held[p][k] = piece["held"][k]
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
    b.held[side][kind] += by
    b.key ^= r.key_held[piece][b.held[side][kind] & 63]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _change(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    u: cython.pointer(Undo),
    point: cython.int,
    piece: cython.int,
) -> cython.void:
    u.point[u.changes] = point
    u.piece[u.changes] = b.at[point]
    u.changes += 1
    put(r, b, point, piece)


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
        _change(r, b, u, to, kind | us << 4)
    else:
        piece = b.at[start]
        _change(r, b, u, start, 0)
        if captured and r.effect[piece] != REPLACE:
            _change(r, b, u, to, 0)
            if r.effect[piece] == BLAST:
                for i in range(4):
                    point = r.beside[to][i]
                    if b.at[point] and not r.spared[b.at[point]]:
                        _change(r, b, u, point, 0)
        else:
            _change(r, b, u, to, kind | us << 4 if kind else piece)
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
    for i in range(u.changes - 1, -1, -1):
        put(r, b, u.point[i], u.piece[i])
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
    memset(b, 0, cython.sizeof(Board))
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
@cython.inline
@cython.exceptval(check=False)
def _strikes(
    r: cython.pointer(cython.const[Rules]),
    piece: cython.int,
    by: cython.int,
    mode: cython.int,
    blasting: cython.bint,
) -> cython.bint:
    """Whether ``piece`` is ``by``'s and rides in ``mode``; if ``blasting``, by a capture that explodes."""
    return (piece >> 4) == by and r.rides[piece] & mode and (not blasting or r.effect[piece] == BLAST)


@cython.cfunc
@cython.nogil
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
        if _strikes(r, b.at[k * r.files + hit], by, RIDE_CAPTURE, blasting):
            return True
        hit = _ahead(occupied, hit, r.files) if turn else _behind(occupied, hit)
        if hit < 0 or hit >= r.files:
            continue
        if _strikes(r, b.at[k * r.files + hit], by, HOP_CAPTURE, blasting):
            return True
    occupied = b.column[f]
    for turn in range(2):
        hit = _ahead(occupied, k, r.ranks) if turn else _behind(occupied, k)
        if hit < 0 or hit >= r.ranks:
            continue
        piece = b.at[hit * r.files + f]
        if _strikes(r, piece, by, RIDE_CAPTURE, blasting):
            return True
        if r.facing and r.royal[piece] and (piece >> 4) == by and r.royal[b.at[point]]:
            return True
        hit = _ahead(occupied, hit, r.ranks) if turn else _behind(occupied, hit)
        if hit < 0 or hit >= r.ranks:
            continue
        if _strikes(r, b.at[hit * r.files + f], by, HOP_CAPTURE, blasting):
            return True
    if r.diagonals:
        for turn in range(4):
            hit = _slant(r, b, point, turn)
            if hit != NOWHERE and _strikes(r, b.at[hit], by, SLANT_CAPTURE, blasting):
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
def _slant(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    point: cython.int,
    turn: cython.int,
) -> cython.int:
    """The first occupied point from ``point`` along the diagonal ``turn`` (0-3); NOWHERE when there is none."""
    dx: cython.int = 1 if turn & 1 else -1
    dy: cython.int = 1 if turn & 2 else -1
    f: cython.int = r.file_of[point] + dx
    k: cython.int = r.rank_of[point] + dy
    while f >= 0 and f < r.files and k >= 0 and k < r.ranks:
        if b.at[k * r.files + f]:
            return k * r.files + f
        f += dx
        k += dy
    return NOWHERE


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
def _look_slanted(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    d: cython.pointer(Danger),
    us: cython.int,
    point: cython.int,
    turn: cython.int,
) -> cython.void:
    """`_look` along a diagonal, where pieces ride but none hops."""
    step: cython.int = (1 if turn & 1 else -1) + (r.files if turn & 2 else -r.files)
    one: cython.int = _slant(r, b, point, turn)
    two: cython.int
    i: cython.int
    if one == NOWHERE:
        return
    if (b.at[one] >> 4) != us:
        if r.rides[b.at[one]] & SLANT_CAPTURE:
            d.checker[d.checkers] = one
            d.checkers += 1
            i = point
            while i != one:
                i += step
                d.cure[d.cures] = i
                d.cures += 1
        return
    two = _slant(r, b, one, turn)
    if two != NOWHERE and (b.at[two] >> 4) != us and r.rides[b.at[two]] & SLANT_CAPTURE:
        d.suspect[d.suspects] = one
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
    turn: cython.int
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
    if r.diagonals:
        for turn in range(4):
            _look_slanted(r, b, d, us, point, turn)
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
def _slanted_moves(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    start: cython.int,
    rides: cython.int,
    out: cython.pointer(uint32_t),
) -> cython.int:
    count: cython.int = 0
    us: cython.int = b.at[start] >> 4
    turn: cython.int
    dx: cython.int
    dy: cython.int
    f: cython.int
    k: cython.int
    to: cython.int
    for turn in range(4):
        dx = 1 if turn & 1 else -1
        dy = 1 if turn & 2 else -1
        f = r.file_of[start] + dx
        k = r.rank_of[start] + dy
        while f >= 0 and f < r.files and k >= 0 and k < r.ranks:
            to = k * r.files + f
            if b.at[to]:
                if rides & SLANT_CAPTURE and (b.at[to] >> 4) != us:
                    out[count] = start | to << 8
                    count += 1
                break
            if rides & SLANT_QUIET:
                out[count] = start | to << 8
                count += 1
            f += dx
            k += dy
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
    """Write the pseudo-legal moves of the piece on ``point`` to ``out``; return how many.

    Iron pieces count as capturable here; `is_safe` knows them.
    """
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
        if rides & (RIDE_QUIET | RIDE_CAPTURE | HOP_QUIET | HOP_CAPTURE):
            count = _line_moves(b, rides, us, point, b.row[k], f, r.files, k * r.files, 1, out)
            count += _line_moves(b, rides, us, point, b.column[f], k, r.ranks, f, r.files, out + count)
        if rides & (SLANT_QUIET | SLANT_CAPTURE):
            count += _slanted_moves(r, b, point, rides, out + count)
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
    if b.at[point] or not r.drop[piece][point]:
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
    moves: uint32_t[64]
    piece: cython.int = b.at[point]
    us: cython.int = piece >> 4
    rides: cython.int = r.rides[piece]
    count: cython.int = 0
    f: cython.int
    k: cython.int
    i: cython.uint
    entry: uint32_t
    target: cython.int
    if r.promotion[piece][0] or rides & (SLANT_QUIET | SLANT_CAPTURE):
        return piece_moves(r, b, point, moves)
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
    sf: cython.int = r.file_of[start]
    sk: cython.int = r.rank_of[start]
    tf: cython.int = r.file_of[to]
    tk: cython.int = r.rank_of[to]
    # Only board and occupancy change for the test; lists and key stay behind.
    if start != NOWHERE:
        b.at[start] = 0
        b.row[sk] &= ~(1 << sf)
        b.column[sf] &= ~(1 << sk)
    b.at[to] = piece
    b.row[tk] |= 1 << tf
    b.column[tf] |= 1 << tk
    safe = not attacked(r, b, general, us ^ 1)
    if not captured:
        b.row[tk] &= ~(1 << tf)
        b.column[tf] &= ~(1 << tk)
    b.at[to] = captured
    if start != NOWHERE:
        b.row[sk] |= 1 << sf
        b.column[sf] |= 1 << sk
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
        if b.held[us][r.royal_kind] and i != r.royal_kind:
            return False
        return is_safe(r, b, move) and not _is_banned(r, b, move)
    if not b.at[start] or (b.at[start] >> 4) != us or b.held[us][r.royal_kind]:
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
    men: uint8_t[64]
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
    memcpy(men, b.men[us], cython.sizeof(men))  # trying a move reorders the list
    # A general in reserve must be placed: that is the turn.
    for i in range(b.count[us] if not b.held[us][r.royal_kind] else 0):
        point = men[i]
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
    if r.holds:
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
def _legal_drops(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    d: cython.pointer(cython.const[Danger]),
    out: cython.pointer(uint32_t),
    count: cython.int,
) -> cython.int:
    """Append the legal drops to the ``count`` moves of ``out``; return how many there are then.

    A drop only adds a piece: away from check it exposes nothing unless it becomes a cannon's screen.
    """
    us: cython.int = b.side
    kind: cython.int
    point: cython.int
    move: uint32_t
    royal: cython.bint = b.held[us][r.royal_kind] > 0
    for kind in range(1, r.types + 1):
        if not b.held[us][kind] or (royal and kind != r.royal_kind):
            continue
        for point in range(r.points):
            if not may_drop(r, b, kind | us << 4, point):
                continue
            move = NOWHERE | point << 8 | kind << 16
            if royal:
                if not is_safe(r, b, move):
                    continue
            elif d.checkers:
                if not _holds(d.cure, d.cures, point) or not is_safe(r, b, move):
                    continue
            elif _holds(d.forbid, d.forbidden, point):
                continue
            out[count] = move
            count += 1
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
    men: uint8_t[64]
    us: cython.int = b.side
    general: cython.int = b.general[us]
    count: cython.int = 0
    i: cython.int
    j: cython.int
    n: cython.int
    point: cython.int
    if d.checkers or d.forbidden or b.bans or b.irons or (r.holds and b.held[us][r.royal_kind]):
        return _legal_moves(r, b, d, moves)
    if general == ABSENT and r.needed:
        return 0
    memcpy(men, b.men[us], cython.sizeof(men))
    for i in range(b.count[us]):
        point = men[i]
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
    return _legal_drops(r, b, d, moves, count) if r.holds else count
