"""The reference engine held against the sources' sentences, the oracle and reported faults."""

from dataclasses import replace

import pytest

from reference import BadFen, Ending, Game, IllegalMove, State
from reference.oracle import FULL, move_text, rows, sample
from reference.setup import faults
from reference.state import parse_point, point_text

XIANGQI = "xiangqi"


def moves_from(fen: str, point: str, rules: str = XIANGQI) -> list[str]:
    """Where the piece on ``point`` may legally go."""
    length = len(point)
    return [
        move[length:]
        for move in State.from_fen(fen, rules).legal_moves()
        if move.startswith(point) and not move[length].isdigit()
    ]


# -- the sentences of seed 003, one after the other ------------------------------------------------
@pytest.mark.parametrize(
    "fen, point, targets",
    [
        pytest.param("3k5/9/9/9/9/9/9/9/4K4/9 w", "e2", "e1 e3 f2", id="general: one point along a line"),
        pytest.param("3k5/9/9/9/9/9/9/5K3/9/9 w", "f3", "e3 f2", id="general: stays in the palace"),
        pytest.param(
            "4k4/9/9/9/4p4/9/9/9/4A4/4K4 w", "e2", "d1 d3 f1 f3", id="advisor: one point diagonally"
        ),
        pytest.param("4k4/9/9/9/4p4/9/9/5A3/9/4K4 w", "f3", "e2", id="advisor: stays in the palace"),
        pytest.param(
            "3k5/9/9/9/9/9/9/4B4/9/4K4 w", "e3", "c1 c5 g1 g5", id="elephant: two points diagonally"
        ),
        pytest.param("3k5/9/9/9/9/3p5/9/4B4/5P3/4K4 w", "e3", "c1 c5 g5", id="elephant: blocked by the eye"),
        pytest.param("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c5", "a3 e3", id="elephant: never crosses the river"),
        pytest.param(
            "4k4/9/9/9/2b6/9/9/9/9/3K5 b", "c6", "a8 e8", id="black elephant: never crosses the river"
        ),
        pytest.param(
            "3k5/9/9/9/9/4N4/9/9/9/4K4 w", "e5", "c4 c6 d3 d7 f3 f7 g4 g6", id="horse: a line, then outward"
        ),
        pytest.param("3k5/9/9/9/4p4/4N4/9/9/9/4K4 w", "e5", "c4 c6 d3 f3 g4 g6", id="horse: leg ahead"),
        pytest.param("3k5/9/9/9/9/3PN4/9/9/9/4K4 w", "e5", "d3 d7 f3 f7 g4 g6", id="horse: leg beside"),
        pytest.param(
            "3k5/9/9/9/3p1p3/4N4/9/9/9/4K4 w", "e5", "c4 c6 d3 d7 f3 f7 g4 g6", id="horse: no leg there"
        ),
        pytest.param(
            "4k4/9/9/p8/9/R2P5/9/9/9/3K5 w",
            "a5",
            "a1 a2 a3 a4 a6 a7 b5 c5",
            id="chariot: any distance, no jump",
        ),
        pytest.param(
            "3k5/9/9/p8/9/C2P4p/9/9/9/4K4 w",
            "a5",
            "a1 a2 a3 a4 a6 b5 c5 i5",
            id="cannon: captures over a friend",
        ),
        pytest.param(
            "3k5/p8/9/p8/9/C8/9/9/9/4K4 w",
            "a5",
            "a1 a2 a3 a4 a6 a9 b5 c5 d5 e5 f5 g5 h5 i5",
            id="cannon: captures over an enemy",
        ),
        pytest.param(
            "p2k5/p8/9/p8/9/C3P4/9/9/9/4K4 w",
            "a5",
            "a1 a2 a3 a4 a6 a9 b5 c5 d5",
            id="cannon: exactly one piece",
        ),
        pytest.param("3k5/9/9/9/9/4P4/9/9/9/4K4 w", "e5", "e6", id="soldier: forward before the river"),
        pytest.param("3k5/9/9/9/4P4/9/9/9/9/4K4 w", "e6", "d6 e7 f6", id="soldier: sideways after the river"),
        pytest.param("P2k5/9/9/9/9/9/9/9/9/4K4 w", "a10", "b10", id="soldier: never back, last rank"),
        pytest.param("4k4/9/9/9/4p4/9/9/9/9/3K5 b", "e6", "e5", id="black soldier: forward before the river"),
        pytest.param(
            "4k4/9/9/9/9/4p4/9/9/9/3K5 b", "e5", "d5 e4 f5", id="black soldier: sideways after the river"
        ),
    ],
)
def test_how_the_pieces_go(fen, point, targets):
    assert moves_from(fen, point) == sorted(targets.split())


