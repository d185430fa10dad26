"""The kernel against counts and annotated games of independent engines (tests/data/oracle)."""

import pytest

from adjudicator import AmbiguousMove, Game, Position, Ruleset
from reference.oracle import move_text, rows

RULESETS = [name for name in Ruleset.ids() if any(row["ruleset"] == name for row in rows("perft"))]
rulesets = pytest.mark.parametrize("rules", RULESETS)


def of(name, rules):
    return [row for row in rows(name) if row["ruleset"] == rules]


@rulesets
def test_perft_and_divides(rules):
    for row in of("perft", rules):
        position = Position(row["fen"], rules)
        assert position.perft(row["depth"]) == row["nodes"], (row["fen"], row["depth"])
        if "divide" in row:
            expected = {move_text(move): count for move, count in row["divide"].items()}
            assert position.divide(row["depth"]) == dict(sorted(expected.items())), row["fen"]


@rulesets
def test_annotated_games(rules):
    # The engine's jump-cannon ends a game at the third occurrence; it does not forbid the move.
    ruleset = Ruleset.load(rules, {"creations": 0})
    for row in of("annotated_games", rules):
        position = Position(row["start_fen"], ruleset)
        assert position.is_check() == row["start_check"]
        game = Game(row["start_fen"], ruleset)
        for i, engine_move in enumerate(row["moves"]):
            move = move_text(engine_move)
            if "wxf" in row:
                assert position.write(move, "wxf", "fairy") == row["wxf"][i]
                assert position.parse(row["wxf"][i], "wxf") == move
            position.push(engine_move)
            game.push(move)
            assert same_position(position.fen(), row["fens"][i], rules)
            assert position.is_check() == row["check"][i]
            assert len(position.legal_moves()) == row["legal_count"][i]
        facts = game.adjudicate("none")
        assert same_position(facts.final_fen, row["fens"][-1], rules)
        assert [ply.check for ply in facts.moves] == row["check"]
        assert [ply.legal_replies for ply in facts.moves] == row["legal_count"]


def same_position(ours, theirs, rules):
    """Equal FENs; in fortress the engine's clock also goes back at a drop, and it orders reserves by its own list."""
    ours, theirs = ours.split(), theirs.split()
    if rules.startswith("fortress"):
        del ours[4], theirs[4]
        ours[0], theirs[0] = (
            (board, sorted(held)) for board, _, held in (fen[0].partition("[") for fen in (ours, theirs))
        )
        ours[0], theirs[0] = ((board, [c for c in held if c != "]"]) for board, held in (ours[0], theirs[0]))
    return ours == theirs


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
