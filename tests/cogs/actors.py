"""People on the stand-in; each of their steps ends when the bot is idle."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.local import (
    Answer,
    CannotDoError,
    Channel,
    Choices,
    InteractionKind,
    Message,
    NoAnswer,
    Person,
    Standin,
    User,
)
from bot.local.model import Json


@dataclass(frozen=True, slots=True)
class Result(Answer):
    """The outcome of a step. Leaves out messages that were deleted since."""

    standin: Standin

    @property
    def response(self) -> Message | None:
        """The first answer, or the edited message."""
        message = self.interaction.original
        return message if message is not None and self._exists(message) else None

    @property
    def followups(self) -> list[Message]:
        """The answers after the first."""
        return [each for each in self.interaction.followups.values() if self._exists(each)]

    @property
    def choices(self) -> list[Json]:
        """The suggestions of an autocompletion."""
        return self.outcome.choices if isinstance(self.outcome, Choices) else []

    def _exists(self, message: Message) -> bool:
        return message.id in self.standin.model.messages.get(message.channel_id, {})


class Member(Person):
    """A person in the chat. Waits after each of their steps until the bot is idle."""

    def __init__(self, user: User, standin: Standin, rest: Callable[[], Awaitable[None]]) -> None:
        super().__init__(user, standin)
        self._rest = rest

    async def click(
        self, message: Message, *, custom_id: str | None = None, label: str | None = None
    ) -> Answer:
        """Press a button of the message's current version."""
        return await self.press(stored(self._standin, message), custom_id=custom_id, label=label)

    async def choose(self, message: Message, values: Sequence[str], *, custom_id: str) -> Answer:
        """Choose in a select of the message's current version."""
        return await self.select(stored(self._standin, message), custom_id, values)

    async def suggestions(
        self, place: Channel, command: str, option: str, typed: str, /, **filled: object
    ) -> list[Json]:
        """Return the suggestions while `typed` is in an option."""
        values = {**filled, option: typed}
        return await self.autocomplete(place, command, focused=option, values=values)

    async def _act(self, *step: Any, **more: Any) -> Result:
        return await self.act(*step, **more)

    async def act(self, kind: InteractionKind, place: Channel, data: Json, **more: Any) -> Result:
        """Return the outcome of any step; `NoAnswer` if the bot doesn't answer."""
        interaction = self._standin.interactions.open(kind, self.user, place, data, **more)
        await self._rest()
        outcome = interaction.outcome
        answer = outcome.result() if outcome.done() else NoAnswer()
        return Result(interaction, answer, self._standin)


def stored(standin: Standin, message: Message) -> Message:
    """Return a message's current version. Raises CannotDoError if it was deleted."""
    found = standin.model.messages.get(message.channel_id, {}).get(message.id)
    if found is None:
        raise CannotDoError("this message was deleted")
    return found
