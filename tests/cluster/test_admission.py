"""Which process answers an interaction while its shard changes hands; requests for lost shards."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot.cluster.hosting import HOLDER_S, admit
from bot.cluster.requests import limited
from bot.cogs.ui.reply import UNCLAIMED, WAITED_S
from bot.host.gateway import point_discord_at
from bot.local import Standin
from bot.store import Unavailable
from bot.store.sharing import Fence, shard_of
from bot.tables import NotOurs
from bot.tables.core.unit_of_work import fenced

SHARDS = 4
ON_TWO = 2 << 22
"""A server of shard 2."""
PRESS, TYPING = discord.InteractionType.component, discord.InteractionType.autocomplete


@dataclass
class Interaction:
    """The parts of an interaction that admission uses."""

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
    """Whether another member is connected by the time of the claim."""
    count: int = SHARDS

    def owns(self, guild: int | None) -> bool:
        return shard_of(guild, self.count) in self.held

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
    """An admission that records how long it waited."""

    def __init__(self, leases: Leases) -> None:
        self.waited = list[float]()
        self._leases = leases

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)

    async def admit(self, interaction: Interaction) -> bool:
        return await admit(
            cast(Any, self._leases),
            cast(discord.Interaction[Any], interaction),
            sleep=self._sleep,
            clock=lambda: sum(self.waited),
        )


@pytest.fixture(autouse=True)
def _frozen_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = discord.utils.utcnow()
    monkeypatch.setattr(discord.utils, "utcnow", lambda: moment)


TWO = frozenset({2})


async def test_settled_holders_and_autocompletion_need_no_claim() -> None:
    first = frozenset({0})
    for leases, interaction in (
        (Leases(TWO, TWO, is_reachable=False), Interaction()),
        # Direct messages belong to the first shard.
        (Leases(first, first), Interaction(guild_id=None)),
        (Leases(), Interaction(type=TYPING)),
    ):
        assert await Member(leases).admit(interaction)
        assert leases.claims == set()
    leases = Leases(first, first)
    assert await Member(leases).admit(Interaction())
    assert leases.claims


async def test_only_one_of_two_processes_answers_an_interaction() -> None:
    claims = set[int]()
    before, after = Member(Leases(claims=claims)), Member(Leases(TWO, claims=claims))
    press = Interaction()
    assert await after.admit(press)
    assert not await before.admit(press)
    # Only the process without the lease waits. The time it waited shortens its answer.
    assert (before.waited, after.waited) == ([HOLDER_S], [])
    assert press.extras == {WAITED_S: HOLDER_S}
    assert not await after.admit(press)


async def test_a_leaving_process_answers_at_once_if_no_other_is_connected() -> None:
    member = Member(Leases(leaving=TWO))
    assert await member.admit(Interaction())
    assert member.waited == []
    # Another member is connected by now, but has missed this interaction.
    assert await Member(Leases(leaving=TWO, is_anothers=True)).admit(Interaction())
    assert not await Member(Leases(is_anothers=True)).admit(Interaction())


async def test_an_old_interaction_is_left_to_the_holder_of_the_lease() -> None:
    for held in (True, False):
        leases = Leases(TWO if held else frozenset())
        assert await Member(leases).admit(Interaction(age=timedelta(seconds=4))) is held


async def test_a_process_that_cannot_reach_the_database_lets_others_answer_first() -> None:
    leases = Leases(leaving=TWO, is_reachable=False)
    member, press = Member(leases), Interaction()
    assert await member.admit(press)
    assert member.waited == [HOLDER_S]
    assert press.extras == {WAITED_S: HOLDER_S, UNCLAIMED: True}

    # The answer does not claim that nothing has changed: another process may be acting on it.
    holder, press = Member(Leases(TWO, is_reachable=False)), Interaction()
    assert await holder.admit(press)
    assert (holder.waited, press.extras[UNCLAIMED]) == ([], True)


FENCE = Fence(3, 7, 1, datetime(2026, 3, 1, tzinfo=UTC))


async def test_a_request_for_a_lost_lease_is_never_sent() -> None:
    held = {FENCE}

    async def lose_it(*_: object) -> None:
        held.clear()

    trace = limited(aiohttp.TraceConfig(), None, held.__contains__)
    async with Standin() as standin:
        with point_discord_at(standin.url):
            client = discord.Client(intents=discord.Intents(guilds=True), http_trace=trace)
            await client.login(standin.token)
            with fenced(FENCE):
                await client.application_info()
                held.clear()
                with pytest.raises(NotOurs):
                    await client.application_info()
            # Answers to interactions are not fenced.
            await client.application_info()
            await client.close()

            # Nor is one sent if the lease was lost while the request waited.
            held.add(FENCE)
            waited = aiohttp.TraceConfig()
            waited.on_request_start.append(lose_it)
            late = limited(waited, None, held.__contains__)
            async with aiohttp.ClientSession(trace_configs=[late]) as session:
                with fenced(FENCE), pytest.raises(NotOurs):
                    await session.get(f"{standin.url}/api/v10/gateway")
