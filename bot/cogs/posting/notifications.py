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
from typing import Any, NamedTuple

import discord

from bot.cogs.dialogues.votes import to_act_lines
from bot.cogs.posting.context import PostingContext
from bot.cogs.posting.game_over import result_of
from bot.cogs.posting.work_queue import apart
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
    names_of,
    owners_of,
    resume_button,
    table_link,
    take_back_button,
)
from bot.game.contract import Seat
from bot.tables import Notices, Notification, OutboxItem, OutboxKind, Player, SentMessage, Status
from bot.tables.notifications import MERGE_WITHIN, NotificationReport
from bot.text import Name, Style, bold, general, moment, msg

log = logging.getLogger(__name__)

PLAYED_FOR = {
    "owner": msg("🤖 A computer player is playing for you, as you asked."),
    "clock": msg("🤖 You ran out of time, so a computer player is playing for you now."),
    "others": msg("🤖 The others voted to let a computer player play for you."),
}
"""Why a computer player plays for somebody."""

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

    def __init__(self, posting: PostingContext) -> None:
        self._posting = posting
        self._places = posting.places
        self._tables = posting.tables
        self._notifications = posting.tables.notifications
        self._rung: dict[tuple[int, int], _Rung] = {}
        """The last ring by table and user; only those of the last minutes."""

    async def to_notify(self, table_view: TableView) -> list[Notification]:
        """The notifications that a post of this snapshot delivers as a ping."""
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
        """Ring those the table awaits or has something for, and remove notifications of those it no
        longer awaits."""
        # A post in the outbox will ping; those who want direct messages need not wait for it.
        has_post = any(row.kind in (OutboxKind.BOARD, OutboxKind.END) for row in items)
        calls = [row for row in items if row.kind is OutboxKind.NOTIFY]
        rings = [row for row in items if row.kind is OutboxKind.RING]
        if not (calls or rings or has_post):
            return
        report, is_done = self._notifications.report(), True
        notifications = await self._notifications.of_table(table_view.table.id)

        async def deliver_to(seat: Seat) -> None:
            nonlocal is_done
            items = [row for row in rings if row.seat == seat]
            is_told = not items
            for notification in [each for each in notifications if each.seat == seat]:
                ring = _Ring(self._posting, table_view, seat, notification, report)
                if notification.over:
                    await ring.remove()
                    report.removed(notification)
                elif (
                    notification.seq > table_view.seq
                    or table_view.table.players[seat].user != notification.user
                ):
                    # What was queued after the snapshot is for the next delivery.
                    is_done, items = False, []
                else:
                    is_told = True
                    is_done &= await ring.call(notification, has_post, rings_anew=bool(items))
            if not is_told and items:
                await self._ring(_Ring(self._posting, table_view, seat, None, report))
            report.acknowledge(items)

        try:
            seats = {each.seat for each in notifications} | {row.seat for row in rings}
            await apart(deliver_to(seat) for seat in seats if seat is not None)
            if is_done:
                report.acknowledge(calls)
        finally:
            await self._notifications.save(table_view.table.id, report)

    async def _ring(self, ring: _Ring) -> None:
        """Tell somebody who is not awaited what else stands for them, if anything does."""
        table, user = ring.table_view.table, ring.player.user
        if user is None or not await standing_lines(
            self._posting, ring.table_view, ring.player.seat
        ):
            return
        await self._tables.server_members.find_silent(table, [user])
        if self._tables.server_members.has_left(table, user):
            return
        until, now = await self._notifications.held_until(user), self._notifications.now()
        self._rung = {key: each for key, each in self._rung.items() if each.at > now - MERGE_WITHIN}
        before = self._rung.get((table.id, user))
        if until is None and before is not None:
            await ring.edit(before.dm, before.post)
            return
        if until is None:
            dm, post = await ring.reach(in_channel=True)
            if dm is not None or post is not None:
                self._rung[table.id, user] = _Rung(now, dm, post)
                return
            if table.is_over:
                # Its last post rings them, if that can ever be posted.
                return
            until = now + (TRY_AGAIN if table.status is Status.PLAYING else TRY_AT_REST)
        ring.report.ping_at(table.id, ring.player.seat, until)


