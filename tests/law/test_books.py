"""The rule books as data. ``python -m adjudicator.rulebook > data/rulebooks.md`` renews their page; read the diff."""

from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator import Game, RuleBook, RulesetError
from adjudicator.rulebook import OPTIONS, describe, option_names

PAGE = Path(__file__).resolve().parents[2] / "data" / "rulebooks.md"


def test_the_page_says_what_the_books_say():
    assert PAGE.read_text(encoding="utf-8") == describe()


@pytest.mark.parametrize("name", RuleBook.ids())
def test_a_book_resolves_every_option_and_each_of_its_readings(name):
    book = RuleBook.load(name)
    assert book.source and book.date and book.title
    for reading, other in book.others:
        assert reading.point and reading.point_zh and reading.source
        assert other != replace(book, readings=())
        assert not other.readings


def test_every_fault_is_told_at_once():
    options = {"fold": 1, "chase.targets": "all", "limit.plies": -2, "chase.counts": 1, "levels.kill": "no"}
    with pytest.raises(RulesetError) as caught:
        RuleBook.load("axf", options)
    assert len(caught.value.faults) == len(options)


@pytest.mark.parametrize("key", ["chase.target", "level.kill", "chase.minors_on_majors"])
def test_an_unknown_option_is_refused_with_a_hint(key):
    with pytest.raises(RulesetError, match="did you mean"):
        RuleBook.load("axf", {key: True})


def test_every_option_can_be_set_over_a_book():
    for name in option_names():
        section, _, key = name.rpartition(".")
        allowed = OPTIONS[section][key]
        value = list(allowed)[-1] if isinstance(allowed, dict) else {int: 0, bool: True, list: []}[allowed[0]]
        assert RuleBook.load("axf", {name: value})


def test_a_ruling_tells_its_edition():
    game = Game("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1")
    for move in ["f1f2", "d10d9", "f2f1", "d9d10"] * 2:
        game.push(move)
    for name in ("axf", "wxf", "cxa"):
        book = RuleBook.load(name)
        assert f"[book {name}, {book.date}:" in game.ruling(name).explain()
        assert f"规则书 {name},{book.date}" in game.ruling(name).explain("zh")
