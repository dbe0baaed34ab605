"""Tables that users follow without a seat there, and the messages they get about them.

A message is due when a round begins and when the game is over. Like a notification it waits for
the end of quiet hours, and except for the last one there is at most one an hour.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

from msgspec.structs import replace

from bot.store import FollowRow, ScheduledRow, WriteBatch
from bot.tables.core import (
    NOT_OVER,
    LoadedTable,
    Rejected,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    from_store,
)
from bot.tables.people import People

FOLLOW = "follow"
"""The task that sends a follower a message. Its seat is the user."""
PAUSE = timedelta(hours=1)
MAX_FOLLOWED = 25
"""Tables that a user can follow at the same time."""
MAX_PINGED = 25
"""Followers of a table who get messages, which are sent one after the other."""


class Following:
    """Who follows which table."""

    def __init__(self, unit_of_work: UnitOfWork, people: People, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        self._scheduler = scheduler
        unit_of_work.writers.append(self._on_change)

    async def of_user(self, user: int) -> list[Table]:
        """Return the tables that a user follows and that are not over, oldest first."""
        stored = await from_store(self._unit_of_work.store.of_user(user, NOT_OVER, FollowRow))
        return list(map(self._unit_of_work.cache.table_of, stored))

    async def follow(self, table_id: int, user: int, *, pings: bool) -> None:
        """Follow a table; with `pings`, get messages.

        Raise table_over, own_table, too_many_followed and too_many_pinged.
        """
        followed = {table.id for table in await self.of_user(user)}

        async def work(change: TableChange) -> None:
            if change.table.is_over:
                raise Rejected("table_over")
            if change.table.seat_of(user) is not None:
                raise Rejected("own_table")
            if table_id not in followed and len(followed) >= MAX_FOLLOWED:
                raise Rejected("too_many_followed", most=MAX_FOLLOWED)
            follows = await from_store(self._unit_of_work.store.follows(table=table_id))
            pinged = [each for each in follows if each.pings and each.user != user]
            if pings and len(pinged) >= MAX_PINGED:
                raise Rejected("too_many_pinged", most=MAX_PINGED)
            change.batch.save(FollowRow(table_id, user, pings, self._unit_of_work.clock.now()))

        await self._unit_of_work.carry_out(table_id, None, work, notifies=False)

    async def unfollow(self, table_id: int, user: int) -> None:
        batch = WriteBatch()
        batch.delete(FollowRow, table=table_id, user=user)
        await from_store(self._unit_of_work.store.commit(batch))

    async def _on_change(self, change: TableChange, before: LoadedTable) -> None:
        """Schedule messages to the followers, without a read, if there is news."""
        table, batch = change.table, change.batch
        if self._progress(change.after) > self._progress(before):
            batch.schedule_for_followers(table.id, FOLLOW, self._unit_of_work.clock.now())
            if table.is_over:
                batch.delete(FollowRow, table=table.id, pings=False)

    def _progress(self, loaded: LoadedTable) -> tuple[bool, int]:
        """Return whether a game is over, and its round, which is -1 before the start."""
        if loaded.now is None:
            return loaded.table.is_over, -1
        rules = self._unit_of_work.rules(loaded.table)
        return loaded.table.is_over, rules.round(loaded.now.state)

    def on_news(self, send: Callable[[Table, int, int], Awaitable[bool | None]]) -> None:
        """Call `send` with a table, a follower who is due a message about it, and the round.

        It returns False if the user may no longer see the table, and None if that is unknown now.
        If it fails it is called again, although the message may have been sent.
        """
        store = self._unit_of_work.store

        async def work(row: ScheduledRow) -> None:
            loaded = await self._unit_of_work.cache.read(row.table)
            table, (is_over, round_) = loaded.table, self._progress(loaded)
            follows = await from_store(store.follows(table=table.id, user=row.seat))
            now, batch = self._unit_of_work.clock.now(), WriteBatch()
            # Unless there was more news during the message, which scheduled it again.
            batch.delete(ScheduledRow, table=table.id, seat=row.seat, kind=FOLLOW, at=row.at)
            if follows and loaded.now is not None:
                (follow,) = follows
                free = (await self._people.get(row.seat)).free_at(now)
                at = free if is_over else max(free, follow.quiet_until)
                if at > now:
                    await from_store(store.postpone(row, at))
                    return
                may_see = await send(table, row.seat, round_)
                if may_see is None:
                    return
                batch.update(replace(follow, quiet_until=now + PAUSE), "quiet_until")
                if is_over or not may_see:
                    batch.delete_row(follow)
            await from_store(store.commit(batch))

        self._scheduler.on(FOLLOW, work)
