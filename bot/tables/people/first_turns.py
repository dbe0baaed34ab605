"""Whether somebody who plays a game for the first time has their first turn explained.

Only their wish is stored, as a vote of their own; that they are new, and that their first turn has
not ended, follows from what has been played.
"""

from __future__ import annotations

from enum import Enum

from bot.game.contract import END
from bot.store import VoteRow, WriteBatch
from bot.tables.core.cache import from_store
from bot.tables.core.unit_of_work import UnitOfWork

EXPLAIN = "explain"


class FirstTurn(Enum):
    """Whether somebody's first turn is explained."""

    OFFERED = "offered"
    EXPLAINED = "explained"


class FirstTurns:
    """Who wants their first turn explained."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def of(self, table_id: int, user: int) -> FirstTurn | None:
        """Whether the user is offered or given explanations; None where they need none.

        They need none once they have ended a turn, or where they sit at an older table of the
        game that has begun. Raises UnknownTable and StoreUnavailable.
        """
        store = self._unit_of_work.store
        table = (await self._unit_of_work.cache.read(table_id)).table
        if not await from_store(store.is_first_turn(table_id, table.game, user, END)):
            return None
        wanted = user in await from_store(store.votes(table_id, EXPLAIN))
        return FirstTurn.EXPLAINED if wanted else FirstTurn.OFFERED

    async def explain(self, table_id: int, user: int, *, wanted: bool) -> None:
        """The user wants explanations from now on, or no more.

        Raises UnknownTable or StoreUnavailable.
        """

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            batch = WriteBatch()
            batch.delete(VoteRow, table=table_id, kind=EXPLAIN, word="", user=user)
            if wanted:
                batch.insert(VoteRow(table_id, EXPLAIN, user, self._unit_of_work.clock.now()))
            await self._unit_of_work.keep(batch, loaded)

        await self._unit_of_work.cache.alone(table_id, work)
