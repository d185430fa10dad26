# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whole batches: written moves in, facts per ply out, then the ply at which each game ended.

Compiled from this file (Cython, pure Python mode). Both functions release the GIL for the whole batch
and make no Python object per move. Columns are plain buffers (`array.array`) that the caller owns.
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

# How a game ended, by number: the reasons of rulings.
ENDS = {
    "unfinished": E_UNFINISHED,
    "general-gone": E_GENERAL,
    "checkmate": E_CHECKMATE,
    "stalemate": E_STALEMATE,
    "repetition": E_REPETITION,
    "perpetual-check": E_PERPETUAL_CHECK,
    "mutual-perpetual-check": E_MUTUAL_PERPETUAL_CHECK,
    "no-capture": E_NO_CAPTURE,
}

# What checks beyond those allowed do to the count of plies without a capture.
DISCOUNTS = {"none": D_NONE, "replies": D_REPLIES, "larger": D_LARGER, "claimant": D_SMALLER}

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

# Grows as a batch is played: what captures that cost the capturer cleared, and the different reserves that occurred.
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

# What a game comes to: how its replay ended, the kinds of notation heard (bit = kind), a hash of start and
# moves, and counts of plies by kind.
_Tally = cython.struct(
    status=cython.int,
    written=cython.int,
    digest=uint64_t,
    captures=uint32_t,
    explosions=uint32_t,
    drops=uint32_t,
    checks=uint32_t,
    overwritten=uint32_t,
)


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
@cython.exceptval(check=False)
def _survives(
    r: cython.pointer(cython.const[Rules]),
    start: cython.pointer(cython.const[Board]),
    token: cython.pointer(cython.const[uint32_t]),
    said: cython.pointer(cython.const[uint32_t]),
    n: int64_t,
    reading: cython.int,
) -> int64_t:
    """How many plies play under ``reading`` before the first that has no single meaning."""
    b: Board = start[0]
    undo: Undo
    moves: uint32_t[1024]
    i: int64_t
    for i in range(n):
        if resolve(r, cython.address(b), said[token[i]], reading, moves) != 1:
            return i
        play(r, cython.address(b), moves[0], cython.address(undo))
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _replay_game(
    r: cython.pointer(cython.const[Rules]),
    start: cython.pointer(cython.const[Board]),
    game: uint32_t,
    first: int64_t,
    token: cython.pointer(cython.const[uint32_t]),
    said: cython.pointer(cython.const[uint32_t]),
    n: int64_t,
    reading: cython.int,
    c: cython.pointer(_Columns),
    row: int64_t,
    seen: cython.pointer(_Seen),
    bans: cython.pointer(uint64_t),
    blasts: cython.pointer(_Blasts),
    reserves: cython.pointer(_Reserves),
    b: cython.pointer(Board),
    t: cython.pointer(_Tally),
) -> int64_t:
    """Play one game into rows from ``row``, its totals into ``t``; returns the plies played."""
    undo: Undo
    danger: Danger
    moves: uint32_t[1024]
    i: int64_t
    count: cython.int
    start_point: cython.int
    to: cython.int
    piece: cython.int
    flags: cython.int
    replies: cython.int
    drop: cython.bint
    occurrence: uint32_t
    word: uint32_t
    mask: uint64_t = 4
    while mask < cython.cast(uint64_t, 2 * n + 4):
        mask *= 2
    memset(seen, 0, mask * cython.sizeof(_Seen))
    mask -= 1
    b[0] = start[0]
    b.banned = bans
    start_key: uint64_t = b.key
    _count(seen, mask, b.key)
    t.digest = _mix(b.key)
    t.written = 0
    t.status = ALL_PLAYED
    t.captures = t.explosions = t.drops = t.checks = t.overwritten = 0
    for i in range(n):
        word = said[token[i]]
        count = resolve(r, b, word, reading, moves)
        t.written |= 1 << (word & 7)
        if count != 1:
            t.status = UNREADABLE if (word & 7) == 0 else ILLEGAL if count == 0 else AMBIGUOUS
            return i
        start_point = moves[0] & 127
        to = (moves[0] >> 8) & 127
        drop = start_point == NOWHERE
        piece = moves[0] >> 16 if drop else b.at[start_point]
        flags = 0
        if drop:
            flags = F_DROP
            t.drops += 1
        if b.at[to]:
            flags = F_CAPTURE
            t.captures += 1
        c.game[row] = game
        c.ply[row] = i + 1
        c.token[row] = first + i
        c.side[row] = b.side
        c.start[row] = NONE if drop else start_point
        c.to[row] = to
        c.piece[row] = (piece & 15) - 1
        c.captured[row] = (b.at[to] & 15) - 1 if b.at[to] else NONE
        c.promotion[row] = NONE if drop or not moves[0] >> 16 else (moves[0] >> 16) - 1
        # A piece told apart by file or rank, but not both (the long form always writes both). A soldier
        # without a letter takes with its file in front, as a pawn does: exe5.
        if (
            (word & 7) == ALGEBRAIC
            and (((word >> 3) & 15) != 0) != (((word >> 7) & 15) != 0)
            and ((word >> 24) & 31 or not (word >> 29) & 1)
        ):
            if resolve(r, b, word & ~cython.cast(uint32_t, 0x7F8), reading, moves + 1) == 1:
                flags |= F_OVERWRITTEN
                t.overwritten += 1
        play(r, b, moves[0], cython.address(undo))
        occurrence = _count(seen, mask, b.key)
        if r.creations and cython.cast(cython.int, occurrence) - (b.key == start_key) == r.creations:
            bans[b.bans] = b.key
            b.bans += 1
        if r.blasts:
            if flags & F_CAPTURE and r.effect[piece] != REPLACE:
                t.explosions += r.effect[piece] == BLAST
                if not _note_blast(blasts, cython.address(undo)):
                    t.status = OUT_OF_MEMORY
                    return i
            c.blast[row + 1] = blasts.n
        if r.holds:
            c.reserve[row] = _reserve(r, reserves, b)
            if c.reserve[row] < 0:
                t.status = OUT_OF_MEMORY
                return i
        find_danger(r, b, cython.address(danger))
        replies = count_legal(r, b, cython.address(danger))
        if danger.checkers:
            t.checks += 1
            flags |= _check(r, b, cython.address(danger), to)
        flags |= _state(r, b, cython.address(danger), replies)
        c.flags[row] = flags
        c.replies[row] = replies
        c.since[row] = b.since_capture
        c.occurrence[row] = occurrence
        c.key[row] = b.key
        t.digest = _mix(t.digest ^ (moves[0] + cython.cast(uint64_t, 0x9E3779B97F4A7C15)))
        row += 1
    return n


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
    set's order, points and pieces 255 where there is none. ``games`` has per game ``row`` (n + 1 entries: first
    rows), ``status``, ``digest`` (a hash of start and moves), ``written`` (kinds of notation, bit = kind),
    ``captures``, ``checks``, ``overwritten`` (how many plies), ``final`` (the last board, one byte per point),
    ``final_side`` and ``final_since``.
    """
    games: int64_t = start_of.shape[0]
    total: int64_t = token.shape[0]
    r: cython.pointer(cython.const[Rules]) = cython.address(starts.tables.rules)
    points: cython.int = r.points
    plies = {name: array(kind, bytes(total * array(kind).itemsize)) for name, kind in PLY_COLUMNS.items()}
    row_of: int64_t[::1] = array("q", bytes(8 * (games + 1)))
    status: uint8_t[::1] = array("B", bytes(games))
    digest: uint64_t[::1] = array("Q", bytes(8 * games))
    written: uint8_t[::1] = array("B", bytes(games))
    captures: uint32_t[::1] = array("I", bytes(4 * games))
    explosions: uint32_t[::1] = array("I", bytes(4 * games))
    drops: uint32_t[::1] = array("I", bytes(4 * games))
    checks: uint32_t[::1] = array("I", bytes(4 * games))
    overwritten: uint32_t[::1] = array("I", bytes(4 * games))
    final: uint8_t[::1] = array("B", bytes(games * points))
    final_held: uint8_t[::1] = array("B", bytes(games * 32))
    final_side: uint8_t[::1] = array("B", bytes(games))
    final_since: uint32_t[::1] = array("I", bytes(4 * games))
    c: _Columns
    longest: int64_t = 0
    row: int64_t = 0
    g: int64_t
    n: int64_t
    played: int64_t
    other: int64_t
    slots: int64_t = 4
    t: _Tally
    chosen: cython.int
    open_base: cython.bint
    both: cython.bint
    short: cython.bint = False
    blast_first: uint32_t[::1] = array("I", bytes(4 * (total + 1 if r.blasts else 1)))
    reserve_of: int32_t[::1] = array("i", bytes(4 * (total + 1 if r.holds else 1)))
    b: Board
    seen: cython.pointer(_Seen)
    bans: cython.pointer(uint64_t) = cython.NULL
    blasts: _Blasts
    reserves: _Reserves
    skips: cython.pointer(cython.const[uint32_t]) = cython.NULL
    begin: int64_t
    tokens: cython.pointer(cython.const[uint32_t]) = cython.NULL
    words: cython.pointer(cython.const[uint32_t]) = cython.NULL
    c.game = c.ply = c.token = c.since = c.occurrence = cython.NULL
    c.side = c.start = c.to = c.piece = c.captured = c.promotion = cython.NULL
    c.flags = c.replies = cython.NULL
    c.key = cython.NULL
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
        tokens = cython.address(token[0])
        words = cython.address(said[0])
    if skip is not None and games:
        skips = cython.address(skip[0])
    for g in range(games):
        longest = max(longest, first[g + 1] - first[g])
    while slots < 2 * longest + 4:
        slots *= 2
    seen = cython.cast(cython.pointer(_Seen), malloc(slots * cython.sizeof(_Seen)))
    if r.creations:
        bans = cython.cast(cython.pointer(uint64_t), malloc(8 * (longest + 1)))
    memset(cython.address(blasts), 0, cython.sizeof(_Blasts))
    memset(cython.address(reserves), 0, cython.sizeof(_Reserves))
    if seen == cython.NULL or (r.creations and bans == cython.NULL):
        free(seen)
        free(bans)
        raise MemoryError
    with cython.nogil:
        for g in range(games):
            row_of[g] = row
            begin = first[g] + (skips[g] if skips != cython.NULL else 0)
            n = first[g + 1] - begin
            if start_of[g] < 0:
                status[g] = NOT_STARTED
                reading[g] &= R_FROM_0
                continue
            open_base = reading[g] == R_FIND_OUT
            both = False
            chosen = EITHER_PLACE | (RANKS_FROM_0 if reading[g] & R_FROM_0 else 0)
            played = _replay_game(
                r, cython.address(starts.boards[start_of[g]]), g, begin, tokens + begin, words, n, chosen,
                cython.address(c), row, seen, bans,
                cython.address(blasts), cython.address(reserves), cython.address(b), cython.address(t),
            )  # fmt: skip
            if open_base and t.written & (1 << COORDINATE | 1 << ALGEBRAIC):
                chosen ^= RANKS_FROM_0
                other = _survives(
                    r, cython.address(starts.boards[start_of[g]]), tokens + begin, words, n, chosen
                )
                if other > played:
                    played = _replay_game(
                        r, cython.address(starts.boards[start_of[g]]), g, begin, tokens + begin, words, n, chosen,
                        cython.address(c), row, seen, bans,
                cython.address(blasts), cython.address(reserves), cython.address(b), cython.address(t),
                    )  # fmt: skip
                else:
                    chosen ^= RANKS_FROM_0
                    both = other == n
            reading[g] = (R_FROM_0 if chosen & RANKS_FROM_0 else 0) | (R_BOTH if both else 0)
            status[g] = t.status
            written[g] = t.written
            digest[g] = t.digest
            if t.status == OUT_OF_MEMORY:
                short = True
                break
            captures[g] = t.captures
            explosions[g] = t.explosions
            drops[g] = t.drops
            checks[g] = t.checks
            overwritten[g] = t.overwritten
            memcpy(cython.address(final[g * points]), b.at, points)
            memcpy(cython.address(final_held[32 * g]), b.held, 32)
            final_side[g] = b.side
            final_since[g] = b.since_capture
            row += played
        row_of[games] = row
    free(seen)
    free(bans)
    try:
        if short:
            raise MemoryError
        if row < total:
            plies = {name: column[:row] for name, column in plies.items()}
        if r.blasts:
            plies["blast_first"] = array("I", blast_first[: row + 1])
            plies["blast"] = array("H", _bytes(blasts.code, 2 * blasts.n))
        if r.holds:
            plies["reserve"] = array("i", reserve_of[:row])
            plies["reserves"] = array("B", _bytes(reserves.held, 32 * reserves.n))
    finally:
        free(blasts.code)
        free(reserves.held)
        free(reserves.key)
        free(reserves.slot)
    return plies, {
        "row": row_of.base,
        "status": status.base,
        "digest": digest.base,
        "written": written.base,
        "captures": captures.base,
        "explosions": explosions.base,
        "drops": drops.base,
        "checks": checks.base,
        "overwritten": overwritten.base,
        "final": final.base,
        "final_held": final_held.base,
        "final_side": final_side.base,
        "final_since": final_since.base,
    }


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cycle(
    key: cython.pointer(cython.const[uint64_t]),
    row: int64_t,
    first: int64_t,
    start_key: uint64_t,
    last_only: cython.bint,
) -> int64_t:
    """Row after which the cycle that closes at ``row`` began (``first - 1``: at the start position)."""
    i: int64_t
    found: int64_t = row
    for i in range(row - 1, first - 1, -1):
        if key[i] == key[row]:
            found = i
            if last_only:
                return found
    if start_key == key[row]:
        found = first - 1
    return found


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _count_quiet(
    since: uint32_t,
    check: cython.int,
    side: cython.int,
    allowed: cython.int,
    discount: cython.int,
    given: cython.pointer(cython.int),
    struck: cython.pointer(cython.bint),
    counted: int64_t,
) -> int64_t:
    """Plies without a capture that count, after one more. ``given`` are the checks of each side since the last capture,
    ``struck`` whether the last ply was a check that did not count, ``counted`` what it came to."""
    one: cython.int
    other: cython.int
    if since == 0:
        given[0] = given[1] = 0
        struck[0] = False
        return 0
    given[side] += check != 0
    if discount == D_REPLIES:
        if check and given[side] > allowed:
            struck[0] = True
            return counted
        if struck[0]:
            struck[0] = False
            return counted
        return counted + 1 if counted or since == 1 else since  # a FEN may start with a clock
    one = given[0] - allowed if given[0] > allowed else 0
    other = given[1] - allowed if given[1] > allowed else 0
    if (discount == D_LARGER) == (one < other):
        one = other
    return cython.cast(int64_t, since) - 2 * one


def find_repeats(
    row: cython.const[int64_t][::1],
    key: cython.const[uint64_t][::1],
    occurrence: cython.const[uint32_t][::1],
    start_key: cython.const[uint64_t][::1],
    fold: uint32_t,
) -> tuple:
    """The games in which a position stood for the ``fold``-th time, the first such ply of each, and the ply at which
    that position stood first: three arrays."""
    games = array("q")
    closes = array("i")
    opens = array("i")
    keys: cython.pointer(cython.const[uint64_t]) = cython.address(key[0]) if key.shape[0] else cython.NULL
    g: int64_t
    i: int64_t
    for g in range(row.shape[0] - 1):
        for i in range(row[g], row[g + 1]):
            if occurrence[i] >= fold:
                games.append(g)
                closes.append(i - row[g] + 1)
                opens.append(_cycle(keys, i, row[g], start_key[g], False) - row[g] + 1)
                break
    return games, opens, closes


def occurrences(
    key: cython.const[uint64_t][::1], first: int64_t, start_key: uint64_t, ply: cython.int
) -> tuple:
    """The plies up to ``ply`` at which its position stood, in the game whose first row is ``first``."""
    found: list = [0] if start_key == key[first + ply - 1] else []
    i: cython.int
    for i in range(1, ply + 1):
        if key[first + i - 1] == key[first + ply - 1]:
            found.append(i)
    return tuple(found)


def find_ends(
    row: cython.const[int64_t][::1],
    key: cython.const[uint64_t][::1],
    flags: cython.const[uint16_t][::1],
    side: cython.const[uint8_t][::1],
    occurrence: cython.const[uint32_t][::1],
    since: cython.const[uint32_t][::1],
    start_key: cython.const[uint64_t][::1],
    start_flags: cython.const[uint16_t][::1],
    start_side: cython.const[uint8_t][::1],
    law: dict,
) -> dict:
    """The first ply of each game at which it ended under ``law``, from stored facts alone.

    ``row`` has n + 1 first rows; the columns are those of `replay`; ``start_flags`` holds mate,
    stalemate or a general gone of the start position. ``law``: ``order`` (tests on one ply, as numbers of ENDS: 1 the
    general, 2 mate or stalemate, 4 repetition, 7 no capture), ``limit`` (plies, 0 none), ``checks`` (of one
    side since the last capture that count for it, -1 all), ``discount`` (what further ones do: number in DISCOUNTS),
    ``fold`` (0 none), ``last_cycle``, ``perpetual_check`` (it loses), ``wide_checks`` (they count),
    ``stalemate_draws``.

    Returns per game ``end`` (number in ENDS), ``ply`` (where it bound; 0 the start), ``winner`` (0 Red, 1
    Black, 2 draw, 3 open) and ``cycle`` (the ply of the occurrence that opens the span judged, -1 none).
    """
    games: int64_t = row.shape[0] - 1
    order: uint8_t[4]
    limit: uint32_t = law["limit"]
    fold: uint32_t = law["fold"]
    allowed: cython.int = law["checks"]
    discount: cython.int = law["discount"] if allowed >= 0 else 0
    last_cycle: cython.bint = law["last_cycle"]
    perpetual: cython.bint = law["perpetual_check"]
    checking: uint16_t = F_WIDE if law["wide_checks"] else F_CHECK
    stalemate_draws: cython.bint = law["stalemate_draws"]
    end: uint8_t[::1] = array("B", bytes(games))
    ply: int32_t[::1] = array("i", bytes(4 * games))
    winner: uint8_t[::1] = array("B", bytes(games))
    cycle: int32_t[::1] = array("i", bytes(4 * games))
    keys: cython.pointer(cython.const[uint64_t]) = cython.NULL
    g: int64_t
    i: int64_t
    j: int64_t
    k: cython.int
    opened: int64_t
    checks: cython.int[2]
    moves: cython.int[2]
    red: cython.bint
    black: cython.bint
    given: cython.int[2]
    counted: int64_t
    struck: cython.bint
    for k in range(4):
        order[k] = law["order"][k]
    if key.shape[0]:
        keys = cython.address(key[0])
    with cython.nogil:
        for g in range(games):
            end[g] = E_UNFINISHED
            winner[g] = 3
            cycle[g] = -1
            ply[g] = -1
            if start_flags[g] & (F_GENERAL_GONE | F_MATE | F_STALEMATE):
                if start_flags[g] & F_GENERAL_GONE:
                    end[g] = E_GENERAL
                else:
                    end[g] = E_CHECKMATE if start_flags[g] & F_MATE else E_STALEMATE
                winner[g] = 2 if stalemate_draws and end[g] == E_STALEMATE else start_side[g] ^ 1
                ply[g] = 0
                continue
            given[0] = given[1] = 0
            struck = False
            counted = 0
            for i in range(row[g], row[g + 1]):
                if discount:
                    counted = _count_quiet(
                        since[i],
                        flags[i] & checking,
                        side[i],
                        allowed,
                        discount,
                        given,
                        cython.address(struck),
                        counted,
                    )
                else:
                    counted = since[i]
                if not (
                    flags[i] & (F_MATE | F_STALEMATE | F_GENERAL_GONE)
                    or (fold and occurrence[i] >= fold)
                    or (limit and counted >= limit)
                ):
                    continue
                for k in range(4):
                    if order[k] == E_GENERAL and flags[i] & F_GENERAL_GONE:
                        end[g] = E_GENERAL
                        winner[g] = side[i]
                    elif order[k] == E_CHECKMATE and flags[i] & (F_MATE | F_STALEMATE):
                        end[g] = E_CHECKMATE if flags[i] & F_MATE else E_STALEMATE
                        winner[g] = 2 if stalemate_draws and end[g] == E_STALEMATE else side[i]
                    elif order[k] == E_NO_CAPTURE and limit and counted >= limit:
                        end[g] = E_NO_CAPTURE
                        winner[g] = 2
                    elif order[k] == E_REPETITION and fold and occurrence[i] >= fold:
                        opened = _cycle(keys, i, row[g], start_key[g], last_cycle)
                        checks[0] = checks[1] = moves[0] = moves[1] = 0
                        for j in range(opened + 1, i + 1):
                            moves[side[j]] += 1
                            checks[side[j]] += (flags[j] & checking) != 0
                        red = moves[0] > 0 and checks[0] == moves[0]
                        black = moves[1] > 0 and checks[1] == moves[1]
                        end[g] = E_REPETITION
                        winner[g] = 2
                        cycle[g] = opened - row[g] + 1
                        if perpetual and red and black:
                            end[g] = E_MUTUAL_PERPETUAL_CHECK
                        elif perpetual and (red or black):
                            end[g] = E_PERPETUAL_CHECK
                            winner[g] = 1 if red else 0
                    if end[g] != E_UNFINISHED:
                        break
                ply[g] = i - row[g] + 1
                break
    return {"end": end.base, "ply": ply.base, "winner": winner.base, "cycle": cycle.base}


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
