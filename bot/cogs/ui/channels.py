"""Where a table's messages go: its thread, its channel, or a person's direct messages."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial, wraps
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar

import discord

from bot.cogs.ui.layout import Control, Document, Image, attached_to
from bot.cogs.ui.sending import (
    Said,
    edited,
    ids_of,
    is_said_by,
    is_text_of,
    sent,
    shown_by,
    with_presses,
    without_files,
)
from bot.cogs.ui.servers_here import is_gone
from bot.tables import MessageNumbers, NumberedMessage, Player, SentMessage, Table
from bot.tables.core.unit_of_work import on_whose_behalf
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


class Nowhere(Exception):
    """A table whose channel and thread are both gone."""


class Closed(Exception):
    """A table that cannot be written to as long as the bot's rights stay as they are."""


class Unreachable(Exception):
    """A person whom no direct message of the bot reaches; `closed` where they accept none, so that
    they can change it."""

    def __init__(self, user: str, *, closed: bool = False) -> None:
        super().__init__(user)
        self.closed = closed


class Held(Exception):
    """Somebody who is not to be rung before `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class Home(NamedTuple):
    """Where a table is: its server, and its thread and channel."""

    guild: int | None
    places: tuple[int, ...]


UNKNOWN = Home(None, ())


def home_of(table: Table) -> Home:
    """Where a table's messages go, its thread first."""
    return Home(table.guild, tuple(dict.fromkeys((table.thread or table.channel, table.channel))))


def is_refusal(error: discord.HTTPException) -> bool:
    """Whether Discord will refuse the same once more."""
    return 400 <= error.status < 500 and error.status != TOO_MANY_REQUESTS


