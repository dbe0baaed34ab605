"""Standing orders: what a seat answers by itself, as its person has set it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from bot.game.choices import OneOf
from bot.game.contract import ANSWER, DECLINE, END, SPECTATOR, Action, Decision, offer_of
from bot.game.game import AnyGame
from bot.policy.contract import Legal

Answer = Callable[[Any, Decision, Legal, str], Action | None]
"""Called with (view, decision, legal, value); a whole, legal action, or None to ask the person."""


class Order(NamedTuple):
    """An order: the values it can be set to, and how it answers by them."""

    values: tuple[str, ...]
    answer: Answer


def decline_offers(view: Any, decision: Decision, legal: Legal, value: str) -> Action | None:
    """No to every offer."""
    if decision.kind != ANSWER:
        return None
    domain = legal((DECLINE,))
    number = offer_of(decision)
    return (DECLINE, number) if isinstance(domain, OneOf) and domain.admits(number) else None


WORLDS = 60
"""Hands that a seat may have, as far as spectators know, in which its turn must be over."""


def end_when_idle(game: AnyGame) -> Answer:
    """The end of a turn in which nothing else can be done, but for offers.

    An order answers at once, so it ends only what everybody can know to be over: a turn that goes
    on with another hand is left to the person.
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
        imagined = game.determinize(view, rng)
        for _ in range(WORLDS):
            other = game.resample(imagined, SPECTATOR, rng)
            if not is_idle(game.walk(other, decision.seat)):
                return None
        return (END,)

    return answer


ON = ("on",)


def shared_orders(game: AnyGame) -> Mapping[str, Order]:
    """The orders that a game has by its moves, whatever else it has; by name."""
    return {
        **({"decline": Order(ON, decline_offers)} if DECLINE in game.moves else {}),
        **({"end": Order(ON, end_when_idle(game))} if END in game.moves else {}),
    }
