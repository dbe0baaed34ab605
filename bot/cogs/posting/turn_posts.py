"""The posts of turns: a table's newest one is edited as long as it holds, then there is another.

What all can see changes only with what all may know.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any, cast

from bot.cogs.panel.open_moves import open_kinds
from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.posting.game_over import GameOverPosts
from bot.cogs.posting.messages import Messages, PostText
from bot.cogs.posting.notifications import Notifier
from bot.cogs.ui.channels import Nowhere, Places
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Control, Image, Layout, attached_to
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Picture, Snapshot
from bot.cogs.ui.status_lines import status_lines
from bot.game.contract import END, Event, Seat
from bot.game.events import GameEnded
from bot.render import png
from bot.tables import OutboxItem, Player, Status, Table
from bot.tables.core.cache import LoadedTable
from bot.tables.core.log import MATTERS
from bot.tables.core.unit_of_work import on_whose_behalf
from bot.tables.notifications import Notification
from bot.text import general
from bot.text.words import Words

log = logging.getLogger(__name__)

POST = "post"
"""The kind under which posts are numbered."""
COMPUTERS_TIME = 2.0
"""Seconds that a post waits for computer players who are about to act."""
REMEMBERED = 1024
"""Posts that are remembered, to be edited during their turn; of older ones another is posted."""
Stands = tuple[str, list[dict[str, Any]]]
"""The text and the components that a message shows."""


@dataclass
class Posted:
    """The newest public panel of a table, as this process posted it."""

    place: int
    message: int
    text: PostText
    image: Image | None
    """Its picture, as what stays at the message; None where that shows none."""
    drawn: bytes
    """The print of the picture that it was to show; empty for none."""
    awaited: frozenset[Seat]
    shown: int
    """The log entry up to which the message tells."""
    holds: int
    """The log entry up to which nothing was done that ends its turn."""
    stands: Stands
    words: Words
    editing: asyncio.Task[None] | None = None
    """The edit of it that is on its way."""
    is_unsure: bool = False
    """Whether an edit of it has been dropped, of which nobody knows whether it got through."""
    edited_at: float = 0.0
    """When it was edited last, in seconds of the loop's clock."""
    fence: object = field(default_factory=on_whose_behalf)
    """The lease under which it was posted: under another one, others may have posted since."""


