"""Fixtures: a database per test, of each kind that there is."""

from __future__ import annotations

from collections.abc import AsyncIterator
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


@pytest.fixture(params=KINDS)
async def database(
    tmp_path: Path, request: pytest.FixtureRequest, template: Template
) -> AsyncIterator[Database]:
    """A database with nothing in it."""
    if request.param == FILE:
        yield Database(tmp_path)
        return
    database = Database(tmp_path, postgres.session_url())
    async with database.there(await template.name()):
        yield database
