"""The gateway: sessions that survive a cut line, and those that do not."""

from __future__ import annotations

import asyncio
import zlib

import aiohttp
import discord
import msgspec
import pytest

from bot.local import Channel, Person, Standin
from tests.local.bots import PATIENCE_S, SampleBot, running
from tests.local.raw import RawClient, connect


@pytest.mark.parametrize("query", ["", "&compress=zlib-stream"])
async def test_identify_gets_ready_and_the_server(
    http: aiohttp.ClientSession, standin: Standin, query: str
) -> None:
    client = await connect(http, standin, query)
    ready = await client.identify(standin.token)
    assert ready["s"] == 1
    assert ready["d"]["user"]["id"] == str(standin.model.bot.id)
    guild = await client.until("GUILD_CREATE")
    assert [c["name"] for c in guild["d"]["channels"]] == ["the-harbour", "the-market"]
    assert len(guild["d"]["members"]) == 1
    await client.socket.close()


async def test_payloads_are_compressed_one_by_one_where_the_client_asks(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    client = await connect(http, standin)
    wanted = {"token": standin.token, "intents": 1, "compress": True}
    await client.send(2, wanted)
    frame = await client.socket.receive(timeout=PATIENCE_S)
    assert msgspec.json.decode(zlib.decompress(frame.data))["t"] == "READY"
    await client.socket.close()


@pytest.mark.parametrize(("query", "code"), [("v=10&compress=lz4", 4002), ("v=6", 4012)])
async def test_what_is_not_spoken_here_is_refused(
    http: aiohttp.ClientSession, standin: Standin, query: str, code: int
) -> None:
    socket = await http.ws_connect(f"{standin.url}/gateway?{query}")
    assert await RawClient(socket, compressed=False).close_code() == code


async def test_a_heartbeat_is_acknowledged(http: aiohttp.ClientSession, standin: Standin) -> None:
    client = await connect(http, standin)
    await client.send(1, None)
    assert (await client.receive())["op"] == 11
    await client.socket.close()


async def test_silence_closes_the_line(http: aiohttp.ClientSession) -> None:
    async with Standin(heartbeat_interval_s=0.05) as standin:
        client = await connect(http, standin)
        assert await client.close_code() == 4009


async def test_faulty_clients_are_closed_with_the_right_code(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    async def code_after(op: int, data: object) -> int | None:
        client = await connect(http, standin)
        await client.send(op, data)
        return await client.close_code()

    assert await code_after(2, {"token": "wrong", "intents": 1}) == 4004
    assert await code_after(2, {"token": standin.token}) == 4013
    assert await code_after(3, {}) == 4003
    assert await code_after(77, {}) == 4001
    client = await connect(http, standin)
    await client.socket.send_str("{")
    assert await client.close_code() == 4002
    client = await connect(http, standin)
    await client.identify(standin.token)
    await client.send(2, {"token": standin.token, "intents": 1})
    assert await client.close_code() == 4005


async def test_events_follow_the_intents(
    http: aiohttp.ClientSession, standin: Standin, anna: Person, harbour: Channel
) -> None:
    blind = await connect(http, standin)
    await blind.identify(standin.token, intents=1 << 0)
    masked = await connect(http, standin)
    await masked.identify(standin.token, intents=1 << 9)
    full = await connect(http, standin)
    await full.identify(standin.token, intents=1 << 9 | 1 << 15)
    anna.say(harbour, "secret words")
    anna.say(harbour, f"<@{standin.model.bot.id}> listen")
    assert (await masked.until("MESSAGE_CREATE"))["d"]["content"] == ""
    assert "listen" in (await masked.until("MESSAGE_CREATE"))["d"]["content"]
    assert (await full.until("MESSAGE_CREATE"))["d"]["content"] == "secret words"
    await blind.send(1, None)
    assert (await blind.until("GUILD_CREATE"))["t"] == "GUILD_CREATE"
    assert (await blind.receive())["op"] == 11
    for client in (blind, masked, full):
        await client.socket.close()


async def test_a_resume_replays_exactly_what_was_missed(
    http: aiohttp.ClientSession, standin: Standin, anna: Person, harbour: Channel
) -> None:
    client = await connect(http, standin)
    session_id = (await client.identify(standin.token, intents=1 << 9))["d"]["session_id"]
    anna.say(harbour, "heard")
    seq = (await client.until("MESSAGE_CREATE"))["s"]
    standin.faults.drop_sockets()
    anna.say(harbour, "missed")
    client = await connect(http, standin)
    await client.send(6, {"token": standin.token, "session_id": session_id, "seq": seq})
    replayed = await client.receive()
    assert (replayed["t"], replayed["s"]) == ("MESSAGE_CREATE", seq + 1)
    assert (await client.receive())["t"] == "RESUMED"
    await client.socket.close()


async def test_an_unknown_session_cannot_be_resumed(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    client = await connect(http, standin)
    await client.send(6, {"token": standin.token, "session_id": "gone", "seq": 1})
    payload = await client.receive()
    assert (payload["op"], payload["d"]) == (9, False)
    await client.socket.close()


async def test_a_polite_goodbye_ends_the_session(
    http: aiohttp.ClientSession, standin: Standin, anna: Person
) -> None:
    client = await connect(http, standin)
    await client.identify(standin.token)
    assert len(standin.gateway.sessions) == 1
    await client.socket.close(code=1000)
    await anna.wait_for(lambda: not standin.gateway.sessions)


async def test_the_bot_resumes_after_a_cut_and_hears_what_it_missed(
    standin: Standin, bot: SampleBot, anna: Person
) -> None:
    standin.faults.drop_sockets()
    anna.say(anna.dm, "while you were away")
    async with asyncio.timeout(PATIENCE_S):
        await bot.resumed.wait()
    assert [m.content for m in bot.heard] == ["while you were away"]
    assert bot.readies == 1


async def test_a_press_during_the_cut_is_answered_after_the_resume(harbour: Channel) -> None:
    async with Standin(acknowledge_s=PATIENCE_S) as standin, running(SampleBot(), standin):
        anna = standin.person("Anna")
        standin.faults.drop_sockets()
        answer = await anna.slash("the-harbour", "paint", colour="red")
        assert answer.text == "painted red"


async def test_the_bot_identifies_anew_after_its_session_is_invalidated(
    standin: Standin, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    standin.faults.invalidate_sessions()
    await bot.until(lambda: bot.readies == 2)
    answer = await anna.slash(harbour, "paint", colour="blue")
    assert answer.text == "painted blue"


async def test_a_wrong_token_is_told_at_login(standin: Standin) -> None:
    standin.token, right = "wrong", standin.token
    with pytest.raises(discord.LoginFailure):
        async with running(SampleBot(), standin):
            pass
    standin.token = right
