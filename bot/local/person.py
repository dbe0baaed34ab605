"""A person using the chat, for tests and for the page's actions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from bot.local.checks import LINK_STYLE, MAX_CONTENT
from bot.local.interactions import (
    Choices,
    Interaction,
    InteractionKind,
    ModalOpened,
    NoAnswer,
    Outcome,
    Replied,
    Updated,
)
from bot.local.model import Channel, ComponentKind, Json, Message, User, is_select
from bot.local.options import CannotDoError, Filling, find_command, is_offered
from bot.local.posting import mentioned_users

if TYPE_CHECKING:
    from bot.local.standin import Standin

T = TypeVar("T")

PATIENCE_S = 30.0
"""Default timeout of waits, long enough for a busy machine."""


class NoAnswerError(Exception):
    """The bot did not acknowledge an interaction in time."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of an interaction.

    `message` is live: after a deferral, it is first the placeholder or the message with the button,
    then the answer.
    """

    interaction: Interaction
    outcome: Outcome

    @property
    def message(self) -> Message | None:
        """The message that the bot posted or edited."""
        if self.interaction.answer is not None:
            return self.interaction.answer
        if isinstance(self.outcome, Replied | Updated):
            return self.outcome.message or self.interaction.source
        return None

    @property
    def is_answered(self) -> bool:
        """Whether the bot has answered, not only deferred."""
        return self.interaction.is_answered

    @property
    def text(self) -> str:
        """The text of the answer, classic or layout; empty if there is none."""
        return self.message.text if self.message is not None else ""

    @property
    def is_private(self) -> bool:
        """Whether the answer is ephemeral."""
        return self.message is not None and self.message.is_ephemeral

    @property
    def modal(self) -> Json:
        """The modal that opened; raises `CannotDoError` if none did."""
        if not isinstance(self.outcome, ModalOpened):
            raise CannotDoError(f"no form has opened; the answer was {self.outcome}")
        return self.outcome.modal


class Person:
    """A user who reads and acts in the chat."""

    def __init__(self, user: User, standin: Standin) -> None:
        self.user = user
        self.id = user.id
        self.name = user.name
        self.mention = f"<@{user.id}>"
        self._standin = standin
        self._world = standin.model

    @property
    def dm(self) -> Channel:
        """The DM with the bot, opened if necessary."""
        return self._world.dm_with(self.id)

    # Reading

    def sees(self, channel: Channel | str) -> list[Message]:
        """Return the messages visible in a channel, oldest first, including private answers."""
        return self._world.history(self._channel(channel).id, self.id)

    def unread(self, channel: Channel | str) -> tuple[int, int]:
        """Return the numbers of unread messages and of pings in a channel."""
        return self._world.unread(self.id, self._channel(channel).id)

    def read(self, channel: Channel | str) -> None:
        self._world.mark_read(self.id, self._channel(channel).id)

    async def wait_for(self, predicate: Callable[[], T], *, timeout: float = PATIENCE_S) -> T:  # noqa: ASYNC109
        """Wait until `predicate()` is true after a change; return its value.

        Raises `TimeoutError` with the last visible messages after `timeout` seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._world.until(predicate)
        except TimeoutError:
            channels = [c for c in self._world.channels.values() if self._can_see(c)]
            messages = [m for c in channels for m in self._world.history(c.id, self.id)]
            newest = sorted(messages, key=lambda message: message.id)[-5:]
            last = "; ".join(repr(message.text[:80]) for message in newest)
            text = f"{self.name} waited {timeout} s in vain; last seen: {last or 'nothing'}"
            raise TimeoutError(text) from None

    async def wait_for_message(
        self,
        channel: Channel | str,
        predicate: Callable[[Message], bool] = lambda message: True,
        *,
        timeout: float = PATIENCE_S,  # noqa: ASYNC109
    ) -> Message:
        """Wait for a message that matches `predicate`; return the newest one."""
        messages = await self.wait_for(
            lambda: [m for m in self.sees(channel) if not m.is_loading and predicate(m)],
            timeout=timeout,
        )
        return messages[-1]

    # Writing

    def say(self, channel: Channel | str, text: str) -> Message:
        """Post a message; raise `CannotDoError` if the person cannot write there."""
        place, world = self._channel(channel), self._world
        if not text.strip():
            raise CannotDoError("you can't send an empty message")
        if len(text) > MAX_CONTENT:
            raise CannotDoError("a message can have at most {most} characters", most=MAX_CONTENT)
        if place.thread is not None and place.thread.archived:
            if place.thread.locked:
                raise CannotDoError("this thread is locked")
            world.archive(place, archived=False)
        message = world.blank_message(place, self.user)
        message.content, message.mentions = text, mentioned_users(world, text)
        return world.add_message(message)

    # Commands

    def commands(self, channel: Channel | str) -> list[str]:
        """Return the names of the commands available in a channel."""
        guild = self._world.guild_of(self._channel(channel))
        commands = self._world.commands.values()
        return [c.spec["name"] for c in commands if is_offered(self._world, c, self.user, guild)]

    async def slash(
        self,
        channel: Channel | str,
        command: str,
        values: Mapping[str, object] | None = None,
        **options: object,
    ) -> Answer:
        """Send a command such as `game new` with options by name.

        Users are given as `User`, `Person` or id, files as `(name, bytes)`. Raises `CannotDoError`
        for input that Discord's client would not send, and `NoAnswerError`.
        """
        return await self._command(channel, command, {**(values or {}), **options})

    async def autocomplete(
        self,
        channel: Channel | str,
        command: str,
        *,
        focused: str,
        values: Mapping[str, object] | None = None,
        **options: object,
    ) -> list[Json]:
        """Return the choices proposed for the option `focused`, given the typed options."""
        filled = {**(values or {}), **options}
        answer = await self._command(channel, command, filled, focused)
        return answer.outcome.choices if isinstance(answer.outcome, Choices) else []

    async def _command(
        self,
        channel: Channel | str,
        text: str,
        values: Mapping[str, object],
        focused: str | None = None,
    ) -> Answer:
        place = self._channel(channel)
        guild = self._world.guild_of(place)
        command, path, leaf = find_command(self._world, text, guild)
        if not is_offered(self._world, command, self.user, guild):
            raise CannotDoError(f"/{text} is not offered to {self.name} here")
        data = self._filling(place).command(command, path, leaf, values, focused)
        if focused is not None:
            return await self._act(InteractionKind.AUTOCOMPLETE, place, data)
        title = " ".join([command.spec["name"], *path])
        return await self._act(InteractionKind.COMMAND, place, data, command=title)

    def _filling(self, place: Channel) -> Filling:
        guild = self._world.guild_of(place)
        return Filling(self._world, self._standin.wire, self.user, guild)

    # Buttons, selects, forms

    async def press(
        self, message: Message, *, custom_id: str | None = None, label: str | None = None
    ) -> Answer:
        """Press a button, given its custom id or label."""
        buttons = [part for part in message.parts if part["type"] == ComponentKind.BUTTON]
        button = self._component(message, buttons, custom_id, label)
        if button.get("style") == LINK_STYLE:
            raise CannotDoError(f"{label or custom_id!r} is a link, it does nothing else")
        return await self._act_on(message, button)

    async def select(
        self, message: Message, custom_id: str, values: Sequence[object] | str
    ) -> Answer:
        """Choose options of a select by value or label."""
        selects = [part for part in message.parts if is_select(part)]
        select = self._component(message, selects, custom_id)
        chosen = [values] if isinstance(values, str) else list(values)
        filling = self._filling(self._world.channels[message.channel_id])
        return await self._act_on(message, select, {"values": filling.select(select, chosen)})

    async def submit(
        self,
        form: Answer | ModalOpened,
        values: Mapping[str, object] | None = None,
        **by_id: object,
    ) -> Answer:
        """Fill in a modal by the custom ids of its fields and submit it."""
        opened = form.outcome if isinstance(form, Answer) else form
        if not isinstance(opened, ModalOpened):
            raise CannotDoError("no form is open")
        place = self._world.channels[opened.channel_id]
        data = self._filling(place).modal(opened.modal, {**(values or {}), **by_id})
        return await self._act(InteractionKind.MODAL_SUBMIT, place, data, source=opened.source)

    def dismiss(self, message: Message) -> None:
        if message.visible_to != self.id:
            raise CannotDoError("only private messages can be dismissed")
        self._world.dismiss(message)

    def fire(
        self,
        kind: InteractionKind,
        channel: Channel | str,
        data: Json,
        *,
        source: Message | None = None,
    ) -> Interaction:
        """Send an interaction without checks, and do not wait for the answer."""
        interactions = self._standin.interactions
        return interactions.open(kind, self.user, self._channel(channel), data, source=source)

    async def _act_on(self, message: Message, part: Json, chosen: Json | None = None) -> Answer:
        data: Json = {name: part[name] for name in ("custom_id", "id")}
        data |= {"component_type": part["type"], **(chosen or {})}
        place = self._world.channels[message.channel_id]
        return await self._act(InteractionKind.COMPONENT, place, data, source=message)

    async def _act(
        self,
        kind: InteractionKind,
        place: Channel,
        data: Json,
        *,
        command: str = "",
        source: Message | None = None,
    ) -> Answer:
        interaction = self._standin.interactions.open(
            kind, self.user, place, data, command=command, source=source
        )
        # Cancelling the caller must not cancel the interaction.
        outcome = await asyncio.shield(interaction.outcome)
        if isinstance(outcome, NoAnswer):
            raise NoAnswerError("The application did not respond")
        return Answer(interaction, outcome)

    def _component(
        self,
        message: Message,
        parts: Sequence[Json],
        custom_id: str | None,
        label: str | None = None,
    ) -> Json:
        channel = self._world.channels.get(message.channel_id)
        if (
            channel is None
            or message.id not in self._world.messages[channel.id]
            or not self._can_see(channel)
            or not self._world.visible(message, self.id)
        ):
            raise CannotDoError(f"{self.name} does not see this message")
        for part in parts:
            if custom_id in (None, part.get("custom_id")) and label in (None, part.get("label")):
                if part.get("disabled"):
                    raise CannotDoError(f"{label or custom_id!r} cannot be used now")
                return part
        present = [part.get("label") or part.get("custom_id") for part in parts]
        raise CannotDoError(f"there is no {label or custom_id!r} here, only {present}")

    def _can_see(self, channel: Channel) -> bool:
        return self._world.can_see(self.id, channel)

    def _channel(self, channel: Channel | str) -> Channel:
        if isinstance(channel, str):
            channel = self._world.channel_named(channel)
        if not self._can_see(channel):
            raise CannotDoError(f"{self.name} cannot look into {channel.name or 'this channel'}")
        return channel
