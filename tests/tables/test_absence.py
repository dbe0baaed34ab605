"""Clocks, autopilot, seats taken over, rests and standing orders, below the bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from bot.game.contract import ANSWER, Action, Decision, IllegalAction, Seat, offer_of
from bot.game.versions import Versions
from bot.policy.orders import Order, decline_offers
from bot.store import Unavailable
from bot.tables import Status, StoreUnavailable, Table, Tables
from bot.tables.clock.turn_clocks import WARNING, ZERO
from bot.tables.computers.choosing import Legal
from bot.tables.core import outages, record, table_lines
from bot.tables.core.errors import (
    AlreadySeated,
    NotLate,
    SeatTaken,
    TableAsleep,
    TablePaused,
    UnknownOption,
)
from bot.tables.core.model import OutboxKind
from bot.tables.votes.proposals import Verdict
from tests.games.pebbles import GAME
from tests.store.database import WAIT_S, Database
from tests.tables.world import ANNA, BEN, CARA, World, whole_record
from tests.waiting import until


def take_one(view: Any, decision: Decision, legal: Legal, value: str) -> Action | None:
    """One pebble, whenever any may be taken."""
    return ("take", "1") if decision.kind == "take" else None


ORDERS = Versions(
    {"pebbles": {"decline": Order(("on",), decline_offers), "take": Order(("on",), take_one)}}
)


class Terms(World):
    """A world with standing orders, whose tables may have terms."""

    async def timed(self, *users: int, **terms: str) -> Table:
        """A long game with these terms."""
        table = await self.lobby(*users, length="long")
        for name, value in terms.items():
            table = await self.tables.lobby.set_option(table.id, users[0], name, value)
        return await self.tables.lobby.start(table.id, users[0])

    async def user(self, table: int, seat: Seat) -> int:
        """Who sits there."""
        user = (await self.tables.reader.get(table)).players[seat].user
        assert user is not None
        return user

    async def ends(self, table: int, seat: Seat) -> list[datetime | None]:
        """When a seat's owner is to be warned, and when their time is up."""
        return [await self.store.scheduled_at(table, seat, kind) for kind in (WARNING, ZERO)]

    async def away(self, **parts: float) -> None:
        """Its process is killed, and another one begins so much later."""
        # What it would write as it ends is not written.
        self.tables.outages._at = None
        await self.close()
        self.clock.move(**parts)
        await self.open()
        await self.tables.outages.beat()

    async def queued(self, table: int, kind: OutboxKind) -> list[Seat | None]:
        """The seats of the items of that kind in the outbox."""
        return [row.seat for row in await self.tables.outbox.items(table) if row.kind is kind]

    async def voted_on(self, table: int) -> list[Seat]:
        """The seats about which there is a vote."""
        votes = await self.tables.proposals.open(table)
        return sorted(int(each.word) for each in votes if each.kind == "autopilot")


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Terms]:
    made = Terms(database, orders=ORDERS)
    await made.open()
    yield made
    await made.close()


async def test_a_clock_warns_at_a_third_and_runs_out_once_over_a_restart(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d3", at_zero="autopilot")
    await world.tables.play.act(table.id, 1, ("choose", "1"))
    world.clock.move(hours=47)
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.RING) == []
    world.clock.move(hours=1)
    await world.reopen()
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.RING) == [0]
    world.clock.move(days=1)
    other = Tables(world.store, world.games, world.policies, world.clock, Random(1))

    await asyncio.gather(world.tables.scheduler.tick(), other.scheduler.tick())

    lines = [entry.action for entry in (await whole_record(other, table.id)).entries]
    assert lines.count(table_lines.AUTO) == 1
    await other.close()


