"""Units of work as data."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from bot.store import schema, writes
from bot.store.batch import WriteBatch, merge


def test_steps_of_one_statement_are_gathered() -> None:
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


def test_the_order_within_a_unit_is_kept() -> None:
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
