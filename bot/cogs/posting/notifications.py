"""Tells each person once that they are awaited, where they want to be told, and removes it again.

The post of the turn is the ping in the channel. What this sends by itself is for who wants direct
messages, for reminders, and for what was held back in quiet hours.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

import discord

from bot.cogs.ui import who
from bot.cogs.ui.channels import Closed, Nowhere, Places, Unreachable
from bot.cogs.ui.components import button, panel
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.services import Services, Snapshot
from bot.cogs.ui.waiting import table_link
from bot.tables import OutboxKind, Table
from bot.tables.people.notifications import Call, NotificationReport
from bot.tables.people.settings import Notices
from bot.text import general
from bot.text import people as text
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.words import Words
from bot.text.written import Name

log = logging.getLogger(__name__)

TRY_AGAIN = timedelta(hours=1)
"""After which somebody is called again who could not be told anywhere."""


class Notifier:
    """Delivers notifications, table by table."""

    def __init__(self, services: Services, places: Places) -> None:
        self._services = services
        self._tables = services.tables
        self._calls = services.tables.notifications
        self._places = places

    async def to_notify(self, snapshot: Snapshot) -> list[Call]:
        """The calls for which a post that shows the table so is to be a ping."""
        return [
            call
            for call in await self._calls.at(snapshot.table.id)
            if not (call.over or call.told or call.notified)
            and call.seq <= snapshot.seq
            and await self.may_notify(snapshot.table, call.user)
        ]

    async def may_notify(self, table: Table, user: int) -> bool:
        """Whether a message at the table may ping the user just now."""
        person, now = await self._tables.people.get(user), self._calls.now()
        seat = table.seat_of(user)
        if person.notices is Notices.DM and seat is not None and table.players[seat].reachable:
            return False
        return person.free_at(now) <= now

    async def deliver(self, snapshot: Snapshot) -> None:
        """Tell whom the table awaits, and remove what told those whom it does no longer."""
        owed = await self._tables.outbox.items(snapshot.table.id)
        # As long as a post is owed it will ring; who wants messages need not wait for it.
        is_owed = any(row.kind in (OutboxKind.BOARD, OutboxKind.END) for row in owed)
        ids = [row.id for row in owed if row.kind is OutboxKind.NOTIFY]
        if not ids and not is_owed:
            return
        report, is_done = self._calls.report(), True
        for call in await self._calls.at(snapshot.table.id):
            if call.over:
                await self._remove(snapshot.table, call)
                report.gone(call)
            elif call.seq > snapshot.seq or snapshot.table.players[call.seat].user != call.user:
                # What came after the look was taken is for the next one.
                is_done = False
            elif call.told:
                await self._tell_anew(snapshot, call)
            else:
                is_done = await self._tell(snapshot, call, report, is_owed) and is_done
        if is_done:
            report.acknowledge(ids)
        await self._calls.keep(report)

    async def _tell(
        self, snapshot: Snapshot, call: Call, report: NotificationReport, is_owed: bool
    ) -> bool:
        """Whether nothing more is to be done for the call just now."""
        person, now = await self._tables.people.get(call.user), self._calls.now()
        free = person.free_at(now)
        if free > now and not call.notified:
            report.withheld(call, free)
            return True
        dm = post = None
        if person.notices is not Notices.CHANNEL:
            dm = await self._send_direct(snapshot, call, report)
        if not call.notified and (person.notices is not Notices.DM or dm is None):
            if is_owed:
                return False
            post = await self._notify(snapshot, call, report)
            if post is None and dm is None:
                dm = await self._send_direct(snapshot, call, report)
            if post is None and dm is None:
                report.withheld(call, now + TRY_AGAIN)
                return True
        await self._remove(snapshot.table, call)
        report.told(call, person, dm=dm, post=post)
        log.info("called table=%s seat=%s reminders=%s", call.table, call.seat, call.reminders)
        return True

    async def _send_direct(
        self, snapshot: Snapshot, call: Call, report: NotificationReport
    ) -> int | None:
        """A direct message; None where the person takes none."""
        table, player = snapshot.table, snapshot.table.players[call.seat]
        words = await self._services.own(call.user, snapshot.words)
        play = button(CustomId("play", table.id), words(general.TAKE_TURN), style=Style.PRIMARY)
        link: discord.ui.Button[discord.ui.View] = discord.ui.Button(
            label=words("To the table"), url=table_link(table)
        )
        view = panel([play, link])
        view.stop()
        what, content = f"call{call.seat}", _letter(snapshot, words, call)
        try:
            while True:
                sent = await self._places.send_direct(
                    player,
                    table.id,
                    what,
                    seq=call.seq,
                    mark=play.press.custom_id(),
                    content=content,
                    view=view,
                )
                if sent.seq == call.seq:
                    break
                # It was for a call that was over before anybody could note what told of it.
                await self._places.delete_direct(call.user, sent.message)
                await self._tables.outbox.acknowledge((), sent=[sent])
        except Unreachable:
            if player.reachable:
                await self._tables.lobby.set_reachable(table.id, call.user, False)
            return None
        if not player.reachable:
            await self._tables.lobby.set_reachable(table.id, call.user, True)
        report.sent(sent)
        return sent.message

    async def _notify(
        self, snapshot: Snapshot, call: Call, report: NotificationReport
    ) -> int | None:
        """A message of its own at the table; None where there is no place for it."""
        try:
            sent = await self._places.send(
                snapshot.table,
                f"ring{call.seat}",
                seq=call.seq,
                content=_said(
                    snapshot, snapshot.words, call, who.mentions(snapshot.words, snapshot.table)
                ),
                allowed_mentions=discord.AllowedMentions(
                    everyone=False, roles=False, users=[discord.Object(call.user)]
                ),
            )
        except (Nowhere, Closed):
            return None
        report.sent(sent)
        return sent.message

    async def _tell_anew(self, snapshot: Snapshot, call: Call) -> None:
        """What was sent for this call says what it is for now."""
        table = snapshot.table
        if call.dm is not None:
            words = await self._services.own(call.user, snapshot.words)
            await self._places.edit_direct(
                call.user, call.dm, content=_letter(snapshot, words, call)
            )
        if call.post is not None:
            content = _said(snapshot, snapshot.words, call, who.mentions(snapshot.words, table))
            place = table.thread or table.channel
            await self._places.edit(table, place, call.post, content=content)

    async def _remove(self, table: Table, call: Call) -> None:
        """What was sent for this call alone goes."""
        if call.dm is not None:
            await self._places.delete_direct(call.user, call.dm)
        if call.post is not None:
            await self._places.delete(table, call.post)


def _letter(snapshot: Snapshot, words: Words, call: Call) -> str:
    title = words(general.BOARD_TITLE, game=words(snapshot.text.title), table=snapshot.table.id)
    return f"{bold(title)}\n{_said(snapshot, words, call, snapshot.names)}"


def _said(snapshot: Snapshot, words: Words, call: Call, names: Sequence[Name]) -> str:
    asked = [d for d in snapshot.pending if d.seat == call.seat and not d.optional]
    awaited = words.listing([snapshot.text.awaited(words, each, names) for each in asked])
    return words(text.REMINDED, awaited=awaited, since=discord.utils.format_dt(call.since, "R"))
