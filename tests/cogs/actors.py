"""People on the stand-in, each of whose steps ends when the bot has come to rest."""

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
    """What came of a step; live, as far as it has not been deleted since."""

    standin: Standin

    @property
    def response(self) -> Message | None:
        """The first answer, or the message that was changed."""
        made = self.interaction.original
        return made if made is not None and self._is_there(made) else None

    @property
    def followups(self) -> list[Message]:
        """What was said after it."""
        return [each for each in self.interaction.followups.values() if self._is_there(each)]

    @property
    def choices(self) -> list[Json]:
        """What was offered to whoever types."""
        return self.outcome.choices if isinstance(self.outcome, Choices) else []

    def _is_there(self, message: Message) -> bool:
        return message.id in self.standin.model.messages.get(message.channel_id, {})


class Member(Person):
    """Somebody at the chat; after each of their steps the bot rests."""

    def __init__(self, user: User, standin: Standin, rest: Callable[[], Awaitable[None]]) -> None:
        super().__init__(user, standin)
        self._rest = rest

    async def click(
        self, message: Message, *, custom_id: str | None = None, label: str | None = None
    ) -> Answer:
        """Press a button that a message has now."""
        return await self.press(stored(self._standin, message), custom_id=custom_id, label=label)

    async def choose(self, message: Message, values: Sequence[str], *, custom_id: str) -> Answer:
        """Choose in a select that a message has now."""
        return await self.select(stored(self._standin, message), custom_id, values)

    async def offered(
        self, place: Channel, command: str, option: str, typed: str, /, **filled: object
    ) -> list[Json]:
        """What is offered while that is typed into an option."""
        values = {**filled, option: typed}
        return await self.autocomplete(place, command, focused=option, values=values)

    async def _act(self, *step: Any, **more: Any) -> Result:
        return await self.act(*step, **more)

    async def act(self, kind: InteractionKind, place: Channel, data: Json, **more: Any) -> Result:
        """What comes of anything that somebody does, if only that nobody answers."""
        interaction = self._standin.interactions.open(kind, self.user, place, data, **more)
        await self._rest()
        outcome = interaction.outcome
        came = outcome.result() if outcome.done() else NoAnswer()
        return Result(interaction, came, self._standin)


def stored(standin: Standin, message: Message) -> Message:
    """A message as it is now; raises CannotDoError where there is none."""
    found = standin.model.messages.get(message.channel_id, {}).get(message.id)
    if found is None:
        raise CannotDoError("this message is gone")
    return found
