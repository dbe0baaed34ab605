"""Starting with a fault of the disk or the database, in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.local import Standin
from bot.store import Store
from tests.wire.process import BotProcess

BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", "--")
"""Before a command: one that is held to the rights on files, though root has started it."""
TIMEOUT_S = 120.0


@pytest.fixture
async def process(process: BotProcess) -> BotProcess:
    """The bot, not started yet, on a database that is there."""
    await (await Store.open(process.kept.url)).close()
    return process


async def said_before_it_ended(process: BotProcess) -> str:
    """The one line of a start that did not come about, with status 2."""
    assert await process.exit_status() == 2
    said = process.log.read_text()
    assert said.count("\n") == 1, said
    return said


async def waits(process: BotProcess, reason: str) -> None:
    """It has said that it waits, and why, and goes on waiting."""
    async with asyncio.timeout(TIMEOUT_S):
        while reason not in process.log.read_text():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert not process.ended.done()
    assert process.log.read_text().count("cannot be reached") == 1


async def comes_online(standin: Standin, process: BotProcess) -> None:
    """It is online by and by, has shown no trace, and stops as it should."""
    await asyncio.wait_for(standin.bot_online(), TIMEOUT_S)
    assert await process.stop() == 0
    assert "Traceback" not in process.log.read_text()


@contextmanager
def mode(path: Path, bits: int) -> Iterator[None]:
    """Within the block a file or folder has these rights."""
    before = path.stat().st_mode
    path.chmod(bits)
    try:
        yield
    finally:
        path.chmod(before)


@pytest.mark.parametrize("begin", ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
async def test_a_database_that_another_program_writes_is_waited_for(
    standin: Standin, process: BotProcess, begin: str
) -> None:
    with closing(sqlite3.connect(process.kept.path, isolation_level=None)) as other:
        other.execute(begin)
        await process.launch()
        await waits(process, "database is locked")
        other.execute("ROLLBACK")
        await comes_online(standin, process)


@pytest.mark.parametrize("is_new", [True, False])
async def test_a_full_disk_is_waited_for(
    standin: Standin, process: BotProcess, is_new: bool
) -> None:
    if is_new:
        process.kept.path.unlink()
    process.room = 8192
    await process.launch()
    await waits(process, "The database did not answer")
    process.give_room()
    await comes_online(standin, process)


@pytest.mark.parametrize(
    ("what", "bits"), [("file", 0o400), ("file", 0o000), ("folder", 0o500), ("lock", 0o400)]
)
async def test_what_may_not_be_written_is_one_line_and_status_2(
    process: BotProcess, tmp_path: Path, what: str, bits: int
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    database = process.kept.path.rename(kept / "games.sqlite")
    lock = kept / "games.sqlite.lock"
    lock.touch()
    with mode({"file": database, "folder": kept, "lock": lock}[what], bits):
        process.prefix = BOUND if os.geteuid() == 0 else ()
        await process.launch(DATABASE_URL=f"sqlite+aiosqlite:///{database}")
        said = await said_before_it_ended(process)
    assert said.startswith("DATABASE_URL cannot be used: ")


def spoil(database: Path, table: str) -> None:
    """Damage the first page of a table."""
    with closing(sqlite3.connect(database)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        found = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
        (page,) = found.fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.mark.parametrize("table", ["tables", "outbox", "alembic_version"])
async def test_a_damaged_page_that_the_start_meets_is_one_line_and_status_2(
    process: BotProcess, table: str
) -> None:
    spoil(process.kept.path, table)
    await process.launch()
    said = await said_before_it_ended(process)
    assert "cannot be read" in said
    assert "malformed" in said


@pytest.mark.parametrize("table", ["log", "notes"])
async def test_damage_that_a_kill_has_left_is_found_wherever_it_is(
    process: BotProcess, table: str
) -> None:
    spoil(process.kept.path, table)
    await process.start(BACKUP_KEEP="0")
    await process.kill()
    process.log.unlink()
    await process.launch()
    assert "The database is damaged: " in await said_before_it_ended(process)


@pytest.mark.parametrize("content", [b"Dear diary, " * 1000, b"SQLite format 3\0" + b"\xff" * 4080])
async def test_what_is_no_database_is_one_line_and_status_2(
    process: BotProcess, content: bytes
) -> None:
    process.kept.path.write_bytes(content)
    await process.launch()
    assert "cannot be read" in await said_before_it_ended(process)


@pytest.mark.parametrize(
    ("name", "made", "said"),
    [
        ("other.sqlite", "CREATE TABLE tables (x)", "It is another program's"),
        ("other.sqlite", "CREATE TABLE diary (x)", "It is another program's"),
        ("tables.sqlite", "DROP TABLE outbox", "no such table: outbox"),
    ],
)
async def test_a_database_with_other_tables_is_one_line_and_status_2_and_left_as_it_is(
    process: BotProcess, name: str, made: str, said: str
) -> None:
    file = process.kept.path.with_name(name)
    with closing(sqlite3.connect(file)) as other:
        other.execute(made)
        before = [*other.iterdump()]
    await process.launch(DATABASE_URL=f"sqlite+aiosqlite:///{file}")
    assert said in await said_before_it_ended(process)
    with closing(sqlite3.connect(file)) as other:
        assert [*other.iterdump()] == before
