"""Requests to web addresses that people have set.

Such an address could lead into the host's own network, also later, by another answer of its name
server. So each connection is checked when it is made.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from ipaddress import IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from bot.tables import Rejected

MAX_ADDRESS = 400
"""Characters of an address."""
TIMEOUT_S = 10.0
"""Seconds for finding an address by its name, and for a whole request."""
TRANSLATED = (IPv6Network("::/8"), IPv6Network("2002::/16"), IPv6Network("fec0::/10"))
"""Addresses that may be translated to any IPv4 address, or belong to a site."""


async def check_address(address: str) -> None:
    """Check that posts may be sent there.

    Raise bad_webhook, webhook_not_found or webhook_not_public.
    """
    loop = asyncio.get_running_loop()
    try:
        parts = urlsplit(address)
        async with asyncio.timeout(TIMEOUT_S):
            found = await loop.getaddrinfo(parts.hostname, parts.port)
    except (OSError, ValueError):
        raise Rejected("webhook_not_found") from None
    if parts.scheme != "https" or "@" in parts.netloc or " " in address:
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
    is_translated = any(ip in network for network in TRANSLATED)
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or is_translated)


def _public_socket(info: tuple[Any, ...]) -> socket.socket:
    family, kind, protocol, _, (host, *_rest) = info
    if not is_public(host):
        raise OSError("not a public address")
    return socket.socket(family, kind, protocol)
