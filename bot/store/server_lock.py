"""Ensures that only one process works on a PostgreSQL database."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from bot.store.errors import BadAddress, InUse, StoreError, Unavailable
from bot.store.failures import failure

log = logging.getLogger(__name__)

KEY = int.from_bytes(b"Kontor", "big")
"""The number that is locked; such numbers belong to one database."""
PULSE_S = 5.0
"""Seconds between two checks whether the lock is still held."""
ANSWER_S = 10.0
"""Seconds that the server may take to answer such a check."""
KEEPALIVE = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""So that the server soon frees the lock of a machine that has vanished without a word."""

_TRY = sa.select(sa.func.pg_try_advisory_lock(KEY))
_PID = sa.select(sa.func.pg_backend_pid())
_END_HOLDER = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32) + objid::bigint = :key AND pid = :pid"
)


class ServerLock:
    """An advisory lock, held by a session of its own for as long as that lasts.

    Whoever writes calls `check` first: a lost connection is known at once, a server that has gone
    silent at the next check.
    """

    def __init__(self, url: str) -> None:
        self._database = sa.make_url(url).database
        self._engine = create_async_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={
                "timeout": ANSWER_S,
                "command_timeout": ANSWER_S,
                "server_settings": KEEPALIVE,
            },
        )
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._session = 0

    async def take(self) -> None:
        """Raises InUse where another process has it, and what `Store.open` raises."""
        try:
            connection = await self._engine.connect()
            try:
                if not await connection.scalar(_TRY):
                    # Before it was lost it may have been ours; the server need not know yet.
                    ended = {"key": KEY, "pid": self._session}
                    is_ours = (await connection.execute(_END_HOLDER, ended)).first() is not None
                    name = f"the database {self._database}"
                    raise Unavailable(f"{name} is being freed") if is_ours else InUse(name)
                self._session = await connection.scalar(_PID) or 0
                self._driver = (await connection.get_raw_connection()).driver_connection
            except BaseException:
                await connection.close()
                raise
        except (SQLAlchemyError, OSError) as error:
            raise failure(error) from error
        except (TypeError, ValueError) as error:
            raise BadAddress("what follows the '?' in it is not understood") from error
        self._connection = connection

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
            await connection.invalidate()
            await connection.close()
