"""A run over any number of records: plan it, work its shards, join the results.

The shards, and so the bytes of every part, depend on the input and the options alone: not on the number of
workers, their order, or how often the run was stopped and taken up again.
"""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import joblib
import pyarrow as pa
import pyarrow.compute as pc

from notation.finding import Finding
from pipeline import __version__, interrupts, manifest, memory, schemas, sources, stages, store
from pipeline.forked import Forked
from pipeline.manifest import Manifest, Part
from pipeline.shards import Plan, Shard
from pipeline.stages import Options

WORKING = ".working"


class RunFailed(Exception):
    """Some shards could not be worked; all others are done, and the next run takes up the rest."""


@dataclass(slots=True)
class Summary:
    """What a run came to under ``rules`` and ``book`` (ids), counted over all records. ``results`` counts (result,
    reason)."""

    out: Path
    rules: str
    book: str
    games: int = 0
    plies: int = 0
    duplicates: int = 0
    results: Counter[tuple[str, str]] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    severities: Counter[str] = field(default_factory=Counter)
    advice: Counter[str] = field(default_factory=Counter)
    """What records of other games are to be read with."""
    without_games: list[str] = field(default_factory=list)
    troubles: list[Finding] = field(default_factory=list)
    """Findings about whole files, folders and archives."""

    @property
    def contradicted(self) -> tuple[int, int]:
        """How many recorded results the rules contradict: at the last ply, and in records that play on past the
        end."""
        at_end = self.claims["contradicts"]
        return at_end, self.findings["result-contradicts"] - at_end

    @property
    def sound(self) -> bool:
        """No finding above a note, and every file and path held records: what ``--strict`` asks for."""
        return not (self.severities["error"] or self.severities["warning"] or self.without_games)

    def add(self, part: Mapping[str, Any]) -> None:
        self.games += part["games"]
        self.plies += part["plies"]
        self.results.update({(result, reason): n for result, reason, n in part["results"]})
        self.claims.update(part["claims"])
        self.findings.update(part["findings"])
        self.severities.update(part["severities"])
        self.advice.update(part["advice"])


Stage = Callable[[Shard, Options], stages.Tables]

Progress = Callable[[int, int, int], None]
"""Called with bytes done and to do, and games done, all without what an earlier session did."""


def adjudicate(
    paths: Iterable[Path | str],
    *,
    rules: str,
    out: Path,
    book: str | None = None,
    settings: Mapping[str, Any] | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
    stage: Stage = stages.adjudicate,
) -> Summary:
    """Rule on every record under ``paths`` and write the three tables to ``out``.

    ``jobs`` workers (default: one per processor; 1 works in this process). Raises `RulesetError` for rules
    that cannot be used, `sources.NoSuchPath`, `manifest.OtherRun` when ``out`` holds something else, and
    `RunFailed` when shards failed. Faults of records are counted in the summary, never raised.
    """
    options = Options.of(rules, book, settings, encoding)
    listing = sources.find(paths)
    plan = Plan(listing.sources, encoding)
    if out.exists() and any(out.iterdir()):  # what is there is looked at before anything is worked
        plan.finish()
        todo = manifest.open_run(out, _head(plan, options), force)
    else:
        todo = Manifest(out, manifest.unplanned(_head(plan, options)))
    with locked(out), interrupts.kept() as check:
        todo.forget_broken()
        todo.sweep()
        shutil.rmtree(out / WORKING, ignore_errors=True)  # of a run that was killed
        todo.save()
        work(plan, options, todo, jobs or _fitting_jobs(plan), check, progress, stage)
        duplicates = _join(todo)
        troubles = [*listing.findings, *plan.findings, *listing.barren(plan.games)]
        if troubles:
            store.write_part(stages.findings_table(troubles), out / "findings" / "part-sources.parquet")
    return _summary(plan, todo, troubles, duplicates)


@contextmanager
def temporary(paths: Iterable[Path | str], **options: Any) -> Iterator[Summary]:
    """A run over ``paths``, as `adjudicate` makes it with ``options``, in a folder that is gone afterwards."""
    with interrupts.held():
        folder = tempfile.TemporaryDirectory(prefix="caipan-")
    try:
        yield adjudicate(paths, out=Path(folder.name) / "run", **options)
    finally:
        with interrupts.held():
            folder.cleanup()


def _fitting_jobs(plan: Plan) -> int:
    """A worker per processor, but none for work that is done before they have started."""
    return os.cpu_count() or 1 if plan.size > _WORTH_WORKERS else 1


_WORTH_WORKERS = 4 << 20  # bytes; below 3 MB workers gain nothing


