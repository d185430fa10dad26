"""``caipan rules``."""

from __future__ import annotations

import json

import click

from pipeline.cli.options import clean_errors


@click.group("rules", invoke_without_command=True)
@click.pass_context
def command(ctx):
    """List the rule sets and rule books, or show one.

    \b
        caipan rules
        caipan rules show xiangqi
        caipan rules show axf
    """
    if ctx.invoked_subcommand is None:
        click.echo("Rule sets, for --rules:")
        ctx.invoke(list_)
        click.echo("\nRule books, for --book:")
        ctx.invoke(books)


@command.command("list")
def list_():
    """List the rule sets that come with caipan.

    \b
        caipan rules list
    """
    click.echo("\n".join(rule_lines()))


@command.command("books")
def books():
    """List the rule books that repetitions can be judged by.

    \b
        caipan rules books
    """
    click.echo("\n".join(book_lines()))


def rule_lines() -> list[str]:
    """The rule sets that come with caipan, a line each."""
    from adjudicator.ruleset import Ruleset

    found = map(Ruleset.load, Ruleset.ids())
    return [f"{rules.id:20} {rules.fingerprint}  {rules.title}" for rules in found]


def book_lines() -> list[str]:
    """The rule books, a line each."""
    from adjudicator.rulebook import RuleBook

    found = map(RuleBook.load, RuleBook.ids())
    return [f"{book.id:20} {book.date:12} {book.title}" for book in found]


@command.command("show")
@click.argument("rules", metavar="ID")
@clean_errors
def show(rules):
    """Show a rule set or a rule book with every option resolved, and its sources; ID may be a .toml file.

    \b
        caipan rules show xiangqi-60
        caipan rules show axf
    """
    click.echo("\n".join(shown(rules)))


def shown(rules: str) -> list[str]:
    """A rule set or rule book, named by its id or file, as lines of TOML. Raises RulesetError."""
    from adjudicator.datafile import RulesetError, suggest
    from adjudicator.rulebook import RuleBook, meaning
    from adjudicator.ruleset import Ruleset

    known = [*Ruleset.ids(), *RuleBook.ids()]
    if rules not in known and not rules.endswith(".toml"):
        near = suggest(rules, known)
        raise RulesetError([f"no rule set or rule book {rules!r}{near}; known: {', '.join(known)}"])
    if RuleBook.knows(rules):
        head, sources = [], RuleBook.sources(rules)
        lines = toml_lines(RuleBook.written(rules), meaning)
    else:
        ruleset = Ruleset.load(rules)
        head, sources = [f"# fingerprint {ruleset.fingerprint}"], Ruleset.sources(rules)
        lines = toml_lines(ruleset.data)
    return [*head, *(f"# {name} ({date}): {source}" for name, source, date in sources), *lines]


def toml_lines(data, meaning=lambda key, value: "", prefix=""):
    """``data`` as TOML, plain values before tables; ``meaning`` of a dotted key and its value stands beside it."""
    lines = []
    for key, value in data.items():
        if not isinstance(value, dict):
            said = meaning(prefix + key, value)
            lines.append(f"{key} = {_value(value)}" + (f" # {said}" if said else ""))
    for key, value in data.items():
        if isinstance(value, dict):
            lines += ["", f"[{prefix}{key}]", *toml_lines(value, meaning, f"{prefix}{key}.")]
    return lines


def _value(value):
    if isinstance(value, dict):
        pairs = (f"{key if '.' not in key else _value(key)} = {_value(item)}" for key, item in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
