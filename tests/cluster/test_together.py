"""Two members on one database: one acts, and the other posts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from bot.app import open_services
from bot.cluster import leases
from bot.cluster.client import ShardedGameBot
from bot.cluster.hosting import Membership
from bot.cluster.leases import Leases
from bot.cogs.post import PostCog
from bot.cogs.ui.services import Services
from bot.config import Settings
from bot.host.gateway import point_discord_at
from bot.local import Message, Standin, guilds_on_each
from bot.titles import versions_of
from bot.titles.title import Titles
from tests.cluster.conftest import SHARED
from tests.store.database import Database
from tests.waiting import until
from tests.wire.players import HARBOUR, RandomPlayer, answered, ids, sit_down

pytestmark = SHARED

SHARDS = 2
KOGGE = Titles(versions_of("kogge"))
READY_S = 0.05
TIMEOUT_S = 30.0
LATE_S = 5.0
"""Seconds until a message arrives; by then another member holds its shard."""


class Together:
    """A Discord with two shards, a database, and members."""

    def __init__(self, standin: Standin, url: str, folder: Path) -> None:
        self.standin = standin
        self.anna, self.bert = map(standin.person, ("Anna", "Bert"))
        self.home = standin.channel(HARBOUR, "Guild 1")
        self.player = RandomPlayer(standin, self.anna, Random(1), home=self.home)
        self._url = url
        self._folder = folder

    @asynccontextmanager
    async def member(
        self, shard_ids: str, *, connects: bool = True
    ) -> AsyncIterator[tuple[ShardedGameBot, Services]]:
        """Run a member with these shards within the block, connected unless it cannot connect."""
        settings = Settings(database_url=self._url, shards=SHARDS, shard_ids=shard_ids)
        membership = Membership(settings, SHARDS)
        async with AsyncExitStack() as stack:
            below = await stack.enter_async_context(
                open_services(
                    self._url,
                    titles=KOGGE,
                    member=membership.leases,
                )
            )
            services = membership.join(below)
            bot = membership.make_bot(
                services,
                http_trace=membership.trace(None),
                guild_ready_s=READY_S,
                live_pause=0.0,
            )
            assert isinstance(bot, ShardedGameBot)
            working = asyncio.create_task(bot.start(self.standin.token))
            try:
                await until(bot.is_ready)
                membership.begin(services.tables)
                await until(lambda: is_taken(membership.leases))
                # Shards connect one by one; an interaction goes only to the shard of its server.
                if connects:
                    await until(lambda: bot.ready_shards == bot.running.keys())
                yield bot, services
                await membership.leave()
            finally:
                await bot.close()
                await working

    async def game(self) -> Message:
        await until(lambda: self.standin.model.commands)
        await sit_down(self.standin, self.anna, self.bert, home=self.home)
        return await self.post()

    async def post(self, number: int = 1) -> Message:
        await until(lambda: len(self.player.posts) >= number)
        return self.player.posts[-1]


def is_taken(leases: Leases) -> bool:
    """Return whether this member holds all its planned shards and has taken over their work."""
    due = {shard for shard, name in leases.roster.plan.items() if name == leases.name}
    return bool(due) and due == {shard for shard, held in leases._held.items() if held.is_notified}


def posting(bot: ShardedGameBot) -> PostCog:
    post = bot.get_cog("post")
    assert isinstance(post, PostCog)
    return post


@pytest.fixture
async def together(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Together]:
    monkeypatch.setattr(leases, "IDENTIFY_EVERY_S", 0.0)
    monkeypatch.setattr(leases, "POLL_S", 0.1)
    monkeypatch.setattr(leases, "LINGER_S", 0.0)
    # Long enough for a busy machine.
    patient = Standin(guilds=guilds_on_each(SHARDS), acknowledge_s=TIMEOUT_S)
    async with patient as standin:
        with point_discord_at(standin.url):
            yield Together(standin, database.url, tmp_path)


async def test_a_panel_asks_again_after_its_shard_has_changed_hands(together: Together) -> None:
    async with together.member("1/2") as (before, _):
        first = await together.game()
        answer = await together.anna.press(first, custom_id="play:1")
        await answered(together.standin, together.anna, answer)
        panel = answer.message
        assert panel is not None
        assert any("found" in each for each in ids(panel))
        async with together.member("2/2") as (_, owner):
            await until(lambda: before.ready_shards == {0})
            for seat in (0, 1):
                await owner.tables.play.act(1, seat, ("found", str(seat)))
            await together.post(2)
            await until(lambda: not any("found" in each for each in ids(panel)))


@pytest.mark.slow
async def test_a_post_in_progress_when_its_lease_is_lost_appears_once(
    together: Together, caplog: pytest.LogCaptureFixture
) -> None:
    async with together.member("1/2") as (before, loses):
        await together.game()
        place = together.player.posts[0].channel_id
        messages = f"*/channels/{place}/messages"
        slow = together.standin.faults.delay("POST", messages, seconds=LATE_S, times=1)
        for seat in (0, 1):
            await loses.tables.play.act(1, seat, ("found", str(seat)))
        await until(lambda: slow.hits)
        async with together.member("2/2") as (after, takes):
            await until(lambda: before.ready_shards == {0})
            await asyncio.wait_for(posting(after).quiet(1), TIMEOUT_S)
            await posting(before).still()
            assert len(together.player.posts) == 2
            table = await takes.tables.reader.get(1)
            assert table.panel_message == together.player.posts[-1].id
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.mark.slow
async def test_a_member_posts_for_a_new_shard_before_it_may_connect(
    together: Together, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    async with together.member("0") as (_, stays):
        async with together.member("1"):
            first = await together.game()
        monkeypatch.setattr(Leases, "identify_turn", never)
        for seat in (0, 1):
            await stays.tables.play.act(1, seat, ("found", str(seat)))
        async with together.member("1", connects=False) as (bot, _):
            second = await together.post(2)
            await asyncio.wait_for(posting(bot).quiet(1), TIMEOUT_S)
            assert bot.ready_shards == set()
            assert (ids(first), second.edited_at) == ([], None)