@pytest.mark.parametrize(
    "fen, checkers",
    [
        pytest.param("4k4/9/9/9/9/9/9/9/9/R3K4 b", "e1", id="facing generals attack each other"),
        pytest.param("4k4/9/9/9/4p4/9/9/9/9/4K4 b", "", id="one piece between them"),
        pytest.param("4k4/9/9/9/9/9/9/9/4R4/3K5 b", "e2", id="chariot"),
        pytest.param("4k4/9/4p4/9/9/9/9/9/4C4/3K5 b", "e2", id="cannon over a screen"),
        pytest.param("4k4/9/9/9/9/9/9/9/4C4/3K5 b", "", id="cannon without a screen"),
        pytest.param("4k4/9/3N5/9/9/9/9/9/9/3K5 b", "d8", id="horse"),
        pytest.param("4k4/3p5/3N5/9/9/9/9/9/9/3K5 b", "", id="horse with its leg tied"),
        pytest.param("4k4/4p4/3N5/9/9/9/9/9/9/3K5 b", "d8", id="a piece at the general's side ties no leg"),
        pytest.param("4k4/4P4/9/9/9/9/9/9/9/3K5 b", "e9", id="soldier ahead"),
        pytest.param("3Pk4/9/9/9/9/9/9/9/9/3K5 b", "d10", id="soldier beside"),
        pytest.param("9/4k4/9/9/9/9/9/9/9/3K5 b", "", id="nobody"),
        pytest.param("4P4/4k4/9/9/9/9/9/9/9/3K5 b", "", id="a soldier does not attack backward"),
        pytest.param("4k4/4p4/3N5/9/9/9/9/9/4C4/3K5 b", "d8 e2", id="two at once"),
    ],
)
def test_who_gives_check(fen, checkers):
    assert State.from_fen(fen, XIANGQI).checkers() == checkers.split()


def test_start_position():
    start = State.start(XIANGQI)
    assert len(start.legal_moves()) == 44
    assert start.fen() == start.start_fen
    assert start.fen("page").startswith("rheakaehr/9/1c5c1/")
    assert State.from_fen(start.fen("page"), XIANGQI) == start


@pytest.mark.parametrize(
    "fen, legal",
    [
        pytest.param("4k4/9/9/9/9/9/9/9/4R4/4K4 w", "d2", id="a move that opens the file"),
        pytest.param("3k5/9/9/9/9/9/9/9/9/4K4 w", "e1d1", id="a step into the open file"),
    ],
)
def test_generals_never_come_to_face(fen, legal):
    assert not [move for move in State.from_fen(fen, XIANGQI).legal_moves() if move.endswith(legal)]


@pytest.mark.parametrize(
    "fen, move, result, reason",
    [
        pytest.param("3ka4/9/9/9/9/9/9/9/R8/4K4 w", "a2d2", "*", "unfinished", id="check answered"),
        pytest.param("3k5/9/9/9/9/9/9/8R/R8/4K4 w", "a2d2", "red", "checkmate", id="mated player loses"),
        pytest.param(
            "4k4/9/5P3/9/9/9/9/9/9/3R1K3 w", "f8f9", "red", "stalemate", id="stalemated player loses"
        ),
        pytest.param("3r1k3/9/9/9/9/9/9/5p3/9/4K4 b", "f3f2", "black", "stalemate", id="Red stalemated"),
    ],
)
def test_no_legal_move_loses(fen, move, result, reason):
    game = Game(State.from_fen(fen, XIANGQI), [move])
    assert (game.ruling().result, game.ruling().reason) == (result, reason)


