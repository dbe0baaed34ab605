"""Sending, editing and deleting messages in threads, channels and direct messages."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, wraps
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, cast

import discord
from msgspec.json import encode

from bot.cogs.ui.layout import (
    Control,
    Document,
    Image,
    Keep,
    Layout,
    Row,
    Section,
    Text,
    attached_to,
    picture_of,
    rows,
    walk,
)
from bot.cogs.ui.reply import NO_MENTIONS, UNKNOWN_MESSAGE
from bot.cogs.ui.services import Services, has_left_server
from bot.tables import NumberedMessage, Outbox, Player, SentMessage, Table, current_fence
from bot.tables.core.cache import remember
from bot.tables.notifications import Notifications

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003
MISSING_ACCESS = 50001
MESSAGES_CLOSED = (50007, 50278)
"""The user accepts no direct messages from this bot, or from anyone without a shared server."""
FLAGGED = 20026
"""Discord suspects the bot of spam and does not let it start a conversation."""
MISSING_PERMISSIONS = 50013
ARCHIVED = 50083
THREAD_EXISTS = 160004
INACCESSIBLE = (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, MISSING_ACCESS, MISSING_PERMISSIONS)
"""Discord's errors if our message or its channel no longer exists, or we may not access it."""
WEEK: Literal[10080] = 10080
"""Minutes until an idle thread is archived; the maximum."""
MAX_CACHED = 1024
"""Messages whose content is remembered."""
HISTORY_LIMIT = 100
"""Newest messages searched, with one request."""
MAX_NONCE = 25
"""Characters of a message's nonce."""
TOO_MANY_REQUESTS = 429

DEADLINE_S = 30.0
"""Seconds for a call to Discord, including the library's retries."""
MIN_UPLOAD_RATE = 65_536
"""Assumed upload rate in bytes a second; it extends the deadline of messages with files."""

P = ParamSpec("P")
R = TypeVar("R")

Channel = discord.PartialMessageable | discord.DMChannel
Content = Layout | str
"""Content of a message: text alone, which phones show in a push notification, or a layout."""


class Closed(Exception):
    """The bot has no permission to write at the table."""


class NoChannel(Closed):
    """The table's channel and thread no longer exist."""


class Unreachable(Exception):
    """No direct message reaches the user; `closed` if their own settings refuse it."""

    def __init__(self, user: str, *, closed: bool = False) -> None:
        super().__init__(user)
        self.closed = closed


class Held(Exception):
    """The user must not be pinged now; the table's outbox is sent again when they may be."""


class Home(NamedTuple):
    """A table's server, and its thread and channel."""

    guild: int | None
    places: tuple[int, ...]


UNKNOWN = Home(None, ())


@dataclass(frozen=True, kw_only=True)
class NewMessage:
    """A new message for a table's thread, else its channel, or for a player."""

    table: Table
    kind: str
    """The kind of message; each kind has its own numbers."""
    content: Content
    seq: int = 0
    """The last log entry that it covers."""
    button_id: str | None = None
    """Custom id of the button that identifies it; without one, its whole content does."""
    to: Player | None = None
    """The player who gets it as a direct message; `silent` if without a push notification."""
    silent: bool = False
    pinged: Sequence[int] = ()
    """The users to mention. Only those who want it now get a ping."""
    dm_tried: bool = False
    """Whether direct messages were tried and failed for those who want them."""
    is_optional: bool = False
    """Whether it is dropped instead of retried if the table cannot be written to."""


def home_of(table: Table) -> Home:
    """Return where a table's messages go, its thread first."""
    return Home(table.guild, tuple(dict.fromkeys((table.thread or table.channel, table.channel))))


