"""Rule sets as data: load, extend, check, name.

A rule set is a TOML file in ``rulesets/`` (or anywhere, given by path) that names its source and date.
A child lists only what differs from the one it ``extends``. The loader returns a frozen `Ruleset` or
raises `RulesetError` with every fault at once; unknown keys are faults.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from adjudicator import geometry
from adjudicator.datafile import RulesetError, blamed, chain, overlay, suggest
from adjudicator.examination import BOOK_OPTIONS, BOOK_SECTIONS, SECTIONS, examine
from adjudicator.geometry import Board, Motion
from adjudicator.rulebook import RuleBook

__all__ = ["Piece", "Protection", "Ruleset", "RulesetError"]

RULESETS = Path(__file__).with_name("rulesets")


@dataclass(frozen=True)
class Piece:
    """A kind of piece: ``letter`` as written (capital), ``fen`` letter (small), other letters accepted.

    ``drop`` is the region it may be dropped in ("anywhere", None: not at all), ``drop_shuns`` the kind of enemy
    piece it may not be dropped beside, ``relocates`` the region it may be placed in before the first turn,
    ``promotes_in`` and ``promotes_to`` where it must promote and to what; ``won`` and ``given`` say for the n-th
    capture of this kind what enters the capturer's and the loser's reserve.
    """

    name: str
    chinese: str
    letter: str
    fen: str
    synonyms: tuple[str, ...]
    royal: bool
    moves: tuple[Motion, ...]
    drop: str | None = None
    drop_shuns: str | None = None
    relocates: str | None = None
    promotes_in: str | None = None
    promotes_to: tuple[str, ...] = ()
    won: tuple[tuple[str, ...], ...] = ()
    given: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Protection:
    """Where a start position is ``lacking`` a piece, the one on ``iron`` may not be captured until it has moved, or
    only with check (``unless_check``). Points as Red sees them."""

    lacking: int
    iron: int
    unless_check: bool


@dataclass(frozen=True)
class Ruleset:
    """A checked rule set. ``data`` is the flattened file; the properties give its parts meaning."""

    id: str
    data: Mapping[str, Any]

    @classmethod
    def load(cls, name: str | Path, options: Mapping[str, Any] | None = None) -> Ruleset:
        """Load a rule set by id or by path of a ``.toml`` file, with single ``options`` overridden.

        An option is named by its dotted key (``ending.no_capture_limit``) or by its last part. A limit that is set here
        goes before a rule book's own. Raises RulesetError with all faults.
        """
        frozen = tuple(sorted((key, json.dumps(value)) for key, value in (options or {}).items()))
        return _load(str(name), frozen)

    @staticmethod
    def sources(name: str | Path) -> list[tuple[str, str, str]]:
        """Id, source and date of a rule set and of those it extends, in that order. Raises RulesetError."""
        told = reversed(chain(str(name), RULESETS, "rule set"))
        return [(str(file.get("id")), str(file.get("source")), str(file.get("date"))) for file in told]

    @staticmethod
    def ids() -> list[str]:
        """The rule sets that come with the package."""
        return sorted(path.stem for path in RULESETS.glob("*.toml"))

    @property
    def title(self) -> str:
        return self.data["title"]

    @property
    def names(self) -> tuple[str, ...]:
        """Further names that records call the game by."""
        return tuple(self.data.get("names", ()))

    @property
    def chinese_title(self) -> str:
        """The first of its names in Chinese characters, or the title."""
        return next((name for name in self.names if "\u4e00" <= name[:1] <= "\u9fff"), self.title)

    @property
    def game(self) -> str:
        """The game that this is a form of, by the id of its first form. Records of one game are read under any form.

        Its own id, or that of the game it extends. To extend a mere ``base`` makes another game, unless the file says
        which ``game`` it is.
        """
        return self.data["game"]

    @cached_property
    def files(self) -> int:
        return self.data["board"]["files"]

    @cached_property
    def ranks(self) -> int:
        return self.data["board"]["ranks"]

    @property
    def start(self) -> str:
        """FEN of the start position."""
        return self.data["board"]["start"]

    @property
    def inferred(self) -> bool:
        """Whether the start position is not the source's but worked out from it; a record's own FEN may differ."""
        return self.data["board"].get("inferred", False)

    @property
    def facing(self) -> bool:
        """Whether generals attack each other along an open file."""
        return self.data["generals"]["facing"] == "attack"

    @property
    def needs_general(self) -> bool:
        """Whether a side without its general has lost."""
        return self.data["generals"]["needed"]

    @property
    def explodes(self) -> bool:
        """Whether a capture costs the capturer, and perhaps more."""
        return self.data["capture"]["effect"] == "explode"

    def blasts(self, piece: Piece) -> bool:
        """Whether a capture by ``piece`` is an explosion; a shot costs the capturer and takes its target alone."""
        capture = self.data["capture"]
        return self.explodes and capture["reach"] != "none" and piece.name not in capture["shots"]

    @property
    def reserves(self) -> bool:
        """Whether there are pieces in hand."""
        return self.data["capture"]["reserve"] or any(piece.drop for piece in self.pieces)

    @cached_property
    def relocates(self) -> bool:
        """Whether pieces may be placed elsewhere before the first turn."""
        return any(piece.relocates for piece in self.pieces)

    @property
    def creations(self) -> int:
        """How often a player may create one position; 0: as often as he likes."""
        return self.data["legality"]["creations"]

    @property
    def wide_checks(self) -> bool:
        """Whether the repetition law counts threats to blow the general up as checks."""
        return self.data["check"]["counts"] == "wide"

    @property
    def infers_handicap(self) -> bool:
        """Whether pieces missing from the start position protect others, undeclared."""
        return self.data["handicap"]["infer"]

    @property
    def handicap(self) -> str:
        """The handicap of records that declare none (`notation.handicap`); empty: none."""
        return self.data["handicap"]["given"]

    @cached_property
    def protections(self) -> tuple[Protection, ...]:
        """What a handicap makes iron."""
        return tuple(
            Protection(self.point(rule["lacking"]), self.point(rule["iron"]), "unless" in rule)
            for rule in self.data["handicap"]["protects"]
        )

    @property
    def stalemate(self) -> str:
        """ "loss" or "draw" for the side without a legal move that is not in check."""
        return self.data["ending"]["stalemate"]

    @property
    def no_capture_limit(self) -> int:
        """Plies without a capture that make a draw; 0 when there is no such rule."""
        return self.data["ending"]["no_capture_limit"]

    @property
    def precedence(self) -> tuple[str, ...]:
        """The order in which endings are tested on one ply."""
        return tuple(self.data["ending"]["precedence"])

    @property
    def book(self) -> str:
        """Id of the default rule book for repetitions."""
        return self.data["repetition"]["book"]

    @property
    def book_options(self) -> dict[str, Any]:
        """Options set over whatever rule book rules."""
        return {key: value for key, value in self.data["repetition"].items() if key != "book"}

    def rulebook(
        self, book: str | Path | RuleBook | None = None, options: Mapping[str, Any] | None = None
    ) -> RuleBook:
        """The rule book that rules: ``book`` (None: the default) with this rule set's options over it, and ``options``
        over those; one that is loaded already as it is.

        Raises RulesetError with all faults, and for a book that has nothing to say under this rule set.
        """
        if not isinstance(book, RuleBook):
            book = RuleBook.load(book or self.book, self.book_options | dict(options or {}))
        option = book.needs.partition("=")[0]
        section, _, key = option.partition(".")
        if option and not self.data.get(section, {}).get(key):
            raise RulesetError(
                [
                    f"the rule book {book.id} says nothing where the rule set, here {self.id}, leaves {option} out:"
                    f" add --set {book.needs}, or choose another book"
                ]
            )
        return book

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The kinds of piece in the order of the file; the kernel numbers them from 1."""
        return tuple(_piece(name, entry) for name, entry in self.data["pieces"].items())

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hex digits over every resolved option: runs are comparable only when it is equal."""
        said = {
            key: value
            for key, value in self.data.items()
            if key not in ("title", "names", "game", "base", "source", "date", "notes", "extends")
        }
        text = json.dumps(said, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def region(self, name: str) -> frozenset[int]:
        """Points (rank * files + file) of a region, as Red sees it."""
        return self.board.regions[name]

    @cached_property
    def board(self) -> Board:
        """The board's size and regions."""
        regions = self.data["regions"].items()
        return Board(
            self.files, self.ranks, {name: geometry.points(spans, self.files) for name, spans in regions}
        )

    @cached_property
    def palace(self) -> frozenset[int]:
        """Points that Red's general is confined to; empty where it is not."""
        names = {move.within for piece in self.pieces if piece.royal for move in piece.moves}
        if not names or None in names:
            return frozenset()
        return frozenset().union(*(self.region(name) for name in names if name))

    def point_name(self, point: int) -> str:
        """ "h3" for a point."""
        return self._point_names[point]

    @cached_property
    def _point_names(self) -> list[str]:
        return [f"{chr(97 + file)}{rank + 1}" for rank in range(self.ranks) for file in range(self.files)]

    def point(self, name: str) -> int:
        """The point called "h3"; raises ValueError when the board has none."""
        file, rank = ord(name[:1].lower() or "?") - 97, name[1:]
        if not (0 <= file < self.files and rank.isdecimal() and 1 <= int(rank) <= self.ranks):
            raise ValueError(f"no point {name!r} on a board of {self.files} files and {self.ranks} ranks")
        return (int(rank) - 1) * self.files + file

    def __hash__(self) -> int:
        return hash((self.id, self.fingerprint))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and (self.id, self.fingerprint) == (other.id, other.fingerprint)


