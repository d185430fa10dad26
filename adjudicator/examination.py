"""What is wrong with a rule set's data: every fault at once, each with its file, its key, and what could be meant.

First the shape (keys, types, words), then the sense: regions and motions that nothing can use, pieces that cannot move
or stand where they start, options that contradict one another, more than the kernel has room for. A part whose shape is
wrong is left out of the questions of sense that need it; the others are still asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from adjudicator.datafile import date_fault, maybe, suggest
from adjudicator.geometry import HOPS, LEGS, MODES, RIDES, STEPS, Board, Motion, points
from notation import handicap
from notation.fen import EMPTY, parse_fen

RULEBOOKS = Path(__file__).with_name("rulebooks")

ENDS = ("general", "mate", "repetition", "no-capture")
SECTIONS = ("generals", "capture", "legality", "check", "handicap", "ending", "repetition")
"""The parts of a rule set whose options a run may override."""
BOOK_OPTIONS = ("fold", "span", "perpetual_check")
BOOK_SECTIONS = ("levels", "chase", "limit")
"""Options of the rule book that a rule set, or a run, may set over it; those of a section by dotted name."""

MOST_KINDS, MOST_POINTS = 15, 100
MOST_MOVES = 64
"""Moves of one piece that the kernel has room for."""
MOST_DROPS = 512
"""Drops that it has room for, besides moves: points in the regions of all kinds together."""
MOST_PRIZES, MOST_PAID, MOST_PROMOTIONS = 8, 4, 8

_OPTIONS: dict[str, dict[str, Any]] = {
    "generals": {"facing": ("attack", "allowed"), "needed": bool},
    "capture": {
        "effect": ("replace", "explode"),
        "reach": ("none", "orthogonal"),
        "spares": list,
        "shots": list,
        "reserve": bool,
    },
    "legality": {"creations": int},
    "check": {"counts": ("direct", "wide")},
    "handicap": {"infer": bool, "given": str, "protects": list},
    "ending": {"stalemate": ("loss", "draw"), "no_capture_limit": int, "precedence": list},
}
"""Options by section: the words that one can be, or its type."""
RULE_OPTIONS = tuple(f"{section}.{key}" for section, options in _OPTIONS.items() for key in options)
"""Their dotted names."""
_PIECE = {
    "letter": str,
    "fen": str,
    "moves": list,
    "chinese": str,
    "synonyms": list,
    "royal": bool,
    "drop": str,
    "drop_shuns": str,
    "relocates": str,
    "promotes": dict,
    "prize": dict,
}
_OPTIONAL = ("extends", "names", "game", "base")
_MOTION = ("step", "leap", "ride", "hop", "leg", "mode", "within", "from")
_SIDES = ("Red", "Black")
_WORDS = {bool: "true or false", int: "a whole number", str: "text", list: "a list", dict: "a table"}


def examine(
    data: Mapping[str, Any], name: str, own: Mapping[str, Any], bases: Sequence[Mapping[str, Any]]
) -> list[str]:
    """The faults of a flattened rule set; ``own`` is what its file says itself, ``bases`` what it extends."""
    shape = _Shape(data, name if name.endswith(".toml") else f"{name}.toml")
    shape.examine()
    if shape.board is not None:
        _Sense(shape, shape.board).examine()
    shape.unused_regions(own, bases)
    return shape.faults


class _Shape:
    """Collects every fault in ``faults``; ``pieces`` and ``regions`` are those whose shape is right, ``sound`` the
    options, dotted."""

    def __init__(self, data: Mapping[str, Any], name: str):
        self.data = data
        self.name = name
        self.faults: list[str] = []
        self.board: Board | None = None
        self.regions: dict[str, frozenset[int]] = {}
        self.pieces: dict[str, Mapping[str, Any]] = {}
        self.sound: set[str] = set()

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{self.name}: {where}: {what}")

    def examine(self) -> None:
        data = self.data
        words = ("id", "title", "source", "date")
        self.keys("", data, (*words, "board", "regions", "pieces", *SECTIONS), (*_OPTIONAL, "notes"))
        for key in (*words, "game"):
            if key not in data or not self.is_a(key, data[key], str):
                continue
            if not data[key].strip():
                self.fault(key, "is empty")
            elif key == "date" and (fault := date_fault(data[key])):
                self.fault(key, fault)
        if "base" in data:
            self.is_a("base", data["base"], bool)
        for key in ("names", "notes"):
            if self.is_a(key, data.get(key, []), list) and not all(
                isinstance(each, str) for each in data.get(key, [])
            ):
                self.fault(key, "must list texts")
        self.shape_of_board()
        for section, options in _OPTIONS.items():
            self.options(section, options)
        self.shape_of_lists()
        for name, piece in self.table("pieces").items():
            before = len(self.faults)
            self.shape_of_piece(f"pieces.{name}", piece)
            if len(self.faults) == before:
                self.pieces[name] = piece
        self.letters()

    def table(self, key: str) -> Mapping[str, Any]:
        """The table called ``key``; an empty one when it is missing or none."""
        value = self.data.get(key, {})
        return value if isinstance(value, dict) else {}

    def keys(self, prefix: str, table: Any, needed: Iterable[str], optional: Iterable[str] = ()) -> bool:
        """Whether ``table`` is a table with all the keys it needs; tells of unknown and missing ones."""
        if not isinstance(table, dict):
            self.fault(prefix.rstrip("."), f"must be a table, not {table!r}")
            return False
        known = (*needed, *optional)
        for key in table:
            if key not in known:
                self.fault(prefix + key, f"unknown key{suggest(key, known)}")
        for key in needed:
            if key not in table:
                self.fault(prefix + key, "is missing")
        return all(key in table for key in needed)

    def is_a(self, where: str, value: Any, kind: type) -> bool:
        good = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
        if not good:
            self.fault(where, f"must be {_WORDS[kind]}, not {value!r}")
        return good

    def choice(self, where: str, value: Any, choices: Sequence[str]) -> bool:
        if value not in choices:
            self.fault(where, f"{value!r} is not one of {', '.join(choices)}{suggest(str(value), choices)}")
        return value in choices

    def options(self, section: str, expected: Mapping[str, Any]) -> None:
        """A section whose every key is needed, each of a type or one of several words."""
        table = self.data.get(section)
        if section not in self.data:
            return
        self.keys(f"{section}.", table, expected)
        for key, kind in expected.items():
            where = f"{section}.{key}"
            if not isinstance(table, dict) or key not in table:
                continue
            if isinstance(kind, tuple):
                good = self.choice(where, table[key], kind)
            else:
                good = self.is_a(where, table[key], kind)
            if good and kind is int and table[key] < 0:
                self.fault(where, f"must not be negative, as {table[key]} is; 0 is: no such rule")
                good = False
            if good:
                self.sound.add(where)

    def option(self, where: str) -> Any:
        """The value of an option of the right shape, else None."""
        section, _, key = where.partition(".")
        return self.data[section][key] if where in self.sound else None

    def shape_of_board(self) -> None:
        board: Any = self.data.get("board")
        needed = ("files", "ranks", "start")
        if "board" not in self.data:
            return
        good = self.keys("board.", board, needed, ("inferred",))
        if not isinstance(board, dict):
            return
        self.is_a("board.inferred", board.get("inferred", False), bool)
        good &= self.is_a("board.start", board.get("start", ""), str)
        for key in ("files", "ranks"):
            if key not in board:
                continue
            if not self.is_a(f"board.{key}", board[key], int):
                good = False
            elif not 1 <= board[key] <= 10:
                self.fault(f"board.{key}", f"{board[key]} is not between 1 and 10")
                good = False
        if not good:
            return
        files, ranks = board["files"], board["ranks"]
        regions = self.data.get("regions", {})
        if isinstance(regions, dict):
            for name, spans in regions.items():
                self.shape_of_region(name, spans, files, ranks)
        else:
            self.fault("regions", f"must be a table, not {regions!r}")
        self.board = Board(files, ranks, self.regions)

    def shape_of_region(self, name: str, spans: Any, files: int, ranks: int) -> None:
        where, before = f"regions.{name}", len(self.faults)
        if not (isinstance(spans, list) and spans and all(isinstance(span, str) for span in spans)):
            self.fault(where, f'must be a list of spans such as "d1-f3", not {spans!r}')
            return
        for span in spans:
            low, _, high = span.partition("-")
            high = high or low
            if not (_on_board(low, files, ranks) and _on_board(high, files, ranks)):
                last = f"{chr(96 + files)}{ranks}"
                self.fault(where, f"{span!r} is not on the board, which ends at {last}")
            elif low[0] > high[0] or int(low[1:]) > int(high[1:]):
                turned = f"{min(low[0], high[0])}{min(int(low[1:]), int(high[1:]))}"
                turned += f"-{max(low[0], high[0])}{max(int(low[1:]), int(high[1:]))}"
                self.fault(where, f"{span!r} is empty{maybe(turned)}")
        if len(self.faults) == before:
            self.regions[name] = points(spans, files)

    def shape_of_lists(self) -> None:
        for key in ("spares", "shots"):
            for name in self.option(f"capture.{key}") or ():
                self.piece_name(f"capture.{key}", name)
        for fault in handicap.faults(self.option("handicap.given") or ""):
            self.fault("handicap.given", fault)
        order = self.option("ending.precedence")
        if order is not None and sorted(map(str, order)) != sorted(ENDS):
            self.fault("ending.precedence", f"must name each of {', '.join(ENDS)} once, not {order!r}")
        repetition: Any = self.data.get("repetition")
        if "repetition" not in self.data:
            return
        dotted = [key for key in _names(repetition) if key.partition(".")[0] in BOOK_SECTIONS]
        if self.keys("repetition.", repetition, ("book",), (*BOOK_OPTIONS, *dotted)):
            book, books = repetition["book"], sorted(path.stem for path in RULEBOOKS.glob("*.toml"))
            if book not in books:
                self.fault("repetition.book", f"no rule book {book!r}{suggest(str(book), books)}")

    def shape_of_piece(self, where: str, piece: Any) -> None:
        optional = [key for key in _PIECE if key not in ("letter", "fen", "moves")]
        self.keys(f"{where}.", piece, ("letter", "fen", "moves"), optional)
        if not isinstance(piece, dict):
            return
        right = {
            key: self.is_a(f"{where}.{key}", piece[key], kind) for key, kind in _PIECE.items() if key in piece
        }
        letters = [piece["letter"]] if "letter" in piece else []
        for letter in [*letters, *(piece.get("synonyms", ()) if right.get("synonyms") else ())]:
            if not (isinstance(letter, str) and len(letter) == 1 and "A" <= letter <= "Z"):
                self.fault(where, f"{letter!r} is not a capital letter")
        if right.get("fen") and not (len(piece["fen"]) == 1 and "a" <= piece["fen"] <= "z"):
            self.fault(f"{where}.fen", f"{piece['fen']!r} is not a small letter")
        if right.get("moves"):
            for i, move in enumerate(piece["moves"]):
                self.shape_of_motion(f"{where}.moves[{i}]", move)
        if right.get("drop") and piece["drop"] != "anywhere":
            self.region_name(f"{where}.drop", piece["drop"])
        if right.get("drop_shuns"):
            self.piece_name(f"{where}.drop_shuns", piece["drop_shuns"])
        if right.get("relocates"):
            self.region_name(f"{where}.relocates", piece["relocates"])
        if right.get("promotes"):
            self.shape_of_promotion(f"{where}.promotes", piece["promotes"])
        if right.get("prize"):
            self.shape_of_prize(f"{where}.prize", piece["prize"])

    def shape_of_promotion(self, where: str, promotion: dict[str, Any]) -> None:
        self.keys(f"{where}.", promotion, ("in", "to"))
        if "in" in promotion:
            self.region_name(f"{where}.in", promotion["in"])
        if "to" in promotion and self.is_a(f"{where}.to", promotion["to"], list):
            for name in promotion["to"]:
                self.piece_name(f"{where}.to", name)
            if not 1 <= len(promotion["to"]) <= MOST_PROMOTIONS:
                self.fault(f"{where}.to", f"must name between 1 and {MOST_PROMOTIONS} pieces")

    def shape_of_prize(self, where: str, prize: dict[str, Any]) -> None:
        whole = self.keys(f"{where}.", prize, ("won", "given"))
        for key in [key for key in ("won", "given") if key in prize]:
            lists = prize[key]
            if not (isinstance(lists, list) and all(isinstance(names, list) for names in lists)):
                self.fault(f"{where}.{key}", "must list, for the first capture, the second and so on, pieces")
                return
            for names in lists:
                for name in names:
                    self.piece_name(f"{where}.{key}", name)
                if len(names) > MOST_PAID:
                    self.fault(f"{where}.{key}", f"{len(names)} pieces for one capture; at most {MOST_PAID}")
        if not whole:
            return
        if len(prize["won"]) != len(prize["given"]):
            self.fault(where, "won and given must list as many captures")
        if len(prize["won"]) > MOST_PRIZES:
            self.fault(where, f"{len(prize['won'])} captures; at most {MOST_PRIZES}")

    def shape_of_motion(self, where: str, move: Any) -> None:
        if not self.keys(f"{where}.", move, (), _MOTION):
            return
        kinds = [key for key in ("step", "leap", "ride", "hop") if key in move]
        if len(kinds) != 1:
            self.fault(where, f"needs one of step, leap, ride, hop; has {' and '.join(kinds) or 'none'}")
        for key, words in (("step", STEPS), ("ride", RIDES), ("hop", HOPS), ("leg", LEGS), ("mode", MODES)):
            if key in move:
                self.choice(f"{where}.{key}", move[key], words)
        for key in ("within", "from"):
            if key in move:
                self.region_name(f"{where}.{key}", move[key])
        for kind in kinds:
            for key in {"step": ("leg",), "leap": ()}.get(kind, ("within", "from", "leg")):
                if key in move:
                    self.fault(f"{where}.{key}", f"does not go with {kind}")
        if "leap" in move:
            self.shape_of_leap(where, move["leap"], move.get("leg", "none"))

    def shape_of_leap(self, where: str, leap: Any, leg: Any) -> None:
        numbers = isinstance(leap, list) and all(type(n) is int and 0 <= n < 10 for n in leap)
        if not numbers or len(leap) != 2 or leap == [0, 0]:
            self.fault(f"{where}.leap", f"{leap!r} is not a pair of small numbers such as [1, 2]")
        elif leg == "midpoint" and any(n % 2 for n in leap):
            self.fault(f"{where}.leg", f"a leap of {leap} has no point in its middle")
        elif leg == "straight" and leap[0] == leap[1]:
            self.fault(f"{where}.leg", f"a leap of {leap} has no straight first step")

    def piece_name(self, where: str, name: Any) -> None:
        known = self.table("pieces")
        if name not in known if isinstance(name, str) else True:
            self.fault(where, f"no piece {name!r}{suggest(str(name), known)}")

    def region_name(self, where: str, name: Any) -> None:
        known = self.table("regions")
        if name not in known if isinstance(name, str) else True:
            self.fault(where, f"no region {name!r}{suggest(str(name), known)}")

    def letters(self) -> None:
        """Every letter, in moves and in FEN, belongs to one piece."""
        owner: dict[str, str] = {}
        for name, piece in self.table("pieces").items():
            for letter in _letters(piece):
                if owner.setdefault(letter, name) != name:
                    self.fault(
                        f"pieces.{name}", f"the letter {letter} is already that of the {owner[letter]}"
                    )

    def unused_regions(self, own: Mapping[str, Any], bases: Sequence[Mapping[str, Any]]) -> None:
        """A region that the file brings in and no rule uses is misspelt, or its use forgotten."""
        inherited = {name for base in bases for name in _names(base.get("regions"))}
        used = set(_regions_of(self.table("pieces")))
        for name in _names(own.get("regions")):
            if name not in inherited and name not in used:
                self.fault(f"regions.{name}", f"no rule uses it{suggest(name, (used | inherited) - {name})}")


class _Sense:
    """Asks what the data means, of the parts whose ``shape`` is right; faults go to that."""

    def __init__(self, shape: _Shape, board: Board):
        self.board = board
        self.start_text = shape.data["board"]["start"]
        self.regions, self.pieces = shape.regions, shape.pieces
        self.names = shape.table("pieces")
        self.whole = len(self.pieces) == len(self.names)
        self.fault, self.keys, self.choice, self.option = shape.fault, shape.keys, shape.choice, shape.option

    def examine(self) -> None:
        array = self.start()
        self.captures()
        self.royals(array)
        self.reserves()
        self.room()
        if array is not None:
            self.protections(array)
            self.motions(array)

    def start(self) -> dict[int, tuple[str, bool]] | None:
        """The start position, piece and whether it is Black's by point; None when it cannot be read."""
        where = "board.start"
        setup = parse_fen(self.start_text, self.board.files, self.board.ranks)
        for fault in setup.faults:
            self.fault(where, fault.message())
        if setup.faults:
            return None
        known = {letter: name for name, piece in self.names.items() for letter in _letters(piece)}
        strange = {
            letter for letter in "".join(setup.rows) if letter != EMPTY and letter.upper() not in known
        }
        for letter in sorted(strange if self.whole else ()):
            self.fault(where, f"{letter} is not the letter of a piece{suggest(letter.upper(), known)}")
        for letter in sorted(set("".join(setup.hands))) if self.whole else ():
            name = known.get(letter.upper())
            if name is None or "drop" not in self.names[name]:
                what = f"a {name}, which cannot be dropped" if name else "not the letter of a piece"
                self.fault(where, f"{letter} in reserve is {what}")
        return {
            point: (known[letter.upper()], letter.islower())
            for point, letter in enumerate("".join(setup.rows))
            if letter.upper() in known
        }

    def captures(self) -> None:
        """Options of explosions where nothing explodes."""
        if self.option("capture.effect") == "explode":
            return
        for where, value in (("capture.spares", []), ("capture.shots", []), ("capture.reach", "none")):
            if self.option(where) not in (None, value):
                self.fault(where, 'needs capture.effect = "explode"')
        if self.option("check.counts") == "wide":
            self.fault("check.counts", '"wide" needs capture.effect = "explode"')

    def royals(self, array: Mapping[int, tuple[str, bool]] | None) -> None:
        """There is one kind of general; where it is needed both sides have one from the start."""
        royal = [name for name, piece in self.pieces.items() if piece.get("royal")]
        if not royal and self.whole:
            self.fault(
                "pieces", "no piece is royal, so nothing could be checked or mated: give one royal = true"
            )
        if len(royal) > 1:
            self.fault("pieces", f"{' and '.join(royal)} are royal; one kind can be")
        needed = self.option("generals.needed")
        for name in royal:
            droppable = "drop" in self.pieces[name]
            if needed and droppable:
                what = f"a {name} that is needed is never in reserve: leave drop out, or say generals.needed = false"
                self.fault(f"pieces.{name}.drop", what)
            counts = Counter(array.values() if array and len(royal) == 1 else ())
            for side in (0, 1) if counts else ():
                count = counts[name, bool(side)]
                if count > 1:
                    self.fault(
                        "board.start", f"{_SIDES[side]} has {count} of the piece {name}, which is royal"
                    )
                elif not count and needed:
                    self.fault("board.start", f"{_SIDES[side]} has no {name}; or say generals.needed = false")
                elif not count and not droppable:
                    self.fault("board.start", f"{_SIDES[side]} has no {name}, and none can be dropped")

    def reserves(self) -> None:
        """What enters a reserve can be dropped, and what can be dropped may come into one."""
        fed = bool(self.option("capture.reserve"))
        for name, piece in self.pieces.items():
            if fed and "drop" not in piece and not piece.get("royal"):
                self.fault(f"pieces.{name}", "is captured into a reserve (capture.reserve) but has no drop")
            if "drop_shuns" in piece and "drop" not in piece:
                self.fault(f"pieces.{name}.drop_shuns", "needs drop")
            prize = piece.get("prize", {})
            for key in ("won", "given"):
                for other in (other for names in prize.get(key, ()) for other in names):
                    if "drop" not in self.pieces.get(other, {"drop": ""}):
                        self.fault(
                            f"pieces.{name}.prize.{key}", f"a {other} enters a reserve but cannot be dropped"
                        )
        prizes = [name for name, piece in self.pieces.items() if "prize" in piece]
        if len(prizes) > 1:
            self.fault("pieces", f"{' and '.join(prizes)} have a prize; one kind can have one")

    def room(self) -> None:
        """What the kernel has no room for."""
        count = len(self.names)
        if not 1 <= count <= MOST_KINDS:
            self.fault("pieces", f"{count} kinds; the kernel knows between 1 and {MOST_KINDS}")
        drops = sum(
            len(self.board if piece["drop"] == "anywhere" else self.regions.get(piece["drop"], ()))
            for piece in self.pieces.values()
            if "drop" in piece
        )
        if drops > MOST_DROPS:
            self.fault(
                "pieces", f"{drops} points to drop on, all kinds together; the kernel knows {MOST_DROPS}"
            )

    def protections(self, array: Mapping[int, tuple[str, bool]]) -> None:
        """A handicap protects pieces that stand in the start position for the lack of others that do."""
        for i, rule in enumerate(self.option("handicap.protects") or ()):
            where = f"handicap.protects[{i}]"
            if not self.keys(f"{where}.", rule, ("lacking", "iron"), ("unless",)):
                continue
            if "unless" in rule:
                self.choice(f"{where}.unless", rule["unless"], ("check",))
            for key in ("lacking", "iron"):
                name = rule[key]
                if not (isinstance(name, str) and _on_board(name, self.board.files, self.board.ranks)):
                    self.fault(f"{where}.{key}", f"{name!r} is no point of the board")
                elif array.get((int(name[1:]) - 1) * self.board.files + ord(name[0]) - 97, ("", True))[1]:
                    what = "no piece of Red's starts there; a game without such handicaps says protects = []"
                    self.fault(f"{where}.{key}", f"{name}: {what}")

    def motions(self, array: Mapping[int, tuple[str, bool]]) -> None:
        """Every piece may stand where it starts, and every motion can be made from somewhere it may come to."""
        judged = self.judged()
        moves = {name: [_motion(move) for move in piece["moves"]] for name, piece in judged.items()}
        starts: dict[str, set[int]] = {name: set() for name in self.names}
        for point, (name, black) in array.items():
            starts[name].add(len(self.board) - 1 - point if black else point)
        reaches = {name: [self.board.reach(motion) for motion in motions] for name, motions in moves.items()}
        reached = self.reached(starts, reaches)
        for name, motions in moves.items():
            where = f"pieces.{name}"
            here = reached[name]
            if not here:
                self.fault(where, "comes on the board in no way: by the start, a drop or a promotion")
                continue
            self.out_of_place(where, starts[name], motions)
            for i, (motion, reach) in enumerate(zip(motions, reaches[name], strict=True)):
                if not any(reach[point] for point in here):
                    region = motion.origin or motion.within
                    why = f"region {region!r} is out of its reach" if region else "it leads nowhere"
                    self.fault(f"{where}.moves[{i}]", f"can never be made: {why}")
            promotion = self.pieces[name].get("promotes", {})
            if promotion and not here & self.regions[promotion["in"]]:
                self.fault(f"{where}.promotes.in", f"region {promotion['in']!r} is out of its reach")
            most = max(self.counts(reaches[name], promotion), default=0)
            if most > MOST_MOVES:
                self.fault(f"{where}.moves", f"{most} moves from one point; the kernel knows {MOST_MOVES}")

    def out_of_place(self, where: str, starts: Iterable[int], motions: Sequence[Motion]) -> None:
        """A piece that all its motions confine starts inside."""
        names = [motion.within for motion in motions if motion.within]
        if not motions or len(names) < len(motions):
            return
        inside = frozenset().union(*(self.regions[name] for name in names))
        for point in sorted(set(starts) - inside):
            file, rank = point % self.board.files, point // self.board.files
            at = f"{chr(97 + file)}{rank + 1}"
            self.fault(
                where,
                f"starts on {at} (as its owner sees it), outside region {' and '.join(dict.fromkeys(names))}",
            )

    def judged(self) -> dict[str, Mapping[str, Any]]:
        """The pieces of which all is known: their regions, and who may be promoted to them."""
        known = {
            name: piece
            for name, piece in self.pieces.items()
            if all(region in self.regions for region in _regions_of({name: piece}))
        }
        doubtful = [
            piece for name, piece in self.names.items() if name not in known and isinstance(piece, dict)
        ]
        risen = {str(name) for piece in doubtful for name in _promoted(piece)}
        return {name: piece for name, piece in known.items() if name not in risen}

    def reached(
        self, starts: Mapping[str, set[int]], reaches: Mapping[str, Sequence[Sequence[frozenset[int]]]]
    ) -> dict[str, set[int]]:
        """Where each kind may ever stand: from its start points, drops and promotions, by its motions, which have their
        ``reaches``."""
        reached = {name: set(here) for name, here in starts.items()}
        for name in reaches:
            if relocates := self.pieces[name].get("relocates"):
                reached[name] |= self.regions[relocates]
            drop = self.pieces[name].get("drop")
            reached[name] |= (
                set(range(len(self.board))) if drop == "anywhere" else self.regions.get(drop or "", set())
            )
        rest = [(name, point) for name in reaches for point in reached[name]]
        while rest:
            name, point = rest.pop()
            promotion = self.pieces[name].get("promotes", {})
            risen = promotion.get("to", ()) if promotion and point in self.regions[promotion["in"]] else ()
            after = [(other, frozenset([point])) for other in risen if other in reaches]
            after += [(name, reach[point]) for reach in reaches[name]]
            for other, there in after:
                new = there - reached[other]
                reached[other] |= new
                rest += [(other, to) for to in new]
        return reached

    def counts(self, reaches: Iterable[Sequence[frozenset[int]]], promotion: Mapping[str, Any]) -> list[int]:
        """How many moves a piece may have from each point."""
        zone = self.regions[promotion["in"]] if promotion else frozenset()
        more = len(promotion["to"]) - 1 if promotion else 0
        return [
            sum(map(len, here)) + (more and more * sum(len(there & zone) for there in here))
            for here in zip(*reaches, strict=True)
        ]


