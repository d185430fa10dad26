"""``caipan report``."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import nullcontext
from pathlib import Path

import click

from pipeline.cli.options import (
    OutPath,
    clean_errors,
    copies_option,
    lang_option,
    min_plies_option,
    need,
    only_once,
    out_option,
)
from pipeline.counts import Count


@click.command("report")
@click.argument(
    "runs",
    nargs=-1,
    required=True,
    metavar="DIR...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@out_option("html", "md", help="File to write, .html or .md.")
@click.option(
    "--tables",
    multiple=True,
    callback=only_once,
    type=OutPath(file_okay=False, path_type=Path),
    help="Folder for the numbers, a table for each figure.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "csv"]),
    default="parquet",
    show_default=True,
    help="Format of the tables.",
)
@click.option("--title", help="Title of the report [default: from the rule sets].")
@lang_option
@min_plies_option
@copies_option(False, "left out")
@clean_errors
def command(runs, outs, tables, form, title, lang, min_plies, copies):
    """Say what the numbers over all games of finished runs say: balance, diversity, rules that bite.

    DIR is a folder that `caipan adjudicate` wrote; each makes a section of its own, and rule sets are never
    mixed. The page is one file that needs no network. Without --out the findings go to the terminal.
    Exits with 1 when no game counts.

    \b
        caipan report rulings/ --out report.html
        caipan report atomic/ fortress/ --out report.md --tables numbers/ --format csv
    """
    _travel_light()
    drawn = "html" in outs.values()
    if drawn:
        need("matplotlib")
    with _artist() if drawn else nullcontext() as artist:
        from pipeline.reports import markdown, page, writing
        from pipeline.reports import report as reports
        from pipeline.reports import tables as numbers
        from pipeline.store import write_whole

        made = reports.report(
            runs, language=lang, title=title, min_plies=min_plies, copies=copies, artist=artist
        )
        for section in made.sections:
            click.echo(f"{section.facts.run}: {section.name}")
            for said in writing.in_short(section, made.words):
                click.echo(f"  {said}")
        for out, kind in outs.items():
            text = page.html(made) if kind == "html" else markdown.markdown(made)
            write_whole(out, text.encode())
            click.echo(f"report in {out}")
    if tables is not None:
        written = numbers.write(made, tables, form)
        number = Count.of(len(written))
        click.echo(f"{number} {number:table|tables} in {tables}")
    if not any(section.facts.any_counts for section in made.sections):
        sys.exit(1)


def _artist():
    """Who draws while this process counts, and begins before it loads what it counts with."""
    from pipeline.reports.artist import Artist

    return Artist()


def _travel_light() -> None:
    """Spare this process what takes as long as to count a million plies."""
    # What is imported stays: it need not be looked through for garbage, again and again and once more at the end.
    gc.set_threshold(200_000)
    os.environ["MPLBACKEND"] = "svg"  # whatever the reader draws with otherwise
    sys.setswitchinterval(0.0005)  # a thread that polars comes back to has little to do
    atexit.register(gc.freeze)
