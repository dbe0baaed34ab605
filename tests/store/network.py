"""A TCP proxy to a server that tests can cut or silence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

CHUNK = 65_536


class Network:
    """Forwards data between clients and a server, unless it `is_silent`.

    `before` and `after` are called with the data of clients, before and after it is forwarded.
    """

    def __init__(self) -> None:
        self.is_silent = False
        self.before: Callable[[bytes], None] = lambda data: None
        self.after: Callable[[bytes], None] = lambda data: None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """End all connections. New ones can be made."""
        for each in self._writers:
            each.transport.abort()

    @asynccontextmanager
    async def to(self, url: str) -> AsyncIterator[str]:
        """Yield a URL by which the server can be reached within the block."""
        server = urlsplit(url)

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                upstream = await asyncio.open_connection(server.hostname, server.port)
            except OSError:
                writer.transport.abort()
                return
            if not listening.is_serving():
                # The block is over, and nothing would wait for a new task.
                for each in (writer, upstream[1]):
                    each.transport.abort()
                return
            self._writers |= {writer, upstream[1]}
            requests = self._pass(reader, upstream[1], True)
            for forwarding in (requests, self._pass(upstream[0], writer, False)):
                task = asyncio.create_task(forwarding)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

        listening = await asyncio.start_server(connected, "127.0.0.1")
        try:
            port = listening.sockets[0].getsockname()[1]
            user = server.netloc.rpartition("@")[0]
            yield server._replace(netloc=f"{user}@127.0.0.1:{port}").geturl()
        finally:
            listening.close()
            self.cut()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _pass(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, is_client: bool
    ) -> None:
        try:
            while data := await source.read(CHUNK):
                if self.is_silent:
                    continue
                if is_client:
                    self.before(data)
                target.write(data)
                await target.drain()
                if is_client:
                    self.after(data)
        except ConnectionError:
            pass
        finally:
            target.close()
