"""What a run is and how far it has come: ``manifest.json`` in its folder.

The head says what the results depend on; two runs with the same head give the same parts, byte for byte.
A part is done when the manifest has its digest and the file agrees.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from notation.containers import foreign
from notation.containers.cut import HEAD_BYTES
from pipeline import schemas, store

NAME = "manifest.json"


class OtherRun(Exception):
    """The folder holds something else than this run."""


@dataclass(slots=True)
class Part:
    """One shard's share of the tables: rows and digest by table, and its share of the summary."""

    rows: dict[str, int]
    digests: dict[str, str]
    summary: dict[str, Any]


@dataclass(slots=True)
class Manifest:
    """``head`` identifies the run, ``parts`` are those done, by shard number."""

    out: Path
    head: dict[str, Any]
    parts: dict[int, Part] = field(default_factory=dict)

    def save(self) -> None:
        parts = {
            f"{number:05d}": {"rows": part.rows, "sha256": part.digests, "summary": part.summary}
            for number, part in sorted(self.parts.items())
        }
        text = json.dumps({**self.head, "parts": parts}, ensure_ascii=False, indent=1)
        store.write_whole(self.out / NAME, text.encode() + b"\n")

    def paths(self, number: int) -> dict[str, Path]:
        return {table: store.part_path(self.out, table, number) for table in schemas.TABLES}

    def sweep(self) -> None:
        """Remove parts and temporary files that are none of ours."""
        kept = {path for number in self.parts for path in self.paths(number).values()}
        store.clean(self.out, kept)

    def forget_broken(self) -> list[int]:
        """Drop the parts whose files are missing, broken or not ours; return their numbers."""
        broken = [
            number
            for number, part in self.parts.items()
            if any(
                store.part_digest(path) != part.digests[table] for table, path in self.paths(number).items()
            )
        ]
        for number in broken:
            del self.parts[number]
        return broken


def holds_run(folder: Path) -> bool:
    """Whether ``folder`` holds a run, finished or not."""
    try:
        with (folder / NAME).open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False
    return foreign.is_manifest(head)


def open_run(out: Path, head: dict[str, Any], force: bool = False) -> Manifest:
    """The run ``head`` in ``out``, as far as it has come; nothing is written yet.

    Raises `OtherRun` when the folder holds other things or another run, unless ``force``: then the run
    begins anew.
    """
    old = _load(out)
    if old is not None and old.head == head:
        return old
    if old is not None and old.head == unplanned(head):  # stopped before it had anything to keep
        return Manifest(out, head)
    if not force and out.exists() and any(out.iterdir()):
        raise OtherRun(_difference(out, old, head))
    return Manifest(out, head)


def run_of(path: Path) -> Path | None:
    """The folder of the run that has ``path`` as its manifest, one of its tables or a part of one; None if none has."""
    own = {NAME, *schemas.TABLES, *schemas.DERIVED}
    place = path.resolve()
    inside = (part.parent for part in (place, *place.parents) if part.name in own)
    return next((folder for folder in inside if holds_run(folder)), None)


def unplanned(head: dict[str, Any]) -> dict[str, Any]:
    """``head`` as it is while its inputs are still looked through."""
    return {**head, "inputs": None, "shards": None}


def _load(out: Path) -> Manifest | None:
    try:
        data = json.loads((out / NAME).read_text(encoding="utf-8"))
        parts = {
            int(number): Part(part["rows"], part["sha256"], part["summary"])
            for number, part in data.pop("parts").items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return Manifest(out, data, parts)


def _difference(out: Path, old: Manifest | None, head: dict[str, Any]) -> str:
    advice = "choose another folder, or replace it with --force"
    if old is None:
        return f"{out} is not empty and holds no run of caipan: {advice}"
    unlike = [key for key in head if old.head.get(key) != head[key]]
    if files := _other_files(old.head.get("inputs"), head["inputs"]):
        unlike = [key for key in unlike if key not in ("inputs", "shards")]
        others = f"; it differs in {', '.join(unlike)}, too" if unlike else ""
        return f"{out} holds a run of other records ({files}){others}: {advice}"
    return f"{out} holds a run that differs in {', '.join(unlike) or 'its format'}: {advice}"


def _other_files(old: Any, new: Any) -> str:
    """Which files are new, gone or changed in the inputs ``new`` against ``old``: how many, and the first few."""
    if not isinstance(old, list) or not isinstance(new, list):
        return ""
    before = {given["name"]: given for given in old}
    now = {given["name"]: given for given in new}
    kinds = {
        "new": [name for name in now if name not in before],
        "gone": [name for name in before if name not in now],
        "changed": [name for name in now if name in before and now[name] != before[name]],
    }
    return "; ".join(
        f"{len(names):,} {kind}: {', '.join(names[:NAMED])}{', …' if len(names) > NAMED else ''}"
        for kind, names in kinds.items()
        if names
    )


NAMED = 3
"""So many of the files by which runs differ are named."""
