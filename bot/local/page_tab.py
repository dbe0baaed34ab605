"""One open tab of the web page: whose eyes it looks through, and what is to be sent to it."""

from __future__ import annotations

import asyncio

import msgspec
from aiohttp import web

from bot.local.interactions import ModalOpened
from bot.local.model import Guild, Json
from bot.local.person import Person


class Tab:
    """One open page, looking at one server through one person's eyes."""

    def __init__(self, socket: web.WebSocketResponse, person: Person, guild: Guild) -> None:
        self.socket = socket
        self.person = person
        self.guild = guild
        self.forms: dict[str, ModalOpened] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.mentions: Json = {}
        """What the tab was last told of the messages that ping each person."""
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()

    def send(self, event: Json) -> None:
        """Queue one event."""
        self._queue.put_nowait(msgspec.json.encode(event))

    async def write(self) -> None:
        """Send what is queued, until cancelled or disconnected."""
        while True:
            data = await self._queue.get()
            try:
                await self.socket.send_str(data.decode())
            except ConnectionError:
                return
