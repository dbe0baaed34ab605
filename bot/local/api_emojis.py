"""Routes for the application's own emoji, and the pictures themselves."""

from __future__ import annotations

import base64
import binascii
import io
import re

from aiohttp import web
from PIL import Image, UnidentifiedImageError

from bot.local import errors
from bot.local.api import ApiRoute, Call, Result
from bot.local.changes import EmojiChanged, EmojiDeleted
from bot.local.model import AppEmoji, Json
from bot.local.problems import Problems
from bot.local.wire import Wire
from bot.local.world import World

MAX_EMOJIS = 2000
MAX_BYTES = 256 * 1024
_NAME = re.compile(r"\w{2,32}\Z", re.ASCII)
_DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,")
_ALL = "/applications/{app_id}/emojis"
_ONE = _ALL + "/{emoji_id}"


class EmojiRoutes:
    """Create, read, rename and delete."""

    def __init__(self, world: World, wire: Wire) -> None:
        self._world = world
        self._wire = wire

    def routes(self) -> list[ApiRoute]:
        """The table."""
        return [
            ApiRoute("GET", _ALL, self.list_all),
            ApiRoute("POST", _ALL, self.create, created=True),
            ApiRoute("GET", _ONE, self.get),
            ApiRoute("PATCH", _ONE, self.rename),
            ApiRoute("DELETE", _ONE, self.delete),
        ]

    async def list_all(self, call: Call) -> Result:
        """All of them, oldest first."""
        self._hold_application(call)
        return {"items": [self._wire.emoji(emoji) for emoji in self._world.emojis.values()]}

    async def get(self, call: Call) -> Result:
        """One of them."""
        return self._wire.emoji(self._emoji(call))

    async def create(self, call: Call) -> Result:
        """Take a picture, written as a `data:` address, under a name of its own."""
        self._hold_application(call)
        payload = call.body.payload
        if len(self._world.emojis) >= MAX_EMOJIS:
            raise errors.too_many_emojis(MAX_EMOJIS)
        problems = Problems()
        name = self._name(payload, problems)
        data, kind = _picture(payload.get("image"), problems)
        problems.raise_if_any()
        emoji = AppEmoji(id=self._world.snowflakes.next(), name=name, content_type=kind, data=data)
        self._world.emojis[emoji.id] = emoji
        self._world.publish(EmojiChanged(emoji))
        return self._wire.emoji(emoji)

    async def rename(self, call: Call) -> Result:
        """Give another name to one."""
        emoji = self._emoji(call)
        problems = Problems()
        name = self._name(call.body.payload, problems, but=emoji)
        problems.raise_if_any()
        emoji.name = name
        self._world.publish(EmojiChanged(emoji))
        return self._wire.emoji(emoji)

    async def delete(self, call: Call) -> Result:
        """Take one away; messages that have it show its name instead."""
        emoji = self._emoji(call)
        del self._world.emojis[emoji.id]
        self._world.publish(EmojiDeleted(emoji))
        return None

    def _name(self, payload: Json, problems: Problems, *, but: AppEmoji | None = None) -> str:
        name = payload.get("name")
        problems.text("name", name, 32, 2)
        others = (emoji for emoji in self._world.emojis.values() if emoji is not but)
        if isinstance(name, str) and 2 <= len(name) <= 32 and not _NAME.match(name):
            said = "String value did not match validation regex."
            problems.add("name", "STRING_TYPE_REGEX", said)
        elif any(name == other.name for other in others):
            said = "This name is already taken."
            problems.add("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", said)
        return str(name)

    def _emoji(self, call: Call) -> AppEmoji:
        self._hold_application(call)
        emoji = self._world.emojis.get(call.id("emoji_id"))
        if emoji is None:
            raise errors.unknown_emoji()
        return emoji

    def _hold_application(self, call: Call) -> None:
        if call.id("app_id") != self._world.bot.id:
            raise errors.missing_access()


def _picture(image: object, problems: Problems) -> tuple[bytes, str]:
    """The bytes of a picture in a `data:` address, and its type; notes what is wrong with it."""
    if image is None:
        problems.required("image")
        return b"", ""
    head = _DATA.match(str(image))
    try:
        data = base64.b64decode(str(image)[head.end() :], validate=True) if head else b""
        with Image.open(io.BytesIO(data)) as picture:
            kind = Image.MIME[picture.format or ""]
    except (binascii.Error, UnidentifiedImageError, OSError, KeyError):
        problems.add("image", "IMAGE_INVALID", "Invalid image data")
        return b"", ""
    if len(data) > MAX_BYTES:
        said = f"File cannot be larger than {MAX_BYTES / 1024:.1f} kb."
        problems.add("image", "BINARY_TYPE_MAX_SIZE", said)
    return data, kind


class EmojiServer:
    """Serves the pictures, as Discord's content network does."""

    def __init__(self, world: World) -> None:
        self._world = world

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get(r"/emojis/{emoji_id:\d+}.{kind:\w+}", self._serve)

    async def _serve(self, request: web.Request) -> web.Response:
        emoji = self._world.emojis.get(int(request.match_info["emoji_id"]))
        if emoji is None:
            raise web.HTTPNotFound(text="This emoji is gone.")
        headers = {
            "Cache-Control": "private, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        }
        return web.Response(body=emoji.data, content_type=emoji.content_type, headers=headers)
