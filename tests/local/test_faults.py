"""Fault injection, with the real discord.py."""

from __future__ import annotations

import aiohttp
import pytest

from bot.local import Channel, LimitKind, Person, Standin
from tests.local.bots import SampleBot

POST = "/channels/*/messages"


async def test_a_request_with_a_dropped_response_has_been_processed(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    standin.faults.drop_response("POST", POST)
    with pytest.raises((aiohttp.ClientError, ConnectionError)):
        await bot.place(harbour.id).send("done", nonce="n1")
    assert [m.content for m in anna.sees(harbour)] == ["done"]
    await bot.place(harbour.id).send("done", nonce="n1")
    assert [m.content for m in anna.sees(harbour)] == ["done"]


async def test_requests_beyond_the_limit_of_a_route_get_a_429(
    standin: Standin, harbour: Channel
) -> None:
    standin.limits.per_route = (1, 60.0)
    headers = {"Authorization": f"Bot {standin.token}"}
    url = f"{standin.url}/api/v10/channels/{harbour.id}"
    async with aiohttp.ClientSession(headers=headers) as http:
        async with http.get(url) as first:
            assert first.status == 200
            assert first.headers["X-RateLimit-Remaining"] == "0"
        async with http.get(url) as second:
            assert second.status == 429
            assert second.headers["Content-Type"] == "application/json"
            assert 0 < (await second.json())["retry_after"] <= 61
    assert [each.kind for each in standin.limiter.violations] == [LimitKind.ROUTE]
