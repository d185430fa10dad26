# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A position that Python can hold, perft, and wins by force: the kernel one move at a time.

Compiled from this file (Cython, pure Python mode).
"""

import cython
from cython.cimports.adjudicator._board import (
    ABSENT,
    Board,
    Danger,
    Rules,
    Tables,
    Undo,
    count_legal,
    find_danger,
    legal_moves,
    may_drop,
    piece_moves,
    play,
    set_up,
    take_back,
    threatened,
)
from cython.cimports.adjudicator._resolve import resolve
from cython.cimports.libc.stdint import uint32_t, uint64_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _perft(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), depth: cython.int) -> uint64_t:
    moves: uint32_t[1024]
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


# ---- wins by force ---------------------------------------------------------------------------------------

Hunt = cython.struct(
    left=cython.longlong,  # moves that may still be tried
    broad=cython.int,  # with so many plies to go or fewer, moves that give no check are tried, too
    stalemate=cython.bint,  # a side without a move has lost, in check or not
    limit=cython.int,  # plies without a capture that end the game; 0: none do
    seens=cython.int,
    seen=cython.pointer(uint64_t),  # positions of the game so far: coming back to one wins nothing
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_over(
    r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board), h: cython.pointer(Hunt)
) -> cython.bint:
    """Whether the side to move has lost: its general is gone, or it has no move where that loses."""
    danger: Danger
    if b.general[b.side] == ABSENT:
        if r.needed:
            return True
        if not b.held[b.side][r.royal_kind]:
            return False
    find_danger(r, b, cython.address(danger))
    if not danger.checkers and not h.stalemate and b.general[b.side] != ABSENT:
        return False
    return count_legal(r, b, cython.address(danger)) == 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_end(b: cython.pointer(cython.const[Board]), h: cython.pointer(cython.const[Hunt])) -> cython.bint:
    """Whether a repetition or the no-capture clock might end the game here."""
    i: cython.int
    if h.limit and b.since_capture >= h.limit:
        return True
    for i in range(h.seens):
        if h.seen[i] == b.key:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_checked(r: cython.pointer(cython.const[Rules]), b: cython.pointer(Board)) -> cython.bint:
    """Whether the side to move is in check of any kind."""
    danger: Danger
    if b.general[b.side] == ABSENT:
        return False
    find_danger(r, b, cython.address(danger))
    return danger.checkers > 0 or threatened(r, b, b.side)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _wins(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    h: cython.pointer(Hunt),
    plies: cython.int,
) -> cython.bint:
    """Whether the side to move can win within ``plies`` (odd): checks are tried first."""
    moves: uint32_t[1024]
    quiet: uint32_t[1024]
    undo: Undo
    won: cython.bint
    i: cython.int
    quiets: cython.int = 0
    for i in range(legal_moves(r, b, moves)):
        if h.left <= 0:
            return False
        h.left -= 1
        play(r, b, moves[i], cython.address(undo))
        won = _is_over(r, b, h)
        if not won and plies > 1:
            if _is_checked(r, b):
                won = _loses(r, b, h, plies - 1)
            elif plies <= h.broad:
                quiet[quiets] = moves[i]
                quiets += 1
        take_back(r, b, cython.address(undo))
        if won:
            return True
    for i in range(quiets):
        play(r, b, quiet[i], cython.address(undo))
        won = _loses(r, b, h, plies - 1)
        take_back(r, b, cython.address(undo))
        if won:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _loses(
    r: cython.pointer(cython.const[Rules]),
    b: cython.pointer(Board),
    h: cython.pointer(Hunt),
    plies: cython.int,
) -> cython.bint:
    """Whether the side to move has moves, and whatever it plays loses within ``plies`` (even)."""
    moves: uint32_t[1024]
    undo: Undo
    lost: cython.bint
    us: cython.int = b.side
    i: cython.int
    n: cython.int
    if _may_end(b, h):
        return False
    n = legal_moves(r, b, moves)
    for i in range(n):
        if h.left <= 0:
            return False
        h.left -= 1
        play(r, b, moves[i], cython.address(undo))
        lost = (
            not (r.needed and b.general[us ^ 1] == ABSENT)
            and not _may_end(b, h)
            and _wins(r, b, h, plies - 1)
        )
        take_back(r, b, cython.address(undo))
        if not lost:
            return False
    return n > 0


@cython.cclass
class Cursor:
    """A position that Python can hold and move: the kernel behind `adjudicator.Position`.

    Points and pieces are kernel numbers; `Position` gives them names. ``held`` are the reserves, a mapping of
    kind to number for each side; ``iron`` the points whose piece may not be captured until it moves (plus 128:
    except with check). The caller answers for legality: `push` plays what it is given.
    """

    tables: Tables
    board: Board
    stack: cython.pointer(Undo)
    bans: cython.pointer(uint64_t)
    created: dict
    depth: cython.int
    room: cython.int

    def __cinit__(
        self,
        tables: Tables,
        pieces: bytes,
        side: cython.int,
        since_capture: cython.int = 0,
        held: tuple = ({}, {}),
        iron: tuple = (),
    ):
        self.tables = tables
        self.stack = cython.NULL
        self.bans = cython.NULL
        self.created = {}
        set_up(
            cython.address(self.tables.rules),
            cython.address(self.board),
            pieces,
            side,
            since_capture,
            held,
            iron,
        )

    def __dealloc__(self):
        free(self.stack)
        free(self.bans)

    def tables_of(self) -> Tables:
        return self.tables

    def pieces(self) -> bytes:
        """Piece codes by point."""
        return bytes(self.board.at[: self.tables.rules.points])

    def held(self) -> tuple:
        """The reserves: for each side, kind to number."""
        return tuple(
            {
                k: self.board.held[side][k]
                for k in range(1, self.tables.rules.types + 1)
                if self.board.held[side][k]
            }
            for side in range(2)
        )

    def iron(self) -> tuple:
        """Points whose piece may not be captured, plus 128 where a capture with check may."""
        return tuple(self.board.iron[i] for i in range(self.board.irons))

    def copy(self) -> Cursor:
        """The same position, with no moves to take back but with what has been created before."""
        other = Cursor(
            self.tables, self.pieces(), self.board.side, self.board.since_capture, self.held(), self.iron()
        )
        other.created = dict(self.created)
        other._ban()
        return other

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
        """Legal moves as ``(from, to, kind)``: ``from`` 127 is a drop, ``kind`` what is dropped or promoted to."""
        moves: uint32_t[1024]
        n: cython.int = legal_moves(cython.address(self.tables.rules), cython.address(self.board), moves)
        return [_triple(moves[i]) for i in range(n)]

    def pseudo_legal(self, point: cython.int) -> list:
        """Moves of the piece on ``point`` without regard to its general."""
        moves: uint32_t[64]
        n: cython.int = 0
        if self.board.at[point]:
            n = piece_moves(cython.address(self.tables.rules), cython.address(self.board), point, moves)
        return [_triple(moves[i]) for i in range(n)]

    def allows_drop(self, kind: cython.int, point: cython.int) -> bool:
        """Whether the side to move might drop ``kind`` on ``point`` if it had one and its general were safe."""
        piece: cython.int = kind | self.board.side << 4
        return may_drop(cython.address(self.tables.rules), cython.address(self.board), piece, point)

    def checkers(self) -> list:
        """Points of the pieces that attack the general of the side to move."""
        danger: Danger
        find_danger(cython.address(self.tables.rules), cython.address(self.board), cython.address(danger))
        return [danger.checker[i] for i in range(danger.checkers)]

    def blast_threat(self) -> bool:
        """Whether a capture beside it would blow up the general of the side to move."""
        return threatened(cython.address(self.tables.rules), cython.address(self.board), self.board.side)

    def general(self, side: cython.int):
        """The point of a side's general, or None."""
        point: cython.int = self.board.general[side]
        return None if point == ABSENT else point

    def meanings(self, said: uint32_t, reading: cython.int) -> list:
        """Legal moves that a descriptor can mean; see `resolve`."""
        moves: uint32_t[1024]
        n: cython.int = resolve(
            cython.address(self.tables.rules), cython.address(self.board), said, reading, moves
        )
        return [_triple(moves[i]) for i in range(n)]

    def push(self, start: cython.int, to: cython.int, kind: cython.int = 0) -> None:
        self._grow()
        play(
            cython.address(self.tables.rules),
            cython.address(self.board),
            start | to << 8 | kind << 16,
            cython.address(self.stack[self.depth]),
        )
        self.depth += 1
        self._create(1)

    def pop(self) -> None:
        """Undo the last push; raises IndexError when there is none."""
        if self.depth == 0:
            raise IndexError("no move to take back")
        self._create(-1)
        self.depth -= 1
        take_back(
            cython.address(self.tables.rules),
            cython.address(self.board),
            cython.address(self.stack[self.depth]),
        )

    def perft(self, depth: cython.int) -> int:
        """Number of legal move sequences of ``depth`` plies (GIL released); repetition plays no part."""
        nodes: uint64_t
        copy: Board = self.board
        copy.bans = 0
        with cython.nogil:
            nodes = _perft(cython.address(self.tables.rules), cython.address(copy), depth)
        return nodes

    def forces(
        self,
        plies: cython.int,
        budget: cython.longlong,
        *,
        broad: cython.int = 3,
        stalemate: cython.bint = True,
        limit: cython.int = 0,
        seen: tuple = (),
    ) -> tuple:
        """Whether a win is forced within ``plies``, and how many moves of ``budget`` the search tried (GIL released).

        An odd number asks whether the side to move wins, an even one whether it loses whatever it plays. What is
        found is proved; what is not may still be there: with more than ``broad`` plies to go the winner tries
        checks alone, of both kinds, and the budget may run out. The loser tries everything, and escapes by a
        position whose key is in ``seen`` or by ``limit`` plies without a capture. ``stalemate``: it loses.
        """
        hunt: Hunt
        found: cython.bint
        i: cython.int
        keys: cython.pointer(uint64_t) = cython.cast(cython.pointer(uint64_t), malloc(8 * (len(seen) + 1)))
        if keys == cython.NULL:
            raise MemoryError
        for i in range(len(seen)):
            keys[i] = seen[i]
        hunt.left, hunt.broad, hunt.stalemate, hunt.limit = budget, broad, stalemate, limit
        hunt.seens, hunt.seen = len(seen), keys
        with cython.nogil:
            if plies & 1:
                found = _wins(
                    cython.address(self.tables.rules), cython.address(self.board), cython.address(hunt), plies
                )
            else:
                found = _loses(
                    cython.address(self.tables.rules), cython.address(self.board), cython.address(hunt), plies
                )
        free(keys)
        return found, budget - hunt.left

    @cython.cfunc
    def _create(self, by: cython.int):
        """Count the position as created once more, or once less."""
        if self.tables.rules.creations:
            self.created[self.board.key] = self.created.get(self.board.key, 0) + by
            self._ban()

    @cython.cfunc
    def _ban(self):
        most: cython.int = self.tables.rules.creations
        banned = [key for key, count in self.created.items() if most and count >= most]
        i: cython.int
        free(self.bans)
        self.bans = cython.NULL
        if banned:
            self.bans = cython.cast(cython.pointer(uint64_t), malloc(8 * len(banned)))
            if self.bans == cython.NULL:
                raise MemoryError
            for i in range(len(banned)):
                self.bans[i] = banned[i]
        self.board.banned = self.bans
        self.board.bans = len(banned)

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


@cython.cfunc
def _triple(move: uint32_t) -> tuple:
    return move & 127, (move >> 8) & 127, move >> 16
