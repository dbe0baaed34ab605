"""Waiting for what must come about, however busy the machine is."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

TIMEOUT_S = 60.0


async def until(holds: Callable[[], Any]) -> Any:
    """Waits until it gives something true, which may be awaitable; what it gives."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            found = holds()
            if inspect.isawaitable(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.005)
