"""What is for one person's eyes: her hand, her news, offers made to her.

It goes by direct message; who takes none is told at the table, without the secret, that there is
something to look at.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.cogs.common.items import button, panel
from bot.cogs.common.letters import Letters, mention
from bot.cogs.common.panel import Panels
from bot.cogs.common.places import Closed, Nowhere, Places, Unreachable
from bot.cogs.common.press import Press
from bot.cogs.common.reply import MAX_CONTENT
from bot.cogs.common.shell import Look, Shell
from bot.game.contract import Decision, Event, Seat
from bot.tables import Owed, OwedKind, Player, Table
from bot.text import general
from bot.text.contract import Style
from bot.text.markup import bold, clip
from bot.text.words import Words

log = logging.getLogger(__name__)

MAX_NONCE = 25
"""Characters of a message's nonce."""


class News:
    """Delivers private news, table by table."""

    def __init__(self, shell: Shell, places: Places) -> None:
        self._shell = shell
        self._tables = shell.tables
        self._places = places
        self._letters = Letters(shell)
        self._panels = Panels(shell)

    async def deliver(self, look: Look, owed: Sequence[Owed]) -> None:
        """Tell each person what is owed to her."""
        for player in look.table.humans:
            rows = [
                row
                for row in owed
                if row.seat == player.seat and row.kind in (OwedKind.PRIVATE, OwedKind.HAND)
            ]
            if rows:
                await self._tell(look.table, player, look.words, rows)

    async def _tell(
        self,
        table: Table,
        player: Player,
        words: Words,
        rows: Sequence[Owed],
    ) -> None:
        look = await self._shell.look(table.id, player.seat, words)
        if look.table.players[player.seat].user != player.user:
            # She has resigned meanwhile: nothing is owed to her, and nothing her business.
            return
        heard = await self._heard(look, player.seat, rows)
        # An offer that can still be answered is told by its question.
        made = {f"o{event.facts['id']}" for event in heard if "id" in event.facts}
        offers = [offer for offer in look.offers(player.seat) if offer.id in made]
        content = self._content(look, player.seat, rows, heard, offers)
        if content:
            answers = await self._panels.answers(look, player.seat, offers[-1]) if offers else []
            view = self._letters.private_buttons(look, answers)
            view.stop()
            told = max(row.seq for row in rows)
            try:
                await self._places.whisper(
                    player,
                    content=clip(content, MAX_CONTENT),
                    view=view,
                    nonce=f"{table.id}.{player.seat}.{told}"[:MAX_NONCE],
                )
            except Unreachable:
                if player.reachable:
                    await self._blocked(look, player)
                await self._point(look, player, offers)
            else:
                if not player.reachable and player.user is not None:
                    log.info("table=%s seat=%s takes direct messages again", table.id, player.seat)
                    await self._tables.set_reachable(table.id, player.user, True)
        await self._tables.paid([row.id for row in rows])

    async def _heard(self, look: Look, seat: Seat, rows: Sequence[Owed]) -> list[Event]:
        """What the entries that are owed brought for this seat: its secrets, and its offers."""
        return [
            event
            for row in rows
            if row.kind is OwedKind.PRIVATE
            for event in await self._tables.events_of(look.table.id, row.seq, seat)
            if seat in event.only or ("id" in event.facts and event.facts.get("other") == seat)
        ]

    def _content(
        self,
        look: Look,
        seat: Seat,
        rows: Sequence[Owed],
        heard: Sequence[Event],
        offers: Sequence[Decision],
    ) -> str:
        parts = []
        asked = {offer.id for offer in offers}
        secrets = [
            event
            for event in heard
            if seat in event.only and f"o{event.facts.get('id')}" not in asked
        ]
        if self._shell.story(look, secrets):
            parts.append(self._letters.news(look, secrets))
        if any(row.kind is OwedKind.HAND for row in rows):
            parts.append(self._letters.hand(look))
        for offer in offers:
            question = look.text.question(look.words, offer, look.view, look.names)
            parts.append(look.words(general.PRIVATE_NEWS, table=look.table.id, news=question))
        return "\n\n".join(parts)

    async def _blocked(self, look: Look, player: Player) -> None:
        log.info("table=%s seat=%s takes no direct messages", look.table.id, player.seat)
        if player.user is not None:
            await self._tables.set_reachable(look.table.id, player.user, False)
        told = look.words(general.UNREACHABLE, name=bold(player.name))
        await self._announce(look.table, told, f"{player.seat}.b{look.seq}")

    async def _point(self, look: Look, player: Player, offers: Sequence[Decision]) -> None:
        """Tell somebody at the table, without the secret, that an offer awaits an answer."""
        for offer in offers:
            answer = button(
                Press("offer", look.table.id, offer.id),
                look.words(general.ANSWER_OFFER),
                style=Style.SUCCESS,
            )
            awaited = look.text.awaited(
                look.words, offer, [mention(each) for each in look.table.players]
            )
            mark = f"{player.seat}.{offer.id}"
            await self._announce(look.table, awaited, mark, player=player, view=panel([answer]))

    async def _announce(
        self,
        table: Table,
        content: str,
        mark: str,
        *,
        player: Player | None = None,
        view: discord.ui.View | None = None,
    ) -> None:
        users = [discord.Object(player.user)] if player and player.user else []
        shown = view or panel([])
        shown.stop()
        try:
            await self._places.send(
                table,
                content=content,
                view=shown,
                nonce=f"{table.id}.{mark}"[:MAX_NONCE],
                allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=users),
            )
        except (Nowhere, Closed):
            log.warning("table=%s has no place to be called to", table.id)
