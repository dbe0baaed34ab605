"""The discord.py client of one process among several, which runs some of the shards."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from typing import Any, cast

import aiohttp
import discord
from discord.ext import commands

from bot.client import GameBot
from bot.cogs.ui.services import Services
from bot.host.gateway import reach_discord
from bot.store.sharing import DIRECT, shard_of

log = logging.getLogger(__name__)

CLOSE_S = 5.0
"""Seconds to wait for Discord to close a connection."""
CLOSE_CODE = 1000
"""Closes a connection for good: Discord drops its session."""


class NeverConnected(Exception):
    """There is no session to resume yet."""


class ShardClient:
    """The bot as `discord.Client.connect` sees it, with the connection of a single shard.

    discord.py's own client reconnects all shards one by one, and cannot leave a shard.
    """

    def __init__(self, bot: ShardedGameBot, shard: int) -> None:
        self.shard_id = shard
        self.ws: Any
        self._bot = bot
        self._was_left = False
        # Interactions run in this context, so it must not hold the fence of a task.
        self._task = asyncio.create_task(bot.keep_connected(self), context=Context())

    def __getattr__(self, name: str) -> Any:
        if name == "ws":
            raise NeverConnected
        return getattr(self._bot, name)

    def is_closed(self) -> bool:
        return self._was_left or self._bot.is_closed()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event of this shard."""
        self._bot.dispatch(event, *args, **kwargs)
        # A shard that was left may disconnect after it was connected again.
        if event == "disconnect" and not self._was_left:
            self._bot.dispatch("shard_disconnect", self.shard_id)

    async def close(self) -> None:
        """Close the connection for good, and do not wait long for Discord."""
        with suppress(NeverConnected, OSError, aiohttp.ClientError):
            async with asyncio.timeout(CLOSE_S):
                await self.ws.close(code=CLOSE_CODE)

    async def leave(self) -> None:
        """Close the connection and do not reconnect."""
        self._was_left = True
        await self.close()
        if "ws" in vars(self):
            # Also closes a connection that is just being opened again.
            await asyncio.wait([self._task], timeout=CLOSE_S)
        self._task.cancel()
        await asyncio.wait([self._task])


class ShardedGameBot(GameBot, commands.AutoShardedBot):
    """The bot on some of `shards` shards, which may change while it is logged in.

    `turn` is called with a bucket, a shard's number modulo Discord's `max_concurrency`, and
    returns when a shard of that bucket may identify. The process with the shard of direct messages
    syncs the commands. The bot is ready as soon as it may connect.
    """

    def __init__(
        self,
        services: Services,
        *,
        shards: int,
        turn: Callable[[int], Awaitable[None]],
        **parts: Any,
    ) -> None:
        super().__init__(services, **parts, shard_count=shards, shard_ids=[])
        self.running: dict[int, ShardClient] = {}
        """The shards it runs, connected or not."""
        self._count = shards
        self._turn = turn
        self._buckets = 1
        self._has_turn: set[int] = set()
        self._online: set[int] = set()
        self._loaded: set[int] = set()
        """Shards whose servers Discord has sent."""
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sync_task: asyncio.Task[None] | None = None

    @property
    def ready_shards(self) -> frozenset[int]:
        """The shards that are connected and whose servers Discord has sent."""
        return frozenset(self._online & self._loaded)

    def expects_server(self, guild: int) -> bool:
        """Return whether the server's shard is not run here, or not ready yet."""
        return shard_of(guild, self._count) not in self._loaded

    async def setup_hook(self) -> None:
        """Load the cogs, and ask Discord how many shards may identify at once."""
        await self.load()
        gateway = await self.http.request(_gateway_route())
        self._buckets = max(1, gateway["session_start_limit"]["max_concurrency"])

    async def connect(self, *, reconnect: bool = True) -> None:
        """Run shards until the bot is closed.

        Raise ConnectionClosed if Discord refuses to reconnect, and PrivilegedIntentsRequired.
        """
        self._connection.call_handlers("ready")
        self.dispatch("ready")
        try:
            await self._ended
        except Exception:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish replies and posts, then disconnect."""
        if self._sync_task is not None:
            self._sync_task.cancel()
        await asyncio.gather(*(each.leave() for each in self.running.values()))
        await super().close()
        if not self._ended.done():
            self._ended.set_result(None)

    # Adding and removing shards

    def run_shard(self, shard: int) -> None:
        """Connect a shard, unless it is already running."""
        if shard not in self.running and not self.is_closed():
            self.running[shard] = ShardClient(self, shard)

    async def leave_shard(self, shard: int) -> None:
        """Disconnect a shard, if it is running, and remove its servers."""
        if shard in self.running:
            self._loaded.discard(shard)
            await self.running.pop(shard).leave()
            if shard not in self.running:
                self._forget(shard)

    async def keep_connected(self, shard: ShardClient) -> None:
        """Keep a shard connected until it is left."""
        try:
            while not shard.is_closed():
                with suppress(NeverConnected):
                    await self._turn(shard.shard_id % self._buckets)
                    self._has_turn.add(shard.shard_id)
                    await discord.Client.connect(cast(discord.Client, shard))
        # An error that ends one shard for good ends the bot with that error.
        except Exception as error:  # noqa: BLE001
            if not self._ended.done():
                self._ended.set_exception(error)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for another turn if the session of a shard cannot be resumed."""
        assert shard_id is not None
        if shard_id not in self._has_turn:
            await self._turn(shard_id % self._buckets)
        self._has_turn.discard(shard_id)

    def _forget(self, shard: int) -> None:
        """Remove all state of a shard."""
        state = self._connection
        if task := state._ready_tasks.pop(shard, None):
            task.cancel()
        state._ready_states.pop(shard, None)
        for guild in self.guilds:
            if guild.shard_id == shard:
                state._remove_guild(guild)
        self.dispatch("shard_disconnect", shard)

    # Events

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event after recording those of shards."""
        match event_name:
            case "shard_connect" | "shard_resumed":
                self._online.add(args[0])
            case "shard_disconnect":
                self._online.discard(args[0])
            case "shard_ready" if args[0] in self.running:
                self._loaded.add(args[0])
                # Each time, as another version may have run the shard in the meantime.
                if args[0] == DIRECT and (self._sync_task is None or self._sync_task.done()):
                    self._sync_task = asyncio.create_task(self._sync_commands())
        super().dispatch(event_name, *args, **kwargs)

    async def _sync_commands(self) -> None:
        try:
            await reach_discord(self.sync_commands)
        # Nothing awaits this task, so its error would be lost.
        except Exception as error:  # noqa: BLE001
            log.error("command sync failed error=%s", error)


async def recommended_shards(token: str) -> int:
    """Return how many shards Discord recommends. Raise the errors of a login and a request."""
    client = discord.Client(intents=discord.Intents(guilds=True))
    try:
        await client.login(token)
        gateway = await client.http.request(_gateway_route())
    finally:
        await client.close()
    return int(gateway["shards"])


def _gateway_route() -> discord.http.Route:
    # Not a constant: a route includes the address, which `point_discord_at` changes.
    return discord.http.Route("GET", "/gateway/bot")
