"""Rule books: how a repetition is judged and when play without captures ends, chosen apart from the rule set.

A book is a TOML file in ``rulebooks/`` with its source and date; ``extends`` names another from which it differs in
what it lists. The rule set names a default; a rule set or a run may set single options over the book
(``--set fold=5``, ``--set chase.targets=any_piece``). Every option names a mechanism; what each value means stands in
`OPTIONS`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from adjudicator.datafile import RulesetError, blamed, chain, date_fault, overlay, suggest
from adjudicator.examination import ENDS, RULE_OPTIONS

RULEBOOKS = Path(__file__).with_name("rulebooks")

SPANS = {
    "first_to_third": "the plies after the first occurrence of the position",
    "last_cycle": "the plies after the last occurrence before the one that rules",
}

OPTIONS: dict[str, dict[str, Any]] = {
    "": {
        "fold": (int, "the occurrence that rules; 0: none does; the start position counts as one"),
        "span": SPANS,
        "perpetual_check": {
            "loses": "whoever alone checked on every move of the span loses, whatever else was done",
            "draw": "checks do not matter",
        },
        "precedence": (list, "tests on one ply, the first that hits rules; empty: as the rule set says"),
    },
    # How heavy it is to do one thing on every move of the span; the heavier offence loses, equal ones draw.
    "levels": {
        "chase": (int, "every move a chase"),
        "kill": (int, "every move a threat of mate"),
        "mixed": (int, "every move a check, a threat of mate or a chase, not all of one kind"),
    },
    "chase": {
        "counts": (bool, "whether chases are looked at"),
        "span": {"whole": "as the book's span", "last_cycle": SPANS["last_cycle"]},
        "targets": {
            "same_piece": "one and the same piece must be chased on every move",
            "any_piece": "every move must chase some piece",
        },
        "general": {
            "never": "a general's attack is no chase",
            "helped": "it is, when another piece chases the same target in the cycle",
        },
        "soldier": {
            "never": "a soldier's attack is no chase",
            "mutual": "it is, when the other side offends on every move as well",
        },
        "lesser_on_greater": (list, '"horse x chariot": such an attack is a chase, protected or not'),
        "minor_on_major": (bool, "advisors and elephants on chariots, cannons and horses likewise"),
        "like_on_like": {
            "no_return": "a like piece is chased only if it may not take the attacker",
            "tied": "a like piece is chased only if it is tied to its general or does not strike back",
        },
        "by_checks": (bool, "whether a piece is chased that falls only after a run of at most three checks"),
        "guards": {
            "as_others": "advisors and elephants are chased as other pieces are",
            "never": "an attack on an advisor or elephant is no chase",
        },
        "root_test": {
            "after_capture": "protected: after the capture a legal recapture exists",
            "before_capture": "protected: a legal recapture exists while the attacker stands where it was, too",
            "unpinned": "protected: a protector is not tied to its general before the capture",
            "exchange": "protected: the exchange on the point wins no material",
        },
        "new_attack": {
            "attack": "the attacker did not so attack that target before the move",
            "target": "nobody of its side so attacked that target before the move",
            "target_by_anyone": "nobody of its side, generals and soldiers included, could take it before the move",
            "moved_or_uncovered": "the attacker moved, or was uncovered, or the move pinned a protector",
        },
        "pinned_attacker": {
            "legal_captures": "a pinned piece attacks what it may legally take",
            "only_pinner": "a pinned piece attacks only the piece that pins it",
            "any": "pins of the attacker do not matter",
        },
        "standing_attack": {
            "counts": "an attack that stood before and becomes real by another piece's move is a chase",
            "not_by_the_chased": "not if the attacker is itself being chased at that moment",
            "not_on_the_holder": "not if the attacker is tied to a horse and attacks that horse",
        },
        "check_breaks_chase": {
            "ply": "a checking move chases what it attacks besides",
            "any_check_draws": "with any check in the span nobody chases",
            "own_check": "a side that checks in the span does not chase",
        },
        "entry_move": (bool, "whether the move into the first occurrence belongs to the chase"),
        "into_mate": {
            "counts": "a capture that would run into mate is still a threat",
            "never": "it is none",
        },
        "checking_target": {
            "as_others": "a target that gives check is judged as any other",
            "though_protected": "it is chased even where it is protected",
        },
    },
    "limit": {
        "plies": (
            int,
            "plies without a capture that draw; 0: no such rule; -1: as the rule set says; another number"
            " goes before the rule set's own, but not before --set no_capture_limit=N",
        ),
        "checks": (int, "checks of one side since the last capture that count; -1: all do"),
        "discount": {
            "none": "the count is not reduced",
            "replies": "further checks and the replies to them do not count",
            "larger": "two plies less for every further check of the side that gave more",
            "claimant": "likewise, of the side that gave fewer: whoever can claim first, may",
        },
    },
}
"""Every option: its values with their meaning, or its type and meaning."""

CLAUSES = (
    *("perpetual-check", "perpetual-chase", "perpetual-kill", "perpetual-attack"),
    *("mutual-perpetual-check", "mutual-perpetual-chase", "mutual-perpetual-kill", "mutual-perpetual-attack"),
    *("lesser", "like", "false-root", "unprotected", "by-checks", "uncovered"),
    *("kill", "mixed", "targets", "general-or-soldier", "quiet", "no-capture"),
)
"""What a book may name its clauses for: reasons of rulings, why an attack counts, and what excuses."""

PIECES = ("general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier")

_TEXTS = ("id", "title", "source", "date")
_WORDS = (*_TEXTS, "needs", "notes", "clauses", "clauses_zh", "readings", "extends")
_READING = {"point", "point_zh", "source", "set"}


@dataclass(frozen=True, slots=True)
class Levels:
    chase: int
    kill: int
    mixed: int


@dataclass(frozen=True, slots=True)
class Chase:
    """What a chase is: see `OPTIONS`."""

    counts: bool
    span: str
    targets: str
    general: str
    soldier: str
    lesser_on_greater: tuple[str, ...]
    minor_on_major: bool
    like_on_like: str
    by_checks: bool
    guards: str
    root_test: str
    new_attack: str
    pinned_attacker: str
    standing_attack: str
    check_breaks_chase: str
    entry_move: bool
    into_mate: str
    checking_target: str


@dataclass(frozen=True, slots=True)
class Limit:
    plies: int
    checks: int
    discount: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to read a contested point of a book: ``options`` set over it, who reads it so, and why."""

    point: str
    point_zh: str
    source: str
    options: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class RuleBook:
    """A rule book with every option resolved; `OPTIONS` says what they mean.

    ``clauses`` are the book's own places by what they decide (keys of CLAUSES), ``clauses_zh`` the same in Chinese,
    ``readings`` the other ways in which its contested points are read. ``needs`` is the option of the rule set that the
    book builds on, with a value that a run may set (``legality.creations=2``); empty: it builds on none.
    """

    id: str
    title: str
    source: str
    date: str
    fold: int
    span: str
    perpetual_check: str
    precedence: tuple[str, ...]
    levels: Levels
    chase: Chase
    limit: Limit
    needs: str = ""
    clauses: tuple[tuple[str, str], ...] = ()
    clauses_zh: tuple[tuple[str, str], ...] = ()
    readings: tuple[Reading, ...] = ()
    notes: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)  # looked up for every repetition; equality tells books of one id apart

    @classmethod
    def load(cls, name: str | Path, options: Mapping[str, Any] | None = None) -> RuleBook:
        """Load a book by id or by path of a ``.toml`` file, ``options`` set over it.

        Raises RulesetError with all faults.
        """
        frozen = tuple(sorted((key, _frozen(value)) for key, value in (options or {}).items()))
        # What comes with the package stays as it is; a file may be edited.
        load = _load.__wrapped__ if str(name).endswith(".toml") else _load
        return load(str(name), frozen)

    @staticmethod
    def knows(name: str) -> bool:
        """Whether ``name`` is a book: an id, or the path of a file that goes back to one, and is no rule set's."""
        try:
            return "fold" in _files(name)[0]
        except RulesetError:
            return False

    @staticmethod
    def sources(name: str) -> list[tuple[str, str, str]]:
        """Id, source and date of a book and of those it extends, in that order. Raises RulesetError."""
        told = reversed(_files(name))
        return [(str(file.get("id")), str(file.get("source")), str(file.get("date"))) for file in told]

    @classmethod
    def written(cls, name: str) -> dict[str, Any]:
        """The data of a book's file with all that it extends, words and all. Raises RulesetError with all faults."""
        cls.load(name)
        return functools.reduce(overlay, _files(name))

    @staticmethod
    def ids() -> list[str]:
        """The rule books that come with the package."""
        return sorted(path.stem for path in RULEBOOKS.glob("*.toml"))

    @property
    def judges_conduct(self) -> bool:
        """Whether more than checks decides."""
        return self.chase.counts or self.levels.kill > 0 or self.levels.mixed > 0

    def clause(self, key: str, language: str = "en") -> str | None:
        """The book's clause for ``key``, if it names one; in English where it has no Chinese."""
        clauses = dict(self.clauses) | (dict(self.clauses_zh) if language == "zh" else {})
        return clauses.get(key)

    def options(self) -> dict[str, Any]:
        """What the book decides by, without the words about it: plain values for JSON."""
        return {
            "fold": self.fold,
            "span": self.span,
            "perpetual_check": self.perpetual_check,
            "precedence": list(self.precedence),
            **{
                section: {
                    field.name: _plain(getattr(getattr(self, section), field.name))
                    for field in fields(getattr(self, section))
                }
                for section in ("levels", "chase", "limit")
            },
        }

    @cached_property
    def others(self) -> tuple[tuple[Reading, RuleBook], ...]:
        """The book under each of its other readings."""
        return tuple((reading, self.under(dict(reading.options))) for reading in self.readings)

    def under(self, options: Mapping[str, Any]) -> RuleBook:
        """This book with ``options`` set over it, and no other readings. Raises RulesetError with all faults."""
        data = self.options() | {key: getattr(self, key) for key in _TEXTS}
        data |= {"clauses": dict(self.clauses), "clauses_zh": dict(self.clauses_zh), "needs": self.needs}
        faults = _set(data, options, self.id) + _faults(data, self.id)
        if faults:
            raise RulesetError(faults)
        return _build(data)


