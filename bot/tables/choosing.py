"""What computer players and standing orders choose; each only from what its seat may know."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from bot.game.choices import Choices, Done
from bot.game.contract import Action, Decision
from bot.game.game import AnyGame
from bot.game.game_end import GameEnds
from bot.game.versions import Versions
from bot.tables.core import Position, Table, UnitOfWork, errors, seating
from bot.tables.core.cache import TableLocks
from bot.workers import describe

logger = logging.getLogger(__name__)

T = TypeVar("T")

Legal = Callable[[Action], Choices]
"""The domain of the next word after a prefix, for one seat."""

Policy = Callable[[Any, Decision, Legal, Random], Action]
"""A computer player: (view, decision, legal, rng) -> action."""

Policies = Versions[Mapping[str, Policy]]
"""Computer players by game and name."""

Instead = Callable[[], Awaitable[Action | None]]
"""What a computer player does that does not think long."""


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


class StrongPlayer(Protocol):
    """Thinks for those computer players that need long."""

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Whether the computer player of that name thinks long in this game."""
        ...

    def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        instead: Instead,
    ) -> Coroutine[Any, Any, Action | None]:
        """What the player does, by what its seat may know; what it does `instead` where nobody can
        think now, or not in time.

        It is given at a moment that depends on nothing but when it was asked.
        """
        ...


def of_table(known: Versions[Mapping[str, T]], table: Table) -> Mapping[str, T]:
    """The computer players, or the standing orders, available at a table."""
    return known.of(table.game, table.version) if table.game in known else {}


def first_legal(game: AnyGame, now: Position, decision: Decision) -> Action:
    """The first legal action that answers, for when a policy fails.

    Free moves answer nothing: they could go on for ever. Raises LookupError where there is none.
    """

    def whole(prefix: Action) -> Iterator[Action]:
        choices = game.legal(now.state, decision.seat, prefix)
        if isinstance(choices, Done):
            yield prefix
        else:
            for word in choices.each():
                if prefix or not game.moves[word].free:
                    yield from whole((*prefix, word))

    for action in whole(()):
        return action
    raise LookupError(f"no legal action answers a decision of kind {decision.kind!r}")


class ComputerChoices:
    """Asks the policies and the standing orders, whatever is wrong with one of them."""

    def __init__(self, policies: Policies, orders: Orders, rng: Random) -> None:
        self._policies = policies
        self._orders = orders
        self._rng = rng

    def chosen(
        self, game: AnyGame, table: Table, now: Position, decision: Decision
    ) -> Action | None:
        """The answer of the computer player, or of the standing orders of the person, on that seat;
        None where there is none."""
        player = table.players[decision.seat]
        legal: Legal = game.walk(now.state, decision.seat)
        if not player.is_human:
            policy = of_table(self._policies, table).get(player.policy or "")
            if policy is None:
                return None

            def by_policy() -> Action:
                view = game.view(now.state, decision.seat)
                return policy(view, decision, legal, self._rng)

            return self._answer("policy", table, by_policy)
        view = game.view(now.state, decision.seat)
        # The first that answers counts, in the game's order, whenever they were given.
        for name, order in of_table(self._orders, table).items():
            if name not in player.orders:
                continue
            given = partial(order.answer, view, decision, legal, player.orders[name])
            action = self._answer("standing order", table, given)
            if action is not None:
                # Where it would end the game, the person is asked instead. Not about a secret
                # choice, where a missing answer would tell something.
                ends = not decision.sealed and GameEnds(game, view).of(decision.seat, [action])
                return None if ends else action
        return None

    def _answer(self, what: str, table: Table, ask: Callable[[], Action | None]) -> Action | None:
        try:
            return ask()
        # However a policy fails, the game goes on; however an order does, the person is there.
        except Exception as error:  # noqa: BLE001
            logger.error("%s failed table=%d error=%s", what, table.id, describe(error))
            return None


class _RunningSearch(NamedTuple):
    decision: Decision
    view: Any
    task: asyncio.Task[Action | None]


class RunningSearches:
    """What is being thought about at each table, elsewhere, one decision at a time.

    A table is thought about while its lock is held, but whoever wants the lock gets it at once: the
    thought goes on, and counts if its seat is still asked the same afterwards, and sees the same.
    """

    def __init__(
        self, strong_player: StrongPlayer | None, locks: TableLocks, seed: Callable[[], str]
    ) -> None:
        self._strong_player = strong_player
        self._locks = locks
        self._seed = seed
        self._searches: dict[int, _RunningSearch] = {}
        self._stopped = False

    def needed(self, table: Table, decision: Decision) -> bool:
        """Whether the seat's computer player thinks long."""
        player = table.players[decision.seat]
        return (
            self._strong_player is not None
            and not player.is_human
            and self._strong_player.thinks(table.game, table.version, player.policy or "")
        )

    async def thought(
        self, table: Table, decision: Decision, view: Any, instead: Instead
    ) -> tuple[Action | None] | None:
        """What the player does, by the `view` of its seat; None as soon as somebody else wants the
        table, whose lock the caller holds, or it is not to be thought about any more.

        It goes on as long as the seat is asked the same and sees the same: what others do in
        secret meanwhile must not show in when it answers.
        """
        if self._stopped or self._strong_player is None:
            return None
        thought = self._searches.get(table.id)
        if thought is None or (thought.decision, thought.view) != (decision, view):
            self.drop(table.id)
            thinking = self._strong_player.action(
                table.game, table.version, view, decision, self._seed(), instead
            )
            thought = _RunningSearch(decision, view, asyncio.create_task(thinking))
            self._searches[table.id] = thought
        wanted = asyncio.create_task(self._locks.until_contended(table.id))
        try:
            await asyncio.wait({thought.task, wanted}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            wanted.cancel()
        if thought.task.cancelled() or not thought.task.done():
            return None
        # It is kept until it is dropped: it may be that it cannot be done before others have acted.
        return (thought.task.result(),)

    def drop(self, table_id: int) -> None:
        """Nothing is thought about at the table any more."""
        thought = self._searches.pop(table_id, None)
        if thought is not None:
            thought.task.cancel()

    def stop(self) -> None:
        """Nothing is thought about any more; whoever waits for a thought goes on without."""
        self._stopped = True
        for table_id in list(self._searches):
            self.drop(table_id)


class StandingOrders:
    """The orders that each player has given at a table."""

    def __init__(self, unit_of_work: UnitOfWork, orders: Orders) -> None:
        self._unit_of_work = unit_of_work
        self._orders = orders

    def known(self, table: Table) -> Mapping[str, StandingOrder]:
        """The standing orders that can be given at a table, by name."""
        return of_table(self._orders, table)

    async def give(
        self,
        table_id: int,
        user: int,
        name: str,
        value: str | None,
        *,
        delivery: str | None = None,
    ) -> Table:
        """Gives one standing order for the user; None takes it back.

        Raises unknown_option or not_seated.
        """

        def change(table: Table, _: AnyGame) -> Table:
            order = self.known(table).get(name)
            if order is None or value not in (None, *order.values):
                raise errors.Rejected("unknown_option", option=name, value=value or "")
            player = table.players[seating.seated(table, user)]
            orders = {known: said for known, said in player.orders.items() if known != name}
            if value is not None:
                orders[name] = value
            return seating.with_player(table, replace(player, orders=orders))

        return await self._unit_of_work.change(table_id, delivery, change, lambda _: ())
