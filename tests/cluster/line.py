"""A line between a process and its PostgreSQL, which can be cut, go dead, and be mended."""

from __future__ import annotations

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

CHUNK = 65_536
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
        """Within the block it is there."""
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()

    def cut(self) -> None:
        """All connections end at once, and new ones too."""
        self._is_cut = True
        self._flows.set()
        for writer in list(self._writers):
            _abort(writer)

    def freeze(self) -> None:
        """Nothing gets through, and nobody is told: as where a switch has lost its way."""
        self._flows.clear()

    def mend(self) -> None:
        """What was held back gets through, and everything after it."""
        self._is_cut = False
        self._flows.set()

    async def _connect(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._writers.add(writer)
        far: StreamWriter | None = None
        try:
            await self._flows.wait()
            if self._is_cut:
                _abort(writer)
                return
            there, far = await asyncio.open_connection(*self._to)
            self._writers.add(far)
            await asyncio.gather(self._pass(reader, far), self._pass(there, writer))
        except OSError:
            _abort(writer)
        finally:
            for each in (writer, far):
                if each is not None:
                    self._writers.discard(each)
                    each.close()

    async def _pass(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        with suppress(OSError):
            # Each side hears that the other has ended.
            writer.close()


def _abort(writer: StreamWriter) -> None:
    with suppress(OSError):
        there = writer.get_extra_info("socket")
        if there is not None:
            there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
    transport = writer.transport
    transport.abort()
