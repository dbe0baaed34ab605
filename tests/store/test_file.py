"""Nothing is lost or left behind when a SQLite file is closed, moved or read with errors."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.store import PersonRow, Store, Unavailable, WriteBatch, sqlite
from bot.store.sql import statement
from tests.store.database import empty
from tests.waiting import until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "here" / "tables.sqlite"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    file.parent.mkdir()
    store = await Store.open(empty(file))
    yield store
    await store.close()


def running() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name.startswith("store")]


async def save(store: Store, user: int, value: int) -> None:
    batch = WriteBatch()
    batch.save(PersonRow(user, {"value": value}))
    await store.commit(batch)


async def test_a_cancelled_close_leaves_nothing_open(store: Store) -> None:
    writing = asyncio.create_task(save(store, 1, 1))
    await asyncio.sleep(0)
    closings = [asyncio.create_task(store.close()) for _ in range(3)]
    for each in closings:
        await asyncio.sleep(0)
        each.cancel()
    await asyncio.gather(*closings, return_exceptions=True)
    await writing
    await until(lambda: not running())
    with pytest.raises(Unavailable):
        await store.person(1)
    await store.close()


async def test_a_write_while_the_file_is_moved_is_stored_nowhere(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save(store, 1, 1)
    away = file.parent.with_name("away")

    run = sqlite._run

    def moving(*written: Any) -> None:
        file.parent.rename(away)
        run(*written)

    with monkeypatch.context() as patched:
        patched.setattr(sqlite, "_run", moving)
        with pytest.raises(Unavailable, match="was moved"):
            await save(store, 3, 1)
    file.parent.mkdir()
    with pytest.raises(Unavailable, match="was moved"):
        await save(store, 3, 1)
    assert not [*file.parent.iterdir()], "another file was made in its place"
    file.parent.rmdir()
    away.rename(file.parent)
    assert await store.person(3) is None
    await save(store, 3, 2)


async def test_a_failed_or_cancelled_read_leaves_no_old_snapshot(store: Store) -> None:
    people, wrong = (
        statement("SELECT settings FROM people"),
        statement("SELECT nowhere FROM people"),
    )
    for user in range(3):
        await save(store, user, 1)
    for _ in range(4):
        with pytest.raises(Exception, match="no such column"):
            await store._database.read(people, wrong)
        reading = asyncio.create_task(store._database.read(people, people))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    await save(store, 0, 2)
    for _ in range(4):
        assert await store.person(0) == {"value": 2}


async def test_closing_leaves_no_files_next_to_the_database(store: Store, file: Path) -> None:
    await save(store, 1, 1)
    await store.close()
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM people").fetchone() == (1,)
