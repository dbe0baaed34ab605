"""A database that is missing, emptied or taken away, and the permissions of the bot's files."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest

from bot.__main__ import main
from bot.cogs.ui import reply
from bot.local import Standin
from bot.store import store as stores
from tests.host.conftest import TIMEOUT_S, Hosted, settings_in
from tests.waiting import until
from tests.wire.players import RandomPlayer, sit_down
from tests.wire.process import BotProcess
from tests.wire.stored import StoredTable

UNREACHABLE = "I can't reach the database"


async def operate(*words: str) -> int:
    return await asyncio.to_thread(main, words)


def lock_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.lock")


def remove(database: Path) -> None:
    database.unlink()


def empty(database: Path) -> None:
    database.write_bytes(b"")


def clear(database: Path) -> None:
    database.unlink()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 1")


async def test_a_missing_database_is_created_or_restored_only_on_request(
    standin: Standin,
    process: BotProcess,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    database, lock, folder = process.stored.path, lock_of(process.stored.path), tmp_path / "backups"
    env = {"BACKUP_FOLDER": str(folder)}
    monkeypatch.setenv("DATABASE_URL", process.stored.url)
    monkeypatch.setenv("BACKUP_FOLDER", str(folder))
    # After a failed first start no database is missing.
    lock.touch()
    assert await operate("init") == 0
    assert await operate("init") == 2
    assert "already exists" in capsys.readouterr().err
    assert await operate("backup") == 0
    backup = Path(capsys.readouterr().out.splitlines()[-1])
    aside = {path: path.read_bytes() for path in (backup, lock)}
    for lose, deleted in ((remove, backup), (empty, lock), (clear, None)):
        lose(database)
        if deleted is not None:
            remove(deleted)
        before = database.exists() and database.read_bytes()
        process.log.unlink(missing_ok=True)
        await process.launch(**env)
        assert await process.exit_status() == 2, lose.__name__
        line = process.log.read_text()
        assert line.count("\n") == 1, line
        assert "is missing or empty" in line
        assert "`python -m bot init`" in line
        assert (f"`python -m bot restore {backup}`" in line) == (deleted != backup)
        assert before == (database.exists() and database.read_bytes())
        for path, content in aside.items():
            path.write_bytes(content)

    for words in (("restore", str(backup)), ("init",)):
        database.unlink()
        assert await operate(*words) == 0
    await process.start(**env)
    assert not process.ended.done()
    assert await process.stop() == 0
    assert "Traceback" not in process.log.read_text()


def renamed(database: Path) -> Callable[[], object]:
    """Move the file away, and return a function that puts it back."""
    aside = database.rename(database.with_name("aside.sqlite"))
    return partial(aside.rename, database)


def deleted(database: Path) -> Callable[[], object]:
    other = database.with_name("other.sqlite")
    os.link(database, other)
    database.unlink()
    return partial(other.rename, database)


def replaced(database: Path) -> Callable[[], object]:
    aside = database.with_name("aside.sqlite")
    os.link(database, aside)
    copy = database.with_name("copy.sqlite")
    shutil.copy(database, copy)
    copy.rename(database)
    return partial(aside.rename, database)


def without_last_writes(database: Path) -> Callable[[], object]:
    return renamed(database.with_name(f"{database.name}-wal"))


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    of_bot = [record for record in caplog.records if record.name.startswith("bot.")]
    return [record.getMessage() for record in of_bot if record.levelno >= logging.WARNING]


async def test_a_database_removed_from_the_running_bot_is_noticed_and_nothing_is_lost(
    standin: Standin,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Answer without deferring, even on a slow machine.
    monkeypatch.setattr(reply, "DEFER_AFTER_S", TIMEOUT_S)
    monkeypatch.setattr(stores, "RECOVERED_S", 0.0)
    bot, stored = Hosted(settings_in(tmp_path, standin.url, backup_keep=0)), StoredTable(tmp_path)
    anna, bert = (
        RandomPlayer(standin, standin.person(name), Random(name)) for name in ("Anna", "Bert")
    )

    async def database_is(state: str) -> bool:
        return bool(json.loads((await bot.ask("/healthz"))[1])["database"] == state)

    async with bot.running(standin.token):
        await standin.gateway.online.wait()
        await sit_down(standin, anna.person, bert.person)
        await anna.turn()
        await stored.until_outbox_empty()
        await until(lambda: "plain signs" in caplog.text)
        before = stored.log()
        for take in (renamed, deleted, replaced, without_last_writes):
            caplog.clear()
            put_back = take(stored.path)
            assert await database_is("store_unavailable"), take.__name__
            assert (await bot.ask("/healthz"))[0] == 503
            await until(lambda: "while the bot was running" in caplog.text)
            opened = await bert.person.slash("the-harbour", "game new", game="kogge")
            assert opened.text.startswith(UNREACHABLE)
            await bert.open()
            refused = await bert.choose(bert.choices()[0])
            assert UNREACHABLE in refused.text
            # Once for all failures.
            assert len(warnings(caplog)) == 1

            put_back()
            assert await database_is("ok")
            assert stored.log() == before
            assert [*warnings(caplog)[1:]] == ["database available again"]
        await bert.turn()
        await stored.until_outbox_empty()
        assert len(stored.log()) > len(before)


@pytest.mark.slow
async def test_the_files_of_the_bot_are_private_whatever_the_umask(
    standin: Standin, process: BotProcess, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "folder"
    process.prefix = ("sh", "-c", 'umask 000; exec "$@"', "sh")
    await process.start(
        DATABASE_URL=f"sqlite:///{folder / 'games.sqlite'}",
        BACKUP_FOLDER=str(folder / "backups"),
    )
    await standin.person("Anna").slash("the-harbour", "game new", game="kogge")
    await until(lambda: any((folder / "backups").glob("*Z.sqlite")))
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in folder.parent.rglob("*")}
    names = {path.name for path in modes}
    assert {f"games.sqlite{end}" for end in ("", "-wal", "-shm", ".lock")} <= names
    modes[folder.parent] = stat.S_IMODE(folder.parent.stat().st_mode)
    for path, mode in modes.items():
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert await process.stop() == 0


def test_the_files_of_commands_are_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, copy = tmp_path / "games.sqlite", tmp_path / "copy.sqlite"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")
    before = os.umask(0)
    try:
        assert main(["init"]) == 0
        assert main(["backup", str(copy)]) == 0
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        copy.chmod(0o644)
        assert main(["restore", str(copy)]) == 0
        assert stat.S_IMODE(database.stat().st_mode) == 0o600
    finally:
        assert os.umask(before) == 0
