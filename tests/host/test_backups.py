"""Nightly backups, whatever the clock does and whatever else is in their folder."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.host import backups
from bot.local import Standin
from bot.store import Store, sqlite_file
from bot.store.backup import check
from tests.host.conftest import NOON, Hosted, settings_in
from tests.waiting import until

PATTERN = "tables-%Y%m%dT%H%M%SZ.sqlite"
FOUR = datetime(2026, 3, 2, 4, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _check_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "CHECK_EVERY_S", 0.005)


@pytest.fixture
def bot(standin: Standin, tmp_path: Path) -> Hosted:
    (tmp_path / "backups").mkdir()
    return Hosted(settings_in(tmp_path, standin.url, backup_hour=4, backup_keep=2))


async def add_backup(bot: Hosted, at: datetime) -> Path:
    path = named(bot, at)
    database = sqlite_file(bot.settings.database_url)
    assert database is not None
    if not database.exists():
        await (await Store.open(bot.settings.database_url)).close()
    shutil.copy(database, path)
    return path


def has_only(bot: Hosted, *paths: Path) -> bool:
    return set(bot.settings.backup_folder.iterdir()) == set(paths)


def named(bot: Hosted, at: datetime) -> Path:
    return bot.settings.backup_folder / at.strftime(PATTERN)


async def test_a_backup_is_made_each_night_and_only_the_newest_are_kept(
    standin: Standin, bot: Hosted
) -> None:
    folder = bot.settings.backup_folder
    foreign = [
        folder / name
        for name in (
            *("mine.sqlite", "others-20260101T040000Z.sqlite", "tables-20260101.sqlite"),
            "tables-20261399T256199Z.sqlite",
        )
    ]
    # Files that have the name of a backup, but are none.
    foreign += [named(bot, NOON - timedelta(minutes=each)) for each in range(1, 5)]
    *_, torn, subfolder, lost = foreign
    for path in foreign[:-2]:
        path.touch()
    torn.write_text("SQLite")
    subfolder.mkdir()
    lost.symlink_to("/x")
    (folder / "tables-20260228T040000Z.sqlite.unfinished").touch()

    async with bot.running(standin.token):
        await standin.gateway.online.wait()
        # The backup of the last night is missing, and made immediately.
        await until(partial(has_only, bot, *foreign, named(bot, NOON)))
        bot.clock.at = NOON + timedelta(hours=15, minutes=59)
        await asyncio.sleep(0.05)
        assert has_only(bot, *foreign, named(bot, NOON))
        for day in (2, 3, 4):
            bot.clock.at = datetime(2026, 3, day, 4, 0, tzinfo=UTC)
            await until(named(bot, bot.clock.at).exists)
        last = [named(bot, datetime(2026, 3, day, 4, tzinfo=UTC)) for day in (3, 4)]
        await until(partial(has_only, bot, *foreign, *last))
        newest = await bot.metric("kontor_last_backup_timestamp_seconds")
        assert json.loads((await bot.ask("/healthz"))[1])["backups"] == "ok"

    assert newest == bot.clock.at.timestamp()
    check(last[-1])


async def test_a_backup_dated_in_the_future_neither_counts_nor_stops_others(
    standin: Standin, bot: Hosted, caplog: pytest.LogCaptureFixture
) -> None:
    ahead = [await add_backup(bot, datetime(2031, 1, day, 4, tzinfo=UTC)) for day in (1, 2, 3)]
    before = await add_backup(bot, NOON - timedelta(days=2))
    async with bot.running(standin.token):
        await until(partial(has_only, bot, *ahead, before, named(bot, NOON)))
        await standin.gateway.online.wait()
        assert await bot.metric("kontor_last_backup_timestamp_seconds") == NOON.timestamp()
        assert await bot.metric("kontor_backups_future_dated") == 3
        bot.clock.at = FOUR
        # The oldest that counts is removed. Those in the future stay and do not count.
        await until(partial(has_only, bot, *ahead, named(bot, NOON), named(bot, FOUR)))
        bot.clock.at = datetime(2031, 1, 1, 4, tzinfo=UTC)
        assert await bot.metric("kontor_backups_future_dated") == 2
    for path in ahead:
        records = [each for each in caplog.records if path.name in each.getMessage()]
        assert [each.levelno for each in records] == [logging.WARNING]


async def test_setting_the_clock_back_stops_no_backup_and_no_retry(
    standin: Standin, bot: Hosted, caplog: pytest.LogCaptureFixture
) -> None:
    folder = bot.settings.backup_folder
    folder.rmdir()
    folder.touch()
    async with bot.running(standin.token):
        await until(lambda: "backup failed, retrying" in caplog.text)
        folder.unlink()
        bot.clock.at = first = NOON - timedelta(days=30)
        await until(named(bot, first).exists)
        bot.clock.at = back = NOON - timedelta(days=60)
        await until(partial(has_only, bot, named(bot, first), named(bot, back)))


async def test_two_backups_in_one_second_have_different_names(bot: Hosted) -> None:
    database = await add_backup(bot, FOUR)
    nightly = backups.Backups(database, bot.settings, bot.clock)
    assert len({nightly.make(), nightly.make()}) == 2
