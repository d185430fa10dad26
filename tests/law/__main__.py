"""Rows per rule book: how many agree, are disputed, or wrong; and every wrong or disputed one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .lines import JUDGES, book_of, expected, ruled, vectors, verdict

BOOKS = ("site", "axf", "wxf", "cxa", "pikafish", "chessdb")


def main() -> None:
    print("against the books' text")
    table({book: [(row, expected(row)) for row in vectors() if book_of(row) == book] for book in BOOKS})
    print("\nagainst the verdicts of the judges themselves")
    table(
        {
            judge: [(row, row["verdicts"][judge]) for row in vectors() if judge in row["verdicts"]]
            for judge in JUDGES
        }
    )


def table(rows: dict[str, list[tuple[dict[str, Any], str]]]) -> None:
    notes: list[str] = []
    print(f"{'book':10} {'rows':>5} {'agree':>6} {'disputed':>9} {'wrong':>6}")
    for book, wanted in rows.items():
        agree = disputed = wrong = 0
        for row, result in wanted:
            ruling = ruled(row, book)
            if verdict(ruling) != result:
                wrong += 1
                notes.append(f"wrong: {book} {row['id']}: {verdict(ruling)}, not {result}")
            elif ruling.disputed:
                disputed += 1
                notes += [f"disputed: {book} {row['id']} {result}; {other}" for other in others(ruling)]
            else:
                agree += 1
        print(f"{book:10} {len(wanted):>5} {agree:>6} {disputed:>9} {wrong:>6}")
    print("\n".join(notes))


def others(ruling: Any) -> Iterator[str]:
    for other in ruling.others:
        yield f"{other['result']} if {other['point']} ({other['source']})"


main()
