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

from bot.cogs.ui import Services
from bot.render.cache import PARTS
from bot.render.signs import encode
from bot.render.sprites import Sprite
from bot.workers import describe

log = logging.getLogger(__name__)

HASH_BYTES = 4
FIRST_LOOK_S = 5.0
LAST_LOOK_S = 300.0
"""Seconds until it is looked again for signs that somebody else is to give; doubled each time."""


async def give_signs(
    client: discord.Client, services: Services, leads: Callable[[], bool] = lambda: True
) -> None:
    """Upload the signs that are missing once the bot is ready, or wait until another process has.

    An emoji is called after its sign and a hash of its picture. One that looks different by now is
    uploaded beside the old one, which earlier messages go on showing. Until a sign is there, and
    where Discord takes none, words have a plain one.
    """
    await client.wait_until_ready()
    missing, wait = True, FIRST_LOOK_S
    while True:
        try:
            missing = await _are_missing(client, services, leads)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("emoji upload failed, using plain signs error=%s", type(error).__name__)
            # Another process may have given the same sign at the same moment.
            missing = services.tables.is_shared
        # Nobody awaits this task, which would swallow what else goes wrong.
        except Exception as error:  # noqa: BLE001
            log.error("emoji upload failed, using plain signs error=%s", describe(error))
            return
        if not missing:
            return
        await asyncio.sleep(wait)
        wait = min(2 * wait, LAST_LOOK_S)


async def _are_missing(
    client: discord.Client, services: Services, leads: Callable[[], bool]
) -> bool:
    """Reads what is there, and uploads the rest if that is ours to do; whether any is missing."""
    known = {emoji.name: str(emoji) for emoji in await client.fetch_application_emojis()}
    found, signs = len(known), services.titles.signs
    for sign, draw in signs.items():
        picture = await services.pictures.draw(partial(_drawn, draw))
        name = f"{sign}_{blake2b(picture, digest_size=HASH_BYTES).hexdigest()}"
        if name not in known and leads():
            emoji = await client.create_application_emoji(name=name, image=picture)
            known[name] = str(emoji)
        if name in known:
            services.signs[sign] = known[name]
    # Pictures show these sprites in other sizes: kept, they would be 11 MB that nobody draws.
    await services.pictures.draw(PARTS.clear)
    log.info("emoji ready known=%s new=%s", len(services.signs), len(known) - found)
    return not signs.keys() <= services.signs.keys()


def _drawn(draw: Callable[[], Sprite]) -> bytes:
    return encode(draw())
