"""The store: the queries of the program, and the only way to write."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from math import inf
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

from bot.store import rows
from bot.store.address import sqlite_file
from bot.store.batch import WriteBatch
from bot.store.commits import COMMITS, Commits
from bot.store.database import Database
from bot.store.errors import DuplicateWrite, StaleWrite, StoreError, Unavailable
from bot.store.sharing import DIRECT, FENCE, SHARD_BITS, Shards
from bot.store.sql import (
    Statement,
    columns,
    moment,
    records_of,
    rows_of,
    select_sql,
    slices,
    statement,
)
from bot.store.writer import Writer

log = logging.getLogger(__name__)

K = TypeVar("K", bound=rows.StoredRow)
V = TypeVar("V")

LOCK_WAIT_MS = 2000
"""How long a statement waits for another program's lock."""
WRITE_CHECK_S = 5.0
"""Seconds for which a successful write check counts, unless a write fails."""
MAX_CACHED_TABLES = 1024
"""Tables whose messages to send are cached, about 1 KB each."""
MAX_CACHED_ROWS = 16
"""Messages per table. Only tables that cannot be posted to have more; those are not cached."""
RECOVERED_S = 5.0
"""Seconds without a failure after which an outage is over."""
IN_SHARDS = f"coalesce((guild >> {SHARD_BITS}) % :count, {DIRECT}) IN :shards"
"""The SQL of `sharing.shard_of`."""
SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
NOT_COUNTED = {
    "sqlite": "json_extract(settings, '$.counted') = 0",
    "postgresql": "settings ->> 'counted' = 'false'",
}
"""Users without statistics. Their results stay stored but are never shown."""

NEWEST_CUPS = (
    """CASE WHEN CAST(data AS TEXT) LIKE '%"status":"over"%'"""
    """ OR CAST(data AS TEXT) LIKE '%"status":"cancelled"%' THEN 1 ELSE 0 END, id DESC LIMIT 25"""
)
"""The order of a server's cups: first those that are not over, then the newest others."""
_NUMBER = "CAST(CAST(:user AS BIGINT) AS TEXT)"
MENTIONS_USER = (
    f"""(CAST(data AS TEXT) LIKE '%"user":' || {_NUMBER} || ',%'"""
    f""" OR CAST(data AS TEXT) LIKE '%"organiser":' || {_NUMBER} || ',%') ORDER BY id"""
)
_USER_AT_TABLES = '"table" IN :tables AND "user" = :user ORDER BY "table"'
Section = tuple[type[rows.StoredRow], str, str]
"""A kind of rows, its columns, and a condition."""
USER_DATA: Mapping[str, Section] = {
    "settings": (rows.PersonRow, "settings", '"user" = :user'),
    "seats": (
        rows.Player,
        "table seat name policy vacant orders",
        '"user" = :user ORDER BY "table"',
    ),
    "promises": (
        rows.Promise,
        "table giver receiver words secret status",
        'EXISTS (SELECT 1 FROM players WHERE players."table" = promises."table"'
        ' AND players.seat = giver AND "user" = :user) ORDER BY "table", made',
    ),
    "notes": (rows.NoteRow, "table text", '"user" = :user ORDER BY "table"'),
    "plans": (
        rows.PlanRow,
        "table number name actions armed",
        '"user" = :user ORDER BY "table", number',
    ),
    "searches": (
        rows.SearchRow,
        "guild game name channel pace seats level same_level languages since until",
        '"user" = :user ORDER BY guild, game',
    ),
    "alerts": (rows.AlertRow, "guild game pace told", '"user" = :user ORDER BY guild, game, pace'),
    "follows": (rows.FollowRow, "table pings", '"user" = :user ORDER BY "table"'),
    "late_turns": (rows.LateRow, "table turns", '"user" = :user ORDER BY "table"'),
    "whispers": (
        rows.WhisperRow,
        "table sender receiver text at",
        '(sender = :user OR receiver = :user) ORDER BY "table", number',
    ),
    "cups": (rows.CupRow, "id guild", MENTIONS_USER),
    "predictions": (
        rows.PredictionRow,
        "table guild name seat margin points",
        '"user" = :user ORDER BY "table"',
    ),
    "awards": (
        rows.AwardRow,
        "guild game award name value table",
        '"user" = :user ORDER BY guild, game, award',
    ),
    "results": (
        rows.ResultRow,
        "table seat name guild game seats place score moves seconds finished mu sigma",
        '"user" = :user ORDER BY finished',
    ),
}
"""The sections of a user's data export, apart from tables."""
TABLE_DATA: Mapping[str, Section] = {
    "tables": (
        rows.TableRow,
        # Without the secret key and other people.
        "id game version status options terms created guild channel thread host",
        "id IN :tables ORDER BY id",
    ),
    # Without sequence numbers: a gap would reveal another player's secret action.
    "moves": (rows.EntryRow, "table at action", f"{_USER_AT_TABLES}, seq"),
    "votes": (rows.VoteRow, "table kind word at", _USER_AT_TABLES),
    "proposals": (
        rows.ProposalRow,
        "table kind word at until",
        '"table" IN :tables AND "by" = :user ORDER BY "table"',
    ),
    "notifications": (rows.Notification, "table since reminders", f"{_USER_AT_TABLES}, seq"),
}
"""The sections about some tables."""


