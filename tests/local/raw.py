"""A gateway client without discord.py, for tests that look at the frames themselves."""

from __future__ import annotations

import zlib
from typing import Any

import aiohttp
import msgspec

from bot.local import Standin
from tests.local.bots import PATIENCE_S


class RawClient:
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

    async def identify(
        self, token: str, intents: int = 1 << 0 | 1 << 9, **more: object
    ) -> dict[str, Any]:
        """Log in; the result is READY."""
        await self.send(2, {"token": token, "intents": intents, "properties": {}, **more})
        return await self.until("READY")

    async def names(self) -> list[str]:
        """The names of the events so far: all that came before a heartbeat's acknowledgement."""
        await self.send(1, None)
        heard = []
        while (payload := await self.receive())["op"] != 11:
            heard.append(payload["t"])
        return heard

    async def close_code(self) -> int | None:
        while True:
            frame = await self.socket.receive(timeout=PATIENCE_S)
            if frame.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
                return self.socket.close_code


async def connect(http: aiohttp.ClientSession, standin: Standin, query: str = "") -> RawClient:
    """A connection that has been greeted."""
    socket = await http.ws_connect(f"{standin.url}/gateway?v=10{query}")
    client = RawClient(socket, compressed="zlib-stream" in query)
    assert (await client.receive())["op"] == 10
    return client
