"""What PostgreSQL decides of leases and of the lock on the whole: the first one wins, and the dead
hold nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import sqlalchemy as sa

from bot.store import InUse, ServerLock, Store, Unavailable, server_lock
from bot.store.leases import LeaseSession, LeaseStore
from tests.store.database import SERVER_ALONE, Database
from tests.store.samples import add_table
from tests.waiting import until

pytestmark = SERVER_ALONE

ZERO, ONE = "shard:0", "shard:1"
NAMES = [ZERO, ONE]
LONG_S = 60.0
APART_S = 1000.0
"""Between two turns to identify: what passes while a test asks for them is little of that."""


@pytest.fixture
async def store(database: Database) -> AsyncIterator[LeaseStore]:
    made = LeaseStore(database.url, LONG_S)
    yield made
    await made.close()


@pytest.fixture
async def session(store: LeaseStore) -> AsyncIterator[LeaseSession]:
    """Members `a` and `b`, and two leases that nobody holds."""
    async with store.session() as made:
        for name in ("a", "b"):
            await made.join(name, "all", "1", LONG_S, lambda others: 2)
        await made.make(NAMES)
        yield made


async def looked(session: LeaseSession) -> tuple[list[str], list[tuple[str | None, int]]]:
    """Who is a member, and who holds each lease by which fence."""
    members, leases = await session.look()
    return [each.name for each in members], [
        (leases[name].holder, leases[name].fence) for name in NAMES
    ]


async def dies(session: LeaseSession, name: str) -> None:
    """A member is silent for too long."""
    assert await session.renew(name, -1.0)


async def test_a_released_lease_is_taken_with_the_next_fence(session: LeaseSession) -> None:
    assert await session.take(NAMES, "a") == {ZERO: 1, ONE: 1}
    # A holder says once that it is ready, and a new one is not.
    await session.say_ready([ZERO], "b")
    await session.say_ready([ONE], "a")
    _, leases = await session.look()
    assert [leases[name].ready for name in NAMES] == [False, True]
    await session.release([ONE], "b")
    assert await session.take(NAMES, "b") == {}
    await session.release([ONE], "a")
    assert await session.take(NAMES, "b") == {ONE: 2}
    _, leases = await session.look()
    assert (leases[ONE].holder, leases[ONE].left_by, leases[ONE].ready) == ("b", "a", False)
    await session.end("a")
    assert await looked(session) == (["b"], [(None, 1), ("b", 2)])


async def test_what_the_dead_held_is_free_and_they_take_nothing(session: LeaseSession) -> None:
    await session.take(NAMES, "a")
    assert not await session.bury()
    await dies(session, "a")
    assert not await session.renew("a", LONG_S)
    await session.release([ZERO], "a")
    assert await session.take([ZERO], "a") == {}
    assert await session.bury()
    assert not await session.bury()
    assert not await session.renew("a", LONG_S)
    assert await looked(session) == (["b"], [(None, 1)] * 2)
    _, leases = await session.look()
    assert {lease.left_by for lease in leases.values()} == {"a"}


async def test_who_is_back_in_time_still_has_what_it_had(session: LeaseSession) -> None:
    await session.take(NAMES, "a")
    await dies(session, "a")
    assert await session.join("a", "all", "1", LONG_S, lambda others: 2) == 2
    assert not await session.bury()
    assert (await looked(session))[1] == [("a", 1)] * 2
    # Whoever joins is told what the living count.
    heard: list[Mapping[str, int]] = []

    def count(others: Mapping[str, int]) -> int:
        heard.append(others)
        return 2

    await dies(session, "b")
    await session.join("c", "0", "1", LONG_S, count)
    assert heard == [{"a": 2}]


async def test_one_of_all_that_claim_an_interaction_may_answer_it(
    database: Database, store: LeaseStore, session: LeaseSession
) -> None:
    names = ["a", "b", "c", "d"]
    won = await asyncio.gather(*(store.claim(7, ZERO, name, LONG_S) for name in names))
    assert won.count(True) == 1
    # Whoever asks again, having heard no answer, is told the same.
    assert [await store.claim(7, ZERO, name, LONG_S) for name in names] == won
    assert await store.claim(8, ZERO, "d", LONG_S)
    # Old claims are removed.
    await database.execute("UPDATE claims SET at = at - 1000000000 WHERE interaction = 7")
    await session.prune()
    assert await database.execute("DELETE FROM claims") == 1

    # Nobody answers for a holder who is alive and hears it.
    await session.take([ZERO], "a")
    assert await store.claim(1, ZERO, "b", LONG_S)
    await session.say_ready([ZERO], "a")
    assert not await store.claim(2, ZERO, "b", LONG_S)
    assert await store.claim(2, ZERO, "a", LONG_S)
    assert await store.claim(3, ONE, "b", LONG_S)
    assert not await store.claim(2, ZERO, "b", LONG_S, alone=True)
    assert await store.claim(5, ZERO, "b", LONG_S, alone=True)
    assert not await store.claim(5, ZERO, "a", LONG_S)
    await dies(session, "a")
    assert await store.claim(4, ZERO, "b", LONG_S)


async def test_turns_to_identify_are_apart_and_none_is_kept_for_who_did_not_ask(
    database: Database, store: LeaseStore
) -> None:
    waits = sorted(await asyncio.gather(*(store.wait_for_identify(0, APART_S) for _ in range(4))))
    for number, wait in enumerate(waits):
        assert APART_S * (number - 0.5) < wait <= APART_S * number
    assert await store.wait_for_identify(1, APART_S) == 0
    await database.execute("UPDATE identifies SET next = next - 5000000000")
    assert await store.wait_for_identify(0, APART_S) == 0
    assert await store.wait_for_identify(0, APART_S) > APART_S / 2


@asynccontextmanager
async def taken(database: Database, *, shared: bool) -> AsyncIterator[ServerLock]:
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