async def test_three_days_in_which_the_bot_is_away_are_nobodys_fault(world: Terms) -> None:
    await world.tables.outages.beat()
    table, lobby = await world.timed(ANNA, BEN, clock="d2", at_zero="vote"), await world.lobby(CARA)
    await world.tables.pauses.propose(table.id, ANNA)
    world.clock.move(hours=1)
    await world.tables.outages.last_beat()

    await world.away(days=3)

    await world.tables.scheduler.tick()
    times = (await world.tables.turn_clocks.at(table)).values()
    assert {time.left for time in times} == {timedelta(hours=47)}
    assert await world.queued(table.id, OutboxKind.RING) == []
    with pytest.raises(NotLate):
        await world.tables.seats.propose(table.id, BEN, "replace", 0)
    (vote,) = await world.tables.proposals.open(table.id)
    assert vote.until == world.clock.now() + timedelta(days=5, hours=-1)
    # A third is left when 32 hours have run, and no time is given back twice.
    await world.away(minutes=2)
    world.clock.move(hours=30, minutes=57)
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.RING) == []
    world.clock.move(minutes=1)
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.RING) == [0, 1]
    world.clock.move(hours=16)
    await world.tables.scheduler.tick()
    assert await world.voted_on(table.id) == [0, 1]
    # Lobbies are warned after 14 days, and those three do not count.
    world.clock.move(days=11, hours=23)
    await world.tables.scheduler.tick()
    assert await world.tables.idle_lobbies.closes(lobby.id) is None
    world.clock.move(hours=1)
    await world.tables.scheduler.tick()
    assert await world.tables.idle_lobbies.closes(lobby.id) is not None


