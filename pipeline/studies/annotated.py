"""A study as annotated PGN: the record with what the replay found in comments and NAGs that other programs read.

The tags of the record stay, and Red stands as ``White``, too, for the programs that ask for White. ``Annotator``
says who wrote the remarks, ``RuledResult``, ``RuledReason`` and ``RuledBy`` how the game ended by which rules. Key
moments carry the NAG 220, a diagram in the programs that know it.
"""

from __future__ import annotations

from typing import Any

from notation.containers import pgn
from notation.record import GameRecord, Variation
from notation.remark import mate_text
from notation.tags import value_of
from pipeline.studies.decide import ordinal

Json = dict[str, Any]

DIAGRAM = 220
RESULTS = {"red": "1-0", "black": "0-1", "draw": "1/2-1/2", "*": "*"}
FORMATS = {"wxf": "WXF", "chinese": "Chinese", "chinese-traditional": "Chinese"}
"""What the tag Format says of a notation; for the others it is left out, for readers would take it amiss."""

_WORDS = {
    "en": {
        "explosion": "explosion clears {list}",
        "shot": "the shot takes {list} and costs the capturer",
        "double": "double check",
        "wide": "wide check: {list} would blow up the general",
        "repetition": "this position for the {n} time (before: after {plies} {before})",
        "decided": "The move that decided: {why} ({sure})",
        "ruling": "Ruling: {ruling}",
        "stopped": "Stopped: {why}",
        "finding": "Finding: {what}",
    },
    "zh": {
        "explosion": "爆炸炸去 {list}",
        "shot": "射去 {list}，射者同归于尽",
        "double": "双将",
        "wide": "广义将军：{list} 可炸将帅",
        "repetition": "此局面第 {n} 次出现（前在第 {before} {plies}后）",
        "decided": "决定胜负的一着：{why}（{sure}）",
        "ruling": "裁定：{ruling}",
        "stopped": "中止：{why}",
        "finding": "发现：{what}",
    },
}


def annotated(study: Json) -> str:
    """The games of a study as PGN, moves in the study's notation, remarks in its language."""
    return pgn.write([record_of(game, study["notation"], study["language"]) for game in study["games"]])


def record_of(game: Json, notation: str, language: str) -> GameRecord:
    """One game of a study as a record with its remarks."""
    words = _WORDS[language]
    lines = game["lines"]
    variations = [_variation(line, notation, language) for line in lines]
    for number, line in enumerate(lines):
        if line["parent"] is not None:
            variations[line["parent"]].variations.append(variations[number])
    main = variations[0]
    decided = game.get("decided")
    if decided:
        why = words["decided"].format(why=decided[language], sure=decided["sure"][language])
        main.comments.setdefault(decided["ply"], []).append(why)
        nags = main.nags.setdefault(decided["ply"], [])
        if DIAGRAM not in nags:
            nags.append(DIAGRAM)
    played = len(lines[0]["plies"])
    for finding in reported(game):
        said = words["finding"].format(what=finding[language])
        main.comments.setdefault(min(finding["ply"] or 0, played), []).append(said)
    if game["stopped"]:
        why = words["stopped"].format(why=game["stopped"][language])
        main.comments.setdefault(played, []).append(why)
    last = game["end"] if game["end"] is not None else played
    main.comments.setdefault(last, []).append(words["ruling"].format(ruling=game["ruling"][language]))
    if game["comments"]:
        main.comments[0] = [*game["comments"], *main.comments.get(0, ())]
    return GameRecord(
        tags=(tags := _tags(game, notation)),
        tokens=main.moves,
        comments=main.comments,
        nags=main.nags,
        variations=main.variations,
        fen=value_of(tags, "FEN") or None,
        result=value_of(tags, "Result") or None,
        terminator=RESULTS.get(game["claimed"] or "", "*"),
    )


def reported(game: Json) -> list[Json]:
    """The errors and warnings among a game's findings, without what stopped it."""
    stop = game["stopped"]["ply"] if game["stopped"] else None
    return [
        finding
        for finding in game["findings"]
        if finding["severity"] != "note"
        and not (finding["severity"] == "error" and stop is not None and (finding["ply"] or 0) == stop)
    ]


def _tags(game: Json, notation: str) -> dict[str, str]:
    tags = {name: value for name, value in game["tags"].items() if name.lower() != "format"}
    sides = {name.lower(): value for name, value in tags.items()}
    if "white" not in sides and "red" in sides:
        tags["White"] = sides["red"]
    tags |= {"Annotator": "caipan", "RuledResult": RESULTS[game["result"]]}
    if game["reason"]:
        tags["RuledReason"] = game["reason"]
    tags["RuledBy"] = f"{game['rules']} {game['fingerprint']}, book {game['book']}"
    if notation in FORMATS:
        tags["Format"] = FORMATS[notation]
    return tags


def _variation(line: Json, notation: str, language: str) -> Variation:
    """A line's moves, comments and NAGs; without the lines that leave it."""
    variation = Variation(line["from"])
    if line.get("comments"):
        variation.comments[line["from"] - 1] = list(line["comments"])
    for ply in line["plies"]:
        variation.moves.append(ply["token"] if notation == "token" else ply["text"][notation])
        remarks = [*filter(None, (_figures(ply),)), *ply["comments"], *filter(None, (_facts(ply, language),))]
        if remarks:
            variation.comments[ply["ply"]] = remarks
        nags = [*ply["nags"], *([DIAGRAM] if ply["explosion"] and line["parent"] is None else [])]
        if nags:
            variation.nags[ply["ply"]] = list(dict.fromkeys(nags))
    variation.moves += line["unread"]
    return variation


def _figures(ply: Json) -> str:
    """Evaluation, depth and time as match programs write them, from the mover's side, or as commands."""
    if ply["after"]:
        return _commands(ply)
    sign = -1 if ply["side"] == "black" else 1
    if ply["mate_in"]:
        text = mate_text(sign * ply["mate_in"])
    elif ply["evaluation"] is not None:
        text = f"{sign * ply['evaluation'] + 0.0:+.2f}"
    else:
        return ""
    text += f"/{ply['depth']}" if ply["depth"] is not None else ""
    return text + (f" {ply['seconds']:g}s" if ply["seconds"] is not None else "")


def _commands(ply: Json) -> str:
    value = f"#{ply['mate_in']}" if ply["mate_in"] else f"{ply['evaluation']:.2f}"
    text = f"[%eval {value}" + (f",{ply['depth']}]" if ply["depth"] is not None else "]")
    spent = ply["seconds"]
    if spent is None:
        return text
    return text + f" [%emt {spent // 3600:.0f}:{spent % 3600 // 60:02.0f}:{spent % 60:06.3f}]"


def _facts(ply: Json, language: str) -> str:
    words = _WORDS[language]
    facts = []
    if ply["gone"]:
        gone = ", ".join(f"{one['point']}={one['piece']}" for one in ply["gone"])
        facts.append(words["explosion" if ply["explosion"] else "shot"].format(list=gone))
    checks = ply["checks"] or {"direct": [], "wide": []}
    if len(checks["direct"]) > 1:
        facts.append(words["double"])
    if checks["wide"]:
        facts.append(words["wide"].format(list=", ".join(f"{start}x{to}" for start, to in checks["wide"])))
    if (ply["occurrence"] or 1) > 1:
        before = ", ".join(map(str, ply["before"]))
        count, plies = ply["occurrence"], "着"
        if language == "en":
            count, plies = ordinal(count), "ply" if len(ply["before"]) == 1 else "plies"
        facts.append(words["repetition"].format(n=count, plies=plies, before=before))
    return "; ".join(facts)
