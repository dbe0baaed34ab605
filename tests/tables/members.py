"""The tables of several processes over one database, all in the test's process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any

from bot.cluster.leases import UNLOCK, Leases
from bot.cluster.members import NONE
from bot.store import Store
from bot.store.postgres import SHARD
from bot.store.sharing import SHARD_BITS, Shards
from bot.tables import Table, Tables
from tests.tables.world import TablesSetup
from tests.waiting import until

COUNT = 2
"""Number of shards."""


def guild_of(shard: int) -> int:
    return (shard << SHARD_BITS) + 7 if shard else 7


class ManualLeases(Leases):
    """The shards of a member, which change hands only when a test says so."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, name, NONE, COUNT)

    async def _begin(self, connection: Any) -> None:
        await super()._begin(connection)
        # Members must not time out during a slow test.
        await connection.execute("SET idle_session_timeout = 0")

    async def take(self) -> None:
        await super().take()
        self._deadline = inf

    async def take_shard(self, shard: int) -> None:
        while shard not in self._held:
            await self._take([shard])

    async def lose_shard(self, shard: int, *, stalled: bool) -> None:
        if stalled:
            await self.ask(UNLOCK, SHARD, [shard])
        elif shard in self._held:
            await self._give_up([shard])


@dataclass
class Member:
    """One process with its store, tables and leases."""

    name: str
    store: Store
    tables: Tables
    leases: ManualLeases

    def ignore_notices(self) -> None:
        """Ignore announcements of other members' writes from now on."""
        self.leases.on_announcement = lambda _: None


class Members(TablesSetup):
    """Members over one database. At the start, the first one owns all shards."""

    all: list[Member]

    @asynccontextmanager
    async def open(self, *names: str) -> AsyncIterator[Members]:
        self.all = []
        async with AsyncExitStack() as stack:
            for name in names:
                self.all.append(await self._join(stack, name))
            for shard in range(COUNT):
                await self.all[0].leases.take_shard(shard)
            yield self

    async def _join(self, stack: AsyncExitStack, name: str) -> Member:
        leases = ManualLeases(self.database.url, name)
        await leases.take()
        stack.push_async_callback(leases.close)
        store = await self.database.open(name)
        stack.push_async_callback(store.close)
        tables = self.tables_on(store, Random(name), ownership=leases)
        leases.on_announcement, leases.on_missed = tables.sharing.receive, tables.sharing.drop_all
        leases.on_lost = lambda shards: tables.sharing.give_up(Shards(COUNT, shards))
        stack.push_async_callback(tables.close)
        await tables.resume()
        return Member(name, store, tables, leases)

    async def hand_over(self, shard: int, to: Member, *, stalled: Member | None = None) -> None:
        """Give a shard to another member; a `stalled` member does not notice its loss."""
        for each in self.all:
            if each is not to:
                await each.leases.lose_shard(shard, stalled=each is stalled)
        await to.leases.take_shard(shard)
        await to.tables.sharing.take_over(Shards(COUNT, frozenset({shard})))

    async def settled(self, table_id: int) -> None:
        """Wait until all members have the table's newest revision and no work in progress there."""
        await until(lambda: self._is_settled(table_id))

    async def _is_settled(self, table_id: int) -> bool:
        revision = await self.all[0].store.revision_of(table_id)
        for each in self.all:
            tables = each.tables
            if (await tables._unit_of_work.cache.read(table_id)).revision != revision:
                return False
            if tables.sharing._following:
                return False
            # Subscribers are called soon after a change: let them start.
            await asyncio.sleep(0)
            if tables.plans._running:
                return False
        return revision == await self.all[0].store.revision_of(table_id)

    async def lobby(self, by: Member, *users: int, shard: int = 0, **options: str) -> Table:
        """Open a table of this shard with these users, seated in this order."""
        return await self.opened(by.tables, users, options, guild_of(shard))

    async def game(self, by: Member, *users: int, shard: int = 0, **options: str) -> Table:
        table = await self.lobby(by, *users, shard=shard, **options)
        return await by.tables.lobby.start(table.id, users[0])

    async def lines(self, table_id: int) -> list[str]:
        """Return a table's log as "seat action", the set-up first."""
        rows = await self.all[0].store.entries(table_id)
        assert [row.seq for row in rows] == list(range(len(rows)))
        return [f"{row.seat} {row.action}" for row in rows]
