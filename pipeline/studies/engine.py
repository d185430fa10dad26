"""A UCI engine beside a study: its evaluation of every position of the main line.

The game is described to the engine by a configuration file written from the rule set, in the form that
Fairy-Stockfish reads. What that form cannot say is refused with its reason; and before an engine is believed it
must find the same number of legal moves in the start position as the rule set does.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from adjudicator import Position, Ruleset
from adjudicator.geometry import Motion
from adjudicator.ruleset import Piece

Json = dict[str, Any]

PATIENCE = 30.0
"""Seconds that an engine may be silent before it is given up."""


class EngineError(RuntimeError):
    """The engine cannot be started, does not know the game, or stopped answering."""


# ---- the rule set in the engine's words ------------------------------------------------------------------

VARIANT = "caipan"

_BUILT_IN = (
    "rook",
    "cannon",
    "horse",
    "elephant",
    "fers",
    "wazir",
    "commoner",
    "soldier",
    "pawn",
    "knight",
    "bishop",
    "queen",
    "advisor",
    "king",
)

_KINDS: dict[tuple[Motion, ...], str] = {
    (Motion(ride="orthogonal"),): "rook",
    (Motion(ride="diagonal"),): "bishop",
    (Motion(ride="any"),): "queen",
    (Motion(ride="orthogonal", mode="quiet"), Motion(hop="orthogonal", mode="capture")): "cannon",
    (Motion(leap=(1, 2), leg="straight"),): "horse",
    (Motion(leap=(1, 2)),): "knight",
    (Motion(leap=(2, 2), leg="midpoint"),): "elephant",
    (Motion(step="diagonal"),): "fers",
    (Motion(step="orthogonal"),): "wazir",
    (Motion(step="any"),): "commoner",
    (Motion(step="forward"), Motion(step="sideways")): "soldier",
    (Motion(step="forward"), Motion(step="sideways", origin="beyond")): "soldier",
}
"""Ways of moving, and the engine's word for a piece that moves so."""

_BETZA: dict[object, str] = {
    ("step", "orthogonal"): "W", ("step", "diagonal"): "F", ("step", "any"): "K",
    ("step", "forward"): "fW", ("step", "backward"): "bW", ("step", "sideways"): "sW",
    ("step", "forward-diagonal"): "fF",
    ("ride", "orthogonal"): "R", ("ride", "diagonal"): "B", ("ride", "any"): "Q", ("hop", "orthogonal"): "pR",
    ("leap", (1, 2), "straight"): "nN", ("leap", (2, 2), "midpoint"): "nA",
    ("leap", (1, 2), "none"): "N", ("leap", (2, 2), "none"): "A", ("leap", (0, 2), "none"): "D",
    ("leap", (1, 3), "none"): "C", ("leap", (2, 3), "none"): "Z", ("leap", (0, 3), "none"): "H",
    ("leap", (3, 3), "none"): "G",
}  # fmt: skip
"""One way of moving in Betza's letters, in which newer engines take pieces that they have no word for."""


def variant(rules: Ruleset) -> str:
    """The rule set as a configuration file. Raises `EngineError` with everything that cannot be said in it.

    What it leaves to the engine is the law of repetition, which positions given one by one do not come to.
    """
    faults = []
    if rules.explodes:
        faults.append("captures that explode, but not with a cannon's shot and not on soldiers")
    if any(piece.won or piece.given for piece in rules.pieces):
        faults.append("prizes for a capture")
    if any(piece.drop_shuns for piece in rules.pieces):
        faults.append("points beside which nothing is dropped")
    if not rules.needs_general:
        faults.append("a general that is not on the board")
    lines: list[str] = []
    taken: list[str] = []
    for piece in rules.pieces:
        kind = _kind(piece, rules)
        if kind in taken and kind != "king":
            kind = None  # the engine has one piece of the kind
        betza = None if kind else _betza(piece)
        if betza:
            kind = f"customPiece{sum(name.startswith('custom') for name in taken) + 1}"
        if kind is None:
            faults.append(f"how the {piece.name} moves")
            continue
        taken.append(kind)
        lines += _piece_lines(piece, kind, betza, rules)
    if faults:
        raise EngineError(f"{rules.title} cannot be described to an engine: {'; '.join(faults)}")
    unused = [f"{kind} = -" for kind in _BUILT_IN if kind not in taken and kind not in ("king", "advisor")]
    head = [
        f"[{VARIANT}:xiangqi]",
        f"maxFile = {rules.files}",
        f"maxRank = {rules.ranks}",
        f"startFen = {engine_fen(rules.start, rules)}",
        f"flyingGeneral = {'true' if rules.facing else 'false'}",
        f"stalemateValue = {'draw' if rules.stalemate == 'draw' else 'loss'}",
        f"nMoveRule = {rules.no_capture_limit // 2}",
    ]
    if rules.reserves:
        head += [
            "pieceDrops = true",
            f"capturesToHand = {'true' if rules.data['capture']['reserve'] else 'false'}",
        ]
    return "\n".join([*head, *unused, *lines]) + "\n"


