"""Records checked over HTTP: the words of the command, its rulings as JSON, and what cannot be asked."""

import gzip
import io
import json
import zipfile

import pytest
from click.testing import CliRunner

from pipeline import schemas
from pipeline.cli import main
from serving import DATA

TEXT = {"Accept": "text/plain"}

FILES = {
    "pgn": ("matches/wxf.pgn", {}),
    "faults": ("faults/broken.pgn", {}),
    "law": ("law/chases.pgn", {"book": "axf"}),
    "xqf": ("formats/variations.xqf", {}),
    "cbl": ("formats/library.cbl", {}),
    "html": ("formats/page.htm", {}),
    "forum": ("formats/forum.txt", {}),
    "json": ("variants/atomic.json", {"rules": "atomic"}),
    "jsonl": ("variants/fortress.jsonl", {"rules": "fortress"}),
    "big5": ("hostile/bare-quotes-big5.pgn", {"encoding": "big5"}),
    "binary": ("hostile/binary-tail.pgn", {}),
    "no record": ("hostile/not-a-record.txt", {}),
    "chinese": ("faults/broken.pgn", {"lang": "zh"}),
    "grave": ("faults/broken.pgn", {"severity": "error"}),
    "quiet": ("matches/uci.pgn", {"quiet": "1", "set": "no_capture_limit=60"}),
    "games": ("faults/broken.pgn", {"game": "3,1"}),
}


def told(monkeypatch, path, asked):
    """What `caipan check` prints of the file, from its folder."""
    monkeypatch.chdir(path.parent)
    options = [f"--{key}" if key == "quiet" else f"--{key}={value}" for key, value in asked.items()]
    result = CliRunner().invoke(main, ["check", path.name, *options])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("name", FILES)
def test_text_is_what_the_command_prints(client, monkeypatch, name):
    file, asked = FILES[name]
    path = DATA / file
    answer = client.post(
        "/v1/check", params={**asked, "name": path.name}, content=path.read_bytes(), headers=TEXT
    )
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == told(monkeypatch, path, asked)


def test_a_form_says_the_same(client, monkeypatch):
    path = DATA / "law" / "chases.pgn"
    answer = client.post(
        "/v1/check", data={"book": "axf"}, files={"file": (path.name, path.read_bytes())}, headers=TEXT
    )
    assert answer.text == told(monkeypatch, path, {"book": "axf"})
    pasted = client.post(
        "/v1/check", data={"book": "axf", "text": path.read_text()}, files={"file": ("", b"")}, headers=TEXT
    )
    assert pasted.text == answer.text.replace(path.name, "record")


def test_archives_and_packed_files_are_read(client, tmp_path):
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(DATA / "matches" / "uci.pgn", "1999/uci.pgn")
        archive.writestr("notes.txt", "not a record")
    answer = client.post("/v1/check?name=games.zip", content=path.read_bytes()).json()
    assert {game["source"] for game in answer["games"]} == {"games.zip/1999/uci.pgn"}
    assert answer["summary"][0].startswith("1 left aside: games.zip/notes.txt")
    packed = gzip.compress((DATA / "matches" / "uci.pgn").read_bytes())
    assert len(client.post("/v1/check", content=packed).json()["games"]) == len(answer["games"])


def test_json_has_the_ruling_with_its_reason_and_findings_with_their_place(client):
    path = DATA / "law" / "chases.pgn"
    answer = client.post("/v1/check?book=axf&name=chases.pgn", content=path.read_bytes())
    assert answer.headers["content-type"] == "application/json"
    said = answer.json()
    assert (said["rules"], said["book"], said["sound"]) == ("xiangqi", "axf", False)
    game = said["games"][0]
    assert (game["result"], game["reason"], game["end_ply"]) == ("black", "perpetual-chase", 9)
    assert (game["red"], game["claimed"], game["claim"]) == ("Player A", "draw", "contradicts")
    assert game["ruling"]["explanation"].startswith(
        "Black wins: third occurrence of the position after ply 9"
    )
    (finding,) = game["findings"]
    assert (finding["code"], finding["ply"], finding["line"]) == ("result-contradicts", 9, 7)
    columns = set(schemas.schema("games").names)
    assert set(game) - columns == {"tags", "ruling"} | {"findings"} - columns
    assert set(finding) == set(schemas.schema("findings").names) - {"record", "game_id", "source"}


def test_damaged_records_make_sound_json(client):
    for path in sorted((DATA / "hostile").glob("*.pgn")):
        answer = client.post("/v1/check", content=path.read_bytes())
        assert answer.status_code == 200
        json.loads(answer.content.decode("utf-8"))


