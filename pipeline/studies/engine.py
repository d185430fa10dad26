"""A UCI engine beside a study: its evaluations of the main line. Not there yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from adjudicator import Ruleset


class EngineError(RuntimeError):
    """The engine cannot be started, does not know the game, or stopped answering."""


@contextmanager
def open_engine(command: str | None, rules: Ruleset) -> Iterator[Any]:
    yield None


def evaluate(game: dict[str, Any], engine: Any, nodes: int) -> None:
    pass
