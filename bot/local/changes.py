"""What can happen in the stand-in's world; each change is told to all who listen."""

from __future__ import annotations

from dataclasses import dataclass

from bot.local.model import Channel, Message, User


@dataclass(frozen=True, slots=True)
class OfMessage:
    """Something about a message, which is given as it is after that."""

    message: Message


@dataclass(frozen=True, slots=True)
class OfChannel:
    """Something about a channel, thread or direct conversation, as it is after that."""

    channel: Channel


class MessageCreated(OfMessage):
    """A message is there."""


class MessageEdited(OfMessage):
    """A message, or what is known about it, has changed."""


class MessageDeleted(OfMessage):
    """A message is gone; the struct is its last state."""


class MessageDismissed(OfMessage):
    """The one person who saw a private answer has put it away; the bot does not learn that."""


class ChannelCreated(OfChannel):
    """A channel, thread or direct conversation is there."""


class ChannelChanged(OfChannel):
    """A channel or thread was renamed, archived, locked, or permissions changed."""


@dataclass(frozen=True, slots=True)
class ChannelDeleted(OfChannel):
    """A channel or thread is gone, with its messages, named by their ids."""

    message_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadMembersChanged(OfChannel):
    """People were added to a thread or left it."""

    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The bot registered, changed or removed commands."""


@dataclass(frozen=True, slots=True)
class ReadMoved:
    """A person has read a channel up to its newest message."""

    user_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class UserChanged:
    """A person's language or willingness to get direct messages changed."""

    user: User


@dataclass(frozen=True, slots=True)
class Typing:
    """Somebody is typing."""

    user_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class BotPresence:
    """The bot has come online or has gone."""

    online: bool


Change = (
    MessageCreated
    | MessageEdited
    | MessageDeleted
    | MessageDismissed
    | ChannelCreated
    | ChannelChanged
    | ChannelDeleted
    | ThreadMembersChanged
    | CommandsChanged
    | ReadMoved
    | UserChanged
    | Typing
    | BotPresence
)
