"""Who answers a press that arrives while its shard changes hands, and may be heard twice or late.

Discord allows two sessions of a shard, and gives an event to both. As long as the lease of a shard
is held, and held for long enough, nobody else hears it, and nothing is asked.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Protocol

import discord

from bot.cogs.ui.reply import UNCLAIMED, WAITED_S
from bot.store import StoreError
from bot.store.sharing import shard_of

log = logging.getLogger(__name__)

ANSWERED_S = 3.0
"""Seconds after which Discord takes no answer any more."""
HOLDER_S = 1.5
"""Seconds in which whoever holds the lease would have claimed a press."""


class Leased(Protocol):
    """What is known of the leases here."""

    def is_held(self, shard: int) -> bool:
        """Whether the shard is ours."""
        ...

    def is_settled(self, shard: int) -> bool:
        """Whether it has been for so long that nobody else hears it any more."""
        ...

    def is_leaving(self, shard: int) -> bool:
        """Whether it is not ours any more, and nobody else hears it yet."""
        ...

    async def claim(self, interaction: int, shard: int, *, alone: bool) -> bool:
        """Whether we are the first to claim it, where nobody else holds the shard, or we were
        `alone` to hear it. Raises StoreError."""
        ...


class Admission:
    """Decides for one process; there are `count` shards."""

    def __init__(
        self,
        leased: Leased,
        count: int,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._leased = leased
        self._count = count
        self._sleep = sleep
        self._clock = clock

    async def admit(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether to answer. Where the database does not say, the person is told so."""
        began = self._clock()
        shard = shard_of(interaction.guild_id, self._count)
        if self._leased.is_held(shard) and self._leased.is_settled(shard):
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            # Nothing is done by it; of two answers Discord takes the first.
            return True
        is_held = self._leased.is_held(shard)
        # By the time of the claim somebody else may hear what arrives, and not have heard this.
        alone = self._leased.is_leaving(shard)
        if not is_held:
            age = discord.utils.utcnow() - interaction.created_at
            if age > timedelta(seconds=ANSWERED_S):
                log.info("shard=%s interaction=%s is too old", shard, interaction.id)
                return False
            if not alone:
                await self._sleep(HOLDER_S)
        try:
            try:
                return await self._leased.claim(interaction.id, shard, alone=alone)
            except StoreError:
                if is_held:
                    raise
                # We may be alone in not reaching the database: whoever holds the lease by now must
                # have the time to answer before we say so.
                await self._sleep(max(0.0, began + HOLDER_S - self._clock()))
                return await self._leased.claim(interaction.id, shard, alone=alone)
        except StoreError as error:
            log.info("interaction=%s not claimed: %s", interaction.id, type(error).__name__)
            interaction.extras[UNCLAIMED] = True
            return True
        finally:
            interaction.extras[WAITED_S] = self._clock() - began
