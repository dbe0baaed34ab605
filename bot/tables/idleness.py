"""What becomes of tables at which nobody does anything: a game falls asleep, a lobby closes, each
some days after its people were warned.

Any change to a lobby keeps it open, and so does a press by anybody who sits there. While a table
rests, asleep or paused, computer players do not move, nobody is awaited, and no clock runs. Anybody
who sits there wakes it with one press, be it a move, and then plays for themselves; so does whoever
takes a seat over.
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
"""How long nobody acts before a table is warned, and how much later it falls asleep."""
UNTIL_CLOSED = timedelta(days=3)
"""How long after the warning an idle lobby closes."""
IDLE_DAYS = (LOBBY_UNTIL_WARNED + UNTIL_CLOSED).days


class Idleness:
    """Warns tables and lobbies, puts the ones to sleep and closes the others."""

    def __init__(self, unit_of_work: UnitOfWork, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        unit_of_work.writers.append(self._follow)
        for kind in (IDLE, SLEEP):
            scheduler.at_table(kind, self._check)
        for kind in (LOBBY_IDLE, LOBBY_CLOSE):
            scheduler.at_table(kind, self._check_lobby)

    async def closes(self, table_id: int) -> datetime | None:
        """When a lobby will close; None where it has not been warned."""
        store = self._unit_of_work.store
        return await from_store(store.scheduled_at(table_id, WHOLE_TABLE, LOBBY_CLOSE))

    async def sleeps(self, table_id: int) -> datetime | None:
        """When a table falls asleep that has been warned, and at which nobody has acted since; None
        for any other."""
        at = await from_store(self._unit_of_work.store.scheduled_at(table_id, WHOLE_TABLE, SLEEP))
        last = await self._last(await self._unit_of_work.cache.read(table_id))
        return at if last + UNTIL_WARNED <= self._unit_of_work.clock.now() else None

    async def keep_open(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """The user keeps a lobby open. Raises not_seated, or already_started where it is none."""

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
        was_asleep = before.table.status is Status.SLEEPING
        if is_new or (was_asleep and table.status is Status.PLAYING):
            at = self._unit_of_work.clock.now() + UNTIL_WARNED
            change.batch.schedule(table.id, WHOLE_TABLE, IDLE, at)

    async def _check(self, change: TableChange, task: ScheduledRow) -> None:
        """Warns a table at which nobody has acted for weeks, or puts it to sleep after that."""
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
                change.post(OutboxKind.RING, player.seat)
        else:
            change.become(Status.ABANDONED)
            change.post(OutboxKind.EXPIRED)

    async def _last(self, loaded: LoadedTable) -> datetime:
        """When all last noticed that something was done. Everybody sees the warning, so what is
        done in secret must not put it off."""
        if loaded.now is None:
            return loaded.table.created
        happened = loaded.now.recent
        if not any(each.is_public for each in happened):
            happened = await self._unit_of_work.cache.entries(loaded.table.id, 0)
        return next(each.at for each in reversed(happened) if each.is_public)
