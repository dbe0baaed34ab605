"""What the gateway tells the bot's sessions when something changes.

An event of a server goes to the sessions of its shard, one of a direct conversation to those of
shard 0, each as far as the session's intents reach.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from bot.local.changes import (
    Change,
    ChannelChanged,
    ChannelCreated,
    ChannelDeleted,
    GuildChanged,
    MessageCreated,
    MessageDeleted,
    MessageEdited,
    ThreadMembersChanged,
    Typing,
)
from bot.local.model import Channel, ChannelKind, Guild, Json, Message
from bot.local.sessions import Intent, Session
from bot.local.wire import Wire
from bot.local.world import World

WITH_CREATION = ("members", "channels", "threads", "presences", "voice_states")
"""What is told of a server when it becomes known, and not with its later changes."""


class Events:
    """Turns changes of the world into events of the sessions that `sessions()` gives."""

    def __init__(self, world: World, wire: Wire, sessions: Callable[[], Iterable[Session]]) -> None:
        self._world = world
        self._wire = wire
        self._sessions = sessions
        world.subscribe(self._on_change)

    def interaction(self, payload: Json, channel: Channel) -> int:
        """Deliver an interaction, for which no intent is needed; returns to how many sessions."""
        listeners = [s for s in self._sessions() if s.serves(channel.guild_id)]
        for session in listeners:
            session.dispatch("INTERACTION_CREATE", payload)
        return len(listeners)

    def _on_change(self, change: Change) -> None:
        match change:
            case MessageCreated(message):
                self._message_event("MESSAGE_CREATE", message)
            case MessageEdited(message):
                self._message_event("MESSAGE_UPDATE", message)
            case MessageDeleted(message):
                self._message_deleted(message)
            case ChannelCreated(channel):
                self._channel_event(channel, "CREATE")
            case ChannelChanged(channel):
                self._channel_event(channel, "UPDATE")
            case ChannelDeleted(channel=channel):
                self._channel_event(channel, "DELETE")
            case ThreadMembersChanged(channel, added, removed):
                self._thread_members(channel, added, removed)
            case GuildChanged(guild):
                self._guild_event(guild)
            case Typing(user_id, channel_id):
                self._typing(user_id, self._world.channels[channel_id])

    def _guild_id_of(self, message: Message) -> int | None:
        """The server of a message. Private answers are told without one, like direct messages."""
        if message.is_ephemeral:
            return None
        return self._world.channels[message.channel_id].guild_id

    def _message_event(self, name: str, message: Message) -> None:
        guild_id = self._guild_id_of(message)
        needed = Intent.DM_MESSAGES if guild_id is None else Intent.GUILD_MESSAGES
        payload: Json | None = None
        for session in self._listeners(needed, guild_id):
            if payload is None:
                payload = self._wire.posted(message)
            bot_id = self._world.bot.id
            own = message.author_id == bot_id or bot_id in message.mentions
            if guild_id is None or own or session.wants(Intent.MESSAGE_CONTENT):
                session.dispatch(name, payload)
            else:
                empty: Json = {"content": "", "embeds": [], "attachments": [], "components": []}
                session.dispatch(name, {**payload, **empty})

    def _message_deleted(self, message: Message) -> None:
        guild_id = self._guild_id_of(message)
        payload = {"id": str(message.id), "channel_id": str(message.channel_id)}
        if guild_id is not None:
            payload["guild_id"] = str(guild_id)
        needed = Intent.DM_MESSAGES if guild_id is None else Intent.GUILD_MESSAGES
        for session in self._listeners(needed, guild_id):
            session.dispatch("MESSAGE_DELETE", payload)

    def _channel_event(self, channel: Channel, what: str) -> None:
        # Discord does not tell bots that a direct conversation was opened.
        if channel.kind is ChannelKind.DM:
            return
        payload = self._wire.channel(channel)
        kind = "THREAD" if channel.kind.is_thread else "CHANNEL"
        if channel.kind.is_thread and what == "CREATE":
            payload["newly_created"] = True
        for session in self._listeners(Intent.GUILDS, channel.guild_id):
            session.dispatch(f"{kind}_{what}", payload)

    def _guild_event(self, guild: Guild) -> None:
        whole = self._wire.guild(guild, with_members=False)
        payload = {name: whole[name] for name in whole if name not in WITH_CREATION}
        for session in self._listeners(Intent.GUILDS, guild.id):
            session.dispatch("GUILD_UPDATE", payload)

    def _thread_members(
        self, thread: Channel, added: tuple[int, ...], removed: tuple[int, ...]
    ) -> None:
        assert thread.thread is not None
        payload = {
            "id": str(thread.id),
            "guild_id": str(thread.guild_id),
            "member_count": len(thread.thread.members),
            "added_members": [self._wire.thread_member(thread, user_id) for user_id in added],
            "removed_member_ids": [str(user_id) for user_id in removed],
        }
        for session in self._listeners(Intent.GUILDS, thread.guild_id):
            session.dispatch("THREAD_MEMBERS_UPDATE", payload)

    def _typing(self, user_id: int, channel: Channel) -> None:
        guild = self._world.guild_of(channel)
        payload: Json = {
            "channel_id": str(channel.id),
            "user_id": str(user_id),
            "timestamp": int(time.time()),
        }
        if guild is not None:
            payload["guild_id"] = str(guild.id)
            payload["member"] = self._wire.member(self._world.users[user_id], guild)
        intent = Intent.DM_TYPING if guild is None else Intent.GUILD_TYPING
        for session in self._listeners(intent, channel.guild_id):
            session.dispatch("TYPING_START", payload)

    def _listeners(self, intent: Intent, guild_id: int | None) -> list[Session]:
        return [s for s in self._sessions() if s.wants(intent) and s.serves(guild_id)]