def _piece(name: str, entry: Mapping[str, Any]) -> Piece:
    moves = tuple(
        Motion(
            step=move.get("step"),
            leap=tuple(move["leap"]) if "leap" in move else None,
            ride=move.get("ride"),
            hop=move.get("hop"),
            leg=move.get("leg", "none"),
            mode=move.get("mode", "both"),
            within=move.get("within"),
            origin=move.get("from"),
        )
        for move in entry["moves"]
    )
    promotion, prize = entry.get("promotes", {}), entry.get("prize", {})
    return Piece(
        name=name,
        chinese=entry.get("chinese", name),
        letter=entry["letter"],
        fen=entry["fen"],
        synonyms=tuple(entry.get("synonyms", ())),
        royal=entry.get("royal", False),
        moves=moves,
        drop=entry.get("drop"),
        drop_shuns=entry.get("drop_shuns"),
        relocates=entry.get("relocates"),
        promotes_in=promotion.get("in"),
        promotes_to=tuple(promotion.get("to", ())),
        won=tuple(map(tuple, prize.get("won", ()))),
        given=tuple(map(tuple, prize.get("given", ()))),
    )


# ---- loading -------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _load(name: str, options: tuple[tuple[str, str], ...]) -> Ruleset:
    files = chain(name, RULESETS, "rule set")
    data: dict[str, Any] = {}
    for file in files:
        data.pop("names", None)  # they are the parent's
        own = data.pop("base", not data) and "id" in file
        data = overlay(data, {"game": file["id"], **file} if own else file)
    plain = dict(data)
    faults = override(data, {key: json.loads(value) for key, value in options}, name)
    if found := examine(data, Path(name).name, files[-1], files[:-1]):
        faults += blamed(found, examine(plain, Path(name).name, files[-1], files[:-1]))
    if faults:
        raise RulesetError(faults)
    return Ruleset(data["id"], data)


