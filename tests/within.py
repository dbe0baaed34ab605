"""A stand-in in its bot's event loop: no sockets, and tests know when all work is done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler

SOON_S = 0.5
"""Timers due within this time belong to the running work; later ones don't."""
TIMEOUT_S = 60.0
"""The longest wait for the program to become idle, even on a busy machine."""
PASSIVE = ("aiohttp", "bot.local")
"""Modules whose timers start no work of the bot: timeouts, and Discord's own."""


class Line(asyncio.Transport):
    """One end of a connection. Data arrives at the other end one loop iteration later."""

    other: Line

    def __init__(self, protocol: Any) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._protocol = protocol
        self._is_closed = False

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Send to the other end."""
        if not self._is_closed:
            self._loop.call_soon(self.other._take, bytes(data))

    def _take(self, data: bytes) -> None:
        if not self._is_closed:
            self._protocol.data_received(data)

    def close(self) -> None:
        """Close both ends."""
        if not self._is_closed:
            self._is_closed = True
            self._loop.call_soon(self._protocol.connection_lost, None)
            self._loop.call_soon(self.other.close)

    def abort(self) -> None:
        """Close both ends."""
        self.close()

    def is_closing(self) -> bool:
        """Whether it is closed."""
        return self._is_closed

    def get_write_buffer_size(self) -> int:
        """Return 0: nothing is buffered."""
        return 0


class Connector(aiohttp.BaseConnector):
    """Connects a client with a server in the same loop, ignoring the address. `serve` makes the
    protocol of the server's end."""

    def __init__(self, serve: Callable[[], Any]) -> None:
        super().__init__(limit=0)
        self._serve = serve

    async def _create_connection(self, *_: Any) -> ResponseHandler:
        client, server = self._factory(), self._serve()
        near, far = Line(client), Line(server)
        near.other, far.other = far, near
        server.connection_made(far)
        client.connection_made(near)
        return client


class Work:
    """The running work of an event loop: callbacks, and timers due soon."""

    def __init__(self) -> None:
        self._loop: Any = asyncio.get_running_loop()
        self._watch: asyncio.Task[None] | None = None

    @contextmanager
    def without_threads(self) -> Iterator[None]:
        """Run in the loop, within the block, what would run in threads."""

        async def run(work: Callable[..., Any], *args: Any) -> Any:
            return work(*args)

        self._loop.run_in_executor = lambda _, *work: self._loop.create_task(run(*work))
        try:
            yield
        finally:
            del self._loop.run_in_executor

    async def rest(self) -> None:
        """Wait until nothing more happens before time passes or a person acts. Raises
        TimeoutError."""
        # One shared watch: several would keep each other busy.
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._at_rest())
        await asyncio.shield(self._watch)

    async def _at_rest(self) -> None:
        deadline = self._loop.time() + TIMEOUT_S
        while True:
            await asyncio.sleep(0)
            if self._loop.time() > deadline:
                raise TimeoutError(f"still running: {asyncio.all_tasks()}")
            if self._loop._ready:
                continue
            due = self._next_due()
            if due > SOON_S:
                return
            await asyncio.sleep(due)

    def _next_due(self) -> float:
        """Return the seconds until the next timer is due."""
        times = [
            timer.when()
            for timer in self._loop._scheduled
            if not timer.cancelled()
            and not str(getattr(timer._callback, "__module__", "")).startswith(PASSIVE)
        ]
        return min(times, default=float("inf")) - float(self._loop.time())
