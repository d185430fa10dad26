# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a side could win from a position: by captures on one point, by mate, by a run of checks.

Compiled from this file (Cython, pure Python mode).
"""

import cython
from cython.cimports.adjudicator._board import (
    ABSENT,
    Board,
    Danger,
    Rules,
    Undo,
    attacked,
    count_legal,
    find_danger,
    legal_moves,
    piece_moves,
    play,
    take_back,
)
from cython.cimports.adjudicator._threats import Asked, Set, minus, some
from cython.cimports.libc.stdint import uint8_t, uint32_t, uint64_t
from cython.cimports.libc.string import memcpy, memset


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def checks_on(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), side: cython.int) -> Set:
    """The points that attack ``side``'s general."""
    danger: Danger
    found: Set
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
def exposed(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    side: cython.int,
    before: Set,
    royal: cython.bint,
) -> cython.bint:
    """Whether ``side``'s move has exposed its general: to anything new, or, if the general moved, to anything."""
    now: Set = checks_on(r, b, side)
    if not royal:
        now = minus(now, before)
    return some(now)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def crossed(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(cython.const[Board]), point: cython.int
) -> cython.bint:
    """Whether the piece on ``point`` stands beyond the river."""
    return (r.rank_of[point] >= r.ranks / 2) == (b.at[point] >> 4 == 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reaches(
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
def exchange(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    point: cython.int,
    standing: cython.pointer(cython.const[Set]),
    value: cython.pointer(cython.const[uint8_t]),
) -> cython.int:
    """What the side to move wins at best by capturing on ``point``, each side taking with its least, or 0.

    ``standing`` are the checks on each side's general that are left aside.
    """
    side: cython.int = b.side
    men: uint8_t[64]
    i: cython.int
    n: cython.int = b.count[side]
    best: cython.int
    least: cython.int
    gain: cython.int
    prize: cython.int = value[b.at[point] & 15]
    undo: Undo
    done: uint8_t[64]
    memcpy(men, b.men[side], cython.sizeof(men))
    memset(done, 0, cython.sizeof(done))
    for _tried in range(n):
        best = -1
        least = 255
        for i in range(n):
            if not done[i] and value[b.at[men[i]] & 15] <= least and reaches(r, b, men[i], point):
                least = value[b.at[men[i]] & 15]
                best = i
        if best < 0:
            return 0
        done[best] = 1
        play(r, b, men[best] | point << 8, cython.address(undo))
        if not exposed(r, b, side, standing[side], r.royal[b.at[point]]):
            gain = prize - exchange(r, b, point, standing, value)
            take_back(r, b, cython.address(undo))
            return gain if gain > 0 else 0
        take_back(r, b, cython.address(undo))
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _has_reply(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board)) -> cython.bint:
    """Whether the side to move has a legal move."""
    danger: Danger
    find_danger(r, b, cython.address(danger))
    return count_legal(r, b, cython.address(danger)) > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mates(
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
    n: cython.int = 0
    m: cython.int
    depth: cython.int
    found: cython.int
    longest: cython.int
    undo: Undo
    back: Undo
    m = legal_moves(r, b, moves)
    for i in range(m):
        play(r, b, moves[i], cython.address(undo))
        if b.general[b.side] != ABSENT and attacked(r, b, b.general[b.side], b.side ^ 1):
            nodes[0] -= 1
            if not _has_reply(r, b):
                take_back(r, b, cython.address(undo))
                return 1
            moves[n] = moves[i]
            n += 1
        take_back(r, b, cython.address(undo))
    for depth in range(2, checks + 1 if n else 0):
        for i in range(n):
            if nodes[0] <= 0:
                return 0
            play(r, b, moves[i], cython.address(undo))
            nodes[0] -= 1
            m = legal_moves(r, b, replies)
            longest = 1
            for j in range(m):
                play(r, b, replies[j], cython.address(back))
                found = mates(r, b, depth - 1, nodes)
                take_back(r, b, cython.address(back))
                if not found:
                    longest = 0
                    break
                if found + 1 > longest:
                    longest = found + 1
            take_back(r, b, cython.address(undo))
            if longest:
                return longest
    return 0


# A run of checks being tried: the point of the piece that it is to win, where its checks have landed so far.
_Run = cython.struct(
    asked=cython.pointer(cython.const[Asked]),
    prey=cython.int,
    landed=uint8_t[16],
    count=cython.int,
    nodes=cython.int,
)
_NOTHING, _WON, _MATED = (
    cython.declare(cython.int, 0),
    cython.declare(cython.int, 1),
    cython.declare(cython.int, 2),
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _worth(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    point: cython.int,
    asked: cython.pointer(cython.const[Asked]),
) -> cython.int:
    """What the piece on ``point``, if any, is worth."""
    kind: cython.int = b.at[point] & 15
    if not kind or r.royal[b.at[point]] or (kind == asked.soldier and not crossed(r, b, point)):
        return 0
    return asked.value[kind]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _takes(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    run: cython.pointer(_Run),
    balance: cython.int,
) -> cython.bint:
    """Whether the side to move, ``balance`` to the good, takes the prey and keeps a gain.

    The answer may be to retake, or to take one of the pieces that have checked. What a general or a soldier takes
    is its own attack, not a run of checks (CXA 1999, 27.1 and 27.2).
    """
    side: cython.int = b.side
    prey: cython.int = run.prey
    men: uint8_t[64]
    nothing: Set[2]
    undo: Undo
    i: cython.int
    k: cython.int
    n: cython.int = b.count[side]
    lost: cython.int
    answer: cython.int
    nodes: cython.int
    won: cython.bint = False
    balance += _worth(r, b, prey, run.asked)
    if balance <= 0:
        return False
    nothing[0].low = nothing[0].high = nothing[1].low = nothing[1].high = 0
    memcpy(men, b.men[side], cython.sizeof(men))
    for i in range(n):
        if r.royal[b.at[men[i]]] or b.at[men[i]] & 15 == run.asked.soldier or not reaches(r, b, men[i], prey):
            continue
        run.nodes -= 1
        play(r, b, men[i] | prey << 8, cython.address(undo))
        if not some(checks_on(r, b, side)):
            lost = exchange(r, b, prey, nothing, run.asked.value)
            for k in range(run.count):
                if run.landed[k] != prey and b.at[run.landed[k]] and b.at[run.landed[k]] >> 4 == side:
                    answer = exchange(r, b, run.landed[k], nothing, run.asked.value)
                    lost = max(lost, answer)
            nodes = run.asked.nodes
            won = balance > lost and not mates(r, b, run.asked.ruin, cython.address(nodes))
        take_back(r, b, cython.address(undo))
        if won:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _answered(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    run: cython.pointer(_Run),
    checks: cython.int,
    balance: cython.int,
) -> cython.int:
    """What the check just given, with at most ``checks`` more, comes to whatever the answer."""
    moves: uint32_t[1024]
    undo: Undo
    i: cython.int
    m: cython.int = legal_moves(r, b, moves)
    to: cython.int
    cost: cython.int
    prey: cython.int = run.prey
    found: cython.int
    worst: cython.int = _MATED
    for i in range(m):
        to = (moves[i] >> 8) & 127
        cost = _worth(r, b, to, run.asked)
        # To give a soldier for a piece is no gain (detail rule 10).
        if run.nodes <= 0 or (cost and b.at[to] & 15 == run.asked.soldier):
            return _NOTHING
        run.nodes -= 1
        play(r, b, moves[i], cython.address(undo))
        if cython.cast(cython.int, moves[i] & 127) == prey:
            run.prey = to
        found = _WON if _takes(r, b, run, balance - cost) else _NOTHING
        if not found and checks:
            found = _checks(r, b, run, checks, balance - cost)
        run.prey = prey
        take_back(r, b, cython.address(undo))
        if not found:
            return _NOTHING
        worst = min(worst, found)
    return worst


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _check(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    run: cython.pointer(_Run),
    checks: cython.int,
    balance: cython.int,
    move: uint32_t,
) -> cython.int:
    """What ``move`` comes to as the first of at most ``checks`` checks; nothing if it gives none or takes the prey."""
    undo: Undo
    to: cython.int = (move >> 8) & 127
    prize: cython.int = _worth(r, b, to, run.asked)
    found: cython.int = _NOTHING
    if to == run.prey:
        return _NOTHING
    run.nodes -= 1
    play(r, b, move, cython.address(undo))
    if b.general[b.side] != ABSENT and attacked(r, b, b.general[b.side], b.side ^ 1):
        run.landed[run.count] = to
        run.count += 1
        found = _answered(r, b, run, checks - 1, balance + prize)
        run.count -= 1
    take_back(r, b, cython.address(undo))
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _checks(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    run: cython.pointer(_Run),
    checks: cython.int,
    balance: cython.int,
) -> cython.int:
    """What at most ``checks`` checks by the side to move come to: the first way found."""
    moves: uint32_t[1024]
    i: cython.int
    m: cython.int = legal_moves(r, b, moves)
    found: cython.int
    for i in range(m):
        found = _check(r, b, run, checks, balance, moves[i])
        if found:
            return found
    return _NOTHING


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wins_by_checks(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    asked: cython.pointer(cython.const[Asked]),
    out: cython.pointer(uint32_t),
    room: cython.int,
) -> cython.int:
    """Which pieces fall to a run of checks by the side to move, whatever the answers: who checks first and which
    piece is taken in the end (points of the board as it stands, checker | prey << 8).

    Returns how many, at most ``room``; -1 when the search was cut short. A run that always mates wins no piece, nor
    does one that leaves the other side to choose which piece it loses.
    """
    moves: uint32_t[1024]
    checking: uint32_t[1024]
    run: _Run
    undo: Undo
    i: cython.int
    k: cython.int
    m: cython.int = legal_moves(r, b, moves)
    c: cython.int = 0
    n: cython.int = 0
    them: cython.int = b.side ^ 1
    won: uint32_t
    men: uint8_t[64]
    for i in range(m):
        play(r, b, moves[i], cython.address(undo))
        if b.general[them] != ABSENT and attacked(r, b, b.general[them], them ^ 1):
            checking[c] = moves[i]
            c += 1
        take_back(r, b, cython.address(undo))
    if not c:
        return 0
    run.asked = asked
    run.count = 0
    run.nodes = asked.run_nodes
    m = b.count[them]
    memcpy(men, b.men[them], cython.sizeof(men))
    for k in range(m):
        if not _worth(r, b, men[k], asked):
            continue
        for i in range(c):
            run.prey = men[k]
            won = checking[i] & 127 | cython.cast(uint32_t, men[k]) << 8
            if (n and out[n - 1] == won) or n == room:
                continue  # one piece's moves come one after another
            if _check(r, b, cython.address(run), asked.checks, 0, checking[i]) == _WON:
                out[n] = won
                n += 1
            if run.nodes <= 0:
                return -1
    return n
