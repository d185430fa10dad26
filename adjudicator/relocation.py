"""Relocation: what a side may place elsewhere before the first turn, which is not a turn.

rulesets.md, six-fortresses: “each side may relocate its wazirs and ferzes to any non-fortress squares of its own first
rank (no two on one square; not a turn). Records carry it as a start FEN or as set-up moves before ply 1.” The rule set
says which pieces (``relocates``, a region). Records say so in a tag, all moves being made at once,

    [Relocation "d1a1 c1d1, f9i9"]

or by writing those moves before the first turn, of either side in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from adjudicator.moves import BLACK, move_points
from adjudicator.ruleset import Ruleset
from notation import descriptor
from notation.descriptor import Said
from notation.finding import Finding, shown
from notation.record import GameRecord
from notation.tags import value_of

_MOVE = re.compile(r"([a-z]\d+)[-–]?([a-z]\d+)|[^\s,;]+")


def relocate(pieces: bytes, text: str, rules: Ruleset) -> tuple[bytes, list[Finding]]:
    """``pieces``, a kernel code per point, after the moves of ``text``; as they were where one of them cannot be."""
    faults = []
    moves = []
    for found in _MOVE.finditer(text):
        try:
            start, to = (rules.point(name or "") for name in found.groups())
        except ValueError:
            faults.append(_fault(found[0], "it is not two points", "不是两个点"))
            continue
        moves.append((found[0], start, to))
    after = bytearray(pieces)
    for word, start, _ in moves:
        if not pieces[start]:
            faults.append(_fault(word, f"no piece stands on {rules.point_name(start)}", "起点没有棋子"))
        elif not region(pieces[start], rules):
            faults.append(_fault(word, f"a {_name(pieces[start], rules)} is not relocated", "此子不可移置"))
        elif not after[start]:
            faults.append(_fault(word, "the piece is relocated twice", "同一子移置两次"))
        after[start] = 0
    if faults:
        return pieces, faults
    for word, start, to in moves:
        if to not in region(pieces[start], rules):
            faults.append(
                _fault(word, f"{rules.point_name(to)} is not of its own first rank", "目标点不在己方底线")
            )
        elif after[to]:
            why = f"a {_name(after[to], rules)} stands on {rules.point_name(to)}"
            faults.append(_fault(word, why, "目标点已有棋子"))
        after[to] = pieces[start]
    return (pieces, faults) if faults else (bytes(after), [])


def leading(pieces: bytes, said: Iterable[int], rules: Ruleset) -> Iterator[str]:
    """The moves that a record makes before its first turn, as far as ``said`` (descriptors) goes on with them.

    They are told from turns by what they move from the rule set's own start (``pieces``): a piece that relocates,
    along its own first rank, where no turn could take it.
    """
    for word in said:
        move = Said.unpack(word)
        if move.kind != descriptor.COORDINATE:
            return
        try:
            text = descriptor_text(move)
            start, to = (rules.point(name or "") for name in move_points(text))
        except ValueError:
            return
        home = region(pieces[start], rules) if pieces[start] else frozenset()
        if start not in home or to not in home:
            return
        yield text


def relocated(record: GameRecord, moves: int) -> GameRecord:
    """``record`` with its first ``moves`` moves in the tag, where its turns begin with its tokens."""
    if not moves:
        return record
    text = " ".join([*filter(None, [value_of(record.tags, "Relocation")]), *record.tokens[:moves]])
    return replace(record.after(moves), tags={**record.tags, "Relocation": text})


def descriptor_text(move: Said) -> str:
    """A coordinate move with ranks from 1."""
    return f"{chr(97 + move.from_file)}{move.from_rank}{chr(97 + move.to_file)}{move.to_rank}"


def region(code: int, rules: Ruleset) -> frozenset[int]:
    """Where the piece may be relocated to; empty where it may not."""
    name = rules.pieces[(code & 15) - 1].relocates
    if name is None:
        return frozenset()
    last = len(rules.board) - 1
    return frozenset(last - point if code & BLACK else point for point in rules.region(name))


def _name(code: int, rules: Ruleset) -> str:
    return rules.pieces[(code & 15) - 1].name


def _fault(text: str, why: str, why_zh: str) -> Finding:
    return Finding("illegal-relocation", text=shown(text), details={"why": why, "why_zh": why_zh})
