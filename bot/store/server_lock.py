"""A lock on a PostgreSQL database, for one process or a group that shares it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import asyncpg  # type: ignore[import-untyped]

from bot.store.errors import InUse, StoreError, Unavailable
from bot.store.postgres import ERRORS, as_store_errors, connect_args, failure
from bot.store.sharing import Fence

log = logging.getLogger(__name__)

KEY = int.from_bytes(b"Kontor", "big")
"""The key of the advisory lock, which is per database."""
PULSE_S = 5.0
"""Seconds between two checks of the lock, or two attempts to take it again."""
ANSWER_S = 10.0
"""Seconds that the server may take to answer a check."""

_SESSION = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
# A restarted server gives the same process ids to other sessions.
_END = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2
"""
_IS_SHARED = f"""
    SELECT mode = 'ShareLock' FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) + objid::bigint = {KEY} AND objsubid = 1 LIMIT 1
"""


class ServerLock:
    """An advisory lock, held by its own session.

    Call `check` before each write. A lost connection is noticed immediately, a silent server at
    the next pulse. A shared lock (`is_shared`) excludes exclusive ones, an exclusive lock all.
    """

    is_shared = False
    answer_s = ANSWER_S

    def __init__(self, url: str, name: str | None = None) -> None:
        self._url = url
        self._settings = {} if name is None else {"application_name": name}
        self._connection: Any = None
        self._session: tuple[int, datetime] | None = None
        """The server's process id and its start; of the last session if the lock is lost."""
        self._query_lock = asyncio.Lock()

    @property
    def is_held(self) -> bool:
        """Whether the connection that holds the lock is open."""
        return self._connection is not None and not self._connection.is_closed()

    def check(self, _fences: Collection[Fence] = ()) -> None:
        """Raise Unavailable if the lock may be lost."""
        if not self.is_held:
            raise Unavailable(
                "The lock on the database is lost. Nothing is saved until it is back."
            )

    async def take(self) -> None:
        """Take the lock. Raise InUse if another process has it, and the errors of `Store.open`."""
        with as_store_errors():
            connection = await asyncpg.connect(
                **connect_args(self._url, self.answer_s, self._settings)
            )
            try:
                await self._begin(connection)
            except BaseException:
                connection.terminate()
                raise
        self._connection = connection

    async def maintain(self) -> None:
        """Check the lock forever, and take it again if it is lost.

        Raise InUse if another process has it.
        """
        while True:
            await self._pause()
            try:
                await self._poll()
                continue
            except StoreError as error:
                log.warning("database lock lost, retrying error=%s", error)
            await self.close()
            while self._connection is None:
                try:
                    await self.take()
                except InUse:
                    raise
                except StoreError as error:
                    log.debug("database lock not available error=%s", error)
                    await self._pause()
            log.warning("database lock taken again")

    async def close(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def ask(self, sql: str, *values: Any) -> list[Any]:
        """Run a query in the session of the lock; close the session if it fails.

        Raise StoreError.
        """
        async with self._query_lock:
            self.check()
            try:
                found: list[Any] = await self._connection.fetch(sql, *values)
            except ERRORS as error:
                self._connection.terminate()
                raise failure(error) from error
            return found

    async def _begin(self, connection: Any) -> None:
        """Take the lock in a new session."""
        ended = False
        if self._session is not None:
            # The server may not have noticed yet that our last session is over.
            ended = bool(await connection.fetch(_END, *self._session))
        shared = "_shared" if self.is_shared else ""
        if not await connection.fetchval(f"SELECT pg_try_advisory_lock{shared}($1)", KEY):
            name = f"the database {urlsplit(self._url).path.lstrip('/')}"
            found = await connection.fetchval(_IS_SHARED)
            if ended or found is None:
                raise Unavailable(f"the lock on {name} is being released")
            raise InUse(name, is_shared=found, shares=self.is_shared)
        self._session = tuple(await connection.fetchrow(_SESSION))

    async def _poll(self) -> None:
        """Check the session of the lock. Raise StoreError."""
        await self.ask("SELECT 1")

    async def _pause(self) -> None:
        await asyncio.sleep(PULSE_S)
