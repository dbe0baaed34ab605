"""What is for one person's eyes: their hand, their news, offers made to them.

It goes by direct message, one for what one action brought them; a sealed choice made anew is
written into the message that confirmed the former one. Who takes no direct messages is told at
the table, without the secret, that there is something to look at.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple

import discord
from msgspec import structs

from bot.cogs.common import who
from bot.cogs.common.items import button, panel
from bot.cogs.common.letters import Letters
from bot.cogs.common.panel import Panels
from bot.cogs.common.places import Closed, Nowhere, Places, Unreachable, home_of
from bot.cogs.common.press import Press
from bot.cogs.common.shell import Look, Shell
from bot.game.contract import SPECTATOR, Decision, Event, Seat
from bot.tables import Owed, OwedKind, Player, Sent, Table
from bot.text import general
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.words import Words

log = logging.getLogger(__name__)

KINDS = (OwedKind.PRIVATE, OwedKind.HAND, OwedKind.ORDER)

LETTER = "news"
"""What these are called among the messages of a table, before the number of the seat."""


class Confirmed(NamedTuple):
    """The direct message that confirmed a sealed choice, as this process sent it."""

    decision: str
    place: int
    message: int


class News:
    """Delivers private news, table by table."""

    def __init__(self, shell: Shell, places: Places) -> None:
        self._shell = shell
        self._tables = shell.tables
        self._places = places
        self._letters = Letters(shell)
        self._panels = Panels(shell)
        self._confirmed: dict[tuple[int, Seat], Confirmed] = {}

    async def deliver(self, look: Look, owed: Sequence[Owed]) -> None:
        """Tell each person what is owed to them."""
        shown = {row.seq for row in owed if row.kind in (OwedKind.BOARD, OwedKind.END)}
        for player in look.table.owners:
            rows = [row for row in owed if row.seat == player.seat and row.kind in KINDS]
            while rows:
                sent = await self._tell(look.table, player, look.words, rows, shown)
                # What was sent in the life before did not tell what has happened since.
                newest = rows[-1].seq
                told = next((each.seq for each in sent if _is_letter(each)), newest)
                await self._tables.paid([row.id for row in rows if row.seq <= told], sent=sent)
                rows = [row for row in rows if row.seq > told]
            if look.table.is_over:
                self._confirmed.pop((look.table.id, player.seat), None)
        answered = [row.id for row in owed if row.kind is OwedKind.ANSWERED]
        if answered:
            await self._close_offers(look, answered)

    async def _close_offers(self, look: Look, debts: Sequence[int]) -> None:
        """Take the buttons away that would answer what cannot be answered any more."""
        sendings = self._tables.sendings
        asked = await sendings.asking(look.table.id)
        is_open = {decision.id for decision in look.pending}
        closed = [row for row in asked if row.offer not in is_open]
        for row in closed:
            player = look.table.players[row.seat]
            private = row.place not in home_of(look.table).places
            words = look.words
            if private and player.user is not None:
                words = await self._shell.own(player.user, words)
            own = replace(look, words=words, observer=row.seat)
            view = self._letters.closed_offer(own, row.offer, private=private)
            view.stop()
            await self._places.edit(look.table, row.place, row.message, view=view)
        await sendings.answered(closed, debts)

    async def _tell(
        self,
        table: Table,
        player: Player,
        words: Words,
        rows: Sequence[Owed],
        shown: Set[int],
    ) -> list[Sent]:
        """What was sent now, or had been before; `shown` are entries that a post tells of."""
        own = words if player.user is None else await self._shell.own(player.user, words)
        look = await self._shell.look(table.id, player.seat, own)
        if look.table.players[player.seat].user != player.user:
            # They have resigned meanwhile: nothing is owed to them, and nothing their business.
            return []
        heard = await self._heard(look, player.seat, rows)
        # An offer that can still be answered is told by its question, any other not at all.
        made = {f"o{event.offer}" for event in heard if event.offer is not None}
        offers = [offer for offer in look.offers(player.seat) if offer.id in made]
        content = self._letters.news(
            look,
            [event for event in heard if event.offer is None],
            offers,
            hand=any(row.kind is OwedKind.HAND for row in rows),
            by_order=any(row.kind is OwedKind.ORDER for row in rows),
        )
        if not content:
            return []
        answers = await self._panels.answers(look, player.seat, offers[-1]) if offers else []
        view = self._letters.private_buttons(look, answers)
        view.stop()
        if await self._confirm_anew(look, player.seat, rows, content, view):
            return []
        return await self._send(look, words, player, rows, content, view, offers, shown)

    async def _send(
        self,
        look: Look,
        house: Words,
        player: Player,
        rows: Sequence[Owed],
        content: str,
        view: discord.ui.View,
        offers: Sequence[Decision],
        shown: Set[int],
    ) -> list[Sent]:
        table, told = look.table, rows[-1].seq
        try:
            sent = await self._places.whisper(
                player,
                table.id,
                f"{LETTER}{player.seat}",
                seq=told,
                mark=Press("hand", table.id).custom_id(),
                content=content,
                view=view,
                # A hand that was changed before everybody's eyes need not ring.
                silent=told > 0 and all(row.kind is OwedKind.HAND for row in rows),
            )
        except Unreachable:
            # All can read what is said now.
            look = replace(look, words=house)
            said: list[Sent] = []
            if player.reachable and await self._is_public(look, rows, shown):
                said += await self._blocked(look, player)
            return said + await self._point(look, player, offers)
        if sent.sending.told is not None:
            # It was sent in the life before, perhaps with other buttons.
            await self._places.edit(table, sent.place, sent.message, view=view)
        if offers:
            sent = structs.replace(sent, asks=(player.seat, offers[-1].id))
        chosen = _sealed(look, player.seat)
        if chosen is not None:
            kept = Confirmed(chosen, sent.place, sent.message)
            self._confirmed[table.id, player.seat] = kept
        if not player.reachable and player.user is not None:
            log.info("table=%s seat=%s takes direct messages again", table.id, player.seat)
            await self._tables.set_reachable(table.id, player.user, True)
        return [sent]

    async def _is_public(self, look: Look, rows: Sequence[Owed], shown: Set[int]) -> bool:
        """Whether all know of something that is owed here, and so may know that it is."""
        for row in rows:
            if row.seq in shown or await self._tables.events_of(look.table.id, row.seq, SPECTATOR):
                return True
        return False

    async def _confirm_anew(
        self, look: Look, seat: Seat, rows: Sequence[Owed], content: str, view: discord.ui.View
    ) -> bool:
        """Edit the confirmation of a sealed choice that was changed; False where that is not it."""
        before = self._confirmed.pop((look.table.id, seat), None)
        if before is None or before.decision != _sealed(look, seat):
            return False
        done = await self._tables.done(look.table.id, min(row.seq for row in rows))
        if any(done[row.seq].seat != seat for row in rows):
            return False
        self._confirmed[look.table.id, seat] = before
        return await self._places.edit(
            look.table, before.place, before.message, content=content, view=view
        )

    async def _heard(self, look: Look, seat: Seat, rows: Sequence[Owed]) -> list[Event]:
        """What the entries that are owed brought for this seat: its secrets, and its offers; where
        they changed its hand, what they had to do with it."""
        told: list[Event] = []
        for seq in sorted({row.seq for row in rows}):
            events = await self._tables.events_of(look.table.id, seq, seat)
            mine = [event for event in events if _names(event, seat)]
            kinds = {row.kind for row in rows if row.seq == seq}
            if OwedKind.ORDER in kinds:
                told += events
            elif OwedKind.HAND in kinds:
                told += mine or events
            else:
                told += [event for event in mine if seat in event.only or event.offer is not None]
        return told

    async def _blocked(self, look: Look, player: Player) -> list[Sent]:
        log.info("table=%s seat=%s takes no direct messages", look.table.id, player.seat)
        if player.user is not None:
            await self._tables.set_reachable(look.table.id, player.user, False)
        told = look.words(general.UNREACHABLE, name=bold(look.names[player.seat]))
        return await self._announce(look.table, f"closed{player.seat}", content=told)

    async def _point(self, look: Look, player: Player, offers: Sequence[Decision]) -> list[Sent]:
        """Tell somebody at the table, without the secret, that an offer awaits an answer."""
        said: list[Sent] = []
        for offer in offers:
            press = Press("offer", look.table.id, offer.id)
            answer = button(press, look.words(general.ANSWER_OFFER), style=Style.SUCCESS)
            awaited = look.text.awaited(look.words, offer, who.mentions(look.words, look.table))
            sent = await self._announce(
                look.table,
                f"offer{player.seat}",
                mark=press.custom_id(),
                content=awaited,
                player=player,
                view=panel([answer]),
            )
            said += [structs.replace(each, asks=(player.seat, offer.id)) for each in sent]
        return said

    async def _announce(
        self,
        table: Table,
        what: str,
        *,
        content: str,
        mark: str | None = None,
        player: Player | None = None,
        view: discord.ui.View | None = None,
    ) -> list[Sent]:
        users = [discord.Object(player.user)] if player and player.user else []
        shown = view or panel([])
        shown.stop()
        try:
            sent = await self._places.send(
                table,
                what,
                mark=mark,
                content=content,
                view=shown,
                allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=users),
            )
        except (Nowhere, Closed):
            log.warning("table=%s has no place to be called to", table.id)
            return []
        return [sent]


def _is_letter(sent: Sent) -> bool:
    return sent.sending.what.startswith(LETTER)


def _names(event: Event, seat: Seat) -> bool:
    """Whether the event is for this seat alone, or about it."""
    return seat in event.only or seat in event.named


def _sealed(look: Look, seat: Seat) -> str | None:
    """The decision that the seat has chosen in secret and may still choose anew."""
    return next((d.id for d in look.pending if d.seat == seat and d.sealed and d.optional), None)
