"""Tells a whole table what no press causes: that it will fall asleep, and votes of its own."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.cogs.flows.votes import Votes
from bot.cogs.posting.work_queue import apart
from bot.cogs.ui import who
from bot.cogs.ui.channels import Nowhere, Places
from bot.cogs.ui.layout import Layout, Text
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import Seat
from bot.tables import OutboxItem, OutboxKind, SentMessage
from bot.tables.seats.seats import AUTOPILOT
from bot.text import absence as text

log = logging.getLogger(__name__)

KINDS = (OutboxKind.VOTE, OutboxKind.IDLE)


class Alerts:
    """Delivers such alerts, each once."""

    def __init__(self, services: Services, places: Places, votes: Votes) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._votes = votes

    async def deliver(self, snapshot: Snapshot, outbox_items: Sequence[OutboxItem]) -> None:
        """Sends those that still apply, those of each seat apart. Raises Closed where the table
        cannot be written to; they are sent once it can."""
        rows = [row for row in outbox_items if row.kind in KINDS]

        async def deliver_to(seat: Seat | None) -> None:
            for row in [each for each in rows if each.seat == seat]:
                sent = await self._tell(snapshot, row)
                await self._tables.outbox.acknowledge([row], sent=sent)

        await apart(deliver_to(seat) for seat in dict.fromkeys(row.seat for row in rows))

    async def _tell(self, snapshot: Snapshot, row: OutboxItem) -> list[SentMessage]:
        if row.kind is OutboxKind.IDLE:
            return await self._idle(snapshot)
        for proposal in await self._tables.proposals.open(snapshot.table.id):
            if (proposal.kind, proposal.word) == (AUTOPILOT, str(row.seat)):
                vote = await self._votes.message(snapshot.words, proposal)
                asked = [snapshot.table.players[seat].user for seat in proposal.missing]
                return await self._say(snapshot, row.seat, vote, asked)
        return []

    async def _idle(self, snapshot: Snapshot) -> list[SentMessage]:
        sleeps = await self._tables.pauses.sleeps(snapshot.table.id)
        if sleeps is None:
            return []
        words, table = snapshot.words, snapshot.table
        names = who.owners(words, table)
        called = words.listing([str(names[player.seat]) for player in table.owners])
        warning = words(text.IDLE, at=discord.utils.format_dt(sleeps, "f"))
        said = Layout([Text(f"{warning}\n🔔 {called}")])
        sent = await self._say(snapshot, None, said, [player.user for player in table.owners])
        await self._tables.notifications.all_told(table.id)
        return sent

    async def _say(
        self, snapshot: Snapshot, seat: Seat | None, said: Layout, rung: Sequence[int | None]
    ) -> list[SentMessage]:
        # Each seat's are counted by themselves, as those of one may fail.
        what = "alert" if seat is None else f"alert{seat}"
        pinged = [user for user in rung if user is not None]
        try:
            return [await self._places.send(snapshot.table, what, said, pinged=pinged)]
        except Nowhere:
            log.warning("table=%s has no place to be told anything", snapshot.table.id)
            return []
