"""A cluster on the stand-in, over an empty database on the session's server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from bot.cluster.roster import now
from bot.local import Standin, guilds_on_each
from bot.local.interactions import ACKNOWLEDGE_S
from tests import postgres
from tests.cluster.cluster import TIMES, UNHURRIED, Cluster, cluster_on
from tests.store.conftest import bare as database
from tests.store.database import Database

__all__ = ["database"]

SHARED = pytest.mark.skipif(not postgres.IS_EXPECTED, reason="no PostgreSQL: see CONTRIBUTING.md")
"""For what several processes share a server for."""
PATIENT_S = 30.0
"""How long people wait for an answer who must get one, however busy the machine is."""
LENIENT: Mapping[str, float] = {
    **UNHURRIED,
    # Where people wait longer than Discord does, presses are not too old sooner, and processes that
    # end answer all.
    "bot.cluster.hosting.ANSWERED_S": PATIENT_S,
    "bot.client.SHUTDOWN_S": PATIENT_S,
    "bot.cogs.post.FAREWELL": PATIENT_S,
    # Nor is a shard left without a connection, however long its successor takes for one.
    "bot.cluster.leases.LEAVE_S": PATIENT_S,
}
"""The times of members of whom everybody must get an answer."""
Make = Callable[..., AbstractAsyncContextManager[Cluster]]


class SetTime:
    """A clock that stands until it is moved on."""

    def __init__(self) -> None:
        self.at = now()

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clustered(tmp_path: Path, database: Database) -> Make:
    """Makes a cluster of so many members, not started yet, with a server on each shard.

    Where everybody `must` be answered, a busy machine is given the time that this takes.
    """

    @asynccontextmanager
    async def made(members: int, shards: int, *, must: bool = False) -> AsyncIterator[Cluster]:
        patience_s, times = (PATIENT_S, LENIENT) if must else (ACKNOWLEDGE_S, TIMES)
        async with (
            Standin(guilds=guilds_on_each(shards), acknowledge_s=patience_s) as standin,
            cluster_on(
                standin, tmp_path, database.url, members, shards=shards, times=times
            ) as cluster,
        ):
            yield cluster

    return made
