"""What the C library does with memory: what a shard has freed serves the next one, and new memory comes in large
pages, of which there are few to ask for. Asking for small ones is a tenth of a worker's first shard.
"""

from __future__ import annotations

import ctypes
import mmap
import resource
import sys

M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD = -1, -2, -3
"""As GNU's malloc.h has them."""

KEPT = 256 << 20
"""Free bytes that a process may keep, more than a shard takes."""
LARGEST = 32 << 20
"""Blocks up to so many bytes come from what is kept; GNU's library takes no more."""
AHEAD = 128 << 20
"""Bytes of addresses that are taken at once for what shards will need; memory is behind them when it is used."""
USUAL_PAD = 128 << 10
"""What GNU's library takes ahead by itself."""
LARGE_PAGE = 2 << 20


def keep() -> None:
    """Keep freed memory in this process and those forked from it, and where addresses have no limit, take some ahead.
    Does nothing without GNU's C library."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(library, "mallopt"):
        return
    assert library
    library.mallopt(M_MMAP_THRESHOLD, LARGEST)
    library.mallopt(M_TRIM_THRESHOLD, KEPT)
    unlimited = all(
        resource.getrlimit(kind)[0] == resource.RLIM_INFINITY
        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    )
    if unlimited and hasattr(mmap, "MADV_HUGEPAGE"):
        begin, end = _taken_ahead(library)
        begin, end = -(-begin // LARGE_PAGE) * LARGE_PAGE, end // LARGE_PAGE * LARGE_PAGE
        if begin < end:
            library.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), mmap.MADV_HUGEPAGE)


def _taken_ahead(library: ctypes.CDLL) -> tuple[int, int]:
    """Where the heap ended, and where it ends now that it has `AHEAD` more; the same where it has enough."""
    sbrk, malloc, free = library.sbrk, library.malloc, library.free
    sbrk.restype = malloc.restype = ctypes.c_void_p
    sbrk.argtypes = [ctypes.c_ssize_t]
    malloc.argtypes = [ctypes.c_size_t]
    free.argtypes = [ctypes.c_void_p]
    begin = sbrk(0)
    library.mallopt(M_TOP_PAD, AHEAD)
    free(malloc(LARGEST - LARGE_PAGE))  # the heap grows by it, and by what is ahead
    library.mallopt(M_TOP_PAD, USUAL_PAD)
    return begin, sbrk(0)
