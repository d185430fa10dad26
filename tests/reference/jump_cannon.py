"""Chinese chess with the cannon that must always jump."""

from __future__ import annotations

from collections.abc import Iterator

from .state import ORTHOGONAL, Point
from .xiangqi import Xiangqi


class JumpCannon(Xiangqi):
    rules = "jump-cannon"
    # seed 004: "a position you have already created twice yourself, you may not create a third time" (see
    # `Game`).
    book = "forbid-third"
    # page, jump-cannon: "No no-capture clock is given: none applied."
    no_capture_limit = None

    def cannon_ways(self, point: Point, side: int) -> Iterator[Point]:
        # seed 004: "it must always jump over exactly one piece, its own or the enemy's - the screen. It lands
        # on any empty point beyond the screen, or takes the first piece beyond it. It never jumps two, and
        # with nothing to jump over it cannot move."
        for line in self.lines(point, ORTHOGONAL):
            jumped = False
            for target in line:
                if jumped:
                    yield target
                if target in self.board:
                    if jumped:
                        break
                    jumped = True


class JumpCannonModern(JumpCannon):
    rules = "jump-cannon-modern"

    # seed 004: "Under modern tournament rules it moves like the chariot when it does not capture, and jumps
    # only to capture; you can choose that".
    cannon_ways = Xiangqi.cannon_ways
