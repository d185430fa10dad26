"""Errors and warnings of a run, and the results of its rulings, as its tables have them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from notation.finding import CODES, Finding

_FINDING = ("ply", "code", "text", "suggestion", "source", "line", "column", "byte")
_GAME = ("record", "index", "line", "event", "red", "black")


@dataclass(slots=True)
class Faulty:
    """A record with its errors and warnings; a whole file where ``game`` is None, otherwise the number in ``source``
    from 1. ``line`` and ``tags`` are the record's, as far as they are known."""

    source: str
    findings: list[Finding]
    line: int | None = None
    game: int | None = None
    tags: dict[str, str] = field(default_factory=dict)


def faults(tables: Mapping[str, Path], most: int) -> list[Faulty]:
    """The first records with errors or warnings, those of whole files first, with ``most`` findings in all.

    ``tables`` are the files of a run by their paths in its folder; what cannot be read, as another version may have
    written it, ends them.
    """
    found: list[Faulty] = []
    left = most
    with suppress(OSError, pa.ArrowException):
        for name in sorted(tables, key=lambda name: (name != "findings/part-sources.parquet", name)):
            folder, _, part = name.partition("/")
            if folder == "findings" and left > 0:
                grave = pc.field("severity").isin(["error", "warning"])
                columns = ["record", *_FINDING, "candidates", "details"]
                rows = pq.read_table(tables[name], columns=columns, filters=grave).slice(0, left).to_pylist()
                left -= len(rows)
                found += _of_part(rows, tables.get(f"games/{part}"))
    return found


def _of_part(rows: list[dict[str, Any]], games: Path | None) -> list[Faulty]:
    records = sorted({row["record"] for row in rows} - {None})
    chosen = pc.field("record").isin(records)
    told = pq.read_table(games, columns=list(_GAME), filters=chosen).to_pylist() if games and records else []
    by_record = {game["record"]: game for game in told}
    found = []
    for (record, source), alike in groupby(rows, lambda row: (row["record"], row["source"])):
        one = Faulty(source, [_finding(row) for row in alike])
        if game := by_record.get(record):
            one.line, one.game = game["line"], game["index"] + 1
            one.tags = {name.capitalize(): game[name] or "" for name in ("event", "red", "black")}
        found.append(one)
    return found


def _finding(row: Mapping[str, Any]) -> Finding:
    values = {name: row[name] for name in _FINDING}
    return Finding(**values, candidates=tuple(row["candidates"] or ()), details=json.loads(row["details"]))


def results(ruling: Path) -> list[tuple[str, str | None, int]]:
    """Result, reason and number of games in the table ``ruling``, the most frequent first."""
    table = pq.read_table(ruling, columns=["result", "reason"])
    counted = table.group_by(["result", "reason"]).aggregate([([], "count_all")]).to_pylist()
    found = [(row["result"], row["reason"], row["count_all"]) for row in counted]
    return sorted(found, key=lambda one: (-one[2], one[0], one[1] or ""))


def by_code(counts: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Severity, code and number of findings, the gravest first, then the most frequent."""
    order = {"error": 0, "warning": 1, "note": 2}
    found = [(CODES[code].severity, code, number) for code, number in counts.items() if code in CODES]
    return sorted(found, key=lambda one: (order[one[0]], -one[2], one[1]))
