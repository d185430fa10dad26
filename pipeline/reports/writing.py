"""How pages and Markdown write the same things: cells of tables, games, what a run is."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

from adjudicator.ruling import STOPPED
from pipeline import places
from pipeline.reports.balance import reason_word
from pipeline.reports.figures import Column
from pipeline.reports.report import Section
from pipeline.reports.words import Words, shown


def cell(row: dict[str, Any], column: Column, words: Words) -> tuple[str, str]:
    """A value as text, and its interval ("" where it has none)."""
    value = row[column.name]
    low, high = row.get(f"{column.name}_low"), row.get(f"{column.name}_high")
    if column.kind == "word":
        return words(value), ""
    if column.kind == "count":
        return words.count(value), ""
    if column.kind == "share":
        bounded = value is not None and value == value and low is not None
        return words.percent(value), words.percents(low, high) if bounded else ""
    if column.kind == "number":
        bounded = low is not None and low == low
        return words.number(value), words.span(words.number(low), words.number(high)) if bounded else ""
    if column.kind == "games":
        return ", ".join(str(record + 1) for record in value or ()), ""
    return shown(str(value), 80), row.get(f"{column.name}_span", "")


def about(section: Section, words: Words) -> str:
    """What a section is made from."""
    facts = section.facts
    head = facts.stored.head
    return words(
        "about",
        rules=facts.rules.id,
        options="".join(f"{key} = {json.dumps(value)}, " for key, value in head["options"]["set"].items()),
        fingerprint=head["rules"]["fingerprint"],
        book=head["book"]["id"],
        records=words.count(facts.records.height),
        counted=words.count(facts.games.height),
    )


def in_short(section: Section, words: Words) -> list[str]:
    """What a section says, for a terminal."""
    if not section.facts.games.height:
        return nothing_counts(section, words)
    return [figure.finding for figure in section.in_short()]


def nothing_counts(section: Section, words: Words) -> list[str]:
    """Of a section without a game that counts: that it is so, and for each reason what would make the records count."""
    records = section.facts.records.height
    if not records:
        return [words("empty-run")]
    (left_out,) = (figure for figure in section.figures if figure.name == "excluded")
    said = [words("no-games", records=words.count(records))]
    for row in left_out.rows:
        told = {"records": words.count(row["records"]), "why": row["what"]}
        if advice := _ADVICE.get(row["why"]):
            said.append(words("left-out-advice", **told, advice=words(f"advice-{advice}")))
        else:
            said.append(words("left-out", **told))
    return said


_ADVICE = dict.fromkeys(STOPPED, "stopped") | {
    "other-variant": "variant",
    "one-side": "short",
    "too-short": "short",
    "conflicting": "result",
    "unfinished": "result",
}
"""What to do about records that are left out for a reason."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game as the list of games has it."""

    red: str
    black: str
    said: str
    where: str


def game_line(game: dict[str, Any], words: Words) -> GameLine:
    said = words(game["outcome"]) if game["outcome"] else "*"
    if game["reason"]:
        said += f" ({reason_word(game['reason'], words)})"
    said += f", {words('plies-long', plies=words.count(game['plies']))}"
    file = shown(game["source"].replace("\\", "/").rsplit("/", 1)[-1], 60)
    return GameLine(
        shown(game["red"]),
        shown(game["black"]),
        said,
        f"{places.head(file, game['line'])}, {words('game-entry', number=game['index'] + 1)}",
    )


def study_command(section: Section) -> str:
    """How to see the first of the games named."""
    game = section.games.row(0, named=True)
    source = shown(game["source"], 120)
    rules = shlex.quote(section.facts.rules.id)
    return f"caipan study {shlex.quote(source)} --game {game['index'] + 1} --rules {rules} --out game.html"
