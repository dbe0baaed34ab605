"""The changes that happen in the stand-in's world; each is published to all subscribers."""

from __future__ import annotations

from dataclasses import dataclass

from bot.local.model import AppEmoji, Channel, Guild, Message, User


@dataclass(frozen=True, slots=True)
class OfMessage:
    """A change to a message, given in its state after the change."""

    message: Message


@dataclass(frozen=True, slots=True)
class OfChannel:
    """A change to a channel, thread or direct conversation, given in its state after the change."""

    channel: Channel


class MessageCreated(OfMessage):
    """A message is there."""


class MessageEdited(OfMessage):
    """A message has changed, or the one who saw a private answer has dismissed it."""


class MessageDeleted(OfMessage):
    """A message is gone; the struct is its last state."""


@dataclass(frozen=True, slots=True)
class FileGone:
    """Nobody can fetch an attachment any more."""

    attachment_id: int


class ChannelCreated(OfChannel):
    """A channel, thread or direct conversation was created."""


class ChannelChanged(OfChannel):
    """A channel or thread was renamed, archived, locked, or permissions changed."""


@dataclass(frozen=True, slots=True)
class ChannelDeleted(OfChannel):
    """A channel or thread is gone, with its messages, named by their ids."""

    message_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The bot registered, changed or removed commands; `gone` are the ids of the last."""

    gone: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EmojiCreated:
    """The application has another emoji."""

    emoji: AppEmoji


@dataclass(frozen=True, slots=True)
class ReadMoved:
    """A person has read a channel up to its newest message."""

    user_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class UserChanged:
    """A person's language changed, or whether they accept direct messages."""

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
    """A session has connected to the gateway, or has gone; `online` while there is any."""

    online: bool


@dataclass(frozen=True, slots=True)
class InteractionTried:
    """The bot has acknowledged an interaction, or has tried to."""


Change = (
    MessageCreated
    | MessageEdited
    | MessageDeleted
    | ChannelCreated
    | ChannelChanged
    | ChannelDeleted
    | CommandsChanged
    | EmojiCreated
    | ReadMoved
    | UserChanged
    | GuildChanged
    | Typing
    | SessionsChanged
    | InteractionTried
    | FileGone
)
