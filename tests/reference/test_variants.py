"""The other rule sets of the reference engine, held against their sources' sentences and reported faults."""

import pytest

from reference import BadFen, Ending, Game, IllegalMove, Move, State
from reference.oracle import rows
from reference.state import parse_point


def moves_from(fen: str, point: str, rules: str) -> str:
    """Where the piece on ``point`` may legally go, or where a piece may be dropped (``R@``)."""
    found = []
    for move in State.from_fen(fen, rules).legal_moves():
        read = Move.parse(move)
        if (point.endswith("@") and read.drop == point[0]) or (read.origin and read.origin == _point(point)):
            found.append(move.removeprefix(point))
    return " ".join(found)


def _point(text: str) -> tuple[int, int] | None:
    return None if text.endswith("@") else parse_point(text)


def board(game: Game) -> str:
    return game.state.fen().split()[0]


def bug(number: int) -> dict:
    return next(row for row in rows("bug_cases") if row["id"] == f"BUG-{number:03}")


# -- atomic (seed 001) -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "fen, move, after, cleared",
    [
        pytest.param(
            "3k5/9/9/4p4/3nbn3/3hpc3/9/9/9/4RK3 w",
            "e1e5",
            "3k5/9/9/4p4/3n1n3/9/9/9/9/5K3",
            {"e5": "p", "d5": "h", "f5": "c", "e6": "e"},
            id="all four neighbours but the diagonal ones",
        ),
        pytest.param(
            "3k5/9/9/9/4p4/3PrP3/4p4/9/9/R3RK3 w",
            "e1e4",
            "3k5/9/9/9/4p4/3P1P3/9/9/9/R4K3",
            {"e4": "p", "e5": "r"},
            id="soldiers stay",
        ),
        pytest.param(
            "3k5/9/9/9/4p4/4P4/9/9/9/5K3 w",
            "e5e6",
            "3k5/9/9/9/9/9/9/9/9/5K3",
            {"e6": "p"},
            id="a capturing soldier goes",
        ),
        pytest.param(
            "3k5/9/9/9/3HrN3/9/9/9/9/4RK3 w",
            "e1e6",
            "3k5/9/9/9/9/9/9/9/9/5K3",
            {"e6": "r", "d6": "H", "f6": "H"},
            id="whichever side they belong to",
        ),
        pytest.param(
            "4k4/9/9/3rnr3/4a4/4P4/9/9/4C4/4K4 w",
            "e2e6",
            "4k4/9/9/3rnr3/9/4P4/9/9/9/4K4",
            {"e6": "a"},
            id="a cannon's shot takes its target and itself",
        ),
    ],
)
def test_explosions(fen, move, after, cleared):
    game = Game(State.from_fen(fen, "atomic"))
    facts = game.push(move)
    assert board(game) == after
    assert dict(facts.cleared) == cleared and facts.capturer_lost and facts.captured


@pytest.mark.parametrize(
    "fen, move, legal",
    [
        pytest.param("3k5/9/9/9/9/9/9/9/4r4/4K4 w", "e1e2", False, id="a general never captures"),
        pytest.param("3k5/9/9/9/9/9/9/9/R3n4/4K4 w", "a2e2", False, id="no capture beside one's own general"),
        pytest.param("3k5/9/9/9/9/9/9/R3n4/9/4K4 w", "a3e3", True, id="two points away is safe"),
        pytest.param(
            "4k4/9/9/9/9/9/9/R3n4/9/4K4 w", "a3e3", False, id="the blast opens the file of the generals"
        ),
        pytest.param(
            "3k5/4r4/9/9/9/9/R2n1P3/4N4/9/4K4 w", "a4d4", True, id="the blast reaches not the shield"
        ),
        pytest.param(
            "3k5/4r4/9/9/9/9/R2nN4/9/9/4K4 w", "a4d4", False, id="the blast opens a line onto the general"
        ),
        pytest.param(
            "3ak4/9/3R5/9/9/9/4P4/9/5R3/3rKn3 w", "d8d10", True, id="a win outranks one's own check"
        ),
        pytest.param(
            "3ak4/9/3R5/9/9/9/4P4/9/5R3/3rKn3 w", "f2f1", False, id="check is not met by blowing up oneself"
        ),
    ],
)
def test_atomic_legality(fen, move, legal):
    assert (move in State.from_fen(fen, "atomic").legal_moves()) is legal


