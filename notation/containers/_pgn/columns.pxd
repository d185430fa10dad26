# What a scanner keeps of the games it reads, and its columns.

from notation.containers._pgn.lines cimport Size, Text
from notation.containers._pgn.remarks cimport Figures
from notation.containers._pgn.stores cimport Store, Table

cdef struct Row:
    # A token, and what its comments say.
    unsigned int token         # number of its lexeme
    unsigned int line
    unsigned int column        # in characters, from 1
    int comment                # number of the words said about it; -1: none
    Figures figures
    unsigned char nag

cdef struct Fault:
    int code                   # place in FAULTS
    int game
    int ply
    int line
    int column
    int other                  # the number expected, or claimed by a tag
    long long start
    long long end

cdef dict row_columns(Store* rows)
cdef list fault_list(Store* faults)
cdef list strings(Table* table, Text base)
cdef dict tag_columns(Text t, Store* tags, Store* first_tag, unsigned long long seed)