def in_time(call: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Decorate a call to Discord with a time limit. It raises TimeoutError."""

    @wraps(call)
    async def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        async with asyncio.timeout(DEADLINE_S):
            return await call(*args, **kwargs)

    return limited


class MessageSender:
    """Sender of all messages that are not answers to interactions.

    No user is notified at a time when they don't want it; such messages are held back.

    Discord remembers a nonce for only a few minutes. So a message that may already have been sent,
    before a restart or a lost connection, is searched among the newest messages before it is sent
    again.
    """

    def __init__(
        self, client: discord.Client, outbox: Outbox, notifications: Notifications
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._notifications = notifications
        self._shown: OrderedDict[int, tuple[bytes, object, discord.Message]] = OrderedDict()
        """By message: a digest of the content that this process last gave it, the lease it held
        then, and the message. Under another lease other processes may have edited it."""
        self.on_sent: Callable[[], None] = lambda: None
        """Called after each sent message."""
        self.on_refused: Callable[[int], Awaitable[None]] | None = None
        """Called with a table's id when a message to it is refused."""

    async def send(
        self, new: NewMessage, numbered: NumberedMessage | None = None
    ) -> SentMessage | None:
        """Send a message, with its number if it already has one.

        The returned message may be one sent earlier that covers fewer log entries. Return None if
        the table's thread and channel no longer exist, or refuse an optional message. Raise Closed
        if they refuse any other message, Unreachable if a direct message cannot be delivered, and
        Held in quiet hours unless it is silent.
        """
        table, to = new.table, new.to
        try:
            if to is None:
                await self._check_server(table)
            elif not new.silent and to.user is not None:
                until = await self._notifications.held_until(to.user)
                if until is not None:
                    await self._notifications.send_later(table.id, to.seat, until)
                    raise Held
            numbered = numbered or await self._outbox.number(table.id, new.kind, new.seq)
            again, nonce = numbered.begun_seq is not None, numbered.nonce[-MAX_NONCE:]
            if again:
                places = _channels(self._client, table) if to is None else [await self._dm(to.user)]
                for channel in places:
                    earlier = await self._sent_before(channel, numbered, new)
                    if earlier is not None:
                        return earlier
                # It was not sent, and may cover more now.
                await self._outbox.begin(numbered, new.seq)
            if to is None:
                message = await self.post(
                    table,
                    new.content,
                    nonce=nonce,
                    pinged=new.pinged,
                    dm_tried=new.dm_tried,
                    again=again,
                )
            else:
                message = await self._send_direct(to.user, new.content, new.silent, nonce)
        except Closed as error:
            if not (new.is_optional or isinstance(error, NoChannel)):
                raise
            log.warning("post not sent, no channel table=%s kind=%s", table.id, new.kind)
            return None
        self.on_sent()
        if numbered.begun_seq is None:
            self._remember(message, new.content)
        elif not is_text_of(message, new.content):
            # Discord returned an earlier message with the same nonce.
            return _sent(numbered, message, numbered.begun_seq)
        return _sent(numbered, message, new.seq)

    async def post(
        self,
        table: Table,
        content: Content,
        *,
        nonce: str,
        pinged: Iterable[int] = (),
        dm_tried: bool = False,
        again: bool = False,
    ) -> discord.Message:
        """Send to the table's thread, else to its channel.

        If the bot may write but not attach files, the message goes without them. `pinged` players
        in quiet hours are notified when these end, except when it is sent `again`. Raise Closed if
        thread and channel refuse the message, or the bot has left the server, and NoChannel if
        neither exists.
        """
        await self._check_server(table)
        notified = await self._notifications.pingable(table, pinged, dm_tried=dm_tried, again=again)
        users = list(map(discord.Object, notified))
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        closed = False
        for channel in _channels(self._client, table):
            try:
                async with asyncio.timeout(DEADLINE_S + _weight(content) / MIN_UPLOAD_RATE):
                    return await self._send_to(channel, content, nonce, mentions)
            except discord.HTTPException as error:
                if error.code not in INACCESSIBLE and error.code != ARCHIVED:
                    raise
                log.warning(
                    "post refused table=%s channel=%s code=%s", table.id, channel.id, error.code
                )
                closed = closed or error.code != UNKNOWN_CHANNEL
        if closed:
            raise await self._refused(table)
        raise NoChannel(f"table {table.id}")

    async def send_direct(
        self, user: int, content: Content, *, nonce: str, silent: bool = False
    ) -> discord.Message:
        """Send a direct message to a user.

        Raise Unreachable if it cannot be delivered, and Held in quiet hours unless it is `silent`.
        """
        if not silent and await self._notifications.held_until(user) is not None:
            raise Held
        return await self._send_direct(user, content, silent, nonce)

    async def announce(
        self, table: Table, content: Content, delivery: str, *, pinged: Iterable[int] = ()
    ) -> None:
        """Post a message to the whole table, once for each `delivery`."""
        try:
            await self.post(table, content, nonce=f"say.{delivery}", pinged=pinged)
        except Closed:
            log.warning("announcement not sent, no channel table=%s", table.id)

    @in_time
    async def keep_posted(
        self,
        guild: int,
        channel: int,
        message: int | None,
        content: Layout,
        *,
        button_id: str,
        repost: bool = False,
        mentions: discord.AllowedMentions = NO_MENTIONS,
    ) -> int | None:
        """Show the content in the one message of a channel that has the button `button_id`.

        Edit that `message`, or post it: if there is none, if it can no longer be edited, or to
        `repost` it as the newest, which deletes the old one. A post of an earlier attempt that was
        not recorded is found and edited. Return the message's id, or None if the bot cannot post
        there. Other errors of Discord are raised, and the call may be repeated.
        """
        place = self._client.get_partial_messageable(channel, guild_id=guild)
        if message is not None and not repost:
            with _unless_refused(message):
                return (await self._show(place.get_partial_message(message), content)).id
        try:
            found = await self._newest_own(place, message, lambda each: button_id in ids_of(each))
            if found is not None:
                shown = await self._show(found, content)
            else:
                nonce = f"{message or 0}.{button_id}"[-MAX_NONCE:]
                shown = await self._send_to(place, content, nonce, mentions)
        except discord.HTTPException as error:
            if error.code not in INACCESSIBLE:
                raise
            log.warning("post refused channel=%s code=%s", channel, error.code)
            return None
        if message is not None:
            await self.remove(channel, message)
        return shown.id

    @in_time
    async def remove(self, channel: int, message: int) -> None:
        """Delete a message of a channel, if it still exists."""
        with _unless_refused(message):
            place = self._client.get_partial_messageable(channel)
            await place.get_partial_message(message).delete()

    def may_post(self, home: Home) -> bool:
        """Return whether the bot may write there, as far as it knows; True if unknown."""
        if home.guild is None:
            return True
        guild = self._client.get_guild(home.guild)
        if guild is None:
            return False
        return any(_is_open(guild.get_channel_or_thread(place)) for place in home.places)

    @in_time
    async def make_thread(self, table: Table, name: str) -> int | None:
        """Create a public thread for the table at its lobby message; return None if not allowed.

        A message has at most one thread, so a retry after a crash finds it.
        """
        guild = None if table.guild is None else self._client.get_guild(table.guild)
        channel = None if guild is None else guild.get_channel_or_thread(table.channel)
        if isinstance(channel, discord.Thread) or table.guild is None:
            return None
        try:
            if table.lobby_message is not None:
                message = self._message(table, table.channel, table.lobby_message)
                try:
                    return (await message.create_thread(name=name, auto_archive_duration=WEEK)).id
                except discord.HTTPException as error:
                    if error.code == THREAD_EXISTS:
                        return table.lobby_message
                    if error.code != UNKNOWN_MESSAGE:
                        raise
            if isinstance(channel, discord.TextChannel):
                thread = await channel.create_thread(
                    name=name, type=discord.ChannelType.public_thread, auto_archive_duration=WEEK
                )
                return thread.id
        except discord.HTTPException as error:
            # If permissions, limits or the kind of channel forbid a thread, use the channel.
            if not _is_refusal(error):
                raise
            log.info("thread not created table=%s code=%s", table.id, error.code)
        return None

    # Changes to our messages; deleted messages and refused changes are no errors.

    @in_time
    async def edit(
        self,
        table: Table,
        place: int,
        message: int,
        content: Content,
        *,
        only_missing: bool = False,
    ) -> discord.Message | None:
        """Edit a message to show only this, unless it already does; return None if refused.

        If the bot may write but not attach files, the message goes without them. With
        `only_missing`, all errors are raised except those for a missing message.
        """
        shown = None
        with _unless_refused(message, only_missing=only_missing):
            shown = await self._show(self._message(table, place, message), content)
        return shown  # noqa: RET504

    @in_time
    async def edit_direct(
        self, user: int, message: int, content: Content
    ) -> discord.Message | None:
        """Edit a direct message to show only this; return None if refused."""
        shown = None
        with _unless_refused(message):
            shown = await self._show((await self._dm(user)).get_partial_message(message), content)
        return shown  # noqa: RET504

    @in_time
    async def replace_buttons(
        self, table: Table, place: int, message: int, buttons: Sequence[Control] = ()
    ) -> None:
        with _unless_refused(message):
            found = await self._message(table, place, message).fetch()
            await self._show(found, with_buttons(found, buttons))

    @in_time
    async def delete_direct(self, user: int, message: int) -> None:
        with _unless_refused(message):
            await (await self._dm(user)).get_partial_message(message).delete()

    def _message(self, table: Table, place: int, message: int) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(place, guild_id=table.guild)
        return channel.get_partial_message(message)

    async def _show(
        self, message: discord.Message | discord.PartialMessage, content: Content
    ) -> discord.Message:
        cached = self._shown.pop(message.id, None)
        if cached is not None and cached[:2] == (_digest(content), current_fence()):
            shown = cached[2]
        else:
            try:
                shown = await message.edit(**_edited(content))
            except discord.Forbidden as error:
                plain = _without_files(content)
                if error.code != MISSING_PERMISSIONS or plain is None:
                    raise
                content, shown = plain, await message.edit(**_edited(plain))
        self._remember(shown, content)
        return shown

    def _remember(self, message: discord.Message, content: Content) -> None:
        digest = _digest(content)
        if digest is not None:
            shown = digest, current_fence(), message
            remember(self._shown, message.id, shown, MAX_CACHED)

    @in_time
    async def _send_direct(
        self, user: int | None, content: Content, silent: bool, nonce: str
    ) -> discord.Message:
        channel = await self._dm(user)
        with _unreachable(user):
            return await channel.send(**_new(content), silent=silent, nonce=nonce)

    @in_time
    async def _dm(self, user: int | None) -> discord.DMChannel:
        if user is None:
            raise Unreachable("a computer player")
        with _unreachable(user):
            return await self._client.create_dm(discord.Object(user))

    @in_time
    async def _sent_before(
        self, channel: Channel, numbered: NumberedMessage, new: NewMessage
    ) -> SentMessage | None:
        """Search the newest messages for one that was sent but never recorded."""

        def matches(message: discord.Message) -> bool:
            if new.button_id is None:
                return _has_content(message, new.content)
            return new.button_id in ids_of(message)

        message = await self._newest_own(channel, numbered.newest, matches)
        if message is None:
            return None
        log.info("post found, not sent again table=%s message=%s", numbered.table, message.id)
        return _sent(numbered, message, numbered.begun_seq or 0)

    async def _newest_own(
        self, channel: Channel, after: int | None, matches: Callable[[discord.Message], bool]
    ) -> discord.Message | None:
        """Return our newest matching message after that one, if it can be found."""
        ours = self._client.user
        try:
            async for message in channel.history(limit=HISTORY_LIMIT):
                if after is not None and message.id <= after:
                    break
                if ours is not None and message.author.id == ours.id and matches(message):
                    return message
        except discord.HTTPException as error:
            # We cannot know if we may not read the channel.
            if error.code not in INACCESSIBLE:
                raise
        return None

    async def _check_server(self, table: Table) -> None:
        """Raise Closed if the bot has left the table's server."""
        if table.guild is not None and has_left_server(self._client, table.guild):
            raise await self._refused(table)

    async def _refused(self, table: Table) -> Closed:
        if self.on_refused is not None:
            await self.on_refused(table.id)
        return Closed(f"table {table.id}")

    async def _send_to(
        self,
        channel: discord.PartialMessageable,
        content: Content,
        nonce: str,
        mentions: discord.AllowedMentions,
    ) -> discord.Message:
        send = partial(channel.send, nonce=nonce, allowed_mentions=mentions)
        try:
            return await send(**_new(content))
        except discord.HTTPException as error:
            plain = _without_files(content)
            if error.code == MISSING_PERMISSIONS and plain is not None:
                return await send(**_new(plain))
            if error.code != ARCHIVED:
                raise
        thread = self._client.get_channel(channel.id) or await self._client.fetch_channel(
            channel.id
        )
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
        return await send(**_new(content))


class Dialogue:
    """A part of the chat that answers commands and presses, and sends further messages."""

    def __init__(self, services: Services, sender: MessageSender) -> None:
        self._services = services
        self._tables = services.tables
        self._sender = sender


def ids_of(message: discord.Message) -> list[str]:
    """Return the custom ids of a message's buttons and selects, in order."""
    ids = (getattr(each, "custom_id", None) for each in walk(message.components))
    return [each for each in ids if each is not None]


def is_text_of(message: discord.Message, content: Content) -> bool:
    """Return whether a message has this text, ignoring its buttons."""
    text = content if isinstance(content, str) else content.text
    return text_of(message) == text.strip()


def text_of(message: discord.Message) -> str:
    """Return all text of a message in lines; older messages are not layouts."""
    texts = [each for each in walk(message.components) if isinstance(each, discord.TextDisplay)]
    lines = [message.content, *(each.content for each in texts)]
    return "\n".join(filter(None, lines)).strip()


def with_buttons(message: discord.Message, buttons: Sequence[Control] = ()) -> Layout:
    """Return the layout of a message with other buttons."""
    picture = picture_of(message)
    shown = [] if picture is None else [picture]
    return Layout([*shown, Text(text_of(message), Keep.BEGINNING), *rows(buttons)])


def _channels(client: discord.Client, table: Table) -> list[discord.PartialMessageable]:
    return [
        client.get_partial_messageable(place, guild_id=table.guild)
        for place in home_of(table).places
    ]


def _sent(numbered: NumberedMessage, message: discord.Message, seq: int) -> SentMessage:
    attached = attached_to(message)
    return SentMessage(numbered, message.channel.id, message.id, seq, attached=attached)


def _new(content: Content) -> dict[str, Any]:
    return {"content": content} if isinstance(content, str) else content.sent()


def _edited(content: Content) -> dict[str, Any]:
    return {"content": content} if isinstance(content, str) else content.edited()


def _files(content: Content) -> list[Image | Document]:
    parts = () if isinstance(content, str) else content.parts
    return [each for each in parts if isinstance(each, Image | Document)]


def _weight(content: Content) -> int:
    return sum(len(each.data or b"") for each in _files(content))


def _without_files(content: Content) -> Content | None:
    """Return the content without its new files; None if it has none."""
    if isinstance(content, str) or not _weight(content):
        return None
    return replace(content, parts=[each for each in content.parts if each not in _files(content)])


def _digest(content: Content) -> bytes | None:
    """Return a digest of a message's content; None if it has new files."""
    if isinstance(content, str):
        return content.encode()
    if _weight(content):
        return None
    attached = [each.attached for each in content.parts if isinstance(each, Image)]
    components = cast(Any, content.view()).to_components()
    return blake2b(encode((attached, components)), digest_size=16).digest()


def _has_content(message: discord.Message, content: Content) -> bool:
    """Return whether a message has exactly this text and these buttons."""
    parts = () if isinstance(content, str) else content.parts
    controls = [each for part in parts if isinstance(part, Row) for each in part.controls]
    controls += [part.control for part in parts if isinstance(part, Section)]
    ids = [each.custom_id for each in controls if each.custom_id]
    return ids_of(message) == ids and is_text_of(message, content)


def _is_open(place: discord.abc.GuildChannel | discord.Thread | None) -> bool:
    # Archived threads and deleted channels are not cached.
    if place is None:
        return True
    try:
        rights = place.permissions_for(place.guild.me)
    except discord.ClientException:
        return True
    if isinstance(place, discord.Thread):
        return rights.view_channel and rights.send_messages_in_threads
    return rights.view_channel and rights.send_messages


def _is_refusal(error: discord.HTTPException) -> bool:
    """Return whether a retry would be refused too."""
    return 400 <= error.status < 500 and error.status != TOO_MANY_REQUESTS


@contextmanager
def _unless_refused(message: int, *, only_missing: bool = False) -> Iterator[None]:
    try:
        yield
    except Unreachable:
        log.info("message not changed, user unreachable message=%s", message)
    except discord.HTTPException as error:
        is_missing = error.code in (*INACCESSIBLE, ARCHIVED)
        if not (is_missing if only_missing else _is_refusal(error)):
            raise
        log.info("message not changed message=%s code=%s", message, error.code)


@contextmanager
def _unreachable(user: object) -> Iterator[None]:
    try:
        yield
    except discord.HTTPException as error:
        is_closed = error.code in MESSAGES_CLOSED
        # The account or its channel no longer exists, or Discord distrusts the bot.
        is_refused = isinstance(error, discord.Forbidden | discord.NotFound)
        if not (is_closed or is_refused or error.code == FLAGGED):
            raise
        level = logging.WARNING if error.code == FLAGGED else logging.INFO
        log.log(level, "direct message refused user=%s code=%s", user, error.code)
        raise Unreachable(str(user), closed=is_closed) from error
