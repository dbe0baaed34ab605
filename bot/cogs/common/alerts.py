"""Tells a table what nobody pressed for: time that is short or up, and a long silence."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import discord

from bot.cogs.common import who
from bot.cogs.common.calls import Calling
from bot.cogs.common.items import panel
from bot.cogs.common.places import Closed, Nowhere, Places, Unreachable
from bot.cogs.common.shell import Look, Shell
from bot.cogs.common.votes import Votes
from bot.tables import Owed, OwedKind, Sent
from bot.tables.people import Notices
from bot.tables.seats import AUTOPILOT
from bot.text import absence as text

log = logging.getLogger(__name__)

KINDS = (OwedKind.CLOCK, OwedKind.VOTE, OwedKind.IDLE)


class Alerts:
    """Delivers such news, each once."""

    def __init__(self, shell: Shell, places: Places, calling: Calling, votes: Votes) -> None:
        self._shell = shell
        self._tables = shell.tables
        self._places = places
        self._calling = calling
        self._votes = votes

    async def deliver(self, look: Look, owed: Sequence[Owed]) -> None:
        """Tell what is owed, as far as it still holds."""
        for row in owed:
            if row.kind in KINDS:
                sent = await self._tell(look, row)
                await self._tables.paid([row.id], sent=sent)

    async def _tell(self, look: Look, row: Owed) -> list[Sent]:
        if row.kind is OwedKind.IDLE:
            return await self._say(look, content=look.words(text.IDLE))
        if row.kind is OwedKind.VOTE:
            for proposal in await self._tables.proposals.open(look.table.id):
                if (proposal.kind, proposal.word) == (AUTOPILOT, str(row.seat)):
                    content, view = await self._votes.message(look.words, proposal)
                    return await self._say(look, content=content, view=view)
        elif row.seat is not None:
            return await self._clock(look, row.seat)
        return []

    async def _clock(self, look: Look, seat: int) -> list[Sent]:
        """Time is short, or up: where the person wants to be told, else at the table."""
        time = (await self._tables.ticking.at(look.table)).get(seat)
        player = look.table.players[seat]
        sent: list[Sent] = []
        if time is None or player.user is None:
            return sent
        message = text.SHORT_OF_TIME if time.left > timedelta() else text.OUT_OF_TIME
        mention = who.mentions(look.words, look.table)[seat]
        facts = {"mention": mention, "at": discord.utils.format_dt(time.up, "R")}
        person = await self._tables.people.get(player.user)
        if person.notices is not Notices.CHANNEL:
            words = await self._shell.own(player.user, look.words)
            try:
                content = words(message, **facts)
                sent.append(
                    await self._places.whisper(
                        player, look.table.id, f"clock{seat}", content=content
                    )
                )
            except Unreachable:
                log.info("table=%s seat=%s takes no direct messages", look.table.id, seat)
            else:
                if person.notices is Notices.DM:
                    return sent
        rings = await self._calling.may_ring(look.table, player.user)
        users = [discord.Object(player.user)] if rings else []
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        return sent + await self._say(look, content=look.words(message, **facts), mentions=mentions)

    async def _say(
        self,
        look: Look,
        *,
        content: str,
        view: discord.ui.View | None = None,
        mentions: discord.AllowedMentions | None = None,
    ) -> list[Sent]:
        shown = view or panel([])
        shown.stop()
        parts: dict[str, Any] = {
            "content": content,
            "view": shown,
            "allowed_mentions": mentions or discord.AllowedMentions.none(),
        }
        try:
            return [await self._places.send(look.table, "alert", **parts)]
        except (Nowhere, Closed):
            log.warning("table=%s has no place to be told anything", look.table.id)
            return []
