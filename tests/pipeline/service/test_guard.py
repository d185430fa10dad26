"""Who may ask, and what every answer says to browsers."""

import pytest

from serving import DATA

RECORD = b"1. h3e3 h10g8 *"


@pytest.mark.parametrize(
    "headers, status",
    [
        pytest.param({}, 200, id="a program"),
        pytest.param({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 200, id="our page"),
        pytest.param({"Sec-Fetch-Site": "none"}, 200, id="the reader"),
        pytest.param({"Origin": "http://example.org"}, 403, id="another page"),
        pytest.param({"Origin": "http://localhost:81"}, 403, id="another port"),
        pytest.param({"Origin": "null"}, 403, id="a page in a box"),
        pytest.param({"Sec-Fetch-Site": "cross-site"}, 403, id="another page that hides where it is from"),
        pytest.param({"Sec-Fetch-Site": "same-site"}, 403, id="a neighbour"),
        pytest.param({"Host": "example.org"}, 421, id="a name that leads here"),
        pytest.param({"Host": "127.0.0.1:8000"}, 200, id="an address"),
        pytest.param({"Host": "[::1]:8000"}, 200, id="a long address"),
        pytest.param({"Host": "[x"}, 421, id="no name at all"),
    ],
)
def test_pages_of_other_servers_may_not_ask(client, headers, status):
    assert client.post("/v1/check", content=RECORD, headers=headers).status_code == status


def test_reading_is_for_all_but_shared_with_none(client):
    answer = client.get("/v1/health", headers={"Origin": "http://example.org"})
    assert answer.json()["status"] == "ok"
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    "method, path, status",
    [("GET", "/v1/nothing", 404), ("GET", "/v1/check", 405), ("POST", "/v1/health", 405)],
)
def test_what_is_not_there_is_a_problem(client, method, path, status):
    answer = client.request(method, path)
    assert answer.status_code == answer.json()["status"] == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_body_has_its_limit(tmp_path, client):
    from starlette.testclient import TestClient

    from pipeline.service.app import Limits, app

    def parts():
        for _ in range(20):
            yield b" " * 100

    with TestClient(
        app(tmp_path, Limits(body=1000), ["games.example"]), base_url="http://localhost"
    ) as small:
        assert small.post("/v1/check", content=RECORD, headers={"Host": "games.example"}).status_code == 200
        for sent in ({"content": b" " * 1001}, {"content": parts()}, {"files": {"file": ("x", b" " * 1000)}}):
            answer = small.post("/v1/check", **sent)
            assert answer.status_code == 413
            assert answer.json()["detail"].startswith("more than 1000 bytes are sent")
        assert not list((tmp_path / "requests").iterdir())


def test_what_takes_too_long_or_too_much_is_stopped(tmp_path, client):
    from starlette.testclient import TestClient

    from pipeline.service.app import Limits, app

    record = (DATA / "matches" / "uci.pgn").read_bytes()
    with TestClient(app(tmp_path, Limits(timeout=0.5)), base_url="http://localhost") as short:
        answer = short.post("/v1/check", content=record * 500)
        assert answer.status_code == 503
        stopped = "stopped: the request takes more than 0.5 seconds"
        assert answer.json()["detail"].startswith(f"{stopped}; name fewer games, as game=")
        study = short.post("/v1/study", content=record * 500)
        assert study.status_code == 503
        assert study.json()["detail"].startswith(stopped)
        assert all(f"{option}=" in study.json()["detail"] for option in ("game", "pick", "count"))
        assert answer.headers["retry-after"]
        assert short.post("/v1/check", content=RECORD).status_code == 200
    with TestClient(app(tmp_path, Limits(memory=32 << 20)), base_url="http://localhost") as small:
        assert small.post("/v1/check", content=record * 500).status_code in (413, 500)
        assert small.post("/v1/check", content=RECORD).status_code == 200
