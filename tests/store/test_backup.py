"""Backups of a database in use, and files that are no backups."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import BackupFailed, NewerDatabase, Store, back_up, restore
from tests.store.database import file_limit


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """A database with one vote in it."""
    path = tmp_path / "games.sqlite"
    store = await Store.open(f"sqlite:///{path}")
    await store.close()
    vote(path, 1)
    return path


def vote(path: Path, user: int) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO votes VALUES (1, 'abandon', '', ?, 0)", (user,))


def votes(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [user for (user,) in connection.execute("SELECT user FROM votes ORDER BY user")]


def test_a_backup_during_a_write_is_consistent(database: Path) -> None:
    copy = database.with_name("copy.sqlite")
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        vote(database, 2)
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO votes VALUES (1, 'abandon', '', 3, 0)")
        back_up(database, copy)
        writer.execute("COMMIT")

    assert votes(copy) == [1, 2]
    assert votes(database) == [1, 2, 3]
    assert {path.name for path in database.parent.glob("copy*")} == {"copy.sqlite"}


def test_no_file_is_overwritten_and_a_full_disk_leaves_none(database: Path) -> None:
    mine = database.with_name("mine.sqlite")
    mine.write_text("mine")
    with pytest.raises(BackupFailed, match=r"mine\.sqlite already exists"):
        back_up(database, mine)
    assert mine.read_text() == "mine"
    with file_limit(20_000), pytest.raises(BackupFailed, match=r"Cannot back up .*disk"):
        back_up(database, database.with_name("copy.sqlite"))
    assert list(database.parent.glob("copy*")) == []


def test_restoring_keeps_the_old_database_with_its_last_writes(
    database: Path, tmp_path: Path
) -> None:
    copy, killed, new = tmp_path / "copy.sqlite", tmp_path / "killed", tmp_path / "new"
    back_up(database, copy)
    killed.mkdir()
    with closing(sqlite3.connect(database)) as alive:
        alive.execute("INSERT INTO votes VALUES (1, 'abandon', '', 2, 0)")
        alive.commit()
        # A process that was killed leaves its last writes in the log.
        for suffix in ("", "-wal"):
            shutil.copy(f"{database}{suffix}", killed)

    for folder in (killed, new):
        restore(copy, folder / database.name, folder / "aside.sqlite")
        assert votes(folder / database.name) == [1]
    assert votes(killed / "aside.sqlite") == [1, 2]


def test_a_damaged_or_newer_backup_is_not_restored(database: Path) -> None:
    copy = database.with_name("copy.sqlite")
    for spoil in ("missing", "foreign", "text", "torn", "newer"):
        copy.unlink(missing_ok=True)
        back_up(database, copy)
        match spoil:
            case "missing":
                copy.unlink()
            case "foreign":
                copy.unlink()
                with closing(sqlite3.connect(copy)) as connection, connection:
                    connection.execute("CREATE TABLE other (x)")
            case "text":
                copy.write_text("Dear diary, " * 1000)
            case "torn":
                copy.write_bytes(copy.read_bytes()[:-8192])
            case "newer":
                with closing(sqlite3.connect(copy)) as connection, connection:
                    connection.execute("UPDATE alembic_version SET version_num = 'r9999'")
        with pytest.raises(NewerDatabase if spoil == "newer" else BackupFailed):
            restore(copy, database, database.with_name("aside"))
        assert votes(database) == [1], spoil
        assert not database.with_name("aside").exists(), spoil
