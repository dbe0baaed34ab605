"""Clocks, outages, absences, autopilot, pauses and sleeping tables, without the bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from bot.game.contract import IllegalAction, Seat
from bot.game.log import RecordedEntry
from bot.store import OutboxKind, Unavailable
from bot.tables import Status, Table, Tables
from bot.tables.clocks import WARNING, ZERO
from bot.tables.core import errors, log, record, scheduler
from tests.games.pebbles import GAME
from tests.store.database import WAIT_S, Database
from tests.tables.world import ANNA, BEN, CARA, World, whole_record
from tests.waiting import until


class Terms(World):
    """A world whose tables can have terms."""

    async def timed(self, *users: int, **terms: str) -> Table:
        table = await self.lobby(*users, length="long")
        for name, value in terms.items():
            table = await self.tables.lobby.set_option(table.id, users[0], name, value)
        return await self.tables.lobby.start(table.id, users[0])

    async def choose(self, table: Table, *seats: Seat) -> None:
        for seat in seats:
            await self.act(table.id, seat, "choose 1")

    async def pass_time(self, **parts: float) -> None:
        """Move the clock and do all tasks that are due."""
        self.clock.move(**parts)
        await self.tables.scheduler.tick()

    async def left(self, table: Table) -> dict[Seat, timedelta]:
        table = await self.tables.reader.get(table.id)
        return {seat: time.left for seat, time in (await self.tables.clocks.times(table)).items()}

    async def ends(self, table: int, seat: Seat) -> list[datetime | None]:
        """Return the times of a seat's warning and end."""
        return [await self.store.scheduled_at(table, seat, kind) for kind in (WARNING, ZERO)]

    async def pinged(self, table: Table) -> list[Seat | None]:
        return await self.queued(table.id, OutboxKind.PING)

    async def away(self, **parts: float) -> None:
        """Kill the process and start another one this much later."""
        # A killed process records no last heartbeat.
        self.tables.outages._at = None
        await self.close()
        self.clock.move(**parts)
        await self.open()
        await self.tables.outages.beat()

    async def voted_on(self, table: int) -> list[Seat]:
        rows = [each.row for each in await self.open_votes(table)]
        return sorted(int(row.word) for row in rows if row.kind == "autopilot")

    def another(self) -> Tables:
        return Tables(self.store, self.games, self.policies, self.clock, Random(1))


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Terms]:
    made = Terms(database)
    await made.open()
    yield made
    await made.close()


async def test_a_clock_warns_at_a_third_and_runs_out_once_over_a_restart(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d3", at_zero="autopilot")
    await world.choose(table, 1)
    await world.pass_time(hours=47)
    assert await world.pinged(table) == []
    world.clock.move(hours=1)
    await world.reopen()
    await world.pass_time()
    assert await world.pinged(table) == [0]
    world.clock.move(days=1)
    other = world.another()

    await asyncio.gather(world.tables.scheduler.tick(), other.scheduler.tick())

    assert (await world.actions(table.id)).count(log.AUTO) == 1
    await other.close()


async def test_each_turn_begins_with_the_full_time(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    world.clock.move(hours=23)
    await world.choose(table, 0, 1)
    assert {*(await world.left(table)).values()} == {timedelta(days=1)}
    seats = await world.asked(table.id)
    # The warning and the end are due at the same time: one ping is enough.
    await world.pass_time(days=1)
    assert await world.pinged(table) == seats


async def test_an_outage_of_three_days_stops_clocks_and_deadlines(world: Terms) -> None:
    await world.tables.outages.beat()
    table, lobby = await world.timed(ANNA, BEN, clock="d2", at_zero="vote"), await world.lobby(CARA)
    await world.tables.votes.propose(table.id, ANNA, "pause")
    world.clock.move(hours=1)
    await world.tables.outages.last_beat()

    await world.away(days=3)

    await world.pass_time()
    assert {*(await world.left(table)).values()} == {timedelta(hours=47)}
    assert await world.pinged(table) == []
    with pytest.raises(errors.Rejected, match="not_late"):
        await world.tables.votes.propose(table.id, BEN, "replace", "0")
    (vote,) = await world.open_votes(table.id)
    assert vote.row.until == world.clock.now() + timedelta(days=5, hours=-1)
    # A third is left after 32 hours. The outage does not count twice.
    await world.away(minutes=2)
    await world.pass_time(hours=30, minutes=57)
    assert await world.pinged(table) == []
    await world.pass_time(minutes=1)
    assert await world.pinged(table) == [0, 1]
    await world.pass_time(hours=16)
    assert await world.voted_on(table.id) == [0, 1]
    # Lobbies are warned after 14 days, without the three of the outage.
    await world.pass_time(days=11, hours=23)
    assert await world.tables.idleness.closes(lobby.id) is None
    await world.pass_time(hours=1)
    assert await world.tables.idleness.closes(lobby.id) is not None


async def test_the_next_process_counts_an_outage_if_one_dies_while_doing_so(
    world: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    await world.tables.outages.beat()
    world.clock.move(days=3)
    with monkeypatch.context() as dying:
        dying.setattr(world.store, "commit", AsyncMock(side_effect=Unavailable("killed")))
        with pytest.raises(errors.StoreUnavailable):
            await world.tables.outages.beat()

    await world.away(hours=1)

    assert {*(await world.left(table)).values()} == {timedelta(days=1)}


async def test_clocks_stop_while_discord_is_unreachable(world: Terms) -> None:
    table, reached = await world.timed(ANNA, BEN, clock="d1"), asyncio.Event()
    await world.tables.outages.beat()
    world.tables.scheduler.is_reachable, world.tables.scheduler._every_s = reached.is_set, 0.001
    world.tables.scheduler.start()
    for _ in range(20):
        world.clock.move(minutes=4)
        await asyncio.sleep(0.003)

    reached.set()

    async def has_outage() -> bool:
        return len(await world.tables.outages.spans(table.id)) == 1

    await until(has_outage)
    assert {*(await world.left(table)).values()} == {timedelta(days=1)}


async def test_there_is_no_outage_while_one_process_runs(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    await world.tables.outages.beat()
    other = world.another()
    for _ in range(5):
        world.clock.time += scheduler.MIN_OUTAGE
        await other.outages.beat()
    await world.tables.outages.beat()
    assert {*(await world.left(table)).values()} == {timedelta(days=1) - 5 * scheduler.MIN_OUTAGE}
    await other.close()


async def test_a_reserve_shrinks_with_time_and_grows_with_moves(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="reserve")
    for seat, hours in enumerate((10, 5)):
        world.clock.move(hours=hours)
        await world.choose(table, seat)
    asked, *_ = await world.asked(table.id)
    assert (await world.left(table))[asked] == timedelta(hours=18 if asked == 0 else 13)


async def test_absence_freezes_a_clock_from_the_day_it_is_announced(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    user, change = await world.user_at(table.id, 0), world.tables.people.change
    world.clock.move(hours=6)
    today = world.clock.time.date()
    await change(user, away_from=today, away_until=today + timedelta(days=2))
    world.clock.move(days=2)
    assert (await world.left(table))[0] == timedelta(hours=18)
    await change(user, away_from=None, away_until=None)
    world.clock.move(hours=1)
    assert (await world.left(table))[0] == timedelta(hours=17)


def may(day: int, hour: int, minute: int = 0) -> datetime:
    """Return an instant of May 2030, when these tables play."""
    return datetime(2030, 5, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("clock", "began", "warned", "up"),
    [
        # A third is left at midnight, in quiet hours.
        ("d1", may(1, 8), may(1, 22, 55), may(2, 8)),
        ("d1", may(1, 16, 30), may(2, 8, 30), may(2, 16, 30)),
        # A turn that begins in quiet hours has its warning after them.
        ("reserve", may(1, 23, 30), may(2, 8), may(2, 9, 40)),
        ("reserve", may(1, 22), may(1, 22, 55), may(2, 3)),
        ("reserve", may(2, 4, 20), may(2, 8), may(2, 9, 20)),
    ],
)
async def test_a_warning_comes_before_quiet_hours_or_delays_zero(
    world: Terms, clock: str, began: datetime, warned: datetime, up: datetime
) -> None:
    world.clock.time = began
    if clock == "reserve":
        world.clock.move(hours=-23)
    table = await world.timed(ANNA, BEN, clock=clock, at_zero="autopilot")
    for user in (ANNA, BEN):
        await world.tables.people.change(user, quiet_from=23 * 60, quiet_to=8 * 60)
    if clock == "reserve":
        # 1 hour of 24 is left, and the move adds 4.
        world.clock.time = began
        await world.choose(table, 0, 1)
    seat, *_ = await world.asked(table.id)
    assert await world.ends(table.id, seat) == [warned, up]

    for at, pings, is_up in (
        (warned - timedelta(minutes=1), 0, False),
        (warned, 1, False),
        (up - timedelta(minutes=1), 1, False),
        (up, 1, True),
    ):
        world.clock.time = at
        await world.tables.scheduler.tick()
        player = (await world.tables.reader.get(table.id)).players[seat]
        pinged = (await world.pinged(table)).count(seat)
        assert (player.is_autopiloted, is_up or pinged) == (is_up, is_up or pings), at


async def test_a_changed_setting_moves_a_warning_but_does_not_repeat_it(world: Terms) -> None:
    world.clock.time = may(1, 8)
    table = await world.timed(ANNA, BEN, clock="d1", at_zero="vote")
    change = partial(world.tables.people.change, await world.user_at(table.id, 0))
    assert await world.ends(table.id, 0) == [may(2, 0), may(2, 8)]
    await change(quiet_from=22 * 60, quiet_to=6 * 60)
    assert await world.ends(table.id, 0) == [may(1, 21, 55), may(2, 8)]
    await change(snoozed_until=may(2, 7, 30))
    assert await world.ends(table.id, 0) == [may(2, 7, 30), may(2, 8, 30)]
    # Time would be up before the warning, so the end comes 8 hours after it.
    await change(snoozed_until=may(2, 9))
    assert await world.ends(table.id, 0) == [may(2, 9), may(2, 17)]
    await change(snoozed_until=None)
    world.clock.time = may(1, 21, 55)
    await world.pass_time()
    assert await world.pinged(table) == [0]
    # A snooze does not cancel or repeat a warning that was sent.
    await change(snoozed_until=may(3, 9))
    assert await world.ends(table.id, 0) == [None, may(2, 8)]
    world.clock.time = may(2, 8)
    await world.pass_time()
    assert await world.voted_on(table.id) == [0, 1]
    await change(snoozed_until=None)
    await world.pass_time()
    assert await world.voted_on(table.id) == [0, 1]


@pytest.mark.parametrize("clock", ["d1", "reserve"])
async def test_a_woken_table_restarts_its_clocks(world: Terms, clock: str) -> None:
    table = await world.timed(ANNA, BEN, clock=clock, at_zero="vote")
    await world.pass_time(days=20)
    # A secret action does not delay the public warning.
    await world.act(table.id, 0, "gift 1")
    assert await world.queued(table.id, OutboxKind.IDLE) == []
    await world.reopen()
    await world.pass_time(days=1)
    assert await world.queued(table.id, OutboxKind.IDLE) == [None]
    await world.pass_time(days=7)
    assert await world.status(table.id) is Status.SLEEPING
    with pytest.raises(errors.NotPlaying, match="table_asleep"):
        await world.choose(table, 1)
    voted = await world.queued(table.id, OutboxKind.VOTE)
    world.clock.move(days=3)

    await world.tables.seats.wake(table.id, BEN)

    assert await world.open_votes(table.id) == []
    await world.pass_time(hours=23)
    assert {*(await world.left(table)).values()} == {timedelta(hours=1)}
    assert await world.queued(table.id, OutboxKind.VOTE) == voted
    # The idle time counts from the waking, not from the last action.
    await world.pass_time(days=19)
    assert await world.queued(table.id, OutboxKind.IDLE) == [None]
    await world.pass_time(days=1, hours=1)
    assert await world.queued(table.id, OutboxKind.IDLE) == [None, None]


async def test_an_agreed_pause_stops_actions_and_clocks(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    world.clock.move(hours=20)
    await world.tables.votes.propose(table.id, ANNA, "pause")
    await world.tables.votes.answer(table.id, BEN, "pause", agree=True)
    with pytest.raises(errors.NotPlaying, match="table_paused"):
        await world.choose(table, 0)
    assert await world.tables.notifications.of_user(ANNA) == []
    await world.pass_time(days=9)
    await world.reopen()
    await world.tables.votes.propose(table.id, BEN, "pause")
    await world.tables.votes.answer(table.id, ANNA, "resume", agree=True)

    assert {*(await world.left(table)).values()} == {timedelta(days=1)}
    await world.choose(table, 0)


@pytest.mark.parametrize("way", ["autopilot", "replace"])
async def test_a_table_falls_asleep_when_computer_players_act_for_all_people(
    world: Terms, way: str
) -> None:
    """Check votes; tests/cogs covers autopilot by request, clock and resignation."""
    table = await world.timed(ANNA, BEN)
    seat, last = [await world.tables.reader.seat_of(table.id, user) for user in (ANNA, BEN)]
    await world.choose(table, seat)
    await world.tables.seats.autopilot(table.id, ANNA)
    await world.all_sent()
    await world.tables.resume()
    # The scheduler's first check must not do due tasks.
    await world.tables.scheduler.stop()

    world.clock.move(days=2)
    await world.tables.votes.propose(table.id, ANNA, way, str(last))
    await world.tables.computers.until_idle(table.id, WAIT_S)

    assert not (await world.tables.reader.get(table.id)).humans
    lines = await world.actions(table.id)
    assert lines[-1] == log.REST
    assert lines[-2] in (log.AUTO, log.RESIGN)
    assert lines[1:-2] == ["choose 1", log.AUTO]
    assert await world.tables.notifications.of_user(BEN) == []
    assert await world.tables.results.of_person(ANNA, 1) == ()
    for _ in range(2):
        assert await world.status(table.id) is Status.SLEEPING
        await world.reopen()

    if way == "autopilot":
        # No seat is vacant: all still have their owners.
        with pytest.raises(errors.Rejected, match="seat_taken"):
            await world.tables.seats.claim(table.id, CARA, "Cara")
    # A player who comes back takes control of their own seat only.
    with pytest.raises(IllegalAction):
        await world.act(table.id, seat, "choose 9", user=ANNA)
    assert await world.status(table.id) is Status.SLEEPING
    await world.tables.seats.wake(table.id, ANNA)
    after = await world.tables.reader.get(table.id)
    assert (after.status, [player.user for player in after.humans]) == (Status.PLAYING, [ANNA])
    assert (await world.actions(table.id))[-2:] == [log.MANUAL, log.WAKE]
    assert after.players[last].vacant is (way == "replace")
    assert not (await world.tables.seats.autopilot(table.id, BEN, on=False)).players[last].vacant


async def test_old_games_that_computer_players_finished_can_be_replayed(world: Terms) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 200, Random(1))
    whole = await whole_record(world.tables, table.id)
    autos = [RecordedEntry(seat, log.AUTO) for seat in (0, 1)]
    old = replace(whole, entries=(whole.entries[0], *autos, *whole.entries[1:]))
    assert record.verify(GAME, old) == record.verify(GAME, whole) is not None
