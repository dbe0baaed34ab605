"""Two processes over one PostgreSQL: whole games, pressed through both of them at once."""

from __future__ import annotations

import asyncio
from random import Random

from bot.local import Answer, CannotDoError
from tests.cluster.cluster import IDENTIFY_EVERY_S, Cluster
from tests.cluster.conftest import SHARED, Make
from tests.cluster.judge import check_actions, judge
from tests.cluster.players import Player, harbour, sit_down
from tests.robot import BUTTON, SEALED

pytestmark = SHARED

ITALIAN = (("edition", "italian"),)
"""The shortest games of Kogge."""
TWICE = 8
"""How many actions are chosen in two places at once."""


async def test_whole_games_are_played_through_two_processes_at_once(clustered: Make) -> None:
    async with clustered(2, 2, must=True) as cluster:
        standin = cluster.standin
        standin.limits.global_per_second = 50
        standin.limits.identify_every_s = IDENTIFY_EVERY_S
        # One after the other: who comes while commands are made known would make them known too.
        for member in cluster.members:
            held = await cluster.start(member)
        assert len(set(held.values())) == 2
        anna, bert, clara, dirk = map(standin.person, ("Anna", "Bert", "Clara", "Dirk"))
        # Direct messages arrive at shard 0, and one of the tables is at the other one.
        home, away = harbour(standin, 0), harbour(standin, 1)
        cafe = await sit_down(standin, "guatemala", clara, dirk, home=home)
        kogge = await sit_down(standin, "kogge", anna, bert, home=away, options=ITALIAN)
        players = [
            Player(standin, anna, kogge, home=away),
            Player(standin, bert, kogge, home=away, by_dm=True),
            Player(standin, clara, cafe, home=home),
            Player(standin, dirk, cafe, home=home, by_dm=True),
        ]

        await asyncio.gather(*(each.play() for each in players))

        await judge(cluster, players)
        assert [each.unanswered for each in players] == [[], [], [], []]
        assert len(standin.faults.asked("PUT", "/applications/*/commands")) == 1
        assert list(standin.limiter.violations) == []
        for member in cluster.members:
            member.process.ask_to_stop()
        assert [await each.process.exit_status() for each in cluster.members] == [0, 0]
        assert "Traceback" not in cluster.said()


async def test_a_choice_made_in_two_places_at_once_is_made_once(clustered: Make) -> None:
    async with clustered(2, 2, must=True) as cluster:
        standin, home = cluster.standin, harbour(cluster.standin, 1)
        await cluster.start()
        people = [standin.person(name) for name in ("Anna", "Bert")]
        table = await sit_down(standin, "kogge", *people, home=home, options=ITALIAN)
        pairs = [
            [Player(standin, each, table, home=home, by_dm=by_dm) for by_dm in (False, True)]
            for each in people
        ]
        made, rng = 0, Random(1)
        while made < TWICE:
            here, there = (
                await people[0].wait_for(
                    lambda: next((pair for pair in pairs if pair[0].is_called), None), timeout=20.0
                )
                or pairs[0]
            )
            made += await choose_in_both(cluster, here, there, rng)
        await cluster.records.settled()
        await check_actions(cluster, [each for pair in pairs for each in pair])


async def choose_in_both(cluster: Cluster, here: Player, there: Player, rng: Random) -> bool:
    """Press the same buttons in both panels of somebody, at once, until that is an action.

    Whether it was one; there is none where others are awaited by now.
    """
    await asyncio.gather(here.open(), there.open())
    while choices := [part for part in here.choices() if part["type"] == BUTTON]:
        part = rng.choice(choices)
        both = [each.choose(part) for each in (here, there)]
        answers = await asyncio.gather(*both, return_exceptions=True)
        unforeseen = [e for e in answers if not isinstance(e, Answer | CannotDoError)]
        assert unforeseen == []
        acted = await cluster.records.acted(here.table)
        done = [a for a in answers if isinstance(a, Answer) and str(a.interaction.id) in acted]
        # What is chosen in secret may be chosen again until all have.
        changes = any(each in part["custom_id"] for each in SEALED)
        assert len(done) <= 1 + changes
        if done:
            return True
    return False
