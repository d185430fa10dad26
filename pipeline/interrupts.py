"""Ctrl-C during a run: never lost, and never in the middle of starting workers."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def kept() -> Iterator[Callable[[], None]]:
    """Keep a Ctrl-C that Python cannot raise where it arrives: in a ``__del__`` or a callback it would be swallowed.

    Yields a function that raises KeyboardInterrupt if there has been one; so does the end. Another handler than
    Python's own is left alone, and in a thread there is none.
    """
    came = False

    def take(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        if not _is_held():
            raise KeyboardInterrupt

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    def tell(swallowed: Any) -> None:
        if not (came and issubclass(swallowed.exc_type, KeyboardInterrupt)):
            told(swallowed)

    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    told, sys.unraisablehook = sys.unraisablehook, tell
    signal.signal(signal.SIGINT, take)
    try:
        yield check
        check()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = told


@contextmanager
def held() -> Iterator[None]:
    """Let Ctrl-C wait until the end, here and in every process forked meanwhile."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _is_held() -> bool:
    """Whether this thread holds Ctrl-C off: another thread may have taken it all the same."""
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
