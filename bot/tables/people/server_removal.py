"""Deletes all that is stored about a server: when its managers ask for it, or some weeks after the
bot has left.

Both are tasks of the schedule: a restart forgets neither, and one process does them. A task deletes
some tables at a time, each in a transaction of its own, and is due again until none is left.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from msgspec.structs import replace

from bot.store import NO_TABLE, ScheduledRow, ServerRow, WriteBatch
from bot.tables.core.cache import from_store
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.people.names import DisplayNames
from bot.tables.people.servers import SERVER, Servers
from bot.workers import TimeSlice

logger = logging.getLogger(__name__)

LEFT = "left server"
FORGET = "forget server"
"""The kinds of tasks, by the server in the place of a seat."""
KEPT_DAYS = 30
"""Days that a server's tables are kept after the bot has left it, unless the host sets others."""
AT_ONCE = 50
"""Tables that are deleted before other tasks get their turn."""


class ServerRemoval:
    """Remembers which servers are to be deleted, and deletes them. Raises StoreUnavailable.

    With 0 `kept_days` a server that the bot has left is kept for good.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        scheduler: Scheduler,
        servers: Servers,
        names: DisplayNames,
        kept_days: int,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._servers = servers
        self._names = names
        self._kept_days = kept_days
        scheduler.on(LEFT, self._delete)
        scheduler.on(FORGET, self._delete)

    async def ask(self, guild: int) -> None:
        """All that is stored about a server is deleted soon."""
        await self._schedule(guild, FORGET, timedelta())

    async def left(self, guild: int) -> None:
        """The bot has left a server. Told again, it counts from the first time."""
        store = self._unit_of_work.store
        if self._kept_days and await from_store(store.scheduled_at(NO_TABLE, guild, LEFT)) is None:
            logger.info("server=%d was left; its tables stay for %d days", guild, self._kept_days)
            await self._schedule(guild, LEFT, timedelta(days=self._kept_days))

    async def joined(self, guild: int) -> None:
        """The bot is in a server, which may be one that it had left."""
        batch = WriteBatch()
        batch.unschedule(NO_TABLE, guild, LEFT)
        await from_store(self._unit_of_work.store.commit(batch))

    async def look_through(self, is_in: Callable[[int], bool | None]) -> None:
        """Finds out which servers the bot has left or joined unheard.

        `is_in` says whether it is in a server, None where this process cannot know.
        """
        store, time_slice = self._unit_of_work.store, TimeSlice()
        leaving = set(await from_store(store.scheduled_for(NO_TABLE, LEFT)))
        for guild in {*leaving, *await from_store(store.servers())}:
            if is_in(guild) is False and guild not in leaving:
                await self.left(guild)
            elif is_in(guild) and guild in leaving:
                await self.joined(guild)
            await time_slice.take()

    async def _schedule(self, guild: int, kind: str, after: timedelta) -> None:
        batch = WriteBatch()
        at = self._unit_of_work.clock.now() + after
        batch.save(ScheduledRow(NO_TABLE, guild, kind, at))
        await from_store(self._unit_of_work.store.commit(batch))

    async def _delete(self, task: ScheduledRow) -> None:
        guild, store = task.seat, self._unit_of_work.store
        if task.kind == LEFT and not self._kept_days:
            await self.joined(guild)
            return
        found = await from_store(store.tables_of_server(guild, AT_ONCE))
        for table_id in found:
            await self._delete_table(table_id)
        at = await from_store(store.scheduled_at(NO_TABLE, guild, task.kind))
        if at is None:
            return  # The bot has come back meanwhile: the rest stays.
        if len(found) == AT_ONCE:
            await from_store(store.postpone(replace(task, at=at), self._unit_of_work.clock.now()))
            return

        async def rest(batch: WriteBatch) -> None:
            batch.delete(ServerRow, guild=guild)
            batch.drop_revisions(f"{SERVER}{guild}", f"ratings:{guild}:")
            for kind in (LEFT, FORGET):
                batch.unschedule(NO_TABLE, guild, kind)

        await self._unit_of_work.guarded(f"{SERVER}{guild}", rest)
        self._servers.heard(guild)
        self._names.forget_server(guild)
        logger.info("server=%d is deleted", guild)

    async def _delete_table(self, table_id: int) -> None:
        unit_of_work = self._unit_of_work

        async def work() -> None:
            # Not loaded: it may be one that this program cannot read.
            revision = await from_store(unit_of_work.store.revision_of(table_id))
            if revision is None:
                return
            batch = WriteBatch()
            batch.drop_table(table_id)
            batch.guard_table(table_id, revision)
            await from_store(unit_of_work.store.commit(batch))
            unit_of_work.tell_deleted(table_id)

        await unit_of_work.cache.alone(table_id, work)
