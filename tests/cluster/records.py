"""Direct access to the PostgreSQL database of a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from bot.cluster.roster import MEMBERS_QUERY
from bot.store.postgres import SHARD
from tests.postgres import connected
from tests.wire.stored import Entry

POLL_S = 0.02
TIMEOUT_S = 120.0


class Records:
    """A database on a server, with one table. Each query uses a new connection."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def rows(self, query: str) -> Sequence[Any]:
        async with connected(self._url) as connection:
            return [tuple(row) for row in await connection.fetch(query)]

    async def log(self) -> list[Entry]:
        return [
            Entry(*row) for row in await self.rows("SELECT seq, seat, action FROM log ORDER BY seq")
        ]

    async def by_people(self) -> list[int]:
        query = 'SELECT seq FROM log WHERE "user" IS NOT NULL ORDER BY seq'
        return [seq for (seq,) in await self.rows(query)]

    async def acted(self) -> dict[str, int]:
        return dict(await self.rows("SELECT delivery, seq FROM handled WHERE seq >= 0"))

    async def posted(self) -> tuple[int, str]:
        ((seq, status),) = await self.rows("SELECT posted_seq, status FROM tables")
        return seq, status

    async def pending(self) -> int:
        ((count,),) = await self.rows("SELECT count(*) FROM outbox")
        return int(count)

    async def settled(self) -> None:
        """Wait until the outbox is empty."""
        async with asyncio.timeout(TIMEOUT_S):
            while await self.pending():  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)

    async def holders(self) -> dict[int, str]:
        rows = await self.rows(MEMBERS_QUERY)
        return {number: name for name, _, _, kind, number in rows if kind == SHARD}

    async def until_held(self, shards: int, by: Collection[str]) -> dict[int, str]:
        """Wait until these members hold all shards; return the holders."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                found = await self._held(by)
                if len(found) == shards:
                    return found
                await asyncio.sleep(POLL_S)

    async def _held(self, by: Collection[str]) -> dict[int, str]:
        # The server may be down.
        with suppress(asyncpg.PostgresError, OSError):
            # The name in the database is the process name and a random suffix.
            holders = (await self.holders()).items()
            return {
                shard: name
                for shard, holder in holders
                for name in by
                if holder.startswith(f"{name}-")
            }
        return {}
