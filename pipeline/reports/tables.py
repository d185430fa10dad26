"""The report as tables: one for each figure, and the games with everything that figures group them by."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from pipeline import spreadsheet, store
from pipeline.reports.report import Report, Section


def write(report: Report, folder: Path, form: str) -> list[Path]:
    """Write the tables of ``report`` into ``folder``, those of several runs into a folder each; returns their paths."""
    written = []
    if report.across is not None:
        written.append(_write(report.across.frame, folder / f"across.{form}", form))
    for section in report.sections:
        place = folder / section.name if len(report.sections) > 1 else folder
        for figure in section.figures:
            written.append(_write(figure.frame, place / f"{figure.name}.{form}", form))
        written.append(_write(_games(section), place / f"games.{form}", form))
    return written


def _games(section: Section) -> pl.DataFrame:
    """Every record: who, how it ended, why it does not count, its weight, and the group it is in in each figure."""
    facts = section.facts
    games = facts.records.drop("handicap")
    if facts.games.height:
        games = games.join(
            facts.games.select("record", "weight", "pair", "book"),
            on="record",
            how="left",
            maintain_order="left",
        )
    for figure in section.figures:
        if figure.members is not None:
            games = games.join(figure.members, on="record", how="left", maintain_order="left")
    return games


def _write(frame: pl.DataFrame, path: Path, form: str) -> Path:
    with store.whole_file(path) as file:
        if form == "csv":
            lists = [name for name, kind in frame.schema.items() if kind == pl.List]
            plain = frame.with_columns(pl.col(lists).cast(pl.List(pl.String)).list.join(" "))
            spreadsheet.write(plain, file)
        else:
            frame.write_parquet(file, compression="zstd")
    return path
