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

from bot.local import checks, errors
from bot.local.changes import InteractionTried
from bot.local.gateway import GatewayServer
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
from bot.local.outcomes import Choices, ModalOpened, NoAnswer, Outcome, Replied, Thinking, Updated
from bot.local.posting import Posting
from bot.local.uploads import Body
from bot.local.wire import ATTACHMENT_LIMIT, Wire
from bot.local.world import World

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

    PONG = 1
    REPLY = 4
    DEFER_REPLY = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


_ALLOWED = {
    InteractionKind.COMMAND: {Callback.REPLY, Callback.DEFER_REPLY, Callback.MODAL},
    InteractionKind.COMPONENT: {
        Callback.REPLY,
        Callback.DEFER_REPLY,
        Callback.DEFER_UPDATE,
        Callback.UPDATE,
        Callback.MODAL,
    },
    InteractionKind.AUTOCOMPLETE: {Callback.CHOICES},
    InteractionKind.MODAL_SUBMIT: {
        Callback.REPLY,
        Callback.DEFER_REPLY,
        Callback.DEFER_UPDATE,
        Callback.UPDATE,
    },
}
_NEED_SOURCE = (Callback.DEFER_UPDATE, Callback.UPDATE)
_PROMISES = (Callback.DEFER_REPLY, Callback.DEFER_UPDATE)


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

    @property
    def origin(self) -> Origin:
        """The note on messages that answer it."""
        return Origin(id=self.id, kind=int(self.kind), user_id=self.user.id, command=self.command)

    def answered(self, message: Message | None) -> None:
        """The answer has come; what follows it is none."""
        if not self.is_answered:
            self.is_answered, self.answer = True, message


