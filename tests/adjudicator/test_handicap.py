"""Handicaps: every sentence of seed 003's last paragraph, the words that declare them, and what records get wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator import Game, IllegalMove, Position, Ruleset, RulesetError, adjudicate
from notation import handicap
from notation.finding import MOST_ALIKE
from notation.record import GameRecord

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
NO_LEFT_HORSE = START.replace("RNBAKABNR w", "R1BAKABNR w")
NO_RIGHT_HORSE = START.replace("RNBAKABNR w", "RNBAKAB1R w")


def placement(fen):
    return fen.split()[0]


# -- seed 003, “A stronger player can give a handicap” ----------------------------------------------------------


@pytest.mark.parametrize(
    "declared, back_rank, cannons",
    [
        pytest.param("left chariot", "1NBAKABNR", "1C5C1", id="chariot"),
        pytest.param("right cannon", "RNBAKABNR", "1C7", id="cannon"),
        pytest.param("one horse", "R1BAKABNR", "1C5C1", id="one horse"),
        pytest.param("two horses", "R1BAKAB1R", "1C5C1", id="two horses"),
    ],
)
def test_the_strong_side_removes_pieces_from_their_own_army(declared, back_rank, cannons):
    rows = placement(Position(handicap=declared).fen()).split("/")
    assert (rows[9], rows[7]) == (back_rank, cannons)
    assert rows[:3] == ["rnbakabnr", "9", "1c5c1"]


@pytest.mark.parametrize(
    "declared, iron",
    [
        pytest.param("left chariot", ["b1"], id="Red's left chariot"),
        pytest.param("right chariot", ["h1"], id="Red's right chariot"),
        pytest.param("two chariots", ["b1", "h1"], id="both chariots"),
        pytest.param("black left chariot", ["h10"], id="Black's left chariot"),
        pytest.param("left chariot, left horse", ["e4"], id="the horse of that wing is gone, too"),
    ],
)
def test_removing_a_chariot_protects_the_horse_of_the_same_wing(declared, iron):
    assert Position(handicap=declared).iron() == iron


@pytest.mark.parametrize(
    "declared, iron",
    [
        pytest.param("left cannon", ["h3"], id="Red's left cannon"),
        pytest.param("black right cannon", ["h8"], id="Black's right cannon"),
        pytest.param("two cannons", [], id="no cannon is left"),
    ],
)
def test_removing_a_cannon_protects_the_other_cannon(declared, iron):
    assert Position(handicap=declared).iron() == iron


@pytest.mark.parametrize(
    "declared, iron",
    [
        pytest.param("left horse", ["e4"], id="one horse"),
        pytest.param("two horses", ["e4"], id="two horses"),
        pytest.param("black right horse", ["e7"], id="Black's horse"),
    ],
)
def test_removing_one_or_two_horses_protects_the_middle_soldier(declared, iron):
    assert Position(handicap=declared).iron() == iron


def test_an_iron_horse_may_not_be_captured_until_it_moves():
    capture, away, back = "b3b1", "b1a3", "a3b1"
    fen = "rnbakabnr/9/7c1/p1p1p1p1p/9/9/P1P1P1P1P/1r5C1/9/1NBAKABNR b - - 0 2"
    assert capture in Position(fen).legal_moves()
    game = Game(fen, handicap="left chariot; iron b1")
    with pytest.raises(IllegalMove, match="the Red horse on b1 is iron by the odds"):
        game.push(capture)
    for move in ("b3c3", away, "c3b3", back):
        game.push(move)
    assert game.position.iron() == [] and capture in game.position.legal_moves()


def test_an_iron_cannon_may_not_be_captured_until_it_moves():
    fen = "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/r6C1/9/RNBAKABNR b - - 0 2"
    assert "a3h3" in Position(fen).legal_moves()
    position = Position(fen, handicap="left cannon; iron h3")
    assert "a3h3" not in position.legal_moves()
    for move in ("a3b3", "h3g3", "b3a3", "g3h3"):
        position.push(move)
    assert "a3h3" in position.legal_moves()


@pytest.mark.parametrize(
    "fen, capture, legal",
    [
        pytest.param("3ak4/9/9/9/9/9/r3P4/9/9/5K3 b", "a4e4", False, id="no check"),
        pytest.param("3ak4/9/9/9/9/9/r3P4/9/9/4K4 b", "a4e4", True, id="the chariot checks"),
        pytest.param("4k4/9/4c4/4p4/9/9/4P4/9/9/4K4 b", "e8e4", False, id="a cannon without a second screen"),
        pytest.param(
            "4k4/9/4c4/4p4/9/9/4P4/4B4/9/4K4 b", "e8e4", True, id="the cannon checks over an elephant"
        ),
    ],
)
def test_the_middle_soldier_may_be_captured_with_check(fen, capture, legal):
    assert capture in Position(fen).legal_moves()
    position = Position(fen, handicap="left horse; iron e4")
    assert position.iron() == ["e4"]
    assert (capture in position.legal_moves()) is legal


def test_what_only_the_capture_of_an_iron_piece_would_parry_is_mate():
    fen = "3k5/8R/r1N6/9/9/9/9/9/9/4K4 b"
    assert Position(fen).legal_moves() == ["a8c8"]
    assert Position(fen, handicap="iron c8").is_checkmate()


# -- how a record says so ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, english, chinese",
    [
        ("left chariot", "left chariot", "左车"),
        ("让左车", "left chariot", "左车"),
        ("讓左馬", "left horse", "左马"),
        ("饶右炮", "right cannon", "右炮"),
        ("让单马", "one horse", "单马"),
        ("让双马", "two horses", "双马"),
        ("two-horse odds", "two horses", "双马"),
        ("both knights", "two horses", "双马"),
        ("Red gives a cannon", "red one cannon", "红方让单炮"),
        ("黑方让左车", "black left chariot", "黑方让左车"),
        ("让车马炮", "one chariot, one horse, one cannon", "单车、单马、单炮"),
        ("让九子", "two advisors, two elephants, five soldiers", "双仕、双相、五兵"),
        ("nine pieces", "two advisors, two elephants, five soldiers", "双仕、双相、五兵"),
        ("middle soldier", "middle soldier", "中兵"),
        ("soldiers a4 i4", "soldier a4 i4", "兵a4 i4"),
        ("让先", "first move", "让先"),
        ("让两先", "two moves first", "让双先"),
        ("Three moves first", "three moves first", "让三先"),
        ("six moves first", "six moves first", "让六先"),
        ("让12先", "12 moves first", "让12先"),
        ("nine soldiers", "nine soldiers", "九兵"),
        ("left chariot; iron b1", "left chariot; iron b1", "左车;铁 b1"),
        ("让左车,铁马", "left chariot; iron one horse", "左车;铁 马"),
        ("let horse; no iron", "one horse; no iron", "单马;无铁"),
        ("让左马 无铁", "left horse; no iron", "左马;无铁"),
        ("none", "none", "不让子"),
        ("不让子", "none", "不让子"),
        ("-", "none", "不让子"),
        ("让子", "", ""),
    ],
)
def test_words(text, english, chinese):
    said = handicap.read(text)
    assert said.unknown in ([], ["let"])
    assert handicap.write(said) == english
    assert handicap.write(said, "zh") == chinese
    again = handicap.read(english)
    assert handicap.write(again) == english


@pytest.mark.parametrize(
    "fen, tag, found, iron",
    [
        pytest.param(
            NO_LEFT_HORSE, "left horse", "red left horse; iron e4", ["e4"], id="declared and lacking"
        ),
        pytest.param(
            NO_LEFT_HORSE, "让单马", "red left horse; iron e4", ["e4"], id="one of a pair, the FEN says which"
        ),
        pytest.param(NO_RIGHT_HORSE, "让单马", "red right horse; iron e4", ["e4"], id="the other one"),
        pytest.param(NO_LEFT_HORSE, "odds", "red left horse; iron e4", ["e4"], id="the FEN alone says what"),
        pytest.param(NO_LEFT_HORSE, None, None, [], id="nothing declared"),
        pytest.param(NO_LEFT_HORSE, "none", None, [], id="denied"),
        pytest.param(
            None, "让双马", "red two horses; iron e4", ["e4"], id="no FEN: the pieces are taken off"
        ),
        pytest.param(None, "让先", "first move", [], id="the first move only"),
        pytest.param(None, None, None, [], id="an even game"),
    ],
)
def test_a_record_declares_a_handicap(fen, tag, found, iron):
    tags = {"Handicap": tag} if tag else {}
    (game,) = adjudicate([GameRecord(fen=fen, tags=tags)])
    assert game.handicap == found
    assert [f.code for f in game.findings] == ["empty-game"]
    assert Position(fen, handicap=tag).iron() == iron


def test_a_piece_without_a_word_is_told_by_its_letter():
    said = handicap.Handicap([handicap.Given("Z", 0, number=7)])
    assert (handicap.write(said), handicap.write(said, "zh")) == ("red seven Zs", "红方让七Z")


@pytest.mark.parametrize("rules", ["six-fortresses", "xiangqi"])
def test_any_number_of_pieces_may_be_lacking(rules):
    """A rule set may start with nine of a kind; other rules are tried where a record is illegal under its own."""
    fen = "1xfwxwfx1/rnbqiqbnr/9/9/9/9/9/RNBQIQBNR/1XFWXWFX1 w - - 0 1"
    (game,) = adjudicate([GameRecord(fen=fen, tags={"Handicap": "left chariot"}, tokens=["a2a3"])], rules)
    if rules == "six-fortresses":
        (finding,) = game.findings
        assert finding.code == "handicap-mismatch"
        assert finding.details["lacking"] == "red nine soldiers, black nine soldiers"
        assert game.handicap == "red nine soldiers, black nine soldiers; no iron"
    else:
        assert any("legal under the rules six-fortresses" in (f.suggestion or "") for f in game.findings)


@pytest.mark.parametrize(
    "text, told",
    [
        pytest.param("left chariot, " * 5000, ["and-more", *["handicap-not-there"] * MOST_ALIKE], id="twice"),
        pytest.param("iron a1" + " a2" * 20_000, ["and-more", *["handicap-iron"] * MOST_ALIKE], id="iron"),
        pytest.param("chariot a1" + " b2" * 20_000, [], id="points"),
        pytest.param("zebra " * 10_000, ["handicap-unreadable"], id="unknown words"),
        pytest.param("z" * 60_000, ["handicap-unreadable"], id="an unknown word"),
    ],
)
def test_a_long_tag_costs_no_more_than_its_length(text, told):
    (game,) = adjudicate([GameRecord(tags={"Handicap": text}, tokens=["h3e3"])])
    assert sorted(finding.code for finding in game.findings) == told
    said = (finding.text + finding.message() + finding.message("zh") for finding in game.findings)
    assert all(len(words) < 1000 for words in said)
    if "and-more" in told:
        assert int(game.findings[-1].message().split()[-1]) > 4900


def test_a_handicap_is_inferred_when_the_option_is_on():
    rules = Ruleset.load("xiangqi", {"handicap.infer": True})
    (game,) = adjudicate([GameRecord(fen=NO_LEFT_HORSE)], rules)
    assert game.handicap == "red left horse; iron e4"
    (game,) = adjudicate([GameRecord()], rules)
    assert game.handicap is None


def test_an_option_gives_a_handicap_to_records_that_declare_none():
    rules = Ruleset.load("xiangqi", {"handicap.given": "left chariot"})
    games = adjudicate([GameRecord(), GameRecord(tags={"Handicap": "none"})], rules)
    assert [game.handicap for game in games] == ["red left chariot; iron b1", None]
    assert Position(rules=rules).iron() == ["b1"]


def test_an_option_of_unknown_words_is_refused():
    with pytest.raises(RulesetError, match=r"handicap.given: 'charoit' is no word .*did you mean 'chariot'"):
        Ruleset.load("xiangqi", {"handicap.given": "left charoit"})


@pytest.mark.parametrize(
    "fen, tag, code, details",
    [
        pytest.param(
            NO_RIGHT_HORSE,
            "left horse",
            "handicap-mismatch",
            {"declared": "red left horse", "lacking": "red right horse"},
            id="another wing",
        ),
        pytest.param(
            START,
            "two horses",
            "handicap-mismatch",
            {"declared": "red two horses", "lacking": "nothing"},
            id="all are there",
        ),
        pytest.param(
            START.replace("1C5C1", "9"),
            "one cannon",
            "handicap-mismatch",
            {"lacking": "red two cannons"},
            id="more is lacking",
        ),
        pytest.param(
            NO_LEFT_HORSE, "left hrose", "handicap-unreadable", {"words": "hrose"}, id="a word misspelt"
        ),
        pytest.param(
            None,
            "three chariots",
            "handicap-not-there",
            {"words": "three chariots"},
            id="more than there are",
        ),
        pytest.param(None, "right two horses", "handicap-not-there", {}, id="more than on the wing"),
        pytest.param(None, "middle chariot", "handicap-not-there", {}, id="none in the middle"),
        pytest.param(None, "one general", "handicap-unreadable", {}, id="the general"),
        pytest.param(None, "两先", "handicap-moves", {"moves": 2}, id="moves first without a FEN"),
        pytest.param(
            None, "left chariot; iron d5", "handicap-iron", {"point": "d5"}, id="iron on an empty point"
        ),
        pytest.param(None, "left chariot; iron e1", "handicap-iron", {"point": "e1"}, id="an iron general"),
        pytest.param(
            "3ak4/9/9/9/9/9/r3P4/9/9/4K4 b",
            "left horse",
            "handicap-not-start",
            {},
            id="the game is on its way",
        ),
    ],
)
def test_findings(fen, tag, code, details):
    (game,) = adjudicate([GameRecord(fen=fen, tags={"Handicap": tag}, tokens=[], line=7)])
    (finding,) = (f for f in game.findings if f.code != "empty-game")
    assert (finding.code, finding.ply, finding.line, finding.text) == (code, 0, 7, tag)
    assert details.items() <= finding.details.items()
    assert "?" not in finding.message() and finding.message("zh")


@pytest.mark.parametrize(
    "text, back_rank, codes",
    [
        # “Red's first rank from a1 is Treasure, General, Advisor, Elephant, Cannon, Horse, Chariot” (rulesets.md).
        pytest.param(
            "left chariot", "QKAECNR", ["handicap-not-there"], id="the only chariot is on the right"
        ),
        pytest.param("middle chariot", "QKAECNR", ["handicap-not-there"], id="and not in the middle"),
        pytest.param("right chariot", "QKAECN1", [], id="the right one"),
        pytest.param("one chariot", "QKAECN1", [], id="the only one"),
        pytest.param("left treasure", "1KAECNR", [], id="the only treasure is on the left"),
        pytest.param("middle elephant", "QKA1CNR", [], id="the only elephant is in the middle"),
        pytest.param("black left chariot", "QKAECNR", ["handicap-not-there"], id="his only chariot, too"),
    ],
)
def test_a_piece_is_given_on_the_wing_that_is_named_or_not_at_all(text, back_rank, codes):
    position = Position(rules="fortress", handicap=text)
    rows = placement(position.fen()).split("/")
    assert (rows[7], rows[0]) == (back_rank, "rnceakq")
    assert [fault.code for fault in position.faults] == codes


def test_two_pieces_of_one_wing_are_told_by_their_points(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(
        'id = "two"\nextends = "xiangqi"\ntitle = "Two"\nsource = "a test"\ndate = "2026"\n'
        '[board]\nstart = "1nbakabnr/8r/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/RNBAKABN1 w - - 0 1"\n'
        "[handicap]\nprotects = []\n"
    )
    rules = Ruleset.load(path)
    told = Position(rules=rules, handicap="chariot a2").handicap
    assert told == "red chariot a2; no iron"
    assert placement(Position(rules=rules, handicap=told).fen()).endswith("/1C5C1/9/RNBAKABN1")


def test_what_the_position_lacks_counts_where_the_declaration_differs():
    (game,) = adjudicate([GameRecord(fen=START, tags={"Handicap": "two horses"})])
    assert game.handicap is None and game.start_fen == START


MIDDLE_SOLDIER = ["a4a5", "h8e8", "i4i5", "e8e4"]
"""The cannon takes the middle soldier and, with nothing before the general, gives no check."""


def test_a_capture_that_breaks_the_protection_is_a_finding():
    (game,) = adjudicate([GameRecord(tags={"Handicap": "让左马", "Result": "0-1"}, tokens=MIDDLE_SOLDIER)])
    (finding,) = (f for f in game.findings if f.ply)
    assert (finding.code, finding.ply, finding.text) == ("iron-piece", 4, "e8e4")
    assert finding.message() == (
        "e8e4 is illegal: the Red soldier on e4 is iron by the odds: it may not be captured until it moves, except "
        "with check"
    )
    assert "铁子" in finding.message("zh")
    assert len(game.moves) == 3 and game.claim == "illegal-move"


def test_the_same_capture_with_check_is_none():
    moves = ["a4a5", "h8e8", "h3e3", "e8e4"]  # the cannon on e3 is the screen of the check
    (game,) = adjudicate([GameRecord(tags={"Handicap": "让左马"}, tokens=moves)])
    assert len(game.moves) == 4 and game.moves[-1].check


def test_a_game_in_hand_keeps_its_handicap():
    game = Game(handicap="left horse")
    for move in MIDDLE_SOLDIER[:3]:
        game.push(move)
    assert game.adjudicate().handicap == game.handicap == "red left horse; iron e4"
    assert game.position.iron() == ["e4"]
    with pytest.raises(IllegalMove, match="iron by the odds"):
        game.push(MIDDLE_SOLDIER[3])
    game = Game(NO_LEFT_HORSE, Ruleset.load("xiangqi", {"handicap.infer": True}), "none")
    assert game.adjudicate().handicap is None


def test_a_position_travels_as_fen_and_handicap():
    game = Game(handicap="左车 单炮")
    for move in ("b1c3", "h10g8", "c3e2", "i10h10"):
        game.push(move)
    assert game.position.handicap == "red left chariot, left cannon; iron h3"
    again = Position(game.fen(), handicap=game.position.handicap)
    assert again.iron() == game.position.iron() == ["h3"]
    assert again.handicap == game.position.handicap
    assert again.legal_moves() == game.position.legal_moves()


WORDS = [
    "left",
    "right",
    "middle",
    "one",
    "two",
    "three",
    "five",
    "chariot",
    "horses",
    "cannon",
    "soldier",
    "general",
    "elephants",
    "treasure",
    "iron",
    "no",
    "none",
    "b1",
    "e4",
    "k1",
    "e10",
    "first",
    "moves",
    "red",
    "black",
    ",",
    ";",
    "nine",
    "pieces",
    "frob",
    "10",
    "让",
    "双",
    "左",
    "马",
    "炮",
    "兵",
    "将",
    "先",
    "铁",
    "无",
    "九子",
]
FENS = [None, NO_LEFT_HORSE, START.replace("1C5C1", "9"), "3ak4/9/9/9/9/9/r3P4/9/9/4K4 b"]


@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), st.sampled_from(FENS))
def test_whatever_is_declared_travels(text, fen):
    """No words crash, none takes a general, and what a position says of itself is read the same."""
    english = handicap.write(handicap.read(text))
    assert handicap.write(handicap.read(english)) == english
    position = Position(fen, handicap=text)
    assert all(fault.message() and fault.message("zh") for fault in position.faults)
    again = Position(position.fen(), handicap=position.handicap or "none")
    assert (again.handicap, again.iron()) == (position.handicap, position.iron())
    assert again.legal_moves() == position.legal_moves()


@given(st.text(max_size=40))
def test_any_text_is_read(text):
    said = handicap.read(text)
    assert handicap.write(said) is not None and handicap.write(said, "zh") is not None


@pytest.mark.parametrize("rules", ["atomic", "fortress", "jump-cannon", "six-fortresses"])
def test_other_games_protect_nothing(rules):
    assert Ruleset.load(rules).protections == ()
