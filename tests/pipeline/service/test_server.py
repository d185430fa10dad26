"""The server as a process: how it starts and stops, what a run costs others, and runs that outlive it."""

import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline import store
from pipeline.run import adjudicate
from serving import DATA, REPOSITORY, finished, server

RECORD = b"1. h3e3 h10g8 *"


def children(process):
    """The processes that are descended from ``process``."""
    found = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        for pid in thread.read_text().split():
            found += [int(pid), *children(pid)]
    return found


def alive(pid):
    """Whether a process is at work, and does not only wait for its parent to notice its end."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def gone(pids, seconds=20.0):
    """Whether all of ``pids`` end in time."""
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, pids))


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """An archive that takes a while, cut into several shards."""
    path = tmp_path_factory.mktemp("sent") / "long.zip"
    record = b"".join((DATA / "matches" / name).read_bytes() for name in ("uci.pgn", "wxf.pgn"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(16):
            file.writestr(f"{number:02}.pgn", record * 8)
    return path


def begun(client, place):
    """Wait until the run at ``place`` has done a part."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        run = client.get(place).json()
        if run["progress"] and run["progress"]["games"]:
            return run
        time.sleep(0.01)
    raise AssertionError(run)


def tables(client, place):
    data = client.get(f"{place}/tables.zip").content
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


@pytest.fixture(scope="module")
def expected(long, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    here = Path.cwd()
    os.chdir(long.parent)
    try:
        adjudicate([long.name], rules="xiangqi", out=out, jobs=1)
    finally:
        os.chdir(here)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.mark.parametrize("number, status", [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_starts_and_stops(number, status, tmp_path):
    with server() as (process, client):
        assert client.post("/v1/check", content=RECORD).json()["sound"]
        below = children(process.pid)
        assert below
        process.send_signal(number)
        said = process.stderr.read()
        assert process.wait(10) == status
    assert "Traceback" not in said
    assert gone(below)


def test_a_port_and_a_folder_have_one_server(running):
    command = [sys.executable, "-m", "pipeline", "serve"]
    port = ["--port", str(running.client.base_url.port)]
    folder = ["--port", "0", "--data", str(running.data)]
    first, second = (
        subprocess.run([*command, *options], cwd=REPOSITORY, capture_output=True, text=True)
        for options in (port, folder)
    )
    assert first.returncode == 1
    assert first.stderr.startswith("Error: [Errno ")
    assert first.stderr.count("\n") == 1
    assert second.returncode == 2
    assert "another process is writing here" in second.stderr


@pytest.fixture
def at_work(long, running):
    """A run at work: its address and its processes, one and two workers."""
    idle = children(running.process.pid)
    place = running.client.post("/v1/runs?name=long.zip", content=long.read_bytes()).headers["location"]
    busy, end = set(), time.monotonic() + 10
    while len(busy) < 3:
        assert time.monotonic() < end
        time.sleep(0.005)
        busy = set(children(running.process.pid)) - set(idle)
    for pid in busy:
        os.kill(pid, signal.SIGSTOP)  # whatever a test does, it has not ended yet
    return place, busy


def test_others_are_served_while_a_run_is_worked(at_work, expected, running):
    client, (first, busy) = running.client, at_work
    second = client.post("/v1/runs", content=RECORD).headers["location"]
    full = client.post("/v1/runs", content=RECORD)
    assert (full.status_code, full.headers["retry-after"]) == (503, "5")
    assert client.delete(second).status_code == 204
    second = client.post("/v1/runs", content=RECORD).headers["location"]
    assert [client.get(place).json()["state"] for place in (first, second)] == ["working", "waiting"]
    assert client.get(f"{first}/tables.zip").status_code == 409
    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(lambda _: client.post("/v1/check", content=RECORD), range(16))]
    assert {answer.status_code for answer in answers} == {200}
    for pid in busy:
        os.kill(pid, signal.SIGCONT)
    assert finished(client, first)["state"] == finished(client, second)["state"] == "done"
    assert tables(client, first) == expected


def test_a_request_ends_when_nobody_waits_for_it(running):
    httpx2 = pytest.importorskip("httpx2")
    record = (DATA / "matches" / "uci.pgn").read_bytes() * 1000
    client, process = running.client, running.process
    idle = children(process.pid)
    with pytest.raises(httpx2.ReadTimeout):
        client.post("/v1/check", content=record, timeout=0.7)
    assert gone(set(children(process.pid)) - set(idle))
    assert client.post("/v1/check", content=RECORD).status_code == 200


def test_a_run_that_is_removed_stops_at_once(at_work, running):
    client, (place, busy) = running.client, at_work
    assert client.delete(place).status_code == 204
    assert gone(busy)
    assert client.get(place).status_code == 404
    assert not (running.data / place[4:]).exists()
    assert finished(client, client.post("/v1/runs", content=RECORD).headers["location"])["state"] == "done"


def test_a_worker_that_is_killed_takes_nobody_down(at_work, running):
    client, (place, busy) = running.client, at_work
    for pid in busy:
        os.kill(pid, signal.SIGKILL)
    run = finished(client, place)
    assert (run["state"], run["detail"]) == ("failed", "the worker was killed (out of memory?)")
    assert "failed" in client.get(f"{place}/tables.zip").json()["detail"]
    assert client.post("/v1/check", content=RECORD).status_code == 200


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_goes_on_where_the_end_of_a_server_has_stopped_it(long, expected, tmp_path, stop):
    with server("--data", tmp_path, "--jobs", 2) as (process, client):
        place = client.post("/v1/runs?name=long.zip", content=long.read_bytes()).headers["location"]
        begun(client, place)
        below = children(process.pid)
        process.send_signal(stop)
        process.wait(10)
    assert gone(below)
    run = tmp_path / place[4:] / "tables"
    noted = json.loads((run / "manifest.json").read_text())["parts"]
    made = {
        number: (run / "moves" / f"part-{number}.parquet").stat().st_mtime_ns
        for number, part in noted.items()
        # its end may have come while duplicates were marked
        if store.part_digest(run / "games" / f"part-{number}.parquet") == part["sha256"]["games"]
    }
    with server("--data", tmp_path, "--jobs", 1) as (_, client):
        assert finished(client, place)["state"] == "done"
        assert tables(client, place) == expected
        for number, when in made.items():
            assert (run / "moves" / f"part-{number}.parquet").stat().st_mtime_ns == when
