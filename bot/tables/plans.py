"""Plans played: one action after the other, as far as each still brings what was planned."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from bot.game import trial as trials
from bot.game.contract import Action, IllegalAction, Seat, canonical, parse_action
from bot.game.game_end import GameEnds
from bot.game.log import Entry
from bot.game.trial import Trial, Unplanned
from bot.store import PlanRow, WriteBatch
from bot.tables.core import errors, seating
from bot.tables.core.cache import LoadedTable, from_store
from bot.tables.core.errors import (
    ConflictingWrite,
    NoPlan,
    NotOurs,
    Rejected,
    StaleDecision,
    StoreUnavailable,
)
from bot.tables.core.model import GOING, OutboxKind, Status
from bot.tables.core.unit_of_work import UnitOfWork
from bot.workers import TimeSlice, describe

T = TypeVar("T")

DRAFT = 0
"""The number of the plan that is being made."""
MOST_KEPT = 3
MOST_NAME = 40
"""Characters of a name."""
REMEMBERED = 256
"""Moments of private copies that are kept in memory."""
REMEMBERED_SEATS = 4096
"""Tables of which it is remembered whose seats have no plan, and seats of which the plan that
played itself is."""
KEY_BYTES = 3


class Plan(msgspec.Struct, frozen=True):
    """Actions planned by a user for their seat, and the `marks` of what each brings.

    `asked` is the kind of decision that the first of them answers. An `armed` one plays itself.
    """

    number: int
    name: str
    asked: str
    actions: tuple[Action, ...]
    marks: tuple[str, ...]
    armed: bool = False

    def key(self, steps: int | None = None) -> str:
        """A short hash of its first steps: an old button is recognised by it."""
        return key_of(self.actions[:steps])


NO_ACTIONS: tuple[Action, ...] = ()


def key_of(actions: Sequence[Action]) -> str:
    """A short hash of some actions."""
    lines = "\n".join(map(canonical, actions))
    return blake2b(lines.encode(), digest_size=KEY_BYTES).hexdigest()


class Plans:
    """Tries, stores and finds plans. Every method raises UnknownTable and StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._tried: OrderedDict[tuple[int, int, Seat, tuple[Action, ...]], Trial] = OrderedDict()
        self.armed: dict[tuple[int, Seat], int] = {}
        """The seats with a plan that plays itself, by table and seat, and whose they are; of tables
        that are ours."""
        self.played: dict[tuple[int, int], str] = {}
        """The name of the plan that played itself last, by table and user; some are forgotten."""
        self._without: OrderedDict[int, set[Seat]] = OrderedDict()
        """Seats without any plan, by table, which most are: each panel asks for them."""
        self._written = 0
        """How often a plan was stored: what was read meanwhile may not hold any more."""
        unit_of_work.writers.append(self._drop_with)
        unit_of_work.after_commit.append(self._disarm)

    async def of(self, table_id: int, user: int) -> list[Plan]:
        """All plans of the user, the one being made first if there is one. Raises not_seated."""
        loaded = await self._unit_of_work.cache.read(table_id)
        return await self._of(table_id, seating.seated(loaded.table, user), user)

    async def get(self, table_id: int, user: int, number: int) -> Plan:
        """The plan of that number; a new one for `DRAFT`. Raises not_seated or NoPlan."""
        for plan in await self.of(table_id, user):
            if plan.number == number:
                return plan
        if number != DRAFT:
            raise errors.NoPlan("no_plan")
        return Plan(DRAFT, "", "", (), ())

    async def tried(self, table_id: int, seat: Seat, actions: Sequence[Action]) -> list[Trial]:
        """The actions tried from how the table stands now: one moment more than actions, or fewer
        where one cannot be tried any more. The first is before any of them.

        Raises not_started.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        game, now = self._unit_of_work.rules(loaded.table), loaded.position()
        time_slice = TimeSlice()
        done = NO_ACTIONS
        trial = self._tried.get((table_id, now.seq, seat, done))
        if trial is None:
            for moment in trials.approach(game, now.state, seat):
                trial = moment
                await time_slice.take()
            assert trial is not None
        made = [self._remember((table_id, now.seq, seat, done), trial)]
        for action in actions:
            done = (*done, action)
            known = self._tried.get((table_id, now.seq, seat, done))
            try:
                trial = known or trials.then(made[-1], action)
            except (IllegalAction, Unplanned):
                break
            made.append(self._remember((table_id, now.seq, seat, done), trial))
            await time_slice.take()
        return made

    async def draw_up(self, table_id: int, user: int, actions: Sequence[Action]) -> list[Trial]:
        """Makes these actions the plan that is being made, and tries them; as far as they can be
        tried. Raises not_seated and what `seating.check_playing` raises."""
        loaded = await self._unit_of_work.cache.read(table_id)
        seat = seating.seated(loaded.table, user)
        made = await self.tried(table_id, seat, actions)
        asked = made[0].decision
        row = PlanRow(
            table=table_id,
            seat=seat,
            number=DRAFT,
            user=user,
            name="",
            asked="" if asked is None else asked.kind,
            actions=[canonical(action) for action in made[-1].done],
            marks=[trial.mark() for trial in made[1:]],
        )

        async def work(batch: WriteBatch, seat: Seat) -> None:
            batch.save(row)

        await self._write(table_id, user, work)
        return made

    async def keep(self, table_id: int, user: int, name: str) -> Plan:
        """Keeps the plan being made under a name, in place of one of that name.

        Raises NoPlan where nothing is planned, and too_many_plans.
        """
        name = " ".join(name.split())[:MOST_NAME]

        async def work(batch: WriteBatch, seat: Seat) -> Plan:
            found = {plan.number: plan for plan in await self._of(table_id, seat, user)}
            draft = found.pop(DRAFT, None)
            if draft is None or not draft.actions:
                raise errors.NoPlan("no_plan")
            called = name or str(len(found) + 1)
            numbers = range(DRAFT + 1, DRAFT + 1 + MOST_KEPT)
            same = [plan.number for plan in found.values() if plan.name == called]
            free = [*same, *(number for number in numbers if number not in found)]
            if not free:
                raise errors.Rejected("too_many_plans", most=MOST_KEPT)
            kept = replace(draft, number=free[0], name=called)
            batch.save(_row(table_id, seat, user, kept))
            return kept

        return await self._write(table_id, user, work)

    async def drop(self, table_id: int, user: int, number: int) -> None:
        """Deletes a plan; no error where there is none."""

        async def work(batch: WriteBatch, seat: Seat) -> None:
            batch.delete(PlanRow, table=table_id, seat=seat, number=number)

        await self._write(table_id, user, work)
        await self.look_again(table_id, user)

    async def arm(self, table_id: int, user: int, number: int, *, on: bool) -> None:
        """From now on a kept plan plays itself when its turn comes, or no longer.

        At most one does. Raises NoPlan, and not_yet_armed where the user is on turn.
        """

        async def work(batch: WriteBatch, seat: Seat) -> None:
            now = (await self._unit_of_work.cache.load(table_id)).position()
            if on and any(each.seat == seat and not each.optional for each in now.pending):
                raise errors.Rejected("not_yet_armed")
            found = [plan for plan in await self._of(table_id, seat, user) if plan.number]
            if number not in [plan.number for plan in found]:
                raise errors.NoPlan("no_plan")
            for plan in found:
                armed = on and plan.number == number
                if plan.armed is not armed:
                    batch.save(_row(table_id, seat, user, replace(plan, armed=armed)))

        await self._write(table_id, user, work)
        await self.look_again(table_id, user)

    async def lay_down(self, table_id: int, user: int, number: int) -> None:
        """A plan does not play itself any more."""
        await self.arm(table_id, user, number, on=False)

    def plays_itself(self, table_id: int, user: int, name: str) -> None:
        """A plan of that name begins to play itself for the user."""
        if len(self.played) >= REMEMBERED_SEATS:
            self.played.clear()
        self.played[table_id, user] = name

    async def cut(
        self, table_id: int, seat: Seat, user: int, planned: Plan, batch: WriteBatch
    ) -> None:
        """Adds to the batch of a plan's first action that it leaves the plan, which does not play
        itself any more; a plan without any is deleted.

        For a caller that holds the table's lock. Raises NoPlan where it is not as `planned`, since
        somebody else plays it as well.
        """
        for plan in await self._of(table_id, seat, user):
            if plan.number == planned.number and plan.actions == planned.actions:
                if len(plan.actions) < 2:
                    batch.delete(PlanRow, table=table_id, seat=seat, number=plan.number)
                else:
                    batch.save(_row(table_id, seat, user, rest(plan)))
                return
        raise errors.NoPlan("no_plan")

    def heard(self, table_id: int) -> None:
        """Another process has written the table: what is remembered may not hold any more."""
        self._written += 1
        self._without.pop(table_id, None)

    def drop_all(self) -> None:
        """Any table may have been written."""
        self._written += 1
        self._without.clear()

    async def read_armed(self, table_id: int) -> None:
        """Reads anew which plans of a table play themselves."""

        async def alone() -> None:
            rows = await from_store(self._unit_of_work.store.armed_plans(table=table_id))
            self.give_up([table_id])
            for row in rows:
                self.armed[row.table, row.seat] = row.user

        # With the table's lock, here and below: of two who read, the later one is right.
        await self._unit_of_work.cache.alone(table_id, alone)

    def tables(self) -> set[int]:
        """The tables with a plan that plays itself."""
        return {table_id for table_id, _ in self.armed}

    def give_up(self, tables: Collection[int]) -> None:
        """These tables are not ours any more."""
        for key in [key for key in self.armed if key[0] in tables]:
            del self.armed[key]

    async def look_again(self, table_id: int, user: int) -> None:
        """Notes whether the user has a plan that plays itself."""

        async def alone() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            if not self._unit_of_work.ownership.owns(loaded.table.guild):
                # Whose it is hears of it.
                return
            seat = seating.seated(loaded.table, user)
            if any(plan.armed for plan in await self._of(table_id, seat, user)):
                self.armed[table_id, seat] = user
            else:
                self.armed.pop((table_id, seat), None)

        await self._unit_of_work.cache.alone(table_id, alone)

    async def _of(self, table_id: int, seat: Seat, user: int) -> list[Plan]:
        if seat in self._without.get(table_id, ()):
            return []
        written = self._written
        rows = await from_store(self._unit_of_work.store.plans(table_id, seat))
        if not rows and written == self._written:
            self._without.setdefault(table_id, set()).add(seat)
            if len(self._without) > REMEMBERED_SEATS:
                self._without.popitem(last=False)
        return [_plan(row) for row in rows if row.user == user]

    async def _write(
        self, table_id: int, user: int, work: Callable[[WriteBatch, Seat], Awaitable[T]]
    ) -> T:
        """Does the work alone at the table, and stores its batch: nobody is told of it."""

        async def alone() -> T:
            loaded = await self._unit_of_work.cache.load(table_id)
            seating.check_playing(loaded.table)
            batch, seat = WriteBatch(), seating.seated(loaded.table, user)
            result = await work(batch, seat)
            try:
                await self._unit_of_work.keep(batch, loaded)
            finally:
                self._written += 1
                self._without.pop(table_id, None)
            return result

        return await self._unit_of_work.cache.alone(table_id, alone)

    def _remember(self, key: tuple[int, int, Seat, tuple[Action, ...]], trial: Trial) -> Trial:
        self._tried[key] = trial
        self._tried.move_to_end(key)
        if len(self._tried) > REMEMBERED:
            self._tried.popitem(last=False)
        return trial

    async def _drop_with(self, batch: WriteBatch, before: LoadedTable, after: LoadedTable) -> None:
        """Plans go when the game is over, and with whoever leaves a seat."""
        table = after.table
        if table.is_over:
            batch.delete(PlanRow, table=table.id)
            return
        if table.status not in GOING or len(before.table.players) != len(table.players):
            return
        for was, now in zip(before.table.players, table.players, strict=True):
            if was.user is not None and was.user != now.user:
                batch.delete(PlanRow, table=table.id, seat=now.seat)

    def _disarm(self, after: LoadedTable) -> None:
        for (table_id, seat), user in list(self.armed.items()):
            if table_id == after.table.id and (
                after.table.is_over or after.table.players[seat].user != user
            ):
                del self.armed[table_id, seat]
        if after.table.is_over:
            for player in after.table.players:
                if player.user is not None:
                    self.played.pop((after.table.id, player.user), None)
            self._without.pop(after.table.id, None)


def rest(plan: Plan) -> Plan:
    """A plan once its first action has been played."""
    return replace(plan, actions=plan.actions[1:], marks=plan.marks[1:], asked="", armed=False)


def _row(table_id: int, seat: Seat, user: int, plan: Plan) -> PlanRow:
    return PlanRow(
        table=table_id,
        seat=seat,
        number=plan.number,
        user=user,
        name=plan.name,
        asked=plan.asked,
        actions=[canonical(action) for action in plan.actions],
        marks=list(plan.marks),
        armed=plan.armed,
    )


def _plan(row: PlanRow) -> Plan:
    return Plan(
        number=row.number,
        name=row.name,
        asked=row.asked,
        actions=tuple(map(parse_action, row.actions)),
        marks=tuple(row.marks),
        armed=row.armed,
    )


logger = logging.getLogger(__name__)


class PlanStop(StrEnum):
    """Why the rest of a plan was not played."""

    NOT_ASKED = "not_asked"
    """It is not the seat's turn."""
    CHANGED = "changed"
    """The next action is not possible any more, or would bring something else."""
    UNPLANNED = "unplanned"
    """The last action brought something that nobody had planned."""
    ENDS = "ends"
    """The next action ends the game, which the person has to confirm."""


