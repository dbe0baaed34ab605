"""A batch of writes that is stored completely or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from bot.store.rows import (
    NO_TABLE,
    PROPOSAL,
    TABLES_OF_TABLE,
    WHOLE_TABLE,
    AwardRow,
    Notification,
    NumberedMessageRow,
    OutboxItem,
    Player,
    PredictionRow,
    ProposalRow,
    ResultRow,
    ScheduledRow,
    SearchRow,
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
    """Ordered statements, executed by `Store.commit`.

    Guards are checked only if several processes share the database: a single one has its lock.
    """

    def __init__(self) -> None:
        self.steps: list[Statement] = []
        self.tables: dict[int, int] = {}
        """The expected revisions of tables. The batch fails if one differs, and increases each."""
        self.names: dict[str, int] = {}
        """The same for other records, by name. They have revision 0 before their first write."""
        self.fences: set[Fence] = set()
        """The shards that this process must have held without a break."""

    def outbox_tables(self) -> set[int]:
        """Return the tables whose pending messages the batch changes."""
        tables: set[int] = set()
        for sql, values in self.steps:
            if any(kind.TABLE in sql for kind in (OutboxItem, Notification, NumberedMessageRow)):
                tables.update(values.get("tables", ()))
                tables.update([values["table"]] if "table" in values else ())
        return tables

    # Rows of any kind

    def insert(self, row: StoredRow) -> None:
        """Add a row; `Store.commit` raises DuplicateWrite if its key exists."""
        self.steps.append(Statement(insert_sql(type(row)), values_of(row)))

    def save(self, row: StoredRow) -> None:
        """Add a row, or replace the one with its key."""
        self.steps.append(Statement(save_sql(type(row)), values_of(row)))

    def update(self, row: StoredRow, *names: str) -> None:
        """Change those columns of the row with the same key, if it exists."""
        values = values_of(row)
        changed_values = {name: values[name] for name in (*row.KEY, *names)}
        self.steps.append(Statement(update_sql(type(row), names), changed_values))

    def delete(self, kind: type[StoredRow], /, **where: Any) -> None:
        """Delete the rows with these values."""
        self.execute(delete_sql(kind, tuple(where)), **where)

    def delete_row(self, row: StoredRow) -> None:
        """Delete the row with the same key, if it exists."""
        self.delete(type(row), **{name: getattr(row, name) for name in row.KEY})

    def execute(self, sql: str, /, **values: Any) -> None:
        """Execute any other statement."""
        self.steps.append(statement(sql, **values))

    # More than one row, or rows of several kinds

    def save_table(self, row: TableRow) -> None:
        """Update a table. Its game, channel, key and creation time never change."""
        self.update(
            row,
            *("version", "status", "options", "host", "thread", "lobby_message"),
            *("panel_message", "posted_seq", "terms", "cup", "webhook"),
            *("lesson", "unrated", "source"),
        )

    def save_players(self, table: int, players: Iterable[Player]) -> None:
        """Replace the players of a table. Who takes a seat no longer follows it, and loses their
        prediction."""
        self.delete(Player, table=table)
        for player in players:
            self.insert(player)
        for each in ("follows", "predictions"):
            self.execute(
                f'DELETE FROM {each} WHERE "table" = :table AND "user" IN'
                ' (SELECT "user" FROM players WHERE "table" = :table)',
                table=table,
            )

    def drop_table(self, table: int) -> None:
        """Delete a table with all its rows."""
        for kind in TABLES_OF_TABLE:
            self.delete(kind, table=table)
        self.delete(TableRow, id=table)

    def enqueue(self, table: int, kind: str, seat: int | None, seq: int) -> None:
        """Add an outbox item; the database assigns it the next id, never one used before."""
        self.execute(
            'INSERT INTO outbox ("table", kind, seat, seq) VALUES (:table, :kind, :seat, :seq)',
            table=table,
            kind=kind,
            seat=seat,
            seq=seq,
        )

    def schedule(self, table: int, seat: int, kind: str, at: datetime | None) -> None:
        """Schedule a task, or (None) cancel it if it is scheduled."""
        if at is None:
            self.delete(ScheduledRow, table=table, seat=seat, kind=kind)
        else:
            self.save(ScheduledRow(table, seat, kind, at))

    def schedule_for_followers(self, table: int, kind: str, at: datetime) -> None:
        """Schedule a task for each follower of a table who gets messages."""
        self.execute(
            'INSERT INTO scheduled ("table", seat, kind, at)'
            ' SELECT "table", "user", CAST(:kind AS TEXT), CAST(:at AS BIGINT) FROM follows'
            ' WHERE "table" = :table AND pings'
            ' ON CONFLICT ("table", seat, kind) DO UPDATE SET at = excluded.at',
            table=table,
            kind=kind,
            at=at,
        )

    def reschedule(
        self, user: int, kinds: Collection[str], statuses: Collection[str], at: datetime
    ) -> None:
        """Move a user's tasks of those kinds to another time, at tables in those states."""
        self.execute(
            "UPDATE scheduled SET at = :at WHERE kind IN :kinds AND EXISTS (SELECT 1 FROM players"
            ' JOIN tables ON id = players."table" WHERE players."table" = scheduled."table"'
            ' AND players.seat = scheduled.seat AND "user" = :user AND status IN :statuses)',
            at=at,
            kinds=[*kinds],
            user=user,
            statuses=[*statuses],
        )

    def schedule_alerts(self, search: SearchRow, kind: str, at: datetime) -> None:
        """Schedule a task for each other user with an alert for the search.

        A task that is scheduled already stays at its time, but one microsecond later: so its
        handler notices the change.
        """
        self.execute(
            'INSERT INTO scheduled ("table", seat, kind, at) SELECT DISTINCT'
            ' CAST(:table AS BIGINT), "user", CAST(:kind AS TEXT), CAST(:at AS BIGINT) FROM alerts'
            " WHERE guild = :guild AND game IN ('', :game) AND pace IN ('', :pace)"
            ' AND "user" <> :user'
            ' ON CONFLICT ("table", seat, kind) DO UPDATE SET at = scheduled.at + 1',
            table=NO_TABLE,
            kind=kind,
            at=at,
            guild=search.guild,
            game=search.game,
            pace=search.pace,
            user=search.user,
        )

    def save_notification(self, row: Notification) -> None:
        """Update a notification, except for `over`."""
        self.update(row, "notified", "told", "reminders", "dm", "post", "told_at")

    def prune_handled(self, before: datetime) -> None:
        """Delete the deliveries handled before that time."""
        self.execute("DELETE FROM handled WHERE at < :before", before=before)

    def save_proposal(self, row: ProposalRow) -> None:
        """Save a proposal, replacing an older one with its votes."""
        self.delete(VoteRow, **_key(row))
        self.save(row)

    def end_proposal(self, row: ProposalRow, verdict: str, refused_by: int | None) -> None:
        """Set the verdict of a proposal if it is still open."""
        self.execute(
            "UPDATE proposals SET verdict = :verdict, refused_by = :refused_by"
            " WHERE \"table\" = :table AND kind = :kind AND word = :word AND verdict = 'open'",
            verdict=verdict,
            refused_by=refused_by,
            **_key(row),
        )

    def drop_proposal(self, row: ProposalRow) -> None:
        """Delete a closed proposal and its votes. It may have been opened again."""
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

    def start_outage(self, table: int, since: datetime) -> None:
        """Record that the bot cannot post at a table, replacing an open outage.

        With `NO_TABLE`, record that the bot was last seen then.
        """
        self.execute('DELETE FROM outages WHERE "table" = :table AND until IS NULL', table=table)
        self.execute(
            'INSERT INTO outages ("table", since) VALUES (:table, :since)'
            ' ON CONFLICT ("table", since) DO UPDATE SET until = NULL',
            table=table,
            since=since,
        )

    def end_outage(self, table: int, until: datetime) -> None:
        """Close the open outage of a table, if there is one."""
        self.execute(
            'UPDATE outages SET until = :until WHERE "table" = :table AND until IS NULL',
            table=table,
            until=until,
        )

    def prune_outages(self) -> None:
        """Delete outages that ended before all current turns began."""
        self.execute(
            "DELETE FROM outages WHERE until < (SELECT min(since) FROM (SELECT min(since) AS since"
            " FROM clocks UNION ALL SELECT min(since) FROM notifications"
            ' WHERE NOT "over") AS waits)'
        )

    def put_off(self, after: datetime, by: timedelta) -> None:
        """Postpone the later deadlines of whole tables: votes, sleep, lobbies."""
        self.execute(
            "UPDATE proposals SET until = until + :by WHERE until > :after", after=after, by=by
        )
        # The whole table votes, even about one seat.
        self.execute(
            'UPDATE scheduled SET at = at + :by WHERE at > :after AND "table" <> :no_table'
            " AND (seat = :whole OR kind LIKE :proposal)",
            after=after,
            by=by,
            no_table=NO_TABLE,
            whole=WHOLE_TABLE,
            proposal=f"{PROPOSAL}%",
        )

    def count_late(self, table: int, user: int, turn: int) -> None:
        """Count a late turn, which began with the log entry `turn`, unless it was the last one."""
        self.execute(
            'INSERT INTO late_turns ("table", "user", turns, last)'
            ' VALUES (:table, :user, 1, :turn) ON CONFLICT ("table", "user") DO UPDATE'
            " SET turns = late_turns.turns + 1, last = excluded.last"
            " WHERE late_turns.last <> excluded.last",
            table=table,
            user=user,
            turn=turn,
        )

    def end_notifications(self, table: int, seat: int | None = None) -> None:
        """End the notifications of a seat, or of the whole table."""
        at_seat = "" if seat is None else " AND seat = :seat"
        where = {} if seat is None else {"seat": seat}
        self.execute(
            f'UPDATE notifications SET "over" = true WHERE "table" = :table{at_seat}'
            ' AND NOT "over"',
            table=table,
            **where,
        )

    def rename_results(self, user: int, guild: int, name: str) -> None:
        """Set a user's name in their results, awards and predictions in a server."""
        for kind in (ResultRow, AwardRow, PredictionRow):
            self.execute(
                f'UPDATE {kind.TABLE} SET name = :name WHERE "user" = :user AND guild = :guild',
                name=name,
                user=user,
                guild=guild,
            )

    def give_award(self, of: ResultRow, award: str, value: int, *, alone: bool) -> None:
        """Give the user of a result an award, unless they have it or the result was deleted. With
        `alone`, they replace all others who have it."""
        if alone:
            self.delete(AwardRow, guild=of.guild, game=of.game, award=award)
        self.execute(
            'INSERT INTO awards (guild, game, award, "user", name, value, "table")'
            ' SELECT guild, game, CAST(:award AS TEXT), "user", name, CAST(:value AS BIGINT),'
            ' "table" FROM results WHERE "table" = :table AND "user" = :user'
            " ON CONFLICT DO NOTHING",
            award=award,
            value=value,
            table=of.table,
            user=of.user,
        )

    def drop_revisions(self, prefix: str) -> None:
        """Delete the revisions of all names with that prefix."""
        self.execute("DELETE FROM revisions WHERE name LIKE :prefix", prefix=f"{prefix}%")

    def forget_user(
        self, tables: Collection[int], user: int, *, name: str, host: int, sign: str, left: str
    ) -> None:
        """Remove every trace of the user from these tables, also at seats that they left.

        The player is renamed to `name`, the host becomes `host`. A seat was the user's if they
        have a log entry there that is `left` or does not start with `sign`, the prefix of table
        events.
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
        kinds = ("votes", "notifications", "notes", "plans", "follows", "late_turns")
        for each in kinds:
            self.execute(f'DELETE FROM {each} WHERE "table" IN :tables AND "user" = :user', **where)
        self.execute(
            'DELETE FROM whispers WHERE "table" IN :tables AND :user IN (sender, receiver)', **where
        )


def _key(row: ProposalRow) -> dict[str, Any]:
    return {"table": row.table, "kind": row.kind, "word": row.word}


def merge(batches: Iterable[WriteBatch]) -> list[tuple[str, list[Any]]]:
    """Return the statements of all batches, each text once with all its values.

    Preserves the order within a batch; batches must not depend on each other. A table has only
    one batch at a time, as it awaits each commit.
    """
    plan: list[tuple[str, list[Any]]] = []
    for batch in batches:
        position = 0
        for sql, values in batch.steps:
            for index in range(position, len(plan)):
                if plan[index][0] == sql:
                    position = index
                    break
            else:
                position = len(plan)
                plan.append((sql, []))
            plan[position][1].append(values)
    return plan