class _Ring:
    """What one player of a table is told: that they are awaited, by a `notification`, and what else
    stands for them."""

    def __init__(
        self,
        posting: PostingContext,
        table_view: TableView,
        seat: Seat,
        notification: Notification | None,
        report: NotificationReport,
    ) -> None:
        self._posting = posting
        self._places = posting.places
        self._tables = posting.tables
        self._notification = notification
        self._seq = table_view.seq if notification is None else notification.seq
        self.table_view = table_view
        self.player = table_view.table.players[seat]
        self.report = report

    async def call(self, called: Notification, has_post: bool, *, rings_anew: bool) -> bool:
        """Tell somebody that they are awaited, once, or again where something else rings them;
        returns whether the notification needs nothing more for now."""
        members, table, told = self._tables.server_members, self.table_view.table, called.told
        notifications, user, post = self._tables.notifications, called.user, None
        has_message = called.dm is not None or called.post is not None
        is_recent = has_message and notifications.was_just_pinged(called)
        if rings_anew or not told:
            await members.find_silent(table, [user])
        if members.has_left(table, user):
            # Instead of a reminder to somebody who has left the server, say what can be done.
            if told:
                return True
            if called.reminders:
                lines = left_lines(self._posting.services, self.table_view.words, table)
                post = await self._post("\n".join(lines), ())
            return await self._told(called, None, post)
        if is_recent or (told and not rings_anew):
            await self.edit(called.dm, called.post)
            return True
        is_pinged = called.notified and not rings_anew
        waits_for_post = has_post and not rings_anew
        until = None if is_pinged else await notifications.held_until(user)
        if until is None:
            dm, post = await self.reach(in_channel=not (is_pinged or waits_for_post))
            if is_pinged or dm is not None or post is not None:
                log.info(
                    "notified table=%s seat=%s reminders=%s",
                    table.id,
                    called.seat,
                    called.reminders,
                )
                return await self._told(called, dm, post)
            if waits_for_post:
                return False
            until = notifications.now() + TRY_AGAIN
        if told:
            self.report.ping_at(table.id, called.seat, until)
        else:
            self.report.postponed(called, until)
        return True

    async def _told(self, called: Notification, dm: int | None, post: int | None) -> bool:
        await self.remove()
        self.report.delivered(called, await self._tables.people.get(called.user), dm=dm, post=post)
        return True

    async def reach(self, *, in_channel: bool) -> tuple[int | None, int | None]:
        """The direct message and the message `in_channel` by which somebody was told, as they want
        it; where one does not get through, the other."""
        user = self.player.user
        assert user is not None
        dm = post = None
        notices = (await self._tables.people.get(user)).notices
        if notices is not Notices.CHANNEL:
            dm = await self._send_direct(user)
        if in_channel and (notices is not Notices.DM or dm is None):
            post = await self._post(await self._said(), [user])
            if post is None and dm is None:
                dm = await self._send_direct(user)
        return dm, post

    async def edit(self, dm: int | None, post: int | None) -> None:
        """Edits what was sent to say what stands now."""
        table, user = self.table_view.table, self.player.user
        if dm is not None and user is not None:
            content = await self._direct_message(user)
            await self._posting.attempt(table.id, self._places.edit_direct, user, dm, content)
        if post is not None:
            place, text = table.thread or table.channel, await self._said()
            await self._posting.attempt(table.id, self._places.edit, table, place, post, text)

    async def remove(self) -> None:
        """Deletes what was sent only for this notification."""
        table, sent = self.table_view.table, self._notification
        if sent is not None and sent.dm is not None:
            await self._posting.attempt(table.id, self._places.delete_direct, sent.user, sent.dm)
        if sent is not None and sent.post is not None:
            await self._posting.attempt(table.id, self._places.delete, table, sent.post)

    async def _send_direct(self, user: int) -> int | None:
        """A direct message; None where the person accepts none."""
        table, player = self.table_view.table, self.player
        new = NewMessage(
            table=table,
            what=f"call{player.seat}",
            content=await self._direct_message(user),
            seq=self._seq,
            mark=ring_button(self.table_view, player.seat).custom_id,
            to=player,
        )
        try:
            while (sent := await self._places.send(new)) is not None and sent.seq != self._seq:
                # It told what no longer stood before its message could be noted.
                await self._places.delete_direct(user, sent.message)
                await self._tables.outbox.acknowledge((), sent=[sent])
        except Unreachable as error:
            if error.closed and player.reachable:
                await self._tables.lobby.set_reachable(table.id, user, False)
            return None
        if not player.reachable:
            await self._tables.lobby.set_reachable(table.id, user, True)
        return self._noted(sent)

    async def _post(self, content: Content, pinged: Sequence[int]) -> int | None:
        """A separate message at the table; None where it has no place for it."""
        new = NewMessage(
            table=self.table_view.table,
            what=f"ring{self.player.seat}",
            content=content,
            seq=self._seq,
            pinged=pinged,
            in_vain=True,
            is_optional=True,
        )
        return self._noted(await self._places.send(new))

    def _noted(self, sent: SentMessage | None) -> int | None:
        if sent is None:
            return None
        self.report.sent(sent)
        return sent.message

    async def _direct_message(self, user: int) -> Layout:
        """What stands for somebody, in their language and named by its table."""
        words = await self._posting.services.user_words(user, self.table_view.words)
        own, table = replace(self.table_view, words=words), self.table_view.table
        title = bold(self._posting.services.heading(words, table))
        lines = [title, *await self._lines(own, own.names)]
        link: discord.ui.Button[Any] = discord.ui.Button(
            label=words(general.GO_TO_TABLE), url=table_link(table)
        )
        return Layout([Text("\n".join(lines)), Row([ring_button(own, self.player.seat), link])])

    async def _said(self) -> str:
        """The same at the table, where it mentions them."""
        words, table = self.table_view.words, self.table_view.table
        names = owners_of(words, table)
        lines = await self._lines(self.table_view, names)
        if self._notification is None:
            lines.insert(0, f"🔔 {names[self.player.seat]}")
        if table.thread is None:
            # There are other tables in its channel.
            lines.append(f"-# {self._posting.services.heading(words, table)}")
        return "\n".join(lines)

    async def _lines(self, table_view: TableView, names: Sequence[Name]) -> list[str]:
        seat, words = self.player.seat, table_view.words
        lines = await standing_lines(self._posting, table_view, seat)
        if self._notification is None:
            return lines
        asked = [each for each in table_view.pending if each.seat == seat and not each.optional]
        to_act = words.listing(list(map(table_view.text.named(names).to_act, asked)))
        since = moment(self._notification.since)
        return [
            words("🔔 {awaited} · waiting since {date} ({relative})", awaited=to_act, **since),
            *lines,
        ]


