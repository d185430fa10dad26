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
    Rules,
    Tables,
    Undo,
    piece_moves,
    play,
    put,
    set_up,
    take_back,
)
from cython.cimports.adjudicator._replay import F_DROP, NONE
from cython.cimports.adjudicator._threats import (
    Asked,
    Set,
    checks_on,
    crossed,
    exchange,
    exposed,
    has,
    mates,
    minus,
    reaches,
    some,
    wins_by_checks,
)
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from cython.cimports.libc.stdlib import free, realloc
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
    "by_checks": BY_CHECKS,
}

# What a move is that neither checks nor chases nor threatens mate.
QUIET = ("exchange", "sacrifice", "block", "follow", "idle")

# What ties pieces to their places: `by` is the set of points from which an enemy would attack the general if
# the piece on a point left; `masks` marks enemies of a general whose leaving would check it. `checks` are the
# points that attack each side's general now.
_Ties = cython.struct(checks=Set[2], by=Set[128], masks=uint8_t[128])


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
    general: cython.int
    j: cython.uint
    found: Set
    leg: uint8_t[128]
    memset(t, 0, cython.sizeof(_Ties))
    for side in range(2):
        general = b.general[side]
        if general == ABSENT:
            continue
        t.checks[side] = checks_on(r, b, side)
        # A piece matters on a line through the general, or on the leg of an enemy's step to it.
        memset(leg, r.diagonals, cython.sizeof(leg))
        for j in range(r.source_at[(side ^ 1) * 128 + general], r.source_at[(side ^ 1) * 128 + general + 1]):
            if b.at[r.source[j] & 127] == r.source[j] >> 24:
                leg[(r.source[j] >> 8) & 127] = 1
        for owner in range(2):
            n = b.count[owner]
            memcpy(men, b.men[owner], cython.sizeof(men))  # lifting a piece reorders the list
            for i in range(n):
                point = men[i]
                piece = b.at[point]
                if r.royal[piece] or not (
                    leg[point]
                    or r.file_of[point] == r.file_of[general]
                    or r.rank_of[point] == r.rank_of[general]
                ):
                    continue
                put(r, b, point, 0)
                found = minus(checks_on(r, b, side), t.checks[side])
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
    return some(t.by[point])


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
        if has(t.by[point], holder) and not r.rides[b.at[holder]] and not r.royal[b.at[holder]]:
            return True
    return False


