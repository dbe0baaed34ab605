"""Changes to the stand-in's world, which `World` publishes to all subscribers."""

from __future__ import annotations

from dataclasses import dataclass

from bot.local.model import AppEmoji, Channel, Guild, Message, User


@dataclass(frozen=True, slots=True)
class OfMessage:
    """A change to a message, which is in its new state."""

    message: Message


@dataclass(frozen=True, slots=True)
class OfChannel:
    """A change to a channel, thread or DM, which is in its new state."""

    channel: Channel


class MessageCreated(OfMessage):
    """A message was posted."""


class MessageEdited(OfMessage):
    """A message was edited, or its reader dismissed a private answer."""


class MessageDeleted(OfMessage):
    """A message was deleted; `message` is its last state."""


@dataclass(frozen=True, slots=True)
class FileDeleted:
    """An attachment can no longer be fetched."""

    attachment_id: int


class ChannelCreated(OfChannel):
    """A channel, thread or DM was created."""


class ChannelChanged(OfChannel):
    """A channel or thread was renamed, archived or locked, or its permissions changed."""


@dataclass(frozen=True, slots=True)
class ChannelDeleted(OfChannel):
    """A channel or thread was deleted with its messages."""

    message_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The bot registered, changed or removed commands; `removed` are ids."""

    removed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EmojiCreated:
    """The bot uploaded an emoji."""

    emoji: AppEmoji


@dataclass(frozen=True, slots=True)
class ChannelRead:
    """A person read a channel up to its newest message."""

    user_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class UserChanged:
    """A person's language or their DM setting changed."""

    user: User


@dataclass(frozen=True, slots=True)
class GuildChanged:
    """A server's language changed."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class Typing:
    """A person is typing."""

    user_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class SessionsChanged:
    """A gateway session connected or disconnected; `online` is whether any is connected."""

    online: bool


@dataclass(frozen=True, slots=True)
class CallbackReceived:
    """The bot sent an interaction callback, accepted or not."""


Change = (
    MessageCreated
    | MessageEdited
    | MessageDeleted
    | ChannelCreated
    | ChannelChanged
    | ChannelDeleted
    | CommandsChanged
    | EmojiCreated
    | ChannelRead
    | UserChanged
    | GuildChanged
    | Typing
    | SessionsChanged
    | CallbackReceived
    | FileDeleted
)
