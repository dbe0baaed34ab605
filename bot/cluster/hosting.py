"""One of several processes that share a database and divide Discord's shards, put together.

A shard that becomes ours is connected, and what is due at its tables is taken over; one that is
ours no longer is given up at once, its connection only once another process has one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import aiohttp
import discord

from bot.app import make_bot
from bot.client import GameBot
from bot.cluster.client import ShardedGameBot, recommended_shards
from bot.cluster.leases import Leases
from bot.cluster.members import parse_may, unique_name
from bot.cluster.requests import Rates, watched
from bot.cogs.ui.reply import UNCLAIMED, WAITED_S
from bot.cogs.ui.services import Services
from bot.config import Settings
from bot.host.health import OK, Check, Sharing
from bot.store import StoreError
from bot.store.sharing import Shards, shard_of
from bot.tables import Tables

log = logging.getLogger(__name__)

ANSWERED_S = 3.0
"""Seconds after which Discord takes no answer any more."""
HOLDER_S = 1.5
"""Seconds in which whoever holds a shard would have claimed a press."""


class Membership:
    """This process among those that share the database.

    `leases` are its lock on the database, and what it owns there.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        self.leases = Leases(
            settings.database_url,
            unique_name(settings.process_name),
            parse_may(settings.shard_ids),
            count,
            is_auto=settings.shards == "auto",
        )
        self.called = settings.process_name or self.leases.name
        """What it is called after a restart as well, where the operator has given it a name."""
        self._has_proxy = settings.discord_proxy is not None
        self._bot: ShardedGameBot | None = None
        self._leaving: set[asyncio.Task[None]] = set()

    @classmethod
    async def of(cls, settings: Settings, token: str) -> Membership:
        """The membership that the settings ask for. Raises what a login to Discord does."""
        count = settings.shards
        if count == "auto":
            count = await recommended_shards(token)
        assert count is not None
        return cls(settings, count)

    def joined(self, services: Services) -> Services:
        """The services of a member, whose tables hear what others write from now on."""
        self.leases.on_notice = services.tables.sharing.heard
        self.leases.on_deaf = services.tables.sharing.drop_all
        return replace(services, admit=Admission(self.leases).admit)

    def trace(self, trace: aiohttp.TraceConfig | None) -> aiohttp.TraceConfig:
        """For requests to Discord: they wait until they are within this member's share, unless a
        proxy sees to that, and are not made for the sake of a shard that is lost."""
        rates = None if self._has_proxy else Rates(lambda: len(self.leases.seen.members))
        return watched(trace or aiohttp.TraceConfig(), rates, self.leases.holds)

    def make_bot(self, services: Services, **parts: Any) -> GameBot:
        """As `bot.app.make_bot`, for the shards of a member."""
        leases = self.leases
        client = partial(ShardedGameBot, shards=leases.count, turn=leases.identify_turn)
        bot = make_bot(services, client=client, leads=lambda: leases.owns(None), **parts)
        assert isinstance(bot, ShardedGameBot)
        self._bot = bot
        return bot

    def begin(self, tables: Tables) -> None:
        """Run shards from now on: the bot has logged in."""
        bot, leases = self._bot, self.leases
        assert bot is not None

        def of(shards: frozenset[int]) -> Shards:
            return Shards(leases.count, shards)

        async def taken(shards: frozenset[int]) -> None:
            for shard in sorted(shards):
                bot.run_shard(shard)
            await tables.sharing.take_over(of(shards))

        def left(shards: frozenset[int]) -> None:
            for shard in shards:
                task = asyncio.create_task(bot.leave_shard(shard))
                self._leaving.add(task)
                task.add_done_callback(self._leaving.discard)

        leases.connected = lambda: bot.ready_shards
        leases.on_taken, leases.on_left = taken, left
        leases.on_lost = lambda shards: tables.sharing.give_up(of(shards))
        leases.begin()

    async def leave(self) -> None:
        """Give up all shards, and wait until others have them, if there are others."""
        if self.leases.is_held:
            await self.leases.leave()

    def checks(self) -> dict[str, Check]:
        """The parts of a member that may be well or not."""
        return {"discord": self._discord, "leases": self._is_kept}

    def _discord(self) -> str:
        if self._bot is None:
            return "not connected"
        if self.leases.is_resting:
            return "unreachable, gave up its shards, will try again in a few minutes"
        missing = sorted(self._bot.running.keys() - self._bot.ready_shards)
        return f"not connected: shards {missing}" if missing else OK

    def _is_kept(self) -> str:
        return OK if self.leases.is_held else "lost"

    def sharing(self, tables: Tables) -> Sharing:
        """Who runs what, for the page of the operator."""
        leases, seen, bot = self.leases, self.leases.seen, self._bot
        held = leases.shards().held
        return Sharing(
            process=self.called,
            name=leases.name,
            shards=leases.count,
            here={} if bot is None else {s: s in bot.ready_shards for s in bot.running},
            leases=tuple(sorted(held)),
            processes={name: each.may.text for name, each in seen.members.items()},
            unrunnable=tuple(n for n in range(leases.count) if n not in seen.plan),
            unassigned=tuple(sorted(seen.plan.keys() - seen.holders.keys() - held)),
            takeovers=leases.takeovers,
            stale_writes=tables.sharing.cache.stale_writes,
        )


class Admission:
    """Who answers a press that arrives while its shard changes hands, and may be heard twice.

    Discord allows two sessions of a shard, and gives an event to both. As long as a shard is ours,
    and has been for long enough, nobody else hears it, and nothing is asked.
    """

    def __init__(
        self,
        leases: Leases,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._leases = leases
        self._sleep = sleep
        self._clock = clock

    async def admit(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether to answer. Where the database does not say, the person is told so."""
        began = self._clock()
        shard = shard_of(interaction.guild_id, self._leases.count)
        is_held = self._leases.owns(interaction.guild_id)
        # Of two that offer choices Discord takes the first answer, and nothing is done by it.
        is_free = interaction.type is discord.InteractionType.autocomplete
        if is_free or (is_held and self._leases.is_settled(shard)):
            return True
        # By the time of the claim somebody else may hear what arrives, and not have heard this.
        alone = self._leases.is_leaving(shard)
        if not is_held:
            if discord.utils.utcnow() - interaction.created_at > timedelta(seconds=ANSWERED_S):
                log.info(
                    "interaction too old, ignored shard=%s interaction=%s", shard, interaction.id
                )
                return False
            if not alone:
                await self._sleep(HOLDER_S)
        try:
            try:
                return await self._leases.claim(interaction.id, shard, alone=alone)
            except StoreError:
                if is_held:
                    raise
                # We may be alone in not reaching the database: whoever holds the shard by now must
                # have the time to answer before we say so.
                await self._sleep(max(0.0, began + HOLDER_S - self._clock()))
                return await self._leases.claim(interaction.id, shard, alone=alone)
        except StoreError as error:
            log.info(
                "interaction not claimed interaction=%s error=%s",
                interaction.id,
                type(error).__name__,
            )
            interaction.extras[UNCLAIMED] = True
            return True
        finally:
            interaction.extras[WAITED_S] = self._clock() - began
