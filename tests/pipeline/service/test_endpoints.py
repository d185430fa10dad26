"""Rules, positions, converted records and studies over HTTP: what the commands give."""

import io
import json
import zipfile

import pytest
from click.testing import CliRunner

from adjudicator import Game, Position, RuleBook, Ruleset
from pipeline.cli import main
from serving import DATA

TEXT = {"Accept": "text/plain"}
GAMES = DATA / "matches" / "uci.pgn"


def caipan(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code in (0, 1), result.output
    return result


# -- rules -----------------------------------------------------------------------------------------


def test_rules_and_books_are_listed(client):
    listed = client.get("/v1/rules").json()["rules"]
    assert [rules["id"] for rules in listed] == Ruleset.ids()
    assert listed[0]["rules_fingerprint"] == Ruleset.load(listed[0]["id"]).fingerprint
    assert [book["id"] for book in client.get("/v1/books").json()["books"]] == RuleBook.ids()
    assert client.get("/v1/rules", headers=TEXT).text == caipan("rules", "list").stdout
    assert client.get("/v1/books", headers=TEXT).text == caipan("rules", "books").stdout


def test_one_is_shown_with_every_option_and_its_sources(client):
    atomic = client.get("/v1/rules/atomic").json()
    assert atomic["options"]["capture"]["effect"] == "explode"
    assert atomic["sources"][0]["id"] == "atomic"
    assert client.get("/v1/books/axf").json()["options"]["chase"]["counts"] is True
    for name, kind in (("atomic", "rules"), ("axf", "books")):
        assert client.get(f"/v1/{kind}/{name}", headers=TEXT).text == caipan("rules", "show", name).stdout


@pytest.mark.parametrize(
    "path, said",
    [
        ("rules/atomik", "did you mean 'atomic'?"),
        ("rules/axf", "no rule set 'axf'"),
        ("books/xiangqi", "no rule book 'xiangqi'"),
        ("rules/..%2F..%2Fx", "Not Found"),
        ("rules/--help", "no rule set '--help'"),
    ],
)
def test_one_that_is_not_there_is_not_found(client, path, said):
    answer = client.get(f"/v1/{path}")
    assert answer.status_code == 404
    assert said in answer.json()["detail"]
    assert client.get("/v1/rules/x.toml").status_code == 422


# -- positions -------------------------------------------------------------------------------------


def test_a_position_says_what_may_be_played_and_how_the_game_stands(client):
    start = client.get("/v1/position").json()
    assert start["legal_moves"][0] == {"uci": "a1a2", "wxf": "R9+1", "chinese": "车九进一"}
    assert [move["uci"] for move in start["legal_moves"]] == Position().legal_moves()
    assert (start["side"], start["check"], start["ruling"]["result"]) == ("red", False, "*")
    moves = "h3e3,馬8進7,h1g3"
    said = client.get("/v1/position", params={"moves": moves}).json()
    assert said["moves"] == ["h3e3", "h10g8", "h1g3"]
    game = Game()
    for move in said["moves"]:
        game.push(move)
    assert (said["fen"], said["side"]) == (game.fen(), "black")
    mate = client.get("/v1/position?fen=3k5/3R5/3R5/9/9/9/9/9/9/4K4+b").json()
    assert (mate["mate"], mate["check"], mate["checkers"]) == (True, True, ["d9"])
    assert (mate["ruling"]["result"], mate["ruling"]["reason"]) == ("red", "checkmate")


def test_moves_that_repeat_are_ruled_by_the_book(client):
    query = {"moves": ["h3e3 h10g8 e3h3 g8h10"] * 3}
    said = client.get("/v1/position", params=query | {"book": "site"}).json()
    assert said["ruling"]["reason"] == "repetition"
    assert client.get("/v1/position", params=query | {"book": "none"}).json()["ruling"]["reason"] is None


@pytest.mark.parametrize(
    "query, said",
    [
        ("fen=banana", "not a FEN: banana"),
        ("moves=h3e3,h3e3", "ply 2: 'h3e3' is illegal"),
        ("moves=castles", "ply 1: 'castles' is not a move in any notation"),
        ("moves=h1g9", "possible: h1g3, h1i3"),
        ("rules=fortres", "did you mean 'fortress'"),
    ],
)
def test_what_is_no_position_and_no_move_is_told(client, query, said):
    answer = client.get(f"/v1/position?{query}")
    assert answer.status_code == 422
    assert said in answer.json()["detail"]


def test_a_picture_is_that_of_the_position(client):
    answer = client.get("/v1/position.svg?rules=fortress&letters=1&flip=true&files=no")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text == Position(None, "fortress").svg(letters=True, flipped=True)
    position = Position()
    position.push("h3e3")
    assert client.get("/v1/position.svg?moves=h3e3").text == position.svg(last="h3e3")


# -- records rewritten -----------------------------------------------------------------------------


@pytest.mark.parametrize("notation", ["wxf", "chinese", "iccs"])
def test_converted_records_are_those_of_the_command(client, tmp_path, notation):
    caipan("convert", GAMES, "--to", notation, "--out", tmp_path / "out.pgn")
    answer = client.post(f"/v1/convert?to={notation}&name=uci.pgn", content=GAMES.read_bytes())
    assert answer.content == (tmp_path / "out.pgn").read_bytes()
    assert answer.headers["content-disposition"] == f'attachment; filename="uci-{notation}.pgn"'
    assert answer.headers["caipan-kept"] == "0"


def test_what_stays_as_written_is_told(client, monkeypatch, tmp_path):
    path = DATA / "faults" / "broken.pgn"
    monkeypatch.chdir(path.parent)
    told = caipan("convert", path.name, "--to", "wxf", "--out", tmp_path / "out.pgn").stderr
    said = client.post(
        "/v1/convert?to=wxf&name=broken.pgn",
        content=path.read_bytes(),
        headers={"Accept": "application/json"},
    ).json()
    assert "\n".join(said["notices"]) + "\n" == told
    assert said["kept"] > 0
    assert said["pgn"] == (tmp_path / "out.pgn").read_text(encoding="utf-8")


def test_what_cannot_be_converted_is_told(client):
    nothing = client.post("/v1/convert?to=wxf", content=b"%PDF-1.7 nothing")
    assert (nothing.status_code, nothing.json()["detail"][:7]) == (422, "record:")
    assert "'--to'" in client.post("/v1/convert", content=b"1. h3e3 *").json()["detail"]


# -- studies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["html", "json", "pgn"])
def test_studies_are_those_of_the_command(client, monkeypatch, tmp_path, form):
    monkeypatch.chdir(GAMES.parent)
    caipan("study", GAMES.name, "--game", "2-3", "--lang", "zh", "--out", tmp_path / f"uci.{form}")
    answer = client.post(f"/v1/study?form={form}&name=uci.pgn&game=2-3&lang=zh", content=GAMES.read_bytes())
    assert answer.content == (tmp_path / f"uci.{form}").read_bytes()


def test_a_page_made_from_records_is_a_stranger_here(client):
    answer = client.post("/v1/study", content=GAMES.read_bytes())
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox ")
    assert "allow-same-origin" not in policy


def test_markdown_comes_with_its_diagrams(client, tmp_path):
    caipan("study", GAMES, "--game", "1", "--out", tmp_path / "uci.md")
    answer = client.post("/v1/study?form=md&name=uci.pgn&game=1", content=GAMES.read_bytes())
    assert answer.headers["content-disposition"] == 'attachment; filename="uci.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        for name in archive.namelist():
            assert archive.read(name) == (tmp_path / name).read_bytes()
        assert len(archive.namelist()) == 1 + len(list((tmp_path / "uci-diagrams").iterdir()))


def test_nothing_to_show_is_told(client):
    answer = client.post("/v1/study?pick=explosions", content=GAMES.read_bytes())
    assert answer.status_code == 422
    assert "none has an explosion" in answer.json()["detail"]


def test_one_form_serves_all_that_is_done_with_a_record(client):
    fields = {"text": "1. h3e3 h10g8 *", "rules": "xiangqi", "book": "site", "to": "wxf", "severity": ""}
    assert client.post("/v1/convert", data=fields, files={"file": ("", b"")}).status_code == 200
    assert client.post("/v1/check", data=fields, files={"file": ("", b"")}).status_code == 200
    answer = client.post("/v1/check", data=fields | {"colour": "red"}, files={"file": ("", b"")})
    assert "'--colour'" in answer.json()["detail"]
    assert client.post("/v1/convert?book=site", data=fields).status_code == 422
    json.loads(answer.content)
