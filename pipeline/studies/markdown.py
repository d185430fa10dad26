"""A study as Markdown, with diagrams of the key moments as SVG files beside it."""

from __future__ import annotations

import re
from typing import Any

from adjudicator import Position, Ruleset
from adjudicator.drawing import svg
from adjudicator.moves import BLACK
from pipeline.studies.annotated import reported
from pipeline.studies.page import straight

Json = dict[str, Any]

MOST_DIAGRAMS = 6
"""Of one game, the last position and the deciding one among them."""

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "ruling": "Ruling",
        "decided": "The move that decided",
        "games": "Games",
        "stopped": "Stopped",
        "claim": "Claim",
        "findings": "Findings",
        "unplayed": "not replayed: {moves}",
        "boom": "explosion: {list}",
        "shot": "shot: {list}, and the capturer",
    },
    "zh": {
        "ruling": "裁定",
        "decided": "决定胜负的一着",
        "games": "对局",
        "stopped": "中止",
        "claim": "棋谱的结果",
        "findings": "发现",
        "unplayed": "未复演：{moves}",
        "boom": "爆炸：{list}",
        "shot": "射击：{list}，射者同去",
    },
}


def markdown(study: Json, rules: Ruleset, folder: str) -> tuple[str, dict[str, str]]:
    """The text, and the pictures it shows by file name, to be put into ``folder`` beside it."""
    language = study["language"]
    words = _WORDS[language]
    parts = [f"# {_plain(study['title'][language])}"]
    pictures: dict[str, str] = {}
    if len(study["games"]) > 1:
        parts.append(f"## {words['games']}")
        parts.append(
            "\n".join(_entry(game, number, language) for number, game in enumerate(study["games"], start=1))
        )
    for number, game in enumerate(study["games"], start=1):
        parts += _game(study, game, number, rules, folder, pictures)
    return "\n\n".join(parts) + "\n", pictures


def _entry(game: Json, number: int, language: str) -> str:
    return f"{number}. [{_plain(_names(game))}](#game-{number}): {_plain(game['result_words'][language])}"


def _names(game: Json) -> str:
    return f"{game['red'] or '?'} – {game['black'] or '?'}"


def _plain(text: str) -> str:
    """A record's words as plain text: nothing in them is markup, and all stands on one line."""
    text = re.sub("[\x00-\x1f\x7f-\x9f]", "", straight(" ".join(text.split())))
    text = re.sub(r"([\\`*_{}\[\]#+!|<>~$&])", r"\\\1", text)
    return re.sub(r"^(\d*)([-=.)])", r"\1\\\2", text)  # a list, a heading's line


def _game(
    study: Json, game: Json, number: int, rules: Ruleset, folder: str, pictures: dict[str, str]
) -> list[str]:
    language, notation = study["language"], study["notation"]
    words = _WORDS[language]
    heading = _plain(_names(game))
    if len(study["games"]) > 1:
        heading = f"{number}\\. {heading}"
    about = " · ".join(_plain(game[key]) for key in ("event", "round", "site", "date") if game[key])
    parts = [f'<a id="game-{number}"></a>\n\n## {heading}', about]
    parts.append(f"**{words['ruling']}:** {_plain(game['ruling'][language])}")
    if game["stopped"]:
        parts.append(f"**{words['stopped']}:** {_plain(game['stopped'][language])}")
    if game["claim"] != "agrees":
        parts.append(f"**{words['claim']}:** {_plain(game['claim_words'][language])}.")
    if found := reported(game):
        parts.append(f"**{words['findings']}:**")
        parts.append("\n".join(f"- {_plain(_finding(finding, language))}" for finding in found))
    plies = game["lines"][0]["plies"]
    decided = game.get("decided")
    if decided:
        ply = plies[decided["ply"] - 1]
        move = _plain(f"{ply['label']} {_text(ply, notation)}")
        why = f"{_plain(decided[language])} ({decided['sure'][language]})"
        parts.append(f"**{words['decided']}:** {move} — {why}")
    shown = key_moments(game)
    variations = _variations(game, notation, language)
    text: list[str] = [*map(_plain, game["comments"])]
    for place, ply in enumerate(plies):
        if ply["side"] == "red" or not text or place == 0:
            text.append(ply["label"].replace(".", "\\.", 1))  # else a list would begin here
        text.append(f"**{_plain(_text(ply, notation))}**")
        if ply["gone"]:
            gone = ", ".join(f"{one['point']}={one['piece']}" for one in ply["gone"])
            text.append(f"*({words['boom' if ply['explosion'] else 'shot'].format(list=gone)})*")
        text += [f"*{_plain(said)}*" for said in ply["comments"] if said != "book"]
        text += variations.get((0, ply["ply"]), [])
        if ply["ply"] in shown:
            name = f"game-{number}-ply-{ply['ply']}.svg"
            pictures[name] = diagram(ply, rules)
            parts += [
                " ".join(text),
                f"![{_plain(ply['label'] + ' ' + _text(ply, notation))}]({folder}/{name})",
            ]
            text = []
    text += variations.get((0, len(plies) + 1), [])
    parts.append(" ".join([*text, *_unplayed(game["lines"][0], words)]))
    return [part for part in parts if part]


