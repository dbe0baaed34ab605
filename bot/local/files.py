"""Serves attachments and emoji, as Discord's content network does."""

from __future__ import annotations

import mimetypes

from aiohttp import web

from bot.local.store import WorldStore
from bot.local.world import World

_SHOWN_IN_PLACE = ("image/png", "image/jpeg", "image/gif", "image/webp")


class FileServer:
    """Looks for a file's bytes in memory first, then in the store."""

    def __init__(self, world: World, store: WorldStore | None) -> None:
        self._world = world
        self._store = store

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get(r"/attachments/{channel_id}/{file_id:\d+}/{name}", self._attachment)
        app.router.add_get(r"/emojis/{emoji_id:\d+}.{kind:\w+}", self._emoji)

    async def _attachment(self, request: web.Request) -> web.Response:
        file_id = int(request.match_info["file_id"])
        data = self._world.files.get(file_id)
        if data is None and self._store is not None:
            data = await self._store.read_file(file_id)
        kind = mimetypes.guess_type(request.match_info["name"])[0] or "application/octet-stream"
        return _served(data, kind)

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self._world.emojis.get(int(request.match_info["emoji_id"]))
        return _served(None, "") if emoji is None else _served(emoji.data, emoji.content_type)


def _served(data: bytes | None, kind: str) -> web.Response:
    if data is None:
        raise web.HTTPNotFound(text="This file is gone.")
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
    }
    # Only pictures open in the browser; anything else could be a page that poses as ours.
    if kind not in _SHOWN_IN_PLACE:
        headers["Content-Disposition"] = "attachment"
    return web.Response(body=data, content_type=kind, headers=headers)
