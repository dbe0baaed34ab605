"""Snapshots and logs are verified when a table is loaded."""

from __future__ import annotations

import json
import logging
from random import Random

import pytest

from bot.game.contract import SPECTATOR
from bot.game.versions import Games
from bot.tables import Status, TableDamaged
from bot.tables.core import record
from tests.games.pebbles import GAME, Pebbles
from tests.store.database import BOTH
from tests.tables.world import ANNA, BEN, World, whole_record


async def tamper(world: World, statement: str, **values: object) -> None:
    assert await world.database.execute(statement, **values), "nothing was changed"


async def played(world: World) -> tuple[int, bytes]:
    """Play a table to mid-game, close the world, and return the table and its state."""
    table = (await world.game(ANNA, BEN, length="long")).id
    await world.play(table, 40, Random(4))
    await world.close()
    return table, GAME.encode(world.tables._unit_of_work.cache._loaded[table].position().state)


async def state(world: World, table: int) -> bytes:
    return GAME.encode((await world.tables._unit_of_work.cache.read(table)).position().state)


async def test_a_damaged_snapshot_is_rebuilt(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.tables.core.cache")
    table, before = await played(world)
    await world.open()
    assert await state(world, table) == before
    assert "snapshot stale" not in caplog.text
    for steps, statement in enumerate(
        (
            "DELETE FROM snapshots",
            "UPDATE snapshots SET hash = blob",
            "UPDATE snapshots SET blob = hash",
            "UPDATE snapshots SET version = 9",
            "UPDATE snapshots SET draws = draws + 1",
            "UPDATE snapshots SET seq = seq - 1",
        )
    ):
        await world.close()
        await tamper(world, f'{statement} WHERE "table" = :table', table=table)
        caplog.clear()
        await world.open()
        assert await state(world, table) == before, statement
        assert f"snapshot stale, replaying log table={table}" in caplog.text, statement
        # Draws must continue at the right index of the key.
        await world.play(table, 5, Random(steps))
        before = await state(world, table)
        await world.reopen()
        assert await state(world, table) == before, statement


@BOTH
async def test_a_snapshot_older_than_the_log_is_rebuilt(world: World) -> None:
    table, _ = await played(world)
    await tamper(world, "CREATE TABLE old AS SELECT * FROM snapshots")
    await world.open()
    await world.play(table, 5, Random(4))
    before = await state(world, table)
    await world.close()
    await tamper(world, "DELETE FROM snapshots")
    await tamper(world, "INSERT INTO snapshots SELECT * FROM old")
    await world.open()
    assert await state(world, table) == before


async def test_a_snapshot_with_another_layout_is_rebuilt(world: World) -> None:
    class Older(Pebbles):
        def encode(self, state: object) -> bytes:
            return b"\x93\x01\x02\x03"

    world.games = Games((Older(),))
    await world.reopen()
    table = await world.game(ANNA, BEN)
    await world.close()
    world.games = Games((GAME,))
    await world.open()
    await world.play(table.id, 1, Random(1))
    assert await world.tables.reader.seq(table.id) == 1


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("UPDATE log SET action = 'take 9'", 7),
        ("UPDATE log SET action = 'juggle'", 7),
        ("UPDATE log SET drawn = '[5]'", 7),
        ("UPDATE log SET drawn = '[0, 0, 0, 0, 0]'", 0),
        ("UPDATE log SET action = 'setup 1 0'", 0),
        ("DELETE FROM log", 7),
    ],
)
async def test_a_damaged_log_affects_only_its_table(world: World, change: str, seq: int) -> None:
    table, _ = await played(world)
    await world.open()
    other = await world.game(ANNA, BEN)
    await world.close()
    await tamper(world, f'{change} WHERE "table" = :table AND seq = :seq', table=table, seq=seq)
    await tamper(world, 'DELETE FROM snapshots WHERE "table" = :table', table=table)
    await world.open()
    for _ in range(2):
        with pytest.raises(TableDamaged) as error:
            await world.tables.reader.seen(table, SPECTATOR)
        assert error.value.facts == {"table": table, "seq": seq}
    with pytest.raises(TableDamaged):
        await world.act(table, 0, "choose 1")
    assert await world.status(table) is Status.PLAYING
    await world.play(other.id, 5, Random(1))
    assert await world.tables.reader.seq(other.id) == 5


async def test_a_damaged_table_can_be_exported_and_abandoned(world: World) -> None:
    table, _ = await played(world)
    change = "UPDATE log SET action = 'take 9' WHERE \"table\" = :table AND seq = 7"
    await tamper(world, change, table=table)
    await tamper(world, 'DELETE FROM snapshots WHERE "table" = :table', table=table)
    await world.open()
    entries = (await whole_record(world.tables, table)).entries
    partial = json.loads((await world.tables.exports.game(table, 0)).data)
    own = [entry.action for entry in entries if entry.seat == 0]
    assert [line["action"] for line in partial["lines"]] == own
    assert "key" not in partial
    await world.all_abandon(table, ANNA, BEN)
    assert await world.status(table) is Status.ABANDONED
    whole = record.decode((await world.tables.exports.game(table, 0)).data)
    assert whole.entries == entries
    with pytest.raises(record.RecordError, match="entry 7"):
        record.verify(GAME, whole)
