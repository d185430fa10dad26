from libc.stdint cimport uint32_t

from adjudicator._board cimport Board, Rules

cdef int resolve(const Rules* r, Board* b, uint32_t said, int reading, uint32_t* out) noexcept nogil
