"""The data of a study: what the page, PGN, Markdown and JSON are made from."""

import json
import re

import pytest
from studies_made import OPENING, chance_game, commented, study

from adjudicator import Ruleset, adjudicate
from conftest import REPOSITORY
from notation.containers import pgn
from notation.record import GameRecord, Variation
from pipeline.studies.study import MOST_LINES, NOTATIONS, game_of


def keys(value):
    """Every key in a study that is not a word of a record: tags and notations have names of their own."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from () if key in ("tags", "text") else keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_the_reference_page_names_every_key():
    page = (REPOSITORY / "data" / "studies.md").read_text(encoding="utf-8")
    written = set(re.findall(r"`(\w+)`", page))
    games = [study([commented(), chance_game("xiangqi")]), study([chance_game("atomic")], "atomic")]
    games += [study([GameRecord(tokens=["h1g3", "h10g8", "g3h1", "g8h10"] * 2), GameRecord(tokens=["a1a9"])])]
    found = set(keys(games))
    values = {"red", "black", "draw", "proved", "fact", "engine", "recorded", "hint", "e10"}
    assert found <= written
    assert written - found <= values | {"evaluated"}


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_plies_say_what_the_replay_found(rules):
    (ruled,) = adjudicate([chance_game(rules)], rules)
    game = game_of(ruled)
    (line,) = game["lines"]
    assert len(line["plies"]) == len(ruled.moves) > 10
    for fact, ply in zip(ruled.moves, line["plies"], strict=True):
        checks = ply["checks"] or {"direct": [], "wide": []}
        assert (ply["ply"], ply["side"], ply["move"]) == (fact.ply, fact.side, fact.move)
        assert (ply["from"], ply["to"], ply["piece"]) == (fact.start, fact.to, fact.piece)
        assert (ply["captured"] or "").upper() == (fact.captured or "")
        assert bool(checks["direct"]) == fact.check
        assert bool(checks["direct"] or checks["wide"]) == fact.wide_check
        assert (ply["mate"], ply["stalemate"], ply["replies"]) == (
            fact.mate,
            fact.stalemate,
            fact.legal_replies,
        )
        assert ply["occurrence"] == fact.occurrence == len(ply["before"]) + 1
        gone = sorted(f"{one['point']}={one['piece']}" for one in ply["gone"] or ())
        assert gone == sorted(fact.explosion or [])
        assert (ply["gone"] is None) == (fact.explosion is None)
        assert ply["explosion"] == (fact.explosion is not None and fact.piece != "C")
        assert sorted(ply["text"]) == sorted(NOTATIONS)
    assert line["plies"][-1]["fen"] == ruled.final_fen


def test_a_cannons_shot_costs_the_cannon_and_is_no_explosion():
    """“A cannon's capture does not explode. It removes only the cannon and its target” (seed 001)."""
    game = study([GameRecord(tokens=["b3b10", "a7a6", "c4c5", "a6a5", "c5c6", "i7i6", "c6c7"])], "atomic")
    found = [(ply["gone"], ply["explosion"]) for ply in game["games"][0]["lines"][0]["plies"]]
    assert found[0] == ([{"point": "b10", "piece": "h"}], False)
    assert found[1] == (None, False)
    assert found[6] == ([{"point": "c7", "piece": "p"}], True)


def test_numbers_and_lines_of_a_game_that_begins_in_the_middle():
    """A chapter starting mid-game is numbered from its FEN, and a line opening with Black keeps its first move."""
    fen = "3k5/9/9/9/9/9/9/9/9/R4K3 b - - 0 37"
    record = GameRecord(tokens=["d10d9", "a1a5", "d9d10"], fen=fen, tags={"FEN": fen})
    record.variations = [Variation(1, ["d10e10", "a1a2"])]
    game = study([record])["games"][0]
    main, side = game["lines"]
    assert [ply["label"] for ply in main["plies"]] == ["37...", "38.", "38..."]
    assert [ply["label"] for ply in side["plies"]] == ["37...", "38."]
    assert game["side"] == "black"


def test_evaluations_are_red_s_and_leave_the_comments():
    game = study([commented()])["games"][0]
    first, second, _, fourth, *_ = game["lines"][0]["plies"]
    assert (first["evaluation"], first["depth"], first["seconds"]) == (0.35, 9, 0.012)
    assert (second["evaluation"], fourth["evaluation"]) == (0.1, 0.5)  # %eval is White's already
    assert first["comments"] == ["a comment with <i>markup</i>"]
    assert fourth["comments"] == ["fine"]
    assert game["comments"] == ["before it all"]


def test_variations_know_what_they_leave():
    lines = study([commented()])["games"][0]["lines"]
    assert [(line["parent"], line["from"]) for line in lines] == [(None, 1), (0, 2), (1, 3), (0, 6)]
    assert [[ply["move"] for ply in line["plies"]] for line in lines[1:]] == [
        ["h8e8", "h1g3"],
        ["b1c3", "b10c8"],
        ["b8b4"],
    ]
    assert lines[3]["unread"] == ["z9z9"]
    assert lines[1]["plies"][0]["nags"] == [6]


def test_deep_and_many_variations_are_bounded():
    top = line = Variation(2, ["h8e8"])
    for _ in range(MOST_LINES + 50):
        line.variations.append(Variation(2, ["b8e8"]))
        line = line.variations[0]
    game = study([GameRecord(tokens=list(OPENING), variations=[top])])["games"][0]
    assert len(game["lines"]) == MOST_LINES + 1
    assert game["lines_left_out"] == 51
    json.dumps(game)


def test_records_that_break_off_or_do_not_start():
    broken = GameRecord(tokens=["h3e3", "a1a9", "h10g8"])
    nowhere = GameRecord(tokens=["h3e3"], fen="9/9 w", tags={"FEN": "9/9 w"})
    empty = GameRecord(tags={"Event": "empty"})
    first, second, third = study([broken, nowhere, empty])["games"]
    assert first["lines"][0]["unread"] == ["a1a9", "h10g8"] and len(first["lines"][0]["plies"]) == 1
    assert second["start"] is None and second["lines"][0]["unread"] == ["h3e3"]
    assert third["lines"][0]["plies"] == [] and third["decided"] is None


def test_every_move_reads_back_in_every_notation():
    (ruled,) = adjudicate([chance_game("xiangqi")])
    game = game_of(ruled)
    for notation in ("chinese", "wxf", "algebraic", "uci"):
        tokens = [ply["text"][notation] for ply in game["lines"][0]["plies"]]
        (again,) = adjudicate(pgn.write([GameRecord(tokens=tokens, tags={"Event": "x"})]))
        assert [ply.move for ply in again.moves] == [ply.move for ply in ruled.moves], notation


@pytest.mark.parametrize(
    "moves, claimed, words",
    [
        pytest.param("h3e3", "1-0", "Red wins, says the record", id="resigned"),
        pytest.param("h3e3", "*", "Open", id="open"),
        pytest.param("h1g3 h10g8 g3h1 g8h10 " * 2, "1-0", "Draw: the position is repeated", id="ruled"),
    ],
)
def test_a_result_is_the_ruling_s_or_else_the_record_s(moves, claimed, words):
    record = GameRecord(tokens=moves.split(), tags={"Result": claimed}, result=claimed)
    assert study([record])["games"][0]["result_words"]["en"] == words
