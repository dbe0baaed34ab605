"""Run as a program: plays Pebbles at several tables until it is killed.

Each action that has been answered is printed as one line: table, seq, seat, delivery, action.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random

from tests.store.database import Database
from tests.tables.world import ANNA, BEN, World

TABLES = 4


async def play(world: World, table_id: int, rng: Random) -> None:
    """Acts for ever, with a gift now and then."""
    while True:
        asked = [d for d in await world.tables.reader.pending(table_id) if not d.optional]
        decision = rng.choice(asked)
        action = (decision.kind, str(rng.choice((1, 2))))
        if rng.random() < 0.2:
            action = ("gift", str(1 - decision.seat))
        delivery = f"{rng.getrandbits(64):x}"
        acted = await world.tables.play.act(table_id, decision.seat, action, delivery=delivery)
        print(table_id, acted.seq, decision.seat, delivery, *action, flush=True)  # noqa: T201


async def main(folder: str, seed: str, server: str | None = None) -> None:
    """Opens the tables there are, or new ones."""
    world = await World(Database(Path(folder), server)).open()
    tables = await world.tables.reader.find(500)
    while len(tables) < TABLES:
        tables.append(await world.game(ANNA, BEN, length="long"))
    await asyncio.gather(*(play(world, t.id, Random(f"{seed} {t.id}")) for t in tables))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
