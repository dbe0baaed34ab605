"""Routes for the application: itself, its commands and emoji, and its servers."""

from __future__ import annotations

import base64
import binascii
import io
import re

from PIL import Image, UnidentifiedImageError

from bot.local.api import Call, Result, RouteTable
from bot.local.changes import EmojiCreated
from bot.local.checks import check_commands
from bot.local.errors import MAX_EMOJIS, TOO_MANY_EMOJIS, ApiError, Problems
from bot.local.model import AppEmoji, Json

MAX_EMOJI_BYTES = 256 * 1024
_EMOJI_NAME = re.compile(r"\w{2,32}\Z", re.ASCII)
_DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,")
_COMMANDS = "/applications/{app_id}/commands"
_GUILD_COMMANDS = "/applications/{app_id}/guilds/{guild_id}/commands"
_EMOJIS = "/applications/{app_id}/emojis"

ROUTES = RouteTable()


@ROUTES.add("GET", "/gateway/bot")
def gateway(call: Call) -> Result:
    """Where the gateway is, how many shards are recommended, and what session starts are left."""
    return {
        "url": call.wire.gateway_url,
        "shards": call.standin.limits.shards,
        "session_start_limit": call.standin.limiter.session_starts(),
    }


@ROUTES.add("GET", "/users/@me")
def me(call: Call) -> Result:
    """The bot's user."""
    return call.wire.me()


@ROUTES.add("GET", "/oauth2/applications/@me")
def application(call: Call) -> Result:
    """The application."""
    return call.wire.application()


@ROUTES.add("GET", "/guilds/{guild_id}")
def guild(call: Call) -> Result:
    """A server."""
    return call.wire.guild(call.guild())


@ROUTES.add("GET", "/guilds/{guild_id}/members/{user_id}")
def member(call: Call) -> Result:
    """One member of a server."""
    guild, user_id = call.guild(), call.id("user_id")
    if not call.world.is_member(user_id, guild):
        raise ApiError("Unknown Member")
    return call.wire.member(call.world.users[user_id], guild)


# Commands


@ROUTES.add("GET", _COMMANDS, _GUILD_COMMANDS)
def commands(call: Call) -> Result:
    """The commands of one scope."""
    scope = _scope(call)
    return [call.wire.command(c) for c in call.world.commands.values() if c.guild_id == scope]


@ROUTES.add("PUT", _COMMANDS, _GUILD_COMMANDS)
def replace_commands(call: Call) -> Result:
    """Register exactly these commands."""
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
    """All emoji, oldest first."""
    call.check_application()
    return {"items": [call.wire.emoji(emoji) for emoji in call.world.emojis.values()]}


@ROUTES.add("POST", _EMOJIS, status=201)
def create_emoji(call: Call) -> Result:
    """Take a picture, written as a `data:` address, under a name of its own."""
    call.check_application()
    world, payload = call.world, call.body.payload
    if len(world.emojis) >= MAX_EMOJIS:
        raise ApiError(TOO_MANY_EMOJIS)
    problems = Problems()
    name = str(payload.get("name") or "")
    if not _EMOJI_NAME.match(name):
        said = "String value did not match validation regex."
        problems.add("name", "STRING_TYPE_REGEX", said)
    elif any(name == other.name for other in world.emojis.values()):
        said = "This name is already taken."
        problems.add("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", said)
    data, kind = _picture(payload, problems)
    problems.raise_if_any()
    emoji = AppEmoji(id=world.snowflakes.next(), name=name, content_type=kind, data=data)
    world.emojis[emoji.id] = emoji
    world.publish(EmojiCreated(emoji))
    return call.wire.emoji(emoji)


def _picture(payload: Json, problems: Problems) -> tuple[bytes, str]:
    """The bytes of a picture in a `data:` address, and its type; notes what is wrong with it."""
    image = str(payload.get("image"))
    head = _DATA.match(image)
    try:
        data = base64.b64decode(image[head.end() :], validate=True) if head else b""
        with Image.open(io.BytesIO(data)) as picture:
            kind = Image.MIME[picture.format or ""]
    except (binascii.Error, UnidentifiedImageError, OSError, KeyError):
        problems.add("image", "IMAGE_INVALID", "Invalid image data")
        return b"", ""
    if len(data) > MAX_EMOJI_BYTES:
        said = f"File cannot be larger than {MAX_EMOJI_BYTES / 1024:.1f} kb."
        problems.add("image", "BINARY_TYPE_MAX_SIZE", said)
    return data, kind
