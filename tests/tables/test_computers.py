"""Computer players take their turns, whatever goes wrong with one of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.contract import Action, Decision
from bot.game.versions import Versions
from bot.store import DuplicateWrite, Unavailable, WriteBatch
from bot.tables import Status
from bot.tables.computers.choosing import Legal
from bot.tables.core.cache import TableCache
from tests.store.database import WAIT_S, Database
from tests.tables.world import ANNA, World, at_random
from tests.waiting import until

SECRET = "the card is 8"


def broken(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    """A policy with a fault, whose message would show a hand."""
    raise RuntimeError(SECRET)


def cheating(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    """A policy that does not know the rules."""
    return ("take", "9")


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    policies = Versions({"pebbles": {"normal": at_random, "broken": broken, "cheating": cheating}})
    world = await World(database, policies=policies).open()
    yield world
    await world.close()


async def answered(world: World, table: int, seat: int) -> None:
    """Waits until the table waits for that seat alone, or is over."""

    async def are_done() -> bool:
        return {*await world.asked(table)} <= {seat}

    await until(are_done)


async def play_to_the_end(world: World, table: int, seat: int) -> None:
    rng = Random(5)
    while await world.status(table) is Status.PLAYING:
        for decision in await world.tables.reader.pending(table):
            if decision.seat == seat and not decision.optional:
                action = f"{decision.kind} {rng.choice((1, 2))}"
                await world.act(table, seat, action, decision=decision.id)
        await answered(world, table, seat)


@pytest.mark.parametrize("policy", ["normal", "broken", "cheating"])
async def test_a_game_against_a_computer_player_comes_to_its_end(
    world: World, caplog: pytest.LogCaptureFixture, policy: str
) -> None:
    await world.tables.resume()
    table, seat = await world.against(policy, policy)
    await world.act(table, seat, f"gift {(seat + 1) % 3}")
    await play_to_the_end(world, table, seat)
    assert await world.tables.reader.outcome(table) is not None
    answers = [line for line in await world.actions(table) if line[:6] in ("accept", "declin")]
    # What a policy cannot answer is left alone.
    assert len(answers) == (policy == "normal")
    # A fault is logged with its table and without secrets.
    assert (f"table {table}: a policy failed: RuntimeError" in caplog.text) is (policy == "broken")
    assert ("in broken" in caplog.text) is (policy == "broken")
    assert SECRET not in caplog.text


async def test_computer_players_go_on_after_a_restart(world: World) -> None:
    table, seat = await world.against("normal")
    assert await world.tables.reader.seq(table) == 0, "nobody plays before `resume`"
    await world.reopen()
    await world.tables.resume()
    await answered(world, table, seat)
    assert await world.tables.reader.seq(table) == 1


@pytest.mark.parametrize("error", [Unavailable("database is locked"), DuplicateWrite("UNIQUE")])
async def test_a_computer_player_waits_for_the_database_and_for_who_writes_at_the_same_time(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    table, seat = await world.against("normal")
    commit, refused = world.store.commit, 0

    async def once(batch: WriteBatch) -> None:
        nonlocal refused
        is_entry = any("action" in written for _statement, written in batch.steps)
        refused += is_entry
        if is_entry and refused == 1:
            raise error
        await commit(batch)

    monkeypatch.setattr(world.store, "commit", once)
    await world.tables.resume()
    await answered(world, table, seat)
    assert refused == 2
    assert await world.tables.reader.seq(table) == 1
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("status", [Status.PAUSED, Status.PLAYING])
async def test_what_happens_before_a_computer_player_can_act_is_no_fault(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, status: Status
) -> None:
    first, tried = True, asyncio.Event()
    alone = TableCache.alone

    async def meanwhile() -> None:
        if status is Status.PAUSED:
            await world.tables.pauses.propose(table, ANNA)
        else:
            await world.act(table, seat, "choose 2")

    async def late(self: TableCache, table_id: int, work: Callable[[], Awaitable[Any]]) -> Any:
        nonlocal first
        if first and isinstance(work, partial) and work.func.__name__ == "_unit":
            first = False
            await meanwhile()
            tried.set()
        return await alone(self, table_id, work)

    monkeypatch.setattr(TableCache, "alone", late)
    table, seat = await world.against("normal")
    with caplog.at_level(logging.INFO):
        await world.tables.resume()
        async with asyncio.timeout(WAIT_S):
            await tried.wait()
            await world.tables.computers.rest(table, WAIT_S)
    assert await world.status(table) is status
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []
