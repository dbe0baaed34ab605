"""The posts of turns. The newest post of a table is edited while it is current; then a new one is
sent.

Posts change only with public information.
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
from bot.cogs.posting.context import PostingContext, summary_parts
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
from bot.tables.core.cache import LoadedTable, remember
from bot.tables.core.log import TABLE_EVENTS
from bot.text import NOTHING, Style, Summary, SummaryLine, Words, general

log = logging.getLogger(__name__)

POST = "post"
"""Message kind of the posts."""
COMPUTERS_S = 2.0
"""Seconds that a post waits for computer players who are about to act."""
MAX_POSTS = 1024
"""Posts tracked for edits; the oldest is evicted first, and its table gets a new post."""


class PostText(NamedTuple):
    """The text of a turn's post, from top to bottom.

    `before` summarizes the events before the post, `since` those after it, `foot` names the players
    to act. After its turn, a post loses `foot` and `small`.
    """

    head: str
    before: Summary
    since: Summary
    seal: str
    foot: str
    small: str


@dataclass
class Posted:
    """The newest post of a table, as this process sent it."""

    place: int
    message: int
    text: PostText
    image: Image | None
    """The attached picture, for edits that keep it; None without one."""
    picture_hash: bytes
    """Hash of the picture that it should show; empty for none."""
    to_act: frozenset[Seat]
    shown: int
    """The last log entry that the message shows."""
    checked: int
    """The last log entry for which `is_current` found the post current."""
    components: list[Any]
    words: Words
    editing: asyncio.Task[None] | None = None
    """The edit in progress."""
    is_unsure: bool = False
    """Whether the outcome of an edit is unknown."""
    edited_at: float = 0.0
    """Loop time in seconds of the last edit."""
    fence: object = field(default_factory=current_fence)


class TurnPosts:
    """Posts turns. `pause` is the minimum number of seconds between two edits; `edited` is called
    with the table's id after each edit."""

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
        self._waiting_since: dict[int, float] = {}

    def newest(self, table_id: int) -> Posted | None:
        """Return the newest post of a table, if this process sent it."""
        posted = self._posted.get(table_id)
        return posted if posted is not None and posted.fence == current_fence() else None

    def forget(self, table_id: int) -> None:
        """Forget the posts of a table that is over or deleted."""
        self._posted.pop(table_id, None)
        self._waiting_since.pop(table_id, None)

    def draw_ahead(self, after: LoadedTable) -> str | None:
        """Start drawing the next post's picture before the commit, if it is sent immediately.

        Return the message kind of that post, or None.
        """
        posted, table = self._posted.get(after.table.id), after.table
        if posted is None or after.now is None:
            return None
        to_act = {seat for seat, _kind in after.now.to_act()}
        people = to_act.intersection(player.seat for player in table.humans)
        is_same_turn = len(posted.to_act) == 1 and to_act == posted.to_act
        if table.is_over or (people and not is_same_turn):
            self._posting.services.draw_ahead(after, posted.words)
            return POST
        return None

    def retry_after(self, table_view: TableView) -> float | None:
        """Return the seconds to wait for computer players, whose moves should be in one post."""
        table = table_view.table
        if table.status is Status.PLAYING and _only_computers(table_view):
            now = asyncio.get_running_loop().time()
            left = self._waiting_since.setdefault(table.id, now) + COMPUTERS_S - now
            if left > 0:
                return left
        self._waiting_since.pop(table.id, None)
        return None

    async def post(
        self, table_view: TableView, items: Sequence[OutboxItem], events: Sequence[Event]
    ) -> float | None:
        """Post the table, and retire the previous post.

        Return the seconds until a retry, or None. Raise Closed.
        """
        table = await self._with_thread(table_view)
        since, outbox, services = table.posted_seq, self._tables.outbox, self._posting.services
        # Number the message and prepare its text while the picture is drawn.
        numbered, image, (notifications, pinged, text) = await asyncio.gather(
            outbox.number(table.id, POST, table_view.seq),
            services.picture(table_view, since, events),
            self._pings_and_text(table_view, table, events),
        )
        if table.is_over:
            layout = await game_over.last_post(self._posting, table_view, text.before, image)
        else:
            layout = self._layout(table_view, text, image)
        new = NewMessage(
            table=table,
            kind=POST,
            content=layout,
            seq=table_view.seq,
            button_id=CustomId("board", table.id).encoded(),
            pinged=pinged,
        )
        sent = await self._posting.sender.send(new, numbered)
        if sent is None:
            # The bot has no channel to post in. The game continues by direct messages.
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
            # An earlier attempt sent it unacknowledged: post the later events now.
            return 0.0
        if table.is_over:
            return None
        attached = _attached(image, sent.attached)
        if attached is None:
            # Without permission to attach files, only the text was sent.
            layout = self._layout(table_view, text, None)
        posted = Posted(
            place=sent.place,
            message=sent.message,
            text=text,
            image=attached,
            picture_hash=_hash(image),
            to_act=_to_act(table_view),
            shown=table_view.seq,
            checked=table_view.seq,
            components=_components(layout),
            words=table_view.words,
        )
        remember(self._posted, table.id, posted, MAX_POSTS)
        return None

    async def _with_thread(self, table_view: TableView) -> Table:
        """Create the table's thread before its first post, if permitted. Return the table."""
        table = table_view.table
        if table.panel_message is not None or table.thread is not None or table.is_over:
            return table
        name = self._posting.services.heading(table_view.words, table)
        thread = await self._posting.sender.make_thread(table, name)
        if thread is None:
            return table
        await self._tables.outbox.acknowledge((), table_id=table.id, thread=thread)
        return await self._tables.reader.get(table.id)

    async def _pings_and_text(
        self, table_view: TableView, table: Table, events: Sequence[Event]
    ) -> tuple[Sequence[Notification], list[int], PostText]:
        """Return the notifications that the post delivers, the users it pings, and its text.

        The text comes last: looking for users to ping may find that some have left.
        """
        notifications = [] if table.is_over else await self._notifier.to_notify(table_view)
        pinged = [notification.user for notification in notifications]
        if table.posted_seq < 0 or table.is_over:
            # At the start, the message with the hand pings the players who want direct messages.
            pinged = [
                player.user
                for player in table.owners
                if player.user is not None
                and (table.is_over or not await self._tables.notifications.wants_direct(player))
            ]
        return notifications, pinged, await self._text(table_view, table, events)

    async def _text(self, table_view: TableView, table: Table, events: Sequence[Event]) -> PostText:
        """Return the events since the last post, the players to act, and the status lines."""
        words = table_view.words
        before, head, seal = table_view.summary(events), list[str](), ""
        if table.is_over:
            # The last post shows all events; the result follows below them.
            events = [event for event in events if not isinstance(event, GameEnded)]
            lines = [SummaryLine(line) for line in table_view.story(events)]
            before = Summary(lines, len(lines))
        if table.posted_seq < 0:
            players = words.listing(list(map(str, mentions_of(words, table))))
            game = words(table_view.text.title)
            head.append(words(general.STARTED, players=players, game=game))
            if table.guild is not None and table.thread is None:
                head.append(words("I can't create threads here, so we'll play in this channel."))
            head += unreachable_lines(words, table)
            seal = "-# " + words("Fairness check (hash): `{hash}`", hash=table.key_hash)
        text = PostText("\n".join(head), before, NOTHING, seal, "", "")
        return await self._updated(table_view, text)

    async def _updated(self, table_view: TableView, text: PostText) -> PostText:
        """Return the text with the current players to act and status lines."""
        words, foot = table_view.words, ""
        if table_view.table.status is Status.PLAYING:
            calls = [f"{call}." for call in table_view.calls(mentions_of(words, table_view.table))]
            foot = "\n".join(calls) or words(general.NO_ONE_TO_ACT)
        lines = await status_lines(self._posting.services, table_view)
        return text._replace(foot=foot, small="\n".join(f"-# {line}" for line in lines))

    def _layout(self, table_view: TableView, text: PostText, image: Image | None) -> Layout:
        """Return the newest post of a running game: the picture, the events, the players to act.

        If only one player is to act, the frame has their colour.
        """
        table, to_act, accent = table_view.table, _to_act(table_view), None
        if len(to_act) == 1 and table.status is Status.PLAYING:
            accent = table_view.accent(*to_act)
        return Layout(
            [
                image or Text(table_view.words(general.NO_PICTURE)),
                *summary_parts(table_view, text.before.then(text.since), text.head),
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
        if table.watch_pace is not None:
            # No one has a turn or a hand.
            return items[2:]
        if is_playing and any(
            OpenMoves(services, table_view, each.seat).free for each in table.humans
        ):
            items.append(button(CustomId("deal", table.id), words(general.MAKE_OFFER)))
        return items + seat_buttons(words, table)

    async def _retire(self, table_view: TableView, table: Table, old: Posted | None) -> None:
        """Remove the buttons, players to act and status lines of the previous post."""
        place, message = table.thread or table.channel, table.panel_message
        assert message is not None
        if old is not None and old.editing is not None:
            await asyncio.wait([old.editing])
        if old is None or old.is_unsure:
            change = self._posting.sender.replace_buttons
            await self._posting.attempt(table.id, change, table, place, message)
            return
        text = old.text
        story = summary_parts(table_view, text.before.then(text.since), text.head, is_newest=False)
        content = [*story, Text(text.seal)] if story else [Text(text.foot)]
        layout = Layout([*filter(None, [old.image]), *content])
        edit = self._posting.sender.edit
        await self._posting.attempt(table.id, edit, table, old.place, old.message, layout)

    async def progress(
        self, table_view: TableView, events: Sequence[Event], *, refresh: bool
    ) -> float | None:
        """Update the newest post within a turn.

        With `refresh` its status lines are updated even without new log entries. Return the seconds
        until a retry, or None.
        """
        posted, table = self.newest(table_view.table.id), table_view.table
        if posted is None or table.is_over or (posted.shown >= table_view.seq and not refresh):
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
        text = posted.text._replace(since=table_view.summary(events))
        text = await self._updated(table_view, text)
        layout = self._layout(table_view, text, posted.image)
        if _components(layout) == posted.components:
            # The action was private, and an edit would reveal its time.
            posted.shown = table_view.seq
            return None
        picture = await services.picture(table_view, table.posted_seq, events)
        image, picture_hash = None, _hash(picture)
        if picture is not None and picture_hash != posted.picture_hash:
            image = picture
            layout = self._layout(table_view, text, image)
        posted.edited_at = now
        change = self._edit(table_view, posted, text, layout, image, picture_hash)
        posted.editing = self._posting.run(table.id, change)
        return None

    async def _edit(
        self,
        table_view: TableView,
        posted: Posted,
        text: PostText,
        layout: Layout,
        image: Image | None,
        picture_hash: bytes,
    ) -> None:
        """Edit the newest post; `image` is its new picture, if any."""
        table = table_view.table

        async def edit() -> None:
            shown = await self._posting.sender.edit(
                table, posted.place, posted.message, layout, only_missing=True
            )
            if shown is None:
                # The message was deleted: the next delivery sends a new one.
                if self._posted.get(table.id) is posted:
                    del self._posted[table.id]
                return
            if image is not None:
                posted.image = _attached(image, attached_to(shown))
                posted.picture_hash, posted.is_unsure = picture_hash, False
            posted.text = text

        if not await self._posting.attempt(table.id, edit):
            # The attached picture is unknown now: the next edit must send it again.
            posted.is_unsure, posted.picture_hash = True, b""
        posted.components = _components(self._layout(table_view, text, posted.image))
        posted.shown = table_view.seq
        self._edited(table.id)

    async def is_current(self, table_view: TableView, events: Sequence[Event]) -> bool:
        """Return whether an edit of the newest post is enough.

        It is if only some of several players have answered in secret, or if the same player is
        still to act and no one else has made a decision.
        """
        posted, now = self.newest(table_view.table.id), _to_act(table_view)
        if posted is None or table_view.table.is_over or not now or not now <= posted.to_act:
            return False
        if not events:
            return True
        if len(posted.to_act) != 1:
            return False
        moves = self._posting.services.rules(table_view.table).moves
        # A turn may be long: check only the new entries.
        for entry in await self._tables.reader.entries(table_view, posted.checked + 1):
            kind = entry.kind
            if not entry.is_public or (kind in moves and moves[kind].free):
                # Offers and changed secret choices do not end a turn. A new post would reveal them.
                continue
            if entry.seat not in posted.to_act or kind == END or kind in TABLE_EVENTS:
                return False
        posted.checked = table_view.seq
        return True


def _components(layout: Layout) -> list[Any]:
    return cast(list[Any], cast(Any, layout.view()).to_components())


def _attached(image: Image | None, attached: int | None) -> Image | None:
    """Return the picture as an attachment that an edit can keep."""
    if image is None or attached is None:
        return None
    return image._replace(data=None, attached=attached)


def _hash(image: Image | None) -> bytes:
    if image is None or image.data is None:
        return b""
    return blake2b(png.fingerprint(image.data), digest_size=16).digest()


def _to_act(table_view: TableView) -> frozenset[Seat]:
    return frozenset(each.seat for each in table_view.pending if not each.optional)


def _only_computers(table_view: TableView) -> bool:
    table, to_act = table_view.table, _to_act(table_view)
    return bool(table.owners) and not any(each.seat in to_act for each in table.humans)
