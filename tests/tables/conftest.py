"""Fixtures: an open world for each test, by default on a SQLite file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.store.conftest import created, template
from tests.store.database import FILE, Database, Template
from tests.tables.world import World

__all__ = ["database", "template", "world"]


@pytest.fixture
async def database(
    tmp_path: Path, request: pytest.FixtureRequest, template: Template
) -> AsyncIterator[Database]:
    async with created(getattr(request, "param", FILE), tmp_path, template) as database:
        yield database


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    world = await World(database).open()
    yield world
    await world.close()
