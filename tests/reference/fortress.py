"""Fortress xiangqi: corner palaces, reserves and drops, the Treasure; and its revision of 2026-09-02."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from .state import DIAGONAL, ORTHOGONAL, RED, Move, Point
from .xiangqi import Xiangqi


class Fortress(Xiangqi):
    rules = "fortress"
    # seed 000: "The board is 7 files (a to g) by 8 ranks".
    files, ranks = 7, 8
    # page, fortress: "Start (public record of the same game): ... where q/Q is the Treasure".
    start_fen = "rnceakq/pp1p1pp/7/7/7/7/PP1P1PP/QKAECNR w - - 0 1"
    from_fen_letters: ClassVar = {"N": "H", "Q": "T"}
    synonyms: ClassVar = {"G": "K", "B": "E", "N": "H", "S": "P", "Q": "T"}
    letters = "KAEHRCPT"
    holds_reserves = True
    # seed 000: "On the third occurrence of the same position, a player who gave check on every one of their
    # moves in the repeating cycle loses. If neither player was the sole perpetual checker, the repetition is
    # drawn."
    book = "site"
    # seed 000: "There is no fifty-move or no-progress draw."
    no_capture_limit = None

    def in_palace(self, point: Point, side: int) -> bool:
        # seed 000: "Red holds the bottom left (a1 to c3) and Black holds the top right (e6 to g8)".
        file, rank = point
        return 1 <= file <= 3 and 1 <= rank <= 3 if side == RED else 5 <= file <= 7 and 6 <= rank <= 8

    def on_own_half(self, point: Point, side: int) -> bool:
        # seed 000: "with a river between ranks 4 and 5".
        return point[1] <= 4 if side == RED else point[1] >= 5

    def ways(self, kind: str, point: Point, side: int) -> Iterator[Point]:
        # seed 000: "The Chariot, Cannon, Horse, Elephant, Advisor, and General move as they do in xiangqi."
        return self.treasure_ways(point, side) if kind == "T" else super().ways(kind, point, side)

    def soldier_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 000: "one point forward or sideways, never backward. Unlike a standard xiangqi soldier, it can
        # move sideways from the opening move."
        file, rank = point
        yield from ((file, rank + self.forward(side)), (file - 1, rank), (file + 1, rank))

    def treasure_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 000: "It steps one point in any of the eight directions, is not confined to the palace".
        for dx, dy in ORTHOGONAL + DIAGONAL:
            yield point[0] + dx, point[1] + dy

    def may_drop(self, kind: str, point: Point, side: int) -> bool:
        # seed 000: "Chariots, Horses, Cannons, Soldiers, and Treasures may drop on any empty point. Advisors
        # and Elephants keep their normal territory restrictions."; page: "Advisor on its own palace's points,
        # Elephant on its own half".
        if kind == "A":
            return self.in_palace(point, side)
        return kind != "E" or self.on_own_half(point, side)

    def candidates(self) -> Iterator[Move]:
        # seed 000: "On your turn, either move a piece on the board or drop one piece from your reserve onto
        # an empty point."
        yield from super().candidates()
        for kind in sorted(set(self.reserves[self.side])):
            for point in self.empty_points():
                if self.may_drop(kind, point, self.side):
                    yield Move(None, point, drop=kind)

    def after(self, move: Move) -> Fortress:
        if move.drop:
            return self.after_drop(move)
        after = super().after(move)
        captured = self.board.get(move.target, "").upper()
        if not captured or captured == "K":  # seed 000: "Generals are never captured or held in reserve."
            return after
        # seed 000: "it changes to your color and enters your reserve".
        return replace(after, reserves=self.with_reserve(self.side, self.reserves[self.side] + captured))


class FortressRiver(Fortress):
    rules = "fortress-river"

    def soldier_ways(self, point: Point, side: int) -> Iterator[Point]:
        # page, table: "the soldier steps sideways only after crossing the river".
        return Xiangqi.soldier_ways(self, point, side)

    def treasure_ways(self, point: Point, side: int) -> Iterator[Point]:
        # page, table: "the Treasure neither moves nor drops beyond its own half".
        return (target for target in super().treasure_ways(point, side) if self.on_own_half(target, side))

    def may_drop(self, kind: str, point: Point, side: int) -> bool:
        if kind == "T":
            return self.on_own_half(point, side)
        return super().may_drop(kind, point, side)
