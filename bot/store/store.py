"""The database behind the tables: every read, and the one way to write."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store import schema
from bot.store.migrate import migrate
from bot.store.rows import EntryRow, HandledRow, Kept, OwedRow, PlayerRow, SnapshotRow, TableRow
from bot.store.unit import Unit
from bot.store.writer import Writer, unavailable

LOCK_WAIT_MS = 2000
"""How long a statement waits for another program that has locked the database."""

CONNECTIONS = 3
"""One to write, two to read: each has a thread of its own, and more only change turns more."""

R = TypeVar("R")

_LAST_SEQ = (
    sa.select(sa.func.max(schema.log.c.seq))
    .where(schema.log.c.table == schema.tables.c.id)
    .scalar_subquery()
)
_KEPT = (
    sa.select(schema.tables, *(c.label(f"s_{c.name}") for c in schema.snapshots.c), _LAST_SEQ)
    .select_from(schema.tables.outerjoin(schema.snapshots))
    .where(schema.tables.c.id == sa.bindparam("of_table"))
)
_PLAYERS = (
    sa.select(schema.players)
    .where(schema.players.c.table.in_(sa.bindparam("of_tables", expanding=True)))
    .order_by(schema.players.c.table, schema.players.c.seat)
)
_ENTRIES = (
    sa.select(schema.log)
    .where(schema.log.c.table == sa.bindparam("of_table"))
    .order_by(schema.log.c.seq)
)
_OWED = sa.select(schema.outbox).order_by(schema.outbox.c.id)
_OWED_OF_TABLE = _OWED.where(schema.outbox.c.table == sa.bindparam("of_table"))
_HANDLED = sa.select(schema.handled).where(schema.handled.c.delivery == sa.bindparam("of_id"))
_VOTES = sa.select(schema.votes.c.user).where(
    schema.votes.c.table == sa.bindparam("of_table"),
    schema.votes.c.kind == sa.bindparam("of_kind"),
)
_DUE = (
    sa.select(schema.tables.c.id)
    .select_from(schema.tables.outerjoin(schema.snapshots))
    .where(
        schema.tables.c.status == sa.bindparam("of_status"),
        # Without its snapshot nobody knows: better look.
        sa.or_(schema.snapshots.c.due, schema.snapshots.c.due.is_(None)),
    )
    .order_by(schema.tables.c.id)
)
_WIDTH = len(schema.tables.c)


class Store:
    """An open database. Only one process may have it open, because ids are counted here.

    Reads raise Unavailable where the database does not answer.
    """

    def __init__(self, engine: AsyncEngine, last_table: int, last_owed: int) -> None:
        self._engine = engine
        self._writer = Writer(engine)
        self._last_table = last_table
        self._last_owed = last_owed

    @classmethod
    async def open(cls, url: str, *, lock_wait_ms: int = LOCK_WAIT_MS) -> Store:
        """Opens and migrates the database of a SQLAlchemy URL with an async driver.

        One of SQLite must be a file, in a folder that is there.
        Raises NewerDatabase or Unavailable.
        """
        engine = create_async_engine(
            url, pool_size=CONNECTIONS, max_overflow=0, hide_parameters=True
        )
        if engine.dialect.name == "sqlite":
            _set_pragmas(engine, lock_wait_ms)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
            async with engine.connect() as connection:
                last_table = await connection.scalar(sa.select(sa.func.max(schema.tables.c.id)))
                last_owed = await connection.scalar(sa.select(sa.func.max(schema.outbox.c.id)))
        except SQLAlchemyError as error:
            await engine.dispose()
            raise unavailable(error) from error
        except BaseException:
            await engine.dispose()
            raise
        return cls(engine, last_table or 0, last_owed or 0)

    async def close(self) -> None:
        """Writes what is waiting and closes the database."""
        await self._writer.close()
        await self._engine.dispose()

    def new_table_id(self) -> int:
        """The id of a table to be added; one that is not used is lost."""
        self._last_table += 1
        return self._last_table

    def new_owed_id(self) -> int:
        """The id of an outbox row to be added."""
        self._last_owed += 1
        return self._last_owed

    async def commit(self, unit: Unit) -> None:
        """Writes the unit, whole, to the disk. Raises Conflict or Unavailable, nothing kept."""
        await self._writer.commit(unit)

    async def load(self, table: int) -> Kept | None:
        """A table with its snapshot; None where there is no such table."""
        async with self._reading() as connection:
            row = (await connection.execute(_KEPT, {"of_table": table})).one_or_none()
            if row is None:
                return None
            players = (await connection.execute(_PLAYERS, {"of_tables": [table]})).all()
        snapshot = None if row.s_table is None else SnapshotRow(*row[_WIDTH:-1])
        return Kept(
            TableRow(*row[:_WIDTH]),
            tuple(_each(PlayerRow, players)),
            snapshot,
            row[-1],
        )

    async def in_channel(self, place: int, statuses: Collection[str]) -> list[Kept]:
        """Tables of a channel or thread in one of those states, newest first; heads only."""
        here = sa.or_(schema.tables.c.channel == place, schema.tables.c.thread == place)
        found = sa.select(schema.tables).where(here, schema.tables.c.status.in_(statuses))
        return await self._heads(found.order_by(schema.tables.c.id.desc()))

    async def of_user(self, user: int, statuses: Collection[str]) -> list[Kept]:
        """Tables at which a user sits, in one of those states, oldest first; heads only."""
        seated = sa.select(schema.players.c.table).where(schema.players.c.user == user)
        found = sa.select(schema.tables).where(
            schema.tables.c.id.in_(seated), schema.tables.c.status.in_(statuses)
        )
        return await self._heads(found.order_by(schema.tables.c.id))

    async def entries(self, table: int) -> list[EntryRow]:
        """The whole log of a table, in order."""
        return _each(EntryRow, await self._read(_ENTRIES, {"of_table": table}))

    async def owed(self, table: int | None = None) -> list[OwedRow]:
        """What is still to be told, of one table or of all, oldest first."""
        if table is None:
            rows = await self._read(_OWED, {})
        else:
            rows = await self._read(_OWED_OF_TABLE, {"of_table": table})
        return _each(OwedRow, rows)

    async def handled(self, delivery: str) -> HandledRow | None:
        """What came of a delivery, if it has been carried out."""
        rows = await self._read(_HANDLED, {"of_id": delivery})
        return next(iter(_each(HandledRow, rows)), None)

    async def votes(self, table: int, kind: str) -> frozenset[int]:
        """The users who have given that vote."""
        rows = await self._read(_VOTES, {"of_table": table, "of_kind": kind})
        return frozenset(row.user for row in rows)

    async def due(self, status: str) -> list[int]:
        """Tables in that state at which a computer player is to act."""
        return [row.id for row in await self._read(_DUE, {"of_status": status})]

    async def _heads(self, statement: sa.Select[Any]) -> list[Kept]:
        rows = _each(TableRow, await self._read(statement, {}))
        seated: dict[int, list[PlayerRow]] = {row.id: [] for row in rows}
        if rows:
            players = await self._read(_PLAYERS, {"of_tables": list(seated)})
            for player in _each(PlayerRow, players):
                seated[player.table].append(player)
        return [Kept(row, tuple(seated[row.id])) for row in rows]

    async def _read(
        self, statement: sa.Select[Any], parameters: dict[str, Any]
    ) -> Sequence[sa.Row[Any]]:
        async with self._reading() as connection:
            rows: Sequence[sa.Row[Any]] = (await connection.execute(statement, parameters)).all()
            return rows

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise unavailable(error) from error


def _each(kind: Callable[..., R], rows: Iterable[sa.Row[Any]]) -> list[R]:
    # The structs of bot.store.rows list their fields in the order of the columns.
    return [kind(*row) for row in rows]


def _set_pragmas(engine: AsyncEngine, lock_wait_ms: int) -> None:
    @sa.event.listens_for(engine.sync_engine, "connect")
    def _on_connect(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        for pragma in (
            f"busy_timeout = {lock_wait_ms}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
