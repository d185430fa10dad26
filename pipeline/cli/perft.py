"""``caipan perft``."""

from __future__ import annotations

import click

from pipeline.cli.options import clean_errors, rules_options


@click.command("perft")
@click.argument("depth", type=click.IntRange(0))
@click.argument("fen", required=False)
@rules_options
@click.option("--divide", is_flag=True, help="Count each first move apart.")
@clean_errors
def command(depth, fen, rules, settings, divide):
    """Count the positions that legal moves lead to in DEPTH plies, from FEN or the start.

    \b
        caipan perft 4
        caipan perft 3 "3k5/9/9/9/9/9/9/9/9/R4K3 w" --divide
    """
    from adjudicator import Position, Ruleset

    position = Position(fen, Ruleset.load(rules, settings))
    if divide and depth:
        for move, count in position.divide(depth).items():
            click.echo(f"{move}: {count}")
    click.echo(position.perft(depth))
