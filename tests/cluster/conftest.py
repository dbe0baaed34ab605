"""Fixtures: a cluster on the stand-in, with an empty database on the session's server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from bot.cluster.roster import now
from bot.local import Standin, guilds_on_each
from bot.local.interactions import ACKNOWLEDGE_S
from tests import postgres
from tests.cluster.cluster import PATIENT_TIMES, TIMES, Cluster, cluster_on
from tests.store.conftest import bare as database
from tests.store.database import Database

__all__ = ["database"]

SHARED = pytest.mark.skipif(not postgres.IS_EXPECTED, reason="no PostgreSQL: see CONTRIBUTING.md")
"""For tests of several processes that share a server."""
PATIENT_S = 30.0
"""How long people wait for an answer that they must get, however busy the machine is."""
LENIENT: Mapping[str, float] = {
    **PATIENT_TIMES,
    # People wait longer than Discord does, so old interactions are still answered, also by stopping
    # processes.
    "bot.cluster.hosting.ANSWERED_S": PATIENT_S,
    "bot.client.SHUTDOWN_S": PATIENT_S,
    "bot.cogs.post.SHUTDOWN_S": PATIENT_S,
    # A shard stays connected however long its new holder takes to connect.
    "bot.cluster.leases.LEAVE_S": PATIENT_S,
}
"""The times of members that must answer all people."""
Make = Callable[..., AbstractAsyncContextManager[Cluster]]


class SetTime:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = now()

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clustered(tmp_path: Path, database: Database) -> Make:
    """Create a cluster that is not yet started, with a server on each shard.

    If all people `must` be answered, limits are long enough for a busy machine.
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
