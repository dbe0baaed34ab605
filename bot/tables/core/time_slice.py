"""Long work on the event loop, in slices: other tasks run in between."""

from __future__ import annotations

import asyncio
from time import perf_counter

HELD_S = 0.004
"""How long a slice may hold up other tasks."""


class TimeSlice:
    """Awaited between the short steps of long work."""

    def __init__(self) -> None:
        self._since = perf_counter()

    async def take(self) -> None:
        """Yields to other tasks once they have waited for `HELD_S` seconds."""
        if perf_counter() - self._since >= HELD_S:
            await asyncio.sleep(0)
            self._since = perf_counter()
