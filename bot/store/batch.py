"""Everything that one action writes, stored whole or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from bot.store.rows import (
    NO_TABLE,
    PROPOSAL,
    TABLES_OF_TABLE,
    WHOLE_TABLE,
    Notification,
    NumberedMessageRow,
    OutboxItem,
    Player,
    ProposalRow,
    ScheduledRow,
    StoredRow,
    TableRow,
    VoteRow,
)
from bot.store.sharing import Fence
from bot.store.sql import (
    Statement,
    delete_sql,
    insert_sql,
    save_sql,
    statement,
    update_sql,
    values_of,
)


class WriteBatch:
    """Statements in their order; `Store.commit` carries them out.

    Guards are checked where several processes share the database; one alone has its lock.
    """

    def __init__(self) -> None:
        self.steps: list[Statement] = []
        self.tables: dict[int, int] = {}
        """The revisions at which tables must be."""
        self.names: dict[str, int] = {}
        """The revisions at which other things must be."""
        self.fences: set[Fence] = set()
        """The shards that must still be held."""

    def guard_table(self, table: int, revision: int) -> None:
        """Refuse the batch unless the table is still at that revision, which grows by one."""
        self.tables[table] = revision

    def guard(self, name: str, revision: int) -> None:
        """The same for what is no table, by name; a thing never written is at revision 0."""
        self.names[name] = revision

    def fence(self, fence: Fence) -> None:
        """Refuse the batch unless that shard has been held since."""
        self.fences.add(fence)

    def sends_at(self) -> set[int]:
        """The tables for which it changes what is to be sent."""
        found: set[int] = set()
        for sql, values in self.steps:
            if any(kind.TABLE in sql for kind in (OutboxItem, Notification, NumberedMessageRow)):
                found.update(values.get("tables", ()))
                found.update([values["table"]] if "table" in values else ())
        return found

    # Rows of any kind

    def insert(self, row: StoredRow) -> None:
        """Add a row; `Store.commit` raises DuplicateWrite where there is one with its key."""
        self.steps.append(Statement(insert_sql(type(row)), values_of(row)))

    def save(self, row: StoredRow) -> None:
        """Add a row, or replace the one with its key."""
        self.steps.append(Statement(save_sql(type(row)), values_of(row)))

    def update(self, row: StoredRow, *names: str) -> None:
        """Change those columns of the row with this one's key, if there is one."""
        values = values_of(row)
        kept = {name: values[name] for name in (*row.KEY, *names)}
        self.steps.append(Statement(update_sql(type(row), names), kept))

    def delete(self, kind: type[StoredRow], /, **where: Any) -> None:
        """Delete the rows in which all those columns have those values."""
        self.execute(delete_sql(kind, tuple(where)), **where)

    def delete_row(self, row: StoredRow) -> None:
        """Delete the row with this one's key, if there is one."""
        self.delete(type(row), **{name: getattr(row, name) for name in row.KEY})

    def execute(self, sql: str, /, **values: Any) -> None:
        """Carry out any other statement."""
        self.steps.append(statement(sql, **values))

    # What takes more than one row of one kind

    def save_table(self, row: TableRow) -> None:
        """Change what may change about a table. Its game, place, key and age do not."""
        self.update(
            row,
            *("version", "status", "options", "host", "thread", "lobby_message"),
            *("panel_message", "posted_seq", "terms"),
        )

    def save_players(self, table: int, players: Iterable[Player]) -> None:
        """Replace all players of a table."""
        self.delete(Player, table=table)
        for player in players:
            self.insert(player)

    def drop_table(self, table: int) -> None:
        """Drop a table with all that belongs to it."""
        for kind in TABLES_OF_TABLE:
            self.delete(kind, table=table)
        self.delete(TableRow, id=table)

    def enqueue(self, table: int, kind: str, seat: int | None, seq: int) -> None:
        """Add an outbox item; the database gives it an id greater than any before."""
        self.execute(
            'INSERT INTO outbox ("table", kind, seat, seq) VALUES (:table, :kind, :seat, :seq)',
            table=table,
            kind=kind,
            seat=seat,
            seq=seq,
        )

    def schedule(self, table: int, seat: int, kind: str, at: datetime | None) -> None:
        """Put a task on the schedule, or (None) take it off; no error where it is not on it."""
        if at is None:
            self.delete(ScheduledRow, table=table, seat=seat, kind=kind)
        else:
            self.save(ScheduledRow(table, seat, kind, at))

    def reschedule(
        self, user: int, kinds: Collection[str], statuses: Collection[str], at: datetime
    ) -> None:
        """Move the tasks of those kinds of all seats of a user, at tables in those states."""
        self.execute(
            "UPDATE scheduled SET at = :at WHERE kind IN :kinds AND EXISTS (SELECT 1 FROM players"
            ' JOIN tables ON id = players."table" WHERE players."table" = scheduled."table"'
            ' AND players.seat = scheduled.seat AND "user" = :user AND status IN :statuses)',
            at=at,
            kinds=[*kinds],
            user=user,
            statuses=[*statuses],
        )

    def save_notification(self, row: Notification) -> None:
        """Save how somebody has been notified; whether it is over stays as it is."""
        self.update(row, "notified", "told", "reminders", "dm", "post", "told_at")

    def prune_handled(self, before: datetime) -> None:
        """Forget deliveries handled before that time."""
        self.execute("DELETE FROM handled WHERE at < :before", before=before)

    def save_proposal(self, row: ProposalRow) -> None:
        """Propose something, replacing an older proposal of the same with its votes."""
        self.delete(VoteRow, **_key(row))
        self.save(row)

    def end_proposal(self, row: ProposalRow, verdict: str, refused_by: int | None) -> None:
        """Say how a proposal has ended; one that has ended before stays as it is."""
        self.execute(
            "UPDATE proposals SET verdict = :verdict, refused_by = :refused_by"
            " WHERE \"table\" = :table AND kind = :kind AND word = :word AND verdict = 'open'",
            verdict=verdict,
            refused_by=refused_by,
            **_key(row),
        )

    def drop_proposal(self, row: ProposalRow) -> None:
        """Drop a proposal that has ended, and the votes on it; the same may be open anew."""
        self.execute(
            'DELETE FROM proposals WHERE "table" = :table AND kind = :kind AND word = :word'
            " AND verdict <> 'open'",
            **_key(row),
        )
        self.execute(
            'DELETE FROM votes WHERE "table" = :table AND kind = :kind AND word = :word'
            " AND NOT EXISTS (SELECT 1 FROM proposals"
            ' WHERE "table" = :table AND kind = :kind AND word = :word)',
            **_key(row),
        )

    def begin_outage(self, table: int, since: datetime) -> None:
        """Note that the bot cannot post at a table; with `NO_TABLE`, that it was last seen then.
        Replaces the one that lasts."""
        self.execute('DELETE FROM outages WHERE "table" = :table AND until IS NULL', table=table)
        self.execute(
            'INSERT INTO outages ("table", since) VALUES (:table, :since)'
            ' ON CONFLICT ("table", since) DO UPDATE SET until = NULL',
            table=table,
            since=since,
        )

    def end_outage(self, table: int, until: datetime) -> None:
        """Note that it can again; no error where it could."""
        self.execute(
            'UPDATE outages SET until = :until WHERE "table" = :table AND until IS NULL',
            table=table,
            until=until,
        )

    def prune_outages(self) -> None:
        """Forget what was over before all that is being waited for now began."""
        self.execute(
            "DELETE FROM outages WHERE until < (SELECT min(since) FROM (SELECT min(since) AS since"
            " FROM clocks UNION ALL SELECT min(since) FROM notifications"
            ' WHERE NOT "over") AS waits)'
        )

    def put_off(self, after: datetime, by: timedelta) -> None:
        """Move the deadlines after that time that concern a whole table: votes, sleep, lobbies."""
        self.execute(
            "UPDATE proposals SET until = until + :by WHERE until > :after", after=after, by=by
        )
        # A vote about a seat is one of the whole table.
        self.execute(
            'UPDATE scheduled SET at = at + :by WHERE at > :after AND "table" <> :no_table'
            " AND (seat = :whole OR kind LIKE :proposal)",
            after=after,
            by=by,
            no_table=NO_TABLE,
            whole=WHOLE_TABLE,
            proposal=f"{PROPOSAL}%",
        )

    def end_notifications(self, table: int, seat: int | None = None) -> None:
        """Nobody is awaited at a seat, or at the table, any more."""
        at_seat = "" if seat is None else " AND seat = :seat"
        where = {} if seat is None else {"seat": seat}
        self.execute(
            f'UPDATE notifications SET "over" = true WHERE "table" = :table{at_seat}'
            ' AND NOT "over"',
            table=table,
            **where,
        )

    def rename_results(self, user: int, guild: int, name: str) -> None:
        """Change the name of a user's results in a server."""
        self.execute(
            'UPDATE results SET name = :name WHERE "user" = :user AND guild = :guild',
            name=name,
            user=user,
            guild=guild,
        )

    def drop_revisions(self, name: str, prefix: str) -> None:
        """Forget how often the thing of that name, and those whose names begin so, were written."""
        self.execute(
            "DELETE FROM revisions WHERE name = :name OR name LIKE :prefix",
            name=name,
            prefix=f"{prefix}%",
        )

    def forget_user(
        self, tables: Collection[int], user: int, *, name: str, host: int, sign: str, left: str
    ) -> None:
        """Remove every trace of the user from these tables, also at seats that they left.

        The player is called `name` there, and the host is `host`. A seat was the user's if an entry
        of theirs says so: one that is `left`, or one that does not begin with `sign`, with which
        the matters of a table begin.
        """
        where = {"tables": [*tables], "user": user}
        self.execute(
            "UPDATE players SET name = :name, \"user\" = NULL, orders = '{}'"
            ' WHERE "table" IN :tables AND ("user" = :user OR "user" IS NULL AND EXISTS'
            ' (SELECT 1 FROM log WHERE log."table" = players."table" AND log.seat = players.seat'
            ' AND log."user" = :user AND (action = :left OR substr(action, 1, :length) <> :sign)))',
            name=name,
            left=left,
            sign=sign,
            length=len(sign),
            **where,
        )
        self.execute(
            "UPDATE tables SET host = :host WHERE id IN :tables AND host = :user",
            host=host,
            **where,
        )
        self.execute(
            'UPDATE log SET "user" = NULL WHERE "table" IN :tables AND "user" = :user', **where
        )
        for each in ("votes", "notifications", "notes", "plans"):
            self.execute(f'DELETE FROM {each} WHERE "table" IN :tables AND "user" = :user', **where)


def _key(row: ProposalRow) -> dict[str, Any]:
    return {"table": row.table, "kind": row.kind, "word": row.word}


def merge(batches: Iterable[WriteBatch]) -> list[tuple[str, list[Any]]]:
    """The statements of many batches, each text once with all its values.

    The order within a batch is kept; batches must not depend on one another. Two batches of one
    table never meet here, because a table waits for its commit before the next one.
    """
    plan: list[tuple[str, list[Any]]] = []
    for batch in batches:
        at = 0
        for sql, values in batch.steps:
            for place in range(at, len(plan)):
                if plan[place][0] == sql:
                    at = place
                    break
            else:
                at = len(plan)
                plan.append((sql, []))
            plan[at][1].append(values)
    return plan