# A board of the line with what was found out about it, so that the next can be compared with it.
_Seen = cython.struct(board=Board, ties=_Ties)


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
    asked: cython.pointer(cython.const[Asked]),
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
        if has(t.by[start], to):
            flags |= ON_PINNER
            if not r.rides[victim] and _is_held(r, b, t, start):
                flags |= ON_HOLDER
    if _is_tied(t, to):
        flags |= TIED
        if _is_held(r, b, t, to):
            flags |= HELD
    if crossed(r, b, to):
        flags |= CROSSED
    # The victim's answer.
    b.side = them
    if reaches(r, b, to, start):
        flags |= MUTUAL
        play(r, b, to | start << 8, cython.address(undo))
        if not exposed(r, b, them, t.checks[them], r.royal[victim]):
            flags |= RETURNED
        take_back(r, b, cython.address(undo))
    # The capture and what answers it.
    b.side = us
    play(r, b, start | to << 8, cython.address(undo))
    if not exposed(r, b, us, t.checks[us], r.royal[attacker]):
        flags |= LEGAL
    n = b.count[them]
    memcpy(men, b.men[them], cython.sizeof(men))
    for i in range(n):
        if not reaches(r, b, men[i], to):
            continue
        flags |= ROOTED
        if r.royal[b.at[men[i]]]:
            general = b.general[us]
            play(r, b, men[i] | to << 8, cython.address(back))
            if general == ABSENT or not has(checks_on(r, b, them), general):
                flags |= FREE_ROOT
            if not exposed(r, b, them, t.checks[them], True):
                flags |= RETAKEN
            take_back(r, b, cython.address(back))
            continue
        if not _is_tied(t, men[i]):
            flags |= FREE_ROOT
        elif old != cython.NULL and not _is_tied(old, men[i]):
            flags |= UNROOTED
        play(r, b, men[i] | to << 8, cython.address(back))
        if not exposed(r, b, them, t.checks[them], False):
            flags |= RETAKEN
        take_back(r, b, cython.address(back))
    if flags & LEGAL and asked.value[victim & 15] > exchange(r, b, to, t.checks, asked.value):
        flags |= WINS
        nodes = asked.nodes
        # A check that stands is left aside, and so is the mate that may follow from not meeting it.
        if not some(t.checks[us]) and mates(r, b, asked.ruin, cython.address(nodes)):
            flags |= RUINS
    take_back(r, b, cython.address(undo))
    # Roots on the board as it stands: the attacker is on the point and still where it was, be it the general.
    general = b.general[us]
    put(r, b, to, attacker)
    b.side = them
    n = b.count[them]
    memcpy(men, b.men[them], cython.sizeof(men))
    for i in range(n):
        if reaches(r, b, men[i], to):
            royal = r.royal[b.at[men[i]]]
            play(r, b, men[i] | to << 8, cython.address(back))
            if not exposed(r, b, them, t.checks[them], royal):
                flags |= STANDING_ROOT
            take_back(r, b, cython.address(back))
            if flags & STANDING_ROOT:
                break
    put(r, b, to, victim)
    b.general[us] = general
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
    if origin != NOWHERE and reaches(r, cython.address(old.board), origin, to):
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
    asked: cython.pointer(cython.const[Asked]),
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
            out[count] = _word(b, identity, men[i], to, flags)
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list_runs(
    r: cython.pointer(cython.const[Rules]),
    now: cython.pointer(_Seen),
    by: cython.int,
    identity: cython.pointer(cython.const[uint8_t]),
    asked: cython.pointer(cython.const[Asked]),
    out: cython.pointer(uint64_t),
) -> cython.int:
    """Write what side ``by`` would win by runs of checks, were it to move, to ``out``; returns how many, at most 16.

    While a general stands in check that is not asked, and when it took too long not known: a word without flags
    other than BY_CHECKS says so.
    """
    b: cython.pointer(Board) = cython.address(now.board)
    found: uint32_t[16]
    i: cython.int
    n: cython.int = -1
    saved: cython.int = b.side
    flags: cython.int
    if not some(now.ties.checks[0]) and not some(now.ties.checks[1]):
        b.side = by
        n = wins_by_checks(r, b, asked, found, 16)
        b.side = saved
    if n < 0:
        out[0] = cython.cast(uint64_t, by) << AT_SIDE | cython.cast(uint64_t, BY_CHECKS) << AT_FLAGS
        return 1
    for i in range(n):
        flags = BY_CHECKS | WINS | (CROSSED if crossed(r, b, found[i] >> 8) else 0)
        out[i] = _word(b, identity, found[i] & 127, found[i] >> 8, flags)
    return n


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _word(
    b: cython.pointer(cython.const[Board]),
    identity: cython.pointer(cython.const[uint8_t]),
    start: cython.int,
    to: cython.int,
    flags: cython.int,
) -> uint64_t:
    """An attack as one word: ``_conduct.pxd`` has its layout."""
    word: uint64_t = start | to << AT_TO
    word |= cython.cast(uint64_t, identity[start]) << AT_ATTACKER
    word |= cython.cast(uint64_t, identity[to]) << AT_VICTIM
    word |= cython.cast(uint64_t, b.at[start] & 15) << AT_KIND
    word |= cython.cast(uint64_t, b.at[to] & 15) << AT_TARGET
    word |= cython.cast(uint64_t, b.at[start] >> 4) << AT_SIDE
    return word | cython.cast(uint64_t, flags) << AT_FLAGS


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _attacks(
    r: cython.pointer(cython.const[Rules]),
    now: cython.pointer(_Seen),
    old: cython.pointer(cython.const[_Seen]),
    move: uint32_t,
    identity: cython.pointer(cython.const[uint8_t]),
    asked: cython.pointer(cython.const[Asked]),
    out: cython.pointer(uint64_t),
) -> cython.int:
    """Write all attacks of both sides after ``move``, the mover's first, to ``out``, at most MOST_WORDS."""
    side: cython.int = now.board.side
    count: cython.int = _list(r, now, old, move, side ^ 1, identity, asked, out, 64)
    count += _list(r, now, cython.NULL, move, side, identity, asked, out + count, 64)
    if asked.checks:
        count += _list_runs(r, now, 0, identity, asked, out + count)
        count += _list_runs(r, now, 1, identity, asked, out + count)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _kill(
    r: cython.pointer(cython.const[Rules]),
    now: cython.pointer(_Seen),
    asked: cython.pointer(cython.const[Asked]),
) -> cython.int:
    """In how few checks the side that has moved would mate if it could move again; 0 if it gives check itself."""
    side: cython.int = now.board.side
    nodes: cython.int = asked.nodes
    found: cython.int
    if not asked.checks or some(now.ties.checks[side]):
        return 0
    now.board.side = side ^ 1
    found = mates(r, cython.address(now.board), asked.checks, cython.address(nodes))
    now.board.side = side
    return found


