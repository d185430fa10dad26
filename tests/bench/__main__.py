"""Measure everything in one run and print it as a table: ``python -m tests.bench [--full]``.

Rates and ratios of one run belong together; those of two runs do not compare. Answers are asserted on the way.
"""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

from tests.bench import archives, end_to_end, kernel, rule_sets
from tests.bench.clock import one_processor
from tests.bench.table import Table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--full", action="store_true", help="more repeats, whole archives, and a 2 GB file")
    parser.add_argument("--node-dir", type=Path, help="folder where `npm install ffish` was run")
    parser.add_argument("--fairy", type=Path, default=Path("/usr/games/fairy-stockfish"))
    parser.add_argument("--out", type=Path, help="write the table to this file, too")
    asked = parser.parse_args()
    table = Table()
    with one_processor():
        kernel.perft(table, asked.fairy, 5, 3 if asked.full else 1)
        rule_sets.measure(table, 5 if asked.full else 3)
        replayed = kernel.replay(table, archives.find()["UCI"], asked.node_dir, asked.full)
        end_to_end.notations(table, replayed, asked.full)
        end_to_end.small_files(table, replayed.count, asked.full)
        end_to_end.start(table, asked.full)
    end_to_end.workers(table, replayed.count, asked.full)
    if asked.full:
        end_to_end.memory(table)
    text = f"{_machine()}\n\n{table.markdown()}\n"
    print("\n" + text)
    if asked.out:
        asked.out.write_text(text, encoding="utf-8")


def _machine() -> str:
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return f"Python {platform.python_version()}, {os.cpu_count()} processors, load {load}."


if __name__ == "__main__":
    main()
