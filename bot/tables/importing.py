"""Games that come in a file: one that is over is shown again, any other goes on.

Nothing in the file is trusted: it is folded by the rules, every draw is checked against its key,
and only what fits in full is kept, in one transaction. Whoever has the file can know all that was
secret in it and its key besides; so a game that goes on draws from a new key, whose print is
posted like any other.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime

from bot.game.chance import commitment
from bot.game.contract import AnyGame, Outcome, canonical, parse_action
from bot.store import EntryRow, HandledRow, Unit
from bot.tables import errors, lobby, owing, position, record
from bot.tables.desk import Desk
from bot.tables.model import OwedKind, Player, Status, Table
from bot.tables.owing import Debt
from bot.tables.pausing import look_after
from bot.tables.record import NOBODY, Record, RecordError
from bot.tables.shelf import Loaded, replay

MOST_BYTES = 2 * 1024 * 1024
MOST_ENTRIES = 5000
"""What a file may hold; a long game has about a thousand entries in 200 KB."""
MOST_NAME = 32
"""Characters of a display name on Discord."""
FIRST_YEAR = 2015
"""No game was played on Discord before."""


class Imports:
    """Makes tables of files."""

    def __init__(self, desk: Desk, new_key: Callable[[], bytes], stand_in: str) -> None:
        self._desk = desk
        self._new_key = new_key
        self._stand_in = stand_in
        # Checking a game takes a second at worst: one at a time.
        self._checking = asyncio.Lock()

    async def open(
        self,
        data: bytes,
        user: int,
        guild: int | None,
        channel: int,
        *,
        delivery: str | None = None,
    ) -> Table:
        """A table with the game of a file.

        One that is not over is paused, its seats vacant: it goes on when those who have taken
        them over say so. Raises NotAGame, NotWhole, UnknownGame, RulesChanged or DoesNotFit.
        """
        desk = self._desk
        found = _read(data)
        game = desk.game(found.game)
        if found.version != game.version:
            raise errors.RulesChanged(game=game.name, version=found.version, now=game.version)
        async with self._checking:
            try:
                outcome = await asyncio.to_thread(record.verify, game, found)
            except RecordError as error:
                raise errors.DoesNotFit(seq=error.seq) from error
        table_id = desk.store.new_table_id()

        async def work() -> Table:
            return await self._keep(
                game, found, outcome, _Place(table_id, user, guild, channel), delivery
            )

        async def again(done: HandledRow) -> Table:
            return (await desk.shelf.look(done.table)).table

        return await desk.once(table_id, delivery, work, again)
