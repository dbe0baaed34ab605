"""What computer players and standing orders choose; each only from what its seat may know."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol, TypeVar

from bot.game.choices import Choices, Done
from bot.game.contract import ANSWER, Action, AnyGame, Decision
from bot.game.game_end import GameEnds
from bot.game.versions import Versions
from bot.tables.core.failures import describe
from bot.tables.core.model import Status, Table
from bot.tables.core.position import Position

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


USUAL = "normal"
"""The computer player that is seated where nobody says which."""
STAND_IN = "strong"
"""The computer player that takes a seat over from somebody who resigns or is away."""


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


def awaits_computer(table: Table, now: Position) -> bool:
    """Whether a computer player, and no standing order, is to act."""
    asked = (d for d in now.pending if not d.optional or d.kind == ANSWER)
    return table.status is Status.PLAYING and any(
        not table.players[decision.seat].is_human for decision in asked
    )


def choose(game: AnyGame, now: Position, decision: Decision, policy: Policy, rng: Random) -> Action:
    """The policy's action, from what its seat may know."""
    legal: Legal = game.walk(now.state, decision.seat)
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
        by_order = table.players[decision.seat].is_human
        return (self._ordered if by_order else self._by_policy)(game, table, now, decision)

    def _by_policy(
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
        legal: Legal = game.walk(now.state, decision.seat)
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
                return None if _ends(game, view, decision, action) else action
        return None


def _ends(game: AnyGame, view: Any, decision: Decision, action: Action) -> bool:
    """Whether an order would end the game: the person is asked instead. Not about a secret choice,
    where a missing answer would tell something."""
    return not decision.sealed and GameEnds(game, view).of(decision.seat, [action]) is not None
