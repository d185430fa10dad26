"""The kernel's codes in words: what its ply columns mean to a reader.

Points are ``rank * files + file``, pieces numbers in the rule set's order, both NONE where there is none. A
code of the ``blast`` column is a point and the piece that stood there, ``point << 5 | kind | 16 for Black``.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    return [blast_word(rules, code) for code in sorted(codes)] or None


def reserve_words(rules: Ruleset, plies: Mapping[str, Any]) -> list[str]:
    """The different reserves that the ``reserve`` column numbers, as in a FEN: "[Rpp]", "" when empty."""
    packed = plies["reserves"]
    writer = FenWriter(rules)
    return [writer.reserves(unpack_held(packed, number)) for number in range(len(packed) // 32)]
