"""Idle tables: some days after a warning, an idle game falls asleep and an idle lobby closes.

Any change to a lobby keeps it open, and so does the button of the warning. At a sleeping or paused
table computer players do not move, no one is notified, and no clock runs. Any player wakes a
sleeping table with one button or a move, and then plays for themselves. A new player who takes over
a seat also wakes it. Tables to watch never sleep.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import WHOLE_TABLE, OutboxKind, ScheduledRow, Status
from bot.tables.core import (
    LoadedTable,
    OutboxDraft,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    from_store,
    log,
    seating,
)
from bot.tables.core.unit_of_work import LOBBY_CLOSE, LOBBY_IDLE, LOBBY_UNTIL_WARNED
from bot.tables.notifications import IDLE

SLEEP = "sleep"

UNTIL_WARNED = timedelta(days=21)
UNTIL_ASLEEP = timedelta(days=7)
"""How long a table is idle before its warning, and how much later it falls asleep."""
UNTIL_CLOSED = timedelta(days=3)
"""How long after its warning an idle lobby closes."""
IDLE_DAYS = (LOBBY_UNTIL_WARNED + UNTIL_CLOSED).days


class Idleness:
    """Warns idle tables and lobbies, puts tables to sleep and closes lobbies."""

    def __init__(self, unit_of_work: UnitOfWork, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        unit_of_work.writers.append(self._follow)
        for kind in (IDLE, SLEEP):
            scheduler.at_table(kind, self._check)
        for kind in (LOBBY_IDLE, LOBBY_CLOSE):
            scheduler.at_table(kind, self._check_lobby)

    async def closes(self, table_id: int) -> datetime | None:
        """Return when a lobby will close, or None if it has not been warned."""
        store = self._unit_of_work.store
        return await from_store(store.scheduled_at(table_id, WHOLE_TABLE, LOBBY_CLOSE))

    async def sleeps(self, table_id: int) -> datetime | None:
        """Return when a table falls asleep, or None if it is not warned or is active again."""
        at = await from_store(self._unit_of_work.store.scheduled_at(table_id, WHOLE_TABLE, SLEEP))
        last = await self._last(await self._unit_of_work.cache.read(table_id))
        return at if last + UNTIL_WARNED <= self._unit_of_work.clock.now() else None

    async def keep_open(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """Keep a lobby open for the user. Raise not_seated, already_started or table_over."""

        def change(table: Table, _: object) -> Table:
            seating.check_lobby(table)
            seating.seated(table, user)
            return table

        return await self._unit_of_work.change(
            table_id, delivery, change, lambda _: [OutboxDraft(OutboxKind.LOBBY)]
        )

    async def _follow(self, change: TableChange, before: LoadedTable) -> None:
        table = change.table
        is_new = before.seq() < 0 <= change.after.seq() and not table.is_over
        is_new &= table.watch_pace is None
        was_asleep = before.table.status is Status.SLEEPING
        if is_new or (was_asleep and table.status is Status.PLAYING):
            at = self._unit_of_work.clock.now() + UNTIL_WARNED
            change.batch.schedule(table.id, WHOLE_TABLE, IDLE, at)

    async def _check(self, change: TableChange, task: ScheduledRow) -> None:
        """Warn a table that has been idle for weeks, or put a warned one to sleep."""
        status, now = change.table.status, self._unit_of_work.clock.now()
        last = now if status is Status.PAUSED else await self._last(change.after)
        if status not in (Status.PLAYING, Status.PAUSED):
            return
        if last + UNTIL_WARNED > now:
            change.batch.save(replace(task, kind=IDLE, at=last + UNTIL_WARNED))
        elif task.kind == IDLE:
            change.batch.save(replace(task, kind=SLEEP, at=now + UNTIL_ASLEEP))
            change.post(OutboxKind.IDLE)
        else:
            asleep = replace(change.table, status=Status.SLEEPING)
            change.note(asleep, log.NO_SEAT, None, log.SLEEP)

    async def _check_lobby(self, change: TableChange, task: ScheduledRow) -> None:
        if change.table.status is not Status.LOBBY:
            return
        if task.kind == LOBBY_IDLE:
            at = self._unit_of_work.clock.now() + UNTIL_CLOSED
            change.batch.save(replace(task, kind=LOBBY_CLOSE, at=at))
            for player in change.table.owners:
                change.post(OutboxKind.PING, player.seat)
        else:
            change.become(Status.ABANDONED)
            change.post(OutboxKind.EXPIRED)

    async def _last(self, loaded: LoadedTable) -> datetime:
        """Return the time of the last public entry.

        The warning is public too, so a secret action must not delay it.
        """
        if loaded.now is None:
            return loaded.table.created
        entries = loaded.now.recent
        if not any(each.is_public for each in entries):
            entries = await self._unit_of_work.cache.entries(loaded.table.id, 0)
        return next(each.at for each in reversed(entries) if each.is_public)
