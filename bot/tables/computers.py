"""The computer players: which table has its turn, and what they do there, stored together as far as
it goes.

A unit is what is stored together. It ends where somebody else could come between, as far as all
know: as soon as everybody waits for other people than before, an offer was made that all heard of,
or a standing order has answered for a person; and when anybody waits for the table. What only some
have noticed ends none: a board posted between two units would tell all others of it. Otherwise it
is as if the actions had been stored one by one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from time import perf_counter
from weakref import WeakValueDictionary

from bot.game.contract import ANSWER, Action, Decision, IllegalAction
from bot.store import OutboxKind, Status
from bot.tables.choosing import ComputerChoices, RunningSearches, first_legal
from bot.tables.core import (
    ConflictingWrite,
    LoadedTable,
    NotOurs,
    NotPlaying,
    Position,
    Rejected,
    StoreUnavailable,
    Table,
    TableChange,
    UnitOfWork,
    UnknownTable,
)
from bot.tables.core.errors import StaleCopy
from bot.tables.core.log import ToAct
from bot.tables.core.position import has_computer_turn
from bot.tables.play import Play
from bot.workers import describe

logger = logging.getLogger(__name__)

MAX_PUBLIC = 16
"""Actions in one unit that all notice. They are heard of together, and memory must still hold what
happened."""
MAX_SECRET = 8
"""The others in one unit: more than any computer player makes, so that the number tells nothing."""

WORKERS = 16
"""Tables at which computer players act at a time. Only one chooses; the others wait for the disk,
or for what is being thought about elsewhere."""

UNITS = 8
"""After so many units a table goes back into the queue, that others are not kept waiting."""

LATER = (StoreUnavailable, ConflictingWrite)
"""Errors of the database, after which a step is tried again."""

RETRY_S = 5.0
"""Seconds that a table waits after a step that failed because of the database."""

Mark = tuple[int, str, tuple[tuple[str, str], ...]]
"""A seat, what it was asked, and its standing orders then."""


class Computers:
    """Plays for all computer players, at some tables at a time, the others in a queue.

    A table is played at by one worker only, and is in the queue at most once. Whatever fails costs
    its table that step, and nobody else anything; where the database was to blame it is tried again
    later. One computer player chooses at a time, and between two of their choices everybody else
    gets their turn on the event loop. Those that think long do so elsewhere, many at a time.

    Only tables that are ours are played at. Of what is kept here nothing has to outlive that: who
    takes a table over asks again what had been passed over, as after a restart, and an answer that
    was given cannot be given twice, because it is no longer asked.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        play: Play,
        chooser: ComputerChoices,
        searches: RunningSearches,
        retry_s: float = RETRY_S,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._play = play
        self._chooser = chooser
        self._searches = searches
        self._retry_s = retry_s
        self._choosing = asyncio.Lock()
        self._tried: dict[int, frozenset[Mark]] = {}
        """What has been passed over at each table."""
        self._queue: dict[int, None] = {}
        self._playing: set[int] = set()
        self._resting: dict[int, asyncio.Event] = {}
        # Each lives as long as somebody waits for it.
        self._elsewhere: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()
        self._awake = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []
        self._stopped = False
        unit_of_work.after_commit.append(self._take_up)
        unit_of_work.deleted.append(lambda table_id: self.give_up([table_id]))

    def start(self) -> None:
        """Starts the workers."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(WORKERS)]

    @property
    def is_working(self) -> bool:
        """Whether the workers have been started and are running."""
        return bool(self._workers) and not any(worker.done() for worker in self._workers)

    async def stop(self) -> None:
        """Stops after what is being played."""
        self._searches.stop()
        self._stopped = True
        self._awake.set()
        await asyncio.gather(*self._workers)

    def queue(self, table_id: int) -> None:
        """Queues a table at which a computer player may have something to do."""
        self._queue[table_id] = None
        self._awake.set()

    async def rest(self, table_id: int, at_most_s: float) -> None:
        """Waits until no computer player is about to act at the table, or for that long.

        A person's answer can then show what the table asks next, not a computer player still
        moving.
        """
        with suppress(TimeoutError, Rejected):
            if table_id in self._queue or table_id in self._playing:
                resting = self._resting.setdefault(table_id, asyncio.Event())
                await asyncio.wait_for(resting.wait(), at_most_s)
            elif self._unit_of_work.store.is_shared:
                await asyncio.wait_for(self._rest_elsewhere(table_id), at_most_s)

    def note_write(self, table_id: int) -> None:
        """Another process has written the table: its computer players may have acted."""
        changed = self._elsewhere.pop(table_id, None)
        if changed is not None:
            changed.set()

    def drop_all(self) -> None:
        """Any table may have been written."""
        for table_id in list(self._elsewhere):
            self.note_write(table_id)

    def tables(self) -> set[int]:
        """The tables that are waited for, or of which something is remembered."""
        return {*self._queue, *self._tried}

    def give_up(self, tables: Collection[int]) -> None:
        """These tables are not ours any more."""
        for table_id in tables:
            self._queue.pop(table_id, None)
            self._forget(table_id)
            if table_id in self._resting:
                self._resting.pop(table_id).set()

    def _take_up(self, after: LoadedTable) -> None:
        """Queues a table at which a computer player is to act."""
        ours = self._unit_of_work.ownership.owns(after.table.guild)
        if ours and after.now is not None and has_computer_turn(after.table, after.now.pending):
            self.queue(after.table.id)
        if after.table.is_over:
            self._forget(after.table.id)

    def _forget(self, table_id: int) -> None:
        self._tried.pop(table_id, None)
        self._searches.drop(table_id)

    async def _rest_elsewhere(self, table_id: int) -> None:
        """Waits until another process has made the moves of the table's computer players.

        Standing orders are not waited for: what they pass over nobody hears of.
        """
        while True:
            # Before it is read: what is written meanwhile is then heard of.
            changed = self._elsewhere.setdefault(table_id, asyncio.Event())
            loaded = await self._unit_of_work.cache.read(table_id)
            table, now = loaded.table, loaded.now
            ours = self._unit_of_work.ownership.owns(table.guild)
            if ours or now is None or table.status is not Status.PLAYING:
                return
            if all(table.players[each.seat].is_human for each in _answerable(now)):
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
            (result,) = await asyncio.gather(self._play_at(table_id), return_exceptions=True)
            if isinstance(result, LATER):
                logger.debug("computer player waiting for database table=%d", table_id)
                asyncio.get_running_loop().call_later(self._retry_s, self.queue, table_id)
            elif isinstance(result, BaseException):
                logger.error("computer player failed table=%d error=%s", table_id, describe(result))
            elif result:
                self.queue(table_id)
            self._playing.remove(table_id)
            if table_id in self._queue:
                # It may have been passed over by the other workers.
                self._awake.set()
            elif table_id in self._resting:
                self._resting.pop(table_id).set()

    async def _play_at(self, table_id: int) -> bool:
        """Goes on with a table as long as the computer players may; True where it is not done, but
        others have waited long enough."""
        for _ in range(UNITS):
            if self._stopped or not await self.go_on(table_id):
                return False
        return True

    async def go_on(self, table_id: int) -> bool:
        """Plays one unit; returns whether there may be more to do.

        Raises StoreUnavailable or ConflictingWrite, and whatever its first action fails with; where
        a later one fails, those before it are stored.
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
            # As ordinary as a person's press that comes too late.
            return False
        except NotOurs:
            return False  # Whoever the table belongs to now plays on.

    async def _unit(self, table_id: int) -> bool:
        began, cache = perf_counter(), self._unit_of_work.cache
        change = TableChange(self._unit_of_work, await cache.load(table_id))
        tried = self._tried.get(table_id, frozenset())
        while (decision := _to_decide(change.after, tried)) is not None:
            table, before = change.table, change.after.position()
            by_order = table.players[decision.seat].is_human
            try:
                thinks = self._searches.needed(table, decision)
                instead = partial(self._choose, change, decision)
                if thinks:
                    view = self._unit_of_work.rules(table).view(before.state, decision.seat)
                    chosen = await self._searches.thought(table, decision, view, instead)
                else:
                    chosen = (await instead(),)
                if chosen is None or (change.rows and cache.locks.is_contended(table_id)):
                    break
                await self._answer(change, decision, chosen[0], by_order=by_order)
                if thinks:
                    self._searches.drop(table_id)
            except StaleCopy:
                raise
            except Exception:
                if not change.rows:
                    raise
                # Unless that was an accident, it will fail again as the first of the next unit.
                break
            if decision.optional or by_order:
                # Whether answered or not, it is not asked again.
                tried |= {_marked(table, decision)}
            if self._may_others_act(before, change) or _is_full(change):
                break
        if change.rows:
            await self._play.store(change, began)
        tried &= {_marked(change.table, each) for each in change.after.position().pending}
        if tried:
            self._tried[table_id] = tried
        else:
            self._tried.pop(table_id, None)
        return decision is not None

    def _may_others_act(self, before: Position, change: TableChange) -> bool:
        """Whether people may act who could not before, as far as all know of what was just done."""
        now, table = change.after.position(), change.table
        # An order that answers nothing ends no unit: others would see that it is there.
        if now is before or not now.entry.is_public:
            return False
        is_offer = self._unit_of_work.rules(table).moves[now.entry.kind].offers
        by_order = table.players[now.entry.seat].is_human
        return is_offer or by_order or _to_act(table, before) != _to_act(table, now)

    async def _choose(self, change: TableChange, decision: Decision) -> Action | None:
        """The answer of a computer player or a standing order; None where there is none."""
        table, now = change.table, change.after.position()
        # Held for as short as can be: what an answer is stored with may have to be read.
        async with self._choosing:
            await asyncio.sleep(0)
            return self._chooser.chosen(self._unit_of_work.rules(table), table, now, decision)

    async def _answer(
        self, change: TableChange, decision: Decision, action: Action | None, *, by_order: bool
    ) -> None:
        """Answers, if there is an answer: an offer can be left alone, and so can what is asked of a
        person who has standing orders."""
        table, now = change.table, change.after.position()
        if action is not None:
            told = OutboxKind.ORDER if by_order else None
            try:
                await self._play.take(change, decision.seat, action, told=told)
                return
            except IllegalAction as error:
                logger.error(
                    "policy made an illegal move table=%d seat=%s code=%s",
                    table.id,
                    decision.seat,
                    error.refusal.code,
                )
        if not decision.optional and not by_order:
            instead = first_legal(self._unit_of_work.rules(table), now, decision)
            await self._play.take(change, decision.seat, instead)


