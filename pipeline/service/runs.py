"""Runs over archives that are sent: a queue of them, so many worked at once, and their tables for as long as they are
kept.

A run is a folder of its own with what was sent, what was asked (`NAME`) and the tables; a run that the end of the
server has stopped goes on where it was when another is started over the same folder.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pipeline import store
from pipeline.service.errands import ANSWER, RECORDS, TABLES, Answer, Errand, Json, Trouble, written
from pipeline.service.workers import Busy, Child

NAME: Final = "run.json"
WAITING, WORKING, DONE, FAILED = "waiting", "working", "done", "failed"

PATIENCE = 5.0
"""Seconds that a run has to note down how far it has come, and a request to be answered, when the server ends."""


@dataclass(slots=True)
class Run:
    """A run: where it is, what was asked, and what has come of it. ``head`` says by which rules, ``detail`` why it
    failed; ``progress`` is None until it works."""

    folder: Path
    record: str
    bytes: int
    created: str
    arguments: list[str]
    own: dict[str, str]
    head: Json
    state: str = WAITING
    summary: Json | None = None
    detail: str | None = None
    progress: Json | None = None

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def over(self) -> bool:
        return self.state in (DONE, FAILED)

    def errand(self, jobs: int | None = None) -> Errand:
        return Errand(self.folder, self.record, own=self.own, run=self.folder, jobs=jobs)

    def tables(self) -> dict[str, Path]:
        """The files that it has written, by their path in the folder of tables."""
        return written(self.folder / TABLES) if self.state == DONE else {}

    def told(self) -> Json:
        """What anybody may know of it."""
        return {
            "id": self.id,
            "state": self.state,
            "record": self.record,
            "bytes": self.bytes,
            "created": self.created,
            **self.head,
            "progress": self.progress,
            "detail": self.detail,
            "summary": self.summary,
            "tables": [{"path": path, "bytes": file.stat().st_size} for path, file in self.tables().items()],
        }

    def save(self) -> None:
        kept = {name.name: getattr(self, name.name) for name in fields(self) if name.name not in _PASSING}
        store.write_whole(self.folder / NAME, json.dumps(kept, ensure_ascii=False, indent=1).encode() + b"\n")

    @classmethod
    def load(cls, folder: Path) -> Run | None:
        """The run in ``folder``; None where there is none."""
        try:
            return cls(folder, **json.loads((folder / NAME).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None


_PASSING = ("folder", "progress")


@dataclass(slots=True)
class Runs:
    """The runs in ``folder``: ``most`` are worked at once, each with ``jobs`` processes, and ``waiting`` may wait."""

    folder: Path
    most: int
    waiting: int
    jobs: int | None = None
    _runs: dict[str, Run] = field(default_factory=dict)
    _at_work: dict[str, tuple[Child, asyncio.Task[None]]] = field(default_factory=dict)
    _ending: bool = False

    def __iter__(self) -> Iterator[Run]:
        """The newest first."""
        return iter(sorted(self._runs.values(), key=lambda run: (run.created, run.id), reverse=True))

    def get(self, name: str) -> Run | None:
        return self._runs.get(name)

    def check_room(self) -> None:
        """Raise `Busy` when a run would have to wait, and no more may."""
        waiting = sum(run.state == WAITING for run in self._runs.values())
        if len(self._at_work) >= self.most and waiting >= self.waiting:
            raise Busy

    def add(self, given: Errand, arguments: Sequence[str], head: Json) -> Run:
        """Queue a run over what was sent; its folder becomes the run's. Raises `Busy`."""
        self.check_room()
        size = (given.folder / RECORDS / given.record).stat().st_size
        folder = self.folder / secrets.token_hex(8)
        self.folder.mkdir(parents=True, exist_ok=True)
        given.folder.rename(folder)
        (folder / ANSWER).unlink(missing_ok=True)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        run = Run(folder, given.record, size, now, list(arguments), dict(given.own), head)
        run.save()
        self._runs[run.id] = run
        self._begin()
        return run

    def start(self) -> None:
        """Take up what an earlier server has left."""
        shutil.rmtree(self._gone, ignore_errors=True)
        found = (Run.load(folder) for folder in sorted(self.folder.glob("*")))
        self._runs = {run.id: run for run in found if run}
        for run in self._runs.values():
            if not run.over:
                run.state = WAITING
        self._begin()

    async def stop(self) -> None:
        """Stop all runs, which go on when another server starts."""
        self._ending = True
        tasks = [task for _, task in self._at_work.values()]
        for child, _ in self._at_work.values():
            child.interrupt()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=PATIENCE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def remove(self, run: Run) -> None:
        """Stop a run and forget it, with its tables."""
        del self._runs[run.id]
        if run.id in self._at_work:
            _, task = self._at_work[run.id]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._gone.mkdir(parents=True, exist_ok=True)
        gone = run.folder.rename(self._gone / run.id)  # whoever is at work there writes to no other run
        await asyncio.to_thread(shutil.rmtree, gone, ignore_errors=True)

    @property
    def _gone(self) -> Path:
        return self.folder.with_name("gone")

    def _begin(self) -> None:
        """Start as many of those that wait as may be worked, the oldest first."""
        waiting = sorted(
            (run for run in self._runs.values() if run.state == WAITING), key=lambda run: run.created
        )
        for run in waiting[: max(0, self.most - len(self._at_work))]:
            child = Child(run.errand(self.jobs), "adjudicate", run.arguments, patient=True)
            run.state = WORKING
            self._at_work[run.id] = child, asyncio.create_task(self._work(run, child))

    async def _work(self, run: Run, child: Child) -> None:
        try:
            while not run.over:
                said = await child.hear()
                if isinstance(said, Answer):
                    run.summary = json.loads((run.folder / ANSWER).read_bytes())
                    run.state = DONE
                elif isinstance(said, Trouble):
                    run.state, run.detail = FAILED, said.detail
                elif said is not None:
                    run.progress = said
                elif self._ending:
                    return
                else:
                    run.state, run.detail = FAILED, "the worker was killed (out of memory?)"
            run.save()
        except (OSError, ValueError) as error:  # a full disk
            run.state, run.detail = FAILED, f"what came of it cannot be kept: {error}"
        finally:
            child.kill()
            del self._at_work[run.id]
            if not self._ending:
                self._begin()
