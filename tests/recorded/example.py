"""Plays the game that docs/record.md explains: ``python -m tests.recorded.example``.

It goes through a table, as every exported game does. Needed again only when the rules of Kogge
get a new version.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.versions import Games
from bot.titles import TITLES
from tests.store.database import Database
from tests.tables.world import ANNA, BEN, World

DOCS = Path(__file__).parents[2] / "docs"
WHOLE, SEEN = DOCS / "kogge-game.json", DOCS / "kogge-seen.json"
SEEN_AT = 12
"""The log entry after which a player looks, in the middle of the first round."""


async def write() -> None:
    """Play, and write both kinds of file: what seat 0 knew early on, and the whole game."""
    with TemporaryDirectory() as folder:
        database = Database(Path(folder))
        world = await World(database, Games((GAME,)), TITLES.players).open()
        tables, rng, greedy = world.tables, Random(1), TITLES.players["kogge"]["normal"]
        table = await tables.lobby.open("kogge", ANNA, "Anna", None, 500, {"goods": "hidden"})
        await tables.lobby.join(table.id, BEN, "Bert")
        await tables.lobby.start(table.id, ANNA)
        while await tables.reader.outcome(table.id) is None:
            if await tables.reader.seq(table.id) == SEEN_AT:
                SEEN.write_bytes((await tables.reader.export(table.id, 0)).data + b"\n")
            world.clock.move(minutes=7)
            decision = (await tables.reader.pending(table.id))[0]
            seat, state = (
                decision.seat,
                (await tables._unit_of_work.cache.read(table.id)).position().state,
            )
            view, legal = GAME.view(state, seat), partial(GAME.legal, state, seat)
            await tables.play.act(table.id, seat, greedy(view, decision, legal, rng))
        WHOLE.write_bytes((await tables.reader.export(table.id, SPECTATOR)).data + b"\n")
        await world.close()


if __name__ == "__main__":
    asyncio.run(write())
