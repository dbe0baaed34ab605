"""A job makes one visit to a thread, and whoever waits for it hears how it ended."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from threading import Barrier, Event, get_ident

import pytest

from bot.store import Unavailable, engine_setup, threads
from bot.store.threads import Threads
from bot.workers import WorkerError


class Broken(Exception):
    """What a job raises."""


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


async def test_jobs_are_done_in_order_beside_the_event_loop(thread: Threads) -> None:
    await asyncio.gather(*(thread.visit(partial(write, n)) for n in range(20)))
    assert await thread.visit(read) == [*range(20)]
    assert await thread.visit(lambda _: get_ident()) != get_ident()


@pytest.mark.parametrize(
    ("raised", "heard"),
    [(Broken, Broken), (StopIteration, WorkerError), (SystemExit, WorkerError)],
)
async def test_what_a_job_raises_is_raised_to_who_waits_for_it_and_the_next_is_done(
    thread: Threads, raised: type[BaseException], heard: type[Exception]
) -> None:
    def fail(_: sqlite3.Connection) -> None:
        raise raised

    failing, writing = thread.visit(fail), thread.visit(partial(write, 1))
    with pytest.raises(heard):
        await failing
    await writing
    assert await thread.visit(read) == [1]


async def test_what_a_job_leaves_in_a_transaction_is_taken_back(thread: Threads) -> None:
    def leave(connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")
        write(1, connection)

    await thread.visit(leave)
    assert await thread.visit(read) == []


async def test_a_job_that_nobody_waits_for_any_more_is_done(thread: Threads) -> None:
    begun, may_end = Event(), Event()
    holding = thread.visit(partial(wait, begun, may_end))
    given_up = thread.visit(partial(write, 1))
    given_up.cancel()
    may_end.set()
    await holding
    assert await thread.visit(read) == [1]


async def test_closing_does_what_is_waiting_and_accepts_no_more(thread: Threads) -> None:
    begun, may_end = Event(), Event()
    visits = [
        thread.visit(partial(wait, begun, may_end)),
        thread.visit(lambda _: get_ident()),
    ]
    closing = asyncio.create_task(thread.close())
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        thread.visit(read)
    assert not closing.done()
    may_end.set()
    await closing
    assert len({await visit for visit in visits}) == 1


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
