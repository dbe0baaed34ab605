"""A person at the chat client, without a browser: used by tests, and by the page to act."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.local.checks import LINK_STYLE, MAX_CONTENT
from bot.local.forms import fill_modal, pick
from bot.local.interactions import (
    Choices,
    Interaction,
    InteractionKind,
    Interactions,
    ModalOpened,
    NoAnswer,
    Outcome,
    Replied,
    Thinking,
    Updated,
)
from bot.local.model import Channel, ComponentKind, Json, Message, User, is_select
from bot.local.options import CannotDoError, Filled, Resolved, find_command, is_offered
from bot.local.posting import mentioned_users
from bot.local.wire import Wire
from bot.local.world import World

T = TypeVar("T")

PATIENCE_S = 30.0
"""Seconds in which something must have happened, also on a machine with much else to do."""


class NoAnswerError(Exception):
    """What Discord shows when three seconds have gone by without an acknowledgement."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of an interaction.

    `message` is live: after a deferral it is the placeholder, or the message with the button, first
    and the answer later.
    """

    interaction: Interaction
    outcome: Outcome

    @property
    def message(self) -> Message | None:
        """The message that answers, or the one that was changed."""
        if self.interaction.answer is not None:
            return self.interaction.answer
        if isinstance(self.outcome, Replied | Thinking | Updated):
            return self.outcome.message or self.interaction.source
        return None

    @property
    def has_come(self) -> bool:
        """Whether there is more than a promise of an answer."""
        return self.interaction.is_answered

    @property
    def text(self) -> str:
        """The words of the answer, classic or a layout; empty when there is none."""
        return self.message.text if self.message is not None else ""

    @property
    def is_private(self) -> bool:
        """Whether only that person sees the answer."""
        return self.message is not None and self.message.is_ephemeral

    @property
    def modal(self) -> Json:
        """The form that opened; raises `CannotDoError` when none did."""
        if not isinstance(self.outcome, ModalOpened):
            raise CannotDoError(f"no form has opened; the answer was {self.outcome}")
        return self.outcome.modal


class Person:
    """Somebody who looks at the chat and acts in it."""

    def __init__(self, user: User, world: World, wire: Wire, interactions: Interactions) -> None:
        self.user = user
        self._world = world
        self._wire = wire
        self._interactions = interactions

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name shown."""
        return self.user.name

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return f"<@{self.user.id}>"

    @property
    def dm(self) -> Channel:
        """The direct conversation with the bot, opened if necessary."""
        return self._world.dm_with(self.user.id)

    # Looking

    def sees(self, channel: Channel | str) -> list[Message]:
        """What this person sees in a channel, their private answers included, oldest first."""
        found = self._channel(channel)
        return self._world.history(found.id, self.user.id)

    @property
    def inbox(self) -> list[Message]:
        """The messages of the direct conversation, oldest first."""
        return self.sees(self.dm)

    def unread(self, channel: Channel | str) -> tuple[int, int]:
        """Unread messages in a channel, and how many of them ping this person."""
        return self._world.unread(self.user.id, self._channel(channel).id)

    def read(self, channel: Channel | str) -> None:
        """Look at a channel, which clears its marks."""
        self._world.mark_read(self.user.id, self._channel(channel).id)

    async def wait_for(self, predicate: Callable[[], T], *, timeout: float = PATIENCE_S) -> T:  # noqa: ASYNC109
        """Wait until `predicate()` is true after some change in the chat; returns its value.

        Raises `TimeoutError`, naming what this person last saw, after `timeout` seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._world.until(predicate)
        except TimeoutError:
            messages = [m for c in self._channels() for m in self._world.history(c.id, self.id)]
            last = "; ".join(repr(m.text[:80]) for m in sorted(messages, key=_id_of)[-5:])
            said = f"{self.name} waited {timeout} s in vain; last seen: {last or 'nothing'}"
            raise TimeoutError(said) from None

    async def wait_for_message(
        self,
        channel: Channel | str,
        predicate: Callable[[Message], bool] = lambda message: True,
        *,
        timeout: float = PATIENCE_S,  # noqa: ASYNC109
    ) -> Message:
        """Wait for a message that `predicate` accepts; returns the newest one."""
        found = await self.wait_for(
            lambda: [m for m in self.sees(channel) if not m.is_loading and predicate(m)],
            timeout=timeout,
        )
        return found[-1]

    # Talking

    def say(self, channel: Channel | str, text: str) -> Message:
        """Post a plain message; raises `CannotDoError` where a person cannot write."""
        place = self._channel(channel)
        if not text.strip():
            raise CannotDoError("you can't send an empty message")
        if len(text) > MAX_CONTENT:
            raise CannotDoError("a message can have at most {most} characters", most=MAX_CONTENT)
        if place.thread is not None and place.thread.archived:
            if place.thread.locked:
                raise CannotDoError("this thread is locked")
            self._world.archive(place, archived=False)
        return self._world.add_message(
            Message(
                id=self._world.snowflakes.next(),
                channel_id=place.id,
                author_id=self.user.id,
                content=text,
                mentions=mentioned_users(self._world, text),
            )
        )

    # Commands

    def commands(self, channel: Channel | str) -> list[str]:
        """The names of the commands that this person is offered in a channel."""
        guild = self._world.guild_of(self._channel(channel))
        return [
            command.spec["name"]
            for command in self._world.commands.values()
            if is_offered(self._world, command, self.user, guild)
        ]

    async def slash(
        self,
        channel: Channel | str,
        command: str,
        values: Mapping[str, object] | None = None,
        **options: object,
    ) -> Answer:
        """Use `/game new` with options by name; people, channels and `(name, bytes)` are accepted.

        Raises `CannotDoError` for what the client would refuse and `NoAnswerError`.
        """
        place = self._channel(channel)
        filled = self._filled(place, command, {**(values or {}), **options}, None)
        title = " ".join([filled.command.spec["name"], *filled.path])
        return await self._act(InteractionKind.COMMAND, place, filled.data(), command=title)

    async def autocomplete(
        self,
        channel: Channel | str,
        command: str,
        *,
        focused: str,
        values: Mapping[str, object] | None = None,
        **options: object,
    ) -> list[Json]:
        """The choices proposed while `focused` is being typed; its text is among the options."""
        place = self._channel(channel)
        filled = self._filled(place, command, {**(values or {}), **options}, focused)
        answer = await self._act(InteractionKind.AUTOCOMPLETE, place, filled.data())
        return answer.outcome.choices if isinstance(answer.outcome, Choices) else []

    def _filled(
        self, place: Channel, text: str, values: Mapping[str, object], focused: str | None
    ) -> Filled:
        guild = self._world.guild_of(place)
        command, path, leaf = find_command(self._world, text, guild)
        if not is_offered(self._world, command, self.user, guild):
            raise CannotDoError(f"/{text} is not offered to {self.name} here")
        return Filled(
            world=self._world,
            wire=self._wire,
            person=self.user,
            guild=guild,
            command=command,
            path=path,
            leaf=leaf,
            values=values,
            focused=focused,
        )

    # Buttons, selects, forms

    async def press(
        self, message: Message, *, custom_id: str | None = None, label: str | None = None
    ) -> Answer:
        """Press a button, found by its id or its label."""
        buttons = [part for part in message.parts if part["type"] == ComponentKind.BUTTON]
        button = self._component(message, buttons, custom_id=custom_id, label=label)
        if button.get("style") == LINK_STYLE:
            raise CannotDoError(f"{label or custom_id!r} is a link, it does nothing else")
        data = {
            "component_type": button["type"],
            "custom_id": button["custom_id"],
            "id": button["id"],
        }
        return await self._act_on(message, data)

    async def select(
        self, message: Message, custom_id: str, values: Sequence[object] | str
    ) -> Answer:
        """Choose in a select: option values or labels, or people in a select of users."""
        selects = [part for part in message.parts if is_select(part)]
        select = self._component(message, selects, custom_id=custom_id, label=None)
        chosen = [values] if isinstance(values, str) else list(values)
        resolved = Resolved(self._world, self._wire)
        guild = self._world.guild_of(self._channel_of(message))
        picked = pick(select, chosen, resolved, self.user, guild)
        data: Json = {
            "component_type": select["type"],
            "custom_id": custom_id,
            "id": select["id"],
            "values": picked,
        }
        if resolved.data():
            data["resolved"] = resolved.data()
        return await self._act_on(message, data)

    async def submit(
        self,
        form: Answer | ModalOpened,
        values: Mapping[str, object] | None = None,
        **by_id: object,
    ) -> Answer:
        """Fill in a form by the custom ids of its fields and send it."""
        opened = form.outcome if isinstance(form, Answer) else form
        if not isinstance(opened, ModalOpened):
            raise CannotDoError("no form is open")
        place = self._world.channels[opened.channel_id]
        resolved = Resolved(self._world, self._wire)
        guild = self._world.guild_of(place)
        components = fill_modal(
            opened.modal, {**(values or {}), **by_id}, resolved, self.user, guild
        )
        data: Json = {"custom_id": opened.modal["custom_id"], "components": components}
        if resolved.data():
            data["resolved"] = resolved.data()
        return await self._act(InteractionKind.MODAL_SUBMIT, place, data, source=opened.source)

    def dismiss(self, message: Message) -> None:
        """Put away a private answer."""
        if message.visible_to != self.user.id:
            raise CannotDoError("only private messages can be dismissed")
        self._world.dismiss(message)

    def deliver_again(self, answer: Answer) -> None:
        """Let the very same interaction, with the same id, reach the bot once more."""
        self._interactions.deliver(answer.interaction)

    def fire(
        self,
        kind: InteractionKind,
        channel: Channel | str,
        data: Json,
        *,
        source: Message | None = None,
    ) -> Interaction:
        """Send a raw interaction without checks and without waiting."""
        return self._interactions.open(kind, self.user, self._channel(channel), data, source=source)

    async def _act_on(self, message: Message, data: Json) -> Answer:
        place = self._channel_of(message)
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
        interaction = self._interactions.open(
            kind, self.user, place, data, command=command, source=source
        )
        # Who is interrupted has pressed all the same: the bot's answer counts.
        outcome = await asyncio.shield(interaction.outcome)
        if isinstance(outcome, NoAnswer):
            raise NoAnswerError("The application did not respond")
        return Answer(interaction, outcome)

    def _component(
        self,
        message: Message,
        parts: Sequence[Json],
        *,
        custom_id: str | None,
        label: str | None,
    ) -> Json:
        if not self._sees_message(message):
            raise CannotDoError(f"{self.name} does not see this message")
        for part in parts:
            if custom_id is not None and part.get("custom_id") != custom_id:
                continue
            if label is not None and part.get("label") != label:
                continue
            if part.get("disabled"):
                raise CannotDoError(f"{label or custom_id!r} cannot be used now")
            return part
        there = [part.get("label") or part.get("custom_id") for part in parts]
        raise CannotDoError(f"there is no {label or custom_id!r} here, only {there}")

    def _sees_message(self, message: Message) -> bool:
        channel = self._world.channels.get(message.channel_id)
        return (
            channel is not None
            and message.id in self._world.messages[channel.id]
            and self._world.can_see(self.user.id, channel)
            and self._world.visible(message, self.user.id)
        )

    def _channel_of(self, message: Message) -> Channel:
        return self._world.channels[message.channel_id]

    def _channels(self) -> list[Channel]:
        return [c for c in self._world.channels.values() if self._world.can_see(self.id, c)]

    def _channel(self, channel: Channel | str) -> Channel:
        found = self._world.channel_named(channel) if isinstance(channel, str) else channel
        if not self._world.can_see(self.user.id, found):
            raise CannotDoError(f"{self.name} cannot look into {found.name or 'this channel'}")
        return found


def _id_of(message: Message) -> int:
    return message.id