# -- facts of a ply --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "fen, move, expected",
    [
        pytest.param(
            "4k4/9/9/9/9/9/9/9/R8/3K5 w",
            "a2e2",
            {"check": True, "discovered": False, "double": False},
            id="direct",
        ),
        pytest.param(
            "4k4/9/9/9/4N4/9/9/9/4R4/3K5 w",
            "e6g5",
            {"check": True, "discovered": True, "double": False},
            id="opened",
        ),
        pytest.param(
            "9/5R3/4k1C2/9/9/9/9/3A5/3K5/8c w",
            "f9f8",
            {"discovered": True, "double": True},
            id="chariot and cannon",
        ),
        pytest.param(
            "4k4/9/9/9/R8/9/9/9/4C4/3K5 w",
            "a6e6",
            {"check": True, "discovered": True, "double": True},
            id="screen",
        ),
        pytest.param(
            "4k4/9/9/9/9/9/9/9/R3p4/3K5 w", "a2e2", {"captured": "P", "since_capture": 0}, id="capture"
        ),
        pytest.param(
            "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 7 9", "a2b2", {"captured": "", "since_capture": 8}, id="quiet"
        ),
    ],
)
def test_facts(fen, move, expected):
    facts = Game(State.from_fen(fen, XIANGQI)).push(move)
    assert {name: getattr(facts, name) for name in expected} == expected


# -- handicaps ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "fen, protected",
    [
        pytest.param("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "", id="full set"),
        pytest.param(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w", "b1", id="left chariot"
        ),
        pytest.param(
            "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "h10", id="Black's chariot"
        ),
        pytest.param("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w", "b3", id="right cannon"),
        pytest.param("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w", "e4", id="one horse"),
        pytest.param("r1bakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "e7", id="two horses"),
    ],
)
def test_what_odds_protect(fen, protected):
    state = State.from_fen(fen, XIANGQI).with_odds()
    assert sorted(map(point_text, state.protected)) == protected.split()


@pytest.mark.parametrize(
    "fen, point, capture, legal",
    [
        pytest.param("4k4/9/9/9/9/9/9/9/1r7/1N3K3 b", "b1", "b2b1", False, id="iron horse"),
        pytest.param("4k4/9/9/9/9/9/9/7C1/7r1/3K5 b", "h3", "h2h3", False, id="iron cannon"),
        pytest.param("3ak4/9/9/9/9/9/r3P4/9/9/5K3 b", "e4", "a4e4", False, id="middle soldier"),
        pytest.param("3ak4/9/9/9/9/9/r3P4/9/9/4K4 b", "e4", "a4e4", True, id="middle soldier, with check"),
    ],
)
def test_protected_pieces(fen, point, capture, legal):
    state = State.from_fen(fen, XIANGQI)
    assert capture in state.legal_moves()
    state = replace(state, protected=frozenset({parse_point(point)}))
    assert (capture in state.legal_moves()) is legal


def test_protection_ends_with_the_first_move():
    start = State.from_fen("4k4/9/9/9/9/9/9/9/1r7/1N3K3 b", XIANGQI)
    assert "b2b1" in start.legal_moves()
    game = Game(replace(start, protected=frozenset({(2, 1)})), ["b2c2", "b1a3", "c2b2", "a3b1"])
    assert "b2b1" in game.legal_moves()


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalMove):
        Game(XIANGQI, ["a1a5"])
    with pytest.raises(IllegalMove):
        State.start(XIANGQI).apply("a10a9")


