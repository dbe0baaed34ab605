"""Requests to web addresses that people have set.

Such an address could lead into the host's own network, also later, by another answer of its name
server. So each connection is checked when it is made.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from bot.tables import Rejected

MAX_ADDRESS = 400
"""Characters of an address."""
TIMEOUT_S = 10.0
"""Seconds for finding an address by its name, and for a whole request."""
LOOKUPS = ThreadPoolExecutor(2, "lookup")
"""A slow name server may hold a thread for longer than we wait: others have their own."""
EXCLUDED = tuple(
    map(ip_network, ("224.0.0.0/4", "ff00::/8", "fec0::/10", "::/8", "2002::/16", "2001::/32"))
)
"""Multicast and site-local addresses, and those that may be translated to any IPv4 address."""


async def check_address(address: str) -> None:
    """Check that posts may be sent there.

    Raise bad_webhook, webhook_not_found or webhook_not_public.
    """
    try:
        parts = urlsplit(address)
        async with asyncio.timeout(TIMEOUT_S):
            found = await asyncio.get_running_loop().run_in_executor(
                LOOKUPS, socket.getaddrinfo, parts.hostname, parts.port
            )
    except (OSError, ValueError):
        raise Rejected("webhook_not_found") from None
    if parts.scheme != "https" or "@" in parts.netloc or address.split() != [address]:
        raise Rejected("bad_webhook")
    if not all(is_public(str(info[4][0])) for info in found):
        raise Rejected("webhook_not_public")


async def post(address: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send JSON to an address and return the HTTP status. Its answer is not read.

    Raise aiohttp.ClientError or OSError.
    """
    async with (
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(socket_factory=_public_socket, force_close=True),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
            headers={"Content-Type": "application/json", "User-Agent": "kontor"},
        ) as session,
        session.post(address, data=body, headers=headers, allow_redirects=False) as answer,
    ):
        return answer.status


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    ip = ip_address(address)
    return ip.is_global and not any(ip in network for network in EXCLUDED)


def _public_socket(info: tuple[Any, ...]) -> socket.socket:
    if not is_public(info[4][0]):
        raise OSError("not a public address")
    return socket.socket(*info[:3])
