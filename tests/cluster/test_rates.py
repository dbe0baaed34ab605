"""A member's share of Discord's requests."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import yarl

from bot.cluster.requests import REQUESTS_PER_SECOND, Rates, is_counted, limited
from bot.host.gateway import point_discord_at
from bot.local import Standin

TIMEOUT_S = 20.0


class Time:
    """A clock that advances only during sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        ends = self.now + seconds
        await asyncio.sleep(0)
        # Several tasks may sleep in parallel.
        self.now = max(self.now, ends)


async def requests_in(seconds: float, members: int) -> list[float]:
    time, requests = Time(), list[float]()
    share = Rates(lambda: members, time, time.sleep)
    while True:
        await share.take()
        if time.now >= seconds:
            return requests
        requests.append(time.now)


async def test_all_members_together_stay_below_the_limit_in_any_second() -> None:
    for members in (1, 2, 7, 20):
        requests = await requests_in(10.0, members)
        highest = max(sum(at <= each < at + 1.0 for each in requests) for at in requests)
        assert REQUESTS_PER_SECOND * 0.7 < highest * members < REQUESTS_PER_SECOND, members
    # With 200 members, each makes less than one request a second.
    requests = await requests_in(100.0, 200)
    assert REQUESTS_PER_SECOND * 0.8 < len(requests) * 200 / 100.0 < REQUESTS_PER_SECOND


async def test_a_share_shrinks_when_a_member_joins() -> None:
    time, members = Time(), 1
    share = Rates(lambda: members, time, time.sleep)
    for _ in range(40):
        await share.take()
    assert time.now == 0.0
    members = 2
    await share.take()
    assert time.now == 1.0


def test_answers_to_interactions_and_requests_outside_the_api_do_not_count() -> None:
    base = discord.http.Route.BASE
    for path, counted in (
        (f"{base}/channels/5/messages", True),
        (f"{base}/users/@me/channels", True),
        (f"{base}/applications/1/commands", True),
        (f"{base}/interactions/5/token/callback", False),
        (f"{base}/webhooks/1/token/messages/@original", False),
        ("wss://gateway.discord.gg/?v=10", False),
        ("https://cdn.discordapp.com/emojis/1.png", False),
    ):
        assert is_counted(yarl.URL(path)) is counted, path


async def test_requests_wait_for_their_turn_and_earlier_traces_still_run() -> None:
    waiting, answered = asyncio.Event(), list[str]()

    async def sleep(_seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    async def on_end(_: object, __: object, end: aiohttp.TraceRequestEndParams) -> None:
        answered.append(end.url.path)

    before = aiohttp.TraceConfig()
    before.on_request_end.append(on_end)
    # The clock does not advance: the first request may take longer than the second must wait.
    trace = limited(before, Rates(lambda: REQUESTS_PER_SECOND, Time(), sleep), lambda _: True)
    async with Standin() as standin, aiohttp.ClientSession(trace_configs=[trace]) as session:
        with point_discord_at(standin.url):
            base = discord.http.Route.BASE
            async with session.get(f"{base}/channels/1"):
                pass
            second = asyncio.create_task(session.get(f"{base}/channels/1").__aenter__())
            async with asyncio.timeout(TIMEOUT_S):
                await waiting.wait()
                async with session.post(f"{base}/interactions/1/token/callback"):
                    pass
            assert not second.done()
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)
    assert [path.rpartition("/")[2] for path in answered] == ["1", "callback"]
