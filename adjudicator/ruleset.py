"""Rule sets as data: load, extend, check, name.

A rule set is a TOML file in ``rulesets/`` (or anywhere, given by path) that names its source and date.
A child lists only what differs from the one it ``extends``. The loader returns a frozen `Ruleset` or
raises `RulesetError` with every fault at once; unknown keys are faults.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from notation import handicap

RULESETS = Path(__file__).with_name("rulesets")

STEPS = ("forward", "backward", "sideways", "forward-diagonal", "orthogonal", "diagonal", "any")
RIDES = ("orthogonal", "diagonal", "any")
HOPS = ("orthogonal",)
LEGS = ("none", "straight", "midpoint")
MODES = ("both", "quiet", "capture")
ENDS = ("general", "mate", "repetition", "no-capture")
SECTIONS = ("generals", "capture", "legality", "check", "handicap", "ending", "repetition")
"""The parts of a rule set whose options a run may override."""
BOOK_OPTIONS = ("fold", "span", "perpetual_check")
BOOK_SECTIONS = ("levels", "chase", "limit")
"""Options of the rule book that a rule set, or a run, may set over it; those of a section by dotted name."""


class RulesetError(ValueError):
    """A rule set or rule book that cannot be used; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: Iterable[str]):
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


@dataclass(frozen=True)
class Motion:
    """One way a piece moves. Exactly one of ``step``, ``leap``, ``ride``, ``hop`` is set."""

    step: str | None = None
    leap: tuple[int, int] | None = None
    ride: str | None = None
    hop: str | None = None
    leg: str = "none"
    mode: str = "both"
    within: str | None = None  # region the target must lie in
    origin: str | None = None  # region the move must start in


