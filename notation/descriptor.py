"""What a move token says, without a board: one unsigned 32-bit integer.

A descriptor keeps exactly what was written ("cannon on file 2, sideways, to file 5"); which move that is, the
board decides. An archive is then a flat array of integers, and a token that occurs a million times is parsed
once. 0 means that the token cannot be read.

    bits 0-2    kind        NONE, COORDINATE, RELATIVE, ALGEBRAIC, DROP
    bits 3-6    a           from file (a = 1)        · RELATIVE: file number as the mover counts, 0 none
    bits 7-10   b           from rank as written + 1 · RELATIVE: marker
    bits 11-14  c           to file (a = 1)          · RELATIVE: action
    bits 15-18  d           to rank as written + 1   · RELATIVE: target number, 1-9
    bits 19-23  promotion   letter, A = 1            · RELATIVE: 19-22 second digit of a PAIR, 23 WORDS
    bits 24-28  piece       letter, A = 1, 0 none written
    bit  29     capture     a capture sign was written (kept for findings: it never chooses a move either)
    bit  30     check       a check or mate sign was written (decoration: it never chooses a move)

ALGEBRAIC leaves a or b 0 when not written, and piece 0 means a soldier. DROP uses c, d and piece. Ranks
are kept as written; whether they count from 0 or from 1 is a *reading* (`RANKS_FROM_0`), known only from
the whole record. Piece letters are capitals as written: G, B, N, S are left for the rule set's synonyms.

How the board reads RELATIVE (n = how many of the mover's like pieces share a file; piece 0 = soldiers):

* marker NONE: the pieces on file a; with three or five of them the middle one is meant (federation page, I
  and II), with two or four the direction and legality decide, and several legal moves are ambiguous.
* FRONT, REAR on file a, or with a = 0 on every file with n >= 2: with n = 2 or 3 the first and last; with
  n = 4 or 5 the second and the last but one (II, III), unless WORDS is set: 前 and 后 are always the first
  and the last.
* MIDDLE: the middle one where n is odd. FOREMOST, REARMOST: the first and last where n >= 2.
* 1 to 5: the n-th from the front, counted over all files with n >= 2 together, the mover's right file
  first; with a given, counted on that file alone.
* PAIR (soldiers only): ``a`` = first digit, ``second`` = second digit. *File then place* (the federation's,
  IV) has two equal digits and means the middle soldier of three or five on that file; *place then file*
  (`PLACE_THEN_FILE`, Fairy-Stockfish's) means the a-th from the front on file ``second``. Where both give a
  legal move, and not the same, the token is ambiguous until the record's dialect is known.
"""

from __future__ import annotations

from typing import Final, NamedTuple

NONE: Final = 0
COORDINATE: Final = 1
RELATIVE: Final = 2
ALGEBRAIC: Final = 3
DROP: Final = 4

TRAVERSE: Final = 0
FORWARD: Final = 1
BACKWARD: Final = 2

# Markers; 1 to 5 are "n-th from the front".
FRONT: Final = 6
REAR: Final = 7
MIDDLE: Final = 8
FOREMOST: Final = 9
REARMOST: Final = 10
PAIR: Final = 11

# Bits of a reading.
RANKS_FROM_0: Final = 1
PLACE_THEN_FILE: Final = 2

KIND_MASK: Final = 7
A_SHIFT: Final = 3
B_SHIFT: Final = 7
C_SHIFT: Final = 11
D_SHIFT: Final = 15
FIELD_MASK: Final = 15
PROMOTION_SHIFT: Final = 19
SECOND_SHIFT: Final = 19
PIECE_SHIFT: Final = 24
LETTER_MASK: Final = 31
WORDS: Final = 1 << 23
CAPTURE: Final = 1 << 29
CHECK: Final = 1 << 30

MOST_FILES: Final = 15
HIGHEST_RANK: Final = 14

_A: Final = ord("A") - 1
_FILE: Final = ord("a")


