"""Read the corpus of real records and say what became of it, source by source, each file under its own rules.

    python -m tests.corpus                          # the table, in Markdown
    python -m tests.corpus --show illegal-move      # the records that a finding concerns, with their text
    python -m tests.corpus --round-trip             # every ply through every notation and back

The corpus is found by the environment variable ``CAIPAN_SHARED``, or as ``../shared`` beside the checkout; without it
the command says so and ends well. Formats that have no reader yet are counted as left aside.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator import Adjudication, AmbiguousMove, MoveError, Position, Ruleset
from notation import DIALECTS, NOTATIONS, write
from notation import encoding as encodings
from notation.finding import Finding
from pipeline import sources
from pipeline.check import Checked, check

ROOT = Path(__file__).resolve().parents[1]


def shared() -> Path:
    """Where the shared material is, present or not."""
    return Path(os.environ.get("CAIPAN_SHARED", ROOT.parent / "shared"))


@dataclass(slots=True)
class Tally:
    """What became of one source."""

    files: set[str] = field(default_factory=set)
    aside: int = 0
    games: int = 0
    with_moves: int = 0
    replayed: int = 0
    plies: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    concerned: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    containers: Counter[str] = field(default_factory=Counter)
    encodings: Counter[str] = field(default_factory=Counter)
    notations: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)

    def add(self, checked: Checked) -> None:
        self.files.add(checked.source)
        self.findings.update(finding.code for finding in checked.findings)
        self.concerned.update({finding.code for finding in checked.findings})
        game = checked.ruled
        if game is None:
            return
        recorded = len(game.record.tokens)
        self.games += 1
        self.with_moves += recorded > 0
        self.replayed += recorded > 0 and len(game.moves) == recorded
        self.plies += len(game.moves)
        self.rules[game.rules.id] += 1
        self.encodings[game.record.encoding] += 1
        self.claims[game.claim] += 1
        if game.notation:
            self.notations[game.notation] += 1


def folders(root: Path) -> Iterator[Path]:
    return iter(sorted(path for path in root.iterdir() if path.is_dir()))


def rules_of(path: Path) -> str:
    """The rule set that a file is to be read under: the one its name begins with, or xiangqi."""
    named = (rules for rules in sorted(Ruleset.ids(), key=len, reverse=True) if path.name.startswith(rules))
    return next(named, "xiangqi")


def checked(folder: Path) -> Iterator[Checked]:
    """Everything under ``folder`` that has a reader, replayed under its own rules."""
    files: dict[str, list[Path]] = {}
    for source in sources.find([folder]).sources:
        named = files.setdefault(rules_of(source.path), [])
        if source.path not in named:
            named.append(source.path)
    for rules, paths in files.items():
        yield from check(paths, rules=rules)


def tally(folder: Path) -> Tally:
    """What became of everything under ``folder``."""
    listing = sources.find([folder])
    found = Tally(aside=sum(finding.code == "left-aside" for finding in listing.findings))
    found.containers.update(source.container for source in listing.sources)
    for one in checked(folder):
        found.add(one)
    return found


def table(root: Path) -> str:
    """A row per source, Markdown."""
    lines = [
        "| source | files | left aside | games | with moves | replayed fully | plies | rules | format | encoding "
        "| notation | claims | findings (records concerned) |",
        "|---|---:|---:|---:|---:|---:|---:|---|---|---|---|---|---|",
    ]
    for folder in folders(root):
        t = tally(folder)
        figures = (len(t.files), t.aside, t.games, t.with_moves, t.replayed, t.plies)
        words = [_counts(c) for c in (t.rules, t.containers, t.encodings, t.notations, t.claims)]
        words.append(_counts(t.findings, t.concerned))
        lines.append(f"| {folder.name} | {' | '.join(map(str, figures))} | {' | '.join(words)} |")
    return "\n".join(lines)


def _counts(counter: Counter[str], concerned: Counter[str] | None = None) -> str:
    parts = []
    for name, count in sorted(counter.items()):
        inner = f" ({concerned[name]})" if concerned and concerned[name] != count else ""
        parts.append(f"{name} {count}{inner}")
    return ", ".join(parts)


def show(root: Path, code: str, limit: int) -> Iterator[str]:
    """The findings ``code``, with the text around each."""
    shown = 0
    for folder in folders(root):
        for one in checked(folder):
            for finding in one.findings:
                if finding.code == code and shown < limit:
                    shown += 1
                    yield _describe(one, finding, root)


def _describe(one: Checked, finding: Finding, root: Path) -> str:
    game = one.ruled
    place = f"{one.source.removeprefix(str(root) + '/')} game {one.game}"
    line = f"line {finding.line}:{finding.column} " if finding.line else ""
    lines = [f"{place} · {line}byte {finding.byte} ply {finding.ply}"]
    lines.append(f"    {finding.severity}: {finding.message()}")
    lines.append(f"    {finding.message('zh')}")
    if finding.candidates:
        lines.append(f"    candidates: {', '.join(finding.candidates)}")
    if finding.suggestion:
        lines.append(f"    suggestion: {finding.suggestion}")
    path = Path(one.source)
    if finding.line and path.exists():
        encoding = game.record.encoding if game else "utf-8"
        rows = encodings.decode(path.read_bytes(), encoding=encoding).text.decode().split("\n")
        for number in range(max(0, finding.line - 2), min(len(rows), finding.line + 1)):
            mark = ">" if number == finding.line - 1 else " "
            lines.append(f"    {mark}{number + 1:5} {rows[number].rstrip()[:150]}")
    return "\n".join(lines)


# -- every ply through every notation and back ---------------------------------------------------------------

FORMS = [(name, dialect) for name in NOTATIONS for dialect in DIALECTS[name] or (None,)]


def round_trip(game: Adjudication) -> Iterator[str]:
    """What does not come home: every ply of ``game`` written in every notation and dialect, and read again."""
    if game.start_fen is None:
        return
    position = Position(game.start_fen, game.rules)
    for ply in game.moves:
        context = position.context(ply.move)
        for name, dialect in FORMS:
            text = write(context, name, dialect)
            try:
                read = position.parse(text, name)
            except AmbiguousMove as error:
                # Two dialects: in one the first of two digits is the place, in the other the file.
                two = text[:2].isdigit() and ply.move in error.candidates
                read = ply.move if dialect == "fairy" and two else str(error)
            except MoveError as error:
                read = str(error)
            if read != ply.move:
                yield f"ply {ply.ply} {ply.move}: {name} {dialect or ''} {text!r} is read as {read} in {position.fen()}"
        position.push(ply.move)


def _round_trips(folders: list[Path], every: int) -> None:
    for folder in folders:
        games = plies = strays = 0
        for number, one in enumerate(checked(folder)):
            if number % every or one.ruled is None:
                continue
            games += 1
            plies += len(one.ruled.moves)
            for stray in round_trip(one.ruled):
                strays += 1
                print(f"{one.source} game {one.game} {stray}")
        print(
            f"{folder.name}: {games} games, {plies} plies, {len(FORMS)} forms each, {strays} did not come home"
        )


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--show", metavar="CODE", help="show the records that this finding concerns")
    words.add_argument("--limit", type=int, default=20, help="at most this many (default 20)")
    words.add_argument("--round-trip", action="store_true", help="write and read every ply in every notation")
    words.add_argument("--every", type=int, default=1, help="of the games, one in this many")
    asked = words.parse_args()
    root = shared() / "corpus"
    if not root.is_dir():
        print(f"no corpus at {root}")
        return
    if asked.show:
        for text in show(root, asked.show, asked.limit):
            print(text)
    elif asked.round_trip:
        _round_trips([root, shared() / "matches"], asked.every)
    else:
        print(table(root))


if __name__ == "__main__":
    main()
