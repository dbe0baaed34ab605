"""`python -m bot play` as a process of its own, started and stopped as a person would."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.test_main import TIMEOUT_S, start

LATE = "interaction not acknowledged"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[str]:
    """The program, its games kept in `folder`; the address it prints, without the last slash.

    It is stopped by Ctrl+C in the end, and must then have nothing to complain of.
    """
    command = ("play", "--no-browser", "--port", "0", "--data", str(folder / "games"))
    process = await start(folder, *command)
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT_S)).decode()
        found = _ADDRESS.search(line)
        assert found is not None, line
        yield found[0].rstrip("/")
        process.send_signal(signal.SIGINT)
        _out, said = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
        # On a busy machine an answer may come later than Discord wants; then one presses again.
        lines = [line for line in said.decode().splitlines() if LATE not in line]
        assert (process.returncode, lines) == (0, []), said.decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
