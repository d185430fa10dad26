"""The compiled half of the PGN reader: where games begin, and what stands in them.

Two machines over bytes, both without the GIL and without a Python object per move. `Splitter` decides alone where
one game ends and the next begins; `Scanner` reads games of known bounds.

    lines, words, encodings      what bytes are, for both
    splitter                     where games begin
    scanner, remarks, columns    games: their grammar, what engines write into comments, what Python gets
    stores                       memory that grows, numbers for strings

They call each other through the ``.pxd`` files beside them, which also have layouts and constants. Bytes are compared
with literals of one character (``c == b"["``), as in C.
"""

from notation.containers._pgn.encodings import bad_utf8, classes, first_high, weigh_pairs
from notation.containers._pgn.scanner import (
    EVENTS,
    FAULTS,
    LONGEST_TOKEN,
    MOST_FAULTS,
    MOST_PLIES,
    MOST_UNSHAPED,
    Scanner,
)
from notation.containers._pgn.splitter import Splitter
from notation.containers._pgn.words import teach_results

__all__ = [
    "EVENTS",
    "FAULTS",
    "LONGEST_TOKEN",
    "MOST_FAULTS",
    "MOST_PLIES",
    "MOST_UNSHAPED",
    "Scanner",
    "Splitter",
    "bad_utf8",
    "classes",
    "first_high",
    "teach_results",
    "weigh_pairs",
]
