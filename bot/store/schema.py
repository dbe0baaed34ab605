"""The tables of the database, in SQL that both dialects speak."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

# Ids of Discord need 64 bits; SQLite's INTEGER has them and makes the fastest key.
Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


class AwareDateTime(sa.types.TypeDecorator[datetime]):
    """An aware time, stored as microseconds since 1970: SQLite has no type with a time zone."""

    impl = Big
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> int | None:
        """The number that is stored."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: sa.Dialect) -> datetime | None:
        """The time that was stored."""
        return None if value is None else EPOCH + value * MICROSECOND


metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id(name: str, kind: sa.types.TypeEngine[int], *, index: bool = False) -> sa.Column[int]:
    # Never counted up by the database: the program, or Discord, has given it.
    return sa.Column(name, kind, primary_key=True, autoincrement=False, index=index)


def _of_table(*, primary_key: bool = False, index: bool = False) -> sa.Column[int]:
    return sa.Column(
        "table",
        Big,
        sa.ForeignKey("tables.id"),
        primary_key=primary_key,
        autoincrement=False,
        index=index,
        nullable=False,
    )


tables = sa.Table(
    "tables",
    metadata,
    _id("id", Big),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("status", sa.Text, nullable=False, index=True),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("host", Big, nullable=False, index=True),
    sa.Column("guild", Big),
    sa.Column("channel", Big, nullable=False, index=True),
    sa.Column("thread", Big, index=True),
    sa.Column("lobby_message", Big),
    sa.Column("panel_message", Big),
    sa.Column("posted_seq", sa.Integer, nullable=False),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("created", AwareDateTime, nullable=False),
    sa.Column("terms", sa.JSON, nullable=False),
    sa.Column("rematch_of", Big),
    # Counts the writes under a guard.
    sa.Column("revision", Big, nullable=False, server_default="0"),
    sa.Index(None, "rematch_of", unique=True),
    sa.Index(None, "guild"),
)


table_ids = sa.Table(
    "table_ids",
    metadata,
    # One row.
    sa.Column("last", Big, primary_key=True, autoincrement=False),
)

players = sa.Table(
    "players",
    metadata,
    _of_table(primary_key=True),
    _id("seat", sa.Integer()),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("user", Big, index=True),
    sa.Column("policy", sa.Text),
    sa.Column("reachable", sa.Boolean, nullable=False),
    sa.Column("vacant", sa.Boolean, nullable=False),
    sa.Column("orders", sa.JSON, nullable=False),
    sa.UniqueConstraint("table", "user"),
)