class Said(NamedTuple):
    """A descriptor taken apart; fields that its kind does not use keep their defaults.

    Files count from 0 (a = 0), ranks are as written, both -1 when not written. ``number`` and ``target`` are
    file numbers or distances as the mover counts, 1 to 9 (``number`` 0: none written).
    """

    kind: int
    piece: str = ""
    from_file: int = -1
    from_rank: int = -1
    to_file: int = -1
    to_rank: int = -1
    promotion: str = ""
    number: int = 0
    marker: int = 0
    action: int = 0
    target: int = 0
    second: int = 0
    words: bool = False
    capture: bool = False
    check: bool = False

    def pack(self) -> int:
        """The descriptor. ``Said.unpack(said.pack()) == said`` for all that fits the layout."""
        if self.kind == NONE:
            return 0
        packed = self.kind | _code(self.piece) << PIECE_SHIFT
        packed |= self.capture * CAPTURE | self.check * CHECK
        if self.kind == RELATIVE:
            packed |= self.number << A_SHIFT | self.marker << B_SHIFT | self.action << C_SHIFT
            return packed | self.target << D_SHIFT | self.second << SECOND_SHIFT | self.words * WORDS
        packed |= (self.from_file + 1) << A_SHIFT | (self.from_rank + 1) << B_SHIFT
        packed |= (self.to_file + 1) << C_SHIFT | (self.to_rank + 1) << D_SHIFT
        return packed | _code(self.promotion) << PROMOTION_SHIFT

    @classmethod
    def unpack(cls, packed: int) -> Said:
        """What ``packed`` says."""
        kind = packed & KIND_MASK
        if kind == NONE:
            return cls(NONE)
        a, b = packed >> A_SHIFT & FIELD_MASK, packed >> B_SHIFT & FIELD_MASK
        c, d = packed >> C_SHIFT & FIELD_MASK, packed >> D_SHIFT & FIELD_MASK
        piece = _letter(packed >> PIECE_SHIFT & LETTER_MASK)
        if kind == RELATIVE:
            second, words = packed >> SECOND_SHIFT & FIELD_MASK, bool(packed & WORDS)
            said = cls(kind, piece, number=a, marker=b, action=c, target=d, second=second, words=words)
        else:
            promotion = _letter(packed >> PROMOTION_SHIFT & LETTER_MASK)
            said = cls(kind, piece, a - 1, b - 1, c - 1, d - 1, promotion)
        return said._replace(capture=bool(packed & CAPTURE), check=bool(packed & CHECK))


def coordinate(
    from_file: int, from_rank: int, to_file: int, to_rank: int, promotion: str = "", *, capture: bool = False
) -> int:
    """ "h2-e2": files from 0, ranks as written."""
    return (
        COORDINATE
        | (from_file + 1) << A_SHIFT
        | (from_rank + 1) << B_SHIFT
        | (to_file + 1) << C_SHIFT
        | (to_rank + 1) << D_SHIFT
        | _code(promotion) << PROMOTION_SHIFT
        | capture * CAPTURE
    )


def algebraic(
    piece: str,
    to_file: int,
    to_rank: int,
    from_file: int = -1,
    from_rank: int = -1,
    promotion: str = "",
    *,
    capture: bool = False,
) -> int:
    """ "Cbe3": ``piece`` a capital or "" for a soldier written without a letter; -1 = not written."""
    return (
        ALGEBRAIC
        | (from_file + 1) << A_SHIFT
        | (from_rank + 1) << B_SHIFT
        | (to_file + 1) << C_SHIFT
        | (to_rank + 1) << D_SHIFT
        | _code(promotion) << PROMOTION_SHIFT
        | _code(piece) << PIECE_SHIFT
        | capture * CAPTURE
    )


