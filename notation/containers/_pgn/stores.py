# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Memory that grows, and numbers for byte strings; layouts are in ``stores.pxd``.

A store of zeros is empty, and so is a table of zeros but for its seed. No call raises: who is told that there is no
memory gives up, and drops what it has.
"""

from array import array

import cython
from cython import address, cast, cfunc, declare, exceptval, inline, nogil, pointer, sizeof
from cython.cimports.cpython.buffer import PyBUF_READ
from cython.cimports.cpython.memoryview import PyMemoryView_FromMemory
from cython.cimports.libc.stdlib import calloc, free, realloc
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.notation.containers._pgn.lines import Size, Text

_MOST = declare(Size, 1 << 60)

_MIX_A = declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_MIX_B = declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_MIX_C = declare(cython.ulonglong, 0x94D049BB133111EB)


@cfunc
@nogil
@exceptval(check=False)
def enlarge(v: pointer(Store), extra: Size) -> cython.bint:
    """Make room for ``extra`` more bytes, and for half as many again as there are; False when there is no memory."""
    room: Size
    moved: cython.p_char
    if v.size > _MOST or extra > _MOST:
        return False
    room = v.size + extra + (v.size >> 1) + 64
    moved = cast(cython.p_char, realloc(v.data, room))
    if moved == cython.NULL:
        return False
    v.data = moved
    v.room = room
    return True


@cfunc
@nogil
@exceptval(check=False)
def drop(v: pointer(Store)) -> cython.void:
    free(v.data)
    v.data = cython.NULL
    v.size = 0
    v.room = 0


@cfunc
def take(code: str, v: pointer(Store)):
    """The store as an `array.array` of ``code``; the store is emptied."""
    taken = array(code)
    if v.size:
        taken.frombytes(PyMemoryView_FromMemory(v.data, v.size, PyBUF_READ))
    drop(v)
    return taken


@cfunc
@nogil
@exceptval(check=False)
def table_drop(table: pointer(Table)) -> cython.void:
    free(table.slots)
    table.slots = cython.NULL
    table.mask = 0
    table.count = 0
    drop(address(table.start))
    drop(address(table.length))
    drop(address(table.mark))
    drop(address(table.flag))


@cfunc
@nogil
@exceptval(check=False)
def intern(table: pointer(Table), base: Text, where: Size, n: Size) -> cython.int:
    """Number of ``base[where:where + n]``; a new string takes the next number. -1: no memory."""
    h: cython.ulonglong = hash_of(base + where, n, table.seed)
    k: cython.size_t
    found: cython.int
    if table.slots == cython.NULL or cast(cython.size_t, table.count) * 2 > table.mask:
        if not _grow(table):
            return -1
    k = cast(cython.size_t, h) & table.mask
    while True:
        found = table.slots[k] - 1
        if found < 0:
            break
        if (
            cast(cython.p_ulonglong, table.mark.data)[found] == h
            and cast(cython.p_int, table.length.data)[found] == n
            # up to eight bytes, every step of the hash can be undone
            and (
                n <= 8
                or memcmp(base + cast(cython.p_longlong, table.start.data)[found], base + where, n) == 0
            )
        ):
            return found
        k = (k + 1) & table.mask
    if not (
        push64(address(table.start), where)
        and push32(address(table.length), cast(cython.int, n))
        and push64(address(table.mark), cast(cython.longlong, h))
        and push8(address(table.flag), 0)
    ):
        return -1
    table.slots[k] = cast(cython.int, table.count + 1)
    table.count += 1
    return cast(cython.int, table.count - 1)


@cfunc
@nogil
@exceptval(check=False)
def _grow(table: pointer(Table)) -> cython.bint:
    """Twice as many slots, and their strings in them; False when there is no memory."""
    size: cython.size_t = 1024 if table.slots == cython.NULL else (table.mask + 1) * 2
    i: Size
    k: cython.size_t
    marks: cython.p_ulonglong = cast(cython.p_ulonglong, table.mark.data)
    slots: cython.p_int
    if size > (cast(cython.size_t, 1) << 31):
        return False
    slots = cast(cython.p_int, calloc(size, sizeof(cython.int)))
    if slots == cython.NULL:
        return False
    for i in range(table.count):
        k = cast(cython.size_t, marks[i]) & (size - 1)
        while slots[k]:
            k = (k + 1) & (size - 1)
        slots[k] = cast(cython.int, i + 1)
    free(table.slots)
    table.slots = slots
    table.mask = size - 1
    return True


@cfunc
@nogil
@inline
@exceptval(check=False)
def hash_of(s: Text, n: Size, seed: cython.ulonglong) -> cython.ulonglong:
    h: cython.ulonglong = seed ^ (cast(cython.ulonglong, n) * _MIX_A)
    w: cython.ulonglong
    part: cython.uint
    i: Size
    while n >= 8:
        memcpy(address(w), s, 8)
        h = (h ^ w) * _MIX_B
        h ^= h >> 29
        s += 8
        n -= 8
    w = 0
    if n >= 4:
        memcpy(address(part), s, 4)
        memcpy(address(w), s + n - 4, 4)
        w = (w << 32) | part
    else:
        for i in range(n):
            w = (w << 8) | s[i]
    h = (h ^ w) * _MIX_B
    h ^= h >> 29
    h *= _MIX_C
    return h ^ (h >> 31)
