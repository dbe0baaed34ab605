"""Databases of the bench's own: in a file, or on a server, where they are made and dropped."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

PREFIX = "kontor_bench_"
"""With which the names of the databases on a server begin."""


@asynccontextmanager
async def in_file() -> AsyncIterator[str]:
    """The URL of a SQLite database, in a folder that is removed afterwards."""
    with TemporaryDirectory() as folder:
        yield f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}"


@asynccontextmanager
async def on_server(server: str) -> AsyncIterator[str]:
    """The URL of an empty database on the server of that URL, dropped afterwards."""
    name = PREFIX + secrets.token_hex(4)
    await _execute(server, f"CREATE DATABASE {name}")
    try:
        yield sa.make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        await _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


@asynccontextmanager
async def connection(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection that begins and ends no transaction by itself."""
    async with engine(url, isolation_level="AUTOCOMMIT") as made, made.connect() as connected:
        yield connected


@asynccontextmanager
async def engine(url: str, **options: Any) -> AsyncIterator[AsyncEngine]:
    """An engine that keeps no connection; the options are those of SQLAlchemy."""
    made = create_async_engine(url, poolclass=NullPool, **options)
    try:
        yield made
    finally:
        await made.dispose()


async def size(url: str) -> int:
    """The bytes that the tables of a database and their indexes take, without the dead rows."""
    async with connection(url) as connected:
        if connected.dialect.name == "sqlite":
            await connected.execute(sa.text("VACUUM"))
            found = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        else:
            await connected.execute(sa.text("VACUUM FULL"))
            # As a server does by itself, sooner or later.
            await connected.execute(sa.text("VACUUM ANALYZE"))
            found = (
                "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
            )
        return int(await connected.scalar(sa.text(found)) or 0)


async def _execute(server: str, statement: str) -> None:
    async with connection(server) as connected:
        await connected.execute(sa.text(statement))
