"""Several members on one PostgreSQL: at any moment, at most one member holds a shard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest

from bot.cluster import leases, roster
from bot.cluster.leases import Leases
from bot.cluster.members import Member, assignment, parse_shard_ids
from bot.config import CannotRun
from bot.store import LeaseLost, Unavailable
from bot.store.sharing import Shards
from bot.tables import NotOurs
from tests import postgres
from tests.cluster.conftest import SetTime
from tests.store.conftest import database, template
from tests.store.database import SERVER_ALONE, Database
from tests.waiting import until

__all__ = ["database", "template"]

pytestmark = SERVER_ALONE

COUNT = 6
ALL_SHARDS = frozenset(range(COUNT))
IN_TIME_S = 20.0
NEVER_S = 600.0
"""Longer than any test lasts."""
SHORT_S = 1.5
"""Seconds after which the server ends a silent session, in tests for which it has to."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make members poll often, with the program's timeouts, as a busy machine may delay them."""
    for name, seconds in {
        "POLL_S": 0.03,
        "LEAVE_S": 0.5,
        "LINGER_S": 0.0,
        "TURN_S": 0.02,
    }.items():
        monkeypatch.setattr(leases, name, seconds)
    monkeypatch.setattr(roster, "BACK_S", 0.2)


@pytest.fixture
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """End silent sessions soon."""
    monkeypatch.setattr(leases, "SILENT_S", SHORT_S)
    monkeypatch.setattr(leases, "TRUSTED_S", SHORT_S - 0.2)


class Process(Leases):
    """A member that records its callbacks and can fail like a process."""

    def __init__(
        self, cluster: Cluster, name: str, shard_ids: str = "all", count: int = COUNT, **more: bool
    ) -> None:
        super().__init__(cluster.url, name, parse_shard_ids(shard_ids), count, **more)
        self.events: list[tuple[str, frozenset[int]]] = []
        self.offline: Collection[int] = ()
        """The shards that cannot reach Discord."""
        self.on_taken = self._taken
        self.on_lost = lambda shards: self.events.append(("lost", shards))
        self.on_left = lambda shards: self.events.append(("left", shards))
        self.connected = lambda: self._held.keys() - {*self.offline}
        self.keeping: asyncio.Task[None] | None = None
        self._cluster = cluster
        self._may_run, self._is_stalled = asyncio.Event(), asyncio.Event()
        self._may_run.set()

    @property
    def held(self) -> frozenset[int]:
        return self.shards().held

    async def _taken(self, shards: frozenset[int]) -> None:
        self.events.append(("taken", shards))

    async def _take(self, shards: Collection[int]) -> None:
        await super()._take(shards)
        self._cluster.compare()

    async def _pause(self) -> None:
        await super()._pause()
        self._is_stalled.set()
        await self._may_run.wait()

    def shards_of(self, event: str) -> frozenset[int]:
        return frozenset().union(*(shards for each, shards in self.events if each == event))

    async def join(self, *, starts: bool = True) -> Process:
        await self.take()
        if starts:
            self.begin()
        self.keeping = asyncio.create_task(self.maintain())
        self._cluster.alive.append(self)
        return self

    async def stall(self) -> None:
        self._may_run.clear()
        self._is_stalled.clear()
        await asyncio.wait_for(self._is_stalled.wait(), IN_TIME_S)

    def wake(self) -> None:
        self._may_run.set()

    async def kill(self) -> None:
        self._cluster.alive.remove(self)
        assert self.keeping is not None
        self.keeping.cancel()
        await asyncio.gather(self.keeping, return_exceptions=True)
        await self.close()

    async def stop(self) -> None:
        await self.leave()
        await self.kill()


class Cluster:
    """All members on a database, compared each time one takes a shard."""

    def __init__(self, database: Database) -> None:
        self.url = database.url
        self.database = database
        self.alive: list[Process] = []
        self.wrong: list[str] = []

    async def add_member(
        self, name: str, shard_ids: str = "all", *, starts: bool = True
    ) -> Process:
        return await Process(self, name, shard_ids).join(starts=starts)

    async def two(self) -> tuple[Process, Process]:
        """Return two members with half of the shards each, connected."""
        both = await self.add_member("a-1"), await self.add_member("b-2")
        await self.settle()
        return both

    def compare(self) -> None:
        held = [shard for each in self.alive for shard in each.held]
        if len(held) != len(set(held)):
            self.wrong.append(str([(each.name, each.held) for each in self.alive]))

    async def settle(self) -> None:
        members = [Member(each.name, each.count, each._shard_ids) for each in self.alive]
        plan = assignment(members[0].shards, members)

        def is_settled(process: Process) -> bool:
            due = {shard for shard in plan if plan[shard] == process.name}
            notified = {shard for shard, held in process._held.items() if held.is_notified}
            announced = {shard for shard, held in process._held.items() if held.is_announced}
            return process.held == due == notified == announced | {*process.offline} & due

        await until(lambda: all(map(is_settled, self.alive)))

    async def end(self) -> None:
        for process in [*self.alive]:
            await process.kill()


