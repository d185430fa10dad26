"""``caipan compare``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from pipeline.cli.adjudicate import Progress, troubles
from pipeline.cli.options import (
    check_apart,
    clean_errors,
    encoding_option,
    games_option,
    jobs_option,
    lang_option,
    list_option,
    out_option,
)


@click.command("compare")
@click.argument("paths", nargs=-1, required=True, metavar="DIR|ARCHIVE...")
@click.option(
    "--book", "books", multiple=True, metavar="BOOK", help="Rule book; at least two, the first is the base."
)
@click.option(
    "--rules", multiple=True, metavar="RULES", help="Rule set: an id, or a .toml file; two of them."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game that differs instead of text.")
@out_option(
    *("parquet", "csv", "json", "md"),
    help="With --rules: file to write, .parquet, .csv or .json (every game), or .md (the report).",
)
@list_option
@games_option
@lang_option
@jobs_option
@encoding_option
@clean_errors
def command(paths, books, rules, as_json, outs, listed, games, lang, jobs, encoding):
    """Compare rule books over the games of a run, or rule sets over an archive.

    With --book: the games of the finished run in DIR whose result changes from book to book, why, and how often. Books
    that the run was not ruled by yet are applied first, as `caipan rule` does.

    With --rules: the games of ARCHIVE (files, folders, zip archives or patterns) played under two rule sets: where they
    part, moves that become illegal, results that change.

    \b
        caipan compare rulings/ --book site --book axf --book cxa
        caipan compare rulings/ --book site --book axf --game 12
        caipan compare games.zip --rules xiangqi --rules xiangqi-60 --out parted.csv
    """
    if bool(books) == bool(rules):
        raise click.UsageError(
            "give --book (twice or more, over a run) or --rules (twice, over records), not both"
        )
    if books:
        _books(paths, books, as_json, outs, listed, games, lang)
    else:
        _rules(paths, rules, as_json, outs, listed, games, lang, jobs, encoding)


def _books(paths, books, as_json, outs, listed, games, lang):
    from pipeline import comparison
    from pipeline.reports.words import Words

    if len(paths) > 1 or outs:
        raise click.UsageError("with --book, give the folder of one finished run, and no --out")
    found = comparison.compare(Path(paths[0]), books, games)
    if as_json:
        for row in comparison.told(found, words=Words(lang)):
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo("\n".join(comparison.report(found, listed, lang)))


def _rules(paths, rules, as_json, outs, listed, games, lang, jobs, encoding):
    from pipeline import partings

    check_apart(outs, paths)
    progress = Progress(sys.stderr)
    try:
        found, summary = partings.compare(
            paths, rules, games, language=lang, jobs=jobs, encoding=encoding, progress=progress
        )
    finally:
        progress.close()
    for line in troubles(summary):
        click.echo(line, err=True)
    if as_json:
        for row in found.parted.to_dicts():
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo("\n".join(partings.report(found, listed, lang)))
    for out, form in outs.items():
        partings.write(found, out, form, listed, lang)
