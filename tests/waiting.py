"""Counts how often others get their turn on the event loop while something long is done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


@asynccontextmanager
async def others_waiting() -> AsyncIterator[Callable[[], int]]:
    """Within the block others wait; what is yielded says how many turns they have had since it
    was last called."""
    turns = 0

    async def wait() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    def taken() -> int:
        nonlocal turns
        had, turns = turns, 0
        return had

    waiting = asyncio.create_task(wait())
    try:
        yield taken
    finally:
        waiting.cancel()
