"""Retries with increasing pauses, without filling the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

log = logging.getLogger(__name__)

MIN_PAUSE_S = 1.0
MAX_PAUSE_S = 300.0
REASON_LENGTH = 200
"""Characters of a logged reason, as a server may send a whole page."""

T = TypeVar("T")


async def retry(
    name: str | None, attempt: Callable[[], Awaitable[T]], is_temporary: Callable[[Exception], bool]
) -> T:
    """Return the result of the first successful attempt; raise the first permanent error.

    The pauses double, from `MIN_PAUSE_S` up to `MAX_PAUSE_S` seconds. Logs each new reason once, or
    nothing if `name` is None.
    """
    pause, logged = MIN_PAUSE_S, ""
    while True:
        try:
            result = await attempt()
        except Exception as error:
            if not is_temporary(error):
                raise
            reason = " ".join([type(error).__name__, *str(error).splitlines()[:1]])[:REASON_LENGTH]
        else:
            if logged:
                log.warning("%s connected", name)
            return result
        if name is not None and reason != logged:
            log.warning("%s unreachable, retrying error=%s", name, reason)
            logged = reason
        await asyncio.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE_S)
