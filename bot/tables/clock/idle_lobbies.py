"""Lobbies in which nobody does anything: those who sit there are warned, and they close some days
later.

Any change to a lobby keeps it open, and so does a press by anybody who sits there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import WHOLE_TABLE, ScheduledRow, WriteBatch
from bot.tables.core import seating
from bot.tables.core.cache import from_store
from bot.tables.core.model import OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.unit_of_work import CLOSE, IDLE, UNTIL_WARNED, UnitOfWork

UNTIL_CLOSED = timedelta(days=3)
"""How long after the warning an idle lobby closes."""
IDLE_DAYS = (UNTIL_WARNED + UNTIL_CLOSED).days


class IdleLobbies:
    """Warns lobbies, and closes them."""

    def __init__(self, unit_of_work: UnitOfWork, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        scheduler.on(IDLE, self._check)
        scheduler.on(CLOSE, self._check)

    async def closes(self, table_id: int) -> datetime | None:
        """When the lobby will close; None where it has not been warned."""
        return await from_store(self._unit_of_work.store.scheduled_at(table_id, WHOLE_TABLE, CLOSE))

    async def keep(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """The user keeps a lobby open. Raises not_seated, or already_started where it is none."""

        def change(table: Table, _: object) -> Table:
            seating.check_lobby(table)
            seating.seated(table, user)
            return table

        return await self._unit_of_work.change(
            table_id, delivery, change, lambda _: [OutboxDraft(OutboxKind.LOBBY)]
        )

    async def _check(self, task: ScheduledRow) -> None:
        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(task.table)
            batch, drafts = WriteBatch(), list[OutboxDraft]()
            batch.unschedule(task.table, WHOLE_TABLE, task.kind)
            if loaded.table.status is Status.LOBBY:
                if task.kind == IDLE:
                    at = self._unit_of_work.clock.now() + UNTIL_CLOSED
                    batch.save(replace(task, kind=CLOSE, at=at))
                    seats = [player.seat for player in loaded.table.owners]
                    drafts += [OutboxDraft(OutboxKind.RING, seat) for seat in seats]
                else:
                    closed = replace(loaded.table, status=Status.ABANDONED)
                    loaded = loaded.with_table(closed)
                    batch.save_table(loaded.row())
                    drafts.append(OutboxDraft(OutboxKind.EXPIRED))
            await self._unit_of_work.commit(batch, loaded, drafts, None)

        await self._unit_of_work.cache.alone(task.table, work)
