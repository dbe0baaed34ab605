"""Rows as they go from one database to another, and what shows that they have arrived."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import schema
from bot.store.errors import CannotMove
from bot.store.slicing import AT_ONCE

TRANSIENT = frozenset({schema.leases, schema.members, schema.claims, schema.identifies})
"""What only processes that run at this moment have to do with."""
KEPT = tuple(table for table in schema.metadata.sorted_tables if table not in TRANSIENT)
"""All others, each behind those it refers to."""

BITS, BIG_BITS = 31, 63
"""The size of numbers in PostgreSQL, beside their sign; SQLite has but one, the larger."""
DIGEST_BYTES = 16


class Contents(msgspec.Struct, frozen=True):
    """What a table of the database holds: how many rows, the sum of their digests, in whichever
    order they lie, and up to which number the database has counted (None: it counts none)."""

    rows: int
    digests: int
    counted: int | None


async def is_empty(connection: AsyncConnection) -> bool:
    """Whether nothing is kept there; tables without rows may be there."""
    names = set(await connection.run_sync(lambda found: sa.inspect(found).get_table_names()))
    for table in KEPT:
        # The last id that was given stands there from the beginning.
        if table.name in names and table is not schema.table_ids:
            there = sa.select(sa.literal(1)).select_from(table).limit(1)
            if await connection.scalar(there) is not None:
                return False
    return True


async def copy(source: AsyncConnection, target: AsyncConnection, table: sa.Table) -> None:
    """Copies all rows, a slice at a time; those in the target, and its count, are replaced.

    Raises CannotMove for a row that cannot be read, or that the target would not take.
    """
    counted = await _counted(source, table)
    with _telling(f"{table.name} could not be written"):
        await target.execute(table.delete())
    async for rows in _slices(source, table):
        parameters = [_parameters(table, row) for row in rows]
        with _telling(f"{table.name} could not be written"):
            await target.execute(table.insert(), parameters)
    if counted is not None:
        await _count_on(target, table, counted)


async def contents(connection: AsyncConnection, table: sa.Table) -> Contents:
    """What is there now. Raises CannotMove for a row that cannot be read."""
    rows = digests = 0
    async for some in _slices(connection, table):
        rows += len(some)
        digests += sum(map(_digest, some))
    return Contents(rows, digests % (1 << 8 * DIGEST_BYTES), await _counted(connection, table))


def _digest(row: sa.Row[Any]) -> int:
    # The same value prints the same, whichever database it comes from.
    said = repr(tuple(row)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(said, digest_size=DIGEST_BYTES).digest(), "big")


async def _slices(
    connection: AsyncConnection, table: sa.Table
) -> AsyncIterator[Sequence[sa.Row[Any]]]:
    with _telling(f"{table.name} could not be read"):
        statement = sa.select(table).execution_options(yield_per=AT_ONCE)
        answer = await connection.stream(statement)
        async for rows in answer.partitions(AT_ONCE):
            yield rows


def _parameters(table: sa.Table, row: sa.Row[Any]) -> Mapping[str, Any]:
    for column, value in zip(table.columns, row, strict=True):
        wrong = None if value is None else _wrong(column.type, value)
        if wrong is not None:
            key = ", ".join(str(row[n]) for n, c in enumerate(table.columns) if c.primary_key)
            raise CannotMove(f"{table.name} ({key}): {column.name} {wrong}")
    return dict(zip(table.columns.keys(), row, strict=True))


def _wrong(kind: sa.types.TypeEngine[Any], value: object) -> str | None:
    # SQLite keeps anything anywhere. PostgreSQL refuses it, and does not say in which row.
    match kind:
        case sa.Boolean():
            return None
        case sa.Integer():
            bits = BIG_BITS if isinstance(kind, sa.BigInteger) else BITS
            if not isinstance(value, int):
                return "is no whole number"
            return None if -(1 << bits) <= value < 1 << bits else f"has more than {bits} bits"
        case sa.Float():
            return None if isinstance(value, float) else "is no number"
        case sa.LargeBinary():
            return None if isinstance(value, bytes) else "is not binary"
        case sa.Text():
            if not isinstance(value, str):
                return "is no text"
            return "has a character with the code 0" if "\0" in value else None
        case _:
            return None


async def _counted(connection: AsyncConnection, table: sa.Table) -> int | None:
    if table.autoincrement_column is None:
        return None
    if connection.dialect.name == "sqlite":
        found = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return await connection.scalar(found, {"name": table.name}) or 0
    sequence = await connection.scalar(sa.select(_sequence(table)))
    statement = f"SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM {sequence}"
    return int(await connection.scalar(sa.text(statement)) or 0)


async def _count_on(connection: AsyncConnection, table: sa.Table, counted: int) -> None:
    if connection.dialect.name == "sqlite":
        for statement in (
            "DELETE FROM sqlite_sequence WHERE name = :name",
            "INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :counted)",
        ):
            await connection.execute(sa.text(statement), {"name": table.name, "counted": counted})
    else:
        await connection.execute(sa.select(sa.func.setval(_sequence(table), counted + 1, False)))


def _sequence(table: sa.Table) -> sa.Function[Any]:
    column = table.autoincrement_column
    assert column is not None
    return sa.func.pg_get_serial_sequence(table.name, column.name)


@contextmanager
def _telling(what: str) -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, OSError, ArithmeticError, ValueError, TypeError) as error:
        said, *_ = str(getattr(error, "orig", None) or error).splitlines() or [""]
        raise CannotMove(f"{what}: {said}") from error
