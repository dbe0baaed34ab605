"""The program under the system call filter of the systemd unit."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.local import Standin
from tests.host import confined
from tests.host.conftest import TIMEOUT_S
from tests.wire.hands import HARBOUR, sit_down
from tests.wire.process import BotProcess

CONFINED = (sys.executable, confined.__file__)


def can_confine() -> bool:
    if not confined.can_confine():
        return False
    return subprocess.run([*CONFINED, "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not can_confine(), reason="system calls cannot be filtered here")
async def test_hints_are_thought_of_under_the_filter_of_the_unit(
    standin: Standin, process: BotProcess
) -> None:
    process.prefix = CONFINED
    await process.start(THINKERS="1", THINK_MS="50")
    anna, bert = standin.person("Anna"), standin.person("Bert")
    await sit_down(standin, anna, bert, options={"hints": "on"})
    answer = await anna.slash(HARBOUR, "game hint", {"table": 1})
    await anna.wait_for(lambda: answer.has_come, timeout=TIMEOUT_S)
    assert "What the strong player" in answer.text
    assert await process.stop() == 0
    assert "has died" not in process.log.read_text()
