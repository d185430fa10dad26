"""FEN as records write it: what is read, and which fault is named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.fen import Setup, parse_fen, write_fen
from tests.conftest import shared

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
FORTRESS = "5k1/7/7/7/3Q3/7/7/K6"


def codes(setup):
    return [(fault.code, fault.details) for fault in setup.faults]


@pytest.mark.parametrize(
    "text, side, clock, number",
    [
        pytest.param(f"{START} w - - 0 1", 0, 0, 1, id="complete"),
        pytest.param(f"{START} b - - 12 37", 1, 12, 37, id="Black to move, counters running"),
        pytest.param(f"{START} r - - 0 1", 0, 0, 1, id="r is Red"),
        pytest.param(f"{START} R", 0, None, None, id="capital side"),
        pytest.param(f"{START} red", 0, None, None, id="side as a word"),
        pytest.param(f"{START} black - - 3 9", 1, 3, 9, id="Black as a word"),
        pytest.param(f"{START} w", 0, None, None, id="side alone"),
        pytest.param(START, None, None, None, id="no side"),
        pytest.param(f"{START} - - 0 1", None, 0, 1, id="counters but no side"),
        pytest.param(f"{START} w 4 7", 0, 4, 7, id="no dashes"),
        pytest.param(f"{START} w - - 0", 0, 0, None, id="no move number"),
        pytest.param(f"  {START}\tb  - -  0 1 ", 1, 0, 1, id="blanks and tabs"),
        pytest.param(f"{START}w--01", 0, 0, 1, id="everything glued to the last row"),
        pytest.param(f"{START}b--012", 1, 0, 12, id="glued, move 12"),
        pytest.param(f"{START}w", 0, None, None, id="side glued to the last row"),
        pytest.param(f"{START}b - - 0 1", 1, 0, 1, id="side glued, counters apart"),
        pytest.param(f"{START} w - - 0 1 moves h3e3 h10g8", 0, 0, 1, id="moves behind it"),
        pytest.param(f"{START}/ w - - 0 1", 0, 0, 1, id="slash at the end"),
    ],
)
def test_sides_and_counters_are_read(text, side, clock, number):
    setup = parse_fen(text)
    assert not setup.faults
    assert (setup.side, setup.clock, setup.number) == (side, clock, number)
    assert setup.rows[0] == "RNBAKABNR"
    assert setup.rows[7] == ".c.....c."


@pytest.mark.parametrize(
    "fields, found, read",
    [
        pytest.param("w - - -5 1", "-5", (None, 1), id="the clock"),
        pytest.param("w - - 5 -1", "-1", (5, None), id="the number"),
        pytest.param("w - - -5 -3", "-5 -3", (None, None), id="both"),
        pytest.param("w -- -5 3", "-5", (None, 3), id="after glued dashes"),
        pytest.param("w -5 3", "-5", (None, 3), id="without dashes"),
        pytest.param("w --5 3", None, (5, 3), id="dashes glued to the clock are no minus"),
        pytest.param("w - -5 3", None, (5, 3), id="nor is the one that is missing"),
    ],
)
def test_a_counter_below_zero_is_told_and_not_read(fields, found, read):
    setup = parse_fen(f"{START} {fields}")
    assert codes(setup) == ([("fen-counter", {"found": found})] if found else [])
    assert (setup.clock, setup.number) == read and setup.side == 0


def test_a_dash_is_a_minus_after_reserves_and_one_dash():
    def read(fields):
        setup = parse_fen(f"{FORTRESS} b {fields}", files=7, ranks=8, reserves=True)
        return setup.hands, setup.clock, setup.number

    assert read("Rp -5 40") == (("R", "p"), 5, 40)
    assert read("Rp - -5 40") == (("R", "p"), None, 40)


@pytest.mark.parametrize(
    "fields, passed, read",
    [
        pytest.param("x - - 0 1", "x", (None, 0, 1), id="no known side"),
        pytest.param("w - - x y", "x y", (0, None, None), id="counters that are no numbers"),
        pytest.param("w KQkq - 0 1", "KQkq", (0, 0, 1), id="castling rights"),
        pytest.param("w - - 0 12345678", "12345678", (0, 0, None), id="a number beyond measure"),
    ],
)
def test_what_says_nothing_is_noted(fields, passed, read):
    setup = parse_fen(f"{START} {fields}")
    assert codes(setup) == [("fen-passed-over", {"found": passed})]
    assert (setup.side, setup.clock, setup.number) == read
    assert passed in setup.faults[0].message() and passed in setup.faults[0].message("zh")


@pytest.mark.parametrize(
    "text, fault, details",
    [
        pytest.param(
            START.replace("/9/9/", "/9/"), "fen-rank-count", {"found": 9, "expected": 10}, id="nine ranks"
        ),
        pytest.param(f"{START}/9 w", "fen-rank-count", {"found": 11, "expected": 10}, id="a rank too many"),
        pytest.param(
            f"{START}/RNBAKABNR w", "fen-rank-count", {"found": 11, "expected": 10}, id="last rank twice"
        ),
        pytest.param(
            START.replace("P1P1P1P1P", "P1P1P1P1P1"),
            "fen-file-count",
            {"rank": 4, "found": 10, "expected": 9},
            id="ten files on rank 4",
        ),
        pytest.param(
            START.replace("r/9/", "r/10/"),
            "fen-file-count",
            {"rank": 9, "found": 10, "expected": 9},
            id="ten empties",
        ),
        pytest.param(
            START.replace("/9/1c", "/8/1c"),
            "fen-file-count",
            {"rank": 9, "found": 8, "expected": 9},
            id="a file short",
        ),
        pytest.param("startpos", "fen-not-a-fen", {}, id="a word"),
        pytest.param("", "fen-not-a-fen", {}, id="nothing"),
        pytest.param("炮二平五/马八进七", "fen-not-a-fen", {}, id="moves"),
        pytest.param("1993.7.3/4", "fen-not-a-fen", {}, id="a date"),
        pytest.param("9/" * 3000, "fen-not-a-fen", {}, id="far too long"),
        pytest.param("/".join(["9"] * 10) + "[Rp w - - 0 1", "fen-unclosed-hand", {}, id="hand never closed"),
    ],
)
def test_a_fault_is_named(text, fault, details):
    assert codes(parse_fen(text)) == [(fault, details)]


def test_all_faults_are_named_at_once():
    faults = codes(parse_fen("rnbakabnr/8/10/9 w"))
    assert [code for code, _ in faults] == ["fen-rank-count", "fen-file-count", "fen-file-count"]
    assert [details["rank"] for _, details in faults[1:]] == [3, 2]
    assert all(fault.message() for fault in parse_fen("rnbakabnr/8/10/9 w").faults)


@pytest.mark.parametrize(
    "board, hands",
    [
        pytest.param(FORTRESS, ("", ""), id="no brackets"),
        pytest.param(f"{FORTRESS}[]", ("", ""), id="empty brackets"),
        pytest.param(f"{FORTRESS}[-]", ("", ""), id="dash in the brackets"),
        pytest.param(f"{FORTRESS}[Rp]", ("R", "p"), id="brackets"),
        pytest.param(f"{FORTRESS}/Rp", ("R", "p"), id="a row more"),
        pytest.param(f"{FORTRESS}[2PpR]", ("PPR", "p"), id="counted letters"),
        pytest.param(f"{FORTRESS}[K]", ("K", ""), id="whether K may be there is for the rules"),
        pytest.param(f"{FORTRESS}[Rp", ("R", "p"), id="never closed"),
    ],
)
def test_reserves_are_read(board, hands):
    setup = parse_fen(f"{board} b - - 5 40", files=7, ranks=8)
    assert setup.hands == hands
    assert (setup.side, setup.clock, setup.number) == (1, 5, 40)
    assert setup.rows[3] == "...Q..."


@pytest.mark.parametrize(
    "text, hands, passed",
    [
        pytest.param(f"{FORTRESS} b Rp - 5 40", ("R", "p"), None, id="and a dash"),
        pytest.param(f"{FORTRESS} b Rp 5 40", ("R", "p"), None, id="and the counters"),
        pytest.param(f"{FORTRESS} b 2PpR - 5 40", ("PPR", "p"), None, id="counted"),
        pytest.param(f"{FORTRESS} b - - 5 40", ("", ""), None, id="a dash, none"),
        pytest.param(f"{FORTRESS}[] b Rp - 5 40", ("R", "p"), None, id="after empty brackets"),
        pytest.param(f"{FORTRESS}[Rp] b - - 5 40", ("R", "p"), None, id="in the brackets"),
        pytest.param(f"{FORTRESS}[R] b Rp - 5 40", ("R", ""), "Rp", id="the brackets count"),
        pytest.param(f"{FORTRESS}/R b Rp - 5 40", ("R", ""), "Rp", id="and so does the row more"),
    ],
)
def test_reserves_are_read_after_the_side_where_there_are_some(text, hands, passed):
    setup = parse_fen(text, files=7, ranks=8, reserves=True)
    assert (setup.hands, setup.side, setup.clock, setup.number) == (hands, 1, 5, 40)
    assert [details["found"] for _, details in codes(setup)] == [passed] * (passed is not None)


def test_side_glued_to_the_brackets():
    assert parse_fen(f"{FORTRESS}[Rp]w", files=7, ranks=8).side == 0


def test_letters_are_kept_as_written():
    setup = parse_fen("rheakae1r/9/1c4hc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RHEAKAEHR b")
    assert setup.rows[9] == "rheakae.r"
    assert write_fen(setup, {"H": "N", "E": "B"}) == (
        "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1"
    )


@pytest.mark.parametrize(
    "row, points",
    [
        pytest.param("4k4", "....k....", id="usual"),
        pytest.param("22k22", "....k....", id="digits that only fill the row one by one"),
        pytest.param("k~8", "k........", id="mark of a promoted piece"),
        pytest.param("+p8", "p........", id="sign before a promoted piece"),
        pytest.param("0k8", "k........", id="a zero"),
    ],
)
def test_rows_are_read(row, points):
    assert parse_fen(f"{row}/" + "/".join(["9"] * 9)).rows[9] == points


def test_digits_side_by_side_are_one_number_on_a_wide_board():
    assert parse_fen("11K/12", files=12, ranks=2).rows == ["." * 12, "." * 11 + "K"]


@pytest.mark.parametrize(
    "text",
    [
        f"{START} w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/R4K3 b - - 119 200",
        "9/9/9/9/9/9/9/9/9/9",
    ],
)
def test_what_is_read_is_written(text):
    assert write_fen(parse_fen(text)) == text


def test_reserves_are_written():
    setup = parse_fen(f"{FORTRESS}[rRP] w", files=7, ranks=8)
    assert write_fen(setup) == f"{FORTRESS}[RPr] w - - 0 1"
    assert write_fen(parse_fen(FORTRESS, 7, 8), reserves=True) == f"{FORTRESS}[]"


rows = st.lists(st.text("RNBAKCPrnbakcp.", min_size=9, max_size=9), min_size=10, max_size=10)
hands = st.tuples(st.text("RNBACP", max_size=6), st.text("rnbacp", max_size=6))


@given(rows, hands, st.sampled_from([0, 1]), st.integers(0, 999), st.integers(1, 999))
def test_every_setup_comes_home(rows, hands, side, clock, number):
    setup = Setup(rows, side, hands, clock, number)
    assert parse_fen(write_fen(setup)) == setup


@given(st.one_of(st.text(max_size=80), st.text("/9kKrw[]-01 ~+RP", max_size=60)))
def test_no_text_raises(text):
    setup = parse_fen(text)
    assert setup.faults or [len(row) for row in setup.rows] == [9] * 10


def test_fens_of_the_bug_cases():
    """The cases about the shape of a FEN; pieces and places are for the rules."""
    kinds = {
        "rank-count": "fen-rank-count",
        "file-count": "fen-file-count",
        "not-a-fen": "fen-not-a-fen",
        "unclosed-hand": "fen-unclosed-hand",
    }
    seen = 0
    for line in shared("cases/bug_cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["input"]["kind"] != "fen_list":
            continue
        size = (7, 8) if case["ruleset"].startswith("fortress") else (9, 10)
        if case["ruleset"].startswith("six"):
            size = (9, 9)
        expected = case["expected"].get("results") or [case["expected"]] * len(case["input"]["fens"])
        for fen, result in zip(case["input"]["fens"], expected, strict=True):
            error = dict(result.get("error", {}))
            code = kinds.get(error.pop("kind", None))
            faults = parse_fen(fen, *size).faults
            assert [fault.code for fault in faults] == [code] * (code is not None), (case["id"], fen)
            if code:
                assert error.items() <= faults[0].details.items(), (case["id"], fen)
            seen += 1
    assert seen > 10
