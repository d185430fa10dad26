"""Processes for errands: each has one of its own, which may take so long and so much memory, and whose end ends nothing
else.

They are forked from a process that has loaded what errands need and does nothing but fork (`multiprocessing`'s fork
server), so that one begins in milliseconds, and holds nothing of the server's.
"""

from __future__ import annotations

import asyncio
import gc
import mmap
import multiprocessing
import os
import resource
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.service.errands import Answer, Errand, Trouble

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["pipeline.service.loaded"])

MOST_DETAIL = 10_000
"""Characters of what is said of a trouble."""


LESS = {
    "check": (
        "name fewer games, as game=1-100, or start a run, which may take its time",
        "请指定较少的棋局，如 game=1-100，或用批量裁定",
    ),
    "study": (
        "name fewer games, as game=1-20, or have pick= and count= choose some",
        "请指定较少的棋局，如 game=1-20，或用 pick= 与 count= 挑选",
    ),
}
"""What can be asked for instead of what takes too long, in English and Chinese."""


class Busy(Exception):
    """All processes are at work, and as many requests wait as may."""


@dataclass(slots=True)
class Workers:
    """Does errands, so many of ``most`` at once; as many ``waiting`` wait, the others are `Busy`.

    ``timeout`` in seconds, ``memory`` in bytes, which an errand may take beyond what all have.
    """

    most: int
    waiting: int
    timeout: float
    memory: int
    _free: asyncio.Semaphore | None = None
    _queued: int = 0

    async def do(self, errand: Errand, name: str, arguments: Sequence[str]) -> Answer | Trouble:
        """The answer to ``errand``, or why there is none. Raises `Busy`."""
        from pipeline.service.errands import Trouble

        self._free = self._free or asyncio.Semaphore(self.most)
        if self._free.locked() and self._queued >= self.waiting:
            raise Busy
        self._queued += 1
        try:
            await asyncio.wait_for(self._free.acquire(), self.timeout)
        except TimeoutError:
            raise Busy from None
        finally:
            self._queued -= 1
        child = None
        try:
            child = Child(errand, name, arguments, self.memory)
            return await asyncio.wait_for(child.last(), self.timeout)
        except TimeoutError:
            why = f"stopped: the request takes more than {self.timeout:g} seconds"
            chinese = f"已停止：请求超过 {self.timeout:g} 秒"
            if name in LESS:
                why, chinese = f"{why}; {LESS[name][0]}", f"{chinese}；{LESS[name][1]}"
            return Trouble(503, why, chinese)
        finally:
            if child:
                child.kill()
            self._free.release()


class Child:
    """A process at work on an errand, which tells what it has to say, its `Answer` or `Trouble` at last."""

    def __init__(
        self, errand: Errand, name: str, arguments: Sequence[str], memory: int = 0, patient: bool = False
    ):
        """``memory`` 0 is as much as there is; one that is ``patient`` heeds `interrupt`."""
        self._ours, theirs = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(
            target=_work, args=(theirs, errand, name, list(arguments), memory, patient), daemon=False
        )
        self._process.start()
        theirs.close()

    async def hear(self) -> Any:
        """The next thing it tells; None when it is gone."""
        loop = asyncio.get_running_loop()
        there = asyncio.Event()
        loop.add_reader(self._ours.fileno(), there.set)
        try:
            await there.wait()
        finally:
            loop.remove_reader(self._ours.fileno())
        try:
            return self._ours.recv()
        except (EOFError, OSError):
            return None

    async def last(self) -> Answer | Trouble:
        """What it says at last; a trouble where it said nothing."""
        from pipeline.service.errands import Answer, Trouble

        while True:
            said = await self.hear()
            if isinstance(said, Answer | Trouble):
                return said
            if said is None:
                return Trouble(500, "the worker was killed (out of memory?)", "处理中断（内存不足？）")

    def interrupt(self) -> None:
        """As Ctrl-C does."""
        pid = self._process.pid
        if pid and self._process.is_alive():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)

    def kill(self) -> None:
        """End it and all that it started."""
        pid = self._process.pid
        if pid and self._process.is_alive():
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:  # it has not come to be a group of its own
                self._process.kill()
        self._process.join()
        self._process.close()
        self._ours.close()


def start() -> None:
    """Start the process that forks the others, which loads what they need."""
    process = _CONTEXT.Process(target=_nothing)
    process.start()
    process.join()


def _nothing() -> None:
    pass


# -- in the process ----------------------------------------------------------------------------------


def _work(
    channel: Connection, errand: Errand, name: str, arguments: list[str], memory: int, patient: bool
) -> None:
    from pipeline import forked

    os.setsid()  # a Ctrl-C on the server's terminal is the server's
    signal.signal(signal.SIGINT, signal.default_int_handler if patient else signal.SIG_IGN)
    forked.leave_with_parent()
    if memory:
        limit = _addresses() + memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    gc.freeze()
    with suppress(BrokenPipeError):
        channel.send(_done(replace(errand, tell=channel.send), name, arguments))


def _addresses() -> int:
    """Bytes of addresses that this process has, most of which no memory is behind; 0 where nobody says."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
    except OSError:
        return 0


def _done(errand: Errand, name: str, arguments: list[str]) -> Answer | Trouble | None:
    """The answer, or what is in its way; None when it was interrupted."""
    import click

    from pipeline.service.errands import ERRANDS, Trouble

    try:
        os.chdir(errand.place)
        command = ERRANDS[name]
        with command.make_context(name, arguments, obj=errand) as context:
            return command.invoke(context)
    except click.ClickException as error:
        return Trouble(_status(error), error.format_message()[:MOST_DETAIL])
    except KeyboardInterrupt:
        return None
    except MemoryError:
        why = "the request needs more memory than it may have"
        return Trouble(413, why, "请求需要的内存超过限度")
    except Exception as error:
        # What the error says may be of the records, which are nobody else's business.
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__} ({Path(place.filename).name}:{place.lineno})"
        print(f"caipan serve: {name}: {why}", file=sys.stderr)
        return Trouble(500, f"caipan could not do it: {why}")


def _status(error: Any) -> int:
    """Of an error of the command line: most are what was asked, some what this server has not."""
    from pipeline.service.errands import Missing, TooLarge
    from pipeline.sources import lacks_memory

    if isinstance(error, Missing | TooLarge):
        return 404 if isinstance(error, Missing) else 413
    cause = error.__context__
    if isinstance(cause, Exception) and lacks_memory(cause):
        return 413
    if isinstance(cause, ModuleNotFoundError):
        return 501
    return 500 if isinstance(cause, OSError) else 422
