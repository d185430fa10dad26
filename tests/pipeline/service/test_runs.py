"""Runs over HTTP: queued, worked, looked at, ruled on again and removed."""

import io
import zipfile

import polars
import pytest
from click.testing import CliRunner

from pipeline.cli import main
from pipeline.cli.adjudicate import table
from pipeline.run import adjudicate
from serving import DATA, finished


def caipan(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("sent") / "games.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name in ("matches/uci.pgn", "law/chases.pgn", "faults/broken.pgn", "formats/library.cbl"):
            file.write(DATA / name, name)
    return path


@pytest.fixture(scope="module")
def done(client, archive):
    """A finished run over the archive under the book axf."""
    answer = client.post("/v1/runs?name=games.zip&book=axf", content=archive.read_bytes())
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/runs/{answer.json()['id']}"
    return finished(client, answer.headers["location"])


def test_tables_are_those_of_the_command_byte_for_byte(client, done, archive, tmp_path, monkeypatch):
    monkeypatch.chdir(archive.parent)
    out = tmp_path / "out"
    caipan("adjudicate", "games.zip", "--book", "axf", "--out", out)
    expected = {
        path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }
    answer = client.get(f"/v1/runs/{done['id']}/tables.zip")
    assert answer.headers["content-disposition"] == 'attachment; filename="games-tables.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert {name: file.read(name) for name in file.namelist()} == expected
    assert {table["path"]: table["bytes"] for table in done["tables"]} == {
        name: len(data) for name, data in expected.items()
    }
    for name, data in expected.items():
        assert client.get(f"/v1/runs/{done['id']}/tables/{name}").content == data


def test_a_run_says_what_it_came_to(client, done, archive, tmp_path, monkeypatch):
    monkeypatch.chdir(archive.parent)
    summary = adjudicate(["games.zip"], rules="xiangqi", book="axf", out=tmp_path / "out")
    assert (done["rules"], done["book"], done["record"]) == ("xiangqi", "axf", "games.zip")
    said = done["summary"]
    assert (said["summary"], said["summary_zh"]) == (table(summary), table(summary, "zh"))
    assert (said["games"], said["plies"]) == (summary.games, summary.plies)
    assert said["findings"] == dict(summary.findings)
    assert sum(result["games"] for result in said["results"]) == summary.games
    assert done["progress"]["bytes_done"] == done["progress"]["bytes"] > 0
    assert done["progress"]["games"] == summary.games
    assert done["id"] in [run["id"] for run in client.get("/v1/runs").json()["runs"]]


@pytest.mark.parametrize("form", ["html", "md"])
def test_its_report_is_that_of_the_command(client, done, archive, tmp_path, monkeypatch, form):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(archive.parent)
    caipan("adjudicate", "games.zip", "--book", "axf", "--out", tmp_path / "tables")
    caipan("report", tmp_path / "tables", "--lang", "zh", "--out", tmp_path / f"report.{form}")
    answer = client.get(f"/v1/runs/{done['id']}/report.{form}?lang=zh")
    assert answer.content == (tmp_path / f"report.{form}").read_bytes()


def test_it_is_ruled_on_again_under_other_books(client, done, archive, tmp_path, monkeypatch):
    monkeypatch.chdir(archive.parent)
    caipan("adjudicate", "games.zip", "--book", "axf", "--out", tmp_path / "tables")
    caipan("rule", tmp_path / "tables", "--book", "cxa", "--set", "fold=4", "--book", "site")
    answer = client.post(f"/v1/runs/{done['id']}/rule?book=cxa&book=site&set=fold=4")
    assert answer.status_code == 200, answer.text
    for ruling in answer.json()["rulings"]:
        data = client.get(f"/v1/runs/{done['id']}/tables/{ruling['path']}").content
        assert polars.read_parquet(data).equals(polars.read_parquet(tmp_path / "tables" / ruling["path"]))
        assert ruling["games"] == done["summary"]["games"]
    for query, said in (
        ("book=sight", "did you mean 'site'?"),
        ("", "Missing option '--book'"),
        ("book=/x.toml", "is an id here"),
    ):
        refused = client.post(f"/v1/runs/{done['id']}/rule?{query}")
        assert refused.status_code == 422
        assert said in refused.json()["detail"]


def test_rules_of_ones_own_stay_with_a_run(client):
    files = {
        "file": ("open.pgn", (DATA / "rules" / "open-soldiers.pgn").read_bytes()),
        "rules": ("open-soldiers.toml", (DATA / "rules" / "open-soldiers.toml").read_bytes()),
    }
    run = finished(client, client.post("/v1/runs", files=files).headers["location"])
    assert (run["state"], run["rules"], run["summary"]["games"]) == ("done", "open-soldiers", 1)
    assert client.post(f"/v1/runs/{run['id']}/rule?book=none").status_code == 200
    pytest.importorskip("scipy")
    assert client.get(f"/v1/runs/{run['id']}/report.md").status_code == 200


def test_a_run_that_is_removed_is_gone(client):
    place = client.post("/v1/runs", content=b"1. h3e3 *").headers["location"]
    finished(client, place)
    assert client.delete(place).status_code == 204
    for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/tables.zip"), ("POST", "/rule?book=axf")):
        answer = client.request(method, place + path)
        assert (answer.status_code, answer.json()["detail"]) == (404, f"there is no run {place[9:]!r}")
    assert not (client.data / place[4:]).exists()


@pytest.mark.parametrize(
    "path", ["tables/games/../../run.json", "tables/games/none.parquet", "tables/..%2Frun.json", "nothing"]
)
def test_a_run_has_no_other_files(client, done, path):
    assert client.get(f"/v1/runs/{done['id']}/{path}").status_code == 404


@pytest.mark.parametrize(
    "query, said",
    [("book=sight", "did you mean 'site'?"), ("out=x", "No such option"), ("jobs=9", "No such option")],
)
def test_what_is_asked_wrongly_is_told_at_once(client, query, said):
    before = len(client.get("/v1/runs").json()["runs"])
    answer = client.post(f"/v1/runs?{query}", content=b"1. h3e3 *")
    assert answer.status_code == 422
    assert said in answer.json()["detail"]
    assert len(client.get("/v1/runs").json()["runs"]) == before


def test_without_a_queue_a_run_begins_at_once_or_not_at_all(tmp_path, client):
    from starlette.testclient import TestClient

    from pipeline.service.app import Limits, app

    with TestClient(app(tmp_path, Limits(queue=0)), base_url="http://localhost") as alone:
        place = alone.post("/v1/runs", content=b"1. h3e3 *").headers["location"]
        assert finished(alone, place)["state"] == "done"


def test_what_holds_no_record_is_a_run_all_the_same(client):
    run = finished(client, client.post("/v1/runs?name=x.pdf", content=b"%PDF-1.7").headers["location"])
    assert run["state"] == "done"
    assert run["summary"]["summary"][-1] == "no games found: x.pdf"
    assert not run["summary"]["sound"]
