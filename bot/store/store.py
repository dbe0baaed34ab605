"""The database behind the tables: every read, and the one way to write."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store import schema
from bot.store.address import sqlite_file
from bot.store.batch import WriteBatch
from bot.store.errors import BrokenDatabase, Unavailable
from bot.store.failures import failure
from bot.store.migrate import migrate
from bot.store.presence import Presence, log_of
from bot.store.rows import (
    AskingRow,
    Census,
    ClockRow,
    EntryRow,
    HandledRow,
    NotificationRow,
    NumberedMessageRow,
    OutboxRow,
    PlayerRow,
    PromiseRow,
    ProposalRow,
    ResultRow,
    ScheduledRow,
    SnapshotRow,
    StandingRow,
    StoredTable,
    TableRow,
)
from bot.store.writer import Writer

LOCK_WAIT_MS = 2000
"""How long a statement waits for another program that has locked the database."""

SYNCHRONOUS = "FULL"
"""What is committed outlives even a loss of power."""

ANSWER_WAIT_S = 30
"""How long a server is waited for, which may have gone without a word."""

CONNECTIONS = 3
"""One to write, two to read: each has a thread of its own, and more only change turns more."""

AT_ONCE = 200
"""Rows of a long answer that are looked at before others get their turn."""

R = TypeVar("R")

_LAST_SEQ = (
    sa.select(sa.func.max(schema.log.c.seq))
    .where(schema.log.c.table == schema.tables.c.id)
    .scalar_subquery()
)
_TABLE = (
    sa.select(schema.tables, *(c.label(f"s_{c.name}") for c in schema.snapshots.c), _LAST_SEQ)
    .select_from(schema.tables.outerjoin(schema.snapshots))
    .where(schema.tables.c.id == sa.bindparam("of_table"))
)
_PLAYERS = (
    sa.select(schema.players)
    .where(schema.players.c.table.in_(sa.bindparam("of_tables", expanding=True)))
    .order_by(schema.players.c.table, schema.players.c.seat)
)
_PROMISES = (
    sa.select(schema.promises)
    .where(schema.promises.c.table == sa.bindparam("of_table"))
    .order_by(schema.promises.c.made, schema.promises.c.giver)
)
_ENTRIES = (
    sa.select(schema.log)
    .where(
        schema.log.c.table == sa.bindparam("of_table"), schema.log.c.seq >= sa.bindparam("first")
    )
    .order_by(schema.log.c.seq)
)
_OUTBOX = sa.select(schema.outbox).order_by(schema.outbox.c.id)
_OUTBOX_OF_TABLE = _OUTBOX.where(schema.outbox.c.table == sa.bindparam("of_table"))
_HANDLED = sa.select(schema.handled).where(schema.handled.c.delivery == sa.bindparam("of_id"))
_VOTES = sa.select(schema.votes.c.user).where(
    schema.votes.c.table == sa.bindparam("of_table"),
    schema.votes.c.kind == sa.bindparam("of_kind"),
)
_COMPUTER_TURNS = (
    sa.select(schema.tables.c.id)
    .select_from(schema.tables.outerjoin(schema.snapshots))
    .where(
        schema.tables.c.status == sa.bindparam("of_status"),
        # Without its snapshot nobody knows: better look.
        sa.or_(schema.snapshots.c.due, schema.snapshots.c.due.is_(None)),
    )
    .order_by(schema.tables.c.id)
)
_TABLES = sa.select(schema.tables.c.game, schema.tables.c.status, sa.func.count()).group_by(
    schema.tables.c.game, schema.tables.c.status
)
_OUTBOX_SINCE = sa.select(
    sa.func.count(),
    # What is owed of a lobby has no log entry; it may be as old as its table.
    sa.func.min(sa.func.coalesce(schema.log.c.at, schema.tables.c.created)),
).select_from(
    schema.outbox.join(schema.tables).outerjoin(
        schema.log,
        sa.and_(
            schema.log.c.table == schema.outbox.c.table, schema.log.c.seq == schema.outbox.c.seq
        ),
    )
)
_SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
_PROPOSALS = (
    sa.select(schema.proposals)
    .where(schema.proposals.c.table == sa.bindparam("of_table"))
    .order_by(schema.proposals.c.kind)
)
_OVERDUE = (
    sa.select(schema.scheduled)
    .where(schema.scheduled.c.at <= sa.bindparam("by"))
    .order_by(schema.scheduled.c.at)
    .limit(sa.bindparam("at_most"))
)
_SCHEDULED_AT = sa.select(schema.scheduled.c.at).where(
    schema.scheduled.c.table == sa.bindparam("of_table"),
    schema.scheduled.c.seat == sa.bindparam("of_seat"),
    schema.scheduled.c.kind == sa.bindparam("of_kind"),
)
_POSTPONE = (
    sa.update(schema.scheduled)
    .where(
        schema.scheduled.c.table == sa.bindparam("of_table"),
        schema.scheduled.c.seat == sa.bindparam("of_seat"),
        schema.scheduled.c.kind == sa.bindparam("of_kind"),
        schema.scheduled.c.at == sa.bindparam("was"),
    )
    .values(at=sa.bindparam("until"))
)
_CLOCKS = (
    sa.select(schema.clocks)
    .where(schema.clocks.c.table == sa.bindparam("of_table"))
    .order_by(schema.clocks.c.seat)
)
_PERSON = sa.select(schema.people.c.settings).where(schema.people.c.user == sa.bindparam("of_user"))
_NOTIFICATIONS = (
    sa.select(schema.notifications)
    .where(schema.notifications.c.table == sa.bindparam("of_table"))
    .order_by(schema.notifications.c.seq, schema.notifications.c.seat)
)
_NOTIFICATIONS_OF_USER = (
    sa.select(schema.notifications)
    .where(
        schema.notifications.c.user == sa.bindparam("of_user"),
        ~schema.notifications.c.over,
        # By the index of the players: one of its own would be written at each turn.
        schema.notifications.c.table.in_(
            sa.select(schema.players.c.table).where(
                schema.players.c.user == sa.bindparam("of_user")
            )
        ),
    )
    .order_by(schema.notifications.c.since, schema.notifications.c.table)
)
_NUMBERED_MESSAGE = sa.select(schema.numbered_messages).where(
    schema.numbered_messages.c.table == sa.bindparam("of_table"),
    schema.numbered_messages.c.what == sa.bindparam("of_what"),
)
_ASKING = (
    sa.select(schema.asking)
    .where(schema.asking.c.table == sa.bindparam("of_table"))
    .order_by(schema.asking.c.message)
)
_REMATCH = sa.select(schema.tables.c.id).where(
    schema.tables.c.rematch_of == sa.bindparam("of_table")
)
_NOTE = sa.select(schema.notes.c.text).where(
    schema.notes.c.table == sa.bindparam("of_table"),
    schema.notes.c.user == sa.bindparam("of_user"),
)
_SERVER = sa.select(schema.servers.c.settings).where(
    schema.servers.c.guild == sa.bindparam("of_guild")
)
_FIRST_TURN = sa.select(sa.literal(1)).where(
    ~sa.exists()
    .where(schema.players.c.user == sa.bindparam("of_user"))
    .where(schema.players.c.table < sa.bindparam("of_table"))
    .where(schema.tables.c.id == schema.players.c.table)
    .where(schema.tables.c.game == sa.bindparam("of_game"))
    # A table that has begun has a snapshot.
    .where(schema.snapshots.c.table == schema.players.c.table),
    ~sa.exists()
    .where(schema.log.c.table == sa.bindparam("of_table"))
    .where(schema.log.c.user == sa.bindparam("of_user"))
    .where(schema.log.c.action == sa.bindparam("of_end")),
)
_RESULTS = schema.results.c
# Whoever wants no statistics keeps their results, and nobody sees them.
_IS_COUNTED = ~sa.exists().where(
    schema.people.c.user == _RESULTS.user,
    schema.people.c.settings["counted"].as_boolean() == sa.false(),
)
_RESULTS_OF_USER = (
    sa.select(schema.results)
    .where(_RESULTS.user == sa.bindparam("of_user"), _IS_COUNTED)
    .order_by(_RESULTS.finished, _RESULTS.table)
)
_RATED = (
    _RESULTS.guild == sa.bindparam("of_guild"),
    _RESULTS.game == sa.bindparam("of_game"),
    _RESULTS.mu.is_not(None),
)
_RATINGS = (
    sa.select(_RESULTS.user, _RESULTS.mu, _RESULTS.sigma)
    .where(*_RATED, _RESULTS.user.in_(sa.bindparam("of_users", expanding=True)))
    .order_by(_RESULTS.finished, _RESULTS.table)
)
_EACH = (
    sa.select(
        _RESULTS.user,
        _RESULTS.name,
        _RESULTS.mu,
        _RESULTS.sigma,
        sa.func.count().over(partition_by=_RESULTS.user).label("games"),
        sa.func.sum(sa.case((_RESULTS.place == 1, 1), else_=0))
        .over(partition_by=_RESULTS.user)
        .label("wins"),
        sa.func.row_number()
        .over(
            partition_by=_RESULTS.user,
            order_by=(_RESULTS.finished.desc(), _RESULTS.table.desc()),
        )
        .label("age"),
    )
    .where(*_RATED, _IS_COUNTED)
    .subquery()
)
_STANDINGS = sa.select(*(each for each in _EACH.c if each.name != "age")).where(_EACH.c.age == 1)
_MISNAMED = (
    sa.select(schema.tables.c.id)
    .join(schema.players, schema.players.c.table == schema.tables.c.id)
    .where(
        schema.players.c.user == sa.bindparam("of_user"),
        schema.players.c.name != sa.bindparam("of_name"),
        schema.tables.c.guild.is_not_distinct_from(sa.bindparam("of_guild", type_=sa.BigInteger)),
        schema.tables.c.status.in_(sa.bindparam("of_statuses", expanding=True)),
    )
    .order_by(schema.tables.c.id)
)
_MISTOLD = (
    sa.select(schema.results.c.table)
    .where(
        schema.results.c.user == sa.bindparam("of_user"),
        schema.results.c.guild == sa.bindparam("of_guild"),
        schema.results.c.name != sa.bindparam("of_name"),
    )
    .limit(1)
)
_TRACES = (
    sa.select(schema.tables.c.id)
    .where(
        schema.tables.c.status.in_(sa.bindparam("of_statuses", expanding=True)),
        sa.or_(
            schema.tables.c.host == sa.bindparam("of_user"),
            *(
                sa.exists().where(
                    each.c.table == schema.tables.c.id, each.c.user == sa.bindparam("of_user")
                )
                for each in (schema.players, schema.log)
            ),
        ),
    )
    .order_by(schema.tables.c.id)
)
_WIDTH = len(schema.tables.c)


class Store:
    """An open database. Only one process may have it open, because ids are counted here.

    Reads raise StoreError where the database does not answer: Unavailable, or what is worse.
    """

    def __init__(
        self, engine: AsyncEngine, check: Callable[[], None], last_table: int, last_outbox_item: int
    ) -> None:
        self._engine = engine
        self._check = check
        self._writer = Writer(engine, check)
        self._reads = 0
        self._nothing_read = asyncio.Event()
        self._nothing_read.set()
        self._closed = False
        self._last_table = last_table
        self._last_outbox_item = last_outbox_item

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        lock_wait_ms: int = LOCK_WAIT_MS,
        check: Callable[[], None] = lambda: None,
    ) -> Store:
        """Opens and migrates the database of a SQLAlchemy URL with an async driver.

        One of SQLite must be a file, in a folder that is there. Raises NewerDatabase,
        BrokenDatabase, NotWritable, or Unavailable where trying again may help.
        `check` is called before anything is read or written on a server; it may raise StoreError.
        """
        file = sqlite_file(url)
        is_doubtful = file is not None and _was_killed(file)
        engine = create_async_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=0,
            hide_parameters=True,
            # A server may have closed a connection that was not used for long.
            pool_pre_ping=file is None,
            connect_args=_limits(lock_wait_ms) if file is None else {},
        )
        if file is not None:
            _set_pragmas(engine, lock_wait_ms)
        try:
            if file is not None:
                await asyncio.to_thread(_open_once, file)
            if is_doubtful:
                await _look_through(engine)
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
            async with engine.connect() as connection:
                last_table = await connection.scalar(sa.select(sa.func.max(schema.tables.c.id)))
                last_outbox_item = await connection.scalar(
                    sa.select(sa.func.max(schema.outbox.c.id))
                )
        except (DBAPIError, sqlite3.Error, OSError) as error:
            await engine.dispose()
            raise failure(error) from error
        except BaseException:
            await engine.dispose()
            raise
        if file is not None:
            check = Presence(file).check
        return cls(engine, check, last_table or 0, last_outbox_item or 0)

    async def close(self) -> None:
        """Writes what is waiting, lets reads under way end, takes no more, closes the database."""
        self._closed = True
        try:
            await self._writer.close()
            # A connection that comes back to an engine that is gone would stay open.
            await self._nothing_read.wait()
        finally:
            await self._engine.dispose()

    def new_table_id(self) -> int:
        """The id of a table to be added; one that is not used is lost."""
        self._last_table += 1
        return self._last_table

    def new_outbox_id(self) -> int:
        """The id of an outbox row to be added."""
        self._last_outbox_item += 1
        return self._last_outbox_item

    async def commit(self, batch: WriteBatch) -> None:
        """Writes the unit, whole, to the disk.

        Raises Conflict or another StoreError, and then nothing is kept.
        """
        await self._writer.commit(batch)

    async def load(self, table: int) -> StoredTable | None:
        """A table with its snapshot and its promises; None where there is no such table."""
        async with self._reading() as connection:
            row = (await connection.execute(_TABLE, {"of_table": table})).one_or_none()
            if row is None:
                return None
            players = (await connection.execute(_PLAYERS, {"of_tables": [table]})).all()
            promises = (await connection.execute(_PROMISES, {"of_table": table})).all()
        snapshot = None if row.s_table is None else SnapshotRow(*row[_WIDTH:-1])
        return StoredTable(
            TableRow(*row[:_WIDTH]),
            tuple(_each(PlayerRow, players)),
            snapshot,
            row[-1],
            tuple(_each(PromiseRow, promises)),
        )

    async def in_channel(self, place: int, statuses: Collection[str]) -> list[StoredTable]:
        """Tables of a channel or thread in one of those states, newest first; heads only."""
        here = sa.or_(schema.tables.c.channel == place, schema.tables.c.thread == place)
        found = sa.select(schema.tables).where(here, schema.tables.c.status.in_(statuses))
        return await self._heads(found.order_by(schema.tables.c.id.desc()))

    async def of_user(self, user: int, statuses: Collection[str]) -> list[StoredTable]:
        """Tables at which a user sits, in one of those states, oldest first; heads only."""
        seated = sa.select(schema.players.c.table).where(schema.players.c.user == user)
        found = sa.select(schema.tables).where(
            schema.tables.c.id.in_(seated), schema.tables.c.status.in_(statuses)
        )
        return await self._heads(found.order_by(schema.tables.c.id))

    async def entries(self, table: int, first: int = 0) -> list[EntryRow]:
        """The log of a table from that entry on, in order."""
        return await self._long(EntryRow, _ENTRIES, {"of_table": table, "first": first})

    async def outbox(self, table: int | None = None) -> list[OutboxRow]:
        """What is still to be told, of one table or of all, oldest first."""
        if table is None:
            return await self._long(OutboxRow, _OUTBOX, {})
        return _each(OutboxRow, await self._read(_OUTBOX_OF_TABLE, {"of_table": table}))

    async def handled(self, delivery: str) -> HandledRow | None:
        """What came of a delivery, if it has been carried out."""
        rows = await self._read(_HANDLED, {"of_id": delivery})
        return next(iter(_each(HandledRow, rows)), None)

    async def votes(self, table: int, kind: str) -> frozenset[int]:
        """The users who have given that vote."""
        rows = await self._read(_VOTES, {"of_table": table, "of_kind": kind})
        return frozenset(row.user for row in rows)

    async def computer_turns(self, status: str) -> list[int]:
        """Tables in that state at which a computer player is to act."""
        return [row.id for row in await self._read(_COMPUTER_TURNS, {"of_status": status})]

    async def proposals(self, table: int) -> list[ProposalRow]:
        """What is proposed at a table, by kind."""
        return _each(ProposalRow, await self._read(_PROPOSALS, {"of_table": table}))

    async def overdue(self, by: datetime, at_most: int) -> list[ScheduledRow]:
        """What was to be done by that time, the longest due first."""
        return _each(ScheduledRow, await self._read(_OVERDUE, {"by": by, "at_most": at_most}))

    async def scheduled_at(self, table: int, seat: int, kind: str) -> datetime | None:
        """When that is due; None where it is not."""
        rows = await self._read(
            _SCHEDULED_AT, {"of_table": table, "of_seat": seat, "of_kind": kind}
        )
        return rows[0].at if rows else None

    async def postpone(self, row: ScheduledRow, until: datetime) -> bool:
        """Puts something due off, unless somebody else has done so or has done it: then False.

        So of two processes that find it due, one may do it; if that one dies, it is due again.
        """
        parameters = {
            "of_table": row.table, "of_seat": row.seat, "of_kind": row.kind,
            "was": row.at, "until": until,
        }  # fmt: skip
        try:
            async with self._engine.begin() as connection:
                self._check()
                return (await connection.execute(_POSTPONE, parameters)).rowcount == 1
        except (SQLAlchemyError, OSError) as error:
            raise failure(error) from error

    async def clocks(self, table: int) -> list[ClockRow]:
        """The clocks of a table, by seat."""
        return _each(ClockRow, await self._read(_CLOCKS, {"of_table": table}))

    async def notifications(self, table: int) -> list[NotificationRow]:
        """The calls of a table, those that are over among them, oldest first."""
        return _each(NotificationRow, await self._read(_NOTIFICATIONS, {"of_table": table}))

    async def notifications_of_user(self, user: int) -> list[NotificationRow]:
        """Where a user is awaited, longest first."""
        return _each(NotificationRow, await self._read(_NOTIFICATIONS_OF_USER, {"of_user": user}))

    async def numbered_message(self, table: int, what: str) -> NumberedMessageRow | None:
        """The newest message of a kind at a table, whether or not it is noted."""
        rows = await self._read(_NUMBERED_MESSAGE, {"of_table": table, "of_what": what})
        return next(iter(_each(NumberedMessageRow, rows)), None)

    async def asking(self, table: int) -> list[AskingRow]:
        """The messages of a table that have buttons to answer an offer, oldest first."""
        return _each(AskingRow, await self._read(_ASKING, {"of_table": table}))

    async def person(self, user: int) -> Mapping[str, Any] | None:
        """A user's own settings, where there are any."""
        rows = await self._read(_PERSON, {"of_user": user})
        return next((row.settings for row in rows), None)

    async def results_of(self, user: int) -> list[ResultRow]:
        """A user's results, oldest first; none where they want no statistics."""
        return await self._long(ResultRow, _RESULTS_OF_USER, {"of_user": user})

    async def ratings(
        self, guild: int, game: str, users: Collection[int]
    ) -> dict[int, tuple[float, float]]:
        """The last rating (mu, sigma) of each of the users that has one."""
        told = {"of_guild": guild, "of_game": game, "of_users": list(users)}
        return {row.user: (row.mu, row.sigma) for row in await self._read(_RATINGS, told)}

    async def standings(self, guild: int, game: str) -> list[StandingRow]:
        """Everybody's rating by now, in no order; without those who want no statistics."""
        return await self._long(StandingRow, _STANDINGS, {"of_guild": guild, "of_game": game})

    async def traces(self, user: int, statuses: Collection[str]) -> list[int]:
        """The tables in those states that tell of a user in any way."""
        told = {"of_user": user, "of_statuses": list(statuses)}
        return [row.id for row in await self._read(_TRACES, told)]

    async def misnamed(
        self, user: int, guild: int | None, name: str, statuses: Collection[str]
    ) -> list[int]:
        """The tables of a server, or None of it, in those states, where a user has another name."""
        told = {"of_user": user, "of_guild": guild, "of_name": name, "of_statuses": list(statuses)}
        return [row.id for row in await self._read(_MISNAMED, told)]

    async def is_mistold(self, user: int, guild: int, name: str) -> bool:
        """Whether some result of a user in a server is under another name."""
        told = {"of_user": user, "of_guild": guild, "of_name": name}
        return bool(await self._read(_MISTOLD, told))

    async def rematch(self, table: int) -> int | None:
        """The table that was opened for a rematch of another one, if there is one."""
        rows = await self._read(_REMATCH, {"of_table": table})
        return next((row.id for row in rows), None)

    async def note(self, table: int, user: int) -> str:
        """What a user has noted for themselves at a table; empty for nothing."""
        rows = await self._read(_NOTE, {"of_table": table, "of_user": user})
        return next((row.text for row in rows), "")

    async def server(self, guild: int) -> Mapping[str, Any] | None:
        """What is set for a server, where anything is."""
        rows = await self._read(_SERVER, {"of_guild": guild})
        return next((row.settings for row in rows), None)

    async def count_in(self, guild: int, statuses: Collection[str]) -> int:
        """How many tables of a server are in one of those states."""
        found = sa.select(sa.func.count()).where(
            schema.tables.c.guild == guild, schema.tables.c.status.in_(statuses)
        )
        ((count,),) = await self._read(found, {})
        return int(count)

    async def hosted(self, user: int, statuses: Collection[str]) -> list[int | None]:
        """The servers of the tables in one of those states that a user has opened, one for each.

        None for direct messages.
        """
        found = sa.select(schema.tables.c.guild).where(
            schema.tables.c.host == user, schema.tables.c.status.in_(statuses)
        )
        return [row.guild for row in await self._read(found, {})]

    async def is_first_turn(self, table: int, game: str, user: int, end: str) -> bool:
        """Whether a user has done no `end` at the table, nor had a seat in an older game of it."""
        parameters = {"of_table": table, "of_game": game, "of_user": user, "of_end": end}
        return bool(await self._read(_FIRST_TURN, parameters))

    async def ping(self) -> None:
        """Returns if the database answers."""
        await self._read(sa.select(1), {})

    async def census(self) -> Census:
        """What there is in all."""
        async with self._reading() as connection:
            tables = (await connection.execute(_TABLES)).all()
            outbox, since = (await connection.execute(_OUTBOX_SINCE)).one()
            size = await connection.scalar(sa.text(_SIZE[connection.dialect.name]))
        return Census(
            {(game, status): count for game, status, count in tables}, outbox, since, size
        )

    async def versions(self, statuses: Collection[str]) -> list[tuple[str, int, int]]:
        """Titles with versions of their rules, and how many tables in those states play each."""
        kept = schema.tables.c
        found = (
            sa.select(kept.game, kept.version, sa.func.count())
            .where(kept.status.in_(statuses))
            .group_by(kept.game, kept.version)
            .order_by(kept.game, kept.version)
        )
        rows: Sequence[Any] = await self._read(found, {})
        return [(game, version, count) for game, version, count in rows]

    async def _heads(self, statement: sa.Select[Any]) -> list[StoredTable]:
        rows = await self._long(TableRow, statement, {})
        seated: dict[int, list[PlayerRow]] = {row.id: [] for row in rows}
        for first in range(0, len(rows), AT_ONCE):
            of_tables = [row.id for row in rows[first : first + AT_ONCE]]
            for player in _each(PlayerRow, await self._read(_PLAYERS, {"of_tables": of_tables})):
                seated[player.table].append(player)
        return [StoredTable(row, tuple(seated[row.id])) for row in rows]

    async def _read(
        self, statement: sa.Select[Any], parameters: dict[str, Any]
    ) -> Sequence[sa.Row[Any]]:
        async with self._reading() as connection:
            rows: Sequence[sa.Row[Any]] = (await connection.execute(statement, parameters)).all()
            return rows

    async def _long(
        self, kind: Callable[..., R], statement: sa.Select[Any], parameters: dict[str, Any]
    ) -> list[R]:
        """An answer of as many rows as there may be, taken up bit by bit."""
        found: list[R] = []
        async with self._reading() as connection:
            rows = await connection.stream(statement, parameters)
            async for some in rows.partitions(AT_ONCE):
                found += _each(kind, some)
        return found

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        if self._closed:
            # The engine would open itself again, and nobody would close it.
            raise Unavailable("The database is closed.")
        self._reads += 1
        self._nothing_read.clear()
        try:
            async with self._engine.connect() as connection:
                self._check()
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise failure(error) from error
        finally:
            self._reads -= 1
            if not self._reads:
                self._nothing_read.set()


