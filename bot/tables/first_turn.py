"""Whether somebody who plays a game for the first time has their first turn explained.

Only their wish is kept, as a vote of their own; that they are new, and that their first turn has
not ended, is read off what has been played.
"""

from __future__ import annotations

from enum import Enum

from bot.game.contract import END
from bot.store import Unit
from bot.tables.desk import Desk, kept

EXPLAIN = "explain"


class FirstTurn(Enum):
    """How it stands with explanations while somebody's first turn lasts."""

    OFFERED = "offered"
    EXPLAINED = "explained"


async def first_turn(desk: Desk, table_id: int, user: int) -> FirstTurn | None:
    """What a user gets at a table; None once they have ended a turn, or played the game before.

    They have played it where they sit at an older table of it that has begun.
    """
    table = (await desk.shelf.look(table_id)).table
    if not await kept(desk.store.is_first_turn(table_id, table.game, user, END)):
        return None
    wanted = user in await kept(desk.store.votes(table_id, EXPLAIN))
    return FirstTurn.EXPLAINED if wanted else FirstTurn.OFFERED


async def explain(desk: Desk, table_id: int, user: int, *, wanted: bool) -> None:
    """The user wants explanations from now on, or no more."""

    async def work() -> None:
        unit = Unit()
        unit.drop_vote(table_id, EXPLAIN, user)
        if wanted:
            unit.add_vote(table_id, EXPLAIN, user, desk.clock.now())
        await kept(desk.store.commit(unit))

    await desk.shelf.alone(table_id, work)
