"""The program in another process: how it starts, with errors too, and how it stops."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from bot.local import InteractionKind, Person, Standin, Updated
from bot.local.faults import Request
from bot.store import Store
from tests.host import confined
from tests.ports import free_port
from tests.robot import BUTTON
from tests.wire.players import HARBOUR, PLACE, RandomPlayer, ids, sit_down
from tests.wire.process import BotProcess, process_on
from tests.wire.witness import check_chain

BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", "--")
"""A command prefix that removes root's right to ignore file permissions."""
TIMEOUT_S = 120.0


@pytest.fixture
async def process(process: BotProcess) -> BotProcess:
    await (await Store.open(process.stored.url)).close()
    return process


async def refused(process: BotProcess, *parts: str, **env: str) -> None:
    process.log.unlink(missing_ok=True)
    await process.launch(**env)
    assert await process.exit_status() == 2, parts
    line = process.log.read_text()
    assert line.count("\n") == 1, line
    assert all(words in line for words in parts), (parts, line)


async def waits(process: BotProcess, reason: str) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while reason not in process.log.read_text():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert not process.ended.done()
    assert process.log.read_text().count("unreachable") == 1


async def comes_online(standin: Standin, process: BotProcess) -> None:
    await asyncio.wait_for(standin.gateway.online.wait(), TIMEOUT_S)
    assert await process.stop() == 0
    assert "Traceback" not in process.log.read_text()


@contextmanager
def mode(path: Path, bits: int) -> Iterator[None]:
    before = path.stat().st_mode
    path.chmod(bits)
    try:
        yield
    finally:
        path.chmod(before)


