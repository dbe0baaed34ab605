"""A way to a server that tests can cut, or that falls silent without a word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

CHUNK = 65_536


class Network:
    """Passes on what clients and a server say to one another, as long as it is not `silent`.

    `before` and `after` are called with what a client says, before and after it is passed on.
    """

    def __init__(self) -> None:
        self.is_silent = False
        self.before: Callable[[bytes], None] = lambda said: None
        self.after: Callable[[bytes], None] = lambda said: None
        self._ways: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Ends all connections; new ones can be made."""
        for each in self._ways:
            each.transport.abort()

    @asynccontextmanager
    async def to(self, url: str) -> AsyncIterator[str]:
        """Within the block the server of that URL can be reached by the URL yielded."""
        server = urlsplit(url)

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                there = await asyncio.open_connection(server.hostname, server.port)
            except OSError:
                writer.transport.abort()
                return
            if not listening.is_serving():
                # It is over, and nobody would wait for what begins now.
                for each in (writer, there[1]):
                    each.transport.abort()
                return
            self._ways |= {writer, there[1]}
            for way in (self._pass(reader, there[1], True), self._pass(there[0], writer, False)):
                task = asyncio.create_task(way)
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
            while said := await source.read(CHUNK):
                if self.is_silent:
                    continue
                if is_client:
                    self.before(said)
                target.write(said)
                await target.drain()
                if is_client:
                    self.after(said)
        except ConnectionError:
            pass
        finally:
            target.close()
