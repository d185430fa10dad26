# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whole batches: written moves in, facts per ply out.

Compiled from this file (Cython, pure Python mode). `replay` releases the GIL for the whole batch and makes no Python
object per move. Columns are plain buffers (`array.array`) that the caller owns.
"""

from array import array

import cython
from cython.cimports.adjudicator._board import (
    ABSENT,
    ALGEBRAIC,
    BLAST,
    COORDINATE,
    EITHER_PLACE,
    NOWHERE,
    RANKS_FROM_0,
    REPLACE,
    Board,
    Danger,
    Rules,
    Tables,
    Undo,
    count_legal,
    find_danger,
    must_place,
    play,
    set_up,
    threatened,
)
from cython.cimports.adjudicator._resolve import resolve
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from cython.cimports.libc.stdlib import free, malloc, realloc
from cython.cimports.libc.string import memcpy, memset

STATUS = {
    "all-played": ALL_PLAYED,
    "unreadable": UNREADABLE,
    "illegal": ILLEGAL,
    "ambiguous": AMBIGUOUS,
    "not-started": NOT_STARTED,
}

FLAGS = {
    "drop": F_DROP,
    "check": F_CHECK,
    "wide_check": F_WIDE,
    "discovered_check": F_DISCOVERED,
    "double_check": F_DOUBLE,
    "facing_check": F_FACING,
    "mate": F_MATE,
    "stalemate": F_STALEMATE,
    "capture": F_CAPTURE,
    "general_gone": F_GENERAL_GONE,
    "overwritten": F_OVERWRITTEN,
}

PLY_COLUMNS = {
    "game": "I",
    "ply": "I",
    "token": "I",
    "side": "B",
    "from": "B",
    "to": "B",
    "piece": "B",
    "captured": "B",
    "promotion": "B",
    "flags": "H",
    "legal_replies": "H",
    "plies_since_capture": "I",
    "occurrence": "I",
    "position_key": "Q",
}


@cython.cclass
class Starts:
    """Start positions of a batch, each set up once; `replay` refers to them by number."""

    tables: Tables
    boards: cython.pointer(Board)
    n: cython.int
    room: cython.int

    def __cinit__(self, tables: Tables):
        self.tables = tables
        self.boards = cython.NULL
        self.n = 0
        self.room = 0

    def __dealloc__(self):
        free(self.boards)

    def add(
        self,
        pieces: bytes,
        side: cython.int,
        since_capture: cython.int = 0,
        held: tuple = ({}, {}),
        iron: tuple = (),
    ) -> int:
        """Set up a position, given as to `_board.Cursor`; returns its number."""
        bigger: cython.pointer(Board)
        b: cython.pointer(Board)
        if len(pieces) < self.tables.rules.points:
            raise ValueError("too few points")
        if self.n == self.room:
            self.room = 2 * self.room + 16
            bigger = cython.cast(
                cython.pointer(Board), realloc(self.boards, self.room * cython.sizeof(Board))
            )
            if bigger == cython.NULL:
                raise MemoryError
            self.boards = bigger
        b = cython.address(self.boards[self.n])
        set_up(cython.address(self.tables.rules), b, pieces, side, since_capture, held, iron)
        self.n += 1
        return self.n - 1

    def facts(self, number: cython.int) -> tuple:
        """``(key, side to move, flags)`` of a start position: the flags of a ply that would have led to it."""
        danger: Danger
        board: Board = self.boards[number]
        find_danger(cython.address(self.tables.rules), cython.address(board), cython.address(danger))
        replies: cython.int = count_legal(
            cython.address(self.tables.rules), cython.address(board), cython.address(danger)
        )
        flags: cython.int = _state(
            cython.address(self.tables.rules), cython.address(board), cython.address(danger), replies
        )
        return board.key, board.side, flags


GAME_COLUMNS = {
    "status": "B",
    "digest": "Q",
    "written": "B",
    "captures": "I",
    "explosions": "I",
    "drops": "I",
    "checks": "I",
    "overwritten": "I",
    "final_side": "B",
    "final_since": "I",
}

_Columns = cython.struct(
    game=cython.pointer(uint32_t),
    ply=cython.pointer(uint32_t),
    token=cython.pointer(uint32_t),
    side=cython.pointer(uint8_t),
    start=cython.pointer(uint8_t),
    to=cython.pointer(uint8_t),
    piece=cython.pointer(uint8_t),
    captured=cython.pointer(uint8_t),
    promotion=cython.pointer(uint8_t),
    flags=cython.pointer(uint16_t),
    replies=cython.pointer(uint16_t),
    since=cython.pointer(uint32_t),
    occurrence=cython.pointer(uint32_t),
    key=cython.pointer(uint64_t),
    reserve=cython.pointer(int32_t),
    blast=cython.pointer(uint32_t),
)

# A game as it was written: its number, the board it starts from, its tokens, of which the first is number ``first`` of
# the batch, and what the distinct tokens say.
_Written = cython.struct(
    number=uint32_t,
    start=cython.pointer(cython.const[Board]),
    token=cython.pointer(cython.const[uint32_t]),
    first=int64_t,
    n=int64_t,
    said=cython.pointer(cython.const[uint32_t]),
)

# What captures that cost the capturer cleared, and the different reserves that occurred; they grow with a batch.
_Blasts = cython.struct(code=cython.pointer(uint16_t), n=int64_t, room=int64_t)
_Reserves = cython.struct(
    held=cython.pointer(uint8_t),
    key=cython.pointer(uint64_t),
    slot=cython.pointer(int32_t),
    n=int64_t,
    room=int64_t,
    mask=uint64_t,
)

_Seen = cython.struct(key=uint64_t, count=uint32_t)

# What the games of a batch are played in, one after the other: the board, the positions seen, those that may not be
# created again, and what grows.
_Room = cython.struct(
    board=Board,
    seen=cython.pointer(_Seen),
    bans=cython.pointer(uint64_t),
    blasts=_Blasts,
    reserves=_Reserves,
)

# What a game comes to: how its replay ended, the reading of its ranks, the kinds of notation heard (bit = kind), a hash
# of start and moves, and counts of plies by kind.
_Tally = cython.struct(
    status=cython.int,
    reading=cython.int,
    written=cython.int,
    digest=uint64_t,
    captures=uint32_t,
    explosions=uint32_t,
    drops=uint32_t,
    checks=uint32_t,
    overwritten=uint32_t,
)


@cython.cclass
class _Memory:
    """The memory of a `_Room` for games of up to ``longest`` plies."""

    room: _Room

    def __cinit__(self, longest: int64_t):
        slots: int64_t = _slots(longest)
        memset(cython.address(self.room), 0, cython.sizeof(_Room))
        self.room.seen = cython.cast(cython.pointer(_Seen), malloc(slots * cython.sizeof(_Seen)))
        self.room.bans = cython.cast(cython.pointer(uint64_t), malloc(8 * (longest + 1)))
        if self.room.seen == cython.NULL or self.room.bans == cython.NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.room.seen)
        free(self.room.bans)
        free(self.room.blasts.code)
        free(self.room.reserves.held)
        free(self.room.reserves.key)
        free(self.room.reserves.slot)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _slots(plies: int64_t) -> int64_t:
    """How many slots the positions of so many plies are counted in: a power of two, half of them free."""
    slots: int64_t = 4
    while slots < 2 * plies + 4:
        slots *= 2
    return slots


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _mix(x: uint64_t) -> uint64_t:
    x = (x ^ (x >> 30)) * cython.cast(uint64_t, 0xBF58476D1CE4E5B9)
    x = (x ^ (x >> 27)) * cython.cast(uint64_t, 0x94D049BB133111EB)
    return x ^ (x >> 31)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _count(seen: cython.pointer(_Seen), mask: uint64_t, key: uint64_t) -> uint32_t:
    """Count one more occurrence of ``key`` (open addressing; an empty slot has count 0)."""
    i: uint64_t = key & mask
    while seen[i].count and seen[i].key != key:
        i = (i + 1) & mask
    seen[i].key = key
    seen[i].count += 1
    return seen[i].count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _note_blast(blasts: cython.pointer(_Blasts), u: cython.pointer(cython.const[Undo])) -> cython.bint:
    """Append what a capture that cost the capturer took besides, by point; False when memory is short."""
    i: cython.int
    j: int64_t
    code: uint16_t
    room: int64_t
    bigger: cython.pointer(uint16_t)
    if blasts.n + 8 > blasts.room:
        room = 2 * blasts.room + 64
        bigger = cython.cast(cython.pointer(uint16_t), realloc(blasts.code, room * 2))
        if bigger == cython.NULL:
            return False
        blasts.code = bigger
        blasts.room = room
    for i in range(1, u.changes):
        code = u.point[i] << 5 | u.stood[i]
        j = blasts.n + i - 1
        while j > blasts.n and blasts.code[j - 1] > code:
            blasts.code[j] = blasts.code[j - 1]
            j -= 1
        blasts.code[j] = code
    blasts.n += u.changes - 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reserve(
    r: cython.pointer(cython.const[Rules]),
    reserves: cython.pointer(_Reserves),
    b: cython.pointer(cython.const[Board]),
) -> int32_t:
    """The number of the present reserves among those that occurred; -1 when memory is short."""
    key: uint64_t = 0
    side: cython.int
    kind: cython.int
    i: uint64_t
    j: int64_t
    for side in range(2):
        for kind in range(1, r.types + 1):
            key ^= r.key_held[kind | side << 4][b.held[side][kind] & 63]
    if reserves.n == reserves.room and not _grow_reserves(reserves):
        return -1
    i = key & reserves.mask
    while reserves.slot[i] >= 0:
        if reserves.key[reserves.slot[i]] == key:
            return reserves.slot[i]
        i = (i + 1) & reserves.mask
    j = reserves.n
    reserves.slot[i] = j
    reserves.key[j] = key
    memcpy(reserves.held + 32 * j, b.held, 32)
    reserves.n += 1
    return j


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _grow_reserves(reserves: cython.pointer(_Reserves)) -> cython.bint:
    room: int64_t = 2 * reserves.room + 64
    slots: uint64_t = 4 * room
    i: uint64_t
    j: int64_t
    held: cython.pointer(uint8_t) = cython.cast(cython.pointer(uint8_t), realloc(reserves.held, 32 * room))
    if held == cython.NULL:
        return False
    reserves.held = held
    key: cython.pointer(uint64_t) = cython.cast(cython.pointer(uint64_t), realloc(reserves.key, 8 * room))
    if key == cython.NULL:
        return False
    reserves.key = key
    i = 1
    while i < slots:
        i *= 2
    slot: cython.pointer(int32_t) = cython.cast(cython.pointer(int32_t), realloc(reserves.slot, 4 * i))
    if slot == cython.NULL:
        return False
    reserves.slot = slot
    reserves.mask = i - 1
    reserves.room = room
    memset(slot, 255, 4 * i)
    for j in range(reserves.n):
        i = key[j] & reserves.mask
        while slot[i] >= 0:
            i = (i + 1) & reserves.mask
        slot[i] = j
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _state(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    d: cython.pointer(cython.const[Danger]),
    replies: cython.int,
) -> cython.int:
    """The flags that tell of the side to move: general gone, checkmate, stalemate, wide check.

    rulesets.md, six-fortresses: without a King on the board there is neither check nor stalemate; one that must
    be placed and cannot is checkmate.
    """
    if b.general[b.side] == ABSENT:
        if r.needed:
            return F_GENERAL_GONE
        return F_MATE if replies == 0 and must_place(r, b) else 0
    flags: cython.int = 0
    if d.checkers or threatened(r, b, b.side):
        flags = F_WIDE
    if replies == 0:
        flags |= F_MATE if d.checkers else F_STALEMATE
    return flags


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _check(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(cython.const[Board]),
    d: cython.pointer(cython.const[Danger]),
    to: cython.int,
) -> cython.int:
    """The flags that tell of a check by the move to ``to``: which pieces give it."""
    flags: cython.int = F_CHECK
    i: cython.int
    for i in range(d.checkers):
        if d.checker[i] != to:
            flags |= F_DISCOVERED
        if r.royal[b.at[d.checker[i]]]:
            flags |= F_FACING
    return flags | F_DOUBLE if d.checkers > 1 else flags


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _enter_move(
    c: cython.pointer(_Columns),
    row: int64_t,
    b: cython.pointer(cython.const[Board]),
    move: uint32_t,
    piece: cython.int,
) -> cython.int:
    """Enter what ``move`` is on the board before it, by ``piece``; returns the flags that tell of it."""
    start: cython.int = move & 127
    to: cython.int = (move >> 8) & 127
    drop: cython.bint = start == NOWHERE
    c.side[row] = b.side
    c.start[row] = NONE if drop else start
    c.to[row] = to
    c.piece[row] = (piece & 15) - 1
    c.captured[row] = (b.at[to] & 15) - 1 if b.at[to] else NONE
    c.promotion[row] = NONE if drop or not move >> 16 else (move >> 16) - 1
    return (F_DROP if drop else 0) | (F_CAPTURE if b.at[to] else 0)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _overwritten(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    word: uint32_t,
    reading: cython.int,
    moves: cython.pointer(uint32_t),
) -> cython.bint:
    """Whether ``word`` tells a piece apart by file or rank where the move had one meaning without.

    Not by both, as the long form always does. A soldier without a letter takes with its file in front, as a pawn
    does: exe5.
    """
    if (word & 7) != ALGEBRAIC or (((word >> 3) & 15) != 0) == (((word >> 7) & 15) != 0):
        return False
    if not (word >> 24) & 31 and (word >> 29) & 1:
        return False
    return resolve(r, b, word & ~cython.cast(uint32_t, 0x7F8), reading, moves) == 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _survives(
    r: cython.pointer(cython.const[Rules]), game: cython.pointer(cython.const[_Written]), reading: cython.int
) -> int64_t:
    """How many plies play under ``reading`` before the first that has no single meaning."""
    b: Board = game.start[0]
    undo: Undo
    moves: uint32_t[1024]
    i: int64_t
    for i in range(game.n):
        if resolve(r, cython.address(b), game.said[game.token[i]], reading, moves) != 1:
            return i
        play(r, cython.address(b), moves[0], cython.address(undo))
    return game.n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _replay_game(
    r: cython.pointer(cython.const[Rules]),
    game: cython.pointer(cython.const[_Written]),
    reading: cython.int,
    c: cython.pointer(_Columns),
    row: int64_t,
    room: cython.pointer(_Room),
    t: cython.pointer(_Tally),
) -> int64_t:
    """Play one game into rows from ``row``, its totals into ``t``; returns the plies played."""
    b: cython.pointer(Board) = cython.address(room.board)
    undo: Undo
    danger: Danger
    moves: uint32_t[1024]
    i: int64_t
    count: cython.int
    piece: cython.int
    flags: cython.int
    replies: cython.int
    occurrence: uint32_t
    word: uint32_t
    move: uint32_t
    mask: uint64_t = _slots(game.n)
    memset(room.seen, 0, mask * cython.sizeof(_Seen))
    mask -= 1
    b[0] = game.start[0]
    b.banned = room.bans
    start_key: uint64_t = b.key
    _count(room.seen, mask, b.key)
    memset(t, 0, cython.sizeof(_Tally))
    t.digest = _mix(b.key)
    t.status = ALL_PLAYED
    for i in range(game.n):
        word = game.said[game.token[i]]
        count = resolve(r, b, word, reading, moves)
        t.written |= 1 << (word & 7)
        if count != 1:
            t.status = UNREADABLE if (word & 7) == 0 else ILLEGAL if count == 0 else AMBIGUOUS
            return i
        move = moves[0]
        piece = move >> 16 if move & 127 == NOWHERE else b.at[move & 127]
        c.game[row] = game.number
        c.ply[row] = i + 1
        c.token[row] = game.first + i
        flags = _enter_move(c, row, b, move, piece)
        t.drops += flags & F_DROP != 0
        t.captures += flags & F_CAPTURE != 0
        if _overwritten(r, b, word, reading, moves):
            flags |= F_OVERWRITTEN
            t.overwritten += 1
        play(r, b, move, cython.address(undo))
        occurrence = _count(room.seen, mask, b.key)
        if r.creations and cython.cast(cython.int, occurrence) - (b.key == start_key) == r.creations:
            room.bans[b.bans] = b.key
            b.bans += 1
        if r.blasts:
            if flags & F_CAPTURE and r.effect[piece] != REPLACE:
                t.explosions += r.effect[piece] == BLAST
                if not _note_blast(cython.address(room.blasts), cython.address(undo)):
                    t.status = OUT_OF_MEMORY
                    return i
            c.blast[row + 1] = room.blasts.n
        if r.holds:
            c.reserve[row] = _reserve(r, cython.address(room.reserves), b)
            if c.reserve[row] < 0:
                t.status = OUT_OF_MEMORY
                return i
        find_danger(r, b, cython.address(danger))
        replies = count_legal(r, b, cython.address(danger))
        if danger.checkers:
            t.checks += 1
            flags |= _check(r, b, cython.address(danger), (move >> 8) & 127)
        flags |= _state(r, b, cython.address(danger), replies)
        c.flags[row] = flags
        c.replies[row] = replies
        c.since[row] = b.since_capture
        c.occurrence[row] = occurrence
        c.key[row] = b.key
        t.digest = _mix(t.digest ^ (move + cython.cast(uint64_t, 0x9E3779B97F4A7C15)))
        row += 1
    return game.n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _replay_as_read(
    r: cython.pointer(cython.const[Rules]),
    game: cython.pointer(cython.const[_Written]),
    reading: cython.int,
    c: cython.pointer(_Columns),
    row: int64_t,
    room: cython.pointer(_Room),
    t: cython.pointer(_Tally),
) -> int64_t:
    """`_replay_game` under ``reading``, or where that is to be found out, under the one that plays longer."""
    one: cython.int = EITHER_PLACE | (RANKS_FROM_0 if reading & R_FROM_0 else 0)
    played: int64_t = _replay_game(r, game, one, c, row, room, t)
    other: int64_t
    if reading == R_FIND_OUT:
        reading = 0
        if t.written & (1 << COORDINATE | 1 << ALGEBRAIC):
            other = _survives(r, game, one ^ RANKS_FROM_0)
            if other > played:
                played = _replay_game(r, game, one ^ RANKS_FROM_0, c, row, room, t)
                reading = R_FROM_0
            elif other == game.n:
                reading = R_BOTH
    else:
        reading &= R_FROM_0
    t.reading = reading
    return played


def replay(
    starts: Starts,
    start_of: cython.const[int32_t][::1],
    first: cython.const[int64_t][::1],
    token: cython.const[uint32_t][::1],
    said: cython.const[uint32_t][::1],
    reading: uint8_t[::1],
    skip: cython.const[uint32_t][::1] = None,
) -> tuple:
    """Play every game of a batch and note what each ply did.

    ``start_of[g]`` numbers game g's start in ``starts`` (-1: it cannot start), its tokens are
    ``token[first[g]:first[g + 1]]``, each an index into ``said`` (descriptors of the distinct tokens); the first
    ``skip[g]`` of them are passed over.
    ``reading[g]`` is 0 (ranks from 1), 1 (ranks from 0) or 2 (find out: the reading that plays longer;
    ranks from 1 on a tie) and is overwritten by what was used, plus 4 where both readings play to the
    end by different moves.

    Returns ``(plies, games)``: dicts of `array.array`. ``plies`` has a row per ply played and the columns
    PLY_COLUMNS: plies count from 1, ``token`` is the position in ``token``, pieces are numbers in the rule
    set's order, points and pieces 255 where there is none. ``games`` has per game those of GAME_COLUMNS, ``row``
    (n + 1 entries: first rows), ``final`` (the last board, one byte per point) and ``final_held`` (what either side
    holds then, 2 × 16 bytes); ``digest`` is a hash of start and moves, ``written`` the kinds of notation (bit = kind),
    the rest counts of plies.
    """
    n: int64_t = start_of.shape[0]
    total: int64_t = token.shape[0]
    r: cython.pointer(cython.const[Rules]) = cython.address(starts.tables.rules)
    points: cython.int = r.points
    plies = _columns(PLY_COLUMNS, total)
    games = _columns(GAME_COLUMNS, n)
    row_of: int64_t[::1] = array("q", bytes(8 * (n + 1)))
    blast_first: uint32_t[::1] = array("I", bytes(4 * (total + 1 if r.blasts else 1)))
    reserve_of: int32_t[::1] = array("i", bytes(4 * (total + 1 if r.holds else 1)))
    final: uint8_t[::1] = array("B", bytes(n * points))
    final_held: uint8_t[::1] = array("B", bytes(n * 32))
    status: uint8_t[::1] = games["status"]
    digest: uint64_t[::1] = games["digest"]
    written: uint8_t[::1] = games["written"]
    captures: uint32_t[::1] = games["captures"]
    explosions: uint32_t[::1] = games["explosions"]
    drops: uint32_t[::1] = games["drops"]
    checks: uint32_t[::1] = games["checks"]
    overwritten: uint32_t[::1] = games["overwritten"]
    final_side: uint8_t[::1] = games["final_side"]
    final_since: uint32_t[::1] = games["final_since"]
    c: _Columns
    t: _Tally
    game: _Written
    g: int64_t
    row: int64_t = 0
    played: int64_t
    longest: int64_t = 0
    short: cython.bint = False
    for g in range(n):
        longest = max(longest, first[g + 1] - first[g])
    memory: _Memory = _Memory(longest)
    room: cython.pointer(_Room) = cython.address(memory.room)
    memset(cython.address(c), 0, cython.sizeof(_Columns))
    c.blast = cython.address(blast_first[0])
    c.reserve = cython.address(reserve_of[0])
    if total:
        c.game = _u32(plies["game"])
        c.ply = _u32(plies["ply"])
        c.token = _u32(plies["token"])
        c.side = _u8(plies["side"])
        c.start = _u8(plies["from"])
        c.to = _u8(plies["to"])
        c.piece = _u8(plies["piece"])
        c.captured = _u8(plies["captured"])
        c.promotion = _u8(plies["promotion"])
        c.flags = _u16(plies["flags"])
        c.replies = _u16(plies["legal_replies"])
        c.since = _u32(plies["plies_since_capture"])
        c.occurrence = _u32(plies["occurrence"])
        c.key = _u64(plies["position_key"])
        game.said = cython.address(said[0])
    with cython.nogil:
        for g in range(n):
            row_of[g] = row
            if start_of[g] < 0:
                status[g] = NOT_STARTED
                reading[g] &= R_FROM_0
                continue
            game.number = g
            game.start = cython.address(starts.boards[start_of[g]])
            game.first = first[g] + (skip[g] if skip is not None else 0)
            game.n = first[g + 1] - game.first
            game.token = cython.address(token[game.first]) if game.n else cython.NULL
            played = _replay_as_read(
                r, cython.address(game), reading[g], cython.address(c), row, room, cython.address(t)
            )
            if t.status == OUT_OF_MEMORY:
                short = True
                break
            row += played
            reading[g] = t.reading
            status[g] = t.status
            digest[g] = t.digest
            written[g] = t.written
            captures[g] = t.captures
            explosions[g] = t.explosions
            drops[g] = t.drops
            checks[g] = t.checks
            overwritten[g] = t.overwritten
            memcpy(cython.address(final[g * points]), room.board.at, points)
            memcpy(cython.address(final_held[32 * g]), room.board.held, 32)
            final_side[g] = room.board.side
            final_since[g] = room.board.since_capture
        row_of[n] = row
    if short:
        raise MemoryError
    if row < total:
        plies = {name: column[:row] for name, column in plies.items()}
    if r.blasts:
        plies["blast_first"] = array("I", blast_first[: row + 1])
        plies["blast"] = array("H", _bytes(room.blasts.code, 2 * room.blasts.n))
    if r.holds:
        plies["reserve"] = array("i", reserve_of[:row])
        plies["reserves"] = array("B", _bytes(room.reserves.held, 32 * room.reserves.n))
    return plies, {**games, "row": row_of.base, "final": final.base, "final_held": final_held.base}


def _columns(kinds: dict, rows: int64_t) -> dict:
    """Arrays of so many zeros, by name, of ``kinds`` as `array.array` has them."""
    return {name: array(kind, bytes(rows * array(kind).itemsize)) for name, kind in kinds.items()}


@cython.cfunc
def _bytes(data: cython.p_void, n: int64_t) -> bytes:
    return cython.cast(cython.p_char, data)[:n] if n else b""


def placements(boards: bytes, points: cython.int, files: cython.int, letters: bytes) -> list:
    """FEN piece placement, the far rank first, of boards of ``points`` codes each that stand one after the other.

    ``letters`` has the letter of every code.
    """
    board: cython.p_const_uchar = boards
    letter: cython.p_const_uchar = letters
    text: cython.char[512]
    n: cython.int
    begin: cython.int
    empty: cython.int
    i: cython.int
    found: list = []
    for _ in range(len(boards) // points):
        n = 0
        for begin in range(points - files, -1, -files):
            empty = 0
            for i in range(begin, begin + files + 1):
                if i < begin + files and board[i] == 0:
                    empty += 1
                    continue
                if empty > 9:
                    text[n] = ord("0") + empty // 10
                    n += 1
                if empty:
                    text[n] = ord("0") + empty % 10
                    n += 1
                    empty = 0
                text[n] = letter[board[i]] if i < begin + files else ord("/")
                n += 1
        found.append(text[: n - 1].decode("ascii"))
        board += points
    return found


@cython.cfunc
def _u8(column: uint8_t[::1]) -> cython.pointer(uint8_t):
    return cython.address(column[0])


@cython.cfunc
def _u16(column: uint16_t[::1]) -> cython.pointer(uint16_t):
    return cython.address(column[0])


@cython.cfunc
def _u32(column: uint32_t[::1]) -> cython.pointer(uint32_t):
    return cython.address(column[0])


@cython.cfunc
def _u64(column: uint64_t[::1]) -> cython.pointer(uint64_t):
    return cython.address(column[0])
