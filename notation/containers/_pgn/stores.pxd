# Memory that grows, and numbers for byte strings.

from notation.containers._pgn.lines cimport Size, Text

cdef struct Store:
    char* data
    Size size
    Size room

cdef struct Table:
    # Distinct byte strings -> small numbers, in order of first appearance.
    int* slots                 # number + 1; 0: free
    size_t mask
    Size count
    Store start                # int64: where the string stands in its text
    Store length               # int32
    Store mark                 # uint64: its hash
    Store flag                 # uint8: the owner's
    unsigned long long seed

cdef bint enlarge(Store* v, Size extra) noexcept nogil
cdef void drop(Store* v) noexcept nogil
cdef take(str code, Store* v)
cdef void table_drop(Table* table) noexcept nogil
cdef unsigned long long hash_of(Text s, Size n, unsigned long long seed) noexcept nogil
cdef int intern(Table* table, Text base, Size where, Size n) noexcept nogil

# Each of these is False when there is no memory.

cdef inline bint reserve(Store* v, Size extra) noexcept nogil:
    return v.room - v.size >= extra or enlarge(v, extra)

cdef inline bint push64(Store* v, long long value) noexcept nogil:
    if not reserve(v, 8):
        return False
    (<long long*>(v.data + v.size))[0] = value
    v.size += 8
    return True

cdef inline bint push32(Store* v, int value) noexcept nogil:
    if not reserve(v, 4):
        return False
    (<int*>(v.data + v.size))[0] = value
    v.size += 4
    return True

cdef inline bint push8(Store* v, int value) noexcept nogil:
    if not reserve(v, 1):
        return False
    v.data[v.size] = <char>value
    v.size += 1
    return True
