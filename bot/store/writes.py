"""The store's writes: one statement each. Parameters named `of_...` say which rows."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles

from bot.store import schema
from bot.store.rows import NO_TABLE, PROPOSAL, WHOLE_TABLE
from bot.store.schema import key


def _delete(table: sa.Table, *columns: str) -> sa.Delete:
    return sa.delete(table).where(key(table, *columns))


def _values(*columns: str) -> dict[str, sa.BindParameter[Any]]:
    return {name: sa.bindparam(name) for name in columns}


class _Save(sa.Insert):
    """Inserts a row, or replaces the one with its key.

    SQLite has the clause from PostgreSQL, word for word. SQLAlchemy has one for each of them, and
    that of PostgreSQL brings its whole dialect along.
    """

    inherit_cache = True


@compiles(_Save)
def _saved(statement: _Save, compiler: Any, **how: Any) -> str:
    quote = compiler.preparer.quote
    names = {each: quote(each.name) for each in statement.table.columns}
    unique = [name for each, name in names.items() if each.primary_key]
    others = [f"{name} = excluded.{name}" for name in names.values() if name not in unique]
    inserted = compiler.visit_insert(statement, **how)
    return f"{inserted} ON CONFLICT ({', '.join(unique)}) DO UPDATE SET {', '.join(others)}"


def _save(table: sa.Table) -> sa.Insert:
    return _Save(table)


def _put_off(table: sa.Table, column: str) -> sa.Update:
    time = sa.type_coerce(table.c[column], schema.Big)
    by = sa.bindparam("microseconds", type_=schema.Big)
    return (
        sa.update(table)
        .where(table.c[column] > sa.bindparam("after"))
        .values({column: sa.type_coerce(time + by, schema.AwareDateTime)})
    )


# One object per statement: the writer tells them apart by identity, SQLAlchemy caches their text.
INSERT_TABLE = sa.insert(schema.tables)
UPDATE_TABLE = (
    sa.update(schema.tables)
    .where(schema.tables.c.id == sa.bindparam("of_table"))
    .values(
        _values(
            "version", "status", "options", "host", "thread", "lobby_message",
            "panel_message", "posted_seq", "terms",
        )
    )
)  # fmt: skip
DELETE_PLAYERS = _delete(schema.players, "table")
INSERT_PLAYER = sa.insert(schema.players)
INSERT_ENTRY = sa.insert(schema.log)
INSERT_HANDLED = sa.insert(schema.handled)
PRUNE_HANDLED = sa.delete(schema.handled).where(schema.handled.c.at < sa.bindparam("before"))
SAVE_SNAPSHOT = _save(schema.snapshots)
DELETE_OUTBOX_KIND = _delete(schema.outbox, "table", "kind")
DELETE_OUTBOX_SEAT = _delete(schema.outbox, "table", "seat")
DELETE_OUTBOX_ITEM = _delete(schema.outbox, "table", "id")
INSERT_OUTBOX_ITEM = sa.insert(schema.outbox).values(_values("table", "kind", "seat", "seq"))
INSERT_NUMBERED_OUTBOX_ITEM = sa.insert(schema.outbox)
DELETE_VOTE = _delete(schema.votes, "table", "kind", "word", "user")
DELETE_VOTES = _delete(schema.votes, "table", "kind", "word")
INSERT_VOTE = sa.insert(schema.votes)
DELETE_ENDED_PROPOSAL = _delete(schema.proposals, "table", "kind", "word").where(
    schema.proposals.c.verdict != "open"
)
DELETE_VOTES_ON_NOTHING = _delete(schema.votes, "table", "kind", "word").where(
    ~sa.exists().where(key(schema.proposals, "table", "kind", "word"))
)
SAVE_PROPOSAL = _save(schema.proposals)
END_PROPOSAL = (
    sa.update(schema.proposals)
    .where(key(schema.proposals, "table", "kind", "word"), schema.proposals.c.verdict == "open")
    .values(_values("verdict", "refused_by"))
)
POST_PROPOSAL = (
    sa.update(schema.proposals)
    .where(key(schema.proposals, "table", "kind", "word"))
    .values(_values("place", "message"))
)
DELETE_SCHEDULED = _delete(schema.scheduled, "table", "seat", "kind")
SAVE_SCHEDULED = _save(schema.scheduled)
SAVE_CLOCK = _save(schema.clocks)
DELETE_OUTAGE = sa.delete(schema.outages).where(
    key(schema.outages, "table"), schema.outages.c.until.is_(None)
)
SAVE_OUTAGE = _save(schema.outages)
END_OUTAGE = (
    sa.update(schema.outages)
    .where(key(schema.outages, "table"), schema.outages.c.until.is_(None))
    .values(_values("until"))
)
PUT_OFF_PROPOSALS = _put_off(schema.proposals, "until")
PUT_OFF_SCHEDULED = _put_off(schema.scheduled, "at").where(
    # A vote about a seat is one of the whole table.
    sa.or_(
        schema.scheduled.c.seat == WHOLE_TABLE,
        schema.scheduled.c.kind.startswith(PROPOSAL, autoescape=True),
    ),
    schema.scheduled.c.table != NO_TABLE,
)
_BEGAN = sa.union_all(
    sa.select(sa.func.min(schema.clocks.c.since).label("since")),
    sa.select(sa.func.min(schema.notifications.c.since)).where(~schema.notifications.c.over),
).subquery()
PRUNE_OUTAGES = sa.delete(schema.outages).where(
    schema.outages.c.until < sa.select(sa.func.min(_BEGAN.c.since)).scalar_subquery()
)
INSERT_NOTIFICATION = sa.insert(schema.notifications).values(
    _values("table", "seat", "seq", "user", "since")
    | {"notified": False, "told": False, "over": False, "reminders": 0}
)
END_NOTIFICATION = (
    sa.update(schema.notifications)
    .where(key(schema.notifications, "table", "seat"), ~schema.notifications.c.over)
    .values(over=True)
)
END_NOTIFICATIONS = (
    sa.update(schema.notifications).where(key(schema.notifications, "table")).values(over=True)
)
UPDATE_NOTIFICATION = (
    sa.update(schema.notifications)
    .where(key(schema.notifications, "table", "seat", "seq"))
    .values(_values("notified", "told", "reminders", "dm", "post", "told_at"))
)
DELETE_NOTIFICATION = _delete(schema.notifications, "table", "seat", "seq")
SAVE_NUMBERED_MESSAGE = _save(schema.numbered_messages)
DELETE_ASKING = _delete(schema.asking, "table", "message")
SAVE_ASKING = _save(schema.asking)
DELETE_PERSON = _delete(schema.people, "user")
SAVE_PERSON = _save(schema.people)
DELETE_NOTE = _delete(schema.notes, "table", "user")
DELETE_NOTES = _delete(schema.notes, "user")
SAVE_NOTE = _save(schema.notes)
SAVE_PLAN = _save(schema.plans)
DELETE_PLAN = _delete(schema.plans, "table", "seat", "number")
DELETE_PLANS_OF_SEAT = _delete(schema.plans, "table", "seat")
DELETE_PLANS_OF_TABLE = _delete(schema.plans, "table")
DELETE_PLANS_OF_USER = _delete(schema.plans, "user")
SAVE_SERVER = _save(schema.servers)
SAVE_REVIEW = _save(schema.reviews)
INSERT_RESULT = sa.insert(schema.results)
DELETE_RESULTS = _delete(schema.results, "user")
RENAME_RESULTS = (
    sa.update(schema.results)
    .where(key(schema.results, "user", "guild"))
    .values(name=sa.bindparam("of_name"))
)
INSERT_REVISION = sa.insert(schema.revisions)
DELETE_REVISION = _delete(schema.revisions, "name")
INSERT_PROMISE = sa.insert(schema.promises)
DELETE_PROMISE = _delete(schema.promises, "table", "offer", "giver")
UPDATE_PROMISE = (
    sa.update(schema.promises)
    .where(key(schema.promises, "table", "offer", "giver"))
    .values(_values("status", "closed"))
)
DELETE_TABLE = (
    *(
        _delete(each, "table")
        for each in reversed(schema.metadata.sorted_tables)
        if "table" in each.c and each is not schema.tables
    ),
    sa.delete(schema.tables).where(schema.tables.c.id == sa.bindparam("of_table")),
)
"""All rows of one table, those that refer to others first."""
DELETE_SERVER = _delete(schema.servers, "guild")
DELETE_REVISIONS = sa.delete(schema.revisions).where(
    sa.or_(
        key(schema.revisions, "name"),
        schema.revisions.c.name.startswith(sa.bindparam("of_prefix")),
    )
)
