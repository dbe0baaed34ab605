"""Several bot processes that share a PostgreSQL database and a Discord."""

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
"""The interval that the Discord of a test demands, which is less than members keep."""
PATIENT_TIMES: Mapping[str, float] = {
    "bot.cluster.leases.POLL_S": 0.2,
    "bot.cluster.leases.LEAVE_S": 5.0,
    "bot.cluster.leases.SETTLE_S": 30.0,
    # On a busy machine a connection is made long after its turn.
    "bot.cluster.leases.IDENTIFY_EVERY_S": IDENTIFY_EVERY_S + 1.75,
    "bot.store.server_lock.PULSE_S": 0.5,
    "bot.store.postgres.MEMBER_ANSWER_WAIT_S": 8,
    "bot.tables.core.scheduler.CHECK_EVERY_S": 1.0,
    "bot.tables.sharing.RETRY_S": 1.0,
    "bot.host.retry.MIN_PAUSE_S": 0.1,
    "bot.host.retry.MAX_PAUSE_S": 1.0,
}
"""Members act faster than in the program, but are not taken for dead any sooner: a busy machine may
delay a process by seconds."""
TIMES: Mapping[str, float] = {
    **PATIENT_TIMES,
    "bot.cluster.leases.SILENT_S": 4.0,
    "bot.cluster.leases.TRUSTED_S": 3.5,
    "bot.cluster.roster.BACK_S": 1.0,
}
"""A third of the program's times, so that a takeover takes seconds."""
SHOWN_LOG = 20_000
"""Characters of the members' logs shown with a failure."""
SHORT_FILM = {"bot.cogs.dialogues.films.MAX_FRAMES": 2}
"""A full film would take longer than its game."""


@dataclass
class Member:
    """One of the processes, with its own connection to the database."""

    name: str
    process: BotProcess
    network: Network
    env: dict[str, str]
    starts: int = 0
    """How often it has been started."""

    @property
    def process_name(self) -> str:
        """Its name since the last start, which differs from earlier ones."""
        return f"{self.name}.{self.starts}"

    async def launch(self, **env: str) -> None:
        self.starts += 1
        await self.process.launch(**{**self.env, "PROCESS_NAME": self.process_name, **env})

    async def kill(self) -> None:
        self.process.send_kill()
        await self.process.clear()

    def log(self) -> str:
        """Return its log, since the first start."""
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
        """Start some members, or all, and wait until the running ones hold all shards."""
        for each in members or self.members:
            await each.launch()
        return await self.whole(*self.running)

    @property
    def running(self) -> list[Member]:
        return [each for each in self.members if each.process.is_running]

    async def whole(self, *by: Member) -> dict[int, str]:
        """Wait until these members hold and connect all shards, each at least one.

        Returns the holder of each shard, by name. Raises AssertionError if a process ends.
        """
        holding = asyncio.create_task(self._whole({each.process_name for each in by}))
        ends = {each.process.ended for each in by}
        try:
            await asyncio.wait({holding, *ends}, return_when=asyncio.FIRST_COMPLETED)
            ended = [each for each in by if each.process.ended.done()]
            assert not ended, "\n".join(f"{m.name} has ended: {m.log()}" for m in ended)
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
        return next(each for each in self.members if each.process_name == held[shard])

    def log(self) -> str:
        return "\n".join(each.log() for each in self.members)


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
            network = Network()
            database_url = await stack.enter_async_context(network.to(url))
            process = await stack.enter_async_context(process_on(standin, own))
            process.constants.update({**times, **SHORT_FILM})
            env = {
                "DATABASE_URL": database_url,
                "SHARDS": str(shards),
                "WATCHDOG_MS": "0",
            }
            members.append(Member(f"bot{number}", process, network, env))
        cluster = Cluster(standin, Records(url), members, shards)
        try:
            yield cluster
        except BaseException as error:
            error.add_note(cluster.log()[-SHOWN_LOG:])
            raise
