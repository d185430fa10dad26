"""What a writer needs to know about a move that the board has resolved: plain numbers, no board."""

from __future__ import annotations

from typing import NamedTuple


class Context(NamedTuple):
    """A move and the pieces that its text must tell it from.

    Files and ranks count from 0 at Red's left bottom corner (a1 = 0, 0), for both sides. ``piece`` is the WXF
    capital (K A E H R C P, or the rule set's own) of what moves or drops, before any promotion. A drop has
    ``from_file = from_rank = -1``.

    ``like`` holds (file, rank) of the mover's *other* pieces of this letter on the board before the move, in
    any order, whether they can move or not: which of them share a file, and who is in front, follows from it.
    ``rivals`` are those of ``like`` with a legal move to the same target. ``check`` and ``mate`` are what the
    move gives; a mate is a check too. A board that does not want the signs written leaves both False.
    """

    side: int
    piece: str
    from_file: int
    from_rank: int
    to_file: int
    to_rank: int
    files: int = 9
    ranks: int = 10
    like: tuple[tuple[int, int], ...] = ()
    rivals: tuple[tuple[int, int], ...] = ()
    capture: bool = False
    check: bool = False
    mate: bool = False
    promotion: str = ""

    @property
    def is_drop(self) -> bool:
        return self.from_file < 0


class Relative(NamedTuple):
    """A move as WXF and Chinese say it: everything counted by the mover, from his right and from the front.

    ``number`` is the file of origin, ``action`` and ``target`` as in `notation.descriptor`. The piece is the
    ``place``-th from the front of ``stack`` like pieces on its file. ``stacks`` says how many files hold two
    or more of them, ``ordinal`` is the place among all on those files, right file first (both are 0 for a
    piece alone on its file). ``mirrored``: exactly two share the file, and the other, moved alike, would stay
    on the board and, if an advisor or elephant, in its zone.
    """

    number: int
    action: int
    target: int
    place: int
    stack: int
    stacks: int
    ordinal: int
    mirrored: bool


_STRAIGHT = frozenset("KRCP")
_SLANTED = frozenset("AEH")


def relative(context: Context) -> Relative | None:
    """``context`` in the mover's own counting, or None where those words do not fit the move.

    That is a drop, a promotion, a board wider than nine files, a piece that xiangqi does not have, or a step
    it does not make there (a chess king's diagonal: "K2+1" would name two moves).
    """
    side, piece, from_file, from_rank, to_file, to_rank, files = context[:7]
    straight = from_file == to_file or from_rank == to_rank
    if (
        piece not in (_STRAIGHT if straight else _SLANTED)
        or context.is_drop
        or context.promotion
        or files > 9
    ):
        return None
    ahead = from_rank - to_rank if side else to_rank - from_rank
    action = 0 if ahead == 0 else 1 if ahead > 0 else 2
    number = from_file + 1 if side else files - from_file
    arrival = to_file + 1 if side else files - to_file
    target = abs(ahead) if from_file == to_file else arrival
    if target > 9:
        return None
    if all(file != from_file for file, _ in context.like):
        return Relative(number, action, target, 1, 1, 0, 0, False)
    return _among_its_like(context, number, action, target)


def _among_its_like(context: Context, number: int, action: int, target: int) -> Relative:
    side, files = context.side, context.files
    stacks: dict[int, list[int]] = {}
    for file, rank in (*context.like, (context.from_file, context.from_rank)):
        stacks.setdefault(file + 1 if side else files - file, []).append(rank if side else -rank)
    tandem = sorted(file for file, stack in stacks.items() if len(stack) > 1)
    stack = sorted(stacks[number])
    place = stack.index(context.from_rank if side else -context.from_rank) + 1
    ordinal = place + sum(len(stacks[file]) for file in tandem if file < number)
    mirrored = False
    if len(stack) == 2:
        other = abs(stack[place % 2])
        step = context.to_rank - context.from_rank
        mirrored = 0 <= other + step < context.ranks and not _direction_decides(context, other, step)
    return Relative(number, action, target, place, len(stack), len(tandem), ordinal, mirrored)


def _direction_decides(context: Context, other: int, step: int) -> bool:
    """Two advisors or elephants at the ends of their zone: the front one only retreats, the rear advances."""
    return context.piece in "AE" and other - context.from_rank == 2 * step
