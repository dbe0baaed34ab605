"""Notifications: one ping when it is a player's turn, and pings for other events at the table, such
as a short clock, a vote or the end of the game.

The post of a turn pings in the channel. This module sends direct messages to players who want them,
reminders, and pings that were postponed in quiet hours. A seat gets one message for everything. The
message about a turn is deleted when the turn is over.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

import discord

from bot.cogs.dialogues.votes import to_act_lines
from bot.cogs.posting.context import PostingContext
from bot.cogs.posting.game_over import result_of
from bot.cogs.posting.work_queue import run_all
from bot.cogs.ui import (
    Content,
    Control,
    CustomId,
    Layout,
    NewMessage,
    Row,
    TableView,
    Text,
    Unreachable,
    button,
    home_of,
    left_lines,
    link_button,
    names_of,
    owners_of,
    resume_button,
    table_link,
    take_back_button,
)
from bot.game.contract import Seat
from bot.tables import (
    Notification,
    NotificationPlace,
    OutboxItem,
    OutboxKind,
    Player,
    SentMessage,
    Status,
)
from bot.tables.notifications import MERGE_WITHIN, NotificationReport
from bot.text import Name, Style, bold, general, moment, msg

log = logging.getLogger(__name__)

PLAYED_FOR = {
    "owner": msg("🤖 A computer player is playing for you, as you asked."),
    "clock": msg("🤖 You ran out of time, so a computer player is playing for you now."),
    "others": msg("🤖 The others voted to let a computer player play for you."),
}
"""Why a computer player plays for a player."""

RETRY = timedelta(hours=1)
"""Delay before the next attempt to reach a player."""
RETRY_AT_REST = timedelta(days=1)
"""The delay at a table that rests."""


class _SentPing(NamedTuple):
    """Time and messages of a ping to a player who is not to act."""

    at: datetime
    dm: int | None
    post: int | None


class Notifier:
    """Delivers notifications, table by table."""

    def __init__(self, posting: PostingContext) -> None:
        self._posting = posting
        self._tables = posting.tables
        self._notifications = posting.tables.notifications
        self._pings: dict[tuple[int, int], _SentPing] = {}
        """The last ping by table and user; only recent ones."""

    async def to_notify(self, table_view: TableView) -> list[Notification]:
        """Return the notifications that a post of this view delivers as a ping."""
        due = [
            notification
            for notification in await self._notifications.of_table(table_view.table.id)
            if not (notification.over or notification.told or notification.notified)
            and notification.seq <= table_view.seq
        ]
        users = [notification.user for notification in due]
        await self._tables.server_members.find_silent(table_view.table, users)
        may_ping = self._notifications.may_ping
        return [each for each in due if await may_ping(table_view.table, each.user)]

    async def deliver(self, table_view: TableView, items: Sequence[OutboxItem]) -> None:
        """Ping the players to act and those with other events, and delete the messages of turns
        that are over."""
        # A post in the outbox will ping; direct messages need not wait for it.
        has_post = any(row.kind in (OutboxKind.BOARD, OutboxKind.END) for row in items)
        turn_items = [row for row in items if row.kind is OutboxKind.NOTIFY]
        other_items = [row for row in items if row.kind is OutboxKind.PING]
        if not (turn_items or other_items or has_post):
            return
        report, is_done = self._notifications.report(), True
        notifications = await self._notifications.of_table(table_view.table.id)

        async def deliver_to(seat: Seat) -> None:
            nonlocal is_done
            items = [row for row in other_items if row.seat == seat]
            is_delivered = not items
            for notification in [each for each in notifications if each.seat == seat]:
                ping = _SeatPing(self._posting, table_view, seat, notification, report)
                if notification.over:
                    await ping.remove()
                    report.removed(notification)
                elif (
                    notification.seq > table_view.seq
                    or table_view.table.players[seat].user != notification.user
                ):
                    # Queued after the view: leave it for the next delivery.
                    is_done, items = False, []
                else:
                    is_delivered = True
                    is_done &= await ping.notify(notification, has_post, again=bool(items))
            if not is_delivered and items:
                await self._ping(_SeatPing(self._posting, table_view, seat, None, report))
            report.acknowledge(items)

        try:
            seats = {each.seat for each in notifications} | {row.seat for row in other_items}
            await run_all(deliver_to(seat) for seat in seats if seat is not None)
            if is_done:
                report.acknowledge(turn_items)
        finally:
            await self._notifications.save(table_view.table.id, report)

    async def _ping(self, ping: _SeatPing) -> None:
        """Ping a player who is not to act, if there are events for them."""
        table, user = ping.table_view.table, ping.player.user
        if user is None or not await situation_lines(
            self._posting, ping.table_view, ping.player.seat
        ):
            return
        await self._tables.server_members.find_silent(table, [user])
        if self._tables.server_members.has_left(table, user):
            return
        until, now = await self._notifications.held_until(user), self._notifications.now()
        self._pings = {
            key: each for key, each in self._pings.items() if each.at > now - MERGE_WITHIN
        }
        before = self._pings.get((table.id, user))
        if until is None and before is not None:
            await ping.edit(before.dm, before.post)
            return
        if until is None:
            dm, post = await ping.send(in_channel=True)
            if dm is not None or post is not None:
                self._pings[table.id, user] = _SentPing(now, dm, post)
                return
            if table.is_over:
                # The last post of the game pings them.
                return
            until = now + (RETRY if table.status is Status.PLAYING else RETRY_AT_REST)
        ping.report.ping_at(table.id, ping.player.seat, until)


class _SeatPing:
    """A ping to one player: about their turn, if there is a `notification`, and other events."""

    def __init__(
        self,
        posting: PostingContext,
        table_view: TableView,
        seat: Seat,
        notification: Notification | None,
        report: NotificationReport,
    ) -> None:
        self._posting = posting
        self._sender = posting.sender
        self._tables = posting.tables
        self._notification = notification
        self._seq = table_view.seq if notification is None else notification.seq
        self.table_view = table_view
        self.player = table_view.table.players[seat]
        self.report = report

    async def notify(self, notification: Notification, has_post: bool, *, again: bool) -> bool:
        """Ping the player to act: once, or `again` because of another event.

        Return whether the notification is done for now.
        """
        table, members = self.table_view.table, self._tables.server_members
        notifications, user, post = self._tables.notifications, notification.user, None
        has_message = notification.dm is not None or notification.post is not None
        is_recent = has_message and notifications.was_just_pinged(notification)
        if again or not notification.told:
            await members.find_silent(table, [user])
        if members.has_left(table, user):
            # The player has left the server: show the others their options instead.
            if notification.told:
                return True
            if notification.reminders:
                lines = left_lines(self._posting.services, self.table_view.words, table)
                post = await self._post("\n".join(lines), ())
            return await self._delivered(notification, None, post)
        if is_recent or (notification.told and not again):
            await self.edit(notification.dm, notification.post)
            return True
        is_pinged = notification.notified and not again
        waits_for_post = has_post and not again
        until = None if is_pinged else await notifications.held_until(user)
        if until is None:
            dm, post = await self.send(in_channel=not (is_pinged or waits_for_post))
            if is_pinged or dm is not None or post is not None:
                log.info(
                    "notified table=%s seat=%s reminders=%s",
                    table.id,
                    notification.seat,
                    notification.reminders,
                )
                return await self._delivered(notification, dm, post)
            if waits_for_post:
                return False
            until = notifications.now() + RETRY
        if notification.told:
            self.report.ping_at(table.id, notification.seat, until)
        else:
            self.report.postponed(notification, until)
        return True

    async def _delivered(
        self, notification: Notification, dm: int | None, post: int | None
    ) -> bool:
        await self.remove()
        settings = await self._tables.people.get(notification.user)
        self.report.delivered(notification, settings, dm=dm, post=post)
        return True

    async def send(self, *, in_channel: bool) -> tuple[int | None, int | None]:
        """Ping the player by direct message or `in_channel`, as they prefer, else the other way.

        Return the ids of both messages.
        """
        user = self.player.user
        assert user is not None
        dm = post = None
        notices = (await self._tables.people.get(user)).notices
        if notices is not NotificationPlace.CHANNEL:
            dm = await self._send_direct(user)
        if in_channel and (notices is not NotificationPlace.DM or dm is None):
            post = await self._post(await self._channel_text(), [user])
            if post is None and dm is None:
                dm = await self._send_direct(user)
        return dm, post

    async def edit(self, dm: int | None, post: int | None) -> None:
        """Update the messages to the current situation."""
        table, user = self.table_view.table, self.player.user
        if dm is not None and user is not None:
            content = await self._direct_message(user)
            await self._posting.attempt(table.id, self._sender.edit_direct, user, dm, content)
        if post is not None:
            place, text = table.thread or table.channel, await self._channel_text()
            await self._posting.attempt(table.id, self._sender.edit, table, place, post, text)

    async def remove(self) -> None:
        """Delete the messages of the notification."""
        table, sent = self.table_view.table, self._notification
        if sent is not None and sent.dm is not None:
            await self._posting.attempt(table.id, self._sender.delete_direct, sent.user, sent.dm)
        if sent is not None and sent.post is not None:
            place = table.thread or table.channel
            await self._posting.attempt(table.id, self._sender.remove, place, sent.post)

    async def _send_direct(self, user: int) -> int | None:
        """Send a direct message; return None if the player does not accept any."""
        table, player = self.table_view.table, self.player
        new = NewMessage(
            table=table,
            kind=f"call{player.seat}",
            content=await self._direct_message(user),
            seq=self._seq,
            button_id=action_button(self.table_view, player.seat).custom_id,
            to=player,
        )
        try:
            while (sent := await self._sender.send(new)) is not None and sent.seq != self._seq:
                # An attempt before a crash sent it for an earlier state: replace it.
                await self._sender.delete_direct(user, sent.message)
                await self._tables.outbox.acknowledge((), sent=[sent])
        except Unreachable as error:
            if error.closed and player.reachable:
                await self._tables.lobby.set_reachable(table.id, user, False)
            return None
        if not player.reachable:
            await self._tables.lobby.set_reachable(table.id, user, True)
        return self._record(sent)

    async def _post(self, content: Content, pinged: Sequence[int]) -> int | None:
        """Post a separate message at the table; return None if the bot cannot post there."""
        new = NewMessage(
            table=self.table_view.table,
            kind=f"ring{self.player.seat}",
            content=content,
            seq=self._seq,
            pinged=pinged,
            dm_tried=True,
            is_optional=True,
        )
        return self._record(await self._sender.send(new))

    def _record(self, sent: SentMessage | None) -> int | None:
        if sent is None:
            return None
        self.report.sent(sent)
        return sent.message

    async def _direct_message(self, user: int) -> Layout:
        """Return the message in the player's language, with the table's heading."""
        words = await self._posting.services.user_words(user, self.table_view.words)
        own, table = replace(self.table_view, words=words), self.table_view.table
        title = bold(self._posting.services.heading(words, table))
        lines = [title, *await self._lines(own, own.names)]
        link = link_button(words(general.GO_TO_TABLE), table_link(table))
        return Layout([Text("\n".join(lines)), Row([action_button(own, self.player.seat), link])])

    async def _channel_text(self) -> str:
        """Return the text for the channel, which mentions the player."""
        words, table = self.table_view.words, self.table_view.table
        names = owners_of(words, table)
        lines = await self._lines(self.table_view, names)
        if self._notification is None:
            lines.insert(0, f"🔔 {names[self.player.seat]}")
        if table.thread is None:
            # Other tables may use the channel too.
            lines.append(f"-# {self._posting.services.heading(words, table)}")
        return "\n".join(lines)

    async def _lines(self, table_view: TableView, names: Sequence[Name]) -> list[str]:
        seat, words = self.player.seat, table_view.words
        lines = await situation_lines(self._posting, table_view, seat)
        if self._notification is None:
            return lines
        pending = [each for each in table_view.pending if each.seat == seat and not each.optional]
        to_act = words.listing(list(map(table_view.text.named(names).to_act, pending)))
        since = moment(self._notification.since)
        return [
            words("🔔 {awaited} · waiting since {date} ({relative})", awaited=to_act, **since),
            *lines,
        ]


async def situation_lines(posting: PostingContext, table_view: TableView, seat: Seat) -> list[str]:
    """Return lines about other events for a player; they contain no private information."""
    words, table, tables = table_view.words, table_view.table, posting.tables
    player, names = table.players[seat], names_of(table_view.words, table_view.table)
    lines = []
    if table.is_over:
        rematch = await tables.seats.rematch_of(table.id)
        if rematch is not None and rematch.status is Status.LOBBY and player.user is not None:
            host = rematch.seat_of(rematch.host)
            if host is not None and rematch.seat_of(player.user) is None:
                name, place = names_of(words, rematch)[host], f"<#{rematch.channel}>"
                lines.append(general.invited(words, name, rematch.id, place))
        return [*lines, result_of(table_view)]
    time = (await tables.clocks.times(table)).get(seat)
    if time is not None and time.is_up:
        lines.append(words("⌛ You're out of time for this turn."))
    elif time is not None and time.is_short:
        lines.append(
            words(
                "⏳ You're running out of time for this turn: it ends {relative} ({date}).",
                **moment(time.up),
            )
        )
    if player.is_autopiloted:
        by = await tables.seats.autopiloted_by(table.id, seat)
        lines.append(words(PLAYED_FOR[by]))
        if player.vacant:
            lines.append(words("Anyone may take over your seat."))
        back = msg("To play again, press **Take over again** or make a move.")
        lines.append(words(general.RESTS if table.is_unattended else back))
    lines += await to_act_lines(posting.services, words, table, seat)
    sleeps = await tables.idleness.sleeps(table.id)
    if sleeps is not None and table.status is Status.PLAYING:
        lines.append(words(general.IDLE, at=discord.utils.format_dt(sleeps, "f")))
    places, asking = home_of(table).places, await tables.outbox.asking(table.id)
    # An offer was announced at the table if its direct message could not be delivered.
    announced = {row.offer for row in asking if row.seat == seat and row.place in places}
    lines += [
        table_view.text.called(offer.kind, [names[seat]])
        for offer in table_view.offers(seat)
        if offer.id in announced
    ]
    is_to_act = any(each.seat == seat and not each.optional for each in table_view.pending)
    if not lines and table_view.seq == 0 and not is_to_act:
        lines.append(words("🎲 The game has started."))
    return lines


def action_button(table_view: TableView, seat: Seat) -> Control:
    """Return the button for the player's next step at the table."""
    words, table = table_view.words, table_view.table
    if table.is_over:
        return button(CustomId("board", table.id), words(general.BOARD))
    if table.status is not Status.PLAYING:
        return resume_button(words, table.id)
    if table.players[seat].is_autopiloted:
        return take_back_button(words, table.id)
    return button(CustomId("play", table.id), words(general.TAKE_TURN), style=Style.PRIMARY)


