"""The queue of tables where computer players are to act, and their turns there.

Computer players' actions are stored in units of several actions. A unit ends as soon as a person
could act in between: when other people are to act, after a public offer, after a standing order has
answered for a person, and when another task waits for the table's lock. Secret actions do not end a
unit, as a board posted between two units would reveal them. Apart from that, the result is the same
as if the actions were stored one by one.

At tables to watch a unit ends with a turn, and schedules the next one in its transaction. So they
play on at their pace after a restart, and in the process that owns the table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from functools import partial
from time import perf_counter
from weakref import WeakValueDictionary

from bot.game.contract import ANSWER, Action, Decision, IllegalAction
from bot.store import WHOLE_TABLE, OutboxKind, ScheduledRow, Status
from bot.tables.choosing import ComputerChoices, RunningSearches, first_legal
from bot.tables.core import (
    ConflictingWrite,
    LoadedTable,
    NotOurs,
    NotPlaying,
    Position,
    Rejected,
    Scheduler,
    StoreUnavailable,
    Table,
    TableChange,
    UnitOfWork,
    UnknownTable,
    from_store,
)
from bot.tables.core.errors import StaleCopy
from bot.tables.core.log import ToAct
from bot.tables.core.model import WATCH
from bot.tables.core.position import has_computer_turn
from bot.tables.play import Play
from bot.workers import describe

logger = logging.getLogger(__name__)

MAX_PUBLIC = 16
"""Public actions in one unit. They are posted together, and must fit in the entries in memory."""
MAX_SECRET = 8
"""Secret actions in one unit: more than any computer player makes, so the limit reveals nothing."""

WORKERS = 16
"""Tables at which computer players act at the same time. Only one chooses; the others wait for the
disk or for a search."""

MAX_UNITS = 8
"""Units after which a table goes back to the end of the queue, so that others get their turn."""

RETRYABLE = (StoreUnavailable, ConflictingWrite)
"""Errors after which a unit is tried again."""

RETRY_S = 5.0
"""Seconds before a unit is tried again."""

Mark = tuple[int, str, tuple[tuple[str, str], ...]]
"""A seat, the id of its decision, and its standing orders at the time."""


class Computers:
    """Plays for all computer players at tables that are ours.

    Each table has at most one worker and one place in the queue. An error costs its table that
    unit, and does not affect others; after an error of the database the unit is retried later. One
    computer player chooses at a time, and the event loop runs other tasks between two choices.
    Searches run in other processes, several at a time.

    The state here may be lost when a table changes its process or the bot restarts. The new owner
    offers the skipped decisions again, and no decision is answered twice, as an answered one is no
    longer pending.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        play: Play,
        chooser: ComputerChoices,
        searches: RunningSearches,
        scheduler: Scheduler,
        retry_s: float = RETRY_S,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._play = play
        self._chooser = chooser
        self._searches = searches
        self._retry_s = retry_s
        self._choosing = asyncio.Lock()
        self._tried: dict[int, frozenset[Mark]] = {}
        """The decisions tried at each table that will not be offered again."""
        self._turns_due: dict[int, datetime] = {}
        """The time of the task whose turn each table to watch may play."""
        self._queue: dict[int, None] = {}
        self._playing: set[int] = set()
        self._idle: dict[int, asyncio.Event] = {}
        # Each event exists only while a task waits for it.
        self._written: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()
        self._awake = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []
        self._stopped = False
        unit_of_work.after_commit.append(self._on_commit)
        unit_of_work.deleted.append(lambda table_id: self.give_up([table_id]))
        scheduler.on(WATCH, self._begin_turn)

    def start(self) -> None:
        self._workers = [asyncio.create_task(self._work()) for _ in range(WORKERS)]

    @property
    def is_working(self) -> bool:
        """Whether all workers are running."""
        return bool(self._workers) and not any(worker.done() for worker in self._workers)

    async def stop(self) -> None:
        """Stop after the units in progress."""
        self._searches.stop()
        self._stopped = True
        self._awake.set()
        await asyncio.gather(*self._workers)

    def queue(self, table_id: int) -> None:
        """Queue a table where a computer player may have to act."""
        self._queue[table_id] = None
        self._awake.set()

    async def until_idle(self, table_id: int, timeout_s: float) -> None:
        """Wait until no computer player is about to act at the table, or for this long.

        The reply to a person can then show the next decision instead of moves in progress.
        """
        with suppress(TimeoutError, Rejected):
            if table_id in self._queue or table_id in self._playing:
                idle = self._idle.setdefault(table_id, asyncio.Event())
                await asyncio.wait_for(idle.wait(), timeout_s)
            elif self._unit_of_work.store.is_shared:
                await asyncio.wait_for(self._until_idle_elsewhere(table_id), timeout_s)

    def note_write(self, table_id: int) -> None:
        """Wake tasks that wait for another process's computer players at this table."""
        written = self._written.pop(table_id, None)
        if written is not None:
            written.set()

    def drop_all(self) -> None:
        """Wake these tasks at all tables, as any table may have been written."""
        for table_id in list(self._written):
            self.note_write(table_id)

    def tables(self) -> set[int]:
        """Return the tables in the queue, and those with tried decisions or turns that are due."""
        return {*self._queue, *self._tried, *self._turns_due}

    def give_up(self, tables: Collection[int]) -> None:
        """Forget tables that are no longer ours."""
        for table_id in tables:
            self._queue.pop(table_id, None)
            self._forget(table_id)
            if table_id in self._idle:
                self._idle.pop(table_id).set()

    async def _begin_turn(self, task: ScheduledRow) -> None:
        """Queue a table to watch for one turn. The task stays until the turn schedules the next."""
        if (await self._unit_of_work.cache.read(task.table)).table.is_over:
            await from_store(self._unit_of_work.store.postpone(task, None))
            return
        self._turns_due[task.table] = task.at
        self.queue(task.table)

    async def _may_play(self, table: Table) -> bool:
        """Return whether a turn is due, or has begun, if the table is to watch."""
        if table.watch_pace is None:
            return True
        due = await from_store(self._unit_of_work.store.scheduled_at(table.id, WHOLE_TABLE, WATCH))
        return due is not None and due == self._turns_due.get(table.id)

    def _on_commit(self, after: LoadedTable) -> None:
        """Queue a changed table if a computer player is to act there."""
        ours = self._unit_of_work.ownership.owns(after.table.guild)
        if ours and after.now is not None and has_computer_turn(after.table, after.now.pending):
            self.queue(after.table.id)
        if after.table.is_over:
            self._forget(after.table.id)

    def _forget(self, table_id: int) -> None:
        self._tried.pop(table_id, None)
        self._turns_due.pop(table_id, None)
        self._searches.drop(table_id)

    async def _until_idle_elsewhere(self, table_id: int) -> None:
        """Wait until another process has made the moves of the table's computer players.

        It does not wait for standing orders: one that does not answer writes nothing.
        """
        while True:
            # Create the event before the read, so that no later write is missed.
            written = self._written.setdefault(table_id, asyncio.Event())
            loaded = await self._unit_of_work.cache.read(table_id)
            table, now = loaded.table, loaded.now
            ours = self._unit_of_work.ownership.owns(table.guild)
            is_playing = table.status is Status.PLAYING and table.lesson is None
            if ours or now is None or not is_playing:
                return
            if all(table.players[each.seat].is_human for each in _answerable(now)):
                return
            await written.wait()

    async def _work(self) -> None:
        while not self._stopped:
            table_id = next((each for each in self._queue if each not in self._playing), None)
            if table_id is None:
                self._awake.clear()
                await self._awake.wait()
                continue
            del self._queue[table_id]
            self._playing.add(table_id)
            # `gather` returns any error, so that none ends the worker.
            (result,) = await asyncio.gather(self._play_at(table_id), return_exceptions=True)
            if isinstance(result, RETRYABLE):
                logger.debug("computer player waiting for database table=%d", table_id)
                asyncio.get_running_loop().call_later(self._retry_s, self.queue, table_id)
            elif isinstance(result, BaseException):
                logger.error("computer player failed table=%d error=%s", table_id, describe(result))
            elif result:
                self.queue(table_id)
            self._playing.remove(table_id)
            if table_id in self._queue:
                # Other workers may have skipped it while it was played.
                self._awake.set()
            elif table_id in self._idle:
                self._idle.pop(table_id).set()

    async def _play_at(self, table_id: int) -> bool:
        """Play up to MAX_UNITS units, and return whether there may be more to do."""
        for _ in range(MAX_UNITS):
            if self._stopped or not await self.play_unit(table_id):
                return False
        return True

    async def play_unit(self, table_id: int) -> bool:
        """Play one unit, and return whether there may be more to do.

        Raise StoreUnavailable or ConflictingWrite, and any error of the first action. If a later
        action fails, those before it are stored.
        """
        try:
            loaded = await self._unit_of_work.cache.read(table_id)
            if loaded.needs_other_version:
                return False
            loaded.position()
            with self._unit_of_work.on_behalf(loaded.table):
                return await self._unit_of_work.cache.run_locked(
                    table_id, partial(self._unit, table_id)
                )
        except (NotPlaying, UnknownTable):
            # The table has changed since it was queued, which is normal.
            return False
        except NotOurs:
            return False  # Its new owner plays on.

    async def _unit(self, table_id: int) -> bool:
        began, cache = perf_counter(), self._unit_of_work.cache
        change = TableChange(self._unit_of_work, await cache.load(table_id))
        if not await self._may_play(change.table):
            return False
        tried = self._tried.get(table_id, frozenset())
        while (decision := _to_decide(change.after, tried)) is not None:
            table, before = change.table, change.after.position()
            by_order = table.players[decision.seat].is_human
            try:
                searches = self._searches.needed(table, decision)
                fallback = partial(self._choose, change, decision)
                if searches:
                    view = self._unit_of_work.rules(table).view(before.state, decision.seat)
                    chosen = await self._searches.result(table, decision, view, fallback)
                else:
                    chosen = (await fallback(),)
                if chosen is None or (change.rows and cache.locks.is_contended(table_id)):
                    break
                await self._answer(change, decision, chosen[0], by_order=by_order)
                if searches:
                    self._searches.drop(table_id)
            except StaleCopy:
                raise
            except Exception:
                if not change.rows:
                    raise
                # If the error persists, it is raised as the first action of the next unit.
                break
            if decision.optional or by_order:
                # Do not offer it again, whether it was answered or not.
                tried |= {_mark(table, decision)}
            if table.watch_pace is not None and _has_next_turn(before, change):
                next_turn = self._unit_of_work.clock.now() + table.watch_pace
                change.batch.schedule(table_id, WHOLE_TABLE, WATCH, next_turn)
                break
            if self._may_others_act(before, change) or _is_full(change):
                break
        if change.rows:
            await self._play.store(change, began)
        tried &= {_mark(change.table, each) for each in change.after.position().pending}
        if tried:
            self._tried[table_id] = tried
        else:
            self._tried.pop(table_id, None)
        return decision is not None

    def _may_others_act(self, before: Position, change: TableChange) -> bool:
        """Return whether the last action, as far as it is public, lets other people act."""
        now, table = change.after.position(), change.table
        # A standing order that does not answer must not end a unit, as that would reveal it.
        if now is before or not now.entry.is_public:
            return False
        # The last entry may also give the seat back to its owner.
        move = self._unit_of_work.rules(table).moves.get(now.entry.kind)
        by_order = table.players[now.entry.seat].is_human
        return (
            move is None or move.offers or by_order or _to_act(table, before) != _to_act(table, now)
        )

    async def _choose(self, change: TableChange, decision: Decision) -> Action | None:
        """Return the answer of a computer player or a standing order, if any."""
        table, now = change.table, change.after.position()
        # Hold the lock only to choose, not for database reads before and after.
        async with self._choosing:
            await asyncio.sleep(0)
            return self._chooser.choose(self._unit_of_work.rules(table), table, now, decision)

    async def _answer(
        self, change: TableChange, decision: Decision, action: Action | None, *, by_order: bool
    ) -> None:
        """Carry out the answer; without a legal one, play the first legal action if one is needed.

        Offers need no answer, nor do decisions of people with standing orders.
        """
        table, now = change.table, change.after.position()
        if action is not None:
            message = OutboxKind.ORDER if by_order else None
            try:
                await self._play.take(change, decision.seat, action, message=message)
                return
            except IllegalAction as error:
                logger.error(
                    "policy made an illegal move table=%d seat=%s code=%s",
                    table.id,
                    decision.seat,
                    error.refusal.code,
                )
        if not decision.optional and not by_order:
            fallback = first_legal(self._unit_of_work.rules(table), now, decision)
            await self._play.take(change, decision.seat, fallback)


