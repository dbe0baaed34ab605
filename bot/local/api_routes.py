"""Routes of the HTTP API."""

from __future__ import annotations

import base64
import binascii
import re

from bot.local.api import Call, Result, RouteTable
from bot.local.changes import ChannelChanged, EmojiCreated, MessageEdited
from bot.local.checks import check_commands
from bot.local.errors import MAX_EMOJIS, TOO_MANY_EMOJIS, ApiError, Problems, wrong_field
from bot.local.model import (
    AppEmoji,
    Channel,
    ChannelKind,
    Message,
    MessageFlag,
    MessageKind,
    Permission,
    Reference,
    ThreadState,
    now_iso,
)

MAX_EMOJI_BYTES = 256 * 1024
_EMOJI_NAME = re.compile(r"\w{2,32}\Z", re.ASCII)
_DATA = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,")
_COMMANDS = "/applications/{app_id}/commands"
_GUILD_COMMANDS = "/applications/{app_id}/guilds/{guild_id}/commands"
_EMOJIS = "/applications/{app_id}/emojis"
_CHANNEL = "/channels/{channel_id}"
_MESSAGE = "/channels/{channel_id}/messages/{message_id}"
_WEBHOOK = "/webhooks/{webhook_id}/{token}"
_ANSWER = _WEBHOOK + "/messages/{message_id}"
_ARCHIVE_AFTER_MINUTES = (60, 1440, 4320, 10080)
_MAX_PAGE = 100

ROUTES = RouteTable()


@ROUTES.add("GET", "/gateway/bot")
def gateway(call: Call) -> Result:
    """Return the gateway's URL, the recommended shards and the session start limit."""
    return {
        "url": call.wire.gateway_url,
        "shards": call.standin.limits.shards,
        "session_start_limit": call.standin.limiter.session_starts(),
    }


@ROUTES.add("GET", "/users/@me")
def me(call: Call) -> Result:
    return call.wire.me()


@ROUTES.add("GET", "/oauth2/applications/@me")
def application(call: Call) -> Result:
    return call.wire.application()


@ROUTES.add("GET", "/guilds/{guild_id}")
def guild(call: Call) -> Result:
    return call.wire.guild(call.guild())


@ROUTES.add("GET", "/guilds/{guild_id}/members/{user_id}")
def member(call: Call) -> Result:
    guild, user_id = call.guild(), call.id("user_id")
    if not call.world.is_member(user_id, guild):
        raise ApiError("Unknown Member")
    return call.wire.member(call.world.users[user_id], guild)


# Commands


@ROUTES.add("GET", _COMMANDS, _GUILD_COMMANDS)
def commands(call: Call) -> Result:
    """Return the global commands or those of a server."""
    scope = _scope(call)
    return [call.wire.command(c) for c in call.world.commands.values() if c.guild_id == scope]


@ROUTES.add("PUT", _COMMANDS, _GUILD_COMMANDS)
def replace_commands(call: Call) -> Result:
    """Replace the global commands or those of a server."""
    scope, specs = _scope(call), call.body.json
    if not isinstance(specs, list):
        raise ApiError("The request body contains invalid JSON.")
    check_commands(specs)
    return [call.wire.command(c) for c in call.world.set_commands(scope, specs)]


def _scope(call: Call) -> int | None:
    call.check_application()
    return call.guild().id if "guild_id" in call.path else None


# Emoji


@ROUTES.add("GET", _EMOJIS)
def emojis(call: Call) -> Result:
    """Return all emoji of the application, oldest first."""
    call.check_application()
    return {"items": [call.wire.emoji(emoji) for emoji in call.world.emojis.values()]}


@ROUTES.add("POST", _EMOJIS, status=201)
def create_emoji(call: Call) -> Result:
    """Create an emoji from a name and a picture as a `data:` URL."""
    call.check_application()
    world, payload = call.world, call.body.payload
    if len(world.emojis) >= MAX_EMOJIS:
        raise ApiError(TOO_MANY_EMOJIS)
    problems = Problems()
    name = str(payload.get("name") or "")
    if not _EMOJI_NAME.match(name):
        text = "String value did not match validation regex."
        problems.add("name", "STRING_TYPE_REGEX", text)
    elif any(name == other.name for other in world.emojis.values()):
        text = "This name is already taken."
        problems.add("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", text)
    data, kind = _picture(payload.get("image"), problems)
    problems.raise_if_any()
    emoji = AppEmoji(id=world.snowflakes.next(), name=name, content_type=kind, data=data)
    world.emojis[emoji.id] = emoji
    world.publish(EmojiCreated(emoji))
    return call.wire.emoji(emoji)


