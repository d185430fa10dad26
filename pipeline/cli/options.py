"""Options that commands share, and how domain errors become one clean line."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

import click

EXTRAS = {
    "PIL": "film",
    "matplotlib": "report",
    "numpy": "statistics",
    "python_multipart": "service",
    "scipy": "statistics",
    "starlette": "service",
    "uvicorn": "service",
}
"""The extra that installs a package which only some commands need."""


def need(package: str) -> None:
    """Fail before the work, not after it, where one of `EXTRAS` is missing; `clean_errors` says how to get it."""
    if importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def settings_option(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--set``, which arrives as a dict ``settings``."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=lambda ctx, param, values: dict(_setting(value) for value in values),
        help=help,
    )


def rules_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--rules``, ``--set`` and ``--handicap``; the last two arrive as one dict ``settings``."""

    @functools.wraps(command)
    def settled(*args: Any, handicap: str | None, settings: dict[str, Any], **kwargs: Any) -> Any:
        given = {} if handicap is None else {"handicap.given": handicap}
        return command(*args, settings=settings | given, **kwargs)

    decorators = (
        click.option(
            "--handicap",
            metavar="TEXT",
            callback=_known_handicap,
            help="What a side gives in records that declare no handicap, e.g. 'left chariot' or 让双马.",
        ),
        settings_option(
            "Override one option of the rule set, or of its rule book, e.g. no_capture_limit=60,"
            " which goes before a rule book's own limit."
        ),
        click.option(
            "--rules",
            default="xiangqi",
            show_default=True,
            metavar="RULES",
            help="Rule set: an id, or a .toml file.",
        ),
    )
    wrapped: Callable[..., Any] = settled
    for decorator in decorators:
        wrapped = decorator(wrapped)
    return wrapped


def book_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--book",
        metavar="BOOK",
        help="Rule book for repetitions, which may bring a no-capture limit of its own [default: the rule set's own].",
    )(command)


def encoding_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--encoding",
        metavar="NAME",
        callback=_known_encoding,
        help="Text encoding of the records, e.g. gb18030 [default: detected].",
    )(command)


def jobs_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--jobs", type=click.IntRange(1), metavar="N", help="Worker processes [default: one per processor]."
    )(command)


def list_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--list",
        "listed",
        type=click.IntRange(0),
        default=20,
        show_default=True,
        metavar="N",
        help="Show so many games.",
    )(command)


def games_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--game``, whose numbers arrive as a tuple ``games``, in the order given."""
    return click.option(
        "--game",
        "games",
        multiple=True,
        metavar="N",
        callback=lambda ctx, param, texts: _numbers(texts),
        help="Only these games, counted from 1 over all files: 3, 5-8, or 1,4,9. May be repeated.",
    )(command)


def lang_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language."
    )(command)


def min_plies_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--min-plies",
        type=click.IntRange(0),
        default=2,
        show_default=True,
        metavar="N",
        help="Leave out shorter games, unless the rules ended them.",
    )(command)


def copies_option(default: bool | None, words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--copies`` and ``--no-copies``; ``words`` say what ``default`` means."""
    return click.option(
        "--copies/--no-copies",
        default=default,
        show_default=words,
        help="Count games with the moves of an earlier one, too, or leave all of them out.",
    )


class OutPath(click.Path):
    """A path to write to: none of what a run keeps, which is made by adjudicating and ruling alone, and no folder where
    a file is wanted."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from pipeline import manifest

        if not self.dir_okay and (str(value).endswith(os.sep) or os.path.isdir(value)):
            self.fail(f"{value} is a folder; name a file, e.g. {os.path.join(value, 'NAME')}", param, ctx)
        path: Any = super().convert(value, param, ctx)
        if run := manifest.run_of(path):
            self.fail(f"{path} belongs to the run in {run}; name another place", param, ctx)
        return path


def out_option(
    *forms: str, help: str, required: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--out`` for files, each in the one of ``forms`` that its ending names: a dict ``outs`` of forms by path."""
    return click.option(
        "--out",
        "outs",
        multiple=True,
        required=required,
        type=OutPath(dir_okay=False, path_type=Path),
        callback=lambda ctx, param, outs: {out: check_ending(out, forms) for out in outs},
        help=f"{help} May be repeated.",
    )


def only_once(ctx: click.Context, param: click.Parameter, values: tuple[Any, ...]) -> Any:
    """The value of an option with ``multiple``, where a second one would be lost."""
    if len(values) > 1:
        raise click.BadParameter("given more than once")
    return values[0] if values else None


