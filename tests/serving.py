"""The service: in this process, for requests that need no network, and as a server."""

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = REPOSITORY / "data"
PACKAGES = ("starlette", "uvicorn", "python_multipart", "httpx2")
"""What the service and its tests need besides caipan; without it they skip."""


@pytest.fixture(scope="session")
def client(tmp_path_factory):
    """A client of one service for all tests, with its data in ``client.data``."""
    for package in PACKAGES:
        pytest.importorskip(package)
    from starlette.testclient import TestClient

    from pipeline.service.app import app

    data = tmp_path_factory.mktemp("service")
    with TestClient(app(data), base_url="http://localhost") as client:
        client.data = data
        yield client


@contextmanager
def server(*options, stop=signal.SIGTERM):
    """A server's process and a client of it; stopped at the end, if it still is there."""
    for package in PACKAGES:
        pytest.importorskip(package)
    import httpx2

    command = [sys.executable, "-m", "pipeline", "serve", "--port", "0", *map(str, options)]
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            address = process.stdout.readline().split()[-1]
            with httpx2.Client(base_url=address, trust_env=False, timeout=30) as client:
                assert client.get("/v1/health").json()["status"] == "ok"
                yield process, client
        finally:
            process.send_signal(stop)
            process.wait(20)


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """A server for all tests that stop none: its ``client``, ``process`` and ``data``."""
    data = tmp_path_factory.mktemp("served")
    with server("--data", data, "--jobs", 2, "--queue", 1) as (process, client):
        yield SimpleNamespace(client=client, process=process, data=data)


def finished(client, place):
    """The run at ``place`` when it is over."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        run = client.get(place).json()
        if run["state"] in ("done", "failed"):
            return run
        time.sleep(0.02)
    raise AssertionError(run)
