"""Games go on in another database, as if nothing had happened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import sqlalchemy as sa

from bot.store import schema
from bot.store.move import move
from bot.tables import Status
from tests.store.database import SERVER_ALONE, Database
from tests.tables.world import ANNA, BEN, CARA, NAMES, World

TERMS = {"clock": "d3", "at_zero": "autopilot"}
STEPS = 9
MUST_MOVE = ("tables", "players", "log", "snapshots", "clocks", "outbox", "due", "reviews")
REVIEW = b"\0 is a byte like others"


async def begin(world: World) -> tuple[int, int]:
    """A game with clocks, and a table that waits for players."""
    table = await world.lobby(ANNA, BEN, length="long")
    for name, value in TERMS.items():
        await world.tables.lobby.set_option(table.id, ANNA, name, value)
    await world.tables.lobby.start(table.id, ANNA)
    await world.tables.reviews.put(table.id, REVIEW)
    return table.id, (await world.lobby(CARA)).id


async def play_on(world: World, table: int, steps: int, rng: Random) -> None:
    """So many actions, five minutes apart; one of the messages that are waiting is sent."""
    for _ in range(steps):
        world.clock.move(minutes=5)
        await world.play(table, 1, rng)
    (item, *_) = await world.tables.outbox.items(table)
    await world.tables.outbox.acknowledge([item])


async def kept(world: World) -> dict[str, list[str]]:
    """All that is stored."""
    return {
        table.name: sorted(
            map(repr, await world.store._database.read_long(row, sa.select(table), {}))
        )
        for table in schema.metadata.sorted_tables
    }


def row(*columns: object) -> tuple[object, ...]:
    return columns


async def reopened(world: World, target: Database | None) -> World:
    """The world after a restart; in a target, where it was moved to."""
    before = await kept(world)
    assert all(before[name] for name in MUST_MOVE)
    await world.close()
    if target is not None:
        await move(world.database.url, target.url)
        there = World(target)
        there.clock = world.clock
        world = there
    await world.open()
    assert await kept(world) == before
    return world


async def whole_game(world: World, targets: Sequence[Database | None]) -> dict[str, list[str]]:
    """All that is stored in the end, where it was begun here and each part played elsewhere."""
    await world.open()
    rng = Random(5)
    game, lobby = await begin(world)
    for target in targets:
        await play_on(world, game, STEPS, rng)
        world = await reopened(world, target)
    await world.tables.lobby.join(lobby, BEN, NAMES[BEN])
    await world.tables.lobby.start(lobby, CARA)
    while (await world.tables.reader.get(game)).status is Status.PLAYING:
        await play_on(world, game, 1, rng)
    assert (await world.lobby(ANNA)).id == lobby + 1
    found = await kept(world)
    await world.close()
    return found


@SERVER_ALONE
async def test_a_game_begun_on_sqlite_goes_on_on_postgresql_and_ends_on_sqlite(
    tmp_path: Path, database: Database
) -> None:
    before, after, unmoved = (Database(tmp_path / name) for name in ("1", "2", "3"))
    for each in (before, after, unmoved):
        each.path.parent.mkdir()
    assert await whole_game(World(before), [database, after]) == await whole_game(
        World(unmoved), [None, None]
    )