def in_time(ask: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Gives what asks something of Discord a time limit. Raises TimeoutError."""

    @wraps(ask)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        async with asyncio.timeout(DEADLINE_S):
            return await ask(*args, **kwargs)

    return asked


class _Shown(NamedTuple):
    """What this process had a message show last. Under another lease others may have edited it."""

    print: bytes
    fence: object
    message: discord.Message


class Places:
    """Sends and edits for tables, whatever people do to channels.

    All that is no answer to a press is sent here, and nothing rings anybody who does not want it
    now: that is held back until they do.

    Discord knows a nonce for some minutes only. So what may have been sent already, before a
    restart or as the connection broke, is looked for among the newest messages before it is sent
    again.
    """

    def __init__(
        self, client: discord.Client, message_numbers: MessageNumbers, notifications: Notifications
    ) -> None:
        self._client = client
        self._message_numbers = message_numbers
        self._notifications = notifications
        self._shown: OrderedDict[int, _Shown] = OrderedDict()
        self.on_sent: Callable[[], None] = lambda: None
        """Called whenever a message has got through."""
        self.on_refused: Callable[[int], Awaitable[None]] = _unheard
        """Called with a table's id whenever a message to it is refused."""

    async def number(self, table: int, what: str, seq: int) -> NumberedMessage:
        """The number of the next message of a kind, for a `send` that tells up to that log entry.

        It may have been sent from now on.
        """
        numbered = await self._message_numbers.next(table, what)
        if numbered.begun_seq is None:
            await self._message_numbers.begin(numbered, seq)
        return numbered

    async def send(
        self,
        table: Table,
        what: str | NumberedMessage,
        said: Said,
        *,
        seq: int = 0,
        mark: str | None = None,
        pinged: Iterable[int] = (),
        in_vain: bool = False,
    ) -> SentMessage:
        """Send the next message of a kind, or the one that has its number, to the table's thread,
        else to its channel.

        It tells up to log entry `seq`; the one that is given back may have been sent before, and
        tell less. It is known by a button with the custom id `mark`, else by all that it says.
        Mentions ping these users alone, and of them those who want it now; a direct message was
        sent `in_vain` to those who want that. Raises what `say` does.
        """
        await self._check_here(table)
        numbered = await self.number(table.id, what, seq) if isinstance(what, str) else what
        places = self._channels(table) if numbered.begun_seq is not None else ()
        again = numbered.begun_seq is not None
        say = partial(self.say, table, said, pinged=pinged, in_vain=in_vain, again=again)
        return await self._send_once(numbered, places, say, seq, mark, said)

    async def say(
        self,
        table: Table,
        said: Said,
        *,
        nonce: str,
        pinged: Iterable[int] = (),
        in_vain: bool = False,
        again: bool = False,
    ) -> discord.Message:
        """Send to the table's thread, else to its channel.

        Where the bot may write but not attach, the words go without the picture. Players among the
        `pinged` who are in their quiet hours are told when these end, but not where it is tried
        `again`. Raises Nowhere where both are gone, Closed where one is there and refuses, or the
        bot is no longer in the server.
        """
        await self._check_here(table)
        users = [
            discord.Object(user)
            for user in await self._notifications.to_ring(
                table, pinged, in_vain=in_vain, again=again
            )
        ]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        closed = False
        for channel in self._channels(table):
            try:
                async with asyncio.timeout(DEADLINE_S + _weight(said) / SLOWEST):
                    return await self._send_to(
                        channel, said, nonce=nonce, allowed_mentions=mentions
                    )
            except discord.HTTPException as error:
                if error.code not in NOT_THERE and error.code != ARCHIVED:
                    raise
                log.warning("table=%s place=%s refused: code %s", table.id, channel.id, error.code)
                closed = closed or error.code != UNKNOWN_CHANNEL
        if closed:
            await self.on_refused(table.id)
        raise (Closed if closed else Nowhere)(f"table {table.id}")

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
        place = self._client.get_partial_messageable(table.channel, guild_id=table.guild)
        try:
            if table.lobby_message is not None:
                message = place.get_partial_message(table.lobby_message)
                try:
                    thread = await message.create_thread(name=name, auto_archive_duration=WEEK)
                except discord.HTTPException as error:
                    if error.code == THREAD_EXISTS:
                        return table.lobby_message
                    if error.code != UNKNOWN_MESSAGE:
                        raise
                else:
                    return thread.id
            if isinstance(channel, discord.TextChannel):
                made = await channel.create_thread(
                    name=name, type=discord.ChannelType.public_thread, auto_archive_duration=WEEK
                )
                return made.id
        except discord.HTTPException as error:
            # Whatever forbids the thread (rights, limits, the kind of channel), the channel serves.
            if error.status >= 500 or error.status == TOO_MANY_REQUESTS:
                raise
            log.info("table=%s no thread: code %s", table.id, error.code)
        return None

    @in_time
    async def edit(
        self, table: Table, place: int, message: int, said: Said
    ) -> discord.Message | None:
        """Edit a message of ours to show this alone, unless it does already; None where it is gone,
        which is no error.

        Where the bot may write but not attach, the words stand there without the picture.
        """
        channel = self._client.get_partial_messageable(place, guild_id=table.guild)
        found = channel.get_partial_message(message)
        try:
            try:
                return await self._show(found, said)
            except discord.HTTPException as error:
                plainer = without_files(said)
                if error.code != MISSING_PERMISSIONS or plainer is None:
                    raise
                return await self._show(found, plainer)
        except discord.HTTPException as error:
            if error.code not in NOT_THERE and error.code != ARCHIVED:
                raise
            log.info("table=%s message=%s not edited: code %s", table.id, message, error.code)
            return None

    @in_time
    async def change_presses(
        self, table: Table, place: int, message: int, presses: Sequence[Control] = ()
    ) -> None:
        """Give a message of ours other buttons, if it is still there; else it stays as it is."""
        channel = self._client.get_partial_messageable(place, guild_id=table.guild)
        try:
            found = await channel.fetch_message(message)
            await self._show(found, with_presses(found, presses))
        except discord.HTTPException as error:
            if error.code not in NOT_THERE and error.code != ARCHIVED:
                raise
            log.info("table=%s message=%s not changed: code %s", table.id, message, error.code)

    @in_time
    async def delete(self, table: Table, message: int) -> None:
        """Delete a message of ours at the table, if it is still there."""
        place = table.thread or table.channel
        channel = self._client.get_partial_messageable(place, guild_id=table.guild)
        try:
            await channel.get_partial_message(message).delete()
        except discord.HTTPException as error:
            if error.code not in NOT_THERE and error.code != ARCHIVED:
                raise
            log.info("table=%s message=%s not deleted: code %s", table.id, message, error.code)

    @in_time
    async def delete_direct(self, user: int, message: int) -> None:
        """Delete a direct message of ours, if it is still there."""
        with _gone_is_fine(message):
            await (await self._direct_message(user, message)).delete()

    @in_time
    async def edit_direct(self, user: int, message: int, said: Said) -> None:
        """Edit a direct message of ours to show this alone, if it is still there."""
        with _gone_is_fine(message):
            await self._show(await self._direct_message(user, message), said)

    async def _show(
        self, message: discord.Message | discord.PartialMessage, said: Said
    ) -> discord.Message:
        known = self._shown.pop(message.id, None)
        if known is not None and known[:2] == (shown_by(said), on_whose_behalf()):
            shown = known.message
        else:
            shown = await message.edit(**edited(said))
        self._remember(shown, said)
        return shown

    def _remember(self, message: discord.Message, said: Said) -> None:
        print_ = shown_by(said)
        if print_ is not None:
            self._shown[message.id] = _Shown(print_, on_whose_behalf(), message)
        if len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)

    async def _direct_message(self, user: int, message: int) -> discord.PartialMessage:
        channel = await self._client.create_dm(discord.Object(user))
        return channel.get_partial_message(message)

    async def send_direct(
        self,
        player: Player,
        table: int,
        what: str,
        said: Said,
        *,
        seq: int = 0,
        mark: str | None = None,
        silent: bool = False,
    ) -> SentMessage:
        """The next direct message of a kind, as in `send`.

        Raises Unreachable where none gets through, and Held in quiet hours unless it is `silent`;
        the table's outbox is sent again when these end.
        """
        if player.user is None:
            raise Unreachable(player.name)
        until = None if silent else await self._notifications.held_until(player.user)
        if until is not None:
            await self._notifications.wake(table, player.seat, until)
            raise Held(until)
        numbered = await self.number(table, what, seq)
        places = (await self._direct(player.user),) if numbered.begun_seq is not None else ()
        say = partial(self._say_direct, player.user, said, silent=silent)
        return await self._send_once(numbered, places, say, seq, mark, said)

    async def say_direct(
        self, user: int, said: Said, *, nonce: str, silent: bool = False
    ) -> discord.Message:
        """A direct message to a user. Raises Unreachable where none gets through, and Held in quiet
        hours unless it is `silent`."""
        until = None if silent else await self._notifications.held_until(user)
        if until is not None:
            raise Held(until)
        return await self._say_direct(user, said, silent=silent, nonce=nonce)

    @in_time
    async def _say_direct(
        self, user: int, said: Said, *, silent: bool, nonce: str
    ) -> discord.Message:
        channel = await self._direct(user)
        with _unreachable(user):
            return await channel.send(**sent(said), silent=silent, nonce=nonce)

    @in_time
    async def _direct(self, user: int) -> discord.DMChannel:
        with _unreachable(user):
            return await self._client.create_dm(discord.Object(user))

    async def _send_once(
        self,
        numbered: NumberedMessage,
        places: Iterable[Channel],
        say: Callable[..., Awaitable[discord.Message]],
        seq: int,
        mark: str | None,
        said: Said,
    ) -> SentMessage:
        """The message as it was sent before to one of the places, else sent now."""
        for channel in places:
            known = await self._sent_before(channel, numbered, mark, said)
            if known is not None:
                return known
        if numbered.begun_seq is not None:
            # It was not sent, and may tell of more now.
            await self._message_numbers.begin(numbered, seq)
        message = await say(nonce=numbered.nonce[-MAX_NONCE:])
        self.on_sent()
        if numbered.begun_seq is None:
            self._remember(message, said)
        elif not is_text_of(message, said):
            # Discord has returned an earlier one for its nonce.
            seq = numbered.begun_seq
        return _sent(numbered, message, seq)

    @in_time
    async def _sent_before(
        self,
        channel: Channel,
        numbered: NumberedMessage,
        mark: str | None,
        said: Said,
    ) -> SentMessage | None:
        """A message of ours that was never noted, if it is among the newest there."""
        ours = self._client.user
        try:
            async for message in channel.history(limit=LOOKED_AT):
                if numbered.newest is not None and message.id <= numbered.newest:
                    break
                if ours is not None and message.author.id == ours.id and _is(message, mark, said):
                    log.info("table=%s had sent message=%s", numbered.table, message.id)
                    return _sent(numbered, message, numbered.begun_seq or 0)
        except discord.HTTPException as error:
            # What may not be read there cannot be known.
            if error.code not in NOT_THERE:
                raise
        return None

    def _channels(self, table: Table) -> list[discord.PartialMessageable]:
        return [
            self._client.get_partial_messageable(place, guild_id=table.guild)
            for place in home_of(table).places
        ]

    async def _check_here(self, table: Table) -> None:
        """Raises Closed where the bot is no longer in the table's server: trying is pointless."""
        if table.guild is not None and is_gone(self._client, table.guild):
            await self.on_refused(table.id)
            raise Closed(f"table {table.id}")

    async def _send_to(
        self, channel: discord.PartialMessageable, said: Said, **parts: Any
    ) -> discord.Message:
        try:
            return await channel.send(**sent(said), **parts)
        except discord.HTTPException as error:
            plainer = without_files(said)
            if error.code == MISSING_PERMISSIONS and plainer is not None:
                return await channel.send(**sent(plainer), **parts)
            if error.code != ARCHIVED:
                raise
        await self._revive(channel.id)
        return await channel.send(**sent(said), **parts)

    async def _revive(self, thread_id: int) -> None:
        thread = self._client.get_channel(thread_id) or await self._client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)


