"""The moves table of every rule set says what `Adjudication.moves` says, ply by ply."""

from pathlib import Path

import polars
import pytest

from adjudicator import Ruleset, adjudicate
from pipeline import run
from pipeline.schemas import schema

DATA = Path(__file__).resolve().parents[2] / "data"
SAMPLES = [(path.stem, path) for path in sorted((DATA / "variants").glob("*.pgn"))]
SAMPLES += [("xiangqi", DATA / "matches" / "wxf.pgn")]
FROM_THE_BOARD = [name for name in schema("moves").names if name not in ("record", "game_id")]


def tables(path, rules, out, **options):
    run.adjudicate([path], rules=rules, out=out, jobs=1, **options)
    return {name: polars.read_parquet(out / name) for name in ("games", "moves", "findings")}


@pytest.mark.parametrize("rules, path", SAMPLES, ids=[rules for rules, _ in SAMPLES])
def test_the_table_says_what_the_plies_say(rules, path, tmp_path):
    moves = tables(path, rules, tmp_path / "out")["moves"]
    plies = [ply for game in adjudicate(path, rules) for ply in game.moves]
    assert len(moves) == len(plies) > 0
    for row, ply in zip(moves.iter_rows(named=True), plies, strict=True):
        said = {"from": ply.start, **ply._asdict()}
        assert {name: row[name] for name in FROM_THE_BOARD if name in said} == {
            name: value for name, value in said.items() if name in row
        }


def test_explosions_are_lists_and_the_last_may_be_lethal(tmp_path):
    found = tables(DATA / "variants" / "atomic.pgn", "atomic", tmp_path / "out")
    moves, games = found["moves"], found["games"]
    assert moves.filter(polars.col("captured").is_null())["explosion"].null_count() == (
        moves["captured"].null_count()
    )
    by_cannon = moves.filter(polars.col("captured").is_not_null(), polars.col("piece") == "C")
    assert by_cannon["explosion"].list.len().to_list() == [1] * len(by_cannon)
    lethal = moves.filter("lethal").join(games, on="record")
    assert lethal["reason"].to_list() == ["general-gone"] * 2
    assert lethal["ply"].equals(lethal["end_ply"])
    assert all(any("=k" in point.lower() for point in row) for row in lethal["explosion"])


def test_drops_tell_whether_they_check_mate_or_defend(tmp_path):
    moves = tables(DATA / "variants" / "fortress.pgn", "fortress", tmp_path / "out")["moves"]
    drops = moves.filter("drop")
    assert len(drops) and drops["from"].null_count() == len(drops)
    assert drops.filter("check").height and drops.filter("mate").height
    palace = {
        "red": [f"{file}{rank}" for file in "abc" for rank in "123"],
        "black": [f"{file}{rank}" for file in "efg" for rank in "678"],
    }
    own = [row["drop"] and row["to"] in palace[row["side"]] for row in moves.iter_rows(named=True)]
    assert moves["defensive_drop"].to_list() == own
    assert moves["defensive_drop"].sum()
    assert moves["reserves"].null_count() == 0
    assert not moves.filter(polars.col("defensive_drop") & ~polars.col("drop")).height


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_columns_without_a_meaning_are_null_or_false(rules, tmp_path):
    ruleset = Ruleset.load(rules)
    record = tmp_path / "one.pgn"
    move = {"fortress": "d1b3", "fortress-river": "d1b3", "six-fortresses": "a3a4", "jump-cannon": "i1i2"}
    record.write_text(f'[Event "one move"]\n\n1. {move.get(rules, "h3e3")} *\n')
    moves = tables(record, rules, tmp_path / "out")["moves"]
    assert len(moves) == 1
    assert moves["explosion"].to_list() == [None]
    assert moves["reserves"].to_list() == ["" if ruleset.reserves else None]
    assert not (moves["lethal"].any() or moves["drop"].any() or moves["defensive_drop"].any())
