"""Standard xiangqi, and the same game with the shorter clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .state import BLACK, DIAGONAL, ORTHOGONAL, RED, Move, Point, State, of_side, side_of


def home(side: int, file: int, rank: int) -> Point:
    """The point of Red's (file, rank) or of Black's opposite it on the same file."""
    return (file, rank) if side == RED else (file, 11 - rank)


class Xiangqi(State):
    rules = "xiangqi"
    # page, xiangqi: "Start: `rnbakabnr/...` (44 legal first moves)".
    start_fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    # page, xiangqi: "the side that gave check on every one of its moves in the repeated cycle loses".
    book = "site"
    # page, xiangqi: "draw after 60 moves by each side = 120 plies without a capture"; seed 003 says the same.
    no_capture_limit = 120

    # -- geometry ----------------------------------------------------------------------------------
    def in_palace(self, point: Point, side: int) -> bool:
        # page, xiangqi: "palaces d1–f3 and d8–f10".
        file, rank = point
        return 4 <= file <= 6 and (1 <= rank <= 3 if side == RED else 8 <= rank <= 10)

    def on_own_half(self, point: Point, side: int) -> bool:
        # page, xiangqi: "river between ranks 5 and 6".
        return point[1] <= 5 if side == RED else point[1] >= 6

    # -- how the pieces go -------------------------------------------------------------------------
    def ways(self, kind: str, point: Point, side: int) -> Iterator[Point]:
        return {
            "K": self.general_ways,
            "A": self.advisor_ways,
            "E": self.elephant_ways,
            "H": self.horse_ways,
            "R": self.chariot_ways,
            "C": self.cannon_ways,
            "P": self.soldier_ways,
        }[kind](point, side)

    def general_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 003: "moves one point along a line and stays inside the palace".
        for dx, dy in ORTHOGONAL:
            target = point[0] + dx, point[1] + dy
            if self.in_palace(target, side):
                yield target

    def advisor_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 003: "moves one point diagonally and stays inside the palace".
        for dx, dy in DIAGONAL:
            target = point[0] + dx, point[1] + dy
            if self.in_palace(target, side):
                yield target

    def elephant_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 003: "moves exactly two points diagonally, never crosses the river, and is blocked by a piece
        # on the midpoint"; page: "the eye must be empty".
        for dx, dy in DIAGONAL:
            eye = point[0] + dx, point[1] + dy
            target = point[0] + 2 * dx, point[1] + 2 * dy
            if eye not in self.board and self.on_own_half(target, side):
                yield target

    def horse_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 003: "moves one point along a line and then one point diagonally outward, and a piece on the
        # first step blocks it"; page: "one orthogonal step (the leg, must be empty)".
        for dx, dy in ORTHOGONAL:
            leg = point[0] + dx, point[1] + dy
            if leg in self.board:
                continue
            for aside in (-1, 1):
                yield leg[0] + (dx or aside), leg[1] + (dy or aside)

    def chariot_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 003: "moves any distance along a line and cannot jump".
        for line in self.lines(point, ORTHOGONAL):
            for target in line:
                yield target
                if target in self.board:
                    break

    def cannon_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 003: "moves like the chariot but captures only by jumping over exactly one piece"; page: "over
        # exactly one piece of any side".
        for line in self.lines(point, ORTHOGONAL):
            pieces = [target for target in line if target in self.board]
            for target in line:
                if target in self.board:
                    break
                yield target
            if len(pieces) >= 2:
                yield pieces[1]

    def soldier_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 003: "moves one point forward, gains a sideways move after the river, and never moves back";
        # page: "after crossing (rank >= 6 for Red, <= 5 for Black)".
        file, rank = point
        yield file, rank + self.forward(side)
        if not self.on_own_half(point, side):
            yield file - 1, rank
            yield file + 1, rank

    # -- the general -------------------------------------------------------------------------------
    def facing(self) -> bool:
        """Whether the generals stand on one file with nothing between."""
        red, black = (self.general(side) for side in (0, 1))
        if red is None or black is None or red[0] != black[0]:
            return False
        return not any((red[0], rank) in self.board for rank in range(red[1] + 1, black[1]))

    def attackers(self, side: int) -> list[Point]:
        # page: "a facing general *attacks* the other, so facing is a check".
        return super().attackers(side) + ([self.general(1 - side)] if self.facing() else [])

    # -- moves -------------------------------------------------------------------------------------
    def candidates(self) -> Iterator[Move]:
        if self.winner() is not None:  # page, "Order of precedence": the general gone ends the game
            return
        for point, piece in self.board.items():
            if side_of(piece) == self.side:
                for target in self.destinations(point):
                    yield Move(point, target)

    def allows(self, move: Move) -> bool:
        after = self.after(move)
        if move.target in self.protected and not self.takes_protected(move, after):
            return False
        # page: "a move that opens the file against oneself is illegal"; seed 003: check works as in chess.
        return not after.in_check(self.side)

    def after(self, move: Move) -> Xiangqi:
        board = dict(self.board)
        captured = board.get(move.target)
        board[move.target] = board.pop(move.origin)
        return replace(
            self,
            board=board,
            protected=self.protected - {move.origin, move.target},  # "until it has moved"
            **self.turn_passes(captured is not None),
        )

    # -- handicaps -------------------------------------------------------------------------------------
    def with_odds(self) -> Xiangqi:
        """The set-up with the protection that the pieces missing from it confer on others of their army.

        For a start position without some pieces; nothing is inferred of any other.
        """
        found = set()
        for side in (RED, BLACK):
            for near, beside, other in ((1, 2, 8), (9, 8, 2)):
                # page, Handicaps: "chariot odds -> the horse on the same wing is *iron*"; seed 003.
                if not self.at_home("R", side, near, 1) and self.at_home("H", side, beside, 1):
                    found.add(home(side, beside, 1))
                # page, Handicaps: "cannon odds -> the other cannon is iron until it has moved".
                if not self.at_home("C", side, beside, 3) and self.at_home("C", side, other, 3):
                    found.add(home(side, other, 3))
                # page, Handicaps: "one- or two-horse odds -> the middle soldier (e-file)".
                if not self.at_home("H", side, beside, 1) and self.at_home("P", side, 5, 4):
                    found.add(home(side, 5, 4))
        return replace(self, protected=frozenset(found))

    def at_home(self, kind: str, side: int, file: int, rank: int) -> bool:
        return self.board.get(home(side, file, rank)) == of_side(kind, side)

    def takes_protected(self, move: Move, after: Xiangqi) -> bool:
        """Whether ``move`` may take the protected piece on its target."""
        # page, Handicaps: a horse or cannon "may not be captured until it has moved"; the middle soldier
        # "may not be captured until it has moved, *unless that capture gives check*".
        return self.board[move.target].upper() == "P" and after.in_check(1 - self.side)


class Xiangqi60(Xiangqi):
    rules = "xiangqi-60"
    # page, table: "as `xiangqi`, 60-ply clock, every third occurrence a draw".
    book = "site-draw"
    no_capture_limit = 60
