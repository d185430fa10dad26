"""Records of the variants by other hands: engine matches, studies and logs, replayed under their own rules."""

import pytest

from adjudicator import Position, Ruleset, adjudicate
from conftest import REPOSITORY, shared
from notation import NOTATIONS
from pipeline.convert import WORDS
from reference import Game, State

SAMPLES = [(path.stem, path) for path in sorted((REPOSITORY / "data" / "variants").glob("*.*"))]

# The engine draws: it takes Red's own defended cannon beside the general for a threat. By the page a side is in wide
# check only if the opponent has a *legal* move that removes its general: Red threatens nothing, Black checks always.
PERPETUAL = ("result-contradicts", 75)
# The engine draws where a position comes a third time; by the page the move that brings it about is illegal. In the
# second game it is Black's only move, so Black has lost.
CREATIONS = ("third-creation", 57), ("third-creation", 248)


def told(games):
    return {
        number: [(finding.code, finding.ply) for finding in game.findings if finding.code != "played-on"]
        for number, game in enumerate(games, start=1)
        if game.findings
    }


@pytest.mark.parametrize("rules, path", SAMPLES, ids=[path.name for _, path in SAMPLES])
def test_samples_are_played_by_their_rules(rules, path):
    games = list(adjudicate(path, rules))
    assert games
    for game in games:
        said = [(finding.code, finding.ply) for finding in game.findings]
        assert said in ([], [PERPETUAL], *([creation] for creation in CREATIONS))
        broken = bool(said) and said[0] in CREATIONS
        assert len(game.moves) == len(game.record.tokens) - broken > 0
        if said == [CREATIONS[1]]:
            assert (game.result, game.reason, game.ply) == ("red", "stalemate", 247)


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_one_game_in_every_notation_that_has_words_for_it(rules):
    games = list(adjudicate(REPOSITORY / "data" / "notations" / f"{rules}.pgn", rules))
    worded = rules not in ("fortress", "fortress-river", "six-fortresses")
    spoken = [name for name in NOTATIONS if worded or name not in WORDS]
    assert [game.tags["Event"].rpartition(" ")[2] for game in games] == spoken
    assert len({game.game_id for game in games}) == 1
    assert {(game.claim, game.result) for game in games} == {("agrees", games[0].result)}
    assert not told(games)
    assert worded or any(ply.drop for ply in games[0].moves)


def test_atomic_match_games_are_played_by_the_rules():
    games = list(adjudicate(shared("matches/atomic.pgn"), "atomic"))
    assert len(games) == 400
    assert told(games) == {62: [PERPETUAL]}
    assert games[61].result == "red" and games[61].reason == "perpetual-check"
    reference = Game(State.start("atomic"))
    for ply in games[61].moves:
        reference.push(ply.move)
    assert [ply.wide_check for ply in reference.plies[67:]] == [True, False] * 4


def test_fortress_match_games_are_played_by_the_rules():
    games = list(adjudicate(shared("matches/fortress.pgn"), "fortress"))
    assert len(games) == 400
    assert told(games) == {}


def test_jump_cannon_match_games_but_for_the_third_creation():
    """The engine draws at a third occurrence; by the page the move that would bring it about is illegal."""
    path = shared("matches/jump-cannon.pgn")
    games = list(adjudicate(path, "jump-cannon"))
    assert len(games) == 150
    broken = [game for game in games if game.findings]
    assert len(broken) == 13
    free = Ruleset.load("jump-cannon", {"creations": 0})
    for game in broken:
        (finding,) = game.findings
        assert finding.code == "third-creation"
        earlier = [int(ply) for ply in finding.details["plies"].split(", ")]
        assert len(earlier) == 2 and all((finding.ply - ply) % 2 == 0 for ply in earlier)
        keys = {game.moves[ply - 1].position_key for ply in earlier}
        position = Position(game.start_fen, free)
        for token in game.record.tokens[: finding.ply]:
            position.push(token)
        assert keys == {position.key}
    assert told(adjudicate(path, free, "none")) == {}


def test_the_study_ends_as_it_records():
    games = list(adjudicate(shared("corpus/mistboard-variants/atomic-xiangqi-study.part1.json"), "atomic"))
    assert [game.tags["Result"] for game in games] == ["1-0", "0-1", "1-0", "0-1", "1-0", "0-1", "0-1", "½-½"]
    assert told(games) == {}
    assert {game.claim for game in games} == {"agrees"}
    assert [game.reason for game in games] == [
        "general-gone",
        "checkmate",
        "general-gone",
        "general-gone",
        "general-gone",
        "general-gone",
        "checkmate",
        "repetition",
    ]


def test_the_sample_game_of_the_atomic_page():
    """Seed 001, “A sample game”: 21…Hxf9, 30…Cb9, and move 38."""
    games = adjudicate(shared("corpus/mistboard-variants/atomic-xiangqi-study.part1.json"), "atomic")
    game = next(game for game in games if game.tags["Title"].startswith("Win 3"))
    position = Position(rules="atomic")
    reference = Game(State.start("atomic"))
    texts = {}
    for ply in game.moves:
        texts[ply.ply] = position.write(ply.move, "algebraic")
        position.push(ply.move)
        reference.push(ply.move)
    hxf9, cb9, last = game.moves[41], game.moves[59], game.moves[74]
    # “a horse taking a cannon on f9 with Black’s own advisor on f10 beside it. The blast takes the advisor”
    assert (texts[42], hxf9.side, hxf9.piece, hxf9.captured) == ("Hxf9", "black", "H", "C")
    assert sorted(hxf9.explosion) == ["f10=a", "f9=C"]
    # “30…Cb9 leaves the general without cover”
    assert (texts[60], cb9.side, cb9.captured) == ("Cb9", "black", None)
    # “Red’s chariot takes the cannon on d8, next to the general on d9. The blast takes the general, and the elephant
    # on e8 with it.”
    assert (last.side, last.piece, last.to, last.captured) == ("red", "R", "d8", "C")
    assert sorted(last.explosion) == ["d8=c", "d9=k", "e8=e"]
    assert last.lethal and (game.result, game.reason, game.ply) == ("red", "general-gone", 75)
    assert game.final_fen == position.fen() and game.final_fen.split()[0] == reference.state.fen().split()[0]
    assert all(position.piece_at(point) is None for point in ("c8", "d8", "d9", "e8"))
    assert sum(piece in "kK" for piece in game.final_fen.split()[0]) == 1


@pytest.mark.parametrize(
    "name, rules, plies, ending",
    [
        ("atomic-xiangqi.jsonl", "atomic", 104, ("black", "general-gone", 104)),
        ("fortress-xiangqi.first120.jsonl", "fortress", 120, ("*", None, None)),
        ("fortress-xiangqi.first120.jsonl", "fortress-river", 120, ("*", None, None)),
    ],
)
def test_logs_replay(name, rules, plies, ending):
    (game,) = adjudicate(shared("corpus/mistboard-variants") / name, rules)
    assert (len(game.moves), len(game.record.tokens)) == (plies, plies)
    assert (game.result, game.reason, game.ply) == ending
    assert not game.findings
