"""A stand-in within the event loop of its bot: no sockets, and it is known when all is at rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler

SOON_S = 0.5
"""What a timer begins within that time belongs to what is under way; what is later does not."""
AT_MOST_S = 60.0
"""A program that has not come to rest by then, on however busy a machine, never will."""
OTHERS = ("aiohttp", "bot.local")
"""Modules whose timers begin nothing: limits of time, and Discord's."""


class Line(asyncio.Transport):
    """One end of a connection: what is written is at the other end a turn of the loop later."""

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
        """The same."""
        self.close()

    def is_closing(self) -> bool:
        """Whether it is closed."""
        return self._is_closed

    def get_write_buffer_size(self) -> int:
        """Nothing waits to be sent."""
        return 0


class Connector(aiohttp.BaseConnector):
    """Connects a client with a server of the same loop, whatever the address; `serve` makes the
    server's end of a connection."""

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
    """What is under way in an event loop: callbacks, and timers that are soon due."""

    def __init__(self) -> None:
        self._loop: Any = asyncio.get_running_loop()
        self._watch: asyncio.Task[None] | None = None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """As long as this lasts, what would be done in threads is done in the loop, in turn."""

        async def done(work: Callable[..., Any], *args: Any) -> Any:
            return work(*args)

        self._loop.run_in_executor = lambda _, *work: self._loop.create_task(done(*work))
        try:
            yield
        finally:
            del self._loop.run_in_executor

    async def rest(self) -> None:
        """Until nothing is under way: nothing more happens unless somebody does something, or time
        passes. Raises TimeoutError."""
        # Several who wait would keep each other busy.
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._at_rest())
        await asyncio.shield(self._watch)

    async def _at_rest(self) -> None:
        latest = self._loop.time() + AT_MOST_S
        while True:
            await asyncio.sleep(0)
            if self._loop.time() > latest:
                raise TimeoutError(f"still under way: {asyncio.all_tasks()}")
            if self._loop._ready:
                continue
            due = self._next_due()
            if due > SOON_S:
                return
            await asyncio.sleep(due)

    def _next_due(self) -> float:
        """In how many seconds the next timer is due."""
        times = [
            timer.when()
            for timer in self._loop._scheduled
            if not timer.cancelled()
            and not str(getattr(timer._callback, "__module__", "")).startswith(OTHERS)
        ]
        return min(times, default=float("inf")) - float(self._loop.time())
