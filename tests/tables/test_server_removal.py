"""All that is stored of a server is deleted when it should be, and of a person given to them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.store import Store, WriteBatch, queries, schema
from bot.tables import TableError, UnknownTable
from bot.tables.archive import personal_data
from bot.tables.people import server_removal
from tests.store.database import BOTH, SERVER_ALONE, Database
from tests.tables.members import Members, guild_of
from tests.tables.world import ANNA, BEN, NAMES, World
from tests.waiting import until

HERE, ELSEWHERE = 1, 2
OF_TABLES = [each for each in schema.metadata.sorted_tables if "table" in each.c]
VALUES = {sa.Text: "x", sa.JSON: {}, sa.LargeBinary: b"x", sa.Float: 1.0, sa.Boolean: False}


async def full_table(world: World, guild: int | None) -> int:
    """A table with a row in each table of the database that has rows of tables."""
    table = await world.tables.lobby.open("pebbles", ANNA, NAMES[ANNA], guild, 500)
    batch, later = WriteBatch(), world.clock.now() + timedelta(days=900)
    for each in OF_TABLES:
        row = {
            column.key: later
            if isinstance(column.type, schema.AwareDateTime)
            else VALUES.get(type(column.type), 7000 + table.id)
            for column in each.columns
        }
        if each is schema.handled:
            row["delivery"] = str(table.id)
        row["table"] = table.id
        batch.steps.append((sa.insert(each), row))
    await world.store.commit(batch)
    return table.id


async def rows(store: Store, table_id: int) -> int:
    """In how many tables of the database there are rows of a table."""
    count = 0
    for each in OF_TABLES:
        found = sa.select(each.c.table).where(each.c.table == table_id).limit(1)
        count += len(await store._database.read(int, found, {}))
    return count


async def test_a_server_is_deleted_long_after_the_bot_has_left_it_and_nothing_else_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_removal, "AT_ONCE", 2)
    gone = [await full_table(world, HERE) for _ in range(3)]
    kept = [await full_table(world, guild) for guild in (ELSEWHERE, None)]
    for guild in (HERE, ELSEWHERE):
        await world.tables.servers.change(guild, most_tables=3)
    assert [await rows(world.store, each) for each in gone + kept] == [len(OF_TABLES)] * 5

    # It is told of the first by an event, and finds the other out later; that one comes back.
    await world.tables.server_removal.left(HERE)
    world.clock.move(days=20)
    await world.reopen()
    await world.tables.server_removal.look_through(lambda _: False)
    await world.tables.server_removal.look_through({ELSEWHERE: True}.get)
    world.clock.move(days=9)
    await world.tables.scheduler.tick()
    assert [await rows(world.store, each) for each in gone] == [len(OF_TABLES)] * 3

    # It is killed after the first table, and goes on when it is there again.
    commit, done = world.store.commit, list[WriteBatch]()

    async def killed(batch: WriteBatch) -> None:
        if done:
            raise OSError
        done.append(batch)
        await commit(batch)

    world.clock.move(days=2)
    monkeypatch.setattr(world.store, "commit", killed)
    await world.tables.scheduler.tick()
    assert [await rows(world.store, each) for each in gone] == [0, len(OF_TABLES), len(OF_TABLES)]
    await world.reopen()
    for _ in range(3):
        world.clock.move(minutes=3)
        await world.tables.scheduler.tick()

    assert [await rows(world.store, each) for each in gone] == [0, 0, 0]
    assert [await rows(world.store, each) for each in kept] == [len(OF_TABLES)] * 2
    assert await world.store.servers() == [ELSEWHERE]
    assert (await world.tables.servers.get(HERE)).most_tables == 0
    for kind in (server_removal.LEFT, server_removal.FORGET):
        assert await world.store.scheduled_for(0, kind) == []


async def test_who_comes_back_in_time_keeps_all_and_by_0_days_all_is_kept(world: World) -> None:
    table = await full_table(world, HERE)
    await world.tables.server_removal.left(HERE)
    world.clock.move(days=25)
    # Being told of it once more is no reason to begin anew.
    await world.tables.server_removal.left(HERE)
    world.tables.server_removal._kept_days = 0
    world.clock.move(days=6)
    await world.tables.scheduler.tick()
    assert await rows(world.store, table)
    await world.tables.server_removal.left(HERE)
    assert await world.store.scheduled_for(0, server_removal.LEFT) == []

    world.tables.server_removal._kept_days = 1
    await world.tables.server_removal.left(HERE)
    await world.tables.server_removal.joined(HERE)
    world.clock.move(days=2)
    await world.tables.scheduler.tick()
    assert await rows(world.store, table)


async def test_a_game_that_goes_on_ends_when_its_server_is_deleted(world: World) -> None:
    table = await world.game(ANNA, BEN)
    told: list[int] = []
    world.tables.subscribe(told.append)
    await world.tables.server_removal.ask(HERE)

    await world.tables.scheduler.tick()
    await until(lambda: table.id in told)

    with pytest.raises(UnknownTable):
        await world.tables.play.act(table.id, 0, ("take", "1"))
    assert await world.store.outbox() == []
    assert await world.store.outbox(table.id) == []


@SERVER_ALONE
async def test_of_several_processes_one_deletes(database: Database) -> None:
    async with Members(database).open("one", "two") as members:
        one, two = members.all
        await members.hand_over(1, two)
        table = await members.game(two, ANNA, BEN, shard=1)
        await two.tables.servers.change(guild_of(1), most_tables=3)
        await two.tables.server_removal.ask(guild_of(1))

        assert await two.tables.scheduler.tick() == 0
        assert await one.tables.scheduler.tick() == 1

        async def is_gone() -> bool:
            try:
                await two.tables.reader.get(table.id)
            except TableError:
                return True
            return False

        await until(is_gone)
        assert await one.store.servers() == []
        await until(lambda: guild_of(1) not in two.tables.servers._known)


@BOTH
async def test_all_that_is_stored_of_a_user_is_in_their_file(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await full_table(world, HERE)
    user = 7000 + table
    await world.tables.people.change(user, reminder_h=6)

    data = json.loads(await world.tables.personal_data.export(user))
    assert data["settings"]["reminder_h"] == 6
    found = {name for name, rows in data.items() if rows and name not in ("user", "settings")}
    assert found == {*queries.OWN, *queries.OWN_AT} - {"settings"}

    nobody = json.loads(await world.tables.personal_data.export(1))
    assert not any(rows for name, rows in nobody.items() if name != "user")
    monkeypatch.setattr(personal_data, "MOST_BYTES", 0)
    cut = json.loads(await world.tables.personal_data.export(user))
    assert cut["tables_left_out"] == 1
    assert "moves" not in cut


def test_no_table_of_the_database_that_names_a_user_is_forgotten_and_no_secret_is_given() -> None:
    columns = [
        column
        for statement in (*queries.OWN.values(), *queries.OWN_AT.values())
        for column in statement.selected_columns
    ]
    given = {column.table.name for column in columns if isinstance(column, sa.Column)}
    personal = {
        table.name
        for table in schema.metadata.sorted_tables
        if {"user", "by", "host"} & {*table.c.keys()}
    }
    assert personal <= given
    # Numbers of log entries have gaps where others did something in secret.
    secret = {"key", "drawn", "blob", "hash", "marks", "asked", "seq", "made", "closed"}
    assert not secret & {column.name for column in columns}
