"""The store's reads: one statement each, its parameters named `of_...`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from bot.store import schema
from bot.store.rows import NO_TABLE
from bot.store.schema import key
from bot.store.sharing import DIRECT, SHARD_BITS


def _columns(table: sa.Table, *names: str) -> sa.Select[Any]:
    return sa.select(*(table.c[name] for name in names))


NEW_TABLE_IDS = (
    sa.update(schema.table_ids)
    .values(last=schema.table_ids.c.last + sa.bindparam("of_count"))
    .returning(schema.table_ids.c.last)
)
# As `sharing.shard_of` has it; what has no table, or a table without a server, is in shard 0.
IN_SHARDS = sa.func.coalesce(
    schema.tables.c.guild.bitwise_rshift(sa.literal_column(str(SHARD_BITS)))
    % sa.bindparam("of_count", type_=schema.Big),
    DIRECT,
).in_(sa.bindparam("of_shards", expanding=True))
IN_STATES = schema.tables.c.status.in_(sa.bindparam("of_statuses", expanding=True))
LAST_SEQ = (
    sa.select(sa.func.max(schema.log.c.seq))
    .where(schema.log.c.table == schema.tables.c.id)
    .scalar_subquery()
)
TABLE = (
    sa.select(schema.tables, *(c.label(f"s_{c.name}") for c in schema.snapshots.c), LAST_SEQ)
    .select_from(schema.tables.outerjoin(schema.snapshots))
    .where(schema.tables.c.id == sa.bindparam("of_table"))
)
ALL_PLAYERS = sa.select(schema.players).order_by(schema.players.c.table, schema.players.c.seat)
PLAYERS = ALL_PLAYERS.where(schema.players.c.table.in_(sa.bindparam("of_tables", expanding=True)))
PLAYERS_OF_TABLE = ALL_PLAYERS.where(key(schema.players, "table"))
SEATS = sa.select(schema.players.c.table).where(key(schema.players, "user"))
"""The tables at which a user sits."""
IN_CHANNEL = (
    sa.select(schema.tables)
    .where(
        sa.or_(
            schema.tables.c.channel == sa.bindparam("of_place"),
            schema.tables.c.thread == sa.bindparam("of_place"),
        ),
        IN_STATES,
    )
    .order_by(schema.tables.c.id.desc())
)
OF_USER = (
    sa.select(schema.tables)
    .where(
        schema.tables.c.id.in_(
            sa.select(schema.players.c.table).where(key(schema.players, "user"))
        ),
        IN_STATES,
    )
    .order_by(schema.tables.c.id)
)
HOSTED = sa.select(schema.tables.c.guild).where(
    schema.tables.c.host == sa.bindparam("of_user"), IN_STATES
)
COUNT_IN = sa.select(sa.func.count()).where(key(schema.tables, "guild"), IN_STATES)
TABLES_OF_SERVER = (
    sa.select(schema.tables.c.id)
    .where(key(schema.tables, "guild"))
    .order_by(schema.tables.c.id)
    .limit(sa.bindparam("at_most"))
)
# SQLite and PostgreSQL both read this from an index.
SERVERS = sa.union(
    sa.select(schema.tables.c.guild).where(schema.tables.c.guild.is_not(None)),
    sa.select(schema.servers.c.guild),
)
GUILD_OF = sa.select(schema.tables.c.guild).where(schema.tables.c.id == sa.bindparam("of_table"))
REVISION_OF = sa.select(schema.tables.c.revision).where(
    schema.tables.c.id == sa.bindparam("of_table")
)
VERSIONS = (
    sa.select(schema.tables.c.game, schema.tables.c.version, sa.func.count())
    .where(IN_STATES)
    .group_by(schema.tables.c.game, schema.tables.c.version)
    .order_by(schema.tables.c.game, schema.tables.c.version)
)
PROMISES = (
    sa.select(schema.promises)
    .where(key(schema.promises, "table"))
    .order_by(schema.promises.c.made, schema.promises.c.giver)
)
ENTRIES = (
    sa.select(schema.log)
    .where(key(schema.log, "table"), schema.log.c.seq >= sa.bindparam("first"))
    .order_by(schema.log.c.seq)
)
OUTBOX = sa.select(schema.outbox).order_by(schema.outbox.c.id)
OUTBOX_OF_TABLE = OUTBOX.where(key(schema.outbox, "table"))
OUTBOX_WITH_REVISION = (
    sa.select(schema.outbox, schema.tables.c.revision)
    .join(schema.tables)
    .where(key(schema.outbox, "table"))
    .order_by(schema.outbox.c.id)
)
OUTBOX_OF_SHARDS = OUTBOX.join(schema.tables).where(IN_SHARDS)
LAST_OUTBOX_ITEM = sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
"""The greatest id of any item that ever was, in SQLite."""
HANDLED = sa.select(schema.handled).where(schema.handled.c.delivery == sa.bindparam("of_id"))
VOTES = sa.select(schema.votes.c.user).where(
    key(schema.votes, "table", "kind", "word"),
)
COMPUTER_TURNS = (
    sa.select(schema.tables.c.id)
    .where(
        key(schema.tables, "status"),
        # So that no snapshot is read: their indexes tell both.
        sa.or_(
            schema.tables.c.id.in_(
                sa.select(schema.snapshots.c.table).where(schema.snapshots.c.due == sa.true())
            ),
            # Without a snapshot nobody knows: better check.
            ~sa.exists().where(schema.snapshots.c.table == schema.tables.c.id),
        ),
    )
    .order_by(schema.tables.c.id)
)
COMPUTER_TURNS_OF_SHARDS = COMPUTER_TURNS.where(IN_SHARDS)
TABLES = sa.select(schema.tables.c.game, schema.tables.c.status, sa.func.count()).group_by(
    schema.tables.c.game, schema.tables.c.status
)
OUTBOX_SINCE = sa.select(
    sa.func.count(),
    # An item of a lobby has no log entry; it may be as old as its table.
    sa.func.min(sa.func.coalesce(schema.log.c.at, schema.tables.c.created)),
).select_from(
    schema.outbox.join(schema.tables).outerjoin(
        schema.log,
        sa.and_(
            schema.log.c.table == schema.outbox.c.table, schema.log.c.seq == schema.outbox.c.seq
        ),
    )
)
SIZE = {
    "sqlite": sa.text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
    "postgresql": sa.text("SELECT pg_database_size(current_database())"),
}
PING = sa.select(schema.tables.c.id).limit(1)
PROPOSALS = (
    sa.select(schema.proposals)
    .where(key(schema.proposals, "table"))
    .order_by(schema.proposals.c.at, schema.proposals.c.kind, schema.proposals.c.word)
)
OVERDUE = (
    sa.select(schema.scheduled)
    .where(schema.scheduled.c.at <= sa.bindparam("by"))
    .order_by(
        schema.scheduled.c.at,
        schema.scheduled.c.table,
        schema.scheduled.c.seat,
        schema.scheduled.c.kind,
    )
    .limit(sa.bindparam("at_most"))
)
OVERDUE_OF_SHARDS = OVERDUE.outerjoin(
    schema.tables, schema.tables.c.id == schema.scheduled.c.table
).where(IN_SHARDS)
SCHEDULED_AT = sa.select(schema.scheduled.c.at).where(
    key(schema.scheduled, "table", "seat", "kind"),
)
POSTPONE = (
    sa.update(schema.scheduled)
    .where(
        key(schema.scheduled, "table", "seat", "kind"),
        schema.scheduled.c.at == sa.bindparam("was"),
    )
    .values(at=sa.bindparam("until"))
    .returning(schema.scheduled.c.table)
)
SCHEDULED_FOR = sa.select(schema.scheduled.c.seat).where(key(schema.scheduled, "table", "kind"))
CLOCKS = sa.select(schema.clocks).where(key(schema.clocks, "table")).order_by(schema.clocks.c.seat)
OUTAGES = (
    sa.select(schema.outages)
    .where(sa.or_(key(schema.outages, "table"), schema.outages.c.table == NO_TABLE))
    .order_by(schema.outages.c.since)
)
PERSON = sa.select(schema.people.c.settings).where(key(schema.people, "user"))
NOTIFICATIONS = (
    sa.select(schema.notifications)
    .where(key(schema.notifications, "table"))
    .order_by(schema.notifications.c.seq, schema.notifications.c.seat)
)
NOTIFICATIONS_OF_USER = (
    sa.select(schema.notifications)
    .where(
        key(schema.notifications, "user"),
        ~schema.notifications.c.over,
        # By the index of the players: one of its own would be written at each turn.
        schema.notifications.c.table.in_(SEATS),
    )
    .order_by(schema.notifications.c.since, schema.notifications.c.table)
)
NUMBERED_MESSAGE = sa.select(schema.numbered_messages).where(
    key(schema.numbered_messages, "table", "what"),
)
ASKING = (
    sa.select(schema.asking).where(key(schema.asking, "table")).order_by(schema.asking.c.message)
)
REMATCH = sa.select(schema.tables.c.id).where(
    schema.tables.c.rematch_of == sa.bindparam("of_table")
)
NOTE = sa.select(schema.notes.c.text).where(
    key(schema.notes, "table", "user"),
)
REVIEW = sa.select(schema.reviews.c.blob).where(key(schema.reviews, "table"))
SERVER = sa.select(schema.servers.c.settings).where(key(schema.servers, "guild"))
FIRST_TURN = sa.select(sa.literal(1)).where(
    ~sa.exists()
    .where(key(schema.players, "user"))
    .where(schema.players.c.table < sa.bindparam("of_table"))
    .where(schema.tables.c.id == schema.players.c.table)
    .where(key(schema.tables, "game"))
    # A table that has begun has a snapshot.
    .where(schema.snapshots.c.table == schema.players.c.table),
    ~sa.exists()
    .where(key(schema.log, "table"))
    .where(key(schema.log, "user"))
    .where(schema.log.c.action == sa.bindparam("of_end")),
)
RESULTS = schema.results.c
# Whoever wants no statistics keeps their results, and nobody sees them.
IS_COUNTED = ~sa.exists().where(
    schema.people.c.user == RESULTS.user,
    schema.people.c.settings["counted"].as_boolean() == sa.false(),
)
RESULTS_OF_USER = (
    sa.select(schema.results)
    .where(RESULTS.user == sa.bindparam("of_user"), IS_COUNTED)
    .order_by(RESULTS.finished, RESULTS.table)
)
RATED = (
    RESULTS.guild == sa.bindparam("of_guild"),
    RESULTS.game == sa.bindparam("of_game"),
    RESULTS.mu.is_not(None),
)
RATINGS = (
    sa.select(RESULTS.user, RESULTS.mu, RESULTS.sigma, RESULTS.finished)
    .where(*RATED, RESULTS.user.in_(sa.bindparam("of_users", expanding=True)))
    .order_by(RESULTS.finished, RESULTS.table)
)
EACH = (
    sa.select(
        RESULTS.user,
        RESULTS.name,
        RESULTS.mu,
        RESULTS.sigma,
        sa.func.count().over(partition_by=RESULTS.user).label("games"),
        sa.func.sum(sa.case((RESULTS.place == 1, 1), else_=0))
        .over(partition_by=RESULTS.user)
        .label("wins"),
        sa.func.row_number()
        .over(
            partition_by=RESULTS.user,
            order_by=(RESULTS.finished.desc(), RESULTS.table.desc()),
        )
        .label("age"),
    )
    .where(*RATED, IS_COUNTED)
    .subquery()
)
STANDINGS = sa.select(*(each for each in EACH.c if each.name != "age")).where(EACH.c.age == 1)
PLANS = sa.select(schema.plans).where(key(schema.plans, "table", "seat")).order_by("number")
ARMED_PLANS = sa.select(schema.plans).where(schema.plans.c.armed)
ARMED_PLANS_OF_TABLE = ARMED_PLANS.where(key(schema.plans, "table"))
ARMED_PLANS_OF_SHARDS = ARMED_PLANS.join(schema.tables).where(IN_SHARDS)
REVISION = sa.select(schema.revisions.c.number).where(key(schema.revisions, "name"))
MISNAMED = (
    sa.select(schema.tables.c.id)
    .join(schema.players, schema.players.c.table == schema.tables.c.id)
    .where(
        key(schema.players, "user"),
        schema.players.c.name != sa.bindparam("of_name"),
        schema.tables.c.guild.is_not_distinct_from(sa.bindparam("of_guild", type_=sa.BigInteger)),
        IN_STATES,
    )
    .order_by(schema.tables.c.id)
)
MISNAMED_RESULTS = (
    sa.select(schema.results.c.table)
    .where(
        key(schema.results, "user", "guild"),
        schema.results.c.name != sa.bindparam("of_name"),
    )
    .limit(1)
)
TRACES = (
    sa.select(schema.tables.c.id)
    .where(
        IN_STATES,
        sa.or_(
            schema.tables.c.host == sa.bindparam("of_user"),
            *(
                sa.exists().where(
                    each.c.table == schema.tables.c.id, each.c.user == sa.bindparam("of_user")
                )
                for each in (schema.players, schema.log)
            ),
        ),
    )
    .order_by(schema.tables.c.id)
)
_TABLES: sa.BindParameter[Any] = sa.bindparam("of_tables", expanding=True)
_USER = sa.bindparam("of_user", type_=schema.Big)
OWN: Mapping[str, sa.Select[Any]] = {
    "settings": sa.select(schema.people.c.settings).where(key(schema.people, "user")),
    "seats": _columns(schema.players, "table", "seat", "name", "policy", "vacant", "orders")
    .where(key(schema.players, "user"))
    .order_by("table"),
    "promises": _columns(schema.promises, "table", "giver", "receiver", "words", "secret", "status")
    .join(
        schema.players,
        sa.and_(
            schema.players.c.table == schema.promises.c.table,
            schema.players.c.seat == schema.promises.c.giver,
        ),
    )
    .where(key(schema.players, "user"))
    .order_by(schema.promises.c.table, schema.promises.c.made),
    "notes": _columns(schema.notes, "table", "text")
    .where(key(schema.notes, "user"))
    .order_by("table"),
    "plans": _columns(schema.plans, "table", "number", "name", "actions", "armed")
    .where(key(schema.plans, "user"))
    .order_by("table", "number"),
    "results": sa.select(*(each for each in RESULTS if each.name != "user"))
    .where(key(schema.results, "user"))
    .order_by(RESULTS.finished),
}
"""What a user is given of what is stored about them, by section of that file."""
OWN_AT: Mapping[str, sa.Select[Any]] = {
    # Without its key, and its people.
    "tables": _columns(
        schema.tables,
        *("id", "game", "version", "status", "options", "terms"),
        *("created", "guild", "channel", "thread"),
    )
    .add_columns((schema.tables.c.host == _USER).label("hosted"))
    .where(schema.tables.c.id.in_(_TABLES))
    .order_by("id"),
    # Without their numbers: a gap would tell of something that others did in secret.
    "moves": _columns(schema.log, "table", "at", "action")
    .where(schema.log.c.table.in_(_TABLES), key(schema.log, "user"))
    .order_by("table", schema.log.c.seq),
    "votes": _columns(schema.votes, "table", "kind", "word", "at")
    .where(schema.votes.c.table.in_(_TABLES), key(schema.votes, "user"))
    .order_by("table"),
    "proposals": _columns(schema.proposals, "table", "kind", "word", "at", "until")
    .where(schema.proposals.c.table.in_(_TABLES), schema.proposals.c.by == _USER)
    .order_by("table"),
    "notifications": _columns(schema.notifications, "table", "since", "reminders")
    .where(schema.notifications.c.table.in_(_TABLES), key(schema.notifications, "user"))
    .order_by("table", schema.notifications.c.seq),
}
"""The same, of some tables."""
WIDTH = len(schema.tables.c)
