"""The computer players' workers: which table has its turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Protocol
from weakref import WeakValueDictionary

from bot.game.contract import Action, Decision, IllegalAction
from bot.tables.choosing import (
    ComputerChoices,
    Mark,
    Thoughts,
    awaits_computer,
    first_legal,
    marked,
    to_decide,
)
from bot.tables.core.cache import LoadedTable
from bot.tables.core.errors import (
    ConflictingWrite,
    NotOurs,
    NotPlaying,
    Rejected,
    StaleCopy,
    StoreUnavailable,
    UnknownTable,
)
from bot.tables.core.log import Awaited
from bot.tables.core.model import OutboxKind, Status, Table
from bot.tables.core.position import Position, has_computer_turn
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.play import Play, Unit
from bot.workers import describe

logger = logging.getLogger(__name__)

MOVED_ON = (NotPlaying, UnknownTable)
"""What others may have done meanwhile: as ordinary as a person's press that comes too late."""

MOST = 16
"""Actions in one unit that all notice. They are heard of together, and memory must still hold what
happened."""
UNNOTICED = 8
"""The others in one unit: more than any computer player makes, so that the number tells nothing."""


class ComputerTurns:
    """Plays at any number of tables, at each of them in one task at a time.

    One computer player chooses at a time, and between two of their choices everybody else gets
    their turn on the event loop. Those that think long do so elsewhere, many at a time.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, play: Play, chooser: ComputerChoices, thoughts: Thoughts
    ) -> None:
        self._unit_of_work = unit_of_work
        self._play = play
        self._chooser = chooser
        self._thoughts = thoughts
        self._thinking = asyncio.Lock()
        self._tried: dict[int, frozenset[Mark]] = {}

    def tables(self) -> Collection[int]:
        """The tables of which something is remembered."""
        return self._tried.keys()

    def forget(self, table_id: int) -> None:
        """The table is over, or not ours any more."""
        self._tried.pop(table_id, None)
        self._thoughts.drop(table_id)

    async def go_on(self, table_id: int) -> bool:
        """Plays one unit; returns whether there may be more to do.

        Raises StoreUnavailable or ConflictingWrite, and whatever its first action fails with; where
        a later one fails, those before it are stored.
        """
        try:
            loaded = await self._unit_of_work.cache.read(table_id)
            if loaded.is_elsewhere:
                return False
            loaded.position()
            with self._unit_of_work.on_behalf(loaded.table):
                return await self._unit_of_work.cache.alone(table_id, partial(self._unit, table_id))
        except MOVED_ON:
            return False
        except NotOurs:
            return False  # Whoever the table belongs to now plays on.

    async def _unit(self, table_id: int) -> bool:
        began = perf_counter()
        unit = self._play.unit(await self._unit_of_work.cache.load(table_id))
        tried = self._tried.get(table_id, frozenset())
        while (decision := _to_decide(unit.after, tried)) is not None:
            table, before = unit.after.table, unit.after.position()
            by_order = table.players[decision.seat].is_human
            try:
                thinks = self._thoughts.needed(table, decision)
                if thinks:
                    chosen = await self._thought(unit, decision)
                    if chosen is None:
                        break
                else:
                    chosen = (await self._choose(table, before, decision),)
                if unit.rows and self._unit_of_work.cache.locks.is_wanted(table_id):
                    break
                await self._answer(unit, decision, chosen[0], by_order=by_order)
                if thinks:
                    self._thoughts.drop(table_id)
            except StaleCopy:
                raise
            except Exception:
                if not unit.rows:
                    raise
                # Unless that was an accident, it will fail again as the first of the next unit.
                break
            if decision.optional or by_order:
                # Whether answered or not, it is not asked again.
                tried |= {marked(table, decision)}
            if self._may_others_act(before, unit.after) or _is_full(unit):
                break
        if unit.rows:
            await unit.store()
            self._play.note(unit, perf_counter() - began)
        self._remember(unit.after, tried)
        return decision is not None

    def _may_others_act(self, before: Position, after: LoadedTable) -> bool:
        """Whether people may act who could not before, as far as all know of what was just done."""
        now, table = after.position(), after.table
        if now is before:
            # An order that answers nothing ends no unit: others would see that it is there.
            return False
        last = now.recent[-1]
        if not last.noticed:
            return False
        is_offer = self._unit_of_work.rules(table).moves[last.kind].offers
        by_order = table.players[last.seat].is_human
        return is_offer or by_order or _awaited(table, before) != _awaited(table, now)

    def _remember(self, after: LoadedTable, tried: frozenset[Mark]) -> None:
        tried &= {marked(after.table, each) for each in after.position().pending}
        if tried:
            self._tried[after.table.id] = tried
        else:
            self._tried.pop(after.table.id, None)

    async def _thought(self, unit: Unit, decision: Decision) -> tuple[Action | None] | None:
        """What a computer player that thinks long does; None where somebody else wants the table
        before it is to be done."""
        table, now = unit.after.table, unit.after.position()
        view = self._unit_of_work.rules(table).view(now.state, decision.seat)
        instead = partial(self._choose, table, now, decision)
        return await self._thoughts.of(table, decision, view, instead)

    async def _choose(self, table: Table, now: Position, decision: Decision) -> Action | None:
        """The answer of a computer player or a standing order; None where there is none."""
        # Held for as short as can be: what an answer is stored with may have to be read.
        async with self._thinking:
            await asyncio.sleep(0)
            return self._chooser.chosen(self._unit_of_work.rules(table), table, now, decision)

    async def _answer(
        self, unit: Unit, decision: Decision, action: Action | None, *, by_order: bool
    ) -> None:
        """Answers, if there is an answer: an offer can be left alone, and so can what is asked of a
        person who has standing orders."""
        table, now = unit.after.table, unit.after.position()
        game = self._unit_of_work.rules(table)
        if action is not None:
            told = OutboxKind.ORDER if by_order else None
            try:
                await unit.take(decision.seat, action, told=told)
                return
            except IllegalAction as error:
                logger.error("table %d: a policy broke the rules: %s", table.id, error.refusal.code)
        if not decision.optional and not by_order:
            await unit.take(decision.seat, first_legal(game, now, decision))


def _to_decide(loaded: LoadedTable, tried: frozenset[Mark]) -> Decision | None:
    table = loaded.table
    return to_decide(table, loaded.position(), tried) if table.status is Status.PLAYING else None


def _awaited(table: Table, now: Position) -> Awaited:
    """The people whom everybody waits for, and what for."""
    return frozenset(each for each in now.awaited() if table.players[each[0]].is_human)


def _is_full(unit: Unit) -> bool:
    noticed = sum(entry.noticed for entry in unit.entries)
    return noticed >= MOST or len(unit.rows) - noticed >= UNNOTICED


WORKERS = 16
"""Tables at which computer players act at a time. Only one chooses; the others wait for the disk,
or for what is being thought about elsewhere."""

UNITS = 8
"""After so many units a table goes back into the queue, that others are not kept waiting."""

LATER = (StoreUnavailable, ConflictingWrite)
"""Errors of the database, after which a step is tried again."""

RETRY_S = 5.0
"""Seconds that a table waits after a step that failed because of the database."""


class TurnTaker(Protocol):
    """Plays at a table, and remembers what was passed over there."""

    async def go_on(self, table_id: int) -> bool:
        """Acts as far as it can be stored together; returns whether there may be more to do."""
        ...

    def tables(self) -> Collection[int]:
        """The tables of which something is remembered."""
        ...

    def forget(self, table_id: int) -> None:
        """The table is over, or not ours any more."""
        ...


class Computers:
    """Plays for all computer players, at some tables at a time, the others in a queue.

    A table is played at by one worker only, and is in the queue at most once. Whatever fails costs
    its table that step, and nobody else anything; where the database was to blame it is tried again
    later.

    Only tables that are ours are played at. Of what is kept here nothing has to outlive that: who
    takes a table over asks again what had been passed over, as after a restart, and an answer that
    was given cannot be given twice, because it is no longer asked.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, turns: TurnTaker, retry_s: float = RETRY_S
    ) -> None:
        self._unit_of_work = unit_of_work
        self._turns = turns
        self._retry_s = retry_s
        self._queue: dict[int, None] = {}
        self._playing: set[int] = set()
        self._resting: dict[int, asyncio.Event] = {}
        # Each lives as long as somebody waits for it.
        self._elsewhere: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()
        self._awake = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []
        self._stopped = False

    def start(self) -> None:
        """Starts the workers."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(WORKERS)]

    @property
    def is_working(self) -> bool:
        """Whether the workers have been started and are running."""
        return bool(self._workers) and not any(worker.done() for worker in self._workers)

    async def stop(self) -> None:
        """Stops after what is being played."""
        self._stopped = True
        self._awake.set()
        await asyncio.gather(*self._workers)

    def take_up(self, after: LoadedTable) -> None:
        """Queues a table at which a computer player is to act."""
        ours = self._unit_of_work.ownership.owns(after.table.guild)
        if ours and after.now is not None and has_computer_turn(after.table, after.now.pending):
            self.put(after.table.id)
        if after.table.is_over:
            self._turns.forget(after.table.id)

    def put(self, table_id: int) -> None:
        """Queues a table at which a computer player may have something to do."""
        self._queue[table_id] = None
        self._awake.set()

    async def rest(self, table_id: int, at_most_s: float) -> None:
        """Waits until no computer player is about to act at the table, or for that long.

        A person's answer can then show what the table asks next, not a computer player still
        moving.
        """
        if table_id in self._queue or table_id in self._playing:
            resting = self._resting.setdefault(table_id, asyncio.Event())
            with suppress(TimeoutError):
                await asyncio.wait_for(resting.wait(), at_most_s)
        elif self._unit_of_work.store.is_shared:
            with suppress(TimeoutError, Rejected):
                await asyncio.wait_for(self._rest_elsewhere(table_id), at_most_s)

    def heard(self, table_id: int) -> None:
        """Another process has written the table: its computer players may have acted."""
        changed = self._elsewhere.pop(table_id, None)
        if changed is not None:
            changed.set()

    def drop_all(self) -> None:
        """Any table may have been written."""
        for table_id in list(self._elsewhere):
            self.heard(table_id)

    def tables(self) -> set[int]:
        """The tables that are waited for, or of which something is remembered."""
        return {*self._queue, *self._turns.tables()}

    def give_up(self, tables: Collection[int]) -> None:
        """These tables are not ours any more."""
        for table_id in tables:
            self._queue.pop(table_id, None)
            self._turns.forget(table_id)
            if table_id in self._resting:
                self._resting.pop(table_id).set()

    async def _rest_elsewhere(self, table_id: int) -> None:
        """Waits until another process has made the moves of the table's computer players.

        Standing orders are not waited for: what they pass over nobody hears of.
        """
        while True:
            # Before it is read: what is written meanwhile is then heard of.
            changed = self._elsewhere.setdefault(table_id, asyncio.Event())
            loaded = await self._unit_of_work.cache.read(table_id)
            ours = self._unit_of_work.ownership.owns(loaded.table.guild)
            if ours or loaded.now is None or not awaits_computer(loaded.table, loaded.now):
                return
            await changed.wait()

    async def _work(self) -> None:
        while not self._stopped:
            table_id = next((each for each in self._queue if each not in self._playing), None)
            if table_id is None:
                self._awake.clear()
                await self._awake.wait()
                continue
            del self._queue[table_id]
            self._playing.add(table_id)
            # Gathered, so that an error of any kind is looked at and ends nothing.
            (result,) = await asyncio.gather(self._play(table_id), return_exceptions=True)
            if isinstance(result, LATER):
                logger.debug("table %d: a computer player waits for the database", table_id)
                asyncio.get_running_loop().call_later(self._retry_s, self.put, table_id)
            elif isinstance(result, BaseException):
                logger.error("table %d: a computer player failed: %s", table_id, describe(result))
            elif result:
                self.put(table_id)
            self._playing.remove(table_id)
            if table_id in self._queue:
                # It may have been passed over by the other workers.
                self._awake.set()
            elif table_id in self._resting:
                self._resting.pop(table_id).set()

    async def _play(self, table_id: int) -> bool:
        """Goes on with a table as long as the computer players may; True where it is not done, but
        others have waited long enough."""
        for _ in range(UNITS):
            if self._stopped or not await self._turns.go_on(table_id):
                return False
        return True
