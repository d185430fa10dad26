"""The compiled kernel against the reference engine, and the symmetries of the law, on generated games."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator import Game, Position, Ruleset
from properties.strategies import (
    MIRRORED,
    mirror_fen,
    mirror_move,
    random_games,
    random_positions,
    swap_fen,
    swap_move,
)
from reference import State

# xiangqi-60 differs from xiangqi in its endings alone.
RULESETS = [name for name in Ruleset.ids() if name in State.registry and name != "xiangqi-60"]
slow = settings(suppress_health_check=list(HealthCheck), max_examples=settings.default.max_examples * 3 // 10)
# The last three have no words for chess pieces.
NOTATIONS = ("uci", "iccs", "algebraic", "long", "wxf", "chinese", "chinese-traditional")
rulesets = pytest.mark.parametrize("rules", RULESETS)


def same_fen(ours, theirs):
    """Equal, whatever the order inside the reserves."""
    (ours, *after), (theirs, *behind) = ours.split(), theirs.split()
    board, _, held = ours.partition("[")
    board_too, _, held_too = theirs.partition("[")
    return (board, sorted(held), after) == (board_too, sorted(held_too), behind)


@rulesets
@slow
@given(data=st.data())
def test_a_position_has_the_reference_moves(rules, data):
    state = data.draw(random_positions(rules))
    position = Position(state.fen(), rules)
    assert position.legal_moves() == sorted(state.legal_moves())
    assert position.checkers() == sorted(state.checkers())
    assert position.is_check() == state.in_check()
    assert position.is_wide_check() == state.in_wide_check()
    assert position.perft(1) == len(position.legal_moves())
    assert same_fen(position.fen(), state.fen())


@rulesets
@slow
@given(data=st.data())
def test_a_game_has_the_reference_facts(rules, data):
    played = data.draw(random_games(rules, 40))
    game = Game(played.states[0].fen(), rules)
    for facts in played.plies:
        game.push(facts.move)
    ours = game.adjudicate("none")
    assert len(ours.moves) == len(played.plies)
    for ply, facts in zip(ours.moves, played.plies, strict=True):
        assert ply.move == facts.move
        assert (ply.piece, ply.captured or "") == (facts.piece.upper(), facts.captured.upper())
        assert (ply.drop, ply.promotion or "") == (facts.drop, facts.promotion)
        cleared = sorted(f"{point}={piece}" for point, piece in facts.cleared)
        assert sorted(ply.explosion or []) == cleared
        assert ply.wide_check == facts.wide_check
        assert (ply.check, ply.discovered_check, ply.double_check, ply.facing_check) == (
            facts.check,
            facts.discovered,
            facts.double,
            facts.facing,
        )
        assert (ply.mate, ply.stalemate) == (facts.checkmate, facts.stalemate)
        assert ply.legal_replies == facts.replies
        assert ply.plies_since_capture == facts.since_capture
        assert ply.occurrence == facts.occurrence
    if played.plies:
        assert same_fen(ours.final_fen, played.plies[-1].fen)


@rulesets
@slow
@given(data=st.data())
def test_every_position_of_a_game_is_read_as_it_is_written(rules, data):
    """The last one of a game that an explosion ends, too."""
    played = data.draw(random_games(rules, 40))
    position = Position(played.states[0].fen(), rules)
    for facts in played.plies:
        position.push(facts.move)
        again = Position(position.fen(), rules)
        assert (again.fen(), again.key) == (position.fen(), position.key)
        assert again.is_checkmate() == position.is_checkmate()


@pytest.mark.parametrize("book", ["site", "site-draw", "none"])
@slow
@given(data=st.data())
def test_rulings_are_the_reference_rulings(book, data):
    played = data.draw(random_games("xiangqi", 60))
    game = Game(played.states[0].fen())
    for move in played.moves:
        game.push(move)
    ruling = game.ruling(book)
    expected = played.ruling(book)
    assert ruling.result == expected.result
    if expected.result != "*":
        assert ruling.ply == expected.ply


@rulesets
@slow
@given(data=st.data())
def test_push_and_pop_are_the_identity(rules, data):
    played = data.draw(random_games(rules, 30))
    position = Position(played.states[0].fen(), rules)
    before = []
    for move in played.moves:
        before.append((position.fen(), position.key, position.legal_moves()))
        position.push(move)
    for expected in reversed(before):
        position.pop()
        assert (position.fen(), position.key, position.legal_moves()) == expected


def _ruled(fen, rules, moves):
    game = Game(fen, rules)
    for move in moves:
        game.push(move)
    found = game.adjudicate()
    facts = [
        (p.check, p.discovered_check, p.double_check, p.facing_check, p.mate, p.legal_replies, p.occurrence)
        for p in found.moves
    ]
    return found.result, found.reason, found.ply, facts


@rulesets
@slow
@given(data=st.data())
def test_mirrored_and_colour_swapped_games_are_ruled_alike(rules, data):
    played = data.draw(random_games(rules, 30))
    fen, moves = played.states[0].fen(), played.moves
    result, *rest = _ruled(fen, rules, moves)
    if rules in MIRRORED:
        assert _ruled(mirror_fen(fen), rules, [mirror_move(m, rules) for m in moves]) == (result, *rest)
    swapped = {"red": "black", "black": "red"}.get(result, result)
    assert _ruled(swap_fen(fen), rules, [swap_move(m, rules) for m in moves]) == (swapped, *rest)


@rulesets
@slow
@given(data=st.data())
def test_every_notation_comes_home(rules, data):
    state = data.draw(random_positions(rules))
    position = Position(state.fen(), rules)
    for move in position.legal_moves():
        for notation in NOTATIONS[:4] if rules == "six-fortresses" else NOTATIONS:
            text = position.write(move, notation)
            assert position.parse(text, notation) == move, (state.fen(), notation, text)
