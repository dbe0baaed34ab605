"""Composition of one of several processes that share a database and divide Discord's shards.

The process connects a shard that it takes, and takes over the scheduled work of its tables. It
stops work for a lost shard immediately, but stays connected until another process is connected.
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
from bot.cluster.members import parse_shard_ids, unique_name
from bot.cluster.requests import Rates, limited
from bot.cogs.ui.reply import UNCLAIMED, WAITED_S
from bot.cogs.ui.services import Services
from bot.config import Settings
from bot.host.health import OK, Check, Sharing
from bot.store import StoreError
from bot.store.sharing import Shards, shard_of
from bot.tables import Tables

log = logging.getLogger(__name__)

ANSWERED_S = 3.0
"""Seconds after which Discord accepts no answer."""
HOLDER_S = 1.5
"""Seconds in which the holder of a shard would have claimed an interaction."""


class Membership:
    """This process as a member of those that share the database."""

    def __init__(self, settings: Settings, count: int) -> None:
        self.leases = Leases(
            settings.database_url,
            unique_name(settings.process_name),
            parse_shard_ids(settings.shard_ids),
            count,
            is_auto=settings.shards == "auto",
        )
        self.process_name = settings.process_name or self.leases.name
        """The configured name, which stays the same after a restart, or a unique one."""
        self._has_proxy = settings.discord_proxy is not None
        self._bot: ShardedGameBot | None = None
        self._leaving: set[asyncio.Task[None]] = set()

    @classmethod
    async def create(cls, settings: Settings, token: str) -> Membership:
        """Create the membership from the settings. Raise the errors of a login to Discord."""
        count = settings.shards
        if count == "auto":
            count = await recommended_shards(token)
        assert count is not None
        return cls(settings, count)

    def join(self, services: Services) -> Services:
        """Return the services of a member; its tables now follow the writes of others."""
        self.leases.on_announcement = services.tables.sharing.receive
        self.leases.on_missed = services.tables.sharing.drop_all
        return replace(services, admit=partial(admit, self.leases))

    def trace(self, trace: aiohttp.TraceConfig | None) -> aiohttp.TraceConfig:
        """Return the trace for requests to Discord.

        It limits requests to this member's share, unless a proxy does, and stops requests for lost
        shards.
        """
        rates = None if self._has_proxy else Rates(lambda: len(self.leases.roster.members))
        return limited(trace or aiohttp.TraceConfig(), rates, self.leases.holds)

    def make_bot(self, services: Services, **parts: Any) -> GameBot:
        """Make the bot like `bot.app.make_bot`, for the shards of a member."""
        leases = self.leases
        client = partial(ShardedGameBot, shards=leases.count, turn=leases.identify_turn)
        bot = make_bot(services, client=client, leads=lambda: leases.owns(None), **parts)
        assert isinstance(bot, ShardedGameBot)
        self._bot = bot
        return bot

    def begin(self, tables: Tables) -> None:
        """Start to run shards, after the bot has logged in."""
        bot, leases = self._bot, self.leases
        assert bot is not None

        async def taken(shards: frozenset[int]) -> None:
            for shard in sorted(shards):
                bot.run_shard(shard)
            await tables.sharing.take_over(Shards(leases.count, shards))

        def left(shards: frozenset[int]) -> None:
            for shard in shards:
                task = asyncio.create_task(bot.leave_shard(shard))
                self._leaving.add(task)
                task.add_done_callback(self._leaving.discard)

        leases.connected = lambda: bot.ready_shards
        leases.on_taken, leases.on_left = taken, left
        leases.on_lost = lambda shards: tables.sharing.give_up(Shards(leases.count, shards))
        leases.begin()

    async def leave(self) -> None:
        """Give up all shards, and wait until other members have them, if there are others."""
        if self.leases.is_held:
            await self.leases.leave()

    def checks(self) -> dict[str, Check]:
        return {
            "discord": self._discord_state,
            "leases": lambda: OK if self.leases.is_held else "lost",
        }

    def _discord_state(self) -> str:
        if self._bot is None:
            return "not connected"
        if self.leases.is_resting:
            return "unreachable, gave up its shards, will try again in a few minutes"
        missing = sorted(self._bot.running.keys() - self._bot.ready_shards)
        return f"not connected: shards {missing}" if missing else OK

    def sharing(self, tables: Tables) -> Sharing:
        """Return the state of all members, for the status page."""
        leases, roster, bot = self.leases, self.leases.roster, self._bot
        held = leases.shards().held
        return Sharing(
            process=self.process_name,
            name=leases.name,
            shards=leases.count,
            here={} if bot is None else {s: s in bot.ready_shards for s in bot.running},
            leases=tuple(sorted(held)),
            processes={name: each.shard_ids.text for name, each in roster.members.items()},
            unrunnable=tuple(n for n in range(leases.count) if n not in roster.plan),
            unassigned=tuple(sorted(roster.plan.keys() - roster.holders.keys() - held)),
            takeovers=leases.takeovers,
            stale_writes=tables.sharing.cache.stale_writes,
        )


async def admit(
    leases: Leases,
    interaction: discord.Interaction[Any],
    *,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Return whether to answer; if the database does not say, answer with an error.

    One process answers an interaction while its shard changes hands. Discord allows two
    sessions of a shard and sends each event to both. If we have held a shard for long enough,
    no other process is connected and no claim is needed.
    """
    start = clock()
    shard = shard_of(interaction.guild_id, leases.count)
    is_held = leases.owns(interaction.guild_id)
    # Autocompletion changes nothing, and Discord takes the first of two answers.
    is_free = interaction.type is discord.InteractionType.autocomplete
    if is_free or (is_held and leases.is_settled(shard)):
        return True
    # Checked first: another member that missed this interaction may connect before the claim.
    alone = leases.is_leaving(shard)
    if not is_held:
        if discord.utils.utcnow() - interaction.created_at > timedelta(seconds=ANSWERED_S):
            log.info("interaction too old, ignored shard=%s interaction=%s", shard, interaction.id)
            return False
        if not alone:
            await sleep(HOLDER_S)
    try:
        try:
            return await leases.claim(interaction.id, shard, alone=alone)
        except StoreError:
            if is_held:
                raise
            # Perhaps only we cannot reach the database: give the new holder of the shard time
            # to answer before we show an error.
            await sleep(max(0.0, start + HOLDER_S - clock()))
            return await leases.claim(interaction.id, shard, alone=alone)
    except StoreError as error:
        log.info(
            "interaction not claimed interaction=%s error=%s",
            interaction.id,
            type(error).__name__,
        )
        interaction.extras[UNCLAIMED] = True
        return True
    finally:
        interaction.extras[WAITED_S] = clock() - start
