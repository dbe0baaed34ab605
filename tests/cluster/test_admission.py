"""Who answers a press that arrives while its shard changes hands, and what is still done for one
that has been given up: requests, and the connection."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot.cluster import handover
from bot.cluster.admission import HOLDER_S, Admission
from bot.cluster.handover import LEAVE_S, LINGER_S, Handover
from bot.cluster.late_requests import refuse_late
from bot.cluster.leases import SETTLE_S
from bot.cogs.ui.reply import UNCLAIMED, WAITED_S
from bot.host.gateway import point_discord_at
from bot.local import Standin
from bot.store import Unavailable
from bot.store.leases import LeaseRow
from bot.store.sharing import Fence
from bot.tables import NotOurs
from bot.tables.core.ownership import fenced
from tests.cluster.conftest import SetTime

SHARDS = 4
ON_TWO = 2 << 22
"""A server of shard 2."""
PRESS, TYPING = discord.InteractionType.component, discord.InteractionType.autocomplete


@dataclass
class Interaction:
    """As much of one as admission looks at."""

    guild_id: int | None = ON_TWO
    type: discord.InteractionType = PRESS
    age: timedelta = timedelta()
    extras: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.created_at = discord.utils.utcnow() - self.age
        self.id = discord.utils.time_snowflake(self.created_at)


@dataclass
class Leases:
    """The leases of one member, and the claims of all."""

    held: frozenset[int] = frozenset()
    settled: frozenset[int] = frozenset()
    leaving: frozenset[int] = frozenset()
    claims: set[int] = field(default_factory=set)
    is_reachable: bool = True
    is_anothers: bool = False
    """Whether somebody else is connected by the time of the claim."""

    def is_held(self, shard: int) -> bool:
        return shard in self.held

    def is_settled(self, shard: int) -> bool:
        return shard in self.settled

    def is_leaving(self, shard: int) -> bool:
        return shard in self.leaving

    async def claim(self, interaction: int, shard: int, *, alone: bool) -> bool:
        assert shard == 2
        if not self.is_reachable:
            raise Unavailable
        if self.is_anothers and not alone:
            return False
        is_first = interaction not in self.claims
        self.claims.add(interaction)
        return is_first


class Member:
    """An admission, and how long it waited."""

    def __init__(self, leases: Leases) -> None:
        self.waited = list[float]()
        self._admission = Admission(leases, SHARDS, self._sleep, lambda: sum(self.waited))

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)

    async def admit(self, interaction: Interaction) -> bool:
        return await self._admission.admit(cast(discord.Interaction[Any], interaction))


@pytest.fixture(autouse=True)
def _no_time_goes_by(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = discord.utils.utcnow()
    monkeypatch.setattr(discord.utils, "utcnow", lambda: moment)


TWO = frozenset({2})


async def test_whoever_has_held_the_lease_for_long_and_who_offers_choices_ask_nobody() -> None:
    first = frozenset({0})
    for leases, heard in (
        (Leases(TWO, TWO, is_reachable=False), Interaction()),
        # Direct messages belong to the first shard.
        (Leases(first, first), Interaction(guild_id=None)),
        (Leases(), Interaction(type=TYPING)),
    ):
        assert await Member(leases).admit(heard)
        assert leases.claims == set()
    leases = Leases(first, first)
    assert await Member(leases).admit(Interaction())
    assert leases.claims


async def test_of_two_that_hear_a_press_one_answers() -> None:
    claims = set[int]()
    before, after = Member(Leases(claims=claims)), Member(Leases(TWO, claims=claims))
    press = Interaction()
    assert await after.admit(press)
    assert not await before.admit(press)
    # Only who does not hold the lease waits for who does, and answers the sooner.
    assert (before.waited, after.waited) == ([HOLDER_S], [])
    assert press.extras == {WAITED_S: HOLDER_S}
    assert not await after.admit(press)


async def test_who_is_leaving_a_shard_that_nobody_else_hears_answers_at_once() -> None:
    member = Member(Leases(leaving=TWO))
    assert await member.admit(Interaction())
    assert member.waited == []
    # Though others hear by now, what only this one has heard is answered.
    assert await Member(Leases(leaving=TWO, is_anothers=True)).admit(Interaction())
    assert not await Member(Leases(is_anothers=True)).admit(Interaction())


async def test_what_is_too_old_to_be_answered_is_left_to_who_holds_the_lease() -> None:
    for held in (True, False):
        leases = Leases(TWO if held else frozenset())
        assert await Member(leases).admit(Interaction(age=timedelta(seconds=4))) is held


async def test_whoever_alone_does_not_reach_the_database_lets_others_answer_first() -> None:
    leases = Leases(leaving=TWO, is_reachable=False)
    lonely, press = Member(leases), Interaction()
    assert await lonely.admit(press)
    assert lonely.waited == [HOLDER_S]
    assert press.extras == {WAITED_S: HOLDER_S, UNCLAIMED: True}

    # Nor is a person told that nothing has changed: whoever does reach it may be carrying it out.
    holder, press = Member(Leases(TWO, is_reachable=False)), Interaction()
    assert await holder.admit(press)
    assert (holder.waited, press.extras[UNCLAIMED]) == ([], True)


LEASE = Fence("shard:3", 7)
ALIVE = {"a", "b"}


async def test_a_request_for_a_lost_lease_never_leaves() -> None:
    held = {LEASE}

    async def lose_it(*_: object) -> None:
        held.clear()

    trace = refuse_late(aiohttp.TraceConfig(), held.__contains__)
    async with Standin() as standin:
        with point_discord_at(standin.url):
            client = discord.Client(intents=discord.Intents(guilds=True), http_trace=trace)
            await client.login(standin.token)
            with fenced(LEASE):
                await client.application_info()
                held.clear()
                with pytest.raises(NotOurs):
                    await client.application_info()
            # Whoever presses a button is answered all the same.
            await client.application_info()
            await client.close()

            # Who lost it while they waited for their turn sends nothing either.
            held.add(LEASE)
            waited = aiohttp.TraceConfig()
            waited.on_request_start.append(lose_it)
            late = refuse_late(waited, held.__contains__)
            async with aiohttp.ClientSession(trace_configs=[late]) as session:
                with fenced(LEASE), pytest.raises(NotOurs):
                    await session.get(f"{standin.url}/api/v10/gateway")


# How long a connection to Discord is kept after its shard has been given up


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetTime:
    clock = SetTime()
    monkeypatch.setattr(handover, "now", clock)
    return clock


def held_by_b(*, ready: bool) -> dict[int, LeaseRow]:
    return {2: LeaseRow("shard:2", "b", 2, "a", ready)}


def test_a_connection_is_kept_for_a_moment_once_the_successor_has_one(clock: SetTime) -> None:
    leaving = Handover("a")
    leaving.give_up([2])
    # One who loses theirs again is waited for anew.
    for ready in (True, False, True):
        assert leaving.left(held_by_b(ready=ready), ALIVE, is_ending=True) == frozenset()
        assert leaving.pending() == {2}
        clock.at += LINGER_S / 2
    clock.at += LINGER_S / 2
    assert leaving.left(held_by_b(ready=True), ALIVE, is_ending=True) == {2}
    assert leaving.pending() == set()


def test_only_who_ends_gives_a_connection_up_that_no_successor_has(clock: SetTime) -> None:
    for is_ending in (False, True):
        leaving = Handover("a")
        leaving.give_up([2, 3])
        taken = {**held_by_b(ready=False), 3: LeaseRow("shard:3", "b", 2, "a", False)}
        assert leaving.left(taken, ALIVE, is_ending=is_ending) == frozenset()
        clock.at += LEAVE_S - 1
        # Others connect one shard after another: each that they have gives the next one time.
        taken[3] = LeaseRow("shard:3", "b", 2, "a", True)
        assert leaving.left(taken, ALIVE, is_ending=is_ending) == frozenset()
        clock.at += LINGER_S
        assert leaving.left(taken, ALIVE, is_ending=is_ending) == {3}
        clock.at += LEAVE_S - 1
        assert leaving.left(taken, ALIVE, is_ending=is_ending) == frozenset()
        clock.at += 1
        assert leaving.left(taken, ALIVE, is_ending=is_ending) == ({2} if is_ending else set())


def test_who_takes_a_shard_claims_what_they_hear_for_longer_than_another_keeps_it() -> None:
    assert LEAVE_S + LINGER_S < SETTLE_S
