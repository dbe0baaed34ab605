"""The lobby message of a table: posted once, then edited until the table has begun or closed.

It is posted anew where it rings people: they have long done nothing there, and it will close.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import discord

from bot.cogs.flows.lobby_options import LobbyOptions
from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.posting.messages import Messages
from bot.cogs.ui.channels import Held, Nowhere, Places, Unreachable, is_refusal
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.services import Services
from bot.cogs.ui.status_lines import absences
from bot.tables import OutboxItem, OutboxKind, Status, Table
from bot.tables.idleness import IDLE_DAYS
from bot.text.words import Words

log = logging.getLogger(__name__)


class LobbyPosts:
    """Shows who sits at a table that has not begun, and where the game went on."""

    def __init__(
        self, services: Services, places: Places, options: LobbyOptions, cosmetics: Cosmetics
    ) -> None:
        self._options = options
        self._services = services
        self._tables = services.tables
        self._places = places
        self._cosmetics = cosmetics
        self._messages = Messages(services)

    async def deliver(self, words: Words, table: Table, items: Sequence[OutboxItem]) -> None:
        """Posts the lobby, or edits its message, and acknowledges the items.

        Raises Closed where the channel cannot be written to.
        """
        self._cosmetics.begin(table.id, partial(self._options.follow, table))
        known = table.rematch_of
        before = None if known is None else await self._tables.reader.get(known)
        away = await absences(self._services, words, table)
        closes = await self._tables.idleness.closes(table.id)
        pinged = list[int]()
        if closes is not None and table.status is Status.LOBBY:
            pinged = await self._warn(words, table, closes, items)
            table = await self._tables.reader.get(table.id)
        is_expired = any(row.kind is OutboxKind.EXPIRED for row in items)
        idle_days = IDLE_DAYS if is_expired else None
        lobby = self._messages.lobby(words, table, before, away, closes, idle_days)
        if table.lobby_message is not None and not pinged:
            edit = partial(self._places.edit, table, table.channel, table.lobby_message, lobby)
            if table.status is not Status.LOBBY:
                await self._cosmetics.attempt(table.id, edit)
                await self._tables.outbox.acknowledge(items)
                return
            try:
                shown = await edit()
            except discord.HTTPException as error:
                if not is_refusal(error):
                    raise
                # Who sits there is shown in a new message: one of long ago is rarely edited.
                log.info("table=%s lobby posted anew: code %s", table.id, error.code)
                shown = None
            if shown is not None:
                await self._tables.outbox.acknowledge(items)
                return
        elif table.is_over:
            # It was closed or brought here in a file before anybody saw a lobby.
            await self._tables.outbox.acknowledge(items)
            return
        try:
            mark = CustomId("join", table.id).encoded()
            sent = await self._places.send(
                table, "lobby", lobby, mark=mark, pinged=pinged, in_vain=True
            )
        except Nowhere:
            log.warning("table=%s has no channel; its lobby is not shown", table.id)
            await self._tables.outbox.acknowledge(items)
        else:
            if sent.numbered.begun_seq is not None:
                # It was sent before a restart, and may be out of date.
                await self._places.edit(table, sent.place, sent.message, lobby)
            await self._tables.outbox.acknowledge(
                items, table_id=table.id, lobby_message=sent.message, sent=[sent]
            )
            if table.lobby_message not in (None, sent.message):
                delete = partial(self._places.delete, table, table.lobby_message)
                self._cosmetics.begin(table.id, delete)

    async def _warn(
        self, house: Words, table: Table, closes: datetime, items: Sequence[OutboxItem]
    ) -> list[int]:
        """Tells who wants direct messages when the lobby closes; returns whom to ping in it."""
        rings = [row for row in items if row.kind is OutboxKind.RING]
        pinged = []
        for player in table.owners:
            rows = [row for row in rings if row.seat == player.seat]
            if not rows or player.user is None:
                continue
            if not await self._tables.notifications.wants_direct(player):
                pinged.append(player.user)
                continue
            words = await self._services.own(player.user, house)
            said, sent = self._messages.closing(words, table, closes), []
            try:
                what = f"call{player.seat}"
                sent.append(await self._places.send_direct(player, table.id, what, said))
            except Held:
                # They are told when their quiet hours end.
                pass
            except Unreachable as error:
                log.info("table=%s seat=%s gets no direct messages", table.id, player.seat)
                if error.closed:
                    await self._tables.lobby.set_reachable(table.id, player.user, False)
                pinged.append(player.user)
                continue
            await self._tables.outbox.acknowledge(rows, sent=sent)
        return pinged


def is_theirs(row: OutboxItem) -> bool:
    """Whether an item is for the message of a lobby; what rings people is while it is one."""
    in_lobby = row.kind is OutboxKind.RING and row.seq < 0
    return in_lobby or row.kind in (OutboxKind.LOBBY, OutboxKind.EXPIRED)
