"""Retries what cannot be reached, with growing pauses, and without filling the log."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_exponential

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LAST_PAUSE = 300.0
REASON = 200
"""Characters of a reason; a server may send a whole page for one."""

T = TypeVar("T")


async def retry(
    what: str | None, attempt: Callable[[], Awaitable[T]], may_pass: Callable[[Exception], bool]
) -> T:
    """The result of the first attempt that succeeds. Raises the first error that is not transient.

    The pauses between attempts double, from `FIRST_PAUSE` up to `LAST_PAUSE` seconds. A warning
    says that `what` cannot be reached, once for each new reason, and a line says when it has been;
    nothing is logged with None, where somebody else does.
    """
    logged = ""

    def warn(state: RetryCallState) -> None:
        nonlocal logged
        error = None if state.outcome is None else state.outcome.exception()
        reason = _reason(error)
        if what is not None and reason != logged:
            log.warning("%s cannot be reached, trying until it can: %s", what, reason)
            logged = reason

    async def once() -> T:
        return await attempt()

    retrying = AsyncRetrying(
        wait=wait_exponential(multiplier=FIRST_PAUSE, max=LAST_PAUSE),
        # Not a cancellation: it is no Exception.
        retry=retry_if_exception(lambda error: isinstance(error, Exception) and may_pass(error)),
        before_sleep=warn,
        reraise=True,
    )
    result: T = await retrying(once)
    if logged:
        log.warning("%s has been reached", what)
    return result


def _reason(error: BaseException | None) -> str:
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__} {lines[0]}".strip()[:REASON]
