"""The discord.py client of one process among several: it runs whichever shards it is told to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
from discord.ext import commands

from bot.client import GameBot
from bot.cogs.ui.component_router import ComponentRouter
from bot.cogs.ui.services import Services
from bot.host.gateway import discord_reached
from bot.store.sharing import DIRECT, shard_of

log = logging.getLogger(__name__)

CLOSE_S = 5.0
"""Seconds that Discord has to agree to the end of a connection."""
LEFT = 1000
"""The code by which a connection is closed for good: Discord drops its session."""


class ShardClient:
    """The bot as `discord.Client.connect` sees it, which keeps up one connection, that of a shard.

    discord.py takes up the lost connections of all shards one after the other, and knows no shard
    that is left.
    """

    def __init__(self, bot: ShardedGameBot, shard: int) -> None:
        self.shard_id = shard
        self.is_left = False
        self.task: asyncio.Task[None] | None = None
        """What keeps it connected, once the bot is."""
        self._bot = bot
        self._socket: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bot, name)

    @property
    def ws(self) -> Any:
        """The connection, or what resumes nothing where there was none."""
        return self._socket or SimpleNamespace(session_id=None, sequence=None, gateway=None)

    @ws.setter
    def ws(self, socket: Any) -> None:
        self._socket = socket
        self._bot.opened[self.shard_id] = self

    def is_closed(self) -> bool:
        """Whether it is not to be connected any more."""
        return self.is_left or self._bot.is_closed()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell of an event of this shard."""
        self._bot.dispatch(event, *args, **kwargs)
        if event == "disconnect":
            self._bot.dispatch("shard_disconnect", self.shard_id)

    async def close(self) -> None:
        """Close the connection for good; one that does not answer is given up."""
        if self._socket is not None:
            with suppress(OSError, aiohttp.ClientError):
                async with asyncio.timeout(CLOSE_S):
                    await self._socket.close(code=LEFT)

    async def leave(self) -> None:
        """The same, for one that may be about to connect, which is closed once it has."""
        self.is_left = True
        if self.task is None:
            return
        await self.close()
        if self._socket is not None:
            await asyncio.wait([self.task], timeout=CLOSE_S)
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


class ShardedGameBot(GameBot, commands.AutoShardedBot):
    """The bot on some of `shards` shards, which come and go as long as it is connected.

    `turn` is called with a bucket, the number of a shard modulo Discord's `max_concurrency`, and
    returns when a shard of that bucket may identify itself. Whoever runs the shard of direct
    messages makes the commands known.

    It is ready once the shards are that it was told to run before it connected, at once where those
    are none.
    """

    def __init__(
        self,
        router: ComponentRouter,
        services: Services,
        *,
        shards: int,
        turn: Callable[[int], Awaitable[None]],
        **parts: Any,
    ) -> None:
        super().__init__(router, services, **parts, shard_count=shards, shard_ids=[])
        self._count = shards
        self._turn = turn
        self._buckets = 1
        self._running: dict[int, ShardClient] = {}
        """The shards it is told to run."""
        self._has_turn: set[int] = set()
        self._online: set[int] = set()
        self._known: set[int] = set()
        """Those of whose servers Discord has told."""
        self._ended: asyncio.Future[None] | None = None
        self._making_known: asyncio.Task[None] | None = None

    @property
    def opened(self) -> dict[int, Any]:
        """The shards as discord.py has them: it finds their connections there, and closes them."""
        shards: dict[int, Any] = vars(self)["_AutoShardedClient__shards"]
        return shards

    @property
    def running_shards(self) -> frozenset[int]:
        """The shards it has been told to run."""
        return frozenset(self._running)

    @property
    def ready_shards(self) -> frozenset[int]:
        """The shards that are connected, and of whose servers Discord has told."""
        return frozenset(self._online & self._known)

    def awaits_server(self, guild: int) -> bool:
        """Whether its shard is not run here, or is not ready yet."""
        return shard_of(guild, self._count) not in self._known

    # Shards come and go

    def run_shard(self, shard: int) -> None:
        """Connect a shard from now on, if it is not being run already."""
        if shard not in self._running and not self.is_closed():
            self._running[shard] = ShardClient(self, shard)
            if self._ended is not None:
                self._start(shard)

    async def leave_shard(self, shard: int) -> None:
        """Disconnect a shard, and forget its servers; nothing where it is not being run."""
        if shard not in self._running:
            return
        leaving = self._running.pop(shard)
        self._known.discard(shard)
        self.opened.pop(shard, None)
        await leaving.leave()
        if shard not in self._running:
            self._forget(shard)
        self._look_ready()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Run the shards until the bot is closed. Raises ConnectionClosed where Discord wants no
        more of it, and PrivilegedIntentsRequired."""
        self._ended = asyncio.get_running_loop().create_future()
        for shard in sorted(self._running):
            self._start(shard)
        self._look_ready()
        try:
            await self._ended
        finally:
            await self.close()

    async def close(self) -> None:
        """Let answers and posts under way end, then leave Discord."""
        if self._making_known is not None:
            self._making_known.cancel()
        await super().close()
        await asyncio.gather(*(each.leave() for each in self._running.values()))
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _start(self, shard: int) -> None:
        # Presses are heard in this context: they are nobody's work but their person's.
        running = self._running[shard]
        running.task = self.loop.create_task(self._run(running), context=Context())

    async def _run(self, shard: ShardClient) -> None:
        try:
            await self._turn(shard.shard_id % self._buckets)
            self._has_turn.add(shard.shard_id)
            await discord.Client.connect(cast(discord.Client, shard))
        # Whatever ends one shard for good ends the bot, which says why.
        except Exception as error:  # noqa: BLE001
            if self._ended is not None and not self._ended.done():
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
        telling = state._ready_tasks.pop(shard, None)
        if telling is not None:
            telling.cancel()
        state._ready_states.pop(shard, None)
        state.clear_chunk_requests(shard)
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
            case "shard_ready" if args[0] in self._running:
                self._known.add(args[0])
                self._look_ready()
                # Again each time: another version may have run it meanwhile.
                if args[0] == DIRECT and (self._making_known is None or self._making_known.done()):
                    self._making_known = asyncio.create_task(self._make_known())
        super().dispatch(event_name, *args, **kwargs)

    def _look_ready(self) -> None:
        connected = self._ended is not None and not self._ended.done()
        if connected and not self.is_ready() and self._known >= self._running.keys():
            self._connection.call_handlers("ready")
            self.dispatch("ready")

    # What one process does for all

    async def setup_hook(self) -> None:
        """Load the cogs, and ask how many shards may identify themselves at once."""
        await self.load()
        advice = await self.http.request(_advice())
        self._buckets = max(1, advice["session_start_limit"]["max_concurrency"])

    async def _make_known(self) -> None:
        try:
            await discord_reached(self.make_commands_known)
        # Nobody awaits this task, which would swallow what goes wrong.
        except Exception as error:  # noqa: BLE001
            log.error("commands not made known: %s", error)


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