def meaning(option: str, value: Any) -> str:
    """What the ``value`` of an option means; "" where ``option`` is none."""
    section, _, key = option.rpartition(".")
    allowed = OPTIONS.get(section, {}).get(key)
    return allowed[value] if isinstance(allowed, dict) else allowed[1] if allowed else ""


def option_names() -> Iterator[str]:
    """The names under which options are set over a book."""
    for section, options in OPTIONS.items():
        yield from (f"{section}.{key}" if section else key for key in options)


@lru_cache(maxsize=256)
def _load(name: str, options: tuple[tuple[str, Any], ...]) -> RuleBook:
    data = functools.reduce(overlay, _files(name))
    short = Path(name).stem if name.endswith(".toml") else name
    plain = dict(data)
    faults = _set(data, {key: _plain(value) for key, value in options}, short)
    faults += _faults(data, short)
    if faults:
        raise RulesetError(blamed(faults, _faults(plain, short)))
    book = _build(data)
    for number, reading in enumerate(book.readings, start=1):
        try:
            book.under(dict(reading.options))
        except RulesetError as error:
            where = f"{short}.toml: readings, number {number}"
            faults += [f"{where}: {fault.partition(': ')[2]}" for fault in error.faults]
    if faults:
        raise RulesetError(faults)
    return book


