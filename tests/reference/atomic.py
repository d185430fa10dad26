"""Atomic xiangqi: captures explode."""

from __future__ import annotations

from dataclasses import replace

from .state import ORTHOGONAL, Move
from .xiangqi import Xiangqi


class Atomic(Xiangqi):
    rules = "atomic"
    # page, atomic: "Third occurrence: draw, unless exactly one side gave (wide) check on every one of its
    # moves".
    book = "site"
    # seed 001: "Sixty consecutive plies without a capture is a draw".
    no_capture_limit = 60
    # page, atomic: "general gone -> mate/stalemate -> no-capture clock -> repetition".
    clock_before_repetition = True

    def after(self, move: Move) -> Atomic:
        if move.target not in self.board:
            return super().after(move)
        board = dict(self.board)
        capturer = board.pop(move.origin)
        del board[move.target]  # the captured piece; the capturer never comes to stand there
        # seed 001: "A cannon's capture does not explode. It removes only the cannon and its target."
        if capturer.upper() != "C":
            # seed 001: "every piece on the four points orthogonally next to the capture point, whichever side
            # they belong to"; "an explosion never removes a soldier".
            for dx, dy in ORTHOGONAL:
                beside = move.target[0] + dx, move.target[1] + dy
                if board.get(beside, "P").upper() != "P":
                    del board[beside]
        return replace(self, board=board, **self.turn_passes(capture=True))

    def removes_general(self, move: Move) -> bool:
        """Whether the candidate ``move`` blows up the enemy general and leaves its own."""
        after = self.after(move)
        return after.general(self.side) is not None and after.general(1 - self.side) is None

    def allows(self, move: Move) -> bool:
        after = self.after(move)
        # page, atomic: "A move that removes one's own general is illegal (so a general never captures)."
        if after.general(self.side) is None:
            return False
        # page, atomic: "Removing the enemy general wins at once, and outranks every other legality rule".
        if after.general(1 - self.side) is None:
            return True
        # page, atomic: "Otherwise the xiangqi law stands on the board *after* the explosion: own general not
        # attacked by a direct capture, generals not facing."
        return not after.in_check(self.side)

    def in_wide_check(self, side: int | None = None) -> bool:
        # page, atomic: "*wide check* when the opponent, if it were to move, would have a *legal* move that
        # removes its general: direct capture, or a capture beside it".
        side = self.side if side is None else side
        if self.in_check(side):
            return True
        opponent = self if self.side != side else self.passed()
        return any(opponent.removes_general(move) for move in opponent.candidates())
