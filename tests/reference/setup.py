"""What is wrong with a set-up of xiangqi's kind, though its FEN can be read."""

from __future__ import annotations

from .state import BLACK, RED, State, of_side, point_text, side_of

NAMES = {"K": "general", "A": "advisor", "E": "elephant"}
FIVE_OF_THE_PALACE = {(4, 1), (6, 1), (5, 2), (4, 3), (6, 3)}
SEVEN_OF_THE_HALF = {(3, 1), (7, 1), (1, 3), (5, 3), (9, 3), (3, 5), (7, 5)}


def faults(state: State) -> list[dict[str, object]]:
    """The faults of a 9x10 set-up, each with its ``kind`` and the place or side."""
    found: list[dict[str, object]] = []
    for side in (RED, BLACK):
        generals = sum(piece == of_side("K", side) for piece in state.board.values())
        if generals == 0:
            found.append({"kind": "missing-general", "side": ("red", "black")[side]})
        elif generals > 1:
            found.append({"kind": "general-count", "side": ("red", "black")[side]})
    for point, piece in sorted(state.board.items()):
        side, kind = side_of(piece), piece.upper()
        seen = point if side == RED else (10 - point[0], 11 - point[1])  # as its owner sees it
        named = {"piece": f"{('red', 'black')[side]} {NAMES.get(kind, kind)}", "square": point_text(point)}
        if not may_stand(kind, seen):
            found.append({"kind": "illegal-piece-location", **named})
        if kind == "P" and not soldier_may_stand(seen):
            found.append({"kind": "unreachable-soldier", **named})
    if not found and state.in_check(1 - state.side):
        found.append({"kind": "opponent-in-check"})
    return found


def may_stand(kind: str, seen: tuple[int, int]) -> bool:
    file, rank = seen
    if kind == "K":
        return 4 <= file <= 6 and rank <= 3
    if kind == "A":
        return seen in FIVE_OF_THE_PALACE
    return kind != "E" or seen in SEVEN_OF_THE_HALF


def soldier_may_stand(seen: tuple[int, int]) -> bool:
    """A soldier starts on rank 4 of an odd file and cannot leave the file before the river."""
    file, rank = seen
    return rank >= 4 and (rank >= 6 or file % 2 == 1)
