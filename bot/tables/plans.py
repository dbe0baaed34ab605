"""Plans: actions that a seat's owner tries, saves and plays, hidden from all other players.

A plan is stored as its actions with a mark of each outcome (`Trial.mark`). Each time it is
shown, it is tried again on a private copy of the table. It is played action by action, as long as
the outcomes still match. Logs, outbox and game exports contain nothing about plans. Plans are
deleted when the game ends or the seat gets a new owner.
"""

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
from bot.game.trial import NotPlannable, Trial
from bot.store import OutboxKind, PlanRow, Status, WriteBatch
from bot.tables.core import (
    IN_PROGRESS,
    ConflictingWrite,
    LoadedTable,
    NotOurs,
    Rejected,
    StaleDecision,
    StoreUnavailable,
    TableChange,
    UnitOfWork,
    from_store,
    remember,
    seating,
)
from bot.tables.core.errors import NoPlan
from bot.tables.play import Play
from bot.workers import TimeSlice, describe

logger = logging.getLogger(__name__)

T = TypeVar("T")

DRAFT = 0
"""The number of the unsaved plan that the user is working on."""
MAX_PLANS = 3
MAX_NAME = 40
"""Characters of a plan's name."""
CACHED_TRIALS = 256
CACHED_SEATS = 4096
"""Seats in each cache: those without plans, and those whose plan has played itself."""
KEY_BYTES = 3


class Plan(msgspec.Struct, frozen=True):
    """A user's planned actions for their seat, with the `marks` of their outcomes.

    `asked` is the kind of decision that the first action answers. An `armed` plan plays itself when
    its turn comes.
    """

    number: int
    name: str
    asked: str
    actions: tuple[Action, ...]
    marks: tuple[str, ...]
    armed: bool = False

    def key(self, steps: int | None = None) -> str:
        """Return a short hash of the first steps, by which outdated buttons are recognised."""
        return key_of(self.actions[:steps])

    def row(self, table: int, seat: Seat, user: int) -> PlanRow:
        """Return the plan as a row to store."""
        lines = [canonical(action) for action in self.actions]
        marks = list(self.marks)
        return PlanRow(
            table, seat, self.number, user, self.name, self.asked, lines, marks, self.armed
        )


class PlanStop(StrEnum):
    """The reason why the rest of a plan was not played."""

    NOT_YOUR_TURN = "not_asked"
    """It is not the seat's turn."""
    CHANGED = "changed"
    """The next action is no longer legal or would have another outcome."""
    UNPLANNED = "unplanned"
    """The last action had an unplanned outcome."""
    ENDS = "ends"
    """The next action ends the game, which the user must confirm."""


class PlanResult(msgspec.Struct, frozen=True):
    """The number of actions played and `left`. `since` is the last log entry before them."""

    played: int
    left: int
    since: int
    stopped: PlanStop | None = None


def key_of(actions: Sequence[Action]) -> str:
    """Return a short hash of some actions."""
    lines = "\n".join(map(canonical, actions))
    return blake2b(lines.encode(), digest_size=KEY_BYTES).hexdigest()


def matching_steps(plan: Plan, steps: Sequence[Trial]) -> int:
    """Return how many of the plan's actions have the planned outcome in these trials."""
    decision = steps[0].decision
    if decision is None or plan.asked not in ("", decision.kind):
        return 0
    count = 0
    for trial, mark in zip(steps[1:], plan.marks, strict=False):
        if trial.mark() != mark:
            break
        count += 1
    return count


