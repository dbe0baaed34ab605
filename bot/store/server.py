"""A database on a server, through a pool of connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
    TimeoutError,
)

from bot.store import slicing
from bot.store.batch import WriteBatch, merge
from bot.store.database import Outcomes, Question
from bot.store.errors import DuplicateWrite, MaybeStored, StoreError, Unavailable
from bot.store.failures import failure, sql_state

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

R = TypeVar("R")

ONE_MOMENT = "REPEATABLE READ"
"""All that is read in a transaction is as it was at its first statement."""
DATA_FAULT = "22"
"""The class of SQL states of values that a database does not accept."""
Transaction = Callable[[Sequence[WriteBatch]], Awaitable[Outcomes]]


def maybe_stored(error: DBAPIError | OSError) -> MaybeStored:
    """What an error at the very commit means."""
    return MaybeStored(f"{failure(error)}; it may have been stored")


async def carry_out(connection: AsyncConnection, batches: Sequence[WriteBatch]) -> None:
    """Carries out batches in the transaction of the connection."""
    for statement, parameters in merge(batches):
        for some in slicing.slices(parameters):
            await connection.execute(statement, some)


class ServerDatabase:
    """A database that an engine has connections to.

    `check` is called before anything is read or written; it may raise StoreError. A `transaction`
    given carries out batches in its own way: that of processes which share the database.
    """

    def __init__(
        self, engine: AsyncEngine, check: Callable[[], None], transaction: Transaction | None = None
    ) -> None:
        self._engine = engine
        self._readable = (
            engine if transaction is None else engine.execution_options(isolation_level=ONE_MOMENT)
        )
        self._check = check
        self._transaction = transaction or self._carry_out_all
        self._is_closed = False
        self._uses = 0
        self._unused = asyncio.Event()
        self._unused.set()

    @property
    def dialect(self) -> str:
        """The name of the SQL that it speaks."""
        return self._engine.dialect.name

    async def read(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """The answer to one question."""
        ((*answer,),) = await self.read_together(Question(kind, statement, parameters))
        return answer

    async def read_long(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """An answer of any length, read in parts."""
        found: list[R] = []
        async with self._reading() as connection:
            answer = await connection.stream(statement, parameters)
            async for some in answer.partitions(slicing.AT_ONCE):
                found += [kind(*row) for row in some]
        return found

    async def read_together(self, *questions: Question) -> list[list[Any]]:
        """The answers to several questions; of one moment where processes share the database."""
        async with self._reading() as connection:
            return [
                [
                    each.kind(*row)
                    for row in await connection.execute(each.statement, each.parameters)
                ]
                for each in questions
            ]

    async def change(
        self, statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Carries out what belongs to no batch; returns what it returns."""
        with self._in_use():
            try:
                async with self._engine.begin() as connection:
                    self._check()
                    answer = await connection.execute(statement, parameters)
                    return [tuple(row) for row in answer]
            except (SQLAlchemyError, OSError) as error:
                raise failure(error) from error

    async def write(self, batches: Sequence[WriteBatch]) -> Outcomes:
        """Writes batches in one transaction, or one by one where one of them cannot be stored."""
        outcome = await self._attempt(batches)
        if not isinstance(outcome, BaseException):
            return outcome
        is_of_one = isinstance(outcome, DuplicateWrite) or not isinstance(outcome, StoreError)
        if len(batches) == 1 or not is_of_one:
            return [outcome] * len(batches)
        outcomes: list[BaseException | None] = []
        for batch in batches:
            found = await self._attempt([batch])
            outcomes += [found] if isinstance(found, BaseException) else found
        return outcomes

    async def close(self) -> None:
        """Lets running reads end, accepts no more, closes all connections."""
        try:
            self._is_closed = True
            # A connection that comes back to an engine that is gone would stay open.
            await self._unused.wait()
        finally:
            await self._engine.dispose()

    async def _attempt(self, batches: Sequence[WriteBatch]) -> Outcomes | BaseException:
        # An error belongs to whoever waits for the batch; gathered, it cannot stop the writer.
        (outcome,) = await asyncio.gather(self._write(batches), return_exceptions=True)
        return outcome

    async def _write(self, batches: Sequence[WriteBatch]) -> Outcomes:
        try:
            return await self._transaction(batches)
        except IntegrityError as error:
            raise DuplicateWrite(str(error.orig)) from error
        except (DataError, ProgrammingError):
            raise  # A fault of one batch: it is found when they are carried out one by one.
        except (DBAPIError, TimeoutError, OSError) as error:
            if sql_state(error).startswith(DATA_FAULT):
                raise  # The same, as asyncpg has it.
            raise failure(error) from error

    async def _carry_out_all(self, batches: Sequence[WriteBatch]) -> Outcomes:
        is_committing = False
        try:
            async with self._engine.begin() as connection:
                self._check()
                await carry_out(connection, batches)
                is_committing = True
        except (DBAPIError, OSError) as error:
            if is_committing:
                raise maybe_stored(error) from error
            raise
        return [None] * len(batches)

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        with self._in_use():
            try:
                async with self._readable.connect() as connection:
                    self._check()
                    yield connection
            except (SQLAlchemyError, OSError) as error:
                raise failure(error) from error

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Within the block the engine stays open. Raises Unavailable where it is not."""
        if self._is_closed:
            # The engine would open itself again, and nobody would close it.
            raise Unavailable("The database is closed.")
        self._uses += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._uses -= 1
            if not self._uses:
                self._unused.set()
