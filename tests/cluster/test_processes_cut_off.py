"""Processes that do not reach their database, or one of them alone does not."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from bot.local import Standin, guilds_on_each
from tests import postgres
from tests.cluster.cluster import Cluster, cluster_on
from tests.cluster.conftest import SHARED, Make
from tests.cluster.judge import judge
from tests.cluster.players import at_play
from tests.cluster.test_processes_end import two_at_a_table

pytestmark = SHARED

PARTS = ("bot.store", "bot.tables")
"""What the database is away from; on a busy machine the leases may be late besides."""


@pytest.mark.parametrize("how", ["cut", "freeze"])
async def test_whoever_loses_the_database_alone_is_replaced_and_comes_back(
    clustered: Make, how: str
) -> None:
    async with clustered(2, 2) as cluster:
        lonely = cluster.holder(await cluster.start(), 1)
        (other,) = [each for each in cluster.members if each is not lonely]
        players = await two_at_a_table(cluster, 1, "Anna", "Bert")
        async with at_play(players):
            await players[0].sees_more_posts()
            getattr(lonely.line, how)()
            await cluster.records.until_held(2, {other.called})
            await players[0].sees_more_posts(2)
            lonely.line.mend()
            await cluster.whole(*cluster.members)
        await judge(cluster, players)


async def test_a_server_that_crashes_and_comes_back_takes_no_action_with_it(
    tmp_path: Path,
) -> None:
    with postgres.own_server() as server:
        async with (
            Standin(guilds=guilds_on_each(2)) as standin,
            cluster_on(standin, tmp_path, server.url, 2, shards=2) as cluster,
        ):
            await cluster.start()
            players = await two_at_a_table(cluster, 1, "Anna", "Bert")
            async with at_play(players):
                for _ in range(2):
                    await players[0].sees_more_posts()
                    await asyncio.to_thread(server.stop, "immediate")
                    await asyncio.to_thread(server.start)
                    await cluster.whole(*cluster.members)
            await judge(cluster, players)
            check_log(cluster, 2)


def check_log(cluster: Cluster, outages: int) -> None:
    """Each part of each member has said once that it cannot go on, and once that it does again."""
    for member in cluster.members:
        lines = member.said().splitlines()
        assert not [line for line in lines if "Traceback" in line or "never retrieved" in line]
        parts = Counter(line.split()[3] for line in lines if " WARNING bot." in line)
        of_database = [count for part, count in parts.items() if part.startswith(PARTS)]
        assert max(of_database) <= 2 * outages, member.said()
