"""Points discord.py at a server other than Discord's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord.gateway
import discord.http
import yarl


@contextmanager
def point_discord_at(base_url: str) -> Iterator[None]:
    """Make every discord.py client of this process talk to `base_url`; restored on exit.

    `base_url` is the root of a stand-in, such as `http://127.0.0.1:8120`. Enter before the
    client logs in and leave after it has closed.
    """
    root = yarl.URL(base_url)
    api, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    socket_scheme = "wss" if root.scheme == "https" else "ws"
    discord.http.Route.BASE = str(root / "api" / "v10")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = root.with_scheme(socket_scheme) / "gateway"
    try:
        yield
    finally:
        discord.http.Route.BASE = api
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
