"""The report as Markdown: findings and tables, without pictures."""

from __future__ import annotations

import re

from pipeline.reports.figures import Figure
from pipeline.reports.report import Report, Section
from pipeline.reports.words import Words
from pipeline.reports.writing import about, cell, game_line, nothing_counts, study_command


def markdown(report: Report) -> str:
    """The text."""
    words = report.words
    several = len(report.sections) > 1
    parts = [f"# {_plain(report.title)}"]
    if report.across is not None:
        parts += [f"## {words('across')}", *_figure(report.across, words, "###")]
    for section in report.sections:
        parts += _section(section, words, "##" if several else "#", several)
    parts.append(_plain(words("made-by", version=report.version)))
    return "\n\n".join(parts) + "\n"


def _section(section: Section, words: Words, level: str, several: bool) -> list[str]:
    parts = [f"{level} {_plain(section.heading)}"] if several else []
    parts.append(_plain(about(section, words)))
    if not section.facts.games.height:
        said, *reasons = nothing_counts(section, words)
        parts += [said, "\n".join(f"- {reason}" for reason in reasons)] if reasons else [said]
    findings = section.in_short()
    if findings:
        parts.append(f"{level}# {words('findings')}")
        parts.append("\n".join(f"- {_plain(figure.finding)}" for figure in findings))
    for part in section.parts:
        parts.append(f"{level}# {_plain(part.heading)}")
        for figure in part.figures:
            parts += _figure(figure, words, f"{level}##")
    if section.games.height:
        parts.append(f"{level}# {words('games-named')}")
        lines = []
        for game in section.games.iter_rows(named=True):
            line = game_line(game, words)
            who = f"{_plain(line.red)} – {_plain(line.black)}"
            lines.append(f"- {game['record'] + 1}: {who}, {_plain(line.said)}; {_plain(line.where)}")
        parts += [
            words("games-named-note", command=study_command(section).replace("`", "")),
            words("full-list"),
            "\n".join(lines),
        ]
    return parts


def _figure(figure: Figure, words: Words, level: str) -> list[str]:
    head = "| " + " | ".join(_plain(column.label) for column in figure.columns) + " |"
    rule = (
        "|"
        + "|".join("---" if column.kind in ("text", "word", "games") else "---:" for column in figure.columns)
        + "|"
    )
    lines = [head, rule]
    for row in figure.rows:
        cells = []
        for column in figure.columns:
            value, span = cell(row, column, words)
            cells.append(_plain(f"{value} ({span})" if span else value))
        lines.append("| " + " | ".join(cells) + " |")
    return [
        f"{level} {_plain(figure.finding)}",
        "\n".join(lines),
        *([_plain(figure.note)] if figure.note else []),
    ]


def _plain(text: str) -> str:
    """Other people's words as plain text on one line: nothing in them is markup."""
    return re.sub(r"([\\`*_{}\[\]#|<>~$&!])", r"\\\1", " ".join(text.split(" ")).replace("\n", " "))
