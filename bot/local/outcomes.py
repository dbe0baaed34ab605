"""What can become of an interaction: the answers that the bot may give."""

from __future__ import annotations

from dataclasses import dataclass

from bot.local.changes import OfMessage
from bot.local.model import Json, Message


class Replied(OfMessage):
    """The bot answered with a message."""


class Thinking(OfMessage):
    """The bot deferred its answer; the message is the placeholder."""


@dataclass(frozen=True, slots=True)
class Updated:
    """The bot changed the message with the button, or promised to (`message` is `None`)."""

    message: Message | None


@dataclass(frozen=True, slots=True)
class ModalOpened:
    """The bot showed a form. `source` is the message of the button that led to it."""

    modal: Json
    channel_id: int
    source: Message | None


@dataclass(frozen=True, slots=True)
class Choices:
    """The bot offered values: `name` is shown, `value` is sent."""

    choices: list[Json]


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Three seconds went by without an acknowledgement."""


Outcome = Replied | Thinking | Updated | ModalOpened | Choices | NoAnswer
