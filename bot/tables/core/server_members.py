"""Players who have left their table's server.

Without the members intent Discord does not announce this, so the bot asks about one user at a time,
when something depends on the answer.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta

from bot.tables.core.cache import remember
from bot.tables.core.calendar import Clock
from bot.tables.core.model import Table

VALID_FOR = timedelta(minutes=10)
"""How long an answer is valid."""
MAX_CACHED = 4096
"""Pairs of a server and a user in the cache."""

Ask = Callable[[int, int], Awaitable[bool]]
"""Called with (server, user): whether the user has left. False if that is unknown."""


class ServerMembers:
    """A cache of Discord's answers. Until `ask` is set, no one is known to have left."""

    def __init__(self, clock: Clock) -> None:
        self.ask: Ask | None = None
        self._clock = clock
        self._answers: OrderedDict[tuple[int, int], tuple[bool, datetime]] = OrderedDict()
        self._acted: OrderedDict[tuple[int, int], datetime] = OrderedDict()

    def has_left(self, table: Table, user: int | None) -> bool:
        """Return whether the user is known to have left the table's server; see `find`."""
        if table.guild is None or user is None:
            return False
        left, _at = self._answers.get((table.guild, user), (False, None))
        return left

    async def departed(self, guild: int, users: Collection[int]) -> set[int]:
        """Look up users of a server and return those who are known to have left it."""
        since = self._clock.now() - VALID_FOR
        silent = [each for each in users if self._acted.get((guild, each), since) <= since]
        await asyncio.gather(*(self._find(guild, each) for each in silent))
        return {each for each in users if self._answers.get((guild, each), (False,))[0]}

    def note_activity(self, guild: int, user: int) -> None:
        """Note that the user has just done something in the server, so they are in it."""
        if (guild, user) in self._answers:
            self._answers[guild, user] = False, self._clock.now()
        remember(self._acted, (guild, user), self._clock.now(), MAX_CACHED)

    async def find(self, table: Table, users: Collection[int] | None = None) -> None:
        """Look up which of these users, by default the table's people, have left."""
        if users is None:
            users = [player.user for player in table.humans if player.user is not None]
        if table.guild is not None:
            await asyncio.gather(*(self._find(table.guild, user) for user in users))

    async def find_silent(self, table: Table, users: Collection[int]) -> None:
        """Like `find`, but skip users who have acted recently."""
        if table.guild is not None:
            await self.departed(table.guild, users)

    async def _find(self, guild: int, user: int) -> None:
        now = self._clock.now()
        answer = self._answers.get((guild, user))
        if self.ask is None or (answer is not None and answer[1] + VALID_FOR > now):
            return
        remember(self._answers, (guild, user), (await self.ask(guild, user), now), MAX_CACHED)
