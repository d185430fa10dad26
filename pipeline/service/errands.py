"""What requests ask for. Each errand is a command with the options of the command line; it runs in a process of its own
(`workers`), in the folder of what was sent, and leaves its answer in a file.
"""

from __future__ import annotations

import json
import shutil
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import click

from adjudicator import Adjudication, Game, MoveError, RuleBook, Ruleset, RulesetError
from notation.notations import write as word
from notation.tags import value_of
from pipeline import check, convert, rulings, run, sources, stages
from pipeline.check import Checked
from pipeline.cli import adjudicate as adjudicate_command
from pipeline.cli import check as check_command
from pipeline.cli import convert as convert_command
from pipeline.cli import report as report_command
from pipeline.cli import rule as rule_command
from pipeline.cli import rules as rules_command
from pipeline.cli import show as show_command
from pipeline.cli import study as study_command
from pipeline.cli.options import (
    book_option,
    clean_errors,
    encoding_option,
    games_option,
    lang_option,
    need,
    rules_options,
)
from pipeline.service import pages
from pipeline.studies import NothingToShow, Wishes, match
from pipeline.studies import write as writing

Json = dict[str, Any]

RECORDS = "records"
"""The folder, in that of an errand, which holds what was sent; the errand works in it, so that no name says more."""
ANSWER = "answer"
"""The file, in the folder of an errand, that it leaves."""
WRITTEN = "/v1/written"
"""The address of the answers that a page leads to."""
PAGE = "page"
"""The file, in the folder of an errand, that a person reads before the answer is fetched."""
TABLES = "tables"
"""The folder, in that of a run, which holds its tables."""

