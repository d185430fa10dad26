"""Tag pairs: of one record as a dict, of many records in columns, every text once."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


def value_of(tags: Mapping[str, str], name: str) -> str:
    """What the tag ``name`` says, without the blanks around it; "" when no such tag says anything.

    The case of its letters does not matter, but the tag that is spelled like ``name`` goes before others.
    """
    said = tags.get(name, "").strip()
    if said or name.lower() not in map(str.lower, tags):
        return said
    return next((text for place in places([*tags], name) if (text := [*tags.values()][place].strip())), "")


def places(names: Sequence[str], name: str) -> list[int]:
    """Where among ``names`` is ``name``: as it is spelled, then in other letters."""
    alike = [place for place, other in enumerate(names) if other.lower() == name.lower()]
    return sorted(alike, key=lambda place: names[place] != name)


@dataclass(slots=True, eq=False)
class Tags:
    """The tag pairs of n records.

    Record ``i`` has the names ``shapes[shape[i]]`` in the order written, each once, and for the name at place ``k`` the
    value ``texts[value[first[i] + k]]``; ``first`` has n + 1 entries. Of a repeated name the first filled value counts.
    Most records of an archive have the same shape.
    """

    shapes: list[tuple[str, ...]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    shape: array[int] = field(default_factory=lambda: array("I"))
    first: array[int] = field(default_factory=lambda: array("q", [0]))
    value: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.shape)

    def __getitem__(self, i: int) -> dict[str, str]:
        """The tags of record ``i``."""
        values = self.value[self.first[i] : self.first[i + 1]]
        return dict(zip(self.shapes[self.shape[i]], map(self.texts.__getitem__, values), strict=True))

    def told(self, name: str) -> list[str]:
        """What the tag ``name`` says in every record, as `value_of` finds it."""
        found = [places(names, name) for names in self.shapes]
        if not any(found):
            return [""] * len(self)
        said = []
        for shape, first in zip(self.shape, self.first, strict=False):
            text = ""
            for place in found[shape]:
                text = self.texts[self.value[first + place]].strip()
                if text:
                    break
            said.append(text)
        return said

    @classmethod
    def of(cls, records: Iterable[Mapping[str, str]]) -> Tags:
        """The tags of records that have them as dicts."""
        tags = cls()
        shapes: dict[tuple[str, ...], int] = {}
        texts: dict[str, int] = {}
        for pairs in records:
            tags.shape.append(shapes.setdefault(tuple(pairs), len(shapes)))
            tags.value.extend([texts.setdefault(text, len(texts)) for text in pairs.values()])
            tags.first.append(len(tags.value))
        tags.shapes, tags.texts = [*shapes], [*texts]
        return tags

    @classmethod
    def joined(cls, parts: Iterable[Tags]) -> Tags:
        """The tags of all the records of ``parts``."""
        tags = cls()
        shapes: dict[tuple[str, ...], int] = {}
        texts: dict[str, int] = {}
        for part in parts:
            shape = [shapes.setdefault(names, len(shapes)) for names in part.shapes]
            text = [texts.setdefault(word, len(texts)) for word in part.texts]
            base = len(tags.value)
            tags.shape.extend([shape[number] for number in part.shape])
            tags.value.extend([text[number] for number in part.value])
            tags.first.extend([base + first for first in part.first[1:]])
        tags.shapes, tags.texts = [*shapes], [*texts]
        return tags