def _picture(image: object, problems: Problems) -> tuple[bytes, str]:
    """Return the bytes and type of a picture in a `data:` URL; add errors to `problems`."""
    head = _DATA.match(str(image))
    try:
        data = base64.b64decode(str(image)[head.end() :], validate=True) if head else b""
    except binascii.Error:
        data = b""
    if head is None or not data:
        problems.add("image", "IMAGE_INVALID", "Invalid image data")
        return b"", ""
    if len(data) > MAX_EMOJI_BYTES:
        text = f"File cannot be larger than {MAX_EMOJI_BYTES / 1024:.1f} kb."
        problems.add("image", "BINARY_TYPE_MAX_SIZE", text)
    return data, head[1]


# Channels


@ROUTES.add("GET", _CHANNEL)
def channel(call: Call) -> Result:
    return call.wire.channel(call.channel())


@ROUTES.add("PATCH", _CHANNEL)
def edit_thread(call: Call) -> Result:
    """Archive, unarchive, lock or unlock a thread."""
    thread, payload = call.channel(), call.body.payload
    if thread.thread is None:
        raise ApiError("Cannot execute action on this channel type")
    state = thread.thread
    # An archived thread can only be changed by unarchiving it.
    if state.archived and payload.get("archived") is not False:
        raise ApiError("Thread is archived")
    if thread.owner_id != call.world.bot.id or "locked" in payload or state.locked:
        call.check_permission(thread, Permission.MANAGE_THREADS)
    if bool(payload.get("archived", state.archived)) != state.archived:
        state.archived = not state.archived
        state.archive_changed_at = now_iso()
    state.locked = bool(payload.get("locked", state.locked))
    call.world.publish(ChannelChanged(thread))
    return call.wire.channel(thread)


@ROUTES.add("POST", "/users/@me/channels")
def open_dm(call: Call) -> Result:
    """Return the DM with a person; sending to it may still fail."""
    user = call.world.users.get(int(call.body.payload.get("recipient_id") or 0))
    if user is None:
        raise ApiError("Unknown User")
    if user.is_bot:
        raise ApiError("Cannot send messages to this user")
    return call.wire.channel(call.world.dm_with(user.id))


# Threads


@ROUTES.add("POST", _CHANNEL + "/threads", status=201)
def start_thread(call: Call) -> Result:
    """Create a thread; for a public one, post a notice in the channel."""
    world, parent = call.world, call.channel()
    kind = ChannelKind(int(call.body.payload.get("type", ChannelKind.PRIVATE_THREAD)))
    thread = _create_thread(call, parent, kind, world.snowflakes.next())
    if kind is ChannelKind.PUBLIC_THREAD:
        reference = Reference(channel_id=thread.id)
        notice = _notice(call, parent, MessageKind.THREAD_NOTICE, reference)
        notice.content = thread.name
        world.add_message(notice)
    return call.wire.channel(thread)


@ROUTES.add("POST", _MESSAGE + "/threads", status=201)
def start_thread_at_message(call: Call) -> Result:
    """Create a thread at a message; it gets the message's id."""
    world, parent, message = call.world, call.channel(), call.message()
    if message.id in world.channels:
        raise ApiError("A thread has already been created for this message")
    thread = _create_thread(call, parent, ChannelKind.PUBLIC_THREAD, message.id)
    message.flags |= MessageFlag.HAS_THREAD
    world.publish(MessageEdited(message))
    reference = Reference(channel_id=parent.id, message_id=message.id)
    starter = _notice(call, thread, MessageKind.THREAD_STARTER, reference)
    starter.author_id = message.author_id
    world.add_message(starter)
    return call.wire.channel(thread)


def _notice(call: Call, channel: Channel, kind: MessageKind, reference: Reference) -> Message:
    notice = call.world.blank_message(channel)
    notice.kind, notice.reference = kind, reference
    return notice


