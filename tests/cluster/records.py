"""What a cluster has written to its PostgreSQL, read beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from tests.wire.kept import Entry

LOOK_AGAIN_S = 0.02
TIMEOUT_S = 120.0


class Records:
    """A database on a server, with one table. Each question is asked on a connection of its own."""

    def __init__(self, url: str) -> None:
        self._engine = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")

    async def rows(self, query: str) -> Sequence[Any]:
        async with self._engine.connect() as connection:
            return (await connection.execute(sa.text(query))).all()

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

    async def owed(self) -> int:
        ((count,),) = await self.rows("SELECT count(*) FROM outbox")
        return int(count)

    async def settled(self) -> None:
        """Wait until nothing is owed any more; a database tells nobody when it changes."""
        async with asyncio.timeout(TIMEOUT_S):
            while await self.owed():  # noqa: ASYNC110
                await asyncio.sleep(LOOK_AGAIN_S)

    async def holders(self) -> dict[str, str]:
        query = (
            "SELECT leases.name, holder FROM leases JOIN members ON members.name = holder"
            " WHERE until > extract(epoch FROM clock_timestamp()) * 1000000"
        )
        return dict(await self.rows(query))

    async def until_held(self, shards: int, by: Collection[str]) -> dict[str, str]:
        """Wait until each of so many shards is held by one of those members; which one, by the
        name of its lease."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                found = await self._held(by)
                if len(found) == shards:
                    return found
                await asyncio.sleep(LOOK_AGAIN_S)

    async def _held(self, by: Collection[str]) -> dict[str, str]:
        # The server may be away just now.
        with suppress(SQLAlchemyError, OSError):
            # A process has a name of its own in each life, which begins with that of its member.
            holders = (await self.holders()).items()
            return {
                lease: name
                for lease, holder in holders
                for name in by
                if holder.startswith(f"{name}-")
            }
        return {}
