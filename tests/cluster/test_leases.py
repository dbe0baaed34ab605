"""Several members on one PostgreSQL: at every moment a shard is nobody's or one member's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from bot.cluster import handover, leases, reach
from bot.cluster.holdings import Holdings, now
from bot.cluster.leases import Leases
from bot.cluster.members import CannotJoin, Member, assignment, parse_may
from bot.store import Unavailable
from bot.store.leases import LeaseSession
from bot.store.sharing import Fence, Shards
from bot.tables.core.errors import NotOurs
from tests.cluster.conftest import SetTime
from tests.store.conftest import database, template
from tests.store.database import SERVER_ALONE, Database
from tests.waiting import until

__all__ = ["database", "template"]

pytestmark = SERVER_ALONE

COUNT = 6
EVERYTHING = frozenset(range(COUNT))
IN_TIME_S = 20.0
NEVER_S = 600.0
"""Longer than any test lasts."""
SOON_S = 1.2
"""Seconds after which somebody is missed, in tests for which somebody has to be."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Members look often; but nobody is missed, for a busy machine holds everybody up, until a test
    wants it (`Cluster.soon_missed`), and answers may take as long as they do for the program."""
    for name, seconds in {"TTL_S": NEVER_S, "RENEW_S": 0.2, "POLL_S": 0.03}.items():
        monkeypatch.setattr(leases, name, seconds)
    monkeypatch.setattr(handover, "LEAVE_S", 0.5)
    monkeypatch.setattr(handover, "LINGER_S", 0.0)


class Process:
    """A member, what it was told, and the ways in which a process can fail."""

    def __init__(self, cluster: Cluster, name: str, made: Leases) -> None:
        self.name = name
        self.leases = made
        self.told: list[tuple[str, frozenset[int]]] = []
        self.looks = 0
        """How often it has looked at everything to the end."""
        self._cluster = cluster
        self._may_go_on, self._stands = asyncio.Event(), asyncio.Event()
        self._may_go_on.set()
        self._round = made._round
        made._round = self._gated  # type: ignore[method-assign]

    async def _gated(self, session: LeaseSession) -> bool:
        if not self._may_go_on.is_set():
            self._stands.set()
            await self._may_go_on.wait()
        is_done = await self._round(session)
        self.looks += 1
        return is_done

    @property
    def held(self) -> frozenset[int]:
        return self.leases.shards().held

    def begin(self) -> None:
        async def taken(shards: frozenset[int]) -> None:
            self.told.append(("taken", shards))
            for shard in shards:
                self.leases.connected(shard)

        self.leases.begin(
            taken,
            lambda shards: self.told.append(("lost", shards)),
            lambda shards: self.told.append(("left", shards)),
        )

    def heard(self, what: str) -> frozenset[int]:
        return frozenset().union(*(shards for said, shards in self.told if said == what))

    async def stall(self) -> None:
        self._may_go_on.clear()
        await asyncio.wait_for(self._stands.wait(), IN_TIME_S)
        timer = self.leases._holdings._timer
        if timer is not None:
            timer.cancel()

    def wake(self) -> None:
        self._stands.clear()
        self._may_go_on.set()

    async def looked(self) -> None:
        # The next one to end may have begun before.
        enough = self.looks + 2
        await until(lambda: self.looks >= enough)

    async def kill(self) -> None:
        await self.leases._background.stop()
        self.leases._holdings.end()
        await self.leases._store.close()
        self._cluster.alive.remove(self)

    async def stop(self) -> None:
        self._cluster.alive.remove(self)
        await self.leases.leave()
        await self.leases.__aexit__(None, None, None)


class Cluster:
    """All members on a database. Each time one has more than before, all are compared."""

    def __init__(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.url = url
        self.alive: list[Process] = []
        self.fences: dict[tuple[int, int], Holdings] = {}
        self._holdings: list[Holdings] = []
        self._monkeypatch = monkeypatch

    async def soon_missed(self, *processes: Process) -> None:
        """From now on these are taken for dead soon after they fall silent."""
        self._missed_after(SOON_S)
        for each in processes:
            # A sign of life that is under way may still count for long in the database.
            await each.looked()
            each.leases._renew_at = 0.0
            await each.looked()

    def none_missed(self) -> None:
        self._missed_after(NEVER_S)

    def _missed_after(self, seconds: float) -> None:
        self._monkeypatch.setattr(leases, "TTL_S", seconds)

    async def joins(self, name: str, may: str = "all", count: int = COUNT) -> Process:
        process = await self.enters(name, Leases(self.url, name, parse_may(may), count))
        process.begin()
        return process

    async def two(self) -> tuple[Process, Process]:
        """Two that have half of the shards each."""
        both = await self.joins("a"), await self.joins("b")
        await self.settles()
        return both

    async def enters(self, name: str, made: Leases) -> Process:
        process = Process(self, name, made)
        self._holdings.append(made._holdings)

        async def entered() -> bool:
            # The times here are short, and the machine may be busy.
            with suppress(Unavailable):
                await made.__aenter__()
                return True
            return False

        await until(entered)
        self.alive.append(process)
        return process

    def compare(self) -> None:
        held = [shard for each in self._holdings for shard in each.held()]
        assert len(held) == len(set(held)), "a shard is held twice"
        for each in self._holdings:
            for shard in each.held():
                fence = each.fence(shard)
                assert fence is not None
                assert self.fences.setdefault((shard, fence), each) is each

    async def settles(self) -> None:
        members = [
            Member(process.name, process.leases.count, process.leases._may)
            for process in self.alive
        ]
        plan = assignment(members[0].shards, members)
        await until(
            lambda: all(
                process.held == {shard for shard in plan if plan[shard] == process.name}
                and process.held == process.leases._announcer.told
                for process in self.alive
            )
        )

    async def end(self) -> None:
        for process in list(self.alive):
            process.wake()
            self.alive.remove(process)
            await process.leases.__aexit__(None, None, None)


@pytest.fixture
async def cluster(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cluster]:
    """Nobody yet."""
    made = Cluster(database.url, monkeypatch)
    add, extend = Holdings.add, Holdings.extend
    wrong: list[BaseException] = []

    def checked_add(self: Holdings, fences: Mapping[int, int]) -> frozenset[int]:
        new = add(self, fences)
        compare()
        return new

    def checked_extend(self: Holdings, deadline: float) -> None:
        extend(self, deadline)
        compare()

    def compare() -> None:
        try:
            made.compare()
        except AssertionError as error:
            wrong.append(error)

    monkeypatch.setattr(Holdings, "add", checked_add)
    monkeypatch.setattr(Holdings, "extend", checked_extend)
    yield made
    await made.end()
    assert not wrong


@asynccontextmanager
async def out_of_reach(database: Database) -> AsyncIterator[None]:
    engine = create_async_engine(str(database.server), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        allow = f"ALTER DATABASE {database.name} WITH ALLOW_CONNECTIONS"
        await connection.execute(sa.text(f"{allow} false"))
        end = sa.text(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            f" WHERE datname = '{database.name}'"
        )
        # Whoever is told to end may still do something before, or have been let in just now.
        while await connection.scalar(end):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        try:
            yield
        finally:
            await connection.execute(sa.text(f"{allow} true"))
    await engine.dispose()


async def test_the_first_member_takes_all_shards_and_a_second_half_of_them(
    cluster: Cluster,
) -> None:
    first = await cluster.joins("a")
    await asyncio.wait_for(first.leases.wait_until_taken(), IN_TIME_S)
    assert first.held == first.heard("taken") == EVERYTHING
    assert first.leases.shards() == Shards(COUNT, EVERYTHING)
    fence = first.leases.fence(4 << 22)
    assert fence == Fence("shard:4", 1)
    assert first.leases.holds(fence)
    assert not first.leases.holds(Fence("shard:4", 2))
    assert first.leases.owns(None)

    # Nobody waits for a member that has not begun.
    second = await cluster.enters("b", Leases(cluster.url, "b", parse_may("all"), COUNT))
    await until(lambda: len(first.leases.members()) == 2)
    assert second.held == frozenset()
    assert {member.name for member in first.leases.members()} == {"a", "b"}
    second.begin()
    await cluster.settles()
    assert len(second.held) == COUNT // 2


@pytest.mark.slow
async def test_two_with_the_same_member_are_told_once_each(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await cluster.joins("one-3fa9c1"), await cluster.joins("one-77b0e2")
    await cluster.joins("two-5ad210")
    await cluster.settles()
    # A process that was killed and started again has not told it for longer than that.
    assert "same MEMBER" not in caplog.text
    for one, other in ((first, second), (second, first)):
        one.leases._namesakes[other.name] -= NEVER_S
        for _ in range(2):
            await one.looked()
        assert caplog.text.count(f"it is {other.name}, this is {one.name}") == 1
    assert caplog.text.count("same MEMBER") == 2


async def test_a_shard_is_handed_over_and_its_connection_kept_until_the_successor_has_one(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "LEAVE_S", IN_TIME_S)
    first = await cluster.joins("a")
    await first.leases.wait_until_taken()
    second = await cluster.enters("b", Leases(cluster.url, "b", parse_may("0-1"), COUNT))
    taken = asyncio.Event()

    async def told(_: frozenset[int]) -> None:
        taken.set()

    second.leases.begin(told)
    await taken.wait()
    assert second.held
    moved = next(iter(second.held))
    assert first.heard("lost") >= {moved}
    assert first.leases.is_leaving(moved)
    assert not first.leases.is_held(moved)
    with pytest.raises(NotOurs):
        first.leases.fence(moved << 22)
    # Meanwhile both know that nobody else hears it.
    await asyncio.sleep(0)
    assert first.heard("left") == frozenset()

    second.leases.connected(moved)

    await until(lambda: first.heard("left") >= {moved})
    assert not first.leases.is_leaving(moved)


async def test_who_stops_leaves_all_to_others_and_the_last_one_waits_for_nobody(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nor for the end of leases: it is long enough for any machine.
    monkeypatch.setattr(handover, "LEAVE_S", NEVER_S)
    first, second = await cluster.two()
    mine, fence = first.held, second.leases.fence(min(second.held) << 22)
    await asyncio.wait_for(first.stop(), IN_TIME_S)
    assert second.held == EVERYTHING
    assert first.heard("left") >= mine
    assert second.leases.takeovers >= len(mine)
    await asyncio.wait_for(second.stop(), IN_TIME_S)
    again = await cluster.joins("c")
    await cluster.settles()
    assert again.leases.fence(min(second.heard("taken") - mine) << 22).number > fence.number


async def test_who_stands_still_knows_without_an_answer_that_nothing_is_its_own(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "SETTLE_S", NEVER_S)
    first, second = await cluster.two()
    lost = first.held
    # A shard is settled when nobody else can still hear it.
    assert not first.leases.is_settled(min(lost))
    monkeypatch.setattr(leases, "SETTLE_S", 0.1)
    await until(lambda: first.leases.is_settled(min(lost)))
    await cluster.soon_missed(first)
    first.told.clear()
    await first.stall()
    cluster.none_missed()

    await until(lambda: second.held == EVERYTHING)
    assert first.held == frozenset()
    assert not first.leases.is_settled(min(lost))
    for shard in lost:
        before = [
            fence
            for (of, fence), who in cluster.fences.items()
            if of == shard and who is first.leases._holdings
        ]
        assert second.leases.fence(shard << 22).number == max(before) + 1
    first.wake()
    await cluster.settles()
    assert first.heard("lost") == first.heard("taken") == first.held != frozenset()


@pytest.mark.slow
async def test_while_a_question_hangs_the_timer_says_what_is_lost(
    cluster: Cluster, database: Database
) -> None:
    first = await cluster.joins("a")
    await cluster.settles()

    await cluster.soon_missed(first)
    async with database.locked():
        await until(lambda: first.heard("lost") == EVERYTHING and not first.held)
        assert not first.leases.is_working
    await cluster.settles()

    # Leases that were removed are made anew.
    cluster.none_missed()
    first.told.clear()
    await database.execute("DELETE FROM leases")
    await until(lambda: first.heard("lost") == EVERYTHING)
    await cluster.settles()


@pytest.mark.slow
async def test_what_nobody_took_while_the_database_was_away_comes_back_with_the_same_fence(
    cluster: Cluster, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await cluster.two()
    before = {process.name: process.held for process in (first, second)}
    first.told.clear()
    async with out_of_reach(database):
        pass
    deadline = first.leases._holdings._deadline
    await until(lambda: first.leases._holdings._deadline > deadline)
    assert first.heard("lost") == frozenset()  # A short outage changes nothing.

    await cluster.soon_missed(first, second)
    fences = dict(cluster.fences)

    async def lapsed() -> bool:
        # In the database too, which may have heard the last sign of life later than it was given.
        return now() > gone + SOON_S and not first.held | second.held

    async with out_of_reach(database):
        gone = now()
        await until(lapsed)
        with pytest.raises(Unavailable):
            await first.leases.claim(1, 0, alone=False)
        # Whoever is back first gives the other one the time that this takes.
        cluster.none_missed()
        monkeypatch.setattr(leases, "RENEW_S", IN_TIME_S)
    await cluster.settles()
    assert {process.name: process.held for process in (first, second)} == before
    assert cluster.fences == fences


LONG_S = reach.UNCONNECTED_S + COUNT * reach.TURN_S
"""Seconds after which anybody without a connection rests who may."""


@pytest.fixture
def gateway_time(monkeypatch: pytest.MonkeyPatch) -> SetTime:
    time = SetTime()
    monkeypatch.setattr(reach, "now", time)
    return time


async def _cut_off(process: Process, shards: frozenset[int] | None = None) -> None:
    cut = process.held if shards is None else shards
    for shard in cut:
        process.leases.disconnected(shard)

    async def seen() -> bool:
        everybody = process._cluster.alive
        return not any(each.leases._rows[shard].ready for each in everybody for shard in cut)

    await until(seen)


async def _well(*processes: Process) -> None:
    async def seen() -> bool:
        rows = [row for each in processes for row in each.leases._rows.values()]
        return all(row.ready for row in rows)

    await until(seen)


@pytest.mark.slow
async def test_who_has_no_connection_for_long_leaves_all_to_who_has_and_tries_again(
    cluster: Cluster, gateway_time: SetTime
) -> None:
    first, second = await cluster.two()
    await _well(first, second)
    before = first.held
    await _cut_off(first)
    gateway_time.at += reach.UNCONNECTED_S - 1
    await first.looked()
    assert first.held == before

    gateway_time.at += LONG_S
    await until(lambda: second.held == EVERYTHING)
    gateway_time.at += reach.REST_S - 1
    await first.looked()
    assert first.held == frozenset()

    gateway_time.at += 1
    await cluster.settles()
    assert first.held == before

    # Who rests goes on when there is nobody else.
    await _well(first, second)
    await _cut_off(first)
    gateway_time.at += LONG_S
    await until(lambda: second.held == EVERYTHING)
    await cluster.soon_missed(second)
    await second.kill()
    await cluster.settles()
    assert first.held == EVERYTHING


async def test_who_is_connected_with_one_shard_or_cut_off_like_all_others_keeps_all(
    cluster: Cluster, gateway_time: SetTime
) -> None:
    first, second = await cluster.two()
    await _well(first, second)
    for process in (first, second):
        process.told.clear()
        await _cut_off(process)
    gateway_time.at += 2 * LONG_S
    await first.looked()
    await second.looked()
    assert not first.heard("lost") | second.heard("lost")

    one = min(first.held)
    for process in (first, second):
        for shard in process.held:
            process.leases.connected(shard)
    await _well(first, second)
    await _cut_off(first, first.held - {one})
    gateway_time.at += 2 * LONG_S
    await first.looked()
    assert first.heard("lost") == frozenset()
    assert [shard for shard in sorted(first.held) if first.leases._rows[shard].ready] == [one]


@pytest.mark.slow
async def test_nobody_rests_whose_shards_nobody_else_may_run(
    cluster: Cluster, gateway_time: SetTime
) -> None:
    first, second = await cluster.joins("a", "0-3"), await cluster.joins("b", "3-5")
    await cluster.settles()
    await _well(first, second)
    first.told.clear()
    await _cut_off(first)
    gateway_time.at += 2 * LONG_S
    await first.looked()
    assert first.heard("lost") == frozenset()
    assert second.held


async def test_who_counts_other_shards_is_told_who_is_running(cluster: Cluster) -> None:
    await cluster.joins("a", count=4)
    with pytest.raises(CannotJoin, match="SHARDS is 8 here, but 4 in the process a, which is"):
        await cluster.joins("b", count=8)
    with pytest.raises(CannotJoin, match="SHARD_IDS names shard 4, but there are 4"):
        await cluster.joins("c", may="3-7", count=4)
    # Who leaves the number to Discord takes that of those who run.
    leases = Leases(cluster.url, "d", parse_may("all"), 9, is_auto=True)
    assert (await cluster.enters("d", leases)).leases.count == 4


@pytest.mark.slow
async def test_who_comes_back_to_others_that_count_otherwise_ends(
    cluster: Cluster, database: Database
) -> None:
    async def work() -> None:
        async with Leases(cluster.url, "a", parse_may("all"), 4) as first:
            # At once: else it could be back before the other one has come.
            await database.execute("UPDATE members SET name = 'b', shards = 8 WHERE name = 'a'")
            assert first.count == 4
            await asyncio.Event().wait()

    with pytest.raises(CannotJoin, match="8 in the process b"):
        await asyncio.wait_for(work(), IN_TIME_S)


@pytest.mark.slow
async def test_what_was_lost_before_it_was_told_is_said_to_be_lost_afterwards(
    cluster: Cluster,
) -> None:
    first = await cluster.enters("a", Leases(cluster.url, "a", parse_may("all"), COUNT))
    told: list[tuple[str, frozenset[int]]] = []
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def taken(shards: frozenset[int]) -> None:
        begun.set()
        await may_end.wait()
        told.append(("taken", shards))

    first.leases.begin(taken, lambda shards: told.append(("lost", shards)))
    await begun.wait()
    await cluster.soon_missed(first)
    await first.stall()
    cluster.none_missed()

    await until(lambda: not first.held)
    first.leases._holdings._look()
    may_end.set()
    everything = EVERYTHING

    await until(lambda: len(told) == 3)
    assert told == [("lost", everything), ("taken", everything), ("lost", everything)]
    first.wake()
    await asyncio.wait_for(first.leases.wait_until_taken(), IN_TIME_S)
    assert told[-1] == ("taken", everything)


async def test_what_fails_for_want_of_the_database_is_told_again_and_an_error_ends_the_block(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cluster.announcer.RETRY_S", 0.01)
    first = await cluster.enters("a", Leases(cluster.url, "a", parse_may("all"), COUNT))
    calls = 0

    async def taken(_: frozenset[int]) -> None:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise Unavailable("not yet")

    first.leases.begin(taken)
    await asyncio.wait_for(first.leases.wait_until_taken(), IN_TIME_S)
    assert calls == 3
    await first.stop()

    async def fails(_: frozenset[int]) -> None:
        raise ZeroDivisionError

    async def work() -> None:
        async with Leases(cluster.url, "b", parse_may("all"), COUNT) as second:
            second.begin(fails)
            await asyncio.Event().wait()

    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(work(), IN_TIME_S)


@pytest.mark.slow
async def test_the_overview_says_which_shards_nobody_may_run_or_has(cluster: Cluster) -> None:
    first = await cluster.joins("a", "0-2")
    await cluster.settles()
    seen = first.leases.overview()
    assert seen.held == (0, 1, 2)
    assert seen.nobodys == (3, 4, 5)
    assert seen.free == ()
    assert seen.members == {"a": "0,1,2"}
    standby = await cluster.joins("b", "7/9")
    await cluster.settles()
    assert standby.held == {3, 4, 5}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
async def test_whatever_fails_a_shard_is_never_held_twice_and_held_again_in_time(
    cluster: Cluster, database: Database, seed: int
) -> None:
    await cluster.soon_missed()
    random = Random(seed)
    names = iter(range(1000))
    for _ in range(3):
        await cluster.joins(f"m{next(names)}")
    for _ in range(12):
        process = random.choice(cluster.alive)
        match random.choice(["join", "kill", "stop", "stall", "wake", "cut", "settle"]):
            case "join" if len(cluster.alive) < 5:
                await cluster.joins(f"m{next(names)}")
            case "kill" if len(cluster.alive) > 1:
                await process.kill()
            case "stop" if len(cluster.alive) > 1:
                process.wake()
                await process.stop()
            case "stall":
                await process.stall()
            case "wake":
                process.wake()
            case "cut":
                async with out_of_reach(database):
                    await asyncio.sleep(random.uniform(0, 2 * leases.TTL_S))
            case _:
                await asyncio.sleep(random.uniform(0, leases.TTL_S))
    for process in cluster.alive:
        process.wake()
    if not cluster.alive:
        await cluster.joins("last")
    await cluster.settles()
