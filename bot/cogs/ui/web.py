"""Requests to web addresses that people have set.

Such an address could lead into the host's own network, also later, by another answer of its name
server. So each connection is checked when it is made.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from bot.tables import Rejected

MAX_ADDRESS = 400
"""Characters of an address."""
HTTPS_PORT = 443
MIN_PORT = 1024
"""Other ports below it belong to other services."""
LOOKUP_S = 4.0
"""Seconds for finding an address by its name."""
TIMEOUT_S = 10.0
"""Seconds for a whole request."""
NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
"""Addresses that a router translates to IPv4 addresses."""


async def check_address(address: str) -> None:
    """Check that posts may be sent there.

    Raise webhook_not_https, webhook_with_password, bad_webhook_port, bad_webhook, webhook_not_found
    or webhook_not_public.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port or HTTPS_PORT
    except ValueError:
        raise Rejected("bad_webhook") from None
    if parts.scheme != "https":
        raise Rejected("webhook_not_https")
    if "@" in parts.netloc:
        raise Rejected("webhook_with_password")
    is_plain = address.isascii() and address.isprintable() and not {*' \\"<>'} & {*address}
    if not host or not is_plain or len(address) > MAX_ADDRESS:
        raise Rejected("bad_webhook")
    if port != HTTPS_PORT and port < MIN_PORT:
        raise Rejected("bad_webhook_port", least=MIN_PORT)
    try:
        async with asyncio.timeout(LOOKUP_S):
            loop = asyncio.get_running_loop()
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Rejected("webhook_not_found") from None
    if not all(is_public(str(info[4][0])) for info in found):
        raise Rejected("webhook_not_public")


async def post(address: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send JSON to an address and return the HTTP status. Its answer is not read.

    Raise aiohttp.ClientError or OSError.
    """
    connector = aiohttp.TCPConnector(socket_factory=_public_socket, force_close=True)
    async with (
        aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
            headers={"Content-Type": "application/json", "User-Agent": "kontor"},
        ) as session,
        session.post(address, data=body, headers=headers, allow_redirects=False) as answer,
    ):
        return answer.status


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        is_translated = any(ip in network for network in NAT64)
        if ip.ipv4_mapped or ip.sixtofour or ip.teredo or ip.is_site_local or is_translated:
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved)


def _public_socket(info: tuple[Any, ...]) -> socket.socket:
    family, kind, protocol, _, (host, *_rest) = info
    if not is_public(host):
        raise OSError("not a public address")
    return socket.socket(family, kind, protocol)
