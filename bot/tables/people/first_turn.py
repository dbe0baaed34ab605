"""Whether somebody who plays a game for the first time has their first turn explained.

Only their wish is kept, as a vote of their own; that they are new, and that their first turn has
not ended, is read off what has been played.
"""

from __future__ import annotations

from enum import Enum

from bot.game.contract import END
from bot.store import WriteBatch
from bot.tables.core.unit_of_work import UnitOfWork, from_store

EXPLAIN = "explain"


class FirstTurn(Enum):
    """How it stands with explanations while somebody's first turn lasts."""

    OFFERED = "offered"
    EXPLAINED = "explained"


async def first_turn(unit_of_work: UnitOfWork, table_id: int, user: int) -> FirstTurn | None:
    """What a user gets at a table; None once they have ended a turn, or played the game before.

    They have played it where they sit at an older table of it that has begun.
    """
    table = (await unit_of_work.cache.read(table_id)).table
    if not await from_store(unit_of_work.store.is_first_turn(table_id, table.game, user, END)):
        return None
    wanted = user in await from_store(unit_of_work.store.votes(table_id, EXPLAIN))
    return FirstTurn.EXPLAINED if wanted else FirstTurn.OFFERED


async def explain(unit_of_work: UnitOfWork, table_id: int, user: int, *, wanted: bool) -> None:
    """The user wants explanations from now on, or no more."""

    async def work() -> None:
        batch = WriteBatch()
        batch.drop_vote(table_id, EXPLAIN, user)
        if wanted:
            batch.add_vote(table_id, EXPLAIN, user, unit_of_work.clock.now())
        await from_store(unit_of_work.store.commit(batch))

    await unit_of_work.cache.alone(table_id, work)
