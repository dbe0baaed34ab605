"""discord.py is sent to another server than Discord's."""

from __future__ import annotations

import discord

from bot.host.discord_address import point_discord_at


def test_discord_is_pointed_there_and_back() -> None:
    before = (discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY)
    with point_discord_at("http://127.0.0.1:8120"):
        assert discord.http.Route.BASE == "http://127.0.0.1:8120/api/v10"
        gateway = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
        assert str(gateway) == "ws://127.0.0.1:8120/gateway"
    assert before == (
        discord.http.Route.BASE,
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY,
    )
