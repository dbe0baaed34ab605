"""How long the bot holds the event loop, callback by callback.

The stand-in and the bot share one loop here, so callbacks are told apart by their context: what was
begun inside `of_the_bot` is the bot's, and so is all that follows from it. What is counted is the
processor time of the loop's own thread. So neither the stand-in's work nor another program on the
machine is taken for the bot's, and the figure is the same on a busy machine; what a worker thread
does in the meantime is not in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import Any

_OF_THE_BOT: ContextVar[bool] = ContextVar("of_the_bot", default=False)


class Holds:
    """The longest hold since it was last asked for, in ms."""

    def __init__(self) -> None:
        self.longest = 0.0

    def taken(self) -> float:
        """The longest hold; then counts anew."""
        longest, self.longest = self.longest, 0.0
        return longest


@contextmanager
def of_the_bot() -> Iterator[None]:
    """Tasks and connections begun within the block count as the bot's, with all that they begin."""
    token = _OF_THE_BOT.set(True)
    try:
        yield
    finally:
        _OF_THE_BOT.reset(token)


@contextmanager
def watched() -> Iterator[Holds]:
    """Times the callbacks of the bot within the block."""
    holds = Holds()
    run = asyncio.Handle._run

    def timed(handle: Any) -> None:
        if not handle._context.get(_OF_THE_BOT, False):
            run(handle)
            return
        began = thread_time()
        run(handle)
        holds.longest = max(holds.longest, 1000 * (thread_time() - began))

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    try:
        yield holds
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]
