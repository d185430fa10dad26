"""Finished runs for the tests of reports, and what a plain reader makes of their plies."""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from pathlib import Path

import polars as pl

from pipeline import run
from pipeline.reports.facts import Facts
from pipeline.rulings import Stored

REPOSITORY = Path(__file__).resolve().parents[3]
OPEN = "h3e3 h10g8 h1g3 i10h10"
SAMPLES = {
    "xiangqi": "tests/data/matches/xiangqi.pgn.gz",
    "atomic": "data/paired/atomic.pgn",
    "fortress": "data/variants/fortress.pgn",
    "jump-cannon": "data/variants/jump-cannon.pgn",
}
"""An archive of engine games for each rule set."""


def record(moves: str = OPEN, red: str = "A", black: str = "B", result: str = "1-0", **tags: str) -> str:
    """A record in PGN."""
    lines = [f'[{name} "{value}"]\n' for name, value in {"Red": red, "Black": black, **tags}.items()]
    return f'{"".join(lines)}[Result "{result}"]\n\n{moves} {result}\n\n'


def make_run(
    folder: Path, text: str, rules: str = "xiangqi", name: str = "games.pgn", **options: object
) -> Path:
    """A finished run over ``text``, in a file of that ``name``, in ``folder``/run."""
    source = folder / name
    source.write_text(text, encoding="utf-8")
    run.adjudicate([source], rules=rules, out=folder / "run", jobs=1, **options)
    return folder / "run"


def sample_run(folder: Path, rules: str, games: int | None = None, **options: object) -> Path:
    """A finished run over the sample of ``rules``, or its first ``games``."""
    path = REPOSITORY / SAMPLES[rules]
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    records = data.decode().split("\n\n[Event ")
    text = "\n\n[Event ".join(records[:games])
    return make_run(folder, text + "\n\n", rules, **options)


def facts(run: Path, **options: object) -> Facts:
    return Facts(Stored.open(run), **options)


class Plain:
    """The counted games of a run one after the other, ply by ply, counted with Python's own dictionaries."""

    def __init__(self, found: Facts):
        self.rules = found.rules
        self.games = {game["record"]: game for game in found.games.to_dicts()}
        self.plies = defaultdict(list)
        moves = pl.read_parquet(found.run / "moves" / "*.parquet").sort("record", "ply")
        for ply in moves.to_dicts():
            game = self.games.get(ply["record"])
            if game is not None and ply["ply"] <= game["plies"]:
                self.plies[ply["record"]].append(ply)

    def begins(self, game: dict) -> str:
        """Whether ``game`` has the "usual" start of its rules, the same with a "book", or a "set" position."""
        if game["start_fen"] != self.rules.start or game["handicap"] is not None:
            return "set"
        return "book" if self.book(game) else "usual"

    def book(self, game: dict) -> int:
        """How many moves of a book ``game`` begins with."""
        marks = [ply["comment"] == "book" for ply in self.plies[game["record"]]]
        return marks.index(False) if False in marks else len(marks)

    def start(self, game: dict) -> Counter:
        """Men by letter of the position in which ``game`` starts, Red's in capitals, as FENs write them."""
        board = game["start_fen"].split()[0].partition("[")[0]
        return Counter(letter for letter in board if letter.isalpha())

    def exploded(self, ply: dict) -> bool:
        """Whether ``ply`` is an explosion; a cannon's capture is none."""
        return ply["explosion"] is not None and ply["piece"] != "C"

    def losses(self, ply: dict) -> list[tuple[str, str]]:
        """Who lost what to ``ply``: side and letter."""
        if not ply["captured"]:
            return []
        other = {"red": "black", "black": "red"}[ply["side"]]
        if ply["explosion"] is None:
            return [(other, ply["captured"])]
        cleared = [entry.split("=")[1] for entry in ply["explosion"]]
        lost = [("black" if letter.islower() else "red", letter.upper()) for letter in cleared]
        return [(ply["side"], ply["piece"]), *lost]
