"""The natural limit with discounted checks: at which ply a game without captures is drawn."""

from array import array

import pytest

from adjudicator import Game, RuleBook, _ends, _replay
from adjudicator.ruleset import Ruleset
from adjudicator.ruling import law

CHECK, CAPTURE = _replay.FLAGS["check"], _replay.FLAGS["capture"]


def drawn_at(checks, captures=(), plies=60, *, limit=20, counted=3, discount="none", start=0):
    """The ply at which a game is drawn whose plies ``checks`` give check and ``captures`` take something; the start
    position's clock stands at ``start``."""
    book = RuleBook.load("none", {"limit.plies": limit, "limit.checks": counted, "limit.discount": discount})
    flags, since, clock = array("H"), array("I"), start
    for ply in range(1, plies + 1):
        clock = 0 if ply in captures else clock + 1
        since.append(clock)
        flags.append(CHECK * (ply in checks) | CAPTURE * (ply in captures))
    ends = _ends.find_ends(
        array("q", [0, plies]),
        array("Q", range(plies)),
        flags,
        array("B", [ply % 2 for ply in range(plies)]),
        array("I", [1] * plies),
        since,
        array("Q", [999]),
        array("H", [0]),
        array("B", [0]),
        law(Ruleset.load("xiangqi"), book),
    )
    return ends["ply"][0]


RED, BLACK = range(1, 60, 2), range(2, 60, 2)


@pytest.mark.parametrize(
    "options, ply",
    [
        pytest.param({"checks": ()}, 20, id="nothing but quiet moves"),
        pytest.param({"checks": RED[:5]}, 20, id="no discount"),
        pytest.param({"checks": RED[:3], "discount": "larger"}, 20, id="checks that count"),
        pytest.param({"checks": RED[:5], "discount": "larger"}, 24, id="two further checks take four plies"),
        pytest.param(
            {"checks": [*RED[:5], *BLACK[:4]], "discount": "larger"}, 24, id="of the side that gave more"
        ),
        pytest.param({"checks": RED[:5], "discount": "claimant"}, 20, id="the other side may claim"),
        pytest.param(
            {"checks": [*RED[:5], *BLACK[:4]], "discount": "claimant"}, 22, id="of the side that gave fewer"
        ),
        pytest.param(
            {"checks": RED[:5], "discount": "replies"}, 24, id="further checks and the replies to them"
        ),
        pytest.param(
            {"checks": RED[:5], "captures": [12], "discount": "larger"}, 32, id="a capture forgives"
        ),
        pytest.param({"checks": RED, "discount": "replies"}, -1, id="checks for ever"),
        pytest.param({"checks": (), "start": 15}, 5, id="the clock of the start position"),
        pytest.param({"checks": (), "start": 15, "discount": "replies"}, 5, id="and with a discount"),
        pytest.param({"checks": (), "limit": 0}, -1, id="no limit"),
    ],
)
def test_discounts(options, ply):
    assert drawn_at(**options) == ply


def test_a_book_leaves_the_limit_to_the_rule_set_or_states_its_own():
    assert law(Ruleset.load("xiangqi"), RuleBook.load("site"))["limit"] == 120
    assert law(Ruleset.load("xiangqi-60"), RuleBook.load("site"))["limit"] == 60
    assert law(Ruleset.load("xiangqi"), RuleBook.load("axf"))["limit"] == 100


def test_the_ruling_tells_of_the_discount():
    game = Game("3k5/9/9/9/9/9/9/9/R8/R4K3 w - - 99 80")
    game.push("a1b1")
    text = game.ruling("axf").explain()
    assert "100 plies without a capture, reached at ply 1" in text
    assert "beyond 10 do not count" in text
    assert "自然限着" in game.ruling("axf").explain("zh")


@pytest.mark.parametrize("book", RuleBook.ids())
def test_a_limit_that_a_run_sets_goes_before_the_books_own(book):
    rules = Ruleset.load("xiangqi", {"no_capture_limit": 60, "creations": 2})
    assert law(rules, rules.rulebook(book))["limit"] == 60
    rules = Ruleset.load("xiangqi", {"no_capture_limit": 60, "limit.plies": 80, "creations": 2})
    assert law(rules, rules.rulebook(book))["limit"] == 80
    rules = Ruleset.load("xiangqi-60", {"creations": 2})
    own = RuleBook.load(book).limit.plies
    assert law(rules, rules.rulebook(book))["limit"] == (60 if own < 0 else own)
