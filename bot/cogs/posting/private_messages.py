"""Messages for one person alone: their hand, their secrets, offers made to them.

Sent as direct messages, one per action; a changed sealed choice is edited into the message that
confirmed the former one. Whoever accepts no direct messages is told at the table, without the
secret, that there is something to look at.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import discord
from msgspec import structs

from bot.cogs.panel.offers import offer_answers
from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.posting.messages import Messages
from bot.cogs.ui import who
from bot.cogs.ui.channels import Closed, Nowhere, Places, Unreachable, home_of, is_refusal
from bot.cogs.ui.components import Pressable, button
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Layout, Row, Text
from bot.cogs.ui.sending import Said
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import Decision, Event, Seat
from bot.tables import OutboxItem, OutboxKind, Player, SentMessage, Table
from bot.tables.core.unit_of_work import on_whose_behalf
from bot.text import absence, general
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.plans import played_itself
from bot.text.user_text import Written
from bot.text.words import Words

log = logging.getLogger(__name__)

UNATTENDED = {OutboxKind.ORDER, OutboxKind.PLAN}
"""What a seat did without its owner."""
KINDS = (OutboxKind.PRIVATE, OutboxKind.HAND, *sorted(UNATTENDED))

PRIVATE_MESSAGE = "news"
"""The prefix of their kind among a table's messages, before the number of the seat."""


class Confirmed(NamedTuple):
    """The direct message that confirmed a sealed choice, as this process sent it."""

    decision: str
    place: int
    message: int
    fence: object
    """The lease under which it was sent: under another one, others may have sent one since."""


