"""The posts of turns: a table's newest one is edited as long as it holds, then there is another.

What all can see changes only with what all may know.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple, cast

from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.posting import game_over
from bot.cogs.posting.context import PostingContext, happened
from bot.cogs.posting.notifications import Notifier
from bot.cogs.posting.table_posts import unreachable_lines
from bot.cogs.ui import (
    Control,
    CustomId,
    Image,
    Keep,
    Layout,
    NewMessage,
    TableView,
    Text,
    button,
    mentions_of,
    resume_button,
    rows,
    status_lines,
)
from bot.cogs.ui.layout import attached_to
from bot.cogs.ui.waiting import seat_buttons
from bot.game.contract import END, Event, Seat
from bot.game.events import GameEnded
from bot.render import png
from bot.tables import Notification, OutboxItem, Status, Table, current_fence
from bot.tables.core.cache import LoadedTable
from bot.tables.core.log import TABLE_EVENTS
from bot.text import NOTHING, Style, Summary, SummaryLine, Words, general

log = logging.getLogger(__name__)

POST = "post"
"""The kind under which posts are numbered."""
COMPUTERS_TIME = 2.0
"""Seconds that a post waits for computer players who are about to act."""
REMEMBERED = 1024
"""Posts that are remembered, to be edited during their turn; of older ones another is posted."""


class PostText(NamedTuple):
    """What a post of a turn says.

    `told` is what happened before it, `done` what has been done since, `foot` whom everybody waits
    for; `head` stands above them, `seal` and `small` below, of which the seal stays.
    """

    head: str
    told: Summary
    done: Summary
    seal: str
    foot: str
    small: str


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
    to_act: frozenset[Seat]
    shown: int
    """The log entry up to which the message tells."""
    holds: int
    """The log entry up to which nothing was done that ends its turn."""
    components: list[Any]
    words: Words
    editing: asyncio.Task[None] | None = None
    """The edit of it that is on its way."""
    is_unsure: bool = False
    """Whether an edit of it has been dropped, of which nobody knows whether it got through."""
    edited_at: float = 0.0
    """When it was edited last, in seconds of the loop's clock."""
    fence: object = field(default_factory=current_fence)


