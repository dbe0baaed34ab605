"""How people are called: as on Discord when they last acted, at tables that are not over and in
results.

A table that is over keeps the names it ended with, as its last posts do.
"""

from __future__ import annotations

import logging
from collections import OrderedDict

from bot.game.contract import AnyGame
from bot.store import WriteBatch
from bot.tables.core import errors, seating
from bot.tables.core.cache import from_store
from bot.tables.core.model import NOT_OVER, OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.people.settings import RECALL_S, REMEMBERED
from bot.workers import SharedTasks

logger = logging.getLogger(__name__)

Place = tuple[int, int | None]
"""A user, and the server where they have a name; None for direct messages."""


class DisplayNames:
    """Compares names in memory; the database is asked once for each person, and told of changes."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._known: OrderedDict[Place, str] = OrderedDict()
        self._under_way = SharedTasks[Place]()

    async def acts(self, user: int, guild: int | None, name: str) -> None:
        """Somebody acts, and has that name there. The update goes on in the background."""
        place = user, guild
        if self._known.get(place) == name:
            self._known.move_to_end(place)
            return
        await self._under_way.wait(place, lambda: self._rename(place, name), RECALL_S)

    def forget_server(self, guild: int) -> None:
        """Drops from memory how people are called in a server."""
        for place in [place for place in self._known if place[1] == guild]:
            del self._known[place]

    async def finish(self) -> None:
        """Waits for updates in progress."""
        await self._under_way.finish()

    async def _rename(self, place: Place, name: str) -> None:
        user, guild = place
        store = self._unit_of_work.store
        try:
            for table_id in await from_store(store.misnamed(user, guild, name, NOT_OVER)):
                await self._at(table_id, user, name)
            if guild is not None and await from_store(store.has_misnamed_result(user, guild, name)):
                batch = WriteBatch()
                batch.rename_results(user, guild, name)
                await from_store(store.commit(batch))
        except errors.Rejected as error:
            # Then they are called as before, until they act again.
            logger.info("user=%d is not renamed: %s", user, error.code)
            return
        self._known[place] = name
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    async def _at(self, table_id: int, user: int, name: str) -> None:
        def change(table: Table, _: AnyGame) -> Table:
            return seating.rename(table, user, name)

        try:
            await self._unit_of_work.change(table_id, None, change, _shown)
        except errors.StoreUnavailable:
            raise
        except errors.Rejected as error:
            # Meanwhile they have got up, or the table cannot be read here.
            logger.info("table=%d user=%d is not renamed: %s", table_id, user, error.code)


def _shown(table: Table) -> list[OutboxDraft]:
    """A lobby's message is written anew; a game shows the name with its next post."""
    return [OutboxDraft(OutboxKind.LOBBY)] if table.status is Status.LOBBY else []
