"""What the URL of a database must look like. It may hold a password: no message quotes it."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from bot.store.errors import BadAddress

SQLITE, POSTGRESQL = "sqlite+aiosqlite", "postgresql+asyncpg"
MEMORY = ("", ":memory:")
LAST_PORT = 65535


def check_address(url: str) -> None:
    """Raises BadAddress where the bot cannot store its tables at that URL."""
    try:
        address = sa.make_url(url)
    except (ArgumentError, ValueError) as error:
        raise BadAddress(
            f"it is no URL such as {SQLITE}:///var/games.sqlite or"
            f" {POSTGRESQL}://user:password@host:5432/name"
        ) from error
    if address.drivername == SQLITE:
        _check_file(address)
    elif address.drivername == POSTGRESQL:
        _check_server(address, url)
    else:
        raise BadAddress(f"it begins with neither {SQLITE}: nor {POSTGRESQL}:")


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for one in memory, or for a server."""
    address = sa.make_url(url)
    database = address.database or ""
    if address.get_backend_name() != "sqlite" or database in MEMORY:
        return None
    return Path(database)


def _check_file(address: sa.URL) -> None:
    name = address.database or ""
    if address.host or address.username:
        raise BadAddress(
            f"a file is named after three slashes, {SQLITE}:///var/games.sqlite, or after four"
            " where its path begins with one"
        )
    if name in MEMORY:
        raise BadAddress(
            "it names no file: a database in memory would lose all games when the bot stops"
        )
    if address.query or name.startswith("file:") or "\0" in name:
        raise BadAddress(
            f"after {SQLITE}:/// there is the path of a file, without 'file:' or anything after '?'"
        )
    if Path(name).is_dir():
        raise BadAddress("it names a folder, not a file")


def _check_server(address: sa.URL, url: str) -> None:
    if url.count("@") > 1:
        raise BadAddress("an @ in a user's name or password is written %40 there")
    if address.port is not None and not 0 < address.port <= LAST_PORT:
        raise BadAddress(f"a port is a number up to {LAST_PORT}")
