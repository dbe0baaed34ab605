"""Interactions: what people do with commands, buttons, selects and modals, and the answers.

An interaction must be acknowledged within three seconds, once; its token is good for fifteen
minutes of follow-ups and edits.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from bot.local.changes import InteractionTried
from bot.local.checks import MAX_FILE_BYTES, check_choices, check_modal
from bot.local.errors import ApiError, wrong_field
from bot.local.model import (
    Channel,
    Json,
    Message,
    MessageFlag,
    MessageKind,
    Origin,
    Reference,
    User,
)
from bot.local.posting import Body

if TYPE_CHECKING:
    from bot.local.standin import Standin

ACKNOWLEDGE_S = 3.0
TOKEN_LIFE_S = 15 * 60.0
_INTERACTIONS_KEPT = 5000


class InteractionKind(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class Callback(IntEnum):
    """How the bot acknowledges."""

    REPLY = 4
    DEFER_REPLY = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


_ANSWERS = (Callback.REPLY, Callback.DEFER_REPLY)
_CHANGES = (Callback.DEFER_UPDATE, Callback.UPDATE)
_ALLOWED = {
    InteractionKind.COMMAND: (*_ANSWERS, Callback.MODAL),
    InteractionKind.COMPONENT: (*_ANSWERS, *_CHANGES, Callback.MODAL),
    InteractionKind.AUTOCOMPLETE: (Callback.CHOICES,),
    InteractionKind.MODAL_SUBMIT: (*_ANSWERS, *_CHANGES),
}
_PROMISES = (Callback.DEFER_REPLY, Callback.DEFER_UPDATE)


@dataclass(frozen=True, slots=True)
class Replied:
    """The bot answered with a message, or with the placeholder of an answer to come."""

    message: Message


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


#: What can become of an interaction.
Outcome = Replied | Updated | ModalOpened | Choices | NoAnswer


@dataclass(slots=True, eq=False)
class Interaction:
    """One interaction and what has become of it.

    `deliveries` counts the sessions that it was sent to, those among them that are not connected
    and get it when they resume; `tries` how often the bot acknowledged it or tried to. At most one
    try is accepted, as `acknowledged` then says. It may only promise an answer: `is_answered` once
    that has come, by the interaction's own token, in the message `answer`, or None where the
    promise was taken back. Others may change the same messages before.
    """

    id: int
    token: str
    kind: InteractionKind
    user: User
    channel: Channel
    command: str
    source: Message | None
    outcome: asyncio.Future[Outcome]
    opened_at: float = field(default_factory=time.monotonic)
    payload: Json = field(default_factory=dict)
    acknowledged: Callback | None = None
    is_answered: bool = False
    answer: Message | None = None
    original: Message | None = None
    followups: dict[int, Message] = field(default_factory=dict)
    deliveries: int = 0
    tries: int = 0

    def answered(self, message: Message | None) -> None:
        """The answer has come; what follows it is none."""
        if not self.is_answered:
            self.is_answered, self.answer = True, message


class Interactions:
    """Opens interactions for people and accepts the bot's answers."""

    def __init__(self, standin: Standin, acknowledge_s: float = ACKNOWLEDGE_S) -> None:
        self._standin = standin
        self._world = standin.model
        self._posting = standin.posting
        #: How long the bot has to acknowledge, in seconds; applies to later interactions.
        self.acknowledge_s = acknowledge_s
        self._by_token: dict[str, Interaction] = {}

    @property
    def opened(self) -> list[Interaction]:
        """What people have done, the last few thousand times, oldest first."""
        return list(self._by_token.values())

    # From people

    def open(
        self,
        kind: InteractionKind,
        user: User,
        channel: Channel,
        data: Json,
        *,
        command: str = "",
        source: Message | None = None,
    ) -> Interaction:
        """Send an interaction to the bot; its `outcome` is set when the bot answers."""
        loop = asyncio.get_running_loop()
        interaction = Interaction(
            id=self._world.snowflakes.next(),
            token=secrets.token_urlsafe(48),
            kind=kind,
            user=user,
            channel=channel,
            command=command,
            source=source,
            outcome=loop.create_future(),
        )
        self._by_token[interaction.token] = interaction
        while len(self._by_token) > _INTERACTIONS_KEPT:
            del self._by_token[next(iter(self._by_token))]
        interaction.payload = self._payload(interaction, data)
        timer = loop.call_later(self.acknowledge_s, self._give_up, interaction)
        interaction.outcome.add_done_callback(lambda _: timer.cancel())
        self.deliver(interaction)
        return interaction

    def deliver(self, interaction: Interaction) -> None:
        """Send it over the gateway; a second call repeats the very same event."""
        channel = interaction.channel
        interaction.deliveries += self._standin.gateway.interaction(interaction.payload, channel)

    def close(self) -> None:
        """Wait for no answer any more."""
        for interaction in self._by_token.values():
            self._give_up(interaction)

    def _give_up(self, interaction: Interaction) -> None:
        if not interaction.outcome.done():
            interaction.outcome.set_result(NoAnswer())

    def _payload(self, interaction: Interaction, data: Json) -> Json:
        world, wire = self._world, self._standin.wire
        user, channel = interaction.user, interaction.channel
        guild = world.guild_of(channel)
        payload: Json = {
            "id": str(interaction.id),
            "application_id": str(world.bot.id),
            "type": int(interaction.kind),
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": str(channel.id),
            "channel": wire.channel(channel),
            "locale": user.locale,
            "entitlements": [],
            "authorizing_integration_owners": {"0": "0" if guild is None else str(guild.id)},
            "context": 1 if guild is None else 0,
            "attachment_size_limit": MAX_FILE_BYTES,
            "app_permissions": str(world.bot_permissions(channel)),
        }
        if guild is None:
            payload["user"] = wire.user(user)
        else:
            permissions = str(world.user_permissions(user.id, guild))
            payload["channel"]["permissions"] = permissions
            payload["guild_id"] = str(guild.id)
            payload["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
            payload["guild_locale"] = guild.locale
            payload["member"] = {**wire.member(user, guild), "permissions": permissions}
        if interaction.source is not None:
            payload["message"] = wire.message(interaction.source)
        return payload

    # From the bot

    def respond(self, interaction_id: int, token: str, body: Body) -> Json:
        """Acknowledge; returns Discord's callback response. Raises `ApiError`."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise ApiError("Unknown interaction")
        interaction.tries += 1
        self._world.publish(InteractionTried())
        if interaction.acknowledged is not None:
            raise ApiError("Interaction has already been acknowledged.")
        if interaction.outcome.done():
            raise ApiError("Unknown interaction")
        allowed = list(_ALLOWED[interaction.kind])
        if interaction.source is None:
            allowed = [callback for callback in allowed if callback not in _CHANGES]
        kind, data = body.payload.get("type"), body.payload.get("data") or {}
        if kind not in allowed:
            said = f"Value must be one of {sorted(map(int, allowed))}."
            raise wrong_field("type", "BASE_TYPE_CHOICES", said)
        callback = Callback(kind)
        outcome = self._carry_out(interaction, callback, Body(data, body.files))
        interaction.acknowledged = callback
        if callback not in _PROMISES:
            interaction.answered(interaction.original)
        interaction.outcome.set_result(outcome)
        about: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
        resource: Json = {"type": int(callback)}
        message = interaction.original
        if message is not None:
            about["response_message_id"] = str(message.id)
            about["response_message_loading"] = message.is_loading
            about["response_message_ephemeral"] = message.is_ephemeral
            if callback in (Callback.REPLY, Callback.UPDATE):
                resource["message"] = self._standin.wire.message(message)
        return {"interaction": about, "resource": resource}

    def _carry_out(self, interaction: Interaction, callback: Callback, body: Body) -> Outcome:
        data = body.payload
        match callback:
            case Callback.REPLY | Callback.DEFER_REPLY:
                is_deferred = callback is Callback.DEFER_REPLY
                message = self._answer(interaction, body, interaction.source, is_deferred)
                interaction.original = message
                return Replied(message)
            case Callback.UPDATE:
                assert interaction.source is not None
                interaction.original = interaction.source
                # Unlike any other edit, it takes away what is attached and not named.
                named = Body({"attachments": [], **data}, body.files)
                return Updated(self._posting.edit(interaction.source, named, by_token=True))
            case Callback.DEFER_UPDATE:
                interaction.original = interaction.source
                return Updated(None)
            case Callback.CHOICES:
                choices = data.get("choices") or []
                check_choices(choices)
                return Choices(choices)
            case Callback.MODAL:
                check_modal(data)
                return ModalOpened(data, interaction.channel.id, interaction.source)

    def _answer(
        self,
        interaction: Interaction,
        body: Body,
        answers: Message | None,
        is_deferred: bool = False,
    ) -> Message:
        kind = MessageKind.COMMAND if interaction.command else MessageKind.DEFAULT
        reference, user_id = None, interaction.user.id
        if answers is not None:
            kind = MessageKind.REPLY
            reference = Reference(channel_id=answers.channel_id, message_id=answers.id)
        is_private = int(body.payload.get("flags") or 0) & MessageFlag.EPHEMERAL
        return self._posting.answer(
            interaction.channel,
            None if is_deferred else body,
            origin=Origin(
                id=interaction.id,
                kind=int(interaction.kind),
                user_id=user_id,
                command=interaction.command,
            ),
            kind=kind,
            visible_to=user_id if is_private else None,
            reference=reference,
        )

    def follow_up(self, token: str, body: Body) -> Message:
        """Post after the acknowledgement; fills the placeholder of a deferral first."""
        interaction = self._acknowledged(token)
        original = interaction.original
        if original is not None and original.is_loading:
            message = self._posting.edit(original, body, by_token=True)
        else:
            message = self._answer(interaction, body, original)
            interaction.followups[message.id] = message
        interaction.answered(message)
        return message

    def message(self, token: str, message_id: str) -> Message:
        """An answer by its id or as `@original`; raises `ApiError` 10008 when it is gone."""
        interaction = self._acknowledged(token)
        original, source = interaction.original, interaction.source
        known = {str(m.id): m for m in (original, source, *interaction.followups.values()) if m}
        found = original if message_id == "@original" else known.get(message_id)
        if found is None or found.id not in self._world.messages.get(found.channel_id, {}):
            raise ApiError("Unknown Message")
        return found

    def edit(self, token: str, message_id: str, body: Body) -> Message:
        """Change an answer."""
        message = self._posting.edit(self.message(token, message_id), body, by_token=True)
        self._acknowledged(token).answered(message)
        return message

    def delete(self, token: str, message_id: str) -> None:
        """Take an answer back."""
        self._world.delete_message(self.message(token, message_id))
        self._acknowledged(token).answered(None)

    def _acknowledged(self, token: str) -> Interaction:
        interaction = self._by_token.get(token)
        if interaction is None or interaction.acknowledged is None:
            raise ApiError("Unknown Webhook")
        if time.monotonic() - interaction.opened_at > TOKEN_LIFE_S:
            raise ApiError("Invalid Webhook Token")
        return interaction
