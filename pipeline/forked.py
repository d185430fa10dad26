"""Worker processes that are forked from this one, and so start at once: the modules, rule sets and tables that it has
loaded are theirs.

Loky's workers import everything anew, which takes longer than a million plies. Linux only: elsewhere the system's own
libraries do not survive a fork, and workers are spawned. Nothing that a worker does here waits for a thread of the
parent: Arrow starts its threads anew after a fork, and polars is not used.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor

from pipeline import interrupts

CAN_FORK = sys.platform == "linux"


def pool(jobs: int) -> ProcessPoolExecutor:
    """So many workers, which have started; they heed no Ctrl-C, and leave with this process."""
    context = multiprocessing.get_context("fork" if CAN_FORK else "spawn")
    made = ProcessPoolExecutor(jobs, context, initializer=_begin)
    try:
        with interrupts.held(), warnings.catch_warnings():
            # From 3.12 on Python warns of every thread that there is at a fork, harmful or not.
            warnings.simplefilter("ignore", DeprecationWarning)
            made.submit(os.getpid)
    except KeyboardInterrupt:
        end(made)
        raise
    return made


def end(pool: ProcessPoolExecutor) -> None:
    """End the workers of ``pool`` at once: what they are at may take long."""
    for worker in [*(pool._processes or {}).values()]:
        worker.kill()
    pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """In a worker: leave Ctrl-C to the parent, and leave with it; let the garbage collector pass over what is the
    parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # until here it was held off
    gc.freeze()
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
