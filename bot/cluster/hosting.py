"""One of several processes that share a database and divide Discord's shards, put together.

A shard that becomes ours is connected, and what is due at its tables is taken over; one that is
ours no longer is given up at once, its connection only once another process has one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import aiohttp

from bot.app import make_bot
from bot.client import GameBot
from bot.cluster.admission import Admission
from bot.cluster.client import ShardedGameBot, recommended_shards
from bot.cluster.late_requests import refuse_late
from bot.cluster.leases import Leases
from bot.cluster.members import parse_may, unique_name
from bot.cluster.rates import Rates
from bot.cogs.ui.services import Services
from bot.config import Settings
from bot.host.health import OK, Check, Sharing
from bot.host.retry import retry
from bot.opening import reached
from bot.store import StoreError
from bot.store.notices import NoticeListener
from bot.store.sharing import Shards
from bot.tables import TableError, Tables

log = logging.getLogger(__name__)

IDENTIFY_EVERY_S = 5.5
"""Seconds between two shards of a bucket that identify themselves: Discord's five, and the time
that a connection may take more or less than another."""
AGAIN_S = 1.0
"""Seconds until the database is asked again for a turn to identify."""


class Membership:
    """This process among those that share the database, from `joined` on."""

    def __init__(self, settings: Settings, count: int, version: str) -> None:
        self.name = unique_name(settings.member)
        self.called = settings.member or self.name
        """The same after a restart, where the operator has given it a name."""
        self.leases = Leases(
            settings.database_url,
            self.name,
            parse_may(settings.shard_ids),
            count,
            is_auto=settings.shards == "auto",
            version=version,
        )
        self._url = settings.database_url
        self._has_proxy = settings.discord_proxy is not None
        self._bot: ShardedGameBot | None = None
        self._notices: NoticeListener | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._looking: set[asyncio.Task[None]] = set()

    @classmethod
    async def of(cls, settings: Settings, token: str, version: str) -> Membership:
        """The membership that the settings ask for. Raises what a login to Discord does."""
        count = settings.shards
        if count == "auto":
            count = await recommended_shards(token)
        assert count is not None
        return cls(settings, count, version)

    @asynccontextmanager
    async def joined(self, services: Services) -> AsyncIterator[Services]:
        """Within the block this process is a member, and hears of what others write. Yields the
        services of a member.

        Raises CannotJoin, also later, and CannotOpen.
        """
        tables = services.tables
        async with AsyncExitStack() as stack:
            await reached(lambda: stack.enter_async_context(self.leases))
            notices = self._notices = NoticeListener(self._url, self.name)
            notices.on_notice, notices.on_lost = tables.heard, tables.forget
            notices.on_back = partial(self._look_again, tables)
            await reached(lambda: stack.enter_async_context(notices))
            stack.push_async_callback(self._finish)
            yield replace(services, admit=Admission(self.leases, self.leases.count).admit)

    def make_bot(
        self, services: Services, *, http_trace: aiohttp.TraceConfig | None, **parts: Any
    ) -> GameBot:
        """As `bot.app.make_bot`, for the shards of a member."""
        client = partial(ShardedGameBot, shards=self.leases.count, turn=self._turn)
        bot = make_bot(
            services,
            client=client,
            leads=lambda: self.leases.owns(None),
            http_trace=http_trace,
            **parts,
        )
        assert isinstance(bot, ShardedGameBot)
        bot.add_listener(self._connected, "on_shard_ready")
        bot.add_listener(self._connected, "on_shard_resumed")
        bot.add_listener(self._disconnected, "on_shard_disconnect")
        self._bot = bot
        return bot

    def trace(self, trace: aiohttp.TraceConfig | None) -> aiohttp.TraceConfig:
        """For requests to Discord: they wait until they are within this member's share, unless a
        proxy sees to that, and are not made for a lease that is lost."""
        if not self._has_proxy:
            trace = Rates(lambda: len(self.leases.members())).trace(trace)
        return refuse_late(trace or aiohttp.TraceConfig(), self.leases.holds)

    def begin(self, tables: Tables) -> None:
        """Run shards from now on: the bot has logged in."""
        self.leases.begin(
            partial(self._taken, tables), partial(self._lost, tables), self._no_longer_needed
        )

    async def leave(self) -> None:
        """Give up all shards, and wait until others have them, if there are others."""
        if self.leases.is_working:
            await self.leases.leave()

    def checks(self) -> dict[str, Check]:
        """The parts of a member that may be well or not."""
        return {"discord": self._discord, "leases": self._leases, "notices": self._heard}

    def _discord(self) -> str:
        if self._bot is None:
            return "not connected"
        if self.leases.reach.is_resting:
            return "out of reach: its shards are left to others, and tried again in some minutes"
        missing = sorted(self._bot.running_shards - self._bot.ready_shards)
        return f"shards not connected: {missing}" if missing else OK

    def _heard(self) -> str:
        is_heard = self._notices is not None and self._notices.is_listening
        return OK if is_heard else "not heard"

    def _leases(self) -> str:
        return OK if self.leases.is_working else "not kept"

    def sharing(self, tables: Tables) -> Sharing:
        """Who runs what, for the page of the operator."""
        seen, bot = self.leases.overview(), self._bot
        return Sharing(
            process=self.called,
            member=seen.member,
            shards=seen.shards,
            here={} if bot is None else {s: s in bot.ready_shards for s in bot.running_shards},
            leases=seen.held,
            members=seen.members,
            nobody_may_run=seen.nobodys,
            nobody_has=seen.free,
            takeovers=self.leases.takeovers,
            stale_writes=tables.stale_writes,
        )

    # Shards come and go

    async def _taken(self, tables: Tables, shards: frozenset[int]) -> None:
        assert self._bot is not None
        for shard in sorted(shards):
            self._bot.run_shard(shard)
            if shard in self._bot.ready_shards:
                self.leases.connected(shard)
            else:
                self.leases.disconnected(shard)
        await tables.take_over(self._some(shards))

    def _lost(self, tables: Tables, shards: frozenset[int]) -> None:
        tables.give_up(self._some(shards))

    def _no_longer_needed(self, shards: frozenset[int]) -> None:
        assert self._bot is not None
        for shard in shards:
            _start(self._bot.leave_shard(shard), self._leaving)

    async def _connected(self, shard: int) -> None:
        self.leases.connected(shard)

    async def _disconnected(self, shard: int) -> None:
        self.leases.disconnected(shard)

    async def _turn(self, bucket: int) -> None:
        while True:
            try:
                wait = await self.leases.wait_for_identify(bucket, IDENTIFY_EVERY_S)
                break
            except StoreError as error:
                log.debug("no turn to identify: %s", error)
                await asyncio.sleep(AGAIN_S)
        await asyncio.sleep(wait)

    def _look_again(self, tables: Tables) -> None:
        """Notices may have been missed: what is owed at our tables is looked for."""
        tables.forget()
        _start(self._take_over(tables), self._looking)

    async def _take_over(self, tables: Tables) -> None:
        async def attempt() -> None:
            await tables.take_over(self.leases.shards())

        await retry(None, attempt, lambda error: isinstance(error, TableError))

    async def _finish(self) -> None:
        for looking in self._looking:
            looking.cancel()
        await asyncio.gather(*self._leaving, *self._looking, return_exceptions=True)

    def _some(self, shards: frozenset[int]) -> Shards:
        return Shards(self.leases.count, shards)


def _start(work: Coroutine[None, None, None], among: set[asyncio.Task[None]]) -> None:
    """Begin a task, which is among those as long as it runs."""
    task = asyncio.create_task(work)
    among.add(task)
    task.add_done_callback(among.discard)
