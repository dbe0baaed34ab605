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
from tests.waiting import until

pytestmark = SERVER_ALONE


@asynccontextmanager
async def taken(database: Database, *, shared: bool) -> AsyncIterator[ServerLock]:
    """The lock, held within the block."""
    lock = ServerLock(database.url, shared=shared)
    try:
        await lock.take()
        yield lock
    finally:
        await lock.close()


async def test_members_and_one_that_is_alone_keep_each_other_out(database: Database) -> None:
    for shared, reason in (
        (True, r"Bots that share it are running .* set SHARDS"),
        (False, r"A bot is running on .* without SHARDS"),
    ):
        async with AsyncExitStack() as stack:
            for _ in range(3 if shared else 1):
                (await stack.enter_async_context(taken(database, shared=shared))).check()
            with pytest.raises(InUse, match=reason):
                async with taken(database, shared=not shared):
                    pass
        await database.left_alone()
        async with taken(database, shared=not shared):
            pass
        await database.left_alone()


def is_held(lock: ServerLock) -> bool:
    """Whether nothing is known of a loss."""
    try:
        lock.check()
    except Unavailable:
        return False
    return True


async def test_a_member_that_has_lost_the_lock_writes_nothing_until_it_has_it_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lock, "PULSE_S", 0.02)
    async with taken(database, shared=True) as lock, taken(database, shared=True) as other:
        store = await Store.open(database.url, check=lock.check, member="one")
        await end_session(database, lock)
        await until(lambda: not is_held(lock))
        other.check()
        with pytest.raises(Unavailable, match="The lock on the database is lost"):
            await add_table(store)
        keeping = asyncio.create_task(lock.keep())
        await until(lambda: is_held(lock))
        assert await add_table(store)
        keeping.cancel()
        await store.close()


async def test_a_session_of_another_with_our_number_is_not_ended(database: Database) -> None:
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
