"""Computer players: what they do, and the one worker that gives all of them their turns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from bot.game.choices import Choices, Done
from bot.game.contract import ANSWER, Action, AnyGame, Decision, IllegalAction
from bot.game.versions import Versions
from bot.tables.core.cache import LoadedTable
from bot.tables.core.errors import (
    ConflictingWrite,
    NotOurs,
    NotStarted,
    NotYourSeat,
    StaleDecision,
    StoreUnavailable,
    TableAsleep,
    TableError,
    TableOver,
    TablePaused,
    UnknownTable,
)
from bot.tables.core.failures import describe
from bot.tables.core.model import OutboxKind, Status, Table
from bot.tables.core.position import Position, has_computer_turn
from bot.tables.core.unit_of_work import UnitOfWork

logger = logging.getLogger(__name__)

T = TypeVar("T")

Legal = Callable[[Action], Choices]
"""The domain of the next word after a prefix, for one seat."""

Policy = Callable[[Any, Decision, Legal, Random], Action]
"""A computer player: (view, decision, legal, rng) -> action."""

Policies = Versions[Mapping[str, Policy]]
"""Computer players by game and name."""


class StandingOrder(Protocol):
    """A standing order: the values it can have, and its answers; None where it answers nothing."""

    @property
    def values(self) -> tuple[str, ...]:
        """The values it can have."""
        ...

    @property
    def answer(self) -> Callable[[Any, Decision, Legal, str], Action | None]:
        """Called with (view, decision, legal, value)."""
        ...


Orders = Versions[Mapping[str, StandingOrder]]
"""Standing orders by game and name."""

Mark = tuple[int, str, tuple[tuple[str, str], ...]]
"""A seat, what it was asked, and its standing orders then."""

MOVED_ON = (
    StaleDecision,
    NotYourSeat,
    TablePaused,
    TableAsleep,
    TableOver,
    NotStarted,
    UnknownTable,
)
"""What others may have done meanwhile: as ordinary as a person's press that comes too late."""

LATER = (StoreUnavailable, ConflictingWrite)
"""Errors of the database, after which a step is tried again."""

STAND_IN = "greedy"
"""The computer player that takes a seat over from somebody who resigns or is away."""

RETRY_S = 5.0
"""Seconds that a table waits after a step that failed because of the database."""


def of_table(known: Versions[Mapping[str, T]], table: Table) -> Mapping[str, T]:
    """The computer players, or the standing orders, available at a table."""
    return known.of(table.game, table.version) if table.game in known else {}


def marked(table: Table, decision: Decision) -> Mark:
    """The mark of what has been taken up."""
    return decision.seat, decision.id, tuple(table.players[decision.seat].orders.items())


def to_decide(table: Table, now: Position, tried: frozenset[Mark]) -> Decision | None:
    """What computer players and standing orders are asked: offers first, then turns.

    Offers are taken up once each, and so is what standing orders may answer: `tried` marks them.
    """
    asked = [d for d in now.pending if not d.optional or d.kind == ANSWER]
    for decision in sorted(asked, key=lambda each: not each.optional):
        player = table.players[decision.seat]
        once = decision.optional or player.is_human
        able = not player.is_human or player.orders
        if able and not (once and marked(table, decision) in tried):
            return decision
    return None


def _awaits_computer(table: Table, now: Position) -> bool:
    """Whether a computer player, and no standing order, is to act."""
    asked = (d for d in now.pending if not d.optional or d.kind == ANSWER)
    return table.status is Status.PLAYING and any(
        not table.players[decision.seat].is_human for decision in asked
    )


def choose(game: AnyGame, now: Position, decision: Decision, policy: Policy, rng: Random) -> Action:
    """The policy's action, from what its seat may know."""
    legal: Legal = partial(game.legal, now.state, decision.seat)
    return policy(game.view(now.state, decision.seat), decision, legal, rng)


def first_legal(game: AnyGame, now: Position, decision: Decision) -> Action:
    """The first legal action that answers, for when a policy fails.

    Free moves answer nothing: they could go on for ever. Raises LookupError where there is none.
    """
    kinds = game.legal(now.state, decision.seat, ())
    if not isinstance(kinds, Done):
        for kind in kinds.each():
            whole = None if game.moves[kind].free else _complete(game, now, decision, (kind,))
            if whole is not None:
                return whole
    raise LookupError(f"no legal action answers a decision of kind {decision.kind!r}")


def _complete(game: AnyGame, now: Position, decision: Decision, prefix: Action) -> Action | None:
    choices = game.legal(now.state, decision.seat, prefix)
    if isinstance(choices, Done):
        return prefix
    for word in choices.each():
        found = _complete(game, now, decision, (*prefix, word))
        if found is not None:
            return found
    return None