async def standing_lines(posting: PostingContext, table_view: TableView, seat: Seat) -> list[str]:
    """Whatever else than being awaited they should know of; nothing that others may not."""
    words, table, tables = table_view.words, table_view.table, posting.tables
    player, names = table.players[seat], names_of(table_view.words, table_view.table)
    lines = []
    if table.is_over:
        after = await tables.seats.rematch_of(table.id)
        if after is not None and after.status is Status.LOBBY and player.user is not None:
            host = after.seat_of(after.host)
            if host is not None and after.seat_of(player.user) is None:
                name, place = names_of(words, after)[host], f"<#{after.channel}>"
                lines.append(general.invited(words, name, after.id, place))
        return [*lines, result_of(posting, table_view)]
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
    told = {row.offer for row in asking if row.seat == seat and row.place in places}
    # Of an offer whose message did not get through all know.
    lines += [
        table_view.text.called(offer.kind, [names[seat]])
        for offer in table_view.offers(seat)
        if offer.id in told
    ]
    is_to_act = any(each.seat == seat and not each.optional for each in table_view.pending)
    if not lines and table_view.seq == 0 and not is_to_act:
        lines.append(words("🎲 The game has started."))
    return lines


def ring_button(table_view: TableView, seat: Seat) -> Control:
    """What they would press next at the table."""
    words, table = table_view.words, table_view.table
    if table.is_over:
        return button(CustomId("board", table.id), words(general.BOARD))
    if table.status is not Status.PLAYING:
        return resume_button(words, table.id)
    if table.players[seat].is_autopiloted:
        return take_back_button(words, table.id)
    return button(CustomId("play", table.id), words(general.TAKE_TURN), style=Style.PRIMARY)


async def next_up(posting: PostingContext, table_view: TableView) -> Player | None:
    """Who is on turn after the present one and wants to know, whether they have been told or
    not."""
    table, tables = table_view.table, posting.tables
    asked = [each for each in table_view.pending if not each.optional]
    if table.status is not Status.PLAYING or len(asked) != 1 or asked[0].sealed:
        return None
    seat = posting.services.title_of(table).upcoming(table_view.view, asked[0])
    if seat is None or seat == asked[0].seat:
        return None
    player = table.players[seat]
    if player.user is None or not player.is_human:
        return None
    person, now = await tables.people.get(player.user), tables.notifications.now()
    # What is not wanted at that moment is not sent later.
    is_wanted = person.told_next and person.free_at(person.back_at(now)) <= now
    return player if is_wanted and not tables.server_members.has_left(table, player.user) else None


async def tell_next(
    posting: PostingContext, table_view: TableView, _items: Sequence[OutboxItem]
) -> None:
    """Tell whoever is next, by the snapshot that all have: once, in private."""
    table, tables, player = table_view.table, posting.tables, await next_up(posting, table_view)
    if player is None or player.user is None:
        return
    what = f"next{player.seat}"
    told = await tables.outbox.newest(table.id, what)
    if (
        told is not None
        and told.noted
        and not await tables.reader.has_acted(table_view, player.seat, told.seq)
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
        what=what,
        content=f"{bold(posting.services.heading(words, table))}\n{line} {table_link(table)}",
        seq=table_view.seq,
        to=player,
        # That the game begins rings them already.
        silent=table_view.seq == 0,
    )
    try:
        sent = await posting.places.send(new)
    except Unreachable:
        log.info("direct message refused table=%s seat=%s", table.id, player.seat)
        return
    await tables.outbox.acknowledge((), sent=filter(None, [sent]))
