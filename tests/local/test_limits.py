"""What Discord limits: session starts, identifies, and requests of all processes together."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace

import aiohttp
import pytest

from bot.local import (
    Channel,
    DiscordLimits,
    InteractionKind,
    LimitKind,
    Person,
    Standin,
    faults,
    limits,
)
from bot.local.limits import Limiter
from tests.local.bots import SampleBot, running
from tests.local.raw import connect


def broken(standin: Standin) -> list[LimitKind]:
    """The kinds of what went beyond a limit."""
    return [violation.kind for violation in standin.limiter.violations]


async def ask(http: aiohttp.ClientSession, standin: Standin, path: str) -> aiohttp.ClientResponse:
    """A request with the bot's token."""
    headers = {"Authorization": f"Bot {standin.token}"}
    async with http.get(f"{standin.url}/api/v10{path}", headers=headers) as response:
        await response.read()
        return response


def hurried(monkeypatch: pytest.MonkeyPatch, standin: Standin) -> None:
    """The clock of the limits stands still until one is broken: a busy machine may take so long
    for a few requests that they are never too many."""
    began, real = time.monotonic(), time.monotonic

    def now() -> float:
        return real() if broken(standin) else began

    for module in (limits, faults):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=now))


# Session starts


async def test_the_bot_is_told_how_many_shards_and_session_starts_there_are(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    standin.limits.shards, standin.limits.max_concurrency = 5, 16
    client = await connect(http, standin)
    await client.identify(standin.token)
    answer = await (await ask(http, standin, "/gateway/bot")).json()
    assert answer["shards"] == 5
    start = answer["session_start_limit"]
    assert (start["total"], start["remaining"], start["max_concurrency"]) == (1000, 999, 16)
    assert 0 < start["reset_after"] <= 24 * 60 * 60 * 1000
    await client.socket.close()


async def test_no_session_starts_where_none_is_left(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    standin.limits.session_starts = 1
    client = await connect(http, standin)
    await client.identify(standin.token)
    another = await connect(http, standin)
    await another.ask_in(standin.token)
    assert await another.close_code() == 4004
    assert broken(standin) == [LimitKind.SESSION_STARTS]
    await client.socket.close()


async def test_a_second_identify_in_a_bucket_is_refused_for_a_while(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    standin.limits.max_concurrency, standin.limits.identify_every_s = 2, 60.0
    clients = [await connect(http, standin) for _ in range(3)]
    await clients[0].identify(standin.token, shard=[0, 4])
    await clients[1].identify(standin.token, shard=[1, 4])
    await clients[2].ask_in(standin.token, shard=[2, 4])
    payload = await clients[2].receive()
    assert (payload["op"], payload["d"]) == (9, False)
    assert broken(standin) == [LimitKind.IDENTIFY]
    assert "shard 2" in standin.limiter.violations[0].said
    assert standin.limiter.starts == {0: 1, 1: 1}
    standin.limits.identify_every_s = 0.0
    await clients[2].identify(standin.token, shard=[2, 4])
    for client in clients:
        await client.socket.close()


def test_a_bucket_is_free_again_after_its_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    limiter = Limiter(DiscordLimits(identify_every_s=5.0))
    assert limiter.may_identify(0)
    now[0] += 4.9
    assert not limiter.may_identify(1)
    now[0] += 0.1
    assert limiter.may_identify(1)


def test_session_starts_are_counted_by_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    limiter = Limiter(DiscordLimits(session_starts=2))
    assert limiter.may_identify(0)
    assert limiter.may_identify(1)
    assert not limiter.may_start()
    now[0] += 24 * 60 * 60
    assert limiter.may_start()
    assert limiter.session_starts()["remaining"] == 2


# Requests


async def test_too_many_requests_in_all_are_refused_as_discord_does(
    http: aiohttp.ClientSession, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried(monkeypatch, standin)
    standin.limits.global_per_second = 2
    answers = [await ask(http, standin, "/users/@me") for _ in range(2)]
    answers.append(await ask(http, standin, "/gateway/bot"))
    assert [answer.status for answer in answers] == [200, 200, 429]
    refused = answers[-1]
    assert refused.headers["X-RateLimit-Global"] == "true"
    assert refused.headers["X-RateLimit-Scope"] == "global"
    assert refused.headers["Retry-After"] == "1"
    body = await refused.json()
    assert body["global"] is True
    assert 0 < body["retry_after"] <= 1.001
    assert broken(standin) == [LimitKind.GLOBAL]
    assert standin.limiter.violations[0].said == "GET /gateway/bot"


def test_requests_are_counted_by_token_and_by_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    limiter = Limiter(DiscordLimits(global_per_second=1))
    assert limiter.too_many("ours", "GET /x") is None
    assert limiter.too_many("theirs", "GET /x") is None
    now[0] += 0.75
    assert limiter.too_many("ours", "GET /x") == 0.25
    now[0] += 0.25
    assert limiter.too_many("ours", "GET /x") is None


async def test_answers_to_interactions_are_not_counted(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    standin.limits.global_per_second = 0
    for _ in range(3):
        await anna.slash(harbour, "paint", colour="red")
    answer = await anna.slash(harbour, "think")
    await anna.wait_for(lambda: answer.text == "first")
    assert broken(standin) == []


async def test_a_client_waits_out_the_global_limit_and_loses_nothing(
    bot: SampleBot,
    anna: Person,
    harbour: Channel,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hurried(monkeypatch, standin)
    standin.limits.global_per_second = 3
    await asyncio.gather(*(bot.place(harbour.id).send(f"{i}") for i in range(5)))
    assert sorted(m.text for m in anna.sees(harbour)) == ["0", "1", "2", "3", "4"]
    assert set(broken(standin)) == {LimitKind.GLOBAL}


async def test_a_client_keeps_to_the_limit_of_a_channel_by_the_headers(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    standin.faults.rate_limit(2, 0.3, method="POST", path_glob="/channels/*/messages")
    for i in range(5):
        await bot.place(harbour.id).send(f"{i}")
    assert [m.text for m in anna.sees(harbour)] == ["0", "1", "2", "3", "4"]
    assert broken(standin) == []


async def test_two_processes_exceed_the_limit_of_a_channel_unknowingly_and_lose_nothing(
    standin: Standin, anna: Person, harbour: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried(monkeypatch, standin)
    standin.faults.rate_limit(2, 0.3, method="POST", path_glob="/channels/*/messages")
    async with running(SampleBot(), standin) as one, running(SampleBot(), standin) as other:
        await asyncio.gather(
            *(bot.place(harbour.id).send(f"{i}") for bot in (one, other) for i in range(2))
        )
    assert sorted(m.text for m in anna.sees(harbour)) == ["0", "0", "1", "1"]
    assert set(broken(standin)) == {LimitKind.ROUTE}


# Interactions


async def test_an_interaction_knows_how_often_it_was_answered(
    bot: SampleBot, bert: Person, harbour: Channel, standin: Standin
) -> None:
    answer = await bert.slash(harbour, "paint", colour="red")
    assert (answer.interaction.deliveries, answer.interaction.tries) == (1, 1)
    assert answer.interaction.acknowledged is not None
    bert.deliver_again(answer)
    await standin.model.until(lambda: answer.interaction.tries == 2)
    assert answer.interaction.deliveries == 2
    assert standin.interactions.opened == [answer.interaction]


async def test_an_interaction_that_nobody_hears_stays_unanswered(
    standin: Standin, bert: Person, harbour: Channel
) -> None:
    fired = bert.fire(InteractionKind.COMMAND, harbour, {"name": "x", "type": 1})
    assert (fired.deliveries, fired.tries, fired.acknowledged) == (0, 0, None)
