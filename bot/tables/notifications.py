"""Telling people once that they are awaited, reminding them as they have set it, and holding back
whatever would ring in their quiet hours.

A notification begins and ends with the change that causes it (`UnitOfWork.commit`). Whoever
delivers it says so in a `NotificationReport`; a reminder delivers the same one again. A ring that
was held back is a task of the scheduler, and so outlives a restart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.game.contract import Seat
from bot.store import (
    NO_TABLE,
    WHOLE_TABLE,
    Notification,
    OutboxItem,
    OutboxKind,
    Player,
    ScheduledRow,
    WriteBatch,
)
from bot.tables.core import (
    NOT_OVER,
    Calendar,
    LoadedTable,
    Outages,
    Scheduler,
    SentMessage,
    Table,
    TableChange,
    UnitOfWork,
    from_store,
    weekends_off,
)
from bot.tables.core.outbox import note
from bot.tables.people import Notices, People, UserSettings

REMIND = "remind"
RING = "ring"
"""The task that tells a seat what stands for it."""
WAKE = "wake"
"""The task that has sent what was held back in a table's outbox."""
DIGEST = "digest"

SAME_TIME = timedelta(minutes=15)
"""Nobody is reminded of a table so soon before something else rings them there."""
MERGE_WITHIN = timedelta(minutes=1)
"""Whatever would ring somebody so soon after something else is added to the message of that."""

CLOCK_ENDS = ("clock.warning", "clock.zero")
"""The tasks at which a seat's clock rings."""
IDLE = "idle"
"""The task at which a table is warned that it will sleep, which rings all of its people."""

WEEK_H = 7 * 24
MOST = 7
"""Reminders of one notification, each after twice as long as the one before, a week at most: with
every interval they last until a table at which nobody acts is warned that it will sleep."""