def _each(kind: Callable[..., R], rows: Iterable[sa.Row[Any]]) -> list[R]:
    # The structs of bot.store.rows list their fields in the order of the columns.
    return [kind(*row) for row in rows]


def _was_killed(database: Path) -> bool:
    # After a clean end nothing is left beside the file. What a killed machine has left, or
    # somebody has put together out of two, may be damaged where nobody looks for long.
    return log_of(database).exists()


def _open_once(database: Path) -> None:
    # Where a file cannot be opened the driver does not wait for its thread, which then meets with
    # the end of the program and says so in several lines.
    with closing(sqlite3.connect(database)):
        pass


async def _look_through(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        said = await connection.scalar(sa.text("PRAGMA quick_check(1)"))
    if said != "ok":
        raise BrokenDatabase(f"The database is damaged: {' '.join(str(said).split())}")


def _limits(lock_wait_ms: int) -> dict[str, Any]:
    # As asyncpg wants them.
    return {
        "timeout": ANSWER_WAIT_S,
        "command_timeout": ANSWER_WAIT_S,
        "server_settings": {"lock_timeout": str(lock_wait_ms)},
    }


def _set_pragmas(engine: AsyncEngine, lock_wait_ms: int) -> None:
    @sa.event.listens_for(engine.sync_engine, "connect")
    def _on_connect(connection: Any, _: object) -> None:
        with ExitStack() as failing:
            # Nobody else closes a connection that failed before it was ready.
            failing.callback(connection.close)
            cursor = connection.cursor()
            for pragma in (
                f"busy_timeout = {lock_wait_ms}",
                "journal_mode = WAL",
                f"synchronous = {SYNCHRONOUS}",
                "foreign_keys = ON",
            ):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
            failing.pop_all()
