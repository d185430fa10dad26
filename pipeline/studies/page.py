"""The study as one HTML file that needs nothing else: style, script and data inside, and no network.

The page may run its own script and nothing besides (a content security policy names the script's digest), and
what records say reaches it as text, never as markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from html import escape
from importlib import resources
from pathlib import PurePath
from typing import Any

Json = dict[str, Any]


def html(study: Json) -> str:
    """The page of a study (`pipeline.studies.match.study_of`)."""
    script = _file("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = {
        "lang": "zh-Hans" if study["language"] == "zh" else "en",
        "script_hash": f"sha256-{digest}",
        "version": escape(study["version"]),
        "title": escape(straight(study["title"][study["language"]])),
        "style": _file("page.css"),
        "data": straight(embedded(_slim(study) | {"words": json.loads(_file("words.json"))})),
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _file("page.html"))


def straight(text: str) -> str:
    """``text`` without the signs that turn its direction: one in a name would turn the words beside it, too."""
    return re.sub("[\u202a-\u202e\u2066-\u2069]", "", text)


def embedded(value: Any) -> str:
    """JSON that may stand in a script element, whatever its texts say."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    # Lone surrogates, which damaged records hold, cannot be written as UTF-8.
    return re.sub(r"[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _slim(study: Json) -> Json:
    """``study`` without what the page does not read or takes for granted."""
    games = []
    for game in study["games"]:
        lines = [
            {**_said(line, keep=("parent", "from", "plies")), "plies": [_said(ply) for ply in line["plies"]]}
            for line in game["lines"]
        ]
        slim = {
            key: value for key, value in game.items() if key not in ("tags", "id", "rules", "fingerprint")
        }
        games.append(slim | {"source": PurePath(game["source"]).name, "lines": lines})
    return study | {"games": games}


def _said(entry: Json, keep: tuple[str, ...] = ("replies",)) -> Json:
    return {
        key: value
        for key, value in entry.items()
        if key in keep or not (value is None or value is False or value in ("", []))
    }


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
