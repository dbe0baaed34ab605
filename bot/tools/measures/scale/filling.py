"""Fills a database with many tables: copies of one, each with people and a place of its own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from msgspec.structs import asdict, replace
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import SnapshotRow, Store, schema
from bot.store.sharing import SHARD_BITS
from bot.tables import OutboxKind
from bot.tables.core.position import fingerprint
from bot.tables.people.notifications import REMIND
from bot.tools.measures.scale.databases import engine

TABLES_A_GROUP = 5
"""The same people play at so many tables."""
GROUPS_A_SERVER = 2
APART = 1000
"""Between the ids of people of two groups."""
FIRST_PLACE = 10**15
"""Ids of channels; those of threads begin at twice that."""
LATER = timedelta(days=1)
"""After which the reminder of each table is due."""
OF_TABLE = (
    schema.players,
    schema.log,
    schema.scheduled,
    schema.notifications,
    schema.results,
)
SNAPSHOTS_AT_ONCE = 1000


async def fill(store: Store, url: str, model: int, count: int, *, waiting: bool = True) -> None:
    """Stores so many copies of a table into the store's database, each with its log and snapshot;
    those that are `waiting` with an outbox item and a reminder.

    All rows but the snapshots, whose hashes tell tables apart, are made by the database itself.
    """
    ids = await store.new_table_ids(count)
    async with engine(url) as made, made.begin() as connection:
        for statement in _copies(model, ids):
            await connection.execute(statement)
        if waiting:
            for statement in _awaited(model, ids):
                await connection.execute(statement)
        await _snapshots(connection, model, ids)


def _copies(model: int, tables: range) -> Iterator[sa.Insert]:
    ids = _each_of(tables)
    group = ids.c.id // TABLES_A_GROUP
    server = group // GROUPS_A_SERVER

    def copies(
        table: sa.Table, of: sa.ColumnElement[int], /, **changed: sa.ColumnElement[int]
    ) -> sa.Insert:
        people = [name for name in ("user", "host") if name in table.c]
        values: dict[str, sa.ColumnElement[Any]] = {
            **table.c,
            **{name: table.c[name] + APART * group for name in people},
            **changed,
        }
        rows = sa.select(*values.values()).select_from(sa.join(table, ids, sa.true()))
        return sa.insert(table).from_select(list(values), rows.where(of == model))

    yield copies(
        schema.tables,
        schema.tables.c.id,
        id=ids.c.id,
        guild=(server + 1) * (1 << SHARD_BITS),
        channel=FIRST_PLACE + server,
        thread=2 * FIRST_PLACE + ids.c.id,
    )
    for table in OF_TABLE:
        yield copies(table, table.c.table, table=ids.c.id)


def _awaited(model: int, tables: range) -> Iterator[sa.Insert]:
    ids = _each_of(tables)
    last = sa.select(schema.snapshots.c.seq).where(schema.snapshots.c.table == model)
    board = sa.literal(OutboxKind.BOARD.value)
    yield sa.insert(schema.outbox).from_select(
        ["table", "kind", "seq"], sa.select(ids.c.id, board, last.scalar_subquery())
    )
    later = sa.literal(datetime.now(UTC) + LATER, schema.AwareDateTime)
    yield sa.insert(schema.scheduled).from_select(
        ["table", "seat", "kind", "at"],
        sa.select(ids.c.id, sa.literal(0), sa.literal(REMIND), later),
    )


def _each_of(tables: range) -> sa.CTE:
    ids = sa.select(sa.literal(tables.start, sa.BigInteger).label("id")).cte("ids", recursive=True)
    return ids.union_all(sa.select(ids.c.id + 1).where(ids.c.id < tables.stop - 1))


async def _snapshots(connection: AsyncConnection, model: int, tables: range) -> None:
    found = sa.select(schema.snapshots).where(schema.snapshots.c.table == model)
    snapshot = SnapshotRow(*(await connection.execute(found)).one())
    for first in range(0, len(tables), SNAPSHOTS_AT_ONCE):
        some = tables[first : first + SNAPSHOTS_AT_ONCE]
        rows = [asdict(_of(snapshot, each)) for each in some]
        await connection.execute(sa.insert(schema.snapshots), rows)


def _of(model: SnapshotRow, table: int) -> SnapshotRow:
    vouched = fingerprint(table, model.seq, model.version, model.draws, model.blob)
    return replace(model, table=table, hash=vouched)