def _files(name: str) -> list[dict[str, Any]]:
    return chain(name, RULEBOOKS, "rule book")


def _set(data: dict[str, Any], options: Mapping[str, Any], name: str) -> list[str]:
    """Set single options over ``data``, by name or dotted name; returns the faults."""
    faults = []
    known = list(option_names())
    for key, value in options.items():
        if key not in known:
            faults.append(f"{name}.toml: {key}: unknown option{suggest(key, known)}")
            continue
        section, _, last = key.rpartition(".")
        if section:
            table = data.get(section)
            data[section] = {**(table if isinstance(table, Mapping) else {}), last: value}
        else:
            data[last] = value
    return faults


def _faults(data: Mapping[str, Any], name: str) -> list[str]:
    """Everything that is wrong with a flattened book."""
    faults = []
    top = (*OPTIONS[""], *(section for section in OPTIONS if section))
    for key in data:
        if key not in top and key not in _WORDS:
            faults.append(f"{name}.toml: {key}: unknown key{suggest(key, [*top, *_WORDS])}")
    for key in _TEXTS:
        if not isinstance(data.get(key), str):
            faults.append(f"{name}.toml: {key}: {'must be text' if key in data else 'is missing'}")
    if isinstance(data.get("date"), str) and (fault := date_fault(data["date"])):
        faults.append(f"{name}.toml: date: {fault}")
    faults += _word_faults(data, name)
    for section, options in OPTIONS.items():
        table = data.get(section) if section else data
        if not isinstance(table, Mapping):
            faults.append(f"{name}.toml: {section}: {'must be a table' if section in data else 'is missing'}")
            continue
        prefix = f"{section}." if section else ""
        if section:
            for key in table:
                if key not in options:
                    faults.append(f"{name}.toml: {prefix}{key}: unknown key{suggest(key, options)}")
        for key, allowed in options.items():
            where = f"{name}.toml: {prefix}{key}"
            if key not in table:
                faults.append(f"{where}: is missing")
            elif isinstance(allowed, dict):
                if not isinstance(table[key], str) or table[key] not in allowed:
                    near = suggest(str(table[key]), allowed)
                    faults.append(f"{where}: {table[key]!r} is not one of {', '.join(allowed)}{near}")
            elif not _is(table[key], allowed[0]):
                faults.append(f"{where}: must be {allowed[0].__name__}, not {table[key]!r}")
    return faults + _contradictions(data, name)