class PrivateMessages:
    """Delivers private messages, seat by seat."""

    def __init__(self, services: Services, places: Places, cosmetics: Cosmetics) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._cosmetics = cosmetics
        self._messages = Messages(services)
        self._confirmed: dict[tuple[int, Seat], Confirmed] = {}
        self._on_autopilot: dict[tuple[int, Seat], int] = {}
        """The message that tells an owner what the autopilot does."""

    async def deliver(
        self, snapshot: Snapshot, outbox_items: Sequence[OutboxItem], seat: Seat
    ) -> None:
        """Sends the owner of a seat their items."""
        player = snapshot.table.players[seat]
        rows = [row for row in outbox_items if row.seat == seat and row.kind in KINDS]
        while rows:
            sent = await self._tell(snapshot.table, player, snapshot.words, rows)
            # What was sent before a restart does not say what has happened since.
            newest = rows[-1].seq
            seq = next((each.seq for each in sent if _is_private_message(each)), newest)
            await self._tables.outbox.acknowledge(
                [row for row in rows if row.seq <= seq], sent=sent
            )
            rows = [row for row in rows if row.seq > seq]
        table = await self._tables.reader.get(snapshot.table.id)
        if table.is_over:
            self.forget(table.id)
            # One may have been sent after the last post.
            await self._end(snapshot.words, table, table.players[seat])

    def forget(self, table_id: int) -> None:
        """Nothing more is sent there."""
        kept: tuple[dict[tuple[int, Seat], Any], ...] = (self._confirmed, self._on_autopilot)
        for known in kept:
            for key in [each for each in known if each[0] == table_id]:
                del known[key]

    async def end(self, snapshot: Snapshot) -> None:
        """The game is over: the newest message of each seat says so, in place of what it said and
        of its buttons; older ones have lost theirs."""
        for player in snapshot.table.owners:
            await self._end(snapshot.words, snapshot.table, player)

    async def _end(self, words: Words, table: Table, player: Player) -> None:
        newest = await self._newest(table, player.seat)
        if newest is None or player.user is None:
            return
        own = await self._services.own(player.user, words)
        layout = self._messages.private_end(own, table)
        await self._cosmetics.attempt(
            table.id, partial(self._places.edit_direct, player.user, newest, layout)
        )

    async def _newest(self, table: Table, seat: Seat) -> int | None:
        numbers = self._tables.message_numbers
        return await numbers.newest(table.id, f"{PRIVATE_MESSAGE}{seat}")

    async def close_offers(self, snapshot: Snapshot, outbox_items: Sequence[OutboxItem]) -> None:
        """Remove buttons that would answer what can no longer be answered."""
        message_numbers = self._tables.message_numbers
        asked = await message_numbers.asking(snapshot.table.id)
        is_open = {decision.id for decision in snapshot.pending}
        closed = [row for row in asked if row.offer not in is_open]
        changes = []
        for row in closed:
            player = snapshot.table.players[row.seat]
            private = row.place not in home_of(snapshot.table).places
            words = snapshot.words
            if private and player.user is not None:
                words = await self._services.own(player.user, words)
            own = replace(snapshot, words=words, observer=row.seat)
            is_newest = private and row.message == await self._newest(snapshot.table, row.seat)
            presses = self._messages.closed_offer(own, row.offer, private=is_newest)
            changes.append(
                partial(
                    self._places.change_presses, snapshot.table, row.place, row.message, presses
                )
            )
        attempts = [self._cosmetics.attempt(snapshot.table.id, change) for change in changes]
        await asyncio.gather(*attempts)
        items = [row for row in outbox_items if row.kind is OutboxKind.ANSWERED]
        await message_numbers.answered(closed, items)

    async def _tell(
        self,
        table: Table,
        player: Player,
        words: Words,
        rows: Sequence[OutboxItem],
    ) -> list[SentMessage]:
        """Sends what the items ask for; returns what was sent now or earlier."""
        own = words if player.user is None else await self._services.own(player.user, words)
        snapshot = await self._services.snapshot(table.id, player.seat, own)
        if snapshot.table.players[player.seat].user != player.user:
            # They have resigned meanwhile: nothing concerns them any more.
            return []
        if snapshot.table.is_over:
            # The last post tells all.
            return []
        telling = rows
        if snapshot.text.public_hand:
            # Only the start is news, to those whom its post does not ping.
            wants_direct = self._tables.notifications.wants_direct
            if rows[0].seq or not await wants_direct(player):
                telling = [row for row in rows if row.kind is not OutboxKind.HAND]
        if not telling:
            return []
        heard = await self._heard(snapshot, player.seat, telling)
        # An open offer is announced by its question, any other not at all.
        made = {f"o{event.offer}" for event in heard if event.offer is not None}
        offers = [offer for offer in snapshot.offers(player.seat) if offer.id in made]
        answers: list[Pressable] = []
        if offers:
            answers = offer_answers(self._services, snapshot, player.seat, offers[-1])
        message = self._messages.private_message(
            snapshot,
            [event for event in heard if event.offer is None],
            offers,
            answers,
            hand=any(row.kind is OutboxKind.HAND for row in telling),
            by=self._by(snapshot, player, {row.kind for row in rows}),
        )
        if message is None or await self._confirm_anew(snapshot, player.seat, rows, message):
            return []
        sent = await self._send(snapshot, words, player, rows, message, offers)
        if sent and sent[0].numbered.begun_seq is not None and _is_private_message(sent[0]):
            # It was sent before a restart, perhaps with other buttons.
            presses = self._messages.private_buttons(snapshot, answers)
            place, number = sent[0].place, sent[0].message
            self._cosmetics.begin(
                table.id, lambda: self._places.change_presses(table, place, number, presses)
            )
        return sent

    def _by(self, snapshot: Snapshot, player: Player, kinds: Set[OutboxKind]) -> list[str]:
        """By what the seat acted without its owner."""
        lines = []
        if OutboxKind.ORDER in kinds:
            lines.append(snapshot.words(absence.BY_ORDER))
        if OutboxKind.PLAN in kinds and player.user is not None:
            name = self._tables.plans.played.get((snapshot.table.id, player.user))
            lines.append(played_itself(snapshot.words, None if name is None else Written(name)))
        return lines

    async def _send(
        self,
        snapshot: Snapshot,
        house: Words,
        player: Player,
        rows: Sequence[OutboxItem],
        message: Layout,
        offers: Sequence[Decision],
    ) -> list[SentMessage]:
        table, seq = snapshot.table, rows[-1].seq
        key = table.id, player.seat
        on_autopilot = table.players[player.seat].is_autopiloted
        known = self._on_autopilot.pop(key, None)
        if on_autopilot and known is not None and player.user is not None and not offers:
            try:
                await self._places.edit_direct(player.user, known, message)
            except discord.HTTPException as error:
                if not is_refusal(error):
                    raise
            else:
                self._on_autopilot[key] = known
                return []
        # An offer rings at the table, unless its receiver wants to be called by direct messages.
        direct = await self._tables.notifications.wants_direct(player)
        rings = (not offers or direct) and await self._rings(table, player, rows)
        try:
            sent = await self._places.send_direct(
                player,
                table.id,
                f"{PRIVATE_MESSAGE}{player.seat}",
                message,
                seq=seq,
                mark=CustomId("hand", table.id).encoded(),
                silent=not rings,
            )
        except Unreachable as error:
            # All can read what is said now.
            snapshot = replace(snapshot, words=house)
            said: list[SentMessage] = []
            is_public = error.closed and await self._is_public(snapshot.table.id, rows)
            if player.reachable and is_public:
                said += await self._blocked(snapshot, player)
            return said + await self._point(snapshot, player, offers)
        if on_autopilot:
            self._on_autopilot[key] = sent.message
        self._cosmetics.begin(table.id, partial(self._retire, table, sent))
        if offers:
            sent = structs.replace(sent, asks=(player.seat, offers[-1].id))
        chosen = _sealed(snapshot, player.seat)
        if chosen is not None:
            confirmed = Confirmed(chosen, sent.place, sent.message, on_whose_behalf())
            self._confirmed[table.id, player.seat] = confirmed
        if not player.reachable and player.user is not None:
            log.info("table=%s seat=%s takes direct messages again", table.id, player.seat)
            await self._tables.lobby.set_reachable(table.id, player.user, True)
        called = replace(snapshot, words=house)
        return [sent, *await self._point(called, player, offers, ring=not direct)]

    async def _retire(self, table: Table, sent: SentMessage) -> None:
        """The message before this one loses its buttons, unless they still answer an offer."""
        old = sent.numbered.newest
        if old is None or old == sent.message:
            return
        asking = await self._tables.message_numbers.asking(table.id)
        if all(row.message != old for row in asking):
            await self._places.change_presses(table, sent.place, old)

    async def _rings(self, table: Table, player: Player, rows: Sequence[OutboxItem]) -> bool:
        """Whether any of the items is news that nothing else rings for.

        What its owner did themselves is no news, nor is a hand that was changed openly. The last
        post of a game rings, and so does what tells them that it has become their turn.
        """
        if table.is_over or player.user is None:
            return False
        notifications = [
            each
            for each in await self._tables.notifications.at(table.id)
            if each.seat == player.seat and not each.over
        ]
        if any(not each.told for each in notifications):
            return False
        if any(row.kind in UNATTENDED for row in rows):
            return not any(map(self._tables.notifications.was_just_told, notifications))
        news = {row.seq for row in rows if row.kind is OutboxKind.PRIVATE}
        if await self._tables.notifications.wants_direct(player):
            # The post of the start pings everybody else.
            news |= {row.seq for row in rows if row.seq == 0}
        if not news:
            return False
        done = await self._tables.reader.done(table.id, min(news))
        called = max((each.seq for each in notifications), default=-1)
        return any(seq > called and done[seq].seat != player.seat for seq in news)

    async def _is_public(self, table: int, rows: Sequence[OutboxItem]) -> bool:
        """Whether everybody knows of a waiting item, and so may know that it waits.

        That there is an order or a plan they never know.
        """
        noticed = await self._tables.reader.noticed(table, min(row.seq for row in rows))
        return any(row.seq in noticed for row in rows if row.kind not in UNATTENDED)

    async def _confirm_anew(
        self,
        snapshot: Snapshot,
        seat: Seat,
        rows: Sequence[OutboxItem],
        message: Layout,
    ) -> bool:
        """Edits the confirmation of a sealed choice that was changed; False where it does not
        apply."""
        before = self._confirmed.pop((snapshot.table.id, seat), None)
        if before is None or before.fence != on_whose_behalf():
            return False
        if before.decision != _sealed(snapshot, seat):
            return False
        done = await self._tables.reader.done(snapshot.table.id, min(row.seq for row in rows))
        if any(done[row.seq].seat != seat for row in rows):
            return False
        self._confirmed[snapshot.table.id, seat] = before
        try:
            shown = await self._places.edit(snapshot.table, before.place, before.message, message)
        except discord.HTTPException as error:
            if not is_refusal(error):
                raise
            log.info(
                "table=%s seat=%s confirmed anew: code %s", snapshot.table.id, seat, error.code
            )
            return False
        return shown is not None

    async def _heard(
        self, snapshot: Snapshot, seat: Seat, rows: Sequence[OutboxItem]
    ) -> list[Event]:
        """What the entries of the items brought this seat: its secrets and its offers; where they
        changed its hand, what had to do with that."""
        heard: list[Event] = []
        for seq in sorted({row.seq for row in rows}):
            events = await self._tables.reader.events_of(snapshot.table.id, seq, seat)
            mine = [event for event in events if _names(event, seat)]
            kinds = {row.kind for row in rows if row.seq == seq}
            if kinds & UNATTENDED:
                heard += events
            elif OutboxKind.HAND in kinds:
                heard += mine or events
            else:
                heard += [event for event in mine if seat in event.only or event.offer is not None]
        return heard

    async def _blocked(self, snapshot: Snapshot, player: Player) -> list[SentMessage]:
        log.info("table=%s seat=%s takes no direct messages", snapshot.table.id, player.seat)
        if player.user is not None:
            await self._tables.lobby.set_reachable(snapshot.table.id, player.user, False)
        content = snapshot.words(general.UNREACHABLE, name=bold(snapshot.names[player.seat]))
        return await self._announce(snapshot.table, f"closed{player.seat}", content)

    async def _point(
        self,
        snapshot: Snapshot,
        player: Player,
        offers: Sequence[Decision],
        *,
        ring: bool = True,
    ) -> list[SentMessage]:
        """Calls somebody at the table, without the secret, to answer an offer."""
        said: list[SentMessage] = []
        for offer in offers:
            custom_id = CustomId("offer", snapshot.table.id, offer.id)
            answer = button(custom_id, snapshot.words(general.ANSWER_OFFER), style=Style.SUCCESS)
            mention = who.mentions(snapshot.words, snapshot.table)[offer.seat]
            called = snapshot.text.called(snapshot.words, offer.kind, [mention])
            sent = await self._announce(
                snapshot.table,
                f"offer{player.seat}",
                Layout([Text(f"{called}."), Row([answer])]),
                mark=custom_id.encoded(),
                player=player if ring else None,
            )
            said += [structs.replace(each, asks=(player.seat, offer.id)) for each in sent]
        return said

    async def _announce(
        self,
        table: Table,
        what: str,
        said: Said,
        *,
        mark: str | None = None,
        player: Player | None = None,
    ) -> list[SentMessage]:
        pinged = [player.user] if player and player.user else []
        try:
            sent = await self._places.send(
                table, what, said, mark=mark, pinged=pinged, in_vain=True
            )
        except (Nowhere, Closed):
            log.warning("table=%s has no place to be called to", table.id)
            return []
        return [sent]


def _is_private_message(sent: SentMessage) -> bool:
    return sent.numbered.what.startswith(PRIVATE_MESSAGE)


def _names(event: Event, seat: Seat) -> bool:
    """Whether the event is for this seat alone, or about it."""
    return seat in event.only or seat in event.named


def _sealed(snapshot: Snapshot, seat: Seat) -> str | None:
    """The sealed decision that the seat has made and may still change."""
    return next(
        (d.id for d in snapshot.pending if d.seat == seat and d.sealed and d.optional), None
    )