def override(data: dict[str, Any], options: Mapping[str, Any], name: str) -> list[str]:
    """Set single options in ``data`` (in place); returns the faults."""
    leaves, limited = {}, False
    for section in SECTIONS:
        keys = (*data.get(section, {}), *(BOOK_OPTIONS if section == "repetition" else ()))
        leaves.update({f"{section}.{key}": (section, key) for key in keys})
    faults = []
    for key, value in options.items():
        if key.partition(".")[0] in BOOK_SECTIONS:  # `adjudicator.rulebook` knows which there are
            data["repetition"] = {**data["repetition"], key: value}
            continue
        fits = [leaf for leaf in leaves if leaf == key or leaf.partition(".")[2] == key]
        if len(fits) != 1:
            faults.append(
                f"{name}: no option {key!r}{suggest(key, leaves)}; options: {', '.join(sorted(leaves))}"
            )
            continue
        section, last = leaves[fits[0]]
        data[section] = {**data[section], last: value}
        limited |= last == "no_capture_limit"
    if limited and "limit.plies" not in options:  # whoever sets the limit means it, whatever the book says
        data["repetition"] = {**data["repetition"], "limit.plies": -1}
    return faults


# ---- the reference page ------------------------------------------------------------------------------


def describe() -> str:
    """The reference page of the rule sets, in Markdown: each rule set, its options and its pieces side by side."""
    sets = [Ruleset.load(name) for name in Ruleset.ids()]
    lines = ["# Rule sets", ""]
    for rules in sets:
        parent = rules.data.get("extends")
        extends = f", extends `{parent}`" if parent else ""
        names = f"; also {', '.join(rules.names)}" if rules.names else ""
        lines.append(
            f"- `{rules.id}` {rules.title}{extends} ({rules.data['date']}): {rules.data['source']}{names}"
        )
    options = [_options(rules) for rules in sets]
    lines += ["", "## Options", "", *_side_by_side("option", sets, options)]
    lines += ["", "0 says: no such rule. `caipan rules show ID` prints a rule set whole, with its regions."]
    pieces = [{piece.name: _words(piece) for piece in rules.pieces} for rules in sets]
    lines += ["", "## Pieces", "", *_side_by_side("piece", sets, pieces)]
    for rules in sets:
        if notes := rules.data.get("notes"):
            lines += ["", f"## {rules.title}", "", *(f"- {note}" for note in notes)]
    return "\n".join(lines) + "\n"


