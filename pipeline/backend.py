"""joblib over forked workers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from joblib.parallel import ParallelBackendBase

from pipeline import forked


class Forked(ParallelBackendBase):  # type: ignore[misc]  # joblib has no types
    """Forks its workers when it is configured; a worker that dies breaks the pool (`BrokenProcessPool`)."""

    supports_retrieve_callback = True

    def effective_n_jobs(self, n_jobs: int) -> int:
        return n_jobs

    def configure(self, n_jobs: int = 1, parallel: Any = None, **options: Any) -> int:
        self.parallel = parallel
        self._pool = forked.pool(n_jobs)
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
        forked.end(self._pool)
