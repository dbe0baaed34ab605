"""Plans are tried in private, kept, and played as far as the table is as planned."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from bot.game.contract import Action, Seat
from bot.store import PlanRow, WriteBatch
from bot.tables.core.errors import NoPlan, NotYetArmed, TablePaused, TooManyPlans
from bot.tables.core.model import OutboxKind
from bot.tables.plans.plans import DRAFT, Plan, key_of
from bot.tables.plans.playing import Carried, PlanStop, holds
from bot.titles import TITLES
from tests.store.database import Database
from tests.tables.world import ANNA, BEN, NAMES, World

END: Action = ("end",)


class Estates:
    """A game of Burgundy of two: `first` is on turn at seat `seat`, `second` waits."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.table = 0
        self.seat = 0
        self.first, self.second = ANNA, BEN

    async def begin(self) -> None:
        lobby = self.world.tables.lobby
        table = await lobby.open("burgundy", ANNA, NAMES[ANNA], 1, 500, {})
        await lobby.join(table.id, BEN, NAMES[BEN])
        table = await lobby.start(table.id, ANNA)
        self.table = table.id
        self.seat = await self.asked()
        users = [player.user for player in table.players]
        self.first, self.second = users[self.seat] or 0, users[1 - self.seat] or 0

    async def asked(self) -> Seat:
        pending = await self.world.tables.reader.pending(self.table)
        return next(each.seat for each in pending if not each.optional)

    async def act(self, *action: str) -> None:
        await self.world.tables.play.act(self.table, await self.asked(), action)

    async def idle(self, seat: Seat) -> tuple[Action, ...]:
        """A turn of that seat that takes workers for both dice and ends."""
        (begun,) = await self.world.tables.plans.tried(self.table, seat, ())
        first, *_ = begun.legal(("workers",)).each()  # type: ignore[union-attr]
        after = (await self.world.tables.plans.tried(self.table, seat, [("workers", first)]))[-1]
        second, *_ = after.legal(("workers",)).each()  # type: ignore[union-attr]
        return (("workers", first), ("workers", second), END)

    async def planned(self, user: int, *, name: str = "Idle") -> Plan:
        """That turn as a plan, kept under that name."""
        table = await self.world.tables.reader.get(self.table)
        seat = table.seat_of(user)
        assert seat is not None
        plans = self.world.tables.plans
        await plans.draw_up(self.table, user, await self.idle(seat))
        return await plans.keep(self.table, user, name)

    async def played(self, user: int, plan: Plan, delivery: str | None = None) -> Carried:
        return await self.world.tables.plan_playing.play(
            self.table, user, plan.number, plan.key(), delivery=delivery
        )

    async def log(self) -> list[str]:
        return [row.action for row in await self.world.store.entries(self.table)][1:]

    async def kept(self, user: int) -> list[str]:
        plans = await self.world.tables.plans.of(self.table, user)
        return [plan.name for plan in plans if plan.number != DRAFT]


@pytest.fixture
async def estates(database: Database) -> AsyncIterator[Estates]:
    world = await World(database, TITLES.games, TITLES.players).open()
    await world.tables.resume()
    estates = Estates(world)
    await estates.begin()
    yield estates
    await world.close()


async def settled(estates: Estates) -> None:
    """Until nothing plays itself any more."""
    for _ in range(20):
        await asyncio.sleep(0)
    await estates.world.tables.plan_playing.finish()


async def test_a_plan_is_played_whole_each_action_an_entry(estates: Estates) -> None:
    plan = await estates.planned(estates.first)
    shown = await estates.world.tables.plans.tried(estates.table, estates.seat, plan.actions)
    carried = await estates.played(estates.first, plan)
    assert (carried.played, carried.left, carried.stopped) == (3, 0, None)
    assert await estates.log() == [" ".join(action) for action in plan.actions]
    view = await estates.world.tables.reader.view(estates.table, estates.seat)
    assert view == shown[-1].view
    assert await estates.kept(estates.first) == []


