"""Several processes on one PostgreSQL: used in parallel, stopped, killed and cut off."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from bot.cluster import leases, roster
from bot.local import Standin, guilds_on_each
from bot.local.faults import Request
from tests import postgres
from tests.cluster.cluster import IDENTIFY_EVERY_S, Cluster, Member, cluster_on
from tests.cluster.conftest import SHARED, Make
from tests.cluster.judge import judge
from tests.cluster.players import Player, at_play, harbour
from tests.wire.players import TIMEOUT_S, sit_down

pytestmark = SHARED

PARTS = ("bot.store", "bot.tables", "bot.cluster")
"""Packages that log an outage of the database."""
HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
PROMISED_S = 30
"""Seconds within which others take the shards of a lost process."""
TAKEOVER_S = roster.SILENT_S + roster.BACK_S + 2 * (leases.POLL_S + leases.ANSWER_S)
"""The maximum by the program's times: the server ends a silent session after `SILENT_S`, another
member polls at most `POLL_S` later and waits `BACK_S`; each of its two polls may take `ANSWER_S`.
"""


def test_a_takeover_is_as_fast_as_the_hosting_page_promises() -> None:
    text = " ".join(HOSTING.read_text(encoding="utf-8").split())
    assert f"the others have its shards within {PROMISED_S} seconds" in text
    assert TAKEOVER_S < PROMISED_S
    # A new holder claims interactions for longer than the old one stays connected.
    assert leases.LEAVE_S + leases.LINGER_S < leases.SETTLE_S
    assert leases.TRUSTED_S < roster.SILENT_S


async def two_at_a_table(cluster: Cluster) -> list[Player]:
    """Seat Anna in a thread, and Bert in direct messages, which arrive at another shard."""
    standin, home = cluster.standin, harbour(cluster.standin, 1)
    people = [standin.person(name) for name in ("Anna", "Bert")]
    # No faults yet, so wait for all answers.
    answers = standin.interactions
    before, answers.acknowledge_s = answers.acknowledge_s, TIMEOUT_S
    # The shortest games of Kogge.
    await sit_down(standin, *people, home=home, options={"edition": "italian"})
    answers.acknowledge_s = before
    return [Player(standin, each, home=home, by_dm=each is people[1]) for each in people]


@pytest.mark.slow
async def test_a_whole_game_goes_on_through_a_rolling_restart(clustered: Make) -> None:
    async with clustered(2, 2, must=True) as cluster:
        standin = cluster.standin
        standin.limits.global_per_second = 50
        standin.limits.identify_every_s = IDENTIFY_EVERY_S
        # One after the other, as a second process would sync the commands too.
        for member in cluster.members:
            await cluster.start(member)
        assert len(standin.faults.asked("PUT", "/applications/*/commands")) == 1
        # Direct messages arrive at shard 0, and the table is at the other one.
        players = await two_at_a_table(cluster)
        async with at_play(players):
            for member in cluster.members:
                assert await member.process.stop() == 0
                await cluster.whole(*cluster.running)
                await cluster.start(member)
        assert [each.unanswered for each in players] == [[], []]
        await judge(cluster, players)
        assert list(standin.limiter.violations) == []
        for member in cluster.members:
            member.process.ask_to_stop()
        assert [await each.process.exit_status() for each in cluster.members] == [0, 0]
        assert "Traceback" not in cluster.log()


async def killed_at_random(
    cluster: Cluster, victim: Member, rng: Random, players: Sequence[Player]
) -> None:
    """Kill a member at one of its next requests to Discord, or at the end of the games.

    The request is still executed.
    """
    left = rng.randint(1, 12)

    def strike(request: Request) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            victim.process.send_kill()

    cluster.standin.faults.on_request.append(strike)
    await cluster.standin.model.until(lambda: left <= 0 or all(each.is_over for each in players))
    cluster.standin.faults.on_request.remove(strike)
    await victim.kill()


@pytest.mark.slow
async def test_a_process_that_dies_hangs_or_loses_the_database_is_replaced(
    clustered: Make,
) -> None:
    rng = Random(13)
    async with clustered(2, 2) as cluster:
        await cluster.start()
        players = await two_at_a_table(cluster)
        async with at_play(players):
            for fault in ("kill", "stall", "kill", "cut", "silence"):
                victim = cluster.holder(await cluster.whole(*cluster.members), 1)
                (other,) = [each for each in cluster.members if each is not victim]
                await players[0].sees_another_post()
                if fault == "kill":
                    await killed_at_random(cluster, victim, rng, players)
                elif fault == "stall":
                    victim.process.stall()
                else:
                    victim.network.is_silent = True
                    if fault == "cut":
                        victim.network.cut()
                await cluster.records.until_held(2, {other.process_name})
                await players[0].sees_another_post()
                if fault == "kill":
                    await victim.launch()
                victim.process.wake()
                victim.network.is_silent = False
            await cluster.whole(*cluster.members)
        await judge(cluster, players)


@pytest.mark.slow
async def test_a_server_that_crashes_and_comes_back_takes_no_action_with_it(
    tmp_path: Path,
) -> None:
    with postgres.own_server() as server:
        async with (
            Standin(guilds=guilds_on_each(2)) as standin,
            cluster_on(standin, tmp_path, server.url, 2, shards=2) as cluster,
        ):
            await cluster.start()
            players = await two_at_a_table(cluster)
            async with at_play(players):
                await players[0].sees_another_post()
                await asyncio.to_thread(server.stop, "immediate")
                await asyncio.to_thread(server.start)
                await cluster.whole(*cluster.members)
            await judge(cluster, players)
            # Each part of each member logs the outage once, and its end once.
            for member in cluster.members:
                lines = member.log().splitlines()
                assert not [
                    line for line in lines if "Traceback" in line or "never retrieved" in line
                ]
                parts = Counter(line.split()[3] for line in lines if " WARNING bot." in line)
                of_database = [count for part, count in parts.items() if part.startswith(PARTS)]
                assert max(of_database) <= 2, member.log()


@pytest.mark.slow
async def test_a_process_with_another_shard_count_is_refused_with_a_reason(clustered: Make) -> None:
    # With long times, so that the running process is not taken for dead.
    async with clustered(2, 2, must=True) as cluster:
        first, second = cluster.members
        await cluster.start(first)
        await second.launch(SHARDS="3")
        assert await second.process.exit_status() == 2
        assert second.log().count("\n") == 1, second.log()
        assert "SHARDS" in second.log()
        await second.process.clear()
        # With the same count it may join.
        await cluster.start(second)
