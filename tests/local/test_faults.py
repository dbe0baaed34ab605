"""The switches: each puts the real discord.py through what Discord does on bad days."""

from __future__ import annotations

import aiohttp
import discord
import pytest

from bot.local import Channel, LimitKind, Person, Standin
from tests.local.bots import SampleBot, refused

POST = "/channels/*/messages"


async def test_a_429_is_waited_out_a_502_tried_again_and_a_503_reaches_the_bot(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    place = bot.place(harbour.id)
    rule = standin.faults.too_many_requests("POST", POST, retry_after=0.01, times=2)
    await place.send("patience")
    assert rule.struck == 2
    rule = standin.faults.fail("POST", POST, status=502)
    await place.send("second try")
    assert rule.struck == 1
    standin.faults.fail("POST", POST, status=503)
    with pytest.raises(discord.DiscordServerError):
        await place.send("x")
    body = {"code": 50013, "message": "Missing Permissions"}
    rule = standin.faults.fail("*", POST, status=403, times=None, json=body)
    await refused(50013, place.send("x"))
    standin.faults.lift(rule)
    await place.send("third")
    assert [m.content for m in anna.sees(harbour)] == ["patience", "second try", "third"]


async def test_a_dropped_answer_leaves_its_effect(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    standin.faults.drop_response("POST", POST)
    with pytest.raises((aiohttp.ClientError, ConnectionError)):
        await bot.place(harbour.id).send("done", nonce="n1")
    assert [m.content for m in anna.sees(harbour)] == ["done"]
    await bot.place(harbour.id).send("done", nonce="n1")
    assert [m.content for m in anna.sees(harbour)] == ["done"]


async def test_over_the_limit_there_is_a_real_429(standin: Standin, harbour: Channel) -> None:
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
