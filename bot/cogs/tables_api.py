"""Tables as JSON and pictures on the web, as everyone sees them.

Only tables of servers that allow it; any other number gives the same answer as one that does not
exist. Answers and their times depend only on public information: a picture is drawn again only if
that has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from aiohttp import web

from bot.cogs.ui import Services, TableView
from bot.cogs.ui.public_state import public_state
from bot.game.contract import SPECTATOR
from bot.render.cache import PICTURES, LRUCache
from bot.tables import Rejected, StoreUnavailable, UnknownTable

MAX_CONCURRENT = 2
"""Requests that are answered at the same time."""
MAX_WAITING = 20
"""Requests that wait for their turn; others must be repeated."""
RETRY_S = 5
MAX_AGE_S = 10
"""Seconds for which an answer may be cached."""


class TablesApi:
    """Answers `/tables/NUMBER.json` and `/tables/NUMBER.png`. It is read-only."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._in_progress = 0
        self._drawn: LRUCache[bytes] = LRUCache(PICTURES)

    def routes(self) -> Sequence[web.RouteDef]:
        return [web.get(r"/tables/{number:[1-9]\d{0,8}}.{form:json|png}", self.show)]

    async def show(self, request: web.Request) -> web.Response:
        """Answer a request: 404 for no such table, 503 if there are too many."""
        if self._in_progress >= MAX_CONCURRENT + MAX_WAITING:
            return _busy()
        self._in_progress += 1
        try:
            async with self._slots:
                return await self._answer(request)
        except StoreUnavailable:
            return _busy()
        except Rejected:
            return web.Response(status=404)
        finally:
            self._in_progress -= 1

    async def _answer(self, request: web.Request) -> web.Response:
        number, is_picture = int(request.match_info["number"]), request.match_info["form"] == "png"
        guild = await self._tables.reader.server_of(number)
        server = None if guild is None else await self._tables.servers.get(guild)
        if server is None or not server.web:
            raise UnknownTable("unknown_table", table=number)
        words = self._services.words_for(server.language)
        table_view = await self._services.table_view(number, SPECTATOR, words)
        content = msgspec.json.encode(await self._state(table_view))
        shown = content + server.palette.encode() if is_picture else content
        digest = blake2b(shown, digest_size=16).hexdigest()
        headers = {"ETag": f'"{digest}"', "Cache-Control": f"max-age={MAX_AGE_S}"}
        if any(each.value == digest for each in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        if not is_picture:
            return web.Response(body=content, content_type="application/json", headers=headers)
        picture = self._drawn.get(digest)
        if picture is None:
            image = await self._services.picture(table_view)
            if image is None or image.data is None:
                return _busy()
            picture = image.data
            self._drawn.put(digest, picture)
        return web.Response(body=picture, content_type="image/png", headers=headers)

    async def _state(self, table_view: TableView) -> dict[str, Any]:
        """Return the table's state, with what everyone knows of the game and the newest events."""
        _, events = await self._tables.reader.newest(table_view, table_view.table.posted_seq)
        return {
            **public_state(table_view, events),
            "board": table_view.board_text(events),
            "view": table_view.view.known,
        }


def _busy() -> web.Response:
    return web.Response(status=503, headers={"Retry-After": str(RETRY_S)})
