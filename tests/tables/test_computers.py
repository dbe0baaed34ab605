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
from bot.tables import Status, Table
from bot.tables.computers.choosing import Legal
from bot.tables.core.cache import TableCache
from tests.store.database import WAIT_S, Database
from tests.tables.world import ANNA, BEN, World, at_random, whole_record
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


async def against(world: World, policy: str, *, computers: int = 1) -> tuple[Table, int]:
    """A game of Anna against a computer player, and where she sits."""
    table = await world.lobby(ANNA)
    for _ in range(computers):
        await world.tables.lobby.add_computer(table.id, ANNA, policy)
    table = await world.tables.lobby.start(table.id, ANNA)
    return table, await world.tables.reader.seat_of(table.id, ANNA)


async def quiet(world: World, table: Table, until: Any) -> None:
    """Waits for a change after which `until()` holds."""
    changed = asyncio.Event()
    world.tables.subscribe(lambda _: changed.set())
    async with asyncio.timeout(WAIT_S):
        while not await until():
            await changed.wait()
            changed.clear()


async def answered(world: World, table: Table, seat: int) -> None:
    """Waits until the table waits for that seat alone, or is over."""

    async def until() -> bool:
        asked = {d.seat for d in await world.tables.reader.pending(table.id) if not d.optional}
        return asked <= {seat}

    await quiet(world, table, until)


async def play_to_the_end(world: World, table: Table, seat: int) -> None:
    rng = Random(5)
    while (await world.tables.reader.get(table.id)).status is Status.PLAYING:
        for decision in await world.tables.reader.pending(table.id):
            if decision.seat == seat and not decision.optional:
                action = (decision.kind, str(rng.choice((1, 2))))
                await world.tables.play.act(table.id, seat, action, decision=decision.id)
        await answered(world, table, seat)


@pytest.mark.parametrize("policy", ["normal", "broken", "cheating"])
async def test_a_game_against_a_computer_player_comes_to_its_end(world: World, policy: str) -> None:
    await world.tables.resume()
    table, seat = await against(world, policy, computers=2)
    await play_to_the_end(world, table, seat)
    assert await world.tables.reader.outcome(table.id) is not None


async def test_waiting_for_the_computer_players_ends_when_a_person_is_asked(world: World) -> None:
    await world.tables.resume()
    table, seat = await against(world, "normal", computers=2)
    for _ in range(3):
        await world.tables.computers.rest(table.id, WAIT_S)
        asked = [d for d in await world.tables.reader.pending(table.id) if not d.optional]
        assert [decision.seat for decision in asked] == [seat]
        await world.tables.play.act(table.id, seat, (asked[0].kind, "1"))


