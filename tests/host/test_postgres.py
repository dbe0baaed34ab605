"""Two bots and one PostgreSQL: only one of them works on a database, and knows when it may not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from bot.app import open_services
from bot.local import Standin
from bot.opening import CannotOpen, open_store
from bot.store import InUse, ServerLock, Unavailable, server_lock
from bot.tables import StoreUnavailable
from tests.host.conftest import TIMEOUT_S
from tests.store.database import SERVER_ALONE, Database
from tests.waiting import until
from tests.wire.process import process_on

pytestmark = [SERVER_ALONE, pytest.mark.slow]

END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
"""As when the server is started anew."""


@pytest.fixture
async def lock(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ServerLock]:
    monkeypatch.setattr(server_lock, "PULSE_S", 0.02)
    lock = ServerLock(database.url)
    await lock.take()
    yield lock
    await lock.close()


async def test_a_second_bot_says_that_there_is_a_first_and_ends_with_status_2(
    standin: Standin, tmp_path: Path, database: Database
) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    async with process_on(standin, folders[0]) as first, process_on(standin, folders[1]) as second:
        await first.start(DATABASE_URL=database.url)
        await second.launch(DATABASE_URL=database.url)
        assert await second.exit_status() == 2
        said = second.log.read_text()
        assert said.count("\n") == 1, said
        assert "A bot is running on the database" in said
        assert "Stop it first" in said

        # However the first one ends, its lock ends with it.
        await first.kill()
        await second.start(DATABASE_URL=database.url)
        assert not second.ended.done(), second.log.read_text()
        assert await second.stop() == 0
        assert "Traceback" not in second.log.read_text()


async def test_a_lost_lock_is_known_at_once_and_taken_again(
    database: Database, lock: ServerLock, caplog: pytest.LogCaptureFixture
) -> None:
    lock.check()
    await database.execute(END_ALL)

    async def known() -> bool:
        try:
            lock.check()
        except Unavailable:
            return True
        return False

    async def held() -> bool:
        return not await known()

    await until(known)
    keeping = asyncio.create_task(lock.keep())
    await until(held)
    assert "is lost" in caplog.text
    assert "is held again" in caplog.text
    with pytest.raises(InUse):
        await ServerLock(database.url).take()
    keeping.cancel()


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
