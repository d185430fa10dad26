"""A second engine, slow and plain, written from the rules page; used only to check the compiled one."""

from .game import UNFINISHED, Ending, Facts, Game
from .state import BLACK, RED, BadFen, IllegalMove, Move, State
from .xiangqi import Xiangqi, Xiangqi60

__all__ = [
    "BLACK",
    "RED",
    "UNFINISHED",
    "BadFen",
    "Ending",
    "Facts",
    "Game",
    "IllegalMove",
    "Move",
    "State",
    "Xiangqi",
    "Xiangqi60",
]