# What one position comes to; a later round of the cycle finds it again by the keys of the two positions.
_Position = cython.struct(before=uint64_t, after=uint64_t, at=int64_t, count=cython.int, kill=cython.int)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _recall(
    known: cython.pointer(cython.const[_Position]),
    n: cython.int,
    now: cython.pointer(cython.const[_Seen]),
    old: cython.pointer(cython.const[_Seen]),
) -> cython.int:
    """Which of the ``n`` known positions this is, reached from the same one; -1 for none."""
    i: cython.int
    for i in range(n):
        if known[i].after == now.board.key and known[i].before == old.board.key:
            return i
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _quiet(
    words: cython.pointer(cython.const[uint64_t]),
    count: cython.int,
    old: cython.pointer(cython.const[uint64_t]),
    old_count: cython.int,
    side: cython.int,
    moved: cython.int,
) -> cython.int:
    """The quiet class of a move: Q_EXCHANGE … Q_IDLE, from the attacks after and before it."""
    i: cython.int
    j: cython.int
    flags: cython.int
    follows: cython.bint = False
    offered: cython.bint = False
    for i in range(count):
        flags = words[i] >> AT_FLAGS
        if cython.cast(cython.int, words[i] >> AT_SIDE & 1) != side:
            if (
                cython.cast(cython.int, words[i] >> AT_VICTIM & 127) == moved
                and (flags & (LEGAL | RETAKEN)) == LEGAL
            ):
                offered = True
        elif flags & (MOVED | UNCOVERED) and flags & LEGAL:
            if flags & RETURNED and (words[i] >> AT_KIND & 15) == (words[i] >> AT_TARGET & 15):
                return Q_EXCHANGE
            if flags & RETAKEN:
                follows = True
    if offered:
        return Q_SACRIFICE
    for j in range(old_count):
        if (
            cython.cast(cython.int, old[j] >> AT_SIDE & 1) == side
            or not old[j] >> AT_FLAGS & LEGAL
            or cython.cast(cython.int, old[j] >> AT_VICTIM & 127) == moved
        ):
            continue
        for i in range(count):
            if (words[i] ^ old[j]) >> AT_ATTACKER & 0x3FFF == 0 and cython.cast(
                cython.int, words[i] >> AT_SIDE & 1
            ) != side:
                break
        else:
            return Q_BLOCK
    return Q_FOLLOW if follows else Q_IDLE


