"""Messages for one person alone: their hand, their secrets, offers made to them.

Sent as direct messages, one per action; a changed sealed choice is edited into the message that
confirmed the former one. Whoever accepts no direct messages is told at the table, without the
secret, that there is something to look at.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.posting.context import PostingContext, happened, table_button
from bot.cogs.ui import (
    Content,
    Control,
    CustomId,
    Keep,
    Layout,
    NewMessage,
    Row,
    TableView,
    Text,
    Unreachable,
    button,
    home_of,
    mentions_of,
    rows,
    take_back_button,
)
from bot.game.contract import Decision, Event, Seat
from bot.game.log import Entry
from bot.tables import OutboxItem, OutboxKind, Player, SentMessage, Table, current_fence
from bot.text import Style, Words, Written, bold, general

log = logging.getLogger(__name__)

UNATTENDED = {OutboxKind.ORDER, OutboxKind.PLAN}
"""What a seat did without its owner."""
PRIVATE_MESSAGE = "news"
"""The prefix of their kind among a table's messages, before the number of the seat."""


class Known(NamedTuple):
    """A seat's newest direct message, as this process sent it, which may be edited to tell more."""

    place: int
    message: int
    chosen: str | None
    """The sealed choice that it confirmed, which may be changed."""
    on_autopilot: bool
    """Whether it tells what the autopilot does."""
    fence: object
    """The lease under which it was sent: under another one, others may have sent one since."""


