"""Hypothesis strategies: legal set-ups and legal games of any rule set, and the symmetries of the boards.

Positions are reference `State`s (``.fen()`` gives the text), games are reference `Game`s (``.moves``,
``.states``, ``.plies``). The reference takes milliseconds a ply: tests want ``deadline=None``,
``suppress_health_check=[HealthCheck.too_slow]`` and tens of examples rather than hundreds.
"""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import assume
from hypothesis import strategies as st

from reference import BLACK, RED, Game, State
from reference.setup import may_stand, soldier_may_stand
from reference.state import Point, of_side, side_of

# Rule sets whose board is the same seen in a mirror; the fortress palaces stand in opposite corners.
MIRRORED = ("atomic", "jump-cannon", "jump-cannon-modern", "six-fortresses", "xiangqi", "xiangqi-60")


# -- symmetries, on text alone ---------------------------------------------------------------------
def mirror_fen(fen: str) -> str:
    """The position with its files in reverse order. No symmetry of fortress, see `MIRRORED`."""
    placement, hand, rest = _split(fen)
    return "/".join(map(_reversed_row, placement.split("/"))) + hand + rest


def mirror_move(move: str, rules: str) -> str:
    return _map_points(move, lambda file, rank: (State.registry[rules].files + 1 - file, rank))


def swap_fen(fen: str) -> str:
    """The position with the board turned by 180 degrees and the colours exchanged, the side to move too."""
    placement, hand, rest = _split(fen)
    rows = [_reversed_row(row).swapcase() for row in reversed(placement.split("/"))]
    side, *counters = rest.split()
    return " ".join(["/".join(rows) + hand.swapcase(), {"w": "b", "r": "b", "b": "w"}[side], *counters])


def swap_move(move: str, rules: str) -> str:
    board = State.registry[rules]
    return _map_points(move, lambda file, rank: (board.files + 1 - file, board.ranks + 1 - rank))


def _split(fen: str) -> tuple[str, str, str]:
    board, _, rest = fen.partition(" ")
    placement, bracket, held = board.partition("[")
    return placement, bracket + held, " " + rest


def _reversed_row(row: str) -> str:
    return "".join(reversed(re.findall(r"\d+|\D", row)))


def _map_points(move: str, where) -> str:
    """``move`` with its points sent elsewhere; a drop's piece and a promotion stay as they are."""

    def sent(point: re.Match[str]) -> str:
        file, rank = where(" abcdefghi".index(point[1]), int(point[2]))
        return " abcdefghi"[file] + str(rank)

    return re.sub(r"([a-i])(\d+)", sent, move)


# -- set-ups -----------------------------------------------------------------------------------------
FULL_SET = {"xiangqi": "AAEEHHRRCCPPPPP", "fortress": "AEHRCTPPPPP"}
STRONG = "HRCPT"
# "bare" leaves the mover little but a general under attack (mates and stalemates); "screened" puts the
# generals on one file with something between; "lines" crowds the generals' lines and neighbours (pins,
# screens, checks).
STYLES = ("bare", "screened", "lines", "sparse", "crowded")


@st.composite
def random_positions(draw: st.DrawFn, rules: str = "xiangqi") -> State:
    """A set-up that may be played: every piece where it may stand, no direct check to answer out of turn."""
    if rules == "six-fortresses":
        return draw(_six_fortresses_positions())
    style = draw(st.sampled_from(STYLES))
    corner = rules.startswith("fortress")
    side = draw(st.sampled_from((RED, BLACK)))
    board = _generals(draw, rules, same_file=style == "screened" and not corner)
    full = FULL_SET["fortress" if corner else "xiangqi"]
    left = Counter(full + full.lower())
    most = {"bare": 8, "screened": 6, "lines": 9, "sparse": 4, "crowded": 2 * len(full)}[style]
    least = most // 2 if style != "sparse" else 0
    smothered = style == "bare" and draw(st.integers(0, 2)) > 0
    for _ in range(draw(st.integers(6, 14) if smothered else st.integers(least, most))):
        choices = sorted(left.elements())
        if style == "bare":
            # The attacker's strong pieces, and what of the mover's cannot go far.
            strong = [piece for piece in choices if side_of(piece) != side and piece.upper() in STRONG]
            weak = [piece for piece in choices if side_of(piece) == side and piece.upper() in "AEP"]
            choices = strong if draw(st.integers(0, 9)) else weak
        if choices:
            piece = draw(st.sampled_from(sorted(set(choices))))
            before = State.registry[rules](dict(board), side)
            point = _put(draw, rules, board, piece, near_generals=style in ("bare", "lines"))
            if smothered and point and not _tightens(before, State.registry[rules](board, side)):
                del board[point]
            elif point:
                left[piece] -= 1
    reserves = ("", "")
    if corner:
        # What is not on the board is held by somebody: every kind by drawing how many of it each side holds.
        reserves = tuple("" if smothered and owner == side else _held(draw, left) for owner in (RED, BLACK))
    state = State.registry[rules](
        board=board,
        side=side,
        reserves=reserves,
        clock=draw(st.integers(0, 40)),
        number=draw(st.integers(1, 60)),
    )
    return _playable(draw, state)


