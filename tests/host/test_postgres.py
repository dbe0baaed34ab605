"""Two bots and one PostgreSQL: only one of them works on a database, and knows when it may not."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.app import open_services
from bot.opening import CannotOpen, open_store
from bot.store import InUse, ServerLock, server_lock
from bot.tables import StoreUnavailable
from tests.host.conftest import TIMEOUT_S
from tests.store.database import SERVER_ALONE, Database
from tests.waiting import until

pytestmark = [SERVER_ALONE, pytest.mark.slow]

END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
"""As when the server is started anew."""


async def test_a_bot_whose_lock_another_has_taken_ends_with_the_words_of_a_second_one(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lock, "PULSE_S", 0.02)
    other, taken = ServerLock(database.url), asyncio.Event()
    is_held = ServerLock._is_held

    async def looks(lock: ServerLock) -> bool:
        # Not before the other one was quicker.
        await taken.wait()
        return await is_held(lock)

    monkeypatch.setattr(ServerLock, "_is_held", looks)

    async def takes() -> bool:
        with suppress(InUse):  # As long as the session that is ended is not gone.
            await other.take()
            return True
        return False

    async def work() -> None:
        async with open_services(database.url) as services:
            await database.execute(END_ALL)
            await until(takes)
            with pytest.raises(StoreUnavailable):
                await services.tables.lobby.open("kogge", 1, "Anna", 1, 2)
            taken.set()
            await asyncio.Event().wait()

    with pytest.raises(CannotOpen, match="A bot is running on the database"):
        await asyncio.wait_for(work(), TIMEOUT_S)
    await other.close()


async def test_a_session_that_the_server_has_not_missed_yet_is_no_other_bot(
    database: Database, lock: ServerLock
) -> None:
    # The connection is gone without a word: to the server it is still there.
    lost = lock._connection
    lock._connection = None
    keeping = asyncio.create_task(lock.keep())

    await until(lambda: lock._connection is not None)
    lock.check()
    assert not keeping.done()
    keeping.cancel()
    assert lost is not None
    await lost.invalidate()
    await lost.close()


async def test_a_database_of_another_program_is_not_tried_for_ever(database: Database) -> None:
    await database.execute("CREATE TABLE tables (x int)")
    for member in (None, "one"):
        with pytest.raises(CannotOpen, match="another program's"):
            async with open_store(database.url, member=member):
                pass
