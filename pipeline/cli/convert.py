"""``caipan convert``."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli.options import OutPath, check_apart, clean_errors, encoding_option, only_once, rules_options
from pipeline.counts import Count

NOTATIONS = ["wxf", "chinese", "chinese-traditional", "iccs", "uci", "algebraic", "long"]

MOST_SHOWN = 10
"""So many records with moves that the notation cannot say are named."""


@click.command("convert")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--to", "notation", required=True, type=click.Choice(NOTATIONS), help="Notation to write.")
@click.option(
    "--out",
    required=True,
    multiple=True,
    callback=only_once,
    type=OutPath(dir_okay=False, path_type=Path),
    help="File to write.",
)
@rules_options
@encoding_option
@clean_errors
def command(file, notation, out, rules, settings, encoding):
    """Rewrite records in another move notation.

    Tags, comments, annotation glyphs and variations stay; moves that cannot be read stay as written. Moves that the
    notation has no words for, such as drops in WXF, are written as coordinates.

    \b
        caipan convert games.pgn --to chinese --out games_zh.pgn
    """
    from pipeline.convert import convert

    check_apart([out], [file])
    done = convert(file, out, notation, rules=rules, settings=settings, encoding=encoding)
    games, moves, kept = Count.of(done.games), Count.of(done.moves), Count.of(done.kept)
    click.echo(f"{games} {games:game|games}, {moves} {moves:move|moves} rewritten in {out}")
    for finding in done.findings[:MOST_SHOWN]:
        click.echo(f"{finding.source}:{finding.line}: {finding.message()}", err=True)
    if len(done.findings) > MOST_SHOWN:
        more = Count.of(len(done.findings) - MOST_SHOWN)
        click.echo(f"and so in {more} more {more:game|games}", err=True)
    if done.kept:
        said = f"{kept} {kept:move|moves} could not be read and {kept:stays|stay} as written"
        click.echo(said, err=True)
