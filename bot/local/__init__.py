"""A fake Discord on loopback: API, gateway and a web page to play on.

`Standin` is the server. Tests act as a `Person`.
"""

from bot.local.faults import Faults
from bot.local.interactions import (
    Choices,
    InteractionKind,
    ModalOpened,
    NoAnswer,
    Outcome,
    Replied,
    Updated,
)
from bot.local.limits import DiscordLimits, LimitKind
from bot.local.model import Channel, Message, Permission, User
from bot.local.new_world import DEFAULT_PEOPLE, NewGuild, NewPerson, guilds_on_each
from bot.local.options import CannotDoError
from bot.local.person import Answer, NoAnswerError, Person
from bot.local.standin import Standin
from bot.local.world import World

__all__ = [
    "DEFAULT_PEOPLE",
    "Answer",
    "CannotDoError",
    "Channel",
    "Choices",
    "DiscordLimits",
    "Faults",
    "InteractionKind",
    "LimitKind",
    "Message",
    "ModalOpened",
    "NewGuild",
    "NewPerson",
    "NoAnswer",
    "NoAnswerError",
    "Outcome",
    "Permission",
    "Person",
    "Replied",
    "Standin",
    "Updated",
    "User",
    "World",
    "guilds_on_each",
]
