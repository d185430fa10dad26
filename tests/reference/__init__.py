"""A second engine, slow and plain, written from the rules page; used only to check the compiled one."""

from .atomic import Atomic
from .fortress import Fortress, FortressRiver
from .game import UNFINISHED, Ending, Facts, Game
from .jump_cannon import JumpCannon, JumpCannonModern
from .six_fortresses import SixFortresses
from .state import BLACK, RED, BadFen, IllegalMove, Move, State
from .xiangqi import Xiangqi, Xiangqi60

# The rule sets' names; State.start(name) and State.from_fen(fen, name) choose one.
RULES = tuple(sorted(State.registry))

__all__ = [
    "BLACK",
    "RED",
    "RULES",
    "UNFINISHED",
    "Atomic",
    "BadFen",
    "Ending",
    "Facts",
    "Fortress",
    "FortressRiver",
    "Game",
    "IllegalMove",
    "JumpCannon",
    "JumpCannonModern",
    "Move",
    "SixFortresses",
    "State",
    "Xiangqi",
    "Xiangqi60",
]