async def _unheard(_table: int) -> None:
    pass


def _weight(said: Said) -> int:
    files = [] if isinstance(said, str) else said.parts
    return sum(len(part.data or b"") for part in files if isinstance(part, Image | Document))


def _sent(numbered: NumberedMessage, message: discord.Message, seq: int) -> SentMessage:
    attached = attached_to(message)
    return SentMessage(numbered, message.channel.id, message.id, seq, attached=attached)


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


def _is(message: discord.Message, mark: str | None, said: Said) -> bool:
    """Whether a message of ours is the one sought."""
    return is_said_by(message, said) if mark is None else mark in ids_of(message)


@contextmanager
def _unreachable(user: int) -> Iterator[None]:
    try:
        yield
    except discord.HTTPException as error:
        is_closed = error.code in MESSAGES_CLOSED
        # The account or its channel is gone, or Discord mistrusts the bot.
        is_refused = isinstance(error, discord.Forbidden | discord.NotFound)
        if not (is_closed or is_refused or error.code == FLAGGED):
            raise
        log.info("user=%s not written to: code %s", user, error.code)
        raise Unreachable(str(user), closed=is_closed) from error


@contextmanager
def _gone_is_fine(message: int) -> Iterator[None]:
    try:
        yield
    except (discord.Forbidden, discord.NotFound) as error:
        log.info("message=%s to a user is gone: code %s", message, error.code)
