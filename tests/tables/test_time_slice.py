"""Long work lets others have their turn, but not more often than they need it."""

from __future__ import annotations

import asyncio

import pytest

from bot.tables.core import time_slice
from bot.tables.core.time_slice import HELD_S, TimeSlice


async def test_others_have_their_turn_once_they_have_waited_long_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, turns = 0.0, 0
    monkeypatch.setattr(time_slice, "perf_counter", lambda: now)

    async def other() -> None:
        nonlocal turns
        turns += 1

    taken = TimeSlice()
    waiting = asyncio.create_task(other())
    now = HELD_S * 0.9
    await taken.take()
    assert turns == 0
    now = HELD_S
    await taken.take()
    assert turns == 1

    # The next slice begins where they had it.
    waiting = asyncio.create_task(other())
    now = HELD_S * 1.9
    await taken.take()
    assert turns == 1
    await waiting
