"""From a rule set to the kernel's tables: names become numbers, Black's half is Red's turned round.

`tables` is the only maker of `_board.Tables`; it is cached by the rule set's fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from adjudicator._board import Tables
from adjudicator.ruleset import Motion, Ruleset

NOWHERE = 127  # the leg of a step that has none
BLACK = 16

_ORTHOGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_DIRECTIONS = {
    "forward": ((0, 1),),
    "backward": ((0, -1),),
    "sideways": ((1, 0), (-1, 0)),
    "orthogonal": _ORTHOGONAL,
    "diagonal": _DIAGONAL,
    "any": _ORTHOGONAL + _DIAGONAL,
}
_QUIET, _CAPTURE = 1, 2
_MODES = {"both": _QUIET | _CAPTURE, "quiet": _QUIET, "capture": _CAPTURE}
_RIDE_SHIFT, _HOP_SHIFT = 0, 2

_MASK = (1 << 64) - 1


def position_key(letter: str, black: bool, file: int, rank: int) -> int:
    """The 64-bit key of one piece on one point, the same on every machine and in every version.

    A position's key is the exclusive or of its pieces' keys and, with Black to move, of
    ``side_key()``. ``letter`` is the piece's capital letter (K A E H R C P …); files and ranks count
    from 0. The mixer is SplitMix64's (Steele, Lea and Flood, OOPSLA 2014).
    """
    return _mix(ord(letter) << 24 | black << 16 | file << 8 | rank)


def side_key() -> int:
    """The key of Black to move."""
    return _mix(1 << 32)


def _mix(x: int) -> int:
    x = (x + 1) * 0x9E3779B97F4A7C15 & _MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK
    return x ^ x >> 31


@lru_cache(maxsize=64)
def tables(rules: Ruleset) -> Tables:
    """The kernel's tables for ``rules``."""
    return Tables(plan(rules))


def plan(rules: Ruleset) -> dict[str, Any]:
    """The tables as plain Python values, as `_board.Tables` takes them."""
    points = rules.files * rules.ranks
    rides: dict[int, int] = {}
    steps: dict[int, list[list[tuple[int, int, int]]]] = {}
    keys: dict[int, list[int]] = {}
    royal: list[int] = []
    letters = {0: 0}
    for kind, piece in enumerate(rules.pieces, start=1):
        for letter in (piece.letter, *piece.synonyms):
            letters[ord(letter) - 64] = kind
        for black in (0, BLACK):
            code = kind | black
            rides[code] = sum(
                _MODES[m.mode] << (_HOP_SHIFT if m.hop else _RIDE_SHIFT)
                for m in piece.moves
                if m.ride or m.hop
            )
            keys[code] = [
                position_key(piece.letter, bool(black), point % rules.files, point // rules.files)
                for point in range(points)
            ]
            if piece.royal:
                royal.append(code)
        red = [sorted(_steps(rules, piece.moves, point)) for point in range(points)]
        steps[kind] = red
        steps[kind | BLACK] = [
            [
                (points - 1 - to, leg if leg == NOWHERE else points - 1 - leg, mode)
                for to, leg, mode in red[points - 1 - point]
            ]
            for point in range(points)
        ]
    letters[0] = letters.get(ord("P") - 64, 0)  # a move written without a letter is a soldier's
    return {
        "files": rules.files,
        "ranks": rules.ranks,
        "types": len(rules.pieces),
        "facing": int(rules.facing),
        "rides": rides,
        "royal": royal,
        "letters": letters,
        "steps": steps,
        "keys": keys,
        "key_side": side_key(),
    }


def _steps(rules: Ruleset, moves: tuple[Motion, ...], point: int) -> Iterator[tuple[int, int, int]]:
    """``(to, leg, modes)`` of every step that Red's piece has from ``point``."""
    file, rank = point % rules.files, point // rules.files
    for motion in moves:
        if motion.ride or motion.hop:
            continue
        if motion.origin and point not in rules.region(motion.origin):
            continue
        for dx, dy, leg in _offsets(motion):
            x, y = file + dx, rank + dy
            if not (0 <= x < rules.files and 0 <= y < rules.ranks):
                continue
            to = y * rules.files + x
            if motion.within and to not in rules.region(motion.within):
                continue
            yield (
                to,
                NOWHERE if leg is None else (rank + leg[1]) * rules.files + file + leg[0],
                _MODES[motion.mode],
            )


def _offsets(motion: Motion) -> Iterator[tuple[int, int, tuple[int, int] | None]]:
    if motion.step:
        for dx, dy in _DIRECTIONS[motion.step]:
            yield dx, dy, None
        return
    a, b = motion.leap or (0, 0)
    for dx, dy in sorted({(sx * p, sy * q) for p, q in ((a, b), (b, a)) for sx in (1, -1) for sy in (1, -1)}):
        if motion.leg == "straight":
            leg = (dx // abs(dx), 0) if abs(dx) > abs(dy) else (0, dy // abs(dy))
        elif motion.leg == "midpoint":
            leg = (dx // 2, dy // 2)
        else:
            leg = None
        yield dx, dy, leg