def _kind(piece: Piece, rules: Ruleset) -> str | None:
    """The engine's word for a piece, or None where it has none."""
    if piece.promotes_to or len({move.within for move in piece.moves}) > 1:
        return None
    kind = _KINDS.get(tuple(replace(move, within=None) for move in piece.moves))
    if (
        kind == "soldier"
        and piece.moves[1].origin
        and rules.region("beyond") != _from_rank(rules, _beyond(rules))
    ):
        return None
    if piece.royal:
        return "king" if kind in ("wazir", "commoner") else None
    return kind


def _betza(piece: Piece) -> str | None:
    """How a piece moves in Betza's letters, or None where they cannot say it."""
    if piece.royal or piece.promotes_to or any(move.origin for move in piece.moves):
        return None
    if len({move.within for move in piece.moves}) > 1:
        return None
    parts = []
    for move in piece.moves:
        way: tuple[object, ...] = ("leap", move.leap, move.leg)
        for name in ("step", "ride", "hop"):
            if getattr(move, name):
                way = (name, getattr(move, name))
        if way not in _BETZA:
            return None
        parts.append({"quiet": "m", "capture": "c"}.get(move.mode, "") + _BETZA[way])
    return "".join(parts)


def _beyond(rules: Ruleset) -> int:
    """The first rank, from 0, of the region beyond the river."""
    return min(point // rules.files for point in rules.region("beyond"))


def _from_rank(rules: Ruleset, rank: int) -> set[int]:
    return set(range(rank * rules.files, rules.ranks * rules.files))


def _piece_lines(piece: Piece, kind: str, betza: str | None, rules: Ruleset) -> list[str]:
    lines = [f"{kind} = {piece.fen}" + (f":{betza}" if betza else "")]
    if kind == "king":
        # How it steps: in Betza's letters for new engines, as a type for those before.
        letter, step = ("W", "wazir") if piece.moves[0].step == "orthogonal" else ("K", "commoner")
        lines = [f"king = {piece.fen}:{letter}", f"kingType = {step}"]
    if kind == "soldier":
        lines.append(f"soldierPromotionRank = {_beyond(rules) + 1 if piece.moves[1].origin else 1}")
    word = kind[0].upper() + kind[1:]
    for side, turned in (("White", False), ("Black", True)):
        points = _points(rules, piece.moves[0].within, turned)
        lines.append(f"mobilityRegion{side}{word} = {' '.join(points)}")
    return lines


def _points(rules: Ruleset, region: str | None, turned: bool = False) -> list[str]:
    end = rules.files * rules.ranks - 1
    points = rules.region(region) if region else range(end + 1)
    return sorted(rules.point_name(end - point if turned else point) for point in points)


def engine_fen(fen: str, rules: Ruleset) -> str:
    """A FEN with its reserves, also where they are empty, as an engine of drop games wants it."""
    placement, _, rest = fen.partition(" ")
    if rules.reserves and "[" not in placement:
        placement += "[]"
    return f"{placement} {rest}"


# ---- the engine ----------------------------------------------------------------------------------------


def _program(command: str) -> list[str]:
    """The words of a command, its program also found where Debian keeps engines, which few paths name."""
    words = shlex.split(command)
    found = words and (shutil.which(words[0]) or shutil.which(words[0], path="/usr/games"))
    if not found:
        raise EngineError(f"{command}: no such program")
    return [found, *words[1:]]


class Engine:
    """A running engine that has been told the game."""

    def __init__(self, command: str, rules: Ruleset, folder: Path):
        self.rules = rules
        self.command = command
        try:
            self.process = subprocess.Popen(
                _program(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"{command}: {error}") from None
        self.lines: Queue[str | None] = Queue()
        self.reader = threading.Thread(target=self._listen, daemon=True)
        self.reader.start()
        try:
            self.say("uci")
            self.hear("uciok")
            path, told = folder / "variants.ini", variant(rules)
            path.write_text(told, encoding="utf-8")
            self.has_new_pieces = "customPiece" in told
            self.say(f"setoption name VariantPath value {path}")
            self.say(f"setoption name UCI_Variant value {VARIANT}")
            self.say("isready")
            self.hear("readyok")
            self.check()
        except BaseException:
            self.close()
            raise

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            raise EngineError(f"{self.command} has stopped") from None

    def hear(self, until: str) -> list[str]:
        """The engine's lines up to the one that begins with ``until``."""
        heard = []
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except Empty:
                raise EngineError(f"{self.command} does not answer") from None
            if line is None:
                raise EngineError(f"{self.command} has stopped")
            heard.append(line)
            if line.startswith(until):
                return heard

    def check(self) -> None:
        """Hold the engine's legal moves at the start against the rule set's."""
        position = Position(None, self.rules, "none")
        found, legal = self.count(position.fen()), len(position.legal_moves())
        if found != legal:
            raise EngineError(
                f"{self.command} does not know {self.rules.title}: it finds {found} moves"
                f" in the start position, the rules {legal}"
                + (" (new kinds of piece need Fairy-Stockfish 13 or later)" if self.has_new_pieces else "")
            )

    def count(self, fen: str, depth: int = 1) -> int:
        """How many legal moves the engine finds, or sequences of ``depth`` moves."""
        self.say(f"position fen {engine_fen(fen, self.rules)}")
        self.say(f"go perft {depth}")
        return int(self.hear("Nodes searched:")[-1].split(":")[1])

    def evaluate(self, fen: str, nodes: int) -> tuple[float | None, int, int | None]:
        """Pawns (None for a mate), moves to mate (0: none) and depth, from the side to move's view."""
        self.say(f"position fen {engine_fen(fen, self.rules)}")
        self.say(f"go nodes {nodes}")
        pawns, mate, depth = None, 0, 0
        for line in self.hear("bestmove"):
            words = line.split()
            if words[:1] != ["info"] or "score" not in words:
                continue
            kind, value = words[words.index("score") + 1 : words.index("score") + 3]
            pawns, mate = (int(value) / 100, 0) if kind == "cp" else (None, int(value))
            depth = int(words[words.index("depth") + 1])
        return pawns, mate, depth

    def close(self) -> None:
        try:
            self.say("quit")
            self.process.wait(timeout=2)
        except (EngineError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.reader.join(timeout=2)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was meant for an engine that has gone
                    pipe.close()


@contextmanager
def open_engine(command: str | None, rules: Ruleset) -> Iterator[Engine | None]:
    """The engine that ``command`` starts, told the game of ``rules``; None for no command. Raises `EngineError`."""
    if command is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(command, rules, Path(folder))
        try:
            yield engine
        finally:
            engine.close()


def evaluate(game: Json, engine: Engine, nodes: int) -> None:
    """Put the engine's evaluations into a study's game, from Red's view, in the place of the record's own.

    A ply's figure is that of the position its mover had before him, as in records. There is none where the
    engine finds another number of legal moves than the rule set: it takes the position for something else.
    """
    if game["start"] is None:
        return
    fen, plies = game["start"], game["lines"][0]["plies"]
    legal = len(Position(fen, engine.rules, game["handicap"] or "none").legal_moves())
    for ply in plies:
        known = engine.count(fen) == legal
        pawns, mate, depth = engine.evaluate(fen, nodes) if known else (None, 0, None)
        sign = -1 if ply["side"] == "black" else 1
        ply |= {
            "evaluation": None if pawns is None else round(sign * pawns, 2) + 0.0,
            "mate_in": sign * mate or None,
            "depth": depth,
            "after": False,
        }
        fen, legal = ply["fen"], ply["replies"]
    game["evaluated"] = "engine"
