"""People play for minutes on end while processes, lines and the server fail, one after another.

    python -m tests.cluster.soak MINUTES [--members N] [--seed S] [--real]

Each round plays one game of Kogge on every shard; all that people were answered, that was recorded
and posted is compared at its end. With `--real` all times are those of the program.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random

from bot.local import Standin, guilds_on_each
from tests import postgres
from tests.cluster.cluster import TIMES, Cluster, Member, cluster_on
from tests.cluster.judge import judge
from tests.cluster.players import Player, at_play, harbour, sit_down
from tests.postgres import Postgres

FAULTS = ("kill", "restart", "stall", "cut", "freeze", "crash")
PEOPLE = ("Anna", "Bert", "Clara", "Dirk")
LONGEST_S = {False: 6.0, True: 60.0}
"""How long something is amiss, by whether the times are real."""
WELL_S = 120.0
LOOK_AGAIN_S = 0.2


def say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Soak:
    """What goes wrong, and what has become of it."""

    def __init__(self, cluster: Cluster, server: Postgres, rng: Random, longest_s: float) -> None:
        self.counts: Counter[str] = Counter()
        self._cluster = cluster
        self._server = server
        self._rng = rng
        self._longest_s = longest_s

    async def round(self, number: int) -> list[Player]:
        await self._well()
        standin, players = self._cluster.standin, []
        for shard in range(self._cluster.shards):
            home = harbour(standin, shard)
            people = [standin.person(name) for name in self._rng.sample(PEOPLE, 2)]
            table = await sit_down(
                standin, "kogge", *people, home=home, options=(("edition", "italian"),)
            )
            players += [
                Player(standin, each, table, seed=number, home=home, by_dm=self._rng.random() < 0.5)
                for each in people
            ]
        async with at_play(players):
            while not all(each.is_over for each in players):
                fault = self._rng.choice(FAULTS)
                victim = self._rng.choice(self._cluster.members)
                self.counts[fault] += 1
                await self._fail(fault, victim)
                started = time.monotonic()
                await self._cluster.whole(*self._cluster.members)
                say(f"  {fault} {victim.name}: whole after {time.monotonic() - started:.1f} s")
        await judge(self._cluster, players)
        return players

    async def _well(self) -> None:
        """Wait until every member says so: before that, whoever opens a table may be put off."""
        async with asyncio.timeout(WELL_S):
            for member in self._cluster.members:
                while not (await member.health()).get("healthy"):  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_AGAIN_S)

    async def _fail(self, fault: str, victim: Member) -> None:
        for_s = self._rng.random() * self._longest_s
        match fault:
            case "kill":
                await victim.kill()
                await asyncio.sleep(for_s)
                await victim.launch()
            case "restart":
                assert await victim.process.stop() == 0
                await victim.launch()
            case "stall":
                victim.process.stall()
                await asyncio.sleep(for_s)
                victim.process.wake()
            case "cut" | "freeze":
                getattr(victim.line, fault)()
                await asyncio.sleep(for_s)
                victim.line.mend()
            case "crash":
                await asyncio.to_thread(self._server.stop, "immediate")
                await asyncio.sleep(for_s / 4)
                await asyncio.to_thread(self._server.start)


async def soak(minutes: float, members: int, seed: int, *, real: bool) -> None:
    """Play rounds until the time is up. Raises AssertionError where something is not right."""
    ends, rng = time.monotonic() + minutes * 60, Random(seed)
    times: Mapping[str, float] = {} if real else TIMES
    with postgres.own_server() as server, tempfile.TemporaryDirectory() as folder:
        async with (
            Standin(guilds=guilds_on_each(members)) as standin,
            cluster_on(
                standin, Path(folder), server.url, members, shards=members, times=times
            ) as cluster,
        ):
            await cluster.start()
            made, number = Soak(cluster, server, rng, LONGEST_S[real]), 0
            try:
                while time.monotonic() < ends:
                    number += 1
                    players = await made.round(number)
                    presses = sum(len(each.presses) for each in players)
                    unanswered = sum(len(each.unanswered) for each in players)
                    say(f"round {number}: {presses} presses, {unanswered} unanswered")
            finally:
                say(dict(made.counts))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--members", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="the program's own times")
    args = parser.parse_args()
    asyncio.run(soak(args.minutes, args.members, args.seed, real=args.real))


if __name__ == "__main__":
    main()
