"""``caipan rescore``."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path

import click
from click.core import ParameterSource

from pipeline.cli.adjudicate import Progress, troubles
from pipeline.cli.options import (
    book_option,
    check_apart,
    clean_errors,
    copies_option,
    encoding_option,
    jobs_option,
    lang_option,
    list_option,
    min_plies_option,
    out_option,
    rules_options,
)


@click.command("rescore")
@click.argument("paths", nargs=-1, required=True, metavar="MATCH...")
@rules_options
@book_option
@click.option("--elo0", type=float, metavar="ELO", help="Sequential test: the difference if H0 holds.")
@click.option("--elo1", type=float, metavar="ELO", help="Sequential test: the difference if H1 holds.")
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="How often H1 may be accepted wrongly."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="How often H0 may be accepted wrongly."
)
@click.option(
    "--engine", metavar="NAME", help="The engine whose differences are given [default: the first met]."
)
@click.option(
    "--illegal",
    type=click.Choice(["void", "loses"]),
    default="void",
    show_default=True,
    help="A game that stops at an illegal move: no result as ruled, or lost for the side that made it.",
)
@min_plies_option
@copies_option(None, "left out if players, colours and result are the same, too")
@list_option
@lang_option
@out_option(
    *("parquet", "csv", "json", "md"),
    help="File to write: .parquet or .csv (every game), .json (all figures) or .md (the report).",
)
@jobs_option
@encoding_option
@click.pass_context
@clean_errors
def command(
    ctx,
    paths,
    rules,
    book,
    settings,
    elo0,
    elo1,
    alpha,
    beta,
    engine,
    illegal,
    min_plies,
    copies,
    listed,
    lang,
    outs,
    jobs,
    encoding,
):
    """Score engine matches again: as recorded, and as the rules have it.

    MATCH is a file, folder, zip archive or pattern, as for `caipan adjudicate`, or the folder of a finished run, of
    which nothing is replayed; several runs under one rule set and book are one match. Elo comes with its interval,
    from pairs of games on one opening with colours reversed where there are any. A result that nothing on the board
    gives rests on the record alone, and is counted as such. Exits with 1 when no game can be scored.

    \b
        caipan rescore match.pgn --rules xiangqi --book axf
        caipan rescore rulings/ --elo0 0 --elo1 10 --out games.csv
    """
    from pipeline.reports import rescoring, scoresheet, strength

    check_apart(outs, paths)
    if (elo0 is None) != (elo1 is None):
        raise click.UsageError("a sequential test needs both --elo0 and --elo1")
    try:
        bounds = None if elo0 is None else strength.Bounds(elo0, elo1, alpha, beta)
        with finished_runs(ctx, paths, rules, book, settings, encoding, jobs) as runs:
            found = rescoring.rescore(
                runs,
                book=book,
                bounds=bounds,
                engine=engine,
                illegal=illegal,
                min_plies=min_plies,
                copies=copies,
            )
    except (rescoring.NoSuchEngine, rescoring.UnlikeRuns, strength.NoBounds) as error:
        raise click.UsageError(str(error)) from None
    click.echo("\n".join(scoresheet.report(found, listed, lang)))
    for out, form in outs.items():
        scoresheet.write(found, out, form, listed, lang)
    if not found.counted.height:
        sys.exit(1)


@contextmanager
def finished_runs(ctx, paths, rules, book, settings, encoding, jobs):
    """The folders of finished runs: those that ``paths`` name, or one that is made of them and gone afterwards."""
    from pipeline import manifest, run

    runs = [path for path in paths if (Path(path) / manifest.NAME).is_file()]
    if runs:
        if others := [path for path in paths if path not in runs]:
            raise click.UsageError(
                f"{runs[0]} is a finished run, and {others[0]} is not: give finished runs alone, or the records of all"
            )
        given = [
            name
            for name in ("rules", "settings", "encoding")
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        ]
        if given:
            names = ", ".join("--set" if name == "settings" else f"--{name}" for name in given)
            raise click.UsageError(
                f"{runs[0]} is a finished run, whose rules are settled: leave out {names}, or give the records"
            )
        yield [*{Path(path).resolve(): Path(path) for path in runs}.values()]
        return
    progress = Progress(sys.stderr)
    try:
        with run.temporary(
            paths, rules=rules, book=book, settings=settings, encoding=encoding, jobs=jobs, progress=progress
        ) as summary:
            progress.close()
            for line in troubles(summary):
                click.echo(line, err=True)
            yield [summary.out]
    finally:
        progress.close()