# -- the oracle ------------------------------------------------------------------------------------
def check_perft(rules, row):
    state = State.from_fen(row["fen"], rules)
    if "divide" in row:
        expected = {move_text(move): nodes for move, nodes in row["divide"].items()}
        assert state.divide(row["depth"]) == expected, row["fen"]
    else:
        assert state.perft(row["depth"]) == row["nodes"], row["fen"]


DEPTH_2_EVERY = {"atomic": 3, "fortress": 8, "jump-cannon": 3, "xiangqi": 3}


@pytest.mark.parametrize("rules", DEPTH_2_EVERY)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_perft(rules, depth):
    found = [row for row in rows("perft") if row["ruleset"] == rules and row["depth"] == depth]
    assert found
    if depth == 2:
        found = sample(found, DEPTH_2_EVERY[rules])
    if depth == 3 and not FULL:
        found = [row for row in found if row["nodes"] < 1500]
    for row in found:
        check_perft(rules, row)


def check_annotated_game(rules, row):
    game = Game(State.from_fen(row["start_fen"], rules), book="site")
    assert game.state.in_check() == row["start_check"]
    for move, fen, check, count in zip(
        row["moves"], row["fens"], row["check"], row["legal_count"], strict=True
    ):
        facts = game.push(move_text(move))
        after = State.from_fen(fen, rules)
        assert (game.state.key, game.state.number) == (after.key, after.number)
        if not after.holds_reserves:
            assert facts.fen == fen
        assert (facts.check, facts.replies) == (check, count), facts.fen
    return game


REASONS = {
    "checkmate": "checkmate",
    "stalemate": "stalemate",
    "general_destroyed": "general-gone",
    "repetition": "repetition",
    "perpetual_check": "perpetual-check",
    "perpetual_chase": "repetition",  # the simple books know no chase
    "no_capture_limit": "no-capture",
    "max_plies": "unfinished",
}
RESULTS = {"1-0": "red", "0-1": "black", "1/2-1/2": "draw", "*": "*"}
GAMES_EVERY = {"atomic": 9, "fortress": 14, "jump-cannon": 9, "xiangqi": 6}


@pytest.mark.parametrize("rules", GAMES_EVERY)
def test_annotated_games(rules):
    found = [row for row in rows("annotated_games") if row["ruleset"] == rules]
    assert len(found) == 60
    limit = 60 if rules == "atomic" else 100
    for row in sample(found, GAMES_EVERY[rules]):
        game = check_annotated_game(rules, row)
        ruling = game.ruling("site", no_capture_limit=limit)
        assert ruling.reason == REASONS[row["reason"]]
        assert ruling.result == ("draw" if row["reason"] == "perpetual_chase" else RESULTS[row["result"]])
        assert ruling.ply in (len(row["moves"]), -1)


SIMPLE = [
    pytest.param(row, id=row["id"])
    for row in rows("repetition_vectors")
    if row["rulebook"] == "simple" or "simple" in row.get("verdicts", {})
]


@pytest.mark.parametrize("row", sample(SIMPLE, 3))
def test_repetition_vectors_under_the_site_book(row):
    expected = row["expected"] if row["rulebook"] == "simple" else row["verdicts"]["simple"]
    game = Game(State.from_fen(row["fen"], XIANGQI), row["moves"])
    assert game.occurrences() == row["occurrences"]
    ruling = game.ruling("site", fold=row.get("fold", 3), no_capture_limit=None)
    if ruling.reason == "checkmate":  # the vectors speak of repetition alone
        assert row["id"] == "simple-s21" and expected == "ongoing"
        return
    says = {"red": "black_loses", "black": "red_loses", "draw": "draw", "*": "ongoing"}[ruling.result]
    assert says == expected
    if says != "ongoing":
        assert ruling.ply == len(row["moves"]) == ruling.cycle[-1]