def note(
    tables: Tables,
    starts: list,
    rows: cython.const[int64_t][::1],
    firsts: cython.const[int32_t][::1],
    lasts: cython.const[int32_t][::1],
    plies: dict,
    checking: uint16_t,
    values: bytes,
    soldier: cython.int,
    checks: cython.int,
    ruin: cython.int = 1,
    nodes: cython.int = 4000,
    run_nodes: cython.int = 20000,
) -> dict:
    """The attacks of both sides after the plies ``firsts[g] … lasts[g]`` of several games.

    ``starts`` hold each game's arguments of `_board.set_up` (pieces, side, since_capture, held, iron), ``rows`` its
    first row in ``plies``, columns as `_replay.replay` gives them. ``checking`` is the flag of a check as the rule set
    counts it, ``values`` the worth of each kind of piece in an exchange (16 bytes, 0 no worth, the general's the
    highest), ``soldier`` the kind that is worth it only beyond the river. ``checks`` bounds threats of mate and runs of
    checks, ``ruin`` the mates that a winning capture may run into, in checks, ``nodes`` each search for mate,
    ``run_nodes`` each for what a run of checks wins.

    Returns flat columns, a row per position: ``game`` (n + 1 first rows), ``ply`` (from 1; 0 is the start),
    ``side`` (that moved), ``moved`` (which piece, 255 none), ``check``, ``kill`` (in how few checks that side would
    mate if it could move again; 0 not within ``checks``, or it gives check itself), ``quiet`` (what the move is if
    it is nothing heavier: number in QUIET), ``start``, ``to`` and ``kind`` of the move, and ``at``, n + 1 first
    indices into ``words``, the attacks. A piece's identity is the point where it stood in the start position; dropped
    pieces count down from 126.
    """
    r: cython.pointer(cython.const[Rules]) = cython.address(tables.rules)
    start_of: cython.const[uint8_t][::1] = plies["from"]
    to_of: cython.const[uint8_t][::1] = plies["to"]
    piece_of: cython.const[uint8_t][::1] = plies["piece"]
    promotion_of: cython.const[uint8_t][::1] = plies["promotion"]
    flags_of: cython.const[uint16_t][::1] = plies["flags"]
    asked: Asked
    seen: _Seen[2]
    undo: Undo
    identity: uint8_t[128]
    known: _Position[256]
    knowns: cython.int
    words: cython.pointer(uint64_t) = cython.NULL
    bigger: cython.pointer(uint64_t)
    room: int64_t = 0
    total: int64_t = 0
    here: int64_t
    before: int64_t
    now: cython.pointer(_Seen)
    old: cython.pointer(_Seen)
    g: cython.int
    i: cython.int
    ply: cython.int
    count: cython.int
    old_count: cython.int
    kill: cython.int
    which: cython.int
    dropped: cython.int
    found: cython.int
    mover: cython.int
    move: uint32_t
    row: int64_t
    asked.soldier = soldier
    asked.checks = checks
    asked.ruin = ruin
    asked.nodes = nodes
    asked.run_nodes = run_nodes
    for i in range(16):
        asked.value[i] = values[i]
    game = array("I", [0])
    out_ply, out_side, out_moved, out_check = array("I"), array("B"), array("B"), array("B")
    out_kill, out_quiet = array("B"), array("B")
    out_start, out_to, out_kind = array("B"), array("B"), array("B")
    at = array("I", [0])
    try:
        for g in range(len(starts)):
            which = 0
            dropped = 126
            knowns = 0
            before = -1
            old_count = 0
            _set_up(tables, cython.address(seen[0].board), starts[g])
            for i in range(128):
                identity[i] = i
            for ply in range(lasts[g] + 1):
                move = 0
                row = rows[g] + ply - 1
                if ply:
                    if flags_of[row] & F_DROP:
                        move = NOWHERE | cython.cast(uint32_t, piece_of[row] + 1) << 16
                    else:
                        move = start_of[row]
                        if promotion_of[row] != NONE:
                            move |= cython.cast(uint32_t, promotion_of[row] + 1) << 16
                    move |= cython.cast(uint32_t, to_of[row]) << 8
                    memcpy(
                        cython.address(seen[which ^ 1].board),
                        cython.address(seen[which].board),
                        cython.sizeof(Board),
                    )
                    which ^= 1
                    if move & 127 == NOWHERE:
                        identity[to_of[row]] = dropped
                        dropped -= 1
                    else:
                        identity[to_of[row]] = identity[move & 127]
                    play(r, cython.address(seen[which].board), move, cython.address(undo))
                if ply < firsts[g] - 1:
                    continue
                _find_ties(r, cython.address(seen[which].board), cython.address(seen[which].ties))
                if ply < firsts[g]:
                    continue
                if total + MOST_WORDS > room:
                    room = 2 * room + 4096
                    bigger = cython.cast(cython.pointer(uint64_t), realloc(words, room * 8))
                    if bigger == cython.NULL:
                        raise MemoryError
                    words = bigger
                mover = seen[which].board.side ^ 1
                here = total
                now = cython.address(seen[which])
                old = cython.address(seen[which ^ 1]) if ply else cython.NULL
                found = _recall(known, knowns, now, old) if ply > firsts[g] else -1
                if found >= 0:
                    count = known[found].count
                    kill = known[found].kill
                    memcpy(words + here, words + known[found].at, 8 * count)
                    _rename(words + here, count, identity)
                else:
                    count = _attacks(r, now, old, move, identity, cython.address(asked), words + here)
                    kill = _kill(r, now, cython.address(asked)) if ply else 0
                    if ply > firsts[g] and knowns < 256:
                        known[knowns].before = old.board.key
                        known[knowns].after = now.board.key
                        known[knowns].at = here
                        known[knowns].count = count
                        known[knowns].kill = kill
                        knowns += 1
                total += count
                i = identity[(move >> 8) & 127] if ply else NONE
                out_ply.append(ply)
                out_side.append(mover)
                out_moved.append(i)
                out_check.append(
                    (flags_of[row] & checking) != 0 if ply else some(seen[which].ties.checks[mover ^ 1])
                )
                out_kill.append(kill)
                out_quiet.append(
                    _quiet(words + here, count, words + before, old_count, mover, i)
                    if before >= 0
                    else Q_IDLE
                )
                out_start.append(NONE if not ply or move & 127 == NOWHERE else move & 127)
                out_to.append((move >> 8) & 127 if ply else NONE)
                out_kind.append(move >> 16)
                at.append(total)
                before = here
                old_count = count
            game.append(len(out_ply))
        said = array("Q", cython.cast(cython.p_char, words)[: 8 * total] if total else b"")
    finally:
        free(words)
    return {
        "game": game,
        "ply": out_ply,
        "side": out_side,
        "moved": out_moved,
        "check": out_check,
        "kill": out_kill,
        "quiet": out_quiet,
        "start": out_start,
        "to": out_to,
        "kind": out_kind,
        "at": at,
        "words": said,
    }