@pytest.mark.parametrize(
    "fen, direct, wide",
    [
        pytest.param("3ak4/9/9/9/9/9/9/9/9/3R1K3 b", False, True, id="a chariot bearing on the advisor"),
        pytest.param(
            "3ak4/9/9/9/9/9/9/3P5/9/3C1K3 b", False, False, id="a cannon's shot does not reach the general"
        ),
        pytest.param("3pk4/9/9/9/9/9/9/9/9/3R1K3 b", False, True, id="a soldier beside the general will do"),
        pytest.param(
            "4k4/3a5/9/9/9/9/9/9/9/3R1K3 b", False, False, id="a piece diagonally beside is no target"
        ),
        pytest.param("4kR3/9/9/9/9/9/9/9/9/3K5 b", True, True, id="direct check"),
        pytest.param(
            "3Rk4/9/9/9/9/9/9/9/9/4RK3 b", True, True, id="own pieces beside the general cannot be taken"
        ),
        pytest.param("4kP3/9/9/5R3/9/4p4/9/9/9/4K4 b", True, True, id="soldier beside"),
        pytest.param(
            "4k4/4pP3/9/5R3/9/9/9/9/9/4K4 b", False, True, id="the soldier can take beside the general"
        ),
    ],
)
def test_wide_check(fen, direct, wide):
    state = State.from_fen(fen, "atomic")
    assert (state.in_check(), state.in_wide_check()) == (direct, wide)


@pytest.mark.parametrize("number", [53, 54])
def test_bugs_of_the_blast(number):
    row = bug(number)
    game = Game(State.from_fen(row["input"]["fen"], "atomic"), row["input"]["moves"])
    assert board(game) == row["expected"]["board_after"]
    removed = set(row["expected"]["removed"]) - {"capturer"}
    assert {point for point, _ in game.plies[-1].cleared} == removed


def test_bug_055_winning_while_in_check():
    row = bug(55)
    game = Game(State.from_fen(row["input"]["fen"], "atomic"))
    assert game.state.in_check() is row["expected"]["in_check"]
    assert set(row["expected"]["must_include"]) <= set(game.legal_moves())
    assert not set(row["expected"]["must_exclude"]) & set(game.legal_moves())
    assert game.push("d8d10").general_gone and game.legal_moves() == []
    assert game.ruling() == Ending(1, "red", "general-gone")


def test_bug_056_after_a_shot_the_capturer_is_gone():
    row = bug(56)
    game = Game(State.from_fen(row["input"]["fen"], "atomic"), row["input"]["moves"])
    assert [facts.captured for facts in game.plies] == ["H", ""]


def test_bug_057_perpetual_threat_to_blow_up_the_general():
    row = bug(57)
    game = Game(State.from_fen(row["input"]["fen"], "atomic"), row["input"]["moves"])
    assert [facts.wide_check for facts in game.plies] == [False, True] * 4
    assert not any(facts.check for facts in game.plies)
    assert game.ruling() == Ending(8, "red", "perpetual-check", (0, 4, 8))


def test_atomic_clock_comes_before_the_repetition():
    start = State.from_fen("3k5/9/9/9/9/9/9/9/9/5K3 w - - 52 30", "atomic")
    game = Game(start, ["f1f2", "d10d9", "f2f1", "d9d10"] * 2)
    assert [ending.reason for ending in game.endings()] == ["no-capture", "repetition"]
    assert game.ruling(clock_before_repetition=False).reason == "repetition"


# -- fortress (seed 000) ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    "rules, fen, point, targets",
    [
        pytest.param(
            "fortress", "6k/7/7/7/7/7/2K4/7 w", "c2", "b2 c1 c3", id="general stays in the corner palace"
        ),
        pytest.param("fortress", "6k/7/7/7/7/2A4/7/K6 w", "c3", "b2", id="advisor stays in the palace"),
        pytest.param("fortress", "6k/7/7/7/3E3/7/7/K6 w", "d4", "b2 f2", id="elephant never crosses"),
        pytest.param("fortress", "6k/7/7/7/7/4p2/3E3/K6 w", "d2", "b4", id="elephant eye"),
        pytest.param(
            "fortress", "6k/7/7/7/3P3/7/7/K6 w", "d4", "c4 d5 e4", id="soldier sideways before the river"
        ),
        pytest.param("fortress", "6k/7/7/3P3/7/7/7/K6 w", "d5", "c5 d6 e5", id="soldier after the river"),
        pytest.param(
            "fortress", "3P2k/7/7/7/7/7/7/K6 w", "d8", "c8 e8", id="soldier on the last rank, no promotion"
        ),
        pytest.param(
            "fortress", "6k/7/7/7/3Q3/7/7/K6 w", "d4", "c3 c4 c5 d3 d5 e3 e4 e5", id="treasure crosses"
        ),
        pytest.param(
            "fortress-river", "6k/7/7/7/3Q3/7/7/K6 w", "d4", "c3 c4 d3 e3 e4", id="treasure stays at home"
        ),
        pytest.param("fortress-river", "6k/7/7/7/3P3/7/7/K6 w", "d4", "d5", id="river: soldier before it"),
        pytest.param(
            "fortress-river", "6k/7/7/3P3/7/7/7/K6 w", "d5", "c5 d6 e5", id="river: soldier after it"
        ),
    ],
)
def test_fortress_pieces(rules, fen, point, targets):
    assert moves_from(fen, point, rules) == targets


