"""Every read of the database."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import queries, rows, schema, slicing
from bot.store.errors import Unavailable
from bot.store.failures import failure
from bot.store.sharing import Shards

R = TypeVar("R")

ONE_MOMENT = "REPEATABLE READ"
"""All that is read in a transaction is as it was at its first statement."""


class Reads:
    """What an open database answers; `bot.store.store` writes as well.

    Each raises StoreError where the database does not answer: Unavailable, or worse. `check` is
    called before anything is read, and may raise StoreError. What one of them reads is of one
    moment, also where other processes write to a database that `is_shared`.
    """

    def __init__(
        self, engine: AsyncEngine, check: Callable[[], None], *, is_shared: bool = False
    ) -> None:
        self.is_shared = is_shared
        """Whether other processes write to the same database."""
        self._engine = engine
        self._readable = (
            engine.execution_options(isolation_level=ONE_MOMENT) if is_shared else engine
        )
        self._check = check
        self._is_closed = False
        self._uses = 0
        self._unused = asyncio.Event()
        self._unused.set()

    async def load(self, table: int) -> rows.StoredTable | None:
        """A table with its snapshot and its promises; None where there is no such table."""
        async with self._reading() as connection:
            row = (await connection.execute(queries.TABLE, {"of_table": table})).one_or_none()
            if row is None:
                return None
            players = (await connection.execute(queries.PLAYERS, {"of_tables": [table]})).all()
            promises = (await connection.execute(queries.PROMISES, {"of_table": table})).all()
        snapshot = None if row.s_table is None else rows.SnapshotRow(*row[queries.WIDTH : -1])
        return rows.StoredTable(
            rows.TableRow(*row[: queries.WIDTH]),
            tuple(_each(rows.PlayerRow, players)),
            snapshot,
            row[-1],
            tuple(_each(rows.PromiseRow, promises)),
        )

    async def in_channel(self, place: int, statuses: Collection[str]) -> list[rows.StoredTable]:
        """Tables of a channel or thread in one of those states, newest first; heads only."""
        here = sa.or_(schema.tables.c.channel == place, schema.tables.c.thread == place)
        found = sa.select(schema.tables).where(here, schema.tables.c.status.in_(statuses))
        return await self._heads(found.order_by(schema.tables.c.id.desc()))

    async def of_user(self, user: int, statuses: Collection[str]) -> list[rows.StoredTable]:
        """Tables at which a user sits, in one of those states, oldest first; heads only."""
        seated = sa.select(schema.players.c.table).where(schema.players.c.user == user)
        found = sa.select(schema.tables).where(
            schema.tables.c.id.in_(seated), schema.tables.c.status.in_(statuses)
        )
        return await self._heads(found.order_by(schema.tables.c.id))

    async def entries(self, table: int, first: int = 0) -> list[rows.EntryRow]:
        """The log of a table from that entry on, in order."""
        return await self._long(rows.EntryRow, queries.ENTRIES, {"of_table": table, "first": first})

    async def outbox(
        self, table: int | None = None, shards: Shards | None = None
    ) -> list[rows.OutboxRow]:
        """The outbox items of one table, of the tables of those shards, or of all; oldest first."""
        if table is not None:
            found = await self._read(queries.OUTBOX_OF_TABLE, {"of_table": table})
            return _each(rows.OutboxRow, found)
        statement = queries.OUTBOX if shards is None else queries.OUTBOX_OF_SHARDS
        return await self._long(rows.OutboxRow, statement, _of(shards))

    async def outbox_with_revision(self, table: int) -> tuple[list[rows.OutboxRow], int]:
        """The outbox items of one table, oldest first, and the revision that the table had then; 0
        where there are none."""
        found = await self._read(queries.OUTBOX_WITH_REVISION, {"of_table": table})
        revision = found[0].revision if found else 0
        return [rows.OutboxRow(*tuple(row)[:-1]) for row in found], revision

    async def handled(self, delivery: str) -> rows.HandledRow | None:
        """The result of a delivery, if it has been carried out."""
        found = await self._read(queries.HANDLED, {"of_id": delivery})
        return next(iter(_each(rows.HandledRow, found)), None)

    async def votes(self, table: int, kind: str) -> frozenset[int]:
        """The users who have cast that vote."""
        found = await self._read(queries.VOTES, {"of_table": table, "of_kind": kind})
        return frozenset(row.user for row in found)

    async def computer_turns(self, status: str, shards: Shards | None = None) -> list[int]:
        """Tables in that state, of those shards or of all, at which a computer player is to act."""
        of_all = shards is None
        statement = queries.COMPUTER_TURNS if of_all else queries.COMPUTER_TURNS_OF_SHARDS
        return await self._long(int, statement, {"of_status": status} | _of(shards))

    async def proposals(self, table: int) -> list[rows.ProposalRow]:
        """What is proposed at a table, by kind."""
        return _each(rows.ProposalRow, await self._read(queries.PROPOSALS, {"of_table": table}))

    async def overdue(
        self, by: datetime, at_most: int, shards: Shards | None = None
    ) -> list[rows.ScheduledRow]:
        """The tasks scheduled by that time, oldest first; of one time by table, seat and kind."""
        statement = queries.OVERDUE if shards is None else queries.OVERDUE_OF_SHARDS
        found = await self._read(statement, {"by": by, "at_most": at_most} | _of(shards))
        return _each(rows.ScheduledRow, found)

    async def scheduled_at(self, table: int, seat: int, kind: str) -> datetime | None:
        """When the task is scheduled; None where it is not."""
        found = await self._read(
            queries.SCHEDULED_AT, {"of_table": table, "of_seat": seat, "of_kind": kind}
        )
        return found[0].at if found else None

    async def clocks(self, table: int) -> list[rows.ClockRow]:
        """The clocks of a table, by seat."""
        return _each(rows.ClockRow, await self._read(queries.CLOCKS, {"of_table": table}))

    async def notifications(self, table: int) -> list[rows.NotificationRow]:
        """The notifications of a table, including those that are over, oldest first."""
        return _each(
            rows.NotificationRow, await self._read(queries.NOTIFICATIONS, {"of_table": table})
        )

    async def notifications_of_user(self, user: int) -> list[rows.NotificationRow]:
        """Where a user is awaited, longest first."""
        return _each(
            rows.NotificationRow, await self._read(queries.NOTIFICATIONS_OF_USER, {"of_user": user})
        )

    async def numbered_message(self, table: int, what: str) -> rows.NumberedMessageRow | None:
        """The newest message of a kind at a table, noted or not."""
        found = await self._read(queries.NUMBERED_MESSAGE, {"of_table": table, "of_what": what})
        return next(iter(_each(rows.NumberedMessageRow, found)), None)

    async def asking(self, table: int) -> list[rows.AskingRow]:
        """The messages of a table that have buttons to answer an offer, oldest first."""
        return _each(rows.AskingRow, await self._read(queries.ASKING, {"of_table": table}))

    async def person(self, user: int) -> Mapping[str, Any] | None:
        """A user's own settings, where there are any."""
        found = await self._read(queries.PERSON, {"of_user": user})
        return next((row.settings for row in found), None)

    async def results_of(self, user: int) -> list[rows.ResultRow]:
        """A user's results, oldest first; none where they want no statistics."""
        return await self._long(rows.ResultRow, queries.RESULTS_OF_USER, {"of_user": user})

    async def ratings(
        self, guild: int, game: str, users: Collection[int]
    ) -> dict[int, tuple[float, float, datetime]]:
        """The last rating (mu, sigma) of each of the users that has one, and since when."""
        parameters = {"of_guild": guild, "of_game": game, "of_users": list(users)}
        found = await self._read(queries.RATINGS, parameters)
        return {row.user: (row.mu, row.sigma, row.finished) for row in found}

    async def standings(self, guild: int, game: str) -> list[rows.StandingRow]:
        """Everybody's current rating, in no order; without those who want no statistics."""
        return await self._long(
            rows.StandingRow, queries.STANDINGS, {"of_guild": guild, "of_game": game}
        )

    async def traces(self, user: int, statuses: Collection[str]) -> list[int]:
        """The tables in those states that mention a user in any way."""
        parameters = {"of_user": user, "of_statuses": list(statuses)}
        return [row.id for row in await self._read(queries.TRACES, parameters)]

    async def misnamed(
        self, user: int, guild: int | None, name: str, statuses: Collection[str]
    ) -> list[int]:
        """The tables of a server (or None) in those states where a user has another name."""
        parameters = {
            "of_user": user,
            "of_guild": guild,
            "of_name": name,
            "of_statuses": list(statuses),
        }
        return [row.id for row in await self._read(queries.MISNAMED, parameters)]

    async def has_misnamed_result(self, user: int, guild: int, name: str) -> bool:
        """Whether any result of a user in a server has another name."""
        parameters = {"of_user": user, "of_guild": guild, "of_name": name}
        return bool(await self._read(queries.MISNAMED_RESULTS, parameters))

    async def rematch(self, table: int) -> int | None:
        """The table that was opened for a rematch of another one, if there is one."""
        found = await self._read(queries.REMATCH, {"of_table": table})
        return next((row.id for row in found), None)

    async def note(self, table: int, user: int) -> str:
        """A user's note at a table; empty for none."""
        found = await self._read(queries.NOTE, {"of_table": table, "of_user": user})
        return next((row.text for row in found), "")

    async def plans(self, table: int, seat: int) -> list[rows.PlanRow]:
        """The plans of a seat, by number."""
        parameters = {"of_table": table, "of_seat": seat}
        return _each(rows.PlanRow, await self._read(queries.PLANS, parameters))

    async def armed_plans(
        self, shards: Shards | None = None, table: int | None = None
    ) -> list[rows.PlanRow]:
        """The plans that play themselves: of one table, of the tables of those shards, of all."""
        if table is not None:
            found = await self._read(queries.ARMED_PLANS_OF_TABLE, {"of_table": table})
            return _each(rows.PlanRow, found)
        statement = queries.ARMED_PLANS if shards is None else queries.ARMED_PLANS_OF_SHARDS
        return await self._long(rows.PlanRow, statement, _of(shards))

    async def guild_of(self, table: int) -> int | None:
        """The server of a table; None where it has none, or is not there."""
        found = sa.select(schema.tables.c.guild).where(schema.tables.c.id == table)
        return next((row.guild for row in await self._read(found, {})), None)

    async def revision_of(self, table: int) -> int | None:
        """The revision of a table; None where it is not there."""
        found = sa.select(schema.tables.c.revision).where(schema.tables.c.id == table)
        return next((row.revision for row in await self._read(found, {})), None)

    async def revision(self, name: str) -> int:
        """How often the thing of that name has been written under a guard."""
        found = await self._read(queries.REVISION, {"of_name": name})
        return next((row.number for row in found), 0)

    async def server(self, guild: int) -> Mapping[str, Any] | None:
        """What is set for a server, where anything is."""
        found = await self._read(queries.SERVER, {"of_guild": guild})
        return next((row.settings for row in found), None)

    async def count_in(self, guild: int, statuses: Collection[str]) -> int:
        """How many tables of a server are in one of those states."""
        found = sa.select(sa.func.count()).where(
            schema.tables.c.guild == guild, schema.tables.c.status.in_(statuses)
        )
        ((count,),) = await self._read(found, {})
        return int(count)

    async def hosted(self, user: int, statuses: Collection[str]) -> list[int | None]:
        """The servers of the tables in one of those states that a user has opened, once for each
        table.

        None for direct messages.
        """
        found = sa.select(schema.tables.c.guild).where(
            schema.tables.c.host == user, schema.tables.c.status.in_(statuses)
        )
        return [row.guild for row in await self._read(found, {})]

    async def is_first_turn(self, table: int, game: str, user: int, end: str) -> bool:
        """Whether a user has done no `end` at the table, nor had a seat in an older game of it."""
        parameters = {"of_table": table, "of_game": game, "of_user": user, "of_end": end}
        return bool(await self._read(queries.FIRST_TURN, parameters))

    async def ping(self) -> None:
        """Returns if the database answers."""
        await self._read(sa.select(1), {})

    async def census(self) -> rows.Census:
        """Counts over all tables."""
        async with self._reading() as connection:
            tables = (await connection.execute(queries.TABLES)).all()
            outbox, since = (await connection.execute(queries.OUTBOX_SINCE)).one()
            size = await connection.scalar(sa.text(queries.SIZE[connection.dialect.name]))
        return rows.Census(
            {(game, status): count for game, status, count in tables}, outbox, since, size
        )

    async def versions(self, statuses: Collection[str]) -> list[tuple[str, int, int]]:
        """Titles with versions of their rules, and how many tables in those states play each."""
        tables = schema.tables.c
        found = (
            sa.select(tables.game, tables.version, sa.func.count())
            .where(tables.status.in_(statuses))
            .group_by(tables.game, tables.version)
            .order_by(tables.game, tables.version)
        )
        counts: Sequence[Any] = await self._read(found, {})
        return [(game, version, count) for game, version, count in counts]

    async def _heads(self, statement: sa.Select[Any]) -> list[rows.StoredTable]:
        heads = await self._long(rows.TableRow, statement, {})
        seated: dict[int, list[rows.PlayerRow]] = {head.id: [] for head in heads}
        for some in slicing.slices(heads):
            found = await self._read(queries.PLAYERS, {"of_tables": [head.id for head in some]})
            for player in _each(rows.PlayerRow, found):
                seated[player.table].append(player)
        return [rows.StoredTable(head, tuple(seated[head.id])) for head in heads]

    async def _read(
        self, statement: sa.Select[Any], parameters: dict[str, Any]
    ) -> Sequence[sa.Row[Any]]:
        async with self._reading() as connection:
            answer: Sequence[sa.Row[Any]] = (await connection.execute(statement, parameters)).all()
            return answer

    async def _long(
        self, kind: Callable[..., R], statement: sa.Select[Any], parameters: dict[str, Any]
    ) -> list[R]:
        """The rows of an answer of any length, read in parts."""
        found: list[R] = []
        async with self._reading() as connection:
            answer = await connection.stream(statement, parameters)
            async for some in answer.partitions(slicing.AT_ONCE):
                found += _each(kind, some)
        return found

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        with self._in_use():
            try:
                async with self._readable.connect() as connection:
                    self._check()
                    yield connection
            except (SQLAlchemyError, OSError) as error:
                raise failure(error) from error

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Within the block the engine stays open. Raises Unavailable where it is not."""
        if self._is_closed:
            # The engine would open itself again, and nobody would close it.
            raise Unavailable("The database is closed.")
        self._uses += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._uses -= 1
            if not self._uses:
                self._unused.set()


def _of(shards: Shards | None) -> dict[str, Any]:
    if shards is None:
        return {}
    return {"of_count": shards.count, "of_shards": sorted(shards.held)}


def _each(kind: Callable[..., R], answer: Iterable[sa.Row[Any]]) -> list[R]:
    # The structs of bot.store.rows list their fields in the order of the columns.
    return [kind(*row) for row in answer]
