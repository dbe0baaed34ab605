"""Databases of tests: files, or databases on the session's PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from functools import cache
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit
from uuid import uuid4
from zlib import crc32

import pytest

from bot.store import Store, rows, sqlite
from bot.store.sql import numbered, plain
from tests import postgres

SYNCHRONOUS = sqlite.SYNCHRONOUS
"""The program's setting, which costs milliseconds per action. Tests do not lose power."""
sqlite.SYNCHRONOUS = "OFF"
FILE, SERVER = "sqlite", "postgresql"
"""The kinds of databases."""
PATIENT_MS = 9_000
"""How long a store waits for a lock. Writers may be slow, but the server's timeout is longer."""
IMPATIENT_MS = 50
"""The same in a test with a lock that is held for longer."""
WAIT_S = 20.0
"""Timeout for conditions in tests."""
FILE_ALONE = pytest.mark.parametrize("database", [FILE], indirect=True)
_IF_EXPECTED = pytest.mark.skipif(
    not postgres.IS_EXPECTED, reason="no PostgreSQL: see CONTRIBUTING.md"
)
SERVER_ALONE = pytest.mark.parametrize(
    "database", [pytest.param(SERVER, marks=_IF_EXPECTED)], indirect=True
)
"""For tests of only one kind."""
BOTH = pytest.mark.parametrize(
    "database",
    [
        FILE,
        pytest.param(SERVER, marks=[pytest.mark.slow, _IF_EXPECTED]),
    ],
    indirect=True,
)
"""For tests of both kinds; `make test` runs them only with a file."""
KINDS = [FILE, SERVER] if postgres.IS_EXPECTED else [FILE]


@cache
def _migrated() -> bytes:
    async def make(file: Path) -> None:
        await (await Store.open(f"sqlite:///{file}")).close()

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.sqlite"
        # In a thread, as an event loop may be running here.
        thread = Thread(target=lambda: asyncio.run(make(file)))
        thread.start()
        thread.join()
        return file.read_bytes()


def empty(file: Path) -> str:
    """Create a database with empty tables by copying one, and return its URL."""
    file.write_bytes(_migrated())
    return f"sqlite:///{file}"


class Database:
    """The database of a folder, always the same for the same folder.

    It is a file, or on a `server` if there is one. Its stores wait `lock_wait_ms` for locks.
    """

    def __init__(self, folder: Path, server: str | None = None) -> None:
        self.server = server
        self.lock_wait_ms = PATIENT_MS
        self.name = f"test_{crc32(str(folder).encode()):08x}"
        self.path = folder / "tables.sqlite"
        self.url = f"sqlite:///{self.path}"
        if server is not None:
            self.url = urlsplit(server)._replace(path=f"/{self.name}").geturl()

    async def open(self, member: str | None = None) -> Store:
        """Open a store on it, perhaps as a member of those that share it."""
        if self.server is None and not self.path.exists():
            empty(self.path)
        return await Store.open(self.url, lock_wait_ms=self.lock_wait_ms, member=member)

    async def execute(self, statement: str, **values: object) -> int:
        """Execute SQL without the program; return the number of rows."""
        given = {name: plain(value) for name, value in values.items()}
        if self.server is None:
            with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
                return connection.execute(statement, given).rowcount
        async with postgres.connected(self.url) as server:
            text, names = numbered(statement)
            done = await server.execute(text, *(given[name] for name in names))
        return int(done.split()[-1]) if done.split()[-1].isdigit() else 0

    async def disconnected(self) -> None:
        """Wait until no client is connected: sessions of ended clients may still hold locks."""
        if self.server is None:
            return
        async with asyncio.timeout(WAIT_S):
            while await self.execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            ):
                pass

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Lock the database as another program that writes."""
        if self.server is None:
            with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield
                connection.execute("ROLLBACK")
            return
        async with postgres.connected(self.url) as server:
            await server.execute("BEGIN")
            names = ", ".join(kind.TABLE for kind in rows.KINDS)
            await server.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
            yield
            await server.execute("ROLLBACK")

    @asynccontextmanager
    async def created(self, template: str = "template1") -> AsyncIterator[None]:
        """Create it, on a server as a copy of the template, and drop it after the block."""
        if self.server is not None:
            await self._on_server(f"CREATE DATABASE {self.name} TEMPLATE {template}")
        yield
        if self.server is not None:
            await self._on_server(f"DROP DATABASE {self.name} WITH (FORCE)")

    async def _on_server(self, statement: str) -> None:
        assert self.server is not None
        async with postgres.connected(self.server) as server:
            await server.execute(statement)


class Template:
    """A database on the server with empty tables that others are copies of, created lazily."""

    def __init__(self) -> None:
        self._made: Database | None = None
        self._stack = AsyncExitStack()

    async def name(self) -> str:
        if self._made is None:
            self._made = Database(Path(uuid4().hex), postgres.session_url())
            await self._stack.enter_async_context(self._made.created())
            await (await self._made.open()).close()
        return self._made.name

    async def drop(self) -> None:
        await self._stack.aclose()


@contextmanager
def file_limit(size: int) -> Iterator[None]:
    """Limit the size of all files of this process in bytes, as on a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
