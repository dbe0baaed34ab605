"""Serves attachments, as Discord's content network does."""

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
        """Add the route."""
        app.router.add_get("/attachments/{channel_id}/{file_id}/{name}", self._serve)

    async def _serve(self, request: web.Request) -> web.Response:
        digits = request.match_info["file_id"]
        data = self._world.files.get(int(digits)) if digits.isdigit() else None
        if data is None and self._store is not None and digits.isdigit():
            data = await self._store.read_file(int(digits))
        if data is None:
            raise web.HTTPNotFound(text="This file is gone.")
        name = request.match_info["name"]
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        headers = {
            "Cache-Control": "private, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        }
        # Only pictures open in the browser; anything else could be a page that poses as ours.
        if kind not in _SHOWN_IN_PLACE:
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=data, content_type=kind, headers=headers)
