"""Hears what the other members that share a database have written."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]
import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.errors import StoreError, Unavailable
from bot.store.failures import failure
from bot.store.guards import CHANNEL, heard
from bot.store.session import end_session, session_engine
from bot.store.sharing import Notice

log = logging.getLogger(__name__)

PING_S = 3.0
"""Seconds between two checks whether the connection still carries what is told."""
ANSWER_S = 5.0
"""Seconds after which what this process tells itself must have come back, and that a server may
take to answer."""
RETRY_S = 1.0
"""Seconds between two attempts to connect again."""

_TELL = sa.text("SELECT pg_notify(:channel, '')")


class NoticeListener:
    """A connection of its own, on which the server passes on what others tell.

    `on_notice` is called with what another member has changed. `on_lost` is called once the
    connection is lost: from then on anything may have been missed. `on_back` is called once it is
    made anew: what was read in between may be out of date as well. They must not take long.

    As long as the block of `async with` lasts the connection is made again whenever it is lost. The
    block raises what `Store.open` does where there is none at its beginning.
    """

    def __init__(self, url: str, member: str) -> None:
        self.on_notice: Callable[[Notice], None] = lambda notice: None
        self.on_lost: Callable[[], None] = lambda: None
        self.on_back: Callable[[], None] = lambda: None
        self._member = member
        self._engine = session_engine(url, ANSWER_S, application_name=member)
        # What this process tells itself, nobody else hears.
        self._own_channel = f"{CHANNEL}_{uuid4().hex}"
        self._pinged = asyncio.Event()
        self._ended = asyncio.Event()
        self._connection: AsyncConnection | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_listening(self) -> bool:
        """Whether what others tell is heard, as far as is known."""
        return self._connection is not None

    async def __aenter__(self) -> Self:
        try:
            await self._connect()
        except BaseException:
            await self._engine.dispose()
            raise
        self._task = asyncio.create_task(self._keep())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._drop()
        await self._engine.dispose()

    async def _keep(self) -> None:
        while True:
            await self._until_lost()
            log.warning("what other members write is no longer heard: connecting again")
            # Soon, not now: none of their errors may be raised here.
            asyncio.get_running_loop().call_soon(self.on_lost)
            await self._drop()
            while self._connection is None:
                try:
                    await self._connect()
                except StoreError as error:
                    log.debug("not yet: %s", error)
                    await asyncio.sleep(RETRY_S)
            log.warning("what other members write is heard again")
            asyncio.get_running_loop().call_soon(self.on_back)

    async def _connect(self) -> None:
        try:
            connection = await self._engine.connect()
            try:
                driver: Any = (await connection.get_raw_connection()).driver_connection
                ended = asyncio.Event()
                driver.add_termination_listener(lambda _: ended.set())
                await driver.add_listener(CHANNEL, self._hear)
                await driver.add_listener(self._own_channel, self._hear_ping)
            except BaseException:
                await end_session(connection)
                raise
        except (SQLAlchemyError, OSError) as error:
            raise failure(error) from error
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise Unavailable(f"The database did not answer: {error}") from error
        self._connection, self._ended = connection, ended

    async def _until_lost(self) -> None:
        """Returns once the connection has ended, or what is told through it does not come back."""
        assert self._connection is not None
        while True:
            try:
                async with asyncio.timeout(PING_S):
                    await self._ended.wait()
                return
            except TimeoutError:
                pass
            self._pinged.clear()
            try:
                async with asyncio.timeout(ANSWER_S):
                    await self._connection.execute(_TELL, {"channel": self._own_channel})
                    await self._pinged.wait()
            except (SQLAlchemyError, OSError):  # Also where the time is up.
                return

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await end_session(connection)

    def _hear(self, _: object, __: int, ___: str, said: str) -> None:
        try:
            notice = heard(said, self._member)
        except msgspec.DecodeError as error:
            log.warning("something else was told: %s", error)
            return
        if notice is not None:
            self.on_notice(notice)

    def _hear_ping(self, *_: object) -> None:
        self._pinged.set()
