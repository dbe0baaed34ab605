"""A unit of work: all that one action writes, kept whole or not at all.

A unit is data, a list of statements with parameters, so that the writer can carry out many
units in one transaction, each statement once for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from bot.store import schema
from bot.store.rows import (
    AskingRow,
    CallRow,
    ClockRow,
    DueRow,
    EntryRow,
    HandledRow,
    OwedRow,
    PlayerRow,
    PromiseRow,
    ProposalRow,
    ResultRow,
    SendingRow,
    SnapshotRow,
    TableRow,
)

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
                "panel_message", "posted_seq", "terms",
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
DELETE_VOTES = sa.delete(schema.votes).where(
    schema.votes.c.table == sa.bindparam("of_table"),
    schema.votes.c.kind == sa.bindparam("of_kind"),
)
INSERT_VOTE = sa.insert(schema.votes)
DELETE_PROPOSAL = sa.delete(schema.proposals).where(
    schema.proposals.c.table == sa.bindparam("of_table"),
    schema.proposals.c.kind == sa.bindparam("of_kind"),
)
INSERT_PROPOSAL = sa.insert(schema.proposals)
DELETE_DUE = sa.delete(schema.due).where(
    schema.due.c.table == sa.bindparam("of_table"),
    schema.due.c.seat == sa.bindparam("of_seat"),
    schema.due.c.kind == sa.bindparam("of_kind"),
)
INSERT_DUE = sa.insert(schema.due)
DELETE_CLOCK = sa.delete(schema.clocks).where(
    schema.clocks.c.table == sa.bindparam("of_table"),
    schema.clocks.c.seat == sa.bindparam("of_seat"),
)
INSERT_CLOCK = sa.insert(schema.clocks)
INSERT_CALL = sa.insert(schema.calls).values(
    {name: sa.bindparam(name) for name in ("table", "seat", "seq", "user", "since")}
    | {"rung": False, "told": False, "over": False, "reminders": 0}
)
_OF_SEAT = (
    schema.calls.c.table == sa.bindparam("of_table"),
    schema.calls.c.seat == sa.bindparam("of_seat"),
)
END_CALL = sa.update(schema.calls).where(*_OF_SEAT, ~schema.calls.c.over).values(over=True)
END_CALLS = (
    sa.update(schema.calls).where(schema.calls.c.table == sa.bindparam("of_table"))
).values(over=True)
UPDATE_CALL = (
    sa.update(schema.calls)
    .where(*_OF_SEAT, schema.calls.c.seq == sa.bindparam("of_seq"))
    .values({name: sa.bindparam(name) for name in ("rung", "told", "reminders", "dm", "post")})
)
DELETE_CALL = sa.delete(schema.calls).where(*_OF_SEAT, schema.calls.c.seq == sa.bindparam("of_seq"))
DELETE_SENDING = sa.delete(schema.sendings).where(
    schema.sendings.c.table == sa.bindparam("of_table"),
    schema.sendings.c.what == sa.bindparam("of_what"),
)
INSERT_SENDING = sa.insert(schema.sendings)
DELETE_ASKING = sa.delete(schema.asking).where(
    schema.asking.c.table == sa.bindparam("of_table"),
    schema.asking.c.message == sa.bindparam("of_message"),
)
INSERT_ASKING = sa.insert(schema.asking)
DELETE_PERSON = sa.delete(schema.people).where(schema.people.c.user == sa.bindparam("of_user"))
INSERT_PERSON = sa.insert(schema.people)
DELETE_NOTE = sa.delete(schema.notes).where(
    schema.notes.c.table == sa.bindparam("of_table"),
    schema.notes.c.user == sa.bindparam("of_user"),
)
DELETE_NOTES = sa.delete(schema.notes).where(schema.notes.c.user == sa.bindparam("of_user"))
INSERT_NOTE = sa.insert(schema.notes)
DELETE_SERVER = sa.delete(schema.servers).where(schema.servers.c.guild == sa.bindparam("of_guild"))
INSERT_SERVER = sa.insert(schema.servers)
INSERT_RESULT = sa.insert(schema.results)
DELETE_RESULTS = sa.delete(schema.results).where(schema.results.c.user == sa.bindparam("of_user"))
RENAME_RESULTS = (
    sa.update(schema.results)
    .where(
        schema.results.c.user == sa.bindparam("of_user"),
        schema.results.c.guild == sa.bindparam("of_guild"),
    )
    .values(name=sa.bindparam("of_name"))
)
INSERT_PROMISE = sa.insert(schema.promises)
DELETE_PROMISE = sa.delete(schema.promises).where(
    schema.promises.c.table == sa.bindparam("of_table"),
    schema.promises.c.offer == sa.bindparam("of_offer"),
    schema.promises.c.giver == sa.bindparam("of_giver"),
)
UPDATE_PROMISE = (
    sa.update(schema.promises)
    .where(
        schema.promises.c.table == sa.bindparam("of_table"),
        schema.promises.c.offer == sa.bindparam("of_offer"),
        schema.promises.c.giver == sa.bindparam("of_giver"),
    )
    .values({name: sa.bindparam(name) for name in ("status", "closed")})
)


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
            "terms": row.terms,
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

    def add_promise(self, row: PromiseRow) -> None:
        """A new promise. Conflicts with one of the same giver along with the same offer."""
        self.steps.append((INSERT_PROMISE, msgspec.structs.asdict(row)))

    def save_promise(self, row: PromiseRow) -> None:
        """What may change about a promise: how it stands."""
        parameters = {
            "of_table": row.table,
            "of_offer": row.offer,
            "of_giver": row.giver,
            "status": row.status,
            "closed": row.closed,
        }
        self.steps.append((UPDATE_PROMISE, parameters))

    def drop_promise(self, table: int, offer: str, giver: int) -> None:
        """The offer that a promise went with has been taken back."""
        parameters = {"of_table": table, "of_offer": offer, "of_giver": giver}
        self.steps.append((DELETE_PROMISE, parameters))

    def save_proposal(self, row: ProposalRow) -> None:
        """What is proposed at a table, in place of an older proposal of its kind."""
        self.drop_proposal(row.table, row.kind)
        self.steps.append((INSERT_PROPOSAL, msgspec.structs.asdict(row)))

    def drop_proposal(self, table: int, kind: str) -> None:
        """The proposal of that kind is no more, nor are the votes on it."""
        self.steps.append((DELETE_VOTES, {"of_table": table, "of_kind": kind}))
        self.steps.append((DELETE_PROPOSAL, {"of_table": table, "of_kind": kind}))

    def set_due(self, row: DueRow) -> None:
        """Something is to be done then, and not when it was to be before."""
        self.drop_due(row.table, row.seat, row.kind)
        self.steps.append((INSERT_DUE, msgspec.structs.asdict(row)))

    def drop_due(self, table: int, seat: int, kind: str) -> None:
        """It is not to be done any more; no error where it was not."""
        self.steps.append((DELETE_DUE, {"of_table": table, "of_seat": seat, "of_kind": kind}))

    def save_clock(self, row: ClockRow) -> None:
        """The clock of a seat, in place of what it showed."""
        self.steps.append((DELETE_CLOCK, {"of_table": row.table, "of_seat": row.seat}))
        self.steps.append((INSERT_CLOCK, msgspec.structs.asdict(row)))

    def add_call(self, table: int, seat: int, seq: int, user: int, since: datetime) -> None:
        """Somebody is awaited. Conflicts with a call of the same seat and log entry."""
        parameters = {"table": table, "seat": seat, "seq": seq, "user": user, "since": since}
        self.steps.append((INSERT_CALL, parameters))

    def end_call(self, table: int, seat: int) -> None:
        """Nobody is awaited at that seat any more."""
        self.steps.append((END_CALL, {"of_table": table, "of_seat": seat}))

    def end_calls(self, table: int) -> None:
        """Nobody is awaited at that table any more."""
        self.steps.append((END_CALLS, {"of_table": table}))

    def save_call(self, row: CallRow) -> None:
        """How somebody has been told. Whether the call is over is not touched."""
        parameters = {
            "of_table": row.table, "of_seat": row.seat, "of_seq": row.seq,
            "rung": row.rung, "told": row.told, "reminders": row.reminders,
            "dm": row.dm, "post": row.post,
        }  # fmt: skip
        self.steps.append((UPDATE_CALL, parameters))

    def drop_call(self, row: CallRow) -> None:
        """A call that is over, and of which nothing is left to be seen."""
        parameters = {"of_table": row.table, "of_seat": row.seat, "of_seq": row.seq}
        self.steps.append((DELETE_CALL, parameters))

    def save_sending(self, row: SendingRow) -> None:
        """The newest message of a kind, in place of the one before."""
        self.steps.append((DELETE_SENDING, {"of_table": row.table, "of_what": row.what}))
        self.steps.append((INSERT_SENDING, msgspec.structs.asdict(row)))

    def save_asking(self, row: AskingRow) -> None:
        """A message has buttons to answer an offer."""
        self.drop_asking(row)
        self.steps.append((INSERT_ASKING, msgspec.structs.asdict(row)))

    def drop_asking(self, row: AskingRow) -> None:
        """It has none any more; no error where it had not."""
        parameters = {"of_table": row.table, "of_message": row.message}
        self.steps.append((DELETE_ASKING, parameters))

    def save_person(self, user: int, settings: Mapping[str, Any]) -> None:
        """A user's own settings, in place of older ones."""
        self.drop_person(user)
        self.steps.append((INSERT_PERSON, {"user": user, "settings": dict(settings)}))

    def drop_person(self, user: int) -> None:
        """A user has no settings of their own any more."""
        self.steps.append((DELETE_PERSON, {"of_user": user}))

    def save_note(self, table: int, user: int, text: str) -> None:
        """What a user notes for themselves at a table, in place of what was there."""
        self.drop_note(table, user)
        self.steps.append((INSERT_NOTE, {"table": table, "user": user, "text": text}))

    def drop_note(self, table: int, user: int) -> None:
        """A user has no note at that table any more."""
        self.steps.append((DELETE_NOTE, {"of_table": table, "of_user": user}))

    def drop_notes(self, user: int) -> None:
        """A user has no notes any more, at no table."""
        self.steps.append((DELETE_NOTES, {"of_user": user}))

    def save_server(self, guild: int, settings: Mapping[str, Any]) -> None:
        """What is set for a server, in place of what was."""
        self.steps.append((DELETE_SERVER, {"of_guild": guild}))
        self.steps.append((INSERT_SERVER, {"guild": guild, "settings": dict(settings)}))

    def add_result(self, row: ResultRow) -> None:
        """What a person took away from a game. Conflicts with one of the same table and user."""
        self.steps.append((INSERT_RESULT, msgspec.structs.asdict(row)))

    def rename_results(self, user: int, guild: int, name: str) -> None:
        """A user's results in a server are under that name."""
        told = {"of_user": user, "of_guild": guild, "of_name": name}
        self.steps.append((RENAME_RESULTS, told))

    def drop_results(self, user: int) -> None:
        """A user's results are gone, and their ratings with them."""
        self.steps.append((DELETE_RESULTS, {"of_user": user}))

    def forget(
        self, tables: Collection[int], user: int, *, name: str, host: int, sign: str, left: str
    ) -> None:
        """Have these tables tell nothing of the user, neither at seats held to the end nor at seats
        that were left.

        The player is called `name` there, and the host is `host`. A seat was the user's if an entry
        of theirs says so: one that is `left`, or one that does not begin with `sign`, with which
        the matters of a table begin.
        """
        log, players = schema.log.c, schema.players.c
        was_theirs = sa.exists().where(
            log.table == players.table,
            log.seat == players.seat,
            log.user == user,
            sa.or_(log.action == left, ~log.action.startswith(sign, autoescape=True)),
        )
        statements: list[sa.Executable] = [
            sa.update(schema.players)
            .where(
                players.table.in_(tables),
                sa.or_(players.user == user, players.user.is_(None) & was_theirs),
            )
            .values(name=name, user=sa.null(), orders={}),
            sa.update(schema.tables)
            .where(schema.tables.c.id.in_(tables), schema.tables.c.host == user)
            .values(host=host),
            sa.update(schema.log).where(log.table.in_(tables), log.user == user).values(user=None),
        ]
        for each in (schema.votes, schema.calls, schema.notes):
            statements.append(sa.delete(each).where(each.c.table.in_(tables), each.c.user == user))
        # Each is a statement of its own, which is not gathered with those of other units.
        self.steps += ((statement, {}) for statement in statements)


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
