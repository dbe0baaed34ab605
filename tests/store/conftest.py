"""Fixtures: a database for each test, of each available kind."""

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
    """The template of the databases on the server."""
    template = Template()
    yield template
    await template.drop()


@asynccontextmanager
async def created(kind: str, folder: Path, template: Template) -> AsyncIterator[Database]:
    """Yield an empty database of that kind."""
    if kind == FILE:
        yield Database(folder)
        return
    database = Database(folder, postgres.session_url())
    async with database.created(await template.name()):
        yield database


@pytest.fixture
async def bare(tmp_path: Path) -> AsyncIterator[Database]:
    """A PostgreSQL database without any tables, as an operator creates it."""
    database = Database(tmp_path, postgres.session_url())
    async with database.created():
        yield database


@pytest.fixture(params=KINDS)
async def database(
    tmp_path: Path, request: pytest.FixtureRequest, template: Template
) -> AsyncIterator[Database]:
    async with created(request.param, tmp_path, template) as database:
        yield database
