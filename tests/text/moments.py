"""Whole games at random, step by step, for tests that look at every moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.choices import Domain, Done
from bot.game.contract import Action, AnyGame, Decision, Event
from tests.text.people import called

NAMES = called("安娜", "波", "克里斯", "朵拉")
"""Names without a Latin letter, so that those left over come from the texts."""


@dataclass
class Moment:
    """One step: what was asked, how the answer was built, and what came of it."""

    state: Any
    decision: Decision
    view: Any
    """The asked seat's view before the action."""
    steps: list[tuple[Action, Domain, str]]
    action: Action
    events: list[Event]


def sampled(domain: Domain, _prefix: Action, rng: Random) -> str:
    """Any word of a domain."""
    return domain.sample(rng)


def moments_of(
    game: AnyGame,
    seats: int,
    seed: int,
    options: Mapping[str, str] | None = None,
    choose: Callable[[Domain, Action, Random], str] = sampled,
) -> Iterator[Moment]:
    """A whole game; at each step one of those who may say something does."""
    rng = Random(seed)
    chance = RandomChance(rng)
    state = game.setup(seats, options or {}, chance)
    while game.outcome(state) is None:
        decision = rng.choice(game.pending(state))
        view = game.view(state, decision.seat)
        steps: list[tuple[Action, Domain, str]] = []
        prefix: Action = ()
        while not isinstance(choices := game.legal(state, decision.seat, prefix), Done):
            word = choose(choices, prefix, rng)
            steps.append((prefix, choices, word))
            prefix = (*prefix, word)
        events = game.apply(state, decision.seat, prefix, chance)
        yield Moment(state, decision, view, steps, prefix, events)
