"""Tables over a database as a bot has them: alone, or as one of the processes that share it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec

from bot.game.contract import AnyGame
from bot.game.versions import Games, Versions
from bot.store import Store, WriteBatch
from bot.store.errors import StaleWrite
from bot.store.notices import NoticeListener
from bot.store.sharing import SHARD_BITS, Fence, Shards
from bot.tables import Tables
from bot.tables.core.ownership import Alone, Ownership


class BenchMember(msgspec.Struct, frozen=True):
    """One of so many processes that share a database; each has one shard."""

    number: int
    count: int

    @property
    def name(self) -> str:
        """What the database knows it by."""
        return f"bench-{self.number}"

    @property
    def guild(self) -> int:
        """A server of its shard."""
        return (self.count + self.number) << SHARD_BITS


class CountingStore(Store):
    """A store that counts the writes that were refused because another process had been faster."""

    refused = 0

    async def commit(self, batch: WriteBatch) -> None:
        """As that of the store."""
        try:
            await super().commit(batch)
        except StaleWrite:
            self.refused += 1
            raise


class _OneShard(Alone):
    """Whose the tables are; nobody contends for it, so there is no lease."""

    def __init__(self, member: BenchMember) -> None:
        self._shards = Shards(member.count, frozenset({member.number}))

    def shards(self) -> Shards | None:
        return self._shards

    def owns(self, guild: int | None) -> bool:
        return self._shards.has(guild)

    def fence(self, guild: int | None) -> Fence | None:
        return None


@asynccontextmanager
async def opened(
    url: str, game: AnyGame, member: BenchMember | None = None
) -> AsyncIterator[tuple[CountingStore, Tables]]:
    """The tables of a database, for this process alone or for a `member` of those that share it."""
    ownership: Ownership = Alone() if member is None else _OneShard(member)
    async with AsyncExitStack() as stack:
        name = None if member is None else member.name
        store = await CountingStore.open(url, member=name)
        assert isinstance(store, CountingStore)
        stack.push_async_callback(store.close)
        tables = Tables(store, Games((game,)), Versions({}), ownership=ownership)
        if member is not None:
            notices = NoticeListener(url, member.name)
            notices.on_notice = tables.heard
            await stack.enter_async_context(notices)
        await stack.enter_async_context(tables)
        yield store, tables
