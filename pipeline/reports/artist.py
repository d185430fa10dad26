"""A process that draws charts while this one still counts: drawing takes as long as reading ten million plies."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from multiprocessing.connection import Connection

from pipeline import interrupts
from pipeline.reports import charts

_START = "fork" if sys.platform == "linux" else "spawn"
_HEED = 0.2
"""Seconds after which a wait looks up: Ctrl-C does not end one without end where polars has been at work."""


class Artist:
    """Loads matplotlib at once, and draws what it is given in turn; for ``with``.

    Where there can be no process, or it is gone, charts are drawn here. To be made before polars is loaded: a forked
    process has none of its threads.
    """

    def __init__(self) -> None:
        self._over = False
        self._errands = ThreadPoolExecutor(1)  # carries one chart there at a time, and its picture back
        self._ours, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context(_START).Process(  # type: ignore[attr-defined]
            target=_draw, args=(theirs, self._ours), daemon=True
        )
        try:
            with interrupts.held(), warnings.catch_warnings():
                # From 3.12 on Python warns of every thread that there is at a fork, harmful or not.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process.start()
        except (OSError, AssertionError):  # none more, or none for a daemon
            self._ours.close()
        theirs.close()

    def draw(self, picture: Callable[[], str]) -> Callable[[], str]:
        """``picture`` as it is being drawn; raises what drawing it raises."""
        drawing = self._errands.submit(self._have_drawn, picture)
        return lambda: _fetched(drawing)

    def _have_drawn(self, picture: Callable[[], str]) -> str:
        try:
            self._ours.send(picture)
            said = self._ours.recv()
        except (EOFError, OSError):
            return "" if self._over else picture()
        if isinstance(said, Exception):
            raise said
        return said

    def __enter__(self) -> Artist:
        return self

    def __exit__(self, *_: object) -> None:
        """What nobody has fetched is not wanted."""
        self._over = True
        self._errands.shutdown(wait=False, cancel_futures=True)
        if self._process.pid is not None:
            self._process.kill()
            self._process.join()


def _fetched(drawing: Future[str]) -> str:
    while not drawing.done():
        wait([drawing], _HEED)
    return drawing.result()


def _draw(charts_in: Connection, other_end: Connection) -> None:
    """In the process: draw what comes until nothing more does. Ctrl-C is for the one that counts."""
    interrupts.leave_to_parent()
    other_end.close()
    gc.freeze()
    charts.settings()
    with suppress(EOFError, OSError):
        while True:
            charts_in.send(_drawn(charts_in.recv()))


def _drawn(picture: Callable[[], str]) -> str | Exception:
    try:
        return picture()
    except Exception as error:
        return error
