"""Rule books: how a repetition is judged, chosen apart from the rule set.

A book is a TOML file in ``rulebooks/`` with its source and date. The rule set names a default; a rule set
or a run may set single options over the book (``--set fold=5``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.ruleset import RulesetError, read_toml, suggest

RULEBOOKS = Path(__file__).with_name("rulebooks")

_CHOICES = {"span": ("first_to_third", "last_cycle"), "perpetual_check": ("loses", "draw")}


@dataclass(frozen=True)
class RuleBook:
    """``fold``: the occurrence that rules (0: none does; the start position counts as one). ``span``: the
    plies judged, after the first occurrence or after the last one before. ``perpetual_check``: "loses" for
    the side that alone checked on every one of its moves in the span, or "draw" in any case.
    """

    id: str
    title: str
    source: str
    date: str
    fold: int
    span: str
    perpetual_check: str

    @classmethod
    def load(cls, name: str, options: Mapping[str, Any] | None = None) -> RuleBook:
        """Load a book by id, ``options`` set over it. Raises RulesetError with all faults."""
        data = read_toml(RULEBOOKS / f"{name}.toml", cls.ids(), "rule book") | dict(options or {})
        faults = []
        fields = cls.__dataclass_fields__
        for key in data:
            if key not in fields:
                faults.append(f"{name}.toml: {key}: unknown key{suggest(key, fields)}")
        for key in fields:
            if key not in data:
                faults.append(f"{name}.toml: {key}: is missing")
        for key, choices in _CHOICES.items():
            if key in data and data[key] not in choices:
                faults.append(f"{name}.toml: {key}: {data[key]!r} is not one of {', '.join(choices)}")
        fold = data.get("fold", 0)
        if not isinstance(fold, int) or isinstance(fold, bool) or fold == 1 or fold < 0:
            faults.append(f"{name}.toml: fold: {fold!r} is not 0 (never) or a number from 2")
        if faults:
            raise RulesetError(faults)
        return cls(**data)

    @staticmethod
    def ids() -> list[str]:
        """The rule books that come with the package."""
        return sorted(path.stem for path in RULEBOOKS.glob("*.toml"))
