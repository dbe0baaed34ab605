"""A unit of work: all that one action writes, kept whole or not at all.

A unit is data, a list of statements with parameters, so that the writer can carry out many
units in one transaction, each statement once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from bot.store import schema
from bot.store.rows import EntryRow, HandledRow, OwedRow, PlayerRow, SnapshotRow, TableRow

Parameters = Mapping[str, Any]
Step = tuple[sa.Executable, Parameters]

# One object per statement: the writer tells them apart by identity, SQLAlchemy caches their text.
INSERT_TABLE = sa.insert(schema.tables)
UPDATE_TABLE = (
    sa.update(schema.tables)
    .where(schema.tables.c.id == sa.bindparam("of_table"))
    .values(
        {
            name: sa.bindparam(name)
            for name in (
                "version", "status", "options", "host", "thread", "lobby_message",
                "panel_message", "posted_seq",
            )
        }
    )
)  # fmt: skip
DELETE_PLAYERS = sa.delete(schema.players).where(schema.players.c.table == sa.bindparam("of_table"))
INSERT_PLAYER = sa.insert(schema.players)
INSERT_ENTRY = sa.insert(schema.log)
INSERT_HANDLED = sa.insert(schema.handled)
PRUNE_HANDLED = sa.delete(schema.handled).where(schema.handled.c.at < sa.bindparam("before"))
# Delete and insert is the upsert that every dialect has.
DELETE_SNAPSHOT = sa.delete(schema.snapshots).where(
    schema.snapshots.c.table == sa.bindparam("of_table")
)
INSERT_SNAPSHOT = sa.insert(schema.snapshots)
DELETE_OWED_KIND = sa.delete(schema.outbox).where(
    schema.outbox.c.table == sa.bindparam("of_table"),
    schema.outbox.c.kind == sa.bindparam("of_kind"),
)
DELETE_OWED_SEAT = sa.delete(schema.outbox).where(
    schema.outbox.c.table == sa.bindparam("of_table"),
    schema.outbox.c.seat == sa.bindparam("of_seat"),
)
DELETE_OWED = sa.delete(schema.outbox).where(schema.outbox.c.id == sa.bindparam("of_id"))
INSERT_OWED = sa.insert(schema.outbox)
DELETE_VOTE = sa.delete(schema.votes).where(
    schema.votes.c.table == sa.bindparam("of_table"),
    schema.votes.c.kind == sa.bindparam("of_kind"),
    schema.votes.c.user == sa.bindparam("of_user"),
)
INSERT_VOTE = sa.insert(schema.votes)


class Unit:
    """Collects what belongs together; `Store.commit` writes it. Steps keep their order."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add_table(self, row: TableRow) -> None:
        """A new table, its id from `Store.new_table_id`."""
        self.steps.append((INSERT_TABLE, msgspec.structs.asdict(row)))

    def save_table(self, row: TableRow) -> None:
        """What may change about a table. Its game, place, key and age do not."""
        parameters = {
            "of_table": row.id,
            "version": row.version,
            "status": row.status,
            "options": row.options,
            "host": row.host,
            "thread": row.thread,
            "lobby_message": row.lobby_message,
            "panel_message": row.panel_message,
            "posted_seq": row.posted_seq,
        }
        self.steps.append((UPDATE_TABLE, parameters))

    def save_players(self, table: int, rows: Iterable[PlayerRow]) -> None:
        """All players of a table, in place of those there were."""
        self.steps.append((DELETE_PLAYERS, {"of_table": table}))
        self.steps += ((INSERT_PLAYER, msgspec.structs.asdict(row)) for row in rows)

    def add_entry(self, row: EntryRow) -> None:
        """A log entry. Conflicts with one of the same table and number."""
        self.steps.append((INSERT_ENTRY, msgspec.structs.asdict(row)))

    def save_snapshot(self, row: SnapshotRow) -> None:
        """The snapshot of a table, in place of the older one."""
        self.steps.append((DELETE_SNAPSHOT, {"of_table": row.table}))
        self.steps.append((INSERT_SNAPSHOT, msgspec.structs.asdict(row)))

    def handle(self, row: HandledRow) -> None:
        """The delivery that this unit carries out. Conflicts with the same delivery."""
        self.steps.append((INSERT_HANDLED, msgspec.structs.asdict(row)))

    def prune_handled(self, before: datetime) -> None:
        """Forget deliveries handled before that time."""
        self.steps.append((PRUNE_HANDLED, {"before": before}))

    def owe(self, row: OwedRow) -> None:
        """Something to be told, its id from `Store.new_owed_id`."""
        self.steps.append((INSERT_OWED, msgspec.structs.asdict(row)))

    def drop_owed_kind(self, table: int, kind: str) -> None:
        """What is owed of that kind is out of date."""
        self.steps.append((DELETE_OWED_KIND, {"of_table": table, "of_kind": kind}))

    def drop_owed_seat(self, table: int, seat: int) -> None:
        """Nothing is owed to that seat any more."""
        self.steps.append((DELETE_OWED_SEAT, {"of_table": table, "of_seat": seat}))

    def pay(self, ids: Iterable[int]) -> None:
        """These have been told. Ids that are gone already are no error."""
        self.steps += ((DELETE_OWED, {"of_id": each}) for each in ids)

    def add_vote(self, table: int, kind: str, user: int, at: datetime) -> None:
        """A user's vote. Conflicts with the same vote given before."""
        parameters = {"table": table, "kind": kind, "user": user, "at": at}
        self.steps.append((INSERT_VOTE, parameters))

    def drop_vote(self, table: int, kind: str, user: int) -> None:
        """A user's vote is taken back; no error where there was none."""
        parameters = {"of_table": table, "of_kind": kind, "of_user": user}
        self.steps.append((DELETE_VOTE, parameters))


def merge(units: Iterable[Unit]) -> list[tuple[sa.Executable, list[Parameters]]]:
    """The steps of many units, those of one statement gathered.

    Within a unit the order is kept; units must not depend on one another. Units of the same
    table never meet here, because a table waits for its commit before the next one.
    """
    plan: list[tuple[sa.Executable, list[Parameters]]] = []
    for unit in units:
        at = 0
        for statement, parameters in unit.steps:
            for place in range(at, len(plan)):
                if plan[place][0] is statement:
                    at = place
                    break
            else:
                at = len(plan)
                plan.append((statement, []))
            plan[at][1].append(parameters)
    return plan
