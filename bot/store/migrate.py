"""Brings a database to the newest revision when it is opened."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from bot.resources import beside
from bot.store.errors import BrokenDatabase, NewerDatabase, OlderDatabase

Execute = Callable[[str], Awaitable[Any]]
Fetch = Callable[[str], Awaitable[Iterable[Sequence[Any]]]]

OLDEST = "0013"
"""The first revision that can be upgraded here."""
NOTED_IN = "alembic_version"
"""The table that holds the revision; it is called after the library that made it at first."""
LASTING = 5 * 24 * 3600 * 1_000_000
"""Microseconds that are left for votes which had no deadline."""

VOTES_OF_PROPOSALS = """
CREATE TABLE new_proposals (
    "table" BIGINT NOT NULL REFERENCES tables (id), kind TEXT NOT NULL, word TEXT NOT NULL,
    "by" BIGINT NOT NULL, at BIGINT NOT NULL, until BIGINT NOT NULL, verdict TEXT NOT NULL,
    refused_by BIGINT, place BIGINT, message BIGINT, PRIMARY KEY ("table", kind, word)
);
CREATE TABLE new_votes (
    "table" BIGINT NOT NULL REFERENCES tables (id), kind TEXT NOT NULL, word TEXT NOT NULL,
    "user" BIGINT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY ("table", kind, word, "user")
);
INSERT INTO new_proposals ("table", kind, word, "by", at, until, verdict)
    SELECT "table", 'abandon', '', "user", at, UNTIL, 'open' FROM (
        SELECT votes.*, row_number() OVER (PARTITION BY "table" ORDER BY at, "user") AS place
        FROM votes JOIN tables ON tables.id = "table"
        WHERE kind = 'abandon' AND status NOT IN ('finished', 'abandoned')
    ) AS found WHERE place = 1 AND "table" NOT IN (
        SELECT "table" FROM proposals WHERE kind = 'abandon'
    );
INSERT INTO due ("table", seat, kind, at)
    SELECT "table", -1, 'proposal.abandon', until FROM new_proposals;
INSERT INTO new_proposals ("table", kind, word, "by", at, until, verdict)
    SELECT "table", kind, word, "by", at, until, 'open' FROM proposals;
INSERT INTO new_votes ("table", kind, word, "user", at)
    SELECT votes."table", votes.kind, coalesce(word, ''), votes."user", votes.at
    FROM votes LEFT JOIN new_proposals AS asked
    ON asked."table" = votes."table" AND asked.kind = votes.kind;
DROP TABLE votes;
DROP TABLE proposals;
ALTER TABLE new_votes RENAME TO votes;
ALTER TABLE new_proposals RENAME TO proposals
"""
UPGRADES = {
    "0014": """
        ALTER TABLE calls ADD COLUMN told_at BIGINT;
        UPDATE outbox SET kind = 'ring' WHERE kind = 'clock'
    """,
    "0015": """
        CREATE TABLE outages (
            "table" BIGINT NOT NULL, since BIGINT NOT NULL, until BIGINT,
            PRIMARY KEY ("table", since)
        )
    """,
    "0016": VOTES_OF_PROPOSALS,
    "0017": """
        ALTER TABLE due RENAME TO scheduled;
        ALTER TABLE sendings RENAME TO numbered_messages;
        ALTER TABLE calls RENAME TO notifications;
        ALTER TABLE notifications RENAME COLUMN rung TO notified;
        DROP TABLE leases;
        DROP TABLE claims;
        DROP TABLE identifies;
        DROP TABLE members;
        CREATE TABLE members (
            pid INTEGER PRIMARY KEY, name TEXT NOT NULL, shards INTEGER NOT NULL, may TEXT NOT NULL
        )
    """,
}
"""What leads to each revision from the one before it. `schema.sql` has what all of them make."""
NEWEST = max(UPGRADES)


async def revision_of(fetch: Fetch, names: Iterable[str]) -> str | None:
    """The revision of a database with tables of these names; None where it is empty.

    Raises OlderDatabase or NewerDatabase where it is none of those that are known here.
    """
    if NOTED_IN not in names:
        return None
    ((revision,),) = await fetch(f"SELECT version_num FROM {NOTED_IN}")
    check_revision(revision)
    return str(revision)


def check_revision(revision: str) -> None:
    """Raise NewerDatabase, or OlderDatabase, where this version cannot work with it."""
    if revision < OLDEST:
        raise OlderDatabase(revision)
    if revision != OLDEST and revision not in UPGRADES:
        raise NewerDatabase(revision)


async def migrate(execute: Execute, fetch: Fetch, dialect: str) -> None:
    """Upgrade to the newest revision, in a transaction that the caller has begun.

    Raises NewerDatabase, OlderDatabase or BrokenDatabase, and changes nothing.
    """
    names = await table_names(fetch, dialect)
    found = await revision_of(fetch, names)
    if found == NEWEST:
        return
    if found is None:
        schema = beside("bot.store", "schema.sql").read_text(encoding="utf-8")
        ours = {line.split()[2] for line in schema.splitlines() if line.startswith("CREATE TABLE")}
        # A server's may serve several programs, as long as their tables have other names.
        others = [name for name in sorted(names) if dialect == "sqlite" or name in ours]
        if others:
            raise BrokenDatabase(f"It belongs to another program: it has the table {others[0]}")
        scripts = [
            schema,
            f"CREATE TABLE {NOTED_IN} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
            f"INSERT INTO {NOTED_IN} (version_num) VALUES ('{NEWEST}')",
        ]
    else:
        scripts = [text for revision, text in UPGRADES.items() if revision > found]
        scripts.append(f"UPDATE {NOTED_IN} SET version_num = '{NEWEST}'")
    for script in scripts:
        for each in _statements(script, dialect):
            await execute(each)


async def table_names(fetch: Fetch, dialect: str) -> set[str]:
    """The names of all tables in a database."""
    rows = await fetch(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        if dialect == "sqlite"
        else "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    )
    return {name for (name,) in rows}


def _statements(script: str, dialect: str) -> list[str]:
    lines = (line.partition("--")[0] for line in script.splitlines())
    text = "\n".join(lines).replace("UNTIL,", f"{time.time_ns() // 1000 + LASTING},")
    if dialect == "sqlite":
        identity = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
        text = text.replace(identity, "INTEGER PRIMARY KEY AUTOINCREMENT")
        # The type that makes the fastest key of numbers.
        text = text.replace("BIGINT", "INTEGER").replace("BYTEA", "BLOB")
    return [each for each in map(str.strip, text.split(";")) if each]
