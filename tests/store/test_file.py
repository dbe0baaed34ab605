"""A file of which connections are lost, or that is lost itself, comes to no harm."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import sqlalchemy as sa

from bot.store import Store, Unavailable, WriteBatch, prepared
from bot.store import file as below
from bot.store.file import READERS, FileDatabase
from tests.store.database import empty
from tests.waiting import until

SETTINGS = sa.text("SELECT settings FROM people")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the database is."""
    return tmp_path / "here" / "tables.sqlite"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    file.parent.mkdir()
    store = await Store.open(empty(file))
    yield store
    await store.close()


def settings(user: int, value: int) -> WriteBatch:
    """One change."""
    batch = WriteBatch()
    batch.save_person(user, {"value": value})
    return batch


async def lose_the_writer(store: Store) -> None:
    """Its connection is left in a transaction, as after an error of the disk, and so is closed."""
    database = store._database
    assert isinstance(database, FileDatabase)
    await database._writing.visit(lambda connection: connection.execute("BEGIN"))


def running(store: Store) -> list[Thread]:
    """Its threads."""
    database = store._database
    assert isinstance(database, FileDatabase)
    threads = [*database._writing._threads, *database._reading._threads]
    return [thread for thread in threads if thread.is_alive()]


async def held(store: Store) -> tuple[Event, list[asyncio.Future[Any]]]:
    """A job under way on each thread, until the event is set."""
    database, may_end = store._database, Event()
    assert isinstance(database, FileDatabase)

    def wait(begun: Event, _: sqlite3.Connection) -> None:
        begun.set()
        may_end.wait()

    places = [database._writing, *[database._reading] * READERS]
    begun = [Event() for _ in places]
    jobs = [place.visit(partial(wait, each)) for place, each in zip(places, begun, strict=True)]
    await until(lambda: all(each.is_set() for each in begun))
    return may_end, jobs


async def test_a_closing_that_is_cancelled_leaves_nothing_open(store: Store) -> None:
    may_end, jobs = await held(store)
    writing = asyncio.create_task(store.commit(settings(1, 1)))
    await asyncio.sleep(0)
    closings = [asyncio.create_task(store.close()) for _ in range(3)]
    for each in closings:
        await asyncio.sleep(0)
        each.cancel()
    await asyncio.sleep(0)
    are_cancelled = [closing.done() for closing in closings]
    may_end.set()
    assert all(are_cancelled), "who is cancelled does not wait"
    await asyncio.gather(*jobs, writing)
    await until(lambda: not running(store))
    with pytest.raises(Unavailable):
        await store.person(1)
    await store.close()


async def test_a_database_whose_closing_is_cancelled_ends_all_its_threads(store: Store) -> None:
    may_end, jobs = await held(store)
    closing = asyncio.create_task(store._database.close())
    await asyncio.sleep(0)
    closing.cancel()
    may_end.set()
    await asyncio.gather(*jobs)
    await until(lambda: not running(store))
    with pytest.raises(Unavailable):
        await store.person(1)
    await store._database.close()


async def test_a_connection_is_made_anew_to_the_same_file_or_to_none(
    store: Store, file: Path
) -> None:
    await store.commit(settings(1, 1))
    away = file.parent.rename(file.parent.with_name("away"))
    file.parent.mkdir()
    await lose_the_writer(store)
    with pytest.raises(Unavailable, match="was moved"):
        await store.commit(settings(2, 2))
    assert not [*file.parent.iterdir()], "another file was made in its place"
    file.parent.rmdir()
    away.rename(file.parent)
    await store.commit(settings(2, 3))
    assert await store.person(2) == {"value": 3}


async def test_what_is_written_while_the_file_is_moved_is_not_kept(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away, execute = file.parent.with_name("away"), prepared.execute

    def moving(connection: sqlite3.Connection, *written: Any) -> None:
        file.parent.rename(away)
        execute(connection, *written)

    monkeypatch.setattr(below, "execute", moving)
    with pytest.raises(Unavailable, match="was moved"):
        await store.commit(settings(1, 1))
    monkeypatch.undo()
    away.rename(file.parent)
    assert await store.person(1) is None
    await store.commit(settings(1, 2))


async def test_what_cannot_be_read_leaves_no_thread_in_the_past(store: Store) -> None:
    def unreadable(_: object) -> None:
        raise LookupError

    for user in range(3):
        await store.commit(settings(user, 1))
    for _ in range(4):
        with pytest.raises(LookupError):
            await store._database.read(unreadable, SETTINGS, {})
    await store.commit(settings(0, 2))
    for _ in range(4):
        assert await store.person(0) == {"value": 2}


async def test_the_write_ahead_log_shrinks_once_another_program_has_read(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    most = 100_000
    monkeypatch.setattr(below, "LOG_MOST", most)
    monkeypatch.setattr(below, "SHORTEN_EVERY_S", 0.0)
    monkeypatch.setattr(below, "SHORTEN_WAIT_MS", 1)
    written = file.with_name(f"{file.name}-wal")
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM tables").fetchall()
        value = 0
        while written.stat().st_size < 2 * most:
            value += 1
            await store.commit(settings(1, value))
        other.execute("ROLLBACK")
    # What the writer does after the first has been done before the second.
    await store.commit(settings(1, 0))
    await store.commit(settings(1, 1))
    assert written.stat().st_size < most
    assert caplog.text.count("another program keeps reading it") == 1