def _letters(piece: Any) -> list[str]:
    """Every letter of a piece, once: as moves and as FENs write it, and its synonyms."""
    if not isinstance(piece, dict):
        return []
    synonyms = piece.get("synonyms")
    letters = [piece.get("letter"), piece.get("fen"), *(synonyms if isinstance(synonyms, list) else ())]
    return list(dict.fromkeys(x.upper() for x in letters if isinstance(x, str) and len(x) == 1))


def _names(table: Any) -> Iterable[str]:
    return table if isinstance(table, dict) else ()


def _promoted(piece: Mapping[str, Any]) -> Iterable[Any]:
    """What a piece is promoted to, whatever its shape."""
    promotion = piece.get("promotes")
    kinds = promotion.get("to") if isinstance(promotion, dict) else None
    return kinds if isinstance(kinds, list) else ()


def _on_board(point: str, files: int, ranks: int) -> bool:
    return (
        len(point) >= 2
        and point[1:].isascii()
        and point[1:].isdecimal()
        and 0 <= ord(point[0]) - 97 < files
        and 1 <= int(point[1:]) <= ranks
    )


def _motion(move: Mapping[str, Any]) -> Motion:
    """A motion as its file has it."""
    leap = move.get("leap")
    return Motion(
        step=move.get("step"),
        leap=(leap[0], leap[1]) if leap else None,
        ride=move.get("ride"),
        hop=move.get("hop"),
        leg=move.get("leg", "none"),
        mode=move.get("mode", "both"),
        within=move.get("within"),
        origin=move.get("from"),
    )


def _regions_of(pieces: Mapping[str, Any]) -> Iterator[str]:
    """The regions that ``pieces`` name, whatever their shape."""
    for piece in (piece for piece in pieces.values() if isinstance(piece, dict)):
        promotion = piece.get("promotes")
        named = [
            piece.get("drop"),
            piece.get("relocates"),
            promotion.get("in") if isinstance(promotion, dict) else None,
        ]
        moves = piece.get("moves")
        for move in moves if isinstance(moves, list) else ():
            if isinstance(move, dict):
                named += [move.get("within"), move.get("from")]
        yield from (name for name in named if isinstance(name, str) and name != "anywhere")
