"""Telling each person once that they are awaited, and reminding them, as they have set it.

A notification begins and ends with the change that makes it so (`bot.tables.core.awaiting`).
Whoever delivers it says so in a `NotificationReport`; a reminder is the same one, to be told again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import DueRow, NotificationRow, WriteBatch
from bot.tables.core.clock import Clock
from bot.tables.core.message_numbers import SentMessage, note
from bot.tables.core.model import OutboxKind
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import NO_TABLE, Scheduler
from bot.tables.core.unit_of_work import UnitOfWork, from_store
from bot.tables.people.settings import People, UserSettings

Call = NotificationRow
"""A call, as it is kept."""

REMIND = "remind"
DIGEST = "digest"

MOST = 5
"""Reminders of one call. Each comes twice as late as the one before."""

REMEMBERED = 4096
"""People at tables whose last press is remembered."""


class NotificationReport:
    """How the notifications of a table went; kept in one batch, with the outbox items it covers."""

    def __init__(self, clock: Clock) -> None:
        self._now = clock.now()
        self.batch = WriteBatch()

    def told(
        self,
        call: NotificationRow,
        person: UserSettings,
        *,
        dm: int | None = None,
        post: int | None = None,
    ) -> None:
        """They know, by these messages or by the post that rang; a reminder will follow."""
        self.batch.save_notification(replace(call, told=True, dm=dm, post=post))
        wait = _interval(person, call)
        if wait is None:
            self.batch.drop_due(call.table, call.seat, REMIND)
        else:
            self.batch.set_due(DueRow(call.table, call.seat, REMIND, self._now + wait))

    def withheld(self, call: NotificationRow, until: datetime) -> None:
        """They must not, or cannot, be told before that time."""
        self.batch.set_due(DueRow(call.table, call.seat, REMIND, until))

    def gone(self, call: NotificationRow) -> None:
        """The call is over, and nothing of it is left to be seen."""
        self.batch.drop_due(call.table, call.seat, REMIND)
        self.batch.drop_notification(call)

    def acknowledge(self, ids: Iterable[int]) -> None:
        """It acknowledges these items of the outbox."""
        self.batch.acknowledge(ids)

    def sent(self, sent: SentMessage) -> None:
        """A message that was sent on the way."""
        note(self.batch, sent)


class Notifications:
    """Who is awaited since when, and when to call again."""

    def __init__(self, unit_of_work: UnitOfWork, people: People, due: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        self._scheduler = due
        self._active: OrderedDict[tuple[int, int], datetime] = OrderedDict()
        due.on(REMIND, self._remind)
        people.hooks.append(self._changed)

    def active(self, table: int, user: int) -> None:
        """The user has just done something at the table, were it only to look."""
        self._active[table, user] = self._unit_of_work.clock.now()
        self._active.move_to_end((table, user))
        if len(self._active) > REMEMBERED:
            self._active.popitem(last=False)

    async def at(self, table: int) -> list[NotificationRow]:
        """The calls of a table, those that are over among them, oldest first."""
        return await from_store(self._unit_of_work.store.notifications(table))

    async def of(self, user: int) -> list[NotificationRow]:
        """Where a user is awaited, longest first."""
        return await from_store(self._unit_of_work.store.notifications_of_user(user))

    def now(self) -> datetime:
        """The time by which calls are told."""
        return self._unit_of_work.clock.now()

    def report(self) -> NotificationReport:
        """An empty report, to be filled and kept."""
        return NotificationReport(self._unit_of_work.clock)

    async def keep(self, report: NotificationReport) -> None:
        """Keeps what was reported. Raises StoreUnavailable."""
        if report.batch.steps:
            await from_store(self._unit_of_work.store.commit(report.batch))

    def on_digest(self, send: Callable[[int], Awaitable[None]]) -> None:
        """Have `send` called with each user whose daily list is due. Where it fails, it is again.

        It may then have been sent already.
        """

        async def work(row: DueRow) -> None:
            person = await self._people.get(row.seat)
            now = self.now()
            if person.digest is not None and person.free_at(person.back_at(now)) <= now:
                await send(person.user)
            batch = WriteBatch()
            self._set_digest(batch, person)
            await from_store(self._unit_of_work.store.commit(batch))

        self._scheduler.on(DIGEST, work)

    async def _remind(self, row: DueRow) -> None:
        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(row.table)
            batch = WriteBatch()
            calls = await from_store(self._unit_of_work.store.notifications(row.table))
            call = next((c for c in calls if c.seat == row.seat and not c.over), None)
            at = None if call is None else await self._when(call)
            drafts: list[OutboxDraft] = []
            batch.drop_due(row.table, row.seat, row.kind)
            if call is not None and at is not None:
                if at > self._unit_of_work.clock.now():
                    batch.set_due(replace(row, at=at))
                else:
                    # What has been told is told again; what was withheld, for the first time.
                    again = replace(
                        call,
                        notified=call.notified and not call.told,
                        told=False,
                        reminders=call.reminders + call.told,
                    )
                    batch.save_notification(again)
                    drafts.append(OutboxDraft(OutboxKind.NOTIFY))
            await self._unit_of_work.commit(batch, loaded, drafts, None)

        await self._unit_of_work.cache.alone(row.table, work)

    async def _when(self, call: NotificationRow) -> datetime | None:
        """When somebody is to be called again who is due for it; None for not at all."""
        person, now = await self._people.get(call.user), self._unit_of_work.clock.now()
        if not call.told:
            return person.free_at(now)
        wait = _interval(person, call)
        if wait is None:
            return None
        seen = self._active.get((call.table, call.user), call.since)
        return person.free_at(person.back_at(max(now, seen + wait)))

    async def _changed(self, _before: UserSettings, person: UserSettings) -> None:
        """Somebody has other settings: what was withheld may be due now, reminders otherwise."""
        batch, now = WriteBatch(), self._unit_of_work.clock.now()
        for call in await from_store(self._unit_of_work.store.notifications_of_user(person.user)):
            wait = _interval(person, call) if call.told else timedelta(0)
            if wait is None:
                batch.drop_due(call.table, call.seat, REMIND)
            else:
                batch.set_due(DueRow(call.table, call.seat, REMIND, now + wait))
        self._set_digest(batch, person)
        await from_store(self._unit_of_work.store.commit(batch))

    def _set_digest(self, batch: WriteBatch, person: UserSettings) -> None:
        at = person.digest_at(self._unit_of_work.clock.now())
        if at is None:
            batch.drop_due(NO_TABLE, person.user, DIGEST)
        else:
            batch.set_due(DueRow(NO_TABLE, person.user, DIGEST, at))


def _interval(person: UserSettings, call: NotificationRow) -> timedelta | None:
    """How long after a call was told it is told again; None for never."""
    if not person.reminder_h or call.reminders >= MOST:
        return None
    return timedelta(hours=person.reminder_h * 2**call.reminders)
