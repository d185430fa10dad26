"""The pages for people: a form for a record, what is wrong with it, and runs. What records say is text in them.

They work without JavaScript; `page.js` spares their readers a reload.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

from adjudicator import RuleBook, Ruleset
from notation.finding import Finding
from pipeline import __version__, check, places
from pipeline.check import Checked, Reporter
from pipeline.cli import adjudicate as adjudicate_command
from pipeline.counts import Count
from pipeline.service.faults import Faulty, by_code
from pipeline.studies.page import straight

if TYPE_CHECKING:
    from pipeline.service.runs import Run

POLICY = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
    " img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
"""What a page may do: its own style and script, and ask its own server."""

Ruled = tuple[str, list[tuple[str, str | None, int]]]
"""A ruling on a run: its path in the folder of tables, and result, reason and number of games."""

MOST_SHOWN = 500
"""So many records are shown on a page."""
MOST_FOUND = 500
"""So many errors and warnings are shown on the page of a run."""
LONGEST = 4000
"""Characters of a line that are shown."""


def page(language: str, body: str, head: str = "") -> str:
    """A whole page around ``body``, in ``language`` ("en" or "zh")."""
    parts = {
        "code": language,
        "lang": "zh-Hans" if language == "zh" else "en",
        "other": "en" if language == "zh" else "zh",
        "version": escape(__version__),
        "foot": escape(_words(language)["foot"].format(version=__version__)),
        "body": body,
        "head": head,
    }
    return _filled("page.html", language, parts)


def front(
    language: str, result: str = "", asked: Mapping[str, Any] | None = None, first: bool = False
) -> str:
    """The page on which a record is sent, with the ``result`` of one that was, below it or ``first``; ``asked`` is what
    was filled in."""
    given = {name: str(value) for name, value in (asked or {}).items() if value}
    rules = map(Ruleset.load, Ruleset.ids())
    own = ("", _words(language)["own-book"])
    parts = {
        "code": language,
        "pasted": escape(straight(given.get("text", ""))),
        "encoding-given": escape(given.get("encoding", "")),
        "handicap-given": escape(given.get("handicap", "")),
        "quiet-given": " checked" if "quiet" in given else "",
        "rule-sets": _options(
            [(one.id, f"{one.id} – {_title(one, language)}") for one in rules], given.get("rules", "xiangqi")
        ),
        "books": _options([own, *_books(language)], given.get("book", "")),
        "notations": "\n".join(
            f'<button formaction="/v1/convert?to={name}&amp;lang={language}">{escape(said)}</button>'
            for name, said in _words(language)["notations"].items()
        ),
    }
    label = escape(_words(language)["report"])
    shown = f'<section id="result" tabindex="-1" aria-live="polite" aria-label="{label}">{result}</section>\n'
    form = _filled("form.html", language, parts)
    return page(language, shown + form if first else form + shown)


def _filled(name: str, language: str, parts: Mapping[str, str]) -> str:
    """The template ``name`` with ``parts``, which are HTML, and words."""

    def part(found: re.Match[str]) -> str:
        return parts[found[1]] if found[1] in parts else escape(_words(language)[found[1]])

    return re.sub(r"\{\{([\w-]+)\}\}", part, file(name))


def report(reporter: Reporter, found: Iterable[Checked]) -> str:
    """What `caipan check` prints, as a part of a page; of more records than are shown, those with faults come first."""
    language = reporter.language
    words = _words(language)
    articles: list[tuple[bool, int, str]] = []
    counts = {True: 0, False: 0}
    for checked in reporter.shown(found):
        sound = checked.sound
        if counts[sound] < MOST_SHOWN:
            articles.append((sound, len(articles), _article(checked, language)))
        counts[sound] += 1
    left = sum(counts.values()) - MOST_SHOWN
    ending = reporter.ending()
    if left > 0:
        articles.sort()
        ending.insert(0, words["cut"].format(count=Count.of(left)))
    told = "".join(f'<p class="total">{_text(line)}</p>' for line in ending)
    shown = "".join(article for _, _, article in articles[:MOST_SHOWN])
    return f"<h2>{escape(words['report'])}</h2>{told}{shown}"


def _article(checked: Checked, language: str) -> str:
    said = []
    if checked.ruled:
        ruling = checked.ruled.ruling.explain(language)
        for line in check.about_ruling(checked.ruled, language):
            said.append(f'<p class="{"ruling" if line == ruling else "claim"}">{_text(line)}</p>')
    return _record(check.heading(checked, language), checked.findings, language, "".join(said))


def _record(heading: str, findings: Iterable[Finding], language: str, more: str = "") -> str:
    """What is wrong with a record, and ``more`` about it, in HTML."""
    parts = [f"<h3><bdi>{_text(heading)}</bdi></h3>"]
    items = []
    for finding in findings:
        said, *hints = check.about_finding(finding, language)
        told = "".join(f'<p class="hint">{_text(hint.strip())}</p>' for hint in hints)
        items.append(f'<li class="is-{finding.severity}"><p>{_text(said)}</p>{told}</li>')
    if items:
        parts.append(f'<ul class="findings">{"".join(items)}</ul>')
    return f"<article>{''.join(parts)}{more}</article>"


def written(language: str, notices: Iterable[str], place: str, name: str) -> str:
    """What is to be told of records rewritten, and where they are: at ``place``, as a file called ``name``."""
    words = _words(language)
    lines = "\n".join(_text(line) for line in notices)
    return (
        f'<h2>{escape(words["written"])}</h2><p><a href="{escape(place)}" download>{_text(name)}</a></p>'
        f'<p class="total">{escape(words["written-note"])}</p><pre class="card">{lines}</pre>'
    )


def trouble(language: str, detail: str) -> str:
    """The page that says why something could not be done."""
    words = _words(language)
    lines = f'<p class="card trouble" role="alert">{_text(detail)}</p>'
    return front(language, f"<h2>{escape(words['trouble'])}</h2>{lines}", first=True)


# -- runs ----------------------------------------------------------------------------------------------


def runs(language: str, found: Iterable[Run]) -> str:
    """All runs, with what there is to know of each."""
    words = _words(language)
    items = "".join(
        f'<li class="card"><a href="/v1/runs/{run.id}?lang={language}"><bdi>{_text(run.record)}</bdi></a>'
        f"<p>{escape(words[run.state])} · {_rules(run, words)}</p>"
        f'<p class="note">{_size(run, words)}</p></li>'
        for run in found
    )
    listed = f'<ul class="runs">{items}</ul>' if items else f"<p>{escape(words['no-runs'])}</p>"
    return page(language, f"<h2>{escape(words['runs'])}</h2>{listed}")


def run(language: str, found: Run, faulty: Sequence[Faulty] = (), ruled: Sequence[Ruled] = ()) -> str:
    """How far a run has come, what it came to with the ``faulty`` records, and what can be done with it; ``ruled`` are
    the rulings just made."""
    words, place, asked = _words(language), f"/v1/runs/{found.id}", f"?lang={language}"
    facts = [
        ("state", f'<span id="state">{escape(words[found.state])}</span>'),
        ("by", _rules(found, words)),
        ("sent", _size(found, words)),
    ]
    listed = "".join(f"<dt>{escape(words[name])}</dt><dd>{said}</dd>" for name, said in facts)
    parts = [f"<h2><bdi>{_text(found.record)}</bdi></h2>", f'<dl class="card facts">{listed}</dl>']
    if not found.over:
        parts.append(f'<div class="card" id="progress">{_progress(found, words)}</div>')
    if found.detail:
        parts.append(f'<p class="card trouble" role="alert">{_text(found.detail)}</p>')
    if found.summary:
        told = found.summary["summary"]
        if language == "zh":
            told = found.summary.get("summary_zh", told)
        lines = "\n".join(_text(line) for line in told)
        links = [
            (f"{place}/report.html{asked}", words["report-page"]),
            (f"{place}/report.md{asked}", words["report-text"]),
            (f"{place}/tables.zip", words["all-tables"]),
            *((f"{place}/tables/{path}", path) for path in found.tables()),
        ]
        items = "".join(f'<li><a href="{escape(link)}">{_text(said)}</a></li>' for link, said in links)
        books = _options(_books(language))
        parts.append(f'<pre class="card">{lines}</pre>')
        parts.append(f'<h2>{escape(words["tables"])}</h2><ul class="links">{items}</ul>')
        parts.append(
            f'<form class="inline" method="post" action="{place}/rule{asked}">'
            f'<div><label for="again">{escape(words["again"])}</label>'
            f'<select id="again" name="book">{books}</select></div>'
            f"<button>{escape(words['rule'])}</button></form>"
        )
        parts += [_ruling(language, place, one) for one in ruled]
        parts.append(_faults(language, found.summary, faulty))
    gone = words["remove" if found.over else "stop"]
    parts.append(
        f'<form class="inline" method="post" action="{place}/remove{asked}"><button>{escape(gone)}</button></form>'
    )
    again = "" if found.over else '<noscript><meta http-equiv="refresh" content="3"></noscript>\n'
    over = "yes" if found.over else "no"
    return page(language, f'<section id="run" data-over="{over}">{"".join(parts)}</section>', again)


def _ruling(language: str, place: str, ruled: Ruled) -> str:
    """That the run at ``place`` has been ruled on again, and how the games end by that."""
    words, (path, results) = _words(language), ruled
    name = path.rpartition("/")[2].removesuffix(".parquet")
    said = words["ruled"].format(book=dict(_books(language)).get(name, name))
    width = max((len(Count.of(number)) for _, _, number in results), default=0)
    lines = "\n".join(
        f"{number:>{width},}  {escape(adjudicate_command.ended(result, reason, language))}"
        for result, reason, number in results
    )
    return (
        f'<div class="card" id="ruled" role="status"><p>{escape(said)}'
        f' <a href="{escape(f"{place}/tables/{path}")}">{_text(path)}</a></p><pre>{lines}</pre></div>'
    )


def _faults(language: str, summary: Mapping[str, Any], faulty: Sequence[Faulty]) -> str:
    """Findings by code, and the errors and warnings of ``faulty`` records."""
    words = _words(language)
    parts = [f"<h2>{escape(words['findings'])}</h2>"]
    counted = by_code(summary["findings"])
    rows = "".join(
        f'<tr><td class="number">{Count.of(number)}</td><td>{escape(check.word(severity, language))}</td>'
        f"<td>{escape(code)}</td></tr>"
        for severity, code, number in counted
    )
    parts.append(f'<table class="card">{rows}</table>' if rows else f"<p>{escape(words['no-findings'])}</p>")
    grave = sum(number for severity, _, number in counted if severity != "note")
    left = grave - sum(len(one.findings) for one in faulty)
    if left > 0:
        parts.append(f'<p class="total">{escape(words["cut-findings"].format(count=Count.of(left)))}</p>')
    for one in faulty:
        if one.game is None:
            heading = places.head(one.source, one.line)
        else:
            heading = check.game_heading(one.source, one.line, one.game, one.tags, language)
        parts.append(_record(heading, one.findings, language))
    return "".join(parts)


def _progress(run: Run, words: Mapping[str, Any]) -> str:
    come = run.progress or {"bytes_done": 0, "bytes": 0, "games": 0}
    done, size, games = (Count.of(come[name]) for name in ("bytes_done", "bytes", "games"))
    said = (
        words["progress-value"].format(done=done, all=size, games=games) if run.progress else words[run.state]
    )
    shown = f'max="{come["bytes"]}" value="{come["bytes_done"]}"' if come["bytes"] else ""
    return (
        f'<label for="come">{escape(words["progress"])}</label>'
        f'<progress id="come" {shown}></progress><p class="note">{escape(said)}</p>'
    )


def _rules(run: Run, words: Mapping[str, Any]) -> str:
    head = run.head
    return _text(
        words["by-value"].format(
            rules=head["rules"], fingerprint=head["rules_fingerprint"], book=head["book"]
        )
    )


def _size(run: Run, words: Mapping[str, Any]) -> str:
    created = run.created.replace("T", " ")[:16] + " UTC"
    return escape(words["size"].format(bytes=Count.of(run.bytes), created=created))


# -- parts ---------------------------------------------------------------------------------------------


def _title(rules: Ruleset, language: str) -> str:
    return rules.chinese_title if language == "zh" else rules.title


def _books(language: str) -> list[tuple[str, str]]:
    """The rule books: ids and what is said of them."""
    names = _words(language)["books"]
    books = map(RuleBook.load, RuleBook.ids())
    return [(one.id, f"{one.id} – {names.get(one.id, one.title)}") for one in books]


def _options(values: Iterable[tuple[str, str]], chosen: str = "") -> str:
    """Of a select: values and what is said of them."""
    return "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(said)}</option>'
        for value, said in values
    )


def _text(said: str) -> str:
    """What a record may have said, as text, and not longer than anybody reads."""
    said = straight(said)
    return escape(said if len(said) <= LONGEST else said[: LONGEST - 1] + "…")


def _words(language: str) -> dict[str, Any]:
    return _all_words()[language]


@cache
def _all_words() -> dict[str, dict[str, Any]]:
    return json.loads(file("words.json"))


@cache
def file(name: str) -> str:
    """The text of a file beside this module."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
