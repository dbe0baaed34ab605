"""Requests to addresses that people have set, over real connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web as server

from bot.cogs.ui import web
from bot.cogs.ui.web import is_public


class Site:
    """A web server on this machine. `requests` has the headers and bodies that it got."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.address = ""

    async def show(self, request: server.Request) -> server.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append((request.path, headers, await request.read()))
        match request.path:
            case "/moved":
                return server.Response(status=307, headers={"Location": f"{self.address}/secret"})
            case "/cookie":
                return server.Response(headers={"Set-Cookie": "who=kontor"})
            case "/slow":
                await asyncio.sleep(60)
            case "/endless":
                answer = server.StreamResponse()
                await answer.prepare(request)
                while True:
                    await answer.write(bytes(65536))
        return server.Response()


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    site = Site()
    app = server.Application()
    app.router.add_route("*", "/{path:.*}", site.show)
    runner = server.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await server.TCPSite(runner, "127.0.0.1", 0).start()
    site.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield site
    await runner.cleanup()


@pytest.fixture
def any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let requests reach this machine."""
    monkeypatch.setattr(web, "is_public", lambda _: True)


@pytest.mark.usefixtures("any_address")
async def test_a_post_follows_no_redirect_keeps_no_cookie_and_reads_no_answer(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
        monkeypatch.setenv(name.lower(), "http://127.0.0.1:1")
    assert await web.post(f"{site.address}/moved", b"{}", {}) == 307
    for _ in range(2):
        assert await web.post(f"{site.address}/cookie", b'{"id": 1}', {"X-Own": "yes"}) == 200
    async with asyncio.timeout(5):
        assert await web.post(f"{site.address}/endless", b"{}", {}) == 200

    assert [path for path, *_ in site.requests] == ["/moved", "/cookie", "/cookie", "/endless"]
    _, headers, body = site.requests[2]
    assert (headers["content-type"], headers["x-own"], body) == (
        "application/json",
        "yes",
        b'{"id": 1}',
    )
    assert "cookie" not in headers


@pytest.mark.usefixtures("any_address")
async def test_a_post_has_a_time_limit(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "TIMEOUT_S", 0.1)
    with pytest.raises(TimeoutError):
        await web.post(f"{site.address}/slow", b"{}", {})


async def test_no_connection_is_made_to_the_hosts_own_network(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(site.address.rpartition(":")[2])

    async def rebound(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with pytest.raises(aiohttp.ClientConnectorError):
        await web.post(f"{site.address}/", b"{}", {})
    # A name that was public when it was checked.
    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", rebound)
    with pytest.raises(aiohttp.ClientConnectorError):
        await web.post(f"http://example.org:{port}/", b"{}", {})
    assert site.requests == []


def test_only_addresses_of_the_public_internet_are_public() -> None:
    for address in ("93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946"):
        assert is_public(address), address
    for address in (
        *("127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
        *("100.64.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.0.2.1"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "ff0e::1"),
        *("::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::"),
        *("2001:0:4136:e378::1", "2001:db8::1"),
    ):
        assert not is_public(address), address
