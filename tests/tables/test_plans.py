"""Plans are private, and played once, as far as the table is as planned."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import cast

import pytest
from msgspec.structs import replace

from bot.game.contract import Action, Seat
from bot.game.trial import Trial
from bot.store import OutboxKind, WriteBatch
from bot.tables.core.errors import NoPlan, NotPlaying, Rejected
from bot.tables.plans import DRAFT, Plan, PlanResult, PlanStop, key_of, matching_steps
from bot.titles import TITLES
from tests.store.database import SERVER_ALONE, Database
from tests.tables.members import Members
from tests.tables.world import ANNA, BEN, NAMES, World
from tests.waiting import until

END: Action = ("end",)


class Estates:
    """A two-player game of Burgundy. User `first` is on turn with `seat`, `second` waits."""

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

    async def act(self, *actions: Action) -> None:
        """Carry out each action for the seat that is to act."""
        for action in actions:
            await self.world.tables.play.act(self.table, await self.asked(), action)

    async def tried(self, seat: Seat, actions: Sequence[Action]) -> list[Trial]:
        return await self.world.tables.plans.trials(self.table, seat, actions)

    async def idle(self, seat: Seat) -> tuple[Action, ...]:
        """Return a turn that takes workers for both dice and ends."""
        (start,) = await self.tried(seat, ())
        first, *_ = start.legal(("workers",)).each()  # type: ignore[union-attr]
        after = (await self.tried(seat, [("workers", first)]))[-1]
        second, *_ = after.legal(("workers",)).each()  # type: ignore[union-attr]
        return (("workers", first), ("workers", second), END)

    async def planned(self, user: int, *, name: str = "Idle") -> Plan:
        seat = await self.world.tables.reader.seat_of(self.table, user)
        plans = self.world.tables.plans
        await plans.draft(self.table, user, await self.idle(seat))
        return await plans.save(self.table, user, name)

    async def armed(self) -> Plan:
        """Arm a plan of the waiting player."""
        plan = await self.planned(self.second)
        await self.world.tables.plans.arm(self.table, self.second, plan.number, on=True)
        return plan

    async def played(self, user: int, plan: Plan, delivery: str | None = None) -> PlanResult:
        return await self.world.tables.plans.play(
            self.table, user, plan.number, plan.key(), delivery=delivery
        )

    async def settled(self) -> None:
        """Wait until all armed plans have been played."""
        for _ in range(20):
            await asyncio.sleep(0)
        await self.world.tables.plans.finish()

    async def log(self) -> list[str]:
        return [row.action for row in await self.world.store.entries(self.table)][1:]

    async def has_lines(self, count: int) -> bool:
        return len(await self.log()) >= count

    async def saved(self, user: int) -> list[str]:
        plans = await self.world.tables.plans.of_user(self.table, user)
        return [plan.name for plan in plans if plan.number != DRAFT]

    async def has_saved(self, user: int, *names: str) -> bool:
        return await self.saved(user) == [*names]


def lines(*actions: Action) -> list[str]:
    return [" ".join(action) for action in actions]


@pytest.fixture
async def estates(database: Database) -> AsyncIterator[Estates]:
    world = await World(database, TITLES.games, TITLES.players).open()
    await world.tables.resume()
    estates = Estates(world)
    await estates.begin()
    yield estates
    await world.close()


async def test_plans_are_found_after_their_table_left_the_cache(estates: Estates) -> None:
    plans, drop_all = estates.world.tables.plans, estates.world.tables.sharing.drop_all
    drop_all()
    assert await plans.of_user(estates.table, estates.first) == []
    await plans.draft(estates.table, estates.first, await estates.idle(estates.seat))
    drop_all()
    assert (await plans.save(estates.table, estates.first, "Idle")).name == "Idle"


async def test_a_plan_is_played_completely_and_only_once(estates: Estates) -> None:
    plans = estates.world.tables.plans
    for none in (
        plans.save(estates.table, estates.first, "A"),
        plans.get(estates.table, estates.first, 1),
    ):
        with pytest.raises(NoPlan):
            await none
    plan = await estates.planned(estates.first)
    play = estates.world.tables.plans.play
    # The key must be that of the plan, and the user its owner.
    for user, key in ((estates.first, key_of(plan.actions[:1])), (estates.second, plan.key())):
        with pytest.raises(NoPlan):
            await play(estates.table, user, plan.number, key)
    with pytest.raises(Rejected, match="not_yet_armed"):
        await plans.arm(estates.table, estates.first, plan.number, on=True)
    shown = await estates.tried(estates.seat, plan.actions)
    result, refused = await asyncio.gather(
        *(estates.played(estates.first, plan, name) for name in ("one", "two")),
        return_exceptions=True,
    )
    assert isinstance(result, PlanResult)
    assert isinstance(refused, NoPlan)
    assert (result.played, result.left, result.stopped) == (3, 0, None)
    assert await estates.log() == lines(*plan.actions)
    view = (await estates.world.tables.reader.seen(estates.table, estates.seat)).view
    assert view == shown[-1].view
    assert await estates.saved(estates.first) == []


async def test_a_plan_for_later_shows_how_many_steps_still_match(estates: Estates) -> None:
    seat = 1 - estates.seat
    plan = await estates.planned(estates.second)
    assert matching_steps(plan, await estates.tried(seat, plan.actions)) == 3
    assert (await estates.played(estates.second, plan)).stopped is PlanStop.NOT_YOUR_TURN
    await estates.act(*await estates.idle(estates.seat))
    steps = await estates.tried(seat, plan.actions)
    assert steps[0].assumed == ()
    assert matching_steps(plan, steps) == 3
    await estates.act(plan.actions[0])
    assert matching_steps(plan, await estates.tried(seat, plan.actions)) == 0


async def test_an_armed_plan_plays_itself_also_after_a_restart(
    estates: Estates,
) -> None:
    plan, mine = await estates.armed(), await estates.idle(estates.seat)
    await estates.world.reopen()
    await estates.act(*mine)
    await estates.settled()
    assert await estates.log() == lines(*mine)
    await estates.world.reopen()
    await estates.world.tables.resume()
    await estates.settled()
    assert await estates.log() == lines(*mine, *plan.actions)
    kinds = [(row.kind, row.seat) for row in await estates.world.store.outbox(estates.table)]
    assert (OutboxKind.PLAN, 1 - estates.seat) in kinds
    assert (OutboxKind.ORDER, 1 - estates.seat) not in kinds
    assert await estates.saved(estates.second) == []


async def test_an_armed_plan_that_no_longer_matches_is_not_played(estates: Estates) -> None:
    plan, seat = await estates.armed(), 1 - estates.seat
    batch = WriteBatch()
    rows = await estates.world.store.plans(estates.table, seat)
    (row,) = [row for row in rows if row.number == plan.number]
    batch.save(replace(row, marks=[*row.marks[:1], "0" * 16, *row.marks[2:]]))
    await estates.world.store.commit(batch)
    await estates.act(*await estates.idle(estates.seat))
    await estates.settled()
    assert len(await estates.log()) == 3
    plans = await estates.world.tables.plans.of_user(estates.table, estates.second)
    assert [each.armed for each in plans] == [False, False]


async def test_an_armed_plan_is_not_played_while_its_owner_is_on_autopilot(
    estates: Estates,
) -> None:
    await estates.armed()
    tables = estates.world.tables
    await tables.computers.stop()
    await tables.seats.autopilot(estates.table, estates.second)
    await estates.act(*await estates.idle(estates.seat))
    await estates.settled()
    assert len([line for line in await estates.log() if not line.startswith("@")]) == 3


async def test_a_player_saves_up_to_three_plans_with_different_names(estates: Estates) -> None:
    for name in ("A", "B", " C ", "B"):
        await estates.planned(estates.first, name=name)
    assert await estates.saved(estates.first) == ["A", "B", "C"]
    with pytest.raises(Rejected, match="too_many_plans"):
        await estates.planned(estates.first, name="D")
    await estates.world.tables.plans.delete(estates.table, estates.first, 2)
    assert await estates.saved(estates.first) == ["A", "C"]
    await estates.world.tables.people.forget(estates.first)
    assert await estates.saved(estates.first) == []


async def test_a_plan_leaves_no_trace_for_others(estates: Estates) -> None:
    world = estates.world

    async def public() -> object:
        await world.tables.computers.until_idle(estates.table, 1)
        return (
            await world.store.entries(estates.table),
            await world.store.outbox(estates.table),
            await world.tables.reader.seq(estates.table),
            *[(await world.tables.exports.game(estates.table, seat)).data for seat in (0, 1)],
            await world.tables.exports.report(estates.table, (), rng=Random(1)),
            await world.store.notifications(estates.table),
        )

    before = await public()
    notified: list[int] = []
    world.tables.subscribe(notified.append)
    plan = await estates.armed()
    await world.tables.plans.arm(estates.table, estates.second, plan.number, on=False)
    await estates.settled()
    assert await public() == before
    assert notified == []
    assert await estates.saved(estates.first) == []


async def test_plans_are_deleted_with_their_owner_and_with_the_game(estates: Estates) -> None:
    world = estates.world
    await estates.armed()
    await estates.planned(estates.first)
    await world.tables.computers.stop()
    await world.tables.leaving.resign(estates.table, estates.second)
    await estates.settled()
    assert await world.store.plans(estates.table, 1 - estates.seat) == []
    assert world.tables.plans.armed == {}
    assert await estates.saved(estates.first) == ["Idle"]
    await world.tables.leaving.dissolve(estates.table)
    assert await world.store.plans(estates.table, estates.seat) == []


async def test_no_plans_at_a_paused_table(estates: Estates) -> None:
    tables, plan = estates.world.tables, await estates.planned(estates.first)
    for user in (estates.first, estates.second):
        await tables.votes.propose(estates.table, user, "pause")
    with pytest.raises(NotPlaying, match="table_paused"):
        await estates.played(estates.first, plan)
    with pytest.raises(NotPlaying, match="table_paused"):
        await tables.plans.draft(estates.table, estates.first, ())


@pytest.fixture
async def members(database: Database) -> AsyncIterator[Members]:
    async with Members(database, TITLES.games, TITLES.players).open("one", "two") as members:
        yield members


async def start_game(members: Members) -> tuple[Estates, Estates]:
    """Start a game and return it as each member sees it."""
    # A member has all that `Estates` needs of a world.
    one, two = (Estates(cast(World, member)) for member in members.all)
    await one.begin()
    two.table, two.seat, two.first, two.second = one.table, one.seat, one.first, one.second
    return one, two


@SERVER_ALONE
async def test_an_armed_plan_is_played_by_the_tables_owner(members: Members) -> None:
    one, two = await start_game(members)
    # The cached absence of plans must not hide a new one.
    assert await one.saved(one.second) == []
    plan = await two.armed()
    await until(lambda: one.has_saved(one.second, "Idle"))
    assert two.world.tables.plans.armed == {}
    await until(lambda: one.world.tables.plans.armed == {(one.table, 1 - one.seat): one.second})
    # A plan played in both at the same time is played once.
    mine = await one.planned(one.first)
    results = await asyncio.gather(
        *(each.played(each.first, mine) for each in (one, two)), return_exceptions=True
    )
    assert all(isinstance(each, (PlanResult, NoPlan)) for each in results)
    assert sum(each.played for each in results if isinstance(each, PlanResult)) == 3
    await until(lambda: two.has_saved(two.first))
    await until(lambda: one.has_lines(6))
    assert await one.log() == lines(*mine.actions, *plan.actions)
    assert one.world.tables.plans.played == {(one.table, one.second): "Idle"}
    await until(lambda: one.world.tables.plans.armed == {})
    await until(lambda: two.has_saved(two.second))


@SERVER_ALONE
async def test_a_plan_disarmed_in_one_process_is_not_played_by_another(members: Members) -> None:
    one, two = await start_game(members)
    plan = await one.armed()
    await two.world.tables.plans.arm(two.table, two.second, plan.number, on=False)
    await two.act(*await two.idle(two.seat))
    await until(lambda: one.world.tables.plans.armed == {})
    await members.settled(one.table)
    assert len(await one.log()) == 3
    assert await two.saved(two.second) == ["Idle"]
