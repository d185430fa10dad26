"""A joblib backend whose workers are forked from this process, and so start at once: the modules, rule sets and
tables that it has loaded are theirs.

Loky's workers import everything anew, which takes longer than a million plies. Linux only: elsewhere the system's own
libraries do not survive a fork. Nothing that a worker does here waits for a thread of the parent: Arrow starts its
threads anew after a fork, and polars is not used.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import pyarrow as pa
from joblib.parallel import ParallelBackendBase

from pipeline import interrupts


class Forked(ParallelBackendBase):  # type: ignore[misc]  # joblib has no types
    """Forks its workers when it is configured; a worker that dies breaks the pool (`BrokenProcessPool`)."""

    supports_retrieve_callback = True

    def effective_n_jobs(self, n_jobs: int) -> int:
        return n_jobs

    def configure(self, n_jobs: int = 1, parallel: Any = None, **options: Any) -> int:
        self.parallel = parallel
        context = multiprocessing.get_context("fork")
        self._pool = ProcessPoolExecutor(n_jobs, context, initializer=_begin)
        try:
            with interrupts.held(), warnings.catch_warnings():
                # From 3.12 on Python warns of every thread that there is at a fork, harmful or not.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._pool.submit(os.getpid)
        except KeyboardInterrupt:
            self.abort_everything()
            raise
        # All workers are forked, and these ends are theirs alone now: what is written to workers that are gone fails,
        # and what they have half written ends. Before 3.11.5 Python would wait for ever (its issue 94777).
        self._pool._call_queue._reader.close()  # type: ignore[attr-defined]
        self._pool._result_queue._writer.close()  # type: ignore[attr-defined]
        return n_jobs

    def submit(self, func: Callable[[], Any], callback: Callable[[Future[Any]], Any]) -> Future[Any]:
        future = self._pool.submit(func)
        future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, future: Future[Any]) -> Any:
        return future.result()

    def terminate(self) -> None:
        self._pool.shutdown(wait=False)  # they end beside us

    def abort_everything(self, ensure_ready: bool = True) -> None:
        # They heed no Ctrl-C, and what they are at may take long.
        for worker in [*(self._pool._processes or {}).values()]:
            worker.kill()
        self._pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """In a worker: leave Ctrl-C to the parent, and leave with it; look seldom for garbage, and never among what is the
    parent's, since most of what a shard makes lives as long as it does; let Arrow, too, take what `memory.keep` keeps.
    """
    interrupts.leave_to_parent()
    gc.freeze()
    gc.set_threshold(100_000)
    pa.set_memory_pool(pa.system_memory_pool())
    leave_with_parent()


def leave_with_parent() -> None:
    """End this process when the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    assert parent

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
