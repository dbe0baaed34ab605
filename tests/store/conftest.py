"""Fixtures: a database per test, of each kind that there is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from tests import postgres
from tests.store.database import FILE, KINDS, Database, Template


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def template() -> AsyncIterator[Template]:
    """What databases on the server begin as."""
    made = Template()
    yield made
    await made.drop()


@asynccontextmanager
async def made(kind: str, folder: Path, template: Template) -> AsyncIterator[Database]:
    """Within the block a database of that kind with nothing in it."""
    if kind == FILE:
        yield Database(folder)
        return
    database = Database(folder, postgres.session_url())
    async with database.there(await template.name()):
        yield database


@pytest.fixture
async def bare(tmp_path: Path) -> AsyncIterator[Database]:
    """A database of PostgreSQL without any tables, as an operator has made it."""
    database = Database(tmp_path, postgres.session_url())
    async with database.there():
        yield database


@pytest.fixture(params=KINDS)
async def database(
    tmp_path: Path, request: pytest.FixtureRequest, template: Template
) -> AsyncIterator[Database]:
    async with made(request.param, tmp_path, template) as database:
        yield database
