"""Engine-match games: the same in every notation, and home again from each."""

import gzip
from array import array

import pytest

from adjudicator import Ruleset, adjudicate
from adjudicator._replay import FLAGS, PLY_COLUMNS
from adjudicator.batch import BatchResult, replay_batch
from conftest import REPOSITORY, shared
from corpus import FORMS, round_trip
from notation import containers

FILES = ("xiangqi", "xiangqi_wxf", "xiangqi_zh")
SAMPLES = REPOSITORY / "tests" / "data" / "matches"


def sample(name: str) -> bytes:
    """The first games of an archive."""
    return gzip.decompress((SAMPLES / f"{name}.pgn.gz").read_bytes())


def replayed(data: bytes) -> BatchResult:
    result = replay_batch(containers.read(data), Ruleset.load("xiangqi"), "site")
    assert not [finding for finding in result.findings if finding.severity == "error"]
    return result


def check_alike(results: list[BatchResult], games: int) -> None:
    first, *others = results
    assert len(first.games["game_id"]) == games
    for other in others:
        assert array("q", other.first_ply) == array("q", first.first_ply)
        for column in PLY_COLUMNS:
            assert bytes(other.plies[column]) == bytes(first.plies[column]), column
        for column in first.games.keys() - {"notation"}:
            assert other.games[column] == first.games[column], column


def test_three_notations_give_the_same_plies():
    check_alike([replayed(sample(name)) for name in FILES], 20)


def test_three_notations_give_the_same_plies_over_whole_archives():
    folder = shared("matches")
    check_alike([replayed((folder / f"{name}.pgn").read_bytes()) for name in FILES], 400)


@pytest.mark.parametrize("name", FILES)
def test_every_record_is_sound(name):
    games = list(adjudicate(sample(name)))
    assert len(games) == 20
    for game in games:
        assert len(game.moves) == len(game.record.tokens)
        assert game.claim in ("agrees", "unverifiable", "played-on")


def test_announced_mates_are_moves_whatever_the_record_counts():
    batch = containers.read(sample("xiangqi"))
    flags = replayed(sample("xiangqi")).plies["flags"]
    mates = [ply for ply in batch.first_token[1:] if flags[ply - 1] & FLAGS["mate"]]
    assert len(mates) > 3 and {batch.mate[ply - 1] for ply in mates} == {1}
    assert {batch.mate[ply - 2] for ply in mates} <= {-1, 0}


def test_every_ply_comes_home_from_every_notation():
    assert len(FORMS) > 8
    for game in list(adjudicate(sample("xiangqi")))[::4]:
        assert list(round_trip(game)) == []
