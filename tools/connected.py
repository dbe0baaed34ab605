"""The bot connected to a stand-in in the same process and event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.app import make_bot
from bot.client import GameBot
from bot.cogs.ui.services import Services
from bot.host.gateway import point_discord_at
from bot.local.model import ComponentKind, Message, with_ids
from bot.local.standin import Standin

READY_S = 0.1
"""Seconds to wait for the next server; the stand-in has only one."""


@asynccontextmanager
async def connected(
    standin: Standin, services: Services, *, live_pause: float = 0.0, uploads_signs: bool = False
) -> AsyncIterator[GameBot]:
    """Run the bot, online and ready, within the block. Other parameters are those of `make_bot`."""
    with point_discord_at(standin.url):
        bot = make_bot(
            services,
            guild_ready_s=READY_S,
            live_pause=live_pause,
            uploads_signs=uploads_signs,
        )
        working = asyncio.create_task(bot.start(standin.token))
        try:
            await standin.gateway.online.wait()
            await bot.wait_until_ready()
            yield bot
        finally:
            await bot.close()
            await asyncio.gather(working, return_exceptions=True)


def offer_only(panel: Message, custom_id: str) -> None:
    """Replace the components of a panel by one button for a whole action."""
    button = {"type": ComponentKind.BUTTON, "style": 1, "label": "Do it", "custom_id": custom_id}
    panel.components = with_ids([{"type": ComponentKind.ACTION_ROW, "components": [button]}])
