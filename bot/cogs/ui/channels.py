"""Where a table's messages go: its thread, its channel, or a person's direct messages."""

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
from bot.cogs.ui.services import has_left_server
from bot.tables import NumberedMessage, Outbox, Player, SentMessage, Table, current_fence
from bot.tables.notifications import Notifications

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
MISSING_ACCESS = 50001
MESSAGES_CLOSED = (50007, 50278)
"""To this bot, or to everybody with whom the person shares no server."""
FLAGGED = 20026
"""The bot is suspected of spam, and must not begin a conversation."""
MISSING_PERMISSIONS = 50013
ARCHIVED = 50083
THREAD_EXISTS = 160004
NOT_THERE = (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, MISSING_ACCESS, MISSING_PERMISSIONS)
"""Discord's errors when a message of ours, its channel or our right to it is gone."""
WEEK: Literal[10080] = 10080
"""Minutes until an idle thread is archived; the longest there is."""
REMEMBERED = 1024
"""Messages of which is remembered what they show."""
LOOKED_AT = 100
"""How many of the newest messages are searched, with one request."""
MAX_NONCE = 25
"""Characters of a message's nonce."""
TOO_MANY_REQUESTS = 429

DEADLINE_S = 30.0
"""Seconds for whatever is asked of Discord here, however often the library asks."""
SLOWEST = 65_536
"""Bytes a second at which files are uploaded at least; they may take that much longer."""

P = ParamSpec("P")
R = TypeVar("R")

Channel = discord.PartialMessageable | discord.DMChannel
Content = Layout | str
"""What a message says: words alone, which a phone shows as it rings, or a layout."""


class Closed(Exception):
    """A table that cannot be written to as long as the bot's rights stay as they are."""


class Nowhere(Closed):
    """A table whose channel and thread are both gone."""


class Unreachable(Exception):
    """A person whom no direct message of the bot reaches; `closed` where they accept none, so that
    they can change it."""

    def __init__(self, user: str, *, closed: bool = False) -> None:
        super().__init__(user)
        self.closed = closed


class Held(Exception):
    """Somebody is not to be rung now; the table's outbox is sent again when they may be."""


class Home(NamedTuple):
    """Where a table is: its server, and its thread and channel."""

    guild: int | None
    places: tuple[int, ...]


UNKNOWN = Home(None, ())


@dataclass(frozen=True, kw_only=True)
class NewMessage:
    """The next message of a kind at a table, which goes to its thread, else to its channel."""

    table: Table
    what: str
    """The kind of message; each kind is numbered by itself."""
    content: Content
    seq: int = 0
    """The log entry up to which it tells."""
    mark: str | None = None
    """The custom id of a button by which it is known again; without it, by all that it says."""
    to: Player | None = None
    """Whom it goes to as a direct message; `silent` where it rings nobody."""
    silent: bool = False
    pinged: Sequence[int] = ()
    """The users whom its mentions ping, of whom those are who want that now."""
    in_vain: bool = False
    """Whether those who want direct messages have been sent one, which did not get through."""
    is_optional: bool = False
    """Whether it is not tried again where the table cannot be written to."""


def home_of(table: Table) -> Home:
    """Where a table's messages go, its thread first."""
    return Home(table.guild, tuple(dict.fromkeys((table.thread or table.channel, table.channel))))


