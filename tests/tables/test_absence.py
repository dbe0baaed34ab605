"""Clocks, autopilot, seats taken over, rests and standing orders, below the bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import ANSWER, Action, Decision, IllegalAction, Seat, offer_of
from bot.game.versions import Versions
from bot.policy.orders import Order, decline_offers
from bot.tables import Status, Table, Tables
from bot.tables.computers.choosing import Legal
from bot.tables.core import record, table_lines
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

    async def queued(self, table: int, kind: OutboxKind) -> list[Seat | None]:
        """The seats of the items of that kind in the outbox."""
        return [row.seat for row in await self.tables.outbox.items(table) if row.kind is kind]


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
        timedelta(hours=4)
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
    assert await world.queued(table.id, OutboxKind.VOTE) == [0]
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
