"""The rule books as data. ``python -m adjudicator.rulebook > data/rulebooks.md`` renews their page; read the diff."""

from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator import Game, RuleBook, Ruleset, RulesetError
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


HOUSE = """
id = "house"
extends = "axf"
title = "House rules"
source = "the club"
date = "2026"
"""


def test_a_book_of_ones_own_is_a_file(tmp_path):
    (tmp_path / "house.toml").write_text(HOUSE + '[chase]\ncheck_breaks_chase = "own_check"\n')
    (tmp_path / "late.toml").write_text('id = "late"\nextends = "house.toml"\nfold = 5\n')
    book = RuleBook.load(tmp_path / "late.toml")
    assert (book.id, book.title, book.fold) == ("late", "House rules", 5)
    assert book.chase == replace(RuleBook.load("axf").chase, check_breaks_chase="own_check")
    assert book.clauses == RuleBook.load("axf").clauses


@pytest.mark.parametrize(
    "text, said",
    [
        ("id = 5", ["id: must be text", "title: is missing"]),
        ('id = "x', ["own.toml: "]),
        ("extends = 3", ["extends: must be the id or the file of a rule book, not 3"]),
        ('extends = "own.toml"', ["own.toml: extends itself by way of own.toml"]),
        ('extends = "afx"', ["no rule book 'afx' (did you mean 'axf'?)"]),
        (HOUSE + "colour = 1", ["colour: unknown key"]),
        (HOUSE + "span = ['x']\nfold = true", ["span: ['x'] is not one of", "fold: must be int, not True"]),
        (HOUSE + "chase = 1", ["chase: must be a table"]),
        (
            HOUSE + "clauses = 'all'\nnotes = 3",
            ["clauses: must be a table of texts", "notes: must be a list"],
        ),
        (HOUSE + "[clauses]\nlessr = 'x'", ["clauses.lessr: unknown clause (did you mean 'lesser'?)"]),
        (HOUSE + "readings = [3]", ["readings, number 1: needs texts"]),
        (HOUSE + "readings = 3", ["readings: must be a list"]),
        (
            HOUSE + "[[readings]]\npoint='a'\npoint_zh='b'\nsource='c'\nset={'chase.targets'='x', fold=1}",
            ["readings, number 1: fold: 1 is not 0", "readings, number 1: chase.targets: 'x' is not one of"],
        ),
        (
            HOUSE + "[chase]\nlesser_on_greater = ['hors x chariot', 'cannon-chariot', 4]",
            ["no piece 'hors' (did you mean 'horse'?)", "'cannon-chariot' is not", "4 is not"],
        ),
    ],
)
def test_faults_of_a_book_of_ones_own(tmp_path, text, said):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(RulesetError) as caught:
        RuleBook.load(path)
    for words in said:
        assert any(words in fault for fault in caught.value.faults), caught.value


@pytest.mark.parametrize("name", RuleBook.ids())
def test_clauses_stand_in_both_languages(name):
    book = RuleBook.load(name)
    assert dict(book.clauses).keys() == dict(book.clauses_zh).keys()
    for _, text in book.clauses_zh:
        assert not any(word.isascii() and word.isalpha() for word in text.replace("AXF", "").split())


def test_a_ruling_tells_its_edition():
    game = Game("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1")
    for move in ["f1f2", "d10d9", "f2f1", "d9d10"] * 2:
        game.push(move)
    for name in ("axf", "wxf", "cxa"):
        book = RuleBook.load(name)
        assert f"[book {name}, {book.date}:" in game.ruling(name).explain()
        assert f"规则书 {name}，{book.date}" in game.ruling(name).explain("zh")


SILENT = r"the rule book forbid-third says nothing .*xiangqi.*add --set legality.creations=2"


@pytest.mark.parametrize("book", ["forbid-third", RuleBook.load("forbid-third")])
def test_a_book_that_has_nothing_to_say_under_a_rule_set_is_refused(book):
    with pytest.raises(RulesetError, match=SILENT):
        Game().ruling(book)
    assert Ruleset.load("xiangqi", {"creations": 2}).rulebook(book).id == "forbid-third"
    assert Game(rules="jump-cannon").ruling(book).result == "*"


@pytest.mark.parametrize("needs", ["creations=2", "legality.creation=2", 2])
def test_a_book_names_what_it_needs_by_an_option_that_there_is(tmp_path, needs):
    path = tmp_path / "needy.toml"
    path.write_text(f'id = "needy"\nextends = "site"\nneeds = {needs!r}\n')
    with pytest.raises(RulesetError, match=r"needs: .* is no option of a rule set with a value"):
        RuleBook.load(path)
