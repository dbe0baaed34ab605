"""Whole games at random, step by step, for tests that look at every moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.choices import Domain, Done, OneOf
from bot.game.contract import Action, Decision, Event
from bot.game.game import AnyGame
from tests.text.people import called

NAMES = called("安娜", "波", "克里斯", "朵拉")
"""Names without a Latin letter, so that those left over come from the texts."""
EAGER: Mapping[str, tuple[float, tuple[str, ...]]] = {
    "burgundy": (0.7, ("place", "take", "sell", "load")),
    "guatemala": (0.9, ("move", "buy", "take")),
}
"""Kinds that are chosen so often where they can be, so that boards fill and effects nest."""


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


def _chosen(game: AnyGame, choices: Domain, prefix: Action, rng: Random) -> str:
    often, eager = EAGER.get(game.name, (0.0, ()))
    if not prefix and isinstance(choices, OneOf) and rng.random() < often:
        return rng.choice([kind for kind in choices.values if kind in eager] or choices.values)
    return choices.sample(rng)


def moments_of(
    game: AnyGame, seats: int, seed: int, options: Mapping[str, str] | None = None
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
            word = _chosen(game, choices, prefix, rng)
            steps.append((prefix, choices, word))
            prefix = (*prefix, word)
        events = game.apply(state, decision.seat, prefix, chance)
        yield Moment(state, decision, view, steps, prefix, events)
