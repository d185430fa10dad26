"""What an engine noted about its own move, as match programs write it into a move comment.

    >>> read("+0.35/9 0.012s")
    Remark(evaluation=0.35, mate=0, depth=9, seconds=0.012, text='')
    >>> read("-M2/245 0.006s, Black has no moves")
    Remark(evaluation=nan, mate=-1, depth=245, seconds=0.006, text='Black has no moves')

An announced mate is counted in plies by the match programs (cutechess, ``MoveEvaluation::scoreText``; fastchess writes
the same): the mover's own mates are odd, ``+M1`` is the mating move itself, and those against him even, ``-M2`` is
mated by the reply. A number of the other parity cannot be plies: it is taken for some program's count of moves, as the
number of the command ``[%eval #3]`` always is (Lichess, python-chess). `Remark` has moves, however they were written.

This is the plain twin of the compiled reader in `notation.containers._pgn`; a test holds the two together.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple


class Remark(NamedTuple):
    """``evaluation`` in pawns (NaN: none) and ``mate`` in moves (0: none), signed as written: match programs note what
    the mover saw, from his side, and the command ``[%eval …]`` is Red's view after the move; ``depth`` in plies (-1:
    none); ``seconds`` spent on the move (NaN: none); ``text`` is whatever else the comment says."""

    evaluation: float = math.nan
    mate: int = 0
    depth: int = -1
    seconds: float = math.nan
    text: str = ""


_TIME = r"(?:\d+:)?\d+:\d+(?:\.\d+)?|\d+(?:\.\d+)?"
# score, then /depth, then the time, then any words
_MATCH = re.compile(
    rf"(?P<sign>[+-]?)(?:M(?P<mate>\d+)|(?P<score>\d+(?:\.\d+)?))"
    rf"(?:/(?P<depth>\d+)(?:/\d+)?)?"
    rf"(?:\s+(?P<time>{_TIME})(?P<unit>ms|s)?(?=[\s,]|$))?"
    rf"(?:\s*,\s*|\s+|$)"
)
_COMMAND = re.compile(
    r"\[%eval[\x00-\x20]+(?:(?P<score>[+-]?\d+(?:\.\d+)?)|#(?P<mate>[+-]?\d+))(?:,(?P<depth>\d+))?[\x00-\x20]*\]"
    rf"|\[%emt[\x00-\x20]+(?P<time>{_TIME})[\x00-\x20]*\]"
)
_BLANKS = "".join(map(chr, range(33)))


def tidy(text: str) -> str:
    """A comment as one line: a line break becomes a blank, an empty line between paragraphs one ``\\n``."""

    def gap(match: re.Match[str]) -> str:
        return "\n" if len(re.findall(r"\r\n|\r|\n", match[0])) > 1 else " "

    return re.sub(r"[\x00-\x09\x0b\x0c\x0e-\x20]*[\r\n][\x00-\x20]*", gap, text).strip(_BLANKS)


def seconds(clock: str) -> float:
    """Seconds in ``h:mm:ss``, ``m:ss`` or plain seconds."""
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total


def _is_figure(found: re.Match[str]) -> bool:
    """A sign, a point, a mate, a depth: two of them make a score; "1/2 is fair" is words."""
    shaped = bool(found["mate"] or "." in found["score"])
    return (found["sign"] != "") + shaped + (found["depth"] is not None) > 1


def mate_of(count: int) -> int:
    """Moves to mate in the ``M`` of a match program's comment, signed, 0 for none."""
    plies = abs(count)
    return (1 if count > 0 else -1) * ((plies + 1) // 2 if plies % 2 == (count > 0) else plies)


def mate_text(moves: int) -> str:
    """The ``M`` that match programs write for a mate in so many moves, signed: ``+M3`` is 2 moves, ``-M4`` as well."""
    return f"+M{2 * moves - 1}" if moves > 0 else f"-M{-2 * moves}"


def read(comment: str) -> Remark:
    """Split one comment (without its braces) into an engine's figures and the words that remain.

    A remaining clock (``[%clk …]``) says nothing about the move's own time and stays in the text.
    """
    text = comment.strip(_BLANKS)
    evaluation, mate, depth, spent = math.nan, 0, -1, math.nan
    found = _MATCH.match(text)
    if found and _is_figure(found):
        sign = -1 if found["sign"] == "-" else 1
        if found["mate"]:
            mate = mate_of(sign * int(found["mate"]))
        else:
            evaluation = sign * float(found["score"])
        depth = int(found["depth"]) if found["depth"] else -1
        if found["time"]:
            spent = seconds(found["time"]) / (1000 if found["unit"] == "ms" else 1)
        text = text[found.end() :]
    kept, place = "", 0
    for said in _COMMAND.finditer(text):
        if said["time"]:
            spent = seconds(said["time"])
        else:
            if said["mate"]:
                mate = int(said["mate"])
            else:
                evaluation = float(said["score"])
            depth = int(said["depth"]) if said["depth"] else depth
        kept += text[place : said.start()]
        place = said.end()
        if not kept or kept[-1] in _BLANKS:  # the words on both sides stay one blank apart
            place += len(text[place:]) - len(text[place:].lstrip(_BLANKS))
    text = kept + text[place:]
    return Remark(evaluation, mate, depth, spent, tidy(text))
