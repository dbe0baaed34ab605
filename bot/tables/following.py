"""Tables that users follow without a seat there, and the messages they get about them.

A message is due when a round begins and when the game is over. Like a notification it waits for
the end of quiet hours, and except for the last one there is at most one an hour.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from bot.store import FollowRow, ScheduledRow, WriteBatch
from bot.tables.core import (
    NOT_OVER,
    LoadedTable,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
)
from bot.tables.people import People

FOLLOW = "follow"
REST = "follow.rest"
"""The tasks that send a follower a message, and that end the pause after it. Their seat is the
user."""
PAUSE = timedelta(hours=1)
MAX_FOLLOWED = 25
"""Tables that a user can follow at the same time."""


class Progress(NamedTuple):
    """How far a game is. The `round` is -1 before the start."""

    is_over: bool
    round: int


Send = Callable[[Table, int, Progress], Awaitable[bool | None]]
"""Sends a message about a table to a user. Return False if the user may no longer see the table,
and None if that cannot be known now."""


class Following:
    """Who follows which table. `send` must be set before the first message is due."""

    send: Send

    def __init__(self, unit_of_work: UnitOfWork, people: People, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        self._scheduler = scheduler
        unit_of_work.writers.append(self._on_change)
        scheduler.on(FOLLOW, self._on_due)
        scheduler.on(REST, self._end_pause)

    async def of_user(self, user: int) -> list[Table]:
        """Return the tables that a user follows and that are not over, oldest first."""
        stored = await from_store(self._unit_of_work.store.followed(user, NOT_OVER))
        return list(map(self._unit_of_work.cache.table_of, stored))

    async def follow(self, table_id: int, user: int, *, pings: bool) -> None:
        """Follow a table; with `pings`, get messages.

        Raise table_over, own_table and too_many_followed.
        """
        followed = {table.id for table in await self.of_user(user)}

        async def work(change: TableChange) -> None:
            if change.table.is_over:
                raise errors.Rejected("table_over")
            if change.table.seat_of(user) is not None:
                raise errors.Rejected("own_table")
            if table_id not in followed and len(followed) >= MAX_FOLLOWED:
                raise errors.Rejected("too_many_followed", most=MAX_FOLLOWED)
            change.batch.save(FollowRow(table_id, user, pings))

        await self._unit_of_work.carry_out(table_id, None, work, notifies=False)

    async def unfollow(self, table_id: int, user: int) -> None:
        batch = WriteBatch()
        batch.delete(FollowRow, table=table_id, user=user)
        await from_store(self._unit_of_work.store.commit(batch))

    def _progress(self, loaded: LoadedTable) -> Progress:
        now, is_over = loaded.now, loaded.table.is_over
        if now is None:
            return Progress(is_over, -1)
        return Progress(is_over, self._unit_of_work.rules(loaded.table).round(now.state))

    async def _on_change(self, change: TableChange, before: LoadedTable) -> None:
        """Schedule the messages to all followers, without a read: `_on_due` postpones them."""
        table, progress = change.table, self._progress(change.after)
        if progress > self._progress(before):
            at = self._unit_of_work.clock.now()
            change.batch.schedule_for_followers(table.id, FOLLOW, at, every=table.is_over)

    async def _on_due(self, row: ScheduledRow) -> None:
        """Send a message if it may be sent now, else postpone it."""
        carry_out = self._unit_of_work.carry_out
        prepare = partial(self._prepare, row)
        due = await carry_out(row.table, None, prepare, notifies=False)
        if due is None:
            return
        follow, table, progress = due
        may_see = await self.send(table, row.seat, progress) if follow.pings else True
        if may_see is not None:
            finish = partial(self._finish, row, progress, may_see=may_see)
            await carry_out(row.table, None, finish, notifies=False)

    async def _prepare(
        self, row: ScheduledRow, change: TableChange
    ) -> tuple[FollowRow, Table, Progress] | None:
        store, now = self._unit_of_work.store, self._unit_of_work.clock.now()
        follow = await from_store(store.follow(row.table, row.seat))
        if follow is None or change.after.now is None:
            change.batch.schedule(row.table, row.seat, FOLLOW, None)
            return None
        progress = self._progress(change.after)
        at = (await self._people.get(row.seat)).free_at(now)
        if not progress.is_over:
            rest = await from_store(store.scheduled_at(row.table, row.seat, REST))
            at = max(at, rest or at)
        if at > now:
            change.batch.schedule(row.table, row.seat, FOLLOW, at)
            return None
        return follow, change.table, progress

    async def _finish(
        self, row: ScheduledRow, progress: Progress, change: TableChange, *, may_see: bool
    ) -> None:
        """Record that the message was sent, or that the user may no longer see the table."""
        batch, now = change.batch, self._unit_of_work.clock.now()
        # The game may have gone on since the message.
        is_old = self._progress(change.after) > progress
        batch.schedule(row.table, row.seat, FOLLOW, now if is_old else None)
        batch.schedule(row.table, row.seat, REST, now + PAUSE)
        if progress.is_over or not may_see:
            batch.delete(FollowRow, table=row.table, user=row.seat)

    async def _end_pause(self, row: ScheduledRow) -> None:
        await self._scheduler.schedule(row.table, row.seat, REST, None)