def _answerable(now: Position) -> list[Decision]:
    """What computer players and standing orders may answer: offers first, then turns."""
    asked = [each for each in now.pending if not each.optional or each.kind == ANSWER]
    return sorted(asked, key=lambda each: not each.optional)


def _to_decide(loaded: LoadedTable, tried: frozenset[Mark]) -> Decision | None:
    """What a computer player, or a person's standing orders, are to answer next.

    Offers are taken up once each, and so is what standing orders may answer: `tried` marks them.
    """
    table = loaded.table
    for decision in _answerable(loaded.position()) if table.status is Status.PLAYING else ():
        player = table.players[decision.seat]
        once = decision.optional or player.is_human
        able = not player.is_human or player.orders
        if able and not (once and _marked(table, decision) in tried):
            return decision
    return None


def _marked(table: Table, decision: Decision) -> Mark:
    return decision.seat, decision.id, tuple(table.players[decision.seat].orders.items())


def _to_act(table: Table, now: Position) -> ToAct:
    """The people whom everybody waits for, and what for."""
    return frozenset(each for each in now.to_act() if table.players[each[0]].is_human)


def _is_full(change: TableChange) -> bool:
    count = len(change.rows)
    is_public = (
        sum(each.is_public for each in change.after.position().recent[-count:]) if count else 0
    )
    return is_public >= MAX_PUBLIC or count - is_public >= MAX_SECRET
