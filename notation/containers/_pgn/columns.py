# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Columns for Python out of what a scanner has kept; its layouts are in ``columns.pxd``."""

import re
from array import array

import cython
from cython import address, cast, cfunc, pointer, sizeof
from cython.cimports.cpython.array import clone
from cython.cimports.cpython.unicode import PyUnicode_DecodeUTF8
from cython.cimports.libc.string import memchr, memcmp
from cython.cimports.notation.containers._pgn.stores import drop, intern, table_drop


@cfunc
def row_columns(rows: pointer(Store)) -> dict:
    """The rows as one `array.array` per field, by name; the rows are dropped."""
    n: Size = rows.size // sizeof(Row)
    columns = {
        name: clone(array(code), n, zero=False)
        for name, code in (
            ("token", "I"),
            ("token_line", "I"),
            ("token_column", "I"),
            ("evaluation", "f"),
            ("mate", "h"),
            ("depth", "h"),
            ("seconds", "f"),
            ("nag", "B"),
            ("comment", "i"),
        )
    }
    token: cython.uint[::1] = columns["token"]
    line: cython.uint[::1] = columns["token_line"]
    column: cython.uint[::1] = columns["token_column"]
    evaluation: cython.float[::1] = columns["evaluation"]
    mate: cython.short[::1] = columns["mate"]
    depth: cython.short[::1] = columns["depth"]
    seconds: cython.float[::1] = columns["seconds"]
    nag: cython.uchar[::1] = columns["nag"]
    comment: cython.int[::1] = columns["comment"]
    row: pointer(Row) = cast(pointer(Row), rows.data)
    i: Size
    with cython.nogil:
        for i in range(n):
            token[i] = row.token
            line[i] = row.line
            column[i] = row.column
            evaluation[i] = row.figures.evaluation
            mate[i] = row.figures.mate
            depth[i] = row.figures.depth
            seconds[i] = row.figures.seconds
            nag[i] = row.nag
            comment[i] = row.comment
            row += 1
    drop(rows)
    return columns


