"""The report as one HTML file that needs nothing else: no script, no network, and what records say is text only."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib import resources
from typing import Any

from pipeline.reports.figures import Column, Figure
from pipeline.reports.report import Report, Section
from pipeline.reports.words import Words
from pipeline.reports.writing import about, cell, game_line, nothing_counts, study_command

MOST_OPEN = 8
"""Rows of a table that stand open below a picture."""
FEW = 4
"""Columns of a table for which a telephone has room."""


def html(report: Report) -> str:
    """The page. Needs matplotlib."""
    words = report.words
    several = len(report.sections) > 1
    body = []
    if report.across is not None:
        body.append(
            f"<section>\n<h2>{escape(words('across'))}</h2>\n{_figure(report.across, '', words)}\n</section>"
        )
    body += [_section(section, words, several) for section in report.sections]
    parts = {
        "lang": "zh-Hans" if words.language == "zh" else "en",
        "version": escape(report.version),
        "title": escape(report.title),
        "style": _file("page.css"),
        "contents": _contents(report),
        "body": "\n".join(body),
        "foot": escape(words("made-by", version=report.version)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _file("page.html"))


def _contents(report: Report) -> str:
    words = report.words
    links = []
    for section in report.sections:
        if len(report.sections) > 1:
            links.append((f"{section.name}", section.heading))
        else:
            links += [(f"{section.name}-{part.name}", part.heading) for part in section.parts]
    items = " ".join(f'<a href="#{escape(target)}">{escape(text)}</a>' for target, text in links)
    return f'<nav aria-label="{escape(words("contents"))}">{items}</nav>'


def _section(section: Section, words: Words, several: bool) -> str:
    heading = f"<h2>{escape(section.heading)}</h2>" if several else ""
    parts = [f'<section id="{section.name}">{heading}<p class="about">{escape(about(section, words))}</p>']
    if not section.facts.games.height:
        said, *reasons = (_with_code(line) for line in nothing_counts(section, words))
        items = "".join(f"<li>{reason}</li>" for reason in reasons)
        parts.append(f'<div class="short"><p>{said}</p>{items and f"<ul>{items}</ul>"}</div>')
    findings = [
        f'<li><a href="#{section.name}-{figure.name}">{escape(figure.finding)}</a></li>'
        for figure in section.in_short()
    ]
    if findings:
        parts.append(
            f'<div class="short"><h3>{escape(words("findings"))}</h3><ul>{"".join(findings)}</ul></div>'
        )
    for part in section.parts:
        figures = "\n".join(_figure(figure, section.name, words) for figure in part.figures)
        parts.append(f'<h3 id="{section.name}-{part.name}">{escape(part.heading)}</h3>\n{figures}')
    parts.append(_games(section, words))
    return "\n".join([*parts, "</section>"])


def _figure(figure: Figure, section: str, words: Words) -> str:
    name = f"{section}-{figure.name}" if section else figure.name
    picture = figure.draw() if figure.draw is not None and figure.rows else None
    drawn = ' class="drawn"' if picture is not None else ""
    # What belongs together stays on one line.
    finding = escape(figure.finding).replace("n = ", "n&nbsp;=&nbsp;")
    parts = [f'<figure id="{name}"{drawn}>', f"<figcaption><h4>{finding}</h4></figcaption>"]
    if picture is not None:
        parts.append(_own_ids(picture, name, figure.finding))
    table = _table(figure, section, words)
    if picture is not None and len(figure.rows) > MOST_OPEN:
        table = f"<details><summary>{escape(words('numbers'))}</summary>{table}</details>"
    parts.append(table)
    if figure.note:
        parts.append(f'<p class="note">{escape(figure.note)}</p>')
    return "\n".join([*parts, "</figure>"])


def _own_ids(picture: str, name: str, label: str) -> str:
    """``picture`` with ids of its own in the page, and what a screen reader says of it."""
    picture = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", picture)
    if "role=" not in picture[: picture.index(">")]:
        picture = picture.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)
    return picture


def _table(figure: Figure, section: str, words: Words) -> str:
    head = "".join(
        f'<th scope="col"{" class=games" if column.kind == "games" else ""}>{escape(column.label)}</th>'
        for column in figure.columns
    )
    rows = []
    for row in figure.rows:
        first, _ = cell(row, figure.columns[0], words)
        rest = "".join(_cell(row, column, section, words) for column in figure.columns[1:])
        rows.append(f'<tr><th scope="row"><bdi>{escape(first)}</bdi></th>{rest}</tr>')
    body = "\n".join(rows)
    figures = sum(column.kind != "games" for column in figure.columns[1:])
    wide = f' class="wide" style="--figures: {figures}"' if len(figure.columns) > FEW else ""
    return (
        f'<div class="table" tabindex="0" role="group" aria-label="{escape(figure.finding)}">'
        f"<table{wide}><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>"
    )


def _cell(row: dict[str, Any], column: Column, section: str, words: Words) -> str:
    if column.kind == "games":
        links = ", ".join(
            f'<a href="#{section}-game-{record + 1}">{record + 1}</a>' for record in row[column.name] or ()
        )
        return f'<td class="games" data-label="{escape(column.label)}">{links or "–"}</td>'
    value, span = cell(row, column, words)
    return (
        f"<td><b>{escape(value)}</b>"
        + (f' <span class="span">{escape(span)}</span>' if span else "")
        + "</td>"
    )


def _games(section: Section, words: Words) -> str:
    """The games that figures name, with where they stand and how to see one."""
    if not section.games.height:
        return ""
    items = []
    for game in section.games.iter_rows(named=True):
        line = game_line(game, words)
        who = f"<bdi>{escape(line.red)}</bdi> – <bdi>{escape(line.black)}</bdi>"
        items.append(
            f'<li id="{section.name}-game-{game["record"] + 1}">{game["record"] + 1}. <span class="who">{who}</span>, '
            f'{escape(line.said)} <span class="where"><bdi>{escape(line.where)}</bdi></span></li>'
        )
    command = escape(study_command(section))
    note = escape(words("games-named-note", command="\0")).replace("`\0`", f"<code>{command}</code>")
    full = _with_code(words("full-list"))
    return (
        f'<h3 id="{section.name}-games">{escape(words("games-named"))}</h3>\n<p class="note">{note} {full}</p>\n'
        f'<ol class="games-list">\n{"".join(items)}\n</ol>'
    )


def _with_code(text: str) -> str:
    """``text`` with what stands between grave accents as code."""
    return re.sub(r"`(.*?)`", r"<code>\1</code>", escape(text))


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
