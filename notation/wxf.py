from __future__ import annotations

from typing import Final

from notation import descriptor
from notation.descriptor import FOREMOST, FRONT, PAIR, REAR, REARMOST

PIECES: Final = frozenset("KGAEBMHNRCPSTQ")
_ACTIONS: Final = {
    ".": descriptor.TRAVERSE,
    "=": descriptor.TRAVERSE,
    "+": descriptor.FORWARD,
    "-": descriptor.BACKWARD,
}
_SIGNS: Final = {"+": FRONT, "-": REAR}
_DIGITS: Final = {str(digit): digit for digit in range(1, 10)}


def parse(text: str) -> int:
    """The descriptor of a WXF move of any dialect; 0 when ``text`` is not one.

    ``text`` is folded and bare (see `notation.spelling`). Every move has four signs: two for who, one for the
    action, one for the target.
    """
    if len(text) != 4:
        return 0
    first, second = text[0], text[1]
    action = _ACTIONS.get(text[2])
    target = _DIGITS.get(text[3])
    if action is None or target is None:
        return 0
    letter = first.upper()
    if letter in PIECES:
        if second in _DIGITS:
            return descriptor.relative(letter, _DIGITS[second], action, target)
        if second in _SIGNS:
            return descriptor.relative(letter, 0, action, target, _SIGNS[second])
        return 0
    if first in _SIGNS and second.upper() in PIECES:
        return descriptor.relative(second.upper(), 0, action, target, _SIGNS[first])
    if action == descriptor.BACKWARD:  # without a letter it is a soldier, and soldiers never retreat
        return 0
    if first in _DIGITS:
        if second in _SIGNS:
            return descriptor.relative("", _DIGITS[first], action, target, _SIGNS[second])
        if second in _DIGITS:
            return descriptor.relative("", _DIGITS[first], action, target, PAIR, _DIGITS[second])
        return 0
    if first == second and first in _SIGNS:
        return descriptor.relative("", 0, action, target, FOREMOST if first == "+" else REARMOST)
    return 0
