"""Tasks that belong to a block: they end with it, and it ends with the first that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine


class Background:
    """The tasks of the block that the task `work` is in."""

    def __init__(self, work: asyncio.Task[object]) -> None:
        self._work = work
        self._tasks: list[asyncio.Task[None]] = []
        self._error: BaseException | None = None
        self._is_stopping = False

    def start(self, coroutine: Coroutine[None, None, None]) -> None:
        """Begin one more."""
        task = asyncio.create_task(coroutine)
        task.add_done_callback(self._ended)
        self._tasks.append(task)

    async def stop(self) -> None:
        """End all of them, and wait until they have."""
        self._is_stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def raise_error(self, left_by: type[BaseException] | None) -> None:
        """Raise what the first one failed of, if any did, at the end of a block left by that."""
        if self._error is not None:
            if left_by is asyncio.CancelledError:
                self._work.uncancel()
            raise self._error

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and self._error is None:
            self._error = task.exception()
            if not self._is_stopping:
                self._work.cancel()
