"""Plans: actions of a seat that its owner tries, keeps, loads and plays, unseen by anybody else.

A plan is stored as its actions and what each was seen to bring (`Trial.mark`). It is tried anew on
a private copy of the table each time it is looked at, and played one action after the other, as far
as each still brings that. Nothing of it is in the log, in an outbox or in an export; it goes when
the game ends, and when the seat becomes somebody else's.
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
    GOING,
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
"""The number of the plan that is being made."""
MAX_KEPT = 3
MAX_NAME = 40
"""Characters of a name."""
REMEMBERED = 256
"""Moments of private copies that are kept in memory."""
REMEMBERED_SEATS = 4096
"""Seats of which it is remembered that they have no plans, or which has played itself."""
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

    def row(self, table: int, seat: Seat, user: int) -> PlanRow:
        """It as it is stored."""
        lines = [canonical(action) for action in self.actions]
        marks = list(self.marks)
        return PlanRow(
            table, seat, self.number, user, self.name, self.asked, lines, marks, self.armed
        )


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


def key_of(actions: Sequence[Action]) -> str:
    """A short hash of some actions."""
    lines = "\n".join(map(canonical, actions))
    return blake2b(lines.encode(), digest_size=KEY_BYTES).hexdigest()


def matching_steps(plan: Plan, made: Sequence[Trial]) -> int:
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


class Plans:
    """Tries, stores and plays plans. Every method raises UnknownTable and StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork, play: Play) -> None:
        self._unit_of_work = unit_of_work
        self._play = play
        self._tried: OrderedDict[tuple[int, int, Seat, tuple[Action, ...]], Trial] = OrderedDict()
        self._without: OrderedDict[tuple[int, Seat], int] = OrderedDict()
        """Seats without any plan, as of a revision of their table: each panel asks for them."""
        self._written = 0
        """How often a plan was stored here. A database that nobody shares counts no revisions."""
        self.armed: dict[tuple[int, Seat], int] = {}
        """The seats with a plan that plays itself, by table and seat, and whose they are; of tables
        that are ours."""
        self.played: dict[tuple[int, int], str] = {}
        """The name of the plan that played itself last, by table and user; some are forgotten."""
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._running: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        unit_of_work.writers.append(self._drop_with)
        unit_of_work.after_commit.append(self._take_up)
        unit_of_work.deleted.append(lambda table_id: self.give_up([table_id]))

    async def of_user(self, table_id: int, user: int) -> list[Plan]:
        """All plans of the user, the one being made first if there is one. Raises not_seated."""
        return await self._of(await self._unit_of_work.cache.read(table_id), user)

    async def get(self, table_id: int, user: int, number: int) -> Plan:
        """The plan of that number; a new one for `DRAFT`. Raises not_seated or NoPlan."""
        for plan in await self.of_user(table_id, user):
            if plan.number == number:
                return plan
        if number != DRAFT:
            raise NoPlan("no_plan")
        return Plan(DRAFT, "", "", (), ())

    async def trials(self, table_id: int, seat: Seat, actions: Sequence[Action]) -> list[Trial]:
        """The actions tried from how the table stands now: one moment more than actions, or fewer
        where one cannot be tried any more. The first is before any of them.

        Raises not_started.
        """
        return await self._try(await self._unit_of_work.cache.read(table_id), seat, actions)

    async def draft(self, table_id: int, user: int, actions: Sequence[Action]) -> list[Trial]:
        """Makes these actions the plan that is being made, and tries them; as far as they can be
        tried. Raises not_seated and what `seating.check_playing` raises."""
        loaded = await self._unit_of_work.cache.read(table_id)
        made = await self._try(loaded, seating.seated(loaded.table, user), actions)
        asked = "" if made[0].decision is None else made[0].decision.kind
        plan = Plan(DRAFT, "", asked, made[-1].done, tuple(trial.mark() for trial in made[1:]))

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> None:
            batch.save(plan.row(table_id, seat, user))

        await self._write(table_id, user, work)
        return made

    async def save(self, table_id: int, user: int, name: str) -> Plan:
        """Keeps the plan being made under a name, in place of one of that name.

        Raises NoPlan where nothing is planned, and too_many_plans.
        """
        name = " ".join(name.split())[:MAX_NAME]

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> Plan:
            found = {plan.number: plan for plan in await self._of(loaded, user)}
            draft = found.pop(DRAFT, None)
            if draft is None or not draft.actions:
                raise NoPlan("no_plan")
            called = name or str(len(found) + 1)
            numbers = range(DRAFT + 1, DRAFT + 1 + MAX_KEPT)
            same = [plan.number for plan in found.values() if plan.name == called]
            free = [*same, *(number for number in numbers if number not in found)]
            if not free:
                raise Rejected("too_many_plans", most=MAX_KEPT)
            kept = replace(draft, number=free[0], name=called)
            batch.save(kept.row(table_id, seat, user))
            return kept

        return await self._write(table_id, user, work)

    async def delete(self, table_id: int, user: int, number: int) -> None:
        """Deletes a plan; no error where there is none."""

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> None:
            batch.delete(PlanRow, table=table_id, seat=seat, number=number)

        await self._write(table_id, user, work)
        await self.read_armed(table_id)

    async def arm(self, table_id: int, user: int, number: int, *, on: bool) -> None:
        """From now on a kept plan plays itself when its turn comes, or no longer.

        At most one does. Raises NoPlan, and not_yet_armed where the user is on turn.
        """

        async def work(batch: WriteBatch, loaded: LoadedTable, seat: Seat) -> None:
            pending = loaded.position().pending
            if on and any(each.seat == seat and not each.optional for each in pending):
                raise Rejected("not_yet_armed")
            found = [plan for plan in await self._of(loaded, user) if plan.number]
            if number not in [plan.number for plan in found]:
                raise NoPlan("no_plan")
            for plan in found:
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
        by_itself: bool = False,
    ) -> Carried:
        """Plays the user's plan, if it is still the one with that `key`; what was played leaves it.

        It stops where the table is not as planned, and before an action that ends the game. Each
        action is a log entry of its own; of what it does `by_itself` the user is told.

        Raises NoPlan, not_seated, and what `Play.act` raises of the table before anything was
        played.
        """
        async with self._locks.setdefault((table_id, user), asyncio.Lock()):
            plan = await self.get(table_id, user, number)
            if not plan.actions or plan.key() != key:
                raise NoPlan("no_plan")
            loaded = await self._unit_of_work.cache.read(table_id)
            seating.check_playing(loaded.table)
            played, since = 0, loaded.seq()

            def stopped(why: PlanStop) -> Carried:
                return Carried(played, len(plan.actions) - played, since, why)

            game, seat = self._unit_of_work.rules(loaded.table), seating.seated(loaded.table, user)
            (begun, *ahead), left, seq = await self._try(loaded, seat, plan.actions), plan, since
            if begun.decision is None or begun.assumed:
                return stopped(PlanStop.NOT_ASKED)
            if plan.asked not in ("", begun.decision.kind):
                return stopped(PlanStop.CHANGED)
            while left.actions:
                loaded = await self._unit_of_work.cache.read(table_id)
                now, action = loaded.position(), left.actions[0]
                if now.seq != seq:
                    # Somebody else has acted in between.
                    ahead = (await self._try(loaded, seat, left.actions))[1:]
                if not ahead or ahead[0].mark() != left.marks[0]:
                    return stopped(PlanStop.CHANGED)
                asked = [each.id for each in now.pending if each.seat == seat and not each.optional]
                if not asked:
                    return stopped(PlanStop.NOT_ASKED)
                if GameEnds(game, game.view(now.state, seat)).of(seat, [action]) is not None:
                    return stopped(PlanStop.ENDS)
                try:
                    entry, _ = await self._play.act(
                        table_id,
                        seat,
                        action,
                        decision=asked[0],
                        user=user,
                        told=OutboxKind.PLAN if by_itself else None,
                        # With the action, so that nobody who plays the same plan finds it there
                        # again.
                        also=partial(self._cut, table_id, seat, user, left),
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
            return Carried(played, 0, since)

    # By themselves

    def tables(self) -> set[int]:
        """The tables with a plan that plays itself."""
        return {table_id for table_id, _ in self.armed}

    def give_up(self, tables: Collection[int]) -> None:
        """These tables are not ours any more."""
        for key in [key for key in self.armed if key[0] in tables]:
            del self.armed[key]

    def resume(self, armed: Sequence[PlanRow]) -> None:
        """Takes up the plans that play themselves; the turn of some may have come long ago."""
        for row in armed:
            self.armed[row.table, row.seat] = row.user

        async def in_turn() -> None:
            for row in armed:
                await self._by_itself(row.table, row.seat, row.user)

        self._run(in_turn())

    async def finish(self) -> None:
        """Waits for what is being played."""
        while self._running:
            await asyncio.wait(self._running)

    async def read_armed(self, table_id: int) -> None:
        """Reads anew which plans of a table play themselves, if it is ours."""

        async def alone() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            rows = await from_store(self._unit_of_work.store.armed_plans(table=table_id))
            self.give_up([table_id])
            if self._unit_of_work.ownership.owns(loaded.table.guild):
                self.armed |= {(row.table, row.seat): row.user for row in rows}

        # With the table's lock: of two who read, the later one is right.
        await self._unit_of_work.cache.run_locked(table_id, alone)

    def _take_up(self, after: LoadedTable) -> None:
        """Plays the plan of a seat whose turn has come, if it has one that plays itself."""
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
                self._run(self._by_itself(table.id, decision.seat, owner))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _by_itself(self, table_id: int, seat: Seat, user: int) -> None:
        try:
            async with self._one_at_a_time:
                await self._play_if_unchanged(table_id, seat, user)
        except NotOurs:
            logger.info("plan is played by another process table=%d", table_id)
        except Rejected as error:
            # The person is asked as ever.
            logger.info("plan not played table=%d code=%s", table_id, error.code)
        # However it fails, nobody else is concerned.
        except Exception as error:  # noqa: BLE001
            logger.error("plan failed table=%d error=%s", table_id, describe(error))

    async def _play_if_unchanged(self, table_id: int, seat: Seat, user: int) -> None:
        """Plays the plan by itself or, where it does not hold, lays it down.

        With its first action it is laid down as well, in one transaction: whoever takes the table
        over in the middle, or finds it after a crash, does not play it again.
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
                # Where something else is asked in between, it waits for its turn.
                return
            if plan is not None:
                self.armed.pop((table_id, seat), None)
                try:
                    made, played = await self._try(loaded, seat, plan.actions), 0
                    if not made[0].assumed and matching_steps(plan, made) == len(plan.actions):
                        if len(self.played) >= REMEMBERED_SEATS:
                            self.played.clear()
                        self.played[table_id, user] = plan.name
                        key = plan.key()
                        done = await self.play(table_id, user, plan.number, key, by_itself=True)
                        played = done.played
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
            remember(self._without, key, loaded.revision, REMEMBERED_SEATS)
        return [_plan(row) for row in rows if row.user == user]

    async def _try(self, loaded: LoadedTable, seat: Seat, actions: Sequence[Action]) -> list[Trial]:
        game, now = self._unit_of_work.rules(loaded.table), loaded.position()
        key, time_slice, made = (loaded.table.id, now.seq, seat), TimeSlice(), list[Trial]()
        trial = self._tried.get((*key, ()))
        if trial is None:
            for moment in trials.steps_to_turn(game, now.state, seat):
                trial = moment
                await time_slice.take()
        assert trial is not None
        for action in (*actions, None):
            remember(self._tried, (*key, trial.done), trial, REMEMBERED)
            made.append(trial)
            await time_slice.take()
            if action is None:
                break
            try:
                known = self._tried.get((*key, (*trial.done, action)))
                trial = known or trials.try_action(trial, action)
            except (IllegalAction, NotPlannable):
                break
        return made

    async def _write(
        self,
        table_id: int,
        user: int,
        work: Callable[[WriteBatch, LoadedTable, Seat], Awaitable[T]],
    ) -> T:
        """Does the work alone at the table, and stores its batch: nobody is told of it."""

        async def alone() -> T:
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

        return await self._unit_of_work.cache.run_locked(table_id, alone)

    async def _cut(
        self, table_id: int, seat: Seat, user: int, planned: Plan, batch: WriteBatch
    ) -> None:
        """Adds to the batch of a plan's first action that it leaves the plan, which does not play
        itself any more; a plan without any is deleted.

        Raises NoPlan where it is not as `planned`, since somebody else plays it as well.
        """
        for plan in await self._of(await self._unit_of_work.cache.load(table_id), user):
            if plan.number == planned.number and plan.actions == planned.actions:
                if len(plan.actions) < 2:
                    batch.delete(PlanRow, table=table_id, seat=seat, number=plan.number)
                else:
                    batch.save(_rest(plan).row(table_id, seat, user))
                return
        raise NoPlan("no_plan")

    async def _drop_with(self, change: TableChange, before: LoadedTable) -> None:
        """Plans go when the game is over, and with whoever leaves a seat."""
        table, batch = change.table, change.batch
        if table.is_over:
            batch.delete(PlanRow, table=table.id)
            return
        if table.status not in GOING or len(before.table.players) != len(table.players):
            return
        for was, now in zip(before.table.players, table.players, strict=True):
            if was.user is not None and was.user != now.user:
                batch.delete(PlanRow, table=table.id, seat=now.seat)


def _rest(plan: Plan) -> Plan:
    """A plan once its first action has been played."""
    return replace(plan, actions=plan.actions[1:], marks=plan.marks[1:], asked="", armed=False)


def _plan(row: PlanRow) -> Plan:
    actions = tuple(map(parse_action, row.actions))
    return Plan(row.number, row.name, row.asked, actions, tuple(row.marks), row.armed)
