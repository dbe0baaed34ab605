"""Works the reviews of finished games out in the background, one at a time, for all who ask."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from discord.ext import tasks

from bot.cogs.panel.open_panels import OpenPanel
from bot.cogs.ui.services import Services
from bot.tables import Rejected, Table
from bot.thinking import Mind, NoThinkers
from bot.thinking.review import Review, encode, review
from bot.workers import describe

log = logging.getLogger(__name__)


class ReviewWork:
    """A review that is being worked out: how much of it is done, and what went wrong. `shown` are
    the private messages that wait for it, by user."""

    def __init__(self) -> None:
        self.part = 0.0
        self.review: Review | None = None
        self.error: Exception | None = None
        self.is_over = False
        self.shown: dict[int, OpenPanel] = {}

    def tell(self, part: float) -> None:
        """So much is done, 0 to 1."""
        self.part = part


PROGRESS_S = 10.0
"""Seconds between two looks at how much is done."""

Tell = Callable[[Table, ReviewWork], Coroutine[Any, Any, None]]
"""Shows to all who wait how much is done, or what has come of it."""


class Reviewing:
    """What is being worked out, by table. It is given up when the bot stops."""

    def __init__(self, services: Services, tell: Tell) -> None:
        self._services = services
        self._tell = tell
        self._works: dict[int, ReviewWork] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._one = asyncio.Lock()

    def find(self, table_id: int) -> ReviewWork | None:
        """The work on a table's review, if it is under way."""
        return self._works.get(table_id)

    def begin(self, table: Table, mind: Mind[Any, Any]) -> ReviewWork:
        """Begins it."""
        work = self._works[table.id] = ReviewWork()
        task = asyncio.create_task(self._run(table, mind, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return work

    async def stop(self) -> None:
        """Gives everything up; whoever asks again begins anew."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, table: Table, mind: Mind[Any, Any], work: ReviewWork) -> None:
        telling: tasks.Loop[Tell] = tasks.loop(seconds=PROGRESS_S)(self._tell)
        telling.start(table, work)
        try:
            async with self._one:
                work.review = await self._worked_out(table, mind, work)
        except (NoThinkers, Rejected) as error:
            work.error = error
        # However it fails, those who wait are told.
        except Exception as error:  # noqa: BLE001
            log.error("table=%s has no review: %s", table.id, describe(error))
            work.error = error
        finally:
            telling.cancel()
            work.is_over = True
            self._works.pop(table.id, None)
        await self._tell(table, work)

    async def _worked_out(self, table: Table, mind: Mind[Any, Any], work: ReviewWork) -> Review:
        history = self._services.tables.history
        game = await history.finished(table.id)
        steps = [(game.entries[seq], game.blobs[seq]) for seq in game.standing()]
        # The same game gives the same review.
        seed = table.key_hash
        found = await review(self._services.thinkers, mind, steps, seed, work.tell)
        await history.keep_review(table.id, encode(found))
        return found
