import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def shared(path: str = "") -> Path:
    """A path in the shared material beside the checkout; skips the test where it is absent."""
    root = Path(os.environ.get("CAIPAN_SHARED", REPOSITORY.parent / "shared"))
    if not (root / path).exists():
        pytest.skip(f"shared material is not here: {path}")
    return root / path
