"""The service in this process, for requests that need no network."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
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