def _generals(draw: st.DrawFn, rules: str, same_file: bool) -> dict[Point, str]:
    red = draw(st.sampled_from(points_for(rules, "K")))
    black = [point for point in points_for(rules, "k") if not same_file or point[0] == red[0]]
    return {red: "K", draw(st.sampled_from(black)): "k"}


def points_for(rules: str, piece: str) -> list[Point]:
    """Where ``piece`` may stand in a set-up of ``rules``."""
    board = State.registry[rules](board={})
    side, kind = side_of(piece), piece.upper()
    points = [(file, rank) for file in range(1, board.files + 1) for rank in range(1, board.ranks + 1)]
    if rules.startswith("fortress"):
        if kind == "K":
            return [point for point in points if board.in_palace(point, side)]
        return [point for point in points if board.may_drop(kind, point, side)]
    found = []
    for point in points:
        seen = point if side == RED else (10 - point[0], 11 - point[1])
        if may_stand(kind, seen) and (kind != "P" or soldier_may_stand(seen)):
            found.append(point)
    return found


def _put(
    draw: st.DrawFn, rules: str, board: dict[Point, str], piece: str, near_generals: bool
) -> Point | None:
    """Stand ``piece`` on a free point of ``board``, if there is one, and tell which."""
    free = [point for point in points_for(rules, piece) if point not in board]
    generals = [point for point, other in board.items() if other in "Kk"]
    if near_generals and draw(st.integers(0, 3)):
        near = [point for point in free if any(_bears(point, general) for general in generals)]
        free = near or free
    if not free:
        return None
    point = draw(st.sampled_from(free))
    board[point] = piece
    return point


def _bears(point: Point, general: Point) -> bool:
    """On a line of the general, or within two points of it."""
    across, along = abs(point[0] - general[0]), abs(point[1] - general[1])
    return 0 in (across, along) or max(across, along) <= 2


def _held(draw: st.DrawFn, left: Counter[str]) -> str:
    """Takes from ``left``, whatever the colour was, what one side holds."""
    held = ""
    for kind in sorted({piece.upper() for piece in left.elements()}):
        spare = left[kind] + left[kind.lower()]
        count = draw(st.integers(0, min(spare, 2)))
        held += kind * count
        for _ in range(count):
            left[kind if left[kind] else kind.lower()] -= 1
    return held


def _playable(draw: st.DrawFn, state: State) -> State:
    """``state``, changed where the side that is not to move could lose its general at once."""
    board = dict(state.board)
    state = State.registry[state.rules](board, state.side, state.reserves, state.clock, state.number)
    while attackers := state.attackers(1 - state.side):
        movable = [point for point in attackers if board[point] not in "Kk"]
        if movable:
            del board[movable[0]]
            continue
        # The generals face: something of either side comes between.
        red, black = state.general(RED), state.general(BLACK)
        between = [(red[0], rank) for rank in range(red[1] + 1, black[1])]
        assume(between)
        board[draw(st.sampled_from(between))] = draw(st.sampled_from("RrHhCc"))
    return State.registry[state.rules](board, state.side, state.reserves, state.clock, state.number)


