"""Tells those who want to know that they are on turn after the present one: once, in private."""

from __future__ import annotations

import logging

from bot.cogs.ui.channels import Places, Unreachable
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.waiting import table_link
from bot.game.contract import Seat
from bot.tables import Player, Status
from bot.text import general
from bot.text import personal_settings as text
from bot.text.markup import bold

log = logging.getLogger(__name__)


class NextUp:
    """Delivers such messages. What is not wanted at that moment is not sent later."""

    def __init__(self, services: Services, places: Places) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places

    async def deliver(self, snapshot: Snapshot) -> None:
        """Tells whoever is next, by the snapshot that all have."""
        player = await self.due(snapshot)
        if player is not None and not await self._is_told(snapshot.table.id, player.seat):
            (present,) = (each.seat for each in snapshot.pending if not each.optional)
            await self._tell(snapshot, player, present)

    async def due(self, snapshot: Snapshot) -> Player | None:
        """Who is next and wants to know, whether they have been told or not."""
        table = snapshot.table
        asked = [each for each in snapshot.pending if not each.optional]
        if table.status is not Status.PLAYING or len(asked) != 1 or asked[0].sealed:
            return None
        seat = self._services.title_of(table).upcoming(snapshot.view, asked[0])
        if seat is None or seat == asked[0].seat:
            return None
        player = table.players[seat]
        if self._tables.server_members.has_left(table, player.user):
            return None
        if player.user is None or not player.is_human or not await self._is_wanted(player.user):
            return None
        return player

    async def _is_wanted(self, user: int) -> bool:
        person, now = await self._tables.people.get(user), self._tables.notifications.now()
        return person.told_next and person.free_at(person.back_at(now)) <= now

    async def _is_told(self, table: int, seat: Seat) -> bool:
        """Whether the seat has been told, and has done nothing since."""
        told = await self._tables.message_numbers.told_up_to(table, _what(seat))
        if told is None:
            return False
        done = await self._tables.reader.done(table, told + 1)
        return all(each.seat != seat for each in done.values())

    async def _tell(self, snapshot: Snapshot, player: Player, present: Seat) -> None:
        assert player.user is not None
        members = self._tables.server_members
        await members.find_silent(snapshot.table, [player.user])
        if members.has_left(snapshot.table, player.user):
            return
        words = await self._services.own(player.user, snapshot.words)
        game = words(snapshot.text.title)
        title = bold(words(general.BOARD_TITLE, game=game, table=snapshot.table.id))
        told = words(text.NEXT, name=bold(snapshot.names[present]))
        said = f"{title}\n{told} {table_link(snapshot.table)}"
        try:
            sent = await self._places.send_direct(
                player,
                snapshot.table.id,
                _what(player.seat),
                said,
                seq=snapshot.seq,
                # That the game begins rings them already.
                silent=snapshot.seq == 0,
            )
        except Unreachable:
            log.info("table=%s seat=%s gets no direct messages", snapshot.table.id, player.seat)
            return
        await self._tables.outbox.acknowledge((), sent=[sent])


def _what(seat: Seat) -> str:
    return f"next{seat}"
