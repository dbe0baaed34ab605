"""Routes for channels, threads and direct conversations."""

from __future__ import annotations

from bot.local import errors
from bot.local.api import ApiRoute, Call, Result, channel_of, guild_of, message_of
from bot.local.changes import ChannelChanged, MessageEdited, ThreadMembersChanged
from bot.local.model import (
    Channel,
    ChannelKind,
    Json,
    Message,
    MessageFlag,
    MessageKind,
    Permission,
    Reference,
    ThreadState,
)
from bot.local.problems import Problems
from bot.local.snowflakes import now_iso
from bot.local.wire import Wire
from bot.local.world import World

_CHANNEL = "/channels/{channel_id}"
_MEMBERS = _CHANNEL + "/thread-members"
_ARCHIVE_AFTER_MINUTES = (60, 1440, 4320, 10080)


class ChannelRoutes:
    """Channels as the bot sees and changes them."""

    def __init__(self, world: World, wire: Wire) -> None:
        self._world = world
        self._wire = wire

    def routes(self) -> list[ApiRoute]:
        """The table."""
        return [
            ApiRoute("GET", _CHANNEL, self.get),
            ApiRoute("PATCH", _CHANNEL, self.edit),
            ApiRoute("DELETE", _CHANNEL, self.delete),
            ApiRoute("POST", _CHANNEL + "/threads", self.start_thread, created=True),
            ApiRoute(
                "POST",
                _CHANNEL + "/messages/{message_id}/threads",
                self.start_thread_at_message,
                created=True,
            ),
            ApiRoute("GET", _CHANNEL + "/threads/archived/public", self.archived_threads),
            ApiRoute("GET", _CHANNEL + "/threads/archived/private", self.archived_threads),
            ApiRoute("GET", _MEMBERS, self.thread_members),
            ApiRoute("GET", _MEMBERS + "/{user_id}", self.thread_member),
            ApiRoute("PUT", _MEMBERS + "/{user_id}", self.add_thread_member),
            ApiRoute("DELETE", _MEMBERS + "/{user_id}", self.remove_thread_member),
            ApiRoute("GET", "/guilds/{guild_id}/threads/active", self.active_threads),
            ApiRoute("POST", "/users/@me/channels", self.open_dm),
        ]

    async def get(self, call: Call) -> Result:
        """One channel."""
        return self._wire.channel(channel_of(call, self._world))

    async def edit(self, call: Call) -> Result:
        """Rename, archive, lock or slow down."""
        channel = channel_of(call, self._world)
        wanted = call.body.payload
        self._hold_edit_to_limits(channel, wanted)
        channel.name = wanted.get("name") or channel.name
        channel.slowmode_s = int(wanted.get("rate_limit_per_user") or channel.slowmode_s)
        if channel.thread is None:
            channel.topic = wanted.get("topic") or channel.topic
        else:
            state = channel.thread
            if "archived" in wanted and bool(wanted["archived"]) != state.archived:
                state.archived = bool(wanted["archived"])
                state.archive_changed_at = now_iso()
            state.locked = bool(wanted.get("locked", state.locked))
            minutes = wanted.get("auto_archive_duration") or state.auto_archive_minutes
            state.auto_archive_minutes = int(minutes)
        self._world.publish(ChannelChanged(channel))
        return self._wire.channel(channel)

    def _hold_edit_to_limits(self, channel: Channel, wanted: Json) -> None:
        if channel.kind is ChannelKind.DM:
            raise errors.cannot_act_on_channel_type()
        problems = Problems()
        if "name" in wanted:
            problems.text("name", wanted["name"], 100, 1)
        problems.raise_if_any()
        state = channel.thread
        if state is None:
            self._need(channel, Permission.MANAGE_CHANNELS)
            return
        # An archived thread can only be changed by unarchiving it.
        if state.archived and wanted.get("archived") is not False:
            raise errors.thread_archived()
        own = channel.owner_id == self._world.bot.id
        if not own or "locked" in wanted or state.locked:
            self._need(channel, Permission.MANAGE_THREADS)

    async def delete(self, call: Call) -> Result:
        """Delete a channel or thread; a direct conversation is only closed."""
        channel = channel_of(call, self._world)
        if channel.kind is not ChannelKind.DM:
            threads = channel.kind.is_thread
            self._need(
                channel, Permission.MANAGE_THREADS if threads else Permission.MANAGE_CHANNELS
            )
            self._world.delete_channel(channel)
        return self._wire.channel(channel)

    async def open_dm(self, call: Call) -> Result:
        """The direct conversation with a person; sending to it may still fail."""
        user = self._world.users.get(int(call.body.payload.get("recipient_id") or 0))
        if user is None:
            raise errors.unknown_user()
        if user.is_bot:
            raise errors.cannot_message_user()
        return self._wire.channel(self._world.dm_with(user.id))

    # Threads

    async def start_thread(self, call: Call) -> Result:
        """A thread without a message; the channel gets a notice of it."""
        parent = channel_of(call, self._world)
        wanted = call.body.payload
        kind = ChannelKind(int(wanted.get("type", ChannelKind.PRIVATE_THREAD)))
        thread = self._start(parent, wanted, kind, self._world.snowflakes.next())
        if kind is ChannelKind.PUBLIC_THREAD:
            self._world.add_message(
                Message(
                    id=self._world.snowflakes.next(),
                    channel_id=parent.id,
                    author_id=self._world.bot.id,
                    content=thread.name,
                    kind=MessageKind.THREAD_NOTICE,
                    reference=Reference(channel_id=thread.id),
                )
            )
        return self._wire.channel(thread)

    async def start_thread_at_message(self, call: Call) -> Result:
        """A thread started from a message, whose id it shares."""
        parent = channel_of(call, self._world)
        message = message_of(call, self._world)
        if message.id in self._world.channels:
            raise errors.thread_exists()
        thread = self._start(parent, call.body.payload, ChannelKind.PUBLIC_THREAD, message.id)
        message.flags |= MessageFlag.HAS_THREAD
        self._world.publish(MessageEdited(message))
        self._world.add_message(
            Message(
                id=self._world.snowflakes.next(),
                channel_id=thread.id,
                author_id=message.author_id,
                kind=MessageKind.THREAD_STARTER,
                reference=Reference(channel_id=parent.id, message_id=message.id),
            )
        )
        return self._wire.channel(thread)

    def _start(self, parent: Channel, wanted: Json, kind: ChannelKind, thread_id: int) -> Channel:
        if parent.kind is not ChannelKind.TEXT or not kind.is_thread:
            raise errors.cannot_act_on_channel_type()
        private = kind is ChannelKind.PRIVATE_THREAD
        self._need(
            parent,
            Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS,
        )
        problems = Problems()
        problems.text("name", wanted.get("name"), 100, 1)
        minutes = wanted.get("auto_archive_duration") or 1440
        if minutes not in _ARCHIVE_AFTER_MINUTES:
            said = f"Value must be one of {_ARCHIVE_AFTER_MINUTES}."
            problems.add("auto_archive_duration", "BASE_TYPE_CHOICES", said)
        problems.raise_if_any()
        bot_id = self._world.bot.id
        return self._world.add_channel(
            Channel(
                id=thread_id,
                kind=kind,
                name=wanted["name"],
                parent_id=parent.id,
                owner_id=bot_id,
                slowmode_s=int(wanted.get("rate_limit_per_user") or 0),
                thread=ThreadState(auto_archive_minutes=minutes, members={bot_id: now_iso()}),
            )
        )

    async def archived_threads(self, call: Call) -> Result:
        """The archived threads of a channel."""
        channel = channel_of(call, self._world)
        private = call.request.path.endswith("private")
        kind = ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD
        threads = [
            t
            for t in self._world.threads_of(channel.id)
            if t.kind is kind and t.thread is not None and t.thread.archived
        ]
        return {**self._listed(threads), "has_more": False}

    async def active_threads(self, call: Call) -> Result:
        """The threads of the server that are not archived."""
        guild = guild_of(call, self._world)
        channels = [c for c in self._world.channels.values() if c.guild_id == guild.id]
        return self._listed([c for c in channels if c.thread and not c.thread.archived])

    def _listed(self, threads: list[Channel]) -> Json:
        bot_id = self._world.bot.id
        return {
            "threads": [self._wire.channel(t) for t in threads],
            "members": [
                self._wire.thread_member(t, bot_id)
                for t in threads
                if t.thread is not None and bot_id in t.thread.members
            ],
        }

    async def thread_members(self, call: Call) -> Result:
        """Who has joined a thread."""
        thread, state = self._thread(call)
        return [self._wire.thread_member(thread, user_id) for user_id in state.members]

    async def thread_member(self, call: Call) -> Result:
        """One membership."""
        thread, state = self._thread(call)
        user_id = self._user_id(call)
        if user_id not in state.members:
            raise errors.unknown_member()
        return self._wire.thread_member(thread, user_id)

    async def add_thread_member(self, call: Call) -> Result:
        """Let somebody join."""
        thread, state = self._thread(call)
        user_id = self._user_id(call)
        if state.archived:
            raise errors.thread_archived()
        guild = self._world.guild_of(thread)
        if guild is None or not self._world.is_member(user_id, guild):
            raise errors.unknown_member()
        if user_id not in state.members:
            state.members[user_id] = now_iso()
            self._world.publish(ThreadMembersChanged(thread, added=(user_id,)))
        return None

    async def remove_thread_member(self, call: Call) -> Result:
        """Let somebody leave."""
        thread, state = self._thread(call)
        if state.archived:
            raise errors.thread_archived()
        user_id = self._user_id(call)
        if state.members.pop(user_id, None) is not None:
            self._world.publish(ThreadMembersChanged(thread, removed=(user_id,)))
        return None

    def _user_id(self, call: Call) -> int:
        return self._world.bot.id if call.text("user_id") == "@me" else call.id("user_id")

    def _thread(self, call: Call) -> tuple[Channel, ThreadState]:
        channel = channel_of(call, self._world)
        if channel.thread is None:
            raise errors.cannot_act_on_channel_type()
        return channel, channel.thread

    def _need(self, channel: Channel, permission: Permission) -> None:
        if not self._world.bot_permissions(channel) & permission:
            raise errors.missing_permissions()
