"""The variant that a record names, and the rule sets that a broken record would be legal under."""

import pytest

from adjudicator import Ruleset, adjudicate
from notation.record import GameRecord

FORTRESS = "rnceakq/pp1p1pp/7/7/7/7/PP1P1PP/QKAECNR w - - 0 1"


def findings(moves, rules, **record):
    (game,) = adjudicate([GameRecord(tokens=moves.split(), **record)], rules)
    return game.findings


@pytest.mark.parametrize(
    "rules, names",
    [
        ("xiangqi", ["xiangqi", "Xiangqi", "Standard", "Chinese Chess", "象棋", "?", "", "-"]),
        ("xiangqi-60", ["xiangqi", "xiangqi-60", "中国象棋"]),
        (
            "atomic",
            ["atomic", "Atomic", "Atomic Xiangqi", "atomicxiangqi", "atomic-xiangqi", "ATOMIC_XIANGQI"],
        ),
        ("fortress", ["fortressxiangqi", "Fortress Xiangqi"]),
        ("fortress-river", ["fortressxiangqi", "fortress-river", "Fortress xiangqi, river soldier"]),
        ("jump-cannon", ["jumpcannonxiangqi", "Jump-Cannon"]),
        ("six-fortresses", ["Six Fortresses", "six-fortresses"]),
        # forms of one game
        ("xiangqi", ["xiangqi-60", "Xiangqi, sixty-ply clock"]),
        ("fortress", ["fortress-river", "Fortress xiangqi, river soldier"]),
        ("jump-cannon", ["jump-cannon-modern"]),
        ("jump-cannon-modern", ["jumpcannonxiangqi", "Jump-cannon xiangqi"]),
    ],
)
def test_a_rule_set_is_known_by_its_names(rules, names):
    for name in names:
        assert not [f for f in findings("", rules, tags={"Variant": name}) if "variant" in f.code], name


@pytest.mark.parametrize(
    "rules, name, code, suggestion",
    [
        ("xiangqi", "Atomic", "other-variant", "--rules atomic"),
        ("atomic", "xiangqi", "other-variant", "--rules xiangqi or xiangqi-60"),
        ("xiangqi", "fortressxiangqi", "other-variant", "--rules fortress or fortress-river"),
        ("xiangqi", "jump-cannon-modern", "other-variant", "--rules jump-cannon or jump-cannon-modern"),
        ("jump-cannon", "xiangqi-60", "other-variant", "--rules xiangqi or xiangqi-60"),
        ("xiangqi", "Six Fortresses", "other-variant", "--rules six-fortresses"),
        ("six-fortresses", "xiangqi", "other-variant", "--rules xiangqi or xiangqi-60"),
        ("xiangqi", "Banqi", "unknown-variant", None),
        ("atomic", "atomic chess", "unknown-variant", None),
    ],
)
def test_another_variant_is_told(rules, name, code, suggestion):
    (finding,) = (f for f in findings("", rules, tags={"variant": name}) if f.code != "empty-game")
    assert (finding.code, finding.text, finding.suggestion) == (code, name, suggestion)
    assert (finding.severity, finding.details["rules"]) == ("warning", rules)


def test_a_rule_file_is_known_by_its_own_names(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'id = "mine"\nextends = "xiangqi"\ntitle = "My game"\nnames = ["Our chess"]\nsource = "we"\ndate = "2026"\n'
    )
    rules = Ruleset.load(path)
    for name in ("mine", "my-game", "our chess"):
        assert [f.code for f in findings("h3e3", rules, tags={"Variant": name})] == []
    assert [f.code for f in findings("h3e3", rules, tags={"Variant": "xiangqi"})] == ["other-variant"]


HEAD = 'title = "T"\nsource = "we"\ndate = "2026"\n'


@pytest.mark.parametrize(
    "text, game, others",
    [
        pytest.param('extends = "xiangqi"', "mine", ["xiangqi", "atomic"], id="the base of many games"),
        pytest.param('extends = "xiangqi-60"', "xiangqi", ["atomic"], id="a form of xiangqi"),
        pytest.param('extends = "xiangqi"\ngame = "xiangqi"', "xiangqi", ["atomic"], id="another form"),
        pytest.param('extends = "atomic"', "atomic", ["xiangqi", "fortress"], id="a game of its own"),
        pytest.param('extends = "jump-cannon-modern"', "jump-cannon", ["xiangqi"], id="a form of one"),
        pytest.param(
            'extends = "six-fortresses"', "six-fortresses", ["xiangqi"], id="a root that is no base"
        ),
        pytest.param('extends = "first.toml"', "first", ["xiangqi"], id="another file"),
    ],
)
def test_a_rule_file_is_a_form_of_the_game_that_it_extends(tmp_path, text, game, others):
    (tmp_path / "first.toml").write_text(f'id = "first"\nextends = "xiangqi"\n{HEAD}')
    path = tmp_path / "mine.toml"
    path.write_text(f'id = "mine"\n{text}\n{HEAD}')
    rules = Ruleset.load(path)
    assert rules.game == game
    named = {name: [f.code for f in findings("", rules, tags={"Variant": name})] for name in (game, *others)}
    assert {name for name, codes in named.items() if "other-variant" in codes} == set(others)


