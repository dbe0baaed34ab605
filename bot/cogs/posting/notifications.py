"""Rings people where they want it: once when they are awaited, and when something else of theirs
stands at a table, such as their time running out, a vote, or the end of the game.

The post of the turn is the ping in the channel. What this module sends is for those who want direct
messages, for reminders, and for what was held back in quiet hours. A seat gets one message that
says all of it; what tells that they are awaited is removed once they no longer are.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import discord

from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.posting.standing import ring_button, standing_lines
from bot.cogs.posting.work_queue import apart
from bot.cogs.ui import who
from bot.cogs.ui.channels import Closed, Nowhere, Places, Unreachable
from bot.cogs.ui.layout import Layout, Row, Text
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.status_lines import left_lines
from bot.cogs.ui.waiting import table_link
from bot.game.contract import Seat
from bot.tables import OutboxItem, OutboxKind, Player, Status, Table
from bot.tables.notifications import AT_ONCE, Notification, NotificationReport
from bot.tables.people import Notices
from bot.text import general
from bot.text import personal_settings as text
from bot.text.markup import bold, moment
from bot.text.user_text import Name

log = logging.getLogger(__name__)

TRY_AGAIN = timedelta(hours=1)
"""When to try again to notify somebody who could not be reached anywhere."""


TRY_AT_REST = timedelta(days=1)
"""The same for a table that rests."""


class _Rung(NamedTuple):
    """When somebody who is not awaited was rung about a table, and by which messages."""

    at: datetime
    dm: int | None
    post: int | None


class Notifier:
    """Delivers notifications, table by table."""

    def __init__(self, services: Services, places: Places, cosmetics: Cosmetics) -> None:
        self._services = services
        self._tables = services.tables
        self._notifications = services.tables.notifications
        self._places = places
        self._cosmetics = cosmetics
        self._rung: dict[tuple[int, int], _Rung] = {}
        """The last ring by table and user; only those of the last minutes."""

    async def to_notify(self, snapshot: Snapshot) -> list[Notification]:
        """The notifications that a post of this snapshot delivers as a ping."""
        due = [
            notification
            for notification in await self._notifications.at(snapshot.table.id)
            if not (notification.over or notification.told or notification.notified)
            and notification.seq <= snapshot.seq
        ]
        users = [notification.user for notification in due]
        await self._tables.server_members.find_silent(snapshot.table, users)
        may_ping = self._notifications.may_ping
        return [each for each in due if await may_ping(snapshot.table, each.user)]

    async def deliver(self, snapshot: Snapshot, outbox_items: Sequence[OutboxItem]) -> None:
        """Ring those the table awaits or has something for, and remove notifications of those it no
        longer awaits."""
        # A post in the outbox will ping; those who want direct messages need not wait for it.
        has_post = any(row.kind in (OutboxKind.BOARD, OutboxKind.END) for row in outbox_items)
        calls = [row for row in outbox_items if row.kind is OutboxKind.NOTIFY]
        rings = [row for row in outbox_items if row.kind is OutboxKind.RING]
        if not (calls or rings or has_post):
            return
        report, is_done = self._notifications.report(), True
        notifications = await self._notifications.at(snapshot.table.id)

        async def deliver_to(seat: Seat) -> None:
            nonlocal is_done
            items = [row for row in rings if row.seat == seat]
            is_told = not items
            for notification in [each for each in notifications if each.seat == seat]:
                if notification.over:
                    await self._remove(snapshot.table, notification)
                    report.gone(notification)
                elif (
                    notification.seq > snapshot.seq
                    or snapshot.table.players[seat].user != notification.user
                ):
                    # What was queued after the snapshot is for the next delivery.
                    is_done, items = False, []
                else:
                    is_told = True
                    if not await self._call(snapshot, notification, report, has_post, bool(items)):
                        is_done = False
            if not is_told and items:
                await self._ring(snapshot, seat, report)
            report.acknowledge(items)

        try:
            seats = {each.seat for each in notifications} | {row.seat for row in rings}
            await apart(deliver_to(seat) for seat in seats if seat is not None)
            if is_done:
                report.acknowledge(calls)
        finally:
            await self._notifications.keep(snapshot.table.id, report)

    async def _call(
        self,
        snapshot: Snapshot,
        notification: Notification,
        report: NotificationReport,
        has_post: bool,
        rings: bool,
    ) -> bool:
        """Tell somebody that they are awaited, once, or again where something else `rings` them;
        returns whether the notification needs nothing more for now."""
        members, table = self._tables.server_members, snapshot.table
        has_message = notification.dm is not None or notification.post is not None
        is_recent = has_message and self._notifications.was_just_told(notification)
        if rings or not notification.told:
            await members.find_silent(table, [notification.user])
        if members.has_left(table, notification.user):
            await self._tell_others(snapshot, notification, report)
        elif is_recent or (notification.told and not rings):
            await self._tell_anew(snapshot, notification)
        else:
            return await self._tell(snapshot, notification, report, has_post, rings)
        return True

    async def _tell(
        self,
        snapshot: Snapshot,
        notification: Notification,
        report: NotificationReport,
        has_post: bool,
        rings: bool,
    ) -> bool:
        player = snapshot.table.players[notification.seat]
        is_pinged = notification.notified and not rings
        until = await self._notifications.held_until(notification.user)
        waits_for_post = has_post and not rings
        if until is None or is_pinged:
            in_channel = not (is_pinged or waits_for_post)
            dm, post = await self._reach(
                snapshot, player, notification, report, in_channel=in_channel
            )
            if dm is None and post is None and not is_pinged:
                if waits_for_post:
                    return False
                until = self._notifications.now() + TRY_AGAIN
        if until is not None and not is_pinged:
            if notification.told:
                report.ring_at(notification.table, notification.seat, until)
            else:
                report.withheld(notification, until)
            return True
        await self._remove(snapshot.table, notification)
        person = await self._tables.people.get(notification.user)
        report.told(notification, person, dm=dm, post=post)
        log.info(
            "called table=%s seat=%s reminders=%s",
            notification.table,
            notification.seat,
            notification.reminders,
        )
        return True

    async def _ring(self, snapshot: Snapshot, seat: Seat, report: NotificationReport) -> None:
        """Tell somebody who is not awaited what else stands for them, if anything does."""
        table, player = snapshot.table, snapshot.table.players[seat]
        if player.user is None or not await standing_lines(self._services, snapshot, seat):
            return
        await self._tables.server_members.find_silent(table, [player.user])
        if self._tables.server_members.has_left(table, player.user):
            return
        until, now = await self._notifications.held_until(player.user), self._notifications.now()
        self._rung = {key: each for key, each in self._rung.items() if each.at > now - AT_ONCE}
        before = self._rung.get((table.id, player.user))
        if until is None and before is not None:
            await self._edit(snapshot, player, None, before.dm, before.post)
            return
        if until is None:
            dm, post = await self._reach(snapshot, player, None, report, in_channel=True)
            if dm is not None or post is not None:
                self._rung[table.id, player.user] = _Rung(now, dm, post)
                return
            if table.is_over:
                # Its last post rings them, if that can ever be posted.
                return
            until = now + (TRY_AGAIN if table.status is Status.PLAYING else TRY_AT_REST)
        report.ring_at(table.id, seat, until)

    async def _reach(
        self,
        snapshot: Snapshot,
        player: Player,
        notification: Notification | None,
        report: NotificationReport,
        *,
        in_channel: bool,
    ) -> tuple[int | None, int | None]:
        """The direct message and the message `in_channel` by which somebody was told, as they want
        it; where one does not get through, the other."""
        assert player.user is not None
        dm = post = None
        notices = (await self._tables.people.get(player.user)).notices
        if notices is not Notices.CHANNEL:
            dm = await self._send_direct(snapshot, player, notification, report)
        if in_channel and (notices is not Notices.DM or dm is None):
            post = await self._post(snapshot, player, notification, report)
            if post is None and dm is None:
                dm = await self._send_direct(snapshot, player, notification, report)
        return dm, post

    async def _tell_others(
        self, snapshot: Snapshot, notification: Notification, report: NotificationReport
    ) -> None:
        """Instead of a reminder to somebody who has left the server, say what can be done."""
        if notification.told:
            return
        post = None
        if notification.reminders:
            said = "\n".join(left_lines(self._services, snapshot.words, snapshot.table))
            post = await self._send(snapshot, notification.seat, notification.seq, said, (), report)
        await self._remove(snapshot.table, notification)
        report.told(notification, await self._tables.people.get(notification.user), post=post)

    async def _send_direct(
        self,
        snapshot: Snapshot,
        player: Player,
        notification: Notification | None,
        report: NotificationReport,
    ) -> int | None:
        """A direct message; None where the person accepts none."""
        table, user = snapshot.table, player.user
        assert user is not None
        said = await self._direct_message(snapshot, player, notification)
        seq = snapshot.seq if notification is None else notification.seq
        mark = ring_button(snapshot, player.seat).custom_id.encoded()
        try:
            while True:
                sent = await self._places.send_direct(
                    player, table.id, f"call{player.seat}", said, seq=seq, mark=mark
                )
                if sent.seq == seq:
                    break
                # It told what no longer stood before its message could be noted.
                await self._places.delete_direct(user, sent.message)
                await self._tables.outbox.acknowledge((), sent=[sent])
        except Unreachable as error:
            if error.closed and player.reachable:
                await self._tables.lobby.set_reachable(table.id, user, False)
            return None
        if not player.reachable:
            await self._tables.lobby.set_reachable(table.id, user, True)
        report.sent(sent)
        return sent.message

    async def _post(
        self,
        snapshot: Snapshot,
        player: Player,
        notification: Notification | None,
        report: NotificationReport,
    ) -> int | None:
        """A separate message at the table; None where it has no place for it."""
        assert player.user is not None
        said = await self._said(snapshot, player, notification)
        seq = snapshot.seq if notification is None else notification.seq
        return await self._send(snapshot, player.seat, seq, said, [player.user], report)

    async def _send(
        self,
        snapshot: Snapshot,
        seat: Seat,
        seq: int,
        said: str,
        pinged: Sequence[int],
        report: NotificationReport,
    ) -> int | None:
        try:
            sent = await self._places.send(
                snapshot.table, f"ring{seat}", said, seq=seq, pinged=pinged, in_vain=True
            )
        except (Nowhere, Closed):
            return None
        report.sent(sent)
        return sent.message

    async def _tell_anew(self, snapshot: Snapshot, notification: Notification) -> None:
        """Edits what was sent for this notification to say what it is about now."""
        player = snapshot.table.players[notification.seat]
        await self._edit(snapshot, player, notification, notification.dm, notification.post)

    async def _edit(
        self,
        snapshot: Snapshot,
        player: Player,
        notification: Notification | None,
        dm: int | None,
        post: int | None,
    ) -> None:
        table, user = snapshot.table, player.user
        assert user is not None
        if dm is not None:
            said = await self._direct_message(snapshot, player, notification)
            edit = partial(self._places.edit_direct, user, dm, said)
            await self._cosmetics.attempt(table.id, edit)
        if post is not None:
            content = await self._said(snapshot, player, notification)
            place = table.thread or table.channel
            edit_post = partial(self._places.edit, table, place, post, content)
            await self._cosmetics.attempt(table.id, edit_post)

    async def _remove(self, table: Table, notification: Notification) -> None:
        """Deletes what was sent only for this notification."""
        if notification.dm is not None:
            delete = partial(self._places.delete_direct, notification.user, notification.dm)
            await self._cosmetics.attempt(table.id, delete)
        if notification.post is not None:
            delete = partial(self._places.delete, table, notification.post)
            await self._cosmetics.attempt(table.id, delete)

    async def _direct_message(
        self, snapshot: Snapshot, player: Player, notification: Notification | None
    ) -> Layout:
        """What stands for somebody, in their language and named by its table."""
        assert player.user is not None
        words = await self._services.own(player.user, snapshot.words)
        own = replace(snapshot, words=words)
        lines = [bold(_title(own)), *await self._lines(own, player, notification, own.names)]
        link: discord.ui.Button[Any] = discord.ui.Button(
            label=words(general.GO_TO_TABLE), url=table_link(snapshot.table)
        )
        return Layout([Text("\n".join(lines)), Row([ring_button(own, player.seat), link])])

    async def _said(
        self, snapshot: Snapshot, player: Player, notification: Notification | None
    ) -> str:
        """The same at the table, where it mentions them."""
        names = who.owners(snapshot.words, snapshot.table)
        lines = await self._lines(snapshot, player, notification, names)
        if notification is None:
            lines.insert(0, f"🔔 {names[player.seat]}")
        if snapshot.table.thread is None:
            # There are other tables in its channel.
            lines.append(f"-# {_title(snapshot)}")
        return "\n".join(lines)

    async def _lines(
        self,
        snapshot: Snapshot,
        player: Player,
        notification: Notification | None,
        names: Sequence[Name],
    ) -> list[str]:
        lines = await standing_lines(self._services, snapshot, player.seat)
        if notification is None:
            return lines
        asked = [d for d in snapshot.pending if d.seat == player.seat and not d.optional]
        words = snapshot.words
        awaited = words.listing([snapshot.text.awaited(words, each, names) for each in asked])
        return [words(text.REMINDED, awaited=awaited, **moment(notification.since)), *lines]


def _title(snapshot: Snapshot) -> str:
    words = snapshot.words
    return words(general.BOARD_TITLE, game=words(snapshot.text.title), table=snapshot.table.id)
