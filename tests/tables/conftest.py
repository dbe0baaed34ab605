"""Fixtures: an open world per test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.store.conftest import database, template
from tests.store.database import Database
from tests.tables.world import World

__all__ = ["database", "template", "world"]


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    """An empty database with tables of Pebbles."""
    world = await World(database).open()
    yield world
    await world.close()
