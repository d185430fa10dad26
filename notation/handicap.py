"""The text of a handicap, as the tag ``Handicap`` and the option ``--handicap`` give it: words, no board.

    [Handicap "left chariot"]        [Handicap "让左车"]
    [Handicap "two horses"]          [Handicap "让双马"]
    [Handicap "Black gives cannon"]  [Handicap "黑方让炮"]
    [Handicap "two moves first"]     [Handicap "让两先"]
    [Handicap "red left chariot; iron b1"]

A side gives pieces, each with a wing (``left`` 左, ``right`` 右, ``middle`` 中, as their owner sees it), a number or
points; ``N moves first`` N先 is what the other side may do before. ``iron`` 铁 names points, or pieces, that may not be
captured before they move; without the word the rules say which, ``no iron`` 无铁 is none. ``nine pieces`` 九子 are
the advisors, elephants and soldiers. ``odds`` 让子 alone leaves the pieces to the position; ``none`` 不让子 denies.

Sources of the words: the menus of playing programs (让左马, 让单马, 让双马, 让九子) and the page of the rules (iron).
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field, replace

from notation.lexicon import lexicon, piece_letter


@dataclass(frozen=True, slots=True)
class Given:
    """Pieces of one kind: its WXF capital, whose (0 Red, 1 Black, None unsaid), and which.

    ``number`` is None when neither number nor wing nor points are said.
    """

    piece: str
    side: int | None = None
    wing: str = ""
    number: int | None = None
    points: tuple[str, ...] = ()


@dataclass(slots=True)
class Handicap:
    """What a text says. ``iron`` is None when it does not say which pieces are protected.

    ``moves`` is how many moves the receiver makes first, 0 unsaid; ``denied`` a text that says there is no handicap.
    ``unknown`` are words that mean nothing here.
    """

    given: list[Given] = field(default_factory=list)
    moves: int = 0
    iron: list[Given | str] | None = None
    denied: bool = False
    unknown: list[str] = field(default_factory=list)


_SIDES = {"red": 0, "white": 0, "红": 0, "紅": 0, "black": 1, "黑": 1}
_WINGS = {
    "left": "left",
    "左": "left",
    "right": "right",
    "右": "right",
    "middle": "middle",
    "central": "middle",
}
_WINGS |= {"centre": "middle", "center": "middle", "中": "middle"}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "single": 1, "单": 1, "單": 1}
_NUMBERS |= {"two": 2, "both": 2, "double": 2, "双": 2, "雙": 2, "两": 2, "兩": 2}
_NUMBERS |= {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_NUMBERS |= {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
_MOVES = frozenset(("move", "moves", "先"))
_IRON = frozenset(("iron", "铁", "鐵"))
_DENIALS = frozenset(("no", "without", "none", "even", "不", "无", "無", "没", "-", "?", "0"))
_PAUSES = frozenset(",;，；、+&/和and")
_SAYS_NOTHING = frozenset(
    (
        "odds",
        "handicap",
        "gives",
        "give",
        "given",
        "first",
        "the",
        "of",
        "piece",
        "pieces",
        "让",
        "讓",
        "饶",
        "饒",
        "授",
        "方",
        "子",
        "局",
        "的",
        ":",
        "：",
    )
)
_NINE = (Given("A", number=2), Given("E", number=2), Given("P", number=5))
_NINE_PIECES = re.compile(r"nine pieces|九子", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z](?:10|[1-9])(?!\w)|[A-Za-z]+|[0-9]+|\S")
_DIGITS = re.compile(r"[0-9]{1,3}")
_POINT = re.compile(r"[a-z](?:10|[1-9])")


def nearest(word: str) -> str | None:
    """The English word of handicaps that comes nearest to ``word``."""
    known = [*_SIDES, *_WINGS, *_NUMBERS, *_MOVES, *_IRON, *_DENIALS, *_SAYS_NOTHING, *lexicon().names]
    return next(iter(difflib.get_close_matches(word, known, 1)), None)


def read(text: str) -> Handicap:
    """What ``text`` says of a handicap; words that it does not know are in ``unknown``."""
    reader = _Reader()
    for word in _WORD.findall(_NINE_PIECES.sub(" ninepieces ", text).replace("-", " - ")):
        reader.hear(word.lower())
    return reader.said


class _Reader:
    """Hears a text word by word; a side holds until another is named, the rest until the piece it belongs to."""

    def __init__(self) -> None:
        self.said = Handicap()
        self.side: int | None = None
        self.iron = False
        self.no = False
        self.pause()

    def pause(self) -> None:
        self.wing = ""
        self.number: int | None = None

    def hear(self, word: str) -> None:
        said = self.said
        if word in _SIDES:
            self.side = _SIDES[word]
        elif word in _WINGS:
            self.wing = _WINGS[word]
        elif word in _NUMBERS:
            self.number = _NUMBERS[word]
        elif word in _MOVES:
            said.moves = self.number or 1
            self.pause()
        elif word in _IRON:
            self.iron = True
            if self.no:
                said.iron = []
            said.denied = self.no = False
        elif word in _DENIALS:
            self.no, said.denied = True, not (said.given or said.moves)
        elif _DIGITS.fullmatch(word):
            self.number = int(word)
        elif word == "ninepieces":
            said.given += [replace(part, side=self.side) for part in _NINE]
        elif _POINT.fullmatch(word):
            self.point(word)
        elif letter := _letter(word):
            self.piece(Given(letter, self.side, self.wing, self.number or (1 if self.wing else None)))
        elif word in _PAUSES or word == "and":
            self.pause()
        elif word not in _SAYS_NOTHING:
            said.unknown.append(word)

    def piece(self, piece: Given) -> None:
        if self.iron:
            self.protect(piece)
        else:
            self.said.given.append(piece)
        self.said.denied = self.no = False
        self.pause()

    def point(self, word: str) -> None:
        said = self.said
        if self.iron:
            self.protect(word)
        elif said.given:
            last = said.given[-1]
            points = tuple(dict.fromkeys((*last.points, word)))
            said.given[-1] = replace(last, points=points, number=len(points))
        else:
            said.unknown.append(word)

    def protect(self, what: Given | str) -> None:
        if self.said.iron is None:
            self.said.iron = []
        self.said.iron.append(what)


def faults(text: str) -> list[str]:
    """What is wrong with a handicap that a person sets: a sentence for every word that means nothing."""
    near = {word: nearest(word) for word in read(text).unknown}
    return [
        f"{word!r} is no word of a handicap" + (f" (did you mean {meant!r}?)" if meant else "")
        for word, meant in near.items()
    ]


def _letter(word: str) -> str | None:
    if word in ("knight", "knights"):  # the horse of English books
        return "H"
    return piece_letter(word) or piece_letter(word.removesuffix("s"))


# ---- writing -----------------------------------------------------------------------------------------

_ENGLISH = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_CHINESE = ("", "单", "双", "三", "四", "五", "六", "七", "八", "九")
_WINGS_ZH = {"left": "左", "right": "右", "middle": "中"}


def write(said: Handicap, language: str = "en") -> str:
    """The text of ``said`` in ``language`` ("en" or "zh"), which `read` reads the same."""
    if said.denied:
        return "none" if language == "en" else "不让子"
    return _in_chinese(said) if language == "zh" else _in_english(said)


def _in_english(said: Handicap) -> str:
    parts, side = [], None
    for piece in said.given:
        name = _name(piece.piece)
        if piece.side is not None and piece.side != side:
            side = piece.side
            name = f"{('red', 'black')[side]} {_english(piece, name)}"
        else:
            name = _english(piece, name)
        parts.append(name)
    if said.moves:
        parts.append("first move" if said.moves == 1 else f"{_counted(said.moves, _ENGLISH)} moves first")
    text = ", ".join(parts)
    if said.iron is None:
        return text
    points = " ".join(p if isinstance(p, str) else _english(p, _name(p.piece)) for p in said.iron)
    return f"{text}; iron {points}" if points else f"{text}; no iron"


def _english(piece: Given, name: str) -> str:
    if piece.points:
        return " ".join((name, *piece.points))
    if piece.wing:
        return f"{piece.wing} {name}"
    number = piece.number or 1
    return f"{_counted(number, _ENGLISH)} {name}{'s' if number > 1 else ''}"


def _in_chinese(said: Handicap) -> str:
    words = lexicon().written_pieces[False]
    text, side = "", None
    for piece in said.given:
        if piece.side is not None and piece.side != side:
            side = piece.side
            text += f"{'、' if text else ''}{'红黑'[side]}方让"
        elif text:
            text += "、"
        which = "" if piece.points else _WINGS_ZH.get(piece.wing) or _counted(piece.number or 1, _CHINESE)
        text += which + _word(words, piece.piece, piece.side or 0) + " ".join(piece.points)
    if said.moves:
        text += f"{'、' if text else '让'}{_counted(said.moves, _CHINESE) if said.moves > 1 else ''}先"
    if said.iron is None:
        return text
    points = " ".join(p if isinstance(p, str) else _word(words, p.piece, 0) for p in said.iron)
    return f"{text};铁 {points}" if points else f"{text};无铁"


def _counted(number: int, words: tuple[str, ...]) -> str:
    """A number by its word, in digits where there is none."""
    return words[number] if number < len(words) else str(number)


def _word(words: dict[str, tuple[str, str]], letter: str, side: int) -> str:
    """The Chinese word of a piece; its letter where there is none, as for the pieces of chess."""
    return words[letter][side] if letter in words else letter


def _name(letter: str) -> str:
    """The English word of a piece; its letter where there is none, as for the pieces of a rule set of one's own."""
    return next((name for name, known in lexicon().names.items() if known == letter), letter)
