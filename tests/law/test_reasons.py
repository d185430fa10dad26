"""The paragraph of a ruling: what it names, in English and in Chinese."""

import re

import pytest

from adjudicator import Game, RuleBook
from adjudicator.acts import KINDS, STANDINGS, Act, Threat
from adjudicator.reasons import REASON_WORDS

from .lines import ruled, vectors


def told(fen, moves, book, language="en"):
    game = Game(fen)
    for move in moves.split():
        game.push(move)
    return game.ruling(book).explain(language)


def test_a_move_that_comes_again_is_told_once():
    text = told("5k3/9/n2n3RC/9/9/9/9/9/9/3K5 w - - 0 1", "h8h9 d8e10 h9h8 e10d8 " * 2, "axf")
    assert text.startswith("Black wins: third occurrence of the position after ply 8 (before at 0, 4)")
    assert "Red loses [book axf, 2017: 15–18" in text
    assert text.count("chases") == 2 and "uncovered" in text


def test_attackers_of_one_piece_are_told_together():
    def threat(attacker, attacker_zh, target, target_zh, standing, uncovered=False):
        return Threat(attacker, attacker_zh, target, target_zh, standing, uncovered, 0)

    horse = threat("horse d7", "马d7", "advisor e9", "士e9", "false-root")
    soldier = threat("soldier f9", "兵f9", "advisor e9", "士e9", "false-root", uncovered=True)
    other = threat("horse d7", "马d7", "chariot b8", "车b8", "greater")
    act = Act(5, "red", "e6g7", ("chase",), (horse, soldier, other))
    assert act.words() == (
        "chases the advisor e9 with the horse d7 and the soldier f9, uncovered (its protector cannot retake)"
        " and the chariot b8 with the horse d7 (even if protected)"
    )
    assert act.words("zh") == "马d7、闪出的兵f9捉士e9（假根）、马d7捉车b8（有根亦算）"


def test_pieces_are_written_as_each_side_writes_them():
    soldier = "1c1aka3/9/9/9/p8/P7r/R1P1P1P2/9/9/2BAKABR1 b - - 0 1"
    text = told(soldier, "a6a5 a4b4 a5b5 b4a4 " + "b5a5 a4b4 a5b5 b4a4 " * 2, "axf", "zh")
    assert "卒a5捉车a4" in text and "兵a5" not in text
    general = told("3k5/9/9/9/9/9/9/4K4/5p3/9 w - - 0 1", "e3f3 f2e2 f3e3 e2f2 " * 2, "axf", "zh")
    assert "帅f3捉卒f2" in general and "可以长捉" in general


def test_a_limit_is_told_with_its_clause_if_the_book_has_one():
    start = "3k5/9/9/9/9/9/9/9/R8/R4K3 w - - {} 80"
    assert "[book axf, 2017: 2017 regulations: fifty rounds" in told(start.format(99), "a1b1", "axf")
    assert "第4.2.4条" in told(start.format(119), "a1b1", "cxa", "zh")
    assert told(start.format(119), "a1b1", "site").endswith("reached at ply 1.")


@pytest.mark.parametrize("book", ["site", "axf", "cxa", "pikafish"])
def test_chinese_is_chinese(book):
    """Nothing but coordinates, numbers and the book's name is in Latin letters; signs are Chinese ones."""
    names = {*RuleBook.ids(), "AXF"}
    for row in vectors()[::3]:
        text = ruled(row, book).explain("zh")
        letters = set(re.findall("[A-Za-z]+(?![0-9])", re.sub("[a-i][0-9]+", "", text)))
        assert letters <= names, text
        assert not set(",;:()") & set(text), text


def test_every_word_has_both_languages():
    for table in (KINDS, STANDINGS, REASON_WORDS):
        assert all(english.isascii() and not chinese.isascii() for english, chinese in table.values())
