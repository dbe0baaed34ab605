"""Where a table's messages go: its thread, its channel, or a person's direct messages."""

from __future__ import annotations

import logging
from typing import Any, Literal

import discord

from bot.cogs.common.shell import Picture
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


class Nowhere(Exception):
    """A table whose channel and thread are both gone, or closed to the bot."""


class Unreachable(Exception):
    """A person who takes no direct messages from the bot."""


class Places:
    """Sends and edits on behalf of tables, coping with what people do to channels."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send(
        self, table: Table, picture: Picture | None = None, **parts: Any
    ) -> tuple[int, discord.Message]:
        """Send to the table's thread, else to its channel; which one it was, and the message.

        Raises Nowhere where neither takes it.
        """
        for place in dict.fromkeys((table.thread or table.channel, table.channel)):
            channel = self._client.get_partial_messageable(place, guild_id=table.guild)
            try:
                return place, await self._send_to(channel, picture, parts)
            except discord.HTTPException as error:
                if error.code not in NOT_THERE and error.code != ARCHIVED:
                    raise
                log.warning("table=%s place=%s refused: code %s", table.id, place, error.code)
        raise Nowhere(f"table {table.id}")

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
            if error.status >= 500:
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

    async def whisper(self, player: Player, **parts: Any) -> discord.Message:
        """A direct message. Raises Unreachable where the person takes none."""
        if player.user is None:
            raise Unreachable(player.name)
        return await self.whisper_to(player.user, **parts)

    async def whisper_to(self, user: int, **parts: Any) -> discord.Message:
        """A direct message to a user. Raises Unreachable where the person takes none."""
        try:
            channel = await self._client.create_dm(discord.Object(user))
            return await channel.send(**parts)
        except (discord.Forbidden, discord.NotFound) as error:
            # 50007 where messages are closed; others where the account or its channel is gone.
            raise Unreachable(str(user)) from error

    async def _send_to(
        self,
        channel: discord.PartialMessageable,
        picture: Picture | None,
        parts: dict[str, Any],
    ) -> discord.Message:
        try:
            return await _send(channel, picture, parts)
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
        await self._revive(channel.id)
        return await _send(channel, picture, parts)

    async def _revive(self, thread_id: int) -> None:
        thread = self._client.get_channel(thread_id) or await self._client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)


async def _send(
    channel: discord.PartialMessageable, picture: Picture | None, parts: dict[str, Any]
) -> discord.Message:
    if picture is None:
        return await channel.send(**parts)
    return await channel.send(**parts, file=picture.file())
