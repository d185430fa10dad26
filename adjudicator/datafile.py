"""Rule sets and rule books as files: TOML read, laid over one another, and the error that lists what is wrong."""

from __future__ import annotations

import datetime
import difflib
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class RulesetError(ValueError):
    """A rule set or rule book that cannot be used; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: Iterable[str]):
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


def chain(name: str, folder: Path, what: str) -> list[dict[str, Any]]:
    """The data of the file called ``name``, an id in ``folder`` or a path of a ``.toml`` file, after that of all it
    extends, the root first. Raises RulesetError; ``what`` it is says "rule set" or "rule book"."""
    files: list[dict[str, Any]] = []
    seen: list[str] = []
    known = sorted(file.stem for file in folder.glob("*.toml"))
    while name not in seen:
        if not name.endswith(".toml") and name not in known:
            raise RulesetError([f"no {what} {name!r}{suggest(name, known)}; known: {', '.join(known)}"])
        path = Path(name) if name.endswith(".toml") else folder / f"{name}.toml"
        seen.append(name)
        files.insert(0, _read(path, what))
        parent = files[0].get("extends")
        if parent is None:
            return files
        if not isinstance(parent, str):
            raise RulesetError(
                [f"{path.name}: extends: must be the id or the file of a {what}, not {parent!r}"]
            )
        name = str(path.parent / parent) if parent.endswith(".toml") else parent
    way = " → ".join(Path(file).name for file in (*seen[1:], name))
    raise RulesetError([f"{Path(seen[0]).name}: extends itself by way of {way}"])


def _read(path: Path, what: str) -> dict[str, Any]:
    """Read a data file; one that is not there and bad TOML raise RulesetError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise RulesetError([f"no {what} in {path}: no such file"]) from None
    except OSError as error:
        raise RulesetError([f"{path}: {error.strerror}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError([f"{path.name}: {error}"]) from None


def overlay(base: dict[str, Any], child: dict[str, Any]) -> dict[str, Any]:
    """``child`` over ``base``, table by table."""
    merged = dict(base)
    for key, value in child.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            merged[key] = overlay(base[key], value)
        else:
            merged[key] = value
    return merged


def blamed(faults: Iterable[str], own: Iterable[str]) -> list[str]:
    """``faults`` of a file with options set over it; those that are not its ``own`` are told of the options."""
    own = set(own)
    return [fault if fault in own else f"option {fault.partition(': ')[2]}" for fault in faults]


def date_fault(text: str) -> str | None:
    """What is wrong with the date of a data file: a year, a month of one, or a day."""
    parts = text.split("-")
    try:
        if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", text):
            raise ValueError
        datetime.date(*map(int, [*parts, "1", "1"][:3]))
    except ValueError:
        return f"{text!r} is no date such as 2026, 2026-11 or 2026-11-30"
    return None


def suggest(word: str, known: Iterable[str]) -> str:
    """ " (did you mean …?)" when a known word is near, or the last part of one with dots."""
    by_end = {key.rpartition(".")[2]: key for key in known}
    near = difflib.get_close_matches(word, [*by_end, *by_end.values()], 1)
    return maybe(by_end.get(near[0], near[0]) if near else None)


def maybe(word: str | None) -> str:
    return f" (did you mean {word!r}?)" if word else ""
