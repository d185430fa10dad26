"""A position that a person can hold: the friendly face of the kernel's `Cursor`."""

from __future__ import annotations

from functools import lru_cache

from adjudicator import handicap as odds
from adjudicator._cursor import Cursor
from adjudicator.compile import tables
from adjudicator.drawing import svg
from adjudicator.explain import refusal
from adjudicator.moves import BLACK, NOWHERE, move_points, move_text, move_word
from adjudicator.ruleset import Ruleset
from adjudicator.setup import SIDES, FenWriter, array_of, start_from_fen
from notation import descriptor
from notation.context import Context
from notation.finding import Finding
from notation.notations import parse, write


class MoveError(ValueError):
    """A move that cannot be played. ``text`` is what was read, ``candidates`` the legal moves it comes near."""

    def __init__(self, message: str, text: str, candidates: tuple[str, ...] = ()):
        super().__init__(message)
        self.text = text
        self.candidates = candidates


class UnreadableMove(MoveError):
    """A text that is no move in any notation."""


class IllegalMove(MoveError):
    """A move that the rules do not allow here; the message names the rule."""


class AmbiguousMove(MoveError):
    """A text that fits several legal moves; see ``candidates``."""


class InvalidFen(ValueError):
    """A FEN that is no position of the rule set; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: list[Finding]):
        super().__init__("; ".join(fault.message() for fault in faults))
        self.faults = faults


class Position:
    """A board with a side to move, under a rule set.

    ``fen`` None is the start position. Moves go in and out as coordinates, files a–i and ranks from 1
    (``h3e3``), unless a notation is named. ``handicap`` says what a side gives, as the tag does
    (`notation.handicap`; None: the rule set's option): it is taken off the start position, and a ``fen`` lacks it
    already. Raises InvalidFen when the FEN cannot be played at all; what is merely impossible in it, or unclear in
    the handicap, is in ``faults``. What `fen` writes can be read, the general that an explosion has removed included.

    >>> position = Position()
    >>> len(position.legal_moves())
    44
    >>> position.push("h3e3")
    >>> position.fen()
    'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1'
    """

    def __init__(self, fen: str | None = None, rules: str | Ruleset = "xiangqi", handicap: str | None = None):
        self.rules = rules if isinstance(rules, Ruleset) else Ruleset.load(rules)
        start = start_from_fen(fen, self.rules, handicap)
        if not start.playable:
            raise InvalidFen(start.faults)
        self.faults: list[Finding] = list(start.faults)
        self._handicap = start.handicap
        self._number = start.number
        self._cursor = start.cursor(tables(self.rules))

    # ---- moves ----------------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """All legal moves, sorted."""
        return sorted(move_text(self.rules, move) for move in self._cursor.legal())

    def push(self, move: str, notation: str | None = None) -> None:
        """Play a move. Raises UnreadableMove, IllegalMove or AmbiguousMove, and then changes nothing."""
        self._cursor.push(*self._resolve(move, notation))
        if self._cursor.side == 0:
            self._number += 1

    def pop(self) -> None:
        """Take the last move back. Raises IndexError when none was pushed."""
        self._cursor.pop()
        if self._cursor.side == 1:
            self._number -= 1

    def parse(self, text: str, notation: str | None = None) -> str:
        """The coordinate move that ``text`` means here; the notation is found out when none is named.

        Coordinates count ranks from 1, except in the notation ``iccs``. Raises UnreadableMove, IllegalMove
        or AmbiguousMove.
        """
        return move_text(self.rules, self._resolve(text, notation))

    def write(self, move: str, notation: str, dialect: str | None = None) -> str:
        """A legal coordinate move in a notation: wxf, chinese, chinese-traditional, iccs, uci, algebraic, long.

        Raises as `push` does, and ValueError for an unknown notation or dialect.
        """
        return write(self.context(move), notation, dialect)

    def context(self, move: str) -> Context:
        """What a writer needs to know about a legal coordinate move."""
        start, to, kind = self._resolve(move, None)
        pieces = self._cursor.pieces()
        drop = start == NOWHERE
        code = kind | self._cursor.side * BLACK if drop else pieces[start]
        files = self.rules.files
        like = [p for p, other in enumerate(pieces) if other == code and p != start]
        letter = self.rules.pieces[kind - 1].letter if kind and not drop else ""
        rivals = (
            []
            if drop
            else [p for p in like if self._cursor.meanings(move_word(self.rules, (p, to, kind)), 0)]
        )
        self._cursor.push(start, to, kind)
        check, mate = self.is_check(), self.is_checkmate()
        self._cursor.pop()
        return Context(
            side=code >> 4,
            piece=self.rules.pieces[(code & 15) - 1].letter,
            from_file=-1 if drop else start % files,
            from_rank=-1 if drop else start // files,
            to_file=to % files,
            to_rank=to // files,
            files=files,
            ranks=self.rules.ranks,
            like=tuple((p % files, p // files) for p in like),
            rivals=tuple((p % files, p // files) for p in rivals),
            capture=pieces[to] != 0,
            check=check,
            mate=mate,
            promotion=letter,
        )

    def _resolve(self, text: str, notation: str | None) -> tuple[int, int, int]:
        said = parse(text, notation)
        if not said:
            raise UnreadableMove(f"{text!r} is not a move in any notation", text)
        base = descriptor.RANKS_FROM_0 if notation == "iccs" else 0
        meanings = self._cursor.meanings(said, base)
        if not meanings:
            meanings = self._cursor.meanings(said, base | descriptor.PLACE_THEN_FILE)
        elif descriptor.Said.unpack(said).marker == descriptor.PAIR:
            meanings += self._cursor.meanings(said, base | descriptor.PLACE_THEN_FILE)
        meanings = sorted(set(meanings))
        candidates = tuple(move_text(self.rules, move) for move in meanings)
        if len(meanings) > 1:
            raise AmbiguousMove(f"{text!r} fits {', '.join(candidates)}", text, candidates)
        if not meanings:
            why = refusal(self._cursor, self.rules, said, base)
            raise IllegalMove(f"{text!r} is illegal: {why.why}", text, tuple(why.candidates))
        return meanings[0]

    # ---- what stands on the board -----------------------------------------------------------------

    @property
    def side(self) -> str:
        """The side to move: "red" or "black"."""
        return SIDES[self._cursor.side]

    @property
    def cursor(self) -> Cursor:
        """The kernel underneath, for who wants numbers; what is pushed there must be taken back there."""
        return self._cursor

    @property
    def key(self) -> int:
        """The 64-bit position key: `adjudicator.compile.position_key` over all pieces, and the side to move."""
        return self._cursor.key

    def fen(self) -> str:
        """The position as FEN, with the clock of plies since the last capture and the move number."""
        cursor = self._cursor
        writer = _fen_writer(self.rules)
        return writer.fen(cursor.pieces(), cursor.side, cursor.since_capture, self._number, cursor.held())

    @property
    def handicap(self) -> str | None:
        """The handicap of the game and the pieces that are iron here, as a Handicap tag has them; None without one.

        With `fen` it is the whole position: no FEN tells of iron pieces.
        """
        return odds.text(self._handicap, self._cursor.iron(), array_of(self.rules), self.rules)

    def iron(self) -> list[str]:
        """Points whose piece may not be captured until it moves."""
        return sorted(self.rules.point_name(point & 127) for point in self._cursor.iron())

    def piece_at(self, point: str) -> str | None:
        """The piece on a point such as "e1": its letter, small for Black; None when the point is empty."""
        code = self._cursor.pieces()[self.rules.point(point)]
        if not code:
            return None
        letter = self.rules.pieces[(code & 15) - 1].letter
        return letter.lower() if code & BLACK else letter

    def reserves(self) -> dict[str, dict[str, int]]:
        """Pieces in hand by side and letter; empty where the rule set has none."""
        letters = [piece.letter for piece in self.rules.pieces]
        return {
            side: {letters[kind - 1]: count for kind, count in held.items()}
            for side, held in zip(SIDES, self._cursor.held(), strict=True)
        }

    def checkers(self) -> list[str]:
        """Points of the pieces that attack the general of the side to move."""
        return sorted(self.rules.point_name(point) for point in self._cursor.checkers())

    def is_check(self) -> bool:
        """Whether the side to move stands in (direct) check; facing generals check each other."""
        return bool(self._cursor.checkers())

    def is_wide_check(self) -> bool:
        """Whether the general of the side to move could be removed next; where captures remove only their
        target, that is a direct check."""
        return self.is_check() or self._cursor.blast_threat()

    def is_checkmate(self) -> bool:
        """Whether the side to move has no legal move and is in check, or must place its general and cannot."""
        royal = [kind for kind, piece in enumerate(self.rules.pieces, start=1) if piece.royal]
        placing = any(kind in royal for kind in self._cursor.held()[self._cursor.side])
        return (self.is_check() or placing) and not self._cursor.legal()

    def is_stalemate(self) -> bool:
        """Whether the side to move has a general on the board, no legal move, and is not in check."""
        there = self._cursor.general(self._cursor.side) is not None
        return there and not self.is_check() and not self._cursor.legal()

    def perft(self, depth: int) -> int:
        """Number of legal move sequences of ``depth`` plies."""
        if depth < 0:
            raise ValueError("depth must not be negative")
        return self._cursor.perft(depth)

    def divide(self, depth: int) -> dict[str, int]:
        """`perft` of ``depth`` by first move, in the order of `legal_moves`."""
        counts = {}
        for move in self._cursor.legal():
            self._cursor.push(*move)
            counts[move_text(self.rules, move)] = self._cursor.perft(depth - 1)
            self._cursor.pop()
        return dict(sorted(counts.items()))

    def svg(
        self,
        *,
        letters: bool = False,
        flipped: bool = False,
        names: str = "coordinates",
        last: str | None = None,
        checks: bool = True,
    ) -> str:
        """The board as a self-contained SVG document, with reserves where there are any and arrows from checkers.

        ``letters`` instead of Chinese faces, ``flipped`` with Black below; ``names`` at the edges are
        "coordinates", "files" as the players count them, or "nothing"; ``last`` marks a coordinate move.
        """
        cursor, points = self._cursor, None
        if last is not None:
            start, to = move_points(last)
            points = (self.rules.point(start) if start else None), self.rules.point(to)
        general = cursor.general(cursor.side)
        arrows = [(p, general) for p in cursor.checkers()] if checks and general is not None else []
        return svg(
            cursor.pieces(),
            self.rules,
            letters=letters,
            flipped=flipped,
            names=names,
            last=points,
            checks=arrows,
            held=cursor.held(),
            title=f"{self.rules.title}: {self.fen()}",
        )

    def __str__(self) -> str:
        """The board in letters, Black's side above, files and ranks named."""
        pieces = self._cursor.pieces()
        files = self.rules.files
        lines = []
        for rank in range(self.rules.ranks - 1, -1, -1):
            row = [self._letter(code) for code in pieces[rank * files : (rank + 1) * files]]
            lines.append(f"{rank + 1:>2} {' '.join(row)}")
        lines.append("   " + " ".join(chr(97 + file) for file in range(files)))
        return "\n".join(lines) + f"\n{self.side} to move"

    def __repr__(self) -> str:
        return f"Position({self.fen()!r}, rules={self.rules.id!r})"

    def _letter(self, code: int) -> str:
        if not code:
            return "."
        letter = self.rules.pieces[(code & 15) - 1].letter
        return letter.lower() if code & BLACK else letter


@lru_cache(maxsize=64)
def _fen_writer(rules: Ruleset) -> FenWriter:
    return FenWriter(rules)
