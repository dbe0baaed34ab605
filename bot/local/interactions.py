"""Interactions by commands, buttons, selects and modals, and the bot's answers.

The bot must acknowledge an interaction once within three seconds. The interaction's token is valid
for follow-ups and edits for fifteen minutes.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from bot.local.changes import CallbackReceived
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
_MAX_INTERACTIONS = 5000


class InteractionKind(IntEnum):
    """Discord's interaction types that the stand-in supports."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class Callback(IntEnum):
    """Discord's interaction callback types."""

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
    """The bot answered with a message, or with the placeholder of a deferred answer."""

    message: Message


@dataclass(frozen=True, slots=True)
class Updated:
    """The bot edited the message with the button, or deferred that (`message` is `None`)."""

    message: Message | None


@dataclass(frozen=True, slots=True)
class ModalOpened:
    """The bot opened a modal. `source` is the message with the button, if any."""

    modal: Json
    channel_id: int
    source: Message | None


@dataclass(frozen=True, slots=True)
class Choices:
    """The bot proposed choices: `name` is shown, `value` is sent."""

    choices: list[Json]


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The bot did not acknowledge in time."""


#: Outcome of an interaction.
Outcome = Replied | Updated | ModalOpened | Choices | NoAnswer


@dataclass(slots=True, eq=False)
class Interaction:
    """An interaction and its outcome.

    - `deliveries` counts the sessions that it was sent to, including disconnected ones, which get
      it when they resume.
    - `attempts` counts the bot's callbacks; `acknowledged` is the accepted one.
    - `is_answered` is set by the first answer with the interaction's token; a deferral is none.
    - `answer` is the message of that answer, `None` if the bot deleted the placeholder.
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
    attempts: int = 0

    def set_answer(self, message: Message | None) -> None:
        """Set the answer, unless there is one already."""
        if not self.is_answered:
            self.is_answered, self.answer = True, message


class Interactions:
    """Opens interactions for people and accepts the bot's answers."""

    def __init__(self, standin: Standin, acknowledge_s: float = ACKNOWLEDGE_S) -> None:
        self._standin = standin
        self._world = standin.model
        self._posting = standin.posting
        #: Seconds; a change applies to later interactions.
        self.acknowledge_s = acknowledge_s
        self._by_token: dict[str, Interaction] = {}

    @property
    def opened(self) -> list[Interaction]:
        """The last `_MAX_INTERACTIONS` interactions, oldest first."""
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
        while len(self._by_token) > _MAX_INTERACTIONS:
            del self._by_token[next(iter(self._by_token))]
        interaction.payload = self._payload(interaction, data)
        timer = loop.call_later(self.acknowledge_s, self._give_up, interaction)
        interaction.outcome.add_done_callback(lambda _: timer.cancel())
        self.deliver(interaction)
        return interaction

    def deliver(self, interaction: Interaction) -> None:
        """Send an interaction over the gateway; a second call repeats the same event."""
        channel = interaction.channel
        interaction.deliveries += self._standin.gateway.interaction(interaction.payload, channel)

    def close(self) -> None:
        """Let all pending interactions end without an answer."""
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
        """Accept a callback and return Discord's response; raise `ApiError` if refused."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise ApiError("Unknown interaction")
        interaction.attempts += 1
        self._world.publish(CallbackReceived())
        if interaction.acknowledged is not None:
            raise ApiError("Interaction has already been acknowledged.")
        if interaction.outcome.done():
            raise ApiError("Unknown interaction")
        allowed = list(_ALLOWED[interaction.kind])
        if interaction.source is None:
            allowed = [callback for callback in allowed if callback not in _CHANGES]
        kind, data = body.payload.get("type"), body.payload.get("data") or {}
        if kind not in allowed:
            text = f"Value must be one of {sorted(map(int, allowed))}."
            raise wrong_field("type", "BASE_TYPE_CHOICES", text)
        callback = Callback(kind)
        outcome = self._carry_out(interaction, callback, Body(data, body.files))
        interaction.acknowledged = callback
        if callback not in _PROMISES:
            interaction.set_answer(interaction.original)
        interaction.outcome.set_result(outcome)
        details: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
        resource: Json = {"type": int(callback)}
        message = interaction.original
        if message is not None:
            details["response_message_id"] = str(message.id)
            details["response_message_loading"] = message.is_loading
            details["response_message_ephemeral"] = message.is_ephemeral
            if callback in (Callback.REPLY, Callback.UPDATE):
                resource["message"] = self._standin.wire.message(message)
        return {"interaction": details, "resource": resource}

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
                # Unlike other edits, this one drops attachments that it does not list.
                edit = Body({"attachments": [], **data}, body.files)
                return Updated(self._posting.edit(interaction.source, edit, by_token=True))
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
        """Post a follow-up; the first one after a deferral replaces the placeholder."""
        interaction = self._acknowledged(token)
        original = interaction.original
        if original is not None and original.is_loading:
            message = self._posting.edit(original, body, by_token=True)
        else:
            message = self._answer(interaction, body, original)
            interaction.followups[message.id] = message
        interaction.set_answer(message)
        return message

    def message(self, token: str, message_id: str) -> Message:
        """Return an answer by id or `@original`; raise `ApiError` 10008 if it does not exist."""
        interaction = self._acknowledged(token)
        original, source = interaction.original, interaction.source
        answers = {str(m.id): m for m in (original, source, *interaction.followups.values()) if m}
        message = original if message_id == "@original" else answers.get(message_id)
        if message is None or message.id not in self._world.messages.get(message.channel_id, {}):
            raise ApiError("Unknown Message")
        return message

    def edit(self, token: str, message_id: str, body: Body) -> Message:
        message = self._posting.edit(self.message(token, message_id), body, by_token=True)
        self._acknowledged(token).set_answer(message)
        return message

    def delete(self, token: str, message_id: str) -> None:
        self._world.delete_message(self.message(token, message_id))
        self._acknowledged(token).set_answer(None)

    def _acknowledged(self, token: str) -> Interaction:
        interaction = self._by_token.get(token)
        if interaction is None or interaction.acknowledged is None:
            raise ApiError("Unknown Webhook")
        if time.monotonic() - interaction.opened_at > TOKEN_LIFE_S:
            raise ApiError("Invalid Webhook Token")
        return interaction