@dataclass(frozen=True)
class Piece:
    """A kind of piece: ``letter`` as written (capital), ``fen`` letter (small), other letters accepted.

    ``drop`` is the region it may be dropped in ("anywhere", None: not at all), ``drop_shuns`` the kind of enemy
    piece it may not be dropped beside, ``promotes_in`` and ``promotes_to`` where it must promote and to what;
    ``won`` and ``given`` say for the n-th capture of this kind what enters the capturer's and the loser's reserve.
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

        An option is named by its dotted key (``ending.no_capture_limit``) or by its last part. Raises
        RulesetError with all faults.
        """
        frozen = tuple(sorted((key, json.dumps(value)) for key, value in (options or {}).items()))
        return _load(str(name), frozen)

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
    def files(self) -> int:
        return self.data["board"]["files"]

    @property
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

    @property
    def reserves(self) -> bool:
        """Whether there are pieces in hand."""
        return self.data["capture"]["reserve"] or any(piece.drop for piece in self.pieces)

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
            if key not in ("title", "names", "source", "date", "notes", "extends")
        }
        text = json.dumps(said, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def region(self, name: str) -> frozenset[int]:
        """Points (rank * files + file) of a region, as Red sees it."""
        return _points(self.data["regions"][name], self.files)

    @cached_property
    def palace(self) -> frozenset[int]:
        """Points that Red's general is confined to; empty where it is not."""
        names = {move.within for piece in self.pieces if piece.royal for move in piece.moves}
        if not names or None in names:
            return frozenset()
        return frozenset().union(*(self.region(name) for name in names if name))

    def point_name(self, point: int) -> str:
        """ "h3" for a point."""
        return chr(97 + point % self.files) + str(point // self.files + 1)

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
        promotes_in=promotion.get("in"),
        promotes_to=tuple(promotion.get("to", ())),
        won=tuple(map(tuple, prize.get("won", ()))),
        given=tuple(map(tuple, prize.get("given", ()))),
    )


def _points(spans: Iterable[str], files: int) -> frozenset[int]:
    points = set()
    for span in spans:
        low, _, high = span.partition("-")
        high = high or low
        for rank in range(int(low[1:]) - 1, int(high[1:])):
            for file in range(ord(low[0]) - 97, ord(high[0]) - 96):
                points.add(rank * files + file)
    return frozenset(points)


# ---- loading -------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _load(name: str, options: tuple[tuple[str, str], ...]) -> Ruleset:
    data = _flatten(name, ())
    faults = override(data, {key: json.loads(value) for key, value in options}, name)
    faults += _Check(data, Path(name).name).faults
    if faults:
        raise RulesetError(faults)
    return Ruleset(data["id"], data)


def _flatten(name: str, seen: tuple[str, ...]) -> dict[str, Any]:
    """The file's data laid over that of the rule sets it extends."""
    if name in seen:
        raise RulesetError([f"{name}: extends itself by way of {' → '.join(seen)}"])
    path = Path(name) if name.endswith(".toml") else RULESETS / f"{name}.toml"
    data = read_toml(path, Ruleset.ids(), "rule set")
    parent = data.get("extends")
    if parent is None:
        return data
    if parent.endswith(".toml"):
        parent = str(path.parent / parent)
    base = _flatten(parent, (*seen, name))
    base.pop("names", None)  # a child is another game
    return overlay(base, data)


def read_toml(path: Path, known: list[str], what: str) -> dict[str, Any]:
    """Read a data file; an unknown name or bad TOML raises RulesetError with what could be meant."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RulesetError(
            [f"no {what} {path.stem!r}{suggest(path.stem, known)}; known: {', '.join(known)}"]
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError([f"{path.name}: {error}"]) from None


def overlay(base: dict[str, Any], child: dict[str, Any]) -> dict[str, Any]:
    """``child`` over ``base``, table by table."""
    merged = dict(base)
    for key, value in child.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            merged[key] = overlay(base[key], value)
        else:
            merged[key] = value
    return merged


def override(data: dict[str, Any], options: Mapping[str, Any], name: str) -> list[str]:
    """Set single options in ``data`` (in place); returns the faults."""
    leaves = {}
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
    return faults


def suggest(word: str, known: Iterable[str]) -> str:
    """ " (did you mean …?)" when a known word is near."""
    return maybe(next(iter(difflib.get_close_matches(word, list(known), 1)), None))


def maybe(word: str | None) -> str:
    return f" (did you mean {word!r}?)" if word else ""


class _Check:
    """Collects every fault of a flattened rule set in ``faults``."""

    def __init__(self, data: dict[str, Any], name: str):
        self.data = data
        self.name = name if name.endswith(".toml") else f"{name}.toml"
        self.faults: list[str] = []
        top = ("id", "title", "source", "date", "board", "regions", "pieces", *SECTIONS)
        self.keys("", data, top, ("extends", "names", "notes"))
        if self.faults:
            return
        for key in ("id", "title", "source", "date"):
            self.kind(key, data[key], str)
        self.kind("names", data.get("names", []), list)
        self.board()
        self.regions()
        self.options("generals", facing=("attack", "allowed"), needed=bool)
        self.options(
            "capture",
            effect=("replace", "explode"),
            reach=("none", "orthogonal"),
            spares=list,
            shots=list,
            reserve=bool,
        )
        self.options("legality", creations=int)
        self.options("check", counts=("direct", "wide"))
        self.options("handicap", infer=bool, given=str, protects=list)
        for word in handicap.read(str(data["handicap"].get("given", ""))).unknown:
            self.fault("handicap.given", f"{word!r} is no word of a handicap{maybe(handicap.nearest(word))}")
        self.capture()
        self.pieces()
        self.ending()
        dotted = [key for key in data["repetition"] if key.partition(".")[0] in BOOK_SECTIONS]
        self.keys("repetition.", data["repetition"], ("book",), (*BOOK_OPTIONS, *dotted))

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{self.name}: {where}: {what}")

    def keys(self, prefix: str, table: Any, needed: Iterable[str], optional: Iterable[str] = ()) -> bool:
        if not isinstance(table, dict):
            self.fault(prefix.rstrip("."), "must be a table")
            return False
        known = (*needed, *optional)
        for key in table:
            if key not in known:
                self.fault(prefix + key, f"unknown key{suggest(key, known)}")
        for key in needed:
            if key not in table:
                self.fault(prefix + key, "is missing")
        return all(key in table for key in needed)

    def kind(self, where: str, value: Any, kind: type) -> bool:
        good = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
        if not good:
            self.fault(where, f"must be {kind.__name__}, not {value!r}")
        return good

    def choice(self, where: str, value: Any, choices: Iterable[str]) -> None:
        if value not in choices:
            self.fault(where, f"{value!r} is not one of {', '.join(choices)}{suggest(str(value), choices)}")

    def options(self, section: str, **expected: Any) -> None:
        """A section whose every key is needed, each of a type or one of several words."""
        table = self.data[section]
        if self.keys(f"{section}.", table, expected):
            for key, kind in expected.items():
                if isinstance(kind, tuple):
                    self.choice(f"{section}.{key}", table[key], kind)
                elif self.kind(f"{section}.{key}", table[key], kind) and kind is int and table[key] < 0:
                    self.fault(f"{section}.{key}", "must not be negative")

    def piece_name(self, where: str, name: Any) -> None:
        if name not in self.data["pieces"]:
            self.fault(where, f"no piece {name!r}{suggest(str(name), self.data['pieces'])}")

    def capture(self) -> None:
        capture = self.data["capture"]
        for key in ("spares", "shots"):
            for name in capture.get(key, ()):
                self.piece_name(f"capture.{key}", name)
            if capture.get(key) and capture.get("effect") != "explode":
                self.fault(f"capture.{key}", 'needs capture.effect = "explode"')
        if capture.get("reach") == "orthogonal" and capture.get("effect") != "explode":
            self.fault("capture.reach", 'needs capture.effect = "explode"')
        if self.data["check"].get("counts") == "wide" and capture.get("effect") != "explode":
            self.fault("check.counts", '"wide" needs capture.effect = "explode"')

    def board(self) -> None:
        board = self.data["board"]
        if not self.keys("board.", board, ("files", "ranks", "start"), ("inferred",)):
            return
        self.kind("board.inferred", board.get("inferred", False), bool)
        for key in ("files", "ranks"):
            if self.kind(f"board.{key}", board[key], int) and not 1 <= board[key] <= 10:
                self.fault(f"board.{key}", f"{board[key]} is not between 1 and 10")

    def regions(self) -> None:
        for name, spans in self.data["regions"].items():
            if not (isinstance(spans, list) and all(isinstance(span, str) for span in spans)):
                self.fault(f"regions.{name}", 'must be a list of spans such as "d1-f3"')
                continue
            for span in spans:
                low, _, high = span.partition("-")
                for corner in (low, high or low):
                    if not self.on_board(corner):
                        self.fault(f"regions.{name}", f"{span!r} is not on the board")
                        break

    def on_board(self, corner: str) -> bool:
        board = self.data["board"]
        return (
            len(corner) >= 2
            and corner[1:].isdecimal()
            and 0 <= ord(corner[0]) - 97 < board["files"]
            and 1 <= int(corner[1:]) <= board["ranks"]
        )

    def pieces(self) -> None:
        letters: dict[str, str] = {}
        pieces = self.data["pieces"]
        if len(pieces) > 15:
            self.fault("pieces", f"{len(pieces)} kinds; the kernel knows 15")
        for name, piece in pieces.items():
            where = f"pieces.{name}"
            optional = ("chinese", "synonyms", "royal", "drop", "drop_shuns", "promotes", "prize")
            if not self.keys(f"{where}.", piece, ("letter", "fen", "moves"), optional):
                continue
            for letter in (piece["letter"], *piece.get("synonyms", ())):
                if not (isinstance(letter, str) and len(letter) == 1 and "A" <= letter <= "Z"):
                    self.fault(where, f"{letter!r} is not a capital letter")
                elif letters.setdefault(letter, name) != name:
                    self.fault(where, f"the letter {letter} is already that of the {letters[letter]}")
            if not (isinstance(piece["fen"], str) and len(piece["fen"]) == 1 and "a" <= piece["fen"] <= "z"):
                self.fault(f"{where}.fen", f"{piece['fen']!r} is not a small letter")
            for i, move in enumerate(piece["moves"]):
                self.motion(f"{where}.moves[{i}]", move)
            self.entering(where, piece)

    def entering(self, where: str, piece: dict[str, Any]) -> None:
        """How a piece comes on the board otherwise than by standing there from the start."""
        if piece.get("drop", "anywhere") != "anywhere":
            self.region(f"{where}.drop", piece["drop"])
        if "drop_shuns" in piece:
            self.piece_name(f"{where}.drop_shuns", piece["drop_shuns"])
        if "promotes" in piece and self.keys(f"{where}.promotes.", piece["promotes"], ("in", "to")):
            self.region(f"{where}.promotes.in", piece["promotes"]["in"])
            for name in piece["promotes"]["to"]:
                self.piece_name(f"{where}.promotes.to", name)
        if "prize" in piece and self.keys(f"{where}.prize.", piece["prize"], ("won", "given")):
            for key in ("won", "given"):
                for name in (name for names in piece["prize"][key] for name in names):
                    self.piece_name(f"{where}.prize.{key}", name)
                    if name in self.data["pieces"] and "drop" not in self.data["pieces"][name]:
                        self.fault(f"{where}.prize.{key}", f"a {name} enters a reserve but cannot be dropped")
            if len(piece["prize"]["won"]) != len(piece["prize"]["given"]):
                self.fault(f"{where}.prize", "won and given must list as many captures")

    def region(self, where: str, name: Any) -> None:
        if name not in self.data["regions"]:
            self.fault(where, f"no region {name!r}{suggest(str(name), self.data['regions'])}")

    def motion(self, where: str, move: Any) -> None:
        if not self.keys(
            f"{where}.", move, (), ("step", "leap", "ride", "hop", "leg", "mode", "within", "from")
        ):
            return
        kinds = [key for key in ("step", "leap", "ride", "hop") if key in move]
        if len(kinds) != 1:
            self.fault(where, f"needs one of step, leap, ride, hop; has {' and '.join(kinds) or 'none'}")
        if "step" in move:
            self.choice(f"{where}.step", move["step"], STEPS)
        for key, lines in (("ride", RIDES), ("hop", HOPS)):
            if key in move:
                self.choice(f"{where}.{key}", move[key], lines)
                for other in ("within", "from", "leg"):
                    if other in move:
                        self.fault(f"{where}.{other}", f"does not go with {key}")
        if "leap" in move:
            leap = move["leap"]
            if not (
                isinstance(leap, list)
                and len(leap) == 2
                and all(isinstance(n, int) and 0 <= n < 10 for n in leap)
            ):
                self.fault(f"{where}.leap", f"{leap!r} is not a pair of small numbers")
        self.choice(f"{where}.leg", move.get("leg", "none"), LEGS)
        self.choice(f"{where}.mode", move.get("mode", "both"), MODES)
        for key in ("within", "from"):
            if key in move and move[key] not in self.data["regions"]:
                self.fault(
                    f"{where}.{key}",
                    f"no region {move[key]!r}{suggest(str(move[key]), self.data['regions'])}",
                )

    def ending(self) -> None:
        ending = self.data["ending"]
        if not self.keys("ending.", ending, ("stalemate", "no_capture_limit", "precedence")):
            return
        self.choice("ending.stalemate", ending["stalemate"], ("loss", "draw"))
        if (
            self.kind("ending.no_capture_limit", ending["no_capture_limit"], int)
            and ending["no_capture_limit"] < 0
        ):
            self.fault("ending.no_capture_limit", "must not be negative")
        order = ending["precedence"]
        if not isinstance(order, list) or sorted(order) != sorted(ENDS):
            self.fault("ending.precedence", f"must name each of {', '.join(ENDS)} once, not {order!r}")
