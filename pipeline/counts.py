"""Numbers with the words that go with them: "1 game", "1,204 games"."""

from __future__ import annotations


class Count(str):
    """A number as people write it, with the forms of a word to choose from: ``f"{n} {n:game|games}"``."""

    @classmethod
    def of(cls, number: int) -> Count:
        return cls(f"{number:,}")

    def __format__(self, spec: str) -> str:
        one, either, more = spec.partition("|")
        if not either:
            return super().__format__(spec)
        return one if self == "1" else more
