"""A line between a process and its PostgreSQL, which can be cut, go dead, and be mended."""

from __future__ import annotations

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

CHUNK = 65_536
ACCEPT_TURNS = 4
"""How many turns of the loop asyncio takes to give a connection it accepts to the server."""
ABORT = (1).to_bytes(4, "little") + bytes(4)
"""The linger of a socket that ends with a reset, as where a cable is pulled from a switch."""


class Line:
    """Forwards connections to `host` and `port`; within `laid` it listens at `self.port`."""

    def __init__(self, host: str, port: int) -> None:
        self.port = 0
        self._to = host, port
        self._flows = asyncio.Event()
        self._flows.set()
        self._is_cut = False
        self._writers: set[StreamWriter] = set()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[Line]:
        async with served(self._connect) as self.port:
            try:
                yield self
            finally:
                self.cut()

    def cut(self) -> None:
        self._is_cut = True
        self._flows.set()
        for writer in list(self._writers):
            _abort(writer)

    def freeze(self) -> None:
        """Nothing gets through, and nobody is told: as where a switch has lost its way."""
        self._flows.clear()

    def mend(self) -> None:
        self._is_cut = False
        self._flows.set()

    def _refuses(self) -> bool:
        return self._is_cut

    async def _connect(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._writers.add(writer)
        far: StreamWriter | None = None
        try:
            await self._flows.wait()
            if self._refuses():
                _abort(writer)
                return
            there, far = await asyncio.open_connection(*self._to)
            self._writers.add(far)
            if self._refuses():
                # Meanwhile: nobody knew of the far end then.
                _abort(far)
            await asyncio.gather(self._pass(reader, far), self._pass(there, writer))
        except OSError:
            _abort(writer)
        finally:
            for each in (writer, far):
                if each is not None:
                    # What is left to be sent may wait for one who never reads: it can still be cut.
                    await closed(each)
                    self._writers.discard(each)

    async def _pass(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        with suppress(OSError):
            # Each side hears that the other has ended.
            writer.close()


@asynccontextmanager
async def served(
    talk: Callable[[StreamReader, StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """Within the block a server talks to whoever connects to the port that it yields.

    At the end all connections have ended too: one that is left open when its loop is closed is a
    warning, which fails whichever test comes next.
    """
    talking: set[asyncio.Task[object]] = set()

    async def connected(reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talking.add(task)
        task.add_done_callback(talking.discard)
        try:
            with suppress(OSError):
                await talk(reader, writer)
        finally:
            await closed(writer)

    listening = socket.create_server(("127.0.0.1", 0))
    server = await asyncio.start_server(connected, sock=listening)
    port: int = listening.getsockname()[1]
    try:
        yield port
    finally:
        # A server that closes while it accepts leaves the connection open: CPython 3.11, gh-109564.
        asyncio.get_running_loop().remove_reader(listening)
        for _ in range(ACCEPT_TURNS):
            await asyncio.sleep(0)
        server.close()
        await asyncio.gather(*talking, return_exceptions=True)


async def closed(writer: StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


def _abort(writer: StreamWriter) -> None:
    with suppress(OSError):
        there = writer.get_extra_info("socket")
        if there is not None:
            there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
    transport = writer.transport
    transport.abort()