async def test_waiting_for_a_table_without_computer_players_ends_at_once(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    table = await world.tables.lobby.start(table.id, ANNA)
    await world.tables.computers.rest(table.id, WAIT_S)


async def test_computer_players_go_on_after_a_restart(world: World) -> None:
    table, seat = await against(world, "normal")
    assert await world.tables.reader.seq(table.id) == 0, "nobody plays before `resume`"
    await world.reopen()
    await world.tables.resume()
    await answered(world, table, seat)
    assert await world.tables.reader.seq(table.id) == 1


async def test_a_seat_given_up_is_played_on(world: World) -> None:
    await world.tables.resume()
    table = await world.game(ANNA, BEN)
    await world.tables.leaving.resign(table.id, BEN)
    seat = await world.tables.reader.seat_of(table.id, ANNA)
    await answered(world, table, seat)
    await play_to_the_end(world, table, seat)


async def test_an_offer_to_a_computer_player_is_answered_once(world: World) -> None:
    await world.tables.resume()
    table, seat = await against(world, "normal")
    await answered(world, table, seat)
    await world.tables.play.act(table.id, seat, ("gift", str(1 - seat)))

    async def no_offer() -> bool:
        return all(d.kind != "answer" for d in await world.tables.reader.pending(table.id))

    await quiet(world, table, no_offer)


async def test_an_offer_that_a_policy_cannot_answer_is_left_alone(world: World) -> None:
    await world.tables.resume()
    table, seat = await against(world, "broken")
    await world.tables.play.act(table.id, seat, ("gift", str(1 - seat)))
    await play_to_the_end(world, table, seat)
    offers = [
        e for e in (await whole_record(world.tables, table.id)).entries if e.action[:4] != "gift"
    ]
    assert all(not entry.action.startswith(("accept", "decline")) for entry in offers)


async def test_a_fault_is_logged_with_its_table_and_without_secrets(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.tables.resume()
    table, seat = await against(world, "broken")
    await answered(world, table, seat)
    assert f"table {table.id}: a policy failed: RuntimeError" in caplog.text
    assert "in broken" in caplog.text
    assert SECRET not in caplog.text


async def test_a_table_that_cannot_be_read_stops_no_other(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    bad, _ = await against(world, "normal")
    good, seat = await against(world, "normal")
    await world.close()
    await world.database.execute(
        "UPDATE log SET action = 'setup 9' WHERE \"table\" = :table", table=bad.id
    )
    await world.database.execute('DELETE FROM snapshots WHERE "table" = :table', table=bad.id)
    await world.open()
    with caplog.at_level(logging.ERROR):
        await world.tables.resume()
        await answered(world, good, seat)
        failed = f"table {bad.id}: a computer player failed: TableDamaged"
        await until(lambda: failed in caplog.text)


async def test_a_computer_player_waits_for_the_database(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat = await against(world, "normal")
    await world.tables.resume()
    waiting = asyncio.Event()
    commit = world.store.commit

    async def locked(batch: WriteBatch) -> None:
        if waiting.is_set():
            await commit(batch)
        else:
            waiting.set()
            raise Unavailable("database is locked")

    monkeypatch.setattr(world.store, "commit", locked)
    async with asyncio.timeout(WAIT_S):
        await waiting.wait()
    await answered(world, table, seat)
    assert await world.tables.reader.seq(table.id) == 1


async def abandoned(world: World, table: Table) -> None:
    """The game ends without a result."""
    await world.tables.leaving.abandon(table.id, ANNA)


async def paused(world: World, table: Table) -> None:
    """All have agreed to rest."""
    await world.tables.pauses.propose(table.id, ANNA)


async def asleep(world: World, table: Table) -> None:
    """Nobody has acted for weeks."""
    # It looks what is due at its start too, which must not come in between.
    await world.tables.scheduler.stop()
    for _ in range(2):
        world.clock.move(days=30)
        await world.tables.scheduler.tick()


async def acted(world: World, table: Table) -> None:
    """Anna has chosen, so that the position is another one."""
    seat = await world.tables.reader.seat_of(table.id, ANNA)
    await world.tables.play.act(table.id, seat, ("choose", "2"))


Meanwhile = Callable[[World, Table], Awaitable[None]]


@pytest.mark.parametrize(
    ("meanwhile", "status"),
    [
        (abandoned, Status.ABANDONED),
        (paused, Status.PAUSED),
        (asleep, Status.SLEEPING),
        (acted, Status.PLAYING),
    ],
)
async def test_what_happens_before_a_computer_player_can_act_is_no_fault(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    meanwhile: Meanwhile,
    status: Status,
) -> None:
    first, tried = True, asyncio.Event()
    alone = TableCache.alone

    async def late(self: TableCache, table_id: int, work: Callable[[], Awaitable[Any]]) -> Any:
        nonlocal first
        if first and isinstance(work, partial) and work.func.__name__ == "_unit":
            first = False
            await meanwhile(world, table)
            tried.set()
        return await alone(self, table_id, work)

    monkeypatch.setattr(TableCache, "alone", late)
    table, _ = await against(world, "normal")
    with caplog.at_level(logging.INFO):
        await world.tables.resume()
        async with asyncio.timeout(WAIT_S):
            await tried.wait()
            await world.tables.computers.rest(table.id, WAIT_S)
    assert (await world.tables.reader.get(table.id)).status is status
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


async def test_two_who_write_at_once_are_no_fault(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table, seat = await against(world, "normal")
    await world.tables.resume()
    commit, refused = world.store.commit, 0

    async def beaten(batch: WriteBatch) -> None:
        nonlocal refused
        is_entry = any("action" in written for _statement, written in batch.steps)
        refused += is_entry
        if is_entry and refused == 1:
            raise DuplicateWrite("UNIQUE constraint failed")
        await commit(batch)

    monkeypatch.setattr(world.store, "commit", beaten)
    await answered(world, table, seat)
    assert refused > 1
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