def _tightens(before: State, after: State) -> bool:
    """Whether the mover, not in check, has fewer moves than before."""
    return not after.in_check() and len(after.legal_moves()) < len(before.legal_moves())


@st.composite
def _six_fortresses_positions(draw: st.DrawFn) -> State:
    side = draw(st.sampled_from((RED, BLACK)))
    board: dict[Point, str] = {}
    points = [(file, rank) for file in range(1, 10) for rank in range(1, 10)]

    def put(piece: str, where: list[Point]) -> None:
        free = [point for point in where if point not in board]
        if free:
            board[draw(st.sampled_from(free))] = piece

    bare = draw(st.integers(0, 2)) == 0  # the mover has a King, perhaps a pawn, and is hemmed in
    held = ["", ""]
    for owner in (RED, BLACK):
        hunted = bare and owner == side
        fortresses = 0 if hunted else draw(st.integers(0, 3))
        first = 1 if owner == RED else 9
        for _ in range(fortresses):
            put(of_side("X", owner), [(file, first) for file in range(1, 10)])
        # A side's King is on the board once its last fortress has fallen, or it must be placed now.
        if fortresses == 0:
            if owner == side and not bare and draw(st.integers(0, 3)) == 0:
                held[owner] += "K"
            else:
                put(of_side("K", owner), [(file, first) for file in range(1, 10)] if hunted else points)
        if not hunted:
            held[owner] += draw(st.text("BNRQI", max_size=3))
    for _ in range(draw(st.integers(3, 16))):
        owner = 1 - side if bare and draw(st.integers(0, 7)) else draw(st.sampled_from((RED, BLACK)))
        kind = draw(st.sampled_from("RRNNBBQQWWFFIPPPPPPPPP"))
        where = points
        if kind == "P" or (bare and owner == side):
            kind = "P"
            ranks = range(3, 9) if owner == RED else range(2, 8)
            where = [point for point in points if point[1] in ranks]
        put(of_side(kind, owner), where)
        king = State.registry["six-fortresses"](board).general(side)
        if bare and king and State.registry["six-fortresses"](board).in_check(side) and draw(st.booleans()):
            board.popitem()  # the piece just put
    reserves = ("".join(sorted(held[RED])), "".join(sorted(held[BLACK])))
    while attackers := State.registry["six-fortresses"](board).attackers(1 - side):
        assume(not any(board[point] in "Kk" for point in attackers))
        for point in attackers:
            del board[point]
    return State.registry["six-fortresses"](board, side, reserves, 0, draw(st.integers(1, 60)))


# -- games -------------------------------------------------------------------------------------------
# How a side chooses: any move; back to where it came from when it can; a check or a capture when there is
# one.
TEMPERS = ("any", "back", "check", "capture")


@st.composite
def random_games(
    draw: st.DrawFn,
    rules: str = "xiangqi",
    max_plies: int = 40,
    from_start: bool | None = None,
    book: str | None = None,
) -> Game:
    """A legal game of at most ``max_plies`` plies from the start position or a set-up (`random_positions`).

    Tempers that move back and forth or give check again and again bring repetitions, perpetual checks and
    forbidden third occurrences; the game goes on past them.
    """
    if from_start is None:
        from_start = draw(st.booleans())
    game = Game(State.start(rules) if from_start else draw(random_positions(rules)), book=book)
    tempers = draw(st.tuples(st.sampled_from(TEMPERS), st.sampled_from(TEMPERS)))
    for _ in range(draw(st.integers(0, max_plies))):
        legal = game.legal_moves()
        if not legal:
            break
        preferred = _preferred(game, legal, tempers[game.state.side])
        game.push(draw(st.sampled_from(preferred or legal)))
    return game


def _preferred(game: Game, legal: list[str], temper: str) -> list[str]:
    state = game.state
    if temper == "back" and len(game.plies) >= 2:
        last = game.plies[-2]
        return [move for move in legal if move == last.target + last.origin]
    if temper == "check":
        return [move for move in legal if state.apply(move).in_wide_check()]
    if temper == "capture":
        return [move for move in legal if state.apply(move).clock == 0]
    return []
