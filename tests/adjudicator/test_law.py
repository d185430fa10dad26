"""The rule books against the books' own diagrams and the public judges (tests/data/oracle, repetition_vectors)."""

from collections import Counter

import pytest

from adjudicator import Game, RuleBook, Ruleset
from properties.strategies import mirror_fen, mirror_move, swap_fen, swap_move
from reference.oracle import rows

RESULTS = {"red_loses": "black", "black_loses": "red", "draw": "draw", "ongoing": "*"}
SWAPPED = {"red": "black", "black": "red"}
ROWS = [pytest.param(row, id=row["id"]) for row in rows("repetition_vectors")]

# The row speaks of repetition alone; its last move is checkmate, which comes first.
MATE = {"simple-s21"}
# A whole game scored by a tournament program, on which the public judges differ among themselves (study, 6.12).
PROGRAM = {"pikafish27-game"}


def ruled(row, book, fen=None, moves=None):
    options = {"fold": row["fold"]} if "fold" in row else {}
    game = Game(fen or row["fen"], Ruleset.load("xiangqi", options))
    for move in moves or row["moves"]:
        game.push(move)
    return game.ruling(RuleBook.load(book, options))


def book_of(row):
    return "site" if row["rulebook"] == "simple" else row["rulebook"]


@pytest.mark.parametrize("row", ROWS)
def test_a_book_rules_as_it_says(row):
    ruling = ruled(row, book_of(row))
    if row["id"] in MATE:
        assert ruling.reason == "checkmate"
    elif row["id"] not in PROGRAM:
        assert ruling.result == RESULTS[row["expected"]], ruling.explain()
    assert ruling.explain() and ruling.explain("zh")


def test_the_chinese_books_contested_rows_are_disputed():
    """What is derived from the text of 1999, contested, and ruled otherwise by the Asian book on the same board; the
    rows on which both books come to one result are not."""
    derived = [row for row in rows("repetition_vectors") if row["rulebook"] == "cxa"]
    disputed = {row["id"] for row in derived if ruled(row, "cxa").disputed}
    parted = {row["id"] for row in derived if ruled(row, "axf").result != RESULTS[row["expected"]]}
    assert disputed == parted == {"cxa-d7", "cxa-d12", "cxa-d13", "cxa-d26", "cxa-d68"}
    assert all(row["contested"] for row in derived if row["id"] in disputed)


@pytest.mark.parametrize("row", ROWS)
def test_a_mirrored_or_colour_swapped_line_is_ruled_alike(row):
    book = book_of(row)
    result = ruled(row, book).result
    mirrored = [mirror_move(move, "xiangqi") for move in row["moves"]]
    assert ruled(row, book, mirror_fen(row["fen"]), mirrored).result == result
    swapped = [swap_move(move, "xiangqi") for move in row["moves"]]
    assert ruled(row, book, swap_fen(row["fen"]), swapped).result == SWAPPED.get(result, result)


@pytest.mark.parametrize("judge", ["fairy", "pikafish", "chessdb"])
def test_a_public_judge_is_reproduced(judge):
    agreed = Counter()
    for row in rows("repetition_vectors"):
        verdict = (row.get("verdicts") or {}).get(judge)
        if verdict and "fold" not in row:
            agreed[ruled(row, judge).result == RESULTS[verdict]] += 1
    assert agreed[True] >= 0.97 * agreed.total() > 0
