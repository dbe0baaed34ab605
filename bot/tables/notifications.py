"""Notifications: one ping per turn, reminders, and no pings in quiet hours.

A notification begins and ends in the transaction of the change that causes it. The code that
delivers it reports the result in a `NotificationReport`. A reminder delivers it again. A ping held
back during quiet hours is a scheduled task, so it survives a restart.
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
from bot.tables.people import NotificationPlace, People, UserSettings

REMIND = "remind"
PING = "ring"
"""The task that pings a seat about all that is open for it at the time."""
WAKE = "wake"
"""The task that sends items held back in a table's outbox."""
DIGEST = "digest"

NEAR = timedelta(minutes=15)
"""No reminder is sent this soon before another ping about the table."""
MERGE_WITHIN = timedelta(minutes=1)
"""A ping this soon after another one is added to its message."""

CLOCK_ENDS = ("clock.warning", "clock.zero")
"""The tasks that ping a seat about its clock."""
IDLE = "idle"
"""The task that warns a table that it will fall asleep, with a ping to all its people."""

WEEK_H = 7 * 24
MAX_REMINDERS = 7
"""Reminders of one notification. Each interval is twice the one before, up to a week. So, whatever
the first interval, they last until the idle table gets its warning."""


class NotificationReport:
    """The results of a table's notifications, stored in one batch with their outbox items."""

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
        """Record a delivery, by these messages or a ping in a post, and schedule a reminder."""
        delivered = replace(notification, told=True, dm=dm, post=post, told_at=self._now)
        self.batch.save_notification(delivered)
        at = _next(person, notification, self._now)
        self.batch.schedule(notification.table, notification.seat, REMIND, at)

    def postponed(self, notification: Notification, until: datetime) -> None:
        """Record that the notification must wait until this time."""
        self.batch.schedule(notification.table, notification.seat, REMIND, until)

    def ping_at(self, table: int, seat: Seat, at: datetime) -> None:
        """Schedule a ping to a seat about all that is open for it then."""
        self.batch.schedule(table, seat, PING, at)

    def removed(self, notification: Notification) -> None:
        """Delete a notification that is over and has no messages left."""
        self.batch.schedule(notification.table, notification.seat, REMIND, None)
        self.batch.delete_row(notification)

    def acknowledge(self, items: Iterable[OutboxItem]) -> None:
        """Delete these items from the outbox, as they were sent."""
        for item in items:
            self.batch.delete(OutboxItem, table=item.table, id=item.id)

    def sent(self, sent: SentMessage) -> None:
        """Note a message that was sent."""
        note(self.batch, sent)