def _create_thread(call: Call, parent: Channel, kind: ChannelKind, thread_id: int) -> Channel:
    if parent.kind is not ChannelKind.TEXT or not kind.is_thread:
        raise ApiError("Cannot execute action on this channel type")
    is_private = kind is ChannelKind.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if is_private else Permission.CREATE_PUBLIC_THREADS
    call.check_permission(parent, needed)
    name = str(call.body.payload.get("name") or "")
    if not 1 <= len(name) <= 100:
        text = "Must be between 1 and 100 in length."
        raise wrong_field("name", "BASE_TYPE_BAD_LENGTH", text)
    minutes = call.body.payload.get("auto_archive_duration") or 1440
    if minutes not in _ARCHIVE_AFTER_MINUTES:
        text = f"Value must be one of {_ARCHIVE_AFTER_MINUTES}."
        raise wrong_field("auto_archive_duration", "BASE_TYPE_CHOICES", text)
    bot_id = call.world.bot.id
    thread = Channel(
        id=thread_id,
        kind=kind,
        name=name,
        parent_id=parent.id,
        owner_id=bot_id,
        thread=ThreadState(auto_archive_minutes=minutes, members={bot_id: now_iso()}),
    )
    return call.world.add_channel(thread)


@ROUTES.add("PUT", _CHANNEL + "/thread-members/{user_id}")
def add_thread_member(call: Call) -> Result:
    thread, user_id = call.channel(), call.id("user_id")
    if thread.thread is None:
        raise ApiError("Cannot execute action on this channel type")
    if thread.thread.archived:
        raise ApiError("Thread is archived")
    thread.thread.members.setdefault(user_id, now_iso())
    call.world.publish(ChannelChanged(thread))
    return None


# Messages


@ROUTES.add("POST", _CHANNEL + "/messages")
def create_message(call: Call) -> Result:
    """Post a message; return the earlier one if an enforced nonce repeats."""
    return call.wire.message(call.standin.posting.send(call.channel(), call.body))


@ROUTES.add("GET", _CHANNEL + "/messages")
def history(call: Call) -> Result:
    """Return up to 100 messages, newest first, optionally before an id."""
    channel = call.channel()
    if not call.world.bot_permissions(channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    before, limit = call.number("before", 0), min(call.number("limit", 50), _MAX_PAGE)
    messages = call.world.messages[channel.id].values()
    visible = [m for m in messages if not m.is_ephemeral and (not before or m.id < before)]
    return [call.wire.message(m) for m in reversed(visible[-limit:])]


@ROUTES.add("GET", _MESSAGE)
def message(call: Call) -> Result:
    return call.wire.message(call.message())


@ROUTES.add("PATCH", _MESSAGE)
def edit_message(call: Call) -> Result:
    """Edit one of the bot's messages."""
    message = call.message()
    if message.author_id != call.world.bot.id:
        raise ApiError("Cannot edit a message authored by another user")
    if message.kind is MessageKind.THREAD_NOTICE:
        raise ApiError("Cannot execute action on a system message")
    return call.wire.message(call.standin.posting.edit(message, call.body))


@ROUTES.add("DELETE", _MESSAGE)
def delete_message(call: Call) -> Result:
    """Delete a message; other users' messages need a permission, and DMs forbid it."""
    message, channel = call.message(), call.channel()
    if message.author_id != call.world.bot.id:
        if channel.kind is ChannelKind.DM:
            raise ApiError("Missing Permissions")
        call.check_permission(channel, Permission.MANAGE_MESSAGES)
    call.world.delete_message(message)
    return None


# Answers to interactions, authorized by the token in the path


@ROUTES.add("POST", "/interactions/{interaction_id}/{token}/callback", is_open=True)
def respond(call: Call) -> Result:
    interactions = call.standin.interactions
    response = interactions.respond(call.id("interaction_id"), call.path["token"], call.body)
    return response if call.query.get("with_response", "").lower() in ("1", "true") else None


@ROUTES.add("POST", _WEBHOOK, is_open=True)
def follow_up(call: Call) -> Result:
    return call.wire.message(call.standin.interactions.follow_up(_token(call), call.body))


@ROUTES.add("PATCH", _ANSWER, is_open=True)
def edit_answer(call: Call) -> Result:
    token, message_id = _token(call), call.path["message_id"]
    return call.wire.message(call.standin.interactions.edit(token, message_id, call.body))


@ROUTES.add("DELETE", _ANSWER, is_open=True)
def delete_answer(call: Call) -> Result:
    call.standin.interactions.delete(_token(call), call.path["message_id"])
    return None


def _token(call: Call) -> str:
    if call.id("webhook_id") != call.world.bot.id:
        raise ApiError("Unknown Webhook")
    return call.path["token"]