class Plans:
    """Tries, stores and plays plans. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork, play: Play) -> None:
        self._unit_of_work = unit_of_work
        self._play = play
        self._tried: OrderedDict[tuple[int, int, Seat, tuple[Action, ...]], Trial] = OrderedDict()
        self._without: OrderedDict[tuple[int, Seat], int] = OrderedDict()
        """Seats without plans, with the revision of their table: each panel needs this."""
        self._written = 0
        """Number of writes of plans here. Unless the database is shared, revisions do not count
        these."""
        self.armed: dict[tuple[int, Seat], int] = {}
        """The users with an armed plan, by table and seat, at tables that are ours."""
        self.played: dict[tuple[int, int], str] = {}
        """The name of the plan that last played itself, by table and user. Old ones are evicted."""
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._running: set[asyncio.Task[None]] = set()
        self._playing_armed = asyncio.Lock()
        unit_of_work.writers.append(self._delete_outdated)
        unit_of_work.after_commit.append(self._play_due)
        unit_of_work.deleted.append(lambda table_id: self.give_up([table_id]))

    async def of_user(self, table_id: int, user: int) -> list[Plan]:
        """Return the user's plans, the draft first if there is one. Raise not_seated."""
        return await self._of(await self._unit_of_work.cache.read(table_id), user)

    async def get(self, table_id: int, user: int, number: int) -> Plan:
        """Return the plan with this number, or an empty draft. Raise not_seated or NoPlan."""
        for plan in await self.of_user(table_id, user):
            if plan.number == number:
                return plan
        if number != DRAFT:
            raise NoPlan("no_plan")
        return Plan(DRAFT, "", "", (), ())

    async def trials(self, table_id: int, seat: Seat, actions: Sequence[Action]) -> list[Trial]:
        """Try the actions on a copy of the current position.

        Return the trial before any action, then one after each, up to the first that is no longer
        possible. Raise not_started.
        """
        return await self._try(await self._unit_of_work.cache.read(table_id), seat, actions)

    async def draft(self, table_id: int, user: int, actions: Sequence[Action]) -> list[Trial]:
        """Try these actions and store the possible ones as the draft.

        Return their trials like `trials`. Raise not_seated and the errors of
        `seating.check_playing`.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        steps = await self._try(loaded, seating.seated(loaded.table, user), actions)
        asked = "" if steps[0].decision is None else steps[0].decision.kind
        plan = Plan(DRAFT, "", asked, steps[-1].done, tuple(trial.mark() for trial in steps[1:]))

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> None:
            batch.save(plan.row(table_id, seat, user))

        await self._write(table_id, user, work)
        return steps

    async def save(self, table_id: int, user: int, name: str) -> Plan:
        """Save the draft under a name, replacing a plan with this name.

        Raise NoPlan if the draft is empty, or too_many_plans.
        """
        name = " ".join(name.split())[:MAX_NAME]

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> Plan:
            plans = {plan.number: plan for plan in await self._of(loaded, user)}
            draft = plans.pop(DRAFT, None)
            if draft is None or not draft.actions:
                raise NoPlan("no_plan")
            new_name = name or str(len(plans) + 1)
            numbers = range(DRAFT + 1, DRAFT + 1 + MAX_PLANS)
            reused = [plan.number for plan in plans.values() if plan.name == new_name]
            free = [*reused, *(number for number in numbers if number not in plans)]
            if not free:
                raise Rejected("too_many_plans", most=MAX_PLANS)
            saved = replace(draft, number=free[0], name=new_name)
            batch.save(saved.row(table_id, seat, user))
            return saved

        return await self._write(table_id, user, work)

    async def delete(self, table_id: int, user: int, number: int) -> None:
        """Delete a plan. It is no error if there is none."""

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> None:
            batch.delete(PlanRow, table=table_id, seat=seat, number=number)

        await self._write(table_id, user, work)
        await self.read_armed(table_id)

    async def arm(self, table_id: int, user: int, number: int, *, on: bool) -> None:
        """Arm a saved plan, so that it plays itself when its turn comes, or disarm it.

        This disarms all others. Raise NoPlan, or not_yet_armed if it is the user's turn.
        """

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> None:
            pending = loaded.position().pending
            if on and any(each.seat == seat and not each.optional for each in pending):
                raise Rejected("not_yet_armed")
            saved = [plan for plan in await self._of(loaded, user) if plan.number]
            if number not in [plan.number for plan in saved]:
                raise NoPlan("no_plan")
            for plan in saved:
                armed = on and plan.number == number
                if plan.armed is not armed:
                    batch.save(replace(plan, armed=armed).row(table_id, seat, user))

        await self._write(table_id, user, work)
        await self.read_armed(table_id)

    async def play(
        self,
        table_id: int,
        user: int,
        number: int,
        key: str,
        *,
        delivery: str | None = None,
        is_armed: bool = False,
    ) -> PlanResult:
        """Play the user's plan if it still has this `key`, and remove the played actions from it.

        It stops when an outcome differs from the plan, and before an action that ends the game.
        Each action is a separate log entry. If the plan `is_armed`, the user gets a message.

        Raise NoPlan, not_seated, and the errors of `Play.act` if no action was played.
        """
        async with self._locks.setdefault((table_id, user), asyncio.Lock()):
            plan = await self.get(table_id, user, number)
            if not plan.actions or plan.key() != key:
                raise NoPlan("no_plan")
            loaded = await self._unit_of_work.cache.read(table_id)
            seating.check_playing(loaded.table)
            played, since = 0, loaded.seq()

            def stopped(why: PlanStop) -> PlanResult:
                return PlanResult(played, len(plan.actions) - played, since, why)

            game, seat = self._unit_of_work.rules(loaded.table), seating.seated(loaded.table, user)
            (start, *ahead), left, seq = await self._try(loaded, seat, plan.actions), plan, since
            if start.decision is None or start.assumed:
                return stopped(PlanStop.NOT_YOUR_TURN)
            if plan.asked not in ("", start.decision.kind):
                return stopped(PlanStop.CHANGED)
            while left.actions:
                loaded = await self._unit_of_work.cache.read(table_id)
                now, action = loaded.position(), left.actions[0]
                if now.seq != seq:
                    # Another player has acted in the meantime.
                    ahead = (await self._try(loaded, seat, left.actions))[1:]
                if not ahead or ahead[0].mark() != left.marks[0]:
                    return stopped(PlanStop.CHANGED)
                ids = [each.id for each in now.pending if each.seat == seat and not each.optional]
                if not ids:
                    return stopped(PlanStop.NOT_YOUR_TURN)
                if GameEnds(game, game.view(now.state, seat)).of(seat, [action]) is not None:
                    return stopped(PlanStop.ENDS)
                try:
                    entry, _ = await self._play.act(
                        table_id,
                        seat,
                        action,
                        decision=ids[0],
                        user=user,
                        message=OutboxKind.PLAN if is_armed else None,
                        # In the action's transaction, so that it cannot be played twice.
                        also_write=partial(self._cut, table_id, seat, user, left),
                        delivery=None if delivery is None else f"{delivery}.{played}",
                    )
                except (StaleDecision, IllegalAction):
                    return stopped(PlanStop.CHANGED)
                except NoPlan:
                    if played:
                        return stopped(PlanStop.CHANGED)
                    raise
                expected, seq, left = ahead.pop(0), entry.seq, _rest(left)
                played += 1
                if left.actions and entry.events != expected.events:
                    return stopped(PlanStop.UNPLANNED)
            return PlanResult(played, 0, since)

    # Armed plans

    def tables(self) -> set[int]:
        """Return the tables with an armed plan."""
        return {table_id for table_id, _ in self.armed}

    def give_up(self, tables: Collection[int]) -> None:
        """Forget the armed plans of tables that are no longer ours."""
        for key in [key for key in self.armed if key[0] in tables]:
            del self.armed[key]

    def resume(self, armed: Sequence[PlanRow]) -> None:
        """Resume armed plans after a start or takeover, and play those whose turn has come."""
        for row in armed:
            self.armed[row.table, row.seat] = row.user

        async def play_due() -> None:
            for row in armed:
                await self._play_armed(row.table, row.seat, row.user)

        self._run(play_due())

    async def finish(self) -> None:
        """Wait for plans in progress."""
        while self._running:
            await asyncio.wait(self._running)

    async def read_armed(self, table_id: int) -> None:
        """Read the armed plans of a table again, if it is ours."""

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            rows = await from_store(self._unit_of_work.store.armed_plans(table=table_id))
            self.give_up([table_id])
            if self._unit_of_work.ownership.owns(loaded.table.guild):
                self.armed |= {(row.table, row.seat): row.user for row in rows}

        # Under the table's lock, so that the later of two reads wins.
        await self._unit_of_work.cache.run_locked(table_id, work)

    def _play_due(self, after: LoadedTable) -> None:
        """Play the armed plan of a seat whose turn has come."""
        table = after.table
        for (table_id, seat), user in list(self.armed.items()):
            if table_id == table.id and (table.is_over or table.players[seat].user != user):
                del self.armed[table_id, seat]
        is_ours = self._unit_of_work.ownership.owns(table.guild)
        if after.now is None or table.status is not Status.PLAYING or not is_ours:
            return
        for decision in after.now.pending:
            owner = self.armed.get((table.id, decision.seat))
            if owner is not None and not decision.optional:
                self._run(self._play_armed(table.id, decision.seat, owner))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _play_armed(self, table_id: int, seat: Seat, user: int) -> None:
        try:
            async with self._playing_armed:
                await self._play_if_unchanged(table_id, seat, user)
        except NotOurs:
            logger.info("plan is played by another process table=%d", table_id)
        except Rejected as error:
            # The player decides themselves, as without a plan.
            logger.info("plan not played table=%d code=%s", table_id, error.code)
        # A failing plan must not affect other players.
        except Exception as error:  # noqa: BLE001
            logger.error("plan failed table=%d error=%s", table_id, describe(error))

    async def _play_if_unchanged(self, table_id: int, seat: Seat, user: int) -> None:
        """Play the armed plan, or disarm it if it no longer matches the table.

        The first action disarms it in its own transaction, so that it is not played again after a
        crash or by a process that takes the table over.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        table, now, player = loaded.table, loaded.position(), loaded.table.players[seat]
        if table.status is not Status.PLAYING or player.user != user or not player.is_human:
            return
        kinds = [each.kind for each in now.pending if each.seat == seat and not each.optional]
        with self._unit_of_work.on_behalf(table):
            plans = await self._of(loaded, user)
            plan = next((plan for plan in plans if plan.armed), None)
            if plan is not None and plan.asked not in kinds:
                # This is another decision: the plan waits for its own.
                return
            if plan is not None:
                self.armed.pop((table_id, seat), None)
                try:
                    steps, played = await self._try(loaded, seat, plan.actions), 0
                    if not steps[0].assumed and matching_steps(plan, steps) == len(plan.actions):
                        if len(self.played) >= CACHED_SEATS:
                            self.played.clear()
                        self.played[table_id, user] = plan.name
                        key = plan.key()
                        result = await self.play(table_id, user, plan.number, key, is_armed=True)
                        played = result.played
                    if not played:
                        await self.arm(table_id, user, plan.number, on=False)
                except (StoreUnavailable, ConflictingWrite):
                    self.armed[table_id, seat] = user
                    raise
            await self.read_armed(table_id)

    async def _of(self, loaded: LoadedTable, user: int) -> list[Plan]:
        key = loaded.table.id, seating.seated(loaded.table, user)
        if self._without.get(key) == loaded.revision:
            return []
        written = self._written
        rows = await from_store(self._unit_of_work.store.plans(*key))
        if not rows and written == self._written:
            remember(self._without, key, loaded.revision, CACHED_SEATS)
        return [_plan(row) for row in rows if row.user == user]

    async def _try(self, loaded: LoadedTable, seat: Seat, actions: Sequence[Action]) -> list[Trial]:
        game, now = self._unit_of_work.rules(loaded.table), loaded.position()
        key, time_slice, steps = (loaded.table.id, now.seq, seat), TimeSlice(), list[Trial]()
        trial = self._tried.get((*key, ()))
        if trial is None:
            for step in trials.steps_to_turn(game, now.state, seat):
                trial = step
                await time_slice.take()
        assert trial is not None
        for action in (*actions, None):
            remember(self._tried, (*key, trial.done), trial, CACHED_TRIALS)
            steps.append(trial)
            await time_slice.take()
            if action is None:
                break
            try:
                cached = self._tried.get((*key, (*trial.done, action)))
                trial = cached or trials.try_action(trial, action)
            except (IllegalAction, NotPlannable):
                break
        return steps

    async def _write(
        self,
        table_id: int,
        user: int,
        work: Callable[[WriteBatch, LoadedTable, Seat], Awaitable[T]],
    ) -> T:
        """Do the work under the table's lock and store its batch, without notifying subscribers."""

        async def work_and_store() -> T:
            loaded = await self._unit_of_work.cache.load(table_id)
            seating.check_playing(loaded.table)
            batch, seat = WriteBatch(), seating.seated(loaded.table, user)
            result = await work(batch, loaded, seat)
            try:
                await self._unit_of_work.commit(batch, loaded)
            finally:
                self._written += 1
                self._without.pop((table_id, seat), None)
            return result

        return await self._unit_of_work.cache.run_locked(table_id, work_and_store)

    async def _cut(
        self, table_id: int, seat: Seat, user: int, planned: Plan, batch: WriteBatch
    ) -> None:
        """Remove a plan's first action, in that action's batch, and disarm the plan.

        A plan without actions is deleted. Raise NoPlan if the plan is not as `planned`, because
        another request plays it too.
        """
        for plan in await self._of(await self._unit_of_work.cache.load(table_id), user):
            if plan.number == planned.number and plan.actions == planned.actions:
                if len(plan.actions) < 2:
                    batch.delete(PlanRow, table=table_id, seat=seat, number=plan.number)
                else:
                    batch.save(_rest(plan).row(table_id, seat, user))
                return
        raise NoPlan("no_plan")

    async def _delete_outdated(self, change: TableChange, before: LoadedTable) -> None:
        """Delete plans when the game is over or a seat has a new owner."""
        table, batch = change.table, change.batch
        if table.is_over:
            batch.delete(PlanRow, table=table.id)
            return
        if table.status not in IN_PROGRESS or len(before.table.players) != len(table.players):
            return
        for was, now in zip(before.table.players, table.players, strict=True):
            if was.user is not None and was.user != now.user:
                batch.delete(PlanRow, table=table.id, seat=now.seat)


def _rest(plan: Plan) -> Plan:
    """Return the plan without its first action."""
    return replace(plan, actions=plan.actions[1:], marks=plan.marks[1:], asked="", armed=False)


def _plan(row: PlanRow) -> Plan:
    actions = tuple(map(parse_action, row.actions))
    return Plan(row.number, row.name, row.asked, actions, tuple(row.marks), row.armed)