def test_the_two_spans_differ_when_only_the_first_loop_has_a_quiet_move():
    quiet = ["e10f10", "e2a2", "f10e10", "a2e2"]
    checks = ["e10f10", "e2f2", "f10e10", "f2e2"]
    start = State.from_fen("4k4/9/9/9/9/9/9/9/R8/3K5 w", XIANGQI)
    game = Game(start, ["a2e2", *quiet, *checks])
    assert game.ruling(span="first_to_third").result == "draw"
    assert game.ruling(span="last_cycle") == Ending(9, "black", "perpetual-check", (1, 5, 9))


# -- reported faults -------------------------------------------------------------------------------
def bug(number: int) -> dict:
    return next(row for row in rows("bug_cases") if row["id"] == f"BUG-{number:03}")


def test_bug_036_an_advisor_steps_back_into_the_line():
    row = bug(36)
    game = Game(State.from_fen(row["input"]["fen"], XIANGQI), row["input"]["moves"])
    assert game.plies[-1].check and game.ruling().reason == "unfinished"
    assert game.legal_moves() == row["expected"]["legal_replies"]


def test_bug_037_stalemate_is_no_draw():
    row = bug(37)
    game = Game(State.from_fen(row["input"]["fen"], XIANGQI), row["input"]["moves"])
    assert (game.ruling().result, game.ruling().reason) == (
        row["expected"]["winner"],
        row["expected"]["reason"],
    )


@pytest.mark.parametrize("number", [38, 39])
def test_bug_038_and_039_legal_moves(number):
    row = bug(number)
    states = [State.from_fen(fen, XIANGQI) for fen in row["input"]["fens"]]
    assert [state.legal_moves() for state in states] == row["expected"]["legal_moves"]
    if "in_check" in row["expected"]:
        assert [state.in_check() for state in states] == row["expected"]["in_check"]


@pytest.mark.parametrize("number", [40, 41, 42])
def test_bug_040_to_042_faulty_set_ups(number):
    row = bug(number)
    results = row["expected"].get("results") or [row["expected"]]
    for fen, expected in zip(row["input"]["fens"], results, strict=True):
        try:
            found = faults(State.from_fen(fen, XIANGQI))
        except BadFen as fault:
            found = [{"kind": fault.kind, **fault.details}]
        if "error" not in expected:
            assert found == []
        else:
            assert any(expected["error"].items() <= fault.items() for fault in found), (fen, found)


def test_bug_043_played_past_the_clock():
    row = bug(43)
    game = Game(State.from_fen(row["input"]["fen"], XIANGQI), row["input"]["moves"])
    assert len(game.plies) == row["expected"]["plies"]
    ending = game.ruling(no_capture_limit=60)
    assert (ending.reason, ending.ply) == ("no-capture", row["expected"]["note_event"]["at_ply"])


def test_bug_044_chariot_and_cannon_trade_places():
    row = bug(44)
    game = Game(State.from_fen(row["input"]["fen"], XIANGQI), row["input"]["moves"])
    assert len(game.occurrences()) == row["expected"]["occurrences_of_final_position"]
    assert game.occurrences(0) == [0] and game.ruling().reason == "unfinished"
    assert not any(state.key == game.states[0].key for state in game.states[1:])
    for move in row["expected"]["continuation"]["moves"]:
        game.push(move)
    assert (game.ruling().ply, game.ruling().result) == (18, "draw")


def test_bug_045_the_start_position_counts():
    row = bug(45)
    game = Game(State.from_fen(row["input"]["fen"], XIANGQI), row["input"]["moves"])
    assert list(game.ruling().cycle) == row["expected"]["occurrence_plies"]
    assert (game.ruling().ply, game.ruling().result) == (row["expected"]["at_ply"], "draw")


@pytest.mark.parametrize("number, result", [(47, "black"), (50, "draw")])
def test_bug_047_and_050_checks_on_every_move(number, result):
    row = bug(number)
    game = Game(State.from_fen(row["input"]["fen"], XIANGQI), row["input"]["moves"])
    assert (game.ruling("site").result, game.ruling("site").ply) == (result, row["expected"]["at_ply"])
    assert game.ruling("site-draw").result == "draw"
    assert game.ruling("none").reason == "unfinished"
