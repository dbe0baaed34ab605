"""The servers that tests start for themselves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from tests.postgres import IS_EXPECTED, Postgres, own_server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not IS_EXPECTED, reason="no PostgreSQL: see CONTRIBUTING.md"),
]

TIMEOUT_S = 60.0
OWNER = """
import sys
from tests.postgres import own_server
with own_server() as server:
    print(server.folder, flush=True)
    sys.stdin.read()
"""


async def execute(server: Postgres, statement: str) -> list[int]:
    """What the server says to it."""
    engine = create_async_engine(server.url, poolclass=NullPool)
    async with engine.begin() as connection:
        found = await connection.execute(sa.text(statement))
        return [row[0] for row in found] if found.returns_rows else []


async def test_what_was_written_is_there_after_it_was_stopped_and_killed() -> None:
    with own_server() as server:
        port = server.port
        await execute(server, "CREATE TABLE kept AS SELECT 7 AS number")
        ends: list[Callable[[], None]] = [server.stop, partial(server.stop, "immediate")]
        for end in (*ends, server.kill):
            end()
            if end != server.kill:
                assert not server.is_running
                with pytest.raises(OSError, match="Connect call failed"):
                    await execute(server, "SELECT 1")
            server.start()
            assert await execute(server, "SELECT number FROM kept") == [7]
        assert server.port == port


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_its_owner_however_that_ends(how: signal.Signals) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with owner:
        assert owner.stdout is not None
        folder = Path(owner.stdout.readline().decode().strip())
        (pid, *_) = (folder / "data" / "postmaster.pid").read_text().split()
        owner.send_signal(how)
    deadline = time.monotonic() + TIMEOUT_S
    while folder.exists() or is_alive(int(pid)):
        assert time.monotonic() < deadline, "it has outlived its owner"
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