@pytest.mark.parametrize(
    "query, said",
    [
        pytest.param("rules=xiangqu", "did you mean 'xiangqi'?", id="no such rules"),
        pytest.param("book=sight", "did you mean 'site'?", id="no such book"),
        pytest.param("set=no_capture_limit", "'no_capture_limit' is not KEY=VALUE", id="no value"),
        pytest.param("set=no_capture=1", "did you mean 'ending.no_capture_limit'?", id="no such setting"),
        pytest.param("encoding=utf-88", "no encoding called utf-88", id="no such encoding"),
        pytest.param("handicap=banana", "'banana' is no word of a handicap", id="no handicap"),
        pytest.param("game=9", "no game 9; there are 2", id="no such game"),
        pytest.param("lang=fr", "'fr' is not one of 'en', 'zh'", id="no such language"),
        pytest.param("severety=error", "'--severity'", id="no such option"),
        pytest.param("quiet=perhaps", "neither yes nor no", id="no flag"),
        pytest.param("-o=x", "No such option", id="not an option at all"),
        pytest.param("out=x.pgn", "No such option", id="an option of the command line alone"),
        pytest.param("rules=../rulebooks/axf", "no rule set '../rulebooks/axf'", id="rules by path"),
        pytest.param("rules=/etc/x.toml", "is an id here", id="rules by file"),
        pytest.param("book=x.toml", "is an id here", id="a book by file"),
        pytest.param("set=repetition.book=../x.toml", "no rule book '../x.toml'", id="a book by option"),
    ],
)
def test_what_is_asked_wrongly_is_told_in_the_words_of_the_command(client, query, said):
    answer = client.post(f"/v1/check?{query}", content=(DATA / "law" / "chases.pgn").read_bytes())
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == 422
    assert said in problem["detail"]
    assert str(client.data) not in problem["detail"]


def test_rules_of_ones_own_come_along(client):
    rules = (DATA / "rules" / "open-soldiers.toml").read_bytes()
    record = (DATA / "rules" / "open-soldiers.pgn").read_bytes()
    files = {"file": ("open.pgn", record), "rules": ("../../open-soldiers.toml", rules)}
    game = client.post("/v1/check", files=files).json()["games"][0]
    assert (game["result"], game["claim"], game["plies_replayed"]) == (
        "*",
        "no-claim",
        game["plies_recorded"],
    )
    files["rules"] = ("mine.toml", rules.replace(b'"xiangqi"', b'"../../../etc/passwd.toml"'))
    refused = client.post("/v1/check", files=files)
    assert refused.status_code == 422
    assert "mine.toml: extends" in refused.json()["detail"]
    files["rules"] = ("mine.toml", b"id = ")
    assert "mine.toml: " in client.post("/v1/check", files=files).json()["detail"]


@pytest.mark.parametrize(
    "name, shown",
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\games\\final.pgn", "final.pgn"),
        ("-", "record"),
        ("--rules", "rules"),
        (".hidden", "hidden"),
        ("a\nb\u202ec.pgn", "abc.pgn"),
        ("*.pgn", "*.pgn"),
        ("局" * 300 + ".pgn", "局" * 39 + ".pgn"),
    ],
)
def test_a_name_is_no_path(client, name, shown):
    record = b"1. h3e3 h10g8 *"
    answer = client.post("/v1/check", params={"name": name}, content=record)
    assert [game["source"] for game in answer.json()["games"]] == [shown]
    form = client.post("/v1/check", files={"file": (name.replace("\n", ""), record)})
    assert [game["source"] for game in form.json()["games"]] == [shown]


def test_what_no_format_fits_is_refused(client):
    assert client.post("/v1/check", content=b"").status_code == 422
    assert client.post("/v1/check", data={"rules": "atomic"}, files={"file": ("", b"")}).status_code == 422
    packed = client.post("/v1/check", content=b"x", headers={"Content-Encoding": "br"})
    assert packed.status_code == 415
    mixed = client.post("/v1/check", content=b"x", headers={"Content-Type": "multipart/mixed; boundary=x"})
    assert mixed.status_code == 415
    broken = client.post("/v1/check", content=b"x", headers={"Content-Type": "multipart/form-data"})
    assert broken.status_code == 400


def test_zip_bombs_are_told_and_not_unpacked(client):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.pgn", bytes(100 << 20))
    answer = client.post("/v1/check", content=file.getvalue()).json()
    assert [finding["code"] for finding in answer["findings"]] == ["refused-member", "no-games"]


def test_what_unpacks_to_more_than_any_file_may_is_refused(client):
    packed = gzip.compress(b"1. h3e3 *")[:-4] + (0xF0000000).to_bytes(4, "little")
    for path in ("check", "convert?to=wxf", "study", "runs"):
        answer = client.post(f"/v1/{path}", content=packed)
        assert (answer.status_code, answer.json()["detail"][:36]) == (
            413,
            "record unpacks to 4026531840 bytes, ",
        )


def test_nothing_is_left_behind(client):
    client.post("/v1/check", content=b"1. h3e3 *")
    client.post("/v1/check?rules=none", content=b"1. h3e3 *")
    assert not list((client.data / "requests").iterdir())
