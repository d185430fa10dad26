"""What was measured, as rows of one Markdown table."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.bench.clock import Time


@dataclass(frozen=True, slots=True)
class Row:
    """``count`` units took ``time``; ``against`` is the row it is held to, and ``bar`` the ratio it should reach."""

    name: str
    unit: str
    count: int
    time: Time | None
    against: Row | None = None
    bar: float | None = None
    note: str = ""

    @property
    def rates(self) -> tuple[float, float]:
        """Units per second by the clock and by CPU."""
        assert self.time is not None
        return self.count / self.time.wall, self.count / self.time.cpu

    def ratios(self) -> tuple[float, float] | None:
        """How many times as fast as the row it is held to, by the clock and by CPU."""
        if self.against is None or self.against.time is None or self.time is None:
            return None
        wall, cpu = (ours / theirs for ours, theirs in zip(self.rates, self.against.rates, strict=True))
        return wall, cpu

    def cells(self) -> list[str]:
        if self.time is None:
            return [self.name, "", "", "", "", "", "", f"skipped: {self.note}"]
        ratios = self.ratios()
        shown = [f"{ratio:,.2f}" for ratio in ratios] if ratios else ["", ""]
        bar, note = "", self.note
        if self.bar is not None and ratios:
            bar = f"{self.bar:.2g}"
            note = f"{'met' if max(ratios) >= self.bar else '**missed**'}; {note}".removesuffix("; ")
        rates = [f"{rate:,.0f}" if rate >= 100 else f"{rate:,.2f}" for rate in self.rates]
        return [f"{self.name} ({self.unit})", f"{self.count:,}", *rates, *shown, bar, note]


@dataclass(slots=True)
class Table:
    rows: list[Row] = field(default_factory=list)
    breakdowns: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, row: Row) -> Row:
        self.rows.append(row)
        print("·", " · ".join(cell for cell in row.cells() if cell), flush=True)
        return row

    def skip(self, name: str, why: str) -> Row:
        return self.add(Row(name, "", 0, None, note=why))

    def markdown(self) -> str:
        head = [
            "what (unit)",
            "done",
            "per s, wall",
            "per s, CPU",
            "ratio, wall",
            "ratio, CPU",
            "bar",
            "note",
        ]
        lines = [f"| {' | '.join(head)} |", "|---|" + "---:|" * (len(head) - 2) + "---|"]
        lines += [f"| {' | '.join(row.cells())} |" for row in self.rows]
        return "\n\n".join(["\n".join(lines), *self.breakdowns, *self.notes])
