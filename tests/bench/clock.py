"""Taking times: wall clock and CPU, medians of repeats, on one processor where the system lets us choose.

Wall times suffer when other work shares the machine; CPU times are the steadier ones, and ratios are made of
both.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Time:
    """Seconds by the clock, and of CPU in this process and in children that have ended."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Time:
        own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
        return cls(time.perf_counter(), cpu)

    def __sub__(self, other: Time) -> Time:
        return Time(self.wall - other.wall, self.cpu - other.cpu)


def middle(times: list[Time]) -> Time:
    return Time(median(t.wall for t in times), median(t.cpu for t in times))


def alternate(works: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, Time]:
    """The median time of each work; they take turns, so that noise falls on all of them alike.

    A work with a clock of its own returns the `Time` it took.
    """
    times: dict[str, list[Time]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = Time.now()
            own = work()
            times[name].append(own if isinstance(own, Time) else Time.now() - start)
    return {name: middle(taken) for name, taken in times.items()}


@contextmanager
def one_processor() -> Iterator[None]:
    """Keep this process, and those it starts, on one processor."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Stopwatch:
    """Exclusive time per stage: `watch` a function under a stage's name, and inner stages are taken off outer ones."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inner = [0.0]
        self._replaced: list[tuple[Any, str, Any]] = []

    def watch(self, owner: Any, name: str, stage: str) -> None:
        """Time every call of ``owner.name`` until `stop`."""
        function = getattr(owner, name)
        self.seconds.setdefault(stage, 0.0)

        def timed(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            self._inner.append(0.0)
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.process_time() - start
                self.seconds[stage] += spent - self._inner.pop()
                self._inner[-1] += spent

        self._replaced.append((owner, name, function))
        setattr(owner, name, timed)

    def stop(self) -> None:
        while self._replaced:
            owner, name, function = self._replaced.pop()
            setattr(owner, name, function)
