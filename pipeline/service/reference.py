"""The reference page of the service, made from its addresses and the options of its errands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from starlette.routing import Route

from pipeline.service.app import ENDPOINTS, app
from pipeline.service.asked import options_of
from pipeline.service.errands import planned

_TEXT = """\
# The service

`caipan serve` does over HTTP what the commands do. It knows no users: whoever reaches it may ask, and sees and removes
all runs. So it listens on its own machine alone, unless `--host` says otherwise; for others it belongs behind a server
that knows them.

## Addresses

{addresses}

`?` and the names below an address are its options; they mean what they mean on the command line. Those that may be
repeated there may be repeated here. `lang`, `zh` or `en`, is the language of pages and of what is said to people.

## Sending

- **A file** is the body of the request, as it is: a record in any format, a gzip file or a zip archive.
  `?name=final.pgn` says what it is called. `Content-Type` does not matter; what a file is in, its content says.
- **A form** (`multipart/form-data`) has the file in the part `file`, or the text of a record in the field `text`.
  Options may be fields, too. A rule set or rule book of one's own is a file in the part `rules` or `book`; it may
  extend one that comes with caipan, by its id.

## Answers

By `Accept` there is `application/json`, the default, `text/plain`, which is what the command prints, and for browsers
`text/html`. `/v1/convert` sends PGN, with the counts in `Caipan-Games`, `Caipan-Moves`, `Caipan-Coordinates` and
`Caipan-Kept`; as JSON it has what is told of moves that stay as written in `notices`. Browsers are shown these on a
page that leads to the file, where there are any. `/v1/study` with `form=md` sends a zip: the text and its diagrams.

What could not be done is a problem (RFC 9457, `application/problem+json`) whose `detail` is what the command would say:

| status | |
|---|---|
| 400, 415, 422 | what is sent or asked cannot be understood |
| 403 | a page of another server asks for something that changes this one |
| 404, 405 | there is no such address, rule set, rule book, run or table |
| 409 | the run is not done yet, or has failed |
| 413 | more is sent, or unpacked, or memory needed than may be |
| 421 | the request is for a server of another name: `--allow-host` |
| 501 | an extra is not installed; the detail says which |
| 503 | `--timeout` has passed, or too many requests or runs wait; `Retry-After` says when to ask again |

## Check

| key | meaning |
|---|---|
| `rules`, `rules_fingerprint`, `book` | what was ruled by |
| `games` | the records that are shown, below |
| `findings` | about whole files; as in the table `findings`, `details` as values |
| `sound` | whether there is no error and no warning, shown or not |
| `summary` | the lines that the command ends with |

A game has the columns of the table `games` in [tables.md](tables.md) that one record has (`game_id` is a text: it is
too long for numbers of JSON), all `tags`, its `findings`, and its `ruling`: `result`, `reason`, `ply`, `occurrences`,
`conduct`, `acts`, `offences`, `clauses`, `disputed`, `others`, and `explanation` and `explanation_zh`, the paragraph
that a player accepts. `/v1/position` has the same `ruling`.

## Runs

| key | meaning |
|---|---|
| `id`, `record`, `bytes`, `created` | which run, over what |
| `state` | `waiting`, `working`, `done` or `failed`; then `detail` says why |
| `rules`, `rules_fingerprint`, `book` | what is ruled by |
| `progress` | `bytes_done` of `bytes`, and `games`; without what was done before the server was started anew |
| `summary` | of one that is done, below |
| `tables` | `path` and `bytes` of every file, which is had by its path below `/tables/`; `/tables.zip` has all |

The summary has `games`, `plies`, `duplicates`, `results`, `claims`, the codes of `findings` and their `severities`,
counted; `without_games`, the files without a record; `sound`, as above; `summary`, the lines that the command prints;
and `summary_zh`, these in Chinese.

The tables are those of `caipan adjudicate NAME` in the folder of the file, byte for byte. Runs are kept in the folder
`--data` until they are removed; one that the end of the server stopped goes on when another server is started on it.
"""


def describe() -> str:
    """The page, in Markdown."""
    return _TEXT.format(addresses="\n".join(_addresses()))


def _addresses() -> Iterator[str]:
    errands = {(one.method, one.path): one.errand for one in ENDPOINTS} | {("POST", "/v1/runs"): planned}
    yield "| address | what it does |"
    yield "|---|---|"
    for route in app(Path()).routes:
        assert isinstance(route, Route)
        (method,) = (route.methods or set()) - {"HEAD"}
        if not route.path.startswith("/page."):
            errand = errands.get((method, route.path))
            options = f"<br>? {_options(errand)}" if errand and _options(errand) else ""
            said = " ".join((route.endpoint.__doc__ or "").split())
            yield f"| `{method} {route.path.replace(':path', '')}`{options} | {said} |"


def _options(errand: click.Command) -> str:
    return " ".join(_option(name, option) for name, option in options_of(errand).items())


def _option(name: str, option: click.Option) -> str:
    values = f" ({', '.join(option.type.choices)})" if isinstance(option.type, click.Choice) else ""
    return f"`{name}`{values}"


if __name__ == "__main__":
    print(describe(), end="")