class Notifications:
    """Notifications of people who are to act, and their reminders."""

    def __init__(
        self, unit_of_work: UnitOfWork, people: People, scheduler: Scheduler, outages: Outages
    ) -> None:
        self._unit_of_work = unit_of_work
        self._outages = outages
        self._people = people
        self._scheduler = scheduler
        scheduler.at_table(REMIND, self._remind)
        scheduler.at_table(PING, _ping)
        scheduler.at_table(WAKE, _wake)
        people.subscribers.append(self._on_settings)

    async def of_table(self, table: int) -> list[Notification]:
        """Return the table's notifications, including those that are over, oldest first."""
        return await from_store(self._unit_of_work.store.notifications(table))

    async def of_user(self, user: int) -> list[Notification]:
        """Return the notifications of tables where the user is to act, oldest first."""
        return await from_store(self._unit_of_work.store.notifications_of_user(user))

    def now(self) -> datetime:
        return self._unit_of_work.clock.now()

    async def held_until(self, user: int) -> datetime | None:
        """Return the end of the user's quiet hours or snooze, or None if pings are allowed now."""
        now = self.now()
        free = (await self._people.get(user)).free_at(now)
        return free if free > now else None

    async def pingable(
        self, table: Table, users: Iterable[int], *, dm_tried: bool = False, again: bool = False
    ) -> list[int]:
        """Return the users that a message at the table may ping now, and schedule other pings.

        Players in quiet hours are pinged when these end. Players who want direct messages get one
        instead, unless it was `dm_tried` and failed. Users who have left the server get nothing. If
        the message is sent `again`, the other pings are scheduled already.
        """
        pingable, members = list[int](), self._unit_of_work.members
        users = list(users)
        await members.find_silent(table, users)
        for user in users:
            if members.has_left(table, user):
                continue
            seat, until = table.seat_of(user), await self._silent_until(table, user, dm_tried)
            if until is None:
                pingable.append(user)
            elif seat is not None and not again:
                await self.ping_later(table.id, seat, until)
        return pingable

    async def may_ping(self, table: Table, user: int) -> bool:
        """Return whether a message at the table may ping the user now."""
        has_left = self._unit_of_work.members.has_left(table, user)
        return not has_left and await self._silent_until(table, user) is None

    async def _silent_until(
        self, table: Table, user: int, dm_tried: bool = False
    ) -> datetime | None:
        """Return when to ping the user separately, or None if a message at the table may do it."""
        until, seat = await self.held_until(user), table.seat_of(user)
        if until is None and seat is not None and not dm_tried:
            return self.now() if await self.wants_direct(table.players[seat]) else None
        return until

    async def wants_direct(self, player: Player) -> bool:
        """Return whether a player wants only direct messages, and can receive them."""
        if player.user is None or not player.reachable:
            return False
        return (await self._people.get(player.user)).notices is NotificationPlace.DM

    async def ping_later(self, table: int, seat: Seat, until: datetime) -> None:
        """Schedule a ping to a seat about all that is open for it then. Raise StoreUnavailable."""
        await self._scheduler.schedule(table, seat, PING, until)

    async def send_later(self, table: int, seat: Seat, at: datetime) -> None:
        """Schedule the sending of a seat's items in the table's outbox. Raise StoreUnavailable."""
        await self._scheduler.schedule(table, seat, WAKE, at)

    def was_just_pinged(self, notification: Notification) -> bool:
        """Return whether the player was pinged about the table a moment ago."""
        at = notification.told_at
        return at is not None and at + MERGE_WITHIN > self.now()

    async def all_pinged(self, table: Table) -> None:
        """Restart the reminder intervals after a message that pinged all people at the table.

        Raise StoreUnavailable.
        """
        report = self.report()
        delivered = [each for each in await self.of_table(table.id) if each.told and not each.over]
        for each in delivered:
            if await self._silent_until(table, each.user) is None:
                report.delivered(
                    each, await self._people.get(each.user), dm=each.dm, post=each.post
                )
        await self.save(table.id, report)

    def report(self) -> NotificationReport:
        """Return an empty report, to be filled and passed to `save`."""
        return NotificationReport(self.now())

    async def save(self, table: int, report: NotificationReport) -> None:
        """Store a table's report. Raise StoreUnavailable."""

        async def work() -> None:
            await from_store(self._unit_of_work.store.commit(report.batch))

        if report.batch.steps:
            # Under the lock, so that a reminder in progress cannot miss it and ping a second time.
            await self._unit_of_work.cache.run_locked(table, work)

    def on_digest(self, send: Callable[[int], Awaitable[None]]) -> None:
        """Call `send` with each user whose daily list is due.

        If it fails it is called again, although the list may have been sent.
        """

        async def work(row: ScheduledRow) -> None:
            person = await self._people.get(row.seat)
            now = self.now()
            if person.digest is not None and person.free_at(person.back_at(now)) <= now:
                # Check ownership now, as Discord, unlike the database, cannot refuse it later.
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
            at = await self._after_other_ping(row) or at
        if at is not None and at > self.now():
            change.batch.save(replace(row, at=at))
        elif at is not None:
            # Either a reminder, or the first delivery of a postponed notification.
            due = replace(
                notification,
                notified=notification.notified and not notification.told,
                told=False,
                reminders=notification.reminders + notification.told,
            )
            change.batch.save_notification(due)
            change.post(OutboxKind.NOTIFY)

    async def _after_other_ping(self, row: ScheduledRow) -> datetime | None:
        """Return a later time for a reminder if the seat gets another ping around now, or None.

        That is a warning about its clock or its idle table.
        """
        now, store = self.now(), self._unit_of_work.store
        items = await from_store(store.outbox(row.table))
        warnings = [
            await from_store(store.scheduled_at(row.table, seat, kind))
            for seat, kind in [*((row.seat, each) for each in CLOCK_ENDS), (WHOLE_TABLE, IDLE)]
        ]
        pings = {(OutboxKind.PING.value, row.seat), (OutboxKind.IDLE.value, None)}
        is_queued = any((item.kind, item.seat) in pings for item in items)
        is_near = any(at is not None and at <= now + NEAR for at in warnings)
        return now + NEAR if is_queued or is_near else None

    async def _when(self, loaded: LoadedTable, notification: Notification) -> datetime | None:
        """Return when to deliver the notification again, or None for never."""
        person, now = await self._people.get(notification.user), self.now()
        if not notification.told:
            return person.free_at(now)
        wait = _interval(person, notification)
        if wait is None:
            return None
        # Outages do not count towards the interval.
        calendar = Calendar(outages=await self._outages.spans(notification.table))
        since = await self._acted(loaded, notification)
        if notification.told_at is not None:
            since = max(since, notification.told_at)
        due = max(now, calendar.runs_out_at(since, wait))
        return person.free_at(person.back_at(due, weekends_off=weekends_off(loaded.table)))

    async def _acted(self, loaded: LoadedTable, notification: Notification) -> datetime:
        """Return the time of the seat's last public action since the notification, or its start.

        Reminders are public, so they must not reveal secret actions.
        """
        if loaded.now is None:
            return notification.since
        seat, entries = notification.seat, loaded.now.recent
        if not any(each.seat == seat and each.is_public for each in entries):
            # Memory may not reach back far enough.
            first = notification.seq + 1
            entries = await self._unit_of_work.cache.entries(loaded.table.id, first)
        acted = (each.at for each in entries if each.seat == seat and each.is_public)
        return max([notification.since, *acted])

    async def _on_settings(self, before: UserSettings, person: UserSettings) -> None:
        """Reschedule notifications, reminders and the daily list after new settings."""
        batch, now, store = WriteBatch(), self.now(), self._unit_of_work.store
        if before.timing != person.timing:
            # Send items that were held back as soon as the new settings allow.
            batch.reschedule(person.user, (PING, WAKE), NOT_OVER, person.free_at(now))
            for each in await from_store(store.notifications_of_user(person.user)):
                at = _next(person, each, now) if each.told else now
                batch.schedule(each.table, each.seat, REMIND, at)
        batch.schedule(NO_TABLE, person.user, DIGEST, person.digest_at(now))
        await from_store(store.commit(batch))


async def _ping(change: TableChange, row: ScheduledRow) -> None:
    is_closed = change.table.is_over and change.after.seq() < 0
    # In a lobby the player may have left.
    if row.seat in {player.seat for player in change.table.owners} and not is_closed:
        change.post(OutboxKind.PING, row.seat)


async def _wake(_change: TableChange, _row: ScheduledRow) -> None:
    """Do nothing: the notification of subscribers is enough to have the outbox sent."""


def _next(person: UserSettings, notification: Notification, now: datetime) -> datetime | None:
    """Return when the reminder after a delivery now is due, or None for never."""
    wait = _interval(person, notification)
    return None if wait is None else now + wait


def _interval(person: UserSettings, notification: Notification) -> timedelta | None:
    """Return the time from a delivery to its reminder, or None for no reminder."""
    if not person.reminder_h or notification.reminders >= MAX_REMINDERS:
        return None
    return timedelta(hours=min(person.reminder_h * 2**notification.reminders, WEEK_H))
