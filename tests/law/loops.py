"""Rounds of play made at random: a move, a reply, and both taken back, from positions of engine games."""

from __future__ import annotations

import random
from functools import cache

from adjudicator import Position
from reference.oracle import rows


@cache
def games() -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    """Start, moves and positions of the annotated games of xiangqi."""
    return tuple(
        (row["start_fen"], tuple(row["moves"]), tuple(row["fens"]))
        for row in rows("annotated_games")
        if row["ruleset"] == "xiangqi"
    )


def round_from(position: Position, dice: random.Random, tries: int = 40) -> list[str] | None:
    """Four plies that lead back to ``position`` without a capture, or None when no such were found."""
    for _ in range(tries):
        played: list[str] = []
        for step in range(4):
            if step < 2:
                quiet = [move for move in position.legal_moves() if _is_quiet(position, move)]
            else:
                back = _reversed(played[step - 2])
                quiet = [back] if back in position.legal_moves() else []
            if not quiet:
                break
            played.append(dice.choice(quiet))
            position.push(played[-1])
        for _ in played:
            position.pop()
        if len(played) == 4:
            return played
    return None


def _is_quiet(position: Position, move: str) -> bool:
    return position.piece_at(_points(move)[1]) is None


def _reversed(move: str) -> str:
    start, to = _points(move)
    return to + start


def _points(move: str) -> tuple[str, str]:
    cut = next(i for i in range(1, len(move)) if move[i].isalpha())
    return move[:cut], move[cut:]
