# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a move threatens: every attack on the board with how it stands, and threats of mate.

Compiled from this file (Cython, pure Python mode); the word of an attack is laid out in ``_conduct.pxd``. This
looks at boards and knows no law: which attacks are chases is for `adjudicator.conduct` and the rule books.

Wherever a general stands in check already, that check is left aside: a capture or recapture counts as legal
when it exposes its own general to nothing that did not attack it before.
"""

from array import array

import cython
from cython.cimports.adjudicator._board import (
    ABSENT,
    NOWHERE,
    Board,
    Danger,
    Rules,
    Tables,
    Undo,
    attacked,
    find_danger,
    legal_moves,
    piece_moves,
    play,
    put,
    set_up,
    take_back,
)
from cython.cimports.libc.stdint import uint8_t, uint32_t, uint64_t
from cython.cimports.libc.string import memcpy, memset

FLAGS = {
    "legal": LEGAL,
    "retaken": RETAKEN,
    "rooted": ROOTED,
    "free_root": FREE_ROOT,
    "standing_root": STANDING_ROOT,
    "returned": RETURNED,
    "mutual": MUTUAL,
    "pinned": PINNED,
    "on_pinner": ON_PINNER,
    "tied": TIED,
    "held": HELD,
    "on_holder": ON_HOLDER,
    "crossed": CROSSED,
    "moved": MOVED,
    "uncovered": UNCOVERED,
    "retreated": RETREATED,
    "stood": STOOD,
    "unrooted": UNROOTED,
    "battery": BATTERY,
    "wins": WINS,
    "ruins": RUINS,
}

# A set of points, one bit each.
_Set = cython.struct(low=uint64_t, high=uint64_t)

# What ties pieces to their places: `by` is the set of points from which an enemy would attack the general if
# the piece on a point left; `masks` marks enemies of a general whose leaving would check it. `checks` are the
# points that attack each side's general now.
_Ties = cython.struct(checks=_Set[2], by=_Set[128], masks=uint8_t[128])


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _has(s: _Set, point: cython.int) -> cython.bint:
    return (s.low >> point & 1) if point < 64 else (s.high >> (point - 64) & 1)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _minus(s: _Set, other: _Set) -> _Set:
    s.low &= ~other.low
    s.high &= ~other.high
    return s


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _checks(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), side: cython.int) -> _Set:
    """The points that attack ``side``'s general."""
    danger: Danger
    found: _Set
    i: cython.int
    saved: cython.int = b.side
    b.side = side
    find_danger(r, b, cython.address(danger))
    b.side = saved
    found.low = found.high = 0
    for i in range(danger.checkers):
        if danger.checker[i] < 64:
            found.low |= cython.cast(uint64_t, 1) << danger.checker[i]
        else:
            found.high |= cython.cast(uint64_t, 1) << (danger.checker[i] - 64)
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _exposed(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    side: cython.int,
    before: _Set,
    royal: cython.bint,
) -> cython.bint:
    """Whether ``side``'s move has exposed its general: to anything new, or, if the general moved, to anything."""
    now: _Set = _checks(r, b, side)
    if not royal:
        now = _minus(now, before)
    return now.low != 0 or now.high != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_ties(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), t: cython.pointer(_Ties)
) -> cython.void:
    men: uint8_t[64]
    side: cython.int
    owner: cython.int
    i: cython.int
    n: cython.int
    point: cython.int
    piece: cython.int
    found: _Set
    memset(t, 0, cython.sizeof(_Ties))
    for side in range(2):
        if b.general[side] == ABSENT:
            continue
        t.checks[side] = _checks(r, b, side)
        for owner in range(2):
            n = b.count[owner]
            memcpy(men, b.men[owner], cython.sizeof(men))  # lifting a piece reorders the list
            for i in range(n):
                point = men[i]
                piece = b.at[point]
                if r.royal[piece]:
                    continue
                put(r, b, point, 0)
                found = _minus(_checks(r, b, side), t.checks[side])
                put(r, b, point, piece)
                if found.low or found.high:
                    if owner == side:
                        t.by[point] = found
                    else:
                        t.masks[point] = 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _is_tied(t: cython.pointer(cython.const[_Ties]), point: cython.int) -> cython.bint:
    return t.by[point].low != 0 or t.by[point].high != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_held(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    t: cython.pointer(cython.const[_Ties]),
    point: cython.int,
) -> cython.bint:
    """Whether a leaper, in xiangqi the horse, ties the piece on ``point``: it stands on the leg."""
    side: cython.int = b.at[point] >> 4
    i: cython.int
    holder: cython.int
    if not _is_tied(t, point):
        return False
    for i in range(b.count[side ^ 1]):
        holder = b.men[side ^ 1][i]
        if _has(t.by[point], holder) and not r.rides[b.at[holder]] and not r.royal[b.at[holder]]:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reaches(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    start: cython.int,
    to: cython.int,
) -> cython.bint:
    """Whether the piece on ``start`` could move to ``to``, its general's safety aside."""
    moves: uint32_t[64]
    n: cython.int
    i: cython.int
    if not b.at[start]:
        return False
    n = piece_moves(r, b, start, moves)
    for i in range(n):
        if cython.cast(cython.int, (moves[i] >> 8) & 127) == to:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _exchange(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    point: cython.int,
    t: cython.pointer(cython.const[_Ties]),
    value: cython.pointer(cython.const[uint8_t]),
) -> cython.int:
    """What the side to move wins at best by capturing on ``point``, each side taking with its least, or 0."""
    side: cython.int = b.side
    men: uint8_t[64]
    i: cython.int
    n: cython.int = b.count[side]
    best: cython.int
    least: cython.int
    gain: cython.int
    prize: cython.int = value[b.at[point] & 15]
    tried: cython.int
    undo: Undo
    done: uint8_t[64]
    memcpy(men, b.men[side], cython.sizeof(men))
    memset(done, 0, cython.sizeof(done))
    for tried in range(n):  # noqa: B007
        best = -1
        least = 255
        for i in range(n):
            if not done[i] and value[b.at[men[i]] & 15] <= least and _reaches(r, b, men[i], point):
                least = value[b.at[men[i]] & 15]
                best = i
        if best < 0:
            return 0
        done[best] = 1
        play(r, b, men[best] | point << 8, cython.address(undo))
        if not _exposed(r, b, side, t.checks[side], r.royal[b.at[point]]):
            gain = prize - _exchange(r, b, point, t, value)
            take_back(r, b, cython.address(undo))
            return gain if gain > 0 else 0
        take_back(r, b, cython.address(undo))
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mates(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    checks: cython.int,
    nodes: cython.pointer(cython.int),
) -> cython.int:
    """In how few checks, at most ``checks``, the side to move mates by nothing but checks; 0 when it does not.

    ``nodes`` bounds the search: what is not found by then counts as no mate.
    """
    moves: uint32_t[1024]
    replies: uint32_t[1024]
    i: cython.int
    j: cython.int
    n: cython.int
    m: cython.int
    depth: cython.int
    found: cython.int
    deepest: cython.int
    undo: Undo
    back: Undo
    n = legal_moves(r, b, moves)
    for depth in range(1, checks + 1):
        for i in range(n):
            if nodes[0] <= 0:
                return 0
            play(r, b, moves[i], cython.address(undo))
            if b.general[b.side] != ABSENT and attacked(r, b, b.general[b.side], b.side ^ 1):
                nodes[0] -= 1
                m = legal_moves(r, b, replies)
                deepest = 1
                if m and depth == 1:
                    deepest = 0
                for j in range(m if depth > 1 else 0):
                    play(r, b, replies[j], cython.address(back))
                    found = _mates(r, b, depth - 1, nodes)
                    take_back(r, b, cython.address(back))
                    if not found:
                        deepest = 0
                        break
                    if found + 1 > deepest:
                        deepest = found + 1
                if deepest:
                    take_back(r, b, cython.address(undo))
                    return deepest
            take_back(r, b, cython.address(undo))
    return 0


