"""The moves table of every rule set says what `Adjudication.moves` says, ply by ply."""

import random
from pathlib import Path

import polars
import pytest

from adjudicator import Position, Ruleset, adjudicate
from adjudicator.moves import move_points
from pipeline import run
from pipeline.schemas import schema

DATA = Path(__file__).resolve().parents[2] / "data"
SAMPLES = [(path.stem, path) for path in sorted((DATA / "variants").glob("*.pgn"))]
SAMPLES += [("xiangqi", DATA / "matches" / "wxf.pgn")]
FROM_THE_BOARD = [name for name in schema("moves").names if name not in ("record", "game_id")]


def tables(path, rules, out, **options):
    run.adjudicate([path], rules=rules, out=out, jobs=1, **options)
    return {name: polars.read_parquet(out / name) for name in ("games", "moves", "findings")}


@pytest.mark.parametrize("rules", ["fortress-river", "jump-cannon-modern", "six-fortresses"])
def test_the_table_of_random_games(rules, tmp_path):
    """Of rule sets of which we have no records."""
    choose, games = random.Random(rules), []
    for number in range(4):
        position, tokens = Position(None, rules), []
        while len(tokens) < 80 and (legal := position.legal_moves()):
            captures = [move for move in legal if position.piece_at(move_points(move)[1])]
            tokens.append(choose.choice(captures if captures and choose.random() < 0.5 else legal))
            position.push(tokens[-1])
        games.append(f'[Event "{number}"]\n\n{" ".join(tokens)} *\n')
    path = tmp_path / "games.pgn"
    path.write_text("\n".join(games))
    test_the_table_says_what_the_plies_say(rules, path, tmp_path)
    moves = polars.read_parquet(tmp_path / "out" / "moves")
    assert moves["captured"].null_count() < len(moves)
    if Ruleset.load(rules).reserves:
        assert moves["drop"].any() and moves["reserves"].n_unique() > 4


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


def rows(rules, fen, moves, out, *columns):
    """These columns of the moves table of one game, a tuple a ply."""
    record = out / "one.pgn"
    record.write_text(f'[SetUp "1"]\n[FEN "{fen} w - - 0 1"]\n\n{moves} *\n')
    return tables(record, rules, out / "out")["moves"].select(columns).rows()


def test_what_a_blast_cleared(tmp_path):
    """Every point with what stood there, the target's included and the spared soldier's not; lethal or not."""
    fen = "3ak4/3P5/9/9/R2hcp3/9/9/9/9/3A1K3"
    found = rows("atomic", fen, "a6d6 f6f5 d9d10", tmp_path, "captured", "explosion", "lethal", "wide_check")
    assert found == [
        ("H", ["d6=h", "e6=c"], False, True),
        (None, None, False, False),
        ("A", ["d10=a", "e10=k"], True, False),
    ]


def test_direct_and_wide_check_are_apart(tmp_path):
    found = rows("atomic", "3ak4/9/9/9/9/9/9/9/9/R4K3", "a1d1 e10e9 d1e1", tmp_path, "check", "wide_check")
    assert found == [(False, True), (False, False), (True, True)]


def test_what_fortresses_pay_into_the_reserves(tmp_path):
    fen = "xxx6/9/9/9/9/9/9/9/R7X"
    found = rows("six-fortresses", fen, "a1a9 I@e5 a9b9 I@e3 b9c9 K@e1 R@d7", tmp_path, "reserves", "drop")
    assert found == [
        ("[BNi]", False),
        ("[BN]", True),
        ("[BNNRi]", False),
        ("[BNNR]", True),
        ("[BNNNQRk]", False),
        ("[BNNNQR]", True),
        ("[BNNNQ]", True),
    ]


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