@pytest.mark.parametrize(
    "rules, held, kind, count",
    [
        pytest.param("fortress", "R", "R", 52, id="chariot on any empty point"),
        pytest.param("fortress", "P", "P", 52, id="soldier"),
        pytest.param("fortress", "N", "H", 52, id="horse"),
        pytest.param("fortress", "C", "C", 52, id="cannon"),
        pytest.param("fortress", "Q", "T", 52, id="treasure"),
        pytest.param("fortress-river", "T", "T", 25, id="river: treasure on its own half"),
        pytest.param("fortress", "A", "A", 8, id="advisor on its palace's nine points"),
        pytest.param("fortress", "E", "E", 25, id="elephant on its own half"),
    ],
)
def test_fortress_drops(rules, held, kind, count):
    state = State.from_fen(f"6k/7/7/7/7/3p3/3p3/K6[{held}] w", rules)
    drops = [move for move in state.legal_moves() if "@" in move]
    assert len(drops) == count and all(drop.startswith(f"{kind}@") for drop in drops)


def test_fortress_captures_change_colour():
    game = Game(State.from_fen("6k/7/7/3r3/7/7/3R3/K6[Pp] w", "fortress"), ["d2d5"])
    assert game.state.reserves == ("PR", "P")
    assert game.state.fen() == "6k/7/7/3R3/7/7/7/K6[PRp] b - - 0 1"


def test_fortress_drop_may_mate():
    game = Game(State.from_fen("6k/R6/7/7/7/7/7/K6[R] w", "fortress"), ["R@b8"])
    assert game.ruling() == Ending(1, "red", "checkmate")


def test_fortress_drop_must_answer_check():
    game = Game(State.from_fen("6k/7/7/7/7/7/7/K2r3[P] w", "fortress"))
    assert [move for move in game.legal_moves() if "@" in move] == ["P@b1", "P@c1"]


def test_fortress_has_no_clock():
    start = State.from_fen("6k/7/7/7/7/7/7/K5R w - - 500 300", "fortress")
    assert Game(start, ["g1f1"]).ruling().reason == "unfinished"


def test_bug_046_the_order_in_hand_does_not_matter():
    first, second = (State.from_fen(fen, "fortress") for fen in bug(46)["input"]["fens"])
    assert first.key == second.key


def test_bug_058_soldiers_before_and_after_the_revision():
    for item, result, moves in zip(
        bug(58)["input"]["items"],
        bug(58)["expected"]["results"],
        bug(58)["expected"]["legal_soldier_moves"],
        strict=True,
    ):
        state = State.from_fen(item["fen"], "fortress-river")
        assert (item["moves"][0] in state.legal_moves()) is result.get("ok", False)
        assert [move for move in state.legal_moves() if not move.startswith("a1")] == moves
        assert item["moves"][0] in State.from_fen(item["fen"], "fortress").legal_moves()


def test_bug_059_drops_and_treasure():
    row = bug(59)
    state = State.from_fen(row["input"]["fen"], "fortress-river")
    for token, expected in row["expected"]["tokens"].items():
        text = token.replace("Q@", "T@")
        assert (text in state.legal_moves()) is expected.get("ok", False), token


def test_bug_060_how_reserves_are_written():
    for fen, expected in zip(bug(60)["input"]["fens"], bug(60)["expected"]["results"], strict=True):
        if "error" in expected:
            with pytest.raises(BadFen, match=expected["error"]["kind"]):
                State.from_fen(fen, "fortress")
        else:
            state = State.from_fen(fen, "fortress")
            assert state.reserves == (("R", "P") if "Rp" in fen else ("", ""))


