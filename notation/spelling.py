"""Ways of typing the same sign: full-width forms, typographic dashes, decorations after a move."""

from __future__ import annotations

from typing import Final

DASHES: Final = "‐‑‒–—―−﹣"
POINTS: Final = "。·・"

_FOLDED: Final = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    0x3000: " ",
    **{ord(dash): "-" for dash in DASHES},
    **{ord(point): "." for point in POINTS},
    ord("×"): "x",
}
_DECORATION: Final = "!?+#†‡"


def fold(token: str) -> str:
    """``token`` without blanks at its ends, full-width letters, digits and signs, dashes and × made ASCII."""
    if not token.isascii():
        token = token.translate(_FOLDED)
    return token.strip()


def undecorate(text: str) -> tuple[str, bool]:
    """``text`` without the decoration at its end (``!?``, ``+``, ``†``), and whether a check was claimed."""
    bare = text.rstrip(_DECORATION)
    if len(bare) == len(text):
        return text, False
    return bare, bool(text[len(bare) :].strip("!?"))
