"""Gives Discord the signs of pieces as application emoji, once each, and the words their names.

Of several processes one gives them, and the others read what is there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from hashlib import blake2b

import aiohttp
import discord
from discord.ext import commands

from bot.cogs.ui.services import Services
from bot.render.kept import PARTS
from bot.render.signs import encode
from bot.render.sprites import Sprite
from bot.workers import describe

log = logging.getLogger(__name__)

HASH_BYTES = 4
FIRST_LOOK_S = 5.0
LAST_LOOK_S = 300.0
"""Seconds until it is looked again for signs that somebody else is to give; doubled each time."""


class SignsCog(commands.Cog, name="signs"):
    """Uploads what is missing when the bot is ready.

    An emoji is called after its sign and a hash of its picture. One that looks different by now is
    uploaded beside the old one, which earlier messages go on showing. Until a sign is there, and
    where Discord takes none, words have a plain one.
    """

    def __init__(
        self, client: discord.Client, services: Services, leads: Callable[[], bool] = lambda: True
    ) -> None:
        self._client = client
        self._services = services
        self._leads = leads
        self._uploading: asyncio.Task[None] | None = None

    async def cog_load(self) -> None:
        """Upload in the background: nobody waits for a sign."""
        self._uploading = asyncio.create_task(self._upload())

    async def cog_unload(self) -> None:
        """Stop uploading; the next start goes on."""
        if self._uploading is not None:
            self._uploading.cancel()
            await asyncio.gather(self._uploading, return_exceptions=True)

    async def done(self) -> None:
        """Waits until what can be uploaded is."""
        if self._uploading is not None:
            await self._uploading

    async def _upload(self) -> None:
        await self._client.wait_until_ready()
        wait = FIRST_LOOK_S
        while not await self._is_done():
            await asyncio.sleep(wait)
            wait = min(2 * wait, LAST_LOOK_S)

    async def _is_done(self) -> bool:
        """Looks once; whether there is nothing more to look for."""
        try:
            return not await self._look()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("plain signs in place of emoji: %s", type(error).__name__)
            # Another process may have given the same sign at the same moment.
            return not self._services.tables.is_shared
        # Nobody awaits this task, which would swallow what else goes wrong.
        except Exception as error:  # noqa: BLE001
            log.error("plain signs in place of emoji: %s", describe(error))
            return True

    async def _look(self) -> int:
        """Reads what is there, and uploads the rest if that is ours to do; how many are missing."""
        found = await self._client.fetch_application_emojis()
        known = {emoji.name: str(emoji) for emoji in found}
        new = missing = 0
        for sign, draw in self._services.titles.signs.items():
            picture = await self._services.pictures.draw(partial(_drawn, draw))
            name = f"{sign}_{blake2b(picture, digest_size=HASH_BYTES).hexdigest()}"
            if name not in known and self._leads():
                emoji = await self._client.create_application_emoji(name=name, image=picture)
                known[name] = str(emoji)
                new += 1
            if name in known:
                self._services.signs[sign] = known[name]
            else:
                missing += 1
        # Pictures show these sprites in other sizes: kept, they would be 11 MB that nobody draws.
        await self._services.pictures.draw(PARTS.clear)
        log.info("emoji known=%s new=%s", len(self._services.signs), new)
        return missing


def _drawn(draw: Callable[[], Sprite]) -> bytes:
    return encode(draw())
