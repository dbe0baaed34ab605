"""Whoever holds the event loop is found out, and nobody else."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from bot.cogs.ui.waiting import tables_of
from bot.host.watchdog import PING_S, watch_event_loop
from bot.local import Standin
from tests.host.conftest import TIMEOUT_S, Hosted, settings_in
from tests.waiting import until

BLOCKED_S = 0.1
LONG_S = 0.4
SEEN_S = LONG_S - PING_S
"""A hold may have begun this long before the loop was asked."""
HERE = Path(__file__).parent
SECRET = "hidden salt"

SLEEPER = """
import asyncio, logging, sys, time
from bot.host.watchdog import watch_event_loop

async def main():
    logging.basicConfig(level=logging.WARNING, stream=sys.stdout, format="%(message)s")
    async with watch_event_loop(lambda seconds: None, 0.3):
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await asyncio.sleep(0.3)
        print("woken", flush=True)
        end = time.monotonic() + 0.9
        while time.monotonic() < end:
            sum(range(10**5))
        await asyncio.sleep(0.3)

asyncio.run(main())
"""


async def reckons(goods: str) -> None:
    began = time.perf_counter()
    while time.perf_counter() - began < LONG_S:
        sum(range(10**7))


async def test_a_blocked_loop_is_logged_with_places_and_without_values(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reported: list[float] = []

    def told() -> list[str]:
        lines = [
            each.getMessage() for each in caplog.records if "event loop blocked" in each.message
        ]
        return [each for each in lines if ":reckons < " in each]

    async def several() -> None:
        await asyncio.sleep(0)
        await reckons(SECRET)

    async with watch_event_loop(reported.append, BLOCKED_S, HERE):
        # Where a busy machine gives this process no time, it is not its fault.
        async with asyncio.timeout(TIMEOUT_S):
            while max(reported, default=0) < SEEN_S or not told():
                await asyncio.create_task(several())
                await asyncio.sleep(4 * PING_S)
        (thread,) = [each for each in threading.enumerate() if each.name == "watchdog"]
    assert not thread.is_alive()
    line, *_ = told()
    assert "several" in line
    assert f"at=host{'/'}test_watchdog.py:" in line
    assert SECRET not in line


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be stopped there")
async def test_a_suspended_process_does_not_count_as_blocked() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", SLEEPER),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(1.0)
    process.send_signal(signal.SIGCONT)
    process.stdin.write(b"\n")
    said = (await process.communicate())[0].decode().splitlines()
    woken = said.index("woken")
    assert not any("blocked" in line for line in said[:woken]), said
    assert any("blocked" in line for line in said[woken:]), said


async def test_the_running_bot_counts_and_logs_when_it_is_blocked(
    standin: Standin,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)

    async def slow(*args: Any) -> Any:
        time.sleep(LONG_S)  # noqa: ASYNC251
        return await tables_of(*args)

    monkeypatch.setattr("bot.cogs.panel.views.tables_of", slow)
    bot = Hosted(settings_in(tmp_path, standin.url, watchdog_ms=100))
    anna = standin.person("Anna")

    def told() -> list[str]:
        lines = [
            each.getMessage() for each in caplog.records if "event loop blocked" in each.message
        ]
        return [each for each in lines if "bot/cogs/panel/views.py" in each and ":mine" in each]

    async def held() -> bool:
        await anna.slash("the-harbour", "game mine")
        # On a busy machine something else may hold it as long.
        return bool(await bot.metric("kontor_event_loop_blocked_max_seconds") >= SEEN_S and told())

    async with bot.running(standin.token):
        await standin.bot_online()
        await until(held)
        assert await bot.metric("kontor_event_loop_blocked_seconds_count") >= 1
