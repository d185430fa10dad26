"""``caipan rule``."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli.options import clean_errors, settings_option
from pipeline.counts import Count


@click.command("rule")
@click.argument("run", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--book",
    "books",
    required=True,
    multiple=True,
    metavar="BOOK",
    help="Rule book, which may bring a no-capture limit of its own; may be repeated.",
)
@settings_option("Override one option of the book, e.g. fold=5 or chase.targets=any_piece.")
@click.option("--reasons", is_flag=True, help="Give plain draws by repetition their reasons, too.")
@clean_errors
def command(run, books, settings, reasons):
    """Rule on the games of a finished run again, under another rule book; nothing is replayed.

    DIR is the folder that `caipan adjudicate` wrote. The rulings go to DIR/rulings/BOOK.parquet, beside the run's own.

    \b
        caipan rule rulings/ --book axf --book cxa
        caipan rule rulings/ --book site --set fold=5
    """
    from pipeline import rulings

    for book in books:
        ruled = rulings.rule(run, book, settings, reasons)
        click.echo("\n".join(table(ruled)))


def table(ruled):
    """The counts of a re-ruling as lines of text."""
    lines = [f"{ruled.book.id}: {ruled.book.title}"]
    games, plies = Count.of(ruled.games), Count.of(ruled.plies)
    counts = [(f"{games:game|games}", ruled.games), (f"{plies:ply|plies}", ruled.plies)]
    counts += [
        (f"{result} ({reason})" if reason else "open", n)
        for (result, reason), n in ruled.results.most_common()
    ]
    if ruled.disputed:
        counts.append(("disputed", ruled.disputed))
    width = len(f"{max(number for _, number in counts):,}")
    lines += [f"{number:>{width},}  {name}" for name, number in counts]
    return [*lines, f"rulings in {ruled.out}"]
