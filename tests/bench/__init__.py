"""Benchmarks run with bytecode, as an installed package does: it is written before anything is timed, even where Python
itself is told to write none."""

import compileall
from pathlib import Path

for package in ("notation", "adjudicator", "pipeline"):
    compileall.compile_dir(Path(__file__).parents[2] / package, quiet=1)
