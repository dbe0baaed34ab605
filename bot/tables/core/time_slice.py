"""Long work on the event loop, in slices: others get their turn in between."""

from __future__ import annotations

import asyncio
from time import perf_counter

HELD_S = 0.004
"""How long others may be kept waiting by a slice."""


class TimeSlice:
    """Taken between the steps of long work, each of them short."""

    def __init__(self) -> None:
        self._since = perf_counter()

    async def take(self) -> None:
        """Lets others have their turn, once they have waited for `HELD_S` seconds."""
        if perf_counter() - self._since >= HELD_S:
            await asyncio.sleep(0)
            self._since = perf_counter()
