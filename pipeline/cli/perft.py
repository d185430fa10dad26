"""``caipan perft``."""

from __future__ import annotations

import click

from pipeline.cli.options import clean_errors, rules_options


@click.command("perft")
@click.argument("fen", required=False)
@click.argument("depth", type=click.IntRange(0))
@rules_options
@click.option("--divide", is_flag=True, help="Count each first move apart.")
@clean_errors
def command(fen, depth, rules, settings, divide):
    """Count the positions that legal moves lead to from FEN (default: the start) in DEPTH plies.

    \b
        caipan perft 4
        caipan perft "3k5/9/9/9/9/9/9/9/9/R4K3 w" 3 --divide
    """
    from adjudicator import Position, Ruleset

    position = Position(fen, Ruleset.load(rules, settings))
    if divide and depth:
        for move, count in position.divide(depth).items():
            click.echo(f"{move}: {count}")
    click.echo(position.perft(depth))
