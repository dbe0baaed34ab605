"""Group commit: pending batches share one transaction and one flush to the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from bot.store.batch import WriteBatch
from bot.store.database import Outcome
from bot.store.errors import Unavailable
from bot.store.rows import ToSend

BATCH = 128
Write = Callable[[Sequence[WriteBatch]], Awaitable[Sequence[Outcome]]]
Pending = tuple[WriteBatch, asyncio.Future[Sequence[ToSend]]]


class Writer:
    """The only writer to the database. Writes batches in order of arrival.

    `write` writes a group and returns their outcomes. Batches that arrive in the meantime form the
    next group.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._pending: list[Pending] = []
        self._task: asyncio.Task[None] | None = None
        self._group: asyncio.Future[None] | None = None
        """Done when the current group is written and its futures are set."""
        self.is_closed = False

    def submit(self, batch: WriteBatch) -> asyncio.Future[Sequence[ToSend]]:
        """Queue a batch; return a future for what `Database.write` reports about it.

        The future fails with DuplicateWrite or another StoreError if nothing was stored. Raise
        Unavailable if the writer is closed.
        """
        if self.is_closed:
            raise Unavailable("The database is closed.")
        done = asyncio.get_running_loop().create_future()
        self._pending.append((batch, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write_all())
        return done

    async def settled(self) -> None:
        """Wait until the futures of the current group are set."""
        if self._group is not None:
            await asyncio.shield(self._group)

    async def close(self) -> None:
        """Write all pending batches, and accept no more."""
        self.is_closed = True
        if self._task is not None:
            # A cancelled close must not cancel the write.
            await asyncio.shield(self._task)

    async def _write_all(self) -> None:
        while self._pending:
            group, self._pending = self._pending[:BATCH], self._pending[BATCH:]
            self._group = asyncio.get_running_loop().create_future()
            for (_, done), outcome in zip(group, await self._outcomes(group), strict=True):
                if done.cancelled():
                    continue
                if isinstance(outcome, BaseException):
                    done.set_exception(outcome)
                else:
                    done.set_result(outcome)
            self._group.set_result(None)
        self._group = self._task = None

    async def _outcomes(self, group: Sequence[Pending]) -> Sequence[Outcome]:
        # Gathered, an error goes to the callers of the group and does not stop the writer.
        writing = self._write([batch for batch, _ in group])
        (outcome,) = await asyncio.gather(writing, return_exceptions=True)
        return [outcome] * len(group) if isinstance(outcome, BaseException) else outcome