# -- jump-cannon (seed 004) ------------------------------------------------------------------------
@pytest.mark.parametrize(
    "rules, fen, targets",
    [
        pytest.param(
            "jump-cannon", "3k5/9/9/9/9/C8/9/9/9/4K4 w", "", id="with nothing to jump it cannot move"
        ),
        pytest.param("jump-cannon", "3k5/9/9/9/9/CP7/9/9/9/4K4 w", "c5 d5 e5 f5 g5 h5 i5", id="over its own"),
        pytest.param(
            "jump-cannon", "3k5/9/9/9/9/Cp4p2/9/9/9/4K4 w", "c5 d5 e5 f5 g5", id="takes the first beyond"
        ),
        pytest.param("jump-cannon", "3k5/9/9/9/9/Cp4P2/9/9/9/4K4 w", "c5 d5 e5 f5", id="not its own"),
        pytest.param("jump-cannon", "3k5/9/9/9/9/Cpp3p2/9/9/9/4K4 w", "c5", id="never jumps two"),
        pytest.param(
            "jump-cannon-modern", "3k5/9/9/9/9/C1p3p2/9/9/9/4K4 w", "b5 g5", id="modern: quiet like a chariot"
        ),
    ],
)
def test_the_cannon_that_jumps(rules, fen, targets):
    file_a = {"a1", "a2", "a3", "a4", "a6", "a7", "a8", "a9", "a10"}
    assert [point for point in moves_from(fen, "a5", rules).split() if point not in file_a] == targets.split()
    assert (moves_from(fen, "a5", rules) == targets) is (rules == "jump-cannon")


def test_a_jumping_cannon_gives_check_over_one_piece():
    assert State.from_fen("4k4/9/4p4/9/9/9/9/9/4C4/3K5 b", "jump-cannon").checkers() == ["e2"]
    assert State.from_fen("4k4/9/9/9/9/9/9/9/4C4/3K5 b", "jump-cannon").checkers() == []


def test_a_position_may_not_be_created_a_third_time():
    start = State.from_fen("3k5/9/9/9/9/9/9/9/9/5K3 w", "jump-cannon")
    cycle = ["f1f2", "d10d9", "f2f1", "d9d10"]
    game = Game(start, cycle * 2)
    assert len(game.occurrences()) == 3  # the start, created by nobody, and twice by Black
    assert "f1f2" not in game.legal_moves()  # Red created it after plies 1 and 5
    with pytest.raises(IllegalMove):
        game.push("f1f2")
    assert game.ruling() == Game(start).ruling()
    assert "f1f2" in Game(start, cycle * 2, book="none").legal_moves()


def test_jump_cannon_clock_is_not_there():
    start = State.from_fen("3k5/9/9/9/9/9/9/9/9/5K3 w - - 400 300", "jump-cannon")
    assert Game(start, ["f1f2"]).ruling().reason == "unfinished"


# -- six fortresses (seed 002) ---------------------------------------------------------------------
SIX = "six-fortresses"


def test_six_fortresses_start():
    start = State.start(SIX)
    pieces = [piece for piece in start.board.values() if piece.isupper()]
    assert len(pieces) == 25
    assert {kind: pieces.count(kind) for kind in "PRNBQWFIX"} == {
        **dict.fromkeys("RNBQWF", 2),
        "P": 9,
        "I": 1,
        "X": 3,
    }
    # Nine pawn steps, two leaps of each knight, the rooks' step back; wazirs and ferzes are hemmed in.
    assert [move for move in start.legal_moves() if move[1] == "1"] == []
    assert len(start.legal_moves()) == 9 + 4 + 2


@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("x8/9/9/9/4N4/9/9/9/X8 w", "e5", "c4 c6 d3 d7 f3 f7 g4 g6", id="knight leaps"),
        pytest.param("x8/9/9/3PPP3/3PNP3/3PPP3/9/9/X8 w", "e5", "c4 c6 d3 d7 f3 f7 g4 g6", id="over pieces"),
        pytest.param("x8/9/9/9/4W4/9/9/9/X8 w", "e5", "d5 e4 e6 f5", id="wazir"),
        pytest.param("x8/9/9/9/4F4/9/9/9/X8 w", "e5", "d4 d6 f4 f6", id="ferz"),
        pytest.param("x8/9/9/9/4I4/9/9/9/X8 w", "e5", "d4 d5 d6 e4 e6 f4 f5 f6", id="imposter"),
        pytest.param("x8/9/9/9/9/9/9/9/X8 w", "a1", "", id="fortress stays"),
        pytest.param("x8/9/9/9/9/4P4/9/9/X8 w", "e4", "e5", id="pawn: one step"),
        pytest.param(
            "x8/9/9/9/3ppp3/4P4/9/9/X8 w", "e4", "d5 f5", id="pawn: captures diagonally, is blocked"
        ),
        pytest.param("x8/4P4/9/9/9/9/9/9/X8 w", "e8", "e9b e9n e9q e9r", id="pawn: must promote"),
        pytest.param("x8/9/9/9/9/9/9/4p4/X8 b", "e2", "e1b e1n e1q e1r", id="black pawn promotes"),
        pytest.param("x8/9/1p7/9/3B5/9/1P7/9/X8 w", "d5", "b7 c4 c6 e4 e6 f3 f7 g2 g8 h1 h9", id="bishop"),
    ],
)
def test_six_fortresses_pieces(fen, point, targets):
    assert moves_from(fen, point, SIX) == targets


