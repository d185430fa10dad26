"""A study put into files. Their names come from the one that a person gave, never from a record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adjudicator import Ruleset
from pipeline import store
from pipeline.studies.annotated import annotated
from pipeline.studies.film import gif
from pipeline.studies.markdown import markdown
from pipeline.studies.page import html

Json = dict[str, Any]


def study(
    study: Json,
    out: Path,
    form: str,
    *,
    rules: str,
    settings: Mapping[str, Any] | None = None,
    plies: tuple[int, int | None] = (1, None),
) -> list[Path]:
    """Write ``study`` to ``out`` as "html", "pgn", "md", "json" or "gif"; returns the files written, ``out`` first.

    A GIF shows the first game only, ``plies`` from the first to the last. It needs Pillow. Raises `film.NoFilm`.
    """
    pictures: dict[str, str] = {}
    if form == "gif":
        ruleset = Ruleset.load(rules, settings)
        store.write_whole(out, gif(study["games"][0], ruleset, *plies, notation=study["notation"]))
        return [out]
    folder = out.with_name(f"{out.stem}-diagrams")
    if form == "html":
        text = html(study)
    elif form == "pgn":
        text = annotated(study)
    elif form == "json":
        text = json.dumps(study, ensure_ascii=False, indent=1) + "\n"
    else:
        text, pictures = markdown(study, Ruleset.load(rules, settings), folder.name)
    written = [out]
    store.write_whole(out, text.encode("utf-8", "surrogatepass" if form == "json" else "replace"))
    for name, picture in pictures.items():
        store.write_whole(folder / name, picture.encode())
        written.append(folder / name)
    return written
