"""Waiting for conditions, however busy the machine is."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

TIMEOUT_S = 60.0


async def until(condition: Callable[[], Any]) -> Any:
    """Wait until the condition, which may be awaitable, is true; return its value."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            value = condition()
            if inspect.isawaitable(value):
                value = await value
            if value:
                return value
            await asyncio.sleep(0.005)
