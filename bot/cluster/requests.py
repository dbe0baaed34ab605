"""What becomes of requests to Discord where several processes make them.

Discord's 50 requests a second are divided among the members, or left to a proxy. What answers an
interaction counts for nobody, and never waits. Limits of single routes are discord.py's, in each
member: a channel's posts are one member's, so that its limit is not shared. Where direct messages
or a hand-over meet a 429, discord.py makes the request again.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import aiohttp
import discord.http
import yarl

from bot.store.sharing import FENCE, Fence
from bot.tables import NotOurs

A_SECOND = 50
"""Requests that Discord takes from a bot in a second."""
USED = 0.9
"""The part of them that is used: a second of ours is not quite one of Discord's."""
FREE = ("interactions", "webhooks")
"""What paths of answers to interactions begin with."""


class Rates:
    """This member's share, where there are `members` now."""

    def __init__(
        self,
        members: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._members = members
        self._clock = clock
        self._sleep = sleep
        self._turn = asyncio.Lock()
        self._made: deque[float] = deque()

    async def take(self) -> None:
        """Returns when one more request may be made; whoever asks first goes first."""
        async with self._turn:
            while True:
                share = A_SECOND * USED / max(1, self._members())
                # So many requests in so many seconds.
                most, seconds = (int(share), 1.0) if share >= 1 else (1, 1 / share)
                now = self._clock()
                while self._made and self._made[0] <= now - seconds:
                    self._made.popleft()
                if len(self._made) < most:
                    self._made.append(now)
                    return
                await self._sleep(self._made[-most] + seconds - now)


def watched(
    trace: aiohttp.TraceConfig, rates: Rates | None, holds: Callable[[Fence], bool]
) -> aiohttp.TraceConfig:
    """The trace for discord.py, whose requests wait until they are within the share of `rates`, and
    raise NotOurs where they are made for the sake of a shard that is lost.

    What is stored is checked by the database; a message is not. Between the decision to send it and
    its leaving, discord.py may wait for the limit of its route, and a process may stand still. So
    it is looked at when the request is made, by our own clock.
    """

    async def on_start(
        _: aiohttp.ClientSession, __: SimpleNamespace, start: aiohttp.TraceRequestStartParams
    ) -> None:
        if rates is not None and is_counted(start.url):
            await rates.take()
        fence = FENCE.get()
        if fence is not None and not holds(fence):
            raise NotOurs

    trace.on_request_start.append(on_start)
    return trace


def is_counted(url: yarl.URL) -> bool:
    """Whether Discord counts a request among the 50: one to its API that answers no interaction."""
    api = yarl.URL(discord.http.Route.BASE)
    if url.origin() != api.origin() or not url.path.startswith(api.path + "/"):
        return False
    return url.path[len(api.path) + 1 :].partition("/")[0] not in FREE
