"""Retries what cannot be reached, without filling the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LAST_PAUSE = 300.0
REASON_LENGTH = 200
"""A server may send a whole page for a reason."""

T = TypeVar("T")


async def retry(
    what: str | None, attempt: Callable[[], Awaitable[T]], may_pass: Callable[[Exception], bool]
) -> T:
    """Return the result of the first attempt that succeeds; raise the first error that can't pass.

    The pauses double, from `FIRST_PAUSE` up to `LAST_PAUSE` seconds. Each new reason is logged
    once; with None for `what` nothing is logged.
    """
    pause, logged = FIRST_PAUSE, ""
    while True:
        try:
            result = await attempt()
        except Exception as error:
            if not may_pass(error):
                raise
            reason = " ".join([type(error).__name__, *str(error).splitlines()[:1]])[:REASON_LENGTH]
        else:
            if logged:
                log.warning("%s connected", what)
            return result
        if what is not None and reason != logged:
            log.warning("%s unreachable, retrying error=%s", what, reason)
            logged = reason
        await asyncio.sleep(pause)
        pause = min(2 * pause, LAST_PAUSE)
