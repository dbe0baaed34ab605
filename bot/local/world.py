"""The whole state of the stand-in, and the only way to change it.

Plain state without network. Every change is published to the subscribers, synchronously and in
order: the gateway turns it into events for the bot, the page into events for the browser, the
store into rows.
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
    """A name as it appears in the page's URL: `Jörg K.` becomes `jörg-k`."""
    return re.sub(r"\W+", "-", name.lower()).strip("-")


#: For how long Discord remembers a nonce, in seconds.
NONCE_MEMORY_S = 300.0
#: Unread messages are counted up to this, so that a long absence does not slow the chat.
UNREAD_COUNTED = 100
#: How many files of deleted, edited or dismissed messages can still be fetched by their old
#: address, as by a page that has not heard of it yet.
_ORPHANS_KEPT = 16


class World:
    """The whole state, and the only way to change it.

    `people` and `bot` are users; `guilds` are the servers, by id, in the order of their making.
    Raises `KeyError` for ids that do not exist; the callers turn that into Discord's errors.
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
        """Call `listener` with every change from now on; returns the function that stops it."""
        self._subscribers.append(listener)
        return lambda: self._subscribers.remove(listener)

    def publish(self, change: changes.Change) -> None:
        """Tell all subscribers."""
        for listener in tuple(self._subscribers):
            listener(change)

    async def until(self, predicate: Callable[[], T]) -> T:
        """Wait until `predicate()` is true after some change; returns its value."""
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
        """A server by name; raises `KeyError`."""
        named = {guild.name: guild for guild in reversed(self.guilds.values())}
        if name not in named:
            raise KeyError(f"there is no server named {name!r}")
        return named[name]

    def guild_of(self, channel: Channel) -> Guild | None:
        """The server of a channel or thread; `None` for a direct conversation."""
        return None if channel.guild_id is None else self.guilds[channel.guild_id]

    def is_member(self, user_id: int, guild: Guild) -> bool:
        """Whether a user is on a server."""
        return user_id in self.users and user_id not in guild.outsiders

    def members(self, guild: Guild) -> list[User]:
        """The users on a server, the bot among them."""
        return [user for user in self.users.values() if self.is_member(user.id, guild)]

    # Users

    @property
    def people(self) -> list[User]:
        """Everybody but the bot, in the order of the switch on the page."""
        return [user for user in self.users.values() if not user.is_bot]

    def user_named(self, name: str) -> User:
        """A person by name, or as in the page's address; raises `KeyError`."""
        people = {user.slug: user for user in self.people}
        if slug_of(name) not in people:
            there = ", ".join(user.name for user in people.values())
            raise KeyError(f"nobody is called {name!r}; there are {there}")
        return people[slug_of(name)]

    def change_user(
        self, user: User, *, locale: str | None = None, blocks_dms: bool | None = None
    ) -> None:
        """Set a person's language, which is also that of the servers they own, or whether the bot
        may write to them."""
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
        """Put a new channel, thread or conversation into the world.

        A thread is on the server of the channel above it.
        """
        if channel.parent_id is not None:
            channel.guild_id = self.channels[channel.parent_id].guild_id
        self.channels[channel.id] = channel
        self.messages.setdefault(channel.id, {})
        self.publish(changes.ChannelCreated(channel))
        return channel

    def channel_named(self, name: str, guild: Guild | None = None) -> Channel:
        """The newest channel or thread of that name; raises `KeyError`.

        It is looked for on one server, or in turn on all of them, the first one first.
        """
        wanted = name.removeprefix("#")
        named = [c for c in self.channels.values() if c.name == wanted and c.guild_id is not None]
        for each in self.guilds.values() if guild is None else (guild,):
            here = [channel for channel in named if channel.guild_id == each.id]
            if here:
                return here[-1]
        raise KeyError(f"there is no channel named {name!r}")

    def dm_with(self, user_id: int) -> Channel:
        """The conversation between the bot and a person, opened if necessary."""
        for channel in self.channels.values():
            if channel.recipient_id == user_id:
                return channel
        return self.add_channel(
            Channel(id=self.snowflakes.next(), kind=ChannelKind.DM, recipient_id=user_id)
        )

    def threads_of(self, channel_id: int) -> Iterator[Channel]:
        """The threads under a channel, archived ones too, oldest first."""
        return (c for c in self.channels.values() if c.parent_id == channel_id)

    def archive(self, thread: Channel, *, archived: bool) -> None:
        """Put a thread into the archive, or take it out; it stays locked if it is."""
        assert thread.thread is not None
        thread.thread.archived, thread.thread.archive_changed_at = archived, now_iso()
        self.publish(changes.ChannelChanged(thread))

    def delete_channel(self, channel: Channel) -> None:
        """Remove a channel or thread with all its messages and threads."""
        for thread in list(self.threads_of(channel.id)):
            self.delete_channel(thread)
        gone = self.messages.pop(channel.id, {})
        for message in gone.values():
            self._orphan(message.attachments)
        del self.channels[channel.id]
        self.publish(changes.ChannelDeleted(channel, tuple(gone)))

    def can_see(self, user_id: int, channel: Channel) -> bool:
        """Whether a person may look into a channel at all."""
        if channel.kind is ChannelKind.DM:
            return channel.recipient_id == user_id
        guild = self.guild_of(channel)
        if guild is not None and not self.is_member(user_id, guild):
            return False
        if channel.kind is ChannelKind.PRIVATE_THREAD and channel.thread is not None:
            return user_id in channel.thread.members
        return True

    def bot_permissions(self, channel: Channel) -> int:
        """The bot's permission bits in a channel; a thread takes its parent's."""
        source = channel
        if channel.kind.is_thread and channel.parent_id is not None:
            source = self.channels[channel.parent_id]
        return ALL_PERMISSIONS & ~(source.denied | channel.denied)

    def user_permissions(self, user_id: int, guild: Guild) -> int:
        """A person's permission bits on a server; its owner has all."""
        return ALL_PERMISSIONS if user_id == guild.owner_id else EVERYONE_PERMISSIONS

    # Messages

    def blank_message(self, channel: Channel, author: User | None = None) -> Message:
        """A new message of somebody, by default the bot, that is not posted yet."""
        author_id = (author or self.bot).id
        return Message(id=self.snowflakes.next(), channel_id=channel.id, author_id=author_id)

    def add_message(self, message: Message, files: dict[int, bytes] | None = None) -> Message:
        """Post a message with the bytes of its attachments, by attachment id."""
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
            # Whoever writes in a thread or is mentioned there becomes a member of it.
            for user_id in (message.author_id, *message.mentions):
                channel.thread.members.setdefault(user_id, now_iso())
        return message

    def message_by_nonce(self, channel_id: int, nonce: str) -> Message | None:
        """The message posted with this nonce in the last few minutes, if it still exists."""
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
        """Announce that the caller has changed `message`; adds and drops bytes of files."""
        self.files.update(files or {})
        self._orphan(message.attachments if message.dismissed else dropped or [])
        self.publish(changes.MessageEdited(message))

    def delete_message(self, message: Message) -> None:
        """Remove a message."""
        del self.messages[message.channel_id][message.id]
        self._orphan(message.attachments)
        self.publish(changes.MessageDeleted(message))

    def visible(self, message: Message, user_id: int) -> bool:
        """Whether a person sees this message, given that they see the channel."""
        return message.visible_to in (None, user_id) and not message.dismissed

    def dismiss(self, message: Message) -> None:
        """Put away a private answer."""
        message.dismissed = True
        self._orphan(message.attachments)
        self.publish(changes.MessageEdited(message))

    def history(self, channel_id: int, viewer_id: int) -> list[Message]:
        """What a person sees in a channel, oldest first."""
        return [m for m in self.messages[channel_id].values() if self.visible(m, viewer_id)]

    def _orphan(self, attachments: list[Attachment]) -> None:
        for attachment in attachments:
            self._orphans.append(attachment.id)
        while len(self._orphans) > _ORPHANS_KEPT:
            gone = self._orphans.popleft()
            self.files.pop(gone, None)
            self.publish(changes.FileGone(gone))

    # Reading

    def mark_read(self, user_id: int, channel_id: int) -> None:
        """A person has seen everything in a channel."""
        newest = max(self.messages.get(channel_id, {}), default=0)
        if newest > self.reads.get((user_id, channel_id), 0):
            self.reads[user_id, channel_id] = newest
            self.publish(changes.ReadMoved(user_id, channel_id))

    def unread(self, user_id: int, channel_id: int) -> tuple[int, int]:
        """How many messages a person has not read, and how many of those ping them.

        In a direct conversation every message pings. Counting stops at `UNREAD_COUNTED`.
        """
        read_up_to = self.reads.get((user_id, channel_id), 0)
        is_dm = self.channels[channel_id].kind is ChannelKind.DM
        count = mentions = 0
        for message in reversed(self.messages[channel_id].values()):
            if message.id <= read_up_to or count == UNREAD_COUNTED:
                break
            if message.author_id == user_id or not self.visible(message, user_id):
                continue
            count += 1
            mentions += is_dm or message.mention_everyone or user_id in message.mentions
        return count, mentions

    # Commands

    def set_commands(self, guild_id: int | None, specs: list[Json]) -> list[Command]:
        """Replace all commands of one scope; a command of the same name keeps its id."""
        ids = {c.spec["name"]: c.id for c in self.commands.values() if c.guild_id == guild_id}
        for command_id in ids.values():
            del self.commands[command_id]
        made = [
            Command(
                id=ids.pop(spec["name"], 0) or self.snowflakes.next(), guild_id=guild_id, spec=spec
            )
            for spec in specs
        ]
        self.commands |= {command.id: command for command in made}
        self.publish(changes.CommandsChanged(tuple(ids.values())))
        return made
