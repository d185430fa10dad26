"""Imports point one way: pipeline → adjudicator → notation."""

import ast
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
FLOORS = ["notation", "adjudicator", "pipeline"]
MODULES = sorted(path for floor in FLOORS for path in (REPOSITORY / floor).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Top-level packages that the module at ``path`` imports anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.removeprefix("cython.cimports.").split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.removeprefix("cython.cimports.").split(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_nothing_imports_upward(path):
    floor = path.relative_to(REPOSITORY).parts[0]
    above = set(FLOORS[FLOORS.index(floor) + 1 :])
    assert not imported(path) & (above | {"tests"})


def test_only_the_store_writes_parquet():
    writers = [p for p in MODULES if "ParquetWriter" in p.read_text(encoding="utf-8")]
    assert [path.name for path in writers] == ["store.py"]


@pytest.mark.parametrize("floor", FLOORS)
def test_type_checkers_of_users_see_the_annotations(floor):
    assert (REPOSITORY / floor / "py.typed").exists()
