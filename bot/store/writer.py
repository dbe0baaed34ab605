"""Group commit: batches that wait together share one transaction and one wait for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from bot.store.batch import WriteBatch
from bot.store.database import Outcome
from bot.store.errors import Unavailable
from bot.store.rows import ToSend

BATCH = 128
Write = Callable[[Sequence[WriteBatch]], Awaitable[Sequence[Outcome]]]
Waiting = tuple[WriteBatch, asyncio.Future[Sequence[ToSend]]]


class Writer:
    """The only writer to the database; it carries out batches in the order in which they arrive.

    `write` carries out a group of them and says what became of each; while it does, the next group
    gathers.
    """

    def __init__(
        self, write: Callable[[Sequence[WriteBatch]], Awaitable[Sequence[Outcome]]]
    ) -> None:
        self._write = write
        self._waiting: list[Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self._group: asyncio.Future[None] | None = None
        """Done once those know who wait for the group that is being written."""
        self.is_closed = False
        """Whether nothing more is accepted."""

    def submit(self, batch: WriteBatch) -> asyncio.Future[Sequence[ToSend]]:
        """Have the batch written; the future has what `Database.write` tells once it is stored.

        It fails with DuplicateWrite or another StoreError, and then nothing is stored. Raises
        Unavailable where nothing more is accepted.
        """
        if self.is_closed:
            raise Unavailable("The database is closed.")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((batch, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write_all())
        return done

    async def settled(self) -> None:
        """Return once whoever waits for what is on the disk by now has gone on."""
        if self._group is not None:
            await asyncio.shield(self._group)

    async def close(self) -> None:
        """Writes what is waiting, and accepts no more."""
        self.is_closed = True
        if self._task is not None:
            # Whoever closes may be cancelled; what is being written may not.
            await asyncio.shield(self._task)

    async def _write_all(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
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

    async def _outcomes(self, group: Sequence[Waiting]) -> Sequence[Outcome]:
        # An error belongs to those who wait for the group; gathered, it cannot stop the writer.
        writing = self._write([batch for batch, _ in group])
        (outcome,) = await asyncio.gather(writing, return_exceptions=True)
        return [outcome] * len(group) if isinstance(outcome, BaseException) else outcome
