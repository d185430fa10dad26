"""A position in a terminal: the board in box lines or squares, pieces in colour, reserves beside it."""

from __future__ import annotations

from adjudicator import Position
from adjudicator.drawing import faces, file_names, is_checkered, river
from adjudicator.moves import BLACK

_RED, _BLACK, _WOOD, _DARK, _OFF, _BOLD = (
    "\x1b[38;5;160m",
    "\x1b[38;5;16m",
    "\x1b[48;5;223m\x1b[38;5;94m",
    "\x1b[48;5;180m\x1b[38;5;94m",
    "\x1b[0m",
    "\x1b[1m",
)


def board(
    position: Position,
    *,
    letters: bool = False,
    colour: bool = True,
    flipped: bool = False,
    names: str = "coordinates",
) -> str:
    """The board, three columns a point, a point without colour showing Red's Chinese pieces in brackets."""
    return "\n".join(_Board(position, letters, colour, flipped, names).lines()) + "\n"


class _Board:
    def __init__(self, position: Position, letters: bool, colour: bool, flipped: bool, names: str):
        self.position = position
        self.rules = position.rules
        self.letters = letters
        self.colour = colour
        self.names = names
        self.pieces = position.cursor.pieces()
        self.held = position.cursor.held()
        files, ranks = self.rules.files, self.rules.ranks
        self.files = list(range(files))[:: -1 if flipped else 1]
        self.ranks = list(range(ranks))[:: 1 if flipped else -1]
        self.flipped = flipped
        self.checkered = is_checkered(self.rules)
        self.attacked = {self.rules.point(point) for point in position.checkers()}

    def lines(self) -> list[str]:
        far, near = (0, 1) if self.flipped else (1, 0)
        lines = [self._files(far)]
        bank = river(self.rules)
        width = 4 * len(self.files) - 1
        for place, rank in enumerate(self.ranks):
            lines.append(self._rank(rank))
            if place + 1 < len(self.ranks) and not self.checkered:
                between = {rank, self.ranks[place + 1]}
                at_river = bank is not None and between == {bank, bank + 1}
                lines.append(self._between(rank, self.ranks[place + 1], at_river, width))
        lines.append(self._files(near))
        if self.rules.reserves:
            lines += [self._hand(far), self._hand(near)]
        lines.append(self._state())
        return lines

    def _paint(self, style: str, text: str) -> str:
        return f"{style}{text}{_OFF}" if self.colour else text

    def _files(self, side: int) -> str:
        cells = []
        for file in self.files:
            name = chr(97 + file)
            if self.names == "files":
                name = file_names(self.rules, file)[side]
            cells.append(_centred(name, 3))
        return "    " + (" " if not self.checkered else "").join(cells)

    def _rank(self, rank: int) -> str:
        cells = []
        for place, file in enumerate(self.files):
            code = self.pieces[rank * self.rules.files + file]
            ground = _DARK if self.checkered and (file + rank) % 2 == 0 else _WOOD
            cells.append(self._piece(code, ground) if code else self._paint(ground, self._empty(rank, file)))
            if not self.checkered and place + 1 < len(self.files):
                cells.append(self._paint(_WOOD, "─"))
        return f"{rank + 1:>2}  {''.join(cells)}"

    def _empty(self, rank: int, file: int) -> str:
        if self.checkered:
            return "   " if self.colour else " . "
        first, last = self.files[0], self.files[-1]
        left, right = (" " if file == first else "─"), (" " if file == last else "─")
        far, near = self.ranks[0], self.ranks[-1]
        corner = "┼"
        if rank == far:
            corner = "┌" if file == first else "┐" if file == last else "┬"
        elif rank == near:
            corner = "└" if file == first else "┘" if file == last else "┴"
        elif file in (first, last):
            corner = "├" if file == first else "┤"
        elif (bank := river(self.rules)) is not None and rank in (bank, bank + 1):
            north = (rank == bank + 1) != self.flipped
            corner = "┴" if north else "┬"
        return f"{left}{corner}{right}"

    def _piece(self, code: int, ground: str) -> str:
        piece = self.rules.pieces[(code & 15) - 1]
        black = code >= BLACK
        if self.letters:
            face = piece.letter.lower() if black and not self.colour else piece.letter
            text = f" {face} "
        else:
            face = faces(piece)[black]
            text = f"({face}" if not black and not self.colour else f" {face}"
            text += " " * (3 - _width(text))
        return self._paint(ground + (_BLACK if black else _RED) + _BOLD, text)

    def _between(self, above: int, below: int, at_river: bool, width: int) -> str:
        if at_river:
            words = " ".join("楚河") + " " * 7 + " ".join("漢界") if width >= 27 else ""
            inner = _centred(words, width - 4)
            return "    " + self._paint(_WOOD, f" │{inner}│ ")
        palace = self._slants(min(above, below))
        cells = []
        for place, file in enumerate(self.files):
            cells.append(" │ ")
            if place + 1 < len(self.files):
                cells.append(palace.get(min(file, self.files[place + 1]), " "))
        return "    " + self._paint(_WOOD, "".join(cells))

    def _slants(self, rank: int) -> dict[int, str]:
        """The palaces' diagonals between ``rank`` and the next, by the file on their left."""
        if "palace" not in self.rules.data["regions"]:
            return {}
        files, end = self.rules.files, self.rules.files * self.rules.ranks - 1
        found = {}
        for turned in (False, True):
            points = {end - p if turned else p for p in self.rules.region("palace")}
            low_file, low_rank = min(p % files for p in points), min(p // files for p in points)
            step = rank - low_rank
            for k in range(2):
                if step in (0, 1):
                    rising = (k == step) != self.flipped
                    # seen with the higher rank above: "/" rises to the right
                    mirrored = rising if not self.flipped else not rising
                    found[low_file + k] = "╱" if mirrored else "╲"
        return found

    def _hand(self, side: int) -> str:
        name = ("Red", "Black")[side]
        shown = []
        for kind, count in sorted(self.held[side].items()):
            piece = self.rules.pieces[kind - 1]
            face = piece.letter if self.letters else faces(piece)[side]
            shown.append(face + (f"×{count}" if count > 1 else ""))
        return f"{name} holds {' '.join(shown) or 'nothing'}"

    def _state(self) -> str:
        text = f"{self.position.side.capitalize()} to move"
        if self.position.is_checkmate():
            text += ", checkmate"
        elif self.position.is_stalemate():
            text += ", no legal move"
        elif checkers := self.position.checkers():
            text += f", in check from {', '.join(checkers)}"
        elif self.position.is_wide_check():
            text += ", in wide check: a capture beside the general would blow it up"
        else:
            number = len(self.position.legal_moves())
            text += f", {number} legal move{'' if number == 1 else 's'}"
        return text


def _width(text: str) -> int:
    """Columns that a terminal gives a text: two for each Chinese character."""
    return sum(2 if "\u2e80" <= sign <= "\ufaff" else 1 for sign in text)


def _centred(text: str, width: int) -> str:
    left = (width - _width(text)) // 2
    return " " * left + text + " " * (width - left - _width(text))
