"""Several servers divided among shards, for sessions of one process and of many."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from bot.local import DiscordLimits, Person, Standin, guilds_on_each
from bot.local.interactions import Interaction
from tests.local.bots import SampleBot, ShardedSampleBot, running
from tests.local.raw import RawClient, connect

INTENTS = 1 << 0 | 1 << 9 | 1 << 12 | 1 << 15
"""Servers, messages there and in direct conversations, and what they say."""


async def on_shard(
    http: aiohttp.ClientSession, standin: Standin, index: int, count: int
) -> RawClient:
    """A session of a shard that has been told of its servers."""
    client = await connect(http, standin)
    ready = await client.identify(standin.token, INTENTS, shard=[index, count])
    assert ready["d"]["shard"] == [index, count]
    for _ in ready["d"]["guilds"]:
        await client.until("GUILD_CREATE")
    return client


@pytest.mark.parametrize("index", [0, 1, 2])
async def test_a_session_is_told_of_the_servers_of_its_shard(
    http: aiohttp.ClientSession, index: int
) -> None:
    async with Standin(guilds=guilds_on_each(3)) as standin:
        client = await connect(http, standin)
        ready = await client.identify(standin.token, shard=[index, 3])
        guild = standin.model.guild_named(f"Guild {index}")
        assert ready["d"]["guilds"] == [{"id": str(guild.id), "unavailable": True}]
        told = await client.until("GUILD_CREATE")
        channels = [c for c in standin.model.channels.values() if c.guild_id == guild.id]
        assert told["d"]["id"] == str(guild.id)
        assert [c["id"] for c in told["d"]["channels"]] == [str(c.id) for c in channels]
        assert {c["guild_id"] for c in told["d"]["channels"]} == {str(guild.id)}
        assert await client.names() == []
        await client.socket.close()


async def test_each_session_counts_shards_for_itself(http: aiohttp.ClientSession) -> None:
    async with Standin(guilds=guilds_on_each(4)) as standin:
        client = await connect(http, standin)
        ready = await client.identify(standin.token, shard=[1, 2])
        odd = [standin.model.guild_named(name).id for name in ("Guild 1", "Guild 3")]
        assert [int(guild["id"]) for guild in ready["d"]["guilds"]] == odd
        await client.socket.close()


async def test_events_go_to_every_session_of_their_shard_and_to_no_other(
    http: aiohttp.ClientSession,
) -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin:
        first, second, other = [await on_shard(http, standin, i, 2) for i in (0, 1, 1)]
        anna = standin.person("Anna")
        anna.say(standin.channel("the-harbour", "Guild 1"), "of the second server")
        anna.say(anna.dm, "in a direct conversation")
        assert await first.names() == ["MESSAGE_CREATE"]
        for client in (second, other):
            heard = await client.until("MESSAGE_CREATE")
            assert heard["d"]["content"] == "of the second server"
            assert heard["d"]["guild_id"] == str(standin.model.guild_named("Guild 1").id)
            assert await client.names() == []
        assert standin.gateway.shards() == {0: 1, 1: 2}
        for client in (first, second, other):
            await client.socket.close()


@pytest.mark.parametrize("shard", [[2, 2], [-1, 2], [0, 0], [0], "0", [0, "2"]])
async def test_a_shard_that_cannot_be_is_refused(
    http: aiohttp.ClientSession, standin: Standin, shard: object
) -> None:
    client = await connect(http, standin)
    await client.ask_in(standin.token, shard=shard)
    assert await client.close_code() == 4010


@pytest.mark.parametrize("shard", [None, [0, 1]])
async def test_a_large_bot_has_to_shard(
    http: aiohttp.ClientSession, standin: Standin, shard: object
) -> None:
    standin.limits.needs_shards = True
    client = await connect(http, standin)
    await client.ask_in(standin.token, shard=shard)
    assert await client.close_code() == 4011
    client = await connect(http, standin)
    await client.identify(standin.token, shard=[0, 2])
    await client.socket.close()


async def test_a_shard_resumes_where_it_was(http: aiohttp.ClientSession) -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin:
        client = await connect(http, standin)
        ready = await client.identify(standin.token, INTENTS, shard=[1, 2])
        seq = (await client.until("GUILD_CREATE"))["s"]
        standin.faults.drop_sockets()
        anna = standin.person("Anna")
        anna.say(standin.channel("the-harbour", "Guild 0"), "elsewhere")
        anna.say(standin.channel("the-harbour", "Guild 1"), "missed")
        client = await connect(http, standin)
        session_id = ready["d"]["session_id"]
        await client.send(6, {"token": standin.token, "session_id": session_id, "seq": seq})
        assert await client.names() == ["MESSAGE_CREATE", "RESUMED"]
        await client.socket.close()


async def test_many_shards_cut_at_once_can_all_resume(http: aiohttp.ClientSession) -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin:
        known = []
        for index in range(40):
            client = await connect(http, standin)
            ready = await client.identify(standin.token, shard=[index, 40])
            known.append(ready["d"]["session_id"])
        standin.faults.drop_sockets()
        await standin.model.until(lambda: not standin.gateway.shards())
        for session_id in known:
            client = await connect(http, standin)
            await client.send(6, {"token": standin.token, "session_id": session_id, "seq": 1})
            while (payload := await client.receive())["t"] == "GUILD_CREATE":
                pass
            assert payload["t"] == "RESUMED"
            await client.socket.close()


# The real client


async def everywhere(standin: Standin, person: Person) -> dict[str, str]:
    """What `/where` answers on each server and in the direct conversation."""
    model = standin.model
    places = [model.channel_named("the-harbour", guild) for guild in model.guilds.values()]
    answers = [await person.slash(place, "where") for place in (*places, person.dm)]
    names = [*(guild.name for guild in model.guilds.values()), "direct"]
    return {name: answer.text for name, answer in zip(names, answers, strict=True)}


def once(interactions: list[Interaction]) -> bool:
    """Whether each interaction reached one session and was acknowledged there at the first try."""
    return all((i.deliveries, i.tries) == (1, 1) and i.acknowledged for i in interactions)


async def test_one_client_with_as_many_shards_as_are_recommended() -> None:
    async with (
        Standin(
            guilds=guilds_on_each(4), limits=DiscordLimits(shards=4, needs_shards=True)
        ) as standin,
        running(ShardedSampleBot(), standin) as bot,
    ):
        assert bot.shard_count == 4
        # Which shard is ready first is chance.
        assert {(g.name, g.shard_id) for g in bot.guilds} == {(f"Guild {i}", i) for i in range(4)}
        await bot.until(lambda: all(guild.chunked for guild in bot.guilds))
        assert all(guild.me for guild in bot.guilds)
        said = await everywhere(standin, standin.person("Bert"))
        places = {f"Guild {i}": f"en-US in Guild {i}" for i in range(4)}
        assert said == {**places, "direct": "en-US in direct"}
        assert once(standin.interactions.opened)


async def test_two_clients_divide_the_servers_and_one_has_the_direct_messages() -> None:
    async with Standin(guilds=guilds_on_each(4)) as standin:
        low = ShardedSampleBot(shard_count=4, shard_ids=[0, 1])
        high = ShardedSampleBot(shard_count=4, shard_ids=[2, 3])
        async with running(low, standin), running(high, standin):
            await standin.shards_online(range(4))
            await everywhere(standin, standin.person("Bert"))
            guilds = [[i.guild and i.guild.name for i in bot.seen] for bot in (low, high)]
        assert guilds == [["Guild 0", "Guild 1", None], ["Guild 2", "Guild 3"]]
        assert once(standin.interactions.opened)


async def test_a_shard_that_runs_twice_hears_twice_and_answers_once() -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin:
        options = {"shard_count": 2, "shard_ids": [1]}
        bots = [ShardedSampleBot(**options), ShardedSampleBot(**options)]
        async with running(bots[0], standin), running(bots[1], standin):
            place = standin.channel("the-harbour", "Guild 1")
            answer = await standin.person("Anna").slash(place, "paint", colour="red")
            for bot in bots:
                await bot.until(lambda bot=bot: len(bot.seen) == 1)  # type: ignore[misc]
            await standin.model.until(lambda: answer.interaction.tries == 2)
        assert (answer.interaction.deliveries, answer.interaction.tries) == (2, 2)
        assert [m.text for m in standin.person("Anna").sees(place)] == ["painted red"]


async def test_waiting_for_shards_ends_when_the_last_has_come() -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin:
        waiting = asyncio.create_task(standin.shards_online({0, 1}))
        async with running(ShardedSampleBot(shard_count=2, shard_ids=[0]), standin):
            assert not waiting.done()
            async with running(ShardedSampleBot(shard_count=2, shard_ids=[1]), standin):
                await waiting
            await standin.model.until(lambda: standin.gateway.shards() == {0: 1})


async def test_a_client_without_shards_is_on_all_servers() -> None:
    async with (
        Standin(guilds=guilds_on_each(3)) as standin,
        running(SampleBot(), standin) as bot,
    ):
        assert {guild.name for guild in bot.guilds} == {"Guild 0", "Guild 1", "Guild 2"}
        fetched = [guild.name async for guild in bot.fetch_guilds(limit=2)]
        assert fetched == ["Guild 0", "Guild 1"]
        assert (await bot.application_info()).approximate_guild_count == 3
        guild = discord.utils.get(bot.guilds, name="Guild 2")
        assert guild is not None
        assert {channel.name for channel in guild.text_channels} == {"the-harbour", "the-market"}
