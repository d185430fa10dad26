import os
from pathlib import Path

import pytest
from hypothesis import settings

from browsing import browser, show  # noqa: F401 (fixtures, one browser for all tests)
from serving import client, running  # noqa: F401 (and one service)

# The suite tries the same examples every time; CAIPAN_FUZZ=1 tries new ones, and many more of them.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=1000, deadline=None)
settings.load_profile("fuzz" if os.environ.get("CAIPAN_FUZZ") else "suite")

REPOSITORY = Path(__file__).resolve().parents[1]


def shared(path: str = "") -> Path:
    """A path in the shared material beside the checkout; skips the test where it is absent."""
    root = Path(os.environ.get("CAIPAN_SHARED", REPOSITORY.parent / "shared"))
    if not (root / path).exists():
        pytest.skip(f"shared material is not here: {path}")
    return root / path
