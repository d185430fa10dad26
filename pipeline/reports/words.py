"""What a report says, in English and Chinese, and how it writes numbers and other people's names."""

from __future__ import annotations

import json
import math
import unicodedata
from functools import cache
from importlib import resources
from typing import Any

from pipeline.counts import Count

LANGUAGES = ("en", "zh")
NAME_LENGTH = 40
"""Characters of a name that a report shows; its tables have them all."""

_SPACE = "\u00a0"


class Words:
    """The words of one language: ``words("games")``, ``words("results-finding", n=words.count(12), …)``."""

    def __init__(self, language: str = "en"):
        self.language = language
        self._texts = {key: pair[LANGUAGES.index(language)] for key, pair in _pairs().items()}

    def __reduce__(self) -> tuple[type[Words], tuple[str]]:
        return Words, (self.language,)

    def __call__(self, key: str, **values: Any) -> str:
        return self._texts[key].format(**values)

    def count(self, number: Any) -> Count:
        """ "1,204"; None and NaN are "–", small numbers have the decimal that is not 0."""
        if number is None or math.isnan(number):
            return Count("–")
        return Count(f"{number:,.0f}" if number >= 100 else f"{number:,.1f}".removesuffix(".0"))

    def percent(self, share: float | None, sign: bool = True) -> str:
        """ "54.1 %"."""
        if share is None or math.isnan(share):
            return "–"
        return f"{100 * share:.1f}" + (f"{_SPACE}%" if sign else "")

    def number(self, value: float | None) -> str:
        """Three digits or so."""
        if value is None or math.isnan(value):
            return "–"
        if math.isinf(value):
            return "∞" if value > 0 else "−∞"
        digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
        return f"{value:,.{digits}f}".replace("-", "−")

    def signed(self, value: float | None) -> str:
        """ "+12", "−3"."""
        if value is None or math.isnan(value):
            return "–"
        if math.isinf(value):
            return "+∞" if value > 0 else "−∞"
        return f"{value:+.0f}".replace("-", "−")

    def span(self, low: str, high: str) -> str:
        """An interval: "43.0–68.1 %", or "−40 … +113" where a number has a sign."""
        return f"{low} … {high}" if low[:1] in "+−" or high[:1] in "+−" else f"{low}–{high}"

    def percents(self, low: float | None, high: float | None) -> str:
        """The interval of a share."""
        return self.span(self.percent(low, sign=False), self.percent(high))


def shown(name: str | None, length: int = NAME_LENGTH) -> str:
    """A text of a record as it may stand in a line: no control or direction marks, and not longer than ``length``."""
    if not name:
        return "?"
    # Names can be megabytes; what stands here is short, whatever is dropped.
    text = "".join(
        " " if sign.isspace() else sign
        for sign in name[: 20 * length]
        if sign.isspace() or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    text = " ".join(text.split())
    return (text[: length - 1] + "…" if len(text) > length or len(name) > 20 * length else text) or "?"


@cache
def _pairs() -> dict[str, tuple[str, str]]:
    return json.loads(resources.files(__package__).joinpath("words.json").read_text(encoding="utf-8"))
