"""A write batch: everything that one action writes, stored whole or not at all.

A batch is data, a list of statements with their parameters, so that the writer can carry out
many batches in one transaction, each statement once for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa

from bot.store import rows, schema, writes
from bot.store.sharing import Fence

Parameters = Mapping[str, Any]
Step = tuple[sa.Executable, Parameters]


class WriteBatch:
    """Collects what belongs together; `Store.commit` writes it. Steps keep their order.

    Guards are checked where several processes share the database; one alone has its lock.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.tables: dict[int, int] = {}
        """The revisions at which tables must be."""
        self.names: dict[str, int] = {}
        """The revisions at which other things must be."""
        self.fences: set[Fence] = set()
        """The leases that must be held."""
        self.forgotten: Collection[int] = ()
        """The tables that were deleted, or from which a user was removed: nothing that is kept in
        memory of them holds any longer."""

    def guard_table(self, table: int, revision: int) -> None:
        """Refused unless the table is still at that revision, which grows by one."""
        self.tables[table] = revision

    def guard(self, name: str, revision: int) -> None:
        """The same for what is no table, by name; a thing never written is at revision 0."""
        self.names[name] = revision

    def fence(self, fence: Fence) -> None:
        """Refused unless the lease is still held as it was then."""
        self.fences.add(fence)

    def check_write(self, name: str) -> None:
        """Write to the disk, and leave nothing behind."""
        self.steps.append((writes.INSERT_REVISION, {"name": name, "number": 0}))
        self.steps.append((writes.DELETE_REVISION, {"of_name": name}))

    def add_table(self, row: rows.TableRow) -> None:
        """A new table, its id from `Store.new_table_id`."""
        self.steps.append((writes.INSERT_TABLE, msgspec.structs.asdict(row)))

    def save_table(self, row: rows.TableRow) -> None:
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
        self.steps.append((writes.UPDATE_TABLE, parameters))

    def save_players(self, table: int, players: Iterable[rows.PlayerRow]) -> None:
        """All players of a table, replacing those there were."""
        self.steps.append((writes.DELETE_PLAYERS, {"of_table": table}))
        self.steps += ((writes.INSERT_PLAYER, msgspec.structs.asdict(row)) for row in players)

    def add_entry(self, row: rows.EntryRow) -> None:
        """A log entry. Conflicts with another of the same table and number."""
        self.steps.append((writes.INSERT_ENTRY, msgspec.structs.asdict(row)))

    def save_snapshot(self, row: rows.SnapshotRow) -> None:
        """The snapshot of a table, replacing the older one."""
        self.steps.append((writes.SAVE_SNAPSHOT, msgspec.structs.asdict(row)))

    def handle(self, row: rows.HandledRow) -> None:
        """The delivery that this batch carries out. Conflicts with the same delivery."""
        self.steps.append((writes.INSERT_HANDLED, msgspec.structs.asdict(row)))

    def prune_handled(self, before: datetime) -> None:
        """Forgets deliveries handled before that time."""
        self.steps.append((writes.PRUNE_HANDLED, {"before": before}))

    def enqueue(self, table: int, kind: str, seat: int | None, seq: int) -> None:
        """A new outbox item; the database gives it an id greater than any before."""
        parameters = {"table": table, "kind": kind, "seat": seat, "seq": seq}
        self.steps.append((writes.INSERT_OUTBOX_ITEM, parameters))

    def drop_outbox_kind(self, table: int, kind: str) -> None:
        """Drops the outbox items of that kind: they are out of date."""
        self.steps.append((writes.DELETE_OUTBOX_KIND, {"of_table": table, "of_kind": kind}))

    def drop_outbox_seat(self, table: int, seat: int) -> None:
        """Drops the outbox items for that seat."""
        self.steps.append((writes.DELETE_OUTBOX_SEAT, {"of_table": table, "of_seat": seat}))

    def acknowledge(self, table: int, item: int) -> None:
        """That item of a table has been sent. One that is already gone is no error."""
        self.steps.append((writes.DELETE_OUTBOX_ITEM, {"of_table": table, "of_id": item}))

    def add_vote(self, table: int, kind: str, user: int, at: datetime, word: str = "") -> None:
        """A user's vote. Conflicts with the same vote given before."""
        parameters = {"table": table, "kind": kind, "word": word, "user": user, "at": at}
        self.steps.append((writes.INSERT_VOTE, parameters))

    def drop_vote(self, table: int, kind: str, user: int, word: str = "") -> None:
        """A user's vote is taken back; no error where there was none."""
        parameters = {"of_table": table, "of_kind": kind, "of_word": word, "of_user": user}
        self.steps.append((writes.DELETE_VOTE, parameters))

    def add_promise(self, row: rows.PromiseRow) -> None:
        """A new promise. Conflicts with another by the same giver with the same offer."""
        self.steps.append((writes.INSERT_PROMISE, msgspec.structs.asdict(row)))

    def save_promise(self, row: rows.PromiseRow) -> None:
        """What may change about a promise: how it stands."""
        parameters = {
            "of_table": row.table,
            "of_offer": row.offer,
            "of_giver": row.giver,
            "status": row.status,
            "closed": row.closed,
        }
        self.steps.append((writes.UPDATE_PROMISE, parameters))

    def drop_promise(self, table: int, offer: str, giver: int) -> None:
        """The offer that a promise went with has been taken back."""
        parameters = {"of_table": table, "of_offer": offer, "of_giver": giver}
        self.steps.append((writes.DELETE_PROMISE, parameters))

    def save_proposal(self, row: rows.ProposalRow) -> None:
        """What is proposed at a table, replacing an older proposal of the same with its votes."""
        self.steps.append((writes.DELETE_VOTES, _of_proposal(row)))
        self.steps.append((writes.SAVE_PROPOSAL, msgspec.structs.asdict(row)))

    def end_proposal(self, row: rows.ProposalRow, verdict: str, refused_by: int | None) -> None:
        """How a proposal has ended; one that has ended before stays as it is."""
        ended = {"verdict": verdict, "refused_by": refused_by}
        self.steps.append((writes.END_PROPOSAL, _of_proposal(row) | ended))

    def post_proposal(self, row: rows.ProposalRow, place: int, message: int) -> None:
        """The message that asks for votes on a proposal."""
        posted = {"place": place, "message": message}
        self.steps.append((writes.POST_PROPOSAL, _of_proposal(row) | posted))

    def drop_proposal(self, row: rows.ProposalRow) -> None:
        """Drops a proposal that has ended, and the votes on it; the same may be open anew."""
        self.steps.append((writes.DELETE_ENDED_PROPOSAL, _of_proposal(row)))
        self.steps.append((writes.DELETE_VOTES_ON_NOTHING, _of_proposal(row)))

    def schedule(self, row: rows.ScheduledRow) -> None:
        """Schedules a task, replacing the same one at another time."""
        self.steps.append((writes.SAVE_SCHEDULED, msgspec.structs.asdict(row)))

    def unschedule(self, table: int, seat: int, kind: str) -> None:
        """Takes a task off the schedule; no error where it is not on it."""
        self.steps.append(
            (writes.DELETE_SCHEDULED, {"of_table": table, "of_seat": seat, "of_kind": kind})
        )

    def save_clock(self, row: rows.ClockRow) -> None:
        """The clock of a seat, replacing what was stored."""
        self.steps.append((writes.SAVE_CLOCK, msgspec.structs.asdict(row)))

    def begin_outage(self, table: int, since: datetime) -> None:
        """The bot cannot post at a table; with `NO_TABLE`, it was last seen then. Replaces the one
        that lasts."""
        self.steps.append((writes.DELETE_OUTAGE, {"of_table": table}))
        self.steps.append((writes.SAVE_OUTAGE, {"table": table, "since": since, "until": None}))

    def end_outage(self, table: int, until: datetime) -> None:
        """It can again; no error where it could."""
        self.steps.append((writes.END_OUTAGE, {"of_table": table, "until": until}))

    def put_off(self, after: datetime, by: timedelta) -> None:
        """Moves the deadlines after that time that concern a whole table: votes, sleep, lobbies."""
        parameters = {"after": after, "microseconds": by // schema.MICROSECOND}
        self.steps.append((writes.PUT_OFF_PROPOSALS, parameters))
        self.steps.append((writes.PUT_OFF_SCHEDULED, parameters))

    def prune_outages(self) -> None:
        """Forgets what was over before all that is being waited for now began."""
        self.steps.append((writes.PRUNE_OUTAGES, {}))

    def add_notification(self, table: int, seat: int, seq: int, user: int, since: datetime) -> None:
        """Somebody is awaited. Conflicts with a notification of the same seat and log entry."""
        parameters = {"table": table, "seat": seat, "seq": seq, "user": user, "since": since}
        self.steps.append((writes.INSERT_NOTIFICATION, parameters))

    def end_notification(self, table: int, seat: int) -> None:
        """Nobody is awaited at that seat any more."""
        self.steps.append((writes.END_NOTIFICATION, {"of_table": table, "of_seat": seat}))

    def end_notifications(self, table: int) -> None:
        """Nobody is awaited at that table any more."""
        self.steps.append((writes.END_NOTIFICATIONS, {"of_table": table}))

    def save_notification(self, row: rows.NotificationRow) -> None:
        """How somebody has been notified; whether the notification is over stays as it is."""
        parameters = {
            "of_table": row.table, "of_seat": row.seat, "of_seq": row.seq,
            "notified": row.notified, "told": row.told, "reminders": row.reminders,
            "dm": row.dm, "post": row.post, "told_at": row.told_at,
        }  # fmt: skip
        self.steps.append((writes.UPDATE_NOTIFICATION, parameters))

    def drop_notification(self, row: rows.NotificationRow) -> None:
        """Drops a notification that is over and of which no message is left."""
        parameters = {"of_table": row.table, "of_seat": row.seat, "of_seq": row.seq}
        self.steps.append((writes.DELETE_NOTIFICATION, parameters))

    def save_numbered_message(self, row: rows.NumberedMessageRow) -> None:
        """The newest message of a kind, replacing the one before."""
        self.steps.append((writes.SAVE_NUMBERED_MESSAGE, msgspec.structs.asdict(row)))

    def save_asking(self, row: rows.AskingRow) -> None:
        """A message has buttons to answer an offer."""
        self.steps.append((writes.SAVE_ASKING, msgspec.structs.asdict(row)))

    def drop_asking(self, row: rows.AskingRow) -> None:
        """The message has no such buttons any more; no error where it had none."""
        parameters = {"of_table": row.table, "of_message": row.message}
        self.steps.append((writes.DELETE_ASKING, parameters))

    def save_person(self, user: int, settings: Mapping[str, Any]) -> None:
        """A user's own settings, replacing older ones."""
        self.steps.append((writes.SAVE_PERSON, {"user": user, "settings": dict(settings)}))

    def drop_person(self, user: int) -> None:
        """Drops a user's own settings."""
        self.steps.append((writes.DELETE_PERSON, {"of_user": user}))

    def save_note(self, table: int, user: int, text: str) -> None:
        """A user's note at a table, replacing the one there was."""
        self.steps.append((writes.SAVE_NOTE, {"table": table, "user": user, "text": text}))

    def drop_note(self, table: int, user: int) -> None:
        """Drops a user's note at a table."""
        self.steps.append((writes.DELETE_NOTE, {"of_table": table, "of_user": user}))

    def drop_notes(self, user: int) -> None:
        """Drops a user's notes at every table."""
        self.steps.append((writes.DELETE_NOTES, {"of_user": user}))

    def save_plan(self, row: rows.PlanRow) -> None:
        """A plan of a seat, replacing the one of that number."""
        self.steps.append((writes.SAVE_PLAN, msgspec.structs.asdict(row)))

    def drop_plan(self, table: int, seat: int, number: int) -> None:
        """Drops a plan; no error where there was none."""
        parameters = {"of_table": table, "of_seat": seat, "of_number": number}
        self.steps.append((writes.DELETE_PLAN, parameters))

    def drop_plans_of_seat(self, table: int, seat: int) -> None:
        """Drops all plans of a seat: it is somebody else's now."""
        self.steps.append((writes.DELETE_PLANS_OF_SEAT, {"of_table": table, "of_seat": seat}))

    def drop_plans_of_table(self, table: int) -> None:
        """Drops all plans at a table: its game is over."""
        self.steps.append((writes.DELETE_PLANS_OF_TABLE, {"of_table": table}))

    def drop_plans_of_user(self, user: int) -> None:
        """Drops a user's plans at every table."""
        self.steps.append((writes.DELETE_PLANS_OF_USER, {"of_user": user}))

    def save_server(self, guild: int, settings: Mapping[str, Any]) -> None:
        """A server's settings, replacing older ones."""
        self.steps.append((writes.SAVE_SERVER, {"guild": guild, "settings": dict(settings)}))

    def drop_table(self, table: int) -> None:
        """Drops a table with all that belongs to it."""
        self.forgotten = (*self.forgotten, table)
        self.steps += ((statement, {"of_table": table}) for statement in writes.DELETE_TABLE)

    def drop_server(self, guild: int, name: str, prefix: str) -> None:
        """Drops a server's settings, and the revisions of that name, or that begin so."""
        self.steps.append((writes.DELETE_SERVER, {"of_guild": guild}))
        self.steps.append((writes.DELETE_REVISIONS, {"of_name": name, "of_prefix": prefix}))

    def save_review(self, table: int, blob: bytes) -> None:
        """The review of a finished game, replacing an older one."""
        self.steps.append((writes.SAVE_REVIEW, {"table": table, "blob": blob}))

    def add_result(self, row: rows.ResultRow) -> None:
        """A person's result of a game. Conflicts with another of the same table and user."""
        self.steps.append((writes.INSERT_RESULT, msgspec.structs.asdict(row)))

    def rename_results(self, user: int, guild: int, name: str) -> None:
        """Changes the name of a user's results in a server."""
        parameters = {"of_user": user, "of_guild": guild, "of_name": name}
        self.steps.append((writes.RENAME_RESULTS, parameters))

    def drop_results(self, user: int) -> None:
        """Drops a user's results, and their ratings with them."""
        self.steps.append((writes.DELETE_RESULTS, {"of_user": user}))

    def forget(
        self, tables: Collection[int], user: int, *, name: str, host: int, sign: str, left: str
    ) -> None:
        """Removes every trace of the user from these tables, also at seats that they left.

        The player is called `name` there, and the host is `host`. A seat was the user's if an entry
        of theirs says so: one that is `left`, or one that does not begin with `sign`, with which
        the matters of a table begin.
        """
        self.forgotten = tables
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
        for each in (schema.votes, schema.notifications, schema.notes, schema.plans):
            statements.append(sa.delete(each).where(each.c.table.in_(tables), each.c.user == user))
        # Each is a statement of its own, which is not gathered with those of other batches.
        self.steps += ((statement, {}) for statement in statements)


def _of_proposal(row: rows.ProposalRow) -> dict[str, Any]:
    return {"of_table": row.table, "of_kind": row.kind, "of_word": row.word}


def merge(batches: Iterable[WriteBatch]) -> list[tuple[sa.Executable, list[Parameters]]]:
    """The steps of many batches, gathered by statement.

    The order within a batch is kept; batches must not depend on one another. Two batches of one
    table never meet here, because a table waits for its commit before the next one.
    """
    plan: list[tuple[sa.Executable, list[Parameters]]] = []
    for batch in batches:
        at = 0
        for statement, parameters in batch.steps:
            for place in range(at, len(plan)):
                if plan[place][0] is statement:
                    at = place
                    break
            else:
                at = len(plan)
                plan.append((statement, []))
            plan[at][1].append(parameters)
    return plan