def active(
    columns: dict,
    base: int64_t,
    first: cython.int,
    last: cython.int,
    greater: bytes,
    soldier: cython.int,
    royal: int64_t,
    needed: cython.int,
) -> int:
    """Who might have offended on every move of the plies ``first … last``, by any reading of a book: a cheap bound.

    ``columns`` are those of `note`, ``base`` the row where ply 0 would be. ``greater`` marks the pairs of kinds,
    attacker times 16 plus target, that count though protected; ``royal`` the kinds (bit by bit) that may chase;
    ``needed`` are flags without which nothing is a chase. Bits 0 and 1: Red and Black may have attacked one piece on
    every move; bits 2 and 3: may have checked, threatened mate or attacked anything on every move.
    """
    at: cython.const[uint32_t][::1] = columns["at"]
    words: cython.const[uint64_t][::1] = columns["words"]
    side_of: cython.const[uint8_t][::1] = columns["side"]
    check: cython.const[uint8_t][::1] = columns["check"]
    kill: cython.const[uint8_t][::1] = columns["kill"]
    steady: Set[2]
    here: Set
    busy: cython.bint[2]
    any_here: cython.bint
    ply: cython.int
    flags: cython.int
    side: cython.int
    kind: cython.int
    target: cython.int
    row: int64_t
    i: int64_t
    found: cython.int = 0
    steady[0].low = steady[0].high = steady[1].low = steady[1].high = ~cython.cast(uint64_t, 0)
    busy[0] = busy[1] = True
    for ply in range(first, last + 1):
        row = base + ply
        side = side_of[row]
        here.low = here.high = 0
        any_here = check[row] or kill[row]
        for i in range(at[row], at[row + 1]):
            if cython.cast(cython.int, words[i] >> AT_SIDE & 1) != side:
                continue
            flags = words[i] >> AT_FLAGS
            kind = words[i] >> AT_KIND & 15
            target = words[i] >> AT_TARGET & 15
            if flags & needed != needed or (target == soldier and not flags & CROSSED):
                continue
            if (
                flags & STOOD
                and not flags & (MOVED | UNCOVERED | RETREATED | UNROOTED | BATTERY)
                and flags & RETAKEN
                and flags & FREE_ROOT
                and flags & STANDING_ROOT
                and not flags & WINS
                and not greater[kind * 16 + target]
            ):
                continue
            any_here = True
            if not royal >> kind & 1:
                target = words[i] >> AT_VICTIM & 127
                if target < 64:
                    here.low |= cython.cast(uint64_t, 1) << target
                else:
                    here.high |= cython.cast(uint64_t, 1) << (target - 64)
        steady[side].low &= here.low
        steady[side].high &= here.high
        busy[side] = busy[side] and any_here
    for side in range(2):
        found |= some(steady[side]) << side | busy[side] << (2 + side)
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rename(
    words: cython.pointer(uint64_t), count: cython.int, identity: cython.pointer(cython.const[uint8_t])
) -> cython.void:
    """Put the present identities into attacks of an earlier round: like pieces may have changed places."""
    i: cython.int
    word: uint64_t
    for i in range(count):
        word = words[i] & ~(cython.cast(uint64_t, 0x3FFF) << AT_ATTACKER)
        word |= cython.cast(uint64_t, identity[words[i] & 127]) << AT_ATTACKER
        word |= cython.cast(uint64_t, identity[words[i] >> AT_TO & 127]) << AT_VICTIM
        words[i] = word


@cython.cfunc
def _set_up(tables: Tables, b: cython.pointer(Board), start: tuple):
    pieces, side, since_capture, held, iron = start
    set_up(cython.address(tables.rules), b, pieces, side, since_capture, held, iron)
