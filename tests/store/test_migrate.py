"""A database is upgraded when it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.store import BrokenDatabase, NewerDatabase, OlderDatabase, OutboxItem, Store, WriteBatch
from bot.store.migrate import NEWEST, OLDEST, REVISION_TABLE
from tests.store.database import empty

DOWNGRADE = f"""
DROP TABLE predictions; DROP TABLE awards;
ALTER TABLE tables DROP COLUMN lesson; ALTER TABLE tables DROP COLUMN unrated;
ALTER TABLE tables DROP COLUMN source;
DROP TABLE searches; DROP TABLE alerts; DROP TABLE follows; DROP TABLE late_turns;
DROP TABLE whispers; DROP TABLE webhooks; DROP TABLE cups;
ALTER TABLE tables DROP COLUMN cup; ALTER TABLE tables DROP COLUMN webhook;
DROP TABLE votes; DROP TABLE proposals; DROP TABLE outages; DROP TABLE members;
DROP TABLE plans; DROP TABLE reviews; DROP TABLE revisions; DROP TABLE table_ids;
DROP INDEX ix_tables_host; ALTER TABLE tables DROP COLUMN revision; DROP TABLE outbox;
CREATE TABLE outbox (id INTEGER NOT NULL PRIMARY KEY, "table" INTEGER NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, seq INTEGER NOT NULL);
CREATE INDEX ix_outbox_table ON outbox ("table");
ALTER TABLE scheduled RENAME TO due;
ALTER TABLE numbered_messages RENAME TO sendings;
ALTER TABLE notifications RENAME TO calls;
ALTER TABLE calls RENAME COLUMN notified TO rung;
ALTER TABLE calls DROP COLUMN told_at;
CREATE TABLE votes ("table" INTEGER NOT NULL REFERENCES tables (id), kind TEXT NOT NULL,
    "user" INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY ("table", kind, "user"));
CREATE TABLE proposals ("table" INTEGER NOT NULL REFERENCES tables (id), kind TEXT NOT NULL,
    word TEXT NOT NULL, "by" INTEGER NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY ("table", kind));
UPDATE {REVISION_TABLE} SET version_num = '{OLDEST}';
INSERT INTO tables (id, game, version, status, options, host, channel, posted_seq, key, created,
    terms) VALUES (3, 'kogge', 1, 'playing', '{{}}', 1, 2, -1, x'00', 0, '{{}}'),
    (8, 'kogge', 1, 'finished', '{{}}', 1, 2, -1, x'00', 0, '{{}}');
INSERT INTO votes VALUES (3, 'abandon', 5, 20), (3, 'abandon', 4, 10), (8, 'abandon', 4, 10),
    (3, 'explain', 4, 10), (3, 'seat', 5, 11);
INSERT INTO proposals VALUES (3, 'seat', '1', 4, 10, 90);
INSERT INTO calls VALUES (3, 0, 1, 5, 7, 1, 0, 0, 2, NULL, NULL);
INSERT INTO outbox VALUES (4, 3, 'clock', 0, 1), (9, 8, 'board', NULL, 1);
"""
"""SQL that turns a new database into one of the oldest revision, with some games."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "100% new.sqlite"


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def execute(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)


def found(file: Path, query: str) -> Sequence[Any]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


async def test_an_upgrade_keeps_every_row_and_its_meaning(file: Path) -> None:
    empty(file)
    execute(file, DOWNGRADE)
    store = await Store.open(url(file))
    (proposal, abandon) = sorted(await store.proposals(3), key=lambda row: row.kind, reverse=True)
    assert (proposal.kind, proposal.word, proposal.by, proposal.verdict) == ("seat", "1", 4, "open")
    # A vote to abandon a game now belongs to a proposal.
    assert (abandon.kind, abandon.by, abandon.verdict) == ("abandon", 4, "open")
    assert await store.scheduled_at(3, -1, "proposal.abandon") == abandon.until
    assert await store.votes(3, "abandon") == {4, 5}
    assert await store.votes(3, "seat", "1") == {5}
    assert await store.votes(3, "explain") == {4}
    assert await store.proposals(8) == []
    (notification,) = await store.notifications(3)
    assert (notification.notified, notification.reminders) == (True, 2)
    assert [row.kind for row in await store.outbox()] == ["ring", "board"]
    # Ids are never used again.
    assert await store.new_table_id() == 9
    batch = WriteBatch()
    batch.delete(OutboxItem, table=8, id=2)
    batch.enqueue(3, "board", None, 0)
    await store.commit(batch)
    assert [row.id for row in await store.outbox()] == [1, 3]
    await store.close()
    assert found(file, f"SELECT * FROM {REVISION_TABLE}") == [(NEWEST,)]
    names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    fresh = file.with_name("fresh.sqlite")
    empty(fresh)
    assert sorted(found(file, names)) == sorted(found(fresh, names))
    for (name,) in found(fresh, names):
        columns = f"SELECT name, \"notnull\", pk FROM pragma_table_info('{name}') ORDER BY name"
        assert found(file, columns) == found(fresh, columns), name


async def test_an_upgrade_that_fails_changes_nothing(file: Path) -> None:
    empty(file)
    execute(file, f"{DOWNGRADE} CREATE TABLE new_votes (x);")
    before = found(file, "SELECT sql FROM sqlite_master")
    with pytest.raises(BrokenDatabase, match="new_votes"):
        await Store.open(url(file))
    assert found(file, "SELECT sql FROM sqlite_master") == before
    assert found(file, f"SELECT * FROM {REVISION_TABLE}") == [(OLDEST,)]


@pytest.mark.parametrize(
    ("revision", "error", "message"),
    [
        ("0009", OlderDatabase, "Start it once with version 0.2.0, then with this one"),
        (
            "9999",
            NewerDatabase,
            "A newer version of this program wrote the database .revision 9999",
        ),
    ],
)
async def test_a_database_of_an_unknown_revision_is_left_alone(
    file: Path, revision: str, error: type[Exception], message: str
) -> None:
    empty(file)
    execute(file, f"UPDATE {REVISION_TABLE} SET version_num = '{revision}'")
    with pytest.raises(error, match=message):
        await Store.open(url(file))
    assert found(file, f"SELECT * FROM {REVISION_TABLE}") == [(revision,)]


async def test_another_program_s_file_is_left_alone(file: Path) -> None:
    execute(file, "CREATE TABLE recipes (x);")
    with pytest.raises(BrokenDatabase, match="another program: it has the table recipes"):
        await Store.open(url(file))
    assert found(file, "SELECT name FROM sqlite_master") == [("recipes",)]
