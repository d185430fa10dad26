"""Boards in numbers: regions as points, and where a motion takes a piece.

A point is rank * files + file, as Red sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

NOWHERE = 127
"""The leg of a step that has none."""

ORTHOGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
DIRECTIONS = {
    "forward": ((0, 1),),
    "backward": ((0, -1),),
    "sideways": ((1, 0), (-1, 0)),
    "forward-diagonal": ((-1, 1), (1, 1)),
    "orthogonal": ORTHOGONAL,
    "diagonal": DIAGONAL,
    "any": ORTHOGONAL + DIAGONAL,
}

STEPS = tuple(DIRECTIONS)
RIDES = ("orthogonal", "diagonal", "any")
HOPS = ("orthogonal",)
LEGS = ("none", "straight", "midpoint")
MODES = ("both", "quiet", "capture")


@dataclass(frozen=True)
class Motion:
    """One way a piece moves. Exactly one of ``step``, ``leap``, ``ride``, ``hop`` is set."""

    step: str | None = None
    leap: tuple[int, int] | None = None
    ride: str | None = None
    hop: str | None = None
    leg: str = "none"
    mode: str = "both"
    within: str | None = None  # region the target must lie in
    origin: str | None = None  # region the move must start in


@dataclass(frozen=True)
class Board:
    """A board of ``files`` by ``ranks`` with its regions by name."""

    files: int
    ranks: int
    regions: Mapping[str, frozenset[int]]

    def __len__(self) -> int:
        return self.files * self.ranks

    def beside(self, point: int, offsets: Iterable[tuple[int, int]]) -> Iterator[int]:
        """The points at ``offsets`` (files, ranks) from ``point``, as far as they are on the board."""
        file, rank = point % self.files, point // self.files
        for dx, dy in offsets:
            if 0 <= file + dx < self.files and 0 <= rank + dy < self.ranks:
                yield (rank + dy) * self.files + file + dx

    def steps(self, motion: Motion) -> list[list[tuple[int, int]]]:
        """``(to, leg)`` of every step or leap that ``motion`` allows from each point; none for rides and hops."""
        regions = (self.regions[name] if name else None for name in (motion.origin, motion.within))
        return _steps(motion, self.files, self.ranks, *regions)

    def reach(self, motion: Motion) -> list[frozenset[int]]:
        """Where ``motion`` takes a piece from each point on some board, whatever stands in between."""
        lines = motion.ride or motion.hop
        if lines:
            return _along(lines, self.files, self.ranks)
        return [frozenset(to for to, _ in steps) for steps in self.steps(motion)]


def points(spans: Iterable[str], files: int) -> frozenset[int]:
    """The points of a region's ``spans`` such as "d1-f3"."""
    found = set()
    for span in spans:
        low, _, high = span.partition("-")
        high = high or low
        for rank in range(int(low[1:]) - 1, int(high[1:])):
            for file in range(ord(low[0]) - 97, ord(high[0]) - 96):
                found.add(rank * files + file)
    return frozenset(found)


@cache
def _along(directions: str, files: int, ranks: int) -> list[frozenset[int]]:
    """All that lies in ``directions`` from each point of a board."""
    board = Board(files, ranks, {})
    ahead = [(dx * n, dy * n) for dx, dy in DIRECTIONS[directions] for n in range(1, max(files, ranks))]
    return [frozenset(board.beside(point, ahead)) for point in range(len(board))]


@cache
def _steps(
    motion: Motion, files: int, ranks: int, origin: frozenset[int] | None, within: frozenset[int] | None
) -> list[list[tuple[int, int]]]:
    found: list[list[tuple[int, int]]] = [[] for _ in range(files * ranks)]
    for dx, dy, leg in _offsets(motion):
        by = dy * files + dx
        leg_by = None if leg is None else leg[1] * files + leg[0]
        for rank in range(max(0, -dy), min(ranks, ranks - dy)):
            for point in range(rank * files + max(0, -dx), rank * files + min(files, files - dx)):
                if (origin is None or point in origin) and (within is None or point + by in within):
                    found[point].append((point + by, NOWHERE if leg_by is None else point + leg_by))
    return found


def _offsets(motion: Motion) -> list[tuple[int, int, tuple[int, int] | None]]:
    """``(files, ranks, leg)`` of a step's or leap's targets, from its origin."""
    found: list[tuple[int, int, tuple[int, int] | None]] = []
    if motion.step:
        found += [(dx, dy, None) for dx, dy in DIRECTIONS[motion.step]]
    if not motion.leap:
        return found
    a, b = motion.leap
    for dx, dy in sorted({(sx * p, sy * q) for p, q in ((a, b), (b, a)) for sx in (1, -1) for sy in (1, -1)}):
        leg = None
        if motion.leg == "straight":
            leg = (dx // abs(dx), 0) if abs(dx) > abs(dy) else (0, dy // abs(dy))
        elif motion.leg == "midpoint":
            leg = (dx // 2, dy // 2)
        found.append((dx, dy, leg))
    return found
