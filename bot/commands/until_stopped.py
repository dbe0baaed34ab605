"""Work that goes on until somebody stops the program."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Coroutine
from contextlib import suppress

log = logging.getLogger("bot")


async def until_stopped(work: Coroutine[None, None, None]) -> None:
    """Do it until it ends, or SIGINT or SIGTERM cancels it, once; it ends what is under way."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there Ctrl+C raises KeyboardInterrupt.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    working, stopped = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        if not working.done():
            log.info("stopping")
            working.cancel()
        with suppress(asyncio.CancelledError):
            await working