FORMS = {
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
"""What can be asked for by ``Accept``, the first of those that an errand has where nothing else is said."""

PGN = "application/x-chess-pgn; charset=utf-8"
BOXED = {"Content-Security-Policy": "sandbox allow-scripts allow-modals; frame-ancestors 'none'"}
"""A page that is made from records has a policy of its own, and is a stranger to this server."""
PICTURE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Other pages may show pictures of positions, which tell nothing but what was asked."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What a command works on: ``record`` is a file in its folder `RECORDS`, "" where nothing was sent, ``own`` the
    rule set or book that came along, by "rules" and "book"; ``pasted``: a person has pasted the record into a page.
    ``form`` is what is wanted of `FORMS`, ``run`` the folder of the run that it is about, ``jobs`` the processes of
    one, and ``tell`` hears of progress.
    """

    folder: Path
    record: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    pasted: bool = False
    form: str = "json"
    run: Path | None = None
    jobs: int | None = None
    tell: Callable[[Any], None] | None = None

    @property
    def place(self) -> Path:
        """The folder in which it is worked on."""
        return (self.run or self.folder) / RECORDS

    def path(self) -> Path:
        """Of what was sent, as a person names it. Raises `TooLarge` for what unpacks to more than any file may."""
        path = Path(self.record)
        size = sum(source.size for source in sources.find([path]).sources)
        if size > sources.MEMBER_LIMIT:
            raise TooLarge(f"{path} unpacks to {size} bytes, more than {sources.MEMBER_LIMIT}")
        return path

    def answer(self, said: Any, media: str = "", headers: Mapping[str, str] | None = None) -> Answer:
        """Leave ``said``, values for JSON, text or bytes, to be sent with ``headers``."""
        if isinstance(said, dict | list):
            said, media = json.dumps(said, ensure_ascii=False, indent=1) + "\n", media or FORMS["json"]
        if isinstance(said, str):
            # A lone surrogate, as damaged records have, is written as JSON escapes it.
            said = said.encode("utf-8", "backslashreplace")
        (self.folder / ANSWER).write_bytes(said)
        return Answer(media or FORMS["text"], headers=dict(headers or {}))

    def asked(self, rules: str, settings: Json, encoding: str | None) -> Json:
        """What the form of the page was filled in with."""
        text = (self.place / self.record).read_text("utf-8") if self.pasted else ""
        handicap = settings.get("handicap.given")
        return {"rules": rules, "encoding": encoding, "handicap": handicap, "text": text}

    def archive(self, files: Mapping[str, Path], name: str) -> Answer:
        """Leave ``files`` in a zip archive, each under its key; the same files make the same bytes."""
        with zipfile.ZipFile(self.folder / ANSWER, "w") as archive:
            for inside, file in files.items():
                info = zipfile.ZipInfo(inside)
                info.file_size = file.stat().st_size
                with file.open("rb") as source, archive.open(info, "w") as target:
                    shutil.copyfileobj(source, target)
        return Answer("application/zip", name)

    @property
    def stem(self) -> str:
        """What was sent is called, without its ending."""
        return self.record.partition(".")[0] or self.record

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
    """What an errand has left: its media type, and the name under which it is kept, if it is a file to keep.

    ``later``: there is a `PAGE` to be read first, and leads to the answer, `WRITTEN` at the errand's folder.
    """

    media: str
    name: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    later: bool = False


class Missing(click.ClickException):
    """What is asked for by its address is not there."""


class TooLarge(click.ClickException):
    """More is sent than is taken."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no answer, as an HTTP status and words, in ``chinese`` where the service itself says them."""

    status: int
    detail: str
    chinese: str = ""


ERRANDS: dict[str, click.Command] = {}
"""All errands by name."""


def errand(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function an errand: it is given the `Errand` first, and rules by id or as the file that came along."""

    def made(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        @clean_errors
        def work(given: Errand, **asked: Any) -> Any:
            asked |= {kind: given.named(kind, asked[kind]) for kind in ("rules", "book") if kind in asked}
            if "books" in asked:
                asked["books"] = [given.named("book", book) for book in asked["books"]]
            return function(given, **asked)

        # Options are kept with the function until it is a command.
        ERRANDS[name] = click.command(name, add_help_option=False)(click.pass_obj(work))
        return ERRANDS[name]

    return made


def written(tables: Path) -> dict[str, Path]:
    """The files that a run and rulings on it have left in ``tables``, by their paths there, sorted."""
    found = [*tables.glob("*.json"), *tables.glob("*/*.parquet")]
    return {path.relative_to(tables).as_posix(): path for path in sorted(found)}


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
    if given.form == "html":
        asked = given.asked(rules, settings, encoding) | {"book": book, "quiet": quiet}
        said = pages.front(lang, pages.report(reporter, found), asked)
        return given.answer(said, FORMS["html"], headers=pages.POLICY)
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


@errand("convert")
@borrowed(convert_command.command, "notation")
@rules_options
@encoding_option
@lang_option
def converted(
    given: Errand, *, notation: str, rules: str, settings: Json, encoding: str | None, lang: str
) -> Answer:
    """Records in another move notation, as PGN."""
    out = Path("..") / ANSWER
    try:
        done = convert.convert(given.path(), out, notation, rules=rules, settings=settings, encoding=encoding)
    except convert.NothingToConvert as error:
        raise click.ClickException(str(error)) from None
    counts = {name: getattr(done, name) for name in ("games", "moves", "coordinates", "kept")}
    notices = convert_command.notices(done, lang)
    if given.form == "json":
        text = out.read_text(encoding="utf-8")
        return given.answer({**counts, "notices": notices, "pgn": text})
    told = {f"Caipan-{name.capitalize()}": str(count) for name, count in counts.items()}
    name = f"{given.stem}-{notation}.pgn"
    if given.form == "html" and notices:
        result = pages.written(lang, notices, f"{WRITTEN}/{given.folder.name}", name)
        page = pages.front(lang, result, given.asked(rules, settings, encoding), first=True)
        (given.folder / PAGE).write_text(page, "utf-8", "backslashreplace")
        return Answer(PGN, name, told, later=True)
    return Answer(PGN, name, told)


STUDIES = {"html": FORMS["html"], "json": FORMS["json"], "pgn": PGN, "md": "application/zip"}
"""Forms of a study, and what they are sent as: Markdown has its diagrams beside it."""


@errand("study")
@click.option(
    "--form",
    type=click.Choice([*STUDIES]),
    default="html",
    help="What to make; md comes with its diagrams in a zip.",
)
@games_option
@borrowed(study_command.command, "pick", "count", "title", "notation")
@lang_option
@rules_options
@book_option
@encoding_option
def studied(
    given: Errand,
    *,
    form: str,
    games: tuple[int, ...],
    pick: str | None,
    count: int | None,
    title: str | None,
    notation: str | None,
    lang: str,
    rules: str,
    book: str | None,
    settings: Json,
    encoding: str | None,
) -> Answer:
    """Annotated games for people to read."""
    wishes = Wishes(games, pick, count, title, lang, notation)
    try:
        study = match.study(
            [given.path()], wishes, rules=rules, book=book, settings=settings, encoding=encoding
        )
    except NothingToShow as error:
        raise click.ClickException(str(error)) from None
    out = Path("..") / "study" / f"{given.stem}.{form}"
    files = writing.study(study, out, form, rules=rules, settings=settings)
    if form == "md":
        return given.archive({str(file.relative_to(out.parent)): file for file in files}, f"{given.stem}.zip")
    out.replace(Path("..") / ANSWER)
    return Answer(STUDIES[form], out.name if form == "pgn" else "", BOXED if form == "html" else {})


# -- positions -------------------------------------------------------------------------------------------


def position_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Of a position and the moves that were made from it, which arrive as a `Game` called ``game``."""

    @wraps(function)
    def played(
        given: Errand, *, fen: str | None, moves: tuple[str, ...], rules: str, settings: Json, **asked: Any
    ) -> Any:
        game = Game(fen, Ruleset.load(rules, settings))
        for ply, move in enumerate(" ".join(moves).replace(",", " ").split(), start=1):
            try:
                game.push(move)
            except MoveError as error:
                possible = [one for one in error.candidates if one not in str(error)]
                more = f"; possible: {', '.join(possible)}" if possible else ""
                raise click.ClickException(f"ply {ply}: {error}{more}") from None
        return function(given, game=game, **asked)

    options = (
        click.option("--fen", metavar="FEN", help="The position [default: the start position]."),
        click.option(
            "--moves",
            multiple=True,
            metavar="MOVES",
            help="Moves made from there, in any notation without blanks, between commas or blanks. May be repeated.",
        ),
        rules_options,
    )
    wrapped: Callable[..., Any] = played
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


@errand("position")
@position_options
@book_option
def position(given: Errand, *, game: Game, book: str | None) -> Answer:
    """What stands on a board, what may be played, and how the game stands."""
    place, rules = game.position, game.rules
    rulebook = rules.rulebook(book)
    contexts = {move: place.context(move) for move in place.legal_moves()}
    told = {
        "rules": rules.id,
        "rules_fingerprint": rules.fingerprint,
        "book": rulebook.id,
        "start_fen": game.start_fen,
        "moves": game.moves,
        "fen": game.fen(),
        "side": place.side,
        "handicap": place.handicap,
        "reserves": place.reserves() if rules.reserves else None,
        "check": place.is_check(),
        "wide_check": place.is_wide_check(),
        "checkers": place.checkers(),
        "mate": place.is_checkmate(),
        "stalemate": place.is_stalemate(),
        "legal_moves": [
            {name: word(context, name) for name in ("uci", "wxf", "chinese")} for context in contexts.values()
        ],
        "ruling": game.ruling(rulebook).to_dict(),
        "findings": findings_of(Checked("", place.faults)),
    }
    return given.answer(told)


@errand("picture")
@position_options
@borrowed(show_command.command, "letters", "flip", "files")
def picture(given: Errand, *, game: Game, letters: bool, flip: bool, files: bool) -> Answer:
    """The board as an SVG picture."""
    names = "files" if files else "coordinates"
    last = game.moves[-1] if game.moves else None
    drawn = game.position.svg(letters=letters, flipped=flip, names=names, last=last)
    return given.answer(drawn, "image/svg+xml", PICTURE)


# -- rules -----------------------------------------------------------------------------------------------


@errand("rules")
def all_rules(given: Errand) -> Answer:
    """The rule sets that come with caipan."""
    if given.form == "text":
        return given.answer("".join(f"{line}\n" for line in rules_command.rule_lines()))
    return given.answer({"rules": [_rules(Ruleset.load(name)) for name in Ruleset.ids()]})


@errand("books")
def all_books(given: Errand) -> Answer:
    """The rule books that come with caipan."""
    if given.form == "text":
        return given.answer("".join(f"{line}\n" for line in rules_command.book_lines()))
    return given.answer({"books": [_book(RuleBook.load(name)) for name in RuleBook.ids()]})


@errand("ruleset")
@click.argument("rules")
def one_ruleset(given: Errand, *, rules: str) -> Answer:
    """A rule set with every option resolved, and its sources."""
    found = _there(Ruleset.load, rules)
    if given.form == "text":
        return given.answer("".join(f"{line}\n" for line in rules_command.shown(rules)))
    return given.answer(_rules(found) | {"sources": _sources(Ruleset.sources(rules)), "options": found.data})


@errand("book")
@click.argument("book")
def one_book(given: Errand, *, book: str) -> Answer:
    """A rule book with every option resolved, and its sources."""
    found = _there(RuleBook.load, book)
    if given.form == "text":
        return given.answer("".join(f"{line}\n" for line in rules_command.shown(book)))
    options = RuleBook.written(book)
    return given.answer(_book(found) | {"sources": _sources(RuleBook.sources(book)), "options": options})


def _there(load: Callable[[str], Any], name: str) -> Any:
    try:
        return load(name)
    except RulesetError as error:
        raise Missing(str(error)) from None


def _rules(rules: Ruleset) -> Json:
    return {
        "id": rules.id,
        "title": rules.title,
        "title_zh": rules.chinese_title,
        "rules_fingerprint": rules.fingerprint,
        "book": rules.book,
    }


def _book(book: RuleBook) -> Json:
    return {"id": book.id, "title": book.title, "date": book.date}


def _sources(sources: list[tuple[str, str, str]]) -> list[Json]:
    return [{"id": name, "source": source, "date": date} for name, source, date in sources]


# -- runs ------------------------------------------------------------------------------------------------


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is asked of a run, for planning and for working it."""
    return rules_options(book_option(encoding_option(function)))


@errand("plan")
@run_options
def planned(given: Errand, *, rules: str, book: str | None, settings: Json, encoding: str | None) -> Answer:
    """By which rules a run would be; what is asked wrongly is told at once."""
    given.path()
    options = stages.Options.of(rules, book, settings, encoding)
    ruleset, rulebook = options.ruleset(), options.rulebook()
    return given.answer({"rules": ruleset.id, "rules_fingerprint": ruleset.fingerprint, "book": rulebook.id})


@errand("adjudicate")
@run_options
def adjudicated(
    given: Errand, *, rules: str, book: str | None, settings: Json, encoding: str | None
) -> Answer:
    """Rule on every game of an archive; tables."""
    last = 0.0

    def progress(done: int, size: int, games: int) -> None:
        nonlocal last
        if given.tell and (done == size or time.monotonic() - last > TELL_EVERY):
            last = time.monotonic()
            given.tell({"bytes_done": done, "bytes": size, "games": games})

    summary = run.adjudicate(
        [given.path()],
        rules=rules,
        book=book,
        settings=settings,
        encoding=encoding,
        out=Path("..") / TABLES,
        jobs=given.jobs,
        force=True,  # what another version of caipan has begun is begun anew
        progress=progress,
    )
    return given.answer(
        {
            "games": summary.games,
            "plies": summary.plies,
            "duplicates": summary.duplicates,
            "results": _results(summary.results),
            "claims": dict(summary.claims),
            "findings": dict(summary.findings),
            "severities": dict(summary.severities),
            "without_games": summary.without_games,
            "sound": summary.sound,
            "summary": adjudicate_command.table(summary),
            "summary_zh": adjudicate_command.table(summary, "zh"),
        }
    )


TELL_EVERY = 0.2
"""Seconds between two reports of progress."""


def _results(results: Counter[tuple[str, str]]) -> list[Json]:
    counted = results.most_common()
    return [{"result": result, "reason": reason or None, "games": n} for (result, reason), n in counted]


@errand("tables")
def tables(given: Errand) -> Answer:
    """All tables of a run, and its manifest, in a zip."""
    return given.archive(written(Path("..") / TABLES), f"{given.stem}-tables.zip")


@errand("report")
@borrowed(report_command.command, "title", "min_plies", "copies")
@lang_option
@click.argument("form")
def reported(
    given: Errand, *, form: str, title: str | None, min_plies: int, copies: bool, lang: str
) -> Answer:
    """What the numbers over all games of a run say."""
    if form == "html":
        need("matplotlib")
    need("scipy")
    from pipeline.reports import markdown, page
    from pipeline.reports.report import report

    made = report([Path("..") / TABLES], language=lang, title=title, min_plies=min_plies, copies=copies)
    if form == "html":
        return given.answer(page.html(made), FORMS["html"], BOXED)
    return given.answer(markdown.markdown(made), "text/markdown; charset=utf-8")


@errand("rule")
@borrowed(rule_command.command, "books", "settings", "reasons")
def ruled(given: Errand, *, books: list[str], settings: Json, reasons: bool) -> Answer:
    """Rule on the games of a run again, under other rule books."""
    out = Path("..") / TABLES
    found = [rulings.rule(out, book, settings, reasons) for book in books]
    return given.answer(
        {
            "rulings": [
                {
                    "book": one.book.id,
                    "title": one.book.title,
                    "path": one.out.relative_to(out).as_posix(),
                    "games": one.games,
                    "plies": one.plies,
                    "disputed": one.disputed,
                    "results": _results(one.results),
                }
                for one in found
            ]
        }
    )
