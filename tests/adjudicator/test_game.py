"""What Python users hold: `Adjudication.moves` as a sequence and as a table."""

from pathlib import Path

import pyarrow as pa
import pytest

from adjudicator import Game, adjudicate
from pipeline.schemas import schema

DATA = Path(__file__).parents[2] / "data"
ARCHIVES = {
    "xiangqi": DATA / "matches" / "wxf.pgn",
    "atomic": DATA / "variants" / "atomic.pgn",
    "fortress": DATA / "variants" / "fortress.pgn",
}


@pytest.mark.parametrize("rules", ARCHIVES)
def test_the_plies_are_the_rows_of_their_table(rules):
    for game in adjudicate(ARCHIVES[rules], rules):
        table = game.moves.to_arrow().rename_columns({"from": "start"})
        assert [tuple(row.values()) for row in table.to_pylist()] == list(game.moves)
        assert game.moves.to_polars().height == len(game.moves) > 0


@pytest.mark.parametrize("rules", ARCHIVES)
def test_the_table_has_the_types_of_the_moves_table(rules):
    of_a_run = {field.name: field.type for field in schema("moves")}
    table = next(adjudicate(ARCHIVES[rules], rules)).moves.to_arrow()
    for field in table.schema:
        if field.name == "move":  # the moves table has it in its parts
            continue
        stored = of_a_run[field.name]
        assert field.type == (stored.value_type if pa.types.is_dictionary(stored) else stored), field.name


def test_a_game_without_moves_is_an_empty_table_of_the_same_types():
    empty, played = Game(), Game()
    played.push("h3e3")
    schemas = [game.adjudicate().moves.to_arrow().schema for game in (empty, played)]
    assert schemas[0] == schemas[1]


def test_plies_are_indexed_and_sliced_like_a_list():
    game = Game()
    for move in ("h3e3", "h10g8", "h1g3"):
        game.push(move)
    moves = game.adjudicate().moves
    assert moves[-1].move == "h1g3"
    assert [ply.move for ply in moves[1:]] == ["h10g8", "h1g3"]
    with pytest.raises(IndexError):
        moves[3]


ONE_LINE = "1. h3e3 h10g8 2. h1g3 *"


@pytest.mark.parametrize(
    "source, moves",
    [
        pytest.param(ONE_LINE, [3], id="a line"),
        pytest.param("1. h3e3 " * 1000, [1], id="a line longer than any path"),
        pytest.param(ONE_LINE + " \0", [3], id="a line that no path could be"),
        pytest.param(ONE_LINE.encode(), [3], id="bytes"),
        pytest.param("\n", [], id="blank text"),
    ],
)
def test_text_is_ruled_on_as_it_is(source, moves):
    assert [len(game.moves) for game in adjudicate(source)] == moves


def test_a_path_is_read_in_either_form():
    path = ARCHIVES["xiangqi"]
    ids = [[game.game_id for game in adjudicate(source)] for source in (path.read_bytes(), path, str(path))]
    assert ids[0] == ids[1] == ids[2] and len(ids[0]) == 8


@pytest.mark.parametrize("source", ["nosuch.pgn", "no such file.pgn", Path("nosuch.pgn"), ""])
def test_a_path_that_is_not_there_is_an_error(source):
    with pytest.raises(FileNotFoundError):
        list(adjudicate(source))


def test_what_a_notebook_shows_is_one_line():
    game, adjudication = Game(), next(adjudicate(ARCHIVES["xiangqi"]))
    assert repr(game) == f"<Game xiangqi, 0 plies: {game.fen()}>"
    assert repr(adjudication) == (
        "<Adjudication FSF-n500 – FSF-n1200: <Ruling red (stalemate, ply 141)>, 141 plies, 0 findings>"
    )


def test_the_explosions_of_a_game_are_those_of_its_plies():
    for game in adjudicate(ARCHIVES["atomic"], "atomic"):
        assert game.explosions == sum(ply.explosion is not None and ply.piece != "C" for ply in game.moves)


@pytest.mark.parametrize(
    "move, cleared, explosions",
    [
        pytest.param("a5d5", ["d5=h", "e5=c"], 1, id="a chariot's capture explodes"),
        pytest.param("d1d5", ["d5=h"], 0, id="a cannon's shot takes its target alone"),
    ],
)
def test_a_cannons_shot_is_no_explosion(move, cleared, explosions):
    """“A cannon's capture does not explode. It removes only the cannon and its target.” Both cost the capturer."""
    game = Game("3ak4/9/9/9/9/R2nc4/9/3P5/9/3C1K3 w - - 0 1", "atomic")
    game.push(move)
    ruled = game.adjudicate()
    assert ruled.moves[0].explosion == cleared
    assert ruled.explosions == explosions