def shard_ids_of(process: Process) -> dict[str, str]:
    """Return the shard ids of all members as one sees them."""
    return {name: each.shard_ids.text for name, each in process.roster.members.items()}


@pytest.fixture
async def cluster(database: Database) -> AsyncIterator[Cluster]:
    """A cluster without members."""
    cluster = Cluster(database)
    yield cluster
    await cluster.end()
    assert cluster.wrong == []


@asynccontextmanager
async def unreachable(database: Database) -> AsyncIterator[None]:
    async with postgres.connected(str(database.server)) as connection:
        allow = f"ALTER DATABASE {database.name} WITH ALLOW_CONNECTIONS"
        await connection.execute(f"{allow} false")
        end = (
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            f" WHERE datname = '{database.name}'"
        )
        # A session may end late, or have connected just now.
        while await connection.fetchval(end):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        try:
            yield
        finally:
            await connection.execute(f"{allow} true")


async def test_the_first_member_takes_all_shards_and_a_second_half_of_them(
    cluster: Cluster,
) -> None:
    first = await cluster.add_member("a-1")
    await cluster.settle()
    assert first.held == first.shards_of("taken") == ALL_SHARDS
    assert first.shards() == Shards(COUNT, ALL_SHARDS)
    fence = first.fence(4 << 22)
    assert fence.shard == 4
    assert first.holds(fence)
    assert first.owns(None)

    # A member that has not started gets no shards.
    second = await cluster.add_member("b-2", starts=False)
    await until(lambda: shard_ids_of(first) == {"a-1": "all", "b-2": ""})
    assert second.held == frozenset()
    second.begin()
    await cluster.settle()
    assert len(second.held) == COUNT // 2
    # A shard that is taken again gets another fence.
    moved = min(second.held)
    await second.stop()
    await cluster.settle()
    assert first.fence(moved << 22).number > COUNT
    assert first.takeovers == COUNT // 2


async def test_an_error_about_another_shard_count_names_the_running_member(
    cluster: Cluster,
) -> None:
    first = await Process(cluster, "a-1", count=4).join()
    for shard_ids, count, message in (
        ("all", 8, "SHARDS is 8 here, but 4 in the running process a-1"),
        ("3-7", 4, "SHARD_IDS names shard 4, but the 4 shards"),
    ):
        with pytest.raises(CannotRun, match=message):
            await Process(cluster, "b-2", shard_ids, count).join()
    # With SHARDS=auto a process adopts the count of the running ones.
    assert (await Process(cluster, "d-3", count=9, is_auto=True).join()).count == 4
    # A member that reconnects to others with another count ends.
    await cluster.database.execute("UPDATE members SET shards = 8 WHERE name = 'd-3'")
    first._connection.terminate()
    assert first.keeping is not None
    with pytest.raises(CannotRun, match="8 in the running process d-3"):
        await asyncio.wait_for(first.keeping, IN_TIME_S)


