"""What C's library keeps of the memory that the program has freed. It is asked where it is GNU's,
the one of most servers; no other has these functions.
"""

from __future__ import annotations

import ctypes
import sys

_ARENA_MAX = -8
"""What `mallopt` calls the number of heaps."""


def share_heap() -> None:
    """Let all threads have one heap, before they begin. Each has one of its own otherwise, in which
    what others have freed is of no use; they seldom want memory at the same time.
    """
    if (library := _gnu()) is not None:
        library.mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give what is free back to the system: 2 ms for the 8 MB after a start."""
    if (library := _gnu()) is not None:
        library.malloc_trim(0)


def _gnu() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None
