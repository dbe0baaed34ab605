"""Several processes' tables over one database, in one process: what each writes the others hear."""

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
"""How many shards there are."""


def guild_of(shard: int) -> int:
    return (shard << SHARD_BITS) + 7 if shard else 7


class Held(Leases):
    """The shards of a member, which change hands where a test says so."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, name, NONE, COUNT)

    async def _begin(self, connection: Any) -> None:
        await super()._begin(connection)
        # Nobody is missed, however long a test says nothing.
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
    """One process: a store, tables, and what it holds."""

    name: str
    store: Store
    tables: Tables
    held: Held

    def deafen(self) -> None:
        """From now on it hears nothing of what others write."""
        self.held.on_notice = lambda _: None


class Members(TablesSetup):
    """Members over one database. Every shard belongs to the first of them at the beginning."""

    all: list[Member]

    @asynccontextmanager
    async def open(self, *names: str) -> AsyncIterator[Members]:
        self.all = []
        async with AsyncExitStack() as stack:
            for name in names:
                self.all.append(await self._join(stack, name))
            for shard in range(COUNT):
                await self.all[0].held.take_shard(shard)
            yield self

    async def _join(self, stack: AsyncExitStack, name: str) -> Member:
        held = Held(self.database.url, name)
        await held.take()
        stack.push_async_callback(held.close)
        store = await self.database.open(name)
        stack.push_async_callback(store.close)
        tables = self.tables_on(store, Random(name), ownership=held)
        held.on_notice, held.on_missed_notices = tables.sharing.receive, tables.sharing.drop_all
        held.on_lost = lambda shards: tables.sharing.give_up(Shards(COUNT, shards))
        stack.push_async_callback(tables.close)
        await tables.resume()
        return Member(name, store, tables, held)

    async def hand_over(self, shard: int, to: Member, *, stalled: Member | None = None) -> None:
        """A shard changes hands; a `stalled` member does not hear of it."""
        for each in self.all:
            if each is not to:
                await each.held.lose_shard(shard, stalled=each is stalled)
        await to.held.take_shard(shard)
        await to.tables.sharing.take_over(Shards(COUNT, frozenset({shard})))

    async def settled(self, table_id: int) -> None:
        """Waits until all know what was written last at a table, and nobody is busy with it."""
        await until(lambda: self._is_settled(table_id))

    async def _is_settled(self, table_id: int) -> bool:
        revision = await self.all[0].store.revision_of(table_id)
        for each in self.all:
            tables = each.tables
            if (await tables._unit_of_work.cache.read(table_id)).revision != revision:
                return False
            if tables.sharing._following:
                return False
            # Who has just heard of it is told soon, and begins then.
            await asyncio.sleep(0)
            if tables.plans._running:
                return False
        return revision == await self.all[0].store.revision_of(table_id)

    async def lobby(self, by: Member, *users: int, shard: int = 0, **options: str) -> Table:
        """A table of that shard at which those users sit in that order."""
        return await self.opened(by.tables, users, options, guild_of(shard))

    async def game(self, by: Member, *users: int, shard: int = 0, **options: str) -> Table:
        table = await self.lobby(by, *users, shard=shard, **options)
        return await by.tables.lobby.start(table.id, users[0])

    async def lines(self, table_id: int) -> list[str]:
        """What was done at a table, each with who did it; the set-up first."""
        rows = await self.all[0].store.entries(table_id)
        assert [row.seq for row in rows] == list(range(len(rows)))
        return [f"{row.seat} {row.action}" for row in rows]
