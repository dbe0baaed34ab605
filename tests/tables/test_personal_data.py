"""A person's own data as a file: all of it, whatever is stored one day, and nothing secret."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from bot.store import queries, schema
from bot.tables.archive import personal_data
from tests.tables.test_server_removal import HERE, full_table
from tests.tables.world import World


async def test_all_that_is_stored_of_a_user_is_in_their_file(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await full_table(world, HERE)
    user = 7000 + table
    await world.tables.people.change(user, reminder_h=6)

    data = json.loads(await world.tables.personal_data.export(user))
    assert data["settings"]["reminder_h"] == 6
    assert {name for name, found in data.items() if found and name not in ("user", "settings")} == {
        *queries.OWN,
        *queries.OWN_AT,
    } - {"settings"}

    nobody = json.loads(await world.tables.personal_data.export(1))
    assert not any(found for name, found in nobody.items() if name != "user")
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
