"""The line that other tests cut: what gets through it, and when."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator

import pytest

from tests.cluster.line import Line, closed, served


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    """A line to a server that sends everything back."""

    async def echo(reader: StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)

    async with served(echo) as port, Line("127.0.0.1", port).laid() as line:
        yield line


async def test_a_line_passes_everything_both_ways_until_either_side_ends(line: Line) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
    writer.write(b"through")
    assert await reader.readexactly(7) == b"through"
    writer.write_eof()
    assert await reader.read() == b""
    await closed(writer)


async def test_a_frozen_line_keeps_what_was_sent_until_it_is_mended(line: Line) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
    line.freeze()
    writer.write(b"late")
    late = asyncio.create_task(reader.readexactly(4))
    new_reader, new_writer = await asyncio.open_connection("127.0.0.1", line.port)
    new_writer.write(b"new")
    new = asyncio.create_task(new_reader.readexactly(3))
    done, _ = await asyncio.wait({late, new}, timeout=0.05)
    assert not done

    line.mend()

    assert (await late, await new) == (b"late", b"new")
    for each in (writer, new_writer):
        await closed(each)


async def test_a_cut_line_ends_what_is_connected_and_refuses_what_is_new(line: Line) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
    writer.write(b"before")
    assert await reader.readexactly(6) == b"before"

    line.cut()

    with pytest.raises(ConnectionResetError):
        await reader.read()
    await closed(writer)
    assert await refused(line)
    line.mend()
    reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
    writer.write(b"again")
    assert await reader.readexactly(5) == b"again"
    await closed(writer)


async def refused(line: Line) -> bool:
    """Whether a new connection ends before anything comes of it."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
    except ConnectionError:
        return True
    try:
        writer.write(b"?")
        return await reader.read() == b""
    except ConnectionError:
        return True
    finally:
        await closed(writer)
