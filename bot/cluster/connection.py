"""The connection of one shard to Discord's gateway, kept up until it is cancelled.

discord.py takes up the lost connections of all shards one after the other, and knows no shard that
is left; here each has a task of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.store import StoreError

log = logging.getLogger(__name__)

CONNECT_S = 60.0
"""Seconds in which a connection must be there, all told."""
CLOSE_S = 5.0
"""Seconds that Discord has to agree to the end of a connection."""
LEFT = 1000
"""The code by which a connection is closed for good: Discord drops its session."""
INTENTS_REFUSED = 4014
PASSING = (
    OSError,
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.ConnectionClosed,
    aiohttp.ClientError,
    StoreError,
)
"""Errors after which it is tried again, but for a connection that Discord closes for good."""


class ShardConnection:
    """Connects as `client`, by turns: `turn` returns when this shard may identify itself.

    `on_socket` is told of each new connection. A session that can be resumed needs no turn.
    """

    def __init__(
        self,
        client: discord.AutoShardedClient,
        shard: int,
        turn: Callable[[], Awaitable[None]],
        on_socket: Callable[[DiscordWebSocket], None],
    ) -> None:
        self._client = client
        self._shard = shard
        self._turn = turn
        self._on_socket = on_socket
        self._socket: DiscordWebSocket | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def keep(self) -> None:
        """Stay connected until the client is closed.

        Raises ConnectionClosed where Discord wants no more of the bot, and
        PrivilegedIntentsRequired.
        """
        backoff, resume = ExponentialBackoff[bool](), False
        while not self._client.is_closed():
            try:
                socket = await self._connected(resume=resume)
                self._socket = socket
                self._on_socket(socket)
                while True:
                    await socket.poll_event()
            except ReconnectWebSocket as again:
                self._parted()
                resume = again.resume
            except PASSING as error:
                self._parted()
                if self._client.is_closed():
                    return
                if isinstance(error, discord.ConnectionClosed) and error.code != LEFT:
                    if error.code == INTENTS_REFUSED:
                        raise discord.PrivilegedIntentsRequired(self._shard) from None
                    raise
                wait = backoff.delay()
                reason = type(error).__name__
                log.warning("shard=%s connects again in %.1f s: %s", self._shard, wait, reason)
                await asyncio.sleep(wait)
                resume = True

    async def _connected(self, *, resume: bool) -> DiscordWebSocket:
        known = self._socket
        # Discord has taken the session's id away where it cannot be resumed.
        if not resume or known is None or known.session_id is None:
            await self._turn()
            return await self._opened()
        return await self._opened(
            resume=True, gateway=known.gateway, session=known.session_id, sequence=known.sequence
        )

    async def _opened(self, **session: Any) -> DiscordWebSocket:
        opening = asyncio.create_task(
            DiscordWebSocket.from_client(self._client, shard_id=self._shard, **session)
        )
        try:
            async with asyncio.timeout(CONNECT_S):
                return await asyncio.shield(opening)
        except TimeoutError:
            opening.cancel()
            raise
        except asyncio.CancelledError:
            # Nobody could close a connection that has been cut off while it is made.
            opening.add_done_callback(self._close_later)
            raise

    def _close_later(self, opening: asyncio.Task[DiscordWebSocket]) -> None:
        if not opening.cancelled() and opening.exception() is None:
            closing = asyncio.create_task(closed(opening.result()))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    def _parted(self) -> None:
        self._client.dispatch("disconnect")
        self._client.dispatch("shard_disconnect", self._shard)


async def closed(socket: DiscordWebSocket) -> None:
    """Close a connection for good; one that does not answer is given up."""
    try:
        async with asyncio.timeout(CLOSE_S):
            await socket.close(code=LEFT)
    except (TimeoutError, OSError, aiohttp.ClientError) as error:
        log.info("shard=%s not closed: %s", socket.shard_id, type(error).__name__)