log = sa.Table(
    "log",
    metadata,
    _of_table(primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("user", Big),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("drawn", sa.JSON, nullable=False),
    sa.Column("at", AwareDateTime, nullable=False),
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    _of_table(primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("draws", sa.Integer, nullable=False),
    sa.Column("due", sa.Boolean, nullable=False, index=True),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Column("blob", sa.LargeBinary, nullable=False),
)

outbox = sa.Table(
    "outbox",
    metadata,
    # An acknowledgement of an old item must never be one of a new item.
    sa.Column("id", Big, sa.Identity(), primary_key=True),
    _of_table(index=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("seq", sa.Integer, nullable=False),
    sqlite_autoincrement=True,
)

handled = sa.Table(
    "handled",
    metadata,
    sa.Column("delivery", sa.Text, primary_key=True),
    _of_table(),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", AwareDateTime, nullable=False, index=True),
)

votes = sa.Table(
    "votes",
    metadata,
    _of_table(primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    # What of its kind is voted on; empty where there is only one.
    sa.Column("word", sa.Text, primary_key=True),
    _id("user", Big),
    sa.Column("at", AwareDateTime, nullable=False),
)

promises = sa.Table(
    "promises",
    metadata,
    _of_table(primary_key=True),
    sa.Column("offer", sa.Text, primary_key=True),
    _id("giver", sa.Integer()),
    sa.Column("receiver", sa.Integer, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("secret", sa.Boolean, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("made", sa.Integer, nullable=False),
    sa.Column("closed", sa.Integer),
)

proposals = sa.Table(
    "proposals",
    metadata,
    _of_table(primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("word", sa.Text, primary_key=True),
    sa.Column("by", Big, nullable=False),
    sa.Column("at", AwareDateTime, nullable=False),
    sa.Column("until", AwareDateTime, nullable=False),
    sa.Column("verdict", sa.Text, nullable=False),
    # The user who has refused.
    sa.Column("refused_by", Big),
    # The post that asks.
    sa.Column("place", Big),
    sa.Column("message", Big),
)

scheduled = sa.Table(
    "due",
    metadata,
    # 0 where it concerns no table.
    _id("table", Big),
    # -1 where it concerns the whole table; a user or a server where it concerns none.
    _id("seat", Big),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("at", AwareDateTime, nullable=False, index=True),
)

clocks = sa.Table(
    "clocks",
    metadata,
    _of_table(primary_key=True),
    _id("seat", sa.Integer()),
    # In seconds.
    sa.Column("budget", sa.Integer, nullable=False),
    sa.Column("left", sa.Integer, nullable=False),
    sa.Column("since", AwareDateTime),
)

outages = sa.Table(
    "outages",
    metadata,
    # 0 where the whole bot was away.
    _id("table", Big),
    sa.Column("since", AwareDateTime, primary_key=True),
    # None while it lasts; of the whole bot, `since` is then when it was last seen.
    sa.Column("until", AwareDateTime),
)

people = sa.Table(
    "people",
    metadata,
    _id("user", Big),
    sa.Column("settings", sa.JSON, nullable=False),
)

numbered_messages = sa.Table(
    "sendings",
    metadata,
    _of_table(primary_key=True),
    sa.Column("what", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("message", Big),
    sa.Column("noted", sa.Boolean, nullable=False),
)

asking = sa.Table(
    "asking",
    metadata,
    _of_table(primary_key=True),
    _id("message", Big),
    sa.Column("place", Big, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("offer", sa.Text, nullable=False),
)

notes = sa.Table(
    "notes",
    metadata,
    _of_table(primary_key=True),
    _id("user", Big),
    sa.Column("text", sa.Text, nullable=False),
)

plans = sa.Table(
    "plans",
    metadata,
    _of_table(primary_key=True),
    _id("seat", sa.Integer()),
    # 0 is the one that is being made.
    _id("number", sa.Integer()),
    sa.Column("user", Big, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("asked", sa.Text, nullable=False),
    sa.Column("actions", sa.JSON, nullable=False),
    sa.Column("marks", sa.JSON, nullable=False),
    sa.Column("armed", sa.Boolean, nullable=False),
)

servers = sa.Table(
    "servers",
    metadata,
    _id("guild", Big),
    sa.Column("settings", sa.JSON, nullable=False),
)

notifications = sa.Table(
    "calls",
    metadata,
    _of_table(primary_key=True),
    _id("seat", sa.Integer()),
    _id("seq", sa.Integer()),
    sa.Column("user", Big, nullable=False),
    sa.Column("since", AwareDateTime, nullable=False),
    sa.Column("rung", sa.Boolean, key="notified", nullable=False),
    sa.Column("told", sa.Boolean, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False),
    sa.Column("reminders", sa.Integer, nullable=False),
    sa.Column("dm", Big),
    sa.Column("post", Big),
    sa.Column("told_at", AwareDateTime),
)

results = sa.Table(
    "results",
    metadata,
    _of_table(primary_key=True),
    _id("user", Big, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("guild", Big, nullable=False),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    # None of somebody who resigned.
    sa.Column("score", sa.Integer),
    sa.Column("moves", sa.Integer, nullable=False),
    sa.Column("seconds", Big, nullable=False),
    sa.Column("finished", AwareDateTime, nullable=False),
    # The rating after this game; none where it was not rated.
    sa.Column("mu", sa.Float),
    sa.Column("sigma", sa.Float),
    sa.Index(None, "guild", "game"),
)

reviews = sa.Table(
    "reviews",
    metadata,
    _of_table(primary_key=True),
    sa.Column("blob", sa.LargeBinary, nullable=False),
)


# How processes share the database.

revisions = sa.Table(
    "revisions",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    # Counts the writes under a guard.
    sa.Column("number", Big, nullable=False),
)

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    # Whose it is as long as they are among the members.
    sa.Column("holder", sa.Text),
    # Grows each time the lease changes hands.
    sa.Column("fence", Big, nullable=False),
    sa.Column("left_by", sa.Text),
    sa.Column("ready", sa.Boolean, nullable=False),
)

members = sa.Table(
    "members",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("shards", sa.Integer, nullable=False),
    sa.Column("may", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    # In microseconds, by the clock of the database, as are the other times here.
    sa.Column("until", Big, nullable=False),
)

claims = sa.Table(
    "claims",
    metadata,
    _id("interaction", Big),
    sa.Column("member", sa.Text, nullable=False),
    sa.Column("at", Big, nullable=False, index=True),
)

identifies = sa.Table(
    "identifies",
    metadata,
    _id("bucket", sa.Integer()),
    sa.Column("next", Big, nullable=False),
)


def key(table: sa.Table, *columns: str) -> sa.ColumnElement[bool]:
    """The rows of those columns, each compared with a parameter of its name behind `of_`."""
    return sa.and_(*(table.c[name] == sa.bindparam(f"of_{name}") for name in columns))
