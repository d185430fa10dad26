"""What each move of a cycle does, for people: its class, the pieces concerned, and how they stand.

A move gets the heavier classes that fit it (check, chase, threat of mate, an attack that the book allows), or else one
quiet class: exchange offer, sacrifice offer, block, follow, idle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from adjudicator.conduct import Attack, Conduct, piece_word, unpack
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.setup import SIDES
from adjudicator.verdict import Deed, Verdict, deeds, law

KINDS = {
    "check": ("checks", "将"),
    "chase": ("chases", "捉"),
    "kill": ("threatens mate", "杀"),
    "attack": ("attacks, as it may", "允许的捉"),
    "exchange": ("offers an exchange", "兑"),
    "sacrifice": ("offers a sacrifice", "献"),
    "block": ("blocks", "拦"),
    "follow": ("follows a protected piece", "跟"),
    "idle": ("idle", "闲"),
    "quiet": ("quiet", "闲"),
}
"""Classes of moves, in English and Chinese; "quiet" where only checks were looked at."""

STANDINGS = {
    "greater": ("even if protected", "有根亦算"),
    "no-return": ("the like piece cannot take back", "同类子不能反吃"),
    "false-root": ("its protector cannot retake", "假根"),
    "unprotected": ("unprotected", "无根"),
    "exchange": ("the exchange wins material", "交换得子"),
    "by-checks": ("it falls after a run of checks", "连续照将得子"),
    "protected": ("protected", "有根"),
}
"""How a target stands to an attack."""


@dataclass(frozen=True, slots=True)
class Threat:
    """An attack of an `Act`: pieces as "chariot b9", in English and Chinese, ``standing`` a key of STANDINGS,
    ``uncovered`` when another piece's move opened it, ``identity`` of the target (where it stood at the start)."""

    attacker: str
    attacker_zh: str
    target: str
    target_zh: str
    standing: str
    uncovered: bool
    identity: int


@dataclass(frozen=True, slots=True)
class Act:
    """What one ply does. ``kinds`` are keys of KINDS, the heaviest first; ``mate_in`` is the length of a threat of mate
    in checks, 0 none."""

    ply: int
    side: str
    move: str
    kinds: tuple[str, ...]
    threats: tuple[Threat, ...] = ()
    mate_in: int = 0

    def words(self, language: str = "en") -> str:
        """ "chases the chariot i8 with the cannon i3 (…)"."""
        column = 0 if language == "en" else 1
        said = [KINDS[kind][column] for kind in self.kinds]
        for number, kind in enumerate(self.kinds):
            if kind == "kill" and self.mate_in > 1:
                said[number] += (
                    f" in {self.mate_in} checks" if language == "en" else f"（连将 {self.mate_in} 步）"
                )
            elif kind in ("chase", "attack"):
                said[number] = self._threats(said[number], language)
        return (" and " if language == "en" else "兼").join(said)

    def _threats(self, verb: str, language: str) -> str:
        """Target by target, and how it stands to its attackers."""
        column = 0 if language == "en" else 1
        said: dict[tuple[str, str], list[str]] = {}
        for threat in self.threats:
            target = (threat.target, threat.target_zh)[column]
            attacker = (f"the {threat.attacker}", threat.attacker_zh)[column]
            if threat.uncovered:
                attacker = (f"{attacker}, uncovered", f"闪出的{attacker}")[column]
            said.setdefault((target, STANDINGS[threat.standing][column]), []).append(attacker)
        if column:
            return "、".join(f"{'、'.join(by)}捉{target}（{how}）" for (target, how), by in said.items())
        each = [f"the {target} with {' and '.join(by)} ({how})" for (target, how), by in said.items()]
        return f"{'chases' if verb == 'chases' else 'attacks, as it may,'} {' and '.join(each)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "ply": self.ply,
            "side": self.side,
            "move": self.move,
            "kinds": list(self.kinds),
            "mate_in": self.mate_in,
            "threats": [
                {
                    "attacker": threat.attacker,
                    "target": threat.target,
                    "standing": threat.standing,
                    "uncovered": threat.uncovered,
                }
                for threat in self.threats
            ],
            "words": self.words(),
            "words_zh": self.words("zh"),
        }


def acts(
    conduct: Conduct,
    span: Iterable[int],
    book: RuleBook,
    rules: Ruleset,
    verdict: Verdict,
) -> list[Act]:
    """What every ply of ``span`` does by ``book``, which came to ``verdict``."""
    return [
        _act(conduct, deed, book, rules, verdict.sides[deed.side].targets)
        for deed in deeds(conduct, span, book, rules)
    ]


def _act(conduct: Conduct, deed: Deed, book: RuleBook, rules: Ruleset, condemned: frozenset[int]) -> Act:
    kinds = ["check"] if deed.check else []
    # A general's or soldier's attack is a chase where the verdict has counted it as one.
    attacks = unpack(deed.chases) + [attack for attack in unpack(deed.allowed) if attack.target in condemned]
    if attacks:
        kinds.append("chase")
    if deed.kill:
        # Where a threat of mate weighs, it comes before what is merely attacked besides.
        kinds.insert(len(kinds) if not book.levels.kill else int(deed.check), "kill")
    allowed = [attack for attack in unpack(deed.allowed) if attack.target not in deed.targets]
    if not kinds and allowed:
        kinds, attacks = ["attack"], allowed
    if not kinds:
        kinds = [conduct.quiet(deed.ply)]
    threats = tuple(_threat(attack, book, rules) for attack in attacks)
    return Act(deed.ply, SIDES[deed.side], conduct.move(deed.ply), tuple(kinds), threats, deed.kill)


def _threat(attack: Attack, book: RuleBook, rules: Ruleset) -> Threat:
    target_side = 1 - attack.side
    return Threat(
        piece_word(rules, attack.kind, attack.start, attack.side),
        piece_word(rules, attack.kind, attack.start, attack.side, "zh"),
        piece_word(rules, attack.target_kind, attack.to, target_side),
        piece_word(rules, attack.target_kind, attack.to, target_side, "zh"),
        standing(attack, book, rules),
        attack.has("uncovered"),
        attack.target,
    )


def standing(attack: Attack, book: RuleBook, rules: Ruleset) -> str:
    """Why an attack counts, as a key of STANDINGS."""
    if attack.has("by_checks"):
        return "by-checks"
    if (attack.kind, attack.target_kind) in law(book, rules).greater and attack.has("retaken"):
        return "greater"
    if attack.kind == attack.target_kind and attack.has("mutual"):
        return "no-return"
    if attack.has("rooted") and not attack.has("retaken"):
        return "false-root"
    if not attack.has("retaken"):
        return "unprotected"
    return "exchange" if book.chase.root_test == "exchange" else "protected"
