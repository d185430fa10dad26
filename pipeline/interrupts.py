"""Ctrl-C and SIGTERM: never lost, never in the middle of starting workers, and heard only once."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
"""What asks a process to stop."""


class _Stop:
    """Takes signals: the first that ``came`` is raised as KeyboardInterrupt, where there is a `kept` to raise it in;
    what comes while the process is stopping changes nothing."""

    def __init__(self) -> None:
        self.came = 0
        self.kept = 0
        self._raised = False
        self._told = sys.unraisablehook

    def begin(self, *signals: signal.Signals) -> None:
        """Take ``signals``, but leave alone what is ignored or has another handler than Python's own."""
        sys.unraisablehook = self._tell
        for number in signals:
            if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
                signal.signal(number, self._take)

    def end(self, handlers: dict[signal.Signals, Any]) -> None:
        """Take no more: let ``handlers`` have what is taken."""
        for number, handler in handlers.items():
            if signal.getsignal(number) == self._take:
                signal.signal(number, handler)
        sys.unraisablehook = self._told

    def check(self) -> None:
        if self.came:
            self._raised = True
            raise KeyboardInterrupt

    def check_unheard(self) -> None:
        if self.kept and not self._raised:
            self.check()

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.came = self.came or number
        if not _is_held():
            self.check_unheard()

    def _tell(self, swallowed: Any) -> None:
        if self.came and issubclass(swallowed.exc_type, KeyboardInterrupt):
            self._raised = False
        else:
            self._told(swallowed)


_stop: _Stop | None = None


def begin() -> None:
    """For a process that is all ours: from now on take `SIGNALS`, and raise them in `kept` alone."""
    global _stop
    _stop = _Stop()
    _stop.begin(*SIGNALS)


def end() -> None:
    """What comes while Python takes leave is too late."""
    if _stop:
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        _stop.end(dict.fromkeys(SIGNALS, signal.SIG_IGN))


def exit_code() -> int:
    """What shells call the end of a process that was asked to stop: 130 by Ctrl-C, 143 by SIGTERM."""
    return 128 + (_stop.came if _stop and _stop.came else signal.SIGINT)


@contextmanager
def kept() -> Iterator[Callable[[], None]]:
    """Raise what asks to stop as KeyboardInterrupt, and keep one that Python cannot raise where it arrives: in a
    ``__del__`` or a callback it would be swallowed.

    Yields a function that raises KeyboardInterrupt if there has been one; so do the beginning and the end. Unless
    `begin` has been called that is Ctrl-C alone; another handler than Python's own is left alone, and in a thread
    there is none.
    """
    global _stop
    if threading.current_thread() is not threading.main_thread():
        yield _nothing
    elif _stop is None:
        _stop = _Stop()
        _stop.begin(signal.SIGINT)
        try:
            with kept() as check:
                yield check
        finally:
            _stop.end({signal.SIGINT: signal.default_int_handler})
            _stop = None
    else:
        stop = _stop
        stop.kept += 1
        try:
            stop.check()
            yield stop.check
            stop.check()
        finally:
            stop.kept -= 1


@contextmanager
def held() -> Iterator[None]:
    """Let what asks to stop wait until the end, here and in every process forked meanwhile."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if _stop and not _is_held():
        _stop.check_unheard()


def leave_to_parent() -> None:
    """In a process forked while they were `held`: heed no Ctrl-C, which the parent has, too, and end by SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def _is_held() -> bool:
    """Whether this thread holds them off: another thread may have taken one all the same."""
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def _nothing() -> None:
    pass