def _answerable(now: Position) -> list[Decision]:
    """Return the decisions for computer players and standing orders: offers first, then turns."""
    decisions = [each for each in now.pending if not each.optional or each.kind == ANSWER]
    return sorted(decisions, key=lambda each: not each.optional)


def _to_decide(loaded: LoadedTable, tried: frozenset[Mark]) -> Decision | None:
    """Return the next decision for a computer player or a person's standing orders.

    Offers and decisions for standing orders are tried only once; `tried` has their marks.
    """
    table = loaded.table
    for decision in _answerable(loaded.position()) if table.status is Status.PLAYING else ():
        player = table.players[decision.seat]
        only_once = decision.optional or player.is_human
        can_answer = not player.is_human or player.orders
        if can_answer and not (only_once and _mark(table, decision) in tried):
            return decision
    return None


def _mark(table: Table, decision: Decision) -> Mark:
    return decision.seat, decision.id, tuple(table.players[decision.seat].orders.items())


def _to_act(table: Table, now: Position) -> ToAct:
    """Return the people's seats that are to act, and the kinds of their decisions."""
    return frozenset(each for each in now.to_act() if table.players[each[0]].is_human)


def _has_next_turn(before: Position, change: TableChange) -> bool:
    """Return whether a seat is to act now that was not before the last action."""
    were, are = ({seat for seat, _ in each.to_act()} for each in (before, change.after.position()))
    return bool(are - were)


def _is_full(change: TableChange) -> bool:
    count = len(change.rows)
    public = sum(each.is_public for each in change.after.position().recent[-count:]) if count else 0
    return public >= MAX_PUBLIC or count - public >= MAX_SECRET
