"""Statements reach SQLite with the text and the values that SQLAlchemy's connections give them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from bot.store import EntryRow, WriteBatch, engine_setup, prepared, queries, schema
from tests.store.samples import NOW, entry_row, player_row, snapshot_row, table_row


@pytest.fixture
def both() -> Iterator[tuple[sqlite3.Connection, sa.Connection]]:
    """A database for this, and one for SQLAlchemy's connection."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as ours:
        engine_setup.prepare(ours, is_doubtful=True)
        engine = sa.create_engine("sqlite://", poolclass=StaticPool)
        with engine.connect() as theirs:
            engine_setup.bring_up_to_date(theirs)
            yield ours, theirs
        engine.dispose()


def batch() -> WriteBatch:
    """Values of every type, fixed ones, lists, and rows that are replaced."""
    made = WriteBatch()
    made.add_table(table_row(1))
    made.save_table(table_row(1))
    made.save_players(1, [player_row(1, 0, 7), player_row(1, 1, 8)])
    made.add_entry(entry_row(1, 0))
    made.add_entry(EntryRow(1, 1, 0, None, "bid ü", [1, 2], NOW))
    made.save_snapshot(snapshot_row(1, 0))
    made.save_snapshot(snapshot_row(1, 1, due=True))
    made.enqueue(1, "board", None, 0)
    made.add_notification(1, 0, 0, 7, NOW)
    made.save_person(7, {"a": None, "b": ["ü"]})
    made.forget([1, 2], 8, name="nobody", host=0, sign="@", left="@resign")
    return made


def test_what_is_stored_is_the_same_to_the_byte(
    both: tuple[sqlite3.Connection, sa.Connection],
) -> None:
    ours, theirs = both
    for statement, parameters in batch().steps:
        prepared.execute(ours, statement, parameters)
        theirs.execute(statement, [parameters] if parameters else {})
    raw: Any = theirs.connection.driver_connection
    for table in schema.metadata.sorted_tables:
        everything = f"SELECT * FROM {table.name} ORDER BY 1"
        assert [*ours.execute(everything)] == [*raw.execute(everything)], table.name


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        (queries.TABLE, {"of_table": 1}),
        (queries.PLAYERS, {"of_tables": [1, 2]}),
        (queries.PLAYERS, {"of_tables": []}),
        (queries.ENTRIES, {"of_table": 1, "first": 0}),
        (queries.OVERDUE, {"by": NOW, "at_most": 3}),
        (queries.IN_CHANNEL, {"of_place": 500, "of_statuses": ["lobby", "playing"]}),
        (queries.PERSON, {"of_user": 7}),
        (queries.NOTIFICATIONS, {"of_table": 1}),
    ],
)
def test_what_is_read_is_the_same(
    both: tuple[sqlite3.Connection, sa.Connection],
    statement: sa.Executable,
    parameters: Mapping[str, Any],
) -> None:
    ours, theirs = both
    for step, values in batch().steps:
        prepared.execute(ours, step, values)
        theirs.execute(step, [values] if values else {})
    found = prepared.fetch(ours, lambda *row: row, statement, parameters)
    assert found == [tuple(row) for row in theirs.execute(statement, parameters)]
