"""Choices of computer players and standing orders, which use only what their seat knows."""

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
"""Called with the words of an action so far: a seat's choices for the next word."""

Policy = Callable[[Any, Decision, Legal, Random], Action]
"""A computer player: (view, decision, legal, rng) -> action."""

Policies = Versions[Mapping[str, Policy]]
"""Computer players by game and name."""

Fallback = Callable[[], Awaitable[Action | None]]
"""Chooses an action without a search."""


class StandingOrder(Protocol):
    @property
    def values(self) -> tuple[str, ...]:
        """Its possible values."""

    @property
    def answer(self) -> Callable[[Any, Decision, Legal, str], Action | None]:
        """Called with (view, decision, legal, value). Returns None if it does not apply."""


Orders = Versions[Mapping[str, StandingOrder]]
"""Standing orders by game and name."""


class StrongPlayer(Protocol):
    """The computer players that search for their actions."""

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Return whether this computer player searches in this game."""

    def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        fallback: Fallback,
    ) -> Coroutine[Any, Any, Action | None]:
        """Return the player's action, or that of `fallback` if no search can run or end in time.

        The time of the answer must depend only on the time of the call.
        """


def of_table(by_game: Versions[Mapping[str, T]], table: Table) -> Mapping[str, T]:
    """Return the computer players or standing orders available at a table."""
    return by_game.of(table.game, table.version) if table.game in by_game else {}


def first_legal(game: AnyGame, now: Position, decision: Decision) -> Action:
    """Return the first legal action that answers a decision, for use when a policy fails.

    Free moves are left out: they answer nothing and could go on for ever. Raise LookupError if
    there is none.
    """

    def completions(prefix: Action) -> Iterator[Action]:
        choices = game.legal(now.state, decision.seat, prefix)
        if isinstance(choices, Done):
            yield prefix
        else:
            for word in choices.each():
                if prefix or not game.moves[word].free:
                    yield from completions((*prefix, word))

    for action in completions(()):
        return action
    raise LookupError(f"no legal action answers a decision of kind {decision.kind!r}")


class ComputerChoices:
    """Asks policies and standing orders, and logs their errors."""

    def __init__(self, policies: Policies, orders: Orders, rng: Random) -> None:
        self._policies = policies
        self._orders = orders
        self._rng = rng

    def choose(
        self, game: AnyGame, table: Table, now: Position, decision: Decision
    ) -> Action | None:
        """Return the answer of the seat's computer player or standing orders, or None."""
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
        # The first answer counts, in the game's order, not that in which the orders were given.
        for name, order in of_table(self._orders, table).items():
            if name not in player.orders:
                continue
            ask = partial(order.answer, view, decision, legal, player.orders[name])
            action = self._answer("standing order", table, ask)
            if action is not None:
                # The player must confirm an action that ends the game. This does not apply to
                # sealed choices, where a missing answer would reveal something.
                ends = not decision.sealed and GameEnds(game, view).of(decision.seat, [action])
                return None if ends else action
        return None

    def _answer(self, label: str, table: Table, ask: Callable[[], Action | None]) -> Action | None:
        try:
            return ask()
        # Any error: `first_legal` replaces a failing policy, and the player a failing order.
        except Exception as error:  # noqa: BLE001
            logger.error("%s failed table=%d error=%s", label, table.id, describe(error))
            return None


class _RunningSearch(NamedTuple):
    decision: Decision
    view: Any
    task: asyncio.Task[Action | None]


class RunningSearches:
    """The running searches, at most one at each table.

    A worker waits for a search with the table's lock held, but stops waiting when another task
    wants the lock. The search continues, and counts if its seat still has the same decision and
    view.
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
        """Return whether the seat's computer player searches."""
        player = table.players[decision.seat]
        return (
            self._strong_player is not None
            and not player.is_human
            and self._strong_player.thinks(table.game, table.version, player.policy or "")
        )

    async def result(
        self, table: Table, decision: Decision, view: Any, fallback: Fallback
    ) -> tuple[Action | None] | None:
        """Return the player's action in a tuple, or None if the search was interrupted.

        It is interrupted when it is dropped or another task waits for the table's lock, which the
        caller holds. The search itself continues as long as the seat has the same decision and
        view, so the time of its answer reveals nothing about secret actions of other players.
        """
        if self._stopped or self._strong_player is None:
            return None
        search = self._searches.get(table.id)
        if search is None or (search.decision, search.view) != (decision, view):
            self.drop(table.id)
            action = self._strong_player.action(
                table.game, table.version, view, decision, self._seed(), fallback
            )
            search = _RunningSearch(decision, view, asyncio.create_task(action))
            self._searches[table.id] = search
        contended = asyncio.create_task(self._locks.until_contended(table.id))
        try:
            await asyncio.wait({search.task, contended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            contended.cancel()
        if search.task.cancelled() or not search.task.done():
            return None
        # The result stays available until `drop`, in case others act before it can be used.
        return (search.task.result(),)

    def drop(self, table_id: int) -> None:
        """Cancel the table's search and forget its result."""
        search = self._searches.pop(table_id, None)
        if search is not None:
            search.task.cancel()

    def stop(self) -> None:
        """Cancel all searches, and start no more."""
        self._stopped = True
        for table_id in list(self._searches):
            self.drop(table_id)


class StandingOrders:
    def __init__(self, unit_of_work: UnitOfWork, orders: Orders) -> None:
        self._unit_of_work = unit_of_work
        self._orders = orders

    def available(self, table: Table) -> Mapping[str, StandingOrder]:
        """Return the standing orders available at a table, by name."""
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
        """Set or (None) remove a standing order of the user. Raise unknown_option or not_seated."""

        def change(table: Table, _: AnyGame) -> Table:
            order = self.available(table).get(name)
            if order is None or value not in (None, *order.values):
                raise errors.Rejected("unknown_option", option=name, value=value or "")
            player = table.players[seating.seated(table, user)]
            orders = {other: set_to for other, set_to in player.orders.items() if other != name}
            if value is not None:
                orders[name] = value
            return seating.with_player(table, replace(player, orders=orders))

        return await self._unit_of_work.change(table_id, delivery, change, lambda _: ())
