"""Tables to watch: computer players take their turns at the table's pace."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import pytest

from bot.store import WHOLE_TABLE
from bot.tables import OutboxKind, Rejected, Status, Table
from bot.tables.core.model import WATCH
from bot.tables.core.scheduler import LEASE
from tests.store.database import BOTH, Database
from tests.tables.world import ANNA, BEN, CARA, World
from tests.waiting import until

pytestmark = BOTH


class Watched(World):
    """A world whose computer players are at work."""

    async def open(self) -> Watched:
        await super().open()
        await self.tables.resume()
        return self

    async def to_watch(self, host: int = ANNA, pace: str = "m1", guild: int = 1) -> Table:
        return await self.tables.lobby.open_to_watch(
            "pebbles",
            ["Computer 1", "Computer 2", "Computer 3"],
            "normal",
            pace,
            host=host,
            guild=guild,
            channel=500,
            options={"length": "long"},
        )

    async def pass_time(self, **parts: float) -> None:
        """Move the clock, do what is due, and wait until the computer players are done."""
        self.clock.move(**parts)
        await self.tables.scheduler.tick()
        computers = self.tables.computers
        await until(lambda: not computers._queue and not computers._playing)

    async def turns(self, table: Table) -> list[str]:
        """Return the actions since the last call."""
        actions = await self.actions(table.id)
        new, self.seen = actions[self.seen :], len(actions)
        return new

    seen = 0


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Watched]:
    world = await Watched(database).open()
    yield world
    await world.close()


async def test_computers_play_one_turn_at_a_time_at_the_pace_also_after_a_restart(
    world: Watched,
) -> None:
    table = await world.to_watch()
    assert (table.host, table.owners, table.status) == (ANNA, (), Status.PLAYING)
    assert [kind.partition(" ")[0] for kind in await world.turns(table)] == ["setup"]
    assert await world.queued(table.id, OutboxKind.LOBBY) == []
    await world.pass_time(seconds=59)
    assert await world.turns(table) == []

    rounds = 0
    for number in range(8):
        await world.all_sent()
        await world.pass_time(seconds=61)
        turn = [action.partition(" ")[0] for action in await world.turns(table)]
        # All choose in secret in one turn. Then someone takes pebbles: the last to choose in the
        # same turn, others in the next.
        assert turn in (3 * ["choose"], [*3 * ["choose"], "take"], ["take"])
        rounds += "choose" in turn
        assert await world.queued(table.id, OutboxKind.BOARD) == [None]
        await world.pass_time(seconds=30)
        assert await world.turns(table) == []
        if number % 2:
            await world.reopen()
            await world.pass_time()
            assert await world.turns(table) == []
    assert rounds > 1


async def test_a_turn_cut_short_is_finished_and_no_turn_is_played_twice(world: Watched) -> None:
    table = await world.to_watch()
    await world.turns(table)
    # The process dies after it has begun a turn: the task is due again after its lease.
    await world.tables.computers.stop()
    world.clock.move(seconds=61)
    await world.tables.scheduler.tick()
    await world.reopen()
    await world.pass_time(seconds=61)
    assert await world.turns(table) == []
    await world.pass_time(seconds=LEASE.total_seconds())
    assert len(await world.turns(table)) in (3, 4)
    # A table that is queued once more has no turn left to play.
    world.tables.computers.queue(table.id)
    await world.pass_time()
    assert await world.turns(table) == []


async def test_a_watched_game_ends_without_results_and_predictions_count(world: Watched) -> None:
    table = await world.to_watch(pace="h1")
    await world.tables.predictions.predict(table.id, BEN, "Ben", 0, 3)
    await world.tables.predictions.predict(table.id, ANNA, "Anna", 1, 3)
    with pytest.raises(Rejected, match="seat_taken"):
        await world.tables.seats.claim(table.id, CARA, "Cara")
    await world.play(table.id, 1000, Random(3))
    assert await world.status(table.id) is Status.FINISHED
    assert all(row.points is not None for row in await world.tables.predictions.at(table.id))
    assert await world.tables.results.of_person(ANNA, 1) == ()
    await world.pass_time(hours=2)
    assert await world.store.scheduled_at(table.id, WHOLE_TABLE, WATCH) is None


async def test_a_watched_table_never_sleeps_and_can_be_ended(world: Watched) -> None:
    table = await world.to_watch(pace="h1")
    await world.tables.computers.stop()
    for _ in range(5):
        world.clock.move(days=20)
        await world.tables.scheduler.tick()
    assert await world.status(table.id) is Status.PLAYING
    assert await world.queued(table.id, OutboxKind.IDLE) == []
    with pytest.raises(Rejected, match="not_seated"):
        await world.tables.leaving.resign(table.id, ANNA)
    await world.reopen()
    await world.tables.leaving.dissolve(table.id)
    assert await world.status(table.id) is Status.ABANDONED
    await world.pass_time(hours=2)
    assert await world.store.scheduled_at(table.id, WHOLE_TABLE, WATCH) is None


async def test_a_person_watches_one_table_and_a_server_has_two(world: Watched) -> None:
    table = await world.to_watch()
    with pytest.raises(Rejected, match="watches_already"):
        await world.to_watch(guild=2)
    await world.to_watch(BEN)
    with pytest.raises(Rejected, match="too_many_watched"):
        await world.to_watch(CARA)
    await world.to_watch(CARA, guild=2)
    await world.tables.leaving.dissolve(table.id)
    await world.to_watch()
    with pytest.raises(Rejected, match="wrong_seats"):
        await world.tables.lobby.open_to_watch(
            *("pebbles", ["Alone"], "normal", "m1"),
            host=9,
            guild=3,
            channel=5,
            options={},
        )
