"""Six Fortresses: chess pieces, three fortresses a side, drops won by taking fortresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from .state import DIAGONAL, ORTHOGONAL, RED, IllegalMove, Move, Point, State, of_side, side_of

LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
# seed 002: "When the first enemy Fortress is captured you get a Bishop and Knight ... Your opponent gets a
# King's Imposter"; "second ... a Knight and Rook ... a King's Imposter"; "third ... a Knight and Queen ...
# his real King".
WON = {1: ("BN", "I"), 2: ("NR", "I"), 3: ("NQ", "K")}


class SixFortresses(State):
    rules = "six-fortresses"
    files, ranks = 9, 9
    # page, six-fortresses: "rank 3 nine pawns; rank 2 `R N B Q I Q B N R`; rank 1 three fortresses (b1, e1,
    # h1), wazirs d1 f1, ferzes c1 g1, a1 and i1 empty; Black mirrored on ranks 9, 8, 7" (inferred there).
    start_fen = "1xfwxwfx1/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/1XFWXWFX1 w - - 0 1"
    from_fen_letters: ClassVar = {}
    synonyms: ClassVar = {}
    letters = "KRNBQPWFIX"
    holds_reserves = True
    # page, six-fortresses: "No repetition or no-capture rule is given: none applied".
    book = "none"
    # page, six-fortresses: "the default is the chess reading, a draw".
    stalemate = "draw"

    @classmethod
    def may_be_held(cls) -> str:
        return "BNRQIK"

    def ways(self, kind: str, point: Point, side: int) -> Iterator[Point]:
        if kind == "P":
            yield from self.pawn_ways(point, side)
        elif kind in "RBQ":
            # page: "Chess movement: Rook, Knight (leaps), Bishop, Queen, no castling."
            for line in self.lines(point, {"R": ORTHOGONAL, "B": DIAGONAL, "Q": ORTHOGONAL + DIAGONAL}[kind]):
                for target in line:
                    yield target
                    if target in self.board:
                        break
        else:
            # seed 002: wazir "Orthoganally, 1 Step"; ferz "Diagonally, 1 step"; imposter "Moves like a King";
            # "Fortresses CAN NOT MOVE".
            king = ORTHOGONAL + DIAGONAL
            steps = {"N": LEAPS, "W": ORTHOGONAL, "F": DIAGONAL, "I": king, "K": king, "X": ()}[kind]
            for dx, dy in steps:
                yield point[0] + dx, point[1] + dy

    def pawn_ways(self, point: Point, side: int) -> Iterator[Point]:
        # page: "Pawn: one forward (no double step, no en passant), captures one diagonally forward".
        file, rank = point[0], point[1] + self.forward(side)
        if (file, rank) not in self.board:
            yield file, rank
        for target in ((file - 1, rank), (file + 1, rank)):
            if target in self.board:
                yield target

    def candidates(self) -> Iterator[Move]:
        if "K" in self.reserves[self.side]:
            # page: "the loser gets his King, which he **must** place on his very next turn".
            yield from (Move(None, point, drop="K") for point in self.empty_points())
            return
        last = self.ranks if self.side == RED else 1
        for point, piece in self.board.items():
            if side_of(piece) != self.side:
                continue
            for target in self.destinations(point):
                # page: "must promote on the last rank to R, N, B or Q".
                for promotion in "RNBQ" if piece.upper() == "P" and target[1] == last else [""]:
                    yield Move(point, target, promotion=promotion)
        # page: "One drop a turn instead of a move, on any empty square."
        for kind in sorted(set(self.reserves[self.side])):
            for point in self.empty_points():
                if kind != "I" or not self.beside_enemy_fortress(point):
                    yield Move(None, point, drop=kind)

    def beside_enemy_fortress(self, point: Point) -> bool:
        # page: "An Imposter may not be dropped next to (8 neighbours of) an enemy fortress."
        fortress = of_side("X", 1 - self.side)
        return any(
            self.board.get((point[0] + dx, point[1] + dy)) == fortress for dx, dy in ORTHOGONAL + DIAGONAL
        )

    def allows(self, move: Move) -> bool:
        # page: "Check, checkmate and stalemate exist only for a side whose King is on the board"; "The King
        # may not be placed on an attacked square".
        return not self.after(move).in_check(self.side)

    def after(self, move: Move) -> SixFortresses:
        if move.drop:
            return self.after_drop(move)
        board = dict(self.board)
        captured = board.get(move.target)
        piece = board.pop(move.origin)
        board[move.target] = of_side(move.promotion, self.side) if move.promotion else piece
        after = replace(self, board=board, **self.turn_passes(captured is not None))
        if captured is None or captured.upper() != "X":  # page: "Ordinary captures leave the game."
            return after
        taken = 3 - list(board.values()).count(captured)
        won, given = WON[taken]
        held = list(self.reserves)
        held[self.side] += won
        held[1 - self.side] += given
        return replace(after, reserves=tuple("".join(sorted(letters)) for letters in held))

    def winner(self) -> int | None:
        return None  # a King starts off the board and is never captured

    def is_mated(self, replies: int) -> bool:
        # page: "or must be placed and cannot: that is checkmate".
        return replies == 0 and (self.in_check() or "K" in self.reserves[self.side])

    def is_stalemated(self, replies: int) -> bool:
        return replies == 0 and not self.is_mated(replies) and self.general(self.side) is not None

    def relocated(self, *moves: str) -> SixFortresses:
        """The set-up after ``moves`` like ``d1a1``, all at once before ply 1, of one side or both."""
        # page: "each side may relocate its wazirs and ferzes to any non-fortress squares of its own first
        # rank (no two on one square; not a turn)".
        board = dict(self.board)
        lifted = [(Move.parse(text), board.pop(Move.parse(text).origin, " ")) for text in moves]
        for move, piece in lifted:
            first = 1 if side_of(piece) == RED else self.ranks
            if (
                piece.upper() not in "WF"
                or {move.origin[1], move.target[1]} != {first}
                or move.target in board
            ):
                raise IllegalMove(f"no relocation: {move.text}")
            board[move.target] = piece
        return replace(self, board=board)