def test_every_game_has_its_forms():
    forms = {}
    for name in Ruleset.ids():
        forms.setdefault(Ruleset.load(name).game, []).append(name)
    assert forms == {
        "atomic": ["atomic"],
        "fortress": ["fortress", "fortress-river"],
        "jump-cannon": ["jump-cannon", "jump-cannon-modern"],
        "six-fortresses": ["six-fortresses"],
        "xiangqi": ["xiangqi", "xiangqi-60"],
    }


def test_names_are_no_rules():
    assert "象棋" not in Ruleset.load("xiangqi-60").names
    assert "standard" not in Ruleset.load("atomic").names


@pytest.mark.parametrize(
    "rules, moves, record, legal",
    [
        pytest.param(
            "fortress-river",
            "d4c4",
            {"fen": "5k1/7/7/7/3P3/7/7/K6 w - - 0 1"},
            ["fortress"],
            id="a soldier of the earlier revision",
        ),
        pytest.param(
            "fortress",
            "d3d4 d6d5",
            {"fen": "5k1/7/3P3/7/7/3p3/7/K6 w - - 0 1"},
            [],
            id="legal nowhere",
        ),
        pytest.param(
            "xiangqi", "d1b3 c8c6", {"fen": FORTRESS}, ["fortress", "fortress-river"], id="another board"
        ),
        pytest.param("jump-cannon-modern", "h3h9", {}, ["jump-cannon"], id="a cannon that jumped"),
        pytest.param("xiangqi", "a4a5 a7a6 a5a6 a10a2", {}, ["atomic"], id="a capturer that exploded"),
        pytest.param("atomic", "a4a5 a7a6 a5a6 a10a2 a6a7", {}, [], id="an own fault"),
        pytest.param("six-fortresses", "h3e3 h10g8", {}, ["atomic", "xiangqi"], id="a game of other pieces"),
    ],
)
def test_a_broken_record_is_tried_under_the_other_rules(rules, moves, record, legal):
    first = next(f for f in findings(moves, rules, **record) if f.severity == "error")
    said = first.suggestion or ""
    named = said.rpartition("the whole record is legal under the rules ")[2].split(" or ") if legal else []
    assert set(legal) <= set(named)
    assert ("whole record is legal under the rules" in said) == bool(legal)
    if legal and legal != ["atomic", "xiangqi"]:
        assert named == legal


def test_many_broken_records_are_tried_each_by_itself():
    records = [GameRecord(tokens=["h3e3", "h10g8"]), GameRecord(tokens=["h3h9"]), GameRecord(tokens=["a1a9"])]
    said = [
        [f.suggestion for f in game.findings if f.severity == "error"]
        for game in adjudicate(records, "jump-cannon")
    ]
    assert "xiangqi" in said[0][0]
    assert said[1] == []
    assert "rules" not in (said[2][0] or "")


def test_a_handicap_of_other_pieces_is_no_trouble():
    (game,) = adjudicate(
        [GameRecord(tags={"Handicap": "left horse"}, tokens=["b1c3", "a3a4"])], "six-fortresses"
    )
    assert [ply.move for ply in game.moves] == ["b1c3"] or game.findings
    assert all(finding.message("zh") for finding in game.findings)


def test_records_with_one_start_are_told_of_it_alike():
    """What is added to a fault of one record's start is not another's."""
    fen = "rnbakab1r/9/1c5cn/p1p1p1p1p/9/2P6/PC2P1P1P/6C1R/9/RNBAKABN1 b - - 7 4"
    record = GameRecord(fen=fen, tokens=["h8g8"], tags={"FEN": fen})
    games = adjudicate([record] * 3, "fortress")
    told = [[finding.details for finding in game.findings] for game in games]
    assert told[0] == told[1] == told[2]
    assert sum("suggestion_zh" in details for details in told[0]) == 1
    assert all(details.get("suggestion_zh", "").count("整份棋谱") <= 1 for details in told[0])
