"""From a rule set to the kernel's tables: names become numbers, Black's half is Red's turned round.

`tables` is the only maker of `_board.Tables`; it is cached by the rule set's fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from adjudicator._board import Tables
from adjudicator.geometry import DIAGONAL, NOWHERE, ORTHOGONAL
from adjudicator.ruleset import Piece, Ruleset

BLACK = 16

_QUIET, _CAPTURE = 1, 2
_MODES = {"both": _QUIET | _CAPTURE, "quiet": _QUIET, "capture": _CAPTURE}
_RIDE_SHIFT, _HOP_SHIFT, _SLANT_SHIFT = 0, 2, 4
_REPLACE, _VANISH, _BLAST = 0, 1, 2

_MASK = (1 << 64) - 1


def position_key(letter: str, black: bool, file: int, rank: int) -> int:
    """The 64-bit key of one piece on one point, the same on every machine and in every version.

    A position's key is the exclusive or of its pieces' keys and, with Black to move, of
    ``side_key()``. ``letter`` is the piece's capital letter (K A E H R C P …); files and ranks count
    from 0. The mixer is SplitMix64's (Steele, Lea and Flood, OOPSLA 2014).
    """
    return _mix(ord(letter) << 24 | black << 16 | file << 8 | rank)


def reserve_key(letter: str, black: bool, count: int) -> int:
    """The key of ``count`` of a piece in reserve; none has the key 0. It joins the position's key like the others."""
    return _mix(1 << 33 | ord(letter) << 24 | black << 16 | count) if count else 0


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


@lru_cache(maxsize=64)
def plan(rules: Ruleset) -> dict[str, Any]:
    """The tables as plain Python values, as `_board.Tables` takes them; not to be changed."""
    kinds = {piece.name: kind for kind, piece in enumerate(rules.pieces, start=1)}
    letters = {0: 0}
    for piece in rules.pieces:
        for letter in (piece.letter, *piece.synonyms):
            letters[ord(letter) - 64] = kinds[piece.name]
    letters[0] = letters.get(ord("P") - 64, 0)  # a move written without a letter is a soldier's
    pieces = {}
    for piece in rules.pieces:
        steps = _steps(rules, piece)
        for black in (0, BLACK):
            pieces[kinds[piece.name] | black] = _piece(rules, piece, kinds, bool(black), steps)
    prize = next((piece for piece in rules.pieces if piece.won), None)
    return {
        "files": rules.files,
        "ranks": rules.ranks,
        "types": len(rules.pieces),
        "facing": rules.facing,
        "needed": rules.needs_general,
        "diagonals": any(piece["rides"] >> _SLANT_SHIFT for piece in pieces.values()),
        "blasts": rules.explodes,
        "holds": rules.reserves,
        "creations": rules.creations,
        "royal_kind": next((kinds[piece.name] for piece in rules.pieces if piece.royal), 0),
        "keeps": [
            kinds[piece.name]
            for piece in rules.pieces
            if rules.data["capture"]["reserve"] and not piece.royal
        ],
        "prize_kind": kinds[prize.name] if prize else 0,
        "won": [[kinds[name] for name in names] for names in prize.won] if prize else [],
        "given": [[kinds[name] for name in names] for names in prize.given] if prize else [],
        "beside": [list(rules.board.beside(p, ORTHOGONAL)) for p in range(len(rules.board))],
        "around": [list(rules.board.beside(p, ORTHOGONAL + DIAGONAL)) for p in range(len(rules.board))],
        "letters": letters,
        "pieces": pieces,
        "key_side": side_key(),
    }


Steps = list[list[tuple[int, int, int]]]
"""For every point, where a piece steps to, over which leg, and in which modes."""


def _piece(rules: Ruleset, piece: Piece, kinds: dict[str, int], black: bool, steps: Steps) -> dict[str, Any]:
    """What the kernel knows of one side's piece; Black's regions and steps are Red's turned round."""
    files, points = rules.files, rules.files * rules.ranks
    last = points - 1
    capture = rules.data["capture"]
    rides = 0
    for motion in piece.moves:
        if motion.hop:
            rides |= _MODES[motion.mode] << _HOP_SHIFT
        if motion.ride in ("orthogonal", "any"):
            rides |= _MODES[motion.mode] << _RIDE_SHIFT
        if motion.ride in ("diagonal", "any"):
            rides |= _MODES[motion.mode] << _SLANT_SHIFT
    effect = _REPLACE
    if rules.explodes:
        effect = _BLAST if rules.blasts(piece) else _VANISH

    def turned(region: Iterable[int]) -> list[int]:
        return sorted(last - point if black else point for point in region)

    drop: Iterable[int] = ()
    if piece.drop:
        drop = range(points) if piece.drop == "anywhere" else rules.region(piece.drop)
    if black:
        steps = [
            [(last - to, leg if leg == NOWHERE else last - leg, mode) for to, leg, mode in at]
            for at in reversed(steps)
        ]
    return {
        "rides": rides,
        "royal": piece.royal,
        "effect": effect,
        "spared": piece.name in capture["spares"],
        "drop": turned(drop),
        "shuns": kinds[piece.drop_shuns] | (0 if black else BLACK) if piece.drop_shuns else 0,
        "promotes": turned(rules.region(piece.promotes_in)) if piece.promotes_in else [],
        "promotion": [kinds[name] for name in piece.promotes_to],
        "steps": steps,
        "keys": [position_key(piece.letter, black, p % files, p // files) for p in range(points)],
        "held": [reserve_key(piece.letter, black, count) for count in range(64 if rules.reserves else 0)],
    }


def _steps(rules: Ruleset, piece: Piece) -> Steps:
    """The steps of Red's ``piece``."""
    motions = [(rules.board.steps(move), _MODES[move.mode]) for move in piece.moves]
    return [
        sorted((to, leg, mode) for motion, mode in motions for to, leg in motion[point])
        for point in range(rules.files * rules.ranks)
    ]
