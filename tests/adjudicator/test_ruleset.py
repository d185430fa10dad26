"""Rule sets and rule books as data: loading, extending, overriding, and every fault at once.

``python -m adjudicator.ruleset > data/rulesets.md`` renews the page of the rule sets; read the diff.
"""

from pathlib import Path

import pytest

from adjudicator import RuleBook, Ruleset, RulesetError
from adjudicator.examination import ENDS
from adjudicator.ruleset import describe

PAGE = Path(__file__).resolve().parents[2] / "data" / "rulesets.md"

CHILD = """
id = "mine"
extends = "xiangqi"
title = "Mine"
source = "a test"
date = "2026-11-30"
"""


def faults(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        Ruleset.load(path)
    return list(caught.value.faults)


def test_the_page_says_what_the_rule_sets_say():
    assert PAGE.read_text(encoding="utf-8") == describe()


@pytest.mark.parametrize("name", Ruleset.ids())
def test_every_rule_set_names_its_source_and_loads(name):
    rules = Ruleset.load(name)
    assert rules.id == name
    assert rules.data["source"] and rules.data["date"]
    assert sorted(rules.precedence) == sorted(ENDS)
    assert RuleBook.load(rules.book, rules.book_options).source


@pytest.mark.parametrize("name", RuleBook.ids())
def test_every_rule_book_names_its_source_and_loads(name):
    assert RuleBook.load(name).id == name


def test_a_child_lists_only_what_differs(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(CHILD + "[ending]\nno_capture_limit = 80\n", encoding="utf-8")
    mine, root = Ruleset.load(path), Ruleset.load("xiangqi")
    assert mine.no_capture_limit == 80
    assert mine.pieces == root.pieces
    assert mine.fingerprint != root.fingerprint


def test_a_byte_order_mark_before_a_rule_file_is_none_of_its_words(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("\ufeff" + CHILD, encoding="utf-8")
    assert Ruleset.load(path).id == "mine"


def test_an_option_changes_the_fingerprint_and_words_do_not(tmp_path):
    root = Ruleset.load("xiangqi")
    assert Ruleset.load("xiangqi", {"no_capture_limit": 100}).fingerprint != root.fingerprint
    assert Ruleset.load("xiangqi", {"ending.stalemate": "loss"}).fingerprint == root.fingerprint
    # A limit that is set goes before a book's own, so that it is another law even where the number is the same.
    assert Ruleset.load("xiangqi", {"ending.no_capture_limit": 120}).fingerprint != root.fingerprint
    path = tmp_path / "xiangqi.toml"
    path.write_text(CHILD.replace('"mine"', '"xiangqi"'), encoding="utf-8")
    assert Ruleset.load(path).fingerprint == root.fingerprint


def test_all_faults_are_told_at_once(tmp_path):
    text = CHILD + (
        "[ending]\nno_capture_limt = 60\nstalemate = 'drawn'\n"
        "[capture]\nspares = ['soldeir']\n"
        "[pieces.horse]\nletter = 'P'\n"
        "moves = [{ leap = [1, 2], leg = 'strait' }, { step = 'up', ride = 'orthogonal' }]\n"
    )
    found = faults(tmp_path, text)
    for expected in (
        "mine.toml: ending.no_capture_limt: unknown key (did you mean 'no_capture_limit'?)",
        "mine.toml: ending.stalemate: 'drawn' is not one of loss, draw (did you mean 'draw'?)",
        "mine.toml: capture.spares: no piece 'soldeir' (did you mean 'soldier'?)",
        "mine.toml: pieces.horse.moves[0].leg: 'strait' is not one of none, straight, midpoint "
        "(did you mean 'straight'?)",
        "mine.toml: pieces.horse.moves[1]: needs one of step, leap, ride, hop; has step and ride",
    ):
        assert expected in found
    assert any("the letter P is already that of the horse" in fault for fault in found)


@pytest.mark.parametrize(
    "addition, expected",
    [
        pytest.param("nonsense = 1\n", "nonsense: unknown key", id="unknown key"),
        pytest.param(
            "[regions]\npalace = ['d1-z9']\n", "'d1-z9' is not on the board", id="region off the board"
        ),
        pytest.param("[board]\nfiles = 12\n", "12 is not between 1 and 10", id="too wide"),
        pytest.param(
            "[check]\ncounts = 'wide'\n", 'needs capture.effect = "explode"', id="wide without explosions"
        ),
        pytest.param("[legality]\ncreations = -1\n", "must not be negative", id="negative"),
        pytest.param("[ending]\nprecedence = ['mate']\n", "must name each of", id="precedence incomplete"),
        pytest.param("[generals]\nneeded = 1\n", "must be true or false, not 1", id="number for a switch"),
    ],
)
def test_each_fault_names_the_key(tmp_path, addition, expected):
    assert any(expected in fault for fault in faults(tmp_path, CHILD + addition))


EVERY = "general advisor elephant horse chariot cannon soldier"


@pytest.mark.parametrize(
    "rules, options, wanted",
    [
        pytest.param("xiangqi", {}, "", id="nothing explodes"),
        pytest.param("atomic", {}, EVERY.replace("cannon ", ""), id="all but the cannon"),
        pytest.param("atomic", {"capture.shots": []}, EVERY, id="no shots"),
        pytest.param("atomic", {"capture.reach": "none"}, "", id="the capturer and its target alone"),
    ],
)
def test_whose_captures_explode(rules, options, wanted):
    loaded = Ruleset.load(rules, options)
    assert " ".join(piece.name for piece in loaded.pieces if loaded.blasts(piece)) == wanted


def test_an_unknown_rule_set_says_what_could_be_meant():
    with pytest.raises(RulesetError, match="did you mean 'atomic'"):
        Ruleset.load("atomc")


def test_a_rule_set_that_extends_itself_is_refused(tmp_path):
    (tmp_path / "a.toml").write_text('extends = "b.toml"', encoding="utf-8")
    (tmp_path / "b.toml").write_text('extends = "a.toml"', encoding="utf-8")
    with pytest.raises(RulesetError, match="extends itself"):
        Ruleset.load(tmp_path / "a.toml")


def test_an_unknown_option_lists_those_there_are():
    with pytest.raises(RulesetError, match=r"no option 'no_capture'.*ending\.no_capture_limit"):
        Ruleset.load("xiangqi", {"no_capture": 3})


def test_a_rule_book_tells_its_faults():
    with pytest.raises(RulesetError) as caught:
        RuleBook.load("site", {"fold": 1, "span": "all"})
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize("name", ["nosuch.toml", "xiangqi.toml"])
def test_a_file_that_is_not_there_is_told_by_its_path(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(RulesetError, match=f"no rule set in .*{name}: no such file"):
        Ruleset.load(path)
