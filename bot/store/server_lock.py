"""Ensures that only one process works on a PostgreSQL database, or only such as share it."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bot.store.errors import BadAddress, InUse, StoreError, Unavailable
from bot.store.failures import failure
from bot.store.session import end_session, session_engine

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

log = logging.getLogger(__name__)

KEY = int.from_bytes(b"Kontor", "big")
"""The number that is locked; such numbers belong to one database."""
PULSE_S = 5.0
"""Seconds between two checks whether the lock is still held."""
ANSWER_S = 10.0
"""Seconds that the server may take to answer such a check."""

_TRY = sa.select(sa.func.pg_try_advisory_lock(KEY))
_TRY_SHARED = sa.select(sa.func.pg_try_advisory_lock_shared(KEY))
_PID = sa.select(sa.func.pg_backend_pid())
_SESSION = sa.text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
_HOLDERS = (
    " FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32) + objid::bigint = :key"
)
# A server that was started anew gives the same numbers to other sessions.
_END_HOLDER = sa.text(
    f"SELECT pg_terminate_backend(pid){_HOLDERS} AND pid = :pid AND backend_start = :start"
).bindparams(sa.bindparam("start", type_=sa.DateTime(timezone=True)))
_IS_SHARED = sa.text(f"SELECT mode = 'ShareLock'{_HOLDERS} LIMIT 1")


class ServerLock:
    """An advisory lock, held by a session of its own for as long as that lasts.

    Whoever writes calls `check` first: a lost connection is known at once, a server that has gone
    silent at the next check. Those that are `shared` keep out only such as are not, and these keep
    out everybody.
    """

    def __init__(self, url: str, *, shared: bool = False) -> None:
        self._is_shared = shared
        self._database = sa.make_url(url).database
        self._engine = session_engine(url, ANSWER_S)
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._session: tuple[int, datetime] | None = None

    async def take(self) -> None:
        """Raises InUse where another process is in the way, and what `Store.open` raises."""
        try:
            connection = await self._engine.connect()
            try:
                if not await connection.scalar(_TRY_SHARED if self._is_shared else _TRY):
                    raise await self._in_the_way(connection)
                pid, start = (await connection.execute(_SESSION)).one()
                self._session = pid, start
                self._driver = (await connection.get_raw_connection()).driver_connection
            except BaseException:
                await connection.close()
                raise
        except (SQLAlchemyError, OSError) as error:
            raise failure(error) from error
        except (TypeError, ValueError) as error:
            raise BadAddress("what follows the '?' in it is not understood") from error
        self._connection = connection

    async def _in_the_way(self, connection: AsyncConnection) -> StoreError:
        """Why it cannot be taken."""
        name = f"the database {self._database}"
        if self._session is not None and not self._is_shared:
            # Before it was lost it was ours; the server need not know yet.
            pid, start = self._session
            ended = {"key": KEY, "pid": pid, "start": start}
            if (await connection.execute(_END_HOLDER, ended)).first() is not None:
                return Unavailable(f"{name} is being freed")
        found = await connection.scalar(_IS_SHARED, {"key": KEY})
        if found is None:
            return Unavailable(f"{name} has just been freed")
        return InUse(name, is_shared=found, shares=self._is_shared)

    def check(self) -> None:
        """Raises Unavailable where the lock may have been lost."""
        if self._connection is None or self._driver.is_closed():
            raise Unavailable("The lock on the database is lost: nothing is kept until it is back.")

    async def keep(self) -> None:
        """Holds the lock, and takes it again where it was lost. Raises InUse if another has it."""
        while True:
            await asyncio.sleep(PULSE_S)
            if await self._is_held():
                continue
            log.warning("the lock on the database is lost, trying to take it again")
            await self._drop()
            while self._connection is None:
                try:
                    await self.take()
                except InUse:
                    raise
                except StoreError as error:
                    log.debug("not yet: %s", error)
                    await asyncio.sleep(PULSE_S)
            log.warning("the lock on the database is held again")

    async def close(self) -> None:
        """Releases the lock."""
        await self._drop()
        await self._engine.dispose()

    async def _is_held(self) -> bool:
        if self._connection is None:
            return False
        try:
            await self._connection.scalar(_PID)
        except (SQLAlchemyError, OSError):
            return False
        return True

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await end_session(connection)