async def test_a_locked_database_is_retried(standin: Standin, process: BotProcess) -> None:
    with closing(sqlite3.connect(process.stored.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        await process.launch()
        await waits(process, "database is locked")
        other.execute("ROLLBACK")
        await comes_online(standin, process)


@pytest.mark.slow
async def test_a_full_disk_is_retried_with_new_and_existing_databases(
    standin: Standin, process: BotProcess
) -> None:
    process.stored.path.unlink()
    process.max_file_size = 8192
    for _ in range(2):
        await process.launch()
        await waits(process, "The database did not answer")
        process.limit_file_size()
        await comes_online(standin, process)
        await process.until_disconnected()
        process.log.unlink()


async def test_a_bot_that_waits_for_discord_stops_at_once(process: BotProcess) -> None:
    await process.launch(DISCORD_API=f"http://127.0.0.1:{free_port()}")
    await waits(process, "discord unreachable")
    assert await process.stop() == 0
    assert "Traceback" not in process.log.read_text()


@pytest.mark.slow
async def test_an_unwritable_file_prints_one_line_and_exits_with_2(
    process: BotProcess, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    database = process.stored.path.rename(folder / "games.sqlite")
    lock = folder / "games.sqlite.lock"
    lock.touch()
    process.prefix = BOUND if os.geteuid() == 0 else ()
    for path, bits in ((database, 0o400), (database, 0o000), (folder, 0o500), (lock, 0o400)):
        with mode(path, bits):
            url = f"sqlite:///{database}"
            await refused(process, "Cannot use DATABASE_URL: ", DATABASE_URL=url)


def spoil(database: Path, table: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        found = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
        (page,) = found.fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


async def test_damage_found_at_the_start_prints_one_line_and_exits_with_2(
    process: BotProcess,
) -> None:
    whole = process.stored.path.read_bytes()
    for table in ("tables", "outbox", "alembic_version"):
        spoil(process.stored.path, table)
        await refused(process, "Cannot read", "malformed")
        process.stored.path.write_bytes(whole)
    for content in (b"Dear diary, " * 1000, b"SQLite format 3\0" + b"\xff" * 4080):
        process.stored.path.write_bytes(content)
        await refused(process, "Cannot read")


@pytest.mark.slow
async def test_damage_after_a_kill_is_found_anywhere(process: BotProcess) -> None:
    whole = process.stored.path.read_bytes()
    for table in ("log", "notes"):
        process.stored.path.write_bytes(whole)
        spoil(process.stored.path, table)
        await process.start(BACKUP_KEEP="0")
        await process.kill()
        await refused(process, "The database is damaged: ")


async def test_a_database_with_other_tables_is_refused_and_left_unchanged(
    process: BotProcess,
) -> None:
    for name, script, message in (
        ("first.sqlite", "CREATE TABLE tables (x)", "It belongs to another program"),
        ("second.sqlite", "CREATE TABLE diary (x)", "It belongs to another program"),
        ("tables.sqlite", "DROP TABLE outbox", "no such table: outbox"),
    ):
        file = process.stored.path.with_name(name)
        with closing(sqlite3.connect(file)) as other:
            other.execute(script)
            before = [*other.iterdump()]
        await refused(process, message, DATABASE_URL=f"sqlite:///{file}")
        with closing(sqlite3.connect(file)) as other:
            assert [*other.iterdump()] == before


FIELDS = {"time", "level", "logger", "message", "table", "seq", "game", "seat", "kind", "ms"}


async def test_a_stopped_bot_finishes_running_work_and_continues_later(
    standin: Standin, process: BotProcess, tmp_path: Path
) -> None:
    await process.start(LOG_LEVEL="DEBUG", LOG_FORMAT="json")
    async with process_on(standin, tmp_path) as second:
        second.log = tmp_path / "second.log"
        await second.launch()
        assert await second.exit_status() == 2
        assert re.fullmatch(r".*A bot is already running on .*\n", second.log.read_text())
    anna, bert = (
        RandomPlayer(standin, standin.person(name), Random(name)) for name in ("Anna", "Bert")
    )
    await sit_down(standin, anna.person, bert.person)
    await anna.turn()
    await bert.open()
    choice, thread = bert.choices()[0], f"/channels/{bert.place.id}/messages"
    await process.stored.until_outbox_empty()
    # Delay the answer to the last choice and the board after it.
    standin.faults.delay("POST", "*", 0.2, times=2)

    def stop_at_the_post(request: Request) -> None:
        if request.method == "POST" and request.path == thread:
            process.ask_to_stop()

    standin.faults.on_request.append(stop_at_the_post)
    answer = await bert.choose(choice)

    assert await process.exit_status() == 0
    standin.faults.on_request.remove(stop_at_the_post)
    assert isinstance(answer.outcome, Updated)
    entries = process.stored.log()
    assert entries[-1].action.startswith("found")
    assert entries[-1].seat != entries[-2].seat
    assert process.stored.outbox() == []
    assert len(anna.posts) == 2
    await process.until_disconnected()
    lines = [json.loads(line) for line in process.log.read_text().splitlines()]
    acted = [line for line in lines if "kind" in line]
    assert [line["kind"] for line in acted] == ["found", "found"]
    assert all(set(line) == FIELDS for line in acted)
    assert all(entry.action not in process.log.read_text() for entry in entries if entry.seat >= 0)

    # A press while the bot is down changes nothing, and a start posts nothing again.
    messages = {channel: len(posts) for channel, posts in standin.model.messages.items()}
    fire(standin, bert.person, choice["custom_id"])
    await process.start()
    await process.stored.until_outbox_empty()
    assert process.stored.log() == entries
    player = next(each for each in (anna, bert) if each.is_pinged)
    await player.open()
    new = {
        channel: len(posts) - messages.get(channel, 0)
        for channel, posts in standin.model.messages.items()
        if len(posts) != messages.get(channel, 0)
    }
    assert new == {anna.place.id: 1}
    assert ids(anna.person.sees(HARBOUR)[-1]) == ["newgame:0"]
    assert len(anna.posts) == 2
    check_chain(anna.posts, process.stored)
    await player.turn()
    assert len(process.stored.log()) > len(entries)
    assert await process.stop() == 0
    assert "Traceback" not in process.log.read_text()


def fire(standin: Standin, person: Person, custom_id: str) -> None:
    place = standin.channel(PLACE.format(1))
    data = {"component_type": BUTTON, "custom_id": custom_id}
    person.fire(InteractionKind.COMPONENT, place, data)


CONFINED = (sys.executable, confined.__file__)


def can_confine() -> bool:
    return subprocess.run([*CONFINED, "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not can_confine(), reason="system calls cannot be filtered here")
async def test_hints_work_under_the_system_call_filter_of_the_unit(
    standin: Standin, process: BotProcess
) -> None:
    process.prefix = CONFINED
    await process.start(SEARCH_PROCESSES="1", SEARCH_MS="50")
    anna, bert = standin.person("Anna"), standin.person("Bert")
    await sit_down(standin, anna, bert, options={"hints": "on"})
    answer = await anna.slash(HARBOUR, "game hint", {"table": 1})
    await anna.wait_for(lambda: answer.is_answered, timeout=TIMEOUT_S)
    assert "What the strong player" in answer.text
    assert await process.stop() == 0
    assert "worker died" not in process.log.read_text()
