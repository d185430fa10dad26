"""The oracle rows kept in tests/data/oracle, and their letters in the rules page's words."""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "data" / "oracle"
# The engines' drop letters -> the page's (page, "Shared words").
DROPPED = {"N@": "H@", "Q@": "T@"}
# All rows instead of a sample: minutes instead of seconds.
FULL = bool(os.environ.get("CAIPAN_FULL_ORACLE"))


@cache
def rows(name: str) -> tuple[dict[str, Any], ...]:
    """The rows of ``name`` ("perft" and so on, see the folder's README); shared, so not to be changed."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def sample(found: list[Any], every: int) -> list[Any]:
    """One row in ``every``, or all of them under ``CAIPAN_FULL_ORACLE``."""
    return found if FULL else found[::every]


def move_text(engine: str) -> str:
    """An engine's move as the rules page writes it: ``N@d4`` is ``H@d4``."""
    return DROPPED.get(engine[:2], engine[:2]) + engine[2:]