async def next_up(posting: PostingContext, table_view: TableView) -> Player | None:
    """Return the player whose turn comes next, if they want a heads-up now."""
    table, tables = table_view.table, posting.tables
    pending = [each for each in table_view.pending if not each.optional]
    if table.status is not Status.PLAYING or table.lesson is not None:
        return None
    if len(pending) != 1 or pending[0].sealed:
        return None
    seat = posting.services.title_of(table).upcoming(table_view.view, pending[0])
    if seat is None or seat == pending[0].seat:
        return None
    player = table.players[seat]
    if player.user is None or not player.is_human:
        return None
    person, now = await tables.people.get(player.user), tables.notifications.now()
    # A heads-up is not postponed to the end of quiet hours.
    is_wanted = person.told_next and person.free_at(person.back_at(now)) <= now
    return player if is_wanted and not tables.server_members.has_left(table, player.user) else None


async def notify_next(
    posting: PostingContext, table_view: TableView, _items: Sequence[OutboxItem]
) -> None:
    """Send the next player a private heads-up, based only on the public view."""
    table, tables, player = table_view.table, posting.tables, await next_up(posting, table_view)
    if player is None or player.user is None:
        return
    kind = f"next{player.seat}"
    last = await tables.outbox.newest(table.id, kind)
    if (
        last is not None
        and last.noted
        and not await tables.reader.has_acted(table_view, player.seat, last.seq)
    ):
        return
    await tables.server_members.find_silent(table, [player.user])
    if tables.server_members.has_left(table, player.user):
        return
    words = await posting.services.user_words(player.user, table_view.words)
    (present,) = (each.seat for each in table_view.pending if not each.optional)
    line = words("⏭️ You're next, after {name}.", name=bold(table_view.names[present]))
    new = NewMessage(
        table=table,
        kind=kind,
        content=f"{bold(posting.services.heading(words, table))}\n{line} {table_link(table)}",
        seq=table_view.seq,
        to=player,
        # The start of the game pings them anyway.
        silent=table_view.seq == 0,
    )
    try:
        sent = await posting.sender.send(new)
    except Unreachable:
        log.info("direct message refused table=%s seat=%s", table.id, player.seat)
        return
    await tables.outbox.acknowledge((), sent=filter(None, [sent]))
