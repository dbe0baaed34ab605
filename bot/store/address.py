"""URLs of databases. They may hold a password, so no message quotes them."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from bot.store.errors import BadAddress

SQLITE, POSTGRESQL = "sqlite", "postgresql"
EARLIER = {"sqlite+aiosqlite": SQLITE, "postgresql+asyncpg": POSTGRESQL}
"""The names that older versions used."""
MEMORY = ("", ":memory:")


def check_address(url: str) -> None:
    """Raise BadAddress if the bot cannot store its tables at that URL."""
    scheme, slashes, rest = url.partition("://")
    scheme = EARLIER.get(scheme, scheme)
    if not slashes:
        raise BadAddress(
            f"it must be a URL such as {SQLITE}:///var/games.sqlite or"
            f" {POSTGRESQL}://user:password@host:5432/name"
        )
    if scheme == SQLITE:
        _check_file(rest)
    elif scheme == POSTGRESQL:
        _check_server(url)
    else:
        raise BadAddress(f"it must start with {SQLITE}: or {POSTGRESQL}:")


def sqlite_file(url: str) -> Path | None:
    """Return the file of a SQLite database; None for one in memory, or for a server."""
    scheme, _, rest = url.partition("://")
    name = rest.partition("/")[2].partition("?")[0]
    return None if EARLIER.get(scheme, scheme) != SQLITE or name in MEMORY else Path(name)


def _check_file(rest: str) -> None:
    host, _, path = rest.partition("/")
    name, query, _ = path.partition("?")
    if host:
        raise BadAddress(
            f"write a file after three slashes, {SQLITE}:///var/games.sqlite, or after four if its"
            " path starts with one"
        )
    if name in MEMORY:
        raise BadAddress(
            "it names no file: a database in memory loses all games when the bot stops"
        )
    if query or name.startswith("file:") or "\0" in name:
        raise BadAddress(
            f"after {SQLITE}:/// write only the path of a file, without 'file:' or '?'"
        )
    if Path(name).is_dir():
        raise BadAddress("it names a folder, not a file")


def _check_server(url: str) -> None:
    if url.count("@") > 1:
        raise BadAddress("write an @ in the user name or password as %40")
    try:
        port = urlsplit(url).port
    except ValueError as error:
        raise BadAddress("the port must be a number from 1 to 65535") from error
    if port == 0:
        raise BadAddress("the port must be a number from 1 to 65535")
