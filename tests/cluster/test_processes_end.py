"""Processes that are killed, stopped for a while, or stopped and started one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from bot.cluster import leases
from bot.local.faults import Request
from tests.cluster.cluster import Cluster, Member
from tests.cluster.conftest import SHARED, Make
from tests.cluster.judge import judge
from tests.cluster.players import Player, at_play, harbour, sit_down

pytestmark = SHARED

ITALIAN = (("edition", "italian"),)
"""The shortest games of Kogge."""
KILLS = 4
HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
PROMISED_S = 30
"""Seconds within which the others have the shards of one that is lost."""
OWN_S = leases.TTL_S + leases.POLL_S + 2 * leases.ANSWER_S
"""The most seconds that this takes by the program's own times: the last sign of life, given just
before the end, counts for `TTL_S`; another member looks `POLL_S` later at most; the look in which
it frees the shards, and the next, in which it takes them, may last `ANSWER_S` each."""


def test_the_times_of_the_program_keep_what_operators_are_promised() -> None:
    said = " ".join(HOSTING.read_text(encoding="utf-8").split())
    assert f"the others have its shards within {PROMISED_S} seconds" in said
    assert OWN_S < PROMISED_S


async def two_at_a_table(cluster: Cluster, shard: int, *names: str) -> list[Player]:
    """Two people of whom one plays by direct messages."""
    standin, home = cluster.standin, harbour(cluster.standin, shard)
    people = [standin.person(name) for name in names]
    table = await sit_down(standin, "kogge", *people, home=home, options=ITALIAN)
    return [
        Player(standin, each, table, home=home, by_dm=bool(number))
        for number, each in enumerate(people)
    ]


async def killed_at_random(
    cluster: Cluster, victim: Member, rng: Random, players: Sequence[Player]
) -> None:
    """It dies at one of its next requests to Discord, which is still carried out; or once these
    games are over, after which nothing may be requested any more."""
    left = rng.randint(1, 12)

    def strike(request: Request) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            victim.process.strike()
            requests.remove(strike)

    requests = cluster.standin.faults.on_request

    def is_due() -> bool:
        return left == 0 or all(each.is_over for each in players)

    requests.append(strike)
    await cluster.standin.model.until(is_due)
    if strike in requests:
        requests.remove(strike)
    await victim.kill()


async def test_whoever_is_killed_is_replaced_and_nothing_is_lost(clustered: Make) -> None:
    rng = Random(13)
    async with clustered(4, 4) as cluster:
        await cluster.start()
        players = [
            *await two_at_a_table(cluster, 1, "Anna", "Bert"),
            *await two_at_a_table(cluster, 2, "Clara", "Dirk"),
        ]
        async with at_play(players):
            for number in range(KILLS):
                held = await cluster.whole(*cluster.running)
                # Direct messages, commands and digests are at shard 0, the tables at the others.
                victim = cluster.holder(held, number % 3)
                await killed_at_random(cluster, victim, rng, players)
                await cluster.whole(*cluster.running)
                await victim.launch()
        await judge(cluster, players)


async def test_a_process_that_stands_still_does_nothing_twice_when_it_goes_on(
    clustered: Make,
) -> None:
    async with clustered(2, 2) as cluster:
        stalled = cluster.holder(await cluster.start(), 1)
        (other,) = [each for each in cluster.members if each is not stalled]
        players = await two_at_a_table(cluster, 1, "Anna", "Bert")
        async with at_play(players):
            await players[0].sees_more_posts()
            stalled.process.stall()
            await cluster.records.until_held(2, {other.called})
            await players[0].sees_more_posts(2)
            stalled.process.wake()
            await cluster.whole(*cluster.members)
        await judge(cluster, players)


async def test_a_rolling_restart_loses_no_press(clustered: Make) -> None:
    async with clustered(2, 2, must=True) as cluster:
        await cluster.start()
        players = [
            *await two_at_a_table(cluster, 1, "Anna", "Bert"),
            *await two_at_a_table(cluster, 0, "Clara", "Dirk"),
        ]
        async with at_play(players):
            for member in cluster.members:
                assert await member.process.stop() == 0
                await cluster.whole(*cluster.running)
                await cluster.start(member)
        assert [each.unanswered for each in players] == [[], [], [], []]
        await judge(cluster, players)
