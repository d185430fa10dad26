"""``caipan compare``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pipeline.cli.options import clean_errors


@click.command("compare")
@click.argument("run", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--book",
    "books",
    required=True,
    multiple=True,
    metavar="BOOK",
    help="Rule book; at least two, the first is the base.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game instead of text.")
@clean_errors
def command(run, books, as_json):
    """List the games of a run whose result changes from one rule book to another, and sum it up.

    Books that the run was not ruled by yet are applied first, as `caipan rule` does.

    \b
        caipan compare rulings/ --book site --book axf --book cxa
    """
    from pipeline import comparison

    found = comparison.compare(run, books)
    if as_json:
        for row in found.changed.to_dicts():
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo("\n".join(comparison.report(found)))