async def test_a_process_that_dies_as_it_gives_time_back_leaves_it_to_the_next(
    world: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    await world.tables.outages.beat()
    world.clock.move(days=3)
    with monkeypatch.context() as dying:
        dying.setattr(world.store, "commit", AsyncMock(side_effect=Unavailable("killed")))
        with pytest.raises(StoreUnavailable):
            await world.tables.outages.beat()

    await world.away(hours=1)

    times = (await world.tables.turn_clocks.at(table)).values()
    assert {time.left for time in times} == {timedelta(days=1)}


async def test_while_discord_cannot_be_reached_nothing_is_due_and_no_time_runs(
    world: Terms,
) -> None:
    table, reached = await world.timed(ANNA, BEN, clock="d1"), asyncio.Event()
    await world.tables.outages.beat()
    world.tables.scheduler.is_there, world.tables.scheduler._every_s = reached.is_set, 0.001
    world.tables.scheduler.start()
    for _ in range(20):
        world.clock.move(minutes=4)
        await asyncio.sleep(0.01)

    reached.set()

    async def noticed() -> bool:
        return len(await world.tables.outages.at(table.id)) == 1

    await until(noticed)
    times = (await world.tables.turn_clocks.at(table)).values()
    assert {time.left for time in times} == {timedelta(days=1)}


async def test_the_bot_is_there_as_long_as_one_of_its_processes_is(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    await world.tables.outages.beat()
    other = Tables(world.store, world.games, world.policies, world.clock, Random(1))
    for _ in range(5):
        world.clock.time += outages.NOTICED
        await other.outages.beat()
    await world.tables.outages.beat()
    times = (await world.tables.turn_clocks.at(table)).values()
    assert {time.left for time in times} == {timedelta(days=1) - 5 * outages.NOTICED}
    await other.close()


async def test_who_acts_in_time_has_all_of_it_for_the_next_turn(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    world.clock.move(hours=23)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    await world.tables.play.act(table.id, 1, ("choose", "1"))
    times = await world.tables.turn_clocks.at(table)
    assert {time.left for time in times.values()} == {timedelta(days=1)}


async def test_a_reserve_is_used_up_by_waiting_and_grows_by_moves(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="reserve")
    world.clock.move(hours=10)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    world.clock.move(hours=5)
    await world.tables.play.act(table.id, 1, ("choose", "1"))
    (asked,) = [d.seat for d in await world.tables.reader.pending(table.id) if not d.optional][:1]
    left = (await world.tables.turn_clocks.at(table))[asked].left
    assert left == timedelta(hours=18 if asked == 0 else 13)


async def test_absence_freezes_a_clock_from_the_day_it_is_announced(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    user = await world.user(table.id, 0)
    world.clock.move(hours=6)
    today = world.clock.time.date()
    away = {"away_from": today, "away_until": today + timedelta(days=2)}
    await world.tables.people.change(user, **away)
    world.clock.move(days=2)
    assert (await world.tables.turn_clocks.at(table))[0].left == timedelta(hours=18)
    await world.tables.people.change(user, away_from=None, away_until=None)
    world.clock.move(hours=1)
    assert (await world.tables.turn_clocks.at(table))[0].left == timedelta(hours=17)


def may(day: int, hour: int, minute: int = 0) -> datetime:
    """An instant of May 2030, when these tables play."""
    return datetime(2030, 5, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("clock", "began", "warned", "up"),
    [
        # A third is left at midnight, when nobody is to be woken.
        ("d1", may(1, 8), may(1, 22, 55), may(2, 8)),
        ("d1", may(1, 14), may(1, 22, 55), may(2, 14)),
        ("d1", may(1, 16, 30), may(2, 8, 30), may(2, 16, 30)),
        # Nothing can be said before 23:00 of a turn that begins after it.
        ("reserve", may(1, 23, 30), may(2, 8), may(2, 9, 40)),
        ("reserve", may(1, 22), may(1, 22, 55), may(2, 3)),
        ("reserve", may(2, 4, 20), may(2, 8), may(2, 9, 20)),
    ],
)
async def test_a_warning_comes_before_quiet_hours_or_zero_waits_for_it(
    world: Terms, clock: str, began: datetime, warned: datetime, up: datetime
) -> None:
    world.clock.time = began
    if clock == "reserve":
        world.clock.move(hours=-23)
    table = await world.timed(ANNA, BEN, clock=clock, at_zero="autopilot")
    for user in (ANNA, BEN):
        await world.tables.people.change(user, quiet_from=23 * 60, quiet_to=8 * 60)
    if clock == "reserve":
        # With 1 hour of 24 left, and 4 more for the move.
        world.clock.time = began
        await world.tables.play.act(table.id, 0, ("choose", "1"))
        await world.tables.play.act(table.id, 1, ("choose", "1"))
    (seat, *_) = [d.seat for d in await world.tables.reader.pending(table.id) if not d.optional]

    assert await world.ends(table.id, seat) == [warned, up]

    queued = list[tuple[datetime, list[Seat | None]]]()
    while not (await world.tables.reader.get(table.id)).players[seat].is_autopiloted:
        world.clock.move(minutes=5)
        await world.tables.scheduler.tick()
        rung = await world.queued(table.id, OutboxKind.RING)
        if not queued or rung != queued[-1][1]:
            queued.append((world.clock.time, rung))
    assert world.clock.time == up
    assert next(at for at, rung in queued if rung.count(seat) == 1) == warned


async def test_a_changed_setting_moves_a_warning_and_zero_but_repeats_neither(
    world: Terms,
) -> None:
    world.clock.time = may(1, 8)
    table = await world.timed(ANNA, BEN, clock="d1", at_zero="vote")
    change = partial(world.tables.people.change, await world.user(table.id, 0))
    assert await world.ends(table.id, 0) == [may(2, 0), may(2, 8)]
    await change(quiet_from=22 * 60, quiet_to=6 * 60)
    assert await world.ends(table.id, 0) == [may(1, 21, 55), may(2, 8)]
    await change(snoozed_until=may(2, 7, 30))
    assert await world.ends(table.id, 0) == [may(2, 7, 30), may(2, 8, 30)]
    # Their time is up before they can be warned: it is, 8 hours after that.
    await change(snoozed_until=may(2, 9))
    assert await world.ends(table.id, 0) == [may(2, 9), may(2, 17)]
    await change(snoozed_until=None)
    world.clock.time = may(1, 21, 55)
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.RING) == [0]
    # A warning that has come is not taken back by a snooze, nor sent again.
    await change(snoozed_until=may(3, 9))
    assert await world.ends(table.id, 0) == [None, may(2, 8)]
    world.clock.time = may(2, 8)
    await world.tables.scheduler.tick()
    assert await world.voted_on(table.id) == [0, 1]
    await change(snoozed_until=None)
    await world.tables.scheduler.tick()
    assert await world.voted_on(table.id) == [0, 1]


async def test_what_is_due_along_with_zero_leaves_the_word_to_it(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    world.clock.move(days=1)
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.RING) == [0, 1]


@pytest.mark.parametrize("clock", ["d1", "reserve"])
async def test_a_table_that_is_woken_gives_the_time_of_a_fresh_turn(
    world: Terms, clock: str
) -> None:
    table = await world.timed(ANNA, BEN, clock=clock, at_zero="vote")
    for days in (21, 7):
        world.clock.move(days=days)
        await world.tables.scheduler.tick()
    assert (await world.tables.reader.get(table.id)).status is Status.SLEEPING
    voted = await world.queued(table.id, OutboxKind.VOTE)
    world.clock.move(days=3)

    await world.tables.pauses.wake(table.id, BEN)

    assert await world.tables.proposals.open(table.id) == []
    world.clock.move(hours=23)
    await world.tables.scheduler.tick()
    table = await world.tables.reader.get(table.id)
    times = (await world.tables.turn_clocks.at(table)).values()
    assert {time.left for time in times} == {timedelta(hours=1)}
    assert await world.queued(table.id, OutboxKind.VOTE) == voted


async def test_a_pause_by_consent_stops_actions_and_clocks(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    world.clock.move(hours=20)
    await world.tables.pauses.propose(table.id, ANNA)
    await world.tables.proposals.answer(table.id, BEN, "pause", agree=True)
    with pytest.raises(TablePaused):
        await world.tables.play.act(table.id, 0, ("choose", "1"))
    assert await world.tables.notifications.of(ANNA) == []
    world.clock.move(days=9)
    await world.tables.scheduler.tick()
    await world.reopen()
    await world.tables.pauses.propose(table.id, BEN)
    await world.tables.proposals.answer(table.id, ANNA, "resume", agree=True)

    table = await world.tables.reader.get(table.id)
    assert {time.left for time in (await world.tables.turn_clocks.at(table)).values()} == {
        timedelta(days=1)
    }
    await world.tables.play.act(table.id, 0, ("choose", "1"))


async def test_autopilot_keeps_the_seat_for_its_owner_and_acting_takes_it_back(
    world: Terms,
) -> None:
    table = await world.timed(ANNA, BEN)
    seat = table.seat_of(ANNA)
    assert seat is not None
    table = await world.tables.seats.autopilot(table.id, ANNA)
    assert table.players[seat].is_autopiloted
    assert ANNA not in {player.user for player in table.humans}
    assert await world.tables.notifications.of(ANNA) == []

    await world.tables.play.act(table.id, seat, ("choose", "1"), user=ANNA)

    assert (await world.tables.reader.get(table.id)).players[seat].is_human
    await world.reopen()
    assert (await world.tables.reader.get(table.id)).players[seat].is_human


async def test_an_autopiloted_seat_plays_and_its_secrets_go_to_its_owner(world: Terms) -> None:
    table = await world.timed(ANNA, BEN)
    seat = table.seat_of(ANNA)
    assert seat is not None
    await world.tables.seats.autopilot(table.id, ANNA)
    await world.tables.outbox.acknowledge(await world.tables.outbox.items(table.id))
    await world.tables.resume()
    await world.tables.computers.rest(table.id, WAIT_S)
    assert seat not in [
        d.seat for d in await world.tables.reader.pending(table.id) if not d.optional
    ]
    assert seat in await world.queued(table.id, OutboxKind.PRIVATE)


async def test_a_vacant_seat_is_claimed_once_with_its_hand_and_given_back(world: Terms) -> None:
    table = await world.timed(ANNA, BEN)
    seat = table.seat_of(ANNA)
    assert seat is not None
    await world.tables.leaving.resign(table.id, ANNA)
    with pytest.raises(AlreadySeated):
        await world.tables.seats.claim(table.id, BEN, "Ben", seat)

    table = await world.tables.seats.claim(table.id, CARA, "Cara")

    assert table.seat_of(CARA) == seat
    assert table.names[seat] == "Cara"
    assert seat in await world.queued(table.id, OutboxKind.HAND)
    with pytest.raises(SeatTaken):
        await world.tables.seats.claim(table.id, ANNA, "Anna")
    assert (await world.tables.leaving.resign(table.id, CARA)).players[seat].vacant
    whole = await whole_record(world.tables, table.id)
    assert [event.kind for each in record.fold(GAME, whole) for event in each.events][-3:] == [
        "resigned",
        "claimed",
        "resigned",
    ]


async def test_the_others_may_free_the_seat_of_who_keeps_them_waiting(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, CARA)
    seat = table.seat_of(ANNA)
    assert seat is not None
    with pytest.raises(NotLate):
        await world.tables.seats.propose(table.id, BEN, "replace", seat)
    world.clock.move(days=2)
    asked = await world.tables.seats.propose(table.id, BEN, "replace", seat)
    assert asked.missing == (table.seat_of(CARA),)
    await world.tables.proposals.answer(table.id, CARA, "replace", agree=True)

    freed = (await world.tables.reader.get(table.id)).players[seat]
    assert (freed.user, freed.vacant, freed.is_human) == (ANNA, True, False)
    await world.tables.seats.autopilot(table.id, ANNA, on=False)
    assert not (await world.tables.reader.get(table.id)).players[seat].vacant


async def test_at_zero_the_others_vote_and_who_acts_meanwhile_ends_it(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, CARA, clock="d1", at_zero="vote")
    await world.tables.play.act(table.id, 1, ("choose", "1"))
    await world.tables.play.act(table.id, 2, ("choose", "1"))
    world.clock.move(days=1)
    await world.tables.scheduler.tick()
    (vote,) = await world.tables.proposals.open(table.id)
    assert (vote.kind, vote.word, vote.missing) == ("autopilot", "0", (1, 2))
    assert await world.queued(table.id, OutboxKind.VOTE) == [None]
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    assert await world.tables.proposals.open(table.id) == []


async def test_a_vote_of_all_others_hands_the_wheel_over(world: Terms) -> None:
    table = await world.timed(ANNA, BEN, clock="d1", at_zero="vote")
    await world.tables.play.act(table.id, 1, ("choose", "1"))
    world.clock.move(days=1)
    await world.tables.scheduler.tick()
    user = await world.user(table.id, 1)
    voted = await world.tables.proposals.answer(table.id, user, "autopilot", agree=True)
    assert voted.verdict is Verdict.PASSED
    assert (await world.tables.reader.get(table.id)).players[0].is_autopiloted


async def test_standing_orders_answer_at_once_and_say_so(world: Terms) -> None:
    table = await world.timed(ANNA, BEN)
    anna, ben = await world.user(table.id, 0), await world.user(table.id, 1)
    await world.tables.resume()
    with pytest.raises(UnknownOption):
        await world.tables.orders.give(table.id, anna, "decline", "perhaps")
    await world.tables.orders.give(table.id, anna, "decline", "on")
    await world.tables.play.act(table.id, 1, ("gift", "0"), user=ben)
    await world.tables.computers.rest(table.id, WAIT_S)

    assert not [d for d in await world.tables.reader.pending(table.id) if d.kind == ANSWER]
    assert await world.queued(table.id, OutboxKind.ORDER) == [0]
    await world.tables.orders.give(table.id, anna, "decline", None)
    await world.tables.play.act(table.id, 1, ("gift", "0"), user=ben)
    await world.tables.computers.rest(table.id, WAIT_S)
    (offer,) = [d for d in await world.tables.reader.pending(table.id) if d.kind == ANSWER]
    # One given while an offer is open answers that as well.
    await world.tables.orders.give(table.id, anna, "decline", "on")
    await world.tables.computers.rest(table.id, WAIT_S)
    assert offer_of(offer) not in {offer_of(d) for d in await world.tables.reader.pending(table.id)}


async def handed_over(world: Terms, table: Table, way: str, last: int) -> None:
    """The last person at the wheel is no longer, in one of the ways there are."""
    seats, other = world.tables.seats, BEN if last == ANNA else ANNA
    if way == "request":
        await seats.autopilot(table.id, last)
    elif way == "resign":
        await world.tables.leaving.resign(table.id, last)
    elif way == "time":
        world.clock.move(days=1)
        await world.tables.scheduler.tick()
    else:
        world.clock.move(days=2)
        seat = await world.tables.reader.seat_of(table.id, last)
        await seats.propose(table.id, other, way, seat)


@pytest.mark.parametrize("way", ["request", "resign", "time", "autopilot", "replace"])
async def test_a_table_rests_in_the_change_by_which_nobody_plays_for_themselves_any_more(
    world: Terms, way: str
) -> None:
    terms = {"clock": "d1", "at_zero": "autopilot"} if way == "time" else {}
    table = await world.timed(ANNA, BEN, **terms)
    anna = await world.tables.reader.seat_of(table.id, ANNA)
    await world.tables.play.act(table.id, anna, ("choose", "1"))
    await world.tables.seats.autopilot(table.id, ANNA)
    await world.tables.outbox.acknowledge(await world.tables.outbox.items(table.id))
    await world.tables.resume()
    # Else its own first look may take up what is due.
    await world.tables.scheduler.stop()

    await handed_over(world, table, way, last=BEN)
    await world.tables.computers.rest(table.id, WAIT_S)

    after = await world.tables.reader.get(table.id)
    assert after.status is Status.SLEEPING
    assert not after.humans
    lines = [entry.action for entry in (await whole_record(world.tables, table.id)).entries]
    assert lines[-1] == table_lines.REST
    assert lines[-2] in (table_lines.AUTO, table_lines.RESIGN)
    assert lines[1:-2] == ["choose 1", table_lines.AUTO]
    assert await world.tables.notifications.of(BEN) == []
    assert await world.tables.results.of(ANNA, 1) == ()
    await world.reopen()
    assert (await world.tables.reader.get(table.id)).status is Status.SLEEPING

    # Whoever comes back plays for themselves, and the others when they do.
    await world.tables.pauses.wake(table.id, ANNA)
    after = await world.tables.reader.get(table.id)
    assert (after.status, [player.user for player in after.humans]) == (Status.PLAYING, [ANNA])
    lines = [entry.action for entry in (await whole_record(world.tables, table.id)).entries]
    assert lines[-2:] == [table_lines.MANUAL, table_lines.WAKE]


async def test_who_resigns_last_closes_a_game_only_where_nobody_can_come_back(
    world: Terms,
) -> None:
    table = await world.timed(ANNA, BEN)
    await world.tables.leaving.resign(table.id, ANNA)
    assert (await world.tables.leaving.resign(table.id, BEN)).status is Status.ABANDONED


@pytest.mark.parametrize("way", ["wheel", "move", "claim"])
async def test_a_table_that_rests_is_woken_by_one_press_of_whoever_comes_to_play(
    world: Terms, way: str
) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    for user in (ANNA, BEN):
        await world.tables.seats.autopilot(table.id, user)
    seat = await world.tables.reader.seat_of(table.id, BEN)
    with pytest.raises(SeatTaken):
        await world.tables.seats.claim(table.id, CARA, "Cara")
    with pytest.raises(IllegalAction):
        await world.tables.play.act(table.id, seat, ("choose", "9"), user=BEN)
    assert (await world.tables.reader.get(table.id)).status is Status.SLEEPING
    world.clock.move(days=40)

    if way == "wheel":
        await world.tables.seats.autopilot(table.id, BEN, on=False)
    elif way == "move":
        await world.tables.play.act(table.id, seat, ("choose", "1"), user=BEN)
    else:
        await world.tables.pauses.wake(table.id, BEN)
        await world.tables.leaving.resign(table.id, BEN)
        assert (await world.tables.reader.get(table.id)).status is Status.SLEEPING
        await world.tables.seats.claim(table.id, CARA, "Cara")

    await world.reopen()
    after = await world.tables.reader.get(table.id)
    assert after.status is Status.PLAYING
    assert [player.seat for player in after.humans] == [seat]
    assert after.players[1 - seat].user == ANNA
    world.clock.move(days=20)
    await world.tables.scheduler.tick()
    # It is watched again from now on, not from when it last moved.
    assert await world.queued(table.id, OutboxKind.IDLE) == []
    world.clock.move(days=1)
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.IDLE) == [None]


async def test_games_of_before_that_computers_played_out_are_replayed(world: Terms) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 200, Random(1))
    whole = await whole_record(world.tables, table.id)
    autos = [record.Entry(seat, table_lines.AUTO) for seat in (0, 1)]

    old = replace(whole, entries=(whole.entries[0], *autos, *whole.entries[1:]))

    assert record.verify(GAME, old) == record.verify(GAME, whole) is not None


@pytest.mark.parametrize("restarted", [False, True])
async def test_what_is_done_in_secret_does_not_put_off_the_warning_that_all_see(
    world: Terms, *, restarted: bool
) -> None:
    table = await world.timed(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    world.clock.move(days=15)
    await world.tables.play.act(table.id, 0, ("gift", "1"))
    if restarted:
        await world.reopen()
    world.clock.move(days=6)

    await world.tables.scheduler.tick()

    assert await world.queued(table.id, OutboxKind.IDLE) == [None]


async def test_a_dead_table_is_warned_falls_asleep_and_is_woken_by_one_press(
    world: Terms,
) -> None:
    table = await world.timed(ANNA, BEN)
    world.clock.move(days=15)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    world.clock.move(days=6)
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.IDLE) == []
    world.clock.move(days=15)
    await world.reopen()
    await world.tables.scheduler.tick()
    assert await world.queued(table.id, OutboxKind.IDLE) == [None]
    world.clock.move(days=7)
    await world.tables.scheduler.tick()
    assert (await world.tables.reader.get(table.id)).status is Status.SLEEPING
    with pytest.raises(TableAsleep):
        await world.tables.play.act(table.id, 1, ("choose", "1"))

    await world.tables.pauses.wake(table.id, BEN)

    await world.tables.play.act(table.id, 1, ("choose", "1"))
    world.clock.move(days=21)
    await world.tables.scheduler.tick()
    assert len(await world.queued(table.id, OutboxKind.IDLE)) == 2