def _side_by_side(what: str, sets: Sequence[Ruleset], tables: Sequence[Mapping[str, str]]) -> list[str]:
    """A table with a row for each key of the ``tables``, one of each rule set."""
    lines = [f"| {what} | {' | '.join(f'`{rules.id}`' for rules in sets)} |", "|---" * (len(sets) + 1) + "|"]
    for key in dict.fromkeys(key for table in tables for key in table):
        lines.append(f"| `{key}` | {' | '.join(table.get(key, '–') for table in tables)} |")
    return lines


def _options(rules: Ruleset) -> dict[str, str]:
    """Every option by its dotted name, as it is written in a table."""
    told = {"game": rules.game, "board": f"{rules.files} × {rules.ranks}", "board.start": f"`{rules.start}`"}
    for section in SECTIONS:
        for key, value in rules.data[section].items():
            if key == "protects":
                value = [
                    f"{rule['iron']} where {rule['lacking']} is given{', but to check' if 'unless' in rule else ''}"
                    for rule in value
                ]
            told[f"{section}.{key}"] = (
                ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)
            )
    return {key: value.strip('"') or "–" for key, value in told.items()}


def _words(piece: Piece) -> str:
    """How a piece is written, how it moves, and what else there is about it."""
    told = [f"{piece.chinese} {piece.letter}", *map(_motion_words, piece.moves)]
    if piece.drop:
        place = piece.drop if piece.drop == "anywhere" else f"in {piece.drop}"
        told.append(f"dropped {place}" + (f", not beside a {piece.drop_shuns}" if piece.drop_shuns else ""))
    if piece.relocates:
        told.append(f"placed in {piece.relocates}")
    if piece.promotes_to:
        told.append(f"in {piece.promotes_in} becomes {' or '.join(piece.promotes_to)}")
    if piece.won:
        told.append("pays a prize")
    return "; ".join(told)


def _motion_words(motion: Motion) -> str:
    kinds = {"step": motion.step, "ride": motion.ride, "hop": motion.hop, "leap": motion.leap}
    kind, how = next((kind, how) for kind, how in kinds.items() if how)
    told = f"{kind} {'–'.join(map(str, how)) if isinstance(how, tuple) else how}"
    told += "" if motion.leg == "none" else f", {motion.leg} leg"
    told += "" if motion.mode == "both" else f", {motion.mode} only"
    told += f", within {motion.within}" if motion.within else ""
    return told + (f", from {motion.origin}" if motion.origin else "")


if __name__ == "__main__":
    print(describe(), end="")
