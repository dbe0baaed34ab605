"""What is still done for a shard that has been given up: requests, and the connection."""

from __future__ import annotations

import aiohttp
import discord
import pytest

from bot.cluster import handover
from bot.cluster.handover import LEAVE_S, LINGER_S, Handover
from bot.cluster.late_requests import refuse_late
from bot.cluster.leases import SETTLE_S
from bot.host.discord_address import point_discord_at
from bot.local import Standin
from bot.store.leases import LeaseRow
from bot.store.sharing import Fence
from bot.tables import NotOurs
from bot.tables.core.ownership import fenced
from tests.cluster.conftest import SetTime

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
