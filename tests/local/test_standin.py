"""The stand-in server: address, shutdown and request bodies."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack, suppress

import pytest
from yarl import URL

from bot.local import Standin
from bot.local.posting import parse_body


async def test_it_only_listens_on_loopback() -> None:
    with pytest.raises(ValueError, match="only listens on loopback"):
        Standin("0.0.0.0")


async def test_a_client_that_connects_during_the_shutdown_is_disconnected() -> None:
    # After each iteration of the event loop, the shutdown has got further.
    for turns in range(6):
        async with AsyncExitStack() as stack:
            standin = await stack.enter_async_context(Standin())
            closing = asyncio.create_task(stack.aclose())
            for _ in range(turns):
                await asyncio.sleep(0)
            port = URL(standin.url).port
            assert port is not None
            with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port)) as late:
                await closing
                late.settimeout(5.0)
                assert late.recv(1) == b""


async def test_it_also_closes_on_windows_where_a_loop_has_no_readers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unsupported(_: object) -> bool:
        raise NotImplementedError

    async with Standin() as standin:
        monkeypatch.setattr(asyncio.get_running_loop(), "remove_reader", unsupported)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", URL(standin.url).port or 0))


def test_a_multipart_body_is_split_at_its_boundaries() -> None:
    body = (
        b'--b\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{"content": "x"}\r\n'
        b'--b\r\nContent-Disposition: form-data; name="files[0]"; filename="a.bin"\r\n'
        b"Content-Type: application/octet-stream\r\n\r\n\r\n--\r\nraw\r\n--b--\r\n"
    )
    parsed = parse_body("multipart/form-data; boundary=b", body)
    assert parsed.payload == {"content": "x"}
    assert parsed.files == {0: ("a.bin", b"\r\n--\r\nraw")}