class Carried(msgspec.Struct, frozen=True):
    """How far a plan was played: so many actions, `left` of them not; `since` the log entry that
    stood before."""

    played: int
    left: int
    since: int
    stopped: PlanStop | None = None


def holds(plan: Plan, made: Sequence[Trial]) -> int:
    """How many of its actions, tried now, bring what was planned."""
    asked = made[0].decision
    if asked is None or plan.asked not in ("", asked.kind):
        return 0
    count = 0
    for trial, mark in zip(made[1:], plan.marks, strict=False):
        if trial.mark() != mark:
            break
        count += 1
    return count


class PlanPlaying:
    """Plays plans for their owners, and those that play themselves when their turn has come."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        plans: Plans,
        act: Callable[..., Awaitable[tuple[Entry, bool]]],
    ) -> None:
        self._unit_of_work = unit_of_work
        self._plans = plans
        self._act = act
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._running: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()

    async def play(
        self,
        table_id: int,
        user: int,
        number: int,
        key: str,
        *,
        delivery: str | None = None,
        by_itself: bool = False,
    ) -> Carried:
        """Plays the user's plan, if it is still the one with that `key`; what was played leaves it.

        It stops where the table is not as planned, and before an action that ends the game. Each
        action is a log entry of its own; of what it does `by_itself` the user is told.

        Raises NoPlan, not_seated, and what `Play.act` raises of the table before anything was
        played.
        """
        lock = self._locks.setdefault((table_id, user), asyncio.Lock())
        async with lock:
            plan = await self._plans.get(table_id, user, number)
            if not plan.actions or plan.key() != key:
                raise NoPlan("no_plan")
            return await self._played(table_id, user, plan, delivery, by_itself=by_itself)

    async def _played(
        self, table_id: int, user: int, plan: Plan, delivery: str | None, *, by_itself: bool
    ) -> Carried:
        loaded = await self._unit_of_work.cache.read(table_id)
        seating.check_playing(loaded.table)
        game, seat = self._unit_of_work.rules(loaded.table), seating.seated(loaded.table, user)
        first = since = loaded.seq()
        made = await self._plans.tried(table_id, seat, plan.actions)
        if made[0].decision is None or made[0].assumed:
            return Carried(0, len(plan.actions), since, PlanStop.NOT_ASKED)
        if plan.asked not in ("", made[0].decision.kind):
            return Carried(0, len(plan.actions), since, PlanStop.CHANGED)
        ahead, planned = list(made[1:]), plan
        for place, action in enumerate(plan.actions):
            left = len(plan.actions) - place
            now = (await self._unit_of_work.cache.read(table_id)).position()
            if now.seq != since:
                # Somebody else has acted in between.
                ahead = (await self._plans.tried(table_id, seat, plan.actions[place:]))[1:]
            if not ahead or ahead[0].mark() != plan.marks[place]:
                return Carried(place, left, first, PlanStop.CHANGED)
            asked = [each.id for each in now.pending if each.seat == seat and not each.optional]
            if not asked:
                return Carried(place, left, first, PlanStop.NOT_ASKED)
            view = game.view(now.state, seat)
            if GameEnds(game, view).of(seat, [action]) is not None:
                return Carried(place, left, first, PlanStop.ENDS)
            try:
                entry, _ = await self._act(
                    table_id,
                    seat,
                    action,
                    decision=asked[0],
                    user=user,
                    told=OutboxKind.PLAN if by_itself else None,
                    # With the action, so that nobody who plays the same plan finds it there again.
                    also=partial(self._plans.cut, table_id, seat, user, planned),
                    delivery=None if delivery is None else f"{delivery}.{place}",
                )
            except (StaleDecision, IllegalAction):
                return Carried(place, left, first, PlanStop.CHANGED)
            except NoPlan:
                if place:
                    return Carried(place, left, first, PlanStop.CHANGED)
                raise
            expected, since, planned = ahead.pop(0), entry.seq, rest(planned)
            if left > 1 and entry.events != expected.events:
                return Carried(place + 1, left - 1, first, PlanStop.UNPLANNED)
        return Carried(len(plan.actions), 0, first)

    # By themselves

    def take_up(self, after: LoadedTable) -> None:
        """Plays the plan of a seat whose turn has come, if it has one that plays itself."""
        if after.now is None or after.table.status is not Status.PLAYING:
            return
        if not self._unit_of_work.ownership.owns(after.table.guild):
            return
        for decision in after.now.pending:
            user = self._plans.armed.get((after.table.id, decision.seat))
            if user is not None and not decision.optional:
                self._start(after.table.id, decision.seat, user)

    def resume(self, armed: Sequence[PlanRow]) -> None:
        """Takes up the plans that play themselves; the turn of some may have come long ago."""
        for row in armed:
            self._plans.armed[row.table, row.seat] = row.user
        self._run(self._in_turn(armed))

    async def finish(self) -> None:
        """Waits for what is being played."""
        while self._running:
            await asyncio.wait(self._running)

    def _start(self, table_id: int, seat: Seat, user: int) -> None:
        self._run(self._by_itself(table_id, seat, user))

    async def _in_turn(self, armed: Sequence[PlanRow]) -> None:
        for row in armed:
            await self._by_itself(row.table, row.seat, row.user)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _by_itself(self, table_id: int, seat: Seat, user: int) -> None:
        try:
            async with self._one_at_a_time:
                await self._if_it_holds(table_id, seat, user)
        except NotOurs:
            logger.info("table %d: a plan is played elsewhere", table_id)
        except Rejected as error:
            # The person is asked as ever.
            logger.info("table %d: a plan was not played: %s", table_id, error.code)
        # However it fails, nobody else is concerned.
        except Exception as error:  # noqa: BLE001
            logger.error("table %d: a plan failed: %s", table_id, describe(error))

    async def _if_it_holds(self, table_id: int, seat: Seat, user: int) -> None:
        loaded = await self._unit_of_work.cache.read(table_id)
        table, now = loaded.table, loaded.position()
        player = table.players[seat]
        if table.status is not Status.PLAYING or player.user != user or not player.is_human:
            return
        kinds = [each.kind for each in now.pending if each.seat == seat and not each.optional]
        with self._unit_of_work.on_behalf(table):
            plans = await self._plans.of(table_id, user)
            if not any(plan.armed for plan in plans):
                await self._plans.look_again(table_id, user)
            for plan in plans:
                # Where something else is asked in between, the plan waits for its turn.
                if plan.armed and plan.asked in kinds:
                    await self._once(table_id, seat, user, plan)

    async def _once(self, table_id: int, seat: Seat, user: int, plan: Plan) -> None:
        """Plays the plan by itself or, where it does not hold, lays it down.

        With its first action it is laid down as well, in one transaction: whoever takes the table
        over in the middle, or finds it after a crash, does not play it again.
        """
        armed = self._plans.armed
        armed.pop((table_id, seat), None)
        try:
            made = await self._plans.tried(table_id, seat, plan.actions)
            played = 0
            if not made[0].assumed and holds(plan, made) == len(plan.actions):
                self._plans.plays_itself(table_id, user, plan.name)
                carried = await self.play(table_id, user, plan.number, plan.key(), by_itself=True)
                played = carried.played
            if not played:
                await self._plans.lay_down(table_id, user, plan.number)
        except (StoreUnavailable, ConflictingWrite):
            armed[table_id, seat] = user
            raise
        await self._plans.look_again(table_id, user)