class PrivateMessages:
    """Delivers private messages, seat by seat."""

    def __init__(self, posting: PostingContext) -> None:
        self._posting = posting
        self._services = posting.services
        self._tables = posting.tables
        self._places = posting.places
        self._known: dict[tuple[int, Seat], Known] = {}

    async def deliver(self, table_view: TableView, items: Sequence[OutboxItem]) -> None:
        """Sends the owner of a seat their items."""
        player = table_view.table.players[items[0].seat or 0]
        while items:
            sent = await self._tell(table_view, player, items)
            # What was sent before a restart does not say what has happened since.
            seq = next((each.seq for each in sent if _is_private(each)), items[-1].seq)
            await self._tables.outbox.acknowledge(
                [row for row in items if row.seq <= seq], sent=sent
            )
            items = [row for row in items if row.seq > seq]
        table = await self._tables.reader.get(table_view.table.id)
        if table.is_over:
            self.forget(table.id)
            # One may have been sent after the last post.
            await self._end(table_view.words, table, table.players[player.seat])

    def forget(self, table_id: int) -> None:
        """Nothing more is sent there."""
        for key in [each for each in self._known if each[0] == table_id]:
            del self._known[key]

    async def end(self, table_view: TableView) -> None:
        """The game is over: the newest message of each seat says so, in place of what it said and
        of its buttons; older ones have lost theirs."""
        for player in table_view.table.owners:
            await self._end(table_view.words, table_view.table, player)

    async def _end(self, words: Words, table: Table, player: Player) -> None:
        newest = await self._newest(table, player.seat)
        if newest is None or player.user is None:
            return
        own = await self._services.user_words(player.user, words)
        over = Text(f"{bold(self._posting.services.heading(own, table))}\n{own(general.GAME_OVER)}")
        layout = Layout([over, Row([table_button(own, table)])])
        await self._posting.attempt(table.id, self._places.edit_direct, player.user, newest, layout)

    async def _newest(self, table: Table, seat: Seat) -> int | None:
        newest = await self._tables.outbox.newest(table.id, f"{PRIVATE_MESSAGE}{seat}")
        return None if newest is None else newest.message

    async def close_offers(self, table_view: TableView, items: Sequence[OutboxItem]) -> None:
        """Remove buttons that would answer what can no longer be answered."""
        table, outbox = table_view.table, self._tables.outbox
        is_open = {decision.id for decision in table_view.pending}
        asked = await outbox.asking(table.id)
        closed = [row for row in asked if row.offer not in is_open]
        changes = []
        for row in closed:
            user, words = table.players[row.seat].user, table_view.words
            private = row.place not in home_of(table).places
            if private and user is not None:
                words = await self._services.user_words(user, words)
            offer = CustomId("offer", table.id, row.offer)
            presses: list[Control] = [button(offer, words("Closed"), disabled=True)]
            if private and row.message == await self._newest(table, row.seat):
                presses = _buttons(words, table, row.seat, presses)
            change = self._places.replace_buttons
            changes.append(
                self._posting.attempt(table.id, change, table, row.place, row.message, presses)
            )
        await asyncio.gather(*changes)
        await outbox.acknowledge(items, answered=closed)

    async def _tell(
        self, spectators: TableView, player: Player, items: Sequence[OutboxItem]
    ) -> list[SentMessage]:
        """Sends what the items ask for; returns what was sent now or earlier."""
        house, user, seat = spectators.words, player.user, player.seat
        words = house if user is None else await self._services.user_words(user, house)
        table_view = await self._services.table_view(spectators.table.id, seat, words)
        if table_view.table.players[seat].user != user or table_view.table.is_over:
            # They have resigned meanwhile, or the last post tells all.
            return []
        telling = items
        if table_view.text.public_hand:
            # Only the start is news, to those whom its post does not ping.
            wants_direct = self._tables.notifications.wants_direct
            if items[0].seq or not await wants_direct(player):
                telling = [row for row in items if row.kind is not OutboxKind.HAND]
        if not telling:
            return []
        first = min(row.seq for row in items)
        done = {each.seq: each for each in await self._tables.reader.entries(table_view, first)}
        heard = _heard(done, telling, seat)
        # An open offer is announced by its question, any other not at all.
        made = {f"o{event.offer}" for event in heard if event.offer is not None}
        offers = [offer for offer in table_view.offers(seat) if offer.id in made]
        answers: list[Control] = []
        if offers:
            moves = OpenMoves(self._services, table_view, seat)
            answers += moves.answer_buttons(offers[-1])
        summary = table_view.summary([each for each in heard if each.offer is None])
        by = self._by(table_view, player, items)
        asked = [*table_view.promise_lines(), *map(table_view.offer, offers)] if offers else []
        hand = ""
        if any(row.kind is OutboxKind.HAND for row in telling):
            hand = table_view.text.hand()
        if not (summary.lines or asked or hand or by):
            return []
        head = "\n".join([bold(self._posting.services.heading(words, table_view.table)), *by])
        presses = _buttons(words, table_view.table, seat, answers)
        message = Layout(
            [
                *happened(table_view, summary, head),
                Text("\n".join(asked), Keep.BEGINNING),
                Text(hand),
                *rows(presses),
            ]
        )
        if await self._edit_known(table_view, items, done, message, offers):
            return []
        sent = await self._send(table_view, house, items, done, message, offers)
        if sent and sent[0].numbered.begun_seq is not None and _is_private(sent[0]):
            # It was sent before a restart, perhaps with other buttons.
            table, place, number = table_view.table, sent[0].place, sent[0].message
            self._posting.tidy(
                table.id, self._places.replace_buttons, table, place, number, presses
            )
        return sent

    def _by(self, table_view: TableView, player: Player, items: Sequence[OutboxItem]) -> list[str]:
        """By what the seat acted without its owner."""
        lines, kinds = [], {row.kind for row in items}
        if OutboxKind.ORDER in kinds:
            lines.append(table_view.words("📌 Automatic answer:"))
        if OutboxKind.PLAN in kinds and player.user is not None:
            name = self._tables.plans.played.get((table_view.table.id, player.user))
            words = table_view.words
            played = words("🧭 Your plan was played automatically:")
            if name is not None:
                played = words(
                    "🧭 Your plan {name} was played automatically:", name=bold(Written(name))
                )
            lines.append(played)
        return lines

    async def _edit_known(
        self,
        table_view: TableView,
        items: Sequence[OutboxItem],
        done: Mapping[int, Entry],
        message: Layout,
        offers: Sequence[Decision],
    ) -> bool:
        """Edits what was sent before of a sealed choice that was changed, or of what the autopilot
        does; False where there is none that can be edited."""
        table, seat = table_view.table, table_view.observer
        known = self._known.pop((table.id, seat), None)
        if known is None or known.fence != current_fence():
            return False
        is_changed = known.chosen is not None and known.chosen == _sealed(table_view, seat)
        is_changed = is_changed and all(done[row.seq].seat == seat for row in items)
        on_autopilot = known.on_autopilot and table.players[seat].is_autopiloted and not offers
        if not (is_changed or on_autopilot):
            return False
        # Before it is edited: where that fails, it is edited at the next try.
        self._known[table.id, seat] = known
        return await self._places.edit(table, known.place, known.message, message) is not None

    async def _send(
        self,
        table_view: TableView,
        house: Words,
        items: Sequence[OutboxItem],
        done: Mapping[int, Entry],
        message: Layout,
        offers: Sequence[Decision],
    ) -> list[SentMessage]:
        table, seat = table_view.table, table_view.observer
        player = table.players[seat]
        # An offer rings at the table, unless its receiver wants to be called by direct messages.
        direct = await self._tables.notifications.wants_direct(player)
        rings = (not offers or direct) and await self._rings(
            player, table, items, done, direct=direct
        )
        # All can read what is said at the table.
        public = replace(table_view, words=house)
        new = NewMessage(
            table=table,
            what=f"{PRIVATE_MESSAGE}{seat}",
            content=message,
            seq=items[-1].seq,
            mark=CustomId("hand", table.id).encoded(),
            to=player,
            silent=not rings,
        )
        try:
            sent = await self._places.send(new)
        except Unreachable as error:
            # That there is an order or a plan all others never know, nor that what they have not
            # noticed waits.
            open_ = [row for row in items if row.kind not in UNATTENDED]
            is_public, content = any(done[row.seq].is_public for row in open_), []
            if player.reachable and error.closed and is_public:
                log.info("direct messages off table=%s seat=%s", table.id, seat)
                if player.user is not None:
                    await self._tables.lobby.set_reachable(table.id, player.user, False)
                line = house(general.UNREACHABLE, name=bold(public.names[seat]))
                content = await self._announce(table, f"closed{seat}", line)
            return content + await self._point(public, player, offers, ring=True)
        assert sent is not None
        self._posting.tidy(table.id, self._retire, table, sent)
        if offers:
            sent = structs.replace(sent, asks=(seat, offers[-1].id))
        chosen = _sealed(table_view, seat)
        self._known[table.id, seat] = Known(
            sent.place, sent.message, chosen, player.is_autopiloted, current_fence()
        )
        if not player.reachable and player.user is not None:
            log.info("direct messages on again table=%s seat=%s", table.id, seat)
            await self._tables.lobby.set_reachable(table.id, player.user, True)
        return [sent, *await self._point(public, player, offers, ring=not direct)]

    async def _retire(self, table: Table, sent: SentMessage) -> None:
        """The message before this one loses its buttons, unless they still answer an offer."""
        old = sent.numbered.newest
        if old is None or old == sent.message:
            return
        asking = await self._tables.outbox.asking(table.id)
        if all(row.message != old for row in asking):
            await self._places.replace_buttons(table, sent.place, old)

    async def _rings(
        self,
        player: Player,
        table: Table,
        items: Sequence[OutboxItem],
        done: Mapping[int, Entry],
        *,
        direct: bool,
    ) -> bool:
        """Whether any of the items is news that nothing else rings for.

        What its owner did themselves is no news, nor is a hand that was changed openly. The last
        post of a game rings, and so does what tells them that it has become their turn.
        """
        if player.user is None:
            return False
        notifications = [
            each
            for each in await self._tables.notifications.of_table(table.id)
            if each.seat == player.seat and not each.over
        ]
        if any(not each.told for each in notifications):
            return False
        if any(row.kind in UNATTENDED for row in items):
            return not any(map(self._tables.notifications.was_just_pinged, notifications))
        # The post of the start pings all but those who want direct messages.
        news = {
            row.seq for row in items if row.kind is OutboxKind.PRIVATE or (direct and row.seq == 0)
        }
        called = max((each.seq for each in notifications), default=-1)
        return any(seq > called and done[seq].seat != player.seat for seq in news)

    async def _point(
        self, table_view: TableView, player: Player, offers: Sequence[Decision], *, ring: bool
    ) -> list[SentMessage]:
        """Calls somebody at the table, without the secret, to answer an offer."""
        table, words, content = table_view.table, table_view.words, list[SentMessage]()
        for offer in offers:
            answer = button(
                CustomId("offer", table.id, offer.id),
                words("Answer the offer"),
                style=Style.SUCCESS,
            )
            mention = mentions_of(words, table)[offer.seat]
            called = table_view.text.called(offer.kind, [mention])
            sent = await self._announce(
                table,
                f"offer{player.seat}",
                Layout([Text(f"{called}."), Row([answer])]),
                mark=answer.custom_id,
                pinged=[player.user] if ring and player.user else [],
            )
            content += [structs.replace(each, asks=(player.seat, offer.id)) for each in sent]
        return content

    async def _announce(
        self,
        table: Table,
        what: str,
        content: Content,
        *,
        mark: str | None = None,
        pinged: Sequence[int] = (),
    ) -> list[SentMessage]:
        new = NewMessage(
            table=table,
            what=what,
            content=content,
            mark=mark,
            pinged=pinged,
            in_vain=True,
            is_optional=True,
        )
        sent = await self._places.send(new)
        return [] if sent is None else [sent]


