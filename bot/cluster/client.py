"""The discord.py client of one process among several: it runs whichever shards it is told to."""

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
from bot.host.gateway import discord_reached
from bot.store.sharing import DIRECT, shard_of

log = logging.getLogger(__name__)

CLOSE_S = 5.0
"""Seconds that Discord has to agree to the end of a connection."""
LEFT = 1000
"""The code by which a connection is closed for good: Discord drops its session."""


class NeverConnected(Exception):
    """There is no session to resume yet."""


class ShardClient:
    """The bot as `discord.Client.connect` sees it, which keeps up one connection, that of a shard.

    discord.py takes up the lost connections of all shards one after the other, and knows no shard
    that is left.
    """

    def __init__(self, bot: ShardedGameBot, shard: int) -> None:
        self.shard_id = shard
        self.ws: Any
        self._bot = bot
        self._is_left = False
        # Presses are heard in this context: they are nobody's work but their person's.
        self._task = asyncio.create_task(bot.keep(self), context=Context())

    def __getattr__(self, name: str) -> Any:
        if name == "ws":
            raise NeverConnected
        return getattr(self._bot, name)

    def is_closed(self) -> bool:
        """Whether it is not to be connected any more."""
        return self._is_left or self._bot.is_closed()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell of an event of this shard."""
        self._bot.dispatch(event, *args, **kwargs)
        # One that is left may end when the same shard is connected anew already.
        if event == "disconnect" and not self._is_left:
            self._bot.dispatch("shard_disconnect", self.shard_id)

    async def close(self) -> None:
        """Close the connection for good; one that does not answer is given up."""
        with suppress(NeverConnected, OSError, aiohttp.ClientError):
            async with asyncio.timeout(CLOSE_S):
                await self.ws.close(code=LEFT)

    async def leave(self) -> None:
        """The same, and do not connect again; nothing where it is one that failed."""
        self._is_left = True
        await self.close()
        if "ws" in vars(self):
            # One that is just being made anew is closed as well.
            await asyncio.wait([self._task], timeout=CLOSE_S)
        self._task.cancel()
        await asyncio.wait([self._task])


class ShardedGameBot(GameBot, commands.AutoShardedBot):
    """The bot on some of `shards` shards, which come and go as long as it is logged in.

    `turn` is called with a bucket, the number of a shard modulo Discord's `max_concurrency`, and
    returns when a shard of that bucket may identify itself. Whoever runs the shard of direct
    messages makes the commands known. It is ready as soon as it may connect.
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
        """The shards it has been told to run."""
        self._count = shards
        self._turn = turn
        self._buckets = 1
        self._has_turn: set[int] = set()
        self._online: set[int] = set()
        self._known: set[int] = set()
        """Those of whose servers Discord has told."""
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._making_known: asyncio.Task[None] | None = None

    @property
    def ready_shards(self) -> frozenset[int]:
        """The shards that are connected, and of whose servers Discord has told."""
        return frozenset(self._online & self._known)

    def expects_server(self, guild: int) -> bool:
        """Whether its shard is not run here, or is not ready yet."""
        return shard_of(guild, self._count) not in self._known

    async def setup_hook(self) -> None:
        """Load the cogs, and ask how many shards may identify themselves at once."""
        await self.load()
        advice = await self.http.request(_advice())
        self._buckets = max(1, advice["session_start_limit"]["max_concurrency"])

    async def connect(self, *, reconnect: bool = True) -> None:
        """Run shards until the bot is closed. Raises ConnectionClosed where Discord wants no more
        of it, and PrivilegedIntentsRequired."""
        self._connection.call_handlers("ready")
        self.dispatch("ready")
        try:
            await self._ended
        except Exception:
            await self.close()
            raise

    async def close(self) -> None:
        """Leave Discord, once answers and posts under way have ended."""
        if self._making_known is not None:
            self._making_known.cancel()
        await asyncio.gather(*(each.leave() for each in self.running.values()))
        await super().close()
        if not self._ended.done():
            self._ended.set_result(None)

    # Shards come and go

    def run_shard(self, shard: int) -> None:
        """Connect a shard from now on, if it is not being run already."""
        if shard not in self.running and not self.is_closed():
            self.running[shard] = ShardClient(self, shard)

    async def leave_shard(self, shard: int) -> None:
        """Disconnect a shard, and forget its servers; nothing where it is not being run."""
        if shard in self.running:
            self._known.discard(shard)
            await self.running.pop(shard).leave()
            if shard not in self.running:
                self._forget(shard)

    async def keep(self, shard: ShardClient) -> None:
        """Keep up the connection of a shard until it is left."""
        try:
            while not shard.is_closed():
                with suppress(NeverConnected):
                    await self._turn(shard.shard_id % self._buckets)
                    self._has_turn.add(shard.shard_id)
                    await discord.Client.connect(cast(discord.Client, shard))
        # Whatever ends one shard for good ends the bot, which says why.
        except Exception as error:  # noqa: BLE001
            if not self._ended.done():
                self._ended.set_exception(error)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for another turn where the session of a shard cannot be resumed."""
        assert shard_id is not None
        if shard_id not in self._has_turn:
            await self._turn(shard_id % self._buckets)
        self._has_turn.discard(shard_id)

    def _forget(self, shard: int) -> None:
        """The shard disappears, as if it had never been run here."""
        state = self._connection
        if telling := state._ready_tasks.pop(shard, None):
            telling.cancel()
        state._ready_states.pop(shard, None)
        for guild in self.guilds:
            if guild.shard_id == shard:
                state._remove_guild(guild)
        self.dispatch("shard_disconnect", shard)

    # What becomes of them

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell of an event; those of shards are noted first."""
        match event_name:
            case "shard_connect" | "shard_resumed":
                self._online.add(args[0])
            case "shard_disconnect":
                self._online.discard(args[0])
            case "shard_ready" if args[0] in self.running:
                self._known.add(args[0])
                # Again each time: another version may have run it meanwhile.
                if args[0] == DIRECT and (self._making_known is None or self._making_known.done()):
                    self._making_known = asyncio.create_task(self._make_known())
        super().dispatch(event_name, *args, **kwargs)

    async def _make_known(self) -> None:
        try:
            await discord_reached(self.make_commands_known)
        # Nobody awaits this task, which would swallow what goes wrong.
        except Exception as error:  # noqa: BLE001
            log.error("command sync failed error=%s", error)


async def recommended_shards(token: str) -> int:
    """How many shards Discord recommends. Raises what a login and a request do."""
    client = discord.Client(intents=discord.Intents(guilds=True))
    try:
        await client.login(token)
        advice = await client.http.request(_advice())
    finally:
        await client.close()
    return int(advice["shards"])


def _advice() -> discord.http.Route:
    """What Discord says of shards; made anew, for it holds the address."""
    return discord.http.Route("GET", "/gateway/bot")
