"""Fixtures: a database per test, of each kind that there is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio

from tests.store.database import SERVER, Database

KINDS = [pytest.param(None, id="sqlite"), pytest.param(SERVER, id="postgresql")]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def template() -> AsyncIterator[str]:
    """The database on the server that the others are copies of: all tables, nothing in them."""
    if SERVER is None:
        yield ""
        return
    made = Database(Path(uuid4().hex), SERVER)
    async with made.there():
        await (await made.open()).close()
        yield made.name


@pytest.fixture(params=KINDS[:1] if SERVER is None else KINDS)
async def database(
    tmp_path: Path, request: pytest.FixtureRequest, template: str
) -> AsyncIterator[Database]:
    """A database with nothing in it."""
    database = Database(tmp_path, request.param)
    async with database.there(template):
        yield database
