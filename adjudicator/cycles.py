"""Repetitions: where a game came back to a position, and the plies in between."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cycle:
    """The plies at which one position stood, up to the one that is judged: the last of ``occurrences``.

    >>> Cycle((33, 37, 41)).span("first_to_third"), Cycle((33, 37, 41)).span("last_cycle")
    (range(34, 42), range(38, 42))
    """

    occurrences: tuple[int, ...]

    @property
    def closes(self) -> int:
        return self.occurrences[-1]

    def span(self, which: str) -> range:
        """The plies judged: after the first occurrence, or after the last before the one that rules."""
        opens = self.occurrences[-2] if which == "last_cycle" else self.occurrences[0]
        return range(opens + 1, self.closes + 1)