def relative(
    piece: str,
    number: int,
    action: int,
    target: int,
    marker: int = 0,
    second: int = 0,
    *,
    words: bool = False,
) -> int:
    """ "C2.5", "R+.4", "前车平四": numbers as the mover counts, ``piece`` "" when none is written."""
    return (
        RELATIVE
        | number << A_SHIFT
        | marker << B_SHIFT
        | action << C_SHIFT
        | target << D_SHIFT
        | second << SECOND_SHIFT
        | words * WORDS
        | _code(piece) << PIECE_SHIFT
    )


def drop(piece: str, to_file: int, to_rank: int) -> int:
    """ "R@d4": file from 0, rank as written."""
    return DROP | (to_file + 1) << C_SHIFT | (to_rank + 1) << D_SHIFT | _code(piece) << PIECE_SHIFT


def kind(packed: int) -> int:
    """NONE, COORDINATE, RELATIVE, ALGEBRAIC or DROP."""
    return packed & KIND_MASK


def piece(packed: int) -> str:
    """The piece letter as written, or "" when none is."""
    return _letter(packed >> PIECE_SHIFT & LETTER_MASK)


def describe(packed: int) -> str:
    """What the token says, in English, for messages: "cannon on file 2, sideways to file 5"."""
    said = Said.unpack(packed)
    if said.kind == NONE:
        return "nothing that can be read"
    if said.kind == RELATIVE:
        return _describe_relative(said)
    to = _square(said.to_file, said.to_rank)
    if said.kind == DROP:
        return f"drop of a {_name(said.piece)} on {to}"
    by = "capturing on" if said.capture else "to"
    promotion = f", becoming a {_name(said.promotion)}" if said.promotion else ""
    origin = _square(said.from_file, said.from_rank)
    if said.kind == COORDINATE:
        return f"{origin} {by} {to}{promotion}"
    if not origin:
        return f"{_name(said.piece)} {by} {to}{promotion}"
    if said.from_rank < 0:
        origin = f"the {origin}-file"
    elif said.from_file < 0:
        origin = f"rank {origin}"
    return f"{_name(said.piece)} from {origin} {by} {to}{promotion}"


_NAMES: Final = {
    "": "soldier",
    "A": "advisor",
    "B": "elephant (B)",
    "C": "cannon",
    "E": "elephant",
    "F": "ferz",
    "G": "general (G)",
    "H": "horse",
    "I": "imposter",
    "K": "general",
    "N": "horse (N)",
    "P": "soldier",
    "Q": "treasure or queen (Q)",
    "R": "chariot",
    "S": "soldier",
    "T": "treasure",
    "W": "wazir",
}
_PLACES: Final = {FRONT: "front", REAR: "rear", MIDDLE: "middle", FOREMOST: "foremost", REARMOST: "rearmost"}
_DIAGONAL: Final = "ABEHN"
_ORDINALS: Final = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _describe_relative(said: Said) -> str:
    name = _name(said.piece)
    if said.marker == PAIR:
        who = f"{name} written {said.number}{said.second}"
        if said.number != said.second:
            who = f"{_ORDINALS[said.number]} {name} from the front on file {said.second}"
    elif said.marker == NONE:
        who = f"{name} on file {said.number}"
    else:
        place = _PLACES.get(said.marker) or _ORDINALS[said.marker]
        who = f"{place} {name}" + (f" on file {said.number}" if said.number else " of those sharing a file")
    if said.action == TRAVERSE:
        return f"{who}, sideways to file {said.target}"
    way = "forward" if said.action == FORWARD else "backward"
    return f"{who}, {way} {'to file ' if said.piece and said.piece in _DIAGONAL else ''}{said.target}"


def _name(letter: str) -> str:
    return _NAMES.get(letter, f"piece {letter}")


def _square(file: int, rank: int) -> str:
    return (chr(_FILE + file) if file >= 0 else "") + (str(rank) if rank >= 0 else "")


def _code(letter: str) -> int:
    return ord(letter) - _A if letter else 0


def _letter(code: int) -> str:
    return chr(_A + code) if code else ""
