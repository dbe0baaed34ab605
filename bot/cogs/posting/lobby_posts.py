"""The lobby message of a table: posted once, then edited until the table has begun or closed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

import discord

from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.posting.messages import Messages
from bot.cogs.ui.channels import Nowhere, Places, is_refusal
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.services import Services
from bot.cogs.ui.status_lines import absences
from bot.tables import OutboxItem, Status, Table
from bot.text.words import Words

log = logging.getLogger(__name__)


class LobbyPosts:
    """Shows who sits at a table that has not begun, and where the game went on."""

    def __init__(self, services: Services, places: Places, cosmetics: Cosmetics) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._cosmetics = cosmetics
        self._messages = Messages(services)

    async def deliver(self, words: Words, table: Table, items: Sequence[OutboxItem]) -> None:
        """Posts the lobby, or edits its message, and acknowledges the items.

        Raises Closed where the channel cannot be written to.
        """
        known = table.rematch_of
        before = None if known is None else await self._tables.reader.get(known)
        away = await absences(self._services, words, table)
        closes = await self._tables.idle_lobbies.closes(table.id)
        lobby = self._messages.lobby(words, table, before, away, closes)
        if table.lobby_message is not None:
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
            sent = await self._places.send(table, "lobby", lobby, mark=mark)
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
