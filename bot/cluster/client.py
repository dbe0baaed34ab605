"""The discord.py client of one process among several: it runs whichever shards it is told to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any

import aiohttp
import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.shard import Shard

from bot.client import GameBot
from bot.cluster.connection import ShardConnection, closed
from bot.cogs.ui.component_router import ComponentRouter
from bot.cogs.ui.services import Services
from bot.host.gateway import discord_reached
from bot.store.sharing import DIRECT, shard_of

log = logging.getLogger(__name__)


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
        dev_guild: int | None,
        guild_ready_s: float,
        http_trace: aiohttp.TraceConfig | None,
        shards: int,
        turn: Callable[[int], Awaitable[None]],
    ) -> None:
        super().__init__(
            router,
            services,
            dev_guild=dev_guild,
            guild_ready_s=guild_ready_s,
            http_trace=http_trace,
            shard_count=shards,
            shard_ids=[],
        )
        self._count = shards
        self._turn = turn
        self._buckets = 1
        self._running: dict[int, asyncio.Task[None] | None] = {}
        """The shards it is told to run; what keeps them connected, once it is."""
        self._online: set[int] = set()
        self._known: set[int] = set()
        """Those of whose servers Discord has told."""
        self._ended: asyncio.Future[None] | None = None
        self._making_known: asyncio.Task[None] | None = None
        # discord.py's own shards ask for it.
        self._reconnect = True

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
        if shard in self._running or self.is_closed():
            return
        self._running[shard] = None
        if self._ended is not None and not self._ended.done():
            self._start(shard)

    async def leave_shard(self, shard: int) -> None:
        """Disconnect a shard, and forget its servers; nothing where it is not being run."""
        if shard not in self._running:
            return
        keeping = self._running.pop(shard)
        self._known.discard(shard)
        opened = self._opened.pop(shard, None)
        if keeping is not None:
            await _ended(keeping)
        if shard not in self._running:
            self._forget(shard)
        if opened is not None:
            await closed(opened.ws)
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
        except Exception:
            await self.close()
            raise
        finally:
            await self._stop()

    async def close(self) -> None:
        """Let answers and posts under way end, then leave Discord."""
        if self._making_known is not None:
            await _ended(self._making_known)
        await super().close()
        await self._stop()
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _start(self, shard: int) -> None:
        # Presses are heard in this context: they are nobody's work but their person's.
        loop = asyncio.get_running_loop()
        self._running[shard] = loop.create_task(self._run(shard), context=Context())

    async def _run(self, shard: int) -> None:
        def opened(socket: DiscordWebSocket) -> None:
            self._opened[shard] = Shard(socket, self, lambda _event: None)

        def turn() -> Awaitable[None]:
            return self._turn(shard % self._buckets)

        try:
            await ShardConnection(self, shard, turn, opened).keep()
        # Whatever ends one shard for good ends the bot, which says why.
        except Exception as error:  # noqa: BLE001
            if self._ended is not None and not self._ended.done():
                self._ended.set_exception(error)

    async def _stop(self) -> None:
        keeping = [task for task in self._running.values() if task is not None]
        await asyncio.gather(*map(_ended, keeping))

    @property
    def _opened(self) -> dict[int, Shard]:
        """The shards as discord.py has them: it finds their connections there, and closes them."""
        shards: dict[int, Shard] = vars(self)["_AutoShardedClient__shards"]
        return shards

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

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Nothing: a shard has waited for its turn before it was connected."""

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


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancelled, and at its end."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
