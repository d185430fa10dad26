"""A process that draws charts while this one still counts: drawing takes as long as reading ten million plies."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool

from pipeline import forked
from pipeline.reports import charts


class Artist:
    """Loads matplotlib at once, and draws what it is given in turn. To be made before polars is loaded, whose threads a
    forked process would miss."""

    def __init__(self) -> None:
        self._pool = forked.pool(1)
        self._pool.submit(charts.settings)

    def draw(self, picture: Callable[[], str]) -> Callable[[], str]:
        """``picture`` as it is being drawn there; drawn here after all where that process is gone."""
        try:
            drawing = self._pool.submit(picture)
        except BrokenProcessPool:
            return picture

        def drawn() -> str:
            try:
                return drawing.result()
            except (BrokenProcessPool, CancelledError):
                return picture()

        return drawn

    def __enter__(self) -> Artist:
        return self

    def __exit__(self, *_: object) -> None:
        forked.end(self._pool)  # what nobody has fetched is not wanted