class TurnPosts:
    """Posts turns. `pause` says how many seconds pass between two edits at least; `edited` is told
    of a table once an edit has ended."""

    def __init__(
        self,
        posting: PostingContext,
        notifier: Notifier,
        pause: float,
        edited: Callable[[int], None],
    ) -> None:
        self._posting = posting
        self._tables = posting.tables
        self._notifier = notifier
        self._pause = pause
        self._edited = edited
        self._posted: OrderedDict[int, Posted] = OrderedDict()
        self._held: dict[int, float] = {}

    def newest(self, table_id: int) -> Posted | None:
        """The newest post of a table, if this process posted it."""
        posted = self._posted.get(table_id)
        return posted if posted is not None and posted.fence == current_fence() else None

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
        to_act = {seat for seat, _kind in after.now.to_act()}
        people = to_act.intersection(player.seat for player in table.humans)
        goes_on = len(posted.to_act) == 1 and to_act == posted.to_act
        if table.is_over or (people and not goes_on):
            self._posting.services.draw_ahead(after, posted.words)
            return POST
        return None

    def retry_after(self, table_view: TableView) -> float | None:
        """How long to wait for computer players, so that their moves come in one post."""
        table = table_view.table
        if table.status is Status.PLAYING and _only_computers(table_view):
            now = asyncio.get_running_loop().time()
            left = self._held.setdefault(table.id, now) + COMPUTERS_TIME - now
            if left > 0:
                return left
        self._held.pop(table.id, None)
        return None

    async def post(
        self, table_view: TableView, items: Sequence[OutboxItem], events: Sequence[Event]
    ) -> float | None:
        """Posts the table as it is, and retires the post before. Returns in how many seconds to try
        again, or None. Raises Closed."""
        table = await self._with_thread(table_view)
        since, outbox, services = table.posted_seq, self._tables.outbox, self._posting.services
        # The message is numbered, and what it says is found, while the picture is drawn.
        numbered, image, (notifications, pinged, text) = await asyncio.gather(
            outbox.number(table.id, POST, table_view.seq),
            services.picture(table_view, since, events),
            self._addressed(table_view, table, events),
        )
        if table.is_over:
            layout = await game_over.last_post(self._posting, table_view, text.told, image)
        else:
            layout = self._layout(table_view, text, image)
        new = NewMessage(
            table=table,
            what=POST,
            content=layout,
            seq=table_view.seq,
            mark=CustomId("board", table.id).encoded(),
            pinged=pinged,
        )
        sent = await self._posting.places.send(new, numbered)
        if sent is None:
            # There is nowhere to post it; the game goes on for those who play by direct message.
            await outbox.acknowledge(
                items, table_id=table.id, posted_seq=table_view.seq, notified=()
            )
            return None
        seq, old = sent.seq, self.newest(table.id)
        self._posted.pop(table.id, None)
        if table.panel_message is not None and table.panel_message != sent.message:
            self._posting.run(table.id, self._retire(table_view, table, old))
        log.info("posted table=%s after=%s to=%s message=%s", table.id, since, seq, sent.message)
        await outbox.acknowledge(
            [row for row in items if row.seq <= seq],
            table_id=table.id,
            posted_seq=seq,
            panel_message=sent.message,
            thread=None if sent.place == (table.thread or table.channel) else sent.place,
            sent=[sent],
            notified=[notification for notification in notifications if notification.seq <= seq],
        )
        if seq < table_view.seq:
            # An earlier attempt had sent it without noting that; what happened since comes next.
            return 0.0
        if table.is_over:
            return None
        kept = _kept(image, sent.attached)
        if kept is None:
            # Where it may not attach the picture, the words alone were sent.
            layout = self._layout(table_view, text, None)
        self._posted[table.id] = Posted(
            place=sent.place,
            message=sent.message,
            text=text,
            image=kept,
            drawn=_print(image),
            to_act=_to_act(table_view),
            shown=table_view.seq,
            holds=table_view.seq,
            components=_components(layout),
            words=table_view.words,
        )
        if len(self._posted) > REMEMBERED:
            self._posted.popitem(last=False)
        return None

    async def _with_thread(self, table_view: TableView) -> Table:
        """The table; before its first post it gets a thread of its own, where that is allowed."""
        table = table_view.table
        if table.panel_message is not None or table.thread is not None or table.is_over:
            return table
        name = self._posting.services.heading(table_view.words, table)
        thread = await self._posting.places.make_thread(table, name)
        if thread is None:
            return table
        await self._tables.outbox.acknowledge((), table_id=table.id, thread=thread)
        return await self._tables.reader.get(table.id)

    async def _addressed(
        self, table_view: TableView, table: Table, events: Sequence[Event]
    ) -> tuple[Sequence[Notification], list[int], PostText]:
        """The notifications that a post delivers, whom it pings, and what it says.

        In this order: what it says tells who has just been found to have left.
        """
        notifications = [] if table.is_over else await self._notifier.to_notify(table_view)
        pinged = [notification.user for notification in notifications]
        if table.posted_seq < 0 or table.is_over:
            # At a start their hand rings those who want direct messages.
            pinged = [
                player.user
                for player in table.owners
                if player.user is not None
                and (table.is_over or not await self._tables.notifications.wants_direct(player))
            ]
        return notifications, pinged, await self._text(table_view, table, events)

    async def _text(self, table_view: TableView, table: Table, events: Sequence[Event]) -> PostText:
        """What happened since the last post, who is to move, and the status lines."""
        words = table_view.words
        told, head, seal = table_view.summary(events), list[str](), ""
        if table.is_over:
            # How a game finished is told in full; the result says below how it ended.
            events = [event for event in events if not isinstance(event, GameEnded)]
            lines = [SummaryLine(line) for line in table_view.story(events)]
            told = Summary(lines, len(lines))
        if table.posted_seq < 0:
            players = words.listing(list(map(str, mentions_of(words, table))))
            game = words(table_view.text.title)
            head.append(words(general.STARTED, players=players, game=game))
            if table.guild is not None and table.thread is None:
                head.append(words("I can't create threads here, so we'll play in this channel."))
            head += unreachable_lines(words, table)
            seal = "-# " + words("Fairness check (hash): `{hash}`", hash=table.key_hash)
        text = PostText("\n".join(head), told, NOTHING, seal, "", "")
        return await self._up_to_date(table_view, text)

    async def _up_to_date(self, table_view: TableView, text: PostText) -> PostText:
        """The text of a post with whom everybody waits for now, and the status lines."""
        words, foot = table_view.words, ""
        if table_view.table.status is Status.PLAYING:
            calls = [f"{call}." for call in table_view.calls(mentions_of(words, table_view.table))]
            foot = "\n".join(calls) or words(general.NO_ONE_TO_ACT)
        lines = await status_lines(self._posting.services, table_view)
        return text._replace(foot=foot, small="\n".join(f"-# {line}" for line in lines))

    def _layout(self, table_view: TableView, text: PostText, image: Image | None) -> Layout:
        """The newest post of a table in play: the picture, what happened, who is awaited.

        Its frame has the colour of whoever is awaited alone.
        """
        table, to_act, accent = table_view.table, _to_act(table_view), None
        if len(to_act) == 1 and table.status is Status.PLAYING:
            accent = table_view.accent(*to_act)
        return Layout(
            [
                image or Text(table_view.words(general.NO_PICTURE)),
                *happened(table_view, text.told.then(text.done), text.head),
                Text(text.seal),
                Text(text.foot),
                Text(text.small, Keep.BEGINNING),
                *rows(() if table.is_over else self._buttons(table_view)),
            ],
            accent,
        )

    def _buttons(self, table_view: TableView) -> list[Control]:
        table, words, services = table_view.table, table_view.words, self._posting.services
        is_playing = table.status is Status.PLAYING
        first = button(CustomId("play", table.id), words(general.TAKE_TURN), style=Style.PRIMARY)
        items: list[Control] = [
            first if is_playing else resume_button(words, table.id),
            button(CustomId("hand", table.id), words(general.MY_HAND)),
            button(CustomId("board", table.id), words(general.BOARD)),
            button(CustomId("status", table.id), words("Whose turn is it?")),
            button(CustomId("rules", table.id), words(general.RULES)),
        ]
        if is_playing and any(
            OpenMoves(services, table_view, each.seat).free for each in table.humans
        ):
            items.append(button(CustomId("deal", table.id), words(general.MAKE_OFFER)))
        return items + seat_buttons(words, table)

    async def _retire(self, table_view: TableView, table: Table, old: Posted | None) -> None:
        """The previous panel loses its buttons, and what held only while it was the newest."""
        place, message = table.thread or table.channel, table.panel_message
        assert message is not None
        if old is not None and old.editing is not None:
            await asyncio.wait([old.editing])
        if old is None or old.is_unsure:
            change = self._posting.places.replace_buttons
            await self._posting.attempt(table.id, change, table, place, message)
            return
        text = old.text
        story = happened(table_view, text.told.then(text.done), text.head, is_newest=False)
        content = [*story, Text(text.seal)] if story else [Text(text.foot)]
        layout = Layout([*filter(None, [old.image]), *content])
        edit = self._posting.places.edit
        await self._posting.attempt(table.id, edit, table, old.place, old.message, layout)

    async def progress(
        self, table_view: TableView, events: Sequence[Event], *, anew: bool
    ) -> float | None:
        """Within a turn: the newest panel says and shows what has been done.

        It is edited `anew` though nothing was done where its status lines have changed.
        """
        posted, table = self.newest(table_view.table.id), table_view.table
        if posted is None or table.is_over or (posted.shown >= table_view.seq and not anew):
            return None
        if _only_computers(table_view) or (
            posted.editing is not None and not posted.editing.done()
        ):
            return None
        now = asyncio.get_running_loop().time()
        left = posted.edited_at + self._pause - now
        if left > 0:
            return left
        services = self._posting.services
        text = posted.text._replace(done=table_view.summary(events))
        text = await self._up_to_date(table_view, text)
        layout = self._layout(table_view, text, posted.image)
        if _components(layout) == posted.components:
            # What was done is nobody else's business, and an edit would tell when it was.
            posted.shown = table_view.seq
            return None
        picture = await services.picture(table_view, table.posted_seq, events)
        image, drawn = None, _print(picture)
        if picture is not None and drawn != posted.drawn:
            image = picture
            layout = self._layout(table_view, text, image)
        posted.edited_at = now
        change = self._edit(table_view, posted, text, layout, image, drawn)
        posted.editing = self._posting.run(table.id, change)
        return None

    async def _edit(
        self,
        table_view: TableView,
        posted: Posted,
        text: PostText,
        layout: Layout,
        image: Image | None,
        drawn: bytes,
    ) -> None:
        """Edits the newest panel; of an `image` it is to show, `drawn` is the print."""
        table = table_view.table

        async def edit() -> None:
            shown = await self._posting.places.edit(
                table, posted.place, posted.message, layout, only_missing=True
            )
            if shown is None:
                # Somebody took the panel away: the outbox is sent to wherever it can be.
                if self._posted.get(table.id) is posted:
                    del self._posted[table.id]
                return
            if image is not None:
                posted.drawn, posted.image = drawn, _kept(image, attached_to(shown))
                posted.is_unsure = False
            posted.text = text

        if not await self._posting.attempt(table.id, edit):
            # The next edit brings the picture with it, whichever stands there now.
            posted.is_unsure, posted.drawn = True, b""
        posted.components = _components(self._layout(table_view, text, posted.image))
        posted.shown = table_view.seq
        self._edited(table.id)

    async def goes_on(self, table_view: TableView, events: Sequence[Event]) -> bool:
        """Whether the newest panel still holds, but for a line or two.

        It does where only some of those asked in secret have answered, and where the one who is to
        move still is and nobody else has decided anything: their turn gets its picture when it
        ends.
        """
        posted, now = self.newest(table_view.table.id), _to_act(table_view)
        if posted is None or table_view.table.is_over or not now or not now <= posted.to_act:
            return False
        if not events:
            return True
        if len(posted.to_act) != 1:
            return False
        moves = self._posting.services.rules(table_view.table).moves
        # What was looked at before is not read again: a turn may be long.
        for entry in await self._tables.reader.entries(table_view, posted.holds + 1):
            kind = entry.kind
            if not entry.is_public or (kind in moves and moves[kind].free):
                # Neither an offer beside the turn interrupts it, nor a secret choice made anew: a
                # post of its own would tell all of it.
                continue
            if entry.seat not in posted.to_act or kind == END or kind in TABLE_EVENTS:
                return False
        posted.holds = table_view.seq
        return True


def _components(layout: Layout) -> list[Any]:
    return cast(list[Any], cast(Any, layout.view()).to_components())


def _kept(image: Image | None, attached: int | None) -> Image | None:
    """A picture as what stays at a message, where it is `attached`."""
    if image is None or attached is None:
        return None
    return image._replace(data=None, attached=attached)


def _print(image: Image | None) -> bytes:
    if image is None or image.data is None:
        return b""
    return blake2b(png.looks(image.data), digest_size=16).digest()


def _to_act(table_view: TableView) -> frozenset[Seat]:
    return frozenset(each.seat for each in table_view.pending if not each.optional)


def _only_computers(table_view: TableView) -> bool:
    table, to_act = table_view.table, _to_act(table_view)
    return bool(table.owners) and not any(each.seat in to_act for each in table.humans)