class Computers:
    """Plays for all computer players: one step at a time, over tables in a queue.

    Each table is in the queue at most once. A step that fails costs its table that step, and
    nobody else anything; where the database was to blame it is tried again later.

    Only tables that are ours are played at. Of what is kept here nothing has to outlive that: who
    takes a table over asks again what had been passed over, as after a restart, and an answer that
    was given cannot be given twice, because it is no longer asked.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        act: Callable[..., Awaitable[object]],
        policies: Policies,
        orders: Orders,
        rng: Random,
        retry_s: float = RETRY_S,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._act = act
        self._policies = policies
        self._orders = orders
        self._rng = rng
        self._retry_s = retry_s
        self._tried: dict[int, frozenset[Mark]] = {}
        self._queue: dict[int, None] = {}
        self._playing: int | None = None
        self._resting: dict[int, asyncio.Event] = {}
        # Each lives as long as somebody waits for it.
        self._elsewhere: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()
        self._awake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def start(self) -> None:
        """Starts the worker."""
        self._task = asyncio.create_task(self._work())

    @property
    def is_working(self) -> bool:
        """Whether the worker has been started and is running."""
        return self._task is not None and not self._task.done()

    async def stop(self) -> None:
        """Stops after the current step."""
        self._stopped = True
        self._awake.set()
        if self._task is not None:
            await self._task

    def take_up(self, after: LoadedTable) -> None:
        """Queues a table at which a computer player is to act."""
        ours = self._unit_of_work.ownership.owns(after.table.guild)
        if ours and after.now is not None and has_computer_turn(after.table, after.now.pending):
            self.put(after.table.id)
        if after.table.is_over:
            self._tried.pop(after.table.id, None)

    def put(self, table_id: int) -> None:
        """Queues a table at which a computer player may have something to do."""
        self._queue[table_id] = None
        self._awake.set()

    async def rest(self, table_id: int, at_most_s: float) -> None:
        """Waits until no computer player is about to act at the table, or for that long.

        A person's answer can then show what the table asks next, not a computer player still
        moving.
        """
        if table_id in self._queue or table_id == self._playing:
            resting = self._resting.setdefault(table_id, asyncio.Event())
            with suppress(TimeoutError):
                await asyncio.wait_for(resting.wait(), at_most_s)
        elif self._unit_of_work.store.is_shared:
            with suppress(TimeoutError, TableError):
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
        return {*self._queue, *self._tried}

    def give_up(self, tables: Collection[int]) -> None:
        """These tables are not ours any more."""
        for table_id in tables:
            self._queue.pop(table_id, None)
            self._tried.pop(table_id, None)
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
            if ours or loaded.now is None or not _awaits_computer(loaded.table, loaded.now):
                return
            await changed.wait()

    async def _work(self) -> None:
        while not self._stopped:
            if not self._queue:
                self._awake.clear()
                await self._awake.wait()
                continue
            table_id = next(iter(self._queue))
            del self._queue[table_id]
            self._playing = table_id
            # Gathered, so that an error of any kind is looked at and ends nothing.
            (result,) = await asyncio.gather(self._step(table_id), return_exceptions=True)
            if isinstance(result, LATER):
                logger.warning("table %d: a computer player waits for the database", table_id)
                asyncio.get_running_loop().call_later(self._retry_s, self.put, table_id)
            elif isinstance(result, BaseException):
                logger.error("table %d: a computer player failed: %s", table_id, describe(result))
            elif result:
                self.put(table_id)
            self._playing = None
            if table_id not in self._queue and table_id in self._resting:
                self._resting.pop(table_id).set()

    async def _step(self, table_id: int) -> bool:
        """Takes one action; returns whether there may be more to do."""
        try:
            loaded = await self._unit_of_work.cache.read(table_id)
            if loaded.is_elsewhere:
                return False
            now = loaded.position()
        except MOVED_ON:
            return False
        try:
            with self._unit_of_work.on_behalf(loaded.table):
                return await self._play(loaded, now)
        except NotOurs:
            return False  # Whoever the table belongs to now plays on.

    async def _play(self, loaded: LoadedTable, now: Position) -> bool:
        table = loaded.table
        table_id = table.id
        tried = self._tried.pop(table_id, frozenset()) & {marked(table, d) for d in now.pending}
        if tried:
            self._tried[table_id] = tried
        decision = to_decide(table, now, tried) if table.status is Status.PLAYING else None
        if decision is None:
            return False
        game = self._unit_of_work.rules(table)
        by_order = table.players[decision.seat].is_human
        choose_one = self._ordered if by_order else self._chosen
        action = choose_one(game, table, now, decision)
        try:
            acted = action is not None and await self._acted(
                loaded, decision, action, by_order=by_order
            )
            if decision.optional or by_order:
                # Whether answered or not, it is not asked again.
                self._tried[table_id] = tried | {marked(table, decision)}
                return True
            return acted or await self._acted(loaded, decision, first_legal(game, now, decision))
        except MOVED_ON:
            return True  # Somebody was faster; what is asked now is looked at next.

    def _chosen(
        self, game: AnyGame, table: Table, now: Position, decision: Decision
    ) -> Action | None:
        policy = of_table(self._policies, table).get(table.players[decision.seat].policy or "")
        if policy is None:
            return None
        try:
            return choose(game, now, decision, policy, self._rng)
        # However a policy fails, the game goes on.
        except Exception as error:  # noqa: BLE001
            logger.error("table %d: a policy failed: %s", table.id, describe(error))
            return None

    def _ordered(
        self, game: AnyGame, table: Table, now: Position, decision: Decision
    ) -> Action | None:
        given = table.players[decision.seat].orders
        legal: Legal = partial(game.legal, now.state, decision.seat)
        view = game.view(now.state, decision.seat)
        # The first that answers counts, in the game's order, whenever they were given.
        for name, order in of_table(self._orders, table).items():
            if name not in given:
                continue
            try:
                action = order.answer(view, decision, legal, given[name])
            # However an order fails, the person is there to answer.
            except Exception as error:  # noqa: BLE001
                logger.error("table %d: an order failed: %s", table.id, describe(error))
                continue
            if action is not None:
                return action
        return None

    async def _acted(
        self, loaded: LoadedTable, decision: Decision, action: Action, *, by_order: bool = False
    ) -> bool:
        table_id = loaded.table.id
        try:
            told = OutboxKind.ORDER if by_order else None
            await self._act(table_id, decision.seat, action, decision=decision.id, told=told)
        except IllegalAction as error:
            if (await self._unit_of_work.cache.read(table_id)).seq() != loaded.seq():
                # What was legal when it was chosen is not what is asked now.
                raise StaleDecision(seat=decision.seat) from error
            logger.error("table %d: a policy broke the rules: %s", table_id, error.refusal.code)
            return False
        return True
