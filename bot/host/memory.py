"""Memory of a program that runs for months: Python's garbage, and what C's library keeps of it."""

from __future__ import annotations

import ctypes
import gc
import sys

FULL_COLLECTION_AFTER = 1000
"""Collections of the middle generation before one of everything, which may hold the event loop for
a fifth of a second. By Python's own ten that happens several times a minute while people play."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""What GNU's `mallopt` calls the free end of a heap that goes back to the system, the size that
gets no room on a heap, and the number of heaps."""
_LARGE = 4 << 20
_LEFT = 16 << 20


def prepare_memory() -> None:
    """Call it before the first thread begins: saves 15 MB once boards have been drawn.

    By itself GNU's library gives each thread a heap of its own, where nothing else uses what it has
    freed, and puts large pictures there, which leave holes.
    """
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_AFTER)
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "mallopt"):
        library.mallopt(_ARENA_MAX, 1)
        library.mallopt(_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_TRIM_THRESHOLD, _LEFT)


def freeze_garbage() -> None:
    """Let no collection walk through what the start has made; a second call does nothing."""
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
