"""Run the pipeline over a file, a few times in this process, and print what each run took, as lines of JSON."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path

from pipeline import run

TICKS = os.sysconf("SC_CLK_TCK")


def main(path: str, out: str, jobs: str, times: str) -> None:
    for _ in range(int(times)):
        shutil.rmtree(out, ignore_errors=True)
        before = {pid: _cpu(pid) for pid in _children()}
        wall, cpu = time.perf_counter(), time.process_time()
        summary = run.adjudicate([path], rules="xiangqi", out=Path(out), jobs=int(jobs))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        children = _children()
        busiest = max((_cpu(pid) - before.get(pid, 0.0) for pid in children), default=0.0)
        said = {
            "wall": wall,
            "cpu": cpu + busiest,
            "plies": summary.plies,
            "parent_peak": _peak("self"),
            "worker_peak": max(map(_peak, children), default=0),
        }
        print(json.dumps(said), flush=True)


def _children() -> list[str]:
    mine = str(os.getpid())
    pids = [path.name for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in pids if (fields := _fields(pid)) and fields[1] == mine]


def _fields(pid: str) -> list[str]:
    """What the system says about a process, from its state on; nothing once it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _cpu(pid: str) -> float:
    """Seconds of CPU that a process has used."""
    fields = _fields(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def _peak(pid: str) -> int:
    """The most bytes a process has had in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


if __name__ == "__main__":
    main(*sys.argv[1:])
