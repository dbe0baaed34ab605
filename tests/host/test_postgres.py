"""A single bot on PostgreSQL: its lock, and backups by the commands of the hosting page."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from bot.app import open_services
from bot.cluster.leases import Leases
from bot.cluster.members import ShardIds
from bot.opening import CannotOpen, open_store
from bot.store import InUse
from bot.store.server_lock import ServerLock
from bot.tables import StoreUnavailable
from tests import postgres
from tests.host.conftest import TIMEOUT_S
from tests.host.test_files import HOSTING, SHARED, composed
from tests.store.database import SERVER_ALONE, Database
from tests.tables.world import ANNA, BEN, World, whole_record
from tests.waiting import until

pytestmark = [SERVER_ALONE, pytest.mark.slow]

END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
"""Ends all sessions, like a restart of the server."""


async def test_a_bot_that_loses_its_lock_to_another_ends_with_the_usual_error(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, taken = ServerLock(database.url), asyncio.Event()

    async def pause(_: ServerLock) -> None:
        # Not before the other one has taken the lock.
        await taken.wait()

    monkeypatch.setattr(ServerLock, "_pause", pause)

    async def takes() -> bool:
        with suppress(InUse):  # The old session may end late.
            await other.take()
            return True
        return False

    async def work() -> None:
        async with open_services(database.url) as services:
            await database.execute(END_ALL)
            await until(takes)
            with pytest.raises(StoreUnavailable):
                await services.tables.lobby.open("kogge", 1, "Anna", 1, 2)
            taken.set()
            await asyncio.Event().wait()

    with pytest.raises(CannotOpen, match="A bot is already running on the database"):
        await asyncio.wait_for(work(), TIMEOUT_S)
    await other.close()


async def test_a_database_of_another_program_is_not_retried(database: Database) -> None:
    await database.execute("CREATE TABLE tables (x int)")
    for member in (None, Leases(database.url, "one-1", ShardIds(), 1)):
        with pytest.raises(CannotOpen, match="another program"):
            async with open_store(database.url, member=member):
                pass


async def run_command(program: str, database: Database, file: Path) -> None:
    """Run a command of the hosting page."""
    (command,) = re.findall(rf"^({program} .*)$", HOSTING, re.MULTILINE)
    address = database.url.replace("+asyncpg", "")
    words = shlex.split(command.replace("postgresql://kontor@127.0.0.1/kontor", address))
    words = [word.replace("kontor.dump", str(file)) for word in words]
    assert postgres.PROGRAMS is not None
    running = await asyncio.create_subprocess_exec(postgres.PROGRAMS / words[0], *words[1:])
    assert await running.wait() == 0


async def contents(world: World, table: int) -> tuple[object, ...]:
    """Return the log of a game, its state, and the outbox."""
    entries = (await whole_record(world.tables, table)).entries
    return entries, await world.blob(table), await world.tables.outbox.items()


async def test_dumped_and_restored_games_go_on(database: Database, tmp_path: Path) -> None:
    dump, rng = tmp_path / "kontor.dump", Random(3)
    world = await World(database).open()
    table = (await world.game(ANNA, BEN, length="long")).id
    await world.play(table, 9, rng)
    before = await contents(world, table)
    await run_command("pg_dump", database, dump)
    await world.play(table, 2, rng)
    await world.close()

    await run_command("pg_restore", database, dump)
    world = await World(database).open()
    assert await contents(world, table) == before
    await world.play(table, 2, rng)
    assert (await world.lobby(ANNA)).id > table
    await world.close()


@contextmanager
def backing_up(folder: Path, database: Database) -> Iterator[Path]:
    """Run the compose file's backup service; yield the file with the lengths of its sleeps."""
    service = composed(SHARED, POSTGRES_PASSWORD="word")["services"]["backup"]
    shell, option, script = service["command"]
    naps, sleep = folder / "naps", folder / "bin" / "sleep"
    sleep.parent.mkdir()
    sleep.write_text(f'#!/bin/sh\necho $1 >> "{naps}"\nexec /bin/sleep $1\n')
    sleep.chmod(0o755)
    (volume,) = service["volumes"]
    address = urlsplit(database.url)
    env = {
        "PATH": f"{sleep.parent}:{postgres.PROGRAMS}:{os.environ['PATH']}",
        "PGHOST": str(address.hostname),
        "PGPORT": str(address.port),
        "PGUSER": str(address.username),
        "PGDATABASE": address.path.lstrip("/"),
        "PGPASSWORD": address.password or "",
    }
    assert set(service["environment"]) <= set(env)
    running = subprocess.Popen(
        [shell, option, script.replace(volume.split(":")[1], str(folder))],
        env=env,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield naps
        running.send_signal(signal.SIGTERM)
        running.wait(TIMEOUT_S)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()


def named(*days: int) -> set[str]:
    return {f"games-202601{day:02}T040000Z.dump" for day in days}


async def test_the_service_keeps_the_newest_backups_and_deletes_none_if_they_are_off(
    database: Database, tmp_path: Path
) -> None:
    limit = int(*re.findall(r"`backups`, the newest (\d+)\.", HOSTING))
    old = named(*range(1, limit + 3))
    for exists in (True, False):
        folder = tmp_path / str(exists)
        folder.mkdir()
        for name in old:
            (folder / name).touch()
        if not exists:
            database.url += "_not"
        with backing_up(folder, database) as naps:
            await until(lambda naps=naps: naps.exists() and naps.read_text().endswith("\n"))  # type: ignore[misc]
        found = {path.name for path in folder.glob("games-*")}
        if exists:
            (new,) = found - old
            assert found == named(*range(4, limit + 3)) | {new}
            assert len(found) == limit
            assert (folder / new).stat().st_mode & 0o077 == 0
            assert (folder / new).read_bytes().startswith(b"PGDMP")
            assert naps.read_text() == f"{24 * 60 * 60}\n"
        else:
            assert found == old
            assert int(naps.read_text()) < 60 * 60
