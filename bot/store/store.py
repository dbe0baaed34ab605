"""The database behind the tables: opened, read, and the one way to write."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
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
from bot.store.slicing import slices
from bot.store.sql import Statement, columns, moment, records_of, rows_of, select_sql, statement
from bot.store.writer import Writer

log = logging.getLogger(__name__)

K = TypeVar("K", bound=rows.StoredRow)
V = TypeVar("V")

LOCK_WAIT_MS = 2000
"""How long a statement waits for another program that has locked the database."""
WRITE_CHECK_S = 5.0
"""For how many seconds a successful write check counts, unless a write fails meanwhile."""
KEPT = 1024
"""Tables of which it is kept in memory what is to be sent, about 1 KB each."""
KEPT_ROWS = 16
"""A table that cannot be posted to gathers more: those are read from the disk."""
CALM_S = 5.0
"""Seconds without a failure after which an outage is over."""
IN_SHARDS = f"coalesce((guild >> {SHARD_BITS}) % :count, {DIRECT}) IN :shards"
"""As `sharing.shard_of` has it."""
SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
NOT_COUNTED = {
    "sqlite": "json_extract(settings, '$.counted') = 0",
    "postgresql": "settings ->> 'counted' = 'false'",
}
"""Whoever wants no statistics keeps their results, and nobody sees them."""

_AT_THEIRS = '"table" IN :tables AND "user" = :user ORDER BY "table"'
Section = tuple[type[rows.StoredRow], str, str]
"""Whose rows, which of their columns, and on which condition."""
OWN: Mapping[str, Section] = {
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
    "results": (
        rows.ResultRow,
        "table seat name guild game seats place score moves seconds finished mu sigma",
        '"user" = :user ORDER BY finished',
    ),
}
"""What a user is given of what is stored about them, by section of that file."""
OWN_AT: Mapping[str, Section] = {
    "tables": (
        rows.TableRow,
        # Without its key, and its people.
        "id game version status options terms created guild channel thread host",
        "id IN :tables ORDER BY id",
    ),
    # Without their numbers: a gap would tell of something that others did in secret.
    "moves": (rows.EntryRow, "table at action", f"{_AT_THEIRS}, seq"),
    "votes": (rows.VoteRow, "table kind word at", _AT_THEIRS),
    "proposals": (
        rows.ProposalRow,
        "table kind word at until",
        '"table" IN :tables AND "by" = :user ORDER BY "table"',
    ),
    "notifications": (rows.Notification, "table since reminders", f"{_AT_THEIRS}, seq"),
}
"""The same, of some tables."""


class Store:
    """An open database.

    Only one process may have it open, unless each names itself as a `member` of those that share
    it; it then `is_shared`. Reads and writes raise StoreError where the database does not answer:
    Unavailable, or worse.
    """

    def __init__(self, database: Database, *, is_shared: bool = False) -> None:
        self.is_shared = is_shared
        """Whether other processes write to the same database."""
        self._database = database
        self._writer = Writer(database.write)
        self._outages = OutageLog()
        self._to_send = OrderedDict[int, rows.ToSend]()
        """What the last commit left to be sent, by table; not all tables are known."""
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
        """Open and migrate the database of such a URL as `check_address` accepts.

        One of SQLite must be a file, in a folder that exists. Raises NewerDatabase, OlderDatabase,
        BrokenDatabase, NotWritable, or Unavailable where trying again may help. `check` is called
        before anything is read or written on a server; it may raise StoreError. With the name of a
        `member` writes are guarded, and told to the other members; only a server can be shared.
        """
        # Only one of the two: each brings its driver along.
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
        """Write what is waiting, let running reads end, accept no more, close the database.

        That is done once, and to its end also where who began it, or waits for it, is cancelled.
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

        Raises DuplicateWrite, StaleWrite, LeaseLost or another StoreError, and then nothing is
        stored. A caller that is cancelled cannot tell whether its batch was stored. Where several
        processes share the database, the batch is also fenced by the lease on behalf of which the
        caller works.
        """
        if self.is_shared and (fence := FENCE.get()) is not None:
            batch.fence(fence)
        commits = COMMITS.get() or Commits()
        commits.begin()
        try:
            self._remember(batch, await self._writer.submit(batch))
        except BaseException as error:
            # What was stored is uncertain: the database knows.
            self._remember(batch, ())
            commits.end(error)
            self._outages.ended("writing", error)
            if isinstance(error, StoreError) and not isinstance(error, DuplicateWrite | StaleWrite):
                self._checked_at = -inf
            raise
        commits.end(None)
        self._outages.ended("writing", None)

    def _remember(self, batch: WriteBatch, left: Iterable[rows.ToSend]) -> None:
        """Keep what a batch leaves to be sent, and forget what else it may have changed."""
        for table in batch.sends_at():
            self._to_send.pop(table, None)
        for each in left:
            if len(each.items) + len(each.notifications) <= KEPT_ROWS:
                self._to_send[each.table] = each
        while len(self._to_send) > KEPT:
            self._to_send.popitem(last=False)

    async def ping(self) -> None:
        """Return if the database can be written and read."""
        if monotonic() - self._checked_at >= WRITE_CHECK_S:
            # A name of its own: processes that share the database must not wait for each other.
            row = rows.RevisionRow(f"write check {uuid4().hex}", 0)
            batch = WriteBatch()
            batch.insert(row)
            batch.delete_row(row)
            await self.commit(batch)
            self._checked_at = monotonic()
        # After a write: SQLite would answer from its cache as long as nothing has changed.
        await self._read("SELECT id FROM tables LIMIT 1")

    async def new_table_id(self) -> int:
        """The id of a table to be added; an id that is not used is lost."""
        (found,) = await self.new_table_ids(1)
        return found

    async def new_table_ids(self, count: int) -> range:
        """The ids of so many tables to be added."""
        ((last,),) = await self._change(
            "UPDATE table_ids SET last = last + :count RETURNING last", count=count
        )
        return range(last - count + 1, last + 1)

    async def postpone(self, row: rows.ScheduledRow, until: datetime) -> bool:
        """Postpone a task; False where another process has done so, or has done the task.

        So of two processes that find a task one carries it out; if that one dies, it is found
        again.
        """
        found = await self._change(
            'UPDATE scheduled SET at = :until WHERE "table" = :table AND seat = :seat'
            ' AND kind = :kind AND at = :was RETURNING "table"',
            until=until,
            table=row.table,
            seat=row.seat,
            kind=row.kind,
            was=row.at,
        )
        return bool(found)

    # Tables

    async def load(self, table: int) -> rows.StoredTable | None:
        """A table with its snapshot and its promises; None where there is no such table."""
        heads, snapshots, last, players, promises = await self._together(
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
        """Tables of a channel or thread in one of those states, newest first; heads only."""
        return await self._heads(
            "(channel = :place OR thread = :place) AND status IN :statuses ORDER BY id DESC",
            place=place,
            statuses=[*statuses],
        )

    async def of_user(self, user: int, statuses: Collection[str]) -> list[rows.StoredTable]:
        """Tables at which a user sits, in one of those states, oldest first; heads only."""
        return await self._heads(
            'id IN (SELECT "table" FROM players WHERE "user" = :user) AND status IN :statuses'
            " ORDER BY id",
            user=user,
            statuses=[*statuses],
        )

    async def _heads(self, condition: str, **values: Any) -> list[rows.StoredTable]:
        heads = await self._where(rows.TableRow, condition, **values)
        seated: dict[int, list[rows.Player]] = {head.id: [] for head in heads}
        for some in slices(heads):
            ids = [head.id for head in some]
            for player in await self._where(rows.Player, '"table" IN :ids ORDER BY seat', ids=ids):
                seated[player.table].append(player)
        return [rows.StoredTable(head, tuple(seated[head.id])) for head in heads]

    async def hosted(self, user: int, statuses: Collection[str]) -> list[int | None]:
        """The servers of the tables in one of those states that a user has opened, once for each
        table; None for direct messages."""
        found = await self._read(
            "SELECT guild FROM tables WHERE host = :user AND status IN :statuses",
            user=user,
            statuses=[*statuses],
        )
        return [guild for (guild,) in found]

    async def count_in(self, guild: int, statuses: Collection[str]) -> int:
        """How many tables of a server are in one of those states."""
        (count,) = await self._values(
            int,
            "SELECT count(*) FROM tables WHERE guild = :guild AND status IN :statuses",
            guild=guild,
            statuses=[*statuses],
        )
        return count

    async def tables_of_server(self, guild: int, at_most: int) -> list[int]:
        """Tables of a server in any state, oldest first, but no more than so many."""
        return await self._values(
            int,
            "SELECT id FROM tables WHERE guild = :guild ORDER BY id LIMIT :at_most",
            guild=guild,
            at_most=at_most,
        )

    async def servers(self) -> list[int]:
        """The servers of which anything is stored."""
        return await self._values(
            int, "SELECT guild FROM tables WHERE guild IS NOT NULL UNION SELECT guild FROM servers"
        )

    async def versions(self, statuses: Collection[str]) -> list[tuple[str, int, int]]:
        """Titles with versions of their rules, and how many tables in those states play each."""
        found = await self._read(
            "SELECT game, version, count(*) FROM tables WHERE status IN :statuses"
            " GROUP BY game, version ORDER BY game, version",
            statuses=[*statuses],
        )
        return [(game, version, count) for game, version, count in found]

    async def computer_turns(self, status: str, shards: Shards | None = None) -> list[int]:
        """Tables in that state, of those shards or of all, at which a computer player is to act."""
        return await self._values(
            int,
            'SELECT id FROM tables WHERE status = :status AND (id IN (SELECT "table" FROM snapshots'
            # Without a snapshot nobody knows: better check.
            ' WHERE due) OR NOT EXISTS (SELECT 1 FROM snapshots WHERE "table" = id))'
            f"{_and_in(shards)} ORDER BY id",
            status=status,
            **_of(shards),
        )

    async def guild_of(self, table: int) -> int | None:
        """The server of a table; None where it has none, or is not there."""
        return await self._value(int, "SELECT guild FROM tables WHERE id = :table", table=table)

    async def revision_of(self, table: int) -> int | None:
        """The revision of a table; None where it is not there."""
        return await self._value(int, "SELECT revision FROM tables WHERE id = :table", table=table)

    async def revision(self, name: str) -> int:
        """How often the thing of that name has been written under a guard."""
        found = await self._value(int, "SELECT number FROM revisions WHERE name = :name", name=name)
        return found or 0

    async def rematch(self, table: int) -> int | None:
        """The table that was opened for a rematch of another one, if there is one."""
        return await self._value(
            int, "SELECT id FROM tables WHERE rematch_of = :table", table=table
        )

    async def entries(self, table: int, first: int = 0) -> list[rows.EntryRow]:
        """The log of a table from that entry on, in order."""
        return await self._where(
            rows.EntryRow,
            '"table" = :table AND seq >= :first ORDER BY seq',
            table=table,
            first=first,
        )

    async def review(self, table: int) -> bytes | None:
        """What is kept of a finished game's review; None where nothing is."""
        return await self._value(
            bytes, 'SELECT blob FROM reviews WHERE "table" = :table', table=table
        )

    async def handled(self, delivery: str) -> rows.HandledRow | None:
        """The result of a delivery, if it has been carried out."""
        return await self._one(rows.HandledRow, delivery=delivery)

    # What is to be sent

    async def outbox(
        self, table: int | None = None, shards: Shards | None = None
    ) -> list[rows.OutboxItem]:
        """The outbox items of one table, of the tables of those shards, or of all; oldest first."""
        if table is not None:
            if (known := self._known(table)) is not None:
                return [*known.items]
            found = await self._all(rows.OutboxItem, "id", table=table)
            # Nobody may find an item before the table in memory that it tells of.
            await self._writer.settled()
            return found
        if shards is None:
            return await self._all(rows.OutboxItem, "id")
        return await self._where(
            rows.OutboxItem,
            f'"table" IN (SELECT id FROM tables WHERE {IN_SHARDS}) ORDER BY id',
            **_of(shards),
        )

    async def tables_to_send(self, shards: Shards) -> list[int]:
        """The tables of those shards with outbox items, which may be of a kind that only another
        version of the program knows; the longest waiting first."""
        return await self._values(
            int,
            f'SELECT "table" FROM outbox WHERE "table" IN (SELECT id FROM tables WHERE {IN_SHARDS})'
            ' GROUP BY "table" ORDER BY min(id)',
            **_of(shards),
        )

    async def outbox_with_revision(self, table: int) -> tuple[list[rows.OutboxItem], int]:
        """The outbox items of one table, oldest first, and the revision that the table had then; 0
        where there are none."""
        items, revision = await self._together(
            statement(select_sql(rows.OutboxItem, ("table",), "id"), table=table),
            statement("SELECT revision FROM tables WHERE id = :table", table=table),
        )
        return rows_of(rows.OutboxItem, items), revision[0][0] if items else 0

    async def numbered_message(self, table: int, what: str) -> rows.NumberedMessageRow | None:
        """The newest message of a kind at a table, noted or not."""
        if (known := self._known(table)) is not None:
            return known.numbered.get(what)
        return await self._one(rows.NumberedMessageRow, table=table, what=what)

    def _known(self, table: int) -> rows.ToSend | None:
        if self._writer.is_closed:
            raise Unavailable("The database is closed.")
        return self._to_send.get(table)

    def known_number(self, table: int, what: str) -> rows.NumberedMessageRow | None:
        """The same from memory; None where it is not known, or there is none."""
        known = self._to_send.get(table)
        return None if known is None else known.numbered.get(what)

    async def asking(self, table: int) -> list[rows.AskingRow]:
        """The messages of a table that have buttons to answer an offer, oldest first."""
        return await self._all(rows.AskingRow, "message", table=table)

    async def notifications(self, table: int) -> list[rows.Notification]:
        """The notifications of a table, including those that are over, oldest first."""
        if (known := self._known(table)) is not None:
            return [*known.notifications]
        return await self._all(rows.Notification, "seq, seat", table=table)

    async def notifications_of_user(self, user: int) -> list[rows.Notification]:
        """Where a user is awaited, longest first."""
        return await self._where(
            rows.Notification,
            # By the index of the players: one of its own would be written at each turn.
            '"user" = :user AND NOT "over" AND "table" IN'
            ' (SELECT "table" FROM players WHERE "user" = :user) ORDER BY since, "table"',
            user=user,
        )

    # What is due, and votes

    async def overdue(
        self, by: datetime, at_most: int, shards: Shards | None = None
    ) -> list[rows.ScheduledRow]:
        """The tasks scheduled by that time, oldest first; of one time by table, seat and kind."""
        guild = '(SELECT guild FROM tables WHERE id = "table")'
        return await self._where(
            rows.ScheduledRow,
            f'at <= :by{_and_in(shards, guild)} ORDER BY at, "table", seat, kind LIMIT :at_most',
            by=by,
            at_most=at_most,
            **_of(shards),
        )

    async def scheduled_at(self, table: int, seat: int, kind: str) -> datetime | None:
        """When the task is scheduled; None where it is not."""
        found = await self._one(rows.ScheduledRow, table=table, seat=seat, kind=kind)
        return None if found is None else found.at

    async def scheduled_for(self, table: int, kind: str) -> list[int]:
        """The seats for which such a task is scheduled at a table; the users or servers, where it
        concerns no table."""
        return await self._values(
            int,
            'SELECT seat FROM scheduled WHERE "table" = :table AND kind = :kind',
            table=table,
            kind=kind,
        )

    async def clocks(self, table: int) -> list[rows.ClockRow]:
        """The clocks of a table, by seat."""
        return await self._all(rows.ClockRow, "seat", table=table)

    async def outages(self, table: int) -> list[rows.OutageRow]:
        """When the bot could not post at a table, and when it was away altogether, by `since`."""
        return await self._where(
            rows.OutageRow,
            '"table" IN :tables ORDER BY since',
            tables=[table, rows.NO_TABLE],
        )

    async def votes(self, table: int, kind: str, word: str = "") -> frozenset[int]:
        """The users who have cast that vote."""
        found = await self._all(rows.VoteRow, table=table, kind=kind, word=word)
        return frozenset(row.user for row in found)

    async def proposals(self, table: int) -> list[rows.ProposalRow]:
        """What is proposed at a table, oldest first; also what has ended and is yet to be told."""
        return await self._all(rows.ProposalRow, "at, kind, word", table=table)

    async def plans(self, table: int, seat: int) -> list[rows.PlanRow]:
        """The plans of a seat, by number."""
        return await self._all(rows.PlanRow, "number", table=table, seat=seat)

    async def armed_plans(
        self, shards: Shards | None = None, table: int | None = None
    ) -> list[rows.PlanRow]:
        """The plans that play themselves: of one table, of the tables of those shards, of all."""
        if table is not None:
            return await self._where(rows.PlanRow, 'armed AND "table" = :table', table=table)
        guild = '(SELECT guild FROM tables WHERE id = "table")'
        return await self._where(rows.PlanRow, f"armed{_and_in(shards, guild)}", **_of(shards))

    # People and servers

    async def person(self, user: int) -> Mapping[str, Any] | None:
        """A user's own settings, where there are any."""
        found = await self._one(rows.PersonRow, user=user)
        return None if found is None else found.settings

    async def server(self, guild: int) -> Mapping[str, Any] | None:
        """What is set for a server, where anything is."""
        found = await self._one(rows.ServerRow, guild=guild)
        return None if found is None else found.settings

    async def note(self, table: int, user: int) -> str:
        """A user's note at a table; empty for none."""
        found = await self._one(rows.NoteRow, table=table, user=user)
        return "" if found is None else found.text

    async def results_of(self, user: int) -> list[rows.ResultRow]:
        """A user's results, oldest first; none where they want no statistics."""
        return await self._where(
            rows.ResultRow,
            f'"user" = :user AND {self._is_counted()} ORDER BY finished, "table"',
            user=user,
        )

    async def ratings(
        self, guild: int, game: str, users: Collection[int]
    ) -> dict[int, tuple[float, float, datetime]]:
        """The last rating (mu, sigma) of each of the users that has one, and since when."""
        found = await self._read(
            'SELECT "user", mu, sigma, finished FROM results WHERE guild = :guild AND game = :game'
            ' AND mu IS NOT NULL AND "user" IN :users ORDER BY finished, "table"',
            guild=guild,
            game=game,
            users=[*users],
        )
        return {user: (mu, sigma, moment(finished)) for user, mu, sigma, finished in found}

    async def standings(self, guild: int, game: str) -> list[rows.StandingRow]:
        """Everybody's current rating, in no order; without those who want no statistics."""
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

    def _is_counted(self) -> str:
        return (
            'NOT EXISTS (SELECT 1 FROM people WHERE people."user" = results."user"'
            f" AND {NOT_COUNTED[self._database.dialect]})"
        )

    async def is_first_turn(self, table: int, game: str, user: int, end: str) -> bool:
        """Whether a user has done no `end` at the table, nor had a seat in an older game of it."""
        found = await self._value(
            int,
            'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM players JOIN tables ON id = players."table"'
            # A table that has begun has a snapshot.
            ' JOIN snapshots ON snapshots."table" = id WHERE "user" = :user AND id < :table'
            ' AND game = :game) AND NOT EXISTS (SELECT 1 FROM log WHERE "table" = :table'
            ' AND "user" = :user AND action = :end)',
            table=table,
            game=game,
            user=user,
            end=end,
        )
        return found is not None

    async def misnamed(
        self, user: int, guild: int | None, name: str, statuses: Collection[str]
    ) -> list[int]:
        """The tables of a server (or None) in those states where a user has another name."""
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
        """Whether any result of a user in a server has another name."""
        found = await self._value(
            int,
            'SELECT 1 FROM results WHERE "user" = :user AND guild = :guild AND name <> :name'
            " LIMIT 1",
            user=user,
            guild=guild,
            name=name,
        )
        return found is not None

    async def traces(self, user: int, statuses: Collection[str]) -> list[int]:
        """The tables in those states that mention a user in any way."""
        return await self._values(
            int,
            "SELECT id FROM tables WHERE status IN :statuses AND (host = :user"
            ' OR id IN (SELECT "table" FROM players WHERE "user" = :user)'
            ' OR EXISTS (SELECT 1 FROM log WHERE log."table" = id AND log."user" = :user))'
            " ORDER BY id",
            user=user,
            statuses=[*statuses],
        )

    async def own(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """What is stored about a user apart from tables, by section of `OWN`."""
        return {name: await self._records(*of, user=user) for name, of in OWN.items()}

    async def own_at(self, user: int, tables: Collection[int]) -> dict[str, list[dict[str, Any]]]:
        """What is stored about a user at these tables, by section of `OWN_AT`."""
        found = {
            name: await self._records(*of, user=user, tables=[*tables])
            for name, of in OWN_AT.items()
        }
        hosts = [each.pop("host") for each in found["tables"]]
        for each, host in zip(found["tables"], hosts, strict=True):
            each["hosted"] = host == user
        return found

    async def census(self) -> rows.Census:
        """Counts over all tables."""
        tables, ((outbox, since),), ((size,),) = await self._together(
            statement("SELECT game, status, count(*) FROM tables GROUP BY game, status"),
            # An item of a lobby has no log entry; it may be as old as its table.
            statement(
                "SELECT count(*), min(coalesce(log.at, created)) FROM outbox"
                ' JOIN tables ON tables.id = outbox."table"'
                ' LEFT JOIN log ON log."table" = outbox."table" AND log.seq = outbox.seq'
            ),
            statement(SIZE[self._database.dialect]),
        )
        counts = {(game, status): count for game, status, count in tables}
        return rows.Census(counts, outbox, None if since is None else moment(since), size)

    # How it is read

    async def _all(self, kind: type[K], order: str = "", /, **where: Any) -> list[K]:
        """The rows in which all those columns have those values."""
        return await self._made(kind, await self._read(select_sql(kind, (*where,), order), **where))

    async def _one(self, kind: type[K], /, **where: Any) -> K | None:
        return next(iter(await self._all(kind, **where)), None)

    async def _where(self, kind: type[K], condition: str, /, **values: Any) -> list[K]:
        sql = f"SELECT {columns(kind)} FROM {kind.TABLE} WHERE {condition}"
        return await self._made(kind, await self._read(sql, **values))

    async def _made(self, kind: type[K], found: Sequence[Sequence[Any]]) -> list[K]:
        made: list[K] = []
        for some in slices(found):
            made += rows_of(kind, some)
            if len(made) < len(found):
                # Others have their turn while a long answer is read.
                await asyncio.sleep(0)
        return made

    async def _records(
        self, kind: type[rows.StoredRow], names: str, condition: str, /, **values: Any
    ) -> list[dict[str, Any]]:
        quoted = ", ".join(f'"{name}"' for name in names.split())
        found = await self._read(f"SELECT {quoted} FROM {kind.TABLE} WHERE {condition}", **values)
        made: list[dict[str, Any]] = []
        for some in slices(found):
            made += records_of(kind, names.split(), some)
            await asyncio.sleep(0)
        return made

    async def _value(self, kind: Callable[[Any], V], sql: str, /, **values: Any) -> V | None:
        """The value in the first row, None where there is none."""
        found = await self._read(sql, **values)
        return None if not found or found[0][0] is None else kind(found[0][0])

    async def _values(self, kind: Callable[[Any], V], sql: str, /, **values: Any) -> list[V]:
        return [kind(value) for (value,) in await self._read(sql, **values)]

    async def _read(self, sql: str, /, **values: Any) -> list[Sequence[Any]]:
        (found,) = await self._together(statement(sql, **values))
        return found

    async def _together(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        """What several statements find, all of one moment."""
        with self._outages.noting("reading"):
            return await self._database.read(*statements)

    async def _change(self, sql: str, /, **values: Any) -> list[Sequence[Any]]:
        with self._outages.noting("writing"):
            return await self._database.change(statement(sql, **values))


class OutageLog:
    """Logs an outage of the database: one line when it begins, and one when it is over.

    Reading and writing may fail one without the other.
    """

    def __init__(self) -> None:
        self._failing: dict[str, float] = {}
        """What does not work, and when it last failed."""
        self._works: set[str] = set()
        """What has worked: until then whoever opens the database says what is wrong."""

    @contextmanager
    def noting(self, what: str) -> Iterator[None]:
        """Note how reading or writing in the block ends."""
        try:
            yield
        except StoreError as error:
            self.ended(what, error)
            raise
        self.ended(what, None)

    def ended(self, what: str, error: BaseException | None) -> None:
        """Reading or writing has succeeded (None), or failed with that error."""
        if error is None or isinstance(error, DuplicateWrite | StaleWrite):
            self._works.add(what)
            if what in self._failing and monotonic() - self._failing[what] >= CALM_S:
                del self._failing[what]
                if not self._failing:
                    log.warning("database available again")
        elif isinstance(error, StoreError) and what in self._works:
            if not self._failing:
                log.warning("database unavailable, retrying error=%s", error)
            self._failing[what] = monotonic()


def _of(shards: Shards | None) -> dict[str, Any]:
    if shards is None:
        return {}
    return {"count": shards.count, "shards": sorted(shards.held)}


def _and_in(shards: Shards | None, guild: str = "guild") -> str:
    return "" if shards is None else f" AND {IN_SHARDS.replace('guild', guild, 1)}"
