"""Requests to Discord on behalf of a lease that has been lost."""

from __future__ import annotations

import aiohttp
import discord
import pytest

from bot.cluster.late_requests import refuse_late
from bot.host.discord_address import point_discord_at
from bot.local import Standin
from bot.store.sharing import Fence
from bot.tables import NotOurs
from bot.tables.core.ownership import fenced

LEASE = Fence("shard:3", 7)


async def test_a_request_for_a_lost_lease_never_leaves() -> None:
    held = {LEASE}
    trace = refuse_late(aiohttp.TraceConfig(), held.__contains__)
    async with Standin() as standin:
        with point_discord_at(standin.url):
            client = discord.Client(intents=discord.Intents(guilds=True), http_trace=trace)
            await client.login(standin.token)
            with fenced(LEASE):
                await client.application_info()
                held.clear()
                with pytest.raises(NotOurs):
                    await client.application_info()
            # Whoever presses a button is answered all the same.
            await client.application_info()
            await client.close()


async def test_who_waited_for_a_turn_and_lost_the_lease_meanwhile_sends_nothing() -> None:
    held = {LEASE}

    async def lose_it(*_: object) -> None:
        held.clear()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(lose_it)
    async with Standin() as standin:
        with point_discord_at(standin.url):
            async with aiohttp.ClientSession(
                trace_configs=[refuse_late(trace, held.__contains__)]
            ) as session:
                with fenced(LEASE), pytest.raises(NotOurs):
                    await session.get(f"{standin.url}/api/v10/gateway")
