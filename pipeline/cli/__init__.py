"""The command ``caipan``: thin faces on functions, imported only when asked for.

Exit codes: 0 ran, 1 could not, 2 asked wrongly, 130 stopped by Ctrl-C, 143 by SIGTERM. Results go to stdout,
progress and trouble to stderr.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import click

from pipeline import __version__, interrupts
from pipeline.cli.options import goes_on

COMMANDS = {
    "adjudicate": "Rule on every game of an archive; rulings go to Parquet.",
    "check": "Report what is wrong with records, and the rulings, for people to read.",
    "compare": "Compare rule books over the games of a run, or rule sets over an archive.",
    "convert": "Rewrite records in another move notation.",
    "perft": "Count the positions that legal moves lead to.",
    "report": "Say what the numbers over all games of finished runs say.",
    "rescore": "Score engine matches again: as recorded, and as the rules have it.",
    "rule": "Rule on the games of a finished run again, under another rule book.",
    "rules": "List the rule sets and rule books, or show one.",
    "serve": "Serve what the commands do over HTTP, and a page to do it on.",
    "show": "Show a position on the terminal.",
    "study": "Make annotated games for people to read: a page, PGN, Markdown or JSON.",
}
"""Commands and their one-line help, which `caipan --help` shows without importing them."""

ENVIRONMENT = {
    # What is multiplied here is small, and numpy's threads for it spin while others work.
    "OPENBLAS_NUM_THREADS": "1",
    # Memory comes from one place, so that what the reader has freed serves the writer: new memory is dear.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
"""What libraries are told before a command loads them, unless somebody has told them otherwise."""


class Stopped(click.ClickException):
    """Ctrl-C or SIGTERM, with the exit code that shells give it."""

    def __init__(self, message: str):
        super().__init__(message)
        self.exit_code = interrupts.exit_code()  # type: ignore[misc]  # click reads it from here


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f"pipeline.cli.{cmd_name}").command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        ctx.obj = args[0]
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C says the same wherever it comes, while modules are loaded, too."""
        try:
            with interrupts.kept():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Stopped(goes_on("stopped")) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="caipan")
def main() -> None:
    """Referee for xiangqi game records.

    \b
        caipan adjudicate games/ --rules xiangqi --out rulings/
        caipan check final.pgn
    """
    os.environ.update({**ENVIRONMENT, **os.environ})
