"""Several processes' tables over one database, in one process: what each writes the others hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from random import Random

from bot.store import Store
from bot.store.notices import NoticeListener
from bot.store.sharing import SHARD_BITS, Fence, Shards, shard_of
from bot.tables import Table, Tables
from bot.tables.core.errors import NotOurs
from tests.tables.world import TablesSetup
from tests.waiting import until

COUNT = 2
"""How many shards there are."""


def guild_of(shard: int) -> int:
    return (shard << SHARD_BITS) + 7 if shard else 7


class Held:
    """The shards that a member holds, each by the number of its lease."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}

    def shards(self) -> Shards | None:
        return Shards(COUNT, frozenset(self.numbers))

    def owns(self, guild: int | None) -> bool:
        return shard_of(guild, COUNT) in self.numbers

    def fence(self, guild: int | None) -> Fence | None:
        shard = shard_of(guild, COUNT)
        if shard not in self.numbers:
            raise NotOurs()
        return Fence(f"shard:{shard}", self.numbers[shard])

    def holds(self, fence: Fence) -> bool:
        shard = int(fence.lease.removeprefix("shard:"))
        return self.numbers.get(shard) == fence.number


@dataclass
class Member:
    """One process: a store, tables, and what it holds."""

    name: str
    store: Store
    tables: Tables
    held: Held
    notices: NoticeListener

    def deafen(self) -> None:
        """From now on it hears nothing of what others write."""
        self.notices.on_notice = lambda _: None


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
                await self.database.execute(
                    "INSERT INTO leases (name, holder, fence, ready)"
                    " VALUES (:name, :holder, 1, true)",
                    name=f"shard:{shard}",
                    holder=names[0],
                )
                self.all[0].held.numbers[shard] = 1
            yield self

    async def _join(self, stack: AsyncExitStack, name: str) -> Member:
        store = await self.database.open(name)
        stack.push_async_callback(store.close)
        held = Held()
        tables = self.tables_on(store, Random(name), ownership=held)
        notices = NoticeListener(self.database.url, name)
        notices.on_notice = tables.heard
        notices.on_lost = tables.forget
        await stack.enter_async_context(notices)
        stack.push_async_callback(tables.close)
        await tables.resume()
        return Member(name, store, tables, held, notices)

    async def hand_over(self, shard: int, to: Member, *, stalled: Member | None = None) -> None:
        """The lease of a shard changes hands; a `stalled` member does not hear of it."""
        number = 1 + max(each.held.numbers.get(shard, 0) for each in self.all)
        for each in self.all:
            if each is not stalled and each.held.numbers.pop(shard, None) is not None:
                each.tables.give_up(Shards(COUNT, frozenset({shard})))
        await self.database.execute(
            "UPDATE leases SET holder = :holder, fence = :fence WHERE name = :name",
            holder=to.name,
            fence=number,
            name=f"shard:{shard}",
        )
        to.held.numbers[shard] = number
        await to.tables.take_over(Shards(COUNT, frozenset({shard})))

    async def settled(self, table_id: int) -> None:
        """Waits until all know what was written last at a table, and nobody is busy with it."""
        await until(lambda: self._is_settled(table_id))

    async def _is_settled(self, table_id: int) -> bool:
        revision = await self.all[0].store.revision_of(table_id)
        for each in self.all:
            tables = each.tables
            if (await tables._unit_of_work.cache.read(table_id)).revision != revision:
                return False
            if tables._hearing._following:
                return False
            # Who has just heard of it is told soon, and begins then.
            await asyncio.sleep(0)
            if tables.plan_playing._running:
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
