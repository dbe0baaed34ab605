"""Standing orders: automatic answers that players choose for their seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from bot.game.choices import OneOf
from bot.game.contract import ANSWER, DECLINE, END, SPECTATOR, Action, Decision, offer_of
from bot.game.game import AnyGame
from bot.policy.contract import Legal

Answer = Callable[[Any, Decision, Legal, str], Action | None]
"""Called with (view, decision, legal, value); returns a whole, legal action, or None to ask the
player."""


class Order(NamedTuple):
    """An order, with its possible values."""

    values: tuple[str, ...]
    answer: Answer


def decline_offers(view: Any, decision: Decision, legal: Legal, value: str) -> Action | None:
    if decision.kind != ANSWER:
        return None
    domain = legal((DECLINE,))
    number = offer_of(decision)
    return (DECLINE, number) if isinstance(domain, OneOf) and domain.admits(number) else None


WORLDS = 60
"""Number of hands, possible from a spectator's view, that are checked before a turn ends."""


def end_when_idle(game: AnyGame) -> Answer:
    """Return an order that ends a turn if nothing else is possible, apart from offers.

    An immediate answer must not reveal a hand. So it only ends a turn that would be over with any
    possible hand; otherwise the player has to end it.
    """

    def is_idle(legal: Legal) -> bool:
        kinds = legal(())
        return (
            isinstance(kinds, OneOf)
            and END in kinds.values
            and all(kind == END or game.moves[kind].free for kind in kinds.values)
        )

    def answer(view: Any, decision: Decision, legal: Legal, value: str) -> Action | None:
        if decision.optional or not is_idle(legal):
            return None
        rng = Random(decision.id)
        world = game.determinize(view, rng)
        for _ in range(WORLDS):
            other = game.resample(world, SPECTATOR, rng)
            if not is_idle(game.walk(other, decision.seat)):
                return None
        return (END,)

    return answer


ON = ("on",)


def shared_orders(game: AnyGame) -> Mapping[str, Order]:
    """Return the orders that a game has because of its moves, by name."""
    return {
        **({"decline": Order(ON, decline_offers)} if DECLINE in game.moves else {}),
        **({"end": Order(ON, end_when_idle(game))} if END in game.moves else {}),
    }
