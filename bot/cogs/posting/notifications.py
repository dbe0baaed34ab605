"""Notifies people once that they are awaited, where they want it, and withdraws it afterwards.

The post of the turn is the ping in the channel. What this module sends is for those who want direct
messages, for reminders, and for what was withheld in quiet hours.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

import discord

from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.posting.work_queue import apart
from bot.cogs.ui import who
from bot.cogs.ui.channels import Closed, Nowhere, Places, Unreachable
from bot.cogs.ui.components import button
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Layout, Row, Text
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.status_lines import left_lines
from bot.cogs.ui.waiting import table_link
from bot.game.contract import Seat
from bot.tables import OutboxKind, Table
from bot.tables.people.notifications import Notification, NotificationReport
from bot.tables.people.settings import Notices
from bot.text import general
from bot.text import personal_settings as text
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Words

log = logging.getLogger(__name__)

TRY_AGAIN = timedelta(hours=1)
"""When to try again to notify somebody who could not be reached anywhere."""


class Notifier:
    """Delivers notifications, table by table."""

    def __init__(self, services: Services, places: Places, cosmetics: Cosmetics) -> None:
        self._services = services
        self._tables = services.tables
        self._notifications = services.tables.notifications
        self._places = places
        self._cosmetics = cosmetics

    async def to_notify(self, snapshot: Snapshot) -> list[Notification]:
        """The notifications that a post of this snapshot delivers as a ping."""
        return [
            notification
            for notification in await self._notifications.at(snapshot.table.id)
            if not (notification.over or notification.told or notification.notified)
            and notification.seq <= snapshot.seq
            and await self.may_notify(snapshot.table, notification.user)
        ]

    async def may_notify(self, table: Table, user: int) -> bool:
        """Whether a message at the table may ping the user just now."""
        if self._tables.server_members.has_left(table, user):
            return False
        person, now = await self._tables.people.get(user), self._notifications.now()
        seat = table.seat_of(user)
        if person.notices is Notices.DM and seat is not None and table.players[seat].reachable:
            return False
        return person.free_at(now) <= now

    async def deliver(self, snapshot: Snapshot) -> None:
        """Notify those the table awaits, and remove notifications of those it no longer does."""
        outbox_items = await self._tables.outbox.items(snapshot.table.id)
        # A post in the outbox will ping; those who want direct messages need not wait for it.
        has_post = any(row.kind in (OutboxKind.BOARD, OutboxKind.END) for row in outbox_items)
        calls = [row for row in outbox_items if row.kind is OutboxKind.NOTIFY]
        if not calls and not has_post:
            return
        report, is_done = self._notifications.report(), True
        notifications = await self._notifications.at(snapshot.table.id)

        async def deliver_to(seat: Seat) -> None:
            nonlocal is_done
            for notification in [each for each in notifications if each.seat == seat]:
                if notification.over:
                    await self._remove(snapshot.table, notification)
                    report.gone(notification)
                elif (
                    notification.seq > snapshot.seq
                    or snapshot.table.players[seat].user != notification.user
                ):
                    # What was queued after the snapshot is for the next delivery.
                    is_done = False
                elif await self._has_left(snapshot.table, notification):
                    await self._tell_others(snapshot, notification, report)
                elif notification.told:
                    await self._tell_anew(snapshot, notification)
                elif not await self._tell(snapshot, notification, report, has_post):
                    is_done = False

        try:
            await apart(deliver_to(seat) for seat in {each.seat for each in notifications})
            if is_done:
                report.acknowledge(calls)
        finally:
            await self._notifications.keep(report)

    async def _tell(
        self,
        snapshot: Snapshot,
        notification: Notification,
        report: NotificationReport,
        has_post: bool,
    ) -> bool:
        """Notify somebody; returns whether the notification needs nothing more for now."""
        person, now = await self._tables.people.get(notification.user), self._notifications.now()
        free = person.free_at(now)
        if free > now and not notification.notified:
            report.withheld(notification, free)
            return True
        dm = post = None
        if person.notices is not Notices.CHANNEL:
            dm = await self._send_direct(snapshot, notification, report)
        if not notification.notified and (person.notices is not Notices.DM or dm is None):
            if has_post:
                return False
            mentions = who.mentions(snapshot.words, snapshot.table)
            said = _said(snapshot, snapshot.words, notification, mentions)
            pinged = [notification.user]
            post = await self._notify(snapshot, notification, report, said, pinged=pinged)
            if post is None and dm is None:
                dm = await self._send_direct(snapshot, notification, report)
            if post is None and dm is None:
                report.withheld(notification, now + TRY_AGAIN)
                return True
        await self._remove(snapshot.table, notification)
        report.told(notification, person, dm=dm, post=post)
        log.info(
            "called table=%s seat=%s reminders=%s",
            notification.table,
            notification.seat,
            notification.reminders,
        )
        return True

    async def _has_left(self, table: Table, notification: Notification) -> bool:
        members = self._tables.server_members
        if notification.reminders and not notification.told:
            await members.find(table, [notification.user])
        return members.has_left(table, notification.user)

    async def _tell_others(
        self, snapshot: Snapshot, notification: Notification, report: NotificationReport
    ) -> None:
        """Instead of a reminder to somebody who has left the server, say what can be done."""
        if notification.told:
            return
        post = None
        if notification.reminders:
            lines = left_lines(self._services, snapshot.words, snapshot.table)
            post = await self._notify(snapshot, notification, report, "\n".join(lines), pinged=())
        await self._remove(snapshot.table, notification)
        report.told(notification, await self._tables.people.get(notification.user), post=post)

    async def _send_direct(
        self, snapshot: Snapshot, notification: Notification, report: NotificationReport
    ) -> int | None:
        """A direct message; None where the person accepts none."""
        table, player = snapshot.table, snapshot.table.players[notification.seat]
        words = await self._services.own(notification.user, snapshot.words)
        what, called = f"call{notification.seat}", _direct_message(snapshot, words, notification)
        try:
            while True:
                sent = await self._places.send_direct(
                    player,
                    table.id,
                    what,
                    called,
                    seq=notification.seq,
                    mark=_play(snapshot).encoded(),
                )
                if sent.seq == notification.seq:
                    break
                # It was for a notification that was over before its message could be noted.
                await self._places.delete_direct(notification.user, sent.message)
                await self._tables.outbox.acknowledge((), sent=[sent])
        except Unreachable as error:
            if error.closed and player.reachable:
                await self._tables.lobby.set_reachable(table.id, notification.user, False)
            return None
        if not player.reachable:
            await self._tables.lobby.set_reachable(table.id, notification.user, True)
        report.sent(sent)
        return sent.message

    async def _notify(
        self,
        snapshot: Snapshot,
        notification: Notification,
        report: NotificationReport,
        said: str,
        *,
        pinged: Sequence[int],
    ) -> int | None:
        """A separate message at the table; None where the table has no channel."""
        try:
            sent = await self._places.send(
                snapshot.table,
                f"ring{notification.seat}",
                said,
                seq=notification.seq,
                pinged=pinged,
            )
        except (Nowhere, Closed):
            return None
        report.sent(sent)
        return sent.message

    async def _tell_anew(self, snapshot: Snapshot, notification: Notification) -> None:
        """Edits what was sent for this notification to say what it is about now."""
        table = snapshot.table
        if notification.dm is not None:
            words = await self._services.own(notification.user, snapshot.words)
            called = _direct_message(snapshot, words, notification)
            edit = partial(self._places.edit_direct, notification.user, notification.dm, called)
            await self._cosmetics.attempt(table.id, edit)
        if notification.post is not None:
            content = _said(
                snapshot, snapshot.words, notification, who.mentions(snapshot.words, table)
            )
            place = table.thread or table.channel
            edit_post = partial(self._places.edit, table, place, notification.post, content)
            await self._cosmetics.attempt(table.id, edit_post)

    async def _remove(self, table: Table, notification: Notification) -> None:
        """Deletes what was sent only for this notification."""
        if notification.dm is not None:
            delete = partial(self._places.delete_direct, notification.user, notification.dm)
            await self._cosmetics.attempt(table.id, delete)
        if notification.post is not None:
            delete = partial(self._places.delete, table, notification.post)
            await self._cosmetics.attempt(table.id, delete)


def _play(snapshot: Snapshot) -> CustomId:
    return CustomId("play", snapshot.table.id)


def _direct_message(snapshot: Snapshot, words: Words, notification: Notification) -> Layout:
    title = words(general.BOARD_TITLE, game=words(snapshot.text.title), table=snapshot.table.id)
    called = f"{bold(title)}\n{_said(snapshot, words, notification, snapshot.names)}"
    play = button(_play(snapshot), words(general.TAKE_TURN), style=Style.PRIMARY)
    link: discord.ui.Button[Any] = discord.ui.Button(
        label=words("To the table"), url=table_link(snapshot.table)
    )
    return Layout([Text(called), Row([play, link])])


def _said(
    snapshot: Snapshot, words: Words, notification: Notification, names: Sequence[Name]
) -> str:
    asked = [d for d in snapshot.pending if d.seat == notification.seat and not d.optional]
    awaited = words.listing([snapshot.text.awaited(words, each, names) for each in asked])
    return words(
        text.REMINDED, awaited=awaited, since=discord.utils.format_dt(notification.since, "R")
    )
