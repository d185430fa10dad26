"""From a PGN file to three Parquet tables: in one process by stage, in two, in a run's memory, from a cold start."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from adjudicator import Ruleset, _ends, _replay, batch
from notation.containers import pgn
from pipeline import run, stages, store
from pipeline.cli import ENVIRONMENT
from tests.bench import archives
from tests.bench.clock import Stopwatch, Time, alternate, middle, one_processor
from tests.bench.kernel import replayer
from tests.bench.table import Row, Table

STAGES = (
    (pgn, "read", "read and scan"),
    (batch, "descriptors", "parse lexemes"),
    (_replay, "replay", "replay"),
    (_ends, "find_ends", "rulings"),
    (stages, "replay_batch", "game columns, findings"),
    (stages, "_games", "Arrow: games"),
    (stages, "_moves", "Arrow: moves"),
    (stages, "findings_table", "Arrow: findings"),
    (stages, "conduct_table", "Arrow: conduct"),
    (store, "write_part", "Parquet write"),
    (store, "mark_duplicates", "duplicates"),
    (run, "adjudicate", "planning and the rest"),
)


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="caipan-bench-") as name:
        yield Path(name)


def notations(table: Table, kernel: Row, full: bool) -> None:
    """One worker, one processor; the notations take turns, each in a fresh process; then one more run by stage."""
    with folder() as room:
        copies = -(-(2_000_000 if full else 1_000_000) // kernel.count)
        files = {name: room / path.name for name, path in archives.find().items()}
        plies = {
            name: archives.lengthened(path, copies, files[name]) for name, path in archives.find().items()
        }
        found: dict[str, list[Time]] = {name: [] for name in files}
        play = replayer(pgn.read(archives.find()["UCI"]), Ruleset.load("xiangqi"))
        beside: list[Time] = []
        for turn in range(5 if full else 3):
            beside.append(alternate({"kernel": play}, 9)["kernel"])
            for name, path in files.items():
                _first, *warm = probe(path, room / f"{name}-{turn}", 1, 3, plies[name])
                found[name] += [seen.time for seen in warm]
        again = Row("kernel, in turn with the next rows", "ply", kernel.count, middle(beside))
        uci, kernel = None, table.add(again)
        for name, times in found.items():
            base, bar = (uci, 0.7) if uci else (kernel, 0.5)
            row = table.add(Row(f"PGN ({name}) to Parquet", "ply", plies[name], middle(times), base, bar))
            uci = uci or row
        for name, path in files.items():
            table.breakdowns.append(_breakdown(name, _work(path, plies[name], room / "out"), plies[name]))


def _work(path: Path, plies: int, out: Path) -> Callable[[], None]:
    def work() -> None:
        shutil.rmtree(out, ignore_errors=True)
        summary = run.adjudicate([path], rules="xiangqi", out=out, jobs=1)
        assert summary.plies == plies, (summary.plies, plies)
        assert not summary.severities["error"]

    return work


def _breakdown(name: str, work: Callable[[], None], plies: int) -> str:
    watch = Stopwatch()
    for owner, function, stage in STAGES:
        watch.watch(owner, function, stage)
    try:
        work()
    finally:
        watch.stop()
    whole = sum(watch.seconds.values())
    lines = [f"| {name}: stage | ns a ply | share |", "|---|---:|---:|"]
    lines += [f"| {stage} | {1e9 * s / plies:,.0f} | {s / whole:.0%} |" for stage, s in watch.seconds.items()]
    return "\n".join([*lines, f"| whole | {1e9 * whole / plies:,.0f} | |"])


def small_files(table: Table, plies: int, full: bool) -> None:
    """An archive of a game a file, in three encodings, and the same zipped, against its games in one file."""
    with folder() as room:
        source = archives.find()["Chinese"]
        whole, files, packed = room / source.name, room / "files", room / "files.zip"
        plies = archives.lengthened(source, -(-400_000 // plies), whole)
        count = archives.apart(whole, files)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(files.iterdir()):
                archive.write(path, path.name)
        found: dict[Path, list[Time]] = {whole: [], files: [], packed: []}
        for turn in range(5 if full else 3):
            for path, times in found.items():
                (seen,) = probe(path, room / f"{path.name}-{turn}", 1, 1, plies)
                times.append(seen.time)
        base = table.add(Row("Chinese, one file", "ply", plies, middle(found[whole])))
        for path, name in ((files, "files"), (packed, "members of a zip")):
            table.add(Row(f"the same in {count:,} {name}", "ply", plies, middle(found[path]), base))


def workers(table: Table, plies: int, full: bool) -> None:
    """Two workers on two processors against one on one, over a million plies: in a fresh process, as every command is,
    and again in the same."""
    with folder() as room:
        source = archives.find()["UCI"]
        path = room / source.name
        times = -(-1_050_000 // plies)
        plies = archives.lengthened(source, times, path)
        found: dict[int, list[list[Probe]]] = {1: [], 2: []}
        for number in range(9 if full else 5):
            for jobs in (
                (1, 2) if number % 2 else (2, 1)
            ):  # what ran before leaves the machine in another state
                with one_processor() if jobs == 1 else nullcontext():
                    found[jobs].append(probe(path, room / f"{jobs}-{number}", jobs, 3, plies))
        note = "CPU: the parent's and the workers' mean"
        for state, part, bar in (("", slice(0, 1), 1.8), (", again", slice(1, None), None)):
            one, two = (middle([p.time for runs in found[jobs] for p in runs[part]]) for jobs in (1, 2))
            base = table.add(Row(f"one worker{state}", "ply", plies, one))
            table.add(Row(f"two workers{state}", "ply", plies, two, base, bar, note))


def memory(table: Table) -> None:
    """The most memory that a worker or the parent ever held over a file of 2 GB."""
    with folder() as room:
        source = archives.find()["UCI"]
        path = room / source.name
        archives.repeated(source, (2 << 30) // source.stat().st_size + 1, path)
        (seen,) = probe(path, room / "out", 2, 1)
        assert seen.plies
        parent, worker = (peak >> 20 for peak in seen.peaks)
        table.notes.append(
            f"2 GB in two workers: {worker} MB at most in a worker (bar 400), {parent} MB in the parent; "
            f"{seen.plies:,} plies in {seen.time.wall:.0f} s."
        )


@dataclass(frozen=True, slots=True)
class Probe:
    """One run: its time by the clock and in CPU, and the most bytes that the parent and any worker had."""

    time: Time
    plies: int
    peaks: tuple[int, int]


def probe(path: Path, out: Path, jobs: int, times: int, plies: int | None = None) -> list[Probe]:
    """Run over ``path`` several times in one fresh process, which is told what a command's is, each time to a folder of
    its own in ``out``."""
    command = [sys.executable, "-m", "tests.bench.probe", str(path), str(out), str(jobs), str(times)]
    environment = {**ENVIRONMENT, **os.environ}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, cwd=archives.ROOT, env=environment
    )
    probes = [
        Probe(Time(said["wall"], said["cpu"]), said["plies"], tuple(said["peaks"]))
        for said in map(json.loads, done.stdout.splitlines())
    ]
    assert plies is None or all(seen.plies == plies for seen in probes), (probes, plies)
    return probes


def start(table: Table, full: bool) -> None:
    """``caipan --help`` against the least that a command-line program does: import click."""

    def command(*words: str) -> Callable[[], None]:
        def work() -> None:
            subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True, cwd=archives.ROOT)

        return work

    ours = command("-c", "from pipeline.cli import main; main()", "--help")
    times = alternate({"click": command("-c", "import click"), "ours": ours}, 21 if full else 9)
    base = table.add(Row('python -c "import click"', "start", 1, times["click"]))
    table.add(Row("caipan --help", "start", 1, times["ours"], base, 1 / 3))