def _buttons(words: Words, table: Table, seat: Seat, answers: Sequence[Control]) -> list[Control]:
    """The buttons under a private message: answers to an offer, the hand, the table."""
    is_played_for = table.players[seat].is_autopiloted
    back = [take_back_button(words, table.id)] if is_played_for else []
    hand = button(CustomId("hand", table.id), words(general.MY_HAND))
    return [*answers, *back, hand, table_button(words, table)]


def _heard(done: Mapping[int, Entry], items: Sequence[OutboxItem], seat: Seat) -> list[Event]:
    """What the entries of the items brought this seat: its secrets and its offers; where they
    changed its hand, what had to do with that."""
    heard: list[Event] = []
    for seq in sorted({row.seq for row in items}):
        events = done[seq].events
        mine = [event for event in events if seat in event.only or seat in event.named]
        kinds = {row.kind for row in items if row.seq == seq}
        if kinds & UNATTENDED:
            heard += events
        elif OutboxKind.HAND in kinds:
            heard += mine or events
        else:
            heard += [event for event in mine if seat in event.only or event.offer is not None]
    return heard


def _is_private(sent: SentMessage) -> bool:
    return sent.numbered.what.startswith(PRIVATE_MESSAGE)


def _sealed(table_view: TableView, seat: Seat) -> str | None:
    """The sealed decision that the seat has made and may still change."""
    return next(
        (d.id for d in table_view.pending if d.seat == seat and d.sealed and d.optional), None
    )
