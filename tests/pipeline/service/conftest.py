"""The service in this process, for requests that need no network."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
DATA = REPOSITORY / "data"


@pytest.fixture(scope="session")
def client(tmp_path_factory):
    """A client of one service for all tests, with its data in ``client.data``."""
    testclient = pytest.importorskip("starlette.testclient", reason="no starlette", exc_type=ImportError)
    pytest.importorskip("python_multipart", reason="no python-multipart")
    from pipeline.service.app import app

    data = tmp_path_factory.mktemp("service")
    with testclient.TestClient(app(data), base_url="http://localhost") as client:
        client.data = data
        yield client
