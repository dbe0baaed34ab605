"""Units of work as data, and as the statements that reach a database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from bot.store import (
    BrokenDatabase,
    EntryRow,
    Unavailable,
    WriteBatch,
    engine_setup,
    prepared,
    queries,
    schema,
    writes,
)
from bot.store.batch import merge
from bot.store.failures import failure
from tests.store.samples import NOW, entry_row, player_row, snapshot_row, table_row


def test_steps_of_one_statement_are_gathered_and_the_order_within_a_unit_is_kept() -> None:
    first, second = WriteBatch(), WriteBatch()
    first.acknowledge(7, 1)
    first.acknowledge(7, 2)
    second.acknowledge(8, 3)
    assert merge([first, second]) == [
        (
            writes.DELETE_OUTBOX_ITEM,
            [{"of_table": table, "of_id": item} for table, item in ((7, 1), (7, 2), (8, 3))],
        )
    ]
    first, second = WriteBatch(), WriteBatch()
    first.drop_outbox_kind(1, "board")
    first.acknowledge(1, 1)
    second.acknowledge(2, 2)
    second.drop_outbox_kind(2, "board")
    assert [statement for statement, _ in merge([first, second])] == [
        writes.DELETE_OUTBOX_KIND,
        writes.DELETE_OUTBOX_ITEM,
        writes.DELETE_OUTBOX_KIND,
    ]


def test_every_statement_can_be_said_to_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    statements = [
        each for each in vars(writes).values() if isinstance(each, sa.sql.base.Executable)
    ]
    assert len(statements) > 10
    for statement in statements:
        assert isinstance(statement, sa.ClauseElement)
        statement.compile(dialect=dialect)
    for table in schema.metadata.sorted_tables:
        sa.schema.CreateTable(table).compile(dialect=dialect)


def test_what_is_stored_and_read_is_the_same_to_the_byte_as_by_connections_of_sqlalchemy() -> None:
    engine = sa.create_engine("sqlite://", poolclass=StaticPool)
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as ours,
        engine.connect() as theirs,
    ):
        engine_setup.prepare(ours, is_doubtful=True)
        engine_setup.bring_up_to_date(theirs)
        for step, values in of_all_types().steps:
            prepared.execute(ours, step, values)
            theirs.execute(step, [values] if values else {})
        raw: Any = theirs.connection.driver_connection
        for table in schema.metadata.sorted_tables:
            everything = f"SELECT * FROM {table.name} ORDER BY 1"
            assert [*ours.execute(everything)] == [*raw.execute(everything)], table.name
        asked: tuple[tuple[sa.Executable, dict[str, Any]], ...] = (
            (queries.TABLE, {"of_table": 1}),
            (queries.PLAYERS, {"of_tables": [1, 2]}),
            (queries.PLAYERS, {"of_tables": []}),
            (queries.ENTRIES, {"of_table": 1, "first": 0}),
            (queries.OVERDUE, {"by": NOW, "at_most": 3}),
            (queries.IN_CHANNEL, {"of_place": 500, "of_statuses": ["lobby", "playing"]}),
            (queries.PERSON, {"of_user": 7}),
            (queries.NOTIFICATIONS, {"of_table": 1}),
        )
        for statement, parameters in asked:
            found = prepared.fetch(ours, lambda *row: row, statement, parameters)
            assert found == [tuple(row) for row in theirs.execute(statement, parameters)], statement
    engine.dispose()


def of_all_types() -> WriteBatch:
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


class FromServer(Exception):
    """An error to which the server gave a state."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.sqlstate = state


def test_only_what_the_server_says_for_good_is_for_good() -> None:
    for cause, kind in (
        (FromServer("57P01"), Unavailable),  # ended by an administrator
        (FromServer("42703"), BrokenDatabase),  # no such column
        (RuntimeError("another operation is in progress"), Unavailable),  # the driver alone
    ):
        assert type(failure(DBAPIError("SELECT 1", {}, cause))) is kind, cause
