"""Fixtures: a database per test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.store.database import Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database."""
    database = Database(tmp_path)
    async with database.there():
        yield database
