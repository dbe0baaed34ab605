"""The status page of a running bot, and how the bot survives outages."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random

import aiohttp
import pytest
from discord.backoff import ExponentialBackoff

from bot import app
from bot.client import GameBot
from bot.local import Standin
from tests.host.conftest import TIMEOUT_S, Hosted, settings_in
from tests.ports import free_port
from tests.store.database import empty
from tests.waiting import until
from tests.wire.players import RandomPlayer, ids, sit_down
from tests.wire.process import BotProcess
from tests.wire.stored import StoredTable

ALL_OK = {"discord": "ok", "database": "ok", "computers": "ok", "backups": "ok"}


async def online(bot: Hosted) -> bool:
    try:
        return (await bot.ask("/healthz"))[0] == 200
    except aiohttp.ClientConnectionError:
        return False


async def offline(bot: Hosted) -> bool:
    return not await online(bot)


async def test_health_and_metrics_describe_a_game_but_name_no_one(
    standin: Standin, tmp_path: Path
) -> None:
    bot = Hosted(settings_in(tmp_path, standin.url))
    anna, bert = (
        RandomPlayer(standin, standin.person(name), Random(name)) for name in ("Anna", "Bert")
    )
    async with bot.running(standin.token):
        await until(lambda: online(bot))
        assert json.loads((await bot.ask("/healthz"))[1]) == {"healthy": True, **ALL_OK}

        await sit_down(standin, anna.person, bert.person)
        await anna.turn()
        await bert.turn()
        await StoredTable(tmp_path).until_outbox_empty()
        refused = await anna.person.slash(anna.place, "kogge found", marker="5")
        standin.gateway.drop_sockets()
        await until(lambda: bot.metric("kontor_gateway_reconnects_total"))

        acted = await bot.metric('kontor_actions_total{game="kogge",player="person"}')
        assert (
            acted == len([entry for entry in StoredTable(tmp_path).log() if entry.seat >= 0]) == 2
        )
        assert await bot.metric('kontor_action_seconds_count{game="kogge"}') == acted
        assert await bot.metric("kontor_answer_seconds_count") > acted
        assert await bot.metric('kontor_tables{game="kogge",status="playing"}') == 1
        assert await bot.metric("kontor_outbox_messages") == 0
        assert await bot.metric("kontor_database_bytes") > 4096
        assert await bot.metric('kontor_healthy{part="database"}') == 1
        # Pending messages and errors of Discord are counted too.
        error = {"message": "Missing Permissions", "code": 50013}
        standin.faults.fail("POST", "/channels/*/messages", status=403, times=None, json=error)
        await anna.person.slash("the-harbour", "game new", game="kogge")
        failed = 'kontor_discord_errors_total{code="50013",status="403"}'

        async def counted() -> bool:
            return failed in (await bot.ask("/metrics"))[1]

        await until(counted)
        bot.clock.at += timedelta(hours=2)
        assert await bot.metric("kontor_outbox_messages") == 1
        assert await bot.metric("kontor_outbox_age_seconds") == 7200
        _, text = await bot.ask("/metrics")
    assert refused.is_private
    assert "kontor_refusals_total{code=" in text
    assert "process_resident_memory_bytes" in text
    assert "kontor_event_loop_lag_seconds_bucket" in text
    people = [anna.person, bert.person]
    for private in ("Anna", "Bert", standin.token, *(str(each.id) for each in people)):
        assert private not in text


async def test_the_bot_waits_for_a_discord_that_is_down_and_logs_it_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, attempts = free_port(), 0
    bot = Hosted(settings_in(tmp_path, f"http://127.0.0.1:{port}"))
    late = partial(
        Standin,
        port=port,
        token="a.token",
        store_path=tmp_path / "chat.sqlite",
        acknowledge_s=TIMEOUT_S,
    )
    login = GameBot.login

    async def counted(self: GameBot, token: str) -> None:
        nonlocal attempts
        attempts += 1
        await login(self, token)

    monkeypatch.setattr(GameBot, "login", counted)
    monkeypatch.setattr(ExponentialBackoff, "delay", lambda _: 0.05)
    async with bot.running("a.token"):
        await until(lambda: attempts >= 3)
        status, health = await bot.ask("/healthz")
        assert (status, json.loads(health)["discord"]) == (503, "not connected")

        async with late() as standin:
            await until(lambda: online(bot))
            anna = standin.person("Anna")
            await anna.slash("the-harbour", "game new", game="kogge")
            # Wait for the lobby, which comes after the answer, before the outage.
            await anna.wait_for_message(
                "the-harbour", lambda m: "join:1" in ids(m), timeout=TIMEOUT_S
            )
        await until(lambda: offline(bot))
        # The same Discord after an outage: the table goes on.
        async with late() as standin:
            await until(lambda: online(bot))
            await standin.person("Bert").slash("the-harbour", "game join")
            await standin.person("Vera").wait_for_message(
                "the-harbour", lambda m: "join:1" in ids(m) and "Bert" in m.text, timeout=TIMEOUT_S
            )

    assert caplog.text.count("discord unreachable") == 1
    assert caplog.text.count("discord connected") == 1


@contextmanager
def full(process: BotProcess) -> Iterator[None]:
    process.limit_file_size(
        process.stored.path.with_name(f"{process.stored.path.name}-wal").stat().st_size
    )
    yield
    process.limit_file_size()


@contextmanager
def locked(process: BotProcess) -> Iterator[None]:
    with closing(sqlite3.connect(process.stored.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def overwritten(process: BotProcess) -> Iterator[None]:
    before = process.stored.path.read_bytes()
    with process.stored.path.open("r+b") as file:
        file.write(bytes(len(before)))
    yield
    with process.stored.path.open("r+b") as file:
        file.write(before)


async def test_an_unwritable_database_is_unhealthy_until_it_recovers(
    standin: Standin, process: BotProcess, tmp_path: Path
) -> None:
    empty(process.stored.path)
    bot = Hosted(settings_in(tmp_path, standin.url))
    process.constants["bot.store.store.WRITE_CHECK_S"] = 0.0
    process.constants["bot.host.page.PING_TIMEOUT_S"] = 0.3
    await process.start(HEALTH_PORT=str(bot.settings.health_port), BACKUP_KEEP="0")

    async def status_is(expected: int) -> bool:
        status, text = await bot.ask("/healthz")
        assert (json.loads(text)["database"] == "ok") >= (status == 200)
        return status == expected

    await until(lambda: status_is(200))
    for fail in (full, locked, overwritten):
        with fail(process):
            await until(lambda: status_is(503))
            assert await bot.metric('kontor_healthy{part="database"}') == 0, fail.__name__
            assert await bot.metric('kontor_healthy{part="discord"}') == 1
        await until(lambda: status_is(200))
    assert await process.stop() == 0


async def test_a_stop_lost_while_the_bot_connects_is_repeated(
    standin: Standin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connecting = asyncio.Event()

    async def ignores_first_cancel(_: GameBot) -> None:
        connecting.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    monkeypatch.setattr(GameBot, "connect", ignores_first_cancel)
    monkeypatch.setattr(app, "CANCEL_RETRY_S", 0.01)
    bot = Hosted(settings_in(tmp_path, standin.url))
    async with asyncio.timeout(TIMEOUT_S), bot.running(standin.token):
        await connecting.wait()
