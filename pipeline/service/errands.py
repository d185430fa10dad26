"""What requests ask for. Each errand is a command with the options of the command line; it runs in a process of its own
(`workers`), in the folder of what was sent, and leaves its answer in a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import click

from adjudicator import Adjudication, Ruleset, RulesetError
from notation.tags import value_of
from pipeline import check, stages
from pipeline.check import Checked
from pipeline.cli import check as check_command
from pipeline.cli.options import (
    book_option,
    clean_errors,
    encoding_option,
    games_option,
    lang_option,
    rules_options,
)

Json = dict[str, Any]

RECORDS = "records"
"""The folder, in that of an errand, which holds what was sent; the errand works in it, so that no name says more."""
ANSWER = "answer"
"""The file, in the folder of an errand, that it leaves."""

FORMS = {
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
"""What can be asked for by ``Accept``, the first of those that an errand has where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What a command works on: ``record`` is a file in its folder `RECORDS`, "" where nothing was sent, ``own`` the
    rule set or book that came along, by "rules" and "book", ``form`` what is wanted of `FORMS`, and ``tell`` hears of
    progress.
    """

    folder: Path
    record: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    form: str = "json"
    tell: Callable[[Any], None] | None = None

    def path(self) -> Path:
        """Of what was sent, as a person names it."""
        return Path(self.record)

    def answer(self, said: Any, media: str = "", name: str = "") -> Answer:
        """Leave ``said``, values for JSON, text or bytes; ``name`` is that of a file to keep."""
        if isinstance(said, dict | list):
            said, media = json.dumps(said, ensure_ascii=False, indent=1) + "\n", media or FORMS["json"]
        if isinstance(said, str):
            # A lone surrogate, as damaged records have, is written as JSON escapes it.
            said = said.encode("utf-8", "backslashreplace")
        (self.folder / ANSWER).write_bytes(said)
        return Answer(media or FORMS["text"], name)

    def named(self, kind: str, name: str | None) -> str | None:
        """A rule set ("rules") or rule book ("book"): the file that came along, or the id. Raises RulesetError."""
        if kind in self.own:
            return self.own[kind]
        if name and name.endswith(".toml"):
            raise RulesetError(
                [f"--{kind} {name}: is an id here; a file of your own is sent as the part {kind!r}"]
            )
        return name


@dataclass(frozen=True, slots=True)
class Answer:
    """What an errand has left: its media type, and the name under which it is kept, if it is a file to keep."""

    media: str
    name: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no answer, as an HTTP status and words."""

    status: int
    detail: str


ERRANDS: dict[str, click.Command] = {}
"""All errands by name."""


def errand(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function an errand: it is given the `Errand` first, and rules by id or as the file that came along."""

    def made(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        @clean_errors
        def work(given: Errand, **asked: Any) -> Any:
            asked |= {kind: given.named(kind, asked[kind]) for kind in ("rules", "book") if kind in asked}
            return function(given, **asked)

        # Options are kept with the function until it is a command.
        ERRANDS[name] = click.command(name, add_help_option=False)(click.pass_obj(work))
        return ERRANDS[name]

    return made


def borrowed(command: click.Command, *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Options of a ``command`` of the command line that no other has."""

    def given(function: Callable[..., Any]) -> Callable[..., Any]:
        found = [param for param in command.params if param.name in names]
        assert len(found) == len(names)
        function.__dict__.setdefault("__click_params__", []).extend(reversed(found))
        return function

    return given


# -- records ---------------------------------------------------------------------------------------------


@errand("check")
@rules_options
@book_option
@encoding_option
@games_option
@lang_option
@borrowed(check_command.command, "quiet", "severity")
def checked(
    given: Errand,
    *,
    rules: str,
    book: str | None,
    settings: Json,
    encoding: str | None,
    games: tuple[int, ...],
    lang: str,
    quiet: bool,
    severity: Any,
) -> Answer:
    """What is wrong with records, and the rulings."""
    reporter = check.Reporter(lang, quiet, severity)
    found = check.check(
        [given.path()], rules=rules, book=book, settings=settings, encoding=encoding, games=games
    )
    if given.form == "text":
        return given.answer("".join(f"{line}\n" for line in reporter.lines(found)))
    ruleset = Ruleset.load(rules, settings)
    told: Json = {
        "rules": ruleset.id,
        "rules_fingerprint": ruleset.fingerprint,
        "book": ruleset.rulebook(book).id,
        "games": [],
        "findings": [],
    }
    for record in reporter.shown(found):
        if record.ruled:
            told["games"].append(game_of(record, record.ruled))
        else:
            told["findings"] += findings_of(record)
    told |= {"sound": reporter.sound, "summary": reporter.ending()}
    return given.answer(told)


def game_of(record: Checked, ruled: Adjudication) -> Json:
    """A record as the ``games`` table has it, as far as one record goes, with its ruling and its findings."""
    tags = ruled.tags
    return {
        "game_id": str(ruled.game_id),  # too long for a number of JSON
        "source": record.source,
        "index": (record.game or 1) - 1,
        "line": record.line,
        "notation": ruled.notation,
        "event": value_of(tags, "Event") or None,
        "red": value_of(tags, "Red") or value_of(tags, "White") or None,
        "black": value_of(tags, "Black") or None,
        "tags": dict(tags),
        "handicap": ruled.handicap,
        "start_fen": ruled.start_fen,
        "final_fen": ruled.final_fen,
        "plies_recorded": len(ruled.record.tokens),
        "plies_replayed": len(ruled.moves),
        "result": ruled.result,
        "reason": ruled.reason,
        "end_ply": ruled.ply,
        "claimed": ruled.claimed,
        "claim": ruled.claim,
        "ruling": ruled.ruling.to_dict(),
        "findings": findings_of(record),
    }


def findings_of(record: Checked) -> list[Json]:
    """The rows of the ``findings`` table about ``record``, their details as values."""
    columns = ["record", "game_id", "source"]
    rows = stages.findings_table(record.findings, game_ids=range(1 << 30)).drop_columns(columns).to_pylist()
    return [row | {"details": json.loads(row["details"])} for row in rows]
