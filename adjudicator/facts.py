"""The kernel's codes in words: what its ply columns mean to a reader.

Points are ``rank * files + file``, pieces numbers in the rule set's order, both NONE where there is none. A
code of the ``blast`` column is a point and the piece that stood there, ``point << 5 | kind | 16 for Black``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from adjudicator.moves import BLACK
from adjudicator.ruleset import Ruleset
from adjudicator.setup import FenWriter, unpack_held

NONE = 255


def blast_word(rules: Ruleset, code: int) -> str:
    """ "e8=E": a point that an explosion cleared and what stood there, small for Black."""
    letter = rules.pieces[(code & 15) - 1].letter
    return f"{rules.point_name(code >> 5)}={letter.lower() if code & BLACK else letter}"


def explosion(rules: Ruleset, plies: Mapping[str, Any], row: int) -> list[str] | None:
    """What the capture of a row took besides its capturer, by point; None when it cost the capturer nothing."""
    if "blast" not in plies:
        return None
    codes = plies["blast"][plies["blast_first"][row] : plies["blast_first"][row + 1]]
    return [blast_word(rules, code) for code in codes] or None


@lru_cache(maxsize=8)
def blast_words(rules: Ruleset) -> list[str]:
    """`blast_word` of every code, by code; "" for those that mean nothing."""
    kinds = range(1, len(rules.pieces) + 1)
    return [
        blast_word(rules, point << 5 | piece) if piece & 15 in kinds else ""
        for point in range(rules.files * rules.ranks)
        for piece in range(32)
    ]


def in_own_palace(rules: Ruleset, side: int, point: int) -> bool:
    """Whether ``point`` lies where ``side``'s general is confined to; False where no general is."""
    turned = rules.files * rules.ranks - 1 - point
    return (turned if side else point) in rules.palace


def reserve_word(rules: Ruleset, plies: Mapping[str, Any], number: int) -> str:
    """The reserves that the ``reserve`` column calls ``number``, as in a FEN: "[Rpp]", "" when empty."""
    return FenWriter(rules).reserves(unpack_held(plies["reserves"], number))


def reserve_words(rules: Ruleset, plies: Mapping[str, Any]) -> list[str]:
    """`reserve_word` of every number."""
    return [reserve_word(rules, plies, number) for number in range(len(plies["reserves"]) // 32)]