# A board of the line with what was found out about it, so that the next can be compared with it.
_Seen = cython.struct(board=Board, ties=_Ties)

_Asked = cython.struct(
    value=uint8_t[16],
    checks=cython.int,
    ruin=cython.int,
    nodes=cython.int,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weigh(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    t: cython.pointer(cython.const[_Ties]),
    old: cython.pointer(cython.const[_Ties]),
    start: cython.int,
    to: cython.int,
    asked: cython.pointer(cython.const[_Asked]),
) -> cython.int:
    """The flags of the attack from ``start`` on ``to`` that the board itself tells; ``old`` may be NULL."""
    attacker: cython.int = b.at[start]
    victim: cython.int = b.at[to]
    us: cython.int = attacker >> 4
    them: cython.int = us ^ 1
    saved: cython.int = b.side
    flags: cython.int = 0
    men: uint8_t[64]
    i: cython.int
    n: cython.int
    nodes: cython.int
    general: cython.int
    royal: cython.bint
    undo: Undo
    back: Undo
    if _is_tied(t, start):
        flags |= PINNED
        if _has(t.by[start], to):
            flags |= ON_PINNER
            if not r.rides[victim] and _is_held(r, b, t, start):
                flags |= ON_HOLDER
    if _is_tied(t, to):
        flags |= TIED
        if _is_held(r, b, t, to):
            flags |= HELD
    if (r.rank_of[to] >= r.ranks / 2) != (them == 1):
        flags |= CROSSED
    # The victim's answer.
    b.side = them
    if _reaches(r, b, to, start):
        flags |= MUTUAL
        play(r, b, to | start << 8, cython.address(undo))
        if not _exposed(r, b, them, t.checks[them], r.royal[victim]):
            flags |= RETURNED
        take_back(r, b, cython.address(undo))
    # The capture and what answers it.
    b.side = us
    play(r, b, start | to << 8, cython.address(undo))
    if not _exposed(r, b, us, t.checks[us], r.royal[attacker]):
        flags |= LEGAL
    n = b.count[them]
    memcpy(men, b.men[them], cython.sizeof(men))
    for i in range(n):
        if not _reaches(r, b, men[i], to):
            continue
        flags |= ROOTED
        if r.royal[b.at[men[i]]]:
            general = b.general[us]
            play(r, b, men[i] | to << 8, cython.address(back))
            if general == ABSENT or not _has(_checks(r, b, them), general):
                flags |= FREE_ROOT
            if not _exposed(r, b, them, t.checks[them], True):
                flags |= RETAKEN
            take_back(r, b, cython.address(back))
            continue
        if not _is_tied(t, men[i]):
            flags |= FREE_ROOT
        elif old != cython.NULL and not _is_tied(old, men[i]):
            flags |= UNROOTED
        play(r, b, men[i] | to << 8, cython.address(back))
        if not _exposed(r, b, them, t.checks[them], False):
            flags |= RETAKEN
        take_back(r, b, cython.address(back))
    if asked.ruin and flags & LEGAL:
        nodes = asked.nodes
        if _mates(r, b, asked.ruin, cython.address(nodes)):
            flags |= RUINS
    if asked.checks and asked.value[victim & 15] > _exchange(r, b, to, t, asked.value):
        flags |= WINS
    take_back(r, b, cython.address(undo))
    # Roots on the board as it stands: the attacker is on the point and still where it was.
    put(r, b, to, attacker)
    b.side = them
    n = b.count[them]
    memcpy(men, b.men[them], cython.sizeof(men))
    for i in range(n):
        if _reaches(r, b, men[i], to):
            royal = r.royal[b.at[men[i]]]
            play(r, b, men[i] | to << 8, cython.address(back))
            if not _exposed(r, b, them, t.checks[them], royal):
                flags |= STANDING_ROOT
            take_back(r, b, cython.address(back))
            if flags & STANDING_ROOT:
                break
    put(r, b, to, victim)
    b.side = saved
    return flags


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _compare(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    t: cython.pointer(cython.const[_Ties]),
    old: cython.pointer(cython.const[_Seen]),
    move: uint32_t,
    start: cython.int,
    to: cython.int,
) -> cython.int:
    """The flags of an attack of the side that played ``move`` that the move itself accounts for."""
    left: cython.int = move & 127
    reached: cython.int = (move >> 8) & 127
    moved: cython.bint = start == reached
    origin: cython.int = left if moved else start
    flags: cython.int = 0
    along: cython.bint = False
    if moved and left != NOWHERE and r.rides[b.at[start]]:
        along = (r.file_of[to] == r.file_of[reached] and r.file_of[left] == r.file_of[reached]) or (
            r.rank_of[to] == r.rank_of[reached] and r.rank_of[left] == r.rank_of[reached]
        )
    if origin != NOWHERE and _reaches(r, cython.address(old.board), origin, to):
        flags |= STOOD
    elif not moved:
        flags |= UNCOVERED
    if moved and not along:
        flags |= MOVED
    if along and (left > reached) == (to > left):
        flags |= RETREATED
    if t.masks[start] and not old.ties.masks[start]:
        flags |= BATTERY
    return flags


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list(
    r: cython.pointer(cython.const[Rules]),
    now: cython.pointer(_Seen),
    old: cython.pointer(cython.const[_Seen]),
    move: uint32_t,
    by: cython.int,
    identity: cython.pointer(cython.const[uint8_t]),
    asked: cython.pointer(cython.const[_Asked]),
    out: cython.pointer(uint64_t),
    room: cython.int,
) -> cython.int:
    """Write the attacks of side ``by`` to ``out``; returns how many. ``old`` is NULL unless ``by`` just moved."""
    b: cython.pointer(Board) = cython.address(now.board)
    men: uint8_t[64]
    moves: uint32_t[64]
    i: cython.int
    j: cython.int
    n: cython.int = b.count[by]
    m: cython.int
    to: cython.int
    flags: cython.int
    count: cython.int = 0
    word: uint64_t
    memcpy(men, b.men[by], cython.sizeof(men))
    for i in range(n):
        m = piece_moves(r, b, men[i], moves)
        for j in range(m):
            to = (moves[j] >> 8) & 127
            if not b.at[to] or r.royal[b.at[to]] or count == room:
                continue
            flags = _weigh(
                r, b, cython.address(now.ties), cython.address(old.ties) if old != cython.NULL else cython.NULL,
                men[i], to, asked,
            )  # fmt: skip
            if old != cython.NULL:
                flags |= _compare(r, b, cython.address(now.ties), old, move, men[i], to)
            word = men[i] | to << AT_TO
            word |= cython.cast(uint64_t, identity[men[i]]) << AT_ATTACKER
            word |= cython.cast(uint64_t, identity[to]) << AT_VICTIM
            word |= cython.cast(uint64_t, b.at[men[i]] & 15) << AT_KIND
            word |= cython.cast(uint64_t, b.at[to] & 15) << AT_TARGET
            word |= cython.cast(uint64_t, by) << AT_SIDE
            word |= cython.cast(uint64_t, flags) << AT_FLAGS
            out[count] = word
            count += 1
    return count


def attacks_along(
    tables: Tables,
    start: tuple,
    moves: cython.const[uint32_t][::1],
    first: cython.int,
    values: bytes,
    checks: cython.int = 3,
    ruin: cython.int = 1,
    nodes: cython.int = 4000,
) -> tuple:
    """The attacks of both sides after every ply from ``first`` on, in a game played from ``start``.

    ``start`` holds the arguments of `_board.set_up` (pieces, side, since_capture, held, iron); ``moves`` are the
    kernel's, all legal. ``values`` is the worth of each kind of piece in an exchange (16 bytes, 0 no worth,
    the general's the highest); ``checks`` bounds mate threats, ``ruin`` the mates that a capture may run into, in
    checks, ``nodes`` each search.

    Returns ``(rows, words, kills, movers)``: ``rows`` has a first index into ``words`` for plies
    first .. len(moves), and one more;
    ``kills`` for each of them says in how few checks the side that moved would mate if it could move
    again (0: not within ``checks``, or it gives check itself), ``movers`` which piece moved (255: none). A piece's
    identity is the point where it stood in the start position, dropped pieces count down from 126. Plies count
    from 1; 0 is the start position.
    """
    r: cython.pointer(cython.const[Rules]) = cython.address(tables.rules)
    asked: _Asked
    seen: _Seen[2]
    undo: Undo
    identity: uint8_t[128]
    buffer: uint64_t[128]
    ply: cython.int
    i: cython.int
    count: cython.int
    which: cython.int = 0
    dropped: cython.int = 126
    last: cython.int = moves.shape[0]
    move: uint32_t = 0
    budget: cython.int
    for i in range(16):
        asked.value[i] = values[i]
    asked.checks = checks
    asked.ruin = ruin
    asked.nodes = nodes
    _set_up(tables, cython.address(seen[0].board), start)
    for i in range(128):
        identity[i] = i
    rows = array("I", [0])
    words = array("Q")
    kills = array("B")
    movers = array("B")
    for ply in range(last + 1):
        if ply:
            move = moves[ply - 1]
            memcpy(
                cython.address(seen[which ^ 1].board), cython.address(seen[which].board), cython.sizeof(Board)
            )
            which ^= 1
            i = move & 127
            if i == NOWHERE:
                identity[(move >> 8) & 127] = dropped
                dropped -= 1
            else:
                identity[(move >> 8) & 127] = identity[i]
            play(r, cython.address(seen[which].board), move, cython.address(undo))
        if ply < first - 1:
            continue
        _find_ties(r, cython.address(seen[which].board), cython.address(seen[which].ties))
        if ply < first:
            continue
        i = seen[which].board.side
        count = _list(
            r, cython.address(seen[which]), cython.address(seen[which ^ 1]) if ply else cython.NULL, move, i ^ 1,
            identity, cython.address(asked), buffer, 64,
        )  # fmt: skip
        count += _list(
            r,
            cython.address(seen[which]),
            cython.NULL,
            move,
            i,
            identity,
            cython.address(asked),
            buffer + count,
            64,
        )
        for i in range(count):
            words.append(buffer[i])
        rows.append(len(words))
        i = 0
        if (
            ply
            and checks
            and not seen[which].ties.checks[seen[which].board.side].low
            | seen[which].ties.checks[seen[which].board.side].high
        ):
            budget = nodes
            seen[which].board.side ^= 1
            i = _mates(r, cython.address(seen[which].board), checks, cython.address(budget))
            seen[which].board.side ^= 1
        kills.append(i)
        movers.append(identity[(move >> 8) & 127] if ply else 255)
    return rows, words, kills, movers


@cython.cfunc
def _set_up(tables: Tables, b: cython.pointer(Board), start: tuple):
    pieces, side, since_capture, held, iron = start
    set_up(cython.address(tables.rules), b, pieces, side, since_capture, held, iron)
