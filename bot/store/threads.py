"""Threads that do jobs on SQLite connections: one visit a job, however many statements it has."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from bot.store.errors import Unavailable
from bot.workers import contained, in_thread

R = TypeVar("R")
CLOSING = Lock()
"""Held while a connection is closed. Of two that are closed at once neither finds itself the last,
and the log would be left beside the file, as by a program that was killed."""
Job = Callable[[sqlite3.Connection], R]


class Visit:
    """A job, and who waits for it on an event loop."""

    def __init__(self, job: Job[Any]) -> None:
        self.job = job
        self._loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self._loop.create_future()

    def tell(self, result: Any, error: Exception | None = None) -> None:
        """Says, from a thread, what the job returned or raised."""
        # Where the loop is closed nobody waits any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._settle, result, error)

    def _settle(self, result: Any, error: Exception | None) -> None:
        if self.done.done():
            return  # Given up by who waited.
        if error is None:
            self.done.set_result(result)
        else:
            self.done.set_exception(error)


class Threads:
    """Threads with one queue of jobs, which begin in the order in which they come.

    Each has a connection of its own, made by `connect` for its first job. One that a job leaves in
    a transaction is closed, which takes back what was written. What a job raises is raised to who
    waits for it, as `bot.workers.contained` has it.
    """

    def __init__(self, name: str, count: int, connect: Callable[[], sqlite3.Connection]) -> None:
        self.connect = connect
        self._visits: SimpleQueue[Visit | None] = SimpleQueue()
        self._is_closed = False
        # Nobody waits for the thread of somebody who forgot to close it.
        self._threads = [Thread(target=self._work, name=name, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def visit(self, job: Job[R]) -> asyncio.Future[R]:
        """Has a job done, also where who waits for it gives up. Raises Unavailable where no more
        are accepted."""
        if self._is_closed:
            raise Unavailable("The database is closed.")
        visit = Visit(job)
        self._visits.put(visit)
        return visit.done

    def end(self) -> None:
        """Accepts no more: what is waiting is done, then the threads end by themselves. A second
        time does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        for _ in self._threads:
            self._visits.put(None)

    async def close(self) -> None:
        """Ends them, and waits until they have ended."""
        self.end()
        await in_thread(self._join)

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

    def _do(self, visit: Visit, connection: sqlite3.Connection | None) -> sqlite3.Connection | None:
        try:
            connection = connection or contained(self.connect)
            visit.tell(contained(visit.job, connection))
        # It belongs to who waits.
        except Exception as error:  # noqa: BLE001
            visit.tell(None, error)
        if connection is not None and connection.in_transaction:
            _close(connection)
            return None
        return connection


def _close(connection: sqlite3.Connection) -> None:
    with CLOSING:
        connection.close()
