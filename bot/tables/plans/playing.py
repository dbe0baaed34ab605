"""Plans played: one action after the other, as far as each still brings what was planned."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from enum import StrEnum
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from bot.game.contract import IllegalAction, Seat
from bot.game.game_end import GameEnds
from bot.game.trial import Trial
from bot.store import PlanRow
from bot.tables.core import seating
from bot.tables.core.cache import LoadedTable
from bot.tables.core.errors import (
    ConflictingWrite,
    NoPlan,
    NotOurs,
    Rejected,
    StaleDecision,
    StoreUnavailable,
)
from bot.tables.core.failures import describe
from bot.tables.core.model import Acted, OutboxKind, Status
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.plans.plans import Plan, Plans, rest

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
        self, unit_of_work: UnitOfWork, plans: Plans, act: Callable[..., Awaitable[Acted]]
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
                acted = await self._act(
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
            expected, since, planned = ahead.pop(0), acted.seq, rest(planned)
            if left > 1 and acted.events != expected.events:
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
