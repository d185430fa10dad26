"""The kernel against counts and annotated games of independent engines (tests/data/oracle)."""

import pytest

from adjudicator import AmbiguousMove, Game, Position, Ruleset, adjudicate
from notation.record import GameRecord
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


RESULTS = {"1-0": "red", "0-1": "black", "1/2-1/2": "draw", "*": "*"}
REASONS = {"general_destroyed": "general-gone", "no_capture_limit": "no-capture", "max_plies": None}


@rulesets
def test_results_and_reasons(rules):
    """Every game ends where its engine saw it end, and for that reason: under the engine's judge of chases, where there
    are chases, and its limit of 100 plies (60 in atomic)."""
    limit = 60 if rules == "atomic" else 100
    ruleset = Ruleset.load(rules, {"creations": 0, "no_capture_limit": limit})
    book = "fairy" if rules in ("xiangqi", "jump-cannon") else "site"
    for row in of("annotated_games", rules):
        record = GameRecord(fen=row["start_fen"], tokens=row["moves"])
        (game,) = adjudicate([record], ruleset, book)
        reason = REASONS.get(row["reason"], row["reason"].replace("_", "-"))
        assert (game.result, game.reason) == (RESULTS[row["result"]], reason), row["start_fen"]
        if rules == "fortress" and reason == "no-capture":
            # The engine's clock goes back at a drop as well; the rule set has neither that nor a clock.
            drops = [ply.ply for ply in game.moves if ply.drop]
            captures = [ply.ply for ply in game.moves if ply.captured]
            assert len(row["moves"]) - max([0, *drops, *captures]) == 100
        elif reason:
            assert game.ply == len(row["moves"])


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
