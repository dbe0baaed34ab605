"""Direct messages with a player's private information: their hand, secrets, and offers to them.

There is one message per action. A changed sealed choice edits the message that confirmed the
earlier choice. A player who accepts no direct messages gets a notice at the table, without the
secret.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.posting.context import PostingContext, summary_parts, table_button
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
"""Items about actions that a seat took without its owner."""
PRIVATE_MESSAGE = "news"
"""Prefix of the message kind; the number of the seat follows."""


class LastMessage(NamedTuple):
    """The newest direct message that this process sent for a seat; it may still be edited."""

    place: int
    message: int
    chosen: str | None
    """The sealed decision that it confirmed. The choice may still change."""
    on_autopilot: bool
    """Whether it reports actions of the autopilot."""
    fence: object
    """The lease under which it was sent. After another lease it may not be the newest."""


class PrivateMessages:
    """Delivers private messages, seat by seat."""

    def __init__(self, posting: PostingContext) -> None:
        self._posting = posting
        self._tables = posting.tables
        self._sender = posting.sender
        self._last: dict[tuple[int, Seat], LastMessage] = {}

    async def deliver(self, table_view: TableView, items: Sequence[OutboxItem]) -> None:
        """Send the owner of a seat their items."""
        player = table_view.table.players[items[0].seat or 0]
        while items:
            sent = await self._deliver(table_view, player, items)
            # A message sent before a restart covers only the items up to its entry.
            seq = next((each.seq for each in sent if _is_private(each)), items[-1].seq)
            await self._tables.outbox.acknowledge(
                [row for row in items if row.seq <= seq], sent=sent
            )
            items = [row for row in items if row.seq > seq]
        table = await self._tables.reader.get(table_view.table.id)
        if table.is_over:
            self.forget(table.id)
            # This message may have come after the last post.
            await self._end(table_view.words, table, table.players[player.seat])

    def forget(self, table_id: int) -> None:
        """Forget the messages of a table that is over or deleted."""
        for key in [each for each in self._last if each[0] == table_id]:
            del self._last[key]

    async def end(self, table_view: TableView) -> None:
        """Replace the newest message of each seat with a notice that the game is over.

        Older messages have already lost their buttons.
        """
        for player in table_view.table.owners:
            await self._end(table_view.words, table_view.table, player)

    async def _end(self, words: Words, table: Table, player: Player) -> None:
        newest = await self._newest(table, player.seat)
        if newest is None or player.user is None:
            return
        own = await self._posting.services.user_words(player.user, words)
        over = Text(f"{bold(self._posting.services.heading(own, table))}\n{own(general.GAME_OVER)}")
        layout = Layout([over, Row([table_button(own, table)])])
        await self._posting.attempt(table.id, self._sender.edit_direct, player.user, newest, layout)

    async def _newest(self, table: Table, seat: Seat) -> int | None:
        newest = await self._tables.outbox.newest(table.id, f"{PRIVATE_MESSAGE}{seat}")
        return None if newest is None else newest.message

    async def close_offers(self, table_view: TableView, items: Sequence[OutboxItem]) -> None:
        """Remove the buttons of offers that are no longer open."""
        table, outbox = table_view.table, self._tables.outbox
        is_open = {decision.id for decision in table_view.pending}
        asked = await outbox.asking(table.id)
        closed = [row for row in asked if row.offer not in is_open]
        changes = []
        for row in closed:
            user, words = table.players[row.seat].user, table_view.words
            private = row.place not in home_of(table).places
            if private and user is not None:
                words = await self._posting.services.user_words(user, words)
            offer = CustomId("offer", table.id, row.offer)
            buttons: list[Control] = [button(offer, words("Closed"), disabled=True)]
            if private and row.message == await self._newest(table, row.seat):
                buttons = _buttons(words, table, row.seat, buttons)
            change = self._sender.replace_buttons
            changes.append(
                self._posting.attempt(table.id, change, table, row.place, row.message, buttons)
            )
        await asyncio.gather(*changes)
        await outbox.acknowledge(items, answered=closed)

    async def _deliver(
        self, public_view: TableView, player: Player, items: Sequence[OutboxItem]
    ) -> list[SentMessage]:
        """Send the message for the items. Return the messages sent now or in an earlier attempt."""
        table_words, user, seat = public_view.words, player.user, player.seat
        words = (
            table_words
            if user is None
            else await self._posting.services.user_words(user, table_words)
        )
        table_view = await self._posting.services.table_view(public_view.table.id, seat, words)
        if table_view.table.players[seat].user != user or table_view.table.is_over:
            # The player has resigned, or the last post reveals everything.
            return []
        relevant = items
        if table_view.text.public_hand:
            # A public hand is worth a message only at the start, if the post does not ping.
            wants_direct = self._tables.notifications.wants_direct
            if items[0].seq or not await wants_direct(player):
                relevant = [row for row in items if row.kind is not OutboxKind.HAND]
        if not relevant:
            return []
        first = min(row.seq for row in items)
        entries = {each.seq: each for each in await self._tables.reader.entries(table_view, first)}
        events = _private_events(entries, relevant, seat)
        # An open offer shows its question instead of its event; a closed one shows nothing.
        new_offers = {f"o{event.offer}" for event in events if event.offer is not None}
        offers = [offer for offer in table_view.offers(seat) if offer.id in new_offers]
        answers: list[Control] = []
        if offers:
            moves = OpenMoves(self._posting.services, table_view, seat)
            answers += moves.answer_buttons(offers[-1])
        summary = table_view.summary([each for each in events if each.offer is None])
        causes = self._causes(table_view, player, items)
        asked = [*table_view.promise_lines(), *map(table_view.offer, offers)] if offers else []
        hand = ""
        if any(row.kind is OutboxKind.HAND for row in relevant):
            hand = table_view.text.hand()
        if not (summary.lines or asked or hand or causes):
            return []
        head = "\n".join([bold(self._posting.services.heading(words, table_view.table)), *causes])
        buttons = _buttons(words, table_view.table, seat, answers)
        message = Layout(
            [
                *summary_parts(table_view, summary, head),
                Text("\n".join(asked), Keep.BEGINNING),
                Text(hand),
                *rows(buttons),
            ]
        )
        if await self._edit_last(table_view, items, entries, message, offers):
            return []
        sent = await self._send(table_view, table_words, items, entries, message, offers)
        if sent and sent[0].numbered.begun_seq is not None and _is_private(sent[0]):
            # It was sent before a restart, perhaps with other buttons.
            table, place, number = table_view.table, sent[0].place, sent[0].message
            self._posting.tidy(
                table.id, self._sender.replace_buttons, table, place, number, buttons
            )
        return sent

    def _causes(
        self, table_view: TableView, player: Player, items: Sequence[OutboxItem]
    ) -> list[str]:
        """Return lines that say why the seat acted without its owner."""
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

    async def _edit_last(
        self,
        table_view: TableView,
        items: Sequence[OutboxItem],
        entries: Mapping[int, Entry],
        message: Layout,
        offers: Sequence[Decision],
    ) -> bool:
        """Edit the last message if a sealed choice has changed, or the autopilot acts again.

        Return whether it was edited.
        """
        table, seat = table_view.table, table_view.observer
        last = self._last.pop((table.id, seat), None)
        if last is None or last.fence != current_fence():
            return False
        is_changed = last.chosen is not None and last.chosen == _sealed(table_view, seat)
        is_changed = is_changed and all(entries[row.seq].seat == seat for row in items)
        on_autopilot = last.on_autopilot and table.players[seat].is_autopiloted and not offers
        if not (is_changed or on_autopilot):
            return False
        # Store it before the edit, so that a retry after an error edits it too.
        self._last[table.id, seat] = last
        return await self._sender.edit(table, last.place, last.message, message) is not None

    async def _send(
        self,
        table_view: TableView,
        table_words: Words,
        items: Sequence[OutboxItem],
        entries: Mapping[int, Entry],
        message: Layout,
        offers: Sequence[Decision],
    ) -> list[SentMessage]:
        table, seat = table_view.table, table_view.observer
        player = table.players[seat]
        # An offer pings at the table, unless the player wants direct messages.
        direct = await self._tables.notifications.wants_direct(player)
        pings = (not offers or direct) and await self._should_ping(
            player, table, items, entries, direct=direct
        )
        # Everyone reads messages at the table: use the table's language.
        public = replace(table_view, words=table_words)
        new = NewMessage(
            table=table,
            kind=f"{PRIVATE_MESSAGE}{seat}",
            content=message,
            seq=items[-1].seq,
            button_id=CustomId("hand", table.id).encoded(),
            to=player,
            silent=not pings,
        )
        try:
            sent = await self._sender.send(new)
        except Unreachable as error:
            # The notice must not reveal a standing order, a plan or a secret action.
            attended = [row for row in items if row.kind not in UNATTENDED]
            is_public, notices = any(entries[row.seq].is_public for row in attended), []
            if player.reachable and error.closed and is_public:
                log.info("direct messages off table=%s seat=%s", table.id, seat)
                if player.user is not None:
                    await self._tables.lobby.set_reachable(table.id, player.user, False)
                line = table_words(general.UNREACHABLE, name=bold(public.names[seat]))
                notices = await self._post(table, f"closed{seat}", line)
            return notices + await self._post_offers(public, player, offers, ping=True)
        assert sent is not None
        self._posting.tidy(table.id, self._retire, table, sent)
        if offers:
            sent = structs.replace(sent, asks=(seat, offers[-1].id))
        chosen = _sealed(table_view, seat)
        self._last[table.id, seat] = LastMessage(
            sent.place, sent.message, chosen, player.is_autopiloted, current_fence()
        )
        if not player.reachable and player.user is not None:
            log.info("direct messages on again table=%s seat=%s", table.id, seat)
            await self._tables.lobby.set_reachable(table.id, player.user, True)
        return [sent, *await self._post_offers(public, player, offers, ping=not direct)]

    async def _retire(self, table: Table, sent: SentMessage) -> None:
        """Remove the buttons of the message before this one, unless they answer an open offer."""
        old = sent.numbered.newest
        if old is None or old == sent.message:
            return
        asking = await self._tables.outbox.asking(table.id)
        if all(row.message != old for row in asking):
            await self._sender.replace_buttons(table, sent.place, old)

    async def _should_ping(
        self,
        player: Player,
        table: Table,
        items: Sequence[OutboxItem],
        entries: Mapping[int, Entry],
        *,
        direct: bool,
    ) -> bool:
        """Return whether any of the items needs a ping from this message.

        The owner's own actions and public changes of the hand need none. The last post of the game
        and the notification about a turn ping themselves.
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
        # The post of the start pings the players who do not want direct messages.
        seqs = {
            row.seq for row in items if row.kind is OutboxKind.PRIVATE or (direct and row.seq == 0)
        }
        notified = max((each.seq for each in notifications), default=-1)
        return any(seq > notified and entries[seq].seat != player.seat for seq in seqs)

    async def _post_offers(
        self, table_view: TableView, player: Player, offers: Sequence[Decision], *, ping: bool
    ) -> list[SentMessage]:
        """Post a notice at the table for each offer, without its content."""
        table, words, posted = table_view.table, table_view.words, list[SentMessage]()
        for offer in offers:
            answer = button(
                CustomId("offer", table.id, offer.id),
                words("Answer the offer"),
                style=Style.SUCCESS,
            )
            mention = mentions_of(words, table)[offer.seat]
            text = table_view.text.called(offer.kind, [mention])
            sent = await self._post(
                table,
                f"offer{player.seat}",
                Layout([Text(f"{text}."), Row([answer])]),
                button_id=answer.custom_id,
                pinged=[player.user] if ping and player.user else [],
            )
            posted += [structs.replace(each, asks=(player.seat, offer.id)) for each in sent]
        return posted

    async def _post(
        self,
        table: Table,
        kind: str,
        content: Content,
        *,
        button_id: str | None = None,
        pinged: Sequence[int] = (),
    ) -> list[SentMessage]:
        new = NewMessage(
            table=table,
            kind=kind,
            content=content,
            button_id=button_id,
            pinged=pinged,
            dm_tried=True,
            is_optional=True,
        )
        sent = await self._sender.send(new)
        return [] if sent is None else [sent]


