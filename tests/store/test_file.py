"""A file of which connections are lost, or that is lost itself, comes to no harm; its threads."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Thread, get_ident
from typing import Any

import pytest
import sqlalchemy as sa

from bot.store import Store, Unavailable, WriteBatch, engine_setup, prepared, threads
from bot.store import file as below
from bot.store.file import READERS, FileDatabase
from bot.store.threads import Threads
from bot.workers import WorkerError
from tests.store.database import empty
from tests.waiting import until

SETTINGS = sa.text("SELECT settings FROM people")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "here" / "tables.sqlite"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    file.parent.mkdir()
    store = await Store.open(empty(file))
    yield store
    await store.close()


async def save(store: Store, user: int, value: int) -> None:
    batch = WriteBatch()
    batch.save_person(user, {"value": value})
    await store.commit(batch)


def below_of(store: Store) -> FileDatabase:
    database = store._database
    assert isinstance(database, FileDatabase)
    return database


def running(store: Store) -> list[Thread]:
    database = below_of(store)
    threads = [*database._writing._threads, *database._reading._threads]
    return [thread for thread in threads if thread.is_alive()]


async def held(store: Store) -> tuple[Event, list[asyncio.Future[Any]]]:
    """A job under way on each thread, until the event is set."""
    database, may_end = below_of(store), Event()
    places = [database._writing, *[database._reading] * READERS]
    begun = [Event() for _ in places]
    jobs: list[asyncio.Future[Any]] = [
        place.visit(partial(wait, each, may_end)) for place, each in zip(places, begun, strict=True)
    ]
    await until(lambda: all(each.is_set() for each in begun))
    return may_end, jobs


@pytest.mark.parametrize("closes", ["store", "database"])
async def test_a_closing_that_is_cancelled_leaves_nothing_open(store: Store, closes: str) -> None:
    may_end, jobs = await held(store)
    is_whole = closes == "store"
    jobs += [asyncio.ensure_future(save(store, 1, 1))] * is_whole
    await asyncio.sleep(0)
    close = store.close if is_whole else store._database.close
    closings = [asyncio.create_task(close()) for _ in range(3 if is_whole else 1)]
    for each in closings:
        await asyncio.sleep(0)
        each.cancel()
    await asyncio.sleep(0)
    are_cancelled = [closing.done() for closing in closings]
    may_end.set()
    assert all(are_cancelled), "who is cancelled does not wait"
    await asyncio.gather(*jobs)
    await until(lambda: not running(store))
    with pytest.raises(Unavailable):
        await store.person(1)
    await close()


async def test_what_is_written_while_the_file_is_moved_is_kept_nowhere(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save(store, 1, 1)
    away = file.parent.with_name("away")

    def moving(connection: sqlite3.Connection, *written: Any) -> None:
        file.parent.rename(away)
        prepared.execute(connection, *written)

    with monkeypatch.context() as patched:
        patched.setattr(below, "execute", moving)
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


async def test_what_cannot_be_read_leaves_no_thread_in_the_past(store: Store) -> None:
    def unreadable(_: object) -> None:
        raise LookupError

    for user in range(3):
        await save(store, user, 1)
    for _ in range(4):
        with pytest.raises(LookupError):
            await store._database.read(unreadable, SETTINGS, {})
    await save(store, 0, 2)
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
            await save(store, 1, value)
        other.execute("ROLLBACK")
    # What the writer does after the first has been done before the second.
    await save(store, 1, 0)
    await save(store, 1, 1)
    assert written.stat().st_size < most
    assert caplog.text.count("another program keeps reading it") == 1


def write(n: int, connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO kept VALUES (?)", (n,))


def read(connection: sqlite3.Connection) -> list[int]:
    return [n for (n,) in connection.execute("SELECT n FROM kept")]


def wait(begun: Event, may_end: Event, _: sqlite3.Connection) -> int:
    begun.set()
    may_end.wait()
    return get_ident()


@pytest.fixture
async def thread(tmp_path: Path) -> AsyncIterator[Threads]:
    """One thread, and an empty table."""
    made = Threads("store tested", 1, partial(engine_setup.connect, tmp_path / "some.sqlite", 50))
    await made.visit(lambda connection: connection.execute("CREATE TABLE kept (n INTEGER)"))
    yield made
    await made.close()


async def test_what_a_job_raises_is_raised_to_who_waits_for_it(thread: Threads) -> None:
    def fail(raised: type[BaseException], _: sqlite3.Connection) -> None:
        raise raised

    for raised, heard in (
        (LookupError, LookupError),
        (StopIteration, WorkerError),
        (SystemExit, WorkerError),
    ):
        failing, writing = thread.visit(partial(fail, raised)), thread.visit(partial(write, 1))
        with pytest.raises(heard):
            await failing
        await writing
    assert await thread.visit(read) == [1, 1, 1]

    def leave(connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")
        write(2, connection)

    # What a job leaves in a transaction is taken back.
    await thread.visit(leave)
    assert await thread.visit(read) == [1, 1, 1]


async def test_one_connection_is_closed_at_a_time(tmp_path: Path) -> None:
    alone: list[bool] = []

    class Watched(sqlite3.Connection):
        def close(self) -> None:
            alone.append(threads.CLOSING.locked())
            super().close()

    several = Threads("store tested", 3, partial(sqlite3.connect, tmp_path / "a", factory=Watched))
    begun = Barrier(3)
    await asyncio.gather(*(several.visit(lambda _: begun.wait()) for _ in range(3)))
    await several.close()
    assert alone == [True] * 3
