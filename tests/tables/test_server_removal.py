"""The deletion of a server's data, and the export of a user's data."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from enum import EnumType
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from bot.store import CupRow, HandledRow, OutboxItem, SearchRow, Store, WriteBatch
from bot.store.rows import KINDS, TABLES_OF_TABLE
from bot.store.sql import statement
from bot.store.store import TABLE_DATA, USER_DATA
from bot.tables import Rejected, UnknownTable, export, servers
from tests.store.database import BOTH, SERVER_ALONE, Database
from tests.tables.members import Members, guild_of
from tests.tables.world import ANNA, BEN, NAMES, World
from tests.waiting import until

GUILD, OTHER_GUILD = 1, 2


async def full_table(world: World, guild: int | None) -> int:
    """Open a table with a row in each table of the database that has rows for tables."""
    table = await world.tables.lobby.open("pebbles", ANNA, NAMES[ANNA], guild, 500)
    later = world.clock.now() + timedelta(days=900)
    values = {datetime: later, str: "x", bytes: b"x", float: 1.0, bool: False}
    batch = WriteBatch()
    for kind in TABLES_OF_TABLE:
        given: dict[str, Any] = {}
        for name, hint in get_type_hints(kind).items():
            if name in kind.__struct_fields__:
                (plain, *_) = get_args(hint) if isinstance(hint, UnionType) else (hint,)
                words = [*plain] if isinstance(plain, EnumType) else [7000 + table.id]
                given[name] = {} if get_origin(plain) else values.get(plain, words[0])
        if kind is HandledRow:
            given["delivery"] = str(table.id)
        if kind is OutboxItem:
            given["id"] = 1000 * table.id
        batch.insert(kind(**given | {"table": table.id}))
    await world.store.commit(batch)
    return table.id


async def rows(store: Store, table_id: int) -> int:
    """Count the tables of the database that have rows for a table."""
    count = 0
    for kind in TABLES_OF_TABLE:
        (found,) = await store._database.read(
            statement(f'SELECT 1 FROM {kind.TABLE} WHERE "table" = :table LIMIT 1', table=table_id)
        )
        count += len(found)
    return count


async def test_a_server_is_deleted_some_time_after_the_bot_left_and_nothing_else_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "BATCH", 2)
    deleted = [await full_table(world, GUILD) for _ in range(3)]
    kept = [await full_table(world, guild) for guild in (OTHER_GUILD, None)]
    for guild in (GUILD, OTHER_GUILD):
        await world.tables.servers.change(guild, most_tables=3)
    assert [await rows(world.store, each) for each in deleted + kept] == [len(TABLES_OF_TABLE)] * 5

    # The bot leaves the first with an event and the other while offline, and rejoins the other.
    await world.tables.servers.left(GUILD)
    world.clock.move(days=20)
    await world.reopen()
    await world.tables.servers.reconcile(lambda _: False)
    await world.tables.servers.reconcile({OTHER_GUILD: True}.get)
    world.clock.move(days=9)
    await world.tables.scheduler.tick()
    assert [await rows(world.store, each) for each in deleted] == [len(TABLES_OF_TABLE)] * 3

    # The bot is killed after the first table, and continues after its restart.
    commit, done = world.store.commit, list[WriteBatch]()

    async def killed(batch: WriteBatch) -> None:
        if done:
            raise OSError
        done.append(batch)
        await commit(batch)

    world.clock.move(days=2)
    monkeypatch.setattr(world.store, "commit", killed)
    await world.tables.scheduler.tick()
    every = len(TABLES_OF_TABLE)
    assert [await rows(world.store, each) for each in deleted] == [0, every, every]
    await world.reopen()
    for _ in range(3):
        world.clock.move(minutes=3)
        await world.tables.scheduler.tick()

    assert [await rows(world.store, each) for each in deleted] == [0, 0, 0]
    assert [await rows(world.store, each) for each in kept] == [len(TABLES_OF_TABLE)] * 2
    assert await world.store.servers() == [OTHER_GUILD]
    assert (await world.tables.servers.get(GUILD)).most_tables == 0
    for kind in (servers.LEFT, servers.FORGET):
        assert await world.store.scheduled_for(0, kind) == []


async def test_a_server_is_kept_if_the_bot_returns_or_with_0_days(world: World) -> None:
    table = await full_table(world, GUILD)
    await world.tables.servers.left(GUILD)
    world.clock.move(days=25)
    # A second event does not restart the period.
    await world.tables.servers.left(GUILD)
    world.tables.servers._keep_days = 0
    world.clock.move(days=6)
    await world.tables.scheduler.tick()
    assert await rows(world.store, table)
    await world.tables.servers.left(GUILD)
    assert await world.store.scheduled_for(0, servers.LEFT) == []

    world.tables.servers._keep_days = 1
    await world.tables.servers.left(GUILD)
    await world.tables.servers.joined(GUILD)
    world.clock.move(days=2)
    await world.tables.scheduler.tick()
    assert await rows(world.store, table)


async def test_a_running_game_is_deleted_with_its_server(world: World) -> None:
    table = await world.game(ANNA, BEN)
    notified: list[int] = []
    world.tables.subscribe(notified.append)
    await world.tables.servers.remove(GUILD)

    await world.tables.scheduler.tick()
    await until(lambda: table.id in notified)

    with pytest.raises(UnknownTable):
        await world.tables.play.act(table.id, 0, ("take", "1"))
    assert await world.store.outbox() == []
    assert await world.store.outbox(table.id) == []


@SERVER_ALONE
async def test_only_one_of_several_processes_deletes(database: Database) -> None:
    async with Members(database).open("one", "two") as members:
        one, two = members.all
        await members.hand_over(1, two)
        table = await members.game(two, ANNA, BEN, shard=1)
        await two.tables.servers.change(guild_of(1), most_tables=3)
        await two.tables.servers.remove(guild_of(1))

        assert await two.tables.scheduler.tick() == 0
        assert await one.tables.scheduler.tick() == 1

        async def is_deleted() -> bool:
            try:
                await two.tables.reader.get(table.id)
            except Rejected:
                return True
            return False

        await until(is_deleted)
        assert await one.store.servers() == []
        await until(lambda: guild_of(1) not in two.tables.servers._cached)


@BOTH
async def test_a_users_file_has_all_their_data(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await full_table(world, GUILD)
    user = 7000 + table
    await world.tables.people.change(user, reminder_h=6)
    await world.tables.searches.set_alerts(GUILD, user, "", [""])
    batch, now = WriteBatch(), world.clock.now()
    batch.insert(CupRow(9, GUILD, {"organiser": user, "name": "Harbour cup"}))
    row = SearchRow(1, user, "pebbles", "x", 5, "day", [2], "new", False, ["en"], now, now)
    batch.save(row)
    await world.store.commit(batch)

    data = json.loads(await world.tables.exports.personal_data(user))
    assert data["settings"]["reminder_h"] == 6
    found = {name for name, rows in data.items() if rows and name not in ("user", "settings")}
    assert found == {*USER_DATA, *TABLE_DATA} - {"settings"}

    unknown = json.loads(await world.tables.exports.personal_data(1))
    assert not any(rows for name, rows in unknown.items() if name != "user")
    monkeypatch.setattr(export, "MAX_BYTES", 0)
    cut = json.loads(await world.tables.exports.personal_data(user))
    assert cut["tables_left_out"] == 1
    assert "moves" not in cut


def test_a_users_file_covers_all_tables_with_users_and_no_secrets() -> None:
    sections = [*USER_DATA.values(), *TABLE_DATA.values()]
    personal = {kind for kind in KINDS if {"user", "by", "host"} & {*kind.__struct_fields__}}
    assert personal <= {kind for kind, _names, _condition in sections}
    # The numbers of log entries have gaps for secret entries of other players.
    secret = {"key", "drawn", "blob", "hash", "marks", "asked", "seq", "made", "closed"}
    assert not secret & {name for _kind, names, _condition in sections for name in names.split()}
