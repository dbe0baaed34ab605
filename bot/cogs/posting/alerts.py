"""Tells a table what no press causes: time running short or out, and long inactivity."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

import discord

from bot.cogs.flows.votes import Votes
from bot.cogs.posting.notifications import Notifier
from bot.cogs.posting.work_queue import apart
from bot.cogs.ui import who
from bot.cogs.ui.channels import Closed, Nowhere, Places, Unreachable
from bot.cogs.ui.sending import Said
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import Seat
from bot.tables import OutboxItem, OutboxKind, SentMessage
from bot.tables.people.settings import Notices
from bot.tables.seats.seats import AUTOPILOT
from bot.text import absence as text

log = logging.getLogger(__name__)

KINDS = (OutboxKind.CLOCK, OutboxKind.VOTE, OutboxKind.IDLE)


class Alerts:
    """Delivers such alerts, each once."""

    def __init__(
        self, services: Services, places: Places, notifier: Notifier, votes: Votes
    ) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._notifier = notifier
        self._votes = votes

    async def deliver(self, snapshot: Snapshot, outbox_items: Sequence[OutboxItem]) -> None:
        """Sends those that still apply, those of each seat apart."""
        rows = [row for row in outbox_items if row.kind in KINDS]

        async def deliver_to(seat: Seat | None) -> None:
            for row in [each for each in rows if each.seat == seat]:
                sent = await self._tell(snapshot, row)
                await self._tables.outbox.acknowledge([row], sent=sent)

        await apart(deliver_to(seat) for seat in dict.fromkeys(row.seat for row in rows))

    async def _tell(self, snapshot: Snapshot, row: OutboxItem) -> list[SentMessage]:
        if row.kind is OutboxKind.IDLE:
            return await self._say(snapshot, row.seat, snapshot.words(text.IDLE))
        if row.kind is OutboxKind.VOTE:
            for proposal in await self._tables.proposals.open(snapshot.table.id):
                if (proposal.kind, proposal.word) == (AUTOPILOT, str(row.seat)):
                    vote = await self._votes.message(snapshot.words, proposal)
                    return await self._say(snapshot, row.seat, vote)
        elif row.seat is not None:
            return await self._clock(snapshot, row.seat)
        return []

    async def _clock(self, snapshot: Snapshot, seat: int) -> list[SentMessage]:
        """Time is running short or out: said where the person wants it, else at the table."""
        time = (await self._tables.turn_clocks.at(snapshot.table)).get(seat)
        player = snapshot.table.players[seat]
        sent: list[SentMessage] = []
        if time is None or player.user is None:
            return sent
        message = text.SHORT_OF_TIME if time.left > timedelta() else text.OUT_OF_TIME
        mention = who.mentions(snapshot.words, snapshot.table)[seat]
        facts = {"mention": mention, "at": discord.utils.format_dt(time.up, "R")}
        person = await self._tables.people.get(player.user)
        has_left = self._tables.server_members.has_left(snapshot.table, player.user)
        if person.notices is not Notices.CHANNEL and not has_left:
            words = await self._services.own(player.user, snapshot.words)
            try:
                said = words(message, **facts)
                sent.append(
                    await self._places.send_direct(player, snapshot.table.id, f"clock{seat}", said)
                )
            except Unreachable:
                log.info("table=%s seat=%s gets no direct messages", snapshot.table.id, seat)
            else:
                if person.notices is Notices.DM:
                    return sent
        rings = await self._notifier.may_notify(snapshot.table, player.user)
        pinged = [player.user] if rings else []
        said = snapshot.words(message, **facts)
        return sent + await self._say(snapshot, seat, said, pinged=pinged)

    async def _say(
        self, snapshot: Snapshot, seat: Seat | None, said: Said, *, pinged: Sequence[int] = ()
    ) -> list[SentMessage]:
        try:
            # Each seat's are counted by themselves, as those of one may fail.
            what = "alert" if seat is None else f"alert{seat}"
            sent = await self._places.send(snapshot.table, what, said, pinged=pinged)
        except (Nowhere, Closed):
            log.warning("table=%s has no place to be told anything", snapshot.table.id)
            return []
        return [sent]
