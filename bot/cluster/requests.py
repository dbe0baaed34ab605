"""Rate limits for requests to Discord from several processes.

Discord allows 50 requests a second, which members divide, unless a proxy does. Answers to
interactions do not count and never wait. discord.py handles the limits of single routes in each
member, which works as only one member posts in a channel. It also retries after a 429, which direct
messages or a hand-over may cause.
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

REQUESTS_PER_SECOND = 50
"""Requests per second that Discord allows a bot."""
MARGIN = 0.9
"""The part of them that is used, as Discord measures seconds differently."""
EXEMPT = ("interactions", "webhooks")
"""The first parts of paths of answers to interactions."""


class Rates:
    """Limits requests to one member's share. `members` returns how many share the limit."""

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
        self._sent: deque[float] = deque()

    async def take(self) -> None:
        """Wait until one more request may be sent, in order of the calls."""
        async with self._turn:
            while True:
                share = REQUESTS_PER_SECOND * MARGIN / max(1, self._members())
                limit, seconds = (int(share), 1.0) if share >= 1 else (1, 1 / share)
                now = self._clock()
                while self._sent and self._sent[0] <= now - seconds:
                    self._sent.popleft()
                if len(self._sent) < limit:
                    self._sent.append(now)
                    return
                await self._sleep(self._sent[-limit] + seconds - now)


def limited(
    trace: aiohttp.TraceConfig, rates: Rates | None, holds: Callable[[Fence], bool]
) -> aiohttp.TraceConfig:
    """Make discord.py's requests wait for the share of `rates`, and raise NotOurs for lost shards.

    The database checks writes, but not messages. Between the decision to send one and the request,
    discord.py may wait for a rate limit and the process may hang. So the lease is checked here, by
    our own clock.
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
    """Return whether a request counts: one to Discord's API that answers no interaction."""
    api = yarl.URL(discord.http.Route.BASE)
    if url.origin() != api.origin() or not url.path.startswith(api.path + "/"):
        return False
    return url.path[len(api.path) + 1 :].partition("/")[0] not in EXEMPT
