"""Rules, replay and rulings: no files.

``Ruleset``, ``Position``, ``Game`` and ``adjudicate()`` are the public face; behind it is one compiled kernel.
"""

from adjudicator.datafile import RulesetError
from adjudicator.game import Adjudication, Game, adjudicate
from adjudicator.position import AmbiguousMove, IllegalMove, InvalidFen, MoveError, Position, UnreadableMove
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.ruling import Ruling

__all__ = [
    "Adjudication",
    "AmbiguousMove",
    "Game",
    "IllegalMove",
    "InvalidFen",
    "MoveError",
    "Position",
    "RuleBook",
    "Ruleset",
    "RulesetError",
    "Ruling",
    "UnreadableMove",
    "adjudicate",
]