class TurnPosts:
    """Posts the turns of tables. `pause` is how many seconds pass between two edits at least;
    `edited` is told of a table once an edit has ended."""

    def __init__(
        self,
        services: Services,
        places: Places,
        notifier: Notifier,
        closing: GameOverPosts,
        cosmetics: Cosmetics,
        pause: float,
        edited: Callable[[int], None],
    ) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._notifier = notifier
        self._closing = closing
        self._messages = Messages(services)
        self._cosmetics = cosmetics
        self._pause = pause
        self._edited = edited
        self._posted: OrderedDict[int, Posted] = OrderedDict()
        self._held: dict[int, float] = {}

    def newest(self, table_id: int) -> Posted | None:
        """The newest post of a table, if this process posted it."""
        posted = self._posted.get(table_id)
        return posted if posted is not None and posted.fence == on_whose_behalf() else None

    def forget(self, table_id: int) -> None:
        """Nothing more is posted there."""
        self._posted.pop(table_id, None)
        self._held.pop(table_id, None)

    def draw_ahead(self, after: LoadedTable) -> str | None:
        """Begins the picture of the next post of a table, which is just being stored, where one
        will be sent at once; returns the kind of that message, or None."""
        posted, table = self._posted.get(after.table.id), after.table
        if posted is None or after.now is None:
            return None
        awaited = {seat for seat, _kind in after.now.awaited()}
        people = awaited.intersection(player.seat for player in table.humans)
        goes_on = len(posted.awaited) == 1 and awaited == posted.awaited
        if table.is_over or (people and not goes_on):
            self._services.draw_ahead(after, posted.words)
            return POST
        return None

    def retry_after(self, snapshot: Snapshot) -> float | None:
        """How long to wait for computer players, so that their moves come in one post."""
        playing = snapshot.table.status is Status.PLAYING
        if not playing or not _only_computers(snapshot):
            self._held.pop(snapshot.table.id, None)
            return None
        now = asyncio.get_running_loop().time()
        since = self._held.setdefault(snapshot.table.id, now)
        left = since + COMPUTERS_TIME - now
        if left > 0:
            return left
        del self._held[snapshot.table.id]
        return None

    async def post(
        self, snapshot: Snapshot, rows: Sequence[OutboxItem], events: Sequence[Event]
    ) -> float | None:
        """Posts the table as it is, and retires the post before. Returns in how many seconds to try
        again, or None. Raises Closed."""
        table = await self._with_thread(snapshot)
        since = table.posted_seq
        # The message is numbered, and what it says is found, while the picture is drawn.
        numbered, picture, (notifications, pinged, text), presses = await asyncio.gather(
            self._places.number(table.id, POST, snapshot.seq),
            self._services.picture(snapshot, since, events),
            self._addressed(snapshot, table, events),
            self._presses(snapshot),
        )
        image = picture and picture.image()
        if table.is_over:
            result = await self._closing.result(snapshot)
            layout = self._messages.end(snapshot, text, image, *result)
        else:
            layout = self._messages.post(snapshot, text, image, presses)
        try:
            sent = await self._places.send(
                table,
                numbered,
                layout,
                seq=snapshot.seq,
                mark=CustomId("board", table.id).encoded(),
                pinged=pinged,
            )
        except Nowhere:
            # There is nowhere to post it; the game goes on for those who play by direct message.
            log.warning("table=%s has neither thread nor channel; it stays silent", table.id)
            await self._tables.outbox.acknowledge(
                rows, table_id=table.id, posted_seq=snapshot.seq, notified=()
            )
            return None
        seq, place = sent.seq, sent.place
        old = self.newest(table.id)
        self._posted.pop(table.id, None)
        if table.panel_message is not None and table.panel_message != sent.message:
            self._cosmetics.run(table.id, self._retire(snapshot, table, old))
        log.info("posted table=%s after=%s to=%s message=%s", table.id, since, seq, sent.message)
        await self._tables.outbox.acknowledge(
            [row for row in rows if row.seq <= seq],
            table_id=table.id,
            posted_seq=seq,
            panel_message=sent.message,
            thread=None if place == (table.thread or table.channel) else place,
            sent=[sent],
            notified=[notification for notification in notifications if notification.seq <= seq],
        )
        if seq < snapshot.seq:
            # An earlier attempt had sent it without noting that; what happened since comes next.
            return 0.0
        if table.is_over:
            return None
        kept = _kept(image, sent.attached)
        if kept is None:
            # Where it may not attach the picture, the words alone were sent.
            layout = self._messages.post(snapshot, text, None, await self._presses(snapshot))
        self._posted[table.id] = Posted(
            place=place,
            message=sent.message,
            text=text,
            image=kept,
            drawn=_print(picture),
            awaited=frozenset(_seats(snapshot)),
            shown=snapshot.seq,
            holds=snapshot.seq,
            stands=_stands(layout),
            words=snapshot.words,
        )
        if len(self._posted) > REMEMBERED:
            self._posted.popitem(last=False)
        return None

    async def _with_thread(self, snapshot: Snapshot) -> Table:
        """The table; before its first post it gets a thread of its own, where that is allowed."""
        table = snapshot.table
        if table.panel_message is not None or table.thread is not None or table.is_over:
            return table
        game = snapshot.words(snapshot.text.title)
        name = snapshot.words(general.THREAD_NAME, game=game, table=table.id)
        thread = await self._places.make_thread(table, name)
        if thread is None:
            return table
        await self._tables.outbox.acknowledge((), table_id=table.id, thread=thread)
        return await self._tables.reader.get(table.id)

    async def _addressed(
        self, snapshot: Snapshot, table: Table, events: Sequence[Event]
    ) -> tuple[Sequence[Notification], list[int], PostText]:
        """Whom a post pings, and what it says; also who of them was found to have left."""
        notifications, pinged = await self._pinged(snapshot, table)
        return notifications, pinged, await self._text(snapshot, table, events)

    async def _text(self, snapshot: Snapshot, table: Table, events: Sequence[Event]) -> PostText:
        """What a post says."""
        lines = await status_lines(self._services, snapshot)
        if table.is_over:
            # The result says below how the game ended.
            events = [event for event in events if not isinstance(event, GameEnded)]
        return self._messages.turn(snapshot, events, thread=table.thread, status_lines=lines)

    async def _pinged(
        self, snapshot: Snapshot, table: Table
    ) -> tuple[Sequence[Notification], list[int]]:
        """The notifications that a post delivers, and whom it pings."""
        notifications = [] if table.is_over else await self._notifier.to_notify(snapshot)
        pinged = [notification.user for notification in notifications]
        if table.posted_seq < 0 or table.is_over:
            # At a start their hand rings those who want direct messages.
            pinged = [
                player.user
                for player in table.owners
                if player.user is not None
                and (table.is_over or not await self._tables.notifications.wants_direct(player))
            ]
        return notifications, pinged

    async def _presses(self, snapshot: Snapshot) -> Sequence[Control]:
        if snapshot.table.is_over:
            return ()
        return self._messages.buttons(snapshot, deals=self._deals(snapshot))

    async def _retire(self, snapshot: Snapshot, table: Table, old: Posted | None) -> None:
        """The previous panel loses its buttons, and what held only while it was the newest."""
        place, message = table.thread or table.channel, table.panel_message
        assert message is not None
        if old is not None and old.editing is not None:
            await asyncio.wait([old.editing])
        if old is None or old.is_unsure:
            fetch = partial(self._places.change_presses, table, place, message)
            await self._cosmetics.attempt(table.id, fetch)
            return
        layout = self._messages.retired(snapshot, old.text, old.image)
        edit = partial(self._places.edit, table, old.place, old.message, layout)
        await self._cosmetics.attempt(table.id, edit)

    async def progress(
        self, snapshot: Snapshot, events: Sequence[Event], *, anew: bool
    ) -> float | None:
        """Within a turn: the newest panel says and shows what has been done.

        It is edited `anew` though nothing was done where its status lines have changed.
        """
        posted = self.newest(snapshot.table.id)
        if posted is None or snapshot.table.is_over or (posted.shown >= snapshot.seq and not anew):
            return None
        if _only_computers(snapshot) or (posted.editing is not None and not posted.editing.done()):
            return None
        now = asyncio.get_running_loop().time()
        left = posted.edited_at + self._pause - now
        if left > 0:
            return left
        presses = await self._presses(snapshot)
        text = self._messages.progress(
            snapshot, posted.text, events, await status_lines(self._services, snapshot)
        )
        layout = self._messages.post(snapshot, text, posted.image, presses)
        stands = _stands(layout)
        if stands == posted.stands:
            # What was done is nobody else's business, and an edit would tell when it was.
            posted.shown = snapshot.seq
            return None
        picture = await self._services.picture(snapshot, snapshot.table.posted_seq, events)
        image = None
        if picture is not None and _print(picture) != posted.drawn:
            image = picture.image()
            layout = self._messages.post(snapshot, text, image, presses)
        posted.edited_at = now
        change = self._edit(snapshot, posted, text, layout, image, _print(picture), presses)
        posted.editing = self._cosmetics.run(snapshot.table.id, change)
        return None

    async def _edit(
        self,
        snapshot: Snapshot,
        posted: Posted,
        text: PostText,
        layout: Layout,
        image: Image | None,
        drawn: bytes,
        presses: Sequence[Control],
    ) -> None:
        """Edits the newest panel; of an `image` it is to show, `drawn` is the print."""
        table = snapshot.table

        async def edit() -> None:
            shown = await self._places.edit(table, posted.place, posted.message, layout)
            if shown is None:
                # Somebody took the panel away: the outbox is sent to wherever it can be.
                if self._posted.get(table.id) is posted:
                    del self._posted[table.id]
                return
            if image is not None:
                posted.drawn, posted.image = drawn, _kept(image, attached_to(shown))
                posted.is_unsure = False
            posted.text = text

        if not await self._cosmetics.attempt(table.id, edit):
            # The next edit brings the picture with it, whichever stands there now.
            posted.is_unsure, posted.drawn = True, b""
        posted.stands = _stands(self._messages.post(snapshot, text, posted.image, presses))
        posted.shown = snapshot.seq
        self._edited(table.id)

    async def goes_on(self, snapshot: Snapshot, events: Sequence[Event]) -> bool:
        """Whether the newest panel still holds, but for a line or two.

        It does where only some of those asked in secret have answered, and where the one who is to
        move still is and nobody else has decided anything: their turn gets its picture when it
        ends.
        """
        posted, now = self.newest(snapshot.table.id), set(_seats(snapshot))
        if posted is None or snapshot.table.is_over or not now or not now <= posted.awaited:
            return False
        if not events:
            return True
        if len(posted.awaited) != 1:
            return False
        moves = self._services.rules(snapshot.table).moves
        # What was looked at before is not read again: a turn may be long.
        first = posted.holds + 1
        done = await self._tables.reader.done(snapshot.table.id, first)
        noticed = await self._tables.reader.noticed(snapshot.table.id, first)
        for seq, entry in done.items():
            seat, kind = entry.seat, entry.kind
            if seq > snapshot.seq or seq not in noticed or (kind in moves and moves[kind].free):
                # Neither an offer beside the turn interrupts it, nor a secret choice made anew: a
                # post of its own would tell all of it.
                continue
            if seat not in posted.awaited or kind == END or kind in MATTERS:
                return False
        posted.holds = snapshot.seq
        return True

    def _deals(self, snapshot: Snapshot) -> bool:
        for player in snapshot.table.humans:
            _asked, free = open_kinds(self._services, snapshot, player.seat)
            if free:
                return True
        return False


def _stands(layout: Layout) -> Stands:
    return layout.text, cast(Any, layout.view()).to_components()


def _kept(image: Image | None, attached: int | None) -> Image | None:
    """A picture as what stays at a message, where it is `attached`."""
    if image is None or attached is None:
        return None
    return image._replace(data=None, attached=attached)


def _print(picture: Picture | None) -> bytes:
    return b"" if picture is None else blake2b(png.looks(picture.png), digest_size=16).digest()


def _seats(snapshot: Snapshot) -> list[Seat]:
    return [decision.seat for decision in snapshot.pending if not decision.optional]


def _awaited(snapshot: Snapshot) -> list[Player]:
    seats = _seats(snapshot)
    return [player for player in snapshot.table.humans if player.seat in seats]


def _only_computers(snapshot: Snapshot) -> bool:
    return not _awaited(snapshot) and bool(snapshot.table.owners)
