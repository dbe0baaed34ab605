"""Tables as JSON and pictures on the web, as everyone sees them.

Only tables of servers that allow it, in channels that everyone there can view; any other number
gives the same answer as one that does not exist. Answers and their times depend only on public
information: a picture is drawn again only if that has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from hashlib import blake2b

import discord
import msgspec
from aiohttp import web

from bot.cogs.posting.webhooks import public_state
from bot.cogs.ui import Services
from bot.cogs.ui.access import may_view
from bot.game.contract import SPECTATOR
from bot.render.cache import PICTURES, LRUCache
from bot.tables import Rejected, StoreUnavailable, UnknownTable

MAX_CONCURRENT = 2
"""Requests that are answered at the same time."""
TIMEOUT_S = 5
"""Seconds for a request, and until a refused one should be repeated."""


class TablesApi:
    """Answers `/tables/NUMBER.json` and `/tables/NUMBER.png`. It is read-only.

    `guild` returns a server with its channels, or None if this process doesn't know it.
    """

    def __init__(self, services: Services, guild: Callable[[int], discord.Guild | None]) -> None:
        self._services = services
        self._guild = guild
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._drawn: LRUCache[bytes] = LRUCache(PICTURES)

    def routes(self) -> Sequence[web.RouteDef]:
        return [web.get(r"/tables/{number:[1-9]\d{0,8}}.{form:json|png}", self.show)]

    async def show(self, request: web.Request) -> web.Response:
        """Answer a request: 404 for no such table, 503 if there are too many."""
        number, is_picture = int(request.match_info["number"]), request.match_info["form"] == "png"
        try:
            async with asyncio.timeout(TIMEOUT_S), self._slots:
                body = await self._read(number, is_picture=is_picture)
        except (StoreUnavailable, TimeoutError):
            return web.Response(status=503, headers={"Retry-After": str(TIMEOUT_S)})
        except Rejected:
            return web.Response(status=404)
        content_type = "image/png" if is_picture else "application/json"
        return web.Response(
            body=body, content_type=content_type, headers={"Cache-Control": "max-age=10"}
        )

    async def _read(self, number: int, *, is_picture: bool) -> bytes:
        """Return a table as a picture or as JSON. Raise Rejected."""
        tables, unknown = self._services.tables, UnknownTable("unknown_table", table=number)
        table = await tables.reader.get(number)
        guild, settings = self._guild(table.guild or 0), await tables.servers.get(table.guild or 0)
        if guild is None or not (settings.web and may_view(guild.default_role, table.channel)):
            raise unknown
        words = self._services.words_for(settings.language or guild.preferred_locale.value)
        table_view = await self._services.table_view(number, SPECTATOR, words)
        _, events = await tables.reader.newest(table_view, table.posted_seq)
        content = msgspec.json.encode(
            {
                **public_state(table_view, events),
                "board": table_view.board_text(events),
                "view": table_view.view.known,
            }
        )
        if not is_picture:
            return content
        digest = blake2b(content + settings.palette.encode()).digest()
        picture = self._drawn.get(digest)
        if picture is None:
            image = await self._services.picture(table_view)
            if image is None or image.data is None:
                raise unknown
            picture = image.data
            self._drawn.put(digest, picture)
        return picture
