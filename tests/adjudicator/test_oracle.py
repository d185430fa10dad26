"""The kernel against counts and annotated games of independent engines (tests/data/oracle)."""

import pytest

from adjudicator import AmbiguousMove, Game, Position, Ruleset
from reference.oracle import rows

RULESETS = [name for name in Ruleset.ids() if any(row["ruleset"] == name for row in rows("perft"))]


@pytest.mark.parametrize("rules", RULESETS)
def test_perft_and_divides(rules):
    for row in rows("perft"):
        if row["ruleset"] != rules:
            continue
        position = Position(row["fen"], rules)
        assert position.perft(row["depth"]) == row["nodes"], (row["fen"], row["depth"])
        if "divide" in row:
            assert position.divide(row["depth"]) == dict(sorted(row["divide"].items())), row["fen"]


@pytest.mark.parametrize("rules", RULESETS)
def test_annotated_games(rules):
    for row in rows("annotated_games"):
        if row["ruleset"] != rules:
            continue
        position = Position(row["start_fen"], rules)
        assert position.is_check() == row["start_check"]
        game = Game(row["start_fen"], rules)
        for i, move in enumerate(row["moves"]):
            if "wxf" in row:
                assert position.write(move, "wxf", "fairy") == row["wxf"][i]
                assert position.parse(row["wxf"][i], "wxf") == move
            position.push(move)
            game.push(move)
            assert position.fen() == row["fens"][i]
            assert position.is_check() == row["check"][i]
            assert len(position.legal_moves()) == row["legal_count"][i]
        facts = game.adjudicate("none")
        assert facts.final_fen == row["fens"][-1]
        assert [ply.check for ply in facts.moves] == row["check"]
        assert [ply.legal_replies for ply in facts.moves] == row["legal_count"]


def test_wxf_text_of_every_legal_move():
    for row in rows("wxf_cases"):
        position = Position(row["fen"], row["ruleset"])
        assert set(position.legal_moves()) == set(row["wxf"])
        for move, text in row["wxf"].items():
            assert position.write(move, "wxf", "fairy") == text, row["fen"]
            federation = position.write(move, "wxf")
            assert position.parse(federation, "wxf") == move, (row["fen"], federation)
            try:
                assert position.parse(text, "wxf") == move, (row["fen"], text)
            except AmbiguousMove as error:
                # Two dialects: in one the first of two digits is the place, in the other the file.
                assert text[:2].isdigit() and move in error.candidates
