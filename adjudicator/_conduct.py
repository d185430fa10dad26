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


COLUMNS = {
    "ply": "I",
    "side": "B",
    "moved": "B",
    "check": "B",
    "kill": "B",
    "quiet": "B",
    "start": "B",
    "to": "B",
    "kind": "B",
}


@cython.cclass
class _Notebook:
    """The game in hand, and what is noted of all games: ``columns`` with a row per position, and ``words``."""

    tables: Tables
    asked: Asked
    seen: _Seen[2]  # the position in hand and the one before it, in turns
    which: cython.int
    identity: uint8_t[128]
    dropped: cython.int
    known: _Position[256]
    knowns: cython.int
    words: cython.pointer(uint64_t)
    room: int64_t
    total: int64_t
    before: int64_t  # where the words of the row before begin; -1 where there is none
    columns: dict
    at: object

    def __cinit__(self, tables: Tables):
        self.tables = tables
        self.words = cython.NULL
        self.room = self.total = 0
        self.columns = {name: array(kind) for name, kind in COLUMNS.items()}
        self.at = array("I", [0])

    def __dealloc__(self):
        free(self.words)

    @cython.cfunc
    def begin(self, start: tuple) -> cython.void:
        """Set up the ``start`` of a game, given as to `_board.set_up`."""
        i: cython.int
        pieces, side, since_capture, held, iron = start
        self.which = 0
        self.dropped = 126
        self.knowns = 0
        self.before = -1
        set_up(
            cython.address(self.tables.rules),
            cython.address(self.seen[0].board),
            pieces,
            side,
            since_capture,
            held,
            iron,
        )
        for i in range(128):
            self.identity[i] = i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, move: uint32_t) -> cython.void:
        undo: Undo
        to: cython.int = (move >> 8) & 127
        self.seen[self.which ^ 1].board = self.seen[self.which].board
        self.which ^= 1
        if move & 127 == NOWHERE:
            self.identity[to] = self.dropped
            self.dropped -= 1
        else:
            self.identity[to] = self.identity[move & 127]
        play(
            cython.address(self.tables.rules),
            cython.address(self.seen[self.which].board),
            move,
            cython.address(undo),
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_ties(self) -> cython.void:
        _find_ties(
            cython.address(self.tables.rules),
            cython.address(self.seen[self.which].board),
            cython.address(self.seen[self.which].ties),
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_check(self) -> cython.bint:
        """Whether the side to move stands in check, once the ties are found."""
        return some(self.seen[self.which].ties.checks[self.seen[self.which].board.side])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weigh(self, move: uint32_t, position: cython.pointer(_Position), again: cython.bint) -> cython.void:
        """Write the attacks after ``move`` (0: at the start) behind the ``words``, and what they come to.

        ``again``: a position that is known from an earlier round of the cycle is not looked at anew.
        """
        r: cython.pointer(cython.const[Rules]) = cython.address(self.tables.rules)
        now: cython.pointer(_Seen) = cython.address(self.seen[self.which])
        old: cython.pointer(_Seen) = cython.address(self.seen[self.which ^ 1]) if move else cython.NULL
        out: cython.pointer(uint64_t) = self.words + self.total
        found: cython.int = _recall(self.known, self.knowns, now, old) if again else -1
        if found >= 0:
            position[0] = self.known[found]
            memcpy(out, self.words + position.at, 8 * position.count)
            _rename(out, position.count, self.identity)
        else:
            position.count = _attacks(r, now, old, move, self.identity, cython.address(self.asked), out)
            position.kill = _kill(r, now, cython.address(self.asked)) if move else 0
            if again and self.knowns < 256:
                position.before = old.board.key
                position.after = now.board.key
                position.at = self.total
                self.known[self.knowns] = position[0]
                self.knowns += 1
        position.at = self.total

    @cython.cfunc
    def enter(self, ply: cython.int, move: uint32_t, check: cython.bint, again: cython.bint):
        """A row for the position after ``ply``, which ``move`` led to (0: the start)."""
        position: _Position
        columns: dict = self.columns
        drop: cython.bint = move & 127 == NOWHERE
        mover: cython.int = self.seen[self.which].board.side ^ 1
        moved: cython.int = self.identity[(move >> 8) & 127] if move else NONE
        quiet: cython.int = Q_IDLE
        self._make_room()
        self.weigh(move, cython.address(position), again)
        if self.before >= 0:
            quiet = _quiet(
                self.words + position.at,
                position.count,
                self.words + self.before,
                cython.cast(cython.int, self.total - self.before),
                mover,
                moved,
            )
        self.before = self.total
        self.total += position.count
        columns["ply"].append(ply)
        columns["side"].append(mover)
        columns["moved"].append(moved)
        columns["check"].append(check)
        columns["kill"].append(position.kill)
        columns["quiet"].append(quiet)
        columns["start"].append(NONE if drop or not move else move & 127)
        columns["to"].append((move >> 8) & 127 if move else NONE)
        columns["kind"].append(move >> 16)
        self.at.append(self.total)

    @cython.cfunc
    def _make_room(self):
        """For the words of one more position."""
        if self.total + MOST_WORDS <= self.room:
            return
        room: int64_t = 2 * self.room + 4096
        bigger: cython.pointer(uint64_t) = cython.cast(
            cython.pointer(uint64_t), realloc(self.words, room * 8)
        )
        if bigger == cython.NULL:
            raise MemoryError
        self.words = bigger
        self.room = room


@cython.cclass
class _Plies:
    """The moves of a batch, from the columns of `_replay.replay`."""

    start: cython.const[uint8_t][::1]
    to: cython.const[uint8_t][::1]
    piece: cython.const[uint8_t][::1]
    promotion: cython.const[uint8_t][::1]
    flags: cython.const[uint16_t][::1]

    def __cinit__(self, columns: dict):
        self.start, self.to = columns["from"], columns["to"]
        self.piece, self.promotion = columns["piece"], columns["promotion"]
        self.flags = columns["flags"]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, row: int64_t) -> uint32_t:
        """The move of ``row``, as the board plays it."""
        move: uint32_t = cython.cast(uint32_t, self.to[row]) << 8
        if self.flags[row] & F_DROP:
            return move | NOWHERE | cython.cast(uint32_t, self.piece[row] + 1) << 16
        if self.promotion[row] != NONE:
            move |= cython.cast(uint32_t, self.promotion[row] + 1) << 16
        return move | self.start[row]


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
    book: _Notebook = _Notebook(tables)
    played: _Plies = _Plies(plies)
    game = array("I", [0])
    g: cython.int
    i: cython.int
    ply: cython.int
    row: int64_t
    move: uint32_t
    check: cython.bint
    book.asked.soldier = soldier
    book.asked.checks = checks
    book.asked.ruin = ruin
    book.asked.nodes = nodes
    book.asked.run_nodes = run_nodes
    for i in range(16):
        book.asked.value[i] = values[i]
    for g in range(len(starts)):
        book.begin(starts[g])
        for ply in range(lasts[g] + 1):
            row = rows[g] + ply - 1
            move = played.move(row) if ply else 0
            if ply:
                book.play(move)
            if ply >= firsts[g] - 1:  # the position before the first, too: what it tied is asked after
                book.find_ties()
            if ply >= firsts[g]:
                check = played.flags[row] & checking != 0 if ply else book.is_check()
                book.enter(ply, move, check, ply > firsts[g])
        game.append(len(book.at) - 1)
    words = array("Q", cython.cast(cython.p_char, book.words)[: 8 * book.total] if book.total else b"")
    return {**book.columns, "game": game, "at": book.at, "words": words}


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
