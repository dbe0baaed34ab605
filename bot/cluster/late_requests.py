"""Refuses requests to Discord on behalf of a lease that is not held any more.

What is stored is checked by the database; a message is not. Between the decision to send it and its
leaving, discord.py may wait for the limit of its route, and a process may stand still. So the lease
is looked at when the request is made, by our own clock.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import aiohttp

from bot.store.sharing import FENCE, Fence
from bot.tables import NotOurs


def refuse_late(trace: aiohttp.TraceConfig, holds: Callable[[Fence], bool]) -> aiohttp.TraceConfig:
    """The same trace for discord.py, whose requests then raise NotOurs where they come too late.

    Add it last: what was added before, such as waiting for one's turn, is done first.
    """

    async def on_start(
        _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceRequestStartParams
    ) -> None:
        fence = FENCE.get()
        if fence is not None and not holds(fence):
            raise NotOurs

    trace.on_request_start.append(on_start)
    return trace
