"""JSON records go the way of all others: in folders and archives, through every command that reads games."""

import zipfile
from pathlib import Path

import polars
import pytest
from click.testing import CliRunner

from adjudicator import adjudicate
from notation.containers import pgn
from pipeline import run, shards, sources
from pipeline.cli import main

VARIANTS = Path(__file__).resolve().parents[2] / "data" / "variants"
SAMPLES = [("atomic", "atomic.json"), ("fortress", "fortress.jsonl")]
samples = pytest.mark.parametrize("rules, name", SAMPLES)


def command(*words):
    result = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@samples
def test_json_and_pgn_are_the_same_games(rules, name):
    games, others = (
        list(adjudicate(VARIANTS / name, rules)),
        list(adjudicate(VARIANTS / f"{rules}.pgn", rules)),
    )
    assert [game.game_id for game in games] == [game.game_id for game in others]
    assert [game.result for game in games] == [game.result for game in others]
    assert all(len(game.moves) == len(game.record.tokens) for game in games)
    assert not [finding for game in games for finding in game.findings if finding.severity == "error"]


@samples
def test_archives_and_folders_of_json_are_adjudicated(rules, name, tmp_path):
    archive = tmp_path / "games.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(VARIANTS / name, f"inner/{name}")
        file.write(VARIANTS / f"{rules}.pgn", f"{rules}.pgn")
    run.adjudicate([tmp_path], rules=rules, out=tmp_path / "out", jobs=1)
    games = polars.read_parquet(tmp_path / "out" / "games")
    assert sorted(games["container"].unique()) == ["json_games", "pgn"]
    kinds = games.group_by("container").len()["len"].to_list()
    assert kinds[0] == kinds[1] and games["duplicate_of"].null_count() == kinds[0]
    assert (games["plies_recorded"] == games["plies_replayed"]).all()


@samples
def test_small_shards_give_the_games_of_the_file(rules, name, monkeypatch):
    monkeypatch.setattr(shards, "SMALLEST", 1)
    monkeypatch.setattr(shards, "LARGEST", 2000)
    plan = shards.plan(sources.find([VARIANTS / name]).sources)
    assert len(plan.shards) > 1
    batches = [piece.read() for shard in plan.shards for piece in shard.pieces]
    tags = [batch.tags[game] for batch in batches for game in range(len(batch))]
    assert tags == [game.tags for game in adjudicate(VARIANTS / name, rules)]
    assert all(tag["Variant"] == f"{rules}-xiangqi" for tag in tags)


@samples
def test_json_is_checked_converted_and_studied(rules, name, tmp_path):
    games = list(adjudicate(VARIANTS / name, rules))
    findings = sum(len(game.findings) for game in games)
    assert f"{len(games)} games, {findings} finding" in command("check", VARIANTS / name, "--rules", rules)
    out = tmp_path / "out.pgn"
    command("convert", VARIANTS / name, "--to", "algebraic", "--rules", rules, "--out", out)
    assert [game.game_id for game in adjudicate(out, rules)] == [game.game_id for game in games]
    assert [record.comments for record in pgn.games(out)] == [game.record.comments for game in games]
    command("study", VARIANTS / name, "--rules", rules, "--out", tmp_path / "out.html")
    assert all(game.tags["Black"] in (tmp_path / "out.html").read_text() for game in games)