async def test_two_presses_play_it_once(estates: Estates) -> None:
    plan = await estates.planned(estates.first)
    done = await asyncio.gather(
        *(estates.played(estates.first, plan, name) for name in ("one", "two")),
        return_exceptions=True,
    )
    assert [type(each) for each in done] == [Carried, NoPlan]
    assert len(await estates.log()) == 3


async def test_it_stops_where_the_table_has_changed(estates: Estates) -> None:
    plan = await estates.planned(estates.first)
    await estates.act(*plan.actions[0])
    carried = await estates.played(estates.first, plan)
    assert (carried.played, carried.left, carried.stopped) == (0, 3, PlanStop.CHANGED)
    assert len(await estates.log()) == 1
    assert await estates.kept(estates.first) == ["Idle"]


async def test_what_was_taken_back_can_be_played_again(estates: Estates) -> None:
    plan = await estates.planned(estates.first)
    await estates.act(*plan.actions[0])
    undoing = estates.world.tables.undo_votes
    back = await undoing.step(estates.table, estates.first)
    await undoing.alone(estates.table, estates.first, back.step, back.step)
    assert (await estates.played(estates.first, plan)).stopped is None


async def test_a_plan_for_later_says_whether_it_holds(estates: Estates) -> None:
    seat = 1 - estates.seat
    tables = estates.world.tables
    plan = await estates.planned(estates.second)
    assert holds(plan, await tables.plans.tried(estates.table, seat, plan.actions)) == 3
    carried = await estates.played(estates.second, plan)
    assert carried.stopped is PlanStop.NOT_ASKED
    for action in await estates.idle(estates.seat):
        await estates.act(*action)
    made = await tables.plans.tried(estates.table, seat, plan.actions)
    assert made[0].assumed == ()
    assert holds(plan, made) == 3
    await estates.act(*plan.actions[0])
    assert holds(plan, await tables.plans.tried(estates.table, seat, plan.actions)) == 0


async def armed(estates: Estates) -> Plan:
    plan = await estates.planned(estates.second)
    await estates.world.tables.plans.arm(estates.table, estates.second, plan.number, on=True)
    return plan


async def test_a_plan_plays_itself_when_its_turn_comes(estates: Estates) -> None:
    plan = await armed(estates)
    mine = await estates.idle(estates.seat)
    for action in mine:
        await estates.act(*action)
    await settled(estates)
    assert await estates.log() == [" ".join(action) for action in (*mine, *plan.actions)]
    kinds = [(row.kind, row.seat) for row in await estates.world.store.outbox(estates.table)]
    assert (OutboxKind.PLAN, 1 - estates.seat) in kinds
    assert (OutboxKind.ORDER, 1 - estates.seat) not in kinds
    assert await estates.kept(estates.second) == []


async def test_it_does_so_after_a_restart(estates: Estates) -> None:
    await armed(estates)
    await estates.world.reopen()
    for action in await estates.idle(estates.seat):
        await estates.act(*action)
    await settled(estates)
    assert len(await estates.log()) == 3
    await estates.world.reopen()
    await estates.world.tables.resume()
    await settled(estates)
    assert len(await estates.log()) == 6


async def test_it_does_not_where_what_it_rests_on_has_changed(estates: Estates) -> None:
    plan = await armed(estates)
    tables = estates.world.tables
    batch = WriteBatch()
    (row,) = [
        row
        for row in await estates.world.store.plans(estates.table, 1 - estates.seat)
        if row.number == plan.number
    ]
    batch.save_plan(replace(row, marks=[*row.marks[:1], "0" * 16, *row.marks[2:]]))
    await estates.world.store.commit(batch)
    for action in await estates.idle(estates.seat):
        await estates.act(*action)
    await settled(estates)
    assert len(await estates.log()) == 3
    assert [each.armed for each in await tables.plans.of(estates.table, estates.second)] == [
        False,
        False,
    ]


async def test_it_does_not_while_a_computer_player_acts_for_its_owner(estates: Estates) -> None:
    await armed(estates)
    tables = estates.world.tables
    await tables.computers.stop()
    await tables.seats.autopilot(estates.table, estates.second)
    for action in await estates.idle(estates.seat):
        await estates.act(*action)
    await settled(estates)
    actions = [line for line in await estates.log() if not line.startswith("@")]
    assert len(actions) == 3