class Store:
    """An open database.

    Only one process may open it, unless each is a `member` of those that share it. Reads and
    writes raise StoreError: Unavailable if the database does not answer.
    """

    def __init__(self, database: Database, *, is_shared: bool = False) -> None:
        self.is_shared = is_shared
        """Whether other processes write to the same database."""
        self._database = database
        self._writer = Writer(database.write)
        self._outages = OutageLog()
        self._to_send = OrderedDict[int, rows.ToSend]()
        """Cached messages to send, by table."""
        self._checked_at = -inf
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        lock_wait_ms: int = LOCK_WAIT_MS,
        check: Callable[..., None] = lambda *_: None,
        member: str | None = None,
    ) -> Store:
        """Open and upgrade the database of a URL that `check_address` accepts.

        A SQLite file needs an existing folder. Raise NewerDatabase, OlderDatabase, BrokenDatabase,
        NotWritable, or Unavailable if a retry may help. `check` is called before each read and
        write on a server; it may raise StoreError. With the name of a `member`, writes are guarded
        and the other members are notified; only a server can be shared.
        """
        # Import only the driver that is needed.
        file = sqlite_file(url)
        if file is None:
            from bot.store.postgres import PostgresDatabase

            server = await PostgresDatabase.open(url, lock_wait_ms, check, member)
            return cls(server, is_shared=member is not None)
        if member is not None:
            raise ValueError("a file cannot be shared")
        from bot.store.sqlite import SqliteDatabase

        return cls(await SqliteDatabase.open(file, lock_wait_ms))

    async def close(self) -> None:
        """Write all pending batches, finish running reads, and close the database.

        Runs once, and completes even if a caller is cancelled.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            await self._writer.close()
        finally:
            await self._database.close()

    # Writing

    async def commit(self, batch: WriteBatch) -> None:
        """Write the whole batch to the disk.

        Raise DuplicateWrite, StaleWrite, LeaseLost or another StoreError if nothing was stored, or
        MaybeStored. A caller that is cancelled cannot tell whether its batch was stored. If several
        processes share the database, the batch is also fenced by the shard that the caller works
        for.
        """
        if self.is_shared and (fence := FENCE.get()) is not None:
            batch.fences.add(fence)
        commits = COMMITS.get() or Commits()
        commits.begin()
        try:
            self._remember(batch, await self._writer.submit(batch))
        except BaseException as error:
            # Only the database knows what was stored.
            self._remember(batch, ())
            commits.end(error)
            self._outages.record("writing", error)
            if isinstance(error, StoreError) and not isinstance(error, DuplicateWrite | StaleWrite):
                self._checked_at = -inf
            raise
        commits.end(None)
        self._outages.record("writing", None)

    def _remember(self, batch: WriteBatch, to_send: Iterable[rows.ToSend]) -> None:
        """Update the cache of messages to send after a batch."""
        for table in batch.outbox_tables():
            self._to_send.pop(table, None)
        for each in to_send:
            if len(each.items) + len(each.notifications) <= MAX_CACHED_ROWS:
                self._to_send[each.table] = each
        while len(self._to_send) > MAX_CACHED_TABLES:
            self._to_send.popitem(last=False)

    async def ping(self) -> None:
        """Raise StoreError unless the database can be written and read."""
        if monotonic() - self._checked_at >= WRITE_CHECK_S:
            # A unique name, so that processes do not wait for each other.
            row = rows.RevisionRow(f"write check {uuid4().hex}", 0)
            batch = WriteBatch()
            batch.insert(row)
            batch.delete_row(row)
            await self.commit(batch)
            self._checked_at = monotonic()
        # After the write, as SQLite answers from its cache while nothing has changed.
        await self._read("SELECT id FROM tables LIMIT 1")

    async def new_table_id(self) -> int:
        """Return a new table id. Ids that are not used are lost."""
        (found,) = await self.new_table_ids(1)
        return found

    async def new_table_ids(self, count: int) -> range:
        ((last,),) = await self._change(
            "UPDATE table_ids SET last = last + :count RETURNING last", count=count
        )
        return range(last - count + 1, last + 1)

    async def postpone(self, row: rows.ScheduledRow, until: datetime | None) -> bool:
        """Postpone a task, or (None) delete it; return False if its time has changed.

        So only one of two processes that find a task does it. If that one dies, the task is found
        again later.
        """
        change = "DELETE FROM scheduled" if until is None else "UPDATE scheduled SET at = :until"
        found = await self._change(
            f'{change} WHERE "table" = :table AND seat = :seat AND kind = :kind AND at = :was'
            ' RETURNING "table"',
            until=until,
            table=row.table,
            seat=row.seat,
            kind=row.kind,
            was=row.at,
        )
        return bool(found)

    # Tables

    async def load(self, table: int) -> rows.StoredTable | None:
        """Return a table with its snapshot and promises; None if it does not exist."""
        heads, snapshots, last, players, promises = await self._read_all(
            statement(select_sql(rows.TableRow, ("id",)), id=table),
            statement(select_sql(rows.SnapshotRow, ("table",)), table=table),
            statement('SELECT max(seq) FROM log WHERE "table" = :table', table=table),
            statement(select_sql(rows.Player, ("table",), "seat"), table=table),
            statement(select_sql(rows.Promise, ("table",), "made, giver"), table=table),
        )
        if not heads:
            return None
        (head,) = rows_of(rows.TableRow, heads)
        snapshot = next(iter(rows_of(rows.SnapshotRow, snapshots)), None)
        return rows.StoredTable(
            head,
            tuple(rows_of(rows.Player, players)),
            snapshot,
            last[0][0],
            tuple(rows_of(rows.Promise, promises)),
        )

    async def in_channel(self, place: int, statuses: Collection[str]) -> list[rows.StoredTable]:
        """Return a channel's or thread's tables in those states, newest first; heads only."""
        return await self._heads(
            "(channel = :place OR thread = :place) AND status IN :statuses ORDER BY id DESC",
            place=place,
            statuses=[*statuses],
        )

    async def of_user(
        self,
        user: int,
        statuses: Collection[str],
        kind: type[rows.Player | rows.FollowRow] = rows.Player,
    ) -> list[rows.StoredTable]:
        """Return the tables at which a user has a seat, apart from lessons, or that they follow,
        oldest first; heads only."""
        return await self._heads(
            f'id IN (SELECT "table" FROM {kind.TABLE} WHERE "user" = :user)'
            " AND status IN :statuses AND lesson IS NULL ORDER BY id",
            user=user,
            statuses=[*statuses],
        )

    async def lessons_of(self, user: int) -> list[rows.StoredTable]:
        """Return the tables for lessons of a user, oldest first; heads only."""
        return await self._heads(
            'id IN (SELECT "table" FROM players WHERE "user" = :user)'
            " AND lesson IS NOT NULL ORDER BY id",
            user=user,
        )

    async def heads(self, ids: Sequence[int]) -> list[rows.StoredTable]:
        """Return the tables with these ids that exist; heads only."""
        found = [await self._heads("id IN :ids", ids=[*part]) for part in slices(ids)]
        return [each for part in found for each in part]

    async def _heads(self, condition: str, **values: Any) -> list[rows.StoredTable]:
        heads = await self._where(rows.TableRow, condition, **values)
        seated: dict[int, list[rows.Player]] = {head.id: [] for head in heads}
        for chunk in slices(heads):
            ids = [head.id for head in chunk]
            for player in await self._where(rows.Player, '"table" IN :ids ORDER BY seat', ids=ids):
                seated[player.table].append(player)
        return [rows.StoredTable(head, tuple(seated[head.id])) for head in heads]

    async def hosted(self, user: int, statuses: Collection[str]) -> list[int | None]:
        """Return the server of each table that a user hosts, apart from those of cups and
        lessons; None for direct messages."""
        found = await self._read(
            "SELECT guild FROM tables WHERE host = :user AND status IN :statuses"
            " AND cup IS NULL AND lesson IS NULL",
            user=user,
            statuses=[*statuses],
        )
        return [guild for (guild,) in found]

    async def hosts_of_watched(self, guild: int, user: int, statuses: Collection[str]) -> list[int]:
        """Return the host of each table to watch in a server, and of those of a user anywhere."""
        return await self._values(
            int,
            """SELECT host FROM tables WHERE CAST(terms AS TEXT) LIKE '%"watch":%'"""
            " AND (guild = :guild OR host = :user) AND status IN :statuses",
            guild=guild,
            user=user,
            statuses=[*statuses],
        )

    async def count_in(self, guild: int, statuses: Collection[str]) -> int:
        """Return how many tables of a server are in those states."""
        (count,) = await self._values(
            int,
            "SELECT count(*) FROM tables WHERE guild = :guild AND status IN :statuses",
            guild=guild,
            statuses=[*statuses],
        )
        return count

    async def tables_of_server(self, guild: int, limit: int) -> list[int]:
        """Return the oldest tables of a server in any state, at most `limit`."""
        return await self._values(
            int,
            "SELECT id FROM tables WHERE guild = :guild ORDER BY id LIMIT :limit",
            guild=guild,
            limit=limit,
        )

    async def servers(self) -> list[int]:
        """Return the servers with stored data."""
        return await self._values(
            int,
            "SELECT guild FROM tables WHERE guild IS NOT NULL UNION SELECT guild FROM servers"
            " UNION SELECT guild FROM cups UNION SELECT guild FROM alerts",
        )

    async def versions(self, statuses: Collection[str]) -> list[tuple[str, int, int]]:
        """Return games, versions of their rules and how many tables play each."""
        found = await self._read(
            "SELECT game, version, count(*) FROM tables WHERE status IN :statuses"
            " GROUP BY game, version ORDER BY game, version",
            statuses=[*statuses],
        )
        return [(game, version, count) for game, version, count in found]

    async def computer_turns(self, status: str, shards: Shards | None = None) -> list[int]:
        """Return the tables of some or all shards where a computer player has to act."""
        return await self._values(
            int,
            'SELECT id FROM tables WHERE status = :status AND (id IN (SELECT "table" FROM snapshots'
            # Without a snapshot it is unknown: check those too.
            ' WHERE due) OR NOT EXISTS (SELECT 1 FROM snapshots WHERE "table" = id))'
            f"{_and_in(shards)} ORDER BY id",
            status=status,
            **_params(shards),
        )

    async def guild_of(self, table: int) -> int | None:
        """Return the server of a table; None if it has none or does not exist."""
        return await self._value(int, "SELECT guild FROM tables WHERE id = :table", table=table)

    async def revision_of(self, table: int) -> int | None:
        """Return the revision of a table; None if it does not exist."""
        return await self._value(int, "SELECT revision FROM tables WHERE id = :table", table=table)

    async def revision(self, name: str) -> int:
        """Return the number of guarded writes of a named record."""
        found = await self._value(int, "SELECT number FROM revisions WHERE name = :name", name=name)
        return found or 0

    async def rematch(self, table: int) -> int | None:
        """Return the rematch of a table, if there is one."""
        return await self._value(
            int, "SELECT id FROM tables WHERE rematch_of = :table", table=table
        )

    async def entries(self, table: int, first: int = 0) -> list[rows.EntryRow]:
        """Return the log of a table from entry `first` on, in order."""
        return await self._where(
            rows.EntryRow,
            '"table" = :table AND seq >= :first ORDER BY seq',
            table=table,
            first=first,
        )

    async def has_acted(
        self, user: int, tables: Sequence[int], *, without: Collection[str]
    ) -> bool:
        """Return whether a user has an entry in the logs of these tables, apart from these
        actions."""
        found = await self._read(
            'SELECT 1 FROM log WHERE "table" IN :tables AND "user" = :user'
            " AND action NOT IN :without LIMIT 1",
            user=user,
            tables=[*tables],
            without=[*without],
        )
        return bool(found)

    async def review(self, table: int) -> bytes | None:
        """Return the stored review of a finished game, if there is one."""
        return await self._value(
            bytes, 'SELECT blob FROM reviews WHERE "table" = :table', table=table
        )

    async def handled(self, delivery: str) -> rows.HandledRow | None:
        """Return the result of a delivery, if it was processed."""
        return await self._one(rows.HandledRow, delivery=delivery)

    # Messages to send

    async def outbox(
        self, table: int | None = None, shards: Shards | None = None
    ) -> list[rows.OutboxItem]:
        """Return the outbox items of a table, of some shards, or of all; oldest first."""
        if table is not None:
            if (cached := self._cached(table)) is not None:
                return [*cached.items]
            found = await self._all(rows.OutboxItem, "id", table=table)
            # A new item must not be visible before its table is updated in memory.
            await self._writer.settled()
            return found
        if shards is None:
            return await self._all(rows.OutboxItem, "id")
        return await self._where(
            rows.OutboxItem,
            f'"table" IN (SELECT id FROM tables WHERE {IN_SHARDS}) ORDER BY id',
            **_params(shards),
        )

    async def tables_to_send(self, shards: Shards) -> list[int]:
        """Return the tables of those shards with outbox items, oldest item first.

        Their kinds are not read, as a newer version of the program may have added some.
        """
        return await self._values(
            int,
            f'SELECT "table" FROM outbox WHERE "table" IN (SELECT id FROM tables WHERE {IN_SHARDS})'
            ' GROUP BY "table" ORDER BY min(id)',
            **_params(shards),
        )

    async def outbox_with_revision(self, table: int) -> tuple[list[rows.OutboxItem], int]:
        """Return a table's outbox items, oldest first, and its revision; 0 if there are none."""
        items, revision = await self._read_all(
            statement(select_sql(rows.OutboxItem, ("table",), "id"), table=table),
            statement("SELECT revision FROM tables WHERE id = :table", table=table),
        )
        return rows_of(rows.OutboxItem, items), revision[0][0] if items else 0

    async def numbered_message(self, table: int, kind: str) -> rows.NumberedMessageRow | None:
        """Return the newest message of a kind at a table, noted or not."""
        if (cached := self._cached(table)) is not None:
            return cached.numbered.get(kind)
        return await self._one(rows.NumberedMessageRow, table=table, what=kind)

    def _cached(self, table: int) -> rows.ToSend | None:
        if self._writer.is_closed:
            raise Unavailable("The database is closed.")
        return self._to_send.get(table)

    def cached_numbered(self, table: int, kind: str) -> rows.NumberedMessageRow | None:
        """Return the newest message of a kind from the cache; None if it is not cached."""
        cached = self._to_send.get(table)
        return None if cached is None else cached.numbered.get(kind)

    async def asking(self, table: int) -> list[rows.AskingRow]:
        """Return a table's messages with buttons to answer an offer, oldest first."""
        return await self._all(rows.AskingRow, "message", table=table)

    async def notifications(self, table: int) -> list[rows.Notification]:
        """Return the notifications of a table, including those that are over, oldest first."""
        if (cached := self._cached(table)) is not None:
            return [*cached.notifications]
        return await self._all(rows.Notification, "seq, seat", table=table)

    async def notifications_of_user(self, user: int) -> list[rows.Notification]:
        """Return the open notifications of a user, oldest first."""
        return await self._where(
            rows.Notification,
            # Uses the index of the players: another one would cost a write each turn.
            '"user" = :user AND NOT "over" AND "table" IN'
            ' (SELECT "table" FROM players WHERE "user" = :user) ORDER BY since, "table"',
            user=user,
        )

    # Scheduled tasks, clocks, votes and plans

    async def overdue(
        self, by: datetime, limit: int, shards: Shards | None = None
    ) -> list[rows.ScheduledRow]:
        """Return the tasks scheduled by that time, ordered by time, table, seat and kind."""
        guild = '(SELECT guild FROM tables WHERE id = "table")'
        return await self._where(
            rows.ScheduledRow,
            f'at <= :by{_and_in(shards, guild)} ORDER BY at, "table", seat, kind LIMIT :limit',
            by=by,
            limit=limit,
            **_params(shards),
        )

    async def scheduled_at(self, table: int, seat: int, kind: str) -> datetime | None:
        """Return the time of a task; None if it is not scheduled."""
        found = await self._one(rows.ScheduledRow, table=table, seat=seat, kind=kind)
        return None if found is None else found.at

    async def scheduled_for(self, table: int, kind: str) -> list[int]:
        """Return the seats with such a task at a table; with `NO_TABLE`, users or servers."""
        return await self._values(
            int,
            'SELECT seat FROM scheduled WHERE "table" = :table AND kind = :kind',
            table=table,
            kind=kind,
        )

    async def clocks(self, table: int) -> list[rows.ClockRow]:
        """Return the clocks of a table, by seat."""
        return await self._all(rows.ClockRow, "seat", table=table)

    async def outages(self, table: int) -> list[rows.OutageRow]:
        """Return the outages of a table, and of the whole bot, by start."""
        return await self._where(
            rows.OutageRow,
            '"table" IN :tables ORDER BY since',
            tables=[table, rows.NO_TABLE],
        )

    async def votes(self, table: int, kind: str, word: str = "") -> frozenset[int]:
        """Return the users who have voted for that proposal."""
        found = await self._all(rows.VoteRow, table=table, kind=kind, word=word)
        return frozenset(row.user for row in found)

    async def proposals(self, table: int) -> list[rows.ProposalRow]:
        """Return the proposals at a table, oldest first, including those still to be announced."""
        return await self._all(rows.ProposalRow, "at, kind, word", table=table)

    async def plans(self, table: int, seat: int) -> list[rows.PlanRow]:
        """Return the plans of a seat, by number."""
        return await self._all(rows.PlanRow, "number", table=table, seat=seat)

    async def armed_plans(
        self, shards: Shards | None = None, table: int | None = None
    ) -> list[rows.PlanRow]:
        """Return the plans that play themselves: of a table, of some shards, or of all."""
        if table is not None:
            return await self._where(rows.PlanRow, 'armed AND "table" = :table', table=table)
        guild = '(SELECT guild FROM tables WHERE id = "table")'
        return await self._where(rows.PlanRow, f"armed{_and_in(shards, guild)}", **_params(shards))

    # People and servers

    async def follows(self, **where: int) -> list[rows.FollowRow]:
        """Return who follows a `table`, or only whether a `user` does."""
        return await self._all(rows.FollowRow, '"user"', **where)

    async def person(self, user: int) -> Mapping[str, Any] | None:
        """Return a user's settings, if there are any."""
        found = await self._one(rows.PersonRow, user=user)
        return None if found is None else found.settings

    async def server(self, guild: int) -> Mapping[str, Any] | None:
        """Return a server's settings, if there are any."""
        found = await self._one(rows.ServerRow, guild=guild)
        return None if found is None else found.settings

    async def cup(self, cup: int) -> rows.CupRow | None:
        """Return a cup, if it exists."""
        return await self._one(rows.CupRow, id=cup)

    async def cups_of_server(self, guild: int) -> list[rows.CupRow]:
        """Return the cups of a server that are not over, and the newest of the others."""
        return await self._all(rows.CupRow, NEWEST_CUPS, guild=guild)

    async def cups_of(self, user: int) -> list[rows.CupRow]:
        """Return the cups that mention a user."""
        return await self._where(rows.CupRow, MENTIONS_USER, user=user)

    async def searches(self, **where: int) -> list[rows.SearchRow]:
        """Return the searches of a `guild` or a `user`, oldest first; some may be over."""
        return await self._all(rows.SearchRow, 'since, "user", game', **where)

    async def alerts(self, user: int) -> list[rows.AlertRow]:
        """Return the alerts of a user in all servers."""
        return await self._all(rows.AlertRow, "guild, game, pace", user=user)

    async def new_searches(self, user: int, now: datetime) -> list[rows.SearchRow]:
        """Return the searches in progress that a user has alerts for and does not know, oldest
        first."""
        return await self._where(
            rows.SearchRow,
            'until > :now AND "user" <> :user AND EXISTS (SELECT 1 FROM alerts'
            ' WHERE alerts.guild = searches.guild AND alerts."user" = :user'
            " AND alerts.game IN ('', searches.game) AND alerts.pace IN ('', searches.pace)"
            ' AND (told IS NULL OR told < since)) ORDER BY since, searches."user"',
            user=user,
            now=now,
        )

    async def note_alert(self, user: int, newest: rows.SearchRow) -> None:
        """Record that a user knows this search and all earlier ones of its server."""
        await self._change(
            'UPDATE alerts SET told = :since WHERE "user" = :user AND guild = :guild',
            user=user,
            guild=newest.guild,
            since=newest.since,
        )

    async def drop_ended_searches(self, guild: int, by: datetime) -> None:
        await self._change(
            "DELETE FROM searches WHERE guild = :guild AND until <= :by", guild=guild, by=by
        )

    async def note(self, table: int, user: int) -> str:
        """Return a user's note at a table; empty for none."""
        found = await self._one(rows.NoteRow, table=table, user=user)
        return "" if found is None else found.text

    async def whispers(self, table: int) -> list[rows.WhisperRow]:
        """Return the whispers at a table, oldest first."""
        return await self._all(rows.WhisperRow, "number", table=table)

    async def webhook(self, table: int) -> rows.WebhookRow | None:
        """Return the web address of a table, if it has one."""
        return await self._one(rows.WebhookRow, table=table)

    async def results_of(self, user: int) -> list[rows.ResultRow]:
        """Return a user's results, oldest first; none if they turned statistics off."""
        return await self._where(
            rows.ResultRow,
            f'"user" = :user AND {self._is_counted()} ORDER BY finished, "table"',
            user=user,
        )

    async def results_at(self, table: int) -> list[rows.ResultRow]:
        """Return the results of a table, except of users who turned statistics off."""
        return await self._where(
            rows.ResultRow, f'"table" = :table AND {self._is_counted()}', table=table
        )

    async def awards(self, **where: int | str | None) -> list[rows.AwardRow]:
        """Return the awards with these values, except of users who turned statistics off."""
        conditions = "".join(f'"{name}" = :{name} AND ' for name in where)
        return await self._where(
            rows.AwardRow,
            f'{conditions}{self._is_counted("awards")} ORDER BY award, "table"',
            **where,
        )

    async def late_turns(self, user: int, tables: Collection[int]) -> int:
        """Return in how many turns at these tables a user's time ran out."""
        found = await self._value(
            int,
            'SELECT sum(turns) FROM late_turns WHERE "user" = :user AND "table" IN :tables',
            user=user,
            tables=[*tables],
        )
        return found or 0

    async def ratings(
        self, guild: int, game: str, users: Collection[int]
    ) -> dict[int, tuple[float, float, datetime]]:
        """Return the users' last ratings as mu, sigma and time."""
        found = await self._read(
            'SELECT "user", mu, sigma, finished FROM results WHERE guild = :guild AND game = :game'
            ' AND mu IS NOT NULL AND "user" IN :users ORDER BY finished, "table"',
            guild=guild,
            game=game,
            users=[*users],
        )
        return {user: (mu, sigma, moment(finished)) for user, mu, sigma, finished in found}

    async def standings(self, guild: int, game: str) -> list[rows.StandingRow]:
        """Return all current ratings, unordered, except of users who turned statistics off."""
        found = await self._read(
            'SELECT "user", name, mu, sigma, games, wins FROM (SELECT results.*,'
            ' count(*) OVER (PARTITION BY "user") AS games,'
            ' sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY "user") AS wins,'
            ' row_number() OVER (PARTITION BY "user" ORDER BY finished DESC, "table" DESC) AS age'
            " FROM results WHERE guild = :guild AND game = :game AND mu IS NOT NULL"
            f" AND {self._is_counted()}) AS each_result WHERE age = 1",
            guild=guild,
            game=game,
        )
        return [rows.StandingRow(*row) for row in found]

    async def predictions(self, table: int, *, counted: bool) -> list[rows.PredictionRow]:
        """Return the predictions at a table; if `counted`, not of users who turned statistics
        off."""
        return await self._where(
            rows.PredictionRow,
            '"table" = :table' + (f" AND {self._is_counted('predictions')}" if counted else ""),
            table=table,
        )

    async def predictors(self, guild: int) -> list[rows.PredictorRow]:
        """Return the points of a server's predictors, unordered, except of users who turned
        statistics off."""
        found = await self._read(
            'SELECT "user", name, points, games, hits FROM (SELECT "user", name,'
            ' sum(points) OVER (PARTITION BY "user") AS points,'
            ' count(*) OVER (PARTITION BY "user") AS games,'
            ' sum(CASE WHEN points > 0 THEN 1 ELSE 0 END) OVER (PARTITION BY "user") AS hits,'
            ' row_number() OVER (PARTITION BY "user" ORDER BY "table" DESC) AS age'
            " FROM predictions WHERE guild = :guild AND points IS NOT NULL"
            f" AND {self._is_counted('predictions')}) AS each_prediction WHERE age = 1",
            guild=guild,
        )
        return [rows.PredictorRow(*row) for row in found]

    def _is_counted(self, kind: str = "results") -> str:
        return (
            f'NOT EXISTS (SELECT 1 FROM people WHERE people."user" = {kind}."user"'
            f" AND {NOT_COUNTED[self._database.dialect]})"
        )

    async def is_first_turn(self, table: int, game: str, user: int, end: str) -> bool:
        """Return whether a user has not yet done `end` here, nor had a seat in an older game other
        than a lesson."""
        found = await self._value(
            int,
            'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM players JOIN tables ON id = players."table"'
            # A table that has started has a snapshot.
            ' JOIN snapshots ON snapshots."table" = id WHERE "user" = :user AND id < :table'
            " AND game = :game AND lesson IS NULL) AND NOT EXISTS (SELECT 1 FROM log"
            ' WHERE "table" = :table AND "user" = :user AND action = :end)',
            table=table,
            game=game,
            user=user,
            end=end,
        )
        return found is not None

    async def misnamed(
        self, user: int, guild: int | None, name: str, statuses: Collection[str]
    ) -> list[int]:
        """Return a server's tables at which the user has another name."""
        in_server = "guild IS NULL" if guild is None else "guild = :guild"
        return await self._values(
            int,
            'SELECT id FROM tables JOIN players ON players."table" = id WHERE "user" = :user'
            f" AND name <> :name AND {in_server} AND status IN :statuses ORDER BY id",
            user=user,
            name=name,
            statuses=[*statuses],
            **({} if guild is None else {"guild": guild}),
        )

    async def has_misnamed_result(self, user: int, guild: int, name: str) -> bool:
        """Return whether a user's results or predictions in a server have another name."""
        condition = 'WHERE "user" = :user AND guild = :guild AND name <> :name'
        found = await self._value(
            int,
            f"SELECT 1 FROM results {condition} UNION SELECT 1 FROM predictions {condition}",
            user=user,
            guild=guild,
            name=name,
        )
        return found is not None

    async def traces(self, user: int, statuses: Collection[str]) -> list[int]:
        """Return the tables in those states that mention a user."""
        return await self._values(
            int,
            "SELECT id FROM tables WHERE status IN :statuses AND (host = :user"
            ' OR id IN (SELECT "table" FROM players WHERE "user" = :user)'
            ' OR EXISTS (SELECT 1 FROM log WHERE log."table" = id AND log."user" = :user)'
            ' OR EXISTS (SELECT 1 FROM late_turns WHERE "table" = id AND "user" = :user)'
            ' OR EXISTS (SELECT 1 FROM whispers WHERE "table" = id'
            " AND :user IN (sender, receiver))) ORDER BY id",
            user=user,
            statuses=[*statuses],
        )

    async def user_data(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """Return the data about a user apart from tables, by section of `USER_DATA`."""
        return {name: await self._records(*of, user=user) for name, of in USER_DATA.items()}

    async def table_data(
        self, user: int, tables: Collection[int]
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the data about a user at these tables, by section of `TABLE_DATA`."""
        found = {
            name: await self._records(*of, user=user, tables=[*tables])
            for name, of in TABLE_DATA.items()
        }
        hosts = [each.pop("host") for each in found["tables"]]
        for each, host in zip(found["tables"], hosts, strict=True):
            each["hosted"] = host == user
        return found

    async def census(self) -> rows.Census:
        tables, ((outbox, since),), ((size,),) = await self._read_all(
            statement(
                "SELECT game, status, count(*) FROM tables WHERE lesson IS NULL"
                " GROUP BY game, status"
            ),
            # Items of lobbies have no log entry: use the age of the table.
            statement(
                "SELECT count(*), min(coalesce(whispers.at, log.at, created)) FROM outbox"
                ' JOIN tables ON tables.id = outbox."table"'
                ' LEFT JOIN log ON log."table" = outbox."table" AND log.seq = outbox.seq'
                ' LEFT JOIN whispers ON whispers."table" = outbox."table"'
                " AND number = outbox.seq AND kind IN ('whisper', 'talk')"
            ),
            statement(SIZE[self._database.dialect]),
        )
        counts = {(game, status): count for game, status, count in tables}
        return rows.Census(counts, outbox, None if since is None else moment(since), size)

    # Helpers to read

    async def _all(self, kind: type[K], order: str = "", /, **where: Any) -> list[K]:
        found = await self._read(select_sql(kind, (*where,), order), **where)
        return await _in_slices(found, partial(rows_of, kind))

    async def _one(self, kind: type[K], /, **where: Any) -> K | None:
        return next(iter(await self._all(kind, **where)), None)

    async def _where(self, kind: type[K], condition: str, /, **values: Any) -> list[K]:
        sql = f"SELECT {columns(kind)} FROM {kind.TABLE} WHERE {condition}"
        return await _in_slices(await self._read(sql, **values), partial(rows_of, kind))

    async def _records(
        self, kind: type[rows.StoredRow], names: str, condition: str, /, **values: Any
    ) -> list[dict[str, Any]]:
        quoted = ", ".join(f'"{name}"' for name in names.split())
        found = await self._read(f"SELECT {quoted} FROM {kind.TABLE} WHERE {condition}", **values)
        return await _in_slices(found, partial(records_of, kind, names.split()))

    async def _value(self, kind: Callable[[Any], V], sql: str, /, **values: Any) -> V | None:
        """Return the value in the first row, if there is one."""
        found = await self._read(sql, **values)
        return None if not found or found[0][0] is None else kind(found[0][0])

    async def _values(self, kind: Callable[[Any], V], sql: str, /, **values: Any) -> list[V]:
        return [kind(value) for (value,) in await self._read(sql, **values)]

    async def _read(self, sql: str, /, **values: Any) -> list[Sequence[Any]]:
        (found,) = await self._read_all(statement(sql, **values))
        return found

    async def _read_all(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        """Return the rows of several queries, all from one snapshot."""
        with self._outages.watch("reading"):
            return await self._database.read(*statements)

    async def _change(self, sql: str, /, **values: Any) -> list[Sequence[Any]]:
        with self._outages.watch("writing"):
            return await self._database.change(statement(sql, **values))


class OutageLog:
    """Logs each outage of the database once when it starts and once when it is over.

    Reads and writes may fail independently.
    """

    def __init__(self) -> None:
        self._failing: dict[str, float] = {}
        """When reading or writing last failed."""
        self._works: set[str] = set()
        """What has worked before. Earlier errors are reported by the code that opens the store."""

    @contextmanager
    def watch(self, operation: str) -> Iterator[None]:
        """Record the outcome of reading or writing in the block."""
        try:
            yield
        except StoreError as error:
            self.record(operation, error)
            raise
        self.record(operation, None)

    def record(self, operation: str, error: BaseException | None) -> None:
        """Record that reading or writing has succeeded (None) or failed."""
        if error is None or isinstance(error, DuplicateWrite | StaleWrite):
            self._works.add(operation)
            if monotonic() - self._failing.get(operation, inf) >= RECOVERED_S:
                del self._failing[operation]
                if not self._failing:
                    log.warning("database available again")
        elif isinstance(error, StoreError) and operation in self._works:
            if not self._failing:
                log.warning("database unavailable, retrying error=%s", error)
            self._failing[operation] = monotonic()


async def _in_slices(
    found: Sequence[Sequence[Any]], convert: Callable[[Sequence[Sequence[Any]]], list[V]]
) -> list[V]:
    """Convert the rows of an answer. Other tasks run in between if it is long."""
    converted: list[V] = []
    for chunk in slices(found):
        converted += convert(chunk)
        if len(converted) < len(found):
            await asyncio.sleep(0)
    return converted


def _params(shards: Shards | None) -> dict[str, Any]:
    if shards is None:
        return {}
    return {"count": shards.count, "shards": sorted(shards.held)}


def _and_in(shards: Shards | None, guild: str = "guild") -> str:
    return "" if shards is None else f" AND {IN_SHARDS.replace('guild', guild, 1)}"
