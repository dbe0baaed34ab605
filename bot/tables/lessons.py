"""Tables for lessons: each is for one person, who has at most one.

The next lesson deletes it, or else a task does a day after it began.
"""

from __future__ import annotations

from contextlib import suppress

from bot.game.contract import Seat
from bot.store import ScheduledRow
from bot.tables.core import Scheduler, Table, UnitOfWork, UnknownTable, from_store
from bot.tables.importing import LESSON, CheckedImport, Imports

POLICY = "easy"
"""The level of the other players, who don't act."""


class LessonTables:
    """Opens and deletes the tables of lessons. Every method raises StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork, imports: Imports, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        self._imports = imports
        scheduler.on(LESSON, self._expire)

    async def of_user(self, user: int) -> list[Table]:
        """Return the user's tables for lessons, oldest first."""
        stored = await from_store(self._unit_of_work.store.lessons_of(user))
        return [self._unit_of_work.cache.table_of(each) for each in stored]

    async def open(
        self,
        position: CheckedImport,
        lesson: str,
        user: int,
        seat: Seat,
        *,
        delivery: str | None = None,
    ) -> Table:
        """Open a table with the position of a lesson, and delete the user's earlier ones.

        The user plays the seat under its name in the position. If they have done nothing yet at a
        table with that position, return that table.
        """
        earlier = await self.of_user(user)
        for table in earlier:
            if table.lesson == lesson and await self._is_at(table, position):
                break
        else:
            people = {seat: (user, position.record.seats[seat])}
            table = await self._imports.open(
                *(position, user, None, 0),
                people=people,
                policy=POLICY,
                vacant=False,
                lesson=lesson,
                delivery=delivery,
            )
        # Only now: if the process dies in between, the next lesson deletes them.
        for each in earlier:
            if each.id != table.id:
                await self._unit_of_work.delete_table(each.id)
        return table

    async def forget(self, user: int) -> None:
        """Delete all tables for lessons of the user."""
        for table in await self.of_user(user):
            await self._unit_of_work.delete_table(table.id)

    async def _is_at(self, table: Table, position: CheckedImport) -> bool:
        game, last = position.game, len(position.record.entries) - 1
        if (table.game, table.version, table.posted_seq) != (game.name, game.version, last):
            return False
        # Another process may have deleted it.
        with suppress(UnknownTable):
            return (await self._unit_of_work.cache.read(table.id)).seq() == last + 1
        return False

    async def _expire(self, task: ScheduledRow) -> None:
        await self._unit_of_work.delete_table(task.table)