def work(
    plan: Plan,
    options: Options,
    todo: Manifest,
    jobs: int,
    check: Callable[[], None],
    progress: Progress | None = None,
    stage: Stage = stages.adjudicate,
) -> None:
    """Put the shards of ``plan`` that ``todo`` does not have through ``stage``, and enter them there.

    Workers begin while the plan is still being made; parts are entered when it stands. ``check`` is called before
    and after each shard, and may raise to stop the run.
    """
    memory.keep()
    meter = _Meter(plan, todo, progress)
    failures: dict[int, str] = {}

    def waiting(group: Iterable[Shard]) -> Iterator[Shard]:
        for shard in group:
            check()
            if shard.number not in todo.parts and shard.number not in failures:
                yield shard
        todo.head = _head(plan, options)  # the plan stands now

    try:
        # A daemon, as the workers of a `multiprocessing.Pool` are, may have no processes of its own.
        if jobs == 1 or plan.size <= plan.shard_size or multiprocessing.current_process().daemon:
            for shard in [*waiting(plan)]:
                meter.take(_attempt(stage, shard, options, todo.out), failures)
                check()
        else:
            jobs = min(jobs, plan.size // plan.shard_size + 1)
            _work_in_parallel(stage, plan, waiting, options, todo, jobs, check, meter, failures)
            plan.finish()  # raises what broke it off: joblib may lose it where no worker was busy
    finally:
        todo.save()
    if failures:
        raise RunFailed(_failed(plan, failures))


def _failed(plan: Plan, failures: Mapping[int, str]) -> str:
    pieces = [piece for number in failures for piece in plan.shards[number].pieces]
    if any(piece.source.changed() for piece in pieces):
        advice = "files were changed meanwhile: run again with --force, or into another folder"
    else:
        advice = "run again to do the rest"
    lines = [f"{len(failures)} of {len(plan.shards)} shards failed; {advice}"]
    for number, why in sorted(failures.items()):
        names = plan.shards[number].names
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        lines.append(f"{', '.join(names[:3])}{more} (shard {number}): {why}")
    return "\n".join(lines)


Outcome = tuple[int, Part | None, str]
"""Number of a shard, and its part or what went wrong."""


def _attempt(stage: Stage, shard: Shard, options: Options, out: Path) -> Outcome:
    """Work one shard and write its parts."""
    try:
        tables = stage(shard, options)
        digests = {
            name: store.write_part(table, store.part_path(out, name, shard.number))
            for name, table in tables.items()
        }
        rows = {name: table.num_rows for name, table in tables.items()}
        return shard.number, Part(rows, digests, _counts(tables)), ""
    except Exception as error:  # whatever it was, the other shards go on and this one is named
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        return shard.number, None, why


def _counts(tables: stages.Tables) -> dict[str, Any]:
    games, findings = tables["games"], tables["findings"]
    results = _tally(games, "result", "reason")
    return {
        "games": games.num_rows,
        "plies": tables["moves"].num_rows,
        "results": [[*pair, count] for pair, count in results.items()],
        "claims": {claim: count for (claim,), count in _tally(games, "claim").items()},
        "findings": {code: count for (code,), count in _tally(findings, "code").items()},
        "severities": {severity: count for (severity,), count in _tally(findings, "severity").items()},
        "advice": _advice(findings),
    }


def _advice(findings: pa.Table) -> dict[str, int]:
    """What records of other games are to be read with, and how many, sorted."""
    others = findings.filter(pc.equal(findings["code"], pa.scalar("other-variant", pa.string())))[
        "suggestion"
    ]
    return dict(sorted(Counter(advice for advice in others.to_pylist() if advice).items()))


def _tally(table: pa.Table, *columns: str) -> dict[tuple[str, ...], int]:
    """How often each combination of values of dictionary ``columns`` occurs, sorted; null counts as ""."""
    key = pa.scalar(0, pa.int64())
    found: list[tuple[str, ...]] = [()]
    for name in columns:
        codes = table[name].combine_chunks()
        words = [*codes.dictionary.to_pylist(), ""]
        size = pa.scalar(len(words), pa.int64())
        key = pc.add(pc.multiply(key, size), codes.indices.fill_null(len(words) - 1))
        found = [(*before, word) for before in found for word in words]
    counted = pc.value_counts(key)
    counts = zip(counted.field("values").to_pylist(), counted.field("counts").to_pylist(), strict=True)
    return dict(sorted((found[code], count) for code, count in counts))


# -- workers -----------------------------------------------------------------------------------------


def _work_in_parallel(
    stage: Stage,
    plan: Plan,
    waiting: Callable[[Iterable[Shard]], Iterator[Shard]],
    options: Options,
    todo: Manifest,
    jobs: int,
    check: Callable[[], None],
    meter: _Meter,
    failures: dict[int, str],
) -> None:
    """Work the shards of ``plan`` that are ``waiting`` in ``jobs`` processes.

    When a process dies, all of them go. The shards that were at work are then tried one by one, each in a
    process of its own, so that the one that kills is found and named and costs nobody else anything.
    """
    groups: list[Iterable[Shard]] = [plan]
    while groups:
        group = groups.pop()
        try:
            with closing(_outcomes(stage, waiting(group), options, todo.out, jobs)) as outcomes:
                for outcome in outcomes:
                    meter.take(outcome, failures)
                    check()
        except BrokenProcessPool:
            todo.sweep()
            left = [*waiting(group)]
            if group is not plan and len(left) == 1:
                failures[left[0].number] = "its worker was killed (out of memory?)"
                continue
            at_work = _at_work(todo.out)
            suspects = [shard for shard in left if shard.number in at_work] or left
            rest = [shard for shard in left if shard not in suspects]
            groups += ([rest] if rest else []) + [[shard] for shard in suspects]
        finally:
            shutil.rmtree(todo.out / WORKING, ignore_errors=True)


def _outcomes(
    stage: Stage, shards_: Iterable[Shard], options: Options, out: Path, jobs: int
) -> Generator[Outcome, None, None]:
    """Outcomes as they come, once all shards have been handed out. Never fewer than two processes: joblib would work
    a single one in ours."""
    (out / WORKING).mkdir(exist_ok=True)
    # Whoever has chosen a backend of joblib's (Dask's, say) gets it, if it can tell outcomes as they come.
    chosen, _ = joblib.parallel.get_active_backend()
    ours = isinstance(chosen, joblib.parallel.LokyBackend) or not chosen.supports_return_generator
    forked = ours and sys.platform == "linux"
    parallel = joblib.Parallel(
        max(2, jobs),
        backend=Forked() if forked else "loky" if ours else None,
        batch_size=1,
        pre_dispatch="all",
        return_as="generator_unordered",
    )
    with _clean_import_path(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="joblib", category=UserWarning)  # told when a run is stopped
        yield from parallel(joblib.delayed(_marked)(stage, shard, options, out) for shard in shards_)


def _marked(stage: Stage, shard: Shard, options: Options, out: Path) -> Outcome:
    """Work one shard, and leave a mark meanwhile that tells who took this worker down."""
    mark = out / WORKING / str(os.getpid())
    mark.write_text(str(shard.number))
    outcome = _attempt(stage, shard, options, out)
    mark.write_text("")
    return outcome


def _at_work(out: Path) -> set[int]:
    """The shards that were at work when the workers went down."""
    marks = (mark.read_text() for mark in (out / WORKING).iterdir())
    return {int(number) for number in marks if number}


@contextmanager
def _clean_import_path() -> Iterator[None]:
    """Keep the working directory off the workers' import path: a signal.py there must not be theirs."""
    old = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if old is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = old


@contextmanager
def locked(out: Path) -> Iterator[None]:
    """Hold ``out`` for this process; the system lets go when it and its workers end, however they end."""
    out.mkdir(parents=True, exist_ok=True)
    handle = os.open(out, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise manifest.OtherRun(f"{out}: another process is writing here") from None
        yield
    finally:
        fcntl.flock(
            handle, fcntl.LOCK_UN
        )  # closing would not do: workers that are about to end have it open, too
        os.close(handle)


class _Meter:
    """Enters finished parts in the manifest, saves it now and then, and reports progress."""

    SAVE_EVERY = 5.0  # seconds

    def __init__(self, plan: Plan, todo: Manifest, progress: Progress | None):
        self.todo = todo
        self.progress = progress
        self.plan = plan
        self.size = plan.size - sum(shard.size for shard in plan.shards if shard.number in todo.parts)
        self.done = self.games = 0
        self.saved = time.monotonic()

    def take(self, outcome: Outcome, failures: dict[int, str]) -> None:
        number, part, why = outcome
        if part is None:
            failures[number] = why
        else:
            self.todo.parts[number] = part
            self.games += part.rows["games"]
        self.done += self.plan.shards[number].size
        if time.monotonic() - self.saved > self.SAVE_EVERY:
            self.todo.save()
            self.saved = time.monotonic()
        if self.progress:
            self.progress(self.done, self.size, self.games)


# -- the whole ---------------------------------------------------------------------------------------


def _head(plan: Plan, options: Options) -> dict[str, Any]:
    """What the results depend on; whole when ``plan`` is."""
    ruleset = options.ruleset()
    return {
        "caipan": __version__,
        "schema": schemas.VERSION,
        "rules": {"id": ruleset.id, "fingerprint": ruleset.fingerprint, "from": options.rules},
        "book": {"id": options.book, **options.rulebook().options()},
        "options": {"set": dict(options.settings), "encoding": options.encoding},
        "inputs": [
            {"name": source.name, "size": source.size, "sha256": digest}
            for source, digest in zip(plan.sources, plan.digests, strict=True)
        ],
        "shards": len(plan.shards),
    }


def _join(todo: Manifest) -> int:
    """Find the games that occur more than once; returns how many records repeat an earlier one."""
    numbers = {todo.paths(number)["games"]: number for number in sorted(todo.parts)}
    count, rewritten = store.mark_duplicates(list(numbers))
    for path, digest in rewritten.items():
        todo.parts[numbers[path]].digests["games"] = digest
    if rewritten:
        todo.save()
    return count


def _summary(plan: Plan, todo: Manifest, troubles: list[Finding], duplicates: int) -> Summary:
    rules, book = todo.head["rules"]["id"], todo.head["book"]["id"]
    summary = Summary(todo.out, rules, book, duplicates=duplicates, troubles=troubles)
    for part in todo.parts.values():
        summary.add(part.summary)
    summary.findings.update(finding.code for finding in troubles)
    summary.severities.update(finding.severity for finding in troubles)
    summary.without_games = [name for name, games in plan.games.items() if not games]
    return summary
