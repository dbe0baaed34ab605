"""Waits for what is out of reach, without asking too often or saying so too often."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LAST_PAUSE = 300.0
REASON = 200
"""Characters of a reason; a server may send a whole page for one."""

T = TypeVar("T")


async def retry(
    what: str, attempt: Callable[[], Awaitable[T]], may_pass: Callable[[Exception], bool]
) -> T:
    """The result of the first attempt that succeeds. Raises the first error that will not pass.

    The pauses between attempts double up to `LAST_PAUSE` seconds; that `what` cannot be reached
    is told once for each reason in turn.
    """
    pause, told = FIRST_PAUSE, ""
    while True:
        try:
            result = await attempt()
        except Exception as error:
            if not may_pass(error):
                raise
            reason = _reason(error)
            if reason != told:
                log.warning("%s cannot be reached, trying until it can: %s", what, reason)
                told = reason
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_PAUSE)
            continue
        if told:
            log.warning("%s has been reached", what)
        return result


def _reason(error: Exception) -> str:
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__} {lines[0]}".strip()[:REASON]
