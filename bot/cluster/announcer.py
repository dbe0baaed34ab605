"""Tells what a member has taken, one thing after another, while it goes on to keep its leases."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.store import StoreError
from bot.tables import TableError
from bot.tables.core.errors import NotOurs

log = logging.getLogger(__name__)

RETRY_S = 1.0
"""Seconds until what failed for want of the database is tried again."""


class Announcer:
    """Calls `on_taken` as often as it takes; what is lost meanwhile is told by `on_lost` again.

    `on_told` is called when `told` has changed.
    """

    def __init__(self, on_told: Callable[[], None]) -> None:
        self.told: set[int] = set()
        """The shards that are ours, and of which all has been told."""
        self._on_told = on_told
        self._untold: set[int] = set()
        self._lost_meanwhile: set[int] = set()
        self._news = asyncio.Event()

    def tell(self, taken: frozenset[int]) -> None:
        """These are ours now."""
        self._untold |= taken
        self._news.set()

    def untell(self, lost: frozenset[int]) -> None:
        """These are no longer."""
        self.told -= lost
        self._untold -= lost
        self._lost_meanwhile |= lost

    async def run(
        self,
        on_taken: Callable[[frozenset[int]], Awaitable[None]],
        on_lost: Callable[[frozenset[int]], None],
    ) -> None:
        """Tell all there is, for ever. Raises what `on_taken` does, but for what may pass."""
        while True:
            await self._news.wait()
            self._news.clear()
            taken, self._untold = frozenset(self._untold), set()
            if not taken:
                continue
            self._lost_meanwhile.clear()
            is_told = False
            try:
                await on_taken(taken)
                is_told = True
            except NotOurs:
                log.debug("lost before it was told: %s", sorted(taken))
            except (StoreError, TableError) as error:
                log.debug("shards %s wait for the database: %s", sorted(taken), error)
            if lost := taken & self._lost_meanwhile:
                # What was begun for them just now has to end as well.
                on_lost(lost)
            left = taken - lost
            if is_told:
                self.told |= left
                self._on_told()
            elif left:
                await asyncio.sleep(RETRY_S)
                self.tell(left - self._lost_meanwhile)
