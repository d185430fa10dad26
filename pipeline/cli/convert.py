"""``caipan convert``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline import places
from pipeline.cli.options import OutPath, check_apart, clean_errors, encoding_option, only_once, rules_options
from pipeline.counts import Count

if TYPE_CHECKING:
    from pipeline.convert import Converted

NOTATIONS = ["wxf", "chinese", "chinese-traditional", "iccs", "uci", "algebraic", "long"]

MOST_SHOWN = 10
"""So many records with moves that the notation cannot say, or that cannot be read, are named."""


PACKED = {".7z", ".bz2", ".rar", ".tar", ".tgz", ".xz", ".zip", ".zst"}
"""Endings of files that hold no text as it is, and that are not written here."""


def _one_text(ctx: click.Context, param: click.Parameter, values: tuple[Path, ...]) -> Path:
    out = only_once(ctx, param, values)
    if out.suffix.lower() in PACKED:
        raise click.BadParameter(f"{out}: {out.suffix} is not written; .pgn and .pgn.gz are")
    return out


@click.command("convert")
@click.argument("file", type=click.Path(exists=True, allow_dash=True))
@click.option("--to", "notation", required=True, type=click.Choice(NOTATIONS), help="Notation to write.")
@click.option(
    "--out",
    required=True,
    multiple=True,
    type=OutPath(dir_okay=False, allow_dash=True, path_type=Path),
    callback=_one_text,
    help="File to write, packed by gzip if it ends in .gz; - is standard output.",
)
@rules_options
@encoding_option
@clean_errors
def command(file, notation, out, rules, settings, encoding):
    """Rewrite records in another move notation.

    Tags, comments, annotation glyphs and variations stay; moves that cannot be read stay as written, which is told
    and exit 1. Moves that the notation has no words for, such as drops in WXF, are written as coordinates. FILE may be
    a folder: records of several files name theirs in the tag SourceFile.

    \b
        caipan convert games.pgn --to chinese --out games_zh.pgn
        zcat games.wxf.gz | caipan convert - --to uci --out - | less
    """
    from pipeline import store
    from pipeline.convert import NothingToConvert, convert

    check_apart([out], [file])
    try:
        done = convert(file, out, notation, rules=rules, settings=settings, encoding=encoding)
    except NothingToConvert as error:
        raise click.ClickException(str(error)) from None
    games, moves = Count.of(done.games), Count.of(done.moves)
    plain = f", {done.coordinates:,} written as coordinates" if done.coordinates else ""
    piped = out == store.STANDARD_OUTPUT
    where = "on standard output" if piped else f"in {out}"
    click.echo(f"{games} {games:game|games}, {moves} {moves:move|moves} rewritten{plain} {where}", err=piped)
    for line in notices(done):
        click.echo(line, err=True)
    if done.kept:
        sys.exit(1)


_WORDS = {
    "en": {
        "more": "and so in {more} more {more:game|games}",
        "kept": "{kept} {kept:move|moves} in {games} {games:game|games} could not be read or played"
        " and {kept:stays|stay} as written",
    },
    "zh": {"more": "另有 {more} 局亦如此", "kept": "{games} 局中有 {kept} 着无法读取或走出，保持原样"},
}


def notices(done: Converted, language: str = "en") -> list[str]:
    """What else is to be told of records rewritten, as lines: files left out, moves without words, moves that stay."""
    from pipeline import check

    words = _WORDS[language]
    lines = check.troubles(done.troubles, language)
    lines += [
        f"{places.head(finding.source or '', finding.line)}: {finding.message(language)}"
        for finding in done.findings[:MOST_SHOWN]
    ]
    if len(done.findings) > MOST_SHOWN:
        lines.append(words["more"].format(more=Count.of(len(done.findings) - MOST_SHOWN)))
    if done.kept:
        for broken in done.broken[:MOST_SHOWN]:
            lines += check.report(broken, language)
        lines.append(words["kept"].format(kept=Count.of(done.kept), games=Count.of(len(done.broken))))
    return lines
