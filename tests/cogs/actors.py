"""People on the stand-in, each of whose steps ends when the bot has come to rest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from bot.local import (
    Answer,
    CannotDoError,
    Channel,
    Choices,
    Message,
    ModalOpened,
    Outcome,
    Person,
    Standin,
)
from bot.local.interactions import Interaction
from bot.local.model import Json, MessageKind

T = TypeVar("T")
Rest = Callable[[], Awaitable[None]]
NOTICES = (MessageKind.THREAD_STARTER, MessageKind.THREAD_NOTICE)
"""What Discord itself says of a thread."""


@dataclass(frozen=True)
class Result:
    """What came of a step: live, but for messages that have been deleted since."""

    standin: Standin
    interaction: Interaction

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
    def opened(self) -> ModalOpened | None:
        """The form that opened, and where."""
        outcome = self._outcome
        return outcome if isinstance(outcome, ModalOpened) else None

    @property
    def modal(self) -> Json | None:
        """The form that opened."""
        return None if self.opened is None else self.opened.modal

    @property
    def autocomplete_choices(self) -> list[Json] | None:
        """What was offered."""
        outcome = self._outcome
        return outcome.choices if isinstance(outcome, Choices) else None

    @property
    def ephemeral(self) -> bool:
        """Whether only that person sees it."""
        original = self.interaction.original
        return original is not None and original.is_ephemeral

    @property
    def _outcome(self) -> Outcome | None:
        outcome = self.interaction.outcome
        return outcome.result() if outcome.done() else None

    def _is_there(self, message: Message) -> bool:
        return message.id in self.standin.model.messages.get(message.channel_id, {})


@dataclass(frozen=True)
class Place:
    """A channel, a thread or direct messages."""

    standin: Standin
    channel: Channel

    @property
    def id(self) -> int:
        return self.channel.id

    @property
    def name(self) -> str:
        return self.channel.name

    @property
    def threads(self) -> list[Place]:
        """Its threads, oldest first."""
        return [Place(self.standin, each) for each in self.standin.model.threads_of(self.id)]

    def history(self, viewer: Any = None) -> list[Message]:
        """The messages as they are now, oldest first: all that are for everybody, or those that a
        person sees."""
        return [
            msgspec.structs.replace(message)
            for message in self.standin.model.messages[self.id].values()
            if message.kind not in NOTICES
            and (
                not message.is_ephemeral
                if viewer is None
                else self.standin.model.visible(message, viewer.id)
            )
        ]


@dataclass(frozen=True)
class Member:
    """Somebody at the chat, who waits after each step until the bot rests."""

    standin: Standin
    person: Person
    rest: Rest

    @property
    def id(self) -> int:
        return self.person.id

    @property
    def name(self) -> str:
        return self.person.name

    @property
    def mention(self) -> str:
        return self.person.mention

    @property
    def dm(self) -> Place:
        """The direct messages with the bot."""
        return Place(self.standin, self.person.dm)

    async def slash(self, place: Place, command: str, /, **options: object) -> Result:
        """Use a command."""
        return await self._done(self.person.slash(place.channel, command, options))

    async def autocomplete(
        self, place: Place, command: str, option: str, typed: str, /, **filled: object
    ) -> list[Json]:
        """What is offered while somebody types into an option."""
        typing = self.person.autocomplete(
            place.channel, command, focused=option, values={**filled, option: typed}
        )
        return await self._at_rest(typing) or []

    def available_commands(self, place: Place) -> list[str]:
        """The commands that are offered."""
        return self.person.commands(place.channel)

    async def click(
        self, message: Message, *, custom_id: str | None = None, label: str | None = None
    ) -> Result:
        """Press a button that a message has now."""
        shown = stored(self.standin, message)
        return await self._done(self.person.press(shown, custom_id=custom_id, label=label))

    async def select(self, message: Message, values: Sequence[Any], *, custom_id: str) -> Result:
        """Choose in a select that a message has now."""
        shown = stored(self.standin, message)
        return await self._done(self.person.select(shown, custom_id, values))

    async def submit_modal(self, form: Result, values: dict[str, Any]) -> Result:
        """Fill in a form."""
        assert form.opened is not None
        return await self._done(self.person.submit(form.opened, values))

    async def _done(self, step: Coroutine[Any, Any, Answer]) -> Result:
        """What comes of it, if only that nobody answers."""
        before = len(self.standin.interactions.opened)
        answer = await self._at_rest(step)
        if answer is not None:
            return Result(self.standin, answer.interaction)
        opened = self.standin.interactions.opened[before:]
        return Result(self.standin, [each for each in opened if each.user.id == self.id][-1])

    async def _at_rest(self, step: Coroutine[Any, Any, T]) -> T | None:
        """What has come of it when the bot rests."""
        acting = asyncio.create_task(step)
        await self.rest()
        if acting.done():
            return acting.result()
        acting.cancel()
        return None


def stored(standin: Standin, message: Message) -> Message:
    """A message as it is now; raises CannotDoError where there is none."""
    found = standin.model.messages.get(message.channel_id, {}).get(message.id)
    if found is None:
        raise CannotDoError("this message is gone")
    return found
