"""What C's library keeps of the memory that the program has freed. It is asked where it is GNU's,
the one of most servers; no other has these functions.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""What `mallopt` calls the free end of a heap that goes back, the size that gets no room on a heap,
and the number of heaps."""
_LARGE = 4 << 20
_LEFT = 16 << 20


def share_heap() -> None:
    """Let all threads have one heap, before they begin. Each has one of its own otherwise, in which
    what others have freed is of no use; they seldom want memory at the same time.

    What is large, as pictures are while they are painted, stays beside it, and so leaves no holes:
    by itself the library puts on the heap whatever is as large as something that was freed before.
    """
    if (library := _gnu()) is not None:
        library.mallopt(_ARENA_MAX, 1)
        library.mallopt(_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_TRIM_THRESHOLD, _LEFT)


def give_back() -> None:
    """Give what is free back to the system: 2 ms for the 8 MB after a start."""
    if (library := _gnu()) is not None:
        library.malloc_trim(0)


def _gnu() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None