async def test_whoever_is_on_turn_plays_it_instead(estates: Estates) -> None:
    plan = await estates.planned(estates.first)
    with pytest.raises(NotYetArmed):
        await estates.world.tables.plans.arm(estates.table, estates.first, plan.number, on=True)


async def test_three_are_kept_and_a_name_stands_for_one(estates: Estates) -> None:
    for name in ("A", "B", " C ", "B", ""):
        if name:
            await estates.planned(estates.first, name=name)
    assert await estates.kept(estates.first) == ["A", "B", "C"]
    with pytest.raises(TooManyPlans):
        await estates.planned(estates.first, name="D")
    await estates.world.tables.plans.drop(estates.table, estates.first, 2)
    assert await estates.kept(estates.first) == ["A", "C"]


async def test_nothing_is_kept_of_no_plan_or_of_another_one(estates: Estates) -> None:
    tables = estates.world.tables
    with pytest.raises(NoPlan):
        await tables.plans.keep(estates.table, estates.first, "A")
    plan = await estates.planned(estates.first)
    with pytest.raises(NoPlan):
        await tables.plan_playing.play(
            estates.table, estates.first, plan.number, key_of(plan.actions[:1])
        )
    with pytest.raises(NoPlan):
        await estates.played(estates.second, plan)


async def test_nobody_else_can_tell_that_there_is_a_plan(estates: Estates) -> None:
    world = estates.world

    async def public() -> object:
        await world.tables.computers.rest(estates.table, 1)
        return (
            await world.store.entries(estates.table),
            await world.store.outbox(estates.table),
            await world.tables.reader.seq(estates.table),
            (await world.tables.reader.export(estates.table, estates.seat)).data,
            (await world.tables.reader.export(estates.table, 1 - estates.seat)).data,
            await world.tables.reporting.report(estates.table, ()),
            await world.store.notifications(estates.table),
        )

    before = await public()
    told: list[int] = []
    world.tables.subscribe(told.append)
    plan = await armed(estates)
    await world.tables.plans.lay_down(estates.table, estates.second, plan.number)
    await settled(estates)
    assert await public() == before
    assert told == []
    assert await estates.kept(estates.first) == []


async def test_plans_go_with_whoever_leaves_the_seat_and_with_the_game(estates: Estates) -> None:
    world = estates.world
    await armed(estates)
    await estates.planned(estates.first)
    await world.tables.computers.stop()
    await world.tables.leaving.resign(estates.table, estates.second)
    await settled(estates)
    assert await world.store.plans(estates.table, 1 - estates.seat) == []
    assert world.tables.plans.armed == {}
    assert await estates.kept(estates.first) == ["Idle"]
    await world.tables.leaving.dissolve(estates.table)
    assert await world.store.plans(estates.table, estates.seat) == []


async def test_where_a_seat_has_no_plan_the_database_is_asked_once(
    estates: Estates, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, asked = estates.world.store, 0
    read = store.plans

    async def counted(table: int, seat: Seat) -> list[PlanRow]:
        nonlocal asked
        asked += 1
        return await read(table, seat)

    monkeypatch.setattr(store, "plans", counted)
    for _ in range(3):
        assert await estates.kept(estates.first) == []
    assert asked == 1

    await estates.planned(estates.first)
    assert await estates.kept(estates.first) == ["Idle"]
    await estates.world.tables.plans.drop(estates.table, estates.first, 1)
    assert await estates.kept(estates.first) == []


async def test_who_has_all_forgotten_has_no_plans(estates: Estates) -> None:
    await estates.planned(estates.first)
    await estates.world.tables.people.forget(estates.first)
    assert await estates.kept(estates.first) == []


async def test_a_table_that_rests_is_not_planned_at(estates: Estates) -> None:
    world = estates.world
    plan = await estates.planned(estates.first)
    await world.tables.pauses.propose(estates.table, estates.first)
    await world.tables.pauses.propose(estates.table, estates.second)
    with pytest.raises(TablePaused):
        await estates.played(estates.first, plan)
    with pytest.raises(TablePaused):
        await world.tables.plans.draw_up(estates.table, estates.first, ())
