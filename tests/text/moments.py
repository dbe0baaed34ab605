"""Random games, step by step."""

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
"""Names without Latin letters, so that any Latin letter comes from the texts."""
EAGER: Mapping[str, tuple[float, tuple[str, ...]]] = {
    "burgundy": (0.7, ("place", "take", "sell", "load")),
    "guatemala": (0.9, ("move", "buy", "take")),
}
"""Kinds of actions and the probability of preferring them, so that boards fill."""


@dataclass
class Moment:
    """A step of a game: the decision, the words of the action, and its events."""

    state: Any
    decision: Decision
    view: Any
    """The view of the decision's seat before the action."""
    steps: list[tuple[Action, Domain, str]]
    action: Action
    events: list[Event]


def _chosen(game: AnyGame, choices: Domain, prefix: Action, rng: Random) -> str:
    probability, eager = EAGER.get(game.name, (0.0, ()))
    if not prefix and isinstance(choices, OneOf) and rng.random() < probability:
        return rng.choice([kind for kind in choices.values if kind in eager] or choices.values)
    return choices.sample(rng)


def moments_of(
    game: AnyGame, seats: int, seed: int, options: Mapping[str, str] | None = None
) -> Iterator[Moment]:
    """Play a game. Each step is for a random pending decision."""
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
