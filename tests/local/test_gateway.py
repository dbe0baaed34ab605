"""The gateway: sessions, resumes, shards and limits."""

from __future__ import annotations

import zlib
from types import SimpleNamespace
from typing import Any

import aiohttp
import msgspec
import pytest

from bot.local import (
    LimitKind,
    Permission,
    Standin,
    guilds_on_each,
    limits,
)
from tests.local.bots import PATIENCE_S


class RawClient:
    """A gateway client without discord.py, to inspect frames."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, compressed: bool) -> None:
        self.socket = socket
        self._inflate = zlib.decompressobj() if compressed else None

    async def receive(self) -> dict[str, Any]:
        frame = await self.socket.receive(timeout=PATIENCE_S)
        if self._inflate is not None and frame.type is aiohttp.WSMsgType.BINARY:
            assert frame.data.endswith(b"\x00\x00\xff\xff")
            return dict(msgspec.json.decode(self._inflate.decompress(frame.data)))
        assert frame.type is aiohttp.WSMsgType.TEXT, frame
        return dict(msgspec.json.decode(frame.data))

    async def until(self, name: str) -> dict[str, Any]:
        while (payload := await self.receive())["t"] != name:
            pass
        return payload

    async def send(self, op: int, data: object) -> None:
        await self.socket.send_str(msgspec.json.encode({"op": op, "d": data}).decode())

    async def identify(self, token: str, intents: int = 1, **more: object) -> dict[str, Any]:
        """Log in and return READY."""
        await self.send(2, {"token": token, "intents": intents, "properties": {}, **more})
        return await self.until("READY")

    async def names(self) -> list[str]:
        """Return the names of the events before the acknowledgement of a heartbeat."""
        await self.send(1, None)
        names = []
        while (payload := await self.receive())["op"] != 11:
            names.append(payload["t"])
        return names

    async def close_code(self) -> int | None:
        while True:
            frame = await self.socket.receive(timeout=PATIENCE_S)
            if frame.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
                return self.socket.close_code


async def connect(http: aiohttp.ClientSession, standin: Standin, query: str = "") -> RawClient:
    """Connect and receive HELLO."""
    socket = await http.ws_connect(f"{standin.url}/gateway?v=10{query}")
    client = RawClient(socket, compressed="zlib-stream" in query)
    assert (await client.receive())["op"] == 10
    return client


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
    # A heartbeat is acknowledged.
    await client.send(1, None)
    assert (await client.receive())["op"] == 11
    await client.socket.close()


async def test_protocol_errors_have_discords_close_codes(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    socket = await http.ws_connect(f"{standin.url}/gateway?compress=lz4")
    assert await RawClient(socket, compressed=False).close_code() == 4002

    async def code_after(op: int, data: object) -> int | None:
        client = await connect(http, standin)
        await client.send(op, data)
        return await client.close_code()

    assert await code_after(2, {"token": "wrong", "intents": 1}) == 4004
    assert await code_after(2, {"token": standin.token}) == 4013
    assert await code_after(3, {}) == 4003
    assert await code_after(77, {}) == 4001
    identify = {"token": standin.token, "intents": 1}
    for shard in ([2, 2], [-1, 2], [0], "0"):
        assert await code_after(2, {**identify, "shard": shard}) == 4010, shard
    client = await connect(http, standin)
    await client.socket.send_str("{")
    assert await client.close_code() == 4002
    client = await connect(http, standin)
    await client.identify(standin.token)
    await client.send(2, identify)
    assert await client.close_code() == 4005
    standin.limits.needs_shards = True
    for single in (None, [0, 1]):
        assert await code_after(2, {**identify, "shard": single}) == 4011, single
    async with Standin(heartbeat_interval_s=0.05) as standin:
        assert await (await connect(http, standin)).close_code() == 4009


async def test_a_resume_replays_exactly_the_missed_events(http: aiohttp.ClientSession) -> None:
    async with Standin(guilds=guilds_on_each(2)) as standin:
        anna, client = standin.person("Anna"), await connect(http, standin)
        ready = await client.identify(standin.token, shard=[1, 2])
        own, other = (standin.channel("the-harbour", f"Guild {n}") for n in (1, 0))
        standin.deny(own, Permission.SEND_MESSAGES)
        seq = (await client.until("CHANNEL_UPDATE"))["s"]
        standin.gateway.drop_sockets()
        standin.deny(other, Permission.SEND_MESSAGES)
        standin.allow(own, Permission.SEND_MESSAGES)
        client = await connect(http, standin)
        session = {"token": standin.token, "session_id": ready["d"]["session_id"], "seq": seq}
        await client.send(6, session)
        replayed = await client.receive()
        assert (replayed["t"], replayed["s"]) == ("CHANNEL_UPDATE", seq + 1)
        assert replayed["d"]["id"] == str(own.id)
        assert await client.names() == ["RESUMED"]
        # A clean close ends the session, and an ended session cannot resume.
        await client.socket.close(code=1000)
        await anna.wait_for(lambda: not standin.gateway.sessions)
        client = await connect(http, standin)
        await client.send(6, session)
        payload = await client.receive()
        assert (payload["op"], payload["d"]) == (9, False)
        await client.socket.close()


# Limits


def violations(standin: Standin) -> list[LimitKind]:
    return [violation.kind for violation in standin.limiter.violations]


async def get(http: aiohttp.ClientSession, standin: Standin, path: str) -> aiohttp.ClientResponse:
    headers = {"Authorization": f"Bot {standin.token}"}
    async with http.get(f"{standin.url}/api/v10{path}", headers=headers) as response:
        await response.read()
        return response


async def test_requests_beyond_the_global_limit_get_a_429(
    http: aiohttp.ClientSession, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine, a few requests may take longer than the limit's window.
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: 1.0))
    standin.limits.global_per_second = 2
    paths = ("/users/@me", "/users/@me", "/gateway/bot")
    answers = [await get(http, standin, path) for path in paths]
    assert [answer.status for answer in answers] == [200, 200, 429]
    refused = answers[-1]
    assert refused.headers["X-RateLimit-Global"] == "true"
    assert refused.headers["Retry-After"] == "2"
    body = await refused.json()
    assert body["global"] is True
    assert 0 < body["retry_after"] <= 1.001
    assert violations(standin) == [LimitKind.GLOBAL]
    assert standin.limiter.violations[0].details == "GET /gateway/bot"
