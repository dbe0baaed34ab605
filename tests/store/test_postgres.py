"""A database on a server: conflicts between processes, and the lock of the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from unittest.mock import AsyncMock

import asyncpg  # type: ignore[import-untyped]
import pytest

from bot.store import (
    BrokenDatabase,
    DuplicateWrite,
    InUse,
    LeaseLost,
    StaleWrite,
    Store,
    Unavailable,
    WriteBatch,
    server_lock,
)
from bot.store import postgres as server
from bot.store.errors import MaybeStored
from bot.store.postgres import SHARD, WRITING, PostgresDatabase
from bot.store.server_lock import ServerLock
from bot.store.sharing import FENCE, Fence
from tests.postgres import connected
from tests.store.database import IMPATIENT_MS, SERVER_ALONE, Database
from tests.store.network import Network
from tests.store.samples import add_table, entry, player_row, table_row
from tests.waiting import until

pytestmark = SERVER_ALONE


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    store = await database.open("one")
    yield store
    await store.close()


def guarded(table: int, seq: int, revision: int) -> WriteBatch:
    batch = entry(table, seq)
    batch.tables[table] = revision
    return batch


async def revision(store: Store, table: int) -> int:
    stored = await store.load(table)
    assert stored is not None
    return stored.table.revision


async def waits_for_a_lock(database: Database, member: str) -> None:
    async def is_waiting() -> bool:
        return bool(
            await database.execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                " AND wait_event_type = 'Lock' AND application_name = :member",
                member=member,
            )
        )

    await until(is_waiting)


async def test_stale_and_duplicate_batches_are_left_out_of_a_group(
    store: Store,
) -> None:
    tables = [await add_table(store) for _ in range(5)]
    batches = [guarded(table, 0, 5 if table == tables[1] else 0) for table in tables]
    batches[2].names["server:5"] = 3
    await store.commit(entry(tables[3], 0))
    results = await asyncio.gather(*map(store.commit, batches), return_exceptions=True)
    expected = [type(None), StaleWrite, StaleWrite, DuplicateWrite, type(None)]
    assert [type(each) for each in results] == expected
    assert [len(await store.entries(table)) for table in tables] == [1, 0, 0, 1, 1]
    assert [await revision(store, table) for table in tables] == [1, 0, 0, 0, 1]
    # A new table or name has revision 0.
    new, named = await store.new_table_id(), WriteBatch()
    named.insert(table_row(new))
    named.tables[new] = 0
    named.names["person:7"] = 0
    await store.commit(named)
    assert await revision(store, new) == await store.revision("person:7") == 1
    with pytest.raises(StaleWrite):
        await store.commit(guarded(new, 0, 0))


async def test_the_later_of_two_writes_to_a_table_is_refused(
    store: Store, database: Database
) -> None:
    table = await add_table(store)
    async with connected(database.url) as other:
        await other.execute("BEGIN")
        await other.execute("UPDATE tables SET revision = 1 WHERE id = $1", table)
        writing = asyncio.create_task(store.commit(guarded(table, 0, 0)))
        await waits_for_a_lock(database, "one")
        await other.execute("COMMIT")
    with pytest.raises(StaleWrite):
        await writing
    assert await store.entries(table) == []


async def test_a_table_is_read_from_one_snapshot(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await add_table(store)
    batch = guarded(table, 0, 0)
    batch.save_players(table, [player_row(table, 0, 9)])
    fetch, between = server._fetch, [batch]

    async def first_the_row(connection: Any, *what: Any) -> Any:
        found = await fetch(connection, *what)
        if between:
            await store.commit(between.pop())
        return found

    monkeypatch.setattr(server, "_fetch", first_the_row)
    before, after = await store.load(table), await store.load(table)
    assert before is not None
    assert after is not None
    assert [before.table.revision, *(player.user for player in before.players)] == [0, 7, 8]
    assert [after.table.revision, *(player.user for player in after.players)] == [1, 9]


async def test_work_for_a_shard_is_refused_after_another_process_has_taken_it(
    store: Store, database: Database
) -> None:
    table = await add_table(store)
    async with connected(database.url) as owner, connected(database.url) as taker:
        session = await owner.fetchrow(
            "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
        )
        fence = Fence(3, 1, *session)

        async def refused(fence: Fence) -> None:
            token = FENCE.set(fence)
            with pytest.raises(LeaseLost, match="Shard 3"):
                await store.commit(entry(table, 0))
            FENCE.reset(token)

        await refused(fence)
        await owner.execute(f"SELECT pg_advisory_lock({SHARD}, 3)")
        # Another session with the same process id, as after a restart of the server.
        await refused(Fence(3, 1, fence.pid, datetime(2030, 1, 1, tzinfo=UTC)))
        # Another process cannot take the shard while a write is running.
        async with connected(database.url) as hinders:
            await hinders.execute("BEGIN")
            await hinders.execute("LOCK TABLE log IN EXCLUSIVE MODE")
            token = FENCE.set(fence)
            writing = asyncio.create_task(store.commit(entry(table, 0)))
            FENCE.reset(token)
            await waits_for_a_lock(database, "one")
            alone = f"SELECT pg_try_advisory_lock({WRITING}, 3)"
            assert not await taker.fetchval(alone)
            await hinders.execute("ROLLBACK")
        await writing
        assert len(await store.entries(table)) == 1
        assert await taker.fetchval(alone)
        await refused(fence)


async def test_a_lock_delays_only_the_batches_that_need_it(
    store: Store, database: Database
) -> None:
    database.lock_wait_ms = IMPATIENT_MS
    hasty = await database.open("two")
    tables = [await add_table(hasty) for _ in range(3)]
    async with connected(database.url) as other:
        await other.execute("BEGIN")
        await other.execute("UPDATE tables SET revision = revision WHERE id = $1", tables[1])
        results = await asyncio.gather(
            *(hasty.commit(guarded(table, 0, 0)) for table in tables), return_exceptions=True
        )
        await other.execute("ROLLBACK")
    assert [type(each) for each in results] == [type(None), Unavailable, type(None)]
    await hasty.commit(guarded(tables[1], 0, 0))
    assert [await revision(hasty, table) for table in tables] == [1, 1, 1]
    # A process that hangs within a write is timed out.
    asked = "SELECT current_setting('idle_in_transaction_session_timeout')"
    async with store._database.transaction() as stopped:
        assert await stopped.fetch(asked) == [(f"{server.IDLE_MS // 1000}s",)]
    await hasty.close()


async def test_a_deadlock_is_retried(database: Database) -> None:
    await database.execute(f"ALTER DATABASE {database.name} SET deadlock_timeout = '10ms'")
    store = await database.open("one")
    tables = [await add_table(store) for _ in range(2)]
    async with connected(database.url) as other:
        await other.execute("BEGIN")
        rename = "UPDATE tables SET game = 'other' WHERE id = $1"
        await other.execute(rename, tables[1])
        batch = guarded(tables[0], 0, 0)
        stored = await store.load(tables[1])
        assert stored is not None
        batch.save_table(stored.table)
        writing = asyncio.create_task(store.commit(batch))
        await waits_for_a_lock(database, "one")
        try:
            await other.execute(rename, tables[0])
            await other.execute("COMMIT")
        except asyncpg.PostgresError:
            await other.execute("ROLLBACK")
    await writing
    assert len(await store.entries(tables[0])) == await revision(store, tables[0]) == 1
    await store.close()


async def test_after_a_lost_connection_the_outcome_of_a_write_is_found_or_reported_as_unknown(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network()
    losses = 0

    def cut(text: bytes) -> None:
        nonlocal losses
        if b"COMMIT" in text and not losses:
            losses += 1
            network.cut()

    async with network.to(database.url) as url:
        store = await Store.open(url, member="one")
        for is_stored in (True, False):
            table, losses = await add_table(store), 0
            if is_stored:
                network.after = cut
                await store.commit(guarded(table, 0, 0))
                network.after = lambda text: None
            else:
                network.before = cut
                with pytest.raises(Unavailable):
                    await store.commit(guarded(table, 0, 0))
            assert losses == 1
            assert len(await store.entries(table)) == await revision(store, table) == is_stored
        await store.close()
        network.before = lambda text: None
        monkeypatch.setattr(PostgresDatabase, "_was_committed", AsyncMock(return_value=None))
        for seq, member in enumerate((None, "one")):
            store, losses = await Store.open(url, member=member), 0
            network.after = cut
            with pytest.raises(MaybeStored):
                await store.commit(guarded(table, seq, 0))
            network.after = lambda text: None
            await store.close()


async def test_a_single_process_checks_nothing(database: Database) -> None:
    store = await database.open()
    table = await add_table(store)
    batch = guarded(table, 0, 99)
    batch.names["person:7"] = 99
    token = FENCE.set(Fence(3, 1, 1, datetime(2030, 1, 1, tzinfo=UTC)))
    await store.commit(batch)
    FENCE.reset(token)
    assert len(await store.entries(table)) == 1
    assert await revision(store, table) == await store.revision("person:7") == 0
    assert not store.is_shared
    await store.close()
    with pytest.raises(Unavailable, match="closed"):
        await store.entries(table)
    with pytest.raises(ValueError, match="cannot be shared"):
        await Store.open("sqlite:///tables.sqlite", member="one")


async def test_a_server_that_cannot_be_used_or_reached_says_why(database: Database) -> None:
    name = f"/{database.name}"
    for before, after, kind, text in (
        (name, f"{name}_not", BrokenDatabase, "does not exist"),
        (name, f"{name}?colour=red", BrokenDatabase, "colour"),
        ("127.0.0.1", "127.0.0.1:1", Unavailable, "did not answer"),
    ):
        url = database.url.replace(before, after, 1)
        if after.endswith(":1"):
            url = f"postgresql://kontor@{after}{name}"
        with pytest.raises(kind, match=text) as error:
            await Store.open(url)
        assert "\n" not in str(error.value)
        with pytest.raises(kind, match=text):
            await ServerLock(url).take()


# The lock on the database


class SharedLock(ServerLock):
    is_shared = True


@asynccontextmanager
async def taken(database: Database, *, shared: bool) -> AsyncIterator[ServerLock]:
    lock = (SharedLock if shared else ServerLock)(database.url)
    try:
        await lock.take()
        yield lock
    finally:
        await lock.close()


async def test_members_and_a_single_process_exclude_each_other(database: Database) -> None:
    for shared, reason in (
        (True, r"Bots with SHARDS are running .* set SHARDS"),
        (False, r"A bot without SHARDS is already running"),
    ):
        async with AsyncExitStack() as stack:
            for _ in range(3 if shared else 1):
                (await stack.enter_async_context(taken(database, shared=shared))).check()
            with pytest.raises(InUse, match=reason):
                async with taken(database, shared=not shared):
                    pass
        await database.disconnected()
        async with taken(database, shared=not shared):
            pass
        await database.disconnected()


async def test_a_process_without_the_lock_writes_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lock, "PULSE_S", 0.02)
    async with taken(database, shared=False) as lock:
        store = await Store.open(database.url, check=lock.check)
        assert lock._session is not None
        await database.execute("SELECT pg_terminate_backend(:pid)", pid=lock._session[0])
        await until(lambda: not lock.is_held)
        with pytest.raises(Unavailable, match="The lock on the database is lost"):
            await add_table(store)
        keeping = asyncio.create_task(lock.maintain())
        await until(lambda: lock.is_held)
        assert await add_table(store)
        # Our own lost session, which the server still has, is not taken for another bot.
        lost, lock._connection = lock._connection, None
        await until(lambda: lock.is_held)
        assert not keeping.done()
        keeping.cancel()
        lost.terminate()
        await store.close()


async def test_another_session_with_our_process_id_is_not_ended(database: Database) -> None:
    async with taken(database, shared=False) as other:
        assert other._session is not None
        pid, start = other._session
        lock = ServerLock(database.url)
        # As after a restart of the server, which then uses the same process ids.
        lock._session = pid, start.replace(year=2000)
        with pytest.raises(InUse):
            await lock.take()
        assert await other.ask("SELECT 1")
