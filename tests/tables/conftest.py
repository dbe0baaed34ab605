"""Fixtures: an open world per test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.tables.world import World


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An empty database with tables of Pebbles."""
    world = await World(tmp_path).open()
    yield world
    await world.close()
