"""Tells each person once that they are awaited, where they want to be told, and removes it again.

The post of the turn is the ping in the channel. What this sends by itself is for who wants direct
messages, for reminders, and for what was held back in quiet hours.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

import discord

from bot.cogs.common import who
from bot.cogs.common.items import button, panel
from bot.cogs.common.places import Closed, Nowhere, Places, Unreachable
from bot.cogs.common.press import Press
from bot.cogs.common.shell import Look, Shell
from bot.cogs.common.waiting import table_link
from bot.tables import OwedKind, Table
from bot.tables.calls import Call, Report
from bot.tables.people import Notices
from bot.text import general
from bot.text import people as text
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.words import Words
from bot.text.written import Name

log = logging.getLogger(__name__)

TRY_AGAIN = timedelta(hours=1)
"""After which somebody is called again who could not be told anywhere."""


class Calling:
    """Delivers calls, table by table."""

    def __init__(self, shell: Shell, places: Places) -> None:
        self._shell = shell
        self._tables = shell.tables
        self._calls = shell.tables.calls
        self._places = places

    async def to_ring(self, look: Look) -> list[Call]:
        """The calls for which a post that shows the table so is to be a ping."""
        return [
            call
            for call in await self._calls.at(look.table.id)
            if not (call.over or call.told or call.rung)
            and call.seq <= look.seq
            and await self.may_ring(look.table, call.user)
        ]

    async def may_ring(self, table: Table, user: int) -> bool:
        """Whether a message at the table may ping the user just now."""
        person, now = await self._tables.people.get(user), self._calls.now()
        seat = table.seat_of(user)
        if person.notices is Notices.DM and seat is not None and table.players[seat].reachable:
            return False
        return person.free_at(now) <= now

    async def deliver(self, look: Look) -> None:
        """Tell whom the table awaits, and remove what told those whom it does no longer."""
        owed = await self._tables.owed(look.table.id)
        # As long as a post is owed it will ring; who wants messages need not wait for it.
        is_owed = any(row.kind in (OwedKind.BOARD, OwedKind.END) for row in owed)
        ids = [row.id for row in owed if row.kind is OwedKind.CALL]
        if not ids and not is_owed:
            return
        report, is_done = self._calls.report(), True
        for call in await self._calls.at(look.table.id):
            if call.over:
                await self._remove(look.table, call)
                report.gone(call)
            elif call.seq > look.seq or look.table.players[call.seat].user != call.user:
                # What came after the look was taken is for the next one.
                is_done = False
            elif call.told:
                await self._tell_anew(look, call)
            else:
                is_done = await self._tell(look, call, report, is_owed) and is_done
        if is_done:
            report.paid(ids)
        await self._calls.keep(report)

    async def _tell(self, look: Look, call: Call, report: Report, is_owed: bool) -> bool:
        """Whether nothing more is to be done for the call just now."""
        person, now = await self._tables.people.get(call.user), self._calls.now()
        free = person.free_at(now)
        if free > now and not call.rung:
            report.withheld(call, free)
            return True
        dm = post = None
        if person.notices is not Notices.CHANNEL:
            dm = await self._whisper(look, call, report)
        if not call.rung and (person.notices is not Notices.DM or dm is None):
            if is_owed:
                return False
            post = await self._ring(look, call, report)
            if post is None and dm is None:
                dm = await self._whisper(look, call, report)
            if post is None and dm is None:
                report.withheld(call, now + TRY_AGAIN)
                return True
        await self._remove(look.table, call)
        report.told(call, person, dm=dm, post=post)
        log.info("called table=%s seat=%s reminders=%s", call.table, call.seat, call.reminders)
        return True

    async def _whisper(self, look: Look, call: Call, report: Report) -> int | None:
        """A direct message; None where the person takes none."""
        table, player = look.table, look.table.players[call.seat]
        words = await self._shell.own(call.user, look.words)
        play = button(Press("play", table.id), words(general.TAKE_TURN), style=Style.PRIMARY)
        link: discord.ui.Button[discord.ui.View] = discord.ui.Button(
            label=words("To the table"), url=table_link(table)
        )
        view = panel([play, link])
        view.stop()
        what, content = f"call{call.seat}", _letter(look, words, call)
        try:
            while True:
                sent = await self._places.whisper(
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
                await self._places.unsay_to(call.user, sent.message)
                await self._tables.paid((), sent=[sent])
        except Unreachable:
            if player.reachable:
                await self._tables.set_reachable(table.id, call.user, False)
            return None
        if not player.reachable:
            await self._tables.set_reachable(table.id, call.user, True)
        report.sent(sent)
        return sent.message

    async def _ring(self, look: Look, call: Call, report: Report) -> int | None:
        """A message of its own at the table; None where there is no place for it."""
        try:
            sent = await self._places.send(
                look.table,
                f"ring{call.seat}",
                seq=call.seq,
                content=_said(look, look.words, call, who.mentions(look.words, look.table)),
                allowed_mentions=discord.AllowedMentions(
                    everyone=False, roles=False, users=[discord.Object(call.user)]
                ),
            )
        except (Nowhere, Closed):
            return None
        report.sent(sent)
        return sent.message

    async def _tell_anew(self, look: Look, call: Call) -> None:
        """What was sent for this call says what it is for now."""
        table = look.table
        if call.dm is not None:
            words = await self._shell.own(call.user, look.words)
            await self._places.edit_to(call.user, call.dm, content=_letter(look, words, call))
        if call.post is not None:
            content = _said(look, look.words, call, who.mentions(look.words, table))
            place = table.thread or table.channel
            await self._places.edit(table, place, call.post, content=content)

    async def _remove(self, table: Table, call: Call) -> None:
        """What was sent for this call alone goes."""
        if call.dm is not None:
            await self._places.unsay_to(call.user, call.dm)
        if call.post is not None:
            await self._places.unsay(table, call.post)


def _letter(look: Look, words: Words, call: Call) -> str:
    title = words(general.BOARD_TITLE, game=words(look.text.title), table=look.table.id)
    return f"{bold(title)}\n{_said(look, words, call, look.names)}"


def _said(look: Look, words: Words, call: Call, names: Sequence[Name]) -> str:
    asked = [d for d in look.pending if d.seat == call.seat and not d.optional]
    awaited = words.listing([look.text.awaited(words, each, names) for each in asked])
    return words(text.REMINDED, awaited=awaited, since=discord.utils.format_dt(call.since, "R"))
