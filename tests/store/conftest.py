"""Fixtures: a database per test, of each kind that there is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.store.database import SERVER, Database

KINDS = [pytest.param(None, id="sqlite"), pytest.param(SERVER, id="postgresql")]


@pytest.fixture(params=KINDS[:1] if SERVER is None else KINDS)
async def database(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Database]:
    """An empty database."""
    database = Database(tmp_path, request.param)
    async with database.there():
        yield database