def check_ending(out: Path, forms: Collection[str]) -> str:
    """Which of the ``forms`` that can be written the ending of ``out`` names; refuse a file whose ending names none."""
    ending = out.suffix.lower().lstrip(".")
    form = {"htm": "html"}.get(ending, ending)
    if form not in forms:
        raise click.UsageError(
            f"--out {out}: the ending is none of {', '.join(f'.{form}' for form in forms)}"
        )
    return form


def check_apart(outs: Iterable[Path], paths: Iterable[Path | str]) -> None:
    """Refuse to write over one of the files that are read."""
    from pipeline import manifest, sources

    there = [out for out in outs if out.exists()]
    records = [path for path in paths if not manifest.holds_run(Path(path))]
    read: list[Path | int] = [source.path for source in sources.find(records).sources] if there else []
    if sources.STANDARD_INPUT in map(str, records):
        read.append(0)
    for out in there:
        if any(os.path.samestat(out.stat(), os.stat(file)) for file in read):
            raise click.UsageError(f"--out {out}: these records are what is read; name another file")


def strict_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--strict",
        is_flag=True,
        help="Exit 1 when a record has an error or warning, or a file or PATH no records.",
    )(command)


def _known_encoding(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    try:
        "a".encode(value or "utf-8").decode(value or "utf-8", "backslashreplace")
    except (LookupError, ValueError):  # no encoding, or one that serves no text: "undefined", "idna"
        raise click.BadParameter(f"no encoding called {value}") from None
    return value


def _known_handicap(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    from notation import handicap

    if value and (faults := handicap.faults(value)):
        raise click.BadParameter("; ".join(faults))
    return value


def _numbers(texts: Iterable[str]) -> tuple[int, ...]:
    """ "3", "5-8", "1,4,9" as numbers, in the order given."""
    numbers: list[int] = []
    for part in ",".join(texts).replace(" ", "").split(","):
        if not part:
            continue
        found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", part)
        if not found or not 0 <= int(found[2] or found[1]) - int(found[1]) <= 1_000_000:
            raise click.BadParameter(f"{part!r} is not a number or a span such as 5-8", param_hint="--game")
        numbers += range(int(found[1]), int(found[2] or found[1]) + 1)
    return tuple(dict.fromkeys(numbers))


def _setting(text: str) -> tuple[str, Any]:
    key, sign, value = text.partition("=")
    if not (key and sign):
        raise click.BadParameter(f"{text!r} is not KEY=VALUE", param_hint="--set")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def clean_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn what a person asked wrongly into exit 2, what could not be done into exit 1: one line each."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except BrokenPipeError:
            raise  # whoever read has seen enough; click ends without a word
        except Exception as error:
            clean = _clean(error)
            if clean is None:
                raise
            raise clean from None

    return wrapped


def _clean(error: Exception) -> click.ClickException | None:
    """What a person is told of ``error``; None if nobody expects it. Modules come with the commands that need them."""
    if isinstance(error, ModuleNotFoundError):
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            return None
        return click.ClickException(f"this needs {package}: pip install {_requirement(EXTRAS[package])}")
    from adjudicator import InvalidFen, RulesetError
    from pipeline.chosen import NoSuchGame
    from pipeline.manifest import OtherRun
    from pipeline.rulings import NoRun
    from pipeline.run import RunFailed
    from pipeline.sources import NoSuchPath, lacks_memory, lacks_room

    if isinstance(error, RulesetError | InvalidFen | NoSuchPath | OtherRun | NoRun):
        return click.UsageError(str(error))
    if lacks_memory(error):
        why = str(error).strip() or type(error).__name__
        return click.ClickException(goes_on(f"this process is given too little memory ({why})"))
    if lacks_room(error):
        return click.ClickException(goes_on(str(error)))
    return click.ClickException(str(error)) if isinstance(error, NoSuchGame | RunFailed | OSError) else None


def _requirement(extra: str) -> str:
    """What pip is given for caipan with ``extra`` in the way that it is installed: in a clone of the repository, which
    an index knows nothing of, from an address, or by its name."""
    from importlib import metadata

    if (Path(__file__).parents[2] / "pyproject.toml").exists():
        return f"-e '.[{extra}]'"
    try:
        origin = json.loads(metadata.distribution("caipan").read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        origin = {}
    if "dir_info" in origin:
        return f"'.[{extra}]'"
    if "vcs_info" in origin:
        return f"'caipan[{extra}] @ {origin['vcs_info']['vcs']}+{origin['url']}'"
    return f"'caipan[{extra}]'"


def goes_on(said: str) -> str:
    """``said`` of a command that broke off, and what is left of it: `caipan adjudicate` keeps what is done."""
    command = click.get_current_context().find_root().obj
    return f"{said}; the same command goes on from here" if command == "adjudicate" else said
