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
from bot.cogs.common.places import Nowhere, Places, Unreachable
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
        self._noticed: dict[int, set[str]] = {}

    def forget(self, table_id: int) -> None:
        """The table is over."""
        self._noticed.pop(table_id, None)

    async def deliver(self, look: Look, owed: Sequence[Owed]) -> None:
        """Tell each person what is owed to her, and of the offers she has not heard of yet."""
        for player in look.table.humans:
            rows = [
                row
                for row in owed
                if row.seat == player.seat and row.kind in (OwedKind.PRIVATE, OwedKind.HAND)
            ]
            noticed = self._noticed.setdefault(look.table.id, set())
            offers = [offer for offer in look.offers(player.seat) if offer.id not in noticed]
            if rows or offers:
                await self._tell(look.table, player, look.words, rows, offers)
                noticed.update(offer.id for offer in offers)

    async def _tell(
        self,
        table: Table,
        player: Player,
        words: Words,
        rows: Sequence[Owed],
        offers: Sequence[Decision],
    ) -> None:
        look = await self._shell.look(table.id, player.seat, words)
        content = await self._content(look, player.seat, rows, offers)
        if not player.reachable:
            await self._point(look, player, offers)
        elif content:
            answers = await self._panels.answers(look, player.seat, offers[-1]) if offers else []
            view = self._letters.private_buttons(look, answers)
            view.stop()
            told = max([row.seq for row in rows], default=look.seq)
            mark = offers[-1].id if offers else ""
            try:
                await self._places.whisper(
                    player,
                    content=clip(content, MAX_CONTENT),
                    view=view,
                    nonce=f"{table.id}.{player.seat}.{told}.{mark}"[:MAX_NONCE],
                )
            except Unreachable:
                await self._blocked(look, player)
                await self._point(look, player, offers)
        if rows:
            await self._tables.paid([row.id for row in rows])

    async def _content(
        self, look: Look, seat: Seat, rows: Sequence[Owed], offers: Sequence[Decision]
    ) -> str:
        parts = []
        heard: list[Event] = []
        asked = {offer.id for offer in offers}
        for row in rows:
            if row.kind is OwedKind.PRIVATE:
                events = await self._tables.events_of(look.table.id, row.seq, seat)
                # An offer that can be answered is told by its question.
                heard += [
                    event
                    for event in events
                    if seat in event.only and f"o{event.facts.get('id')}" not in asked
                ]
        if self._shell.story(look, heard):
            parts.append(self._letters.news(look, heard))
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
        await self._announce(look.table, told)

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
            await self._announce(look.table, awaited, player=player, view=panel([answer]))

    async def _announce(
        self,
        table: Table,
        content: str,
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
                allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=users),
            )
        except Nowhere:
            log.warning("table=%s has neither thread nor channel", table.id)