def _contradictions(data: Mapping[str, Any], name: str) -> list[str]:
    """Values of the right type that cannot be meant; values of the wrong type are `_faults`'."""
    faults = []
    fold, order = data.get("fold"), data.get("precedence")
    if isinstance(fold, int) and not isinstance(fold, bool) and (fold == 1 or fold < 0):
        faults.append(f"{name}.toml: fold: {fold!r} is not 0 (never) or a number from 2")
    if order and isinstance(order, list) and sorted(map(str, order)) != sorted(ENDS):
        faults.append(f"{name}.toml: precedence: must list {', '.join(ENDS)} once each, or nothing")
    for section, key, least in (
        *(("levels", key, 0) for key in OPTIONS["levels"]),
        ("limit", "plies", -1),
        ("limit", "checks", -1),
    ):
        table = data.get(section)
        value = table.get(key) if isinstance(table, Mapping) else None
        if isinstance(value, int) and not isinstance(value, bool) and value < least:
            faults.append(f"{name}.toml: {section}.{key}: {value} is below {least}")
    chase = data.get("chase")
    pairs = chase.get("lesser_on_greater") if isinstance(chase, Mapping) else None
    for pair in pairs if isinstance(pairs, list) else ():
        both = pair.split(" x ") if isinstance(pair, str) else []
        if len(both) != 2:
            faults.append(f'{name}.toml: chase.lesser_on_greater: {pair!r} is not "attacker x target"')
            both = []
        faults += [
            f"{name}.toml: chase.lesser_on_greater: no piece {piece!r}{suggest(piece, PIECES)}"
            for piece in both
            if piece not in PIECES
        ]
    return faults


