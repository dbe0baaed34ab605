"""A stand-in of one's own for each test, with the sample bot connected where asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.local import Channel, Person, Standin
from tests.local.bots import SampleBot, running


@pytest_asyncio.fixture(loop_scope="session")
async def standin() -> AsyncIterator[Standin]:
    """In memory, on a free port."""
    async with Standin() as standin:
        yield standin


@pytest_asyncio.fixture(loop_scope="session")
async def bot(standin: Standin) -> AsyncIterator[SampleBot]:
    """The sample bot, ready."""
    async with running(SampleBot(), standin) as bot:
        yield bot


@pytest.fixture
def anna(standin: Standin) -> Person:
    """The owner of the server."""
    return standin.person("Anna")


@pytest.fixture
def bert(standin: Standin) -> Person:
    """Somebody else."""
    return standin.person("Bert")


@pytest.fixture
def harbour(standin: Standin) -> Channel:
    """The first channel."""
    return standin.channel("the-harbour")
