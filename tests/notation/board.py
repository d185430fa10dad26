"""A board for notation tests: it knows where the pieces stand and is told which moves are legal.

Written straight from the words of `notation.descriptor`, without regard for speed.
"""

from notation import Context
from notation.descriptor import (
    ALGEBRAIC,
    COORDINATE,
    DROP,
    FOREMOST,
    FRONT,
    MIDDLE,
    PAIR,
    REAR,
    REARMOST,
    RELATIVE,
    Said,
)

SYNONYMS = {"G": "K", "B": "E", "N": "H", "S": "P", "M": "E"}
STRAIGHT = "KRCP"


class Board:
    """The pieces of a FEN, and its legal moves in coordinates with ranks from 1."""

    def __init__(self, fen, legal, files=9, ranks=10):
        rows, side = fen.split()[:2]
        self.files, self.ranks, self.legal = files, ranks, sorted(legal)
        self.side = 0 if side == "w" else 1
        self.pieces = {}
        for rank, row in enumerate(reversed(rows.split("[")[0].split("/"))):
            file = 0
            for sign in row:
                if sign.isdigit():
                    file += int(sign)
                else:
                    self.pieces[file, rank] = SYNONYMS.get(sign.upper(), sign.upper()), int(sign.islower())
                    file += 1

    def context(self, move):
        if "@" in move:
            letter, square = move.split("@")
            to = self.point(square)
            return Context(self.side, letter, -1, -1, *to, self.files, self.ranks)
        origin, to, promotion = self.points(move)
        piece = self.pieces[origin][0]
        like = tuple(p for p, what in self.pieces.items() if what == (piece, self.side) and p != origin)
        rivals = tuple(
            p for p in like if any(self.points(m)[:2] == (p, to) for m in self.legal if "@" not in m)
        )
        return Context(
            *(self.side, piece, *origin, *to, self.files, self.ranks, like, rivals, to in self.pieces),
            promotion=promotion.upper(),
        )

    def resolve(self, packed, place_then_file=None):
        """The legal moves that ``packed`` may mean, ranks from 1; both readings of a PAIR when None."""
        said = Said.unpack(packed)
        return {move for move in self.legal if self.fits(said, move, place_then_file)}

    def fits(self, said, move, place_then_file):
        if "@" in move or said.kind == DROP:
            return said.kind == DROP and move == f"{said.piece}@{name(said.to_file, said.to_rank - 1)}"
        origin, to, promotion = self.points(move)
        piece = self.pieces[origin][0]
        wanted = SYNONYMS.get(said.piece, said.piece) or "P"
        if said.kind == COORDINATE:
            squares = (said.from_file, said.from_rank - 1), (said.to_file, said.to_rank - 1)
            return (origin, to) == squares and promotion.upper() == said.promotion
        if piece != wanted:
            return False
        if said.kind == ALGEBRAIC:
            file_fits = said.from_file in (-1, origin[0])
            rank_fits = said.from_rank in (-1, origin[1] + 1)
            target = (said.to_file, said.to_rank - 1)
            return file_fits and rank_fits and to == target and promotion.upper() == said.promotion
        assert said.kind == RELATIVE
        if (said.action, said.target) != self.step(origin, to):
            return False
        return origin in self.meant(said, piece, place_then_file)

    def step(self, origin, to):
        ahead = (to[1] - origin[1]) * (-1 if self.side else 1)
        action = 0 if ahead == 0 else 1 if ahead > 0 else 2
        return action, abs(ahead) if origin[0] == to[0] else self.number(to[0])

    def meant(self, said, piece, place_then_file):
        """The points whose piece the words name, legal or not."""
        stacks = {}
        for (file, rank), what in self.pieces.items():
            if what == (piece, self.side):
                stacks.setdefault(self.number(file), []).append((file, rank))
        for stack in stacks.values():
            stack.sort(key=lambda point: point[1], reverse=self.side == 0)
        tandem = [stacks[number] for number in sorted(stacks) if len(stacks[number]) > 1]
        marker, stack = said.marker, stacks.get(said.number, [])
        if marker == 0:
            return [stack[len(stack) // 2]] if len(stack) in (3, 5) else stack
        if marker == PAIR:
            meant = []
            if place_then_file is not False:
                meant += stacks.get(said.second, [])[said.number - 1 : said.number]
            if place_then_file is not True and said.number == said.second and len(stack) in (3, 5):
                meant.append(stack[len(stack) // 2])
            return meant
        if said.number:
            tandem = [stack] if stack else []
        if marker <= 5:
            return [point for stack in tandem for point in stack][marker - 1 : marker]
        return [point for stack in tandem for point in self.placed(stack, said)]

    def placed(self, stack, said):
        count = len(stack)
        if count < 2:
            return []
        if said.marker == MIDDLE:
            return stack[count // 2 : count // 2 + 1] if count % 2 else []
        inner = int(count > 3 and not said.words)
        place = {FRONT: inner, REAR: -1 - inner, FOREMOST: 0, REARMOST: -1}[said.marker]
        return [stack[place]]

    def number(self, file):
        return file + 1 if self.side else self.files - file

    def points(self, move):
        cut = next(i for i, sign in enumerate(move) if i and sign.isalpha())
        to = move[cut:]
        promotion = to[-1] if to[-1].isalpha() else ""
        return self.point(move[:cut]), self.point(to.removesuffix(promotion)), promotion

    def point(self, square):
        return ord(square[0]) - 97, int(square[1:]) - 1


def name(file, rank):
    return f"{chr(97 + file)}{rank + 1}"