def _variations(game: Json, notation: str, language: str) -> dict[tuple[int, int], list[str]]:
    """The variations in brackets, by the line they leave and the ply they are an alternative to.

    A line stands after the one it leaves, so the last are told first, and none is told by calling ever deeper.
    """
    told: dict[tuple[int, int], list[str]] = {}
    for number, line in reversed(list(enumerate(game["lines"]))[1:]):
        words = [*map(_plain, line["comments"])]
        numbered = True
        for ply in line["plies"]:
            if numbered or ply["side"] == "red":
                words.append(ply["label"])
            words.append(_plain(_text(ply, notation)))
            words += [f"*{_plain(said)}*" for said in ply["comments"]]
            inner = told.get((number, ply["ply"]), [])
            words += inner
            numbered = bool(ply["comments"] or inner)
        words += _unplayed(line, _WORDS[language])
        if words:
            told.setdefault((line["parent"], line["from"]), []).insert(0, f"({' '.join(words)})")
    return told


def _finding(finding: Json, language: str) -> str:
    ply = finding["ply"]
    place = "" if ply is None else f"ply {ply}: " if language == "en" else f"第 {ply} 着："
    return f"{place}{finding[language]}"


def _unplayed(line: Json, words: dict[str, str]) -> list[str]:
    """The moves of a line that could not be replayed, as written."""
    moves = " ".join(map(_plain, line["unread"]))
    return [f"*({words['unplayed'].format(moves=moves)})*"] if moves else []


def _text(ply: Json, notation: str) -> str:
    return str(ply["token"] if notation == "token" else ply["text"][notation])


def key_moments(game: Json) -> list[int]:
    """The plies worth a picture: the deciding one, the last, and the biggest explosions."""
    plies = game["lines"][0]["plies"]
    if not plies:
        return []
    wanted = [game["decided"]["ply"]] if game.get("decided") else []
    wanted.append(game["end"] or len(plies))
    blasts = sorted((ply for ply in plies if ply["explosion"]), key=lambda ply: -len(ply["gone"]))
    wanted += [ply["ply"] for ply in blasts]
    wanted += [ply["ply"] for ply in plies if ply["comments"] and ply["comments"] != ["book"]]
    return sorted({ply for ply in dict.fromkeys(wanted[:MOST_DIAGRAMS]) if 1 <= ply <= len(plies)})


def diagram(ply: Json, rules: Ruleset, *, letters: bool = False, flipped: bool = False) -> str:
    """The position after a ply of a study as SVG, with its move, arrows and what is gone."""
    cursor = Position(ply["fen"], rules, "none").cursor
    point = rules.point
    found = ply["checks"] or {"direct": [], "wide": []}
    codes = {piece.letter: kind for kind, piece in enumerate(rules.pieces, start=1)}
    cleared = [
        (point(one["point"]), codes[one["piece"].upper()] | (BLACK if one["piece"].islower() else 0))
        for one in ply["gone"] or ()
    ]
    return svg(
        cursor.pieces(),
        rules,
        letters=letters,
        flipped=flipped,
        last=(point(ply["from"]) if ply["from"] else None, point(ply["to"])),
        checks=[(point(start), point(found["general"])) for start in found["direct"]],
        wide=[(point(start), point(to)) for start, to in found["wide"]],
        cleared=cleared,
        exploded=ply["explosion"],
        held=cursor.held(),
        title=f"{ply['label']} {ply['move']}: {ply['fen']}",
    )