@pytest.mark.parametrize(
    "fen, reserves",
    [
        pytest.param("x3x2x1/9/9/9/9/9/9/9/R1X1X2X1 w", ("BN", "I"), id="first"),
        pytest.param("x3x4/9/9/9/9/9/9/9/R1X1X2X1 w", ("NR", "I"), id="second"),
        pytest.param("x8/9/9/9/9/9/9/9/R1X1X2X1 w", ("NQ", "K"), id="third"),
    ],
)
def test_what_a_fortress_wins(fen, reserves):
    assert State.from_fen(fen, SIX).apply("a1a9").reserves == reserves


def test_the_king_must_be_placed_at_once_and_not_on_an_attacked_square():
    state = State.from_fen("x7n/9/9/9/9/9/9/9/R7X w", SIX).apply("a1a9")
    replies = state.legal_moves()
    assert all(move.startswith("K@") for move in replies)
    attacked = {f"a{rank}" for rank in range(1, 9)} | {f"{file}9" for file in "bcdefgh"}
    assert not {move[2:] for move in replies} & attacked
    # 81 squares less rook, fortress, knight and the rook's lines (a1 to a8, b9 to h9).
    assert len(replies) == 81 - 3 - 15
    placed = state.apply("K@e5")
    assert placed.reserves == ("NQ", "") and not placed.in_check()


def test_a_king_that_cannot_be_placed_is_mated():
    rows_of_rooks = (
        "xRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/1RRRRRRRX w"
    )
    game = Game(State.from_fen(rows_of_rooks, SIX), ["a8a9"])
    assert game.state.reserves == ("NQ", "K")
    assert game.plies[-1].checkmate and game.ruling() == Ending(1, "red", "checkmate")


def test_an_imposter_is_not_dropped_beside_an_enemy_fortress():
    drops = moves_from("4x4/9/9/9/9/9/9/9/4X4[I] w", "I@", SIX).split()
    assert not {"d9", "f9", "d8", "e8", "f8"} & set(drops) and {"d1", "e2", "c9", "e7"} <= set(drops)
    assert len(drops) == 81 - 2 - 5


def test_pawns_are_never_held():
    with pytest.raises(BadFen, match="illegal-piece-in-hand"):
        State.from_fen("4x4/9/9/9/9/9/9/9/4X4[P] w", SIX)


def test_check_exists_only_with_a_king_on_the_board():
    assert State.from_fen("R3k4/9/9/9/9/9/9/9/4X4 b", SIX).in_check()
    assert not State.from_fen("R3x4/9/9/9/9/9/9/9/4X4 b", SIX).in_check()


def test_stalemate_is_a_draw():
    game = Game(State.from_fen("k8/9/1Q7/9/9/9/9/9/4X4 b", SIX))
    assert "a9a8" not in game.legal_moves()
    game = Game(State.from_fen("k8/9/2Q6/9/9/9/9/9/4X4 w", SIX), ["c7b7"])
    assert game.ruling() == Ending(1, "draw", "stalemate")


def test_a_drop_may_mate():
    game = Game(State.from_fen("4k4/R8/9/9/9/9/9/9/4X4[R] w", SIX), ["R@a9"])
    assert game.ruling() == Ending(1, "red", "checkmate") and game.plies[-1].drop


def test_wazirs_and_ferzes_relocate_before_the_first_turn():
    start = State.start(SIX)
    assert start.relocated("d1a1", "c1d1").fen().split("/")[-1].split()[0] == "WX1FXWFX1"
    for faulty in (["d1b1"], ["d1a2"], ["d1a1", "f1a1"], ["b1a1"]):
        with pytest.raises(IllegalMove):
            start.relocated(*faulty)


def test_no_repetition_rule_in_six_fortresses():
    game = Game(SIX, ["b2c4", "b8c6", "c4b2", "c6b8"] * 3)
    assert game.plies[-1].occurrence == 4 and game.ruling().reason == "unfinished"
