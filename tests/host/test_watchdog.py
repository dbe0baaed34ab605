"""The watchdog reports code that blocks the event loop, and nothing else."""

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
"""The block may have started up to a ping earlier."""
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


async def computes(goods: str) -> None:
    start = time.perf_counter()
    while time.perf_counter() - start < LONG_S:
        sum(range(10**5))


async def test_a_blocked_loop_is_logged_with_places_and_without_values(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reported: list[float] = []

    def lines() -> list[str]:
        blocked = [
            each.getMessage() for each in caplog.records if "event loop blocked" in each.message
        ]
        return [each for each in blocked if ":computes < " in each]

    async def several() -> None:
        await asyncio.sleep(0)
        await computes(SECRET)

    async with watch_event_loop(reported.append, BLOCKED_S, HERE):
        # Repeat, as a block is not reported if a busy machine suspends the process.
        async with asyncio.timeout(TIMEOUT_S):
            while max(reported, default=0) < SEEN_S or not lines():
                await asyncio.create_task(several())
                await asyncio.sleep(4 * PING_S)
        (thread,) = [each for each in threading.enumerate() if each.name == "watchdog"]
    assert not thread.is_alive()
    line, *_ = lines()
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
    lines = (await process.communicate())[0].decode().splitlines()
    woken = lines.index("woken")
    assert not any("blocked" in line for line in lines[:woken]), lines
    assert any("blocked" in line for line in lines[woken:]), lines


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

    monkeypatch.setattr("bot.cogs.dialogues.my_tables.tables_of", slow)
    bot = Hosted(settings_in(tmp_path, standin.url, watchdog_ms=100))
    anna = standin.person("Anna")

    def lines() -> list[str]:
        blocked = [
            each.getMessage() for each in caplog.records if "event loop blocked" in each.message
        ]
        return [each for each in blocked if "dialogues/my_tables.py" in each and ":mine" in each]

    async def is_reported() -> bool:
        await anna.slash("the-harbour", "game mine")
        # On a busy machine something else may block it as long.
        return bool(await bot.metric("kontor_event_loop_blocked_max_seconds") >= SEEN_S and lines())

    async with bot.running(standin.token):
        await standin.gateway.online.wait()
        await until(is_reported)
        assert await bot.metric("kontor_event_loop_blocked_seconds_count") >= 1
