"""Lint, format and types hold, and CI runs what the README says."""

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "check", "."], id="lint"),
        pytest.param(["ruff", "format", "--check", "."], id="format"),
        pytest.param(["mypy"], id="types"),
    ],
)
def test_style(command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ci_runs_the_test_command_of_the_readme():
    command = (REPOSITORY / ".ci" / "run").read_text().strip().splitlines()[-1]
    assert command in (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()
