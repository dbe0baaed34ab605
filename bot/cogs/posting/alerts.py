"""Tells a whole table what no press causes: that it will fall asleep."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.cogs.ui import who
from bot.cogs.ui.channels import Closed, Nowhere, Places
from bot.cogs.ui.layout import Layout, Text
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.tables import OutboxItem, OutboxKind, SentMessage
from bot.text import absence as text

log = logging.getLogger(__name__)

KINDS = (OutboxKind.IDLE,)


class Alerts:
    """Delivers such alerts, each once."""

    def __init__(self, services: Services, places: Places) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places

    async def deliver(self, snapshot: Snapshot, outbox_items: Sequence[OutboxItem]) -> None:
        """Sends those that still apply; where the table cannot be written to, each of its people is
        told."""
        for row in outbox_items:
            if row.kind in KINDS:
                await self._tables.outbox.acknowledge([row], sent=await self._idle(snapshot))

    async def _idle(self, snapshot: Snapshot) -> list[SentMessage]:
        sleeps = await self._tables.idleness.sleeps(snapshot.table.id)
        if sleeps is None:
            return []
        words, table = snapshot.words, snapshot.table
        names = who.owners(words, table)
        called = words.listing([str(names[player.seat]) for player in table.owners])
        warning = words(text.IDLE, at=discord.utils.format_dt(sleeps, "f"))
        said = Layout([Text(f"{warning}\n🔔 {called}")])
        pinged = [player.user for player in table.owners if player.user is not None]
        try:
            sent = [await self._places.send(table, "alert", said, pinged=pinged)]
        except (Nowhere, Closed):
            log.warning("table=%s has no place to be told anything", table.id)
            for player in table.owners:
                await self._tables.notifications.hold(
                    table.id, player.seat, self._tables.notifications.now()
                )
            return []
        await self._tables.notifications.all_told(table)
        return sent
