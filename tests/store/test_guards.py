"""Of several processes that write to one database none overlooks what another has written, and
what one writes the others hear, or they know that they may have missed it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import AsyncMock

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import (
    LeaseLost,
    StaleWrite,
    Store,
    Unavailable,
    WriteBatch,
    engine_setup,
    guards,
    notices,
)
from bot.store.errors import MaybeStored
from bot.store.guards import findings, judge
from bot.store.notices import NoticeListener
from bot.store.server import carry_out
from bot.store.sharing import FENCE, Fence, Notice
from tests.store.database import IMPATIENT_MS, SERVER_ALONE, WAIT_S, Database, engine_of
from tests.store.network import Network
from tests.store.samples import add_table, entry, player_row, table_row
from tests.waiting import until

pytestmark = SERVER_ALONE

LEASE = Fence("shard:3", 7)
IDLE, IDLE_TIME = "idle_in_transaction_session_timeout", f"{engine_setup.IDLE_MS // 1000}s"


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    store = await database.open("one")
    yield store
    await store.close()


@pytest.fixture
async def other(database: Database) -> AsyncIterator[Store]:
    store = await database.open("other")
    yield store
    await store.close()


def guarded(table: int, seq: int, revision: int) -> WriteBatch:
    batch = entry(table, seq)
    batch.guard_table(table, revision)
    return batch


async def revision(store: Store, table: int) -> int:
    stored = await store.load(table)
    assert stored is not None
    return stored.table.revision


async def lease(database: Database, number: int) -> None:
    await database.execute(
        "INSERT INTO leases (name, holder, fence, ready) VALUES (:name, 'one', :number, true)"
        " ON CONFLICT (name) DO UPDATE SET fence = :number",
        name=LEASE.lease,
        number=number,
    )


async def waits_for_a_lock(database: Database, member: str, sessions: int) -> None:
    """So many sessions of that member."""

    async def are_waiting() -> bool:
        found = await database.execute(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND application_name LIKE :member",
            member=member,
        )
        return found >= sessions

    await until(are_waiting)


async def test_of_batches_written_together_stale_ones_are_left_out(store: Store) -> None:
    tables = [await add_table(store) for _ in range(4)]
    commits: list[object] = []
    sa.event.listen(engine_of(store).sync_engine, "commit", commits.append)
    batches = [guarded(table, 0, 5 if table == tables[1] else 0) for table in tables]
    batches[2].guard("server:5", 3)
    results = await asyncio.gather(*map(store.commit, batches), return_exceptions=True)
    assert [type(each) for each in results] == [type(None), StaleWrite, StaleWrite, type(None)]
    assert len(commits) == 1
    assert [len(await store.entries(table)) for table in tables] == [1, 0, 0, 1]
    assert [await revision(store, table) for table in tables] == [1, 0, 0, 1]
    # Each sees what those before it change.
    found = findings([guarded(1, 0, 4), guarded(1, 1, 4), guarded(1, 1, 5)], {1: 4}, {}, {})
    assert [type(error) for error in found.errors] == [type(None), StaleWrite, type(None)]
    assert found.tables == {1: 6}


async def test_a_table_is_read_as_it_was_at_one_moment(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await add_table(store)
    batch = guarded(table, 0, 0)
    batch.save_players(table, [player_row(table, 0, 9)])
    execute = AsyncConnection.execute
    between = [batch]

    async def first_the_row(connection: AsyncConnection, *what: Any) -> Any:
        found = await execute(connection, *what)
        if between:
            await other.commit(between.pop())
        return found

    monkeypatch.setattr(AsyncConnection, "execute", first_the_row)
    before, after = await store.load(table), await store.load(table)
    assert before is not None
    assert after is not None
    assert [before.table.revision, *(player.user for player in before.players)] == [0, 7, 8]
    assert [after.table.revision, *(player.user for player in after.players)] == [1, 9]


async def test_what_is_done_for_the_sake_of_a_lease_is_refused_once_it_has_changed_hands(
    store: Store, database: Database
) -> None:
    table = await add_table(store)
    token = FENCE.set(LEASE)
    for fence in (None, LEASE.number + 1):
        if fence is not None:
            await lease(database, fence)
        with pytest.raises(LeaseLost, match="shard:3"):
            await store.commit(entry(table, 0))
    FENCE.reset(token)
    assert await store.entries(table) == []
    # It changes hands only between two writes for its sake.
    await lease(database, LEASE.number)
    batch = entry(table, 0)
    batch.fence(LEASE)
    async with engine_of(store).connect() as hinders:
        await hinders.execute(sa.text("LOCK TABLE log IN EXCLUSIVE MODE"))
        writing = asyncio.create_task(store.commit(batch))
        await waits_for_a_lock(database, "one", 1)
        taking = asyncio.create_task(lease(database, LEASE.number + 1))
        await waits_for_a_lock(database, "%", 2)
        assert not taking.done()
        await hinders.rollback()
    await writing
    await taking
    assert len(await store.entries(table)) == 1


async def test_who_stops_in_the_middle_of_a_write_hinders_others_briefly(
    store: Store, other: Store, database: Database
) -> None:
    table = await add_table(other)
    await lease(database, LEASE.number)
    batch = guarded(table, 0, 0)
    batch.fence(LEASE)

    async def write_with_a_pause() -> None:
        async with asyncio.timeout(WAIT_S), engine_of(store).begin() as connection:
            await judge(connection, [batch])
            assert await connection.scalar(sa.text(f"SHOW {IDLE}")) == IDLE_TIME
            # Sooner, but only from here on: whoever is slow before that has not stopped.
            await connection.execute(sa.text(f"SET LOCAL {IDLE} = 200"))
            await lease(database, LEASE.number + 1)
            await other.commit(guarded(table, 1, 0))
            await carry_out(connection, [batch])

    with pytest.raises(DBAPIError):
        await write_with_a_pause()
    assert [row.seq for row in await other.entries(table)] == [1]


async def test_what_one_has_locked_hinders_only_the_batches_that_need_it(
    other: Store, database: Database
) -> None:
    database.lock_wait_ms = IMPATIENT_MS
    store = await database.open("one")
    await lease(database, LEASE.number)
    settings = WriteBatch()
    settings.guard("server:5", 0)
    await store.commit(settings)
    for turn, lock in enumerate(
        (
            "UPDATE tables SET revision = revision WHERE id = :table",
            "UPDATE revisions SET number = number WHERE name = 'server:5'",
            "UPDATE leases SET fence = fence WHERE name = 'shard:3'",
        )
    ):
        tables = [await add_table(store) for _ in range(6)]

        def hindered(table: int, turn: int) -> WriteBatch:
            batch = guarded(table, 0, 0)
            batch.guard("server:5", turn + 1)
            batch.fence(LEASE)
            return batch

        new = await store.new_table_id()
        added = WriteBatch()
        added.add_table(table_row(new))
        added.guard_table(new, 0)
        added.guard("person:7", turn)
        batches = [*(guarded(table, 0, 0) for table in tables), added, guarded(tables[5], 0, 3)]
        batches[2] = hindered(tables[2], turn)
        async with engine_of(other).begin() as connection:
            values = {"table": tables[2]} if ":table" in lock else {}
            await connection.execute(sa.text(lock), values)
            results = await asyncio.gather(*map(store.commit, batches), return_exceptions=True)
        expected: list[type] = [type(None)] * 7 + [StaleWrite]
        expected[2] = Unavailable
        assert [type(each) for each in results] == expected, lock
        assert [len(await store.entries(table)) for table in tables] == [1, 1, 0, 1, 1, 1]
        revisions = [await revision(store, table) for table in (*tables, new)]
        assert revisions == [1, 1, 0, 1, 1, 1, 1], lock
        await store.commit(hindered(tables[2], turn))
        assert len(await store.entries(tables[2])) == await revision(store, tables[2]) == 1
    await store.close()


async def test_two_who_wait_for_one_another_both_go_on(database: Database) -> None:
    await database.execute(f"ALTER DATABASE {database.name} SET deadlock_timeout = '10ms'")
    store = await database.open("one")
    tables = [await add_table(store) for _ in range(2)]
    async with engine_of(store).connect() as other:
        rename = sa.text("UPDATE tables SET game = 'other' WHERE id = :table")
        await other.execute(rename, {"table": tables[1]})
        batch = guarded(tables[0], 0, 0)
        stored = await store.load(tables[1])
        assert stored is not None
        batch.save_table(stored.table)
        writing = asyncio.create_task(store.commit(batch))
        await waits_for_a_lock(database, "one", 1)
        try:
            await other.execute(rename, {"table": tables[0]})
            await other.commit()
        except sa.exc.DBAPIError:
            await other.rollback()
    await writing
    assert len(await store.entries(tables[0])) == await revision(store, tables[0]) == 1
    await store.close()


async def test_whether_a_write_was_stored_is_known_after_a_loss_or_it_is_said_that_it_is_not(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network()
    losses = 0

    def cut(said: bytes) -> None:
        nonlocal losses
        if b"COMMIT" in said and not losses:
            losses += 1
            network.cut()

    async with network.to(database.url) as url:
        store = await Store.open(url, member="one")
        for is_kept in (True, False):
            table, losses = await add_table(store), 0
            if is_kept:
                network.after = cut
                await store.commit(guarded(table, 0, 0))
                network.after = lambda said: None
            else:
                network.before = cut
                with pytest.raises(Unavailable):
                    await store.commit(guarded(table, 0, 0))
            assert losses == 1
            assert len(await store.entries(table)) == await revision(store, table) == int(is_kept)
        await store.close()
        network.before = lambda said: None
        monkeypatch.setattr(guards, "is_kept", AsyncMock(side_effect=OSError("no route to host")))
        for seq, member in enumerate((None, "one")):
            store, losses = await Store.open(url, member=member), 0
            network.after = cut
            with pytest.raises(MaybeStored):
                await store.commit(guarded(table, seq, 0))
            network.after = lambda said: None
            await store.close()


async def test_a_process_that_is_alone_checks_nothing(database: Database) -> None:
    store = await database.open()
    said: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        said.append(statement)

    table = await add_table(store)
    sa.event.listen(engine_of(store).sync_engine, "before_cursor_execute", note)
    batch = guarded(table, 0, 99)
    batch.guard("person:7", 99)
    batch.fence(LEASE)
    token = FENCE.set(LEASE)
    await store.commit(batch)
    FENCE.reset(token)
    assert [statement.split()[:3] for statement in said] == [["INSERT", "INTO", "log"]]
    assert await revision(store, table) == await store.revision("person:7") == 0
    assert not store.is_shared
    await store.close()
    with pytest.raises(ValueError, match="cannot be shared"):
        await Store.open("sqlite+aiosqlite:///tables.sqlite", member="one")


Heard = list[Notice | str]
"""Everything that a member hears, in order."""


@asynccontextmanager
async def listening(url: str, member: str) -> AsyncIterator[Heard]:
    heard, each = Heard(), NoticeListener(url, member)
    each.on_notice = heard.append
    each.on_lost = lambda: heard.append("lost")
    each.on_back = lambda: heard.append("back")
    async with each:
        yield heard


def change(table: int, seq: int, *names: str) -> WriteBatch:
    batch = guarded(table, seq, seq)
    for name in names:
        batch.guard(name, seq)
    return batch


async def test_others_hear_what_was_written_and_nobody_hears_themselves(
    store: Store, other: Store, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    table, *tables = [await add_table(store) for _ in range(4)]
    async with listening(database.url, "one") as own, listening(database.url, "other") as heard:
        await store.commit(change(table, 0, "person:7"))
        with pytest.raises(StaleWrite):
            await store.commit(change(table, 5))
        await store.commit(entry(table, 99))
        await other.commit(change(table, 1))
        await until(lambda: own)
        # What somebody else says on the channel is passed over.
        await database.execute("SELECT pg_notify('kontor', 'hello')")
        # What is written together is told together.
        await asyncio.gather(*(store.commit(change(each, 0)) for each in tables))
        await until(lambda: len(heard) > 1)
    together = Notice(dict.fromkeys(tables, 1), ())
    assert heard == [Notice({table: 1}, ("person:7",)), together]
    assert own == [Notice({table: 2}, ())]
    assert "something else was told" in caplog.text


async def test_a_network_that_falls_silent_is_found_out(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PING_S", "RETRY_S"):
        monkeypatch.setattr(notices, name, 0.01)
    table, network = await add_table(store), Network()
    async with network.to(database.url) as url, listening(url, "other") as heard:
        network.is_silent = True
        monkeypatch.setattr(notices, "ANSWER_S", 0.2)
        await until(lambda: heard)
        assert heard == ["lost"]
        await store.commit(change(table, 0))
        monkeypatch.setattr(notices, "ANSWER_S", 5)
        network.is_silent = False
        network.cut()
        await until(lambda: heard[-1] == "back")
        await store.commit(change(table, 1))
        await until(lambda: isinstance(heard[-1], Notice))
    assert heard == ["lost", "back", Notice({table: 2}, ())]


async def test_who_cannot_listen_at_the_beginning_is_told_so(database: Database) -> None:
    url = sa.make_url(database.url).set(port=1).render_as_string(hide_password=False)
    with pytest.raises(Unavailable, match="did not answer"):
        async with listening(url, "one"):
            pass
