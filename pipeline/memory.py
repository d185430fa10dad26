"""What the C library does with memory that a shard has freed: it serves the next one, and is not given back between."""

from __future__ import annotations

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""As GNU's malloc.h has them."""

KEPT = 256 << 20
"""Free bytes that a process may keep, more than a shard takes."""
LARGEST = 32 << 20
"""Blocks up to so many bytes come from what is kept; GNU's library takes no more."""


def keep() -> None:
    """Keep freed memory in this process and those forked from it. Does nothing without GNU's C library."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt:
        mallopt(M_MMAP_THRESHOLD, LARGEST)
        mallopt(M_TRIM_THRESHOLD, KEPT)
