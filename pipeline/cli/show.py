"""``caipan show``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from pipeline.cli.options import OutPath, clean_errors, rules_options


@click.command("show")
@click.argument("fen", required=False)
@rules_options
@click.option("--letters", is_flag=True, help="Letters on the pieces instead of Chinese characters.")
@click.option("--flip", is_flag=True, help="Black below.")
@click.option("--files", is_flag=True, help="Name the files as the two players count them.")
@click.option(
    "--color/--no-color", "color", default=None, help="Colours [default: on a terminal, unless NO_COLOR]."
)
@click.option(
    "--svg", type=OutPath(dir_okay=False, path_type=Path), help="Also write the board as an SVG file."
)
@clean_errors
def command(fen, rules, settings, letters, flip, files, color, svg):
    """Show a position on the terminal.

    FEN is the position, the start position when it is left out.

    \b
        caipan show "3k5/9/9/9/4R4/9/9/9/9/4K4 b"
        caipan show --rules fortress --letters --svg board.svg
    """
    from adjudicator import Position, Ruleset
    from pipeline.studies import terminal

    position = Position(fen, Ruleset.load(rules, settings))
    if color is None:
        color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    names = "files" if files else "coordinates"
    text = terminal.board(position, letters=letters, colour=color, flipped=flip, names=names)
    click.echo(text, nl=False, color=color)
    if position.handicap:
        click.echo(f"handicap: {position.handicap}")
    for fault in position.faults:
        click.echo(f"{fault.severity} {fault.code}: {fault.message()}")
    if svg is not None:
        svg.write_text(position.svg(letters=letters, flipped=flip, names=names), encoding="utf-8")
        click.echo(f"picture in {svg}", err=True)