def _buttons(words: Words, table: Table, seat: Seat, answers: Sequence[Control]) -> list[Control]:
    """Return the buttons of a private message: answers to an offer, the hand, the table."""
    is_autopiloted = table.players[seat].is_autopiloted
    back = [take_back_button(words, table.id)] if is_autopiloted else []
    hand = button(CustomId("hand", table.id), words(general.MY_HAND))
    return [*answers, *back, hand, table_button(words, table)]


def _private_events(
    entries: Mapping[int, Entry], items: Sequence[OutboxItem], seat: Seat
) -> list[Event]:
    """Return the events of the items for this seat: its secrets, its offers, and the events that
    changed its hand."""
    selected: list[Event] = []
    for seq in sorted({row.seq for row in items}):
        events = entries[seq].events
        own = [event for event in events if seat in event.only or seat in event.named]
        kinds = {row.kind for row in items if row.seq == seq}
        if kinds & UNATTENDED:
            selected += events
        elif OutboxKind.HAND in kinds:
            selected += own or events
        else:
            selected += [event for event in own if seat in event.only or event.offer is not None]
    return selected


def _is_private(sent: SentMessage) -> bool:
    return sent.numbered.kind.startswith(PRIVATE_MESSAGE)


def _sealed(table_view: TableView, seat: Seat) -> str | None:
    """Return the id of the sealed decision that the seat has made and may still change."""
    return next(
        (d.id for d in table_view.pending if d.seat == seat and d.sealed and d.optional), None
    )
