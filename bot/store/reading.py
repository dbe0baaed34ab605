"""Every read of the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa

from bot.store import queries, rows, slicing
from bot.store.database import Database, Question
from bot.store.outage import LoggedDatabase
from bot.store.sharing import Shards

R = TypeVar("R")


class Reads:
    """What an open database answers; `bot.store.store` writes as well.

    Each raises StoreError where the database does not answer: Unavailable, or worse. What one of
    them reads is of one moment, also where other processes write to a database that `is_shared`.
    """

    def __init__(self, database: Database, *, is_shared: bool = False) -> None:
        self.is_shared = is_shared
        """Whether other processes write to the same database."""
        self._database = database
        self._logged = LoggedDatabase(database)

    async def load(self, table: int) -> rows.StoredTable | None:
        """A table with its snapshot and its promises; None where there is no such table."""
        of_table = {"of_table": table}
        stored, players, promises = await self._logged.read_together(
            Question(_head, queries.TABLE, of_table),
            Question(rows.PlayerRow, queries.PLAYERS_OF_TABLE, of_table),
            Question(rows.PromiseRow, queries.PROMISES, of_table),
        )
        if not stored:
            return None
        ((head, snapshot, last_seq),) = stored
        return rows.StoredTable(head, tuple(players), snapshot, last_seq, tuple(promises))

    async def in_channel(self, place: int, statuses: Collection[str]) -> list[rows.StoredTable]:
        """Tables of a channel or thread in one of those states, newest first; heads only."""
        return await self._heads(queries.IN_CHANNEL, {"of_place": place}, statuses)

    async def of_user(self, user: int, statuses: Collection[str]) -> list[rows.StoredTable]:
        """Tables at which a user sits, in one of those states, oldest first; heads only."""
        return await self._heads(queries.OF_USER, {"of_user": user}, statuses)

    async def entries(self, table: int, first: int = 0) -> list[rows.EntryRow]:
        """The log of a table from that entry on, in order."""
        return await self._long(rows.EntryRow, queries.ENTRIES, {"of_table": table, "first": first})

    async def outbox(
        self, table: int | None = None, shards: Shards | None = None
    ) -> list[rows.OutboxRow]:
        """The outbox items of one table, of the tables of those shards, or of all; oldest first."""
        if table is not None:
            return await self._read(rows.OutboxRow, queries.OUTBOX_OF_TABLE, {"of_table": table})
        statement = queries.OUTBOX if shards is None else queries.OUTBOX_OF_SHARDS
        return await self._long(rows.OutboxRow, statement, _of(shards))

    async def outbox_with_revision(self, table: int) -> tuple[list[rows.OutboxRow], int]:
        """The outbox items of one table, oldest first, and the revision that the table had then; 0
        where there are none."""
        found = await self._read(_row, queries.OUTBOX_WITH_REVISION, {"of_table": table})
        revision = found[0][-1] if found else 0
        return [rows.OutboxRow(*row[:-1]) for row in found], revision

    async def handled(self, delivery: str) -> rows.HandledRow | None:
        """The result of a delivery, if it has been carried out."""
        return await self._one(rows.HandledRow, queries.HANDLED, {"of_id": delivery})

    async def votes(self, table: int, kind: str, word: str = "") -> frozenset[int]:
        """The users who have cast that vote."""
        parameters = {"of_table": table, "of_kind": kind, "of_word": word}
        return frozenset(await self._read(int, queries.VOTES, parameters))

    async def computer_turns(self, status: str, shards: Shards | None = None) -> list[int]:
        """Tables in that state, of those shards or of all, at which a computer player is to act."""
        of_all = shards is None
        statement = queries.COMPUTER_TURNS if of_all else queries.COMPUTER_TURNS_OF_SHARDS
        return await self._long(int, statement, {"of_status": status} | _of(shards))

    async def proposals(self, table: int) -> list[rows.ProposalRow]:
        """What is proposed at a table, oldest first; also what has ended and is yet to be told."""
        return await self._read(rows.ProposalRow, queries.PROPOSALS, {"of_table": table})

    async def overdue(
        self, by: datetime, at_most: int, shards: Shards | None = None
    ) -> list[rows.ScheduledRow]:
        """The tasks scheduled by that time, oldest first; of one time by table, seat and kind."""
        statement = queries.OVERDUE if shards is None else queries.OVERDUE_OF_SHARDS
        parameters = {"by": by, "at_most": at_most} | _of(shards)
        return await self._read(rows.ScheduledRow, statement, parameters)

    async def scheduled_at(self, table: int, seat: int, kind: str) -> datetime | None:
        """When the task is scheduled; None where it is not."""
        parameters = {"of_table": table, "of_seat": seat, "of_kind": kind}
        return await self._one(_value, queries.SCHEDULED_AT, parameters)

    async def scheduled_for(self, table: int, kind: str) -> list[int]:
        """The seats for which such a task is scheduled at a table; the users or servers, where it
        concerns no table."""
        parameters = {"of_table": table, "of_kind": kind}
        return await self._long(int, queries.SCHEDULED_FOR, parameters)

    async def clocks(self, table: int) -> list[rows.ClockRow]:
        """The clocks of a table, by seat."""
        return await self._read(rows.ClockRow, queries.CLOCKS, {"of_table": table})

    async def outages(self, table: int) -> list[rows.OutageRow]:
        """When the bot could not post at a table, and when it was away altogether, by `since`."""
        return await self._read(rows.OutageRow, queries.OUTAGES, {"of_table": table})

    async def notifications(self, table: int) -> list[rows.NotificationRow]:
        """The notifications of a table, including those that are over, oldest first."""
        return await self._read(rows.NotificationRow, queries.NOTIFICATIONS, {"of_table": table})

    async def notifications_of_user(self, user: int) -> list[rows.NotificationRow]:
        """Where a user is awaited, longest first."""
        return await self._read(
            rows.NotificationRow, queries.NOTIFICATIONS_OF_USER, {"of_user": user}
        )

    async def numbered_message(self, table: int, what: str) -> rows.NumberedMessageRow | None:
        """The newest message of a kind at a table, noted or not."""
        parameters = {"of_table": table, "of_what": what}
        return await self._one(rows.NumberedMessageRow, queries.NUMBERED_MESSAGE, parameters)

    async def asking(self, table: int) -> list[rows.AskingRow]:
        """The messages of a table that have buttons to answer an offer, oldest first."""
        return await self._read(rows.AskingRow, queries.ASKING, {"of_table": table})

    async def person(self, user: int) -> Mapping[str, Any] | None:
        """A user's own settings, where there are any."""
        return await self._one(_value, queries.PERSON, {"of_user": user})

    async def results_of(self, user: int) -> list[rows.ResultRow]:
        """A user's results, oldest first; none where they want no statistics."""
        return await self._long(rows.ResultRow, queries.RESULTS_OF_USER, {"of_user": user})

    async def ratings(
        self, guild: int, game: str, users: Collection[int]
    ) -> dict[int, tuple[float, float, datetime]]:
        """The last rating (mu, sigma) of each of the users that has one, and since when."""
        parameters = {"of_guild": guild, "of_game": game, "of_users": list(users)}
        found = await self._read(_row, queries.RATINGS, parameters)
        return {user: (mu, sigma, finished) for user, mu, sigma, finished in found}

    async def standings(self, guild: int, game: str) -> list[rows.StandingRow]:
        """Everybody's current rating, in no order; without those who want no statistics."""
        return await self._long(
            rows.StandingRow, queries.STANDINGS, {"of_guild": guild, "of_game": game}
        )

    async def traces(self, user: int, statuses: Collection[str]) -> list[int]:
        """The tables in those states that mention a user in any way."""
        parameters = {"of_user": user, "of_statuses": list(statuses)}
        return await self._read(int, queries.TRACES, parameters)

    async def own(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """What is stored about a user apart from tables, by section of `queries.OWN`."""
        return {
            name: await self._long(_record(statement), statement, {"of_user": user})
            for name, statement in queries.OWN.items()
        }

    async def own_at(self, user: int, tables: Collection[int]) -> dict[str, list[dict[str, Any]]]:
        """What is stored about a user at these tables, by section of `queries.OWN_AT`."""
        parameters = {"of_user": user, "of_tables": list(tables)}
        return {
            name: await self._long(_record(statement), statement, parameters)
            for name, statement in queries.OWN_AT.items()
        }

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
        return await self._read(int, queries.MISNAMED, parameters)

    async def has_misnamed_result(self, user: int, guild: int, name: str) -> bool:
        """Whether any result of a user in a server has another name."""
        parameters = {"of_user": user, "of_guild": guild, "of_name": name}
        return bool(await self._read(int, queries.MISNAMED_RESULTS, parameters))

    async def rematch(self, table: int) -> int | None:
        """The table that was opened for a rematch of another one, if there is one."""
        return await self._one(int, queries.REMATCH, {"of_table": table})

    async def note(self, table: int, user: int) -> str:
        """A user's note at a table; empty for none."""
        found = await self._one(str, queries.NOTE, {"of_table": table, "of_user": user})
        return found or ""

    async def review(self, table: int) -> bytes | None:
        """What is kept of a finished game's review; None where nothing is."""
        return await self._one(bytes, queries.REVIEW, {"of_table": table})

    async def plans(self, table: int, seat: int) -> list[rows.PlanRow]:
        """The plans of a seat, by number."""
        parameters = {"of_table": table, "of_seat": seat}
        return await self._read(rows.PlanRow, queries.PLANS, parameters)

    async def armed_plans(
        self, shards: Shards | None = None, table: int | None = None
    ) -> list[rows.PlanRow]:
        """The plans that play themselves: of one table, of the tables of those shards, of all."""
        if table is not None:
            of_table = {"of_table": table}
            return await self._read(rows.PlanRow, queries.ARMED_PLANS_OF_TABLE, of_table)
        statement = queries.ARMED_PLANS if shards is None else queries.ARMED_PLANS_OF_SHARDS
        return await self._long(rows.PlanRow, statement, _of(shards))

    async def guild_of(self, table: int) -> int | None:
        """The server of a table; None where it has none, or is not there."""
        return await self._one(_value, queries.GUILD_OF, {"of_table": table})

    async def revision_of(self, table: int) -> int | None:
        """The revision of a table; None where it is not there."""
        return await self._one(int, queries.REVISION_OF, {"of_table": table})

    async def revision(self, name: str) -> int:
        """How often the thing of that name has been written under a guard."""
        return await self._one(int, queries.REVISION, {"of_name": name}) or 0

    async def server(self, guild: int) -> Mapping[str, Any] | None:
        """What is set for a server, where anything is."""
        return await self._one(_value, queries.SERVER, {"of_guild": guild})

    async def count_in(self, guild: int, statuses: Collection[str]) -> int:
        """How many tables of a server are in one of those states."""
        parameters = {"of_guild": guild, "of_statuses": [*statuses]}
        (count,) = await self._read(int, queries.COUNT_IN, parameters)
        return count

    async def tables_of_server(self, guild: int, at_most: int) -> list[int]:
        """Tables of a server in any state, oldest first, but no more than so many."""
        parameters = {"of_guild": guild, "at_most": at_most}
        return await self._read(int, queries.TABLES_OF_SERVER, parameters)

    async def servers(self) -> list[int]:
        """The servers of which anything is stored."""
        return await self._long(int, queries.SERVERS, {})

    async def hosted(self, user: int, statuses: Collection[str]) -> list[int | None]:
        """The servers of the tables in one of those states that a user has opened, once for each
        table.

        None for direct messages.
        """
        parameters = {"of_user": user, "of_statuses": [*statuses]}
        return await self._read(_value, queries.HOSTED, parameters)

    async def is_first_turn(self, table: int, game: str, user: int, end: str) -> bool:
        """Whether a user has done no `end` at the table, nor had a seat in an older game of it."""
        parameters = {"of_table": table, "of_game": game, "of_user": user, "of_end": end}
        return bool(await self._read(int, queries.FIRST_TURN, parameters))

    async def ping(self) -> None:
        """Returns if the database can be read."""
        await self._read(int, queries.PING, {})

    async def census(self) -> rows.Census:
        """Counts over all tables."""
        tables, ((outbox, since),), (size,) = await self._logged.read_together(
            Question(_row, queries.TABLES, {}),
            Question(_row, queries.OUTBOX_SINCE, {}),
            Question(int, queries.SIZE[self._database.dialect], {}),
        )
        return rows.Census(
            {(game, status): count for game, status, count in tables}, outbox, since, size
        )

    async def versions(self, statuses: Collection[str]) -> list[tuple[str, int, int]]:
        """Titles with versions of their rules, and how many tables in those states play each."""
        return await self._read(_row, queries.VERSIONS, {"of_statuses": [*statuses]})

    async def _heads(
        self, statement: sa.Executable, parameters: dict[str, Any], statuses: Collection[str]
    ) -> list[rows.StoredTable]:
        parameters |= {"of_statuses": [*statuses]}
        heads = await self._long(rows.TableRow, statement, parameters)
        seated: dict[int, list[rows.PlayerRow]] = {head.id: [] for head in heads}
        for some in slicing.slices(heads):
            of_tables = {"of_tables": [head.id for head in some]}
            for player in await self._read(rows.PlayerRow, queries.PLAYERS, of_tables):
                seated[player.table].append(player)
        return [rows.StoredTable(head, tuple(seated[head.id])) for head in heads]

    async def _one(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> R | None:
        """The first row of an answer, None where it is empty."""
        return next(iter(await self._logged.read(kind, statement, parameters)), None)

    async def _read(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        # The structs of bot.store.rows list their fields in the order of the columns.
        return await self._logged.read(kind, statement, parameters)

    async def _long(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """The rows of an answer of any length, read in parts."""
        return await self._logged.read_long(kind, statement, parameters)


def _of(shards: Shards | None) -> dict[str, Any]:
    if shards is None:
        return {}
    return {"of_count": shards.count, "of_shards": sorted(shards.held)}


def _record(statement: sa.Select[Any]) -> Callable[..., dict[str, Any]]:
    names = [column.name for column in statement.selected_columns]

    def record(*columns: Any) -> dict[str, Any]:
        return dict(zip(names, columns, strict=True))

    return record


def _row(*columns: Any) -> tuple[Any, ...]:
    return columns


def _value(column: Any) -> Any:
    return column


def _head(*columns: Any) -> tuple[rows.TableRow, rows.SnapshotRow | None, int | None]:
    table, snapshot = columns[: queries.WIDTH], columns[queries.WIDTH : -1]
    is_kept = snapshot[0] is not None
    return rows.TableRow(*table), rows.SnapshotRow(*snapshot) if is_kept else None, columns[-1]
