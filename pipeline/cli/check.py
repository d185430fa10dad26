"""``caipan check``."""

from __future__ import annotations

import sys

import click

from pipeline.cli.options import (
    book_option,
    clean_errors,
    encoding_option,
    games_option,
    lang_option,
    rules_options,
    strict_option,
)


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@rules_options
@book_option
@encoding_option
@games_option
@strict_option
@lang_option
@click.option("--quiet", is_flag=True, help="Show only records with errors or warnings, and no notes.")
@click.option(
    "--severity",
    type=click.Choice(["error", "warning", "note"]),
    help="Show and count only findings that are as grave as this, or graver; --strict heeds all."
    " [default: note; with --quiet: warning]",
)
@clean_errors
def command(files, rules, book, settings, encoding, games, strict, lang, quiet, severity):
    """Report what is wrong with records, and the rulings, for people to read.

    \b
        caipan check final.pgn --rules xiangqi --book site
        caipan check games/ --quiet --lang zh
        caipan check final.pgn --game 3 --game 7
        caipan check games/ --quiet --severity error
        zcat games.gz | caipan check -
    """
    from pipeline import check

    asked = dict(rules=rules, book=book, settings=settings, encoding=encoding, games=games)
    reporter = check.Reporter(lang, quiet, severity)
    for line in reporter.lines(check.check(files, **asked)):
        click.echo(line)
    if strict and not reporter.sound:
        sys.exit(1)
