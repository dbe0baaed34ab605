"""State of the stand-in.

All changes go through `World`, which publishes them to its subscribers synchronously and in order:
the gateway sends events to the bot, the page to the browser, and the store writes rows.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeVar

from bot.local import changes
from bot.local.model import (
    ALL_PERMISSIONS,
    EVERYONE_PERMISSIONS,
    AppEmoji,
    Attachment,
    Channel,
    ChannelKind,
    Command,
    Guild,
    Json,
    Message,
    MessageKind,
    Snowflakes,
    User,
    now_iso,
    snowflake_time,
)

T = TypeVar("T")


def slug_of(name: str) -> str:
    """Return a name for the page's URL: `Jörg K.` becomes `jörg-k`."""
    return re.sub(r"\W+", "-", name.lower()).strip("-")


#: How long Discord remembers a nonce.
NONCE_MEMORY_S = 300.0
#: Limits the cost of counting after a long absence.
MAX_UNREAD = 100
#: How many files stay available after their message is deleted, edited or dismissed. A page may
#: still fetch one before it receives the change.
_MAX_ORPHANS = 16


class World:
    """Users, servers, channels, messages, commands and files, by id, oldest first.

    Methods raise `KeyError` for ids that do not exist; callers turn that into Discord's errors.
    """

    def __init__(self, bot: User, snowflakes: Snowflakes) -> None:
        self.guilds: dict[int, Guild] = {}
        self.bot = bot
        self.snowflakes = snowflakes
        self.users: dict[int, User] = {bot.id: bot}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self.commands: dict[int, Command] = {}
        self.emojis: dict[int, AppEmoji] = {}
        self.reads: dict[tuple[int, int], int] = {}
        self.files: dict[int, bytes] = {}
        self._orphans: deque[int] = deque()
        self._subscribers: list[Callable[[changes.Change], None]] = []

    def subscribe(self, listener: Callable[[changes.Change], None]) -> Callable[[], None]:
        """Call `listener` with all later changes; return a function to unsubscribe."""
        self._subscribers.append(listener)
        return lambda: self._subscribers.remove(listener)

    def publish(self, change: changes.Change) -> None:
        for listener in tuple(self._subscribers):
            listener(change)

    async def until(self, predicate: Callable[[], T]) -> T:
        """Wait until `predicate()` is true after a change; return its value."""
        changed = asyncio.Event()
        unsubscribe = self.subscribe(lambda _: changed.set())
        try:
            while not (value := predicate()):
                await changed.wait()
                changed.clear()
            return value
        finally:
            unsubscribe()

    # Servers

    @property
    def guild(self) -> Guild:
        """The first server."""
        return next(iter(self.guilds.values()))

    def guild_named(self, name: str) -> Guild:
        """Return the first server with this name; raise `KeyError` if there is none."""
        named = {guild.name: guild for guild in reversed(self.guilds.values())}
        if name not in named:
            raise KeyError(f"there is no server named {name!r}")
        return named[name]

    def guild_of(self, channel: Channel) -> Guild | None:
        """Return the server of a channel or thread, `None` for a DM."""
        return None if channel.guild_id is None else self.guilds[channel.guild_id]

    def is_member(self, user_id: int, guild: Guild) -> bool:
        return user_id in self.users and user_id not in guild.outsiders

    def members(self, guild: Guild) -> list[User]:
        """Return the users on a server, including the bot."""
        return [user for user in self.users.values() if self.is_member(user.id, guild)]

    # Users

    @property
    def people(self) -> list[User]:
        """All users except the bot, in the order of the page's person switcher."""
        return [user for user in self.users.values() if not user.is_bot]

    def user_named(self, name: str) -> User:
        """Return a person by name or slug; raise `KeyError` if there is none."""
        people = {user.slug: user for user in self.people}
        if slug_of(name) not in people:
            names = ", ".join(user.name for user in people.values())
            raise KeyError(f"there is no {name!r}, only {names}")
        return people[slug_of(name)]

    def change_user(
        self, user: User, *, locale: str | None = None, blocks_dms: bool | None = None
    ) -> None:
        """Set a person's language, also of their servers, and whether they block DMs."""
        if locale is not None:
            user.locale = locale
            for guild in self.guilds.values():
                if guild.owner_id == user.id:
                    guild.locale = locale
                    self.publish(changes.GuildChanged(guild))
        if blocks_dms is not None:
            user.blocks_dms = blocks_dms
        self.publish(changes.UserChanged(user))

    # Channels

    def add_channel(self, channel: Channel) -> Channel:
        """Add a channel, thread or DM; a thread gets the server of its parent."""
        if channel.parent_id is not None:
            channel.guild_id = self.channels[channel.parent_id].guild_id
        self.channels[channel.id] = channel
        self.messages.setdefault(channel.id, {})
        self.publish(changes.ChannelCreated(channel))
        return channel

    def channel_named(self, name: str, guild: Guild | None = None) -> Channel:
        """Return the newest channel or thread with this name, on `guild` or the first server.

        Raises `KeyError` if there is none.
        """
        name = name.removeprefix("#")
        named = [c for c in self.channels.values() if c.name == name and c.guild_id is not None]
        for each in self.guilds.values() if guild is None else (guild,):
            on_guild = [channel for channel in named if channel.guild_id == each.id]
            if on_guild:
                return on_guild[-1]
        raise KeyError(f"there is no channel named {name!r}")

    def dm_with(self, user_id: int) -> Channel:
        """Return the DM between the bot and a person, opened if necessary."""
        for channel in self.channels.values():
            if channel.recipient_id == user_id:
                return channel
        return self.add_channel(
            Channel(id=self.snowflakes.next(), kind=ChannelKind.DM, recipient_id=user_id)
        )

    def threads_of(self, channel_id: int) -> Iterator[Channel]:
        """Return the threads of a channel, oldest first, including archived ones."""
        return (c for c in self.channels.values() if c.parent_id == channel_id)

    def archive(self, thread: Channel, *, archived: bool) -> None:
        """Archive or unarchive a thread, without changing its lock."""
        assert thread.thread is not None
        thread.thread.archived, thread.thread.archive_changed_at = archived, now_iso()
        self.publish(changes.ChannelChanged(thread))

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread with all its messages and threads."""
        for thread in list(self.threads_of(channel.id)):
            self.delete_channel(thread)
        messages = self.messages.pop(channel.id, {})
        for message in messages.values():
            self._orphan(message.attachments)
        del self.channels[channel.id]
        self.publish(changes.ChannelDeleted(channel, tuple(messages)))

    def can_see(self, user_id: int, channel: Channel) -> bool:
        if channel.kind is ChannelKind.DM:
            return channel.recipient_id == user_id
        guild = self.guild_of(channel)
        if guild is not None and not self.is_member(user_id, guild):
            return False
        if channel.kind is ChannelKind.PRIVATE_THREAD and channel.thread is not None:
            return user_id in channel.thread.members
        return True

    def bot_permissions(self, channel: Channel) -> int:
        """Return the bot's permission bits in a channel; a thread inherits its parent's."""
        parent = channel
        if channel.kind.is_thread and channel.parent_id is not None:
            parent = self.channels[channel.parent_id]
        return ALL_PERMISSIONS & ~(parent.denied | channel.denied)

    def user_permissions(self, user_id: int, guild: Guild) -> int:
        """Return a person's permission bits on a server; its owner has all."""
        return ALL_PERMISSIONS if user_id == guild.owner_id else EVERYONE_PERMISSIONS

    # Messages

    def blank_message(self, channel: Channel, author: User | None = None) -> Message:
        """Return a new message by `author`, by default the bot, without posting it."""
        author_id = (author or self.bot).id
        return Message(id=self.snowflakes.next(), channel_id=channel.id, author_id=author_id)

    def add_message(self, message: Message, files: dict[int, bytes] | None = None) -> Message:
        """Post a message with the bytes of its attachments, keyed by attachment id."""
        channel = self.channels[message.channel_id]
        self.files.update(files or {})
        self.messages[channel.id][message.id] = message
        if not message.is_ephemeral:
            channel.last_message_id = message.id
            if channel.thread is not None and message.kind is not MessageKind.THREAD_STARTER:
                channel.thread.message_count += 1
        self.publish(changes.MessageCreated(message))
        if not self.users[message.author_id].is_bot:
            self.mark_read(message.author_id, channel.id)
        if channel.thread is not None:
            # Authors and mentioned users become members of a thread.
            for user_id in (message.author_id, *message.mentions):
                channel.thread.members.setdefault(user_id, now_iso())
        return message

    def message_by_nonce(self, channel_id: int, nonce: str) -> Message | None:
        """Return the message posted with this nonce in the last `NONCE_MEMORY_S` seconds."""
        for message in reversed(self.messages[channel_id].values()):
            if time.time() - snowflake_time(message.id) > NONCE_MEMORY_S:
                break
            if message.nonce == nonce:
                return message
        return None

    def edited(
        self,
        message: Message,
        *,
        files: dict[int, bytes] | None = None,
        dropped: list[Attachment] | None = None,
    ) -> None:
        """Publish a message that the caller has edited; add new files and drop old ones."""
        self.files.update(files or {})
        self._orphan(message.attachments if message.dismissed else dropped or [])
        self.publish(changes.MessageEdited(message))

    def delete_message(self, message: Message) -> None:
        del self.messages[message.channel_id][message.id]
        self._orphan(message.attachments)
        self.publish(changes.MessageDeleted(message))

    def visible(self, message: Message, user_id: int) -> bool:
        """Return whether a person who can see the channel sees this message."""
        return message.visible_to in (None, user_id) and not message.dismissed

    def dismiss(self, message: Message) -> None:
        message.dismissed = True
        self.edited(message)

    def history(self, channel_id: int, viewer_id: int) -> list[Message]:
        """Return the messages that a person sees in a channel, oldest first."""
        return [m for m in self.messages[channel_id].values() if self.visible(m, viewer_id)]

    def _orphan(self, attachments: list[Attachment]) -> None:
        for attachment in attachments:
            self._orphans.append(attachment.id)
        while len(self._orphans) > _MAX_ORPHANS:
            file_id = self._orphans.popleft()
            self.files.pop(file_id, None)
            self.publish(changes.FileDeleted(file_id))

    # Unread messages

    def mark_read(self, user_id: int, channel_id: int) -> None:
        """Mark all messages of a channel as read by a person."""
        newest = max(self.messages.get(channel_id, {}), default=0)
        if newest > self.reads.get((user_id, channel_id), 0):
            self.reads[user_id, channel_id] = newest
            self.publish(changes.ChannelRead(user_id, channel_id))

    def unread(self, user_id: int, channel_id: int) -> tuple[int, int]:
        """Return a person's unread messages and how many of them are pings, up to `MAX_UNREAD`.

        Every message in a DM is a ping.
        """
        read_up_to = self.reads.get((user_id, channel_id), 0)
        is_dm = self.channels[channel_id].kind is ChannelKind.DM
        count = mentions = 0
        for message in reversed(self.messages[channel_id].values()):
            if message.id <= read_up_to or count == MAX_UNREAD:
                break
            if message.author_id == user_id or not self.visible(message, user_id):
                continue
            count += 1
            mentions += is_dm or message.mention_everyone or user_id in message.mentions
        return count, mentions

    # Commands

    def set_commands(self, guild_id: int | None, specs: list[Json]) -> list[Command]:
        """Replace all commands of a server or the global ones; equal names keep their ids."""
        ids = {c.spec["name"]: c.id for c in self.commands.values() if c.guild_id == guild_id}
        for command_id in ids.values():
            del self.commands[command_id]
        commands = [
            Command(
                id=ids.pop(spec["name"], 0) or self.snowflakes.next(), guild_id=guild_id, spec=spec
            )
            for spec in specs
        ]
        self.commands |= {command.id: command for command in commands}
        self.publish(changes.CommandsChanged(tuple(ids.values())))
        return commands