def in_time(ask: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Gives what asks something of Discord a time limit. Raises TimeoutError."""

    @wraps(ask)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        async with asyncio.timeout(DEADLINE_S):
            return await ask(*args, **kwargs)

    return asked


class Places:
    """Sends and edits for tables, whatever people do to channels.

    All that is no answer to a press is sent here, and nothing rings anybody who does not want it
    now: that is held back until they do.

    Discord knows a nonce for some minutes only. So what may have been sent already, before a
    restart or as the connection broke, is looked for among the newest messages before it is sent
    again.
    """

    def __init__(
        self, client: discord.Client, outbox: Outbox, notifications: Notifications
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._notifications = notifications
        self._shown: OrderedDict[int, tuple[bytes, object, discord.Message]] = OrderedDict()
        """A print of what this process had each message show last, and the lease under which it
        did: under another one others may have edited it."""
        self.on_sent: Callable[[], None] = lambda: None
        """Called whenever a message has got through."""
        self.on_refused: Callable[[int], Awaitable[None]] | None = None
        """Called with a table's id whenever a message to it is refused."""

    async def send(
        self, new: NewMessage, numbered: NumberedMessage | None = None
    ) -> SentMessage | None:
        """Send a message, with that number if it has one already.

        The one that is given back may have been sent before, and tell less. None where the table's
        thread and channel are gone, or where they refuse an optional message. Raises Closed where
        they refuse any other, Unreachable where a direct message does not get through, and Held in
        quiet hours unless that is silent.
        """
        table, to = new.table, new.to
        try:
            if to is None:
                await self._check_here(table)
            elif not new.silent and to.user is not None:
                until = await self._notifications.held_until(to.user)
                if until is not None:
                    await self._notifications.send_later(table.id, to.seat, until)
                    raise Held
            numbered = numbered or await self._outbox.number(table.id, new.what, new.seq)
            again, nonce = numbered.begun_seq is not None, numbered.nonce[-MAX_NONCE:]
            if again:
                places = _channels(self._client, table) if to is None else [await self._dm(to.user)]
                for channel in places:
                    known = await self._sent_before(channel, numbered, new)
                    if known is not None:
                        return known
                # It was not sent, and may tell of more now.
                await self._outbox.begin(numbered, new.seq)
            if to is None:
                message = await self.say(
                    table,
                    new.content,
                    nonce=nonce,
                    pinged=new.pinged,
                    in_vain=new.in_vain,
                    again=again,
                )
            else:
                message = await self._say_direct(to.user, new.content, new.silent, nonce)
        except Closed as error:
            if not (new.is_optional or isinstance(error, Nowhere)):
                raise
            log.warning("post not sent, no channel table=%s what=%s", table.id, new.what)
            return None
        self.on_sent()
        if numbered.begun_seq is None:
            self._remember(message, new.content)
        elif not is_text_of(message, new.content):
            # Discord has returned an earlier one for its nonce.
            return _sent(numbered, message, numbered.begun_seq)
        return _sent(numbered, message, new.seq)

    async def say(
        self,
        table: Table,
        content: Content,
        *,
        nonce: str,
        pinged: Iterable[int] = (),
        in_vain: bool = False,
        again: bool = False,
    ) -> discord.Message:
        """Send to the table's thread, else to its channel.

        Where the bot may write but not attach, the words go without the picture. Players among the
        `pinged` who are in their quiet hours are told when these end, but not where it is tried
        `again`. Raises Closed where thread and channel refuse, or the bot is no longer in the
        server, Nowhere where both are gone.
        """
        await self._check_here(table)
        rung = await self._notifications.pingable(table, pinged, in_vain=in_vain, again=again)
        users = list(map(discord.Object, rung))
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        closed = False
        for channel in _channels(self._client, table):
            try:
                async with asyncio.timeout(DEADLINE_S + _weight(content) / SLOWEST):
                    return await self._send_to(channel, content, nonce, mentions)
            except discord.HTTPException as error:
                if error.code not in NOT_THERE and error.code != ARCHIVED:
                    raise
                log.warning(
                    "post refused table=%s channel=%s code=%s", table.id, channel.id, error.code
                )
                closed = closed or error.code != UNKNOWN_CHANNEL
        if closed:
            raise await self._refused(table)
        raise Nowhere(f"table {table.id}")

    async def say_direct(
        self, user: int, content: Content, *, nonce: str, silent: bool = False
    ) -> discord.Message:
        """A direct message to a user. Raises Unreachable where none gets through, and Held in quiet
        hours unless it is `silent`."""
        if not silent and await self._notifications.held_until(user) is not None:
            raise Held
        return await self._say_direct(user, content, silent, nonce)

    async def announce(
        self, table: Table, content: Content, delivery: str, *, pinged: Iterable[int] = ()
    ) -> None:
        """Tell the whole table, wherever somebody acted, once for a delivery."""
        try:
            await self.say(table, content, nonce=f"say.{delivery}", pinged=pinged)
        except Closed:
            log.warning("announcement not sent, no channel table=%s", table.id)

    def may_post(self, home: Home) -> bool:
        """Whether the bot may write there, by all that Discord has told it; True where in doubt."""
        if home.guild is None:
            return True
        guild = self._client.get_guild(home.guild)
        if guild is None:
            return False
        return any(_is_open(guild.get_channel_or_thread(place)) for place in home.places)

    @in_time
    async def make_thread(self, table: Table, name: str) -> int | None:
        """A public thread for the table, at its lobby message; None where that is not allowed.

        A thread at a message exists once, so that asking again after a crash finds the first.
        """
        here = None if table.guild is None else self._client.get_guild(table.guild)
        channel = None if here is None else here.get_channel_or_thread(table.channel)
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
                made = await channel.create_thread(
                    name=name, type=discord.ChannelType.public_thread, auto_archive_duration=WEEK
                )
                return made.id
        except discord.HTTPException as error:
            # Whatever forbids the thread (rights, limits, the kind of channel), the channel serves.
            if not _is_refusal(error):
                raise
            log.info("thread not created table=%s code=%s", table.id, error.code)
        return None

    # Messages of ours; it is no error if they are gone, or if Discord refuses the change.

    @in_time
    async def edit(
        self, table: Table, place: int, message: int, content: Content, *, only_gone: bool = False
    ) -> discord.Message | None:
        """Edit a message to show this alone, unless it does already; None where that is refused.

        Where the bot may write but not attach, the words stand there without the picture. With
        `only_gone` any refusal but that the message is not there is raised.
        """
        shown = None
        with _unless_refused(message, only_gone=only_gone):
            shown = await self._show(self._message(table, place, message), content)
        return shown  # noqa: RET504

    @in_time
    async def edit_direct(
        self, user: int, message: int, content: Content
    ) -> discord.Message | None:
        """Edit a direct message to show this alone; None where that is refused."""
        shown = None
        with _unless_refused(message):
            shown = await self._show((await self._dm(user)).get_partial_message(message), content)
        return shown  # noqa: RET504

    @in_time
    async def change_presses(
        self, table: Table, place: int, message: int, presses: Sequence[Control] = ()
    ) -> None:
        """Give a message other buttons; else it stays as it is."""
        with _unless_refused(message):
            found = await self._message(table, place, message).fetch()
            await self._show(found, with_presses(found, presses))

    @in_time
    async def delete(self, table: Table, message: int) -> None:
        """Delete a message at the table."""
        with _unless_refused(message):
            await self._message(table, table.thread or table.channel, message).delete()

    @in_time
    async def delete_direct(self, user: int, message: int) -> None:
        """Delete a direct message."""
        with _unless_refused(message):
            await (await self._dm(user)).get_partial_message(message).delete()

    def _message(self, table: Table, place: int, message: int) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(place, guild_id=table.guild)
        return channel.get_partial_message(message)

    async def _show(
        self, message: discord.Message | discord.PartialMessage, content: Content
    ) -> discord.Message:
        known = self._shown.pop(message.id, None)
        if known is not None and known[:2] == (_print(content), current_fence()):
            shown = known[2]
        else:
            try:
                shown = await message.edit(**_edited(content))
            except discord.Forbidden as error:
                plainer = _without_files(content)
                if error.code != MISSING_PERMISSIONS or plainer is None:
                    raise
                content, shown = plainer, await message.edit(**_edited(plainer))
        self._remember(shown, content)
        return shown

    def _remember(self, message: discord.Message, content: Content) -> None:
        print_ = _print(content)
        if print_ is not None:
            self._shown[message.id] = print_, current_fence(), message
        if len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)

    @in_time
    async def _say_direct(
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
        """A message of ours that was never noted, if it is among the newest there."""
        ours = self._client.user
        try:
            async for message in channel.history(limit=LOOKED_AT):
                if numbered.newest is not None and message.id <= numbered.newest:
                    break
                if ours is None or message.author.id != ours.id:
                    continue
                if (
                    _has_content(message, new.content)
                    if new.mark is None
                    else new.mark in ids_of(message)
                ):
                    log.info(
                        "post found, not sent again table=%s message=%s", numbered.table, message.id
                    )
                    return _sent(numbered, message, numbered.begun_seq or 0)
        except discord.HTTPException as error:
            # What may not be read there cannot be known.
            if error.code not in NOT_THERE:
                raise
        return None

    async def _check_here(self, table: Table) -> None:
        """Raises Closed where the bot is no longer in the table's server: trying is pointless."""
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
            plainer = _without_files(content)
            if error.code == MISSING_PERMISSIONS and plainer is not None:
                return await send(**_new(plainer))
            if error.code != ARCHIVED:
                raise
        thread = self._client.get_channel(channel.id) or await self._client.fetch_channel(
            channel.id
        )
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
        return await send(**_new(content))


def ids_of(message: discord.Message) -> list[str]:
    """The custom ids of a message's buttons and selects, in order."""
    ids = (getattr(each, "custom_id", None) for each in walk(message.components))
    return [each for each in ids if each is not None]


def is_text_of(message: discord.Message, content: Content) -> bool:
    """Whether a message has that text, whatever its buttons."""
    text = content if isinstance(content, str) else content.text
    return text_of(message) == text.strip()


def text_of(message: discord.Message) -> str:
    """All that a message says, in lines; also one of before, which is no layout."""
    texts = [each for each in walk(message.components) if isinstance(each, discord.TextDisplay)]
    lines = [message.content, *(each.content for each in texts)]
    return "\n".join(filter(None, lines)).strip()


def with_presses(message: discord.Message, presses: Sequence[Control] = ()) -> Layout:
    """A message as it stands but for its buttons, which are these instead."""
    picture = picture_of(message)
    shown = [] if picture is None else [picture]
    return Layout([*shown, Text(text_of(message), Keep.BEGINNING), *rows(presses)])


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
    """The same without what is attached; None where nothing is."""
    if isinstance(content, str) or not _weight(content):
        return None
    return replace(content, parts=[each for each in content.parts if each not in _files(content)])


def _print(content: Content) -> bytes | None:
    """A print of what a message shows that says this; None where files go with it."""
    if isinstance(content, str):
        return content.encode()
    if _weight(content):
        return None
    kept = [each.attached for each in content.parts if isinstance(each, Image)]
    components = cast(Any, content.view()).to_components()
    return blake2b(encode((kept, components)), digest_size=16).digest()


def _has_content(message: discord.Message, content: Content) -> bool:
    """Whether a message says just that, with the same buttons."""
    parts = () if isinstance(content, str) else content.parts
    presses = [press for part in parts if isinstance(part, Row) for press in part.controls]
    presses += [part.control for part in parts if isinstance(part, Section)]
    ids = [each.custom_id for each in presses if each.custom_id]
    return ids_of(message) == ids and is_text_of(message, content)


def _is_open(place: discord.abc.GuildChannel | discord.Thread | None) -> bool:
    # Archived threads are not known, nor are channels that are gone.
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
    """Whether Discord will refuse the same once more."""
    return 400 <= error.status < 500 and error.status != TOO_MANY_REQUESTS


@contextmanager
def _unless_refused(message: int, *, only_gone: bool = False) -> Iterator[None]:
    try:
        yield
    except Unreachable:
        log.info("message not changed, user unreachable message=%s", message)
    except discord.HTTPException as error:
        is_away = error.code in (*NOT_THERE, ARCHIVED)
        if not (is_away if only_gone else _is_refusal(error)):
            raise
        log.info("message not changed message=%s code=%s", message, error.code)


@contextmanager
def _unreachable(user: object) -> Iterator[None]:
    try:
        yield
    except discord.HTTPException as error:
        is_closed = error.code in MESSAGES_CLOSED
        # The account or its channel is gone, or Discord mistrusts the bot.
        is_refused = isinstance(error, discord.Forbidden | discord.NotFound)
        if not (is_closed or is_refused or error.code == FLAGGED):
            raise
        level = logging.WARNING if error.code == FLAGGED else logging.INFO
        log.log(level, "direct message refused user=%s code=%s", user, error.code)
        raise Unreachable(str(user), closed=is_closed) from error