def _word_faults(data: Mapping[str, Any], name: str) -> list[str]:
    """What is wrong with the words of a flattened book: clauses, notes, readings."""
    faults = []
    needs = data.get("needs", "")
    if not isinstance(needs, str) or (needs and needs.partition("=")[0] not in RULE_OPTIONS):
        near = suggest(str(needs).partition("=")[0], RULE_OPTIONS)
        faults.append(f"{name}.toml: needs: {needs!r} is no option of a rule set with a value{near}")
    for table in ("clauses", "clauses_zh"):
        clauses = data.get(table, {})
        if not isinstance(clauses, Mapping) or not all(isinstance(text, str) for text in clauses.values()):
            faults.append(f"{name}.toml: {table}: must be a table of texts")
            continue
        faults += [
            f"{name}.toml: {table}.{key}: unknown clause{suggest(key, CLAUSES)}"
            for key in clauses
            if key not in CLAUSES
        ]
    notes = data.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        faults.append(f"{name}.toml: notes: must be a list of texts")
    readings = data.get("readings", [])
    if not isinstance(readings, list):
        return [*faults, f"{name}.toml: readings: must be a list of tables"]
    for number, reading in enumerate(readings, start=1):
        if (
            not isinstance(reading, Mapping)
            or set(reading) != _READING
            or not all(isinstance(reading[key], str) for key in _READING - {"set"})
            or not isinstance(reading["set"], Mapping)
        ):
            faults.append(
                f"{name}.toml: readings, number {number}: needs texts point, point_zh and source, and a table set"
            )
    return faults


def _build(data: Mapping[str, Any]) -> RuleBook:
    chase: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data["chase"].items()
    }
    return RuleBook(
        data["id"],
        data["title"],
        data["source"],
        data["date"],
        data["fold"],
        data["span"],
        data["perpetual_check"],
        tuple(data["precedence"]),
        Levels(**data["levels"]),
        Chase(**chase),
        Limit(**data["limit"]),
        data.get("needs", ""),
        tuple(data.get("clauses", {}).items()),
        tuple(data.get("clauses_zh", {}).items()),
        tuple(
            Reading(entry["point"], entry["point_zh"], entry["source"], tuple(entry["set"].items()))
            for entry in data.get("readings", ())
        ),
        tuple(data.get("notes", ())),
    )


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


# ---- the reference page ------------------------------------------------------------------------------


def describe() -> str:
    """The reference page of the rule books, in Markdown: each book, its options side by side, and what they mean."""
    books = [RuleBook.load(name) for name in RuleBook.ids()]
    lines = ["# Rule books", ""]
    lines += [
        f"- `{book.id}` {book.title} ({book.date}): {book.source}"
        + (
            f"; refused where the rule set leaves the option out that `{book.needs}` sets"
            if book.needs
            else ""
        )
        for book in books
    ]
    lines += [
        "",
        "A book may bring a no-capture limit of its own (`limit.plies`), which goes before the rule set's;",
    ]
    lines += ["`--set no_capture_limit=N` goes before both. How checks count towards it stays the book's."]
    lines += ["", "## Options", "", f"| option | {' | '.join(f'`{book.id}`' for book in books)} |"]
    lines.append("|---" * (len(books) + 1) + "|")
    values = {book.id: _flat(book) for book in books}
    for name in option_names():
        lines.append(f"| `{name}` | {' | '.join(_cell(values[book.id][name]) for book in books)} |")
    lines += ["", "## What the values mean", ""]
    for section, options in OPTIONS.items():
        for key, allowed in options.items():
            name = f"{section}.{key}" if section else key
            if isinstance(allowed, dict):
                lines.append(f"- `{name}`")
                lines += [f"  - `{value}`: {meaning}" for value, meaning in allowed.items()]
            else:
                lines.append(f"- `{name}` ({allowed[0].__name__}): {allowed[1]}")
    for book in books:
        if book.readings or book.notes:
            lines += ["", f"## {book.title}", ""]
            lines += [f"- {note}" for note in book.notes]
            lines += [
                f"- contested: {reading.point} ({reading.source}):"
                f" {', '.join(f'`{key}` = `{value}`' for key, value in reading.options)}"
                for reading in book.readings
            ]
    return "\n".join(lines) + "\n"


def _flat(book: RuleBook) -> dict[str, Any]:
    options = book.options()
    flat = {key: value for key, value in options.items() if not isinstance(value, dict)}
    for section, table in options.items():
        if isinstance(table, dict):
            flat |= {f"{section}.{key}": value for key, value in table.items()}
    return flat


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


if __name__ == "__main__":
    print(describe(), end="")
