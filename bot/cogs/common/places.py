"""Where a table's messages go: its thread, its channel, or a person's direct messages."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, Protocol

import discord

from bot.tables import Player, Table

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
MISSING_ACCESS = 50001
MISSING_PERMISSIONS = 50013
ARCHIVED = 50083
THREAD_EXISTS = 160004
NOT_THERE = (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, MISSING_ACCESS, MISSING_PERMISSIONS)
"""What a message of ours answers to when it, its channel or our right to it is gone."""
WEEK: Literal[10080] = 10080
"""Minutes until an idle thread is archived; the longest there is."""
REMEMBERED = 512
"""Messages that are remembered by their nonce."""
TOO_MANY_REQUESTS = 429


class Nowhere(Exception):
    """A table whose channel and thread are both gone."""


class Closed(Exception):
    """A table that cannot be written to as long as the bot's rights stay as they are."""


class Unreachable(Exception):
    """A person who takes no direct messages from the bot."""


class Attached(Protocol):
    """Something that goes along with a message."""

    def file(self) -> discord.File:
        """A new attachment; a file can be sent only once."""
        ...


class Places:
    """Sends and edits on behalf of tables, coping with what people do to channels.

    Discord knows a nonce for some minutes only. While the database cannot note that a message has
    been sent, it is asked for again and again, for hours perhaps: so nonces are kept here as well.
    """

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._sent: OrderedDict[str, tuple[int, discord.Message]] = OrderedDict()

    async def send(
        self, table: Table, picture: Attached | None = None, **parts: Any
    ) -> tuple[int, discord.Message]:
        """Send to the table's thread, else to its channel; which one it was, and the message.

        Where the bot may write but not attach, the words go without the picture. Raises Nowhere
        where both are gone, Closed where one is there and refuses, or the bot was sent away.
        """
        nonce: str | None = parts.get("nonce")
        known = self._known(nonce)
        if known is not None:
            return known
        if self._is_sent_away(table):
            raise Closed(f"table {table.id}")
        closed = False
        for place in dict.fromkeys((table.thread or table.channel, table.channel)):
            channel = self._client.get_partial_messageable(place, guild_id=table.guild)
            try:
                sent = place, await self._send_to(channel, picture, parts)
            except discord.HTTPException as error:
                if error.code not in NOT_THERE and error.code != ARCHIVED:
                    raise
                log.warning("table=%s place=%s refused: code %s", table.id, place, error.code)
                closed = closed or error.code != UNKNOWN_CHANNEL
            else:
                return self._remember(nonce, sent)
        raise (Closed if closed else Nowhere)(f"table {table.id}")

    async def make_thread(self, table: Table, name: str) -> int | None:
        """A public thread for the table, at its lobby message; None where that is not allowed.

        A thread at a message exists once, so that asking again after a crash finds the first.
        """
        channel = self._client.get_channel(table.channel)
        if isinstance(channel, discord.Thread) or table.guild is None:
            return None
        partial = self._client.get_partial_messageable(table.channel, guild_id=table.guild)
        try:
            if table.lobby_message is not None:
                message = partial.get_partial_message(table.lobby_message)
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

    async def edit(self, table: Table, place: int, message: int, **parts: Any) -> bool:
        """Edit a message of ours; False where it is gone, which is nobody's fault."""
        channel = self._client.get_partial_messageable(place, guild_id=table.guild)
        try:
            await channel.get_partial_message(message).edit(**parts)
        except discord.HTTPException as error:
            if error.code not in NOT_THERE and error.code != ARCHIVED:
                raise
            log.info("table=%s message=%s not edited: code %s", table.id, message, error.code)
            return False
        return True

    async def unsay(self, table: Table, message: int) -> None:
        """Delete a message of ours at the table, if it is still there."""
        place = table.thread or table.channel
        channel = self._client.get_partial_messageable(place, guild_id=table.guild)
        try:
            await channel.get_partial_message(message).delete()
        except discord.HTTPException as error:
            if error.code not in NOT_THERE and error.code != ARCHIVED:
                raise
            log.info("table=%s message=%s not deleted: code %s", table.id, message, error.code)

    async def unsay_to(self, user: int, message: int) -> None:
        """Delete a direct message of ours, if it is still there."""
        with _gone_is_fine(message):
            await (await self._whispered(user, message)).delete()

    async def edit_to(self, user: int, message: int, **parts: Any) -> None:
        """Edit a direct message of ours, if it is still there."""
        with _gone_is_fine(message):
            await (await self._whispered(user, message)).edit(**parts)

    async def _whispered(self, user: int, message: int) -> discord.PartialMessage:
        return (await self._client.create_dm(discord.Object(user))).get_partial_message(message)

    async def whisper(self, player: Player, **parts: Any) -> discord.Message:
        """A direct message. Raises Unreachable where the person takes none."""
        if player.user is None:
            raise Unreachable(player.name)
        nonce: str | None = parts.get("nonce")
        known = self._known(nonce)
        if known is not None:
            return known[1]
        message = await self.whisper_to(player.user, **parts)
        return self._remember(nonce, (message.channel.id, message))[1]

    async def whisper_to(self, user: int, **parts: Any) -> discord.Message:
        """A direct message to a user. Raises Unreachable where the person takes none."""
        try:
            channel = await self._client.create_dm(discord.Object(user))
            return await channel.send(**parts)
        except (discord.Forbidden, discord.NotFound) as error:
            # 50007 where messages are closed; others where the account or its channel is gone.
            raise Unreachable(str(user)) from error

    def _known(self, nonce: str | None) -> tuple[int, discord.Message] | None:
        return None if nonce is None else self._sent.get(nonce)

    def _remember(
        self, nonce: str | None, sent: tuple[int, discord.Message]
    ) -> tuple[int, discord.Message]:
        if nonce is not None:
            self._sent[nonce] = sent
            if len(self._sent) > REMEMBERED:
                self._sent.popitem(last=False)
        return sent

    def _is_sent_away(self, table: Table) -> bool:
        """Whether the bot is no longer in the table's server: then nothing need be tried."""
        return (
            table.guild is not None
            and self._client.is_ready()
            and self._client.get_guild(table.guild) is None
        )

    async def _send_to(
        self,
        channel: discord.PartialMessageable,
        picture: Attached | None,
        parts: dict[str, Any],
    ) -> discord.Message:
        try:
            return await _send(channel, picture, parts)
        except discord.HTTPException as error:
            if error.code == MISSING_PERMISSIONS and picture is not None:
                return await _send(channel, None, parts)
            if error.code != ARCHIVED:
                raise
        await self._revive(channel.id)
        return await _send(channel, picture, parts)

    async def _revive(self, thread_id: int) -> None:
        thread = self._client.get_channel(thread_id) or await self._client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)


@contextmanager
def _gone_is_fine(message: int) -> Iterator[None]:
    try:
        yield
    except (discord.Forbidden, discord.NotFound) as error:
        log.info("message=%s to a user is gone: code %s", message, error.code)


async def _send(
    channel: discord.PartialMessageable, picture: Attached | None, parts: dict[str, Any]
) -> discord.Message:
    if picture is None:
        return await channel.send(**parts)
    return await channel.send(**parts, file=picture.file())