async def test_a_lost_shard_stays_connected_until_its_new_holder_is(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEAVE_S", NEVER_S)
    first = await cluster.add_member("a-1")
    await cluster.settle()
    second = Process(cluster, "b-2", "0-1")
    second.offline = ALL_SHARDS
    await second.join()
    await cluster.settle()
    assert first.shards_of("lost") == second.held
    moved = min(second.held)
    assert first.is_leaving(moved)
    with pytest.raises(NotOurs):
        first.fence(moved << 22)
    third = await cluster.add_member("c-3")
    await cluster.settle()
    stopping = asyncio.create_task(first.stop())
    await until(lambda: not first.held)
    assert moved not in first.shards_of("left")

    second.offline = ()
    await asyncio.wait_for(stopping, IN_TIME_S)
    assert first.shards_of("left") == ALL_SHARDS
    # The last member does not wait, nor does one wait for a successor that never connects.
    monkeypatch.setattr(leases, "LEAVE_S", 0.1)
    third.offline = ALL_SHARDS
    for last in (second, third):
        await asyncio.wait_for(last.stop(), IN_TIME_S)


@pytest.mark.usefixtures("short_timeouts")
async def test_a_member_without_answers_knows_that_its_leases_are_over(
    cluster: Cluster,
) -> None:
    first, second = await cluster.two()
    fences = [first.fence(shard << 22) for shard in first.held]
    first.events.clear()
    await first.stall()
    await until(lambda: second.held == ALL_SHARDS)
    assert first.held == frozenset()
    with pytest.raises(Unavailable):
        first.check()
    first.wake()
    await cluster.settle()
    assert first.shards_of("lost") == {fence.shard for fence in fences}
    for fence in fences:
        with pytest.raises(LeaseLost):
            first.check([fence])


async def test_a_member_that_returns_soon_keeps_its_shards_as_do_all_after_an_outage(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "BACK_S", IN_TIME_S)
    first, second = await cluster.two()
    before = first.held, second.held
    for each in (first, second):
        each.events.clear()
    first._connection.terminate()
    await until(lambda: first.shards_of("lost") == before[0])
    await cluster.settle()
    async with unreachable(cluster.database):
        await until(lambda: not first.is_held and not second.is_held)
        with pytest.raises(Unavailable):
            await first.claim(1, 0, alone=False)
    await cluster.settle()
    assert before == (first.held, second.held)
    assert second.shards_of("lost") == before[1]


@pytest.mark.slow
@pytest.mark.usefixtures("short_timeouts")
async def test_a_silent_network_is_noticed(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await cluster.add_member("a-1")
    await cluster.settle()
    monkeypatch.setattr(Process, "answer_s", 0.3)
    async with postgres.connected(cluster.url) as other:
        await other.execute("BEGIN")
        await other.execute("LOCK TABLE members IN ACCESS EXCLUSIVE MODE")
        await until(lambda: first.shards_of("lost") == ALL_SHARDS and not first.is_held)
        await other.execute("ROLLBACK")
    await cluster.settle()


async def test_only_one_member_answers_an_interaction_or_identifies_at_a_time(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await cluster.two()
    shard = min(first.held)
    for _ in range(2):
        # A repeated claim gets the same answer.
        assert await first.claim(7, shard, alone=False)
        assert not await second.claim(7, shard, alone=True)
    # No one answers in place of a connected holder.
    assert not await second.claim(8, shard, alone=False)
    assert await second.claim(9, shard, alone=True)
    assert not await first.claim(9, shard, alone=False)
    await until(lambda: shard in second.roster.ready)
    first.offline = ALL_SHARDS
    await until(lambda: shard not in second.roster.ready)
    assert await second.claim(10, shard, alone=False)

    monkeypatch.setattr(leases, "IDENTIFY_EVERY_S", 0.3)
    start, turns = asyncio.get_running_loop().time(), list[float]()

    async def take(by: Process, bucket: int) -> None:
        await by.identify_turn(bucket)
        turns.append(asyncio.get_running_loop().time() - start)

    await asyncio.gather(*(take(by, 0) for by in (first, first, second)), take(second, 1))
    assert sum(at < 0.3 for at in turns) <= 2
    assert sorted(turns)[-1] >= 0.6


@pytest.mark.slow
async def test_two_processes_with_the_same_name_are_warned_once_each(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await cluster.add_member("one-3fa9c1"), await cluster.add_member("one-77b0e2")
    await cluster.add_member("two-5ad210")
    await cluster.settle()
    assert "duplicate PROCESS_NAME" not in caplog.text
    for one, other in ((first, second), (second, first)):
        one.roster._namesakes[other.name] -= NEVER_S
        message = f"own={one.name} other={other.name}"
        await until(lambda message=message: message in caplog.text)  # type: ignore[misc]
    assert caplog.text.count("duplicate PROCESS_NAME") == 2


async def test_a_takeover_is_retried_after_a_database_error_and_ends_the_member_after_others(
    cluster: Cluster,
) -> None:
    first, calls = Process(cluster, "a-1"), 0

    async def taken(_: frozenset[int]) -> None:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise Unavailable("not yet")

    first.on_taken = taken
    await first.join()
    await cluster.settle()
    assert calls == 3
    await first.stop()

    async def fails(_: frozenset[int]) -> None:
        raise ZeroDivisionError

    second = Process(cluster, "b-2")
    second.on_taken = fails
    await second.join()
    assert second.keeping is not None
    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(second.keeping, IN_TIME_S)


async def test_a_shard_lost_during_its_takeover_is_reported_as_lost_afterwards(
    cluster: Cluster,
) -> None:
    first, started, may_end = Process(cluster, "a-1"), asyncio.Event(), asyncio.Event()

    async def taken(shards: frozenset[int]) -> None:
        started.set()
        await may_end.wait()
        first.events.append(("taken", shards))

    first.on_taken = taken
    await first.join()
    await started.wait()
    await first._give_up([0])
    may_end.set()
    await cluster.settle()
    events = [event for event, shards in first.events if 0 in shards]
    assert events == ["lost", "taken", "lost", "taken"]


async def test_a_member_that_cannot_reach_discord_leaves_its_shards_to_others_and_retries(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = SetTime()
    # Start at the time of the real clock, which was used so far.
    time.at = roster.now()
    first, second = await cluster.two()
    for module in (leases, roster):
        monkeypatch.setattr(module, "now", time)
    before = first.held
    first.events.clear()
    patience_s = leases.UNCONNECTED_S + leases.UNCONNECTED_SHARD_S * COUNT

    async def advance(seconds: float) -> None:
        # In steps shorter than leases are trusted, with a poll by both members after each.
        for _ in range(round(seconds / 5)):
            time.at += 5.0
            await until(
                lambda enough=time.at + leases.TRUSTED_S: (  # type: ignore[misc]
                    min(first._deadline, second._deadline) >= enough
                )
            )

    # If Discord is unreachable for all, or one shard is connected, all members keep their shards.
    for lost in ((ALL_SHARDS, ALL_SHARDS), (before - {min(before)}, ())):
        first.offline, second.offline = lost
        await advance(patience_s + 10)
        assert (first.shards_of("lost"), second.shards_of("lost")) == (frozenset(), frozenset())
    first.offline = ALL_SHARDS
    await advance(patience_s - 10)
    assert first.held == before
    await advance(20)
    await until(lambda: second.held == ALL_SHARDS)
    assert first.is_resting
    await advance(leases.REST_S)
    await cluster.settle()
    assert first.held == before

    # A resting member continues when there is no other.
    first.offline = ALL_SHARDS
    await advance(patience_s + 10)
    await until(lambda: second.held == ALL_SHARDS)
    await second.kill()
    await until(lambda: "b-2" in first.roster._absent)
    # A little longer, because of rounding.
    time.at += 1.1 * roster.BACK_S
    await until(lambda: first.held == ALL_SHARDS)


async def test_a_standby_member_runs_shards_that_no_other_may(cluster: Cluster) -> None:
    first = await cluster.add_member("a-1", "0-2")
    await cluster.settle()
    assert first.roster.plan.keys() == first.held == {0, 1, 2}
    assert shard_ids_of(first) == {"a-1": "0-2"}
    standby = await cluster.add_member("b-2", "7/9")
    await cluster.settle()
    assert standby.held == {3, 4, 5}


@pytest.mark.slow
@pytest.mark.usefixtures("short_timeouts")
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_fails_a_shard_is_never_held_twice_and_held_again_in_time(
    cluster: Cluster, seed: int
) -> None:
    random, names = Random(seed), iter(range(1000))
    for _ in range(3):
        await cluster.add_member(f"m-{next(names)}")
    for _ in range(12):
        process = random.choice(cluster.alive)
        match random.choice(["join", "kill", "stop", "stall", "wake", "lose", "cut", "settle"]):
            case "join" if len(cluster.alive) < 5:
                with suppress(Unavailable):
                    await cluster.add_member(f"m-{next(names)}")
            case "kill" if len(cluster.alive) > 1:
                await process.kill()
            case "stop" if len(cluster.alive) > 1:
                process.wake()
                await process.stop()
            case "stall":
                await process.stall()
            case "wake":
                process.wake()
            case "lose" if process._connection is not None:
                process._connection.terminate()
            case "cut":
                async with unreachable(cluster.database):
                    await asyncio.sleep(random.uniform(0, 2 * SHORT_S))
            case _:
                await asyncio.sleep(random.uniform(0, SHORT_S))
    for process in cluster.alive:
        process.wake()
    await cluster.settle()
