"""A bot that must be alone and bots that share a database keep one another out of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import sqlalchemy as sa

from bot.store import InUse, ServerLock, Store, Unavailable, server_lock
from tests.store.database import SERVER_ALONE, Database
from tests.store.samples import add_table

pytestmark = SERVER_ALONE

TIMEOUT_S = 20


@asynccontextmanager
async def taken(database: Database, *, shared: bool) -> AsyncIterator[ServerLock]:
    """The lock, held within the block."""
    lock = ServerLock(database.url, shared=shared)
    try:
        await lock.take()
        yield lock
    finally:
        await lock.close()


async def test_members_share_the_lock(database: Database) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(3):
            lock = await stack.enter_async_context(taken(database, shared=True))
            lock.check()


async def test_one_that_must_be_alone_is_kept_out_by_members_and_told_so(
    database: Database,
) -> None:
    async with taken(database, shared=True):
        with pytest.raises(InUse, match=r"Bots that share it are running .* set SHARDS"):
            async with taken(database, shared=False):
                pass
    await database.left_alone()
    async with taken(database, shared=False):
        pass


async def test_members_are_kept_out_by_one_that_must_be_alone_and_told_so(
    database: Database,
) -> None:
    async with taken(database, shared=False):
        with pytest.raises(InUse, match=r"A bot is running on .* without SHARDS"):
            async with taken(database, shared=True):
                pass
    await database.left_alone()
    async with taken(database, shared=True):
        pass


async def test_a_member_that_has_lost_the_lock_writes_nothing_until_it_has_it_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lock, "PULSE_S", 0.02)
    async with taken(database, shared=True) as lock, taken(database, shared=True) as other:
        store = await Store.open(database.url, check=lock.check, member="one")
        await end_session(database, lock)
        async with asyncio.timeout(TIMEOUT_S):
            await refused(lock)
        other.check()
        with pytest.raises(Unavailable, match="The lock on the database is lost"):
            await add_table(store)
        keeping = asyncio.create_task(lock.keep())
        async with asyncio.timeout(TIMEOUT_S):
            await held(lock)
        assert await add_table(store)
        keeping.cancel()
        await store.close()


async def test_a_member_whose_lock_was_lost_to_one_that_must_be_alone_ends(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lock, "PULSE_S", 0.02)
    async with taken(database, shared=True) as lock:
        await end_session(database, lock)
        await database.left_alone()
        async with asyncio.timeout(TIMEOUT_S), taken(database, shared=False) as alone:
            with pytest.raises(InUse, match="without SHARDS"):
                await lock.keep()
            alone.check()


async def test_a_session_of_another_that_has_the_number_of_ours_is_not_ended(
    database: Database,
) -> None:
    async with taken(database, shared=False) as other:
        assert other._session is not None
        pid, start = other._session
        lock = ServerLock(database.url)
        # As after a new start of the server, which counts anew.
        lock._session = pid, start.replace(year=2000)
        with pytest.raises(InUse):
            await lock.take()
        await lock.close()
        async with other._engine.connect() as connection:
            assert await connection.scalar(sa.select(1))
        other.check()
        assert other._connection is not None
        assert await other._connection.scalar(sa.select(1)) == 1


async def end_session(database: Database, lock: ServerLock) -> None:
    assert lock._session is not None
    await database.execute("SELECT pg_terminate_backend(:pid)", pid=lock._session[0])


async def refused(lock: ServerLock) -> None:
    """Returns once the loss is known."""
    while True:
        try:
            lock.check()
        except Unavailable:
            return
        await asyncio.sleep(0)


async def held(lock: ServerLock) -> None:
    """Returns once the lock is held again."""
    while True:
        try:
            return lock.check()
        except Unavailable:
            await asyncio.sleep(0)
