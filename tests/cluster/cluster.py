"""Several bots, each in a process of its own, that share a PostgreSQL and a Discord."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.local import Standin
from tests.cluster.records import Records
from tests.store.network import Network
from tests.wire.process import ENDS_S, BotProcess, process_on

IDENTIFY_EVERY_S = 0.25
"""What the Discord of a test may demand, which is less than members keep to."""
UNHURRIED: Mapping[str, float] = {
    "bot.cluster.leases.POLL_S": 0.2,
    "bot.cluster.leases.LEAVE_S": 5.0,
    "bot.cluster.leases.SETTLE_S": 30.0,
    # On a busy machine a connection is made a good deal later than its turn came.
    "bot.cluster.leases.IDENTIFY_EVERY_S": IDENTIFY_EVERY_S + 1.75,
    "bot.store.server_lock.PULSE_S": 0.5,
    "bot.store.postgres.MEMBER_ANSWER_WAIT_S": 8,
    "bot.tables.core.scheduler.EVERY_S": 1.0,
    "bot.tables.sharing.RETRY_S": 1.0,
    "bot.host.retry.FIRST_PAUSE": 0.1,
    "bot.host.retry.LAST_PAUSE": 1.0,
}
"""What others wait for is done the sooner, but nobody is taken for dead sooner than by the program:
a busy machine holds a process up for seconds."""
TIMES: Mapping[str, float] = {
    **UNHURRIED,
    "bot.cluster.leases.SILENT_S": 4.0,
    "bot.cluster.leases.TRUSTED_S": 3.5,
    "bot.cluster.roster.BACK_S": 1.0,
}
"""A third of the program's own times, so that what takes a quarter of a minute takes seconds."""
SHOWN = 20_000
"""Characters of what the members have said that go with a failure."""
SHORT_FILM = {"bot.cogs.posting.game_over.MAX_FRAMES": 2}
"""A film costs more than its game."""


@dataclass
class Member:
    """One of the processes: its name, its own line to the database."""

    name: str
    process: BotProcess
    line: Network
    env: dict[str, str]
    lives: int = 0
    """How often it has been started."""

    @property
    def called(self) -> str:
        """What it is called in its present life, so that nobody takes a former one for it."""
        return f"{self.name}.{self.lives}"

    async def launch(self, **env: str) -> None:
        self.lives += 1
        await self.process.launch(**{**self.env, "PROCESS_NAME": self.called, **env})

    async def kill(self) -> None:
        self.process.strike()
        await self.process.clear()

    def said(self) -> str:
        """What it has told its operator, over all its lives."""
        return self.process.log.read_text()


class Cluster:
    """Members that share a database and a number of shards."""

    def __init__(
        self, standin: Standin, records: Records, members: Sequence[Member], shards: int
    ) -> None:
        self.standin = standin
        self.records = records
        self.members = members
        self.shards = shards

    async def start(self, *members: Member) -> dict[int, str]:
        """Start some, or all, and wait until those that run hold all shards."""
        for each in members or self.members:
            await each.launch()
        return await self.whole(*self.running)

    @property
    def running(self) -> list[Member]:
        return [each for each in self.members if each.process.is_running]

    async def whole(self, *by: Member) -> dict[int, str]:
        """Wait until every shard is held by one of those, who have some each, and connected.

        Returns the holder of each shard, by name. Raises AssertionError where a process ends
        instead.
        """
        holding = asyncio.create_task(self._whole({each.called for each in by}))
        ends = {each.process.ended for each in by}
        try:
            await asyncio.wait({holding, *ends}, return_when=asyncio.FIRST_COMPLETED)
            ended = [each for each in by if each.process.ended.done()]
            assert not ended, "\n".join(f"{m.name} has ended: {m.said()}" for m in ended)
            return await holding
        finally:
            holding.cancel()

    async def _whole(self, by: set[str]) -> dict[int, str]:
        found: dict[int, str] = {}
        while len(set(found.values())) < min(len(by), self.shards):
            found = await self.records.until_held(self.shards, by)
        gateway, model = self.standin.gateway, self.standin.model
        async with asyncio.timeout(ENDS_S):
            await model.until(lambda: len(gateway.shards()) == self.shards and model.commands)
        return found

    def holder(self, held: Mapping[int, str], shard: int) -> Member:
        return next(each for each in self.members if each.called == held[shard])

    def said(self) -> str:
        return "\n".join(each.said() for each in self.members)


@asynccontextmanager
async def cluster_on(
    standin: Standin,
    folder: Path,
    url: str,
    count: int,
    *,
    shards: int,
    times: Mapping[str, float] = TIMES,
) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        members = []
        for number in range(count):
            own = folder / f"member{number}"
            own.mkdir()
            line = Network()
            through = await stack.enter_async_context(line.to(url))
            process = await stack.enter_async_context(process_on(standin, own))
            process.constants.update({**times, **SHORT_FILM})
            env = {
                "DATABASE_URL": through,
                "SHARDS": str(shards),
                "WATCHDOG_MS": "0",
            }
            members.append(Member(f"bot{number}", process, line, env))
        cluster = Cluster(standin, Records(url), members, shards)
        try:
            yield cluster
        except BaseException as error:
            error.add_note(cluster.said()[-SHOWN:])
            raise
