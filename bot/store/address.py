"""What the URL of a database must look like. It may hold a password: no message quotes it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from bot.store.errors import BadAddress

SQLITE, POSTGRESQL = "sqlite", "postgresql"
EARLIER = {"sqlite+aiosqlite": SQLITE, "postgresql+asyncpg": POSTGRESQL}
"""What older versions called them."""
MEMORY = ("", ":memory:")


def check_address(url: str) -> None:
    """Raise BadAddress where the bot cannot store its tables at that URL."""
    scheme, slashes, rest = url.partition("://")
    scheme = EARLIER.get(scheme, scheme)
    if not slashes:
        raise BadAddress(
            f"it is no URL such as {SQLITE}:///var/games.sqlite or"
            f" {POSTGRESQL}://user:password@host:5432/name"
        )
    if scheme == SQLITE:
        _check_file(rest)
    elif scheme == POSTGRESQL:
        _check_server(url)
    else:
        raise BadAddress(f"it begins with neither {SQLITE}: nor {POSTGRESQL}:")


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for one in memory, or for a server."""
    scheme, _, rest = url.partition("://")
    name = rest.partition("/")[2].partition("?")[0]
    return None if EARLIER.get(scheme, scheme) != SQLITE or name in MEMORY else Path(name)


def _check_file(rest: str) -> None:
    host, _, path = rest.partition("/")
    name, asked, _ = path.partition("?")
    if host:
        raise BadAddress(
            f"a file is named after three slashes, {SQLITE}:///var/games.sqlite, or after four"
            " where its path begins with one"
        )
    if name in MEMORY:
        raise BadAddress(
            "it names no file: a database in memory would lose all games when the bot stops"
        )
    if asked or name.startswith("file:") or "\0" in name:
        raise BadAddress(
            f"after {SQLITE}:/// there is the path of a file, without 'file:' or anything after '?'"
        )
    if Path(name).is_dir():
        raise BadAddress("it names a folder, not a file")


def _check_server(url: str) -> None:
    if url.count("@") > 1:
        raise BadAddress("an @ in a user's name or password is written %40 there")
    try:
        port = urlsplit(url).port
    except ValueError as error:
        raise BadAddress("a port is a number up to 65535") from error
    if port == 0:
        raise BadAddress("a port is a number up to 65535")
