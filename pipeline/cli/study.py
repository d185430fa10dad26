"""``caipan study``."""

from __future__ import annotations

import re

import click

from pipeline.cli.options import (
    book_option,
    check_apart,
    clean_errors,
    encoding_option,
    games_option,
    lang_option,
    need,
    out_option,
    rules_options,
)
from pipeline.counts import Count

NOTATIONS = ["chinese", "chinese-traditional", "wxf", "algebraic", "long", "uci", "token"]
PICKS = ["changed", "explosions", "longest", "shortest-mate", "upsets"]


@click.command("study")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@out_option(
    *("html", "pgn", "md", "json", "gif"),
    required=True,
    help="File to write; its ending names the form: .html, .pgn, .md (diagrams in a folder beside it), .json,"
    " or .gif (the first game, with the extra caipan[film]).",
)
@games_option
@click.option("--pick", type=click.Choice(PICKS), help="Choose games by a rule, the best first.")
@click.option("--count", type=click.IntRange(1), metavar="N", help="At most so many games.")
@click.option("--plies", metavar="A-B", help="Only these plies of the game, for .gif.")
@click.option("--title", help="Title of the study [default: from the tags].")
@lang_option
@click.option(
    "--notation", type=click.Choice(NOTATIONS), help="Notation shown first [default: by board and language]."
)
@click.option("--engine", metavar="COMMAND", help="UCI engine that evaluates every position.")
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Budget per position.",
)
@rules_options
@book_option
@encoding_option
@clean_errors
def command(
    paths,
    outs,
    games,
    pick,
    count,
    plies,
    title,
    lang,
    notation,
    engine,
    nodes,
    rules,
    book,
    settings,
    encoding,
):
    """Make annotated games for people to read: a page, PGN, Markdown or JSON.

    The page is one file that needs no network and prints; it shows every move with its checks,
    explosions, drops and repetitions, the ruling, and the move that decided.

    \b
        caipan study final.pgn --out final.html
        caipan study atomic.pgn --rules atomic --pick explosions --count 12 --out twelve.html
    """
    from pipeline.studies import Wishes, match, write
    from pipeline.studies.engine import EngineError
    from pipeline.studies.film import NoFilm

    if "gif" in outs.values():
        need("PIL")
    check_apart(outs, paths)
    passage = _passage(plies)
    wishes = Wishes(games, pick, count, title, lang, notation, engine, nodes)
    try:
        study = match.study(paths, wishes, rules=rules, book=book, settings=settings, encoding=encoding)
    except (match.NothingToShow, EngineError) as error:
        raise click.ClickException(str(error)) from None
    for out, form in outs.items():
        try:
            written = write.study(study, out, form, rules=rules, settings=settings, plies=passage)
        except NoFilm as error:
            raise click.ClickException(str(error)) from None
        number = Count.of(1 if form == "gif" else len(study["games"]))
        click.echo(f"{number} {number:game|games} in {out}")
        if len(written) > 1:
            pictures = Count.of(len(written) - 1)
            click.echo(f"{pictures} {pictures:diagram|diagrams} in {written[1].parent}")
    for notice in match.notices(study):
        click.echo(notice, err=True)


def _passage(text: str | None) -> tuple[int, int | None]:
    """ "20-31" as numbers; the whole game for None."""
    found = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text or "1-999999")
    if not found or not 0 < int(found[1]) <= int(found[2]):
        raise click.BadParameter(f"{text!r} is not a span such as 20-31", param_hint="--plies")
    return int(found[1]), int(found[2])
