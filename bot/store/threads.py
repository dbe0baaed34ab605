"""Threads that do jobs on SQLite connections: one visit a job, however many statements it has."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from bot.store.errors import Unavailable

R = TypeVar("R")
CLOSING = Lock()
"""Held while a connection is closed. Of two that are closed at once neither finds itself the last,
and the log would be left beside the file, as by a program that was killed."""
CLOSED = "The database is closed."
Job = Callable[[sqlite3.Connection], R]


class Visit:
    """A job, and who waits for it on an event loop. Within its block, on the thread, it is done."""

    def __init__(self, job: Job[Any]) -> None:
        self.job = job
        self.result: Any = None
        self._loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self._loop.create_future()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        """Tells how it ended. What is no Exception goes on."""
        if error is None or isinstance(error, Exception):
            self.tell(error)
            return True
        self.refuse(f"A thread of the database has ended: {error!r}")
        return False

    def refuse(self, why: str) -> None:
        """Says that it was not done."""
        self.tell(Unavailable(why))

    def tell(self, error: Exception | None) -> None:
        """Says that it was done, or how it failed."""
        # Where the loop is closed nobody waits any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._settle, error)

    def _settle(self, error: Exception | None) -> None:
        if self.done.done():
            return  # Given up by who waited.
        if error is None:
            self.done.set_result(self.result)
        else:
            self.done.set_exception(error)


class Threads:
    """Threads with one queue of jobs, which begin in the order in which they come.

    Each has a connection of its own, made by `connect` for its first job. One that a job leaves in
    a transaction is closed, which takes back what was written. What a job raises is raised to who
    waits for it. What is no Exception ends the thread as well; once the last has ended, who waits
    or comes is refused.
    """

    def __init__(self, name: str, count: int, connect: Callable[[], sqlite3.Connection]) -> None:
        self.connect = connect
        self._visits: SimpleQueue[Visit | None] = SimpleQueue()
        self._is_closed = False
        self._running = count
        self._lock = Lock()
        """So that nothing is queued behind the last thread's back."""
        # Nobody waits for the thread of somebody who forgot to close it.
        self._threads = [Thread(target=self._work, name=name, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def visit(self, job: Job[R]) -> asyncio.Future[R]:
        """Has a job done, also where who waits for it gives up. Raises Unavailable where no more
        are accepted."""
        visit = Visit(job)
        with self._lock:
            if self._is_closed or not self._running:
                raise Unavailable(CLOSED)
            self._visits.put(visit)
        return visit.done

    def end(self) -> None:
        """Accepts no more: what is waiting is done, then the threads end by themselves. A second
        time does nothing."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            for _ in self._threads:
                self._visits.put(None)

    async def close(self) -> None:
        """Ends them, and waits until they have ended."""
        self.end()
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        connection = None
        try:
            while (visit := self._visits.get()) is not None:
                connection = self._do(visit, connection)
                del visit  # With all that it has found: the next one may be long in coming.
        finally:
            if connection is not None:
                _close(connection)
            self._end()

    def _do(self, visit: Visit, connection: sqlite3.Connection | None) -> sqlite3.Connection | None:
        with visit:
            connection = connection or self.connect()
            visit.result = visit.job(connection)
        if connection is not None and connection.in_transaction:
            _close(connection)
            return None
        return connection

    def _end(self) -> None:
        with self._lock:
            self._running -= 1
            if self._running:
                return
            with suppress(Empty):
                while True:
                    visit = self._visits.get_nowait()
                    if visit is not None:
                        visit.refuse(CLOSED)


def _close(connection: sqlite3.Connection) -> None:
    with CLOSING:
        connection.close()
