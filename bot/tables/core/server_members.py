"""Who has left the server of their table. Discord says so only to those who ask for the list of
members, so it is asked about one person at a time, when something depends on it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta

from bot.tables.core.calendar import Clock
from bot.tables.core.model import Table

ASKED_AGAIN = timedelta(minutes=10)
"""How long an answer is believed before Discord is asked again."""
REMEMBERED = 4096
"""People, each in one server, of whom it is remembered."""

Ask = Callable[[int, int], Awaitable[bool]]
"""Whether a user has left a server: (server, user). False where that is not known."""


class ServerMembers:
    """Remembers the answers. Until `ask` is set nobody is known to have left."""

    def __init__(self, clock: Clock) -> None:
        self.ask: Ask | None = None
        self._clock = clock
        self._known: OrderedDict[tuple[int, int], tuple[bool, datetime]] = OrderedDict()
        self._acted: OrderedDict[tuple[int, int], datetime] = OrderedDict()

    def has_left(self, table: Table, user: int | None) -> bool:
        """Whether the user is known to have left the table's server; see `find`."""
        if table.guild is None or user is None:
            return False
        left, _at = self._known.get((table.guild, user), (False, None))
        return left

    def acts(self, guild: int, user: int) -> None:
        """The user is in the server: they have just done something there."""
        if (guild, user) in self._known:
            self._known[guild, user] = False, self._clock.now()
        self._acted[guild, user] = self._clock.now()
        self._acted.move_to_end((guild, user))
        if len(self._acted) > REMEMBERED:
            self._acted.popitem(last=False)

    async def find(self, table: Table, users: Collection[int] | None = None) -> None:
        """Finds out which of the people who play at the table, or of these users, have left."""
        if users is None:
            users = [player.user for player in table.humans if player.user is not None]
        if table.guild is not None:
            await asyncio.gather(*(self._find(table.guild, user) for user in users))

    async def find_silent(self, table: Table, users: Collection[int]) -> None:
        """The same before these users are pinged: of those who have just acted it need not be
        asked."""
        since = self._clock.now() - ASKED_AGAIN
        silent = [u for u in users if self._acted.get((table.guild or 0, u), since) <= since]
        await self.find(table, silent)

    async def _find(self, guild: int, user: int) -> None:
        now = self._clock.now()
        known = self._known.get((guild, user))
        if self.ask is None or (known is not None and known[1] + ASKED_AGAIN > now):
            return
        self._known[guild, user] = await self.ask(guild, user), now
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
