"""The compiled half of the PGN reader: where games begin, and what stands in them.

Two machines over bytes, both without the GIL and without a Python object per move. `Splitter` decides alone where
one game ends and the next begins; `Scanner` reads games of known bounds.

Modules call each other through the ``.pxd`` files beside them. Bytes are compared with literals of one character
(``c == b"["``), as C does.
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
