"""Upload of the signs of pieces as application emoji, for use in texts.

Of several processes one uploads them, and the others wait for them.
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
MIN_POLL_S = 5.0
MAX_POLL_S = 300.0
"""Longest interval in seconds between checks for signs that another process uploads.

It starts at `MIN_POLL_S` and doubles each time.
"""


async def give_signs(
    client: discord.Client, services: Services, leads: Callable[[], bool] = lambda: True
) -> None:
    """Upload the missing signs once the bot is ready, or wait until another process has done so.

    An emoji's name is its sign and a hash of its picture. A changed picture becomes a new emoji;
    the old one stays for earlier messages. Texts have plain signs until the emoji exist, or if
    Discord refuses them.
    """
    await client.wait_until_ready()
    missing, wait = True, MIN_POLL_S
    while True:
        try:
            missing = await _are_missing(client, services, leads)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("emoji upload failed, using plain signs error=%s", type(error).__name__)
            # Another process may have uploaded the same sign at the same time.
            missing = services.tables.is_shared
        # No one awaits this task, so any other error would be lost.
        except Exception as error:  # noqa: BLE001
            log.error("emoji upload failed, using plain signs error=%s", describe(error))
            return
        if not missing:
            return
        await asyncio.sleep(wait)
        wait = min(2 * wait, MAX_POLL_S)


async def _are_missing(
    client: discord.Client, services: Services, leads: Callable[[], bool]
) -> bool:
    """Read the uploaded emoji and upload the rest if this process `leads`.

    Return whether any are still missing.
    """
    uploaded = {emoji.name: str(emoji) for emoji in await client.fetch_application_emojis()}
    found, signs = len(uploaded), services.titles.signs
    for sign, draw in signs.items():
        picture = await services.pictures.draw(partial(_drawn, draw))
        name = f"{sign}_{blake2b(picture, digest_size=HASH_BYTES).hexdigest()}"
        if name not in uploaded and leads():
            emoji = await client.create_application_emoji(name=name, image=picture)
            uploaded[name] = str(emoji)
        if name in uploaded:
            services.signs[sign] = uploaded[name]
    # Pictures draw these sprites in other sizes, so caching them would waste 11 MB.
    await services.pictures.draw(PARTS.clear)
    log.info("emoji ready known=%s new=%s", len(services.signs), len(uploaded) - found)
    return not signs.keys() <= services.signs.keys()


def _drawn(draw: Callable[[], Sprite]) -> bytes:
    return encode(draw())
