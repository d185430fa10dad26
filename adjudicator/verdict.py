"""From conduct to verdict: what a rule book makes of a repeated cycle, and why.

A side's offence is what it did on every one of its moves in the span; the book's levels say which offence is the
heavier, and the heavier loses. Boards are not looked at here: chases are attacks (`adjudicator.conduct`) whose
standing meets the book's `Chase` options.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from adjudicator.conduct import FLAGS, Attack, Conduct, kinds
from adjudicator.cycles import Cycle
from adjudicator.rulebook import Reading, RuleBook
from adjudicator.ruleset import Ruleset

RED, BLACK, DRAW = 0, 1, 2

OFFENCES = {
    "check": "checked on every move",
    "chase": "chased on every move",
    "kill": "threatened mate on every move",
    "mixed": "checked, threatened mate or chased on every move",
    "none": "made at least one quiet move, or nothing that the book forbids",
}

_MINOR_ON_MAJOR = tuple(
    f"{minor} x {major}" for minor in ("advisor", "elephant") for major in ("chariot", "cannon", "horse")
)

_F = FLAGS
_NEW = _F["moved"] | _F["uncovered"] | _F["retreated"]


class Law:
    """A book's idea of a chase over the numbers of a rule set's pieces; answers are kept by kind of attack."""

    def __init__(self, book: RuleBook, rules: Ruleset):
        number = kinds(rules)
        self.book = book
        self.chase = book.chase
        self.general = number.get("general", 0)
        self.soldier = number.get("soldier", 0)
        self.horse = number.get("horse", 0)
        self.royal = (self.general, self.soldier)
        self.guards = (number.get("advisor", 0), number.get("elephant", 0))
        pairs = book.chase.lesser_on_greater + (_MINOR_ON_MAJOR if book.chase.minor_on_major else ())
        named = (pair.split(" x ") for pair in pairs)
        self.greater = {(number.get(one, 0), number.get(other, 0)) for one, other in named}
        self._known: dict[int, int] = {}
        counted = [
            (number.get(one, 0), number.get(other, 0))
            for one, other in (pair.split(" x ") for pair in (*pairs, *_MINOR_ON_MAJOR))
        ]
        self._countable = bytes(divmod(code, 16) in counted for code in range(256))
        # Without these only an attack on one piece throughout can be an offence; see `_conduct.active`.
        mixed = any(
            other.levels.kill
            or other.levels.mixed
            or other.chase.targets != "same_piece"
            or other.span != book.span
            for other in (book, *(other for _, other in book.others))
        )
        self._offences = 15 if mixed else 3
        chases = [book.chase, *(other.chase for _, other in book.others)]
        self._needed = (all(chase.root_test == "exchange" for chase in chases) and _F["wins"]) | (
            not any(chase.pinned_attacker == "any" or chase.by_checks for chase in chases) and _F["legal"]
        )

    def may_offend(self, conduct: Conduct, cycle: Cycle) -> bool:
        """Whether anybody can have offended, by this book or another reading of it: mostly nobody has."""
        last = cycle.span("last_cycle")
        royal = 1 << self.general | 1 << self.soldier
        found = conduct.active(last.start, cycle.closes, self._countable, self.soldier, royal, self._needed)
        return bool(found & self._offences)

    def standing(self, word: int) -> int:
        """How an attack stands: bit 0, it threatens to win its target; bit 1, it would if like pieces were not
        excepted; bit 2, it would if the target were protected."""
        code = word >> 28
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = self._stand(Attack(code << 28))
        return known

    def _stand(self, attack: Attack) -> int:
        flags, chase = attack.flags, self.chase
        if attack.target_kind == self.soldier and not flags & _F["crossed"]:
            return 0
        if chase.guards == "never" and attack.target_kind in self.guards:
            return 0
        if flags & _F["by_checks"]:
            return 7 if chase.by_checks and flags & _F["wins"] else 0
        if chase.pinned_attacker != "any" and not flags & _F["legal"]:
            return 0
        if chase.pinned_attacker == "only_pinner" and flags & _F["pinned"] and not flags & _F["on_pinner"]:
            return 0
        if chase.into_mate == "never" and flags & _F["ruins"]:
            return 0
        greater = (attack.kind, attack.target_kind) in self.greater
        open_to_loss = greater or self._unprotected(attack)
        like = attack.kind == attack.target_kind and self._excepted(attack)
        return (open_to_loss and not like) | open_to_loss << 1 | 4

    def _unprotected(self, attack: Attack) -> bool:
        flags, root = attack.flags, self.chase.root_test
        if root == "exchange":
            # To give a soldier for a piece is no gain (CXA 1999, detail rule 10).
            given = attack.kind == self.soldier and flags & _F["retaken"]
            return bool(flags & _F["wins"]) and not given
        if root == "unpinned":
            return not flags & _F["free_root"]
        return not flags & _F["retaken" if root == "after_capture" else "standing_root"]

    def _excepted(self, attack: Attack) -> bool:
        """Whether a like piece is only offered an exchange."""
        flags = attack.flags
        if self.chase.like_on_like == "tied":
            return not flags & _F["tied"] and bool(flags & _F["mutual"] or attack.kind != self.horse)
        return bool(flags & _F["returned"])


@lru_cache(maxsize=256)
def law(book: RuleBook, rules: Ruleset) -> Law:
    return Law(book, rules)


@dataclass(slots=True)
class Deed:
    """What one move does by a book: ``targets`` are the identities it chases, by the attacks in ``chases``.

    ``allowed`` are attacks that would be chases, were they not a general's or a soldier's; ``general`` and ``soldier``
    have their targets. ``borne_on`` is all that pieces which may chase threaten to win, newly or not.
    """

    ply: int
    side: int
    check: bool
    kill: int
    chases: list[int]
    allowed: list[int]
    targets: set[int]
    general: set[int]
    soldier: set[int]
    borne_on: set[int]


@dataclass(frozen=True, slots=True)
class Side:
    """What one side did in the span: its ``offence`` (a key of OFFENCES), how heavy it is, the identities it chased
    throughout, and, with no offence, what kept it from one (a key of the book's clauses)."""

    offence: str
    level: int
    targets: frozenset[int]
    excuse: str


@dataclass(frozen=True, slots=True)
class Other:
    """What another reading of the book comes to: who wins (2: nobody) and why."""

    reading: Reading
    winner: int
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who wins (0 Red, 1 Black, 2 nobody), the reason (see `adjudicator.reasons.REASON_WORDS`), what each side did, the
    plies judged, and other readings that come to another winner: with any, the verdict is disputed."""

    winner: int
    reason: str
    sides: tuple[Side, Side]
    span: range
    others: tuple[Other, ...] = ()

    @property
    def disputed(self) -> bool:
        return bool(self.others)


def judge(conduct: Conduct, cycle: Cycle, book: RuleBook, rules: Ruleset, thorough: bool = False) -> Verdict:
    """What ``book`` says of ``cycle``, and what its other readings would say.

    A cycle in which nobody can have offended is a draw at once, unless ``thorough``: then what each side did is told.
    """
    known = law(book, rules)
    if not thorough and not known.may_offend(conduct, cycle):
        return _NOTHING
    verdict = _judge(conduct, cycle, known)
    others = []
    span = cycle.span(book.span)
    unchecked = not any(map(conduct.check, span))
    alike = conduct.repeats(cycle.span("last_cycle"), span)
    idle = not any(side.level for side in verdict.sides)
    for reading, other in book.others:
        # What it turns on did not happen, or it forbids less and nobody has offended.
        if all(
            (alike and option in ("span", "chase.span"))
            or (unchecked and option in ("chase.check_breaks_chase", "chase.checking_target"))
            or (idle and (option, value) in _LENIENT)
            for option, value in reading.options
        ):
            continue
        found = _judge(conduct, cycle, law(other, rules))
        if found.winner != verdict.winner:
            others.append(Other(reading, found.winner, found.reason))
    if others:
        return Verdict(verdict.winner, verdict.reason, verdict.sides, verdict.span, tuple(others))
    return verdict


_LENIENT = {
    ("levels.kill", 0),
    ("levels.mixed", 0),
    ("chase.targets", "same_piece"),
    ("chase.general", "never"),
    ("chase.entry_move", True),
    ("chase.check_breaks_chase", "any_check_draws"),
}
"""Options by which less is an offence than by any other value of theirs."""

_QUIET = Side("none", 0, frozenset(), "quiet")
_NOTHING = Verdict(DRAW, "repetition", (_QUIET, _QUIET), range(0))


def deeds(conduct: Conduct, plies: Iterable[int], book: RuleBook, rules: Ruleset) -> list[Deed]:
    """What every ply does by ``book``."""
    known = law(book, rules)
    return [_deed(conduct, ply, known) for ply in plies]


def _judge(conduct: Conduct, cycle: Cycle, law: Law) -> Verdict:
    book = law.book
    span = cycle.span(book.span)
    by_side = [[ply for ply in span if conduct.mover(ply) == side] for side in (RED, BLACK)]
    checking = [bool(plies) and all(conduct.check(ply) for ply in plies) for plies in by_side]
    weighty = book.perpetual_check == "loses"
    if (weighty and any(checking)) or not book.judges_conduct:
        found = [
            Side("check", 99, frozenset(), "")
            if checked and weighty
            else Side("none", 0, frozenset(), "no-check" if any(checking) and weighty else "quiet")
            for checked in checking
        ]
        sides = found[0], found[1]
    else:
        sides = _weigh(conduct, cycle, span, law)
    return Verdict(*_compare(sides), sides, span)


def _compare(sides: tuple[Side, Side]) -> tuple[int, str]:
    red, black = sides
    if red.level == black.level:
        if red.level == 0:
            return DRAW, "repetition"
        alike = red.offence if red.offence == black.offence else "mixed"
        return DRAW, f"mutual-{_REASONS[alike]}"
    heavier = red if red.level > black.level else black
    return BLACK if heavier is red else RED, _REASONS[heavier.offence]


_REASONS = {
    "check": "perpetual-check",
    "chase": "perpetual-chase",
    "kill": "perpetual-kill",
    "mixed": "perpetual-attack",
}


def _weigh(conduct: Conduct, cycle: Cycle, span: range, law: Law) -> tuple[Side, Side]:
    """What each side did, nobody having checked on every move (or checks not mattering)."""
    chase = law.chase
    last = cycle.span("last_cycle")
    if conduct.repeats(last, span):
        span = last  # the rounds are alike: one tells for all
    chase_span = last if chase.span == "last_cycle" else span
    entered = cycle.span(law.book.span).start - 1
    known = {ply: _deed(conduct, ply, law) for ply in span}
    entry: list[Deed] = []
    # The conduct of the ply before the span can be told when the position before it was noted.
    if chase.entry_move and entered - 1 >= conduct.first:
        entry = [_deed(conduct, entered, law)]
    silent = chase.check_breaks_chase == "any_check_draws" and any(deed.check for deed in known.values())
    found = []
    for side in (RED, BLACK):
        mine = [deed for deed in known.values() if deed.side == side]
        chasing = [known[ply] for ply in chase_span if known[ply].side == side]
        chasing += [deed for deed in entry if deed.side == side]
        quits = chase.check_breaks_chase == "own_check" and any(deed.check for deed in chasing)
        found.append((mine, chasing, silent or quits))
    red, black = (_offence(*each, law, soldiers=False) for each in found)
    if chase.soldier == "mutual" and bool(red.level) != bool(black.level):
        red, black = (
            side if side.level else _offence(*each, law, soldiers=True)
            for side, each in zip((red, black), found, strict=True)
        )
    return red, black


def _offence(mine: list[Deed], chasing: list[Deed], silent: bool, law: Law, soldiers: bool) -> Side:
    """The heaviest thing that one side did on all of its moves."""
    chase, levels = law.chase, law.book.levels
    helped: set[int] = set().union(*(deed.borne_on for deed in chasing))
    chased = []
    for deed in chasing:
        targets = set(deed.targets)
        if chase.general == "helped":
            targets |= deed.general & helped
        if soldiers:
            targets |= deed.soldier
        chased.append(targets)
    steady = set.intersection(*chased) if chased and not silent else set()
    chases = bool(steady) if chase.targets == "same_piece" else bool(chased) and all(chased) and not silent
    active = [
        deed.check or deed.kill > 0 or bool(targets) for deed, targets in zip(chasing, chased, strict=True)
    ]
    options = []
    if chases and chase.counts:
        options.append((levels.chase, "chase"))
    if mine and all(deed.kill for deed in mine):
        options.append((levels.kill, "kill"))
    if mine and len(chasing) == len(mine) and all(active):
        options.append((levels.mixed, "mixed"))
    # The first of equals names the offence: a chase before a threat of mate before a mixture.
    level, offence = max(options, key=lambda option: option[0], default=(0, "none"))
    if level:
        victims = steady if chase.targets == "same_piece" else set[int]().union(*chased)
        return Side(offence, level, frozenset(victims if offence == "chase" else ()), "")
    return Side("none", 0, frozenset(), _excuse(mine, chasing, chased, active))


def _excuse(mine: list[Deed], chasing: list[Deed], chased: list[set[int]], active: list[bool]) -> str:
    """What kept a side from an offence, as a key of the book's clauses."""
    if mine and all(deed.kill for deed in mine):
        return "kill"
    if chased and all(chased):
        return "targets"
    if mine and len(chasing) == len(mine) and all(active):
        return "mixed"
    if mine and all(deed.targets or deed.allowed for deed in mine):
        return "general-or-soldier"
    return "quiet"


def _deed(conduct: Conduct, ply: int, law: Law) -> Deed:
    """What ``ply`` does: which of the mover's attacks are chases by the law."""
    side = conduct.mover(ply)
    deed = Deed(ply, side, conduct.check(ply), conduct.kill(ply), [], [], set(), set(), set(), set())
    chase = law.chase
    if not chase.counts or ply <= conduct.first:
        return deed
    checker = _checker(conduct, ply) if chase.checking_target == "though_protected" else -1
    after = [
        word
        for word in conduct.words(ply, side)
        if law.standing(word) & (4 if word >> 21 & 127 == checker and not word >> 37 & _F["stood"] else 1)
    ]
    deed.borne_on.update(word >> 21 & 127 for word in after if word >> 28 & 15 not in law.royal)
    for word in _new(conduct, ply, side, after, law):
        kind, target = word >> 28 & 15, word >> 21 & 127
        if kind in law.royal:
            (deed.general if kind == law.general else deed.soldier).add(target)
            deed.allowed.append(word)
        else:
            deed.targets.add(target)
            deed.chases.append(word)
    return deed


def _checker(conduct: Conduct, ply: int) -> int:
    """The identity of the piece that gives check on the move before ``ply`` or on the one after it, or -1."""
    for near in (ply - 1, ply + 1):
        if conduct.first < near <= conduct.last and conduct.check(near):
            return conduct.moved(near)
    return -1


def _new(conduct: Conduct, ply: int, side: int, after: list[int], law: Law) -> list[int]:
    """Those of the attacks ``after`` a move that are new with it."""
    chase = law.chase
    if chase.new_attack == "moved_or_uncovered":
        found = [word for word in after if word >> 37 & _NEW]
        found += [word for word in conduct.words(ply, side) if _pins(word, law) and word not in found]
        return found
    before = conduct.words(ply - 1, side)
    if chase.new_attack == "attack":
        known = {word >> 14 & 0x3FFF for word in before if law.standing(word) & 1}
        found = [word for word in after if word >> 14 & 0x3FFF not in known]
        if chase.by_checks:
            found = _new_by_checks(found, before, law)
    else:
        anyone = chase.new_attack == "target_by_anyone"
        stood = {
            word >> 21 & 127
            for word in before
            if law.standing(word) & (2 if anyone else 1) and (anyone or word >> 28 & 15 not in law.royal)
        }
        found = [word for word in after if word >> 21 & 127 not in stood]
    if chase.standing_attack == "not_by_the_chased":
        hunted = _hunted(conduct, ply - 1, 1 - side, law)
        found = [word for word in found if not (word >> 37 & _F["stood"] and word >> 14 & 127 in hunted)]
    elif chase.standing_attack == "not_on_the_holder":
        found = [word for word in found if word >> 37 & _F["moved"] or not word >> 37 & _F["on_holder"]]
    return found


def _new_by_checks(found: list[int], before: list[int], law: Law) -> list[int]:
    """``found`` without what falls to a run of checks, if it fell before in whatever way, or that is not known, or
    it can be taken at once anyhow."""
    unknown = any(word >> 37 == _F["by_checks"] for word in before)
    direct = [word for word in found if not word >> 37 & _F["by_checks"]]
    if unknown or len(direct) == len(found):
        return direct
    told = {word >> 21 & 127 for word in (*direct, *(word for word in before if law.standing(word) & 1))}
    return direct + [word for word in found if word >> 37 & _F["by_checks"] and word >> 21 & 127 not in told]


def _hunted(conduct: Conduct, ply: int, side: int, law: Law) -> set[int]:
    """The identities that ``side`` threatens to win after ``ply``, by pieces that may chase."""
    return {
        word >> 21 & 127
        for word in conduct.words(ply, side)
        if word >> 28 & 15 not in law.royal and law.standing(word) & 1
    }


def _pins(word: int, law: Law) -> bool:
    """Whether the move has pinned a protector of the target, or put the attacker before a check."""
    flags = word >> 37
    if flags & _F["unrooted"] and not flags & _F["pinned"]:
        return word >> 32 & 15 != law.soldier or bool(flags & _F["crossed"])
    return bool(flags & _F["battery"] and not flags & _F["retaken"])