@cfunc
def fault_list(faults: pointer(Store)) -> list:
    """Faults as tuples: (code, game, ply, line, column, start, end, other)."""
    found: list = []
    fault: pointer(Fault)
    i: Size
    for i in range(faults.size // sizeof(Fault)):
        fault = cast(pointer(Fault), faults.data) + i
        place = (fault.line, fault.column, fault.start, fault.end)
        found.append((fault.code, fault.game, fault.ply, *place, fault.other))
    return found


@cfunc
def strings(table: pointer(Table), base: Text) -> list:
    """The strings of ``table``, which stand in ``base``."""
    start: cython.p_longlong = cast(cython.p_longlong, table.start.data)
    length: cython.p_int = cast(cython.p_int, table.length.data)
    i: Size
    return [_decoded(base + start[i], length[i]) for i in range(table.count)]


@cfunc
def _decoded(t: Text, n: Size) -> str:
    return PyUnicode_DecodeUTF8(cast(cython.p_const_char, t), n, b"backslashreplace")


@cfunc
def tag_columns(t: Text, tags: pointer(Store), first_tag: pointer(Store), seed: cython.ulonglong) -> dict:
    """The tags of every game as the columns of `notation.tags.Tags`.

    ``tags`` has four int64 a tag: begin and end of its name, and of its value. ``first_tag`` has the number of
    each game's first one, int64, and how many there are.
    """
    span: cython.p_longlong = cast(cython.p_longlong, tags.data)
    first: cython.p_longlong = cast(cython.p_longlong, first_tag.data)
    games: Size = first_tag.size // 8 - 1
    kept: _Tags = _Tags(games, tags.size // 32, seed)
    g: Size
    k: Size
    for g in range(games):
        for k in range(first[g], first[g + 1]):
            kept.put(t, span + 4 * k)
        kept.end_game(g)
    return kept.columns()


@cython.final
@cython.cclass
class _Texts:
    """Strings of a text, each decoded once, by number."""

    known: Table
    texts: list
    values: cython.bint  # of tags: quotes in them are escaped, and they are brought into one line

    def __cinit__(self, values: cython.bint, seed: cython.ulonglong):
        self.known.seed = seed
        self.texts = []
        self.values = values

    def __dealloc__(self):
        table_drop(address(self.known))

    @cfunc
    def number(self, t: Text, start: Size, end: Size) -> cython.int:
        """The number of ``t[start:end]``."""
        number: cython.int = intern(address(self.known), t, start, end - start)
        if number < 0:
            raise MemoryError
        if number == len(self.texts):
            text = _decoded(t + start, end - start)
            if self.values and _is_escaped(t + start, end - start):
                text = _in_one_line(_ESCAPED.sub(r"\1", text))
            self.texts.append(text)
        return number


_ESCAPED = re.compile(r'\\([\\"])')


@cfunc
def _is_escaped(t: Text, n: Size) -> cython.bint:
    """Whether a backslash or a line break is among ``n`` bytes."""
    return (
        memchr(t, b"\\", n) != cython.NULL
        or memchr(t, b"\n", n) != cython.NULL
        or memchr(t, b"\r", n) != cython.NULL
    )


def _in_one_line(value: str) -> str:
    if "\n" in value or "\r" in value:
        return " ".join(part.strip() for part in value.splitlines()).strip()
    return value


@cython.final
@cython.cclass
class _Tags:
    """The columns of `notation.tags.Tags` in the making: `put` every tag of a game, and `end_game`."""

    names: _Texts
    values: _Texts
    shapes: dict  # bytes of the names' numbers -> number of the shape
    called: object
    arrays: dict
    shape: cython.uint[::1]
    first: cython.longlong[::1]
    value: cython.uint[::1]
    name: cython.int[::1]  # of each value
    place: cython.longlong[::1]  # by name: 1 + where it stands in `value`
    filled: Size
    begun: Size  # where the values of the game in hand begin
    before: Size  # and those of the game before

    def __cinit__(self, games: Size, most: Size, seed: cython.ulonglong):
        """For so many games with ``most`` tags together."""
        self.names = _Texts(False, seed)
        self.values = _Texts(True, seed)
        self.shapes = {}
        self.called = array("i", bytes(4)) * most
        self.arrays = {
            "shape": array("I", bytes(4)) * games,
            "first": array("q", bytes(8)) * (games + 1),
            "value": array("I", bytes(4)) * most,
        }
        self.shape = self.arrays["shape"]
        self.first = self.arrays["first"]
        self.value = self.arrays["value"]
        self.name = self.called
        self.place = array("q", bytes(8)) * most

    @cfunc
    def put(self, t: Text, span: cython.p_longlong) -> cython.void:
        """One more tag of the game in hand; of a repeated name the first value that says something counts."""
        name: cython.int = self.names.number(t, span[0], span[1])
        text: cython.int = self.values.number(t, span[2], span[3])
        place: Size = self.place[name] - 1
        if place < self.begun:
            self.name[self.filled] = name
            self.value[self.filled] = cast(cython.uint, text)
            self.filled += 1
            self.place[name] = self.filled
        elif not self.values.texts[self.value[place]].strip():
            self.value[place] = cast(cython.uint, text)

    @cfunc
    def end_game(self, g: Size) -> cython.void:
        n: Size = self.filled - self.begun
        self.first[g + 1] = self.filled
        if g and n == self.begun - self.before and self._is_alike(n):
            self.shape[g] = self.shape[g - 1]
        else:
            key = self.called[self.begun : self.filled].tobytes()
            self.shape[g] = self.shapes.setdefault(key, len(self.shapes))
        self.before = self.begun
        self.begun = self.filled

    @cfunc
    def _is_alike(self, n: Size) -> cython.bint:
        """Whether the ``n`` tags of the game in hand have the names of those of the game before."""
        return n == 0 or memcmp(address(self.name[self.before]), address(self.name[self.begun]), 4 * n) == 0

    @cfunc
    def columns(self) -> dict:
        columns = self.arrays
        texts = self.values.texts
        columns["value"] = columns["value"][: self.filled]
        columns["shapes"] = [tuple([self.names.texts[k] for k in array("i", key)]) for key in self.shapes]
        columns["texts"] = [*dict.fromkeys(texts)]
        if len(columns["texts"]) < len(texts):  # one text was written in several ways
            numbers = dict(zip(columns["texts"], range(len(texts)), strict=False))
            columns["value"] = array("I", [numbers[texts[k]] for k in columns["value"]])
        return columns
