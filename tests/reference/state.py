"""A position, whatever the rule set: who stands where, who moves, what is held, and how that is written.

Points are (file, rank), both counted from 1 as a reader of the board counts: a1 is (1, 1), i10 is (9, 10).
Pieces are one letter, capital for Red and small for Black. A state never changes; a move makes a new one.
Comments name the line they follow: "page" is the rules page (rulesets.md), "seed 003" and so on the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

RED, BLACK = 0, 1
Point = tuple[int, int]
ORTHOGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class IllegalMove(ValueError):
    """A move the rules do not allow here."""


class BadFen(ValueError):
    """A FEN that cannot be read; ``kind`` names the fault, ``details`` its values."""

    def __init__(self, kind: str, **details: object):
        super().__init__(f"{kind} {details}" if details else kind)
        self.kind = kind
        self.details = details


class Move(NamedTuple):
    """From ``origin`` to ``target``; a drop has no origin but the capital letter of the piece dropped."""

    origin: Point | None
    target: Point
    drop: str = ""
    promotion: str = ""

    @property
    def text(self) -> str:
        if self.origin is None:
            return f"{self.drop}@{point_text(self.target)}"
        return point_text(self.origin) + point_text(self.target) + self.promotion.lower()

    @classmethod
    def parse(cls, text: str) -> Move:
        if written := re.fullmatch(r"([A-Z])@([a-i]\d+)", text):
            return cls(None, parse_point(written[2]), drop=written[1])
        if written := re.fullmatch(r"([a-i]\d+)([a-i]\d+)([a-z]?)", text):
            return cls(parse_point(written[1]), parse_point(written[2]), promotion=written[3].upper())
        raise IllegalMove(f"not a coordinate move: {text}")


def point_text(point: Point) -> str:
    return "?abcdefghi"[point[0]] + str(point[1])


def parse_point(text: str) -> Point:
    return " abcdefghi".index(text[0]), int(text[1:])


def side_of(letter: str) -> int:
    return RED if letter.isupper() else BLACK


def of_side(letter: str, side: int) -> str:
    return letter.upper() if side == RED else letter.lower()


@dataclass(frozen=True)
class State:
    """A position of one rule set; ``State.start(rules)`` and ``State.from_fen(fen, rules)`` choose which."""

    board: Mapping[Point, str]
    side: int = RED
    reserves: tuple[str, str] = ("", "")  # capital letters, sorted: Red's, Black's
    clock: int = 0  # plies since the last capture
    number: int = 1  # of the move, Red and Black together
    protected: frozenset[Point] = frozenset()  # by a handicap, see `Xiangqi.with_odds`; no FEN tells it

    # -- what a rule set says of itself ------------------------------------------------------------
    rules: ClassVar[str]
    files: ClassVar[int] = 9
    ranks: ClassVar[int] = 10
    start_fen: ClassVar[str]
    royal: ClassVar[str] = "K"
    # Letters as the page's start FENs are written -> letters as it prints pieces (page, "Shared words").
    from_fen_letters: ClassVar[Mapping[str, str]] = {"N": "H", "B": "E"}
    # page, "Shared words": "on input accept the usual synonyms (G=K, B=E, N=H, S=P ...)".
    synonyms: ClassVar[Mapping[str, str]] = {"G": "K", "B": "E", "N": "H", "S": "P"}
    letters: ClassVar[str] = "KAEHRCP"
    holds_reserves: ClassVar[bool] = False
    book: ClassVar[str]  # the rule book unless one is named
    no_capture_limit: ClassVar[int | None] = None  # plies
    clock_before_repetition: ClassVar[bool] = False  # when both fall on the same ply
    stalemate: ClassVar[str] = "loss"  # of the side that cannot move, or "draw"

    registry: ClassVar[dict[str, type[State]]] = {}

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "rules" in cls.__dict__:
            State.registry[cls.rules] = cls

    # -- reading and writing -----------------------------------------------------------------------
    @classmethod
    def start(cls, rules: str | None = None) -> State:
        chosen = State.registry[rules] if rules else cls
        return chosen.from_fen(chosen.start_fen)

    @classmethod
    def from_fen(cls, fen: str, rules: str | None = None) -> State:
        """Read ``fen``; raises `BadFen` for text that is no board of this rule set."""
        chosen = State.registry[rules] if rules else cls
        return chosen._read(fen)

    @classmethod
    def _read(cls, fen: str) -> State:
        fields = fen.split()
        if not fields or "/" not in fields[0]:
            raise BadFen("not-a-fen")
        placement, held = fields[0], ""
        if "[" in placement:
            placement, _, held = placement.partition("[")
            if not held.endswith("]"):
                raise BadFen("unclosed-hand")
            held = held[:-1]
        rows = placement.split("/")
        if cls.holds_reserves and len(rows) == cls.ranks + 1:  # the reserve as one more row
            held += rows.pop()
        if len(rows) != cls.ranks:
            raise BadFen("rank-count", found=len(rows), expected=cls.ranks)
        board: dict[Point, str] = {}
        for rank, row in zip(range(cls.ranks, 0, -1), rows, strict=True):
            file = 1
            for character in re.findall(r"\d+|\D", row):
                if character.isdigit():
                    file += int(character)
                else:
                    board[file, rank] = cls._piece(character)
                    file += 1
            if file - 1 != cls.files:
                raise BadFen("file-count", rank=rank, found=file - 1, expected=cls.files)
        pockets = {RED: [], BLACK: []}
        for character in held:
            piece = cls._piece(character)
            if not cls.holds_reserves or piece.upper() not in cls.may_be_held():
                raise BadFen("illegal-piece-in-hand", piece=character)
            pockets[side_of(piece)].append(piece.upper())
        numbers = [int(field) for field in fields[2:] if field.isdigit()]
        return cls(
            board=board,
            side={"w": RED, "r": RED, "b": BLACK}[fields[1]] if len(fields) > 1 else RED,
            reserves=("".join(sorted(pockets[RED])), "".join(sorted(pockets[BLACK]))),
            clock=numbers[0] if numbers else 0,
            number=numbers[1] if len(numbers) > 1 else 1,
        )

    @classmethod
    def may_be_held(cls) -> str:
        return cls.letters.replace(cls.royal, "")

    @classmethod
    def _piece(cls, character: str) -> str:
        capital = character.upper()
        capital = cls.synonyms.get(capital, capital)
        if capital not in cls.letters:
            raise BadFen("unknown-piece", piece=character)
        return of_side(capital, side_of(character))

    def fen(self, letters: str = "fen") -> str:
        """The FEN; ``letters`` is "fen", as in the page's start FENs, or "page", as it prints pieces."""
        written = {printed: fen for fen, printed in self.from_fen_letters.items()} if letters == "fen" else {}

        def write(piece: str) -> str:
            return of_side(written.get(piece.upper(), piece.upper()), side_of(piece))

        rows = []
        for rank in range(self.ranks, 0, -1):
            row = "".join(
                write(self.board[file, rank]) if (file, rank) in self.board else " "
                for file in range(1, self.files + 1)
            )
            rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
        held = "".join(map(write, self.reserves[RED] + self.reserves[BLACK].lower()))
        hand = f"[{held}]" if held else ""
        return f"{'/'.join(rows)}{hand} {'wb'[self.side]} - - {self.clock} {self.number}"

    @cached_property
    def key(self) -> tuple:
        """page, "Shared words": "every point's contents + side to move + both reserves"."""
        return tuple(sorted(self.board.items())), self.side, self.reserves

    # -- how the pieces go ----------------------------------------------------------------------
    def on_board(self, point: Point) -> bool:
        return 1 <= point[0] <= self.files and 1 <= point[1] <= self.ranks

    def forward(self, side: int) -> int:
        return 1 if side == RED else -1

    def lines(self, point: Point, directions: Iterable[Point]) -> list[list[Point]]:
        """The points from ``point`` to the edge in each direction, nearest first."""
        lines = []
        for dx, dy in directions:
            line, target = [], (point[0] + dx, point[1] + dy)
            while self.on_board(target):
                line.append(target)
                target = target[0] + dx, target[1] + dy
            lines.append(line)
        return lines

    def destinations(self, point: Point) -> Iterator[Point]:
        """Where the piece on ``point`` may move or capture, its own general's safety left aside."""
        piece = self.board[point]
        side = side_of(piece)
        for target in self.ways(piece.upper(), point, side):
            if self.on_board(target) and not (target in self.board and side_of(self.board[target]) == side):
                yield target

    def ways(self, kind: str, point: Point, side: int) -> Iterator[Point]:
        """As `destinations`, points off the board and points held by a friend not yet taken out."""
        raise NotImplementedError

    # -- moves -------------------------------------------------------------------------------------
    def candidates(self) -> Iterator[Move]:
        """Moves and drops of the side to move by the way its pieces go, its general's safety left aside."""
        raise NotImplementedError

    def allows(self, move: Move) -> bool:
        """Whether the candidate ``move`` is legal."""
        raise NotImplementedError

    def after(self, move: Move) -> State:
        """The state after ``move``, which must be one of `candidates`."""
        raise NotImplementedError

    def pseudo_moves(self) -> list[str]:
        return sorted(move.text for move in self.candidates())

    def legal_moves(self) -> list[str]:
        """Coordinate moves, ranks from 1, sorted as text. What came before the position is not looked at."""
        return sorted(move.text for move in self.candidates() if self.allows(move))

    def apply(self, text: str) -> State:
        """The state after the move ``text``; raises `IllegalMove` unless it is legal."""
        move = Move.parse(text)
        if move not in set(self.candidates()) or not self.allows(move):
            raise IllegalMove(f"{text} in {self.fen()}")
        return self.after(move)

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        legal = [move for move in self.candidates() if self.allows(move)]
        return len(legal) if depth == 1 else sum(self.after(move).perft(depth - 1) for move in legal)

    def divide(self, depth: int) -> dict[str, int]:
        return {text: self.apply(text).perft(depth - 1) for text in self.legal_moves()}

    def turn_passes(self, capture: bool) -> dict[str, int]:
        """The side to move, the clock and the move number after a move."""
        return {
            "side": 1 - self.side,
            "clock": 0 if capture else self.clock + 1,
            "number": self.number + (self.side != RED),
        }

    def empty_points(self) -> list[Point]:
        points = [(file, rank) for rank in range(1, self.ranks + 1) for file in range(1, self.files + 1)]
        return [point for point in points if point not in self.board]

    def after_drop(self, move: Move) -> State:
        board = {**self.board, move.target: of_side(move.drop, self.side)}
        left = self.reserves[self.side].replace(move.drop, "", 1)
        reserves = self.with_reserve(self.side, left)
        return replace(self, board=board, reserves=reserves, **self.turn_passes(capture=False))

    def with_reserve(self, side: int, held: str) -> tuple[str, str]:
        """The reserves with that of ``side`` now holding ``held``."""
        held = "".join(sorted(held))
        return (held, self.reserves[BLACK]) if side == RED else (self.reserves[RED], held)

    def passed(self) -> State:
        """The same board with the other side to move."""
        return replace(self, side=1 - self.side)

    # -- the general -------------------------------------------------------------------------------
    def general(self, side: int) -> Point | None:
        letter = of_side(self.royal, side)
        return next((point for point, piece in self.board.items() if piece == letter), None)

    def attackers(self, side: int) -> list[Point]:
        """Where the pieces stand that attack the general of ``side``."""
        # seed 003: "A player gives check when their next move could capture the enemy general."
        general = self.general(side)
        return [
            point
            for point, piece in self.board.items()
            if general is not None and side_of(piece) != side and general in self.destinations(point)
        ]

    def in_check(self, side: int | None = None) -> bool:
        """Direct check: the general of ``side`` (the side to move by default) could be captured."""
        return bool(self.attackers(self.side if side is None else side))

    def in_wide_check(self, side: int | None = None) -> bool:
        """Check as the repetition law counts it: the same as direct check unless the rule set widens it."""
        return self.in_check(side)

    def checkers(self) -> list[str]:
        """The points of the pieces that give check to the side to move, sorted as text."""
        return sorted(map(point_text, self.attackers(self.side)))

    def winner(self) -> int | None:
        """The side whose opponent has lost its general from the board, if the rule set can lose one so."""
        gone = [side for side in (RED, BLACK) if self.general(side) is None]
        return 1 - gone[0] if len(gone) == 1 else None

    # -- endings that need no history --------------------------------------------------------------
    def is_mated(self, replies: int) -> bool:
        """Checkmate, ``replies`` being the number of legal moves."""
        return replies == 0 and self.in_check()

    def is_stalemated(self, replies: int) -> bool:
        return replies == 0 and not self.in_check()
