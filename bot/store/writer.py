"""Group commit: batches that wait together share one transaction and one wait for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    TimeoutError,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.batch import WriteBatch, merge
from bot.store.errors import DuplicateWrite, StoreError, Unavailable
from bot.store.failures import failure, sql_state
from bot.store.slicing import slices

BATCH = 128
DATA_FAULT = "22"
"""The class of SQL states of values that a database does not accept."""
Waiting = tuple[WriteBatch, asyncio.Future[None]]
Outcomes = Sequence[BaseException | None]
"""The error of each batch, None for one that is stored."""
Transaction = Callable[[Sequence[WriteBatch]], Awaitable[Outcomes]]


async def carry_out(connection: AsyncConnection, batches: Sequence[WriteBatch]) -> None:
    """Carries out batches in the transaction of the connection."""
    for statement, parameters in merge(batches):
        for some in slices(parameters):
            await connection.execute(statement, some)


class Writer:
    """The only writer to the database; it carries out batches in the order in which they arrive.

    A batch that fails does not take others with it: the transaction is rolled back, and its batches
    are then carried out one by one. `check` is called before a transaction begins to write, and
    raises StoreError where it must not. A `transaction` given carries out batches in its own way.
    """

    def __init__(
        self, engine: AsyncEngine, check: Callable[[], None], transaction: Transaction | None = None
    ) -> None:
        self._engine = engine
        self._check = check
        self._transaction = transaction or self._carry_out_all
        self._waiting: list[Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self.is_closed = False
        """Whether nothing more is accepted."""

    async def commit(self, batch: WriteBatch) -> None:
        """Returns once the batch is on the disk.

        Raises DuplicateWrite or another StoreError, and then nothing is stored. A caller that is
        cancelled cannot tell whether its batch was stored.
        """
        if self.is_closed:
            raise Unavailable("The database is closed.")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((batch, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write_all())
        await done

    async def close(self) -> None:
        """Writes what is waiting, and accepts no more."""
        self.is_closed = True
        if self._task is not None:
            # Whoever closes may be cancelled; what is being written may not.
            await asyncio.shield(self._task)

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            for (_, done), error in zip(batch, await self._outcomes(batch), strict=True):
                if done.cancelled():
                    continue
                if error is None:
                    done.set_result(None)
                else:
                    done.set_exception(error)
        self._task = None

    async def _outcomes(self, batch: Sequence[Waiting]) -> Outcomes:
        outcome = await self._attempt([batch for batch, _ in batch])
        if not isinstance(outcome, BaseException):
            return outcome
        is_of_one = isinstance(outcome, DuplicateWrite) or not isinstance(outcome, StoreError)
        if len(batch) == 1 or not is_of_one:
            return [outcome] * len(batch)
        outcomes: list[BaseException | None] = []
        for one, _ in batch:
            found = await self._attempt([one])
            outcomes += [found] if isinstance(found, BaseException) else found
        return outcomes

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
        async with self._engine.begin() as connection:
            self._check()
            await carry_out(connection, batches)
        return [None] * len(batches)
