"""Database calls are not cut off when their callers stop waiting, nor by a shutdown."""

from __future__ import annotations

import asyncio

import pytest

from bot.tables.core.shared_tasks import SharedTasks
from tests.tables.world import World

ANNA = 11


async def test_who_waits_only_so_long_leaves_the_work_going_on_and_it_is_done_once() -> None:
    under_way, going_on, done = SharedTasks[str](), asyncio.Event(), list[str]()

    async def work() -> None:
        await going_on.wait()
        done.append("work")

    for _ in range(2):
        await under_way.wait("key", work, 0.0)
    assert done == []

    going_on.set()
    await under_way.finish()
    assert done == ["work"]


@pytest.mark.parametrize("asked", ["person", "misnamed"])
async def test_a_stop_waits_for_what_the_database_is_asked_about_a_person(
    world: World, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    store, going_on, answered = world.store, asyncio.Event(), list[object]()
    answer = getattr(store, asked)

    async def slow(*given: object) -> object:
        await going_on.wait()
        answered.append(await answer(*given))
        return answered[-1]

    monkeypatch.setattr("bot.tables.people.settings.RECALL_S", 0.0)
    monkeypatch.setattr("bot.tables.people.names.RECALL_S", 0.0)
    monkeypatch.setattr(store, asked, slow)
    await world.tables.people.recall(ANNA)
    await world.tables.names.acts(ANNA, 1, "Anna")
    stopping = asyncio.create_task(world.tables.close())
    await asyncio.sleep(0)
    going_on.set()
    await stopping
    assert len(answered) == 1
