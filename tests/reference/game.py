"""A game: states one after the other, the facts of every ply, and how it should have ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .state import BLACK, RED, IllegalMove, Move, State, point_text

SIDES = ("red", "black")


@dataclass(frozen=True)
class Facts:
    """What one ply did. Piece letters are capitals, except in ``cleared``, where the case tells the side.

    ``checkers`` are the points whose pieces attack the general of the side that must reply; ``discovered``
    means that one of them is not the piece that moved, ``double`` that there are two or more, ``facing`` that
    one of them is the general. ``cleared`` lists, by point, the pieces other than the capturer that a capture
    which cost the capturer took off the board; ``capturer_lost`` tells of the capturer itself. ``fen`` and
    everything from ``replies`` on speak of the position after the ply.
    """

    ply: int
    side: int
    move: str
    piece: str
    origin: str
    target: str
    drop: bool
    promotion: str
    captured: str
    capturer_lost: bool
    cleared: tuple[tuple[str, str], ...]
    checkers: tuple[str, ...]
    check: bool
    wide_check: bool
    discovered: bool
    double: bool
    facing: bool
    checkmate: bool
    stalemate: bool
    general_gone: bool
    replies: int
    since_capture: int
    occurrence: int
    reserves: tuple[str, str]
    fen: str


@dataclass(frozen=True)
class Ending:
    """One way the game ended and the ply after which it bound; ``result`` is "red", "black", "draw" or "*".

    ``cycle`` holds, for a repetition, the plies after which the position stood.
    """

    ply: int
    result: str
    reason: str
    cycle: tuple[int, ...] = ()


UNFINISHED = Ending(-1, "*", "unfinished")


class Game:
    """A game from ``start``. ``book`` "forbid-third" makes moves illegal; the other books only judge."""

    def __init__(self, start: State | str = "xiangqi", moves: Iterable[str] = (), book: str | None = None):
        self.states = [State.start(start) if isinstance(start, str) else start]
        self.book = book or self.states[0].book
        self.plies: list[Facts] = []
        self._legal: list[str] | None = None  # of the last position, once asked for
        for move in moves:
            self.push(move)

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def moves(self) -> list[str]:
        return [facts.move for facts in self.plies]

    def legal_moves(self) -> list[str]:
        """As `State.legal_moves`, less what the book forbids after what has gone before."""
        if self._legal is None:
            self._legal = self._find_legal_moves()
        return list(self._legal)

    def _find_legal_moves(self) -> list[str]:
        legal = self.state.legal_moves()
        if self.book == "forbid-third":
            # page, jump-cannon: "a player may not create, for the third time, a position that he has already
            # created twice himself (position after his own move; the start position was created by nobody).
            # Such a move is **illegal**". A position tells who is to move, so only one side can create it.
            created = Counter(state.key for state in self.states[1:])
            legal = [text for text in legal if created[self.state.after(Move.parse(text)).key] < 2]
        return legal

    def push(self, text: str) -> Facts:
        """Play ``text``; raises `IllegalMove`. A game may go on past a draw or a loss by repetition."""
        if text not in self.legal_moves():
            raise IllegalMove(f"ply {len(self.states)}: {text} in {self.state.fen()}")
        before, move = self.state, Move.parse(text)
        after = before.after(move)
        self.states.append(after)
        self._legal = None
        facts = self._facts(before, move, after)
        self.plies.append(facts)
        return facts

    def _facts(self, before: State, move: Move, after: State) -> Facts:
        # page, "What every replay annotates".
        replies = len(self.legal_moves())
        check = after.in_check()
        checkers = tuple(after.checkers())
        general = after.general(before.side)
        facing = general is not None and point_text(general) in checkers and after.facing()
        target = point_text(move.target)
        origin = point_text(move.origin) if move.origin else ""
        captured = before.board.get(move.target, "")
        gone = [
            (point_text(point), piece)
            for point, piece in sorted(before.board.items())
            if point != move.origin and after.board.get(point) != piece
        ]
        capturer_lost = bool(captured) and move.target not in after.board
        return Facts(
            ply=len(self.states) - 1,
            side=before.side,
            move=move.text,
            piece=move.drop or before.board[move.origin].upper(),
            origin=origin,
            target=target,
            drop=bool(move.drop),
            promotion=move.promotion,
            captured=captured.upper(),
            capturer_lost=capturer_lost,
            cleared=tuple(gone) if capturer_lost else (),
            checkers=checkers,
            check=check,
            wide_check=after.in_wide_check(),
            discovered=any(point != target for point in checkers),
            double=len(checkers) >= 2,
            facing=facing,
            checkmate=after.winner() is None and after.is_mated(replies),
            stalemate=after.winner() is None and after.is_stalemated(replies),
            general_gone=after.winner() is not None,
            replies=replies,
            since_capture=after.clock,
            occurrence=len(self.occurrences()),
            reserves=after.reserves,
            fen=after.fen(),
        )

    def occurrences(self, ply: int | None = None) -> list[int]:
        """The plies up to ``ply`` (by default the last) after which its position stood; 0 is the start."""
        ply = len(self.states) - 1 if ply is None else ply
        return [other for other in range(ply + 1) if self.states[other].key == self.states[ply].key]

    # -- endings -----------------------------------------------------------------------------------
    def ruling(self, book: str | None = None, **options: object) -> Ending:
        """The first ending to bind (see `endings`), or `UNFINISHED`."""
        return next(iter(self.endings(book, **options)), UNFINISHED)

    def endings(
        self,
        book: str | None = None,
        *,
        span: str = "first_to_third",
        fold: int = 3,
        no_capture_limit: int | None = -1,
        clock_before_repetition: bool | None = None,
    ) -> list[Ending]:
        """Every ending of the game, each at the first ply where it bound, in the order in which they bind.

        ``book`` is "site", "site-draw", "forbid-third" or "none"; it speaks of repetition alone. ``span``
        says which moves count as the repeated cycle: "first_to_third" all since the first occurrence,
        "last_cycle" those since the occurrence before the last. Options not given are the rule set's.
        """
        book = book or self.book
        rules = self.states[0]
        limit = rules.no_capture_limit if no_capture_limit == -1 else no_capture_limit
        if clock_before_repetition is None:
            clock_before_repetition = rules.clock_before_repetition
        # page, xiangqi: "general gone -> checkmate/stalemate -> repetition -> no-capture clock".
        # page, atomic: "general gone -> mate/stalemate -> no-capture clock -> repetition".
        order = [self._decided(), self._repetition(book, span, fold), self._clock(limit)]
        if clock_before_repetition:
            order[1], order[2] = order[2], order[1]
        found = [ending for ending in order if ending is not None]
        return sorted(found, key=lambda ending: ending.ply)  # a stable sort: the order stands on the same ply

    def _decided(self) -> Ending | None:
        """General gone, checkmate or stalemate: no move follows, so only the last position can be one."""
        ply, state = len(self.states) - 1, self.state
        if state.winner() is not None:
            return Ending(ply, SIDES[state.winner()], "general-gone")
        replies = len(self.legal_moves())
        if state.is_mated(replies):
            return Ending(ply, SIDES[1 - state.side], "checkmate")
        if state.is_stalemated(replies):
            # seed 003: "the player with no legal move loses the game, even without check".
            return Ending(ply, "draw" if state.stalemate == "draw" else SIDES[1 - state.side], "stalemate")
        return None

    def _repetition(self, book: str, span: str, fold: int) -> Ending | None:
        if book in ("none", "forbid-third"):
            return None
        for end in range(1, len(self.states)):
            stood = self.occurrences(end)
            if len(stood) < fold:
                continue
            cycle = tuple(stood)
            if book == "site-draw":
                return Ending(end, "draw", "repetition", cycle)
            # page, xiangqi: "the side that gave check on every one of its moves in the repeated cycle loses
            # if the other side did not; both or neither -> draw".
            since = stood[0] if span == "first_to_third" else stood[-2]
            moves = self.plies[since:end]
            checked = [
                all(facts.wide_check for facts in moves if facts.side == side) for side in (RED, BLACK)
            ]
            if checked[RED] != checked[BLACK]:
                loser = RED if checked[RED] else BLACK
                return Ending(end, SIDES[1 - loser], "perpetual-check", cycle)
            return Ending(end, "draw", "repetition", cycle)
        return None

    def _clock(self, limit: int | None) -> Ending | None:
        if limit is None:
            return None
        for ply in range(1, len(self.states)):
            if self.states[ply].clock >= limit:
                return Ending(ply, "draw", "no-capture")
        return None
