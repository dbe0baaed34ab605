"""Standing orders: what a seat answers by itself, as its person has set it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bot.game.choices import OneOf
from bot.game.contract import ANSWER, DECLINE, END, Action, Decision, Move, offer_of
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


def end_when_idle(moves: Mapping[str, Move]) -> Answer:
    """The end of a turn in which nothing else can be done, but for offers."""

    def answer(view: Any, decision: Decision, legal: Legal, value: str) -> Action | None:
        kinds = legal(())
        asked = [k for k in kinds.values if not moves[k].free] if isinstance(kinds, OneOf) else []
        return (END,) if asked == [END] and not decision.optional else None

    return answer


ON = ("on",)


def shared_orders(moves: Mapping[str, Move]) -> Mapping[str, Order]:
    """The orders that a game has by its moves, whatever else it has; by name."""
    return {
        **({"decline": Order(ON, decline_offers)} if DECLINE in moves else {}),
        **({"end": Order(ON, end_when_idle(moves))} if END in moves else {}),
    }