class Interactions:
    """Opens interactions for people and accepts the bot's answers."""

    def __init__(
        self,
        world: World,
        wire: Wire,
        gateway: GatewayServer,
        posting: Posting,
        *,
        acknowledge_s: float = ACKNOWLEDGE_S,
    ) -> None:
        self._world = world
        self._wire = wire
        self._gateway = gateway
        self._posting = posting
        #: How long the bot has to acknowledge, in seconds; applies to later interactions.
        self.acknowledge_s = acknowledge_s
        self._by_token: dict[str, Interaction] = {}
        self._timers: set[asyncio.TimerHandle] = set()

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
        self._timers.add(timer)

        def forget_timer(_: asyncio.Future[Outcome]) -> None:
            timer.cancel()
            self._timers.discard(timer)

        interaction.outcome.add_done_callback(forget_timer)
        self.deliver(interaction)
        return interaction

    def deliver(self, interaction: Interaction) -> None:
        """Send it over the gateway; a second call repeats the very same event."""
        channel = interaction.channel
        interaction.deliveries += self._gateway.interaction(interaction.payload, channel)

    def close(self) -> None:
        """Stop waiting for answers."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _give_up(self, interaction: Interaction) -> None:
        if not interaction.outcome.done():
            interaction.outcome.set_result(NoAnswer())

    def _payload(self, interaction: Interaction, data: Json) -> Json:
        world, wire = self._world, self._wire
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
            "attachment_size_limit": ATTACHMENT_LIMIT,
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
            raise errors.unknown_interaction()
        interaction.tries += 1
        self._world.publish(InteractionTried(interaction.id))
        if interaction.acknowledged is not None:
            raise errors.already_acknowledged()
        if isinstance(_result(interaction), NoAnswer):
            raise errors.unknown_interaction()
        payload = body.payload
        callback = _callback(interaction, payload)
        data = payload.get("data") or {}
        outcome = self._carry_out(interaction, callback, Body(data, body.files))
        interaction.acknowledged = callback
        if callback not in _PROMISES:
            interaction.answered(interaction.original)
        if not interaction.outcome.done():
            interaction.outcome.set_result(outcome)
        return self._callback_response(interaction, callback, outcome)

    def _carry_out(self, interaction: Interaction, callback: Callback, body: Body) -> Outcome:
        data = body.payload
        match callback:
            case Callback.REPLY:
                interaction.original = self._answer(interaction, body)
                return Replied(interaction.original)
            case Callback.DEFER_REPLY:
                interaction.original = self._posting.placeholder(
                    interaction.channel,
                    origin=interaction.origin,
                    kind=_kind_of_answer(interaction),
                    visible_to=_audience(interaction, data),
                )
                return Thinking(interaction.original)
            case Callback.UPDATE:
                assert interaction.source is not None
                interaction.original = interaction.source
                # Unlike any other edit, it takes away what is attached and not named.
                named = Body({"attachments": [], **data}, body.files)
                edited = self._posting.edit(interaction.source, named, by_token=True)
                return Updated(edited)
            case Callback.CHOICES:
                choices = data.get("choices") or []
                checks.check_choices(choices)
                return Choices(choices)
            case Callback.MODAL:
                checks.check_modal(data)
                return ModalOpened(data, interaction.channel.id, interaction.source)
            case _:
                interaction.original = interaction.source
                return Updated(None)

    def _answer(self, interaction: Interaction, body: Body, *, follows: bool = False) -> Message:
        source = interaction.original if follows else interaction.source
        reference = None
        if source is not None:
            reference = Reference(channel_id=source.channel_id, message_id=source.id)
        return self._posting.answer(
            interaction.channel,
            body,
            origin=interaction.origin,
            kind=MessageKind.REPLY if follows else _kind_of_answer(interaction),
            visible_to=_audience(interaction, body.payload),
            reference=reference,
        )

    def _callback_response(
        self, interaction: Interaction, callback: Callback, outcome: Outcome
    ) -> Json:
        about: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
        resource: Json = {"type": int(callback)}
        message = interaction.original
        if message is not None:
            about["response_message_id"] = str(message.id)
            about["response_message_loading"] = message.is_loading
            about["response_message_ephemeral"] = message.is_ephemeral
            if isinstance(outcome, Replied | Updated) and callback is not Callback.DEFER_UPDATE:
                resource["message"] = self._wire.message(message)
        return {"interaction": about, "resource": resource}

    def follow_up(self, token: str, body: Body) -> Message:
        """Post after the acknowledgement; fills the placeholder of a deferral first."""
        interaction = self._open(token)
        original = interaction.original
        if original is not None and original.is_loading:
            message = self._posting.edit(original, body, by_token=True)
        else:
            message = self._answer(interaction, body, follows=True)
            interaction.followups[message.id] = message
        interaction.answered(message)
        return message

    def message(self, token: str, message_id: str) -> Message:
        """An answer by its id or as `@original`; raises `ApiError` 10008 when it is gone."""
        interaction = self._open(token)
        if message_id == "@original":
            found = interaction.original
        else:
            known = {**interaction.followups}
            for message in (interaction.original, interaction.source):
                if message is not None:
                    known[message.id] = message
            found = known.get(int(message_id)) if message_id.isdigit() else None
        if found is None or found.id not in self._world.messages.get(found.channel_id, {}):
            raise errors.unknown_message()
        return found

    def edit(self, token: str, message_id: str, body: Body) -> Message:
        """Change an answer."""
        message = self._posting.edit(self.message(token, message_id), body, by_token=True)
        self._open(token).answered(message)
        return message

    def delete(self, token: str, message_id: str) -> None:
        """Take an answer back."""
        self._world.delete_message(self.message(token, message_id))
        self._open(token).answered(None)

    def _open(self, token: str) -> Interaction:
        interaction = self._by_token.get(token)
        if interaction is None or interaction.acknowledged is None:
            raise errors.unknown_webhook()
        if time.monotonic() - interaction.opened_at > TOKEN_LIFE_S:
            raise errors.token_expired()
        return interaction


def _result(interaction: Interaction) -> Outcome | None:
    return interaction.outcome.result() if interaction.outcome.done() else None


def _callback(interaction: Interaction, payload: Json) -> Callback:
    kind = payload.get("type")
    allowed = set(_ALLOWED[interaction.kind])
    if interaction.source is None:
        allowed -= set(_NEED_SOURCE)
    if not isinstance(kind, int) or kind not in {int(callback) for callback in allowed}:
        said = f"Value must be one of {sorted(int(callback) for callback in allowed)}."
        fault = {"code": "BASE_TYPE_CHOICES", "message": said}
        raise errors.invalid_form({"type": {"_errors": [fault]}})
    return Callback(kind)


def _audience(interaction: Interaction, data: Json) -> int | None:
    private = int(data.get("flags") or 0) & MessageFlag.EPHEMERAL
    return interaction.user.id if private else None


def _kind_of_answer(interaction: Interaction) -> MessageKind:
    if interaction.source is not None:
        return MessageKind.REPLY
    return MessageKind.COMMAND if interaction.command else MessageKind.DEFAULT