class NotificationReport:
    """How the notifications of a table went; stored in one batch with their outbox items."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self.batch = WriteBatch()

    def delivered(
        self,
        notification: Notification,
        person: UserSettings,
        *,
        dm: int | None = None,
        post: int | None = None,
    ) -> None:
        """They have been told, by these messages or by the post that pinged them; a reminder will
        follow."""
        told = replace(notification, told=True, dm=dm, post=post, told_at=self._now)
        self.batch.save_notification(told)
        at = _next(person, notification, self._now)
        self.batch.schedule(notification.table, notification.seat, REMIND, at)

    def postponed(self, notification: Notification, until: datetime) -> None:
        """They must not, or cannot, be told before that time."""
        self.batch.schedule(notification.table, notification.seat, REMIND, until)

    def ping_at(self, table: int, seat: Seat, at: datetime) -> None:
        """A seat is to be told at that time what stands for it then."""
        self.batch.schedule(table, seat, RING, at)

    def removed(self, notification: Notification) -> None:
        """The notification is over, and no message of it is left."""
        self.batch.schedule(notification.table, notification.seat, REMIND, None)
        self.batch.delete_row(notification)

    def acknowledge(self, items: Iterable[OutboxItem]) -> None:
        """Acknowledges these items of the outbox."""
        for item in items:
            self.batch.delete(OutboxItem, table=item.table, id=item.id)

    def sent(self, sent: SentMessage) -> None:
        """Notes a message that was sent."""
        note(self.batch, sent)


class Notifications:
    """Who is awaited since when, and when to remind them."""

    def __init__(
        self, unit_of_work: UnitOfWork, people: People, scheduler: Scheduler, outages: Outages
    ) -> None:
        self._unit_of_work = unit_of_work
        self._outages = outages
        self._people = people
        self._scheduler = scheduler
        scheduler.at_table(REMIND, self._remind)
        scheduler.at_table(RING, _ring)
        scheduler.at_table(WAKE, _wake)
        people.subscribers.append(self._changed)

    async def of_table(self, table: int) -> list[Notification]:
        """The notifications of a table, including those that are over, oldest first."""
        return await from_store(self._unit_of_work.store.notifications(table))

    async def of_user(self, user: int) -> list[Notification]:
        """Where a user is awaited, longest first."""
        return await from_store(self._unit_of_work.store.notifications_of_user(user))

    def now(self) -> datetime:
        """The clock by which people are notified."""
        return self._unit_of_work.clock.now()

    async def held_until(self, user: int) -> datetime | None:
        """Until when nothing may ring somebody: in quiet hours, and while they snooze; None where
        it may."""
        now = self.now()
        free = (await self._people.get(user)).free_at(now)
        return free if free > now else None

    async def pingable(
        self, table: Table, users: Iterable[int], *, in_vain: bool = False, again: bool = False
    ) -> list[int]:
        """Those of the users whom a message at the table may ring now.

        Players in their quiet hours are told when these end, those who want direct messages by one
        of their own unless that was sent `in_vain`, and who has left the server is not told. Where
        the message is tried `again` they are told already.
        """
        rung, members = list[int](), self._unit_of_work.members
        users = list(users)
        await members.find_silent(table, users)
        for user in users:
            if members.has_left(table, user):
                continue
            seat, until = table.seat_of(user), await self._silent_until(table, user, in_vain)
            if until is None:
                rung.append(user)
            elif seat is not None and not again:
                await self.ping_later(table.id, seat, until)
        return rung

    async def may_ping(self, table: Table, user: int) -> bool:
        """Whether a message at the table may ping the user now; else they are told otherwise."""
        has_left = self._unit_of_work.members.has_left(table, user)
        return not has_left and await self._silent_until(table, user) is None

    async def _silent_until(
        self, table: Table, user: int, in_vain: bool = False
    ) -> datetime | None:
        """Until when the user is to be told otherwise; None where a message may ring them."""
        until, seat = await self.held_until(user), table.seat_of(user)
        if until is None and seat is not None and not in_vain:
            return self.now() if await self.wants_direct(table.players[seat]) else None
        return until

    async def wants_direct(self, player: Player) -> bool:
        """Whether somebody is to be told by direct messages alone, and they get through."""
        if player.user is None or not player.reachable:
            return False
        return (await self._people.get(player.user)).notices is Notices.DM

    async def ping_later(self, table: int, seat: Seat, until: datetime) -> None:
        """Tell a seat at that time what stands for it then. Raises StoreUnavailable."""
        await self._scheduler.schedule(table, seat, RING, until)

    async def send_later(self, table: int, seat: Seat, at: datetime) -> None:
        """Send at that time what is kept in the table's outbox for a seat. Raises
        StoreUnavailable."""
        await self._scheduler.schedule(table, seat, WAKE, at)

    def was_just_pinged(self, notification: Notification) -> bool:
        """Whether somebody has been rung about the table a moment ago."""
        at = notification.told_at
        return at is not None and at + MERGE_WITHIN > self.now()

    async def all_pinged(self, table: Table) -> None:
        """A message at a table was to ring all its people: the next reminder of those who are
        awaited is counted from that. Raises StoreUnavailable."""
        report = self.report()
        told = [each for each in await self.of_table(table.id) if each.told and not each.over]
        for each in told:
            if await self._silent_until(table, each.user) is None:
                report.delivered(
                    each, await self._people.get(each.user), dm=each.dm, post=each.post
                )
        await self.save(table.id, report)

    def report(self) -> NotificationReport:
        """An empty report, to be filled and passed to `save`."""
        return NotificationReport(self.now())

    async def save(self, table: int, report: NotificationReport) -> None:
        """Stores what was reported of a table. Raises StoreUnavailable."""

        async def work() -> None:
            await from_store(self._unit_of_work.store.commit(report.batch))

        if report.batch.steps:
            # Not while a reminder goes by what it has just read, or it would ring once more.
            await self._unit_of_work.cache.run_locked(table, work)

    def on_digest(self, send: Callable[[int], Awaitable[None]]) -> None:
        """Has `send` called with each user whose daily list is due.

        Where it fails it is called again; the list may have been sent already.
        """

        async def work(row: ScheduledRow) -> None:
            person = await self._people.get(row.seat)
            now = self.now()
            if person.digest is not None and person.free_at(person.back_at(now)) <= now:
                # What is sent cannot be refused like what is stored.
                with self._unit_of_work.on_behalf(None):
                    await send(person.user)
            await self._scheduler.schedule(NO_TABLE, row.seat, DIGEST, person.digest_at(self.now()))

        self._scheduler.on(DIGEST, work)

    async def _remind(self, change: TableChange, row: ScheduledRow) -> None:
        rows = await from_store(self._unit_of_work.store.notifications(row.table))
        notification = next((c for c in rows if c.seat == row.seat and not c.over), None)
        if notification is None:
            return
        at = await self._when(change.after, notification)
        if at is not None and at <= self.now():
            at = await self._after_a_warning(row) or at
        if at is not None and at > self.now():
            change.batch.save(replace(row, at=at))
        elif at is not None:
            # What has been told is told again; what was withheld, for the first time.
            again = replace(
                notification,
                notified=notification.notified and not notification.told,
                told=False,
                reminders=notification.reminders + notification.told,
            )
            change.batch.save_notification(again)
            change.post(OutboxKind.NOTIFY)

    async def _after_a_warning(self, row: ScheduledRow) -> datetime | None:
        """When to remind a seat whose clock, or whose idle table, is about to ring it or just does;
        None where neither is so."""
        now, store = self.now(), self._unit_of_work.store
        items = await from_store(store.outbox(row.table))
        warnings = [
            await from_store(store.scheduled_at(row.table, seat, kind))
            for seat, kind in [*((row.seat, each) for each in CLOCK_ENDS), (WHOLE_TABLE, IDLE)]
        ]
        ringing = {(OutboxKind.RING.value, row.seat), (OutboxKind.IDLE.value, None)}
        is_ringing = any((item.kind, item.seat) in ringing for item in items)
        is_near = any(at is not None and at <= now + SAME_TIME for at in warnings)
        return now + SAME_TIME if is_ringing or is_near else None

    async def _when(self, loaded: LoadedTable, notification: Notification) -> datetime | None:
        """When somebody is to be notified again; None for not at all."""
        person, now = await self._people.get(notification.user), self.now()
        if not notification.told:
            return person.free_at(now)
        wait = _interval(person, notification)
        if wait is None:
            return None
        # After an outage reminders come as far apart as they would have been.
        calendar = Calendar(outages=await self._outages.spans(notification.table))
        since = await self._acted(loaded, notification)
        if notification.told_at is not None:
            since = max(since, notification.told_at)
        due = max(now, calendar.runs_out_at(since, wait))
        return person.free_at(person.back_at(due, weekends_off=weekends_off(loaded.table)))

    async def _acted(self, loaded: LoadedTable, notification: Notification) -> datetime:
        """When the seat last did what all noticed since it is awaited.

        A reminder is public: it must not tell who has looked at their hand, planned or had a hint.
        """
        if loaded.now is None:
            return notification.since
        seat, happened = notification.seat, loaded.now.recent
        if not any(each.seat == seat and each.is_public for each in happened):
            # Memory may not go back so far.
            first = notification.seq + 1
            happened = await self._unit_of_work.cache.entries(loaded.table.id, first)
        acted = (each.at for each in happened if each.seat == seat and each.is_public)
        return max([notification.since, *acted])

    async def _changed(self, before: UserSettings, person: UserSettings) -> None:
        """New settings: what was withheld may be due now, reminders at another time."""
        batch, now, store = WriteBatch(), self.now(), self._unit_of_work.store
        if before.timing != person.timing:
            # What was held back comes as soon as the new settings allow.
            batch.reschedule(person.user, (RING, WAKE), NOT_OVER, person.free_at(now))
            for each in await from_store(store.notifications_of_user(person.user)):
                at = _next(person, each, now) if each.told else now
                batch.schedule(each.table, each.seat, REMIND, at)
        batch.schedule(NO_TABLE, person.user, DIGEST, person.digest_at(now))
        await from_store(store.commit(batch))


async def _ring(change: TableChange, row: ScheduledRow) -> None:
    is_closed = change.table.is_over and change.after.seq() < 0
    # In a lobby they may have got up.
    if row.seat in {player.seat for player in change.table.owners} and not is_closed:
        change.post(OutboxKind.RING, row.seat)


async def _wake(_change: TableChange, _row: ScheduledRow) -> None:
    """Whoever hears of a change sends the outbox."""


def _next(person: UserSettings, notification: Notification, now: datetime) -> datetime | None:
    """When the next reminder is due of one who is told now; None for never."""
    wait = _interval(person, notification)
    return None if wait is None else now + wait


def _interval(person: UserSettings, notification: Notification) -> timedelta | None:
    """How long after a notification a reminder follows; None for never."""
    if not person.reminder_h or notification.reminders >= MOST:
        return None
    return timedelta(hours=min(person.reminder_h * 2**notification.reminders, WEEK_H))
