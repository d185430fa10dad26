"""``caipan check``."""

from __future__ import annotations

import sys

import click

from pipeline.cli.options import (
    book_option,
    clean_errors,
    encoding_option,
    lang_option,
    rules_options,
    strict_option,
)


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@rules_options
@book_option
@encoding_option
@strict_option
@lang_option
@click.option("--quiet", is_flag=True, help="Show only records with findings.")
@clean_errors
def command(files, rules, book, settings, encoding, strict, lang, quiet):
    """Report what is wrong with records, and the rulings, for people to read.

    \b
        caipan check final.pgn --rules xiangqi --book site
        caipan check games/ --quiet --lang zh
        zcat games.gz | caipan check -
    """
    from pipeline import check

    games = findings = 0
    sound, aside = True, []
    for checked in check.check(files, rules=rules, book=book, settings=settings, encoding=encoding):
        games += checked.game is not None
        findings += len(checked.findings)
        sound = sound and checked.sound
        if checked.left_aside:
            aside += checked.findings
        elif checked.findings or not quiet:
            click.echo("\n".join(check.report(checked, lang)))
    for line in check.aside(aside, lang):
        click.echo(line)
    click.echo(check.total(games, findings, lang))
    if strict and not sound:
        sys.exit(1)
