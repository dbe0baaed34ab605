"""The discord.py client of a process that runs some of Discord's shards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import discord
import pytest
from discord.gateway import DiscordWebSocket
from yarl import URL

from bot.app import make_bot, open_services
from bot.cluster.client import ShardedGameBot, recommended_shards
from bot.cogs import signs
from bot.cogs.ui.services import Services
from bot.host.gateway import point_discord_at
from bot.local import LimitKind, Standin, guilds_on_each
from bot.store.sharing import Fence, Shards
from bot.tables.core.unit_of_work import Ownership, current_fence, fenced
from bot.titles import versions_of
from bot.titles.title import Titles
from tests.store.database import empty
from tests.waiting import until

SHARDS = 3
NOW = datetime(2026, 3, 1, tzinfo=UTC)
KOGGE = Titles(versions_of("kogge"))
FEW = {name: KOGGE.signs[name] for name in ("kogge_salt", "kogge_ore")}
READY_S = 0.05
"""Seconds without a new server after which a shard is ready; on a busy machine it may have none."""
TIMEOUT_S = 30.0
NEVER_S = 600.0


class Turns:
    """Lets all shards identify at once, and counts them by bucket."""

    def __init__(self) -> None:
        self.taken: Counter[int] = Counter()
        self.free = asyncio.Event()
        self.free.set()

    async def __call__(self, bucket: int) -> None:
        await self.free.wait()
        self.taken[bucket] += 1


@pytest.fixture
async def standin() -> AsyncIterator[Standin]:
    # Long enough for a busy machine.
    async with Standin(guilds=guilds_on_each(SHARDS), acknowledge_s=TIMEOUT_S) as standin:
        with point_discord_at(standin.url):
            yield standin


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    async with open_services(empty(tmp_path / "tables.sqlite"), titles=KOGGE) as services:
        yield services


@asynccontextmanager
async def member(
    services: Services,
    standin: Standin,
    *shards: int,
    turn: Callable[[int], Awaitable[None]] | None = None,
    count: int = SHARDS,
    leads: Callable[[], bool] | None = None,
) -> AsyncIterator[ShardedGameBot]:
    client = partial(ShardedGameBot, shards=count, turn=turn or Turns())
    bot = make_bot(
        services,
        client=client,
        guild_ready_s=READY_S,
        uploads_signs=leads is not None,
        leads=leads or (lambda: True),
    )
    assert isinstance(bot, ShardedGameBot)
    working = asyncio.create_task(bot.start(standin.token))
    try:
        await until(lambda: bot.is_ready() or working.done())
        for shard in shards:
            bot.run_shard(shard)
        await until_ready(bot, *shards)
        yield bot
        await bot.close()
        await working
    finally:
        await bot.close()
        working.cancel()
        with suppress(asyncio.CancelledError, discord.ConnectionClosed):
            await working


async def until_ready(bot: ShardedGameBot, *shards: int) -> None:
    await until(lambda: bot.ready_shards == set(shards))


async def until_knows(bot: ShardedGameBot, *names: str) -> None:
    await until(lambda: {guild.name for guild in bot.guilds} == set(names))


async def ask(standin: Standin, shard: int) -> str:
    await until(lambda: standin.model.commands)
    place = standin.channel("the-harbour", f"Guild {shard}")
    answer = await standin.person("Anna").slash(place, "game mine")
    await standin.person("Anna").wait_for(lambda: answer.text, timeout=TIMEOUT_S)
    return answer.text


async def test_a_bot_runs_and_leaves_shards_on_request(
    services: Services, standin: Standin
) -> None:
    fences = list[Fence | None]()

    async def on_interaction(_: discord.Interaction) -> None:
        fences.append(current_fence())

    async with member(services, standin) as bot:
        bot.add_listener(on_interaction)
        assert bot.ready_shards == set()
        assert standin.gateway.shards() == {}

        # A second call does nothing.
        for shard in (2, 2, 0):
            with fenced(Fence(shard, 1, 1, NOW)):
                bot.run_shard(shard)
        await until_ready(bot, 0, 2)
        await until_knows(bot, "Guild 0", "Guild 2")
        assert standin.gateway.shards() == standin.limiter.starts == {0: 1, 2: 1}
        assert await ask(standin, 2)

        await bot.leave_shard(2)
        await bot.leave_shard(2)
        assert bot.ready_shards == bot.running.keys() == {0}
        await until_knows(bot, "Guild 0")
        await until(lambda: standin.gateway.shards() == {0: 1})
        assert bot.get_shard(2) is None
        assert await ask(standin, 0)

        bot.run_shard(2)
        await until_ready(bot, 0, 2)
        await until_knows(bot, "Guild 0", "Guild 2")
    # Interactions do not run under the fence with which their shard was started.
    assert fences == [None, None]


async def test_a_shard_that_is_left_while_cut_off_or_before_its_turn_does_not_connect(
    services: Services, standin: Standin
) -> None:
    turns = Turns()
    async with member(services, standin, 0, 1, turn=turns) as bot:
        standin.gateway.drop_sockets()
        await bot.leave_shard(1)
        # The bot may notice the lost connection late, and be ready before and after.
        await until(lambda: standin.gateway.shards() == {0: 1})
        turns.free.clear()
        bot.run_shard(1)
        await asyncio.sleep(0)
        await bot.leave_shard(1)
        turns.free.set()
        # A shard that identifies too early tries again.
        standin.limits.identify_every_s = NEVER_S
        bot.run_shard(2)
        await until(lambda: standin.limiter.violations)
        standin.limits.identify_every_s = None
        await until_ready(bot, 0, 2)
        assert {each.kind for each in standin.limiter.violations} == {LimitKind.IDENTIFY}
        assert standin.gateway.shards() == {0: 1, 2: 1}
        assert bot.running.keys() == {0, 2}


async def test_interrupted_sessions_resume_and_lost_ones_wait_for_their_turn(
    services: Services, standin: Standin
) -> None:
    standin.limits.max_concurrency = 2
    turns, resumed = Turns(), set[int]()

    async def on_shard_resumed(shard: int) -> None:
        resumed.add(shard)

    async with member(services, standin, 0, 1, 2, turn=turns) as bot:
        bot.add_listener(on_shard_resumed)
        standin.gateway.drop_sockets()
        await until(lambda: resumed == {0, 1, 2})
        await until_ready(bot, 0, 1, 2)
        assert turns.taken == {0: 2, 1: 1}
        assert await ask(standin, 1)

        turns.free.clear()
        standin.gateway.invalidate_sessions()
        await until_ready(bot)
        assert turns.taken == {0: 2, 1: 1}
        turns.free.set()
        await until_ready(bot, 0, 1, 2)
        assert turns.taken == {0: 4, 1: 2}


async def test_a_shard_whose_first_connection_fails_identifies_by_another_turn(
    services: Services, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns()
    async with member(services, standin, turn=turns) as bot:
        with monkeypatch.context() as patch:
            patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", URL("ws://127.0.0.1:1"))
            bot.run_shard(0)
            await until(lambda: turns.taken[0] > 1)
        await until_ready(bot, 0)
        assert standin.limiter.starts == {0: 1}


async def test_every_shard_is_answered_by_its_process_and_the_first_syncs_commands(
    services: Services, standin: Standin
) -> None:
    async with member(services, standin, 1, 2):
        assert not standin.faults.asked("PUT", "*/commands")
        async with member(services, standin, 0):
            for shard in range(SHARDS):
                assert await ask(standin, shard)
    assert all(each.deliveries == 1 for each in standin.interactions.opened)
    assert len(standin.faults.asked("PUT", "*/commands")) == 1


async def test_a_permanent_refusal_by_discord_ends_the_bot(
    services: Services, standin: Standin
) -> None:
    refused = make_bot(services, client=partial(ShardedGameBot, shards=SHARDS, turn=Turns()))
    with pytest.raises(discord.LoginFailure):
        await refused.login("another.token")
    await refused.close()
    standin.limits.needs_shards = True
    for code, count, shard in ((4010, SHARDS, SHARDS), (4011, 1, 0), (4004, SHARDS, 0)):
        if code == 4004:
            standin.limits.session_starts = 0
        bot = make_bot(services, client=partial(ShardedGameBot, shards=count, turn=Turns()))
        assert isinstance(bot, ShardedGameBot)
        await bot.login(standin.token)
        bot.run_shard(shard)
        with pytest.raises(discord.ConnectionClosed) as closed:
            await bot.connect()
        assert closed.value.code == code
        assert bot.is_closed()


class OwnsAll(Ownership):
    """The ownership of a process that holds all shards."""

    def shards(self) -> Shards | None:
        return Shards(SHARDS, frozenset(range(SHARDS)))


async def test_one_process_uploads_signs_and_the_others_read_them(
    standin: Standin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KOGGE, "signs", FEW)
    monkeypatch.setattr(signs, "MIN_POLL_S", 0.01)
    monkeypatch.setattr(signs, "MAX_POLL_S", 0.01)
    # After a refusal the bot checks again, as another process may have uploaded it.
    refused = standin.faults.fail("POST", "*/emojis", status=400, times=1)
    async with (
        open_services(
            empty(tmp_path / "shared.sqlite"), titles=KOGGE, ownership=OwnsAll()
        ) as services,
        open_services(empty(tmp_path / "others.sqlite"), titles=KOGGE) as others,
        member(others, standin, 1, leads=lambda: False),
    ):
        await until(lambda: standin.faults.asked("GET", "*/emojis"))
        assert others.signs == {}
        async with member(services, standin, 0, leads=lambda: True):
            await until(lambda: services.signs.keys() == others.signs.keys() == FEW.keys())
        assert others.signs == services.signs
    assert refused.hits


async def test_the_language_of_a_server_that_another_process_knows_is_asked_for(
    services: Services, standin: Standin
) -> None:
    guild = standin.model.guild_named("Guild 1")
    guild.locale = "it"
    async with member(services, standin, 0) as bot:
        await until_knows(bot, "Guild 0")
        for known in (guild.id, standin.model.guild_named("Guild 0").id):
            table = await services.tables.lobby.open("kogge", 1, "Anna", known, 1)
            locale = (await services.server_words(bot, table.guild)).locale
            assert locale == ("it" if known == guild.id else "en")
        assert bot.get_guild(guild.id) is None
        assert len(standin.faults.asked("GET", "*/guilds/*")) == 1
    standin.limits.shards = 7
    assert await recommended_shards(standin.token) == 7
