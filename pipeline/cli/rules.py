"""``caipan rules``."""

from __future__ import annotations

import json

import click

from pipeline.cli.options import clean_errors


@click.group("rules", invoke_without_command=True)
@click.pass_context
def command(ctx):
    """List the rule sets, or show one.

    \b
        caipan rules
        caipan rules show xiangqi
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@command.command("list")
def list_():
    """List the rule sets that come with caipan.

    \b
        caipan rules list
    """
    from adjudicator.ruleset import Ruleset

    for name in Ruleset.ids():
        rules = Ruleset.load(name)
        click.echo(f"{name:20} {rules.fingerprint}  {rules.title}")


@command.command("books")
def books():
    """List the rule books that repetitions can be judged by.

    \b
        caipan rules books
    """
    from adjudicator.rulebook import RuleBook

    for name in RuleBook.ids():
        book = RuleBook.load(name)
        click.echo(f"{name:20} {book.date:12} {book.title}")


@command.command("show")
@click.argument("rules", metavar="ID")
@clean_errors
def show(rules):
    """Show a rule set with every option resolved, and its sources; ID may be a .toml file.

    \b
        caipan rules show xiangqi-60
    """
    from adjudicator.ruleset import Ruleset

    ruleset = Ruleset.load(rules)
    click.echo(f"# fingerprint {ruleset.fingerprint}")
    for name, source, date in Ruleset.sources(rules):
        click.echo(f"# {name} ({date}): {source}")
    click.echo("\n".join(toml_lines(ruleset.data)))


def toml_lines(data, prefix=""):
    """``data`` as TOML, plain values before tables."""
    lines = [f"{key} = {_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    for key, value in data.items():
        if isinstance(value, dict):
            lines += ["", f"[{prefix}{key}]", *toml_lines(value, f"{prefix}{key}.")]
    return lines


def _value(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
